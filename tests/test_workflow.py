"""What make calls: fetching, describing, publishing only what open data gave, the README's
findings, the Makefile itself."""

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


def test_fetch_says_what_is_here_and_rewrites_its_note_only_when_that_changes(
    no_data, monkeypatch, tmp_path
):
    folder = tmp_path / "executed"
    assert set(workflow.fetch(folder).values()) == {""}
    note = folder / "sources.json"
    assert json.loads(note.read_text()) == dict.fromkeys(data.registry(), "absent")
    os.utime(note, (1, 1))
    workflow.fetch(folder)
    assert note.stat().st_mtime == 1, "unchanged sources must not make the notebooks run again"
    monkeypatch.setattr(data, "available", lambda name: "cache")
    workflow.fetch(folder)
    assert json.loads(note.read_text()) == dict.fromkeys(data.registry(), "open")


def test_a_data_set_is_described_with_size_licence_and_place(no_data):
    lines = workflow.describe({"ttcw": "mirror", "hanna": "", "confederacy": "download"})
    assert re.match(r"ttcw\s+10 files\s+\d+\.\d MB\s+BSD-3-Clause\s+in the local mirror$", lines[0])
    assert "MIT" in lines[1] and "NOT available" in lines[1] and "simulation" in lines[1]
    assert "CC-BY-SA-4.0" in lines[2] and str(data.cache_folder()) in lines[2]


def plant_run(folder, sources):
    """An executed folder with findings, a run record, a ledger and a figure; and a README with
    markers."""
    folder.mkdir()
    (folder / "sources.json").write_text(json.dumps(sources))
    (folder / "01-x.json").write_text(
        json.dumps({"notebook": "01-x", "source": "open", "findings": ["new"]})
    )
    (folder / "01-x.run.json").write_text("{}")
    (folder / "01b-y.json").write_text("{}")
    (folder / "ledger.csv").write_text("ledger\n")
    (folder / "figure-a.png").write_bytes(b"png")
    readme = folder.parent / "README.md"
    readme.write_text("top\n<!-- findings: do not edit -->\nold\n<!-- /findings -->\nend\n")
    return readme


@pytest.mark.parametrize("sources", [{"a": "open", "b": "absent"}, {"a": "absent"}])
def test_without_all_open_data_nothing_committed_is_touched(tmp_path, sources):
    readme, outputs = plant_run(tmp_path / "executed", sources), tmp_path / "outputs"
    outputs.mkdir()
    assert workflow.publish(tmp_path / "executed", outputs, readme) is False
    assert list(outputs.iterdir()) == [] and "old" in readme.read_text()


def test_with_all_open_data_findings_ledger_and_figures_are_published_and_nothing_else(tmp_path):
    readme, outputs = (
        plant_run(tmp_path / "executed", {"a": "open", "b": "open"}),
        tmp_path / "outputs",
    )
    outputs.mkdir()
    assert workflow.publish(tmp_path / "executed", outputs, readme) is True
    assert sorted(path.name for path in outputs.iterdir()) == [
        "01-x.json",
        "01b-y.json",
        "figure-a.png",
        "ledger.csv",
    ]
    text = readme.read_text()
    assert text.startswith("top\n<!-- findings: do not edit -->\n|") and text.endswith(
        "\n<!-- /findings -->\nend\n"
    )
    assert "old" not in text
    os.utime(outputs / "ledger.csv", (1, 1))
    workflow.publish(tmp_path / "executed", outputs, readme)
    assert (outputs / "ledger.csv").stat().st_mtime == 1, "the same bytes are not written again"
    assert readme.read_text() == text


def test_what_a_run_by_hand_has_overwritten_is_made_again(tmp_path):
    for name in ("01-a", "02-b", "02b-c"):
        (tmp_path / f"{name}.ipynb").write_text("{}")
        (tmp_path / f"{name}.json").write_text("{}")
        if name != "02b-c":  # a further study has no part of the ledger
            (tmp_path / f"ledger-{name[:2]}.csv").write_text("paper\n")
        (tmp_path / f"{name}.run.json").write_text("{}")
    workflow.forget_overwritten(tmp_path)
    assert len(list(tmp_path.glob("*.ipynb"))) == 3
    later = time.time() + 2
    os.utime(tmp_path / "ledger-02.csv", (later, later))
    os.utime(tmp_path / "02b-c.json", (later, later))
    workflow.forget_overwritten(tmp_path)
    assert [path.name for path in tmp_path.glob("*.ipynb")] == ["01-a.ipynb"]


TITLED = """{{"cells": [{{"cell_type": "markdown", "id": "a", "metadata": {{}}, "source": [
                "{}\\n", "More."]}}],
            "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"""


