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
from panel_kit import draw_panel
from test_notebooks import code, find, read, texts

from helpers import judges
from helpers.measures import compare, ratings, statistics, verdicts
from helpers.sources import readers
from helpers.sources.public import ROOT
from helpers.ttcw import ask, worth
from helpers.ttcw import load as ttcw
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
    code cells show, its findings), each run once."""
    done = {}

    def run(number, judge, **given):
        key = number, judge, str(given)
        if key not in done:
            folder = tmp_path_factory.mktemp("run")
            given |= {"judge": f"local/{judge}", "outputs": str(folder)}
            if "transcripts" in runs.read_parameters(find(number)):
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
    verdicts = draw_panel(rng)
    people = ttcw.to_ratings(verdicts, ttcw.load_stories())
    truth = ttcw.find_majority(verdicts)
    coin = truth.assign(judge="coin", score=rng.integers(0, 2, len(truth)).astype(float))
    sage = truth[truth["writer"] != "NewYorker"].assign(judge="local/sage")
    sage["score"] = sage["truth"].astype(float)
    scores = pd.concat([coin, sage])
    return people, scores[["item", "aspect", "judge", "score"]]


def test_a_judge_and_its_rivals_meet_on_the_cases_that_both_judges_answered(panel):
    people, scores = panel
    kept = worth.keep_answered(people, scores, ["local/sage", "coin"])
    assert len(kept.items) == 36
    assert "NewYorker" not in set(kept.items["writer"])
    cases = kept.ratings.drop_duplicates(["item", "aspect"])
    assert len(cases) == 504


def test_a_good_judge_is_said_to_beat_guessing_and_to_add(panel):
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    first, gain = worth.tell(own)
    assert first.startswith("local/sage clearly beats guessing: its balanced accuracy is ")
    assert "504 of 504 cases (stories: 36, plots: 12, all by machines)" in first
    assert gain.startswith("local/sage clearly adds to knowing how often each test is passed")


def rate_with_ceiling(panel, estimate, low, high):
    """The judge's result, with another perfect judge."""
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    own.table.loc[compare.CEILING, ["estimate", "low", "high"]] = estimate, low, high
    own.table.attrs["why"] = "it is not clear that people agree"
    return own


def test_a_judge_above_the_perfect_one_is_told_without_contradiction(panel):
    below = worth.tell(rate_with_ceiling(panel, 1, 0.99, 1))[0]
    assert "A perfect judge is estimated to have 100 [99, 100] %. It gave" in below
    near = worth.tell(rate_with_ceiling(panel, 0.6, 0.5, 1))[0]
    assert (
        "A perfect judge is estimated to have 60 [50, 100] %: that this judge has more may" in near
    )
    above = worth.tell(rate_with_ceiling(panel, 0.55, 0.51, 0.6))[0]
    assert "this judge clearly has more. Either that estimate is too low here, or the" in above


def test_without_a_ceiling_the_judge_is_told_that_none_is_known(panel):
    own = rate_with_ceiling(panel, np.nan, np.nan, np.nan)
    own.table.attrs |= dict.fromkeys(["found", "found low", "found high"], np.nan)
    first = worth.tell(own)[0]
    assert (
        "What a perfect judge could reach is not known: it is not clear that people agree" in first
    )
    assert "nan" not in first
    assert compare.CEILING not in worth.list_rows(own).index
    assert "nan" not in worth.tidy_rows(own).to_string()


def test_two_controls_stand_beside_a_judge_with_and_without_the_author(panel):
    own = worth.rate(*panel, "local/sage", "coin", 504, 0.99)
    rows = worth.list_rows(own)
    (knows,) = (name for name in rows.index if name.startswith(worth.TAUGHT))
    (stranger,) = (name for name in rows.index if name.startswith(worth.STRANGER))
    assert "authorship" in knows
    assert "authorship" not in stranger
    lead = rows.loc["local/sage", "estimate"] - rows.loc[stranger, "estimate"]
    assert rows.loc[stranger, "lead of local/sage"] == pytest.approx(lead)


def test_a_judge_with_two_stories_is_not_compared(panel):
    people, scores = panel
    two = scores[(scores["judge"] == "coin") | scores["item"].isin(["0_GPT4", "1_GPT4"])]
    (said,) = worth.tell(worth.rate(people, two, "local/sage", "coin", 28, 0.99))
    assert "was asked too little to say how well it judges" in said
    assert "28 of 28 cases" in said
    assert "nan" not in said
    (said,) = worth.tell(worth.rate(people, two, "local/sage", "coin", 504, 0.99))
    assert "answered too little to say how well it judges" in said
    assert "28 of 504 cases" in said


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
    assert row["estimate"] == own.table.loc["local/sage", "estimate"]
    assert marked == ""


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
    assert findings[: len(own)] == own
    assert len(own) >= 2
    # what is said of the recorded judges does not depend on who was asked
    assert findings[len(own) :] == committed("02")
    assert f"The judge that was asked: local/{judge}" in said
    page = (folder / "judges" / f"local-{judge}.html").read_text(encoding="utf8")
    assert own[0] in page
    assert "data:image/png;base64" in page
    assert "a perfect judge" in page
    assert set(re.findall(r"99\.\d+ %", page)) == {"99.7 %"}, "one widening of one gain"
    gain = re.search(r"AUC rises by (.*?\])", page)[1]
    assert page.count(gain) == 2, "the same in the sentence and in the table"


