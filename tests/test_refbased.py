"""The reference-based method from requests to scores, its stories, its controls and definitions."""

import itertools

import numpy as np
import pandas as pd
import pytest
from goodjudge.ask import JudgeError, labels
from goodjudge.comparison.compare import compare
from goodjudge.data.ratings import Ratings, average_aspects
from goodjudge.stats import intervals, rankings
from goodjudge.stats.metrics import mean_spearman, pairwise_accuracy
from scipy import stats

from helpers.refbased import (
    ask,
    averages,
    confederacy,
    controls,
    definitions,
    load,
    method,
    rebuild,
    tuning,
    vary,
)
from helpers.sources.public import DataError
from helpers.sources.published import Printed

TESTS = {1: "Is the end earned?", 2: "Is it original?"}
STORIES = pd.DataFrame(
    {"group": 1, "writer": ["a", "b"], "text": ["The cat sat on the mat.", "The dog ran away."]}
)
REFERENCES = {1: "A reference."}
PASSED = pd.DataFrame(  # tests passed by the stories of two groups, as three experts say
    [[9, 5, 1], [8, 6, 0], [7, 7, 2], [0, 9, 4], [3, 9, 0], [2, 8, 1]],
    columns=rebuild.LISTED,
    index=pd.MultiIndex.from_product([[0, 1], list("abc")], names=["group", "expert"]),
    dtype=float,
)


def answers(label_by_request):
    """Return answers as `judges.ask` does, of {group/writer/test/order: label}; None: unparsed."""
    about = [name.split("/") for name in label_by_request]
    table = pd.DataFrame(about, columns=["group", "writer", "aspect", "order"])
    table["aspect"] = table["aspect"].astype(int)
    labels = list(label_by_request.values())
    table = table.assign(judge="x", verdict=labels, usd=0.25)
    table["status"] = ["unparsed" if label is None else "ok" for label in labels]
    table["score"] = pd.to_numeric(table["verdict"], errors="coerce")
    return table


# story a of group 1: differences 4, -2, and one label missing; b: no test with both labels
LABELS = {
    "1/a/1/+": 2,
    "1/a/1/-": -2,
    "1/a/2/+": -1,
    "1/a/2/-": 1,
    "1/a/3/+": 2,
    "1/a/3/-": None,
    "1/b/1/+": 1,
    "1/b/1/-": None,
    "1/b/2/+": None,
    "1/b/2/-": 0,
    "2/a/1/+": 1,
    "2/a/1/-": 1,
    "2/b/1/+": 0,
    "2/b/1/-": 1,
}


def test_each_test_is_asked_twice_with_the_order_swapped():
    table = ask.requests(STORIES, REFERENCES, TESTS)
    text_by_writer = STORIES.set_index("writer")["text"]
    assert len(table) == 8
    assert not table.duplicated(["item", "aspect", "order"]).any()
    for row in table.itertuples():
        candidate = row.shared.index(text_by_writer[row.writer])
        candidate_is_first = candidate < row.shared.index("A reference.")
        assert candidate_is_first == (row.order == "+")


@pytest.mark.parametrize("variant", ask.ALONE)
def test_without_a_reference_each_test_is_asked_once(variant):
    table = ask.requests(STORIES, REFERENCES, TESTS, variant)
    assert table["item"].tolist() == ["1/a", "1/a", "1/b", "1/b"]
    assert table["aspect"].tolist() == [1, 2, 1, 2]
    assert not (table["shared"] + table["prompt"]).str.contains("A reference.").any()


def test_a_scale_of_three_points_is_asked_for_in_other_words():
    five = ask.requests(STORIES, REFERENCES, TESTS)
    three = ask.requests(STORIES, REFERENCES, TESTS, points=3)
    assert (three[["shared", "prompt"]] != five[["shared", "prompt"]]).any(axis=1).all()


