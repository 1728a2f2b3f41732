"""One budget a run: the parts of notebook 04's study, asked of a server that counts what it bills,
never cost more than `max_usd`."""

import ast

import answering_server
import nbformat
import pytest
import slice_kit
from test_notebooks import find, settings_for

from helpers.sources.public import ROOT

PRICE = {"prompt_tokens": 2.5e-6, "completion_tokens": 10e-6}  # USD a token of gpt-4o
STUDY = "ask.repeat_list(poem_set"  # in the last cell that asks about the study


@pytest.fixture(scope="module", autouse=True)
def server():
    """A server in OpenAI's place, named in the environment before a kernel starts."""
    with answering_server.serving() as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", running.url)
        patch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
        yield running


def bill(server):
    """Return the USD that the server's replies so far cost."""
    return sum(usage[kind] * usd for usage in server.used for kind, usd in PRICE.items())


def test_all_parts_of_the_study_together_cost_no_more_than_max_usd(server, execute, tmp_path):
    few = {"subsets": 60, "shuffles": 2, "repeats": 2}
    cap = 0.4
    settings = settings_for(find("04"), tmp_path, max_usd=cap, judge="openai/gpt-4o", **few)
    notebook = slice_kit.keep("04", tmp_path, settings, until=STUDY)  # nothing is asked below
    first = execute(notebook, tmp_path / "run.ipynb", settings)
    assert first["status"] == "failed"
    assert f"max_usd={cap} are left" in first["error"]
    assert cap / 2 < bill(server) <= cap
    # run again, the rest is asked: nothing is paid twice
    before = bill(server)
    second = execute(notebook, tmp_path / "run.ipynb", settings | {"max_usd": 2 * cap})
    assert second["status"] == "ok", second["error"]
    assert cap < bill(server) <= before + 2 * cap


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
