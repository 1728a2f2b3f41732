"""Leads within one writer's stories allow for the choice of a judge; what a judge adds is about
stories, not about their writers."""

import numpy as np
import pytest
from goodjudge.comparison import compare
from goodjudge.comparison.added import find_added
from goodjudge.stats import metrics as statistics
from goodjudge.stats import severity

from helpers import choices as leads
from helpers.evolvr import load, vary


@pytest.fixture(scope="module")
def hanna():
    return load.load()


@pytest.fixture(scope="module")
def models():
    return load.load_models()


def swap_stories(data, scores, rng):
    """Return scores that belong to other stories, each to one by the same writer, drawn by lot."""
    names = data.items["item"]
    goes_to = dict(zip(names, data.items.groupby("writer")["item"].transform(rng.permutation)))
    return scores.assign(item=scores["item"].map(goes_to))


def test_all_language_models_add_and_a_model_whose_stories_are_swapped_does_not(hanna, models):
    def add(scores):
        return find_added(hanna, scores, over=("writer", "group"))

    found = add(models).loc[load.LLMS]
    assert (found["low"] > 0).all()
    best = models[models["judge"] == found["estimate"].idxmax()]
    rng = np.random.default_rng(1)
    by_lot = [add(swap_stories(hanna, best, rng)).iloc[0] for _ in range(4)]
    assert sum(row["low"] > 0 or row["high"] < 0 for row in by_lot) <= 1
    assert max(abs(row["estimate"]) for row in by_lot) < found["low"].min() / 2


def test_five_together_need_more_room_than_one_and_less_than_five_strangers(hanna, models):
    free = severity.adjust_raters(hanna)
    how = {"within": vary.WITHIN, "over": vary.OVER, "simulate": False}
    together = compare.compare(free, models, statistics.pearson, **how, together=True)
    best = together.loc[load.LLMS, "estimate"].idxmax()
    alone = compare.compare(free, models, statistics.pearson, **how).loc[best]
    chosen = vary.allow_for_choice(free, models, together, best)
    assert len(chosen) == 2
    of_five, by_bonferroni = chosen.values()
    for rival, column in ((leads.PERSON, "person"), (leads.CONTROL, "control")):
        estimate, low, _ = alone[compare.lead_names(column)]
        rows = of_five[best, rival], by_bonferroni[best, rival]
        assert [row["estimate"] for row in rows] == pytest.approx([estimate, estimate])
        assert by_bonferroni[best, rival]["low"] < of_five[best, rival]["low"] < low
