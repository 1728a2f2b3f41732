"""Files of preferences and of ranks: which of two texts did a rater, or a judge, prefer?

Each pair becomes two rows, one for each side, that hold the place which the rater gave it: 2 for
the side that is preferred, 1 for the other, 1.5 for both of a tie. So a pair is a ranking of two,
and all that is known of its items (writer, words) stays with each of them:

    item_a,item_b,rater,preferred       item                 rater  score  set      name
    Plum,Quince,Ann,b             as    Plum (with Quince)   Ann    1      the two  Plum
                                        Quince (with Plum)   Ann    2      the two  Quince

The order in which the two stand in a row does not matter; where a rater or a judge has both orders,
the mean counts. Of ranks 1, 2, 3 (1 the best) the places are 3, 2, 1. Places say nothing between
sets, so that pairwise accuracy is taken within each rater's set.
"""

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from goodjudge.data.forms import Draft
from goodjudge.data.names import count_words, list_some, simplify, tidy_name
from goodjudge.data.numbers import is_no_score

WON, LOST, TIED = 2.0, 1.0, 1.5  # places in a pair
FIRST = {"a", "first", "left", "1", "model_a", "model_1", "option_a", "text_a", "response_a"}
SECOND = {"b", "second", "right", "2", "model_b", "model_2", "option_b", "text_b", "response_b"}
TIE = set("tie tied equal same draw both neither tie_bothbad both_bad no_preference".split())
TIE |= {"both_are_equally_good", "equally_good", "about_the_same", "no_difference"}
EXPECTED = "a, b or tie, or the name of one of the two that is no side's; or leave it empty"
LONG = 10  # words, from which on the name of an item is its text
ENOUGH = 5  # groups, from which on an interval can be had
ALL_ITEMS = "all items"  # the set of ranks without a group
CARRIED = ("rater", "judge", "aspect", "group", "repeat", "status")


def lay_out_pairs(draft: Draft) -> pd.DataFrame:
    """Return two rows per pair: item, score (its place, nan where none is said), set, name, shown
    (first or second), column, and what else there is of rater, judge, aspect, group, writer, words.

    The index is each row's number in the file. Raises DataError for cells that name neither of the
    two, or either of them, and for pairs without a name, or of one text with itself.
    """
    names = {side: name_side(draft, side) for side in "ab"}
    is_odd = (names["a"] == names["b"]) | (names["a"] == "") | (names["b"] == "")
    if is_odd.any():
        rows = draft.cells.index[is_odd]
        draft.ask("both texts are the same, or one has no name; expected two", rows=rows)
    places = read_preferences(draft, names)
    kept = {draft.find(mine): mine for mine in CARRIED if draft.has(mine)}
    facts = draft.cells[list(kept)].rename(columns=kept)
    pairs = [" and ".join(sorted(pair)) for pair in zip(names["a"], names["b"])]
    sides = []
    for side, other in ("ab", "ba"):
        table = facts.assign(
            name=names[side],
            item=names[side] + " (with " + names[other] + ")",
            set=pairs,
            shown="first" if side == "a" else "second",
            score=places if side == "a" else WON + LOST - places,
            column=draft.find("preferred"),
        )
        for mine in ("writer", "words", "text"):
            if draft.has(f"{mine}_{side}"):
                table[mine] = draft.fill(f"{mine}_{side}")
        sides.append(table)
    both = pd.concat(sides).sort_index(kind="stable")
    if "text" not in both and both["name"].head(200).map(count_words).mean() >= LONG:
        both["text"] = both["name"]
    return both


def name_side(draft: Draft, side: str) -> pd.Series:
    """Return the name of each row's text on one side: of its column, else its text, else its writer
    in the group."""
    for mine in ("item", "text"):
        if draft.has(f"{mine}_{side}"):
            return draft.fill(f"{mine}_{side}").map(tidy_name)
    writer = draft.fill(f"writer_{side}").map(tidy_name)
    if not draft.has("group"):
        return writer
    return writer + " on " + draft.fill("group").map(tidy_name)


