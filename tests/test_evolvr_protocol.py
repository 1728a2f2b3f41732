"""EvolvR's protocol on HANNA: five measures, partners, orders; a live judge from end to end."""

import numpy as np
import pandas as pd
import pytest
from answering_server import GOOD, serving
from goodjudge.ask.calls import name_requests

from helpers import judges
from helpers.evolvr import beside, load, protocol

RNG = np.random.default_rng
TRUTH = pd.Series([1.0, 2, 3, 4, 5, 2, 4, 3])
GROUPS = pd.Series([*"aabbccdd"])


def table(score):
    return pd.DataFrame({"score": score, "truth": TRUTH, "group": GROUPS})


@pytest.fixture(scope="module")
def hanna():
    return load.load()


def test_whoever_says_the_truth_has_the_best_of_each_measure():
    found = protocol.find_five(table(TRUTH))
    assert found.to_dict() == {"Pearson": 1, "Spearman": 1, "Kendall": 1, "MSE": 0, "F1": 1}
    turned = protocol.find_five(table(6 - TRUTH))
    assert turned[["Pearson", "Spearman", "Kendall"]].round(9).tolist() == [-1, -1, -1]


def test_a_constant_has_no_correlation_but_an_error_and_an_f1():
    found = protocol.find_five(table(4.0))
    assert found[["Pearson", "Spearman", "Kendall"]].isna().all()
    # errors 3, 2, 1, 0, 1, 2, 0, 1 of 4 points; three of eight are above 3
    assert found["MSE"] == pytest.approx(20 / 8 / 16)
    assert found["F1"] == pytest.approx(2 * 3 / (8 + 3))
    assert protocol.find_five(table(4.0), cut=1)["F1"] == pytest.approx(2 * 7 / (8 + 7))
    assert protocol.find_five(table(1.0))["F1"] == 0


def test_intervals_are_over_groups_and_missing_for_few():
    found = protocol.measure_five(table([1, 3, 3, 4, 4, 2, 5, 3]))
    assert set(found["n"]) == {4} and found["low"].isna().all()
    many = pd.concat([table([1, 3, 3, 4, 4, 2, 5, 3]).assign(group=GROUPS + k) for k in "xy"])
    found = protocol.measure_five(many)
    assert set(found["n"]) == {8} and (found["low"] <= found["estimate"]).all()


def test_the_rivals_are_held_against_people_and_the_better_one_knows_the_author(hanna):
    rivals = protocol.list_rivals(hanna)
    five = {name: protocol.find_five(rows) for name, rows in rivals.items()}
    mean, author = five["the aspect's mean"], five["authorship and aspect"]
    assert author["Pearson"] > mean["Pearson"] > 0 and author["MSE"] < mean["MSE"]
    person = rivals[protocol.AGAINST_OTHERS]
    assert len(person) == len(hanna.ratings) and five[protocol.AGAINST_OTHERS]["MSE"] > mean["MSE"]


def judge_by(hanna, answer, partners=4, stories=30):
    """Return (scores, requests) of a simulated judge, answer(row, rng) -> text."""
    names = hanna.items["item"].head(stories)
    texts = {name: f"the text of {name}" for name in names}
    wordings = beside.word_criteria(["Coherence", "Surprise"])
    requests = beside.requests(texts, wordings, partners, RNG(0))
    options = judges.Options(simulators={"it": answer})
    return beside.score(beside.ask(requests, "simulated/it", options)), requests


def test_a_story_has_2n_scores_and_fewer_partners_are_a_part_of_more(hanna):
    scores, requests = judge_by(hanna, lambda row, rng: "[[A: 3, B: 4]]")
    assert len(requests) == 30 * 4 / 2 * 2 * 2
    cases = scores.groupby(["item", "aspect"])
    assert set(cases.size()) == {8} and set(cases["partner"].nunique()) == {4}
    assert set(cases["shown"].value_counts()) == {4}
    for count in (1, 2, 3, 4):
        fewer = protocol.take_partners(scores, count)
        assert set(fewer.groupby(["item", "aspect"])["partner"].nunique()) == {count}
        assert set(fewer.groupby(["item", "aspect"]).size()) == {2 * count}


def test_one_list_of_a_noisy_judge_is_lower_than_its_averages_and_orders_show(hanna):
    means = hanna.ratings.groupby(["item", "aspect"])["score"].mean()

    def answer(row, rng):
        first = means[row["item"], row["aspect"]] + rng.normal(0, 1) + 1  # likes what comes first
        second = means[row["partner"], row["aspect"]] + rng.normal(0, 1)
        a, b = protocol.round_scores([first, second])
        return f"[[A: {a:.0f}, B: {b:.0f}]]"

    scores, _ = judge_by(hanna, answer, stories=120)
    one_list = protocol.hold_against(scores, hanna)
    averaged = protocol.hold_against(protocol.average_partners(scores), hanna)
    assert len(one_list) == 120 * 2 * 8 and len(averaged) == 120 * 2
    assert protocol.find_five(averaged)["Pearson"] > protocol.find_five(one_list)["Pearson"] + 0.1
    views = protocol.list_views(scores, hanna)
    assert [*views] == [
        *("one list", "averaged", "partners: 1", "partners: 2", "partners: 4"),
        *("shown first", "shown second"),
    ]
    pd.testing.assert_frame_equal(views["one list"], one_list)
    pd.testing.assert_frame_equal(views["partners: 4"], one_list)
    sizes = [len(rows) for rows in views.values()]
    assert sizes == [120 * 2 * n for n in (8, 1, 2, 4, 8, 4, 4)]
    by_place = one_list.groupby("shown")["score"].mean()
    assert by_place["first"] - by_place["second"] > 0.5


