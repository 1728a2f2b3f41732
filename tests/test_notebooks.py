"""The committed notebooks: structure, clean outputs, no text of a data set; and runs with other
parameters."""

import ast
import difflib
import html
import json
import re
import shutil
import subprocess
import sys
from itertools import combinations

import nbformat
import pandas as pd
import papermill
import pytest

from helpers.sources import public as data
from helpers.sources.public import ROOT
from helpers.sources.published import KEY
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


def test_seven_notebooks_are_here_and_the_further_studies_of_some():
    numbers = [runs.number(path) for path in PATHS]
    assert [number for number in numbers if len(number) == 2] == [
        f"0{number}" for number in range(7)
    ]
    assert len(set(numbers)) == len(numbers) and all(
        re.fullmatch(r"0\d|0[1-5]b", number) for number in numbers
    )


@each
def test_papermill_itself_finds_every_parameter(path):
    assert set(papermill.inspect_notebook(path)) == set(runs.read_parameters(path))


@each
def test_the_kernel_is_one_that_every_machine_has(path):
    assert read(path).metadata["kernelspec"]["name"] == "python3"


@each
def test_the_title_is_a_question(path):
    first = read(path).cells[0]
    assert first.cell_type == "markdown" and first.source.startswith(f"# {runs.number(path)} · ")
    assert path.stem.startswith("00") or first.source.splitlines()[0].endswith("?")


@each
def test_one_parameters_cell_holds_commented_literals_only(path):
    tagged = [cell for cell in code(read(path)) if "parameters" in cell.metadata.get("tags", [])]
    assert len(tagged) == 1
    for statement in ast.parse(tagged[0].source).body:
        assert isinstance(statement, ast.Assign) and len(statement.targets) == 1, ast.unparse(
            statement
        )
        assert isinstance(statement.targets[0], ast.Name), ast.unparse(statement)
        ast.literal_eval(statement.value)  # ValueError for a derived value
    assert all("#" in line for line in tagged[0].source.splitlines() if line.strip())
    assert {"data", "seed", "show_texts", "outputs"} <= set(runs.read_parameters(path))


def test_one_thing_has_one_parameter_name_and_one_type_everywhere():
    types = {}
    for path in PATHS:
        for name, value in runs.read_parameters(path).items():
            types.setdefault(name, {}).setdefault(type(value).__name__, []).append(path.stem)
    assert {name: found for name, found in types.items() if len(found) > 1} == {}
    alike = [
        pair
        for pair in combinations(types, 2)
        if difflib.SequenceMatcher(None, *pair).ratio() > 0.85
    ]
    assert alike == []


