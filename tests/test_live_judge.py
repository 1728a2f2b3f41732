"""A live judge gets its own findings: three judges of a reader's server (one draws, one knows the
experts, one refuses half) in the notebooks that can ask one."""

import json
import os
import re

import answering_server
import numpy as np
import pandas as pd
import pytest
from answering_server import RANDOM, SHY
from test_notebooks import code, find, read, texts

from helpers.sources.public import ROOT
from helpers.ttcw import load as ttcw
from helpers.ttcw import worth


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
    code cells show, its findings), each run once."""
    done = {}

    def run(number, judge, **given):
        key = number, judge, str(given)
        if key not in done:
            folder = tmp_path_factory.mktemp("run")
            given |= {"judge": f"local/{judge}", "outputs": str(folder)}
            given["transcripts"] = str(folder / "answers.sqlite")
            record = execute(find(number), folder / "run.ipynb", given)
            assert record["status"] == "ok", record["error"]
            cells = [cell for cell in code(read(folder / "run.ipynb"))]
            cells = [cell for cell in cells if "results.in_short" not in cell.source]
            said = "\n".join(text for cell in cells for text in texts(cell))
            record = json.loads((folder / f"{find(number).stem}.json").read_text(encoding="utf8"))
            done[key] = folder, said, record["findings"]
        return done[key]

    return run


def committed(number):
    path = ROOT / "outputs" / f"{find(number).stem}.json"
    return json.loads(path.read_text(encoding="utf8"))["findings"]


@pytest.fixture(scope="module")
def panel():
    """The experts, and scores of a judge that follows them on machine stories and of a coin."""
    rng = np.random.default_rng(3)
    _, _, verdicts, stories, _ = ttcw.load("simulated", rng)
    people = ttcw.to_ratings(verdicts, stories, "simulated")
    truth = ttcw.find_majority(verdicts)
    coin = truth.assign(judge="coin", score=rng.integers(0, 2, len(truth)).astype(float))
    sage = truth[truth["writer"] != "NewYorker"].assign(judge="local/sage")
    sage["score"] = sage["truth"].astype(float)
    scores = pd.concat([coin, sage]).drop(columns="item")
    scores = scores.rename(columns={"story": "item", "test": "aspect"})
    return people, scores[["item", "aspect", "judge", "score"]]


def test_a_judge_and_its_rivals_meet_on_the_cases_that_both_judges_answered(panel):
    people, scores = panel
    kept = worth.keep_answered(people, scores, ["local/sage", "coin"])
    assert len(kept.items) == 36 and "NewYorker" not in set(kept.items["writer"])
    cases = kept.ratings.drop_duplicates(["item", "aspect"])
    assert len(cases) == 504


def test_a_good_judge_is_said_to_beat_guessing_and_to_add(panel):
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    first, gain = worth.tell(own)
    assert first.startswith("local/sage clearly beats guessing: its balanced accuracy is ")
    assert "504 of 504 cases, about 36 stories on 12 plots, all by machines" in first
    assert gain.startswith("local/sage clearly adds to knowing how often each test is passed")


def test_a_judge_with_two_stories_is_not_compared(panel):
    people, scores = panel
    two = scores[(scores["judge"] == "coin") | scores["item"].isin(["0_GPT4", "1_GPT4"])]
    (said,) = worth.tell(worth.rate(people, two, "local/sage", "coin", 28, 0.99))
    assert "answered too little to say how well it judges" in said and "28 of 28 cases" in said
    assert "nan" not in said


def test_a_judge_that_never_answers_gets_no_number(panel):
    people, scores = panel
    (said,) = worth.tell(worth.rate(people, scores, "local/mute", "coin", 504, 0.99))
    assert said == ("local/mute gave a verdict in none of 504 cases, so nothing can be said of it.")


def test_a_judge_on_fewer_stories_has_no_mark_among_all_stories(panel):
    people, scores = panel
    own = worth.rate(people, scores, "local/sage", "coin", 504, 0.99)
    name, placed = worth.place(own, ttcw.split(people), scores)
    assert name == "local/sage"
    assert placed["48 stories"] == (None, "answered about 36 of 48 stories")
    row, marked = placed["36 machine stories"]
    assert row["estimate"] == own.table.loc["local/sage", "estimate"] and marked == ""


def test_a_judge_that_refuses_cases_is_marked_where_it_stands(panel):
    people, scores = panel
    own = scores[scores["judge"] == "local/sage"]
    shy = pd.concat([scores[scores["judge"] == "coin"], own.groupby("item").head(7)])
    rated = worth.rate(people, shy, "local/sage", "coin", 504, 0.99)
    assert worth.place(rated, ttcw.split(people), shy)[1]["36 machine stories"][1] == (
        "252 of 504 cases"
    )
    assert "gave no verdict in 252 of 504 cases" in worth.tell(rated)[1]


@pytest.mark.parametrize("judge", [RANDOM, SHY])
def test_notebook_02_speaks_first_of_the_judge_that_was_asked(open_data, run, judge):
    folder, said, findings = run("02", judge)
    own = [finding for finding in findings if finding.startswith(f"local/{judge} ")]
    assert findings[: len(own)] == own and len(own) >= 2
    # what is said of the recorded judges does not depend on who was asked
    assert findings[len(own) :] == committed("02")
    assert f"The judge that was asked: local/{judge}" in said
    page = (folder / "judges" / f"local-{judge}.html").read_text(encoding="utf8")
    assert own[0] in page and "data:image/png;base64" in page and "a perfect judge" in page


def test_notebook_02_says_that_half_of_the_answers_are_refused(open_data, run):
    _, _, findings = run("02", SHY)
    assert re.search(r"gave no verdict in 2\d\d of 504 cases", findings[1])


def test_the_practice_coin_of_02_is_not_announced_as_adding(open_data, execute, tmp_path):
    given = {"judge": "simulated/coin", "outputs": str(tmp_path)}
    record = execute(find("02"), tmp_path / "run.ipynb", given)
    assert record["status"] == "ok", record["error"]
    findings = json.loads((tmp_path / f"{find('02').stem}.json").read_text())["findings"]
    assert "is not clearly better than guessing" in findings[0] and "made up" in findings[0]
    assert "The simulated judge (coin) does not clearly add" in findings[1]
    assert findings[2:] == committed("02")
