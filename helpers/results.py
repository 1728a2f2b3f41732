"""Say computed sentences and show tables in a notebook, save its findings, check the answers to its exercises."""
import importlib.util
import json
import math
from numbers import Integral, Number, Real

from IPython.display import Markdown, display

from helpers.sources.files import replace_file, round_number
from helpers.sources.names import name
from helpers.sources.public import ROOT

SOLUTIONS = ROOT / "teaching" / "solutions"


def say(text, source="open"):
    """Show a sentence (Markdown) whose numbers were just computed; where `source` is not open data, it says so first."""
    display(Markdown(text if source == "open" else f"**Simulated, so no evidence about the paper:** {text}"))


def interval(estimate, low=None, high=None, digits=2):
    """Return 'estimate [low, high]' as text, from three numbers or from a row with these names."""
    if low is None:
        estimate, low, high = (estimate[name] for name in ("estimate", "low", "high"))
    return f"{estimate:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def rank(table, by, *ties, ascending=False):
    """Return `table` sorted by column `by`, largest first; equal rows by the columns `ties` (A to Z), then as they stood.

    Numbers that differ after the tenth decimal only count as equal, so that every processor gives the same order.
    """
    def even(column):
        return column.round(10) if column.dtype.kind == "f" else column

    return table.sort_values([by, *ties], ascending=[ascending] + [True] * len(ties), key=even)


def tidy(table, digits=2):
    """Return a table as text for readers: one row of headers, 'estimate [low, high]' in one column, whole n, readers' names.

    The index comes first under its own names; numbers without a name, which mean nothing, are dropped. Levels of columns are
    joined by " · ". Raises ValueError for an index of words without a name.
    """
    if (None in table.index.names and table.index.inferred_type not in ("integer", "empty")) or "" in table.index.names:
        raise ValueError("the rows' labels have no name to stand above them; name them: table.rename_axis('judge')")
    joined = [" · ".join(str(name(part)) for part in (label if isinstance(label, tuple) else (label,)) if part != "")
              for label in table.columns]
    table = table.set_axis(joined, axis=1)
    table = table.reset_index() if any(table.index.names) else table.reset_index(drop=True)
    if {"estimate", "low", "high"} <= set(table.columns):
        place = table.columns.get_loc("estimate")
        shown = ["" if missing else interval(one, digits=digits) if one["low"] == one["low"] else f"{one['estimate']:.{digits}f}"
                 for missing, (_, one) in zip(table["estimate"].isna(), table.iterrows())]
        table = table.drop(columns=["estimate", "low", "high"])
        table.insert(place, "estimate [95 %]", shown)
    for label, column in table.infer_objects().items():
        if column.dtype.kind == "f":
            whole = (column.dropna() % 1 == 0).all()
            table[label] = ["" if value != value else f"{value:,.0f}" if whole else f"{value:,.{digits}f}" for value in column]
        elif column.dtype.kind not in "biu":
            table[label] = ["" if isinstance(value, float) and value != value else name(value) for value in column]
    return table.rename(columns=lambda label: str(name(label)).replace("_", " "))


def show_table(table, digits=2):
    """Show a table (see `tidy`) without row numbers."""
    shown = tidy(table, digits)
    display({"text/plain": shown.to_string(index=False), "text/html": shown.to_html(index=False, border=0)}, raw=True)


def check_number(name, value):
    """Return `value` as an int or a float of ten digits, None if it is nan or infinite; ValueError for anything else."""
    if isinstance(value, Integral):
        return int(value)
    if not isinstance(value, Real):
        raise ValueError(f"values[{name!r}] is {type(value).__name__}, expected one number; say float(…) or leave it out")
    return round_number(value) if math.isfinite(value) else None


def save_findings(notebook, source, findings, outputs, values=None):
    """Show the findings as a list and write them to `<outputs>/<notebook>.json`; the first is the headline.

    outputs: a folder, absolute or relative to the project.
    notebook: e.g. "01-ttcw-human-agreement"; source: open, published, simulated or a judge's name; values: {name: number}
    for programs (a sweep's table gets one column a name; an undefined number is null). Raises ValueError for other values.
    """
    record = {"notebook": notebook, "source": source, "findings": list(findings)}
    if values is not None:
        record["values"] = {name: check_number(name, value) for name, value in values.items()}
    replace_file(ROOT / outputs / f"{notebook}.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    say("\n".join(f"- {finding}" for finding in findings))


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


def judge_answer(notebook, number, answer, namespace):
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
    say(judge_answer(notebook, number, answer, namespace)[1])


def try_solutions(notebook, namespace):
    """Return problems found when every solution and every known mistake is given as an answer (used by the tests)."""
    problems = []
    for number, function in load_solutions(notebook).items():
        right, mistakes = function(namespace)
        if judge_answer(notebook, number, right, namespace)[0] is not True:
            problems.append(f"exercise {number}: its own solution is not accepted")
        problems += [f"exercise {number}: the mistake {wrong!r} counts as right" for wrong, _ in mistakes if same(wrong, right)]
        if [judge_answer(notebook, number, given, namespace)[0] for given in ("no such answer", None)] != [False, None]:
            problems.append(f"exercise {number}: nonsense or an empty answer is not told apart")
    return problems