@each
def test_every_cell_was_executed_once_in_order_by_the_code_that_stands_there(path):
    cells = code(read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    results = [
        (cell.execution_count, out.execution_count)
        for cell in cells
        for out in cell.outputs
        if out.output_type == "execute_result"
    ]
    assert all(a == b for a, b in results)


@each
def test_outputs_hold_no_error_warning_stderr_address_or_machine_path(path):
    for number, cell in enumerate(read(path).cells):
        where = f"{path.name}, cell {number}"
        for output in cell.get("outputs", []):
            assert output.output_type != "error" and output.get("name") != "stderr", where
            assert "image/svg+xml" not in output.get("data", {}), (
                f"{where}: an SVG is never the same twice"
            )
        for text in texts(cell):
            assert not re.search(r"\b\w*Warning\b|Traceback|\x1b\[| at 0x[0-9a-f]{6,}", text), where
            assert not MACHINE.search(text), f"{where}: {MACHINE.search(text)}"
        assert not MACHINE.search(cell.source), f"{where}: {MACHINE.search(cell.source)}"


@each
def test_every_figure_has_alternative_text(path):
    for number, cell in enumerate(read(path).cells):
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                alt = output.metadata.get("image/png", {}).get("alt", "")
                assert len(alt) > 40, (
                    f"{path.name}, cell {number}: a figure without alternative text ({alt!r})"
                )


@each
def test_every_table_has_one_row_of_headers_without_a_hole(path):
    for number, cell in enumerate(read(path).cells):
        for output in cell.get("outputs", []):
            for head in re.findall(
                "<thead>.*?</thead>", str(output.get("data", {}).get("text/html", "")), re.S
            ):
                assert head.count("<tr") == 1 and not re.search(r"<th[^>]*>\s*</th>", head), (
                    f"{path.name}, cell {number}: {head}"
                )


@each
def test_no_table_says_a_judge_as_files_do(path):
    shown = "\n".join(text for cell in read(path).cells for text in texts(cell))
    assert not (found := re.findall(r"<td>(?:recorded|simulated)/[^<]*</td>", shown)), found


@each
def test_no_cell_is_a_helper_waiting_to_be_named(path):
    longest = {
        number: len(cell.source.splitlines())
        for number, cell in enumerate(read(path).cells)
        if cell.cell_type == "code"
    }
    assert {number: lines for number, lines in longest.items() if lines > 25} == {}
    assert all(cell.source.strip() for cell in read(path).cells), "an empty cell"


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


@pytest.mark.parametrize(
    "pattern",
    [
        "outputs/*.json",
        "outputs/judges/*.json",
        "outputs/ledger.csv",
        "README.md",
        "data/published/*.csv",
    ],
)
def test_no_text_of_a_data_set_is_in_what_the_notebooks_leave(pattern, dataset_texts):
    for path in ROOT.glob(pattern):
        assert leaks(path.read_text(encoding="utf8"), dataset_texts) == [], path.name


@pytest.mark.parametrize("offset", [0, 1, 29, 30, 31, 77])
def test_the_search_for_texts_finds_a_planted_one(offset):
    text = "".join(chr(97 + (i * i * 7 + i // 5) % 26) for i in range(400))
    assert leaks(f"<td>{text[offset : offset + RUN]}</td>", [text]) == [text[offset : offset + RUN]]
    assert leaks(text[offset : offset + RUN - 1], [text]) == []


def settings_for(path, folder, **given):
    """The parameters of a quick run that writes to `folder` alone: those of `given` that the
    notebook has."""
    wanted = {"outputs": str(folder), "transcripts": str(folder / "transcripts.sqlite")} | given
    known = runs.read_parameters(path)
    return {name: value for name, value in wanted.items() if name in known}


OTHERS = [
    ("00", {"data": "published", "seed": 1}),
    ("01", {"seed": 7, "replicates": 50}),
    ("02", {"seed": 7, "replicates": 30, "judge": "recorded/gpt4"}),
    ("02", {"replicates": 30, "judge": "simulated/coin", "limit": 56}),
]


@pytest.mark.parametrize(
    ("number", "given"),
    OTHERS,
    ids=[f"{number}-{list(given.values())}" for number, given in OTHERS],
)
def test_a_notebook_runs_with_other_parameters_and_its_ledger_does_not_depend_on_luck(
    execute, tmp_path, number, given
):
    path = next(path for path in PATHS if runs.number(path) == number)
    assert set(given) <= set(runs.read_parameters(path))
    record = execute(path, tmp_path / "run.ipynb", settings_for(path, tmp_path, **given))
    assert record["status"] == "ok", record["error"]
    if number == "00":
        return
    found = json.loads((tmp_path / f"{path.stem}.json").read_text(encoding="utf8"))
    assert len(found["findings"]) >= 2 and all(found["findings"])
    committed = ROOT / "outputs" / "ledger.csv"
    if found["source"] != "open" or not committed.is_file():
        return
    keys = [*KEY, "value", "computed", "verdict"]
    part = pd.read_csv(tmp_path / f"ledger-{number}.csv", dtype=str, keep_default_na=False)[keys]
    whole = pd.read_csv(committed, dtype=str, keep_default_na=False)
    here = whole.loc[whole["notebook"] == number, keys]
    both = here.merge(part, on=KEY, suffixes=(" committed", " here"))
    assert len(both) == len(here) > 0
    for column in ("value", "computed", "verdict"):
        assert both[f"{column} committed"].tolist() == both[f"{column} here"].tolist()


@pytest.mark.parametrize("where", [".", "notebooks"])
def test_papermill_by_hand_writes_nothing_outside_the_project(tmp_path, where):
    # the notebook alone: what it writes goes where the package is, or here
    root = tmp_path / "clone"
    (root / "notebooks").mkdir(parents=True)
    path = shutil.copy(
        next(path for path in PATHS if runs.number(path) == "02b"), root / "notebooks" / "02b.ipynb"
    )
    kept = {name: ROOT / "outputs" / "executed" / name for name in ("02b-smallest-judges.json",)}
    before = {name: kept[name].read_bytes() if kept[name].is_file() else None for name in kept}
    try:
        command = [
            sys.executable,
            "-m",
            "papermill",
            path,
            str(tmp_path / "out.ipynb"),
            "-p",
            "data",
            "simulated",
        ]
        subprocess.run(command, cwd=root / where, check=True, capture_output=True, timeout=120)
        assert all(kept[name].is_file() for name in kept)
    finally:
        for name, content in before.items():
            (
                kept[name].unlink(missing_ok=True)
                if content is None
                else kept[name].write_bytes(content)
            )
    written = sorted(
        str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()
    )
    assert written == ["clone/notebooks/02b.ipynb", "out.ipynb"]
