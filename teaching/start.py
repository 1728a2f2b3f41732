"""Open the notebooks of this folder in JupyterLab: python start.py (Python 3.11 or newer).

The first run makes a folder .venv with the pinned packages: from the folder `packages`, if it is
here, else from the network. The data are read from the folder `data`.
"""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = HERE / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
READY = HERE / ".venv" / "ready"


def describe_computer():
    """Return which packages this computer needs: the version of Python, system and processor."""
    version = "{}.{}".format(*sys.version_info)
    return {"Python": version, "system": platform.system(), "processor": platform.machine()}


def check_version():
    """End with a sentence, before anything is made, where this Python cannot run the notebooks."""
    if sys.version_info < (3, 11):  # noqa: UP036
        sys.exit(f"error: this is Python {sys.version.split()[0]}; start it with 3.11 or newer")
    made_for = HERE / "packages" / "made-for.json"
    if not made_for.is_file():
        return
    needed, here = json.loads(made_for.read_text(encoding="utf8")), describe_computer()
    if needed != here:
        packages, computer = (" on ".join(what.values()) for what in (needed, here))
        sys.exit(
            f"error: the folder packages is for Python {packages}; this is Python {computer}. Start"
            " with that version, move the folder away if there is a network, or use the slides and"
            " the paper form"
        )


def install():
    """Make .venv, and install the pinned packages in it, each checked by its hash."""
    subprocess.run([sys.executable, "-m", "venv", HERE / ".venv"], check=True)
    has_packages = (HERE / "packages" / "made-for.json").is_file()  # all of them
    where = ["--no-index", "--find-links", HERE / "packages"] if has_packages else []
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *where]
    # the lock names all that is needed; with hashes, pip before 23.3 fails where it looks for more
    command += ["--no-deps", "--require-hashes", "-r", HERE / "project" / "requirements.lock"]
    if subprocess.run(command, check=False).returncode:
        needs = "" if has_packages else ", which needs a network or the folder packages"
        sys.exit(
            f"error: the packages could not be installed{needs}; the reason stands above. Until"
            " then use the slides and the paper form"
        )
    READY.touch()


if __name__ == "__main__":
    if not READY.exists():
        check_version()
        print("installing the packages, once; this takes some minutes", flush=True)
        install()
    os.environ["PYTHONPATH"] = str(HERE / "project")
    os.environ["JUDGING_CREATIVITY_MIRROR"] = str(HERE / "data")
    command = [PYTHON, "-m", *(sys.argv[1:] or ["jupyter", "lab"])]
    sys.exit(subprocess.run(command, cwd=HERE, check=False).returncode)