def test_a_row_of_the_findings_table_has_notebook_question_and_first_finding(tmp_path):
    (tmp_path / "01-x.ipynb").write_text(TITLED.format("# 01 · Is it so?"))
    (tmp_path / "02b-y.ipynb").write_text(TITLED.format("# 02b · And that?"))
    (tmp_path / "01-x.json").write_text(json.dumps({"findings": ["Yes: 0.5.", "second"]}))
    assert workflow.findings_table(tmp_path, tmp_path) == [
        "| [01-x](notebooks/01-x.ipynb) | Is it so? | Yes: 0.5. |",
        "| [02b-y](notebooks/02b-y.ipynb) | And that? | (not run yet) |",
    ]


def test_the_readme_carries_the_committed_findings(tmp_path):
    copy, committed = tmp_path / "README.md", (ROOT / "README.md").read_text(encoding="utf8")
    copy.write_text(committed, encoding="utf8")
    assert workflow.fill_readme(copy) == committed, "run `make reproduce` and commit the README"
    assert "(not run yet)" not in committed


def test_the_readme_points_at_files_that_exist_and_targets_that_make_has():
    readme, makefile = (
        (ROOT / "README.md").read_text(encoding="utf8"),
        (ROOT / "Makefile").read_text(encoding="utf8"),
    )
    links = [link.split("#")[0] for link in re.findall(r"\]\((?!https?:|mailto:)([^)#]+)", readme)]
    assert [link for link in links if not (ROOT / link).exists()] == []
    targets = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    assert {"reproduce", "test", "setup", "fetch", "lab"} <= targets
    assert set(re.findall(r"(?:`|^)make ([a-z][\w-]*)", readme, re.MULTILINE)) - targets == set()


def test_continuous_integration_runs_the_tests_and_does_not_swallow_failures():
    text = (ROOT / ".ci" / "run").read_text(encoding="utf8")
    assert "make test" in text and "set -e" in text and "|| true" not in text
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_workflow_plans_one_job_a_notebook_and_the_ledger_last():
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--cores=1",
        "--dry-run",
        "--forceall",
        "--nolock",
        "--rerun-incomplete",
        "all",
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-2000:]
    planned = dict(re.findall(r"^(notebook|audit)\s+(\d+)$", said, re.MULTILINE))
    studies = [path for path in (ROOT / "notebooks").glob("0[0-5]*.ipynb")]
    assert planned == {"notebook": str(len(studies)), "audit": "1"}


def test_an_unknown_command_is_refused():
    with pytest.raises(SystemExit) as fault:
        workflow.main(["reprodcue"])
    assert fault.value.code == 2


def test_the_summary_has_one_line_a_notebook_and_counts_failures(tmp_path):
    for name, status, error in [("01-a", "ok", ""), ("02-b", "failed", "cell 3: ValueError: no")]:
        record = {"notebook": name, "status": status, "error": error, "seconds": 1.25}
        (tmp_path / f"{name}.run.json").write_text(json.dumps(record))
    (tmp_path / "01-a.json").write_text(
        json.dumps({"notebook": "01-a", "source": "open", "findings": ["x", "y"]})
    )
    lines, failures = workflow.summary(tmp_path)
    assert failures == 1 and lines[0].split() == [
        "notebook",
        "source",
        "seconds",
        "findings",
        "status",
    ]
    assert lines[1].split() == ["01-a", "open", "1.2", "2", "ok"] and lines[2].endswith(
        "failed: cell 3: ValueError: no"
    )
    lines, _ = workflow.summary(tmp_path, since=(tmp_path / "01-a.run.json").stat().st_mtime + 10)
    assert lines[1].endswith("ok, unchanged")


def test_a_reader_is_told_which_notebook_begins_and_ends(tmp_path, capsys):
    notebooks, folder = tmp_path / "notebooks", tmp_path / "executed"
    notebooks.mkdir()
    folder.mkdir()
    for name in ("01-a", "02-b"):
        (notebooks / f"{name}.ipynb").write_text("{}")
    work = """if True:
        import json, pathlib, time
        for name in ("01-a", "02-b"):
            pathlib.Path(f"{name}.partial.ipynb").touch()
        time.sleep(1)
        pathlib.Path("01-a.run.json").write_text(json.dumps({"status": "failed", "seconds": 1.0}))
        time.sleep(1)"""
    with subprocess.Popen([sys.executable, "-c", work], cwd=folder) as process:
        workflow.watch(process, folder, notebooks)
    said = [line.split("s  ", 1)[1] for line in capsys.readouterr().out.splitlines()]
    assert said == [
        "01-a begins",
        "02-b begins",
        "01-a failed after 1 s, 1 of 2 done; running: 02-b",
    ]
