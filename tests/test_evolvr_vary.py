"""Leads within one writer's stories allow for the choice of a judge; what a judge adds is about
stories, not about their writers."""

import pytest
from goodjudge.comparison import compare
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
