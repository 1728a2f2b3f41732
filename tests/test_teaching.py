"""Every exercise accepts its solution, names known mistakes, and tells nonsense from an empty answer."""

import nbformat
import pytest
from nbclient import NotebookClient

from helpers import runs, teach
from helpers.data import ROOT

NOTEBOOKS = {path.stem[:2]: path for path in sorted((ROOT / "notebooks").glob("0[1-6]-*.ipynb"))}


def test_every_study_has_exercises_with_solutions():
    for number, path in NOTEBOOKS.items():
        source = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        solutions = teach.load_solutions(number)
        assert len(solutions) >= 2, f"{path.name} has fewer than two exercises"
        for k in solutions:
            assert f'teach.check("{number}", {k}, answer_{k}, globals())' in source, f"{path.name}: exercise {k} has no check"


@pytest.mark.parametrize("number", NOTEBOOKS)
def test_solutions_are_right_and_mistakes_are_named(number, tmp_path):
    if number == "06" and not list((ROOT / "outputs" / "executed").glob("ledger-0?.csv")):
        pytest.skip("notebook 06 joins the ledger parts of an earlier `make reproduce`")
    path = NOTEBOOKS[number]
    nb = nbformat.read(path, as_version=4)
    smaller = {name: value for name, value in {"replicates": 50}.items() if name in runs.read_parameters(path)}
    if number != "06":
        smaller["outputs"] = str(tmp_path)
    for place, cell in enumerate(nb.cells):
        if "parameters" in cell.metadata.get("tags", []):
            nb.cells.insert(place + 1, nbformat.v4.new_code_cell("\n".join(f"{k} = {v!r}" for k, v in smaller.items())))
            break
    last = f"from helpers import teach\nprint(teach.try_solutions({number!r}, globals()))"
    nb.cells.append(nbformat.v4.new_code_cell(last))
    NotebookClient(nb, kernel_name="python3", timeout=600, extra_arguments=runs.QUIET,
                   resources={"metadata": {"path": str(path.parent)}}).execute()
    assert nb.cells[-1].outputs[0].text.strip() == "[]"


@pytest.mark.parametrize(("answer", "right", "verdict"), [
    (0.5, 0.5, True), (0.504, 0.5, True), (0.51, 0.5, False), (True, 1, False), ("Evolvr ", "evolvr", True),
    ([2, 1], [1, 2], True), ("0.5", 0.5, False), (7, 7, True)])
def test_what_counts_as_the_same_answer(answer, right, verdict):
    assert teach.same(answer, right) is verdict
