"""What make calls: fetching, describing, publishing what the notebooks found, the README's
findings, the order of the notebooks, the Makefile itself."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import quick

from helpers.sources.public import ROOT
from helpers.workshop import reproduce as workflow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf8")
TARGETS = set(re.findall(r"^([a-z][\w-]*):", MAKEFILE, re.MULTILINE))


@pytest.fixture
def published(tmp_path):
    """Return publish() of a made-up run: (outputs folder, README)."""
    folder, outputs, readme = tmp_path / "executed", tmp_path / "outputs", tmp_path / "README.md"
    folder.mkdir()
    outputs.mkdir()
    left = "01-x.run.json S2-y.json 99-gone.json 02-judges.csv own-results-02-b.csv"
    for name in left.split():
        (folder / name).write_text("{}")
    (folder / "01-x.json").write_text(json.dumps({"source": "open", "findings": ["new"]}))
    (folder / "ledger.csv").write_text("ledger\n")
    (folder / "01-x.png").write_bytes(b"png")
    readme.write_text("top\n<!-- findings: do not edit -->\nold\n<!-- /findings -->\nend\n")

    def publish():
        workflow.publish(folder, outputs, readme)
        return outputs, readme

    return publish


def test_findings_ledger_and_figures_are_published_and_nothing_else(published):
    outputs, readme = published()
    made = sorted(str(p.relative_to(outputs)) for p in outputs.rglob("*.*"))
    assert made == "01-x.json 01-x.png 02-judges.csv S2-y.json ledger.csv".split()
    text = readme.read_text()
    assert re.fullmatch(r"top\n<!--[^\n]*-->\n\n(\|[^\n]*\n)+\n<!-- /findings -->\nend\n", text)
    os.utime(outputs / "ledger.csv", (1, 1))
    published()
    assert (outputs / "ledger.csv").stat().st_mtime == 1, "the same bytes are not written again"
    assert readme.read_text() == text


def test_the_table_of_notebooks_carries_the_committed_findings(tmp_path):
    copy = tmp_path / "README.md"
    committed = (ROOT / "notebooks" / "README.md").read_text(encoding="utf8")
    copy.write_text(committed, encoding="utf8")
    assert workflow.fill_table(copy) == committed, "run `make reproduce` and commit the table"
    assert "(not run yet)" not in committed


def test_the_readme_points_at_what_exists():
    committed = (ROOT / "README.md").read_text(encoding="utf8")
    for folder, text in [
        (ROOT, committed),
        (ROOT / "notebooks", (ROOT / "notebooks" / "README.md").read_text(encoding="utf8")),
    ]:
        links = re.findall(r"\]\((?!https?:|mailto:)([^)#]+)", text)
        assert [link for link in links if not (folder / link).exists()] == []
    assert set(re.findall(r"(?:`|^)make ([a-z][\w-]*)", committed, re.MULTILINE)) <= TARGETS
    named = re.findall(r"-m ((?:helpers|tools)[.\w]+)", committed + MAKEFILE)
    paths = [name.replace(".", "/") for name in named]
    missing = [p for p in paths if not (ROOT / p).is_dir() and not (ROOT / f"{p}.py").is_file()]
    assert missing == []


def test_what_the_readme_says_of_conclusions_and_judges_is_what_notebook_06_finds():
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf8").split())
    found = json.loads((ROOT / "outputs" / "06-what-is-established.json").read_text("utf8"))
    said = " ".join(found["findings"])
    total, stand, in_part = map(
        int,
        re.search(r"(\d+) main conclusions.*? (\d+) stands?, (\d+) stand in part", said).groups(),
    )
    assert "few of the main conclusions stand as they are" in readme
    rest = total - stand - in_part
    assert stand <= total / 4
    assert in_part > stand
    assert rest >= in_part
    leads = "comparisons, on {} sets of texts, a ready-made judge clearly leads"
    assert f"In one of five {leads.format('three')}" in readme
    assert f"In 1 of 5 {leads.format(3)}" in said
    ahead, others = re.search(
        r"ahead in (.*?)\. The data do not tell which is ahead in (.*?)\. Widened", said
    ).groups()
    assert "HANNA" in ahead and "no longer clear" in said and "not if one allows" in readme
    assert len({row[:8] for row in others.split("; ")}) == 3 and "in the others" in readme


def test_every_interval_that_the_readme_names_stands_in_a_committed_finding():
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf8").split())
    found = [path.read_text("utf8") for path in (ROOT / "outputs").glob("0*.json")]
    intervals = re.findall(r"-?[\d.]+ \[-?[\d.]+, -?[\d.]+\]", readme)
    assert len(intervals) >= 6
    for interval in intervals:
        assert any(interval in text for text in found), f"{interval} is no committed finding"


def test_continuous_integration_runs_the_tests_and_does_not_swallow_failures():
    text = (ROOT / ".ci" / "run").read_text(encoding="utf8")
    assert "make test" in text and "set -e" in text and "|| true" not in text
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert {"reproduce", "test", "setup", "fetch", "lab", "report", "class", "archive"} <= TARGETS


def test_the_workflow_plans_one_job_per_notebook_the_longest_first_the_ledger_last():
    command = [sys.executable, "-m", "snakemake", "--cores=1", "--dry-run", "--forceall"]
    command += ["--nolock", "--rerun-incomplete", "all"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    planned = dict(re.findall(r"^(notebook|audit)\s+(\d+)$", said, re.MULTILINE))
    studies = list((ROOT / "notebooks").glob("[0S][0-57-9]*.ipynb"))
    assert planned == {"notebook": str(len(studies)), "audit": "1"}, said[-2000:]
    priority = {}
    for job in said.split("rule notebook:")[1:]:
        name = re.search(r"output: \S+/([0S]\d\w*)-", job).group(1)
        first = re.search(r"priority: (\d+)", job.partition("\n\n")[0])
        priority[name] = int(first.group(1)) if first else 0
    assert priority["05"] > priority["01"] > 2 and min(priority.values()) == priority["00"]


@pytest.mark.parametrize(
    ("status", "failures", "code"), [(0, 0, 0), (1, 0, 1), (0, 1, 1)], ids=["ok", "snake", "run"]
)
def test_a_failure_is_the_exit_status_and_publishes_nothing(monkeypatch, status, failures, code):
    published = []
    monkeypatch.setattr(workflow, "forget_overwritten", lambda: None)
    monkeypatch.setattr(workflow, "run_all", lambda cores: status)
    monkeypatch.setattr(workflow, "summary", lambda folder, since: ([], failures))
    monkeypatch.setattr(workflow, "publish", lambda: published.append(1))
    assert workflow.main(["reproduce"]) == code and len(published) == 1 - code


@pytest.fixture
def make(tmp_path):
    """Return make(*arguments, **environment): (exit status, the arguments of each command) of the
    Makefile in a folder where .venv/bin/python writes down what it is called with."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    log = tmp_path / "calls"
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\nprintf '%s\\0' \"$@\" '' >> '{log}'\n")
    python.chmod(0o755)
    for name in ("requirements.lock", "pyproject.toml", ".venv/ready"):
        (tmp_path / name).touch()

    def call(*arguments, **environment):
        log.unlink(missing_ok=True)
        env = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}
        done = subprocess.run(
            ["make", *arguments],
            cwd=tmp_path,
            env=env | environment,
            capture_output=True,
            check=False,
        )
        calls = log.read_text(encoding="utf8").split("\0\0")[:-1] if log.exists() else []
        return done.returncode, [one.split("\0") for one in calls]

    return call


