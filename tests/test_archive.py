"""What a release needs beside the code: an archive of what is committed, citation, containers, pins
that agree."""

import json
import re
import subprocess
import tomllib
import zipfile

import pytest
import yaml

from helpers.sources.public import ROOT


def test_the_archive_holds_what_is_committed_and_is_the_same_twice(tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    recipe = (
        (ROOT / "Makefile")
        .read_text(encoding="utf8")
        .partition("\narchive:")[2]
        .partition("\n\n")[0]
    )
    command = (
        re.search(r"git archive .*", recipe)
        .group()
        .replace("dist/judging-creativity.zip", str(tmp_path / "a.zip"))
    )
    subprocess.run(command, shell=True, cwd=ROOT, check=True)
    with zipfile.ZipFile(tmp_path / "a.zip") as packed:
        names = {
            name.removeprefix("judging-creativity/")
            for name in packed.namelist()
            if not name.endswith("/")
        }
    done = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (
        names == set(done.stdout.split())
        and {"outputs/ledger.csv", "LICENSE", "data/registry.yaml"} <= names
    )
    first = (tmp_path / "a.zip").read_bytes()
    subprocess.run(command, shell=True, cwd=ROOT, check=True)
    assert (tmp_path / "a.zip").read_bytes() == first


def test_citation_file_is_complete():
    cff = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= set(cff) and cff[
        "cff-version"
    ] == "1.2.0"
    assert (cff["version"], cff["license"], cff["title"]) == (
        project["version"],
        project["license"],
        "Judging Creativity",
    )
    assert all(entry["title"] and entry["authors"] and entry["type"] for entry in cff["references"])
    assert (
        len(
            {
                word
                for entry in cff["references"]
                for word in re.findall(r"[a-z]+(?:_v\d)?", entry["notes"])
            }
            & set(path.stem for path in (ROOT / "data" / "published").glob("*.csv"))
        )
        == 5
    )


def test_containers_use_what_is_here():
    container = json.loads(
        (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf8")
    )
    command, target = container["postCreateCommand"].split()
    makefile = (ROOT / "Makefile").read_text(encoding="utf8")
    assert command == "make" and re.search(rf"^{target}:", makefile, re.MULTILINE)
    assert container["image"].rsplit(":", 1)[1] in {"3.11", "3.12", "3.13"}
    binder, lock = (
        (ROOT / name).read_text(encoding="utf8")
        for name in ("environment.yml", "requirements.lock")
    )
    pins = set(re.findall(r"- ([A-Za-z][\w.-]*==\S+)", binder))
    assert pins and pins <= set(re.findall(r"^([A-Za-z][\w.-]*==[^\s;]+)", lock, re.MULTILINE))
    assert not any((ROOT / name).exists() for name in (".binder", "binder")), (
        "Binder would then not read environment.yml"
    )


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
    assert {name: extra[name] for name in set(main) & set(extra)} == {
        name: main[name] for name in set(main) & set(extra)
    }
