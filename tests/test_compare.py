"""The one comparison: cases and controls by hand, measures against scipy and scikit-learn, known
truths recovered."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from test_intervals import two_way

from helpers.measures import agreement, compare, controls, intervals, ratings, statistics

BINARY = (statistics.balanced_accuracy, statistics.auc)
MEASURES = (statistics.pearson, statistics.spearman, statistics.mean_spearman, statistics.kendall)
MEASURES += (statistics.pairwise_accuracy, *BINARY)


def ordered(score, target):
    """Return the share of a label's pairs ordered alike, by hand."""
    pairs = [(i, j) for i in range(len(score)) for j in range(i) if target[i] != target[j]]
    return np.mean(
        [(1 + np.sign((score[i] - score[j]) * (target[i] - target[j]))) / 2 for i, j in pairs]
    )


def centred(score, target, labels):
    table = pd.DataFrame({"score": score, "target": target})
    return (table - table.groupby(labels).transform("mean")).round(9).to_numpy().T


def plain(measure, score, target, labels):
    """Return a measure by other people's code, label by label."""
    if measure is statistics.pearson:
        return np.corrcoef(centred(score, target, labels))[0, 1]
    if measure is statistics.spearman:
        return stats.spearmanr(*centred(score, target, labels))[0]
    one = {
        statistics.balanced_accuracy: lambda x, y: balanced_accuracy_score(y > 0.5, x >= 0.5),
        statistics.auc: lambda x, y: roc_auc_score(y > 0.5, x),
        statistics.kendall: lambda x, y: stats.kendalltau(x, y)[0],
        statistics.mean_spearman: lambda x, y: stats.spearmanr(x, y)[0],
        statistics.pairwise_accuracy: ordered,
    }[measure]
    parts = [labels == label for label in np.unique(labels)]
    kept = [p for p in parts if measure not in BINARY or (target[p] > 0.5).std()]
    return np.mean([one(score[part], target[part]) for part in kept])


@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_is_that_of_scipy_or_sklearn_and_leaving_out_is_the_slow_way(measure):
    rng = np.random.default_rng(1)
    labels, groups = rng.integers(0, 4, 120), rng.integers(0, 9, 120)
    target = rng.integers(0, 2, 120) if measure in BINARY else rng.integers(0, 4, 120)
    score = np.round(target + rng.normal(size=120), 1)
    target = np.where((labels == 3) & (measure in BINARY), 1, target)  # a test that all pass
    given = score, target.astype(float), labels
    assert measure(*given) == pytest.approx(plain(measure, *given))
    fast = statistics.leave_out(measure, *given, groups)
    slow = [measure(*(side[groups != k] for side in given)) for k in range(9)]
    assert fast == pytest.approx(slow) and len(set(fast.round(6))) > 5


def test_what_is_not_defined_is_missing_and_what_knows_only_the_test_is_guessing():
    target, labels = np.tile([0.0, 1], 30), np.repeat([0, 1], 30)
    assert np.isnan(statistics.pearson(np.ones(60), target, labels))
    assert statistics.pairwise_accuracy(np.ones(60), target, labels) == 0.5
    assert statistics.balanced_accuracy(labels * 1.0, target, labels) == 0.5
    assert np.isnan(statistics.auc(target, np.ones(60), labels))


def make(rows, **items):
    """Return Ratings from (item, rater, score[, aspect]) rows; every item is its own group."""
    table = pd.DataFrame(rows, columns=["item", "rater", "score", "aspect"][: len(rows[0])])
    facts = {"item": table["item"].unique(), "group": table["item"].unique()} | items
    return ratings.Ratings(pd.DataFrame(facts), table, "simulated")


FOUR = make(
    [("a", 1, 4), ("a", 2, 1), ("a", 3, 2), ("b", 1, 5), ("b", 2, None), ("b", 3, 3)]
    + [("c", 1, 1), ("d", 2, 0), ("d", 1, 2)]
)


