"""Promises of the package: what it imports, and that its examples run."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import goodjudge.data
import pytest

MODULES = ["goodjudge.errors"] + [
    module.name for module in pkgutil.walk_packages(goodjudge.data.__path__, "goodjudge.data.")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    extra = {"pd": importlib.import_module("pandas")}
    assert doctest.testmod(module, extraglobs=extra).failed == 0


def test_nothing_of_the_repository_is_imported():
    folder = Path(goodjudge.data.__file__).parent
    for file in folder.rglob("*.py"):
        text = file.read_text(encoding="utf8")
        assert "import helpers" not in text and "from helpers" not in text, file


def test_reading_needs_neither_jupyter_nor_a_plot():
    code = (
        "import sys, goodjudge.data.reading;"
        "print([m for m in ('IPython', 'matplotlib', 'papermill', 'seaborn', 'sklearn') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
