"""The pages on top of the comparison: by hand, by the papers' own recipe, or on a known truth."""

import warnings

import numpy as np
import pandas as pd
import pytest
from goodjudge.card import sample_size as deciding
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.diagnostics import alt_test as alternative
from goodjudge.diagnostics import consistency as steadiness
from goodjudge.diagnostics import leniency as strictness
from goodjudge.diagnostics import reliability as people
from goodjudge.diagnostics import system_level as levels
from goodjudge.stats import intervals
from scipy import optimize, stats
from scipy.special import expit
from sklearn.metrics import roc_auc_score

from helpers.ttcw import adds
from tests.test_compare import simulate


def test_a_decision_study_is_that_of_the_mean_squares():
    data, _ = simulate(1, groups=30, raters=5, error=2.0)
    wide = data.ratings.pivot(index="item", columns="rater", values="score").to_numpy()
    grand, (n, k) = wide.mean(), wide.shape
    rows, columns = (wide.mean(axis=axis) - grand for axis in (1, 0))
    rest = wide - grand - rows[:, None] - columns
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    item, rater = rows.var(ddof=1) - error / k, columns.var(ddof=1) - error / n
    found = people.find_agreement(data).droplevel("aspect")[["estimate", "raters for 0.8"]]
    for kind, noise in (("relative", error), ("absolute", error + rater)):
        expected = [item / (item + noise), np.ceil(4 * noise / item)]
        assert found.loc[kind].tolist() == pytest.approx(expected, rel=1e-6)
    some = data.ratings.sample(frac=0.6, random_state=1)  # two to five raters an item
    part = people.find_agreement(data._replace(ratings=some)).iloc[:2]
    assert part["low"].iloc[0] < 2.25 / 6.25 < part["high"].iloc[0] and part["n"].iloc[0] == 30
    ends = people.count_needed(intervals.row(0.5, -0.1, 0.8, 9))
    assert ends.tolist() == [4, 1, np.inf, 9]


def by_the_paper(data, score, epsilon):
    """Return (mean advantage, winning rate) as Calderon and others write them, loop by loop."""
    won, chances = [], []
    wide = data.ratings.pivot(index="item", columns="rater", values="score")
    for rater in wide:
        lost, near = [], []
        for item, given in wide[wide[rater].notna()].iterrows():
            others = given.drop(rater).dropna().to_numpy()
            away = [np.sqrt(np.mean((x - others) ** 2)) for x in (score[item], given[rater])]
            near.append(away[0] <= away[1] + 1e-9)
            lost.append((away[1] <= away[0] + 1e-9) * 1.0 - near[-1])
        won.append(np.mean(near))
        chances.append(stats.ttest_1samp(lost, epsilon, alternative="less").pvalue)
    rejected = stats.false_discovery_control(chances, method="by") <= 0.05
    return np.mean(won), rejected.mean()


def find_deficit(data, score):
    """Return the mean over raters of the share of items where the rater is nearer to the others
    less that where a score is."""
    wide = data.ratings.pivot(index="item", columns="rater", values="score")
    shares = []
    for rater in wide:
        others = wide.drop(columns=rater)
        of_rater = (others.sub(wide[rater], axis=0) ** 2).sum(axis=1)
        of_score = (others.sub(score, axis=0) ** 2).sum(axis=1)
        shares.append(np.sign((of_score - of_rater).round(9)).mean())
    return np.mean(shares)


def test_the_alternative_annotator_test_is_the_papers_and_noisy_raters_lose_to_a_constant():
    data, true = simulate(2, groups=15, raters=4, error=1.5)
    data = data._replace(ratings=data.ratings.assign(score=data.ratings["score"].round()))
    score = true.round() + 1.0
    said = pd.DataFrame({"item": score.index, "judge": "j", "score": score})
    found = alternative.replace_raters(data, said)
    for epsilon in alternative.EPSILONS:
        expected = by_the_paper(data, score, epsilon)
        assert found.loc["j", ["estimate", f"wins at {epsilon:g}"]].tolist() == pytest.approx(
            expected
        )
    assert 0 < found.loc["j", "wins at 0.1"] and found.loc["j", "n"] == 4
    assert found.at["j", "deficit"] == pytest.approx(find_deficit(data, score))
    noisy = alternative.replace_raters(simulate(2, groups=15, error=6.0)[0], said)
    assert (
        noisy.loc["authorship", "wins at 0.1"] == 1 and noisy.loc["authorship", "kind"] == "control"
    )
    lost = pd.Series(-1.0, pd.Index(range(4), name="item"))  # nothing varies: sure of what is seen
    assert alternative.find_p(lost, 0.2) == 0 and alternative.find_p(-lost, 0.2) == 1


