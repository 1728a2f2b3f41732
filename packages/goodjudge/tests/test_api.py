"""The public names: what they are, that they are light, and that their examples run."""

import doctest
import inspect
import subprocess
import sys
import time

import goodjudge as gj
import pytest

MOST_NAMES = 20
FOREIGN = (
    "helpers",
    "IPython",
    "papermill",
    "nbformat",
    "seaborn",
    "snakemake",
    "sklearn",
    "statsmodels",
)


def test_at_most_twenty_names_and_each_is_there():
    names = [name for name in gj.__all__ if not name.startswith("__")]
    assert len(names) <= MOST_NAMES
    for name in names:
        assert getattr(gj, name) is not None
    with pytest.raises(AttributeError, match="expected one of"):
        gj.no_such_name  # noqa: B018


@pytest.mark.parametrize("name", [name for name in gj.__all__ if not name.startswith("__")])
def test_each_says_what_it_is_with_types_and_an_example_that_runs(name):
    one = getattr(gj, name)
    assert len(inspect.getdoc(one).split()) > 12
    if inspect.isfunction(one):
        hints = [p for p in inspect.signature(one).parameters.values() if p.kind != p.VAR_KEYWORD]
        assert all(hint.annotation is not hint.empty for hint in hints)
        assert inspect.signature(one).return_annotation is not inspect.Signature.empty
    finder = doctest.DocTestFinder(recurse=False)
    for test in finder.find(one, name, globs={}):
        test.globs.update(vars(sys.modules[one.__module__]))
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        assert runner.run(test).failed == 0


def test_importing_is_fast_and_light():
    code = (
        "import sys, time; t = time.perf_counter(); import goodjudge; s = time.perf_counter() - t;"
        "print(s, 'pandas' in sys.modules)"
    )
    seconds, has_pandas = run(code).split()
    assert float(seconds) < 1 and has_pandas == "False"


def test_a_card_imports_nothing_foreign():
    code = (
        "import sys, goodjudge as gj; d = gj.read_ratings(gj.find_sample('form.csv'));"
        "gj.make_card(d, gj.read_scores(gj.find_sample('scores.csv'), d)).to_json();"
        f"print([one for one in {FOREIGN!r} if one in sys.modules])"
    )
    assert run(code).strip() == "[]"


def run(code):
    """Return what a fresh Python prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_clock_is_not_in_a_card():
    """A date can be given; without one it is today's."""
    data = gj.read_ratings(gj.find_sample("pairs.csv"))
    assert gj.make_card(data).date == time.strftime("%Y-%m-%d")
