"""The release archive: complete, checkable, free of private files, and the same bytes each time; citation and containers."""
import hashlib
import json
import os
import re
import subprocess
import tomllib
import zipfile

import nbformat
import pytest
import yaml

from helpers.sources.public import ROOT
from helpers.workshop import archive, report


def notebook(text, executed=True, **metadata):
    """Return a small notebook; `metadata` is what a run leaves behind."""
    cell = nbformat.v4.new_code_cell("1 + 1", metadata=dict(metadata, tags=["kept"]))
    if executed:
        cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "2"}, execution_count=1)]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text), cell], metadata=metadata)


@pytest.fixture
def small(tmp_path):
    """A compendium of one notebook, with files beside it that no archive may hold."""
    files = {"README.md": "read me", "LICENSE": "MIT", "helpers/a.py": "A = 1\n", "data/README.md": "cards",
             "data/published/p.csv": "paper\n", "outputs/executed/ledger.csv": "paper,table\n", ".env": "KEY=1",
             "helpers/__pycache__/a.pyc": "x", "data/answers.sqlite": "x", "outputs/transcripts.sqlite": "x",
             "outputs/01-one.json": "{}"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "notebooks").mkdir()
    nbformat.write(notebook("# 01 · One", papermill={"duration": 1.5}), tmp_path / "notebooks" / "01-one.ipynb")
    return tmp_path


def test_holds_what_a_reader_needs_and_nothing_private(small):
    packed = archive.contents(small)
    assert set(packed) == {"README.md", "LICENSE", "helpers/a.py", "data/README.md", "data/published/p.csv", "DATA-LICENCES.txt",
                           "SHA256SUMS", "notebooks/01-one.ipynb", "outputs/01-one.json", "outputs/ledger.csv"}
    for line in packed["SHA256SUMS"].decode().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256(packed[name]).hexdigest() == digest
    for name, entry in archive.data.registry().items():
        assert name in (text := packed["DATA-LICENCES.txt"].decode()) and entry["commit"] in text and entry["licence"] in text


def test_same_bytes_whenever_wherever_and_by_whomever_it_is_built(small, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    first = archive.pack(archive.contents(small), other / "a" / "x.zip", "x-1")
    for path in small.rglob("*.*"):
        os.utime(path, (1, 1))
        path.chmod(0o700 if path.is_dir() else 0o600)
    nbformat.write(notebook("# 01 · One", papermill={"duration": 99.0}), small / "notebooks" / "01-one.ipynb")  # run again
    assert archive.pack(archive.contents(small), other / "b" / "x.zip", "x-1") == first
    with zipfile.ZipFile(other / "a" / "x.zip") as packed:
        assert packed.testzip() is None
        assert packed.namelist() == sorted(packed.namelist()) and all(name.startswith("x-1/") for name in packed.namelist())
        kept = nbformat.reads(packed.read("x-1/notebooks/01-one.ipynb").decode(), as_version=4)
    assert kept.cells[1].outputs[0]["data"]["text/plain"] == "2" and kept.cells[1].metadata == {"tags": ["kept"]}
    (small / "README.md").write_text("changed")
    assert archive.pack(archive.contents(small), other / "b" / "x.zip", "x-1") != first


def test_says_what_is_missing(small):
    nbformat.write(notebook("# 01 · One", executed=False), small / "notebooks" / "01-one.ipynb")
    with pytest.raises(report.ReportError, match=r"01-one\.ipynb: say make reproduce"):
        archive.contents(small)
    nbformat.write(notebook("# 01 · One"), small / "outputs" / "executed" / "01-one.ipynb")
    assert "notebooks/01-one.ipynb" in archive.contents(small)
    (small / "outputs" / "executed" / "ledger.csv").unlink()
    with pytest.raises(report.ReportError, match="ledger.csv"):
        archive.contents(small)


def test_only_tracked_files_of_a_checkout_are_packed(small):
    git = f"git -C {small} -c user.name=t -c user.email=t@example.org"
    assert os.system(f"git -C {small} init -q && {git} add README.md data && {git} commit -qm x") == 0
    packed = archive.contents(small)
    assert "README.md" in packed and "helpers/a.py" not in packed and "notebooks/01-one.ipynb" in packed


def test_every_tracked_file_has_its_place():
    done = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True, check=False)
    tracked = {name for name in done.stdout.split("\0") if (ROOT / name).is_file()}
    if not tracked:
        pytest.skip("not a git checkout")
    left = {name for name in tracked - set(archive.plain_files()) if not name.startswith(("notebooks/", "outputs/", ".ci/"))}
    assert left <= {".gitignore"}, "add the new place to PATTERNS or TYPES of helpers/workshop/archive.py"


def test_citation_file_is_complete():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= set(cff) and cff["cff-version"] == "1.2.0"
    assert (cff["version"], cff["license"], cff["title"]) == (project["version"], project["license"], "Judging Creativity")
    assert all(entry["title"] and entry["authors"] and entry["type"] for entry in cff["references"])
    assert len({word for entry in cff["references"] for word in re.findall(r"[a-z]+(?:_v\d)?", entry["notes"])} & set(
        path.stem for path in (ROOT / "data" / "published").glob("*.csv"))) == 5


def test_containers_use_what_is_here():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf8"))
    command, target = container["postCreateCommand"].split()
    makefile = (ROOT / "Makefile").read_text(encoding="utf8")
    assert command == "make" and re.search(rf"^{target}:", makefile, re.MULTILINE)
    assert container["image"].rsplit(":", 1)[1] in {"3.11", "3.12", "3.13"}
    binder, lock = ((ROOT / name).read_text(encoding="utf8") for name in ("environment.yml", "requirements.lock"))
    pins = set(re.findall(r"- ([A-Za-z][\w.-]*==\S+)", binder))
    assert pins and pins <= set(re.findall(r"^([A-Za-z][\w.-]*==[^\s;]+)", lock, re.MULTILINE))
    assert not any((ROOT / name).exists() for name in (".binder", "binder")), "Binder would then not read environment.yml"


def test_the_reports_pins_agree_with_the_main_ones():
    def pins(name):
        text = (ROOT / name).read_text(encoding="utf8")
        assert "://" not in text and text.count("--hash=sha256:") > 50
        found = {}
        for package, version in re.findall(r"^([a-z][\w.-]*)==([^\s;]+)", text, re.MULTILINE):
            found.setdefault(package, set()).add(version)
        return found
    main, extra = pins("requirements.lock"), pins("requirements-report.lock")
    assert {"sphinx", "myst-nb", "sphinx-book-theme"} <= set(extra)
    assert {name: extra[name] for name in set(main) & set(extra)} == {name: main[name] for name in set(main) & set(extra)}