def test_fourteen_verdicts_on_one_story_are_no_fourteen_trials():
    rng = np.random.default_rng(3)
    lost = pd.Series(rng.choice([-1.0, 0, 1], 40), pd.Index(range(40), name="item"))
    expected = stats.ttest_1samp(lost, 0.2, alternative="less").pvalue
    assert 0.001 < expected < 0.5
    assert alternative.find_p(lost, 0.2) == pytest.approx(expected)
    verdicts_alike = pd.concat([lost] * 14)
    assert alternative.find_p(verdicts_alike, 0.2) == pytest.approx(expected)
    assert stats.ttest_1samp(verdicts_alike, 0.2, alternative="less").pvalue < expected / 2
    assert alternative.find_p(pd.concat([lost.iloc[:1]] * 14), 0.2) == 1.0, "one item tells nothing"


def test_pairs_are_trials_each_of_its_own_set():
    sets = np.repeat(np.arange(40), 2)
    items = pd.DataFrame({"item": np.arange(80), "group": sets, "set": sets, "name": "n"})
    rng = np.random.default_rng(5)
    first = {rater: rng.choice([1.0, 2.0], 40, p=[0.2, 0.8]) for rater in "abc"}
    parts = []
    for rater, place in first.items():
        score = np.column_stack([place, 3 - place]).ravel()
        parts.append(pd.DataFrame({"item": np.arange(80), "rater": rater, "score": score}))
    data = ratings.Ratings(items, pd.concat(parts, ignore_index=True), "simulated")
    judged = pd.DataFrame({"item": np.arange(80), "judge": "j", "score": [2.0, 1.0] * 40})
    found = alternative.replace_raters(data, judged, unit=("set",))
    assert found.at["j", "n"] == 3
    assert found.at["j", "wins at 0.2"] == 1, "who prefers what most raters prefer is nearer"
    cases = ratings.find_cases(data)
    score = cases["item"].map(judged.set_index("item")["score"]).to_numpy()
    deficits = alternative.list_deficits(cases, score, ("set",))
    assert deciding.count_units_needed(deficits, 0.2) >= alternative.LEAST


