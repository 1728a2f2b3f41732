"""Order effects are counted by hand; findings of one judge are values and back."""

import numpy as np
import pandas as pd
import pytest

from helpers.measures import steadiness
from helpers.refbased import method as refbased
from helpers.sources.public import available
from helpers.ttcw import ask


def test_a_judge_that_always_prefers_the_first_is_turned_by_every_swap():
    table = pd.DataFrame({"group": "g", "writer": ["a", "b"], "test": 1, "plus": [1.0, 2.0]})
    table["minus"] = table["plus"]
    rows = refbased.read_order(table)
    # one group has no interval
    assert rows["estimate"].tolist() == [1.0, 1.0, 1.5] and rows["low"].isna().all()
    assert (refbased.mean_preference(table, "it")["score"] == 0).all()


def test_steadiness_is_that_of_runs_that_were_drawn():
    rng, stories = np.random.default_rng(1), np.repeat(np.arange(400), 14)
    score = rng.uniform(0.3, 0.8, len(stories))
    table = pd.DataFrame({"story": stories, "group": stories // 40, "score": score})
    one_run, ten_runs = steadiness.of_grades(table)["estimate"]

    def draw(runs):
        said = rng.random((len(stories), runs)) < score[:, None]
        return said.reshape(400, 14, runs).mean(axis=(1, 2))

    # the correlation of two means over as many runs is their reliability
    for runs, found in ((1, one_run), (10, ten_runs)):
        drawn = [np.corrcoef(draw(runs), draw(runs))[0, 1] for _ in range(50)]
        assert np.mean(drawn) == pytest.approx(found, abs=0.05)


@pytest.mark.skipif(not available("ttcw"), reason="needs the open data")
def test_reasons_are_asked_for_on_one_test_a_dimension():
    asked = ask.graded_requests(reasons=True)
    assert asked.groupby("story").size().unique().tolist() == [4] and asked["story"].nunique() == 36
    assert len(ask.graded_requests()) == 36 * 14
