"""Yes, no or undecided: by hand-made comparisons, by judges whose truth is known; what would decide
is what simulated studies of that size decide."""

import re

import numpy as np
import pandas as pd
import pytest

from helpers.measures import (
    authors,
    compare,
    deciding,
    limits,
    open_verdicts,
    planning,
    ratings,
    statistics,
    verdicts,
)
from helpers.measures.ratings import Ratings
from helpers.measures.trial import lead_names

NAN = (np.nan,) * 3


def make_found(control=(0.2, 0.1, 0.3), person=(0.0, -0.05, 0.05), own=(0.5, 0.4, 0.6), n=40):
    """Return a comparison of one judge as `compare.compare` lays it out: its leads over the best
    control and over a person, and its own row."""
    rows = pd.DataFrame(
        {"kind": ["judge", "person", "control"], "estimate": [own[0], 0.5, 0.0], "n": n},
        index=["j", "a person", "always the same"],
    )
    rows[["low", "high"]] = [own[1:], (0.4, 0.6), (0.0, 0.0)]
    for rival, lead in {"control": control, "stranger": control, "person": person}.items():
        rows[lead_names(rival)] = [lead, NAN, NAN]
    rows.attrs = {"control": "always the same", "stranger": "always the same", "guess": 0.0}
    rows.attrs |= {"chosen": "always the same", "why": "", "scale": "correlation"}
    return rows


def test_a_best_control_that_knows_no_author_is_the_fairer_control_too():
    found = make_found(control=(0.05, -0.05, 0.15))
    found.loc["authorship"] = found.loc["always the same"]
    found.loc["j", lead_names("stranger")] = np.nan  # as `compare` leaves it: one control is both
    verdict, why = open_verdicts.decide_better(found, "j", "stranger", 0.1)
    assert verdict == "undecided" and "0.05 [-0.05, 0.15] (40 groups)" in why
    found.attrs["chosen"] = "authorship"
    assert "is not known" in open_verdicts.decide_better(found, "j", "stranger", 0.1)[1]


@pytest.mark.parametrize("more", [{"seen": "it may know these ratings"}, {"doubt": "the author"}])
def test_who_may_know_the_ratings_or_only_the_author_is_not_said_to_be_better(more):
    found = make_found(control=(0.2, 0.12, 0.28))
    verdict, why = open_verdicts.decide_better(found, "j", "stranger", 0.1, **more)
    assert verdict == "undecided" and why.endswith(f", but {next(iter(more.values()))}.")
    behind = make_found(control=(0.02, -0.05, 0.09))
    assert open_verdicts.decide_better(behind, "j", "stranger", 0.1, **more)[0] == "no"


@pytest.mark.parametrize(
    ("control", "own", "verdict"),
    [
        ((0.2, 0.12, 0.28), (0.5, 0.4, 0.6), "yes"),
        ((0.2, 0.02, 0.38), (0.5, 0.4, 0.6), "yes"),
        ((0.02, -0.05, 0.09), (0.5, 0.4, 0.6), "no"),
        ((0.05, -0.05, 0.15), (0.5, 0.4, 0.6), "undecided"),
        # a control that is worse than guessing makes nobody a reader
        ((0.3, 0.1, 0.5), (0.0, -0.1, 0.09), "no"),
        ((0.3, 0.1, 0.5), (0.1, -0.1, 0.3), "undecided"),
        ((0.3, np.nan, np.nan), (0.5, np.nan, np.nan), "undecided"),
        (NAN, NAN, "no"),  # it says the same of every item
    ],
)
def test_better_than_not_reading_needs_a_lead_over_the_control_and_over_guessing(
    control, own, verdict
):
    found = make_found(control=control, own=own)
    assert open_verdicts.decide_better(found, "j", "control", 0.1)[0] == verdict


