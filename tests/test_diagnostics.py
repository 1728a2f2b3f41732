"""Diagnostics of the package, what a judge adds, order effects: by hand, by the papers' own recipe,
or on a known truth."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.data import ratings
from goodjudge.diagnostics import alt_test as alternative
from goodjudge.diagnostics import consistency as steadiness
from goodjudge.diagnostics import reliability as people
from goodjudge.diagnostics import system_level as levels
from goodjudge.stats import intervals
from scipy import optimize, stats
from scipy.special import expit
from sklearn.metrics import roc_auc_score

from helpers.refbased import method as refbased
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
    twice = pd.DataFrame({"item": list("cc"), "judge": "j", "score": [0, 0], "status": "refused"})
    twice.loc[0, "status"] = "ok"  # two other answers to "c" in all, and one that does not count
    more = steadiness.count_repeated(data, pd.concat([said.assign(status="ok"), twice]))
    assert more.loc["j", ["estimate", "n"]].tolist() == pytest.approx([(1 / 3 + 1 + 0) / 3, 3])


def test_a_judge_that_always_prefers_the_first_is_turned_by_every_swap():
    table = pd.DataFrame({"group": "g", "writer": ["a", "b"], "test": 1, "plus": [1.0, 2.0]})
    table["minus"] = table["plus"]
    rows = refbased.read_order(table)
    assert rows["estimate"].tolist() == [1.0, 1.0, 1.5]
    assert rows["low"].isna().all(), "one group has no interval"
    assert (refbased.mean_preference(table) == 0).all(axis=None)


def test_judges_agree_beyond_chance_as_counted_by_hand():
    rows = pd.MultiIndex.from_product([range(3), range(2)], names=["group", "item"])
    given = pd.DataFrame({"a": [1, 1, 0, 0, 1, 0], "b": [1, 0, 0, 1, 1, np.nan]}, rows)
    given["c"] = 1 - given["a"]
    pairs = {"one": [("a", "b")], "two": [("a", "b"), ("a", "c")]}
    found = steadiness.find_kappas(given, pairs, "one")
    # of five questions three have the same answer; both say Yes to three of five
    chance = 0.6**2 + 0.4**2
    kappa = (0.6 - chance) / (1 - chance)
    assert found["estimate"].tolist() == pytest.approx([kappa, (kappa - 1) / 2])
    assert found["n"].tolist() == [3, 3]
    assert found.loc["two", "less"] == pytest.approx((kappa - 1) / 2 - kappa)
    assert np.isnan(found.loc["one", "less"]), "not beside itself"
    assert np.isnan(steadiness.find_kappa(np.ones(4), np.ones(4)))