def test_a_label_is_how_much_the_first_story_is_preferred():
    assert ask.reader.choices == {"1": 2, "2": 1, "3": 0, "4": -1, "5": -2}


def test_a_group_without_a_reference_is_refused():
    with pytest.raises(DataError, match="no reference for this group; there are some for 2"):
        ask.requests(STORIES, {2: "x"}, TESTS)


def test_a_story_is_not_compared_with_itself():
    with pytest.raises(DataError, match="the reference is the candidate itself"):
        ask.requests(STORIES, {1: "The  cat sat on the mat."}, TESTS)


@pytest.mark.parametrize(("limit", "requests"), [(0, 0), (1, 4), (7, 4), (8, 8)])
def test_a_limit_holds_whole_stories(limit, requests):
    options, _ = ask.options("any/x", "full", 5, TESTS, limit)
    assert options.limit == requests, "two tests in two orders a story"


@pytest.mark.parametrize("variant", ask.ALONE)
def test_without_a_reference_a_yes_or_no_is_read_and_asked_once(variant):
    options, reader = ask.options("any/x", variant, 5, TESTS, 5, seed=9)
    assert options.limit == 4
    assert options.seed == 9
    assert reader is labels.YES_NO


def test_where_only_a_label_is_wanted_a_grammar_holds_a_local_server_to_those_of_the_scale():
    options, reader = ask.options("local/x", "no analysis", 5, TESTS, 0)
    allowed = '"A>>B" | "A>B" | "A=B" | "B>A" | "B>>A"'
    assert options.params["grammar"] == f'root ::= "[[" ({allowed}) "]]"'
    assert options.max_output_tokens == 16
    assert reader.parse("[[A>>B]]") == 2


def test_a_local_server_says_yes_or_no_at_once_in_the_baseline():
    options, _ = ask.options("local/x", "baseline", 5, TESTS, 0)
    assert options.params["grammar"] == 'root ::= "Yes" | "No"'
    assert not options.structured
    analysed, _ = ask.options("local/x", "no reference", 5, TESTS, 0)
    assert analysed.structured and not analysed.params


def test_another_server_is_sent_no_grammar():
    options, _ = ask.options("openai/x", "no analysis", 5, TESTS, 0)
    assert not options.params


def test_two_labels_become_one_difference():
    table = method.labels(answers(LABELS))
    difference = table["plus"] - table["minus"]
    assert len(table) == 7, "of each story and test"
    assert difference[[0, 1, 5, 6]].tolist() == [4, -2, 0, -1]
    assert difference[2:5].isna().all(), "a label is missing"


@pytest.mark.parametrize(("cutoff", "passed"), [(0, 1), (method.V2_CUTOFF, 2), (-3, 2), (5, 0)])
def test_a_test_is_passed_from_the_cutoff_on(cutoff, passed):
    table = method.labels(answers(LABELS))
    assert method.scores(method.passes(table, cutoff)).at["1", "a"] == passed


def test_a_story_without_answers_has_no_score():
    scores, _ = method.read(answers(LABELS))
    assert scores.loc["1", "a"] == 2
    assert np.isnan(scores.loc["1", "b"])
    assert scores.loc["2"].tolist() == [1, 1]


def test_position_bias_by_hand():
    _, bias = method.read(answers(LABELS))
    tests, both, first, tie, second, contradicted = bias
    assert tests == 7
    assert both == pytest.approx(4 / 7)
    assert (first, tie, second) == pytest.approx((7 / 11, 2 / 11, 2 / 11))
    assert contradicted == pytest.approx(1 / 4)


def test_a_judge_without_one_test_in_both_orders_is_one_clear_error():
    with pytest.raises(JudgeError, match="judge x: no test has a usable label in both orders"):
        method.read(answers({"1/a/1/+": 2, "1/a/2/-": 1}))


