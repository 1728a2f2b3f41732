"""Designs, requests, the strict reading of ranked lists, and asking again."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import judges
from helpers.judges import labels
from helpers.poetry import ask as cat
from helpers.poetry import lists as designs
from helpers.poetry.load import load_poems, normalise

TIERS = np.repeat(["A", "B", "C"], 30)
NAMES = {
    0: "Ann Lee - Snow",
    1: "Ann Lee - Snow : 3",
    2: "Bo - 1914",
    3: "北国 - 雪",
    4: "Cy Dee - Route 9: North",
    5: "Æsa - “Low” Water",
}


def answer(order, scores=None, names=NAMES):
    """Return a well-formed answer."""
    scores = scores or [5 - k % 5 for k in range(len(order))]
    return "\n".join(f"{k + 1}. {names[i]} : {s}" for k, (i, s) in enumerate(zip(order, scores)))


def read(text, shown=(0, 2, 3, 4, 5), names=NAMES):
    return cat.read_list(labels.parse_list(text), shown, names)


@given(st.permutations([0, 2, 3, 4, 5]), st.lists(st.integers(1, 5), min_size=5, max_size=5))
def test_a_written_list_is_read_back(order, scores):
    scores = sorted(scores, reverse=True)
    ids, found, reason = read(answer(order, scores))
    assert (ids, found, reason) == (list(order), scores, "")


@given(st.permutations([0, 2, 3, 4, 5]), st.data())
def test_any_one_fault_makes_a_list_invalid(order, data):
    rows = answer(order).split("\n")
    k = data.draw(st.integers(0, 4))
    fault, expected = data.draw(
        st.sampled_from(
            [
                (lambda: rows[:k] + rows[k + 1 :], {"incomplete", "numbering", "no list"}),
                (lambda: rows + [rows[k].replace(f"{k + 1}.", "6.", 1)], {"duplicate"}),
                (lambda: rows + ["6. Nobody - Nothing : 2"], {"invented"}),
                (lambda: rows[:k] + [rows[k][:-1] + "6"] + rows[k + 1 :], {"off the scale"}),
                (lambda: rows[:k] + [rows[k][:-1] + "0"] + rows[k + 1 :], {"off the scale"}),
                (
                    lambda: rows[:k] + [rows[k].rpartition(" : ")[0]] + rows[k + 1 :],
                    {"no score", "invented", "off the scale", "incomplete"},
                ),
            ]
        )
    )
    ids, scores, reason = read("\n".join(fault()))
    assert ids is None and scores is None and reason in expected


@settings(max_examples=300)
@given(
    st.text(max_size=400)
    | st.lists(
        st.sampled_from(
            ["1. ", "2) ", "Ann Lee - Snow", " : 4", "\n", "**", "10.", "北国 - 雪", ": :", "5"]
        )
    ).map("".join)
)
def test_reader_never_fails_and_never_invents(text):
    ids, scores, reason = read(text)
    if reason == "":
        assert sorted(ids) == [0, 2, 3, 4, 5] and all(1 <= s <= 5 for s in scores)
    else:
        assert ids is None and scores is None


def test_sixteen_of_fifteen():
    names = {i: f"Author {i} - Title {i}" for i in range(16)}
    text = answer(range(16), names=names)
    assert cat.read_list(labels.parse_list(text), range(15), names)[2] == "invented"
    doubled = answer([*range(15), 3], names=names)
    assert cat.read_list(labels.parse_list(doubled), range(15), names)[2] == "duplicate"


def test_title_that_is_a_prefix_of_another():
    assert read(answer([0, 1, 2]), (0, 1, 2))[0] == [0, 1, 2]
    assert (
        read("1. Ann Lee - Snow : 3\n2. Bo - 1914 : 2\n3. Ann Lee - Snow : 1", (0, 1, 2))[2]
        == "ambiguous"
    )


@pytest.mark.parametrize(
    "text", ["Here is my list:\n\n{}", "**Ranking**\n{}", "{}\n\nI hope this helps!"]
)
def test_text_around_the_list(text):
    assert read(text.format(answer([5, 4, 3, 2, 0])))[0] == [5, 4, 3, 2, 0]


@pytest.mark.parametrize(
    "text",
    [
        "{}\n\nThese were close.",
        "Another reader's list:\n{}",
        "1. First: all good.\n\nFinal list:\n{}",
    ],
)
def test_other_text_around_a_scored_list_leaves_it_unread(text):
    assert read(text.format(answer([5, 4, 3, 2, 0])))[2] == "no list"


def test_stated_normalisation():
    text = (
        answer([0, 2, 3, 4, 5])
        .replace("“Low” Water", '"low"  water')
        .replace("Ann Lee", "ANN LEE")
        .replace(" : ", ": ")
    )
    assert read(text)[2] == ""
    assert normalise(NAMES[3]) == NAMES[3]


def test_tier_answers():
    assert labels.parse_tier("It is fine.\nCategory: **Medium**") == "Medium"
    assert not any(labels.parse_tier(text) for text in ("Category: Good or Bad", "Good", ""))
    assert labels.parse_tier("Category: Bad\nOn reflection.\nCategory: Good.") is None


@pytest.mark.parametrize("draw", [designs.draw_subsets, designs.balance_subsets])
def test_designs_hold_five_a_tier(draw):
    lists = draw(TIERS, 20, 5, np.random.default_rng(3))
    assert lists.shape == (20, 15)
    assert all(
        len(set(row)) == 15 and np.bincount(row // 30).tolist() == [5, 5, 5] for row in lists
    )
    assert (lists == draw(TIERS, 20, 5, np.random.default_rng(3))).all()
    with pytest.raises(ValueError, match="lower per_tier"):
        draw(TIERS[:33], 2, 5, np.random.default_rng(3))


def test_balanced_design_is_balanced():
    lists = designs.balance_subsets(TIERS, 33, 5, np.random.default_rng(1))
    assert np.ptp(np.bincount(lists.ravel(), minlength=90)) <= 1
    assert (
        np.ptp(
            np.bincount(
                designs.draw_subsets(TIERS, 33, 5, np.random.default_rng(1)).ravel(), minlength=90
            )
        )
        > 3
    )

    def met(table):
        return sum(
            np.bincount(
                [a * 90 + b for row in table for a in row for b in row if a < b], minlength=8100
            )
            ** 2
        )

    assert met(lists) < met(designs.draw_subsets(TIERS, 33, 5, np.random.default_rng(2)))


def test_prompts_show_no_tier_and_keep_their_fence():
    poems = pd.DataFrame(
        {
            "name": ["A - One", "B - Two"],
            "text": ["x </poem> Category", "y"],
            "tier": ["Zed", "Zed"],
        }
    )
    request = cat.list_requests(poems, [[1, 0]], "Quality").iloc[0]
    whole = request["system"] + request["shared"] + request["prompt"]
    assert "Zed" not in whole and whole.count("</poem>") == 2 and request["shown"] == (1, 0)
    assert whole.index("B - Two") < whole.index("A - One")
    with pytest.raises(ValueError, match="expected one of Creativity"):
        cat.list_requests(poems, [[1, 0]], "Beauty")


def test_invalid_answers_are_asked_again_and_counted():
    poems = load_poems()
    lists = designs.draw_subsets(poems["tier"], 6, 5, np.random.default_rng(0))
    calls = []

    def sometimes(row, rng):
        calls.append(row.item)
        names = [poems.at[i, "name"] for i in row.shown]
        lines = [f"{k + 1}. {name} : 3" for k, name in enumerate(names)]
        return "\n".join(lines[:-1] if rng.random() < 0.5 else lines)

    ratings, log = cat.rank_lists(
        poems,
        lists,
        "Quality",
        "simulated/half",
        judges.Options(simulators={"half": sometimes}),
        attempts=8,
    )
    assert (
        ratings.groupby("list").size().eq(15).all()
        and ratings["list"].nunique() == (log["reason"] == "").sum() == 6
    )
    assert set(log["reason"]) == {"", "incomplete"}
    assert (ratings.groupby("list")["position"].agg(["min", "max"]).to_numpy() == [1, 15]).all()
    silent = {"never": lambda row, rng: "No list."}
    never, log = cat.rank_lists(
        poems, lists, "Quality", "simulated/never", judges.Options(simulators=silent), attempts=2
    )
    assert never.empty and len(log) == 12 and set(log["status"]) == {"unparsed"}


def test_runs_of_one_list_differ():
    poems = load_poems()

    def random_order(row, rng):
        return "\n".join(
            f"{k + 1}. {poems.at[row.shown[i], 'name']} : 3"
            for k, i in enumerate(rng.permutation(15))
        )

    lists = designs.draw_subsets(poems["tier"], 1, 5, np.random.default_rng(0))
    ratings, _ = cat.rank_lists(
        poems,
        lists,
        "Creativity",
        "simulated/r",
        judges.Options(simulators={"r": random_order}),
        runs=10,
    )
    table = ratings.pivot(index="run", columns="poem", values="position")
    assert table.shape == (10, 15) and len(table.drop_duplicates()) == 10
