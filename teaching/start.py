"""Open the notebooks of this folder in JupyterLab: python start.py (Python 3.11 or newer).

The first run makes a folder .venv with the pinned packages: from the folder `packages`, if it is
here, else from the network. The data are read from the folder `data`.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = HERE / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
READY = HERE / ".venv" / "ready"


def install():
    """Make .venv, and install the pinned packages in it, each checked by its hash."""
    if sys.version_info < (3, 11):  # noqa: UP036
        sys.exit(f"error: this is Python {sys.version.split()[0]}; start it with 3.11 or newer")
    subprocess.run([sys.executable, "-m", "venv", HERE / ".venv"], check=True)
    packages = HERE / "packages"
    where = ["--no-index", "--find-links", packages] if packages.is_dir() else []
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *where]
    command += ["--require-hashes", "-r", HERE / "project" / "requirements.lock"]
    if subprocess.run(command, check=False).returncode:
        sys.exit("error: the packages could not be installed; use the slides and the paper form")
    READY.touch()


if __name__ == "__main__":
    if not READY.exists():
        print("installing the packages, once; this takes some minutes", flush=True)
        install()
    os.environ["PYTHONPATH"] = str(HERE / "project")
    os.environ["JUDGING_CREATIVITY_MIRROR"] = str(HERE / "data")
    command = [PYTHON, "-m", *(sys.argv[1:] or ["jupyter", "lab"])]
    sys.exit(subprocess.run(command, cwd=HERE, check=False).returncode)
