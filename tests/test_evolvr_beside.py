"""Stories beside partners, in both orders: the draw, the order effect."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from helpers import judges
from helpers.evolvr import beside

RNG, LONG = np.random.default_rng, "word " * 40
STORIES = {name: LONG + name for name in "abcde"}


def judge(answer, stories=STORIES, partners=4, **options):
    """Return (requests, answers) of a simulated judge, answer(row, rng) -> text."""
    requests = beside.requests(stories, beside.word_criteria(["style"]), partners, RNG(0))
    options = judges.Options(simulators={"it": answer}, **options)
    return requests, judges.ask(requests, "simulated/it", beside.reader, options)


@pytest.mark.parametrize("count", range(2, 9))
def test_each_story_stands_beside_as_many_others_as_asked_for_and_no_pair_comes_twice(count):
    for partners in range(1, 10):
        drawn = [frozenset(pair) for pair in beside.draw_pairs(count, partners, RNG(1))]
        assert len(set(drawn)) == len(drawn) and {len(pair) for pair in drawn} == {2}
        times, near = Counter(i for pair in drawn for i in pair), min(partners, count - 1)
        assert sorted(times.values())[:-1] == [near] * (count - 1)
        assert max(times.values()) == near + (near * count) % 2


def test_a_judge_that_prefers_the_first_is_found_out_and_scores_all_alike():
    _, answers = judge(lambda row, rng: "[[A: 5, B: 3]]")
    order = beside.rate_order(answers)
    assert order["estimate"].tolist() == [1, 2] and order["n"].tolist() == [10, 10]
    stories = beside.rate_stories(beside.score(answers), list(STORIES))
    assert stories["estimate"].tolist() == [4] * 5 and stories["n"].tolist() == [4] * 5


def test_a_judge_that_reads_ranks_stories_whatever_the_order_and_ties_do_not_turn():
    worth = dict(zip("abcde", (1, 2, 2, 4, 5)))
    _, answers = judge(lambda row, rng: f"[[A: {worth[row.item]}, B: {worth[row.partner]}]]")
    assert beside.rate_order(answers)["estimate"].tolist() == [0, 0]
    stories = beside.rate_stories(beside.score(answers), ["a", "b", "e"])
    assert stories.index.tolist() == [("style", name) for name in "eba"]
    assert stories["estimate"].tolist() == [5, 2, 1] and not stories["SD over partners"].any()
    # beside a better story less: the mean over partners, their SD, the interval within the scale
    _, answers = judge(lambda row, rng: f"[[A: {1 + 2 * (row.partner > 'b')}, B: 1]]")
    one = beside.rate_stories(beside.score(answers), ["a"]).iloc[0]
    assert one[["estimate", "SD over partners", "low"]].tolist() == pytest.approx([1.75, 0.5, 1])


def test_preferences_turn_by_criterion():
    """By one criterion the first always wins, by the other nobody."""
    _, answers = judge(lambda row, rng: "[[A: 5, B: 3]]")
    verdict = pd.Series([(3, 3)] * len(answers))
    other = answers.assign(aspect="plot", verdict=verdict)
    order = beside.rate_order(pd.concat([answers, other]))
    assert order["estimate"].tolist() == [0, 0, 1, 2] and order["n"].tolist() == [10] * 4
    assert "(plot)" in order.index[0] and "(style)" in order.index[2]


def test_halves_of_pairs_say_nothing_of_the_order_and_one_story_has_no_partner():
    requests, answers = judge(lambda row, rng: "[[A: 2, B: 4]]", partners=2, limit=1)
    assert len(requests) == 10 and len(answers) == 1
    assert beside.rate_order(answers).empty
    with pytest.raises(ValueError, match="partners=0: expected a whole number"):
        judge(None, partners=0)
    with pytest.raises(ValueError, match="one story has no partner"):
        beside.requests({"a": LONG}, {"style": "style"}, 2, RNG(0))
