"""Notebooks that ask a live judge: a server in this process, and each run once for a test module.
A run has all cells that the judge, or what else is given, can change (`slice_kit`).

A test module takes both fixtures by name: `from live_kit import run, server`. The judges are those
of `answering_server`: RANDOM answers everything by chance, SHY refuses half.
"""

import json
import os

import answering_server
import pytest
import slice_kit
from test_notebooks import code, find, read, texts

from helpers.sources.public import ROOT
from helpers.workshop import run as runs


@pytest.fixture(scope="module", autouse=True)
def server():
    """The reader's server, named in the environment before a kernel starts."""
    before = os.environ.get("LOCAL_BASE_URL")
    with answering_server.serving() as running:
        os.environ["LOCAL_BASE_URL"] = running.url
        yield running
    os.environ.pop("LOCAL_BASE_URL")
    if before is not None:
        os.environ["LOCAL_BASE_URL"] = before


@pytest.fixture(scope="module")
def run(server, execute, tmp_path_factory):
    """A function that runs a notebook with a judge of the server; returns (its folder, what its
    code cells show, its findings or None where the judge cannot reach them), each run once."""
    done = {}

    def run(number, judge, **given):
        key = number, judge, str(given)
        if key not in done:
            folder = tmp_path_factory.mktemp("run")
            given |= {"judge": f"local/{judge}", "outputs": str(folder)}
            if "transcripts" in runs.read_parameters(find(number)):
                given["transcripts"] = str(folder / "answers.sqlite")
            path = slice_kit.keep(number, folder, given)
            record = execute(path, folder / "run.ipynb", given)
            assert record["status"] == "ok", record["error"]
            cells = code(read(folder / "run.ipynb"))
            cells = [cell for cell in cells if "results.in_short" not in cell.source]
            said = "\n".join(text for cell in cells for text in texts(cell))
            record = runs.read_json(folder / f"{find(number).stem}.json")
            done[key] = folder, said, record.get("findings")
        return done[key]

    return run


def committed(number):
    """Return the findings of a notebook's committed run."""
    path = ROOT / "outputs" / f"{find(number).stem}.json"
    return json.loads(path.read_text(encoding="utf8"))["findings"]
