"""Every exercise has a solution and a check (`make test` tries right, wrong and missing answers in the disguised run)."""

import nbformat
import pytest

from helpers import results
from helpers.sources.public import ROOT
from helpers.workshop import run

NOTEBOOKS = {run.number(path): path for path in sorted((ROOT / "notebooks").glob("0[1-6]*.ipynb"))}


def test_every_study_has_exercises_with_solutions():
    for number, path in NOTEBOOKS.items():
        if number.endswith("b") and not (results.SOLUTIONS / f"{number}.py").is_file():
            continue  # a further study may have none
        source = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        solutions = results.load_solutions(number)
        assert len(solutions) >= 2, f"{path.name} has fewer than two exercises"
        for k in solutions:
            alone = f'results.check("{number}", {k}, answer_{k}, globals())' in source
            looped = f'results.check("{number}", number, answer, globals())' in source and f"answer_{k}" in source
            assert alone or looped, f"{path.name}: exercise {k} has no check"


@pytest.mark.parametrize(("answer", "right", "verdict"), [
    (0.5, 0.5, True), (0.504, 0.5, True), (0.51, 0.5, False), (True, 1, False), ("Evolvr ", "evolvr", True),
    ([2, 1], [1, 2], True), ("0.5", 0.5, False), (7, 7, True)])
def test_what_counts_as_the_same_answer(answer, right, verdict):
    assert results.same(answer, right) is verdict
