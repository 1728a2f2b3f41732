"""Show sentences and tables in a notebook, save findings, check exercises."""

import html
import importlib.util
import json
import math
import os
import re
import textwrap
from numbers import Integral, Real

import pandas as pd
from goodjudge.format import format_interval, format_range, rank  # noqa: F401 (notebooks call them here)
from IPython import get_ipython
from IPython.display import Javascript, Markdown, display

from helpers import figures
from helpers.sources.files import replace_file, round_number
from helpers.sources.names import display_name
from helpers.sources.public import ROOT

# JupyterLab goes to the last cell of a run, also of one that has ended; then to this output's cell
BACK = """const back = () => element.closest('.jp-Cell-outputWrapper')?.scrollIntoView();
[500, 1500].forEach((delay) => setTimeout(back, delay));"""
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet runs
MADE_UP = "This judge is made up and read nothing: name one that can read (`judge`)."
SOLUTIONS = ROOT / "teaching" / "solutions"
# what begins markup, but for the bare tags of our tables and links within the project
TAGS = (
    r"/?(?:table|thead|tbody|tr|th|td|br)>|table class=.dataframe.>|tr style=.text-align: right;.>"
)
MARKUP = re.compile(rf"<(?=[A-Za-z/!?])(?!{TAGS})")
LINK = re.compile(r"\]\((?!(?:\.\./)?[\w#][\w./#-]*\))")
DOLLAR = "<span>&#36;</span>"  # begins no formula: MathJax sees none across a tag


def disarm(text):
    """Return Markdown in which a reader's names bring no HTML, no foreign link and no formula."""
    return LINK.sub("]&#40;", MARKUP.sub("&lt;", text)).replace("$", DOLLAR)


def say(text):
    """Show a sentence (Markdown) of computed numbers."""
    display(Markdown(disarm(text)))


def tidy(table, digits=2, measure="estimate", level=0.95, n="n"):
    """Return a table as text for readers: one row of headers, 'estimate [low, high]' in one column,
    whole n, readers' names.

    measure: what the estimate is, with its unit; level: of its interval; n: what is counted. More
    columns with an interval ("lead", "lead low", "lead high") are joined alike. The index is first,
    under its own names; numbers without a name, which mean nothing, are dropped. Levels of columns
    are joined by " · ". Raises ValueError for an index of words without a name.
    """
    names = table.index.names
    is_words = table.index.inferred_type not in ("integer", "empty")
    if "" in names or (None in names and is_words):
        advice = "name them: table.rename_axis('judge')"
        raise ValueError(f"the rows' labels have no name to stand above them; {advice}")
    headers = []
    for label in table.rename(columns={"n": n}).columns:
        levels = label if isinstance(label, tuple) else (label,)
        headers.append(" · ".join(str(display_name(level)) for level in levels if level != ""))
    table = table.set_axis(headers, axis=1).reset_index(drop=not any(names))
    for name in list(table):
        header = measure if name == "estimate" else name
        table = join_ends(table, name, f"{header} [{100 * level:.3g} %]", digits)
    for label, column in table.infer_objects().items():
        if column.dtype.kind == "f":
            table[label] = format_numbers(column, digits, str(label))
        elif column.dtype.kind not in "biu":
            table[label] = ["" if is_nan(value) else display_name(value) for value in column]
    return table.rename(columns=lambda label: str(display_name(label)).replace("_", " "))


def join_ends(table, name, header, digits):
    """Return a table in which column `name` and its two ends ("lead", "lead low", "lead high"; of
    "estimate": low, high) are one column of text under `header`; as it is if it lacks one."""
    low, high = f"{name} low", f"{name} high"
    if name == "estimate":
        low, high = "low", "high"
    three = [name, low, high]
    if not set(three) <= set(table.columns):
        return table
    rows = table[three].set_axis(["estimate", "low", "high"], axis=1)
    texts = [estimate_cell(row, digits) for _, row in rows.iterrows()]
    place = table.columns.get_loc(name)
    table = table.drop(columns=three)
    table.insert(place, header, texts)
    return table