def test_without_a_reference_the_tests_with_a_yes_are_counted():
    said = {"1/a/1/": "Yes", "1/a/2/": "Yes", "1/b/1/": None, "1/b/2/": "No", "2/a/1/": None}
    scores, bias = method.read(answers(said))
    assert scores.loc["1"].tolist() == [2, 0]
    assert np.isnan(scores.loc["2", "a"]), "no answer is no score"
    assert bias.empty
    assert ask.score(answers(said), "baseline")["score"].tolist() == [2, 0]


@pytest.fixture
def leaning():
    """Return labels of five stories: each is preferred by half a step where it stands first, by
    one and a half where it stands second."""
    label_by_item = {"0/b/1/+": 1.0, "0/b/1/-": None}  # one order is missing
    for group in range(5):
        label_by_item[f"{group}/a/1/+"] = 0.5
        label_by_item[f"{group}/a/1/-"] = -1.5
    return answers(label_by_item)


def test_expected_labels_are_preferences_of_both_orders(leaning):
    scores = ask.score(leaning)
    assert len(scores) == 5
    assert (scores["score"] == 1).all()
    assert scores["item"][0] == "0/a"


def test_how_far_a_judge_leans_to_the_first_story_is_told_over_groups(leaning):
    rows = method.read_order(method.prefer(leaning).assign(plus=[0.5, 0.5, 0.5, 0.5, -0.5]))
    assert rows["estimate"].tolist() == pytest.approx([0.4, 0.2, 1.0])
    assert rows["low"].notna().all()
    assert (rows["n"] == 5).all()


def test_four_groups_give_no_interval_of_order_effects(leaning):
    assert method.read_order(method.prefer(leaning)[:4])[["low", "high"]].isna().all(axis=None)


def test_own_stories_are_complete_and_each_differs():
    own, references = load.load_own_stories()
    for crafts in own.groupby("group")["craft"].agg(list):
        assert crafts == [2, 1, 0]
    assert own["text"].is_unique
    assert set(own["group"]) == set(references)


def test_length_does_not_give_craft_away():
    own, references = load.load_own_stories()
    words_of_references = pd.Series(references).str.split().str.len()
    assert own["words"].between(250, 400).all()
    assert words_of_references.between(250, 400).all()
    means = [*own.groupby("writer")["words"].mean(), words_of_references.mean()]
    assert max(means) / min(means) < 1.05


def test_the_best_of_four_cutoffs_gains_in_sample(rng):
    worth = tuning.worth_of_tuning(rng, spreads=(0.6,), noises=(0.7, 1.4), draws=40)
    assert (worth["low"] > 0).all()
    assert (worth["n"] == 40).all()


def test_noise_costs_a_simulated_judge(rng):
    def mean_rho(noise):
        studies = [tuning.simulate_study(rng, 0.6, noise).mean() for _ in range(40)]
        return pd.DataFrame(studies)[method.V2_CUTOFF].mean()

    assert mean_rho(0.7) > mean_rho(1.4) > 0.3


def label_with_bias(quality, rng, bias, noise=1.0):
    """Return labels of stories of some quality; bias: what is added for the story shown first."""
    plus, _ = tuning.simulate_labels(quality + bias, rng, noise)
    _, minus = tuning.simulate_labels(quality - bias, rng, noise)
    return pd.DataFrame({"plus": plus, "minus": minus})


def test_a_simulated_judge_that_likes_the_first_story_contradicts_itself(rng):
    quality = pd.Series(rng.normal(-1.2, 1, 2000))
    fair = method.position_bias(label_with_bias(quality, rng, 0.0))
    biased = method.position_bias(label_with_bias(quality, rng, 1.0))
    for share in ("contradicted by the swap", "story shown first preferred"):
        assert biased[share] > fair[share] + 0.1


def test_a_bias_is_added_in_one_order_and_taken_off_in_the_other(rng):
    sure = label_with_bias(np.full(20000, 0.5), rng, bias=0.3, noise=0.1).mean()
    assert sure["plus"] == pytest.approx(1, abs=0.01)
    assert sure["minus"] == pytest.approx(0, abs=0.03)


