"""Every notebook on a machine with neither mirror, cache nor network: it runs, says what it used,
and harms nothing."""

import hashlib
import json
import os
import re

import pytest
from test_notebooks import MACHINE, PATHS, code, read, settings_for, texts

from helpers.audit import ledger
from helpers.sources.public import ROOT
from helpers.sources.published import read_published

QUICK = {"replicates": 25, "subsets": 10, "shuffles": 2, "repeats": 2}  # where a notebook has them
# the rest find out by themselves; one word does for all
ASKED = {"02": "simulated", "04": "simulated"}
CLAIM = re.compile(r"\bprint(s|ed)\b|the (text|paper)('s)? (says|recruits)")


def committed():
    """The checksum of every committed or published output."""
    files = [
        *(ROOT / "outputs").glob("*.json"),
        *(ROOT / "outputs").glob("*.csv"),
        ROOT / "README.md",
    ]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def empty_machine(tmp_path_factory):
    """Set the environment of a machine that has nothing; yield the folder of its outputs, shared as
    in a real run."""
    folder = tmp_path_factory.mktemp("nothing")
    given = {"MIRROR": "none", "CACHE": str(folder / "cache"), "OFFLINE": "1"}
    before = {name: os.environ.get(f"JUDGING_CREATIVITY_{name}") for name in given}
    os.environ.update({f"JUDGING_CREATIVITY_{name}": value for name, value in given.items()})
    yield folder
    for name, value in before.items():
        os.environ.pop(f"JUDGING_CREATIVITY_{name}")
        if value is not None:
            os.environ[f"JUDGING_CREATIVITY_{name}"] = value


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_runs_without_data_and_says_so(empty_machine, execute, path):
    before = committed()
    given = settings_for(path, empty_machine, **QUICK, data=ASKED.get(path.stem[:2], "auto"))
    record = execute(path, empty_machine / path.name, given)
    assert record["status"] == "ok", record["error"]
    cells = code(read(empty_machine / path.name))
    said = "\n".join(text for cell in cells for text in texts(cell))
    assert not MACHINE.search(said.replace(str(empty_machine), "")) and "Warning" not in said
    assert not any(output.get("name") == "stderr" for cell in cells for output in cell.outputs)
    if path.stem.startswith("00"):
        assert "no" in said  # the column that says what is on this machine
        return
    found = json.loads((empty_machine / f"{path.stem}.json").read_text(encoding="utf8"))
    assert found["source"] != "open" and found["findings"]
    assert committed() == before, "a run without the open data must leave what is committed alone"
    if path.stem[:2] in ("01", "02", "05"):  # their experts and raters are simulated now
        claims = [
            text
            for cell in cells
            for output in cell.outputs
            if CLAIM.search(text := output.get("data", {}).get("text/markdown", ""))
        ]
        # the last rests on printed numbers alone
        fair = ("**Simulated, so no evidence", "- Simulated", "- **Human evaluation")
        assert [text for text in claims if not text.startswith(fair)] == [], (
            "a simulation says something about the paper"
        )


def test_the_lesser_ledger_still_has_a_line_for_every_printed_number_and_reproduces_nothing(
    empty_machine,
):
    parts = list(empty_machine.glob("ledger-??.csv"))
    if not parts:
        pytest.skip("the runs above were not selected")
    whole = ledger.join(empty_machine)
    assert len(whole) == sum(len(read_published(paper)) for paper in ledger.PAPERS)
    raw = whole[whole["basis"] == "raw"]
    assert raw.empty, (
        "raw without raw data:"
        f" {raw[['paper', 'table', 'row', 'column', 'notebook']].head().to_dict('records')}"
    )


@pytest.mark.parametrize(
    "path", [path for path in PATHS if path.stem[:2] in ("01", "02")], ids=lambda path: path.stem
)
def test_every_figure_that_may_show_a_simulation_takes_its_title_from_the_source(path):
    """`figures.titled` writes SIMULATED first; the picture itself cannot be read here. A reader's
    own result is none."""
    cells = [
        cell.source
        for cell in code(read(path))
        if "figures.show(" in cell.source and "own-result" not in cell.metadata.get("tags", [])
    ]
    assert cells and all("figures.titled(" in source for source in cells)
