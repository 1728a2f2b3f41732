"""The model of ratings: variances against statsmodels, moments without bias, answers by hand."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison.random_effects.design import RESIDUAL, Design
from goodjudge.comparison.random_effects.fit import fit_model
from goodjudge.comparison.random_effects.responses import POINTS, RANKS, VERDICTS, find_response
from goodjudge.comparison.random_effects.variances import Estimator

smf = pytest.importorskip("statsmodels.formula.api")


@pytest.mark.parametrize(
    ("response", "answers"), [(POINTS, [-0.4, 0.2, 1.3]), (VERDICTS, [0, 1, 1]), (RANKS, [1, 2, 3])]
)
def test_three_latent_values_are_answered(response, answers):
    latent = np.array([-0.4, 0.2, 1.3])
    one_set = np.zeros(3, int)
    assert response.answer(latent, one_set).tolist() == answers


def lay_rows(sets, scores):
    """Return rows (item, group, aspect, rater, score) of so many groups that one rater scored."""
    group, place = np.indices((sets, len(scores))).reshape(2, -1)
    item = group * len(scores) + place
    score = np.tile(np.array(scores, float), sets)
    table = {"item": item, "group": group, "aspect": "", "rater": "a", "score": score}
    return pd.DataFrame(table)


@pytest.mark.parametrize(
    ("sets", "scores", "response"),
    [
        (30, [0, 1, 1], VERDICTS),
        (30, [1, 2, 3], RANKS),
        (30, [1, 3, 5], RANKS),  # places may be left out
        (30, [1, 2, 2], POINTS),  # a tie
        (30, [1, 2, 7], POINTS),  # no place among three
        (30, [1, 2, 2.5], POINTS),
        (10, [1, 2, 3], POINTS),  # so few may be untied by chance
    ],
)
def test_the_kind_of_response_is_told_from_the_scores(sets, scores, response):
    assert find_response(lay_rows(sets, scores)) is response


def nested(rng, groups, items, raters, spreads):
    """Return a `Design` of ratings of items in groups, and its scores: no rater is met twice."""
    group, item, rater = np.indices((groups, items, raters)).reshape(3, -1)
    item = group * items + item
    score = 3 + spreads[0] * rng.normal(size=groups)[group]
    score = score + spreads[1] * rng.normal(size=groups * items)[item]
    score = score + spreads[2] * rng.normal(size=len(group))
    rows = {"item": item, "group": group, "aspect": "", "rater": np.arange(len(group))}
    ones = np.ones((len(group), 1))
    rows = pd.DataFrame({**rows, "score": score})
    return Design(rows, {"group": group, "item": item}, ones, POINTS, rater, ones[:, 0])


def test_variances_are_those_of_statsmodels(rng):
    design = nested(rng, 20, 4, 3, (0.8, 1.0, 1.0))
    fitted = fit_model(design, rng).variances
    item = {"item": "0 + C(item)"}
    theirs = smf.mixedlm("score ~ 1", design.rows, groups="group", vc_formula=item, re_formula="1")
    theirs = theirs.fit(reml=True)
    assert fitted["group"] == pytest.approx(float(theirs.cov_re.iloc[0, 0]), rel=0.03)
    assert fitted["item"] == pytest.approx(float(theirs.vcomp[0]), rel=0.03)
    assert fitted[RESIDUAL] == pytest.approx(theirs.scale, rel=0.03)


def test_moments_are_unbiased(rng):
    spreads = (0.5, 0.3, 1.0)
    drawn = [nested(rng, 8, 3, 2, spreads) for _ in range(600)]
    plain = Estimator(drawn[0])
    found = [plain.estimate_freely(one.rows["score"].to_numpy(), plain.names) for one in drawn]
    found = pd.DataFrame(found)
    error = found.std() / np.sqrt(len(found))
    away = (found.mean() - np.square(spreads)) / error
    assert away.abs().max() < 3.5 and found.min().min() < 0, "nothing is cut off at 0"
