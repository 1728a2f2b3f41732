"""Say computed sentences in a notebook and save its findings."""
import json
import math
from numbers import Integral, Real
from pathlib import Path

from IPython.display import Markdown, display

from helpers.files import replace_file


def say(text):
    """Show a sentence (Markdown) whose numbers were just computed."""
    display(Markdown(text))


def interval(estimate, low, high, digits=2):
    """Return 'estimate [low, high]' as text."""
    return f"{estimate:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def check_number(name, value):
    """Return `value` as an int or float that JSON can hold, None if it is nan or infinite; ValueError for anything else."""
    if isinstance(value, Integral):
        return int(value)
    if not isinstance(value, Real):
        raise ValueError(f"values[{name!r}] is {type(value).__name__}, expected one number; say float(…) or leave it out")
    return float(value) if math.isfinite(value) else None


def save_findings(notebook, source, findings, outputs, values=None):
    """Show the findings as a list and write them to `<outputs>/<notebook>.json`; the first is the headline.

    notebook: e.g. "01-ttcw-human-agreement"; source: open, published, simulated or a judge's name; values: {name: number}
    for programs (a sweep's table gets one column a name; an undefined number is null). Raises ValueError for other values.
    """
    record = {"notebook": notebook, "source": source, "findings": list(findings)}
    if values is not None:
        record["values"] = {name: check_number(name, value) for name, value in values.items()}
    replace_file(Path(outputs) / f"{notebook}.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    say("\n".join(f"- {finding}" for finding in findings))
