"""Say computed sentences in a notebook and save its findings."""
import json
import math
from numbers import Integral, Real

from IPython.display import Markdown, display

from helpers.sources.files import replace_file, round_number
from helpers.sources.public import ROOT


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
    """Return a table as text for readers: 'estimate [low, high]' in one column, whole n, named index as first column.

    A row index without a name, whose numbers mean nothing, is dropped.
    """
    table = table.reset_index() if any(table.index.names) else table.reset_index(drop=True)
    if {"estimate", "low", "high"} <= set(table.columns):
        place = table.columns.get_loc("estimate")
        shown = ["" if missing else interval(one, digits=digits) if one["low"] == one["low"] else f"{one['estimate']:.{digits}f}"
                 for missing, (_, one) in zip(table["estimate"].isna(), table.iterrows())]
        table = table.drop(columns=["estimate", "low", "high"])
        table.insert(place, "estimate [95 %]", shown)
    for name, column in table.items():
        if column.dtype.kind == "f":
            whole = (column.dropna() % 1 == 0).all()
            table[name] = ["" if value != value else f"{value:,.0f}" if whole else f"{value:,.{digits}f}" for value in column]
    return table


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
