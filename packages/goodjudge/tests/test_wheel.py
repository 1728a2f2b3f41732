"""The wheel in an environment that holds nothing but it and what it says it needs."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
NEEDED = "jinja2 matplotlib numpy pandas pytest pytest-xdist pyyaml scipy setuptools"
NOT_NEEDED = (
    "IPython jupyter jupyter_client nbformat papermill seaborn snakemake sklearn helpers pytest"
)


def call(*command, folder, env, expected=0):
    """Run a command in a folder; return what it printed. Its exit code must be `expected`."""
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, env=env, capture_output=True, text=True
    )
    assert done.returncode == expected, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return (a folder, the Python of an environment with the wheel, the variables for it); the
    versions are those of this environment, so that nothing is downloaded twice."""
    pytest.importorskip("uv", reason="needs uv, which builds and installs")
    folder = tmp_path_factory.mktemp("alone")
    hidden = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    source = folder / "source"
    left_out = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    shutil.copytree(PACKAGE, source, ignore=left_out)
    pins = folder / "pins.txt"
    known = {one.name: one.version for one in importlib.metadata.distributions()}
    pins.write_text(
        "".join(f"{name}=={version}\n" for name, version in known.items() if name in NEEDED.split())
    )
    uv = [sys.executable, "-m", "uv"]
    constrained = ["--constraint", pins]
    build = [*uv, "build", "--quiet", "--wheel", "--build-constraint", pins, "--out-dir", folder]
    call(*build, source, folder=folder, env=env)
    wheel = next(folder.glob("goodjudge-*.whl"))
    call(
        *uv, "venv", "--quiet", folder / "venv", "--python", sys.executable, folder=folder, env=env
    )
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    install = [*uv, "pip", "install", "--quiet", "--python", programs / "python", *constrained]
    call(*install, wheel, "pytest", "pytest-xdist", folder=folder, env=env)
    return folder, programs / "python", env


@pytest.mark.slow
def test_the_wheel_alone_answers_the_demo(alone):
    folder, python, env = alone
    command = python.with_name("goodjudge")
    printed = call(command, "demo", "--out", folder / "demo", folder=folder, env=env)
    assert "yes        Is it better than what you could have without reading?" in printed
    assert (folder / "demo" / "card.html").stat().st_size < 400_000
    assert "knows who wrote" in printed


@pytest.mark.slow
def test_a_card_imports_nothing_that_it_does_not_need(alone):
    folder, python, env = alone
    code = (
        "import sys; from goodjudge.cli import main; print(main(['demo', '--out', 'demo'])); "
        f"print([name for name in {NOT_NEEDED.split()} if name in sys.modules])"
    )
    printed = call(python, "-c", code, folder=folder, env=env)
    assert printed.split()[-2:] == ["0", "[]"]


@pytest.mark.slow
def test_the_package_s_tests_pass_with_the_core_alone(alone):
    folder, python, env = alone
    tests = folder / "source" / "tests"
    shutil.rmtree(folder / "source" / "src")  # the wheel's, not the source's
    run = [python, "-m", "pytest", "-q", "-n", "2", "-m", "not slow", "-p", "no:cacheprovider"]
    printed = call(*run, tests, folder=folder / "source", env=env)
    assert " passed" in printed