def test_a_group_without_a_pair_leaves_the_levels_of_the_others():
    by_people = np.array([[1.0, 2.0, 0.0], [1.0, -1.0, 0.0], [2.0, 1.0, 1.0]])
    by_judge = np.array([[1.0, 2.0, 0.0], [np.nan] * 3, [1.0, -1.0, 0.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        accuracy, (without_each,) = levels.order_items(by_people, by_judge)
    assert accuracy == pytest.approx((1 + 1 / 3) / 2)
    assert without_each == pytest.approx([1 / 3, 1])


def test_writers_and_items_are_told_apart_and_each_is_counted_by_hand():
    data, true = simulate(3, groups=25, writers=4, spread=2.0, error=0.3)
    writer = data.items["writer"].to_numpy()
    given = {
        "knows writers": writer + 1e-3 * np.sin(true),
        "perfect": true,
        "coarse": (true / 2).round(),
    }
    said = pd.concat(
        [pd.DataFrame({"item": true.index, "judge": k, "score": v}) for k, v in given.items()]
    )
    found = levels.compare_levels(data, said, np.random.default_rng(1))["estimate"].unstack()
    assert found.loc["perfect"].min() > 0.95 and found.loc["knows writers", levels.LEVELS[0]] > 0.9
    assert found.loc["knows writers", levels.LEVELS[1]] < 0.75
    people = ratings.find_cases(data, "all")["target"].to_numpy().reshape(25, 4)
    judge = given["coarse"].to_numpy().reshape(25, 4)
    pairs, rng = [(i, j) for i in range(4) for j in range(i + 1, 4)], np.random.default_rng(9)

    def chance(side, i, j):
        lead = side[:, i] - side[:, j]
        drawn = rng.choice([-1, 1], size=(20_000, 25)) @ lead
        return (drawn < lead.sum()).mean() + (drawn == lead.sum()).mean() / 2

    soft = 1 - np.mean([abs(chance(people, *pair) - chance(judge, *pair)) for pair in pairs])
    assert found.loc["coarse", levels.LEVELS[0]] == pytest.approx(soft, abs=0.03)
    exact = []
    for group in range(25):
        right = {}
        for step in range(8):
            for k in range(25):
                d = [(people[k, i] - people[k, j], judge[k, i] - judge[k, j]) for i, j in pairs]
                right[step, k] = np.mean([np.sign(a) == (abs(b) > step) * np.sign(b) for a, b in d])
        best = max(
            range(8), key=lambda s: round(sum(right[s, k] for k in range(25) if k != group), 9)
        )
        exact.append(right[best, group])
    assert found.loc["coarse", levels.LEVELS[1]] == pytest.approx(np.mean(exact))


@pytest.fixture
def points():
    """Return (simulated ratings in points, the true heights of items, the scores of a judge who
    gives 0.4 of the height, and 1)."""
    data, true = simulate(4, groups=40, raters=4, error=0.2)
    return data, true, pd.DataFrame({"item": true.index, "judge": "j", "score": 0.4 * true + 1})


def test_leniency_and_slope_of_a_judge_are_recovered_in_points(points):
    data, true, scores = points
    found = strictness.find_strictness(data, scores)["estimate"]
    average = data.ratings["score"].mean()  # the height of the average item by the average rater
    leniency = 0.4 * true.mean() + 1 - average
    assert found["j", "slope"] == pytest.approx(0.4, abs=0.05)
    assert found["j", "leniency"] == pytest.approx(leniency, abs=0.02)


def test_two_points_more_are_leniency_and_no_slope(points):
    data, _, scores = points
    found = strictness.find_strictness(data, scores)["estimate"]
    kinder = strictness.find_strictness(data, scores.assign(score=scores["score"] + 2))["estimate"]
    assert (kinder - found)["j"].tolist() == pytest.approx([2, 0], abs=1e-6)


def test_a_person_is_neither_lenient_nor_flat_in_points(points):
    data, _, scores = points
    found = strictness.find_strictness(data, scores)["estimate"]
    assert found[compare.PERSON, "slope"] == pytest.approx(1, abs=0.05)
    assert abs(found[compare.PERSON, "leniency"]) < 0.05


def test_in_logits_who_follows_has_a_slope_and_who_never_says_yes_is_strict():
    data, true = simulate(5, groups=20, raters=5, aspects=8, binary=True)
    cases = data.ratings.drop_duplicates(["item", "aspect"])[["item", "aspect"]]
    logits = {"follows": cases["item"].map(true) + 1, "never": np.full(len(cases), -2.0)}
    luck = np.random.default_rng(1).random((2, len(cases)))  # judges × cases
    scores = []
    for name, row in zip(logits, luck):
        yes = row < expit(logits[name])
        scores.append(cases.assign(judge=name, score=1.0 * yes))
    found = strictness.find_strictness(data, pd.concat(scores))
    assert found.loc[("follows", "slope"), "low"] > 0.4
    assert found.loc[("never", "leniency"), "high"] < 0
    assert found.loc[("never", "slope"), "low"] < 0 < found.loc[("never", "slope"), "high"]
    assert found.loc[(compare.PERSON, "slope"), "low"] > 0.7


def correct_rate(labels, said, rest):
    """Return the true mean from few labels and a judge on everything (estimate, low, high, n:
    labels).

    labels: of the labelled cases, drawn at random (0/1, or scores); said: what the judge says of
    them; rest: of the unlabelled (floats). Prediction-powered inference with its tuned weight
    between 0, for a useless judge, and 1 (Angelopoulos, Duchi & Zrnic 2023).
    """
    n, more = len(labels), len(rest)
    spread = np.concatenate([said, rest]).var(ddof=1)
    tuned = np.cov(labels, said, ddof=0)[0, 1] / ((1 + n / more) * spread) if spread else 0
    weight = np.clip(tuned, 0, 1)
    estimate = labels.mean() + weight * (rest.mean() - said.mean())
    error = np.sqrt((labels - weight * said).var(ddof=1) / n + weight**2 * rest.var(ddof=1) / more)
    return intervals.row(estimate, estimate - 1.96 * error, estimate + 1.96 * error, n)


def draw_rate(target, said, labelled, rng):
    """Return what `labelled` labels, drawn at random, say about the mean of `target`: alone, and
    with a judge (rows estimate, low, high, n).

    target, said: one number per case; cases without an answer (nan) are left out. At most half of
    the cases are labelled.
    """
    known = ~np.isnan(said + target)
    target, said = target[known], said[known]
    labelled = min(labelled, len(target) // 2)
    mine, rest = np.split(rng.permutation(len(target)), [labelled])
    rows = {f"{labelled} labels alone": intervals.of_mean(target[mine])}
    helped = correct_rate(target[mine], said[mine], said[rest])
    return pd.DataFrame(rows | {f"{labelled} labels and the judge": helped}).T


@pytest.mark.parametrize("error", [0.1, 0.4, 0.9])
def test_a_corrected_rate_is_the_published_formula(error):
    rng = np.random.default_rng(5)
    y = (rng.random(600) < 0.35).astype(float)
    f = np.where(rng.random(600) < error, 1 - y, y)
    n, big = 80, 520
    # equations 3 and 4 and the tuning rule of PPI++; agrees with ppi-python 0.2.3, truescore 0.7.4
    both = ((y[:n] - y[:n].mean()) * (f[:n] - f[:n].mean())).mean()
    weight = min(max(both / ((1 + n / big) * np.var(f, ddof=1)), 0), 1)
    mean = weight * f[n:].mean() + (y[:n] - weight * f[:n]).mean()
    spread = weight**2 * np.var(f[n:], ddof=1) / big + np.var(y[:n] - weight * f[:n], ddof=1) / n
    found = correct_rate(y[:n], f[:n], f[n:])
    ends = mean + 1.96 * np.sqrt(spread) * np.array([0, -1, 1])
    assert found.tolist() == pytest.approx([*ends, 80])
    # a judge that is mostly wrong, or always says Yes, is left out
    assert error < 0.9 or found["estimate"] == pytest.approx(y[:n].mean())
    same = correct_rate(y[:n], np.ones(n), np.ones(big))
    assert same["estimate"] == pytest.approx(y[:n].mean())


def make_cases(seed, error):
    """240 cases of six aspects in twelve groups, passed at the aspects' own rates; a judge errs so
    often."""
    rng = np.random.default_rng(seed)
    group, aspect = np.repeat(np.arange(12), 20), np.tile(np.arange(20) % 6, 12)
    truth = rng.random(240) < np.linspace(0.15, 0.7, 6)[aspect]
    judge = truth ^ (rng.random(240) < error)
    return pd.DataFrame({"group": group, "aspect": aspect, "target": truth * 1.0, "judge": judge})


def fit_ridge(x, truth, low):
    """Return a logistic ridge's weights, the intercept first and none below `low`, by scipy."""
    x, sign = np.column_stack([np.ones(len(x)), x]), np.where(truth, 1, -1)

    def loss(w):
        margin = sign * (x @ w)
        slope = -(x.T @ (sign * expit(-margin))) + np.r_[0, w[1:]]
        return np.logaddexp(0, -margin).sum() + w[1:] @ w[1:] / 2, slope

    start, bounds = np.zeros(x.shape[1]), [(end, None) for end in low]
    return optimize.minimize(
        loss, start, jac=True, bounds=bounds, options={"ftol": 0, "gtol": 1e-9}
    ).x


@pytest.mark.parametrize("error", [0.3, 0.7])
def test_probabilities_are_a_ridge_on_the_other_groups_and_a_yes_never_counts_against(error):
    table = make_cases(1, error)
    found = adds.predict(table, table["judge"])
    x, judge = np.eye(6)[table["aspect"]], table[["judge"]].to_numpy(float)
    x = np.hstack([x, judge])
    for group in (0, 11):
        mine = table["group"].to_numpy() == group
        low = [-np.inf] * 7 + [0] * (x.shape[1] - 6)
        weights = fit_ridge(x[~mine], table["target"][~mine] > 0.5, low)
        assert found[mine] == pytest.approx(expit(weights[0] + x[mine] @ weights[1:]), abs=1e-3)
    if error == 0.7:
        assert adds.find_gain(table, table["judge"])["estimate"] == 0, "a judge read in reverse"


def test_a_judge_that_reads_adds_to_the_aspects_and_a_coin_or_who_wrote_told_before_does_not():
    table = make_cases(3, 0.2)
    reads = adds.find_gain(table, table["judge"])
    guesses = [adds.predict(table, x) for x in (table["judge"], None)]

    def gain(rows):
        return np.subtract(*(roc_auc_score(table["target"][rows], one[rows]) for one in guesses))

    slow = intervals.over_groups(table["group"], gain)
    assert reads[["low", "high", "n"]].tolist() == pytest.approx(
        slow[["low", "high", "n"]].tolist()
    )
    coin = make_cases(3, 0.5)
    assert adds.find_gain(coin, coin["judge"])["low"] < 0.02
    told = table.assign(writer=table["judge"])
    assert abs(adds.find_gain(told, told["judge"], ("aspect", "writer"))["estimate"]) < 0.01
    some = table.assign(target=table["target"].where(table.index % 9 > 0, 0.5))  # people tie
    part, kept = adds.find_gain(some, table["judge"]), some["target"] != 0.5
    guess = adds.predict(some[kept], table["judge"][kept])
    assert part["auc"] == pytest.approx(roc_auc_score(some["target"][kept], guess))
    assert np.isnan(adds.find_gain(table[:20], table["judge"][:20])["estimate"]), "one group"


def test_the_gain_without_an_aspect_is_that_on_the_others_and_the_smallest_is_first():
    data, true = simulate(7, groups=12, raters=3, error=0.5)
    given = [data.ratings.assign(aspect=name, score=data.ratings["score"] > 0) for name in "ab"]
    data = data._replace(ratings=pd.concat(given))
    scores = pd.DataFrame({"item": true.index, "judge": "j", "score": true > 0})
    scores = pd.concat([scores.assign(aspect="a"), scores.assign(aspect="b", score=1.0)])
    found = adds.find_gains_without(data, scores)
    rest = data._replace(ratings=given[0])
    assert found["estimate"].idxmin() == found.index[0] == "a", "b alone adds nothing"
    alone = adds.find_gains(rest, scores).loc["j"]
    assert found.loc["b"].tolist() == pytest.approx(alone[compare.ENDS].tolist())


def test_turned_preferences_and_repeated_answers_by_hand():
    first, second = [1, 1, -1, 0, 2], [1, -1, -2, 1, 0]
    found = steadiness.count_turned(first, second)
    assert found.tolist() == pytest.approx(intervals.of_share(1, 3).tolist())
    grouped = steadiness.count_turned([1, 1, 2, -1, 3], [1, -1, 1, 2, -1], list("aabbc"))
    expected = intervals.over_groups(list("aabbc"), lambda rows: np.isin(rows, [1, 3, 4]).mean())
    assert grouped.tolist() == pytest.approx(expected.tolist())
    data = ratings.Ratings(pd.DataFrame({"item": list("abc"), "group": [0, 1, 2]}), None, "own")
    said = pd.DataFrame({"item": list("aaabbbc"), "judge": "j", "score": [1, 1, 0, 2, 2, 2, 1]})
    said = pd.concat([said, said[-1:].assign(judge="once")])
    again = steadiness.count_repeated(data, said)
    assert again.loc["j", ["estimate", "n"]].tolist() == pytest.approx([(1 / 3 + 1) / 2, 2])
    assert list(again.index) == ["j"], "who was asked once has no row"


def test_writers_who_never_meet_are_not_ranked():
    items = pd.DataFrame({"item": range(30), "group": range(30)})
    items["writer"] = items["item"] % 3
    rows = pd.DataFrame({"item": np.tile(range(30), 2), "rater": np.repeat([0, 1], 30)})
    rows["score"] = np.random.default_rng(2).normal(size=60)
    told = items[["item"]].assign(judge="j", score=range(30))
    table = levels.compare_levels(
        ratings.Ratings(items, rows, "own"), told, np.random.default_rng(1)
    )
    assert table["estimate"].isna().all(), "no group holds items by two writers"


def test_where_no_item_has_two_raters_nobodys_leniency_is_known():
    items = pd.DataFrame({"item": range(12), "group": range(12)})
    rows = pd.DataFrame({"item": range(12), "rater": "a", "score": np.arange(12) % 4})
    scores = pd.DataFrame({"item": range(12), "judge": "j", "score": np.arange(12) % 3})
    found = strictness.find_strictness(ratings.Ratings(items, rows, "own"), scores)
    everything = [(who, what) for who in ("j", compare.PERSON) for what in ("leniency", "slope")]
    assert found.index.tolist() == everything
    assert found[["estimate", "low", "high"]].isna().all(axis=None)
