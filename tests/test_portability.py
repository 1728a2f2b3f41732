"""The same bytes on every machine: orders are total, numbers are rounded where written, and a
difference is found."""

import ast
import os
import subprocess
import sys

import nbformat
import numpy as np
import portability
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.sources.files import round_number
from helpers.sources.public import ROOT


def unstable_sorts(source):
    """Return the lines (from 1) that sort by one key with an algorithm that leaves the order of
    equal rows to the processor."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        name, given = node.func.attr, {word.arg: word.value for word in node.keywords}
        keys = node.args[0] if node.args else given.get("by")
        stable = isinstance(given.get("kind"), ast.Constant) and given["kind"].value == "stable"
        several = isinstance(keys, ast.List) and (
            len(keys.elts) > 1 or any(isinstance(key, ast.Starred) for key in keys.elts)
        )
        if (
            name in ("nlargest", "nsmallest", "argpartition")
            or name in ("sort_values", "argsort")
            and not (stable or several)
        ):
            found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("t.sort_values('a')", [1]),
        ("x\nnp.argsort(a)", [2]),
        ("t.nlargest(3, 'a')", [1]),
        ("t.sort_values(['a', 'b'])", []),
        ("t.sort_values('a', kind='stable')", []),
    ],
)
def test_an_unstable_sort_is_seen(source, lines):
    assert unstable_sorts(source) == lines


def sources():
    """Every piece of code that makes what a reader sees: (name, source)."""
    for path in sorted(
        path
        for folder in ("helpers", "benchmarks", "teaching", "tools")
        for path in (ROOT / folder).rglob("*.py")
    ):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf8")
    for path in sorted([*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "sweeps").glob("*.ipynb")]):
        for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
            if cell.cell_type == "code":
                yield f"{path.name}, cell {number}", cell.source


def test_no_order_that_a_reader_sees_is_left_to_the_processor():
    assert {name: lines for name, source in sources() if (lines := unstable_sorts(source))} == {}


# from the 13th decimal on a number may lie halfway between two: there no rule can hold
@given(st.integers(-(10**10), 10**10), st.integers(-2, 3), st.integers(-4, 4))
def test_numbers_that_differ_in_the_last_digits_are_written_alike(digits, exponent, steps):
    number = digits / 10**10 * 10.0**exponent
    near = number
    for _ in range(abs(steps)):
        near = np.nextafter(near, np.inf if steps > 0 else -np.inf)
    assert (
        round_number(near) == round_number(number)
        and abs(round_number(number) - number) <= 1e-9 * abs(number) + 1e-12
    )


@pytest.mark.parametrize("env", list(portability.disguises().values())[:1])
def test_a_disguise_reaches_numpy(env):
    code = (
        "import numpy as np; print(*np.show_config(mode='dicts')['SIMD Extensions'].get('not"
        " found', []))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | env,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert set(env.get("NPY_DISABLE_CPU_FEATURES", "").split()) <= set(said.split())


def test_a_findings_file_of_other_bytes_is_named(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
        (folder / "ledger.csv").write_text("a\n")
        (folder / "01-x.json").write_text("0.1")
    assert portability.differing(here, there) == []
    (here / "01-x.json").write_text("0.10000000000000002")
    assert portability.differing(here, there) == ["01-x.json differs from the committed one"]
