"""EvolvR's protocol on HANNA: five measures, partners, orders; a live judge from end to end."""

import numpy as np
import pandas as pd
import pytest

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