@pytest.fixture
def two_groups(monkeypatch):
    """Return the `Ratings` of PASSED: two groups, three experts; of every judge's rankings print
    leaves two of group 0 open and one of group 1."""
    table = PASSED.reset_index().melt(["group", "expert"], var_name="writer", value_name="score")
    table["item"] = table["group"].astype(str) + "/" + table["writer"]
    items = table.drop_duplicates("item")[["item", "group", "writer"]].reset_index(drop=True)
    ratings = table.rename(columns={"expert": "rater"})[["item", "score", "rater"]]
    open_orders = {0: np.array([[0.0, 1, 2], [2, 1, 0]]), 1: np.array([[1.0, 2, 0]])}
    monkeypatch.setattr(rebuild, "rankings_that_fit_print", lambda paper, judge: open_orders)
    return Ratings(items, ratings, "made")


@pytest.fixture
def ends(two_groups):
    """Return the comparison of both ends of what print leaves open."""
    scores = controls.find_ends(two_groups)
    return compare(two_groups, scores, pairwise_accuracy, within=("group", "rater"))


JUDGE = "GPT-4o, with a reference"


def test_the_ends_of_what_print_leaves_open_agree_least_and_most(ends):
    # two of group 1's targets put GPT-3.5 before Claude
    estimates = ends["estimate"]
    assert estimates[f"{JUDGE}, least"] == pytest.approx((0 + 7 / 9) / 2)
    assert estimates[f"{JUDGE}, most"] == pytest.approx((1 + 7 / 9) / 2)


def test_a_person_stands_beside_them_by_hand(ends):
    accuracies = []
    for group, expert in itertools.product((0, 1), "abc"):
        others = PASSED.loc[group].drop(index=expert).mean()
        accuracy = rankings.pair_accuracy(others, PASSED.loc[(group, expert)], controls.FAIR)
        accuracies.append(accuracy)
    assert ends.at["a person", "estimate"] == pytest.approx(np.nanmean(accuracies))


def test_two_ends_become_one_row_with_the_widest_interval(ends):
    ends["low"] = ends["estimate"] - 0.1
    ends["high"] = ends["estimate"] + 0.2
    joined = controls.join_ends(ends)
    assert len(joined) == len(ends) - 6
    assert set(joined["kind"]) == set(ends["kind"])
    assert joined.at[JUDGE, "estimate"] == pytest.approx(0.25 + 7 / 18)
    assert joined.at[JUDGE, "low"] == pytest.approx(7 / 18 - 0.1)
    assert joined.at[JUDGE, "high"] == pytest.approx(0.5 + 7 / 18 + 0.2)


def test_one_order_is_scored_on_groups_that_did_not_choose_it():
    first, last = [1.0, 1, 0, 0], [0.0, 0, 1, 1]
    scored = controls.score_halvings(np.array([first, last]).T)
    assert scored.shape == (6, 4)
    assert scored[0].tolist() == [0, 0, 0, 0], "each half chooses what the other dislikes"
    assert scored[1].tolist() == [0.5] * 4, "both are equally good on either half"
    assert scored.mean(axis=0).tolist() == [pytest.approx(1 / 3)] * 4


@pytest.fixture
def eight_groups():
    """Return a table of who rates what, without scores: eight groups, three writers and raters."""
    levels = {"group": range(8), "writer": rebuild.LISTED, "rater": list("abc")}
    table = pd.MultiIndex.from_product(levels.values(), names=levels).to_frame(index=False)
    table["item"] = table["group"].astype(str) + "/" + table["writer"]
    return table


def rate_one_order(table):
    """Return `one_order` of a table of ratings (item, group, writer, rater, score)."""
    items = table.drop_duplicates("item")[["item", "group", "writer"]].reset_index(drop=True)
    return controls.one_order(Ratings(items, table[["item", "rater", "score"]], "made"))


