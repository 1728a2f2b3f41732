"""The one comparison: cases and controls by hand, measures against scipy and scikit-learn, known
truths recovered."""

import importlib.util

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison import compare, controls
from goodjudge.data import ratings
from goodjudge.stats import covariates as unread
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics
from goodjudge.stats.jackknife import leave_out
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from test_intervals import two_way

from helpers.sources.public import ROOT

BINARY = (statistics.balanced_accuracy, statistics.auc)
MEASURES = (statistics.pearson, statistics.spearman, statistics.mean_spearman, statistics.kendall)
MEASURES += (statistics.pairwise_accuracy, *BINARY)


def load_passport():
    spec = importlib.util.spec_from_file_location("passport", ROOT / "benchmarks" / "passport.py")
    passport = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(passport)
    return passport


PASSPORT = load_passport()


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
    fast = leave_out(measure, *given, groups)
    slow = [measure(*(side[groups != k] for side in given)) for k in range(9)]
    assert fast == pytest.approx(slow)
    assert len(set(fast.round(6))) > 5


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


def test_a_judges_repeats_are_averaged_and_a_refusal_is_no_answer():
    scores = pd.DataFrame({"item": list("aabdd"), "score": [1, 3, 0, 7, 9], "judge": "j"})
    scores["status"] = ["ok", "ok", "ok", "ok", "refused"]
    scores["repeat"] = [0, 1, 0, 0, 1]
    matched = ratings.match_scores(ratings.find_cases(FOUR), scores)["j"]
    assert matched.tolist() == [2, 2, 2, 0, 0, 7, 7]


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
    found = controls.mean_elsewhere(unread.lay_out(pd.DataFrame(cases)), ["writer"])
    np.testing.assert_array_equal(found, [4, 1, 3.5, 0, 1.5, np.nan])
    rng, groups = np.random.default_rng(2), np.repeat(np.arange(8), 5)
    table = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("abc")).assign(group=groups, e=1.0)
    table["target"] = 3 - 2 * table["c"]
    guess, chosen = controls.best_count(table, ["a", "b", "c", "e"])
    assert set(chosen.values()) == {"c"}
    assert guess == pytest.approx(table["target"].to_numpy())
    noise = table.assign(target=rng.normal(size=40))
    moved = noise.assign(target=noise["target"].where(groups != 3, 100 * table["a"]))
    before, after = (controls.best_count(one, list("abc")) for one in (noise, moved))
    assert (before[0] == after[0])[groups == 3].all()
    assert before[1][3] == after[1][3]
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
    assert best[compare.ENDS].tolist() == [0, 0, 0, 12]
    assert found.attrs["found"] > 90
    # nothing is taken off: the lead is the correlation, its interval not on Fisher's scale
    assert j["over control"] == j["estimate"] > j["over control low"] > 0 < j["visible"]


def test_length_leans_the_way_that_other_groups_show():
    table = pd.DataFrame({"group": np.repeat(np.arange(10), 3), "words": np.tile([3.0, 5, 9], 10)})
    table["words"] += 100 * table["group"]  # longer groups are better, and shorter items in each
    table["target"] = 1000.0 * table["group"] - table["words"] % 100
    table.loc[3, "target"] = np.nan
    groups = table["group"].to_numpy()

    def follow(target, labels):
        words = table["words"].to_numpy()
        return controls.follow_length(words, target.to_numpy(), groups, labels)

    together = np.zeros(30, int)
    assert (follow(table["target"], together) == table["words"]).all()
    assert (follow(table["target"], groups) == -table["words"]).all()
    turned = table["target"].where(groups != 9, 10 * table["words"])
    last = follow(turned, groups)[-3:]
    assert (np.diff(last) < 0).all(), "its own group is not seen"


