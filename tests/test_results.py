"""Tables as readers see them: readers' names, one row of headers, intervals and whole numbers."""

import json
import re

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook

from helpers import results
from helpers.sources.public import ROOT
from helpers.workshop import run


def test_estimates_stand_with_their_interval_and_n_is_whole():
    whole = {"estimate": 0.5, "low": 0.25, "high": 1, "n": 1200}
    rows = pd.DataFrame({"a": whole, "b": {"estimate": 0.25, "n": 9}, "c": {"n": 3}})
    shown = results.tidy(rows.T.astype(object).rename_axis("kappa"))
    assert shown["estimate [95 %]"].tolist() == ["0.50 [0.25, 1.00]", "0.25", ""]
    assert shown["n"].tolist() == ["1,200", "9", "3"] and list(shown)[1] == "estimate [95 %]"
    assert "r [90 %]" in results.tidy(rows.T.reset_index(drop=True), measure="r", level=0.9)
    names = {"estimate": "lead", "low": "lead low", "high": "lead high", "n": "items"}
    both = rows.T.join(rows.T.rename(columns=names)).rename_axis("kappa")
    assert list(results.tidy(both))[1:] == ["estimate [95 %]", "n", "lead [95 %]", "items"]


def test_ranks_are_the_same_on_every_processor():
    table = pd.DataFrame({"r": [0.1, 0.3, 0.3 + 1e-14, 0.2], "name": ["d", "c", "b", "a"]})
    assert results.rank(table, "r", "name")["name"].tolist() == ["b", "c", "a", "d"]
    assert results.rank(table, "r", "name", ascending=True)["name"].tolist() == ["d", "a", "b", "c"]


def test_findings_are_kept_with_numbers_of_ten_digits(tmp_path):
    values = {"third": 1 / 3, "count": np.int64(3), "lost": np.nan}
    results.save_findings("07-x", "open", ["One.", "Two."], tmp_path / "a" / "b", values)
    kept = json.loads((tmp_path / "a" / "b" / "07-x.json").read_text())
    assert kept["findings"] == ["One.", "Two."] and kept["source"] == "open"
    assert kept["values"] == {"third": 0.3333333333, "count": 3, "lost": None}
    with pytest.raises(ValueError, match="values.'word'. is str, expected one number"):
        results.check_number("word", "3")


def test_a_run_in_jupyter_ends_in_a_sentence_where_the_project_knows_why(monkeypatch):
    """The cells of a reader's kernel: a folder that is not there, a fault of pandas."""
    monkeypatch.setenv("JPY_SESSION_NAME", "reader.ipynb")
    cells = [
        "from helpers import results\nfrom helpers.sources import readers\n"
        "results.in_short('no-such')",
        "readers.load_stories('my storys')",
        "raise ValueError('of another package')",
    ]
    notebook = new_notebook(cells=[*map(new_code_cell, cells)])
    NotebookClient(notebook, allow_errors=True, resources={"metadata": {"path": ROOT}}).execute()
    _, no_folder, others = ([*cell.outputs] for cell in notebook.cells)
    error, back = no_folder
    assert " ".join(error.traceback) == f"error: {error.evalue}" and "my storys" in error.evalue
    assert max(map(len, error.traceback)) <= max(72, len(str(ROOT)) + 20)
    assert "scrollIntoView" in back.data["application/javascript"], "the view goes back to the cell"
    (unknown,) = others
    assert len(unknown.traceback) > 1 and "of another package" in unknown.evalue


NAMES = ["<script>alert(4)</script>", "<i onclick=alert(8)>A</i>", "a **b", "<!--", "&#60;b>c"]
NAMES += ["[x](javascript:alert(1))", "[y](//far.example)", "\\<img src=q onerror=alert(2)>"]
NAMES += ["from $1 to $2"]
LIVE = re.compile("<script>alert|<i onclick|<b>c|href=.?(?:javascript|//far)|<img src=.?q")
SHOWN = f"""
import pandas as pd
from helpers import figures, results
for name in (names := {NAMES!r}):
    results.say(f"6 {{name}} beside {{name}} and [a page](01-a.ipynb)")
results.show_table(pd.DataFrame({{name: [name] for name in names}}).assign(judge=names[0]))
results.save_findings("09", "open", [f"{{name}} wins." for name in names], outputs)
figures.show(figures.panels(1, 1)[0], '"><script>alert(4)</script>')
"""


def test_a_readers_names_bring_no_markup_into_html(tmp_path):
    """As the README says: run the notebook, then `jupyter nbconvert --to html`."""
    code = new_code_cell(f"outputs = {str(tmp_path)!r}\n{SHOWN}")
    nbformat.write(new_notebook(cells=[code]), tmp_path / "09.ipynb")
    run.execute(tmp_path / "09.ipynb", tmp_path / "done.ipynb")
    done = nbformat.read(tmp_path / "done.ipynb", as_version=4)
    for cell in done.cells:
        cell.source = ""
    page = HTMLExporter().from_notebook_node(done)[0]
    assert not LIVE.search(page) and page.count("&lt;script&gt;alert(4)") == 6
    dollars = re.findall(r"from (\S*?)1 to (\S*?)2", page)
    assert len(dollars) > 2 and len({*dollars}) == 1, "across a tag MathJax sees no formula"
    assert re.sub("&#36;|[$]", "", dollars[0][0]) == "<span></span>"
    assert page.count('href="01-a.ipynb"') == len(NAMES) and page.count("&lt;!--") == 5
    found = json.loads((tmp_path / "09.json").read_text())["findings"]
    assert found == [f"{name} wins." for name in NAMES], "in a file they stand as they are"


ODD_TITLES = ["=1+2", "+1", "-2+3", "@SUM(1)", "\t=1", "a=b", ""]


def test_no_cell_of_a_readers_table_runs_as_a_formula_and_numbers_stay(tmp_path):
    usd = [-1.0, 0.0, 1 / 3, 1, 2, 3, float("nan")]
    table = pd.DataFrame({"story": ODD_TITLES, "=x": usd}, index=range(3, 10))
    results.save_table(table, tmp_path / "mine.csv")
    written = pd.read_csv(tmp_path / "mine.csv", keep_default_na=False, dtype=str)
    formulas, harmless = ODD_TITLES[:5], ODD_TITLES[5:]
    assert written["story"].tolist() == [*(f"'{title}" for title in formulas), *harmless]
    assert written["'=x"].tolist() == ["-1", "0", "0.3333333333", "1", "2", "3", ""]


def test_texts_are_shown_with_their_line_breaks_and_cannot_act(monkeypatch):
    shown = []
    monkeypatch.setattr(results, "display", lambda data, raw: shown.append(data))
    results.show_texts({"A <b>": "one line,\n  two <i>$x$</i>\n\nthree"})
    page = shown[0]["text/html"]
    assert "one line,<br>" in page and "&nbsp; two" in page and "text-align: left" in page
    assert "<i>" not in page and "A &lt;b&gt;" in page and "$" not in page
    assert "one line,\n  two" in shown[0]["text/plain"]
