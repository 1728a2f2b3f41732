"""What make calls: fetching, describing, publishing only what open data gave, the README's
findings, the order of the notebooks, the Makefile itself."""

import json
import os
import re
import subprocess
import sys
import time

import pytest

from helpers.sources import public as data
from helpers.sources.public import ROOT
from helpers.workshop import reproduce as workflow

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf8")
TARGETS = set(re.findall(r"^([a-z][\w-]*):", MAKEFILE, re.MULTILINE))


def test_fetch_rewrites_its_note_only_when_the_sources_changed(no_data, monkeypatch, tmp_path):
    note = tmp_path / "sources.json"
    assert set(workflow.fetch(tmp_path).values()) == {""}
    assert json.loads(note.read_text()) == dict.fromkeys(data.registry(), "absent")
    os.utime(note, (1, 1))
    workflow.fetch(tmp_path)
    assert note.stat().st_mtime == 1, "unchanged sources must not make the notebooks run again"
    monkeypatch.setattr(data, "available", lambda name: "cache")
    workflow.fetch(tmp_path)
    assert json.loads(note.read_text()) == dict.fromkeys(data.registry(), "open")


def test_a_data_set_is_described_with_size_licence_and_place():
    lines = workflow.describe({"ttcw": "mirror", "hanna": "", "confederacy": "download"})
    assert re.match(r"ttcw\s+10 files\s+\d+\.\d MB\s+BSD-3-Clause\s+in the local mirror$", lines[0])
    assert "MIT" in lines[1] and "NOT available" in lines[1] and "simulation" in lines[1]
    assert "CC-BY-SA-4.0" in lines[2] and str(data.cache_folder()) in lines[2]


@pytest.fixture
def published(tmp_path):
    """Return publish(sources) of a made-up run: (its answer, outputs folder, README)."""
    folder, outputs, readme = tmp_path / "executed", tmp_path / "outputs", tmp_path / "README.md"
    (folder / "judges").mkdir(parents=True)
    outputs.mkdir()
    for name in ("01-x.run.json", "01b-y.json", "judges/recorded-a.json", "judges/own-b.json"):
        (folder / name).write_text("{}")
    (folder / "01-x.json").write_text(json.dumps({"source": "open", "findings": ["new"]}))
    (folder / "ledger.csv").write_text("ledger\n")
    (folder / "01-x.png").write_bytes(b"png")
    readme.write_text("top\n<!-- findings: do not edit -->\nold\n<!-- /findings -->\nend\n")

    def publish(**sources):
        (folder / "sources.json").write_text(json.dumps(sources))
        return workflow.publish(folder, outputs, readme), outputs, readme

    return publish


@pytest.mark.parametrize("sources", [{"a": "open", "b": "absent"}, {"a": "absent"}, {}])
def test_without_all_open_data_nothing_committed_is_touched(published, sources):
    done, outputs, readme = published(**sources)
    assert done is False and list(outputs.iterdir()) == [] and "old" in readme.read_text()


def test_with_all_open_data_findings_ledger_and_figures_are_published_and_nothing_else(published):
    done, outputs, readme = published(a="open", b="open")
    made = sorted(str(p.relative_to(outputs)) for p in outputs.rglob("*.*"))
    assert done is True
    assert made == "01-x.json 01-x.png 01b-y.json judges/recorded-a.json ledger.csv".split()
    text = readme.read_text()
    assert re.fullmatch(r"top\n<!--[^\n]*-->\n(\|[^\n]*\n)+<!-- /findings -->\nend\n", text)
    os.utime(outputs / "ledger.csv", (1, 1))
    published(a="open", b="open")
    assert (outputs / "ledger.csv").stat().st_mtime == 1, "the same bytes are not written again"
    assert readme.read_text() == text


def test_what_a_run_by_hand_has_overwritten_is_made_again(tmp_path):
    (tmp_path / "ledger-02.csv").write_text("paper\n")  # a supplement has no part of the ledger
    for name in ("01-a", "02-b", "02b-c"):
        for ending in (".ipynb", ".json", ".run.json"):
            (tmp_path / f"{name}{ending}").write_text("{}")
    workflow.forget_overwritten(tmp_path)
    assert len(list(tmp_path.glob("*.ipynb"))) == 3
    for name in ("ledger-02.csv", "02b-c.json"):
        os.utime(tmp_path / name, (time.time() + 2, time.time() + 2))
    workflow.forget_overwritten(tmp_path)
    assert [path.name for path in tmp_path.glob("*.ipynb")] == ["01-a.ipynb"]


