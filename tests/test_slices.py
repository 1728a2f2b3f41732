"""Parts of notebooks that tests run: what is given reaches a cell, or the cell is left out."""

import pytest
import slice_kit
from nbformat.v4 import new_code_cell
from test_notebooks import code, find, read


def kept(*sources, given=("judge",), calls=()):
    """Return which cells are kept, by their numbers; the first has the parameters."""
    cells = [new_code_cell(source) for source in ("import numpy\njudge = 1", *sources)]
    cells[0].metadata["tags"] = ["parameters"]
    found = slice_kit.find_kept(cells, set(given), calls)
    return [number for number, cell in enumerate(cells) if number and cell.source in found]


@pytest.mark.parametrize(
    "way",
    [
        "b = judge",
        "b = 0\nif judge:\n    b = 1",
        "b = {}\nb['x'] = judge",
        "b = []\nb.append(judge)",
        "b = 0\nb += judge",
        "b = numpy.zeros(2)\nb.flat[0] = judge",
        "def b():\n    return judge",
        "b = [judge for _ in range(2)]",
        "b, c = judge, 2",
        "b = sorted([1], key=lambda x: judge)",
    ],
)
def test_what_is_made_of_the_given_is_followed(way):
    assert kept("a = 1", way, "a", "print(b)") == [2, 4]


def test_a_function_that_reads_later_what_is_given_is_followed():
    assert kept("def f():\n    return b", "b = judge", "f()", "1") == [1, 2, 3]


def test_what_a_kept_cell_reads_is_kept_with_all_that_changed_it():
    sources = ["a = {}", "c = {}", "a['x'] = 1", "c['x'] = 1", "for x in a:\n    a[x] = 2"]
    assert kept(*sources, "print(a, judge)") == [1, 3, 5, 6]


def test_a_name_made_anew_is_another_and_one_made_perhaps_is_the_same():
    assert kept("b = judge", "b = 1", "print(b)") == [1]
    assert kept("b = judge", "if c:\n    b = 1", "print(b)") == [1, 2, 3]
    assert kept("b = 1", "if judge:\n    b = 2", "print(b, judge)") == [1, 2, 3]


def test_each_draw_changes_a_generator():
    sources = ["rng = numpy.random.default_rng(1)", "a = draw(rng)", "print(draw(rng), judge)"]
    assert kept(*sources) == [1, 2, 3]


def test_a_call_of_a_package_changes_nothing():
    assert kept("numpy.seterr(judge)", "numpy.seterr(1)", "print(judge)") == [1, 3]


def test_without_what_is_given_the_wanted_calls_alone_and_what_they_need_are_kept():
    assert kept("a = judge", "b = 1", "save(b)", "print(a)", given=(), calls=["save("]) == [2, 3]


def test_exercises_read_what_their_solutions_read():
    check = 'from helpers import results\nresults.check("02", 1, None, globals())'
    assert kept("truth = judge", check) == [1, 2]
    assert kept("other = judge", check) == [1]


def test_a_part_has_the_cells_that_it_is_about(tmp_path):
    path = slice_kit.keep("02", tmp_path, calls=["ledger.save("])
    sources = [cell.source for cell in code(read(path))]
    assert 3 < len(sources) < len(code(read(find("02")))) / 2
    assert any("ledger.save(" in source for source in sources)
    with pytest.raises(AssertionError):
        slice_kit.keep("02", tmp_path, calls=["no_such_call("])


def test_whom_a_judge_of_ones_own_reaches_is_known():
    assert slice_kit.reaches("02", {"judge"}, "findings = ")
    assert not slice_kit.reaches("05", {"judge", "limit"}, "findings = ")


def test_findings_of_05_that_read_its_judge_would_be_noticed():
    cells = code(read(find("05")))
    (saves,) = [cell for cell in cells if "findings = " in cell.source]
    for line in ("found = of_judge\n", "found = judge\n"):
        changed = new_code_cell(line + saves.source)
        changed_cells = [changed if cell is saves else cell for cell in cells]
        assert saves.source not in slice_kit.find_kept(cells, {"judge"})
        assert changed.source in slice_kit.find_kept(changed_cells, {"judge"})
