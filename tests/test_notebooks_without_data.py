"""A machine with neither mirror, cache nor network: notebooks run, say what they used, and harm
nothing."""

import hashlib
import json
import os
import re

import pandas as pd
import pytest
from test_notebooks import MACHINE, code, find, read, settings_for, texts

from helpers.sources.public import ROOT

QUICK = {"replicates": 25, "subsets": 10, "shuffles": 2, "repeats": 2, "data": "auto"}
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


@pytest.mark.parametrize("number", ["01", "05"])  # the two whose people are simulated then
def test_a_notebook_runs_without_data_and_says_so(empty_machine, execute, number):
    before, path = committed(), find(number)
    record = execute(path, empty_machine / path.name, settings_for(path, empty_machine, **QUICK))
    assert record["status"] == "ok", record["error"]
    cells = code(read(empty_machine / path.name))
    said = "\n".join(text for cell in cells for text in texts(cell))
    assert not MACHINE.search(said.replace(str(empty_machine), "")) and "Warning" not in said
    assert not any(output.get("name") == "stderr" for cell in cells for output in cell.outputs)
    found = json.loads((empty_machine / f"{path.stem}.json").read_text(encoding="utf8"))
    assert found["source"] != "open" and found["findings"]
    assert committed() == before, "a run without the open data must leave what is committed alone"
    outputs = [output.get("data", {}) for cell in cells for output in cell.outputs]
    claims = [text for data in outputs if CLAIM.search(text := data.get("text/markdown", ""))]
    # the last rests on printed numbers alone
    fair = ("**Simulated, so no evidence", "- Simulated", "- **Human evaluation")
    fair += ("**In short**, from the committed run (",)
    assert [text for text in claims if not text.startswith(fair)] == [], (
        "a simulation says something about the paper"
    )
    ledger = pd.read_csv(empty_machine / f"ledger-{number}.csv", dtype=str, keep_default_na=False)
    assert len(ledger) and "raw" not in set(ledger["basis"]), "raw without raw data"


@pytest.mark.parametrize("number", ["01", "02", "02b"])
def test_every_figure_that_may_show_a_simulation_takes_its_title_from_the_source(number):
    """`figures.titled` writes SIMULATED first; the picture itself cannot be read here. A reader's
    own result is none."""
    cells = [
        cell.source
        for cell in code(read(find(number)))
        if "figures.show(" in cell.source and "own-result" not in cell.metadata.get("tags", [])
    ]
    assert cells and all("figures.titled(" in source for source in cells)
