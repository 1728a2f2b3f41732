"""A live judge in the notebooks, each run whole: it ends well, says first what it found about the
judge that was asked, and says of all else what the committed run says. In CI alone: the notebooks
are executed once more.
"""

import json
import re

import answering_server
import pandas as pd
import pytest
from answering_server import RANDOM, SHY
from test_notebooks import code, find, read, texts

from helpers.sources.public import ROOT
from helpers.sources.published import KEY
from helpers.workshop import run as runs

pytestmark = pytest.mark.ci


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A function that runs a notebook with a judge of a server in this process; returns (its
    folder, what its code cells show, its findings)."""

    def run(number, judge, **given):
        folder = tmp_path_factory.mktemp("run")
        given |= {"judge": f"local/{judge}", "outputs": str(folder)}
        if "transcripts" in runs.read_parameters(find(number)):
            given["transcripts"] = str(folder / "answers.sqlite")
        with answering_server.serving() as server, pytest.MonkeyPatch.context() as patch:
            patch.setenv("LOCAL_BASE_URL", server.url)
            record = runs.execute(find(number), folder / "run.ipynb", given)
        assert record["status"] == "ok", record["error"]
        cells = code(read(folder / "run.ipynb"))
        cells = [cell for cell in cells if "results.in_short" not in cell.source]
        said = "\n".join(text for cell in cells for text in texts(cell))
        findings = runs.read_json(folder / f"{find(number).stem}.json")["findings"]
        return folder, said, findings

    return run


def committed(number):
    """Return the findings of a notebook's committed run."""
    path = ROOT / "outputs" / f"{find(number).stem}.json"
    return json.loads(path.read_text(encoding="utf8"))["findings"]


def test_02_speaks_first_of_the_judge_and_ledger_and_other_findings_stay(open_data, run):
    folder, shown, findings = run("02", SHY, seed=7)
    first = [finding for finding in findings if finding.startswith(f"local/{SHY} ")]
    assert len(first) >= 2 and findings[len(first) :] == committed("02")
    assert f"The judge that was asked: local/{SHY}" in shown
    assert re.search(r"gave no verdict in 2\d\d of 504 cases", first[1]), "refused is no verdict"
    page = (folder / "judges" / f"local-{SHY}.html").read_text(encoding="utf8")
    assert first[0] in page and "data:image/png;base64" in page
    keys = [*KEY, "value", "computed", "verdict"]
    part = pd.read_csv(folder / "ledger-02.csv", dtype=str, keep_default_na=False)
    whole = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    here = whole.loc[whole["notebook"] == "02", keys].reset_index(drop=True)
    pd.testing.assert_frame_equal(here[KEY].merge(part[keys], on=KEY), here)


def test_03_speaks_first_of_the_judge(open_data, run):
    _, _, findings = run("03", SHY)
    assert findings[0].startswith(f"Local/{SHY} ") and findings[1:] == committed("03")


def test_04_speaks_first_of_the_judge(run):
    _, said, findings = run("04", RANDOM, subsets=4, shuffles=2, repeats=2)
    assert findings[0].startswith(f"Asked about Quality, local/{RANDOM} orders our poems")
    assert "It clearly beats that control in none of these." in findings[0]
    assert RANDOM not in "\n".join(findings[1:]) and not re.search(r"\bnan\b", said)


def test_05_shows_the_judge_and_finds_of_the_paper_what_it_always_finds(open_data, run):
    _, said, findings = run("05", RANDOM, hanna_prompts=2, partners=1)
    assert f"local/{RANDOM}" in said and findings == committed("05")
    assert "264 of 264 scores could be read." in said


def test_08_speaks_first_of_the_judge(open_data, run):
    _, said, findings = run("08", RANDOM, limit=120)
    assert f"local/{RANDOM} changes the winner" in findings[0]
    first, second, _, *others, _ = committed("08")  # of the recorded judge: the third and the last
    assert findings[1:-1] == [first, second, *others]
    longer = re.search(r"prefers the longer text in (\d\.\d\d) \[", findings[0])[1]
    assert 0.3 < float(longer) < 0.7, "a judge that draws prefers neither"
