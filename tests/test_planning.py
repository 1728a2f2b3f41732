"""Plans: what is simulated has the values that were asked for, power is that of real comparisons,
and what is borrowed is what the kept ratings give."""

import numpy as np
import pandas as pd
import pytest
from goodjudge import plan as planning
from goodjudge.comparison.cases import Trial
from goodjudge.data.ratings import Ratings, find_cases
from goodjudge.stats import metrics as statistics

from helpers.sources.files import DataError
from tools import keep_variances

AGREEING = planning.TEXTBOOK._replace(  # people who agree well, so that few items tell
    variances=dict(zip(planning.EFFECTS, [0.2, 0.5, 0, 0.1, 0, 0, 0, 0.2])), together=2
)


def to_ratings(assumed, study, drawn):
    """Return one simulated study as `Ratings` (points; the answers are made anew from the targets
    of two raters: each is what the other is held against)."""
    target = drawn.target[study, ::-1, :, 0]  # raters x items
    raters, items = target.shape
    item = np.tile(np.arange(items), raters)
    table = pd.DataFrame({"item": item, "rater": np.repeat(np.arange(raters), items)})
    facts = pd.DataFrame({"item": np.arange(items), "group": np.arange(items) // assumed.together})
    return Ratings(facts, table.assign(score=target.ravel()), "simulated")


def test_the_chance_is_the_share_of_comparisons_whose_interval_lies_above_the_guess(rng):
    plain = AGREEING._replace(control=0.0)
    scorers = planning.set_scorers(plain, 2, 0.3)
    drawn = planning.draw_studies(plain, 40, 2, 20, rng, studies=200)
    known = np.sqrt(scorers.judge) * drawn.true + np.sqrt(1 - scorers.judge) * drawn.strange[0]
    clear = []
    for study in range(200):
        cases = find_cases(to_ratings(plain, study, drawn))
        compared = Trial(cases, statistics.pearson, (), ("group",), 0.95)
        judge = compared.apply(known[study, cases["item"], 0])
        constant = compared.apply(np.ones(len(cases)))
        clear.append(compared.lead("control", judge, constant)["over control low"] > 0)
    lead, spread = planning.find_lead(plain, scorers, 2, 2, np.random.default_rng(1))
    assert planning.find_chance(lead, spread, 20) == pytest.approx(100 * np.mean(clear), abs=10)


@pytest.mark.parametrize("like", keep_variances.STUDIES)
def test_the_kept_variances_are_those_of_the_kept_ratings(like):
    row = pd.read_csv(planning.BORROWED, index_col="like").loc[like]
    anew = keep_variances.make_row(like)
    numbers = [*planning.EFFECTS, "control", "aspects", "items a group", "raters"]
    assert row[numbers].tolist() == pytest.approx([anew[name] for name in numbers], abs=0.002)
    assert row["response"] == anew["response"]


@pytest.mark.parametrize(
    ("items", "raters", "lead", "named"),
    [(60, 0, 0.1, "raters"), (60, 3, 0.69, "lead: not even a perfect judge")],
)
def test_what_cannot_be_is_one_clear_sentence(items, raters, lead, named):
    with pytest.raises(DataError, match=named):
        planning.plan(planning.TEXTBOOK, lead, items, raters)
