"""Does a claim depend on a choice? Tables of the same claim under other definitions."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.data import ratings
from goodjudge.data.ratings import Ratings
from goodjudge.stats import intervals
from panel_kit import draw_panel

from helpers import choices
from helpers.ttcw import adds, vary
from helpers.ttcw import load as ttcw

CLEAR, UNCLEAR = intervals.row(0.2, 0.1, 0.3, 12), intervals.row(0.2, -0.1, 0.5, 12)
AGAINST, UNKNOWN = intervals.row(-0.2, -0.3, -0.1, 12), intervals.row(0.2, n=3)


def words(**claims):
    """Return what `vary` says of each claim beside the first."""
    return choices.vary(claims)["against the first"].tolist()


def test_each_definition_is_set_against_a_clear_first_one():
    said = words(first=CLEAR, second=CLEAR, third=UNCLEAR, fourth=AGAINST, fifth=UNKNOWN)
    assert said == ["the same", "the same", "no longer clear", "turned round", "no interval"]
    said = words(first=AGAINST, second=CLEAR, third=AGAINST)
    assert said == ["the same", "turned round", "the same"]


def test_beside_an_unclear_first_one_others_are_clear_or_the_same():
    said = words(first=UNCLEAR, second=UNCLEAR, third=CLEAR, fourth=AGAINST)
    assert said == ["the same", "the same", "now clear", "now clear"]


def test_a_summary_counts_and_names_the_ways_that_say_otherwise():
    same = choices.vary({"first": CLEAR, "second": CLEAR})
    other = choices.vary({"first": CLEAR, "second": UNCLEAR, "third": UNKNOWN, "fourth": AGAINST})
    table = choices.summarise({"stands": same, "moves": other})
    assert table["other ways"].tolist() == [1, 2]  # without an interval a way is not counted
    assert table["otherwise"].tolist() == [0, 2]
    assert table.loc["moves", "which"] == "second (no longer clear); fourth (turned round)"
    assert table.loc["moves", "estimate"] == 0.2


def test_a_way_that_asks_another_question_is_shown_and_not_counted():
    rows = {"first": AGAINST, "second": AGAINST, "other rival": UNCLEAR}
    table = choices.vary(rows, aside=["other rival"])
    assert table["against the first"].tolist() == ["the same", "the same", "another question"]
    assert list(choices.keep_counted(table).index) == ["first", "second"]
    found = choices.summarise({"claim": table}).loc["claim"]
    assert [found["other ways"], found["otherwise"]] == [1, 0]
    assert found["first answer"] == "clearly below zero"


@pytest.fixture
def three_raters():
    """Two items, rated by a and b, and by a and c: the means without each are 3, 4/3 and 8/3."""
    items = pd.DataFrame({"item": [1, 2], "group": [1, 2]})
    table = pd.DataFrame({"item": [1, 1, 2, 2], "rater": list("abac"), "score": [0.0, 5, 3, 1]})
    return Ratings(items, table, "simulated")


def mean_score(data):
    """Return a claim about some `Ratings`: a row with the mean score."""
    return intervals.row(data.ratings["score"].mean(), 0, np.nan, 2)


def test_every_rater_is_left_out_once_and_the_extremes_are_named(three_raters):
    rows = choices.leave_raters_out(three_raters, mean_score)
    assert [row["estimate"] for row in rows.values()] == [3, 4 / 3, 8 / 3]
    ends = choices.find_extremes(rows, "without a rater")
    assert {name: row["estimate"] for name, row in ends.items()} == {
        "without a rater, smallest (without rater b)": 4 / 3,
        "without a rater, largest (without rater a)": 3,
    }


@pytest.fixture
def verdicts(rng):
    """Verdicts of three raters on forty items of two writers, two tests; a judge that shares a
    part of what raters share."""
    shape = (40, 2, 3)
    item, test, rater = (part.ravel() for part in np.indices(shape))
    writer = item % 2
    shared = rng.normal(size=(40, 2))[item, test] + 2 * writer + test
    said = (shared + rng.normal(size=len(item)) > 1).astype(float)
    table = pd.DataFrame({"item": item, "aspect": test, "rater": rater, "score": said})
    items = pd.DataFrame({"item": range(40), "group": np.arange(40) // 4})
    items["writer"] = np.where(items["item"] % 2, "A", "B")
    one = table.drop_duplicates(["item", "aspect"])[["item", "aspect"]]
    judged = shared[:: shape[2]] + rng.normal(size=len(one)) > 1
    return Ratings(items, table, "simulated"), one.assign(judge="j", score=1.0 * judged)


def test_a_slope_is_that_of_a_regression_with_a_constant_for_each_writer_and_test(verdicts):
    data, scores = verdicts
    found = adds.find_slopes(data, scores)
    cases = ratings.find_cases(data)
    cells = pd.get_dummies(cases["writer"] + cases["aspect"].astype(str)).to_numpy(float)
    judged = ratings.match_scores(cases, scores)["j"]
    slopes = {}
    for who, score in {"j": judged, "a person": cases["person"].to_numpy()}.items():
        weights = np.linalg.lstsq(np.c_[score, cells], cases["target"].to_numpy())[0]
        slopes[who] = weights[0]
        assert found.loc[who, "estimate"] == pytest.approx(weights[0])
    lead = slopes["j"] - slopes["a person"]
    assert found.loc["j", "over person"] == pytest.approx(lead) and found.loc["j", "n"] == 10
    assert np.isnan(found.loc["a person", "over person"])


def simulate(seed):
    """A simulated panel: its verdicts, and the stories."""
    return draw_panel(np.random.default_rng(seed)), ttcw.load_stories()


@pytest.fixture(scope="module")
def coin_and_sage():
    """The tables of `vary_judge` for a judge that tosses a coin and for one that says what most
    experts say. Three experts judge everything, so that each can be taken alone."""
    panel, stories = simulate(4)
    panel = panel.assign(expert=panel["expert"] % 3)
    parts = ttcw.split(ttcw.to_ratings(panel, stories))
    truth = ttcw.find_majority(panel)
    coin = np.random.default_rng(4).random(len(truth)) < 0.5
    tables = {}
    for judge, yes in {"coin": coin, "sage": truth["truth"]}.items():
        scores = truth[["item", "aspect"]].assign(judge=judge, score=1.0 * yes)
        tables[judge] = vary.vary_judge(*parts.values(), scores, judge)
    return tables


@pytest.mark.filterwarnings("error")
def test_every_way_of_asking_finds_a_good_judge_and_not_a_coin(coin_and_sage):
    coin = coin_and_sage["coin"]["guessing"]
    assert coin["estimate"].abs().max() < 0.1
    sage = coin_and_sage["sage"]["guessing"]
    assert (sage["low"].dropna() > 0).all()