def read_preferences(draft: Draft, names: dict) -> pd.Series:
    """Return the place of the first text of each row, nan where nothing is said."""
    theirs = draft.find("preferred")
    cells = draft.cells[theirs]
    by_letter, by_name = read_letters(draft, cells), read_names(draft, cells, names)
    is_both = by_letter.notna() & by_name.notna() & (by_letter != by_name)
    places = by_letter.fillna(by_name)
    odd = cells[is_both | (places.isna() & ~is_no_score(cells))]
    if len(odd):
        shown = list_some(map(repr, odd.unique()), 4)
        draft.ask(f"{theirs} is {shown}; expected {EXPECTED}", rows=odd.index)
    return places


def read_letters(draft: Draft, cells: pd.Series) -> pd.Series:
    """Return the place of the first text of each row by what a cell says of the side: a, first, 1,
    or the name of the side's column; nan where it says no side."""
    places = dict.fromkeys(TIE, TIED) | dict.fromkeys(FIRST, WON) | dict.fromkeys(SECOND, LOST)
    for theirs, mine in draft.meaning.items():
        if mine and mine.endswith(("_a", "_b")):
            place = WON if mine.endswith("_a") else LOST
            places[mine] = places[simplify(theirs)] = place
    known = {cell: places.get(simplify(cell), np.nan) for cell in cells.unique()}
    known |= {cell: TIED for cell in known if cell == "="}
    return cells.map(known).astype(float)


def read_names(draft: Draft, cells: pd.Series, names: dict) -> pd.Series:
    """Return the place of the first text of each row by the name in a cell: of one of the two, or
    of its writer; nan where it is neither or both."""
    places = pd.Series(np.nan, cells.index)
    cell = cells.map(tidy_name).str.casefold()
    sides = [(names["a"], names["b"])]
    if draft.has("writer_a") and draft.has("writer_b"):
        sides.append(tuple(draft.fill(f"writer_{side}").map(tidy_name) for side in "ab"))
    for first, second in sides:
        is_first = (cell == first.str.casefold()) & (cell != "")
        is_second = (cell == second.str.casefold()) & (cell != "")
        places[places.isna() & is_first & ~is_second] = WON
        places[places.isna() & is_second & ~is_first] = LOST
    return places


def join_groups(table: pd.DataFrame) -> pd.Series:
    """Return the group of each row of pairs without a column of groups: all pairs that hang
    together by shared texts; or each pair by itself, where this makes too few groups: below five,
    or one that holds more than half of all pairs."""
    sets, known = pd.factorize(table["set"])
    names = pd.factorize(table["name"])[0] + len(known)
    size = names.max() + 1
    shared = coo_array((np.ones(len(table)), (sets, names)), shape=(size, size))
    circles = pd.Series(connected_components(shared, directed=False)[1][: len(known)])
    sizes = circles.value_counts()
    if len(sizes) < ENOUGH or sizes.max() > len(known) / 2:
        return table["set"]
    first = known.to_series(index=circles).groupby(level=0).first()
    return pd.Series(first[circles[sets]].to_numpy(), table.index)


def average_orders(table: pd.DataFrame, case: list[str]) -> pd.DataFrame:
    """Return one row per case: the mean place where a rater saw a pair in both orders."""
    means = table.groupby(case, sort=False)["score"].transform("mean")
    return table.assign(score=np.round(means, 9)).drop_duplicates(case)


def turn_ranks(table: pd.DataFrame, alike: list[str]) -> pd.DataFrame:
    """Return rows with their rank (1 for the best) turned into a place from below, 1 for the last.

    Only the order counts within the rows that are the same in the columns `alike`: ranks may be
    left out, and tied ones have the mean of their places.
    """
    downwards = table["score"].groupby([table[name] for name in alike])
    return table.assign(score=downwards.rank(ascending=False))