@pytest.mark.parametrize(("prompts", "gap"), [(12, 1.2)])
def test_who_knows_only_the_writer_does_not_lead_the_control_that_knows_the_writer(prompts, gap):
    leads = []
    for seed in range(20):
        rng = np.random.default_rng([5, seed, prompts])
        writer = np.tile([0, 1], prompts)
        items = pd.DataFrame({"item": np.arange(2 * prompts), "group": np.arange(2 * prompts) // 2})
        true = gap * writer + 0.7 * rng.normal(size=len(items))
        scores = true[:, None] + 0.8 * rng.normal(size=(len(items), 3))
        item, rater = np.indices(scores.shape).reshape(2, -1)
        table = pd.DataFrame({"item": item, "rater": rater, "score": scores.ravel()})
        data = ratings.Ratings(items.assign(writer=writer), table, "simulated")
        judge = items[["item"]].assign(judge="j", score=6.0 + 2 * writer)
        found = compare.compare(data, judge, statistics.pearson, simulate=False)
        leads.append(found.at["j", "over control"])
    assert abs(np.mean(leads)) < 0.02, "learnt group by group on one scale for all: .06 to .16"


def simulate(seed, groups=200, writers=4, raters=3, spread=1.0, error=1.0, aspects=1, binary=False):
    """Return (Ratings, true score of each item): writers differ by 1, items by `spread`."""
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product([range(groups), range(writers)], names=["group", "writer"])
    items = index.to_frame(index=False).rename_axis("item").reset_index()
    true = items["writer"] + spread * rng.normal(size=len(items))
    table = items[["item"]].merge(pd.DataFrame({"rater": range(raters)}), how="cross")
    table = table.merge(pd.DataFrame({"aspect": range(aspects)}), how="cross")
    strict = rng.normal(size=raters)
    said = table["item"].map(true) + strict[table["rater"]] + error * rng.normal(size=len(table))
    table["score"] = (said > 1.5).astype(float) if binary else said
    items["words"] = rng.integers(50, 500, len(items))
    return ratings.Ratings(items, table, "simulated"), true


# of `simulate`: within a rater's cases the target is the true score + the mean of two errors
BETWEEN_WRITERS = 1.25  # the variance of 0, 1, 2, 3
TRUE = BETWEEN_WRITERS + 1  # and of items
RELIABILITY = TRUE / (TRUE + 1 / 2)


@pytest.fixture(scope="module")
def known():
    """Return (data, scores, comparison) of a known truth: a judge that is as noisy as a person, a
    perfect one, one that always says the same."""
    data, true = simulate(1)
    noise = np.random.default_rng(5).normal(size=len(true))
    noisy = pd.DataFrame({"item": true.index, "judge": "noisy", "score": true + noise})
    perfect = noisy.assign(judge="perfect", score=true)
    scores = pd.concat([noisy, perfect, noisy.assign(judge="flat", score=3)])
    return data, scores, compare.compare(data, scores, statistics.pearson, within=("rater",))


def test_the_ceiling_is_the_root_of_the_targets_reliability(known):
    found = known[-1]
    ceiling, perfect = found.loc[compare.CEILING], found.loc["perfect", "estimate"]
    assert ceiling["estimate"] == pytest.approx(np.sqrt(RELIABILITY), abs=0.02)
    assert perfect == pytest.approx(ceiling["estimate"], abs=0.02)
    assert ceiling["low"] < perfect < ceiling["high"]
    assert found.attrs["found"] == 100


def test_a_known_truth_is_recovered(known):
    noisy = known[-1].loc["noisy"]
    expected = np.sqrt(RELIABILITY * TRUE / (TRUE + 1))
    assert noisy["low"] < expected < noisy["high"]
    assert noisy["estimate"] == pytest.approx(expected, abs=0.03)


YES_NO = statistics.balanced_accuracy, ("aspect",)  # a measure, and within what


def rate_yes_no(cases, score, rows=slice(None)):
    """Return the balanced accuracy of one score per case over some rows."""
    sides = score, cases["target"].to_numpy(), cases["aspect"].to_numpy()
    return statistics.balanced_accuracy(*(side[rows] for side in sides))


def choose_plainly(cases, folds):
    """Return the best control's guess for each case: learnt on the other groups, and chosen for
    each fold by controls that were learnt without it."""
    unread = controls.make_controls(cases, *YES_NO)
    guess = np.full(len(cases), np.nan)
    for fold in np.unique(folds):
        others = cases[folds != fold].reset_index(drop=True)
        learnt = controls.make_controls(others, *YES_NO)  # the fold is not seen
        worth = {name: round(rate_yes_no(others, one), 9) for name, one in learnt.items()}
        best = max(worth, key=worth.get)
        guess[folds == fold] = unread[best][folds == fold]
    return guess


@pytest.fixture(scope="module")
def yes_no():
    """Return (`Ratings` of Yes and No in twelve groups, a judge's scores, its score per case)."""
    data, true = simulate(2, groups=12, raters=2, aspects=2, binary=True)
    scores = pd.DataFrame({"item": true.index, "judge": "j", "score": (true > 1) * 1.0})
    cases = ratings.find_cases(data)
    return data, scores, cases["item"].map(scores.set_index("item")["score"]).to_numpy()


def test_a_judges_interval_is_that_of_the_jackknife(yes_no):
    data, scores, score = yes_no
    cases = ratings.find_cases(data)
    one = compare.compare(data, scores, YES_NO[0], within=YES_NO[1], simulate=False).loc["j"]
    expected = intervals.over_groups(cases["group"], lambda rows: rate_yes_no(cases, score, rows))
    assert one[compare.ENDS].tolist() == pytest.approx(expected.tolist())


def test_the_interval_of_a_lead_holds_what_learning_and_choosing_the_control_add(yes_no):
    data, scores, score = yes_no
    cases = ratings.find_cases(data)
    groups = cases["group"].to_numpy()
    guess = choose_plainly(cases, groups)
    fifths = pd.factorize(groups)[0] % 5
    moves = []
    for fifth in range(5):
        kept = fifths != fifth
        fewer = cases[kept].reset_index(drop=True)
        anew = rate_yes_no(fewer, choose_plainly(fewer, fifths[kept]))
        moves.append(anew - rate_yes_no(fewer, guess[kept]))
    leads = [
        rate_yes_no(cases, score, rows) - rate_yes_no(cases, guess, rows)
        for rows in (groups != group for group in np.unique(groups))
    ]
    variance = 11 * np.var(leads) + np.var(moves)
    lead = rate_yes_no(cases, score) - rate_yes_no(cases, guess)
    half = stats.t.ppf(0.975, 11) * np.sqrt(variance)
    one = compare.compare(data, scores, YES_NO[0], within=YES_NO[1], simulate=False).loc["j"]
    ends = one[["over control", "over control low", "over control high"]]
    assert np.var(moves) > 0
    assert ends.tolist() == pytest.approx([lead, lead - half, lead + half])


def test_an_interval_over_writers_and_groups_is_that_of_two_ways(yes_no):
    data, scores, score = yes_no
    data = data._replace(items=data.items.assign(writer=data.items["item"] % 7))
    cases = ratings.find_cases(data)
    how = {"within": YES_NO[1], "over": ("writer", "group"), "simulate": False}
    two = compare.compare(data, scores, YES_NO[0], **how).loc["j"]
    expected = two_way(
        cases["writer"], cases["group"].to_numpy(), lambda rows: rate_yes_no(cases, score, rows)
    )
    assert two[compare.ENDS].tolist() == pytest.approx(expected.tolist())


def test_intervals_of_several_judges_together_are_wider_and_of_one_judge_as_they_are():
    data, true = simulate(5, groups=16)
    rng = np.random.default_rng(0)
    judges = pd.DataFrame({"item": np.tile(true.index, 3), "judge": np.repeat([*"abc"], len(true))})
    judges["score"] = np.tile(true, 3) + rng.normal(0, 2, len(judges))

    def both_ways(scores):
        how = {"measure": statistics.spearman, "simulate": False}
        return [compare.compare(data, scores, **how, together=way) for way in (False, True)]

    each, together = both_ways(judges)
    pd.testing.assert_series_equal(each["estimate"], together["estimate"])
    of_judges = each["kind"] == "judge"
    for low, high in (("low", "high"), ("over person low", "over person high")):
        wider = (together[high] - together[low]) - (each[high] - each[low])
        assert (wider[of_judges] > 0.02).all()
    pd.testing.assert_frame_equal(each[~of_judges], together[~of_judges])
    pd.testing.assert_frame_equal(*both_ways(judges[judges["judge"] == "a"]))


def test_one_rater_is_no_person_and_says_nothing_of_a_ceiling():
    data, true = simulate(3, groups=10, raters=1)
    scores = pd.DataFrame({"item": true.index, "judge": "j", "score": true})
    found = compare.compare(data, scores, statistics.spearman, target="all")
    assert found.loc[[compare.PERSON, compare.CEILING], "estimate"].isna().all()
    assert found.loc["j", "low"] > 0.2
    assert np.isnan(found.attrs["found"])
    rows = compare.summarise(found, "j")
    lead = rows.loc["the judge less control that a user could have", "estimate"]
    assert lead == found.loc["j", "over stranger"] != found.loc["j", "over control"]
    alone = found.copy()
    alone.attrs["control"] = found.attrs["stranger"]  # as where no control knows the author
    lead = compare.summarise(alone, "j").loc["the judge less control that a user could have"]
    assert lead["estimate"] == found.loc["j", "over control"]
    again = compare.from_values(compare.to_values({"poems": rows}) | {"other": 1.0})
    pd.testing.assert_frame_equal(again.loc["poems"], rows, check_names=False)


def draw(name, studies):
    """Return what `compare` says of some studies of a design of the passport."""
    drawn = [PASSPORT.DESIGNS[name](PASSPORT.seed_of(name, k)) for k in range(studies)]
    table = [PASSPORT.measure_study(study, k) for k, study in enumerate(drawn)]
    return pd.DataFrame(table).astype(float)


@pytest.mark.parametrize(
    ("design", "studies"),
    [("ordinary: 60 texts, 3 raters", 8), ("Yes/No, plots differ", 3), ("ranks, 40 triples", 3)],
)
def test_the_ceiling_is_what_a_judge_that_is_told_the_truth_reaches(design, studies):
    found = draw(design, studies)
    assert found["ceiling estimate"].notna().all()
    both = found[["ceiling estimate", "oracle estimate"]].mean()
    assert both["ceiling estimate"] == pytest.approx(both["oracle estimate"], abs=0.03)
    truth = found["oracle estimate"].mean()
    held = (found["ceiling low"] < truth) & (truth < found["ceiling high"])
    assert held.sum() >= studies - 2


def test_noise_has_no_ceiling():
    found = draw("noise", 10)
    assert found["ceiling estimate"].notna().sum() <= 2
    assert abs(found["person estimate"].mean()) < 0.08
