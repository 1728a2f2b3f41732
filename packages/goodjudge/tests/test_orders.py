"""Pairs and ranks through the one comparison, with a known truth."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.card import cautions, questions, study
from goodjudge.card.shapes import BETTER, REPLACE
from goodjudge.comparison import compare, controls
from goodjudge.data import orders
from goodjudge.data.reading import read_files
from goodjudge.diagnostics import reliability as people
from goodjudge.stats import metrics as statistics

RIGHT, JUDGE_RIGHT = 0.85, 0.8  # how often a rater, and the judge, prefers the better text
PAIRS, RATERS = 200, 3


def simulate_pairs(rng, like_long=0.0):
    """Return (preferences of raters, of judges) as tables of a reader's files: raters prefer the
    better text in 85 of 100 pairs, or, of a share `like_long`, the longer one; a judge the better
    one in 80, and another always the longer one."""
    rows, judged = [], []
    for number in range(PAIRS):
        words = rng.permutation([100, 200])
        better, longer = rng.choice(["a", "b"]), "ab"[int(words[1] > words[0])]
        pair = {"item_a": f"t{number}", "item_b": f"u{number}", "group": f"p{number}"}
        facts = {"words_a": words[0], "words_b": words[1]}
        for rater in range(RATERS):
            preferred = better if rng.random() < RIGHT else "ab".replace(better, "")
            preferred = longer if rng.random() < like_long else preferred
            rows.append({**pair, **facts, "rater": f"r{rater}", "preferred": preferred})
        answer = better if rng.random() < JUDGE_RIGHT else "ab".replace(better, "")
        judged.append({**pair, "judge": "right", "preferred": answer})
        judged.append({**pair, "judge": "longer", "preferred": longer})
    return pd.DataFrame(rows), pd.DataFrame(judged)


def read_tables(folder, rows, judged):
    """Return (`Ratings`, a judge's places) of two tables, by way of a reader's files."""
    rows.to_csv(folder / "pairs.csv", index=False)
    judged.to_csv(folder / "judge.csv", index=False)
    return read_files(folder / "pairs.csv", folder / "judge.csv")


def compare_pairs(data, judged):
    """Return the comparison of judges of pairs, without a ceiling."""
    within = orders.choose_within(data)
    measure = statistics.pairwise_accuracy
    return compare.compare(data, judged, measure, within=within, simulate=False)


@pytest.fixture(scope="module")
def read_right(tmp_path_factory):
    """Return (data, judged) of raters whom length does not matter."""
    tables = simulate_pairs(np.random.default_rng(3))
    return read_tables(tmp_path_factory.mktemp("right"), *tables)


def test_a_judge_that_is_right_in_80_of_100_has_what_follows_from_it(read_right):
    """Two raters who agree are right with p² / (p² + (1 - p)²); the pairs where they differ are
    left out."""
    table = compare_pairs(*read_right)
    others_right = RIGHT**2 / (RIGHT**2 + (1 - RIGHT) ** 2)
    of_judge = JUDGE_RIGHT * others_right + (1 - JUDGE_RIGHT) * (1 - others_right)
    of_person = RIGHT * others_right + (1 - RIGHT) * (1 - others_right)
    assert table.loc["right", "low"] < of_judge < table.loc["right", "high"]
    assert table.loc["right", "estimate"] == pytest.approx(of_judge, abs=0.06)
    assert table.loc[compare.PERSON, "estimate"] == pytest.approx(of_person, abs=0.06)
    assert table.loc["longer", "low"] < 0.5 < table.loc["longer", "high"]
    assert table.loc["right", "over control low"] > 0


def test_a_judge_that_prefers_the_longer_leads_no_control_of_length(tmp_path):
    tables = simulate_pairs(np.random.default_rng(4), like_long=0.5)
    table = compare_pairs(*read_tables(tmp_path, *tables))
    assert table.loc["longer", "estimate"] > 0.7, "raters go by length in half of the pairs"
    assert table.attrs["chosen"] == "length"
    assert table.loc["longer", "over control"] == pytest.approx(0, abs=0.01)


def test_reliability_of_one_rater_is_agreement_beyond_chance(read_right):
    data, _ = read_right
    alike = RIGHT**2 + (1 - RIGHT) ** 2
    agreed = people.find_agreement(data)
    assert agreed["low"].max() < 2 * alike - 1 < agreed["high"].min()


def test_pairs_have_a_ceiling_where_each_is_a_group_and_none_ties(read_right, tmp_path):
    data, _ = read_right
    assert orders.has_ceiling(data)
    tied = data.ratings.assign(score=1.5)
    assert not orders.has_ceiling(data._replace(ratings=tied))
    one_group = data._replace(items=data.items.assign(group="p"))
    assert not orders.has_ceiling(one_group)
    assert orders.choose_within(one_group) == ("set", "rater")


def lean_to_first(rng, pairs=120, raters=3, lean=0.8):
    """Return (preferences of raters, of judges) who look at places alone: raters prefer the first
    in 80 of 100 pairs, one judge always, another tosses a coin."""
    rows, judged = [], []
    for number in range(pairs):
        pair = {"item_a": f"t{number}", "item_b": f"u{number}"}
        for rater in range(raters):
            preferred = "a" if rng.random() < lean else "b"
            rows.append({**pair, "rater": f"r{rater}", "preferred": preferred})
        judged.append({**pair, "judge": "first", "preferred": "a"})
        judged.append({**pair, "judge": "coin", "preferred": rng.choice(["a", "b"])})
    return pd.DataFrame(rows), pd.DataFrame(judged)


def test_the_place_in_which_a_text_was_shown_is_a_control(tmp_path, rng):
    data, judged = read_tables(tmp_path, *lean_to_first(rng))
    assert data.items["position"].tolist()[:2] == [1, 2]
    table = compare_pairs(data, judged)
    assert table.attrs["stranger"] == controls.SHOWN_FIRST
    assert table.at[controls.SHOWN_FIRST, "estimate"] == table.at["first", "estimate"] > 0.8
    assert table.at[controls.SHOWN_LAST, "estimate"] < 0.2
    assert "People prefer the text shown first" in cautions.doubt_one_order(data).what


def test_always_the_first_replaces_nobody(tmp_path, rng):
    data, judged = read_tables(tmp_path, *lean_to_first(rng))
    own = judged[judged["judge"] == "first"]
    found = compare_pairs(data, own)
    whole = study.set_up(data, own)
    given, _ = questions.give_verdicts(whole, found, "first", 0.05, ways=False)
    said = {one.question: one.answer for one in given}
    assert said[BETTER] == "no"
    assert said[REPLACE] == "undecided"
    assert "always the one shown first" in given[-1].why


def test_a_pair_shown_in_both_orders_has_no_first(tmp_path, rng):
    rows, judged = lean_to_first(rng)
    turned = rows.rename(columns={"item_a": "item_b", "item_b": "item_a"})
    both = pd.concat([rows, turned.assign(rater=turned["rater"] + " again")])
    data, judged = read_tables(tmp_path, both, judged)
    assert data.items["position"].eq(1.5).all()
    assert controls.SHOWN_FIRST not in compare_pairs(data, judged).index
    assert cautions.doubt_one_order(data) is None