def test_notebook_02_says_that_half_of_the_answers_are_refused(open_data, run):
    _, _, findings = run("02", SHY)
    assert re.search(r"gave no verdict in 2\d\d of 504 cases", findings[1])


def test_the_practice_coin_of_02_is_not_announced_as_adding(no_data, execute, tmp_path):
    given = {"judge": "simulated/coin", "outputs": str(tmp_path)}
    record = execute(find("02"), tmp_path / "run.ipynb", given)
    assert record["status"] == "ok", record["error"]
    findings = json.loads((tmp_path / f"{find('02').stem}.json").read_text())["findings"]
    assert "is not clearly better than guessing" in findings[0]
    assert "made up" in findings[0]
    assert "The simulated judge (coin) does not clearly add" in findings[1]
    assert findings[2:] == committed("02")


@pytest.mark.parametrize("judge", [RANDOM, SHY])
def test_notebook_03_speaks_first_of_the_judge_that_was_asked(open_data, run, judge):
    _, _, findings = run("03", judge)
    assert findings[0].startswith(f"Local/{judge} ")
    assert findings[1:] == committed("03")


def test_notebook_04_speaks_first_of_the_judge_that_was_asked(run):
    few = {"subsets": 4, "shuffles": 2, "repeats": 2, "replicates": 15}
    _, said, findings = run("04", RANDOM, **few)
    assert findings[0].startswith(f"Asked about Quality, local/{RANDOM} orders our poems")
    assert "It clearly beats that control in neither." in findings[0]
    others = "\n".join(findings[1:])
    assert RANDOM not in others
    assert "Qwen2.5-Coder" not in findings[0]
    assert not re.search(r"\bnan\b", said), "no undefined number"


def test_notebook_05_shows_the_judge_and_says_of_the_paper_what_it_always_says(open_data, run):
    _, said, findings = run("05", RANDOM, limit=24, replicates=20)
    assert f"local/{RANDOM}" in said
    assert findings == committed("05")


def test_notebook_08_speaks_first_of_the_judge_and_names_it(open_data, run):
    _, said, findings = run("08", RANDOM, limit=120)
    assert f"local/{RANDOM} changes the winner" in findings[0]
    first, second, _, last = committed("08")
    assert findings[1:] == [first, second, last]
    assert f"The tables and the figure below are about local/{RANDOM}" in said
    longer = re.search(r"prefers the longer text in (\d\.\d\d) \[", findings[0])[1]
    assert 0.3 < float(longer) < 0.7, "a judge that draws prefers neither"


def test_notebook_08_says_of_a_judge_that_refuses_half_that_it_cannot_be_rated(open_data, run):
    _, said, findings = run("08", SHY, limit=120)
    assert findings[0].startswith(f"local/{SHY} answered every question about ")
    assert "too few to say how well it judges" in findings[0]
    assert "nan" not in findings[0]


def test_a_judge_asked_in_07_is_the_one_that_its_sentence_names(server, tmp_path):
    # the notebook itself keeps answers in the project's store, so its steps are taken here
    stories = readers.load_stories("data/stories")
    rubric = readers.load_rubric("data/rubrics/example.yaml")
    options = judges.Options(transcripts=tmp_path / "answers.sqlite")
    judge = f"local/{RANDOM}"
    answers = ask.judge_own(stories, rubric, judge, options)
    scores = ask.score(answers)
    rng = np.random.default_rng(5)
    given = scores[["item", "aspect"]]
    rated = pd.concat(
        given.assign(rater=rater, score=rng.integers(0, 2, len(given)).astype(float))
        for rater in ("R1", "R2", "R3")
    )
    items = stories.rename(columns={"story": "item"})[["item", "words"]]
    data = ratings.Ratings(items.assign(group=items["item"]), rated, "own")
    found = compare.compare(data, scores, statistics.balanced_accuracy, within=("aspect",))
    first, *_ = verdicts.tell(found, judge, verdicts.answer(found, 0.1), "balanced accuracy")
    assert first.startswith(f"Local/{RANDOM} has balanced accuracy 0.")
    assert "Claude" not in first