def test_one_order_is_right_where_all_agree_on_it(eight_groups):
    same = eight_groups.assign(score=eight_groups["writer"].map(rebuild.LISTED.index))
    assert rate_one_order(same).tolist() == [1, 1, 1, 8]


def test_the_interval_of_one_order_is_that_of_one_way_of_halving(open_ratings):
    row = controls.one_order(open_ratings)
    rng = np.random.default_rng(0)
    table = open_ratings.ratings.merge(open_ratings.items, on="item")
    by_expert = table.pivot(index=["group", "rater"], columns="writer", values="score")
    by_expert = by_expert[rebuild.LISTED]
    two = ((by_expert.groupby(level=0).transform("sum") - by_expert) / 2).round(9)
    accuracy = {}  # of an order: by group
    for order in rankings.weak_orders(3):
        if max(order):
            right = [
                rankings.pair_accuracy(t, np.array(order), controls.FAIR) for t in two.to_numpy()
            ]
            accuracy[order] = pd.Series(right, two.index).groupby(level=0).mean()
    accuracy = pd.DataFrame(accuracy).to_numpy()
    drawn = []
    for _ in range(400):
        half = np.isin(np.arange(12), rng.choice(12, 6, replace=False))
        best = [accuracy[of].mean(axis=0).round(9).argmax() for of in (half, ~half)]
        drawn.append(np.where(half, accuracy[:, best[1]], accuracy[:, best[0]]))
    drawn = np.array(drawn)
    spread = np.sqrt(drawn.var(axis=1, ddof=1).mean() / 12 + drawn.mean(axis=1).var())
    assert row["estimate"] == pytest.approx(drawn.mean(), abs=0.01)
    assert row["high"] - row["estimate"] == pytest.approx(2.2 * spread, rel=0.1)


def test_one_order_is_a_guess_where_ratings_are_noise(eight_groups, rng):
    row = rate_one_order(eight_groups.assign(score=rng.random(len(eight_groups))))
    assert 0.2 < row["estimate"] < 0.65
    assert row["low"] < 0.5
    assert row["n"] == 8


GAINS = np.array([0.4, -0.1, 0.2, 0.1, 0.3, -0.2])


def test_the_groups_needed_give_the_power_that_they_promise(rng):
    needed = controls.groups_needed(GAINS, sizes=(0.15,))
    groups = int(needed["estimate"].iloc[0])
    samples = 0.15 + GAINS.std(ddof=1) * rng.standard_normal((20000, groups))
    power = np.mean(stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05)
    assert power == pytest.approx(0.8, abs=0.02)


def test_a_larger_gain_needs_fewer_groups_and_the_spread_is_not_sure():
    needed = controls.groups_needed(GAINS, sizes=(0.15, 0.3))
    assert (needed["n"] == 6).all()
    assert needed["estimate"].iloc[0] > needed["estimate"].iloc[1]
    assert (needed["low"] < needed["estimate"]).all()
    assert (needed["high"] > needed["low"]).all()


TWO_STORIES = pd.DataFrame(
    {"group": [7, 7], "writer": ["a", "b"], "words": [10, 20], "human": [3.0, 1.0]}
)


def test_what_a_judge_is_held_against_stands_beside_the_length():
    data = load.rate(TWO_STORIES, "human", "own")
    scores = pd.DataFrame([[2.0, 1.0]], index=["7"], columns=["a", "b"])  # items are text
    of_judge = scores.stack().rename_axis(["group", "writer"]).rename("score").reset_index()
    of_judge["item"] = of_judge["group"] + "/" + of_judge["writer"]
    of_judge["judge"] = "judge"
    table = compare(data, of_judge, pairwise_accuracy, target="all", within=("group",))
    # no other group shows which way length points, so longer is better
    expected = {"judge": 1, "length": 0, "always the same": 0.5}
    assert table["estimate"][list(expected)].to_dict() == expected


