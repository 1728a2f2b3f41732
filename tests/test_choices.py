"""Does a claim depend on a choice? Tables of the same claim, and leads of judges, under other
definitions."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.data.ratings import Ratings
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics

from helpers import choices
from helpers import choices as leads
from helpers.ttcw import adds

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


MEASURES = [statistics.balanced_accuracy, statistics.pearson]


@pytest.fixture
def yes_and_no(rng):
    """Yes and No of three raters on forty items (ten groups, two writers), and of two judges that
    share a part of what the raters share; the second answered about 24 of the items."""
    item, rater = (numbers.ravel() for numbers in np.indices((40, 3)))
    quality = rng.normal(size=40) + np.arange(40) % 2
    yes = quality[item] + rng.normal(size=len(item)) > 0.5
    table = pd.DataFrame({"item": item, "rater": rater, "score": yes.astype(float)})
    items = pd.DataFrame({"item": range(40), "group": np.arange(40) // 4})
    items["writer"] = np.where(items["item"] % 2, "A", "B")
    items["words"] = rng.integers(100, 900, 40)
    judged = [quality + rng.normal(size=40) > 0.5 for _ in "jk"]
    scores = [items[["item"]].assign(judge=judge, score=1.0 * a) for judge, a in zip("jk", judged)]
    return Ratings(items, table, "simulated"), pd.concat([scores[0], scores[1].head(24)])


def of_compare(row, rival):
    """Return the lead that a row of `compare` has over a rival: estimate, low, high."""
    return row[compare.lead_names(rival)].tolist()


@pytest.mark.parametrize("measure", MEASURES)
def test_leads_are_those_of_compare(yes_and_no, measure):
    data, scores = yes_and_no
    table = compare.compare(data, scores, measure, simulate=False)
    found = leads.find_leads(ratings.find_cases(data), scores, measure)
    assert list(found) == [(judge, rival) for judge in "jk" for rival in leads.RIVALS]
    guess = statistics.find_guess(measure)
    for judge in "jk":
        row = table.loc[judge]
        over_guessing = (row[["estimate", "low", "high"]] - guess).tolist()
        by_rival = {rival: found[judge, rival][:3].tolist() for rival in leads.RIVALS}
        assert by_rival[leads.GUESSING] == pytest.approx(over_guessing)
        assert by_rival[leads.PERSON] == pytest.approx(of_compare(row, "person"))
        assert by_rival[leads.CONTROL] == pytest.approx(of_compare(row, "control"))


def test_a_control_chosen_on_the_same_groups_is_the_best_of_all(yes_and_no):
    data, scores = yes_and_no
    measure = statistics.balanced_accuracy
    scores = scores[scores["judge"] == "j"]
    table = compare.compare(data, scores, measure, simulate=False)
    single = table.index[table["kind"] == "control"].difference(["the best control"])
    best = table.loc[single, "estimate"].max()
    found = leads.find_leads(ratings.find_cases(data), scores, measure, nested=False)
    lead = found["j", leads.CONTROL]["estimate"]
    assert lead == pytest.approx(table.loc["j", "estimate"] - best)


def test_an_average_over_raters_gives_each_the_same_weight(yes_and_no):
    data, scores = yes_and_no
    busy = data.ratings["rater"].lt(2) | data.ratings["item"].lt(12)  # the third rated twelve items
    data = data._replace(ratings=data.ratings[busy])
    cases = ratings.find_cases(data)
    judged = scores[scores["judge"] == "j"].set_index("item")["score"]
    lead = []
    for _, own in cases.groupby("rater"):
        r_of_judge = own["item"].map(judged).corr(own["target"])
        lead.append(r_of_judge - own["person"].corr(own["target"]))
    found = leads.average_raters(cases, scores, statistics.pearson)
    assert len(lead) == 3
    assert found["j", leads.PERSON]["estimate"] == pytest.approx(np.mean(lead))
    found = leads.average_raters(cases, scores, statistics.pearson, least=13)
    assert found["j", leads.PERSON]["estimate"] == pytest.approx(np.mean(lead[:2]))
