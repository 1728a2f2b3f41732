"""Yes, no or undecided, by judges whose truth is known; what would decide is what simulated studies
of that size decide. (How an interval is worded: `test_page`.)"""

import re

import numpy as np
import pandas as pd
import pytest
from goodjudge import plan as planning
from goodjudge.card import questions, sample_size, verdicts
from goodjudge.card.shapes import AS_GOOD, BETTER, REPLACE
from goodjudge.card.study import set_up
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.diagnostics import copies
from goodjudge.stats import metrics
from studies import judge_of, make


def draw_study(rng, items=150, raters=3, noise=0.7):
    """Return (Ratings of points by crossed raters, the true quality): two items in a group."""
    true = rng.normal(size=items)
    score = true[:, None] + noise * rng.normal(size=(items, raters))
    return make(score.round(2), np.arange(items) // 2), true


def give(data, scores, smallest=0.1, **more):
    """Return {question: `Verdict`} on a judge named j."""
    study = set_up(data, scores)
    given, _ = questions.give_verdicts(study, study.compare(), "j", smallest, **more)
    return {one.question: one for one in given}


def list_answers(given):
    """Return the three answers of `give`."""
    return [one.answer for one in given.values()]


def test_who_knows_the_truth_has_three_yes(rng):
    data, true = draw_study(rng, noise=0.3)  # raters who agree well: a constant clearly fails
    given = give(data, judge_of(true))
    assert list_answers(given) == ["yes", "yes", "yes"]
    assert not any(one.needed for one in given.values())


def test_who_says_the_opposite_has_three_no(rng):
    data, true = draw_study(rng)
    assert list_answers(give(data, judge_of(-true))) == ["no", "no", "no"]


def test_a_constant_has_no_yes(rng):
    data, _ = draw_study(rng)
    given = give(data, judge_of(np.zeros(150)))
    assert given[BETTER].answer == given[AS_GOOD].answer == "no"
    assert given[REPLACE].answer != "yes"


def ask_replace(data, scores):
    """Return the third question of a judge named j, whatever the comparison says of people."""
    study = set_up(data, scores)
    found = study.compare(simulate=False)
    return questions.Replacement(study, found, "j")


def test_where_a_constant_passes_too_replacing_is_open(rng):
    data, true = draw_study(rng, noise=6.0)  # raters who agree about nothing
    verdict = ask_replace(data, judge_of(true)).ask("")
    assert verdict.answer == "undecided"
    assert "But so does always" in verdict.why


@pytest.mark.parametrize(("noise", "constants"), [(0.1, []), (6.0, [True])])
def test_constants_fail_where_raters_agree_and_pass_where_they_do_not(noise, constants, rng):
    data, _ = draw_study(rng, noise=noise)
    listed = questions.list_constants(ratings.find_cases(data), ("item",))
    assert list(listed.values()) == constants


def test_what_shows_that_a_constant_fails_is_told_with_its_cost(rng):
    data, true = draw_study(rng, items=40, noise=0.4)
    told = ask_replace(data, judge_of(true)).tell_needed("")
    needed = int(re.match(r"About (\d+) items by each rater instead of 40: ", told).group(1))
    more = f"{(needed - 40) * 3:,} more ratings."
    assert told.endswith(more)
    data, _ = draw_study(rng, items=needed, noise=0.4)
    assert questions.list_constants(ratings.find_cases(data), ("item",)) == {}


def test_a_copy_of_one_rater_is_not_as_good_as_one_more(rng):
    data, _ = draw_study(rng, raters=2, noise=0.3)
    first = data.ratings[data.ratings["rater"] == 0].sort_values("item")["score"].to_numpy()
    given = give(data, judge_of(first))
    assert (given[AS_GOOD].answer, given[REPLACE].answer) == ("undecided", "undecided")
    assert "agrees with R1 as a copy would" in given[AS_GOOD].why
    assert given[AS_GOOD].needed == questions.UNSEEN


def test_who_was_made_from_the_ratings_is_not_as_good_as_one_more(rng):
    data, _ = draw_study(rng, raters=4, noise=0.7)
    mean = data.ratings.groupby("item")["score"].mean().to_numpy()
    given = give(data, judge_of(mean), ways=False)
    assert given[AS_GOOD].answer == given[BETTER].answer == "undecided"
    assert "clearly more than a perfect judge" in given[AS_GOOD].why


def test_who_says_the_same_as_one_of_two_raters_is_found_out():
    rng = np.random.default_rng(3)
    wide = pd.DataFrame(rng.integers(1, 6, size=(60, 2)), columns=[0, 1])
    wide.index = pd.MultiIndex.from_product([range(60), [""]], names=["item", "aspect"])
    score = wide[1].to_numpy(float)
    score[:2] += 1  # on 2 of 60 items it says something else
    assert copies.find_equal(wide, judge_of(score), "j") == {1}
    score[:10] += 1
    assert copies.find_equal(wide, judge_of(score), "j") == set()


def test_with_one_rater_an_item_nobody_knows_how_good_a_rater_is(rng):
    data, true = draw_study(rng, raters=1)
    given = give(data, judge_of(true))
    assert (given[BETTER].answer, given[AS_GOOD].answer) == ("yes", "undecided")
    assert given[AS_GOOD].needed == "A second rater for each item."


@pytest.mark.parametrize("n", [12, 150])
def test_studies_of_the_size_that_is_named_decide_in_80_of_100(n):
    spread = 0.9  # of one group
    half = planning.stats.t.ppf(0.975, n - 1) * spread / np.sqrt(n)
    needed = verdicts.count_groups_needed([0.0, -half, half], n, 0.1)
    chance = planning.find_chance(0.1, spread, needed)
    assert 79 < chance < 87  # above 80 where t of few groups is used for many
    assert planning.find_chance(0.1, spread, needed // 2) < 60


def test_more_raters_help_where_raters_are_noisy_and_not_where_they_agree(rng):
    spreads = {}
    for noise in (0.05, 1.5):
        data, true = draw_study(rng, noise=noise)
        scores = judge_of(true + rng.normal(size=len(true)))
        found = compare.compare(data, scores, metrics.pearson, simulate=False)
        spreads[noise] = sample_size.find_setting(data, found, "j").spreads["control"]
    assert spreads[0.05].iloc[-1] > 0.93
    assert spreads[1.5].iloc[-1] < 0.85
    assert spreads[1.5].is_monotonic_decreasing


def make_setting(share=0.5):
    """Return a study of 60 items in 30 groups by 2 raters, of whom 4 have a share of the spread."""
    rivals = ["control", "stranger", "person"]
    return sample_size.Setting(60, 30, 1, 2, pd.DataFrame([[1.0] * 3, [share] * 3], [2, 4], rivals))


def test_what_would_decide_is_said_with_its_cost():
    told = sample_size.tell_ways(90, make_setting(), "control")
    more_items = "120 more items like these (60 groups): 240 more ratings"
    assert told == f"About {more_items}; or 4 raters an item instead of 2: 120 more ratings."


def test_where_no_feasible_study_decides_it_is_said():
    told = sample_size.tell_ways(30_000, make_setting(share=1.0), "control")
    assert "about 60,000 items by 2 raters (120,000 ratings)" in told


def test_the_noise_of_repeats_is_the_variance_between_answers_to_one_question(rng):
    item = np.repeat(np.arange(400), 2)
    score = rng.normal(size=400)[item] + 0.5 * rng.normal(size=800)
    scores = pd.DataFrame({"item": item, "judge": "j", "score": score})
    noise, times = sample_size.find_repeat_noise(scores, "j")
    assert noise == pytest.approx(0.2, abs=0.03)
    assert times == 2
    assert np.isnan(sample_size.find_repeat_noise(scores[::2], "j")[0])


@pytest.mark.parametrize(
    ("missing", "told"),
    [(0.02, "Asking the judge 5 times"), (0.0317, "more than 20 answers"), (0.2, "not enough")],
)
def test_asking_again_helps_as_far_as_the_judge_is_noisy(missing, told, rng):
    item = np.repeat(np.arange(4000), 2)
    score = rng.normal(size=4000)[item] + 0.5 * rng.normal(size=8000)
    scores = pd.DataFrame({"item": item, "judge": "j", "score": score})
    # r = 0.5 with two answers; five have 0.5 * sqrt((1 + 0.125) / (1 + 0.05)) = 0.5175, twenty
    # 0.5270, and endlessly many 0.5303
    assert told in sample_size.tell_repeats(scores, "j", 0.5, missing - 0.003)


def draw_known_parts(rng, prompts=50, raters=3):
    """Return (`Ratings`, author, words, what only a reader knows), by four authors on each prompt:
    of what raters share, three parts in ten are the author, three the length, four the reader's."""
    items = prompts * 4
    author = np.tile([-1.3, -0.4, 0.4, 1.3], prompts)
    words = rng.normal(size=items)
    read = rng.normal(size=items)
    shared = (author + words) * np.sqrt(0.3) + read * np.sqrt(0.4)
    score = (shared[:, None] + rng.normal(size=(items, raters))).round(2)
    writer, counted = np.tile([*"abcd"], prompts), (600 + 100 * words).round()
    data = make(score, np.arange(items) // 4, writer=writer, words=counted)
    return data, author, words, read


def test_a_control_that_knows_the_writer_decides_nothing(rng):
    data, author, words, read = draw_known_parts(rng)
    unread, reads = judge_of(author + words), judge_of(author + words + 2 * read)
    for scores, beyond in ((unread, False), (reads, True)):
        given = give(data, scores, ways=False)
        assert given[BETTER].answer == "yes", "it leads the length"
        added = questions.find_added(set_up(data, scores)).loc["j"]
        assert (added["low"] > 0) == beyond


def test_where_nothing_can_be_learnt_about_writers_a_lead_may_be_theirs(rng):
    data, author, words, read = draw_known_parts(rng)
    level = rng.normal(size=50)[data.items["group"]]  # each group has a writer of its own
    table = data.ratings.assign(score=data.ratings["score"] + 1.5 * level[data.ratings["item"]])
    items = data.items.assign(writer=data.items["group"].astype(str))
    data = data._replace(items=items, ratings=table)
    assert questions.are_unlearnt(data)
    given = give(data, judge_of(level + 0.05 * rng.normal(size=200)))
    assert given[BETTER].answer == "undecided"
    assert "stand in one group only" in given[BETTER].why
    assert given[BETTER].needed == questions.LEARNABLE
    given = give(data, judge_of(level + read), ways=False)
    assert given[BETTER].answer == "yes", "it adds to the writer"
    assert not questions.are_unlearnt(data._replace(items=items.assign(writer=items["item"])))