@pytest.mark.parametrize(
    ("person", "verdict"),
    [
        ((0.0, -0.05, 0.05), "yes"),
        ((-0.05, -0.09, -0.01), "yes"),
        ((-0.3, -0.4, -0.2), "no"),
        ((-0.1, -0.15, -0.05), "undecided"),
        ((0.0, -0.2, 0.2), "undecided"),
    ],
)
def test_as_good_as_a_rater_allows_less_than_the_smallest_difference(person, verdict):
    found = make_found(person=person)
    assert open_verdicts.decide_as_good(found, "j", 0.1)[0] == verdict


def test_the_best_of_several_judges_needs_more():
    found = make_found(control=(0.2, 0.01, 0.39))
    alone = open_verdicts.decide_better(found, "j", "control", 0.1)[0]
    several = pd.concat([found, found.loc[["j"]].rename({"j": "k"})])
    several.attrs = found.attrs
    assert alone == "yes"
    assert open_verdicts.decide_better(several, "j", "control", 0.1)[0] == "undecided"


def draw_study(rng, items=150, raters=3, noise=0.7):
    """Return (Ratings of points by crossed raters, the true quality): two items in a group."""
    group = np.arange(items) // 2
    true = rng.normal(size=items)
    item = np.repeat(np.arange(items), raters)
    score = (true[item] + noise * rng.normal(size=len(item))).round(2)
    table = pd.DataFrame({"item": item, "rater": np.tile(np.arange(raters), items)})
    facts = pd.DataFrame({"item": np.arange(items), "group": group})
    return Ratings(facts, table.assign(score=score), "simulated"), true


def judge_of(score):
    """Return scores of a judge named j."""
    return pd.DataFrame({"item": np.arange(len(score)), "judge": "j", "score": score})


def give(data, scores, **more):
    """Return {question: verdict} and the table of a judge named j."""
    found = compare.compare(data, scores, statistics.pearson)
    table = open_verdicts.give_verdicts(data, scores, found, "j", 0.1, **more)
    return table.set_index("question")["verdict"], table


def test_who_knows_the_truth_has_three_yes(rng):
    data, true = draw_study(rng, noise=0.3)  # raters who agree well: a constant clearly fails
    said, table = give(data, judge_of(true))
    assert said.tolist() == ["yes", "yes", "yes"]
    assert table["what would decide"].eq("").all()


def test_who_says_the_opposite_has_three_no(rng):
    data, true = draw_study(rng)
    said, _ = give(data, judge_of(-true))
    assert said.tolist() == ["no", "no", "no"]


def test_a_constant_has_no_yes(rng):
    data, _ = draw_study(rng)
    said, _ = give(data, judge_of(np.zeros(150)))
    assert said[open_verdicts.READS] == said[open_verdicts.PERSON] == "no"
    assert said[open_verdicts.REPLACE] != "yes"


def test_where_a_constant_passes_too_replacing_is_open(rng):
    data, true = draw_study(rng, noise=6.0)  # raters who agree about nothing
    scores = judge_of(true)
    found = make_found()
    _, verdict, why = open_verdicts.decide_replacement(data, scores, found, "j", ("item",))
    assert verdict == "undecided"
    assert "so does what never reads: always" in why


def test_that_no_constant_was_shown_to_pass_is_not_enough_for_a_yes(rng):
    data, true = draw_study(rng, items=40, noise=0.7)
    cases = ratings.find_cases(data)
    constants = open_verdicts.list_constants(cases, ("item",))
    assert list(constants.values()) == [False]  # neither passes nor fails clearly
    scores = judge_of(true)
    _, verdict, why = open_verdicts.decide_replacement(data, scores, make_found(), "j", ("item",))
    assert verdict == "undecided"
    assert "wins against 3 of 3" in why and "so might what never reads: always" in why


@pytest.mark.parametrize(("noise", "constants"), [(0.1, []), (6.0, [True])])
def test_constants_fail_where_raters_agree_and_pass_where_they_do_not(noise, constants, rng):
    data, _ = draw_study(rng, noise=noise)
    listed = open_verdicts.list_constants(ratings.find_cases(data), ("item",))
    assert list(listed.values()) == constants


