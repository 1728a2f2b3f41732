"""The pinned environment: the lock is hash-locked and has no URL, conda's file and what is
installed agree with it."""

import re
import sys
import tomllib
from importlib import metadata

import pytest
import yaml

from helpers.sources.public import ROOT
from helpers.workshop import reproduce as workflow

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
BLOCK = re.compile(
    r"^(?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>[^\s;\\]+)(?: ; (?P<marker>[^\\\n]+?))?"
    r"(?P<hashes>(?: \\\n    --hash=\S+)*)$",
    re.MULTILINE,
)


def blocks(text):
    return [match.groupdict() for match in BLOCK.finditer(text)]


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def versions(text):
    found = {}
    for block in blocks(text):
        found.setdefault(normal(block["name"]), set()).add(block["version"])
    return found


def direct():
    extras = PROJECT["optional-dependencies"]
    return [
        normal(re.match(r"[\w.-]+", word).group())
        for word in [*PROJECT["dependencies"], *extras["test"], *extras["build"]]
    ]


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-report.lock"])
def test_every_pin_has_hashes_and_no_line_names_an_index(name):
    text = (ROOT / name).read_text(encoding="utf8")
    pins = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    assert len(pins) == len(blocks(text)) > 20
    for block in blocks(text):
        assert block["hashes"].count("--hash=sha256:") >= 1, block["name"]
    assert not re.search(r"https?://|--index|--extra-index|--find-links|file:", text)


def test_the_lock_serves_linux_macos_and_windows():
    markers = {block["name"]: block["marker"] or "" for block in blocks(LOCK)}
    assert any("win32" in marker or "Windows" in marker for marker in markers.values())
    assert any("darwin" in marker or "Darwin" in marker for marker in markers.values())


def test_every_direct_dependency_is_locked():
    assert [name for name in direct() if name not in versions(LOCK)] == []


def test_the_file_for_conda_has_the_locked_versions():
    text = (ROOT / "environment.yml").read_text(encoding="utf8")
    assert text.strip() == workflow.environment().strip(), "run `make environment`"
    listed = next(
        part["pip"] for part in yaml.safe_load(text)["dependencies"] if isinstance(part, dict)
    )
    pins = dict(word.split("==") for word in listed if "==" in word)
    locked = versions(LOCK)
    assert {
        name: version for name, version in pins.items() if version not in locked[normal(name)]
    } == {}
    assert {normal(name) for name in pins} >= set(direct()) - {"setuptools", "uv"}
    assert "-e ." in listed


def test_the_report_adds_to_the_lock_and_does_not_contradict_it():
    report, locked = (
        versions((ROOT / "requirements-report.lock").read_text(encoding="utf8")),
        versions(LOCK),
    )
    assert {
        name: (found, locked[name])
        for name, found in report.items()
        if name in locked and not found <= locked[name]
    } == {}


def test_what_is_installed_is_what_is_locked():
    locked = versions(LOCK)
    assert {
        name: metadata.version(name)
        for name in direct()
        if metadata.version(name) not in locked[name]
    } == {}


def test_this_python_is_one_that_the_project_supports():
    assert sys.version_info >= (3, 11) and PROJECT["requires-python"] == ">=3.11"