def format_numbers(column, digits, header):
    """Return a column of numbers as texts, without decimals where all are whole; nan is '', but
    'unknown' in a column of US dollars: a cost that is not known is not 0."""
    are_whole = (column.dropna() % 1 == 0).all()
    places = 0 if are_whole else digits
    nothing = "unknown" if header.startswith("US dollars") else ""
    return [nothing if is_nan(value) else f"{value:z,.{places}f}" for value in column]


def is_nan(value):
    """Return whether a cell is nan (a tuple, a word or None is not)."""
    return isinstance(value, float) and value != value


def estimate_cell(row, digits):
    """Return a row's estimate with its interval as text; '' for nan, without a missing interval."""
    if row["estimate"] != row["estimate"]:
        return ""
    if row["low"] != row["low"]:
        return f"{row['estimate']:z.{digits}f}"
    return format_interval(row, digits=digits)


def join_intervals(tables, digits=2):
    """Return {name: table with estimate, low, high} as one: a column of text for each."""
    texts = {}
    for name, table in tables.items():
        texts[name] = table.apply(estimate_cell, axis=1, digits=digits)
    return pd.DataFrame(texts)


def show_table(table, digits=2, measure="estimate", level=0.95, n="n", most=None):
    """Show a table (see `tidy`) without row numbers; rows after the first `most` stand in a fold,
    which a reader opens."""
    shown = tidy(table, digits, measure, level, n)
    page = shown.iloc[:most].to_html(index=False, border=0)
    folded = 0 if most is None else max(len(shown) - most, 0)
    if folded:
        rest = shown.iloc[most:].to_html(index=False, border=0)
        more = f"{folded} more rows" if folded > 1 else "1 more row"
        page = f"{page}\n<details><summary>{more}</summary>\n{rest}\n</details>"
    plain = shown.to_string(index=False)
    display({"text/plain": plain, "text/html": page.replace("$", DOLLAR)}, raw=True)


def show_texts(texts):
    """Show texts below each other as their authors broke the lines; texts: {heading: text}."""
    for heading, text in texts.items():
        lines = html.escape(text).replace("  ", "&nbsp; ").replace("\n", "<br>\n")
        page = f'<p><b>{html.escape(heading)}</b></p>\n<p style="text-align: left">{lines}</p>'
        plain = f"{heading}\n\n{text}\n"
        display({"text/plain": plain, "text/html": page.replace("$", DOLLAR)}, raw=True)


def check_number(name, value):
    """Return `value` as an int or a float of ten digits, None if undefined; else ValueError."""
    if isinstance(value, Integral):
        return int(value)
    if not isinstance(value, Real):
        fault = f"values[{name!r}] is {type(value).__name__}"
        raise ValueError(f"{fault}, expected one number; say float(…) or leave it out")
    return round_number(value) if math.isfinite(value) else None


def save_findings(notebook, source, findings, outputs, values=None):
    """Show the findings as a list and write them to `<outputs>/<notebook>.json`; the first is the
    headline.

    outputs: a folder, absolute or relative to the project.
    notebook: e.g. "01-ttcw-human-agreement"; source: open, published or a judge's name;
    values: {name: number} for programs (a sweep's table gets one column per name; an undefined
    number is null). Raises ValueError for other values.
    """
    record = {"notebook": notebook, "source": source, "findings": list(findings)}
    if values is not None:
        record["values"] = {name: check_number(name, value) for name, value in values.items()}
    text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    replace_file(ROOT / outputs / f"{notebook}.json", text)
    say("\n".join(f"- {finding}" for finding in findings))


def list_notebooks():
    """Return {number: name} of the project's notebooks: {"04": "04-cat-poetry", …}."""
    names = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9S]*.ipynb"))
    return {name.partition("-")[0]: name for name in names}


def in_short(notebook):
    """Show the first findings and the key figure of a notebook's committed run, if there is one."""
    end_in_a_sentence()
    path = ROOT / "outputs" / f"{notebook}.json"
    if not path.is_file():
        return
    findings = json.loads(path.read_text(encoding="utf8"))["findings"][:3]
    first = "**In short**, from the committed run ([glossary](../teaching/glossary.md)):"
    say("\n".join([first, "", *(f"- {finding}" for finding in findings)]))
    if (picture := path.with_suffix(".png")).is_file():
        figures.show_saved(picture)