def test_each_rater_in_turn_is_held_to_the_remaining_ones_by_hand():
    cases = ratings.find_cases(FOUR)
    found = cases[["item", "rater", "person", "target", "raters"]].to_numpy().tolist()
    assert found == [
        ["a", 1, 4, 1.5, 3], ["a", 2, 1, 3, 3], ["a", 3, 2, 2.5, 3],
        ["b", 1, 5, 3, 2], ["b", 3, 3, 5, 2], ["d", 1, 2, 0, 2], ["d", 2, 0, 2, 2],
    ]  # fmt: skip
    together = ratings.find_cases(FOUR, "all").set_index("item")["target"]
    assert together.to_dict() == pytest.approx({"a": 7 / 3, "b": 4, "c": 1, "d": 1})
    said = pd.DataFrame(
        {"item": list("aabdd"), "score": [1, 3, 0, 7, 9], "status": ["ok"] * 4 + ["refused"]}
    )
    said = ratings.match_scores(cases, said.assign(judge="j", repeat=[0, 1, 0, 0, 1]))["j"]
    assert said.tolist() == [2, 2, 2, 0, 0, 7, 7], "repeats are averaged, a refusal is no answer"
    rows = [
        ("a", r, s, t)
        for t, scores in (("x", (1, 1, 0)), ("y", (0, 1, 0)))
        for r, s in enumerate(scores)
    ]
    majority = ratings.take_majority(make(rows)).ratings
    assert majority["score"].tolist() == [1, 0] and set(majority["rater"]) == {"the majority"}
    cases = ratings.find_cases(make(rows))
    whole = pd.DataFrame({"item": ["a"], "judge": "j", "score": 5.0})
    assert ratings.match_scores(cases, whole)["j"].tolist() == [5] * 6, "for every aspect"


def test_equal_means_of_many_scores_are_ties_however_they_were_added_up():
    passed = [(a, b, c) for a in range(15) for b in range(15) for c in (3, 9)]  # of fourteen tests
    rows = [(f"{k}", r, n / 14) for k, one in enumerate(passed) for r, n in enumerate(one)]
    last = ratings.find_cases(make(rows)).query("rater == 2")
    total = last["item"].astype(int).map(lambda k: sum(passed[k][:2]))
    assert last["target"].groupby(total).nunique().eq(1).all()


def test_judge_and_person_are_rated_on_the_same_cases_and_missing_scores_leave_a_pair():
    said = pd.DataFrame({"item": list("abd"), "judge": "j", "score": [3.0, 4, 1]})
    found = compare.compare(FOUR, said, statistics.pearson)
    cases = ratings.find_cases(FOUR)
    judge = cases["item"].map({"a": 3, "b": 4, "d": 1})
    r = [np.corrcoef(one, cases["target"])[0, 1] for one in (judge, cases["person"])]
    assert found["estimate"][["j", compare.PERSON]].tolist() == pytest.approx(r)
    assert found.loc["j", "over person"] == pytest.approx(r[0] - r[1])
    assert found["low"].drop(compare.CEILING).isna().all() and found.loc["j", "n"] == 3, (
        "few groups"
    )
    partly = compare.compare(FOUR, said[said["item"] != "d"], statistics.pearson)
    there = cases["item"] != "d"
    judge, person = (
        np.corrcoef(x[there], cases["target"][there])[0, 1] for x in (judge, cases["person"])
    )
    assert partly.loc["j", "over person"] == pytest.approx(judge - person), "on what both answered"
    assert partly.loc[compare.PERSON, "estimate"] == pytest.approx(r[1])


def test_means_of_other_groups_by_hand_and_the_choice_of_a_count_never_peeks():
    cases = {"group": list("ppqqrr"), "writer": list("xyxyxz"), "target": [1.0, 0, 2, 1, 6, 5]}
    found = controls.mean_elsewhere(pd.DataFrame(cases), ["writer"])
    np.testing.assert_array_equal(found, [4, 1, 3.5, 0, 1.5, np.nan])
    rng, groups = np.random.default_rng(2), np.repeat(np.arange(8), 5)
    table = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("abc")).assign(group=groups, e=1.0)
    table["target"] = 3 - 2 * table["c"]
    guess, chosen = controls.best_count(table, ["a", "b", "c", "e"])
    assert set(chosen.values()) == {"c"} and guess == pytest.approx(table["target"].to_numpy())
    noise = table.assign(target=rng.normal(size=40))
    moved = noise.assign(target=noise["target"].where(groups != 3, 100 * table["a"]))
    before, after = (controls.best_count(one, list("abc")) for one in (noise, moved))
    assert (before[0] == after[0])[groups == 3].all() and before[1][3] == after[1][3]
    assert (before[0] != after[0])[groups != 3].any()


