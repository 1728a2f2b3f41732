"""Check a reader's answer to an exercise and say what is wrong with it; the solutions are in teaching/solutions/."""

import importlib.util
import math
from numbers import Number

from helpers.results import say
from helpers.sources.public import ROOT

SOLUTIONS = ROOT / "teaching" / "solutions"


def load_solutions(notebook):
    """Return {number: function} of teaching/solutions/<notebook>.py; each function takes a namespace, returns (right, mistakes).

    `right` is the answer; `mistakes` is a list of (wrong answer, what it means).
    """
    spec = importlib.util.spec_from_file_location(f"solutions_{notebook}", SOLUTIONS / f"{notebook}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {int(name.split("_")[1]): getattr(module, name) for name in dir(module) if name.startswith("exercise_")}


def same(answer, right, tolerance=5e-3):
    """Return whether an answer is right: numbers to `tolerance`, text without case and outer spaces, sequences in any order."""
    if isinstance(right, bool) or isinstance(answer, bool):
        return answer is right
    if isinstance(right, Number):
        return isinstance(answer, Number) and math.isclose(answer, right, rel_tol=1e-6, abs_tol=tolerance)
    if isinstance(right, str):
        return isinstance(answer, str) and answer.strip().casefold() == right.strip().casefold()
    return isinstance(answer, (list, tuple, set)) and sorted(map(str, answer)) == sorted(map(str, right))


def judge(notebook, number, answer, namespace):
    """Return (verdict, message): verdict None (not tried), True or False; the message says what is wrong."""
    right, mistakes = load_solutions(notebook)[number](namespace)
    if answer is None:
        return None, f"**Exercise {number}**: not tried yet. Put your answer in `answer_{number}` and run this cell again."
    if same(answer, right):
        return True, f"**Exercise {number}**: right."
    for wrong, meaning in mistakes:
        if same(answer, wrong):
            return False, f"**Exercise {number}**: not yet. {meaning}"
    kinds = {bool: "True or False", int: "a whole number", float: "a number", str: "a name"}
    kind = kinds.get(type(right), "a list of names or numbers")
    if isinstance(right, Number) and not isinstance(right, bool) and isinstance(answer, Number):
        return False, f"**Exercise {number}**: not yet. Your answer is too {'large' if answer > right else 'small'}."
    return False, f"**Exercise {number}**: not yet. The answer is {kind}; you gave {answer!r}."


def check(notebook, number, answer, namespace):
    """Show whether the answer to an exercise is right, and if not, what is wrong (`namespace`: pass `globals()`)."""
    say(judge(notebook, number, answer, namespace)[1])


def try_solutions(notebook, namespace):
    """Return problems found when every solution and every known mistake is given as an answer (used by the tests)."""
    problems = []
    for number, function in load_solutions(notebook).items():
        right, mistakes = function(namespace)
        if judge(notebook, number, right, namespace)[0] is not True:
            problems.append(f"exercise {number}: its own solution is not accepted")
        problems += [f"exercise {number}: the mistake {wrong!r} counts as right" for wrong, _ in mistakes if same(wrong, right)]
        if [judge(notebook, number, given, namespace)[0] for given in ("no such answer", None)] != [False, None]:
            problems.append(f"exercise {number}: nonsense or an empty answer is not told apart")
    return problems
