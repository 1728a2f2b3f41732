"""One budget a run: a notebook makes one of its `max_usd`, whatever parts of a study it asks about.
That what shares a budget never costs more is tested with `goodjudge.ask` (`test_money`)."""

import ast

import nbformat
import pytest

from helpers.sources.public import ROOT


def loads(tree, name):
    """Return how often a name is read in a module's tree."""
    return sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in ast.walk(tree)
    )


NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb"))
BUDGETS = {"judges.Options", "judges.Budget", "ask.options"}  # what makes a budget of an amount


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_makes_one_budget_of_its_max_usd(path):
    cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    code = [cell.source for cell in cells if "parameters" not in cell.metadata.get("tags", [])]
    given = [cell.source for cell in cells if "parameters" in cell.metadata.get("tags", [])]
    trees = [ast.parse(source) for source in code]
    uses = sum(loads(tree, "max_usd") for tree in trees)
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    makers = [node for node in calls if ast.unparse(node.func) in BUDGETS]
    makers = [node for node in makers if loads(node, "max_usd")]
    assert uses == len(makers) == ("max_usd" in "".join(given))
