"""The public names: what they are, that they are light, and that examples in docstrings run."""

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys

import goodjudge as gj
import goodjudge.data
import pytest

MOST_NAMES = 20
NAMES = [name for name in gj.__all__ if not name.startswith("__")]
READING = [one.name for one in pkgutil.walk_packages(gj.data.__path__, "goodjudge.data.")]
FOREIGN = "helpers IPython papermill nbformat seaborn snakemake sklearn statsmodels".split()


def test_at_most_twenty_names_and_each_is_there():
    assert len(NAMES) <= MOST_NAMES
    assert all(getattr(gj, name) is not None for name in NAMES)
    with pytest.raises(AttributeError, match="expected one of"):
        gj.no_such_name  # noqa: B018


def run_examples(tests):
    """Run examples of docstrings; return how many fail."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    return sum(runner.run(test).failed for test in tests)


@pytest.mark.parametrize("name", NAMES)
def test_each_says_what_it_is_with_types_and_an_example_that_runs(name):
    one = getattr(gj, name)
    assert len(inspect.getdoc(one).split()) > 12
    if inspect.isfunction(one):
        hints = [p for p in inspect.signature(one).parameters.values() if p.kind != p.VAR_KEYWORD]
        assert all(hint.annotation is not hint.empty for hint in hints)
        assert inspect.signature(one).return_annotation is not inspect.Signature.empty
    module = vars(sys.modules[one.__module__])
    assert run_examples(doctest.DocTestFinder(recurse=False).find(one, name, globs=module)) == 0


@pytest.mark.parametrize("name", ["goodjudge.errors", *READING])
def test_examples_of_reading_run(name):
    module, extra = importlib.import_module(name), {"pd": importlib.import_module("pandas")}
    assert run_examples(doctest.DocTestFinder().find(module, extraglobs=extra)) == 0


CARD = (
    "import goodjudge as gj; d = gj.read_ratings(gj.find_sample('form.csv'));"
    "gj.make_card(d, gj.read_scores(gj.find_sample('scores.csv'), d)).to_json()"
)
CORE = "card.make data.reading diagnostics.probe drift plan rating_form cli.commands"
CORE = "; ".join(f"import goodjudge.{name}" for name in CORE.split())
# code, modules that it must not import
LIGHT = {
    "the package": ("import goodjudge", ["pandas", "numpy"]),
    "help": ("from goodjudge.cli import main; main(['--help'])", ["pandas", "numpy", "scipy"]),
    "a card": (f"{CORE};{CARD}", [*FOREIGN, "goodjudge.ask"]),
}


@pytest.mark.parametrize("what", LIGHT)
def test_nothing_is_imported_that_is_not_needed(what):
    code, unwanted = LIGHT[what]
    code += f"\nimport sys; print([one for one in {unwanted!r} if one in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
