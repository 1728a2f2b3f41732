"""A reader's stories beside partners, in both orders: the draw, the order effect, one story alone,
and a live judge in notebook 05."""

from collections import Counter

import goodjudge
import numpy as np
import pandas as pd
import pytest
from test_notebooks import code, find, read, settings_for, texts

from helpers import judges
from helpers.evolvr import beside
from helpers.workshop import run as runs

RNG, LONG = np.random.default_rng, "word " * 40
STORIES = {name: LONG + name for name in "abcde"}


def judge(answer, stories=STORIES, partners=4, **options):
    """Return (requests, answers) of a simulated judge, answer(row, rng) -> text."""
    given = beside.load_own(stories, ["style"])
    requests = beside.requests(*given, partners, RNG(0))
    options = judges.Options(simulators={"it": answer}, **options)
    return requests, beside.ask(requests, "simulated/it", options)


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


def test_one_story_has_partners_of_ours_and_halves_of_pairs_say_nothing_of_the_order():
    requests, answers = judge(lambda row, rng: "[[A: 2, B: 4]]", LONG, 3, limit=1)
    assert len(requests) == 6 and len(answers) == 1
    pairs = requests[["item", "partner"]].apply(set, axis=1)
    assert all("Text 1" in pair and min(pair - {"Text 1"})[:6] == "ours: " for pair in pairs)
    stories = beside.rate_stories(beside.score(answers), ["Text 1"])
    assert beside.rate_order(answers).empty and len(stories) == 1
    with pytest.raises(ValueError, match="partners=0: expected a whole number"):
        judge(None, partners=0)
    with pytest.raises(judges.JudgeError, match="not one usable answer .20 unparsed"):
        judge(lambda row, rng: "A is better.")


def test_a_live_judge_in_notebook_05_its_price_first(httpserver, monkeypatch, tmp_path):
    message = {"role": "assistant", "content": "A holds together.\n[[A: 4, B: 3]]"}
    reply = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "model": "m"}
    httpserver.expect_request("/v1/chat/completions").respond_with_json(reply)
    monkeypatch.setenv("LOCAL_BASE_URL", httpserver.url_for("/v1"))
    given = {"own_stories": STORIES, "judge": "local/m", "partners": 2, "criteria": ["style"]}
    given = settings_for(find("05"), tmp_path, **given)
    record = runs.execute(find("05"), tmp_path / "run.ipynb", given)
    assert record["status"] == "ok" and len(httpserver.log) == 10, record["error"]
    cells = code(read(tmp_path / "run.ipynb"))
    said = ["\n".join(texts(cell)) for cell in cells]
    price, result = (
        next(k for k, text in enumerate(said) if sign in text)
        for sign in ("US dollars, at most", "points more when shown first")
    )
    assert price < result == len(said) - 1 and "10 requests" in said[price]
    left = pd.read_csv(tmp_path / "own-results-05-local-m.csv")
    assert len(left) == 10 and left["text"].str.startswith("A holds").all()
    assert left["score_a"].eq(4).all() and left["score_b"].eq(3).all()


VOTES = ["writer_a,writer_b,group,rater,preferred"]
VOTES += ["new,old,p1,r1,a", "old,new,p1,r2,a", "new,old,p2,r1,tie", "old,new,p3,r1,b"]
VOTES += ["new,old,p4,r1,a", "new,old,p5,r1,a", "new,third,p6,r1,b"]


@pytest.fixture
def votes(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(VOTES))
    return goodjudge.read_ratings(path)


def test_a_win_rate_counts_ties_half_and_averages_votes_within_a_prompt(votes):
    found = beside.win_rate(votes, "new", "old")
    assert found["estimate"] == pytest.approx((0.5 + 0.5 + 1 + 1 + 1) / 5) and found["n"] == 5
    turned = beside.win_rate(votes, "old", "new")
    assert turned["estimate"] == pytest.approx(1 - found["estimate"])
    assert found["high"] == 1 and turned["low"] == 0, "within 0 and 1"


def test_a_win_rate_against_all_others_and_against_nobody(votes):
    against_all = beside.win_rate(votes, "new")
    assert against_all["estimate"] == pytest.approx(4 / 6) and against_all["n"] == 6
    few = beside.win_rate(votes, "third")
    assert few["estimate"] == 1 and np.isnan(few["low"]), "no interval from one prompt"
    with pytest.raises(ValueError, match="no pair of texts by 'old' and 'third'"):
        beside.win_rate(votes, "old", "third")
