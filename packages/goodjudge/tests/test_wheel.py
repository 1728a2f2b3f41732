"""The wheel in an environment that holds nothing but it and what it says it needs: each command of
the core answers there, from the data of the package; asking says what it lacks."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
NEEDED = "jinja2 matplotlib numpy pandas pyyaml scipy setuptools".split()
NOT_NEEDED = "IPython jupyter nbformat papermill seaborn sklearn statsmodels openai helpers pytest"


def call(*command, folder, expected=0):
    """Run a command in a folder; return what it printed. Its exit code must be `expected`."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    command = [str(part) for part in command]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    said = done.stdout + done.stderr
    assert done.returncode == expected, f"{command}\n{said[-6000:]}"
    return said


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return (a folder, the programs of an environment with the wheel); the versions are those of
    this environment, so that nothing is downloaded twice."""
    pytest.importorskip("uv", reason="needs uv, which builds and installs")
    folder = tmp_path_factory.mktemp("alone")
    left_out = shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "tests")
    shutil.copytree(PACKAGE, folder / "source", ignore=left_out)
    pins = folder / "pins.txt"
    known = {one.name.lower(): one.version for one in importlib.metadata.distributions()}
    pins.write_text("".join(f"{name}=={known[name]}\n" for name in NEEDED))
    uv = [sys.executable, "-m", "uv"]
    build = [*uv, "build", "--quiet", "--wheel", "--build-constraint", pins, "--out-dir", folder]
    call(*build, folder / "source", folder=folder)
    shutil.rmtree(folder / "source")  # the wheel's, not the source's
    call(*uv, "venv", "--quiet", folder / "venv", "--python", sys.executable, folder=folder)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    install = [*uv, "pip", "install", "--quiet", "--python", programs / "python"]
    call(*install, "--constraint", pins, next(folder.glob("goodjudge-*.whl")), folder=folder)
    return folder, programs


@pytest.mark.slow
def test_the_wheel_alone_answers_the_demo_and_imports_nothing_more(alone):
    folder, programs = alone
    code = (
        "import sys; from goodjudge.cli import main; print(main(['demo', '--out', 'demo'])); "
        f"print([name for name in {NOT_NEEDED.split()} if name in sys.modules])"
    )
    printed = call(programs / "python", "-c", code, folder=folder)
    assert "yes        Is it better than what you could have without reading?" in printed
    assert "knows who wrote" in printed and printed.split()[-2:] == ["0", "[]"]
    assert (folder / "demo" / "card.html").stat().st_size < 400_000


@pytest.mark.slow
def test_each_command_of_the_core_runs_in_the_wheel_alone(alone):
    folder, programs = alone
    find = "import goodjudge; print(goodjudge.find_sample('pairs.csv').parent)"
    samples = Path(call(programs / "python", "-c", find, folder=folder).strip())
    assert folder in samples.parents, "the data of the package are in the wheel"
    for name in ("ratings", "scores", "pairs"):
        shutil.copy(samples / f"{name}.csv", folder)
    (folder / "t.csv").write_text("id,text\na,Rain.\nb,Sun.\n")
    runs = ["--before", "scores.csv", "--now", "scores.csv", "--judge", "reads well"]
    goodjudge = programs / "goodjudge"
    call(goodjudge, "card", "pairs.csv", "--json", folder=folder)
    call(goodjudge, "drift", "ratings.csv", *runs, folder=folder, expected=2)  # too few to be sure
    call(goodjudge, "plan", "--items", "60", "--raters", "3", folder=folder, expected=1)
    call(goodjudge, "form", "write", "t.csv", folder=folder)
    ask = [goodjudge, "ask", "t.csv", "--judge", "openai/gpt-4o", "--max-usd", "1"]
    assert "goodjudge[live]" in call(*ask, folder=folder, expected=3)
