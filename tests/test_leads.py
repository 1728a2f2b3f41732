"""Leads of judges over guessing, a person and the best control, by other definitions."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.data.ratings import Ratings
from goodjudge.stats import metrics as statistics

from helpers import choices as leads

MEASURES = [statistics.balanced_accuracy, statistics.pearson]


@pytest.fixture
def panel(rng):
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
def test_leads_are_those_of_compare(panel, measure):
    data, scores = panel
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


def test_a_control_chosen_on_the_same_groups_is_the_best_of_all(panel):
    data, scores = panel
    measure = statistics.balanced_accuracy
    scores = scores[scores["judge"] == "j"]
    table = compare.compare(data, scores, measure, simulate=False)
    single = table.index[table["kind"] == "control"].difference(["the best control"])
    best = table.loc[single, "estimate"].max()
    found = leads.find_leads(ratings.find_cases(data), scores, measure, nested=False)
    lead = found["j", leads.CONTROL]["estimate"]
    assert lead == pytest.approx(table.loc["j", "estimate"] - best)


def test_an_average_over_raters_gives_each_the_same_weight(panel):
    data, scores = panel
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
