"""The committed notebooks: structure, clean outputs, no text of a data set, one budget."""

import ast
import html
import re

import nbformat
import pandas as pd
import papermill
import pytest

from helpers import results
from helpers.sources import public as data
from helpers.sources.public import ROOT
from helpers.workshop import run as runs

PATHS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MACHINE = re.compile(
    r"(?<![\w.:])/(?:home|root|work|tmp|Users|usr|opt|var)/|site-packages|[A-Z]:\\\\?Users|ipykernel_\d"
)
RUN = 60  # characters of a data set's text in a row that may not appear

each = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def code(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def texts(cell):
    """Everything a reader can read in a cell's outputs."""
    for output in cell.get("outputs", []):
        yield from [output[key] for key in ("text", "evalue") if output.get(key)]
        yield from [
            str(value)
            for kind, value in output.get("data", {}).items()
            if not kind.startswith("image/")
        ]
        yield from [
            str(about.get("alt", ""))
            for about in output.get("metadata", {}).values()
            if isinstance(about, dict)
        ]


@each
def test_one_parameters_cell_holds_commented_literals_that_act(path):
    cells = code(read(path))
    tagged = [cell for cell in cells if "parameters" in cell.metadata.get("tags", [])]
    assert len(tagged) == (runs.number(path) != "00"), "00 has nothing to choose"
    if not tagged:
        return
    for statement in ast.parse(tagged[0].source).body:
        assert isinstance(statement, ast.Assign) and len(statement.targets) == 1
        ast.literal_eval(statement.value)  # ValueError for a derived value
    assert all("#" in line for line in tagged[0].source.splitlines() if line.strip())
    known = set(runs.read_parameters(path))
    assert set(papermill.inspect_notebook(path)) == known
    rest = "\n".join(cell.source for cell in cells if cell is not tagged[0])
    used = {node.id for node in ast.walk(ast.parse(rest)) if isinstance(node, ast.Name)}
    assert known <= used, "a parameter acts or is not there"


@each
def test_what_stands_first_is_what_the_committed_run_found(path):
    """`make refresh` after `make reproduce` brings both together again."""
    record = runs.read_json(ROOT / "outputs" / f"{path.stem}.json")
    first = [cell for cell in code(read(path)) if "results.in_short(" in cell.source]
    assert first or not record, "every notebook with findings begins with them"
    for cell in first:
        assert read(path).cells[1] == cell, "the answer stands right below the question"
        if not record:  # a new one, which `make reproduce` has not published
            assert cell.outputs == []
            continue
        said = "\n".join(texts(cell))
        missing = [one for one in record["findings"][:3] if results.disarm(f"- {one}") not in said]
        assert missing == [] and any("image/png" in o.get("data", {}) for o in cell.outputs)


@each
def test_outputs_hold_no_error_warning_stderr_address_or_machine_path(path):
    counts = [cell.execution_count for cell in code(read(path))]
    assert counts == list(range(1, len(counts) + 1)), "every cell once, in order"
    for number, cell in enumerate(read(path).cells):
        where = f"{path.name}, cell {number}"
        for output in cell.get("outputs", []):
            assert output.output_type != "error" and output.get("name") != "stderr", where
            assert "image/svg+xml" not in output.get("data", {}), f"{where}: never the same twice"
        for text in texts(cell):
            assert not re.search(r"\b\w*Warning\b|Traceback|\x1b\[| at 0x[0-9a-f]{6,}", text), where
            assert not MACHINE.search(text), f"{where}: {MACHINE.search(text)}"
        assert not MACHINE.search(cell.source), f"{where}: {MACHINE.search(cell.source)}"


@each
def test_figures_have_alternative_text_and_tables_one_row_of_headers(path):
    words = []
    for number, cell in enumerate(read(path).cells):
        where = f"{path.name}, cell {number}"
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                words.append(output.metadata.get("image/png", {}).get("alt", ""))
                assert len(words[-1]) > 40, where
            page = str(output.get("data", {}).get("text/html", ""))
            for head in re.findall("<thead>.*?</thead>", page, re.S):
                assert head.count("<tr") == 1 and not re.search(r"<th[^>]*>\s*</th>", head), where
            assert not re.search(r"<td>(?:recorded|simulated)/[^<]*</td>", page), (
                f"{where}: a judge's key where its name belongs"
            )
    assert len(set(words)) == len(words), "each picture stands once, with words of its own"


def shared_run(text, windows, shown):
    """Return the first run of RUN or more characters of `text` that stands in `shown` ('' if none).

    windows: every stretch of half that length in `shown`; one that starts at a multiple of it lies
    within any longer run.
    """
    half = RUN // 2
    for start in range(0, len(text) - half + 1, half):
        if text[start : start + half] in windows:
            for begin in range(max(0, start - half), start + 1):
                if len(part := text[begin : begin + RUN]) == RUN and part in shown:
                    return part
    return ""


def flatten(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text)))