def test_what_shows_that_a_constant_fails_is_told_with_its_cost(rng):
    data, true = draw_study(rng, items=40, noise=0.4)
    told = open_verdicts.tell_what_replaces(data, judge_of(true), make_found(), "j", ("item",))
    needed = int(re.match(r"About (\d+) items by each rater instead of 40: ", told).group(1))
    more = f"{(needed - 40) * 3:,} more ratings."
    assert told.endswith(more)
    data, _ = draw_study(rng, items=needed, noise=0.4)
    assert open_verdicts.list_constants(ratings.find_cases(data), ("item",)) == {}


@pytest.mark.parametrize("raters", [2, 4])
def test_a_copy_of_one_rater_is_not_as_good_as_one_more(raters, rng):
    data, _ = draw_study(rng, raters=raters, noise=0.3)
    first = data.ratings[data.ratings["rater"] == 0].sort_values("item")["score"].to_numpy()
    said, table = give(data, judge_of(first))
    row = table.set_index("question").loc[open_verdicts.PERSON]
    assert (row["verdict"], said[open_verdicts.REPLACE]) == ("undecided", "undecided")
    assert "agrees with 0 as a copy would" in row["why"]
    assert row["what would decide"] == open_verdicts.UNSEEN


def test_who_was_made_from_the_ratings_is_not_as_good_as_one_more(rng):
    data, _ = draw_study(rng, raters=4, noise=0.7)
    mean = data.ratings.groupby("item")["score"].mean().to_numpy()
    _, table = give(data, judge_of(mean), ways=False)
    row = table.set_index("question").loc[open_verdicts.PERSON]
    assert row["verdict"] == "undecided"
    assert "clearly more than a perfect judge" in row["why"]


def test_a_copy_of_a_poor_rater_has_a_no():
    found = make_found(person=(-0.3, -0.4, -0.2))
    assert open_verdicts.decide_as_good(found, "j", 0.1, "it may know these ratings")[0] == "no"


def test_an_honest_judge_is_no_copy_where_all_say_nearly_the_same():
    rng = np.random.default_rng(2)
    true = rng.random(120) < 0.5
    for _ in range(20):
        errors = rng.random((120, 4)) < 0.02
        answers = (true[:, None] ^ errors).astype(int)
        wide = pd.DataFrame(answers[:, :3], columns=[0, 1, 2])
        wide.index = pd.MultiIndex.from_product([range(120), [""]], names=["item", "aspect"])
        assert limits.find_equal(wide, judge_of(answers[:, 3]), "j") == set()
        assert limits.find_equal(wide, judge_of(answers[:, 1]), "j") <= {1}


def test_who_says_the_same_as_one_of_two_raters_is_found_out():
    rng = np.random.default_rng(3)
    wide = pd.DataFrame(rng.integers(1, 6, size=(60, 2)), columns=[0, 1])
    wide.index = pd.MultiIndex.from_product([range(60), [""]], names=["item", "aspect"])
    score = wide[1].to_numpy(float)
    score[:2] += 1  # on 2 of 60 items it says something else
    assert limits.find_equal(wide, judge_of(score), "j") == {1}
    score[:10] += 1
    assert limits.find_equal(wide, judge_of(score), "j") == set()


def test_with_one_rater_an_item_nobody_knows_how_good_a_rater_is(rng):
    data, true = draw_study(rng, raters=1)
    said, table = give(data, judge_of(true))
    row = table.set_index("question").loc[open_verdicts.PERSON]
    assert (said[open_verdicts.READS], row["verdict"]) == ("yes", "undecided")
    assert row["what would decide"] == "A second rater for each item."


@pytest.mark.parametrize("n", [12, 40, 150])
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
        found = compare.compare(data, scores, statistics.pearson, simulate=False)
        spreads[noise] = deciding.find_setting(data, found, "j").spreads["control"]
    assert spreads[0.05].iloc[-1] > 0.93
    assert spreads[1.5].iloc[-1] < 0.85
    assert spreads[1.5].is_monotonic_decreasing


