"""Numbers of goodjudge beside those of other packages, closed forms and sums by hand."""

import goodjudge as gj
import numpy as np
import pandas as pd
import pytest
from goodjudge.diagnostics import alt_test, leniency, system_level
from scipy import stats
from studies import judge_of, make


def draw(rng, items=80, raters=4):
    """Return scores of crossed raters, who differ in severity."""
    return rng.normal(size=(items, 1)) + rng.normal(size=(items, raters)) + np.arange(raters) / 2


def test_reliability_of_crossed_raters_is_pingouins_icc(rng):
    pingouin = pytest.importorskip("pingouin")
    data = make(draw(rng))
    found = gj.find_agreement(data)["estimate"].droplevel("aspect")
    icc = pingouin.intraclass_corr(data.ratings, "item", "rater", "score").set_index("Type")["ICC"]
    relative = next(name for name in icc.index if name.startswith(("ICC3", "ICC(C,1)")))
    absolute = next(name for name in icc.index if name.startswith(("ICC2", "ICC(A,1)")))
    assert found["relative"] == pytest.approx(icc[relative], abs=1e-6)
    assert found["absolute"] == pytest.approx(icc[absolute], abs=1e-6)


def test_reliability_without_known_severity_is_krippendorffs_alpha(rng):
    krippendorff = pytest.importorskip("krippendorff")
    scores = np.full((400, 400), np.nan)  # of three items by each: none's severity is known
    for number in range(400):
        raters = [number, (number + 1) % 400, (number + 2) % 400]
        # in steps of 0.1: of 1,200 different values, krippendorff fills 11 GB
        scores[number, raters] = (rng.normal() + rng.normal(size=3)).round(1)
    found = gj.find_agreement(make(scores))["estimate"].item()
    alpha = krippendorff.alpha(scores.T, level_of_measurement="interval")
    assert found == pytest.approx(alpha, abs=0.005)


def test_corrected_means_are_the_closed_form_of_ppi(rng):
    rated, unrated = 200, 800
    truth = rng.normal(size=rated + unrated)
    score = truth + 0.5 * rng.normal(size=len(truth)) + 1
    rating = np.where(np.arange(len(truth)) < rated, truth, np.nan)
    found = gj.correct_means(pd.DataFrame({"score": score, "rating": rating}))
    both = found.loc[("all items", "both")]
    y, f, other = truth[:rated], score[:rated], score[rated:]
    # PPI++: cov(y, f) / ((1 + n / N) var(f)), the variances of both parts taken apart
    weight = np.cov(y, f, ddof=0)[0, 1] / (f.var() + rated / unrated * other.var())
    assert both["weight"] == pytest.approx(weight, abs=1e-9)
    by_hand = y.mean() + both["weight"] * (other.mean() - f.mean())
    assert both["estimate"] == pytest.approx(by_hand, abs=1e-9)
    rest = (y - both["weight"] * f).var() / rated + both["weight"] ** 2 * other.var() / unrated
    half = (both["high"] - both["low"]) / 2
    assert half == pytest.approx(1.96 * np.sqrt(rest), rel=0.05)


def test_the_alternative_annotator_test_by_hand():
    """Thirty items, three raters. The judge says 1 always; raters 1 and 2 say 1, rater 3 says 0."""
    data = make(np.tile([1.0, 1.0, 0.0], (30, 1)))
    row = alt_test.replace_raters(data, judge_of(np.ones(30))).loc["j"]
    # beside rater 1 (others 1 and 0) and rater 2 it is as near as they are; beside rater 3 (others
    # 1 and 1) it is nearer in all items: deficits 0, 0 and -1
    assert row["estimate"] == 1 and row["deficit"] == pytest.approx(-1 / 3)
    assert row["wins at 0.2"] == 1
    deficits = pd.Series([1.0, 0, 0, -1, 0, 0, 1, 0, -1, 0], range(10))
    by_scipy = stats.ttest_1samp(deficits, 0.2, alternative="less").pvalue
    assert alt_test.find_p(deficits, 0.2) == pytest.approx(by_scipy)
    thresholds = 0.05 * np.arange(1, 4) / 3 / (1 + 1 / 2 + 1 / 3)  # Benjamini and Yekutieli's
    p_values = np.array([0.008, 0.02, 0.5])
    passed = stats.false_discovery_control(p_values, method="by") <= 0.05
    assert passed.tolist() == [bool(p_values[0] <= thresholds[0]), False, False]


def test_writers_are_compared_pair_by_pair():
    cases = pd.DataFrame({"group": 1, "writer": [*"abc"], "target": [1.0, 2.0, 4.0]})
    by_people, by_judge = system_level.pair_up(cases, np.array([1.0, 3.0, 2.0]))
    assert by_people.tolist() == [[-1, -3, -2]] and by_judge.tolist() == [[-2, -1, 1]]


@pytest.mark.parametrize("binary", [False, True])
def test_leniency_and_slope_are_those_of_a_generalized_linear_model(binary, rng):
    sm = pytest.importorskip("statsmodels.api")
    height, level = rng.normal(size=60), rng.normal(size=60)
    score = 0.4 + 0.8 * height + level + 0.3 * rng.normal(size=60)
    if binary:
        score = (score + rng.logistic(size=60) > 0).astype(float)
    family = sm.families.Binomial() if binary else sm.families.Gaussian()
    line = sm.GLM(score, sm.add_constant(height), family, offset=level).fit()
    found = leniency.fit_line(score, height, level, binary)
    assert found == pytest.approx(line.params, abs=1e-6)


@pytest.mark.parametrize("binary", [False, True])
def test_heights_are_those_of_penalised_regression(binary, rng):
    linear = pytest.importorskip("sklearn.linear_model")
    scores = draw(rng, 30, 4)
    table = make((scores > 1).astype(float) if binary else scores).ratings
    people = table.rename(columns={"score": "person"}).assign(aspect="")
    spread = {"item": 1.3, "aspect": 10.0, "rater": 0.6}
    effects, constant = leniency.fit_effects(people, binary, spread)
    dummies = pd.get_dummies(people[["item", "aspect", "rater"]].astype(str)).astype(float)
    scale = [spread[name.partition("_")[0]] for name in dummies]
    model = linear.Ridge(1.0, tol=1e-12)
    if binary:
        model = linear.LogisticRegression(tol=1e-10, max_iter=5000)
    model.fit(dummies * scale, people["person"])
    expected = pd.Series(np.ravel(model.coef_) * scale, dummies.columns)
    for item, effect in effects["item"].items():
        assert effect == pytest.approx(expected[f"item_{item}"], abs=2e-4)
    assert constant == pytest.approx(float(np.ravel(model.intercept_)[0]), abs=2e-3)
