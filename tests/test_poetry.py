"""Poems are loaded and refused, lists drawn, asked for and read strictly; answers are counted."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import judges
from helpers.poetry import ask, graded, lists, load
from helpers.poetry.ranked import parse_list
from helpers.sources.public import DataError

TIERS = np.repeat(["A", "B", "C"], 30)
QUALITY = {"Quality": load.CRITERIA["Quality"]}
COLUMNS = ["title", "author", "tier", "text"]
GOOD = [
    ("One", "Ann", "A", "a line"),
    ("Two", "Ann", "A", "b line"),
    ("One", "Bob", "B", "c line"),
    ("Two", "Bob", "B", "d line"),
]
NAMES = {  # by id; one begins another, some have digits and colons, one has other letters
    0: "Ann Lee - Snow",
    1: "Ann Lee - Snow : 3",
    2: "Bo - 1914",
    3: "北国 - 雪",
    4: "Cy - Route 9: North",
    5: "Æsa - “Low” Water",
}


def simulators(profile):
    """Return options under which a profile answers as simulated/made."""
    return judges.Options(simulators={"made": profile})


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("ONE", " ann", "B", "e line"), "row 6: name is .*no other poem has"),
        (("Three", "Cy", "B", "a  LINE"), "a text that no other poem has"),
        (("Three", "Cy", "B", "   "), "row 6: text is .*fill it"),
        (("Three", "Cy", "C", "e"), r"C \(1\)"),
    ],
)
def test_bad_sets_of_poems_are_refused_by_row(tmp_path, row, expected):
    table = pd.DataFrame([*GOOD, row], columns=COLUMNS)
    table.to_csv(tmp_path / "mine.csv", index=False)
    with pytest.raises(DataError, match=expected):
        load.load_poems(tmp_path / "mine.csv")


@pytest.mark.parametrize("kind", ["table", "flat folder"])
def test_poems_without_tiers_are_loaded_from_a_table_or_a_flat_folder(tmp_path, kind):
    path = tmp_path
    table = pd.DataFrame(GOOD, columns=COLUMNS).drop(columns="tier")
    if kind == "table":
        path = tmp_path / "mine.csv"
        table.to_csv(path, index=False)
    else:
        for row in table.itertuples():
            (tmp_path / f"{row.author} - {row.title}.txt").write_text(row.text)
    poems, _, sentence = load.load_study(path)
    assert not poems.attrs["tiers"]
    assert poems["tier"].nunique() == 1
    assert sorted(poems["text"]) == ["a line", "b line", "c line", "d line"]
    assert sentence == "4 poems (no tiers), a reader's own"


def test_a_size_in_between_shows_as_many_poems_as_the_lists_of_all(rng):
    tiers = np.repeat([0, 1, 2], 30)
    designs = lists.plan_designs(tiers, 100, 10, rng, [90, 30, 15])
    assert [drawn.shape for drawn in designs.values()] == [(100, 15), (30, 30), (10, 90)]
    assert list(designs) == ["15", "30", "90"]
    poems_by_tier = [np.bincount(tiers[ids]).tolist() for ids in designs["30"]]
    assert poems_by_tier == [[10, 10, 10]] * 30
    without = lists.plan_designs(tiers, 100, 10, np.random.default_rng(0))
    within = lists.plan_designs(tiers, 100, 10, np.random.default_rng(0), [15, 30])
    for size in ("15", "90"):
        assert np.array_equal(without[size], within[size]), "whatever other sizes are asked for"


def test_each_poem_is_paired_in_both_orders_with_one_of_a_lower_tier():
    table = graded.pair_requests(load.load_poems())
    better, worse = (table[column].str[5:].astype(int) for column in ("item", "partner"))
    assert len(table) == 180
    assert (better // 30 < worse // 30).all()
    assert set(zip(better, table["order"])) == {(i, order) for i in range(60) for order in "+-"}


def answer(order, scores=None, names=NAMES):
    """Return a well-formed answer: the poems of these ids, best first, with scores."""
    if scores is None:
        scores = [5 - k % 5 for k in range(len(order))]
    lines = []
    for place, (i, score) in enumerate(zip(order, scores), start=1):
        lines.append(f"{place}. {names[i]} : {score}")
    return "\n".join(lines)


def read(text, shown=(0, 2, 3, 4, 5), names=NAMES):
    """Return (ids best first, scores, reason) of an answer about the poems shown."""
    return ask.read_list(parse_list(text), shown, names)


@given(st.permutations([0, 2, 3, 4, 5]), st.lists(st.integers(1, 5), min_size=5, max_size=5))
def test_a_written_list_is_read_back(order, scores):
    scores = sorted(scores, reverse=True)
    assert read(answer(order, scores)) == (list(order), scores, "")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (lambda rows: rows[:-1], "incomplete"),
        (lambda rows: [*rows, rows[1].replace("2.", "6.", 1)], "duplicate"),
        (lambda rows: [*rows, "6. Nobody - Nothing : 2"], "invented"),
        (lambda rows: [rows[0][:-1] + "6", *rows[1:]], "off the scale"),
        (lambda rows: [*rows[:-1], rows[-1][:-1] + "0"], "off the scale"),
        (lambda rows: [rows[0].rpartition(" : ")[0], *rows[1:]], "no score"),
        (lambda rows: ["2" + rows[0][1:], *rows[1:]], "numbering"),
        (lambda rows: ["I cannot."], "no list"),
    ],
)
def test_any_one_fault_makes_a_list_invalid(fault, reason):
    rows = answer([2, 0, 3, 4, 5]).split("\n")
    assert read("\n".join(fault(rows))) in ((None, None, reason), (None, None, "no list"))


@settings(max_examples=100)
@given(st.lists(st.sampled_from(["1. ", "2) ", NAMES[0], " : 4", "\n", "**", "10.", ": :", "5"])))
def test_the_reader_never_fails_and_never_invents(parts):
    ids, scores, reason = read("".join(parts), (0,))
    if ids:
        assert (ids, reason) == ([0], "")
    else:
        assert scores is None
        assert reason


@pytest.fixture
def six_lists():
    """Return the project's poems and six lists of fifteen."""
    poems = load.load_poems()
    return poems, lists.draw_subsets(poems["tier"], 6, 5, np.random.default_rng(0))