def long_strings(value):
    """Return every string of 100 characters or more within a parsed JSON value."""
    if isinstance(value, str):
        return [value] if len(value) >= 100 else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in parts for text in long_strings(part)]


@pytest.fixture(scope="module")
def dataset_texts():
    """Every long text in the public files that are here: stories, rationales, recorded answers."""
    found = []
    for entry in data.registry().values():
        for name in entry["files"]:
            try:
                path, _ = data.locate(name, download=False)
            except FileNotFoundError:
                continue
            if name.endswith(("json", "jsonl")):
                found += long_strings(data.read_json(name))
            elif name.endswith("csv"):
                found += long_strings(
                    pd.read_csv(path)
                    .select_dtypes(exclude="number")
                    .astype(str)
                    .to_numpy()
                    .tolist()
                )
            elif name.endswith("txt"):
                found.append(path.read_text(encoding="utf8", errors="replace"))
    if not found:
        pytest.skip("the open data are not on this machine")
    return [flatten(text) for text in dict.fromkeys(found)]


def leaks(shown, dataset_texts):
    shown = flatten(shown)
    windows = {shown[i : i + RUN // 2] for i in range(len(shown) - RUN // 2 + 1)}
    return [run for text in dataset_texts if (run := shared_run(text, windows, shown))]


@each
def test_no_text_of_a_data_set_is_shown(path, dataset_texts):
    assert (
        leaks("\n".join(text for cell in read(path).cells for text in texts(cell)), dataset_texts)
        == []
    )


def test_no_text_of_a_data_set_is_in_what_the_notebooks_leave(dataset_texts):
    left = [*ROOT.glob("outputs/**/*.json"), *ROOT.glob("outputs/*.csv"), ROOT / "README.md"]
    kept = [*ROOT.glob("data/papers/**/*.csv"), *ROOT.glob("data/ratings/*.csv")]
    for path in [*left, *kept]:
        if not {"class", "executed", "portability"} & set(path.parts):
            assert leaks(path.read_text(encoding="utf8"), dataset_texts) == [], path.name


@pytest.mark.parametrize("offset", [0, 31])
def test_the_search_for_texts_finds_a_planted_one(offset):
    text = "".join(chr(97 + (i * i * 7 + i // 5) % 26) for i in range(400))
    assert leaks(f"<td>{text[offset : offset + RUN]}</td>", [text]) == [text[offset : offset + RUN]]
    assert leaks(text[offset : offset + RUN - 1], [text]) == []


def find(number):
    """Return the path of the notebook of a number."""
    return next(path for path in PATHS if runs.number(path) == number)


def loads(tree, name):
    """Return how often a name is read in a module's tree."""
    return sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in ast.walk(tree)
    )


BUDGETS = {"judges.Options", "judges.Budget", "ask.options"}  # what makes a budget of an amount


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
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
