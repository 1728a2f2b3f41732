"""What a card says of data that cannot bear a comparison; and silence where nothing is wrong."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.card import cautions, questions, verdicts
from goodjudge.card.make import make_card
from goodjudge.card.shapes import AS_GOOD
from goodjudge.card.study import find_known_items, set_up
from goodjudge.comparison import compare, scales
from goodjudge.comparison import noise_ceiling as ceiling
from goodjudge.comparison.noise_ceiling import TOO_LITTLE
from goodjudge.data import ratings
from goodjudge.diagnostics import copies
from goodjudge.diagnostics import reliability as people
from goodjudge.stats import metrics as statistics
from goodjudge.stats import severity
from studies import judge_of, make


def draw(seed, items=60, raters=3, spread=1.0, **known):
    """Return simulated ratings and a judge who follows."""
    rng = np.random.default_rng(seed)
    true = spread * rng.normal(size=items)
    scores = true[:, None] + 0.3 * np.arange(raters) + rng.normal(size=(items, raters))
    return make(scores, **known), judge_of(true + rng.normal(size=items))


def list_cautions(data, told):
    """Return (all that a card doubts, in one text; the comparison)."""
    study = set_up(data, told)
    found = study.compare()
    judge = "j" if len(told) else None
    warned = cautions.find_cautions(study, found, judge, found.attrs["stranger"])
    return " ".join(f"{one.what}. {one.why}" for one in warned), found


def decide(scores, differ):
    """Return ratings of which the third stands only where the first two differ by more than
    `differ`."""
    first_two = np.abs(scores[:, 0] - scores[:, 1])
    kept = scores.copy()
    kept[first_two <= differ, 2] = np.nan
    return kept


@pytest.mark.parametrize(("points", "differ"), [(2, 0), (5, 1)])
def test_a_third_rater_only_where_two_differ_is_said(rng, points, differ):
    scores = rng.integers(0, points, (60, 3)).astype(float)
    assert cautions.is_adjudicated(make(decide(scores, differ)))
    assert not cautions.is_adjudicated(make(scores)), "everybody rated everything"
    for _ in range(20):  # missing by chance
        scores[rng.random(60) < 0.6, 2] = np.nan
        assert not cautions.is_adjudicated(make(scores))
        scores[:, 2] = rng.integers(0, points, 60)


@pytest.mark.parametrize(("few", "many", "said"), [(5, 5, True), (4, 5, False), (5, 4, False)])
def test_five_items_with_and_without_a_third_rater_are_enough(few, many, said):
    alike, apart = [[1.0, 1, np.nan]] * few, [[1.0, 3, 2]] * many
    assert cautions.is_adjudicated(make(np.array(alike + apart))) == said


@pytest.mark.parametrize("own", [True, False])
def test_winners_of_pairs_without_a_group_are_asked_about(rng, own):
    wins = rng.integers(0, 2, (30, 3))
    scores = np.stack([wins, 1 - wins], axis=1).reshape(60, 3).astype(float)
    groups = None if own else np.arange(60) // 2
    assert cautions.are_winners(make(scores, groups)) == own
    others = [make(rng.integers(0, 2, (60, 3)).astype(float)) for _ in range(20)]
    assert not any(cautions.are_winners(data) for data in others), "verdicts that are no pairs"


@pytest.mark.parametrize(("kept", "warned"), [(60, False), (55, False), (40, True)])
def test_a_judge_who_left_items_out_is_said(kept, warned):
    data, scores = draw(3)
    some = scores.head(kept)
    said = cautions.doubt_unanswered(set_up(data, some), "j")
    assert (said is not None) == warned
    assert said is None or f"answered {kept} of 60" in said.what


@pytest.mark.parametrize("raters", [2, 3, 5])
def test_ordinary_data_get_no_warning(raters):
    told = [list_cautions(*draw(seed, raters=raters))[0] for seed in range(2)]
    assert told == [""] * 2


@pytest.mark.parametrize(("noise", "warned"), [(0, True), (5, True), (100, False)])
def test_a_judge_that_says_what_the_best_control_says_is_warned_of(rng, noise, warned):
    words = np.round(300 + 60 * rng.normal(size=60))
    data, told = draw(5)
    data = data._replace(items=data.items.assign(words=words))
    rows = data.ratings
    longer_is_better = rows["score"] + words[rows["item"]] / 60
    data = data._replace(ratings=rows.assign(score=longer_is_better))
    told = told.assign(score=words + noise * rng.normal(size=60))
    said, found = list_cautions(data, told)
    assert found.attrs["control"] == "length"
    assert ("j says almost the same as a control" in said) == warned


@pytest.mark.parametrize(("size", "warned"), [(10, True), (8, False)])
def test_five_or_six_groups_are_warned_of(size, warned):
    said, _ = list_cautions(*draw(1, groups=np.arange(60) // size))
    assert ("groups are few" in said) == warned


def test_few_items_rated_twice_are_warned_of_and_all_are_used():
    data, told = draw(2, 200, 2)
    second = data.ratings["rater"].eq(1) & data.ratings["item"].ge(30)
    data = data._replace(ratings=data.ratings[~second])
    said, found = list_cautions(data, told)
    assert "Only 30 of 200 items have two raters" in said
    assert found.loc["j", "n"] == 200
    assert found.attrs["target"] == "all raters"


def test_one_rater_per_item_crashes_nothing():
    data, told = draw(2, 40, 1)
    said, found = list_cautions(data, told)
    assert said.startswith("Each item has one rater")
    assert found.loc["j", "n"] == 40
    assert questions.find_obstacle(set_up(data, told), found).startswith("One rater per item")


def test_fewer_than_five_groups_do_not_pass_the_annotator_test():
    for groups, said in ((4, "With fewer than 5 groups"), (5, "")):
        data, told = draw(2, groups=np.arange(60) % groups)
        found = compare.compare(data, told, statistics.pearson, simulate=False)
        obstacle = questions.find_obstacle(set_up(data, told), found)
        assert obstacle.startswith(said) and bool(obstacle) == bool(said)


def test_where_people_do_not_agree_nobody_is_as_good_as_a_rater():
    data, told = draw(3, spread=0.0)
    said, found = list_cautions(data, told)
    assert found.attrs["why"] == TOO_LITTLE
    assert "do not show whether people agree" in said
    study = set_up(data, told)
    given, _ = questions.give_verdicts(study, found, "j", 0.1, ways=False)
    answers = {one.question: one for one in given}
    assert answers[AS_GOOD].answer == "undecided" and answers[AS_GOOD].why == verdicts.NO_MEANING
    assert questions.find_obstacle(study, found).startswith("It is not clear that people agree")


def test_raters_of_few_items_are_said_and_panels_that_share_none_get_no_ceiling():
    rng = np.random.default_rng(6)
    scores = np.full((60, 60), np.nan)
    for item in range(60):  # three items, then the next three raters
        own = 3 * (item // 3)
        scores[item, own : own + 3] = rng.normal() + rng.normal(size=3)
    data, told = make(scores, groups=np.arange(60) // 3), draw(6)[1]
    said, found = list_cautions(data, told)
    assert "fewer than 20 items" in said
    assert found.attrs["why"] == ceiling.APART
    assert np.isnan(found.at[compare.CEILING, "estimate"])


def test_agreement_that_is_only_just_clear_is_said():
    said, found = list_cautions(*draw(6, items=40, raters=2, spread=0.6))
    person = found.loc[compare.PERSON]
    assert 0 < person["low"] < person["estimate"] / 6
    assert "only just clear" in said


def test_one_very_large_group_counts_as_few():
    data, told = draw(1, groups=np.repeat(np.arange(9), [44, 2, 2, 2, 2, 2, 2, 2, 2]))
    said, _ = list_cautions(data, told)
    assert "9 groups of so different size count as about 2" in said


@pytest.mark.parametrize("who", ["a rater", "the judge"])
def test_whoever_copies_a_rater_is_seen(who):
    data, told = draw(1)
    wide = data.ratings.pivot(index="item", columns="rater", values="score").to_numpy(copy=True)
    if who == "a rater":
        copied = np.random.default_rng(1).random(60) < 0.8
        wide[copied, 1] = wide[copied, 0]
    else:
        told = told.assign(score=wide[:, 0] + 0.4 * told["score"])
    pair = [(0, 1)] if who == "a rater" else [("j", 0)]
    assert copies.find_copies(make(wide), told) == pair


def draw_raters(parts, seed=0, items=100):
    """Return `Ratings` by raters who hear one of two qualities each: parts, {first, second: weight}
    of each rater; own noise .7."""
    rng = np.random.default_rng(seed)
    qualities = rng.normal(size=(items, 2))
    heard = np.column_stack([qualities @ np.array(part) for part in parts])
    return make(heard + 0.7 * rng.normal(size=heard.shape))


def warn(data):
    """Return what is said of strays, beside the comparison of a judge that says nothing."""
    study = set_up(data, judge_of(np.ones(len(data.items))))
    caution = cautions.doubt_strays(study, study.compare(simulate=False))
    return "" if caution is None else caution.why


def test_two_camps_are_named_and_are_no_copies():
    camps = draw_raters([(1, 0), (0.3, 0.95), (1, 0), (0.3, 0.95), (1, 0), (0.3, 0.95)])
    found = copies.find_camps(camps)
    assert sorted(map(sorted, found.names)) == [[0, 2, 4], [1, 3, 5]]
    assert found.within > 0.55 > 0.4 > found.across > 0
    assert copies.find_copies(camps) == [] and warn(camps) == ""
    assert "value is too low" in cautions.doubt_camps(camps).why
    turned = draw_raters([(1, 0), (1, 0), (-1, 0), (-1, 0)])
    assert "turn the scale" in cautions.doubt_camps(turned).why


@pytest.mark.parametrize("seed", range(3))
def test_raters_of_one_taste_are_no_camps(seed):
    assert copies.find_camps(draw_raters([(1, 0)] * 6, seed)) is None
    assert copies.find_camps(draw_raters([(1, 0), (1, 0.3), (1, -0.3), (0.6, 0)], seed)) is None


def test_a_bot_and_a_turned_rater_are_named_and_nobody_is_called_a_copy():
    named = []
    for seed in range(5):
        bot, turned = (draw_raters([(1, 0)] * 4 + [last], seed) for last in [(0, 1), (-1, 0)])
        named.append(warn(bot).startswith("R5 follows nobody clearly ("))
        assert not named[-1] or "Without R5 a person has 0." in warn(bot)
        assert warn(turned).startswith("R5 runs against the others (-0.")
        assert "Did R5 turn the scale" in warn(turned)
        assert copies.find_copies(bot) == copies.find_copies(turned) == []
        assert warn(draw_raters([(1, 0)] * 5, seed)) == ""
    assert sum(named) >= 3  # by luck one of twenty follows the others a little


def test_a_best_control_below_guessing_is_said():
    data, told = draw(1, groups=np.arange(60) // 3, writer=np.arange(60) % 4)
    _, found = list_cautions(data, told)
    control = found.attrs["stranger"]
    for value, doubted in ((-0.2, True), (-0.05, False), (0.2, False)):
        found.loc[control, "estimate"] = value
        assert (cautions.doubt_control(found, control) is not None) == doubted


@pytest.mark.parametrize(("level", "warned"), [(0.0, ""), (-1.6, "Yes"), (1.6, "No")])
def test_rare_verdicts_are_said(level, warned):
    data, told = draw(1, items=200)
    data = data._replace(ratings=data.ratings.assign(score=data.ratings["score"] + level > 0))
    told = told.assign(score=(told["score"] + level > 0).astype(float))
    said, _ = list_cautions(data, told)
    assert (f"verdicts are {warned}" in said) == bool(warned)
    assert ("verdicts are" in said) == bool(warned)


def test_scores_turned_round_are_asked_about():
    data, told = draw(5)
    assert "run against people" in list_cautions(data, told.assign(score=-told["score"]))[0]


@pytest.mark.parametrize(
    ("people_s", "judge_s", "other"),
    [
        ([1, 4, 7], [4, 4, 4], False),
        ([1, 4, 7], [10, 50, 90], True),
        ([1, 4, 7], [0, 1, 1], True),
        ([0, 1, 1], [3, 5, 6], True),
        ([0, 1, 1], [0, 0, 1], False),
    ],
)
def test_a_judge_on_another_scale_is_seen(people_s, judge_s, other):
    data = make(np.array(people_s, float)[:, None])
    told = judge_of(judge_s).astype(object)
    assert scales.is_other_scale(data, told) == other
    caution = cautions.doubt_scale(set_up(data, told))
    said = "" if caution is None else caution.what
    verdicts_only = set(people_s) == {0, 1}
    assert ("another scale" in said) == (other and not verdicts_only)
    assert ("a judge gives points" in said) == (other and verdicts_only)
    measure, *_ = scales.choose_measure(data)
    assert measure is (statistics.balanced_accuracy if verdicts_only else statistics.pearson)


def test_points_have_no_advantage_over_a_person_who_says_yes_and_no():
    leads = {statistics.balanced_accuracy: [], statistics.auc: []}
    for seed in range(12):
        rng = np.random.default_rng(seed)
        felt = rng.normal(size=(150, 1)) + rng.normal(size=(150, 4))
        data = make((felt[:, :3] > 0).astype(float))
        # one more rater of the same kind, who gives points
        told = judge_of(felt[:, 3])
        for measure, said in zip(leads, (scales.cut_points(data, told), told)):
            found = compare.compare(data, said, measure, simulate=False)
            leads[measure].append(found.at["j", "over person"])
    fair, unfair = (np.mean(lead) for lead in leads.values())
    assert abs(fair) < 0.02
    assert unfair > 0.04


def test_points_are_cut_aspect_by_aspect_and_yes_and_no_stay():
    people_say = pd.DataFrame(
        {"item": [*"abcd"] * 2, "rater": "x", "aspect": ["wit"] * 4 + ["joy"] * 4}
    )
    people_say["score"] = [1.0, 0, 0, 0, 1, 1, 1, 0]
    items = pd.DataFrame({"item": [*"abcd"], "group": [*"abcd"]})
    data = ratings.Ratings(items, people_say, "own")
    points = pd.DataFrame({"item": [*"abcd"], "judge": "points", "score": [10, 30, 20, 40]})
    verdict = pd.DataFrame({"item": [*"abcd"], "judge": "verdict", "score": [1, 1, 1, 1]})
    cut = scales.cut_points(data, pd.concat([points, verdict]))
    by = cut.pivot_table("score", "item", ["judge", "aspect"])
    assert by["points", "wit"].tolist() == [0, 0, 0, 1]
    assert by["points", "joy"].tolist() == [0, 1, 1, 1]
    assert (by["verdict"] == 1).all(axis=None)


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, []), (0.2, [3]), (0.5, [3, 2, 2]), (0.6, [3, 2, 2]), (1.0, [3, 2, 2, 1])],
)
def test_as_many_are_yes_as_ties_allow(share, said):
    scores = pd.Series([3, 2, 2, 1])
    assert scores[scores >= scales.find_cut(scores, share)].tolist() == said


def test_agreement_within_writers_leaves_their_differences_out():
    rng = np.random.default_rng(6)
    writer = np.arange(400) % 4
    level = np.array([-3.0, -1, 1, 3])[writer]
    scores = (level + 0.5 * rng.normal(size=400))[:, None] + rng.normal(size=(400, 3))
    laid = people.lay_out_agreement(make(scores, writer=writer)).loc["relative"]
    assert laid["estimate"] > 0.75
    assert laid["within writers"] == pytest.approx(0.2, abs=0.05)
    assert laid["raters for 0.8"] < laid["raters for 0.8, within writers"]


def test_a_control_that_counts_some_items_only_is_asked_about_these():
    writers = np.arange(48) % 4
    data, told = draw(3, items=48, groups=np.arange(48) // 4, writer=writers)
    words = np.random.default_rng(1).integers(200, 900, 48).astype(float)
    words[writers == 3] = np.nan
    data = data._replace(items=data.items.assign(words=words))
    assert find_known_items(data).sum() == 36
    card = make_card(data, told, date="2026-11-28")
    assert card.control.endswith("(36 items)") and "length" not in card.comparison.index
    part = ratings.keep(data, find_known_items(data))
    alone = compare.compare(
        severity.adjust_raters(data)._replace(items=part.items), told, statistics.pearson,
        simulate=False,
    )  # fmt: skip
    row = card.comparison.loc[card.control]
    assert row["estimate"] == pytest.approx(alone.at[alone.attrs["stranger"], "estimate"])
    assert any("words is known of 36 of 48 items" in one.what for one in card.cautions)