def test_a_judge_of_own_groups_is_held_against_their_human_scores(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("group,writer,text,human\na,reference,One.,\na,x,Two.,2\na,y,Three.,5\n")
    material = load.load_candidates([2], groups=str(path))
    assert list(material.tests) == [2]
    assert material.of == "your human scores"
    assert material.data.ratings["score"].tolist() == [2.0, 5.0]


def test_stories_without_human_scores_are_held_against_nothing():
    assert load.rate(TWO_STORIES, "craft", "own") is None


def test_gains_by_measure_are_those_of_the_printed_figures():
    joint = definitions.joint_gains()
    for paper, methods in definitions.METHODS.items():
        averages = Printed(paper).grid(rebuild.FIGURES[paper]["accuracy"]).iloc[:, -1]
        printed = [averages[ours] - averages[definitions.BASELINES[ours]] for ours in methods]
        gain = joint.at[(paper, rebuild.AT_LEAST), "estimate"]
        assert gain == pytest.approx(np.mean(printed), abs=0.005)


def test_the_curve_holds_each_definition_once():
    table, gains = definitions.curve("refbased_v2")
    choices = table.columns.drop(["estimate", "p"]).tolist()
    assert not table.duplicated(choices).any()
    assert len(table) == np.prod([table[name].nunique() for name in choices])
    assert len(table) == len(gains)


def find_definition(table, definition):
    """Return the row of a curve that is this definition, unanswered tests counted as passed."""
    return table[definitions.where(table, definition | {"unanswered": "passed"})].squeeze()


def test_the_curve_holds_the_papers_definition_and_ours():
    table, _ = definitions.curve("refbased_v2")
    papers = find_definition(table, definitions.PAPER)
    ours = find_definition(table, definitions.OURS)
    assert papers["estimate"] == pytest.approx(1 / 9)
    fair = definitions.joint_gains().loc[("refbased_v2", definitions.FAIR)]
    assert ours["estimate"] == pytest.approx(fair["estimate"])
    assert ours["p"] == pytest.approx(fair["p"])


def test_the_summary_of_the_curve_counts_and_tests_its_definitions():
    sets = definitions.summarise_curves().loc["refbased_v2"]
    assert sets["definitions"].tolist() == [448, 112]
    assert sets["share with p < .05"].tolist() == pytest.approx([61 / 448, 34 / 112])
    assert sets["p of the median"].tolist() == pytest.approx([0.0635, 0.0386], abs=5e-5)


def test_only_where_all_experts_must_say_yes_the_gain_falls_below_zero():
    table, _ = definitions.curve("refbased_v2")
    all_must = table["target"] == "all experts"
    assert all_must[table["estimate"] < 0].all()
    assert not all_must.all()


def test_the_gain_is_clear_in_the_second_version_alone_and_not_by_its_own_rule():
    gains = definitions.joint_gains()
    first = gains.loc[("refbased_v1", definitions.FAIR)]
    second = gains.loc[("refbased_v2", definitions.FAIR)]
    by_its_own_rule = gains.loc[("refbased_v2", rebuild.AT_LEAST)]
    assert second["low"] > 0
    assert by_its_own_rule["low"] < 0
    assert first["low"] < 0, "it may be chance"


def test_flips_of_groups_say_the_same_of_each_measure():
    is_clear = definitions.joint_gains()["p"].unstack("paper") < 0.05
    not_clear = is_clear.index[~is_clear["refbased_v2"]]
    assert not_clear.tolist() == [rebuild.AT_LEAST], "all but their own"
    assert not is_clear["refbased_v1"].any()


def test_the_median_gain_is_near_the_border_in_the_second_version_alone():
    p = definitions.summarise_curves()["p of the median"]
    every, full = (p["refbased_v2", kept] for kept in definitions.SETS)
    assert every > 0.05 > full
    assert (p["refbased_v1"] > 0.05).all(), "it may be chance"


@pytest.fixture(scope="module")
def open_ratings():
    """Return the `Ratings` of the open study."""
    return load.load()


@pytest.fixture(scope="module")
def beside(open_ratings):
    """Return the open study's comparison of judges, controls and a person, best first."""
    table = controls.compare_ends(open_ratings)
    attrs = table.attrs
    table = table.sort_values("estimate", ascending=False, kind="stable")
    table.attrs = attrs
    return table


def test_authorship_is_the_best_control_and_beats_all(beside):
    assert beside.attrs["control"] == beside.drop(index="a perfect judge").index[0] == "authorship"
    leads = beside.loc[(beside["kind"] == "judge") | (beside.index == "a person"), "over control"]
    assert leads.max() < 0
    assert beside.loc["a person", "over control high"] > 0


def test_the_one_order_is_above_the_perfect_judge_and_its_leads_are_of_plots(open_ratings, beside):
    assert beside.at["a perfect judge", "estimate"] == beside.at["authorship", "estimate"]
    table = controls.add_order(beside, open_ratings)
    of_order = table.at["one fixed order", "estimate"]
    assert table.at["a perfect judge", "estimate"] == beside.attrs["fitted"] < of_order
    assert of_order == table["estimate"].max()
    leads = table.loc[table["kind"] == "judge"].filter(like="over one fixed order")
    assert leads.notna().all(axis=None)
    lead, low, high = leads.loc["Claude 3.5, with a reference"]
    assert lead + of_order == pytest.approx(0.696, abs=5e-4), "its mean over plots: test_headlines"
    assert low < lead < 0 < high


def test_the_best_judge_s_rows_have_both_kinds_of_control(beside):
    (task, rows), *more = controls.rate_best(beside).items()
    assert not more
    assert task == "Reference-based: Claude 3.5, with a reference"
    for rival, columns in {
        "control that a user could have": "over stranger",
        "control that knows the author": "over control",
    }.items():
        lead = rows.loc[f"the judge less {rival}"]
        assert lead["estimate"] == beside.at["Claude 3.5, with a reference", columns]
    assert {"control that a user could have: length", "a person"} < set(rows.index)


def test_the_best_judge_has_a_reference_and_may_be_as_good_as_a_person(beside):
    judges = beside[beside["kind"] == "judge"]
    assert judges.index[0].endswith("with a reference")
    assert judges["over person low"].iloc[0] < 0 < judges["over person high"].iloc[0]


@pytest.mark.parametrize(
    ("rival", "named"), [("control", ["Qwen 2 72B, without a reference"]), ("person", [])]
)
def test_hardly_a_judge_is_clearly_behind_and_none_ahead(beside, rival, named):
    judges = beside[beside["kind"] == "judge"]
    behind = judges.index[judges[f"over {rival} high"] < 0]
    assert behind.tolist() == named
    assert not (judges[f"over {rival} low"] > 0).any()


def test_such_data_rarely_show_a_judge_ahead(beside):
    assert beside.attrs["found"] < 10 < beside.attrs["found high"], "a perfect judge: rarely seen"
    least_visible = beside.loc[beside["kind"] == "judge", "visible"].min()
    assert least_visible > 0.2, "a lead that would rarely be seen is no small one"


def test_the_gain_with_a_reference_hangs_on_choices():
    table = vary.vary_gain()
    hangs = set(table.index[table["against the first"] != "the same"])
    assert table["low"].iloc[0] > 0
    assert (table["estimate"] > 0).all()
    assert {"ties: the paper's rule, >=", "expert by expert, then the mean"} <= hangs


@pytest.mark.parametrize(
    ("measure", "name"), [(definitions.FAIR, definitions.FAIR), ("ρ", "Spearman's ρ")]
)
def test_the_varied_gains_are_the_joint_gains(measure, name):
    table = vary.vary_gain()
    row = table[table.index.str.endswith(name)].iloc[0]
    gain = definitions.joint_gains().loc[("refbased_v2", measure)]
    assert row["estimate"] == pytest.approx(gain["estimate"])
    assert row["low"] == pytest.approx(gain["low"])


def test_tests_passed_without_an_expert_differ_where_that_expert_read():
    verdicts = rebuild.ttcw.load_verdicts()
    is_nine = verdicts["expert"] == 9
    mean = vary.count_passed(verdicts)
    rest = vary.count_passed(verdicts[~is_nine])
    touched = (rest - mean).abs().max(axis=1) > 1e-9
    assert mean.to_numpy() == pytest.approx(rebuild.expert_scores("mean of experts").to_numpy())
    assert touched.any()
    assert set(touched.index[touched]) <= set(verdicts.loc[is_nine, "group"])


@pytest.mark.parametrize("group", [0, 11])
@pytest.mark.parametrize("writer", rebuild.LISTED)
def test_a_candidate_passes_the_tests_that_enough_experts_say_it_does(group, writer):
    verdicts = rebuild.ttcw.load_verdicts()
    yes = verdicts.groupby(["group", "writer", "test"])["passed"].sum()
    votes = yes[group, writer].to_numpy()
    by_hand = {
        "majority": sum(votes > 1),
        "mean of experts": sum(votes) / 3,
        "any expert": sum(votes > 0),
        "all experts": sum(votes > 2),
    }
    for kind, passed in by_hand.items():
        assert rebuild.expert_scores(kind).at[group, writer] == pytest.approx(passed)


def test_an_experts_score_of_a_story_is_its_share_of_passed_tests(open_ratings):
    ratings = open_ratings.ratings
    of_nine = ratings[ratings["rater"] == 9].set_index("item")["score"]
    verdicts = rebuild.ttcw.load_verdicts()
    passed = verdicts[verdicts["expert"] == 9].groupby(["group", "writer"])["passed"].mean()
    assert len(ratings) == 108
    assert of_nine["11/GPT4"] == passed[11, "GPT4"]


def test_the_second_data_set_is_complete():
    data = confederacy.load()
    assert len(data.ratings) == 5 * 13 * 2 * 10
    assert len(data.items) == 65
    assert data.items["words"].between(50, 1500).all()


def test_a_rater_of_the_second_data_set_follows_the_other():
    data = average_aspects(confederacy.load())
    is_first = data.ratings["rater"].str.endswith("/1")
    first = data.ratings[is_first]
    second = data.ratings[~is_first]
    scores = second.assign(judge="the second")
    table = compare(
        data._replace(ratings=first), scores, mean_spearman, target="all", within=("group",)
    )
    both = first.merge(second, on="item").merge(data.items, on="item")
    rho = []
    for _, group in both.groupby("group"):
        rho.append(stats.spearmanr(group["score_x"], group["score_y"]).statistic)
    expected = intervals.of_mean(rho)
    assert expected["estimate"] > 0.5
    assert table.loc["the second", list(expected.index)].tolist() == pytest.approx(list(expected))


def test_attainable_averages_are_those_of_every_two_orders():
    human = pd.DataFrame([[3, 1, 2], [5, 5, 1]])
    steps = []  # by group: 13 orders x (rho, tau, accuracy)
    for scores in human.to_numpy():
        triples = list(rankings.cells(tuple(scores)).values())
        steps.append(np.round(np.array(triples) * 10_000))
    every_sum = [tuple(first + second) for first, second in itertools.product(*steps)]
    expected = sorted(set(every_sum))
    assert len(expected) < len(every_sum) == 13 * 13
    triples = averages.attainable(human, rebuild.AT_LEAST)
    assert triples.tolist() == (np.array(expected) / 10_000 / 2).tolist()