def test_the_six_aspects_are_defined_for_a_judge_whatever_their_capitals():
    wordings = beside.word_criteria([*load.ASPECTS, "style"])
    assert wordings["Empathy"] == "Empathy (how well can a reader share what the characters feel?)"
    assert wordings["style"] == "style" and "(" in wordings["Complexity"]


def test_a_slice_has_all_stories_of_its_prompts_and_a_bad_count_is_an_error(open_data, hanna):
    kept, requests = protocol.request_slice(hanna, 2, 3, RNG(0))
    assert kept.items["group"].nunique() == 2 and len(kept.items) == 22
    assert set(requests["item"]) == set(requests["partner"]) == set(kept.items["item"])
    assert len(requests) == 22 * 3 / 2 * 2 * 6 and set(requests["aspect"]) == set(load.ASPECTS)
    assert requests["shared"].str.count("Written to this prompt: ").eq(2).all()
    more, _ = protocol.request_slice(hanna, 5, 3, RNG(0))
    assert set(kept.items["item"]) < set(more.items["item"])
    for count in (0, 97, 2.5):
        with pytest.raises(ValueError, match="expected a whole number from 1 to 96"):
            protocol.request_slice(hanna, count, 3, RNG(0))


def test_a_digit_is_asked_for_each_story_and_its_probabilities_count_where_there_are_some(
    open_data, hanna
):
    _, requests = protocol.request_slice(hanna, 1, 2, RNG(0))
    sides = beside.split_sides(requests)
    assert len(sides) == 2 * len(requests) and not name_requests_twice(sides)
    assert sides["prompt"].str.contains(r"Rate story [AB] on \w+ \(").all()
    assert not sides["prompt"].str.contains("[[", regex=False).any()
    a, b = sides[sides["side"] == "A"], sides[sides["side"] == "B"]
    assert a["item"].tolist() == b["partner"].tolist() and a["shared"].tolist() == [*b["shared"]]
    options = judges.Options(simulators={"it": lambda row, rng: "4" if row["side"] == "A" else "x"})
    answers = beside.ask(sides, "simulated/it", options)
    scores = beside.score(answers)
    by_place = scores.groupby("shown")["score"]
    assert by_place.mean().tolist() == [4, pytest.approx(np.nan, nan_ok=True)]
    weighed = answers.assign(score=3.25)  # as a server's probabilities give it
    scores = beside.score(weighed)
    assert set(scores["score"].dropna()) == {3.25}
    assert scores["score"].isna().sum() == len(b), "what cannot be read has no score"


def name_requests_twice(requests):
    """Return what is asked about twice under one name."""
    names = pd.Series(name_requests(requests))
    return names[names.duplicated()].tolist()


def test_recorded_answers_replay_without_texts(no_data, hanna):
    kept, requests = protocol.request_slice(hanna, 2, 2, RNG(0), with_texts=False)
    assert "prompt" not in requests and len(kept.items) == 22
    answers = pd.DataFrame({"item": name_requests(requests), "text": "[[A: 4, B: 2]]"})
    scores = beside.score(beside.ask(requests, "recorded/it", judges.Options(recorded=answers)))
    assert scores.groupby("shown")["score"].mean().tolist() == [4, 2]
    views = protocol.list_views(scores, kept)
    assert [len(rows) for rows in views.values()] == [528, 132, 264, 528, 264, 264]
    with pytest.raises(FileNotFoundError, match="hanna_stories_annotations.csv"):
        protocol.request_slice(hanna, 2, 2, RNG(0))


def test_a_live_judge_that_knows_what_people_say_is_found_out(
    open_data, hanna, tmp_path, monkeypatch
):
    kept, requests = protocol.request_slice(hanna, 2, 2, RNG(0))
    means = kept.ratings.groupby(["item", "aspect"])["score"].mean()
    rounded = pd.Series(protocol.round_scores(means), means.index)
    answer = {}
    for row in requests.itertuples():
        a, b = rounded[row.item, row.aspect], rounded[row.partner, row.aspect]
        about = "".join((row.shared + row.prompt).split())
        answer[about] = f"I compared them.\n[[A: {a:.0f}, B: {b:.0f}]]"

    def know(prompt):
        _, begin, rest = prompt.partition("<story_a>")
        return answer.get("".join((begin + rest).split()))

    options = judges.Options(transcripts=tmp_path / "t.sqlite", structured=False, progress=False)
    with serving(know) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.url)
        answers = beside.ask(requests, f"local/{GOOD}", options)
        asked = len(server.asked)
        again = beside.ask(requests, f"local/{GOOD}", options)
        assert asked == len(requests) and len(server.asked) == asked, "asked once, then kept"
    assert answers["text"].tolist() == again["text"].tolist()
    one_list = protocol.hold_against(beside.score(answers), kept)
    assert len(one_list) == 22 * 4 * 6
    assert (one_list["score"] == protocol.round_scores(one_list["truth"])).all()
    assert protocol.find_five(one_list)["Pearson"] > 0.9