def make_setting(share=0.5):
    """Return a study of 60 items in 30 groups by 2 raters, of whom 4 have a share of the spread."""
    rivals = ["control", "stranger", "person"]
    return deciding.Setting(60, 30, 1, 2, pd.DataFrame([[1.0] * 3, [share] * 3], [2, 4], rivals))


def test_what_would_decide_is_said_with_its_cost():
    told = deciding.tell_ways(90, make_setting(), "control")
    more_items = "120 more items like these (60 groups): 240 more ratings"
    assert told == f"About {more_items}; or 4 raters an item instead of 2: 120 more ratings."


def test_where_no_feasible_study_decides_it_is_said():
    told = deciding.tell_ways(30_000, make_setting(share=1.0), "control")
    assert "about 60,000 items by 2 raters (120,000 ratings)" in told


def test_the_noise_of_repeats_is_the_variance_between_answers_to_one_question(rng):
    item = np.repeat(np.arange(400), 2)
    score = rng.normal(size=400)[item] + 0.5 * rng.normal(size=800)
    scores = pd.DataFrame({"item": item, "judge": "j", "score": score})
    noise, times = deciding.find_repeat_noise(scores, "j")
    assert noise == pytest.approx(0.2, abs=0.03)
    assert times == 2
    assert np.isnan(deciding.find_repeat_noise(scores[::2], "j")[0])


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
    assert told in deciding.tell_repeats(scores, "j", 0.5, missing - 0.003)


def draw_known_parts(rng, prompts=50, raters=3):
    """Return (`Ratings`, author, words, what only a reader knows), by four authors on each prompt:
    of what raters share, three parts in ten are the author, three the length, four the reader's."""
    items = prompts * 4
    author = np.tile([-1.3, -0.4, 0.4, 1.3], prompts)
    words = rng.normal(size=items)
    read = rng.normal(size=items)
    shared = (author + words) * np.sqrt(0.3) + read * np.sqrt(0.4)
    table = pd.DataFrame({"item": np.repeat(np.arange(items), raters)})
    table["rater"] = np.tile(np.arange(raters), items)
    table["score"] = (shared[table["item"]] + rng.normal(size=len(table))).round(2)
    facts = pd.DataFrame({"item": np.arange(items), "group": np.arange(items) // 4})
    facts["writer"] = np.tile([*"abcd"], prompts)
    facts["words"] = (600 + 100 * words).round()
    return Ratings(facts, table, "simulated"), author, words, read


def test_a_control_that_knows_the_author_decides_nothing_and_explains(rng):
    data, author, words, read = draw_known_parts(rng)
    unread, reads = judge_of(author + words), judge_of(author + words + 2 * read)
    for scores, beyond in ((unread, False), (reads, True)):
        found = compare.compare(data, scores, statistics.pearson, simulate=False)
        said, table = give(data, scores, ways=False)
        assert said[open_verdicts.READS] == "yes", "it leads the length"
        told = authors.explain(data, found, table.attrs["added"])
        assert told.beyond is beyond
        assert "largely who wrote an item" in told.text
        assert ("not clearly more than nothing" in told.text) != beyond


def test_where_nothing_can_be_learnt_about_authors_a_lead_may_be_theirs(rng):
    data, author, words, read = draw_known_parts(rng)
    level = rng.normal(size=50)[data.items["group"]]  # each group has an author of its own
    table = data.ratings.assign(score=data.ratings["score"] + 1.5 * level[data.ratings["item"]])
    items = data.items.assign(writer=data.items["group"].astype(str))
    data = data._replace(items=items, ratings=table)
    assert authors.are_unlearnt(data)
    said, table = give(data, judge_of(level + 0.05 * rng.normal(size=200)), ways=True)
    assert said[open_verdicts.READS] == "undecided"
    assert "stand in one group only" in table["why"][0]
    assert table["what would decide"][0] == open_verdicts.LEARNABLE
    said, _ = give(data, judge_of(level + read), ways=False)
    assert said[open_verdicts.READS] == "yes", "it adds to the author"
    assert not authors.are_unlearnt(data._replace(items=items.assign(writer=items["item"])))