def test_a_row_of_the_findings_table_has_notebook_question_and_first_finding(tmp_path):
    for name, title in [("01-x", "01 · Is it so?"), ("02b-y", "And that?"), ("00-z", "Start")]:
        cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"# {title}\nMore."}
        notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "01-x.json").write_text(json.dumps({"findings": ["Yes: 0.5.", "second"]}))
    assert workflow.findings_table(tmp_path, tmp_path) == [
        "| [01-x](notebooks/01-x.ipynb) | Is it so? | Yes: 0.5. |",
        "| [02b-y](notebooks/02b-y.ipynb) | And that? | (not run yet) |",
    ]


def test_the_readme_carries_the_committed_findings_and_points_at_what_exists(tmp_path):
    copy, committed = tmp_path / "README.md", (ROOT / "README.md").read_text(encoding="utf8")
    copy.write_text(committed, encoding="utf8")
    assert workflow.fill_readme(copy) == committed, "run `make reproduce` and commit the README"
    assert "(not run yet)" not in committed
    links = re.findall(r"\]\((?!https?:|mailto:)([^)#]+)", committed)
    assert [link for link in links if not (ROOT / link).exists()] == []
    assert set(re.findall(r"(?:`|^)make ([a-z][\w-]*)", committed, re.MULTILINE)) <= TARGETS
    named = re.findall(r"-m ((?:helpers|tools)[.\w]+)", committed + MAKEFILE)
    paths = [name.replace(".", "/") for name in named]
    missing = [p for p in paths if not (ROOT / p).is_dir() and not (ROOT / f"{p}.py").is_file()]
    assert missing == []


def test_continuous_integration_runs_the_tests_and_does_not_swallow_failures():
    text = (ROOT / ".ci" / "run").read_text(encoding="utf8")
    assert "make test" in text and "set -e" in text and "|| true" not in text
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert {"reproduce", "test", "setup", "fetch", "lab", "report", "class", "sweep"} <= TARGETS


def test_the_workflow_plans_one_job_per_notebook_the_longest_first_the_ledger_last(monkeypatch):
    monkeypatch.setenv("JUDGING_CREATIVITY_OFFLINE", "1")
    if not (workflow.EXECUTED / "sources.json").is_file():
        workflow.fetch()
    command = [sys.executable, "-m", "snakemake", "--cores=1", "--dry-run", "--forceall"]
    command += ["--nolock", "--rerun-incomplete", "all"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    planned = dict(re.findall(r"^(notebook|audit)\s+(\d+)$", said, re.MULTILINE))
    studies = list((ROOT / "notebooks").glob("0[0-57-9]*.ipynb"))
    assert planned == {"notebook": str(len(studies)), "audit": "1"}, said[-2000:]
    priority = {}
    for job in said.split("rule notebook:")[1:]:
        name = re.search(r"output: \S+/(0\d\w*)-", job).group(1)
        first = re.search(r"priority: (\d+)", job.partition("\n\n")[0])
        priority[name] = int(first.group(1)) if first else 0
    assert priority["05"] > priority["01"] > 2 and min(priority.values()) == priority["00"]


def test_the_summary_has_one_line_per_notebook_and_counts_failures(tmp_path):
    for name, status, error in [("01-a", "ok", ""), ("02-b", "failed", "cell 3: no")]:
        record = {"notebook": name, "status": status, "error": error, "seconds": 1.25}
        (tmp_path / f"{name}.run.json").write_text(json.dumps(record))
    (tmp_path / "01-a.json").write_text(json.dumps({"source": "open", "findings": ["x", "y"]}))
    lines, failures = workflow.summary(tmp_path)
    assert failures == 1 and lines[0].split() == "notebook source seconds findings status".split()
    assert lines[1].split() == ["01-a", "open", "1.2", "2", "ok"]
    assert lines[2].endswith("failed: cell 3: no")
    lines, _ = workflow.summary(tmp_path, since=time.time() + 10)
    assert lines[1].endswith("ok, unchanged")


@pytest.mark.parametrize(
    ("status", "failures", "code"), [(0, 0, 0), (1, 0, 1), (0, 1, 1)], ids=["ok", "snake", "run"]
)
def test_a_failure_is_the_exit_status_and_publishes_nothing(monkeypatch, status, failures, code):
    published = []
    monkeypatch.setattr(workflow, "fetch", dict)
    monkeypatch.setattr(workflow, "forget_overwritten", lambda: None)
    monkeypatch.setattr(workflow, "run_all", lambda cores: status)
    monkeypatch.setattr(workflow, "summary", lambda folder, since: ([], failures))
    monkeypatch.setattr(workflow, "publish", lambda: published.append(1))
    assert workflow.main(["reproduce"]) == code and len(published) == 1 - code