def test_where_no_control_follows_people_the_best_one_is_a_constant_and_its_correlation_0(rng):
    items = pd.DataFrame({"item": np.arange(36), "group": np.arange(36) // 3})
    true = rng.normal(size=36)
    rated = [
        pd.DataFrame({"item": np.arange(36), "rater": name, "score": true + rng.normal(size=36)})
        for name in "abc"
    ]
    data = ratings.Ratings(items, pd.concat(rated), "own")
    judge = pd.DataFrame({"item": np.arange(36), "judge": "j", "score": true})
    found = compare.compare(data, judge, statistics.pearson)
    best, j = found.loc[found.attrs["control"]], found.loc["j"]
    assert best.name == controls.CONSTANT
    assert best[compare.ENDS].tolist() == [0, 0, 0, 12] and found.attrs["found"] > 90
    # nothing is taken off: the lead is the correlation, its interval not on Fisher's scale
    assert j["over control"] == j["estimate"] > j["over control low"] > 0 < j["visible"]


def test_length_leans_the_way_that_other_groups_show():
    table = pd.DataFrame({"group": np.repeat(np.arange(10), 3), "words": np.tile([3.0, 5, 9], 10)})
    table["words"] += 100 * table["group"]  # longer groups are better, and shorter items in each
    table["target"] = 1000.0 * table["group"] - table["words"] % 100
    table.loc[3, "target"] = np.nan
    assert (controls.follow_length(table) == table["words"]).all()
    assert (controls.follow_length(table, ("group",)) == -table["words"]).all()
    turned = table.assign(target=table["target"].where(table["group"] != 9, 10 * table["words"]))
    assert (controls.follow_length(turned, ("group",))[-3:] < 0).all(), "its own group is not seen"


def simulate(seed, groups=200, writers=4, raters=3, spread=1.0, error=1.0, aspects=1, binary=False):
    """Return (Ratings, true score of each item): writers differ by 1, items by `spread`."""
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product([range(groups), range(writers)], names=["group", "writer"])
    items = index.to_frame(index=False).rename_axis("item").reset_index()
    true = items["writer"] + spread * rng.normal(size=len(items))
    table = items[["item"]].merge(pd.DataFrame({"rater": range(raters)}), how="cross")
    table = table.merge(pd.DataFrame({"aspect": range(aspects)}), how="cross")
    severity = rng.normal(size=raters)
    said = table["item"].map(true) + severity[table["rater"]] + error * rng.normal(size=len(table))
    table["score"] = (said > 1.5).astype(float) if binary else said
    items["words"] = rng.integers(50, 500, len(items))
    return ratings.Ratings(items, table, "simulated"), true


def test_a_known_truth_is_recovered_and_the_ceiling_is_the_root_of_the_targets_reliability():
    data, true = simulate(1)
    rng = np.random.default_rng(5)
    noisy = true + rng.normal(size=len(true))
    scores = pd.DataFrame({"item": true.index, "judge": "noisy", "score": noisy})
    scores = pd.concat(
        [scores, scores.assign(judge="perfect", score=true), scores.assign(judge="flat", score=3)]
    )
    found = compare.compare(data, scores, statistics.pearson, within=("rater",))
    # within a rater's cases the target is true + the mean of two errors
    variance = 1.25 + 1  # of writers and of items
    reliability = variance / (variance + 1 / 2)
    ceiling, noisy = found.loc[compare.CEILING], found.loc["noisy"]
    assert ceiling["estimate"] == pytest.approx(np.sqrt(reliability), abs=0.02)
    assert found.loc["perfect", "estimate"] == pytest.approx(ceiling["estimate"], abs=0.02)
    assert ceiling["low"] < found.loc["perfect", "estimate"] < ceiling["high"]
    expected = np.sqrt(reliability * variance / (variance + 1))
    assert noisy["low"] < expected < noisy["high"] and noisy["estimate"] == pytest.approx(
        expected, abs=0.03
    )
    # a person has as much noise as this judge: no lead; authorship explains 1.25 of the variance
    assert noisy["over person low"] < 0 < noisy["over person high"]
    assert found.attrs["control"] == "authorship" and found.attrs["target"] == "the other raters"
    assert found.loc["authorship", "estimate"] == pytest.approx(
        np.sqrt(1.25 / (variance + 1 / 2)), abs=0.03
    )
    assert (
        noisy["over control low"] > 0 and 0 < noisy["visible"] < 0.1 and found.attrs["found"] == 100
    )
    assert np.isnan(found.loc["flat", "estimate"]) and np.isnan(found.loc["flat", "over control"])
    inside = compare.compare(data, scores, statistics.pearson, within=("rater", "writer"))
    assert not {"authorship", "the aspect's mean"} & set(inside.index), "they cannot differ there"
    assert inside.loc[compare.CEILING, "estimate"] == pytest.approx(np.sqrt(1 / 1.5), abs=0.03)


def test_intervals_are_those_of_the_jackknife_over_one_kind_of_groups_or_two():
    data, true = simulate(2, groups=12, raters=2, aspects=2, binary=True)
    scores = pd.DataFrame({"item": true.index, "judge": "j", "score": (true > 1) * 1.0})
    cases = ratings.find_cases(data)
    said = cases["item"].map(scores.set_index("item")["score"]).to_numpy()
    guess = controls.mean_elsewhere(cases, ["writer"])

    def rate(rows, score=said):
        return statistics.balanced_accuracy(
            score[rows], cases["target"].to_numpy()[rows], cases["aspect"].to_numpy()[rows]
        )

    given = data, scores, statistics.balanced_accuracy
    one = compare.compare(*given, within=("aspect",)).loc["j"]
    expected = intervals.over_groups(cases["group"], rate)
    assert one[compare.ENDS].tolist() == pytest.approx(expected.tolist())
    lead = intervals.over_groups(cases["group"], lambda rows: rate(rows) - rate(rows, guess))
    assert one[["over control", "over control low", "over control high"]].tolist() == pytest.approx(
        lead[:3].tolist()
    )
    data = data._replace(items=data.items.assign(writer=data.items["item"] % 7))
    two = compare.compare(data, *given[1:], within=("aspect",), over=("writer", "group")).loc["j"]
    writers = cases["item"] % 7
    assert two[compare.ENDS].tolist() == pytest.approx(
        two_way(writers, cases["group"], rate).tolist()
    )


def test_one_rater_is_no_person_and_says_nothing_of_a_ceiling():
    data, true = simulate(3, groups=10, raters=1)
    scores = pd.DataFrame({"item": true.index, "judge": "j", "score": true})
    found = compare.compare(data, scores, statistics.spearman, target="all")
    assert found.loc[[compare.PERSON, compare.CEILING], "estimate"].isna().all()
    assert found.loc["j", "low"] > 0.2 and np.isnan(found.attrs["found"])
    rows = compare.summarise(found, "j")
    assert rows.loc["the judge less authorship", "estimate"] == found.loc["j", "over control"]
    again = compare.from_values(compare.to_values({"poems": rows}) | {"other": 1.0})
    pd.testing.assert_frame_equal(again.loc["poems"], rows, check_names=False)


def test_known_severities_come_back_and_circles_of_raters_are_kept_apart():
    rng, rows = np.random.default_rng(4), []
    severity = dict(zip("abcde", [-1, 0, 2, 5, 9.0]))
    for item in range(60):
        circle = "abc" if item < 30 else "de"  # who never meet
        for rater in rng.permutation(list(circle))[:2]:
            rows.append((item, rater, item % 7 + severity[rater]))
    table, freedom = agreement.find_severity(make(rows))
    found = table.drop_duplicates("rater").set_index("rater")["severity"]
    assert (found - found["a"])[["b", "c"]].tolist() == pytest.approx([1, 3])
    assert found["e"] - found["d"] == pytest.approx(4) and found["d"] < 0 < found["e"]
    assert abs(table["severity"].mean()) < 1e-8 and freedom == 120 - 60 - 5 + 2
    free = agreement.remove_severity(make(rows)).ratings
    assert free.groupby("item")["score"].std().max() < 1e-6


def test_a_perfect_judge_knows_the_kind_of_version(rng):
    items = pd.MultiIndex.from_product([range(80), ["draft", "edit"]], names=["group", "kind"])
    items = items.to_frame(index=False).assign(item=np.arange(160), words=rng.normal(size=160))
    true = np.where(items["kind"] == "edit", 1.0, 0.0)
    rated = [
        pd.DataFrame({"item": items["item"], "rater": rater, "score": true + rng.normal(size=160)})
        for rater in "abc"
    ]
    nobody = pd.DataFrame({"item": [0], "judge": ["none"], "score": [np.nan]})
    found = {}
    for known in (["kind"], []):
        data = ratings.Ratings(items[["item", "group", "words", *known]], pd.concat(rated), "own")
        table = compare.compare(
            data, nobody, statistics.pairwise_accuracy, within=("group", "rater")
        )
        found[len(known)] = table.loc[compare.CEILING, "estimate"]
        person = table.loc[compare.PERSON, "estimate"]
    # the others' mean has an error of SD 1 / sqrt(2) per item, the edit's lead is 1
    assert found[1] == pytest.approx(stats.norm.cdf(1), abs=0.03) and found[1] > person
    assert found[0] < found[1] - 0.03
