"""Does a claim hang on a choice? Tables of the same claim under other definitions."""

import numpy as np
import pandas as pd
import pytest
from panel_kit import draw_panel

from helpers.measures import adds, compare, intervals, ratings, sensitivity, statistics
from helpers.measures.ratings import Ratings
from helpers.ttcw import load as ttcw
from helpers.ttcw import vary

CLEAR, UNCLEAR = intervals.row(0.2, 0.1, 0.3, 12), intervals.row(0.2, -0.1, 0.5, 12)
AGAINST = intervals.row(-0.2, -0.3, -0.1, 12)


def test_each_definition_is_set_against_the_first():
    claims = {"first": CLEAR, "second": CLEAR, "third": UNCLEAR, "fourth": AGAINST}
    words = ["the same", "the same", "no longer clear", "turned round"]
    assert sensitivity.vary(claims)["against the first"].tolist() == words
    claims["third"] = intervals.row(0.2, n=3)
    assert sensitivity.vary(claims)["against the first"].loc["third"] == "no interval"
    told = sensitivity.tell(sensitivity.vary(claims), "02b")
    assert "1 of 2 other ways" in told and "third" not in told
    claims = {"first": UNCLEAR, "second": UNCLEAR, "third": CLEAR, "fourth": AGAINST}
    words = ["the same", "the same", "now clear", "now clear"]
    assert sensitivity.vary(claims)["against the first"].tolist() == words


def test_a_sentence_names_each_definition_that_says_otherwise():
    same = sensitivity.vary({"first": CLEAR, "second": CLEAR, "third": CLEAR})
    said = sensitivity.tell(same, "02b")
    assert said == "None of 2 other ways to compute it says otherwise (02b)."
    other = sensitivity.vary({"first": CLEAR, "second": CLEAR, "third": UNCLEAR, "fifth": AGAINST})
    said = sensitivity.tell(other, "02b")
    assert said.startswith("It hangs on a choice: 2 of 3 other ways to compute it say otherwise (")
    assert "third: no longer clear; fifth: turned round; 02b" in said and "second" not in said


def test_every_rater_is_left_out_once_and_the_extremes_are_named():
    items = pd.DataFrame({"item": [1, 2], "group": [1, 2]})
    table = pd.DataFrame({"item": [1, 1, 2, 2], "rater": list("abac"), "score": [0.0, 5, 3, 1]})

    def claim(data):
        return intervals.row(data.ratings["score"].mean(), 0, np.nan, 2)

    rows = sensitivity.leave_raters_out(Ratings(items, table, "simulated"), claim)
    assert [row["estimate"] for row in rows.values()] == [3, 4 / 3, 8 / 3]
    ends = sensitivity.find_extremes(rows, "without a rater")
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


def test_a_judge_that_knows_only_the_writer_has_no_slope_where_the_writer_is_held(verdicts):
    data, scores = verdicts
    writer = data.items.set_index("item")["writer"]
    known = scores.assign(score=(scores["item"].map(writer) == "A").astype(float))
    assert np.isnan(adds.find_slopes(data, known).loc["j", "estimate"])
    free = adds.find_slopes(data, known, held=("aspect",)).loc["j"]
    assert free["low"] > 0, "the writers differ"


def test_single_ratings_are_items_of_their_own_and_harder_to_guess_than_the_majority(verdicts):
    data, scores = verdicts
    single, given = ratings.list_single(data, scores)
    assert len(single.items) == 120 and len(single.ratings) == 240 and len(given) == 240
    assert single.ratings.groupby(["item", "aspect"]).size().eq(1).all()
    r = compare.compare(single, given, statistics.pearson, target="all").loc["j", "estimate"]
    cases = data.ratings.merge(scores, on=["item", "aspect"], suffixes=("", " of j"))
    assert r == pytest.approx(np.corrcoef(cases["score"], cases["score of j"])[0, 1])
    majority = ratings.take_majority(data)
    more = compare.compare(majority, scores, statistics.pearson, target="all").loc["j", "estimate"]
    assert more > r


def simulate(seed):
    """A simulated panel: its verdicts, and the stories."""
    return draw_panel(np.random.default_rng(seed)), ttcw.load_stories()


@pytest.mark.filterwarnings("error")
def test_every_way_of_asking_finds_agreement_where_there_is_much_and_none_by_lot():
    panel, stories = simulate(3)
    rng = np.random.default_rng(3)
    lots = panel.assign(passed=rng.random(len(panel)) < 0.3)
    shared = rng.normal(size=(48, 14))[pd.factorize(panel["story"])[0], panel["test"] - 1]
    shared += rng.normal(size=48)[pd.factorize(panel["story"])[0]]
    alike = panel.assign(passed=shared + 0.5 * rng.normal(size=len(panel)) > 0)
    tables = []
    for one in (lots, alike):
        machines = ttcw.split(ttcw.to_ratings(one, stories))["36 machine stories"]
        tables.append(vary.vary_agreement(one, machines))
    none, much = tables
    assert len(none) == len(much) == 11 and none["estimate"].abs().max() < 0.3
    assert (much["low"] > 0.2).all() and set(much["against the first"]) == {"the same"}


@pytest.mark.filterwarnings("error")
def test_every_way_of_asking_finds_a_good_judge_and_not_a_coin():
    panel, stories = simulate(4)
    # three experts judge everything, so that each can be taken alone
    panel = panel.assign(expert=panel["expert"] % 3)
    truth = ttcw.find_majority(panel)
    rng = np.random.default_rng(4)
    said = {"coin": rng.random(len(truth)) < 0.5, "sage": truth["truth"]}
    tables = {}
    for judge, yes in said.items():
        scores = truth[["item", "aspect"]].assign(judge=judge, score=1.0 * yes)
        parts = ttcw.split(ttcw.to_ratings(panel, stories))
        tables[judge] = vary.vary_judge(*parts.values(), scores, judge, 7)
    coin, sage = (tables[judge]["guessing"] for judge in said)
    assert coin["estimate"].abs().max() < 0.1 and (sage["low"].dropna() > 0).all()
    unknown = sage.index[sage["low"].isna()]
    assert list(unknown) == ["for new experts too"], "three experts tell nothing of others"
    assert sage.loc[unknown, "against the first"].item() == sensitivity.UNKNOWN
    assert list(tables["coin"]) == ["guessing", "a third expert", "the best control"]
    shown = vary.tabulate(tables["coin"])
    assert shown.index.is_unique and "nan" not in shown.to_string()
    told = vary.tell(tables["sage"], "sage", "02b")
    assert told.startswith("- sage clearly leads guessing. None of ") and told.count("\n") == 2


def test_experts_of_few_stories_are_not_taken_alone():
    panel, stories = simulate(4)  # thirty-six experts, four stories each
    data = ttcw.to_ratings(panel, stories)
    scores = data.ratings.drop_duplicates(["item", "aspect"]).assign(judge="j", score=1.0)
    rows = vary.average_raters(ratings.find_cases(data), scores, "j")
    assert all(np.isnan(row["estimate"]) for row in rows.values())
