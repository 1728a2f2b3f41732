"""The pinned environment: locks with hashes and no URL, other files that agree."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata

import pytest
import yaml

from helpers.sources.public import ROOT
from tools.environment import environment


def read(name):
    return (ROOT / name).read_text(encoding="utf8")


PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9][\w.-]*)==(?P<version>[^\s;\\]+)(?: ; (?P<marker>[^\\\n]+?))?"
    r"(?P<hashes>(?: \\\n    --hash=\S+)*)$",
    re.MULTILINE,
)


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def versions(name):
    """Return {package: its versions} of a lock file."""
    found = {}
    for pin in PIN.finditer(read(name)):
        found.setdefault(normal(pin["name"]), set()).add(pin["version"])
    return found


LOCKED = versions("requirements.lock")
WANTED = [PROJECT["dependencies"], *map(PROJECT["optional-dependencies"].get, ("test", "build"))]
DIRECT = [normal(re.match(r"[\w.-]+", word).group()) for words in WANTED for word in words]


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("requirements.lock", 20),
        ("requirements-report.lock", 20),
        ("requirements-local.lock", 2),
        ("requirements-train.lock", 20),
    ],
)
def test_every_pin_has_hashes_agrees_with_the_lock_and_names_no_index(name, least):
    text = read(name)
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    pins = list(PIN.finditer(text))
    assert len(lines) == len(pins) >= least and all(
        "--hash=sha256:" in pin["hashes"] for pin in pins
    )
    assert not re.search(r"https?://|--index|--extra-index|--find-links|file:", text)
    for package, found in versions(name).items():
        assert found <= LOCKED.get(package, found), package


def test_the_lock_serves_all_systems_and_has_every_direct_dependency_as_installed():
    markers = " ".join(pin["marker"] or "" for pin in PIN.finditer(read("requirements.lock")))
    assert "win32" in markers and "darwin" in markers.lower()
    for name in DIRECT:
        assert metadata.version(name) in LOCKED[name], name
    assert {"sphinx", "myst-nb", "furo"} <= set(versions("requirements-report.lock"))
    assert sys.version_info >= (3, 11) and PROJECT["requires-python"] == ">=3.11"


def test_the_file_for_conda_has_the_locked_versions():
    text = read("environment.yml")
    assert text.strip() == environment().strip(), "run `make environment`"
    *_, listed = yaml.safe_load(text)["dependencies"]
    pins = dict(word.split("==") for word in listed["pip"] if "==" in word)
    assert all(version in LOCKED[normal(name)] for name, version in pins.items())
    assert {normal(name) for name in pins} >= set(DIRECT) - {"setuptools", "uv"}
    assert "-e ." in listed["pip"] and not any(
        (ROOT / name).exists() for name in (".binder", "binder")
    )


def test_outside_the_environment_a_command_ends_in_one_sentence():
    """-I -S: a Python that has none of the packages."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import helpers.workshop.run"
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.startswith("error: this Python") and "make setup" in done.stderr


def test_installed_without_its_data_it_says_that_it_runs_from_a_clone(tmp_path):
    """As `pip install .` leaves it, whichever module is imported."""
    shutil.copytree(ROOT / "helpers", tmp_path / "helpers")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import helpers.results"
    command = [sys.executable, "-I", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: helpers runs from a clone of the project"), done.stderr
    assert "pip install -e ." in last