def test_make_hands_on_what_is_given_and_else_what_is_usual(make, tmp_path):
    for target in ("reproduce", "quick"):
        assert make(target, "CORES=3")[1][-1][-1] == "--cores=3"
        assert make(target)[1][-1][-1] == "--cores=2"
    (tmp_path / "notebooks").mkdir()
    for name in ("02-a.ipynb", "02x-c.ipynb"):
        (tmp_path / "notebooks" / name).touch()
    refreshed = ["-m", "helpers.workshop.run", "refresh", "notebooks/02-a.ipynb"]
    assert make("notebook", "NB=02") == (0, [refreshed])
    assert make("notebook") == (2, [])
    assert make("test", CI="") == (0, [["tests/all.py", "--cores=2"]])
    (tmp_path / "requirements-report.lock").touch()
    install, tests = make("test", CI="1")[1]
    assert install[-1] == "requirements-report.lock" and tests == ["tests/all.py", "--cores=2"]


@pytest.mark.ci
@pytest.mark.parametrize(
    "module", ["helpers.workshop.sweep", "tools.record_judge", "tools.training", "tools.classroom"]
)
def test_what_takes_options_is_a_command_with_help(module):
    command = [sys.executable, "-m", module, "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert f"usage: python -m {module} " in done.stdout
    assert f"{module}" in MAKEFILE + (ROOT / "teaching" / "README.md").read_text(encoding="utf8")


def test_the_archive_is_the_same_bytes_whoever_makes_it(tmp_path):
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", tmp_path], check=True)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    found = []
    for zone, umask in (("UTC", 0o022), ("Asia/Tokyo", 0o077)):
        command = ["make", "-o", ".venv/ready", "archive"]
        env = os.environ | {"TZ": zone}
        subprocess.run(command, cwd=tmp_path, env=env, umask=umask, check=True, capture_output=True)
        found.append({path.name: path.read_bytes() for path in tmp_path.glob("dist/*-*")})
        shutil.rmtree(tmp_path / "dist")
    assert found[0] == found[1]
    version = PROJECT["version"]
    names = {f"judging-creativity-{version}.zip", f"goodjudge-{version}-py3-none-any.whl"}
    assert set(found[0]) == names


def test_bare_make_lists_every_target_and_runs_none(make, tmp_path):
    assert make() == make("help") == (0, [])
    done = subprocess.run(["make"], cwd=tmp_path, capture_output=True, text=True, check=True)
    listed = dict(re.findall(r"^make ([\w-]+) +(\S.*)$", done.stdout, re.MULTILINE))
    assert set(listed) == TARGETS and "every notebook" in listed["reproduce"]


@pytest.mark.parametrize(
    ("changed", "held_by", "left"),
    [
        ("helpers/agreement.py", "test_agreement", "test_own"),
        ("helpers/workshop/sweep.py", "test_sweep", "test_agreement"),
        ("teaching/deck.md", "test_teaching", "test_agreement"),
        ("Makefile", "test_workflow", "test_agreement"),
        ("data/papers/evolvr/printed.csv", "test_published", "test_agreement"),
        ("notebooks/02-llm-judge-baseline.ipynb", "test_notebooks", "test_agreement"),
        ("tests/test_words.py", "test_words", "test_agreement"),
    ],
)
def test_the_quick_check_takes_the_tests_near_a_change_and_no_others(changed, held_by, left):
    near = {path.stem for path in quick.near_tests([ROOT / changed])[0]}
    assert set(held_by.split()) <= near and left not in near