def drop_the_last(poems):
    """Return a judge that ranks poems as shown and every other time leaves the last one out."""

    def rank(row, rng):
        lines = [f"{k + 1}. {poems.at[i, 'name']} : 3" for k, i in enumerate(row.shown)]
        return "\n".join(lines[:-1] if rng.random() < 0.5 else lines)

    return rank


def test_invalid_answers_are_asked_again_until_one_is_valid(six_lists):
    poems, drawn = six_lists
    options = simulators(drop_the_last(poems))
    _, log = ask.rank_lists(poems, drawn, "Quality", "simulated/made", options, attempts=8)
    assert set(log["reason"]) == {"", "incomplete"}
    assert (log["reason"] == "").sum() == 6
    for runs in log.groupby("list")["run"].agg(list):
        assert runs == list(range(1, len(runs) + 1))


def test_the_plan_counts_the_papers_calls():
    poems = load.load_poems()
    designs = lists.plan_designs(poems["tier"].cat.codes, 100, 10, np.random.default_rng(0))
    how = ask.options("openai/gpt-4o", poems)
    plan = ask.plan(poems, designs, "openai/gpt-4o", load.CRITERIA, how, 10)
    assert plan["calls"].tolist() == [90, 500, 50, 50, 90 + 500 + 50 + 50]
    assert plan["output_tokens"].tolist()[1:4] == [500 * 220, 50 * 1300, 50 * 220]
    assert plan["usd_live"].iloc[:4].sum() == pytest.approx(plan.at["in all", "usd_live"])