def defuse(cell):
    """Return a cell that no spreadsheet runs as a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in FORMULA else cell


def save_table(table, path):
    """Write a table, without its row labels, as a CSV file of ten digits, formulas disarmed."""
    text = table.map(defuse).rename(columns=defuse).to_csv(index=False, float_format="%.10g")
    replace_file(path, text)


def is_read():
    """Return whether a reader looks on: in Jupyter, not where papermill runs a notebook."""
    return "JPY_SESSION_NAME" in os.environ  # set by Jupyter's server for a reader's kernel


def end_in_a_sentence():
    """Let a run in Jupyter that ends by a fault which the project describes (a folder that is not
    there, a judge that nobody knows) show that sentence and no traceback, as in a terminal."""
    if is_read() and (shell := get_ipython()):
        shell.set_custom_exc((ValueError,), show_end)


def show_end(shell, kind, fault, traceback, tb_offset=None):
    """Show how a run ended (for `set_custom_exc`), and go to its place."""
    if kind.__module__.startswith(("helpers.", "goodjudge.")):
        lines = textwrap.wrap(f"error: {fault}", 72, break_long_words=False, break_on_hyphens=False)
        shell._showtraceback(kind, fault, lines)  # Jupyter would break the line within a word
    else:
        shell.showtraceback((kind, fault, traceback), tb_offset=tb_offset)
        return
    display(Javascript(BACK))


def load_solutions(notebook):
    """Return {number: function(names) -> (right answer, mistakes, learnt)} of a notebook.

    mistakes: [(wrong answer, what it means)], the first match counts; learnt: said on success.
    """
    path = SOLUTIONS / f"{notebook}.py"
    spec = importlib.util.spec_from_file_location(f"solutions_{notebook}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = [name for name in dir(module) if name.startswith("exercise_")]
    return {int(name.split("_")[1]): getattr(module, name) for name in names}


def is_number(answer):
    """Return whether an answer is a number (True and False are none)."""
    return isinstance(answer, Real) and not isinstance(answer, bool)


def same(answer, right, tolerance=5e-3):
    """Return whether an answer is the right number, to `tolerance`."""
    return is_number(answer) and math.isclose(answer, right, rel_tol=1e-6, abs_tol=tolerance)


def judge_answer(number, answer, right, mistakes, learnt, hint=""):
    """Return (verdict, message): None (not tried), True or False; what is wrong, or learnt."""
    exercise = f"**Exercise {number}**"
    if answer is None:
        return None, f"{exercise}: not tried yet."
    if same(answer, right):
        return True, f"{exercise}: right. {learnt}"
    slips = [*mistakes, (-right, "The size is right, the sign is not.")]
    if abs(right) <= 1:
        slips.append((100 * right, "That is in per cent: give the share, from 0 to 1."))
    if meanings := [meaning for wrong, meaning in slips if same(answer, wrong)]:
        advice = meanings[0]
    elif not is_number(answer) or is_nan(answer):
        advice = f"The answer is one number, without quotes; you gave {answer!r:.60}."
    elif math.isclose(answer, right, rel_tol=0.1, abs_tol=0.05):
        advice = "But near: check which rows are in, and round only at the end."
    else:
        advice = f"Far off. {' '.join(hint.split())}"
    return False, f"{exercise}: not yet. {advice}"


def check(notebook, number, answer, namespace):
    """Show whether an exercise's answer is right, and if not, why; namespace: `globals()`."""
    solve = load_solutions(notebook)[number]
    try:
        solution = solve(namespace)
    except KeyError as missing:
        (name,) = missing.args
        if name in namespace:
            raise
        advice = (
            f"the cells above have not run (`{name}` is not there yet). Choose *Run* > *Run All"
        )
        say(f"**Exercise {number}**: {advice} Above Selected Cell*, then run this cell again.")
        return
    say(judge_answer(number, answer, *solution, solve.__doc__)[1])
