"""Lay out a file of preferences: which of two items did a rater, or a judge, prefer?

Each pair becomes two rows, one for each side, that hold the place which the rater gave it: 2 for
the side that is preferred, 1 for the other, 1.5 for both of a tie. So a pair is a ranking of two,
and all that is known of its items (writer, words) stays with each of them:

    item_a,item_b,rater,preferred       item                 rater  score  set      name
    Plum,Quince,Ann,b             as    Plum (with Quince)   Ann    1      the two  Plum
                                        Quince (with Plum)   Ann    2      the two  Quince

The order in which the two stand in a row does not matter; where a rater or a judge has both orders,
the mean counts. Used by `sheet_rows`.
"""

import numpy as np
import pandas as pd

from helpers.measures.headers import simplify, tell_terminal
from helpers.sources.files import DataError
from helpers.sources.readers import count_words, tidy_name

WON, LOST, TIED = "2", "1", "1.5"  # places in a pair, as the cells of a file
MIRROR = {WON: LOST, LOST: WON, TIED: TIED}
FIRST = {"a", "first", "left", "1"}  # how a cell says that the first of the two is preferred
SECOND = {"b", "second", "right", "2"}
TIE = {"tie", "tied", "equal", "same", "draw", "both", "=", "tie (bothbad)"}
TIE |= {"both_equally_good", "equally_good", "both_equal", "no_preference", "no_difference"}
TIE |= {"both_are_equally_good", "about_the_same", "the_same", "cannot_decide", "can't_decide"}
EXPECTED = "a, b or tie, or the name of one of the two items; leave the cell empty if there is none"
BY_LETTER, BY_NAME = "preferred", "preferred_item"
LONG = 10  # words, from which on the name of an item is its text
CARRIED = ("rater", "judge", "aspect", "group", "repeat", "status")


def lay_out_pairs(where, cells, meaning, columns):
    """Return (table, faults) of a file of pairs: two rows per pair, columns item, score, set, name,
    shown (first or second), and what else there is of rater, judge, aspect, group, writer, words.

    where: the file's name; cells: all its cells as texts; meaning: of `sheet_forms.choose_form`;
    columns: of `headers.check_columns`. The index is each row's number in the file. Raises
    DataError if a cell names either of the two, according to how it is read.
    """
    ours = {mine: theirs for theirs, mine in meaning.items() if mine}
    names = {side: name_side(cells, ours, side) for side in "ab"}
    places, faults = read_preferences(where, cells, ours, names, columns)
    is_same = names["a"] == names["b"]
    for row in cells.index[is_same & (names["a"] != "")]:
        faults.append((row, f"both items are {names['a'][row]!r:.60}; expected two items"))
    carried = {mine: cells[ours[mine]] for mine in CARRIED if mine in ours}
    sides = []
    for side, other in ("ab", "ba"):
        table = pd.DataFrame(carried, index=cells.index)
        table["name"] = names[side]
        table["item"] = names[side] + " (with " + names[other] + ")"
        table["set"] = join_sorted(names["a"], names["b"])
        table["shown"] = "first" if side == "a" else "second"
        table["score"] = places if side == "a" else places.map(MIRROR).fillna("")
        for mine in ("writer", "words", "text"):
            if f"{mine}_{side}" in ours:
                table[mine] = cells[ours[f"{mine}_{side}"]]
        sides.append(table)
    both = pd.concat(sides).sort_index(kind="stable")
    if "text" not in both and both["name"].map(count_words).mean() >= LONG:
        both["text"] = both["name"]
    return both, faults


def name_side(cells, ours, side):
    """Return the name of each row's item on one side: of its column, else its text, else its writer
    in the group; ours: {our name: the file's}."""
    for mine in (f"item_{side}", f"text_{side}"):
        if mine in ours:
            return cells[ours[mine]].map(tidy_name)
    writer = cells[ours[f"writer_{side}"]].map(tidy_name)
    if "group" not in ours:
        return writer
    return writer + " on " + cells[ours["group"]].map(tidy_name)


def join_sorted(first, second):
    """Return the name of each pair, the same in both orders."""
    joined = [" and ".join(sorted(pair)) for pair in zip(first, second)]
    return pd.Series(joined, first.index, dtype=object)


def read_preferences(where, cells, ours, names, columns):
    """Return (the place of the first item in each row, faults); a place is empty where the cell is.

    names: {"a": the first item of each row, "b": the second}; else as in `lay_out_pairs`.
    """
    theirs = ours["preferred"]
    by_letter = read_letters(cells[theirs], ours)
    by_name = read_names(cells[theirs], cells, ours, names)
    is_both = (by_letter != "") & (by_name != "") & (by_letter != by_name)
    meant = columns.get(theirs)
    if not meant and simplify(theirs) == BY_NAME:
        meant = BY_NAME
    if is_both.any() and not meant:
        row = cells.index[is_both][0]
        raise DataError(ask_letter_or_name(where, theirs, cells[theirs][row], row, columns))
    first, then = (by_name, by_letter) if meant == BY_NAME else (by_letter, by_name)
    places = first.where(first != "", then)
    is_odd = (cells[theirs] != "") & (places == "")
    faults = []
    for row, cell in cells.loc[is_odd, theirs].items():
        faults.append((row, f"{theirs} is {cell!r:.60}; expected {EXPECTED}"))
    return places, faults


def read_letters(texts, ours):
    """Return the place of the first item of each row by what a cell says of the side: a, first, 1,
    or the name of the side's column; empty where it says no side."""
    places = dict.fromkeys(TIE, TIED) | dict.fromkeys(FIRST, WON) | dict.fromkeys(SECOND, LOST)
    for mine, theirs in ours.items():
        if mine.endswith(("_a", "_b")):
            place = WON if mine.endswith("_a") else LOST
            places[mine] = places[simplify(theirs)] = place
    known = {cell: places.get(simplify(cell), "") for cell in texts.unique()}
    return texts.map(known)


def read_names(texts, cells, ours, names):
    """Return the place of the first item of each row by the name in a cell: of one of the two
    items, or of its writer; empty where it is neither or both."""
    places = pd.Series("", cells.index, dtype=object)
    cell = texts.map(tidy_name).str.casefold()
    sides = [(names["a"], names["b"])]
    if "writer_a" in ours and "writer_b" in ours:
        sides.append(tuple(cells[ours[f"writer_{side}"]].map(tidy_name) for side in "ab"))
    for first, second in sides:
        is_first = (cell == first.str.casefold()) & (cell != "")
        is_second = (cell == second.str.casefold()) & (cell != "")
        is_new = places == ""
        places[is_new & is_first & ~is_second] = WON
        places[is_new & is_second & ~is_first] = LOST
    return places


def ask_letter_or_name(where, theirs, cell, row, columns):
    """Return the question whether a cell says which side is preferred, or which item by name."""
    is_side = tell_terminal(columns | {theirs: BY_LETTER})
    is_name = tell_terminal(columns | {theirs: BY_NAME})
    return (
        f"{where}, row {row}: {theirs} is {cell!r:.60}, which may be a side, or an item of that "
        f"name on the other side; if it is the side, say {is_side}; if it is the item's name, say "
        f"{is_name} (in a notebook: columns = {{…}})"
    )


def join_groups(table):
    """Return the group of each row of pairs without a column of groups: all pairs that hang
    together by shared items; or each pair by itself, where this makes too few groups.

    table: set, name, one row per side. It is too few below five groups, or where one of them holds
    more than half of all pairs.
    """
    pairs = table.drop_duplicates(["set", "name"]).groupby("set", sort=False)["name"].agg(list)
    # {item: another of its circle}; an item that stands for itself gives the circle its name
    root = {}

    def find_root(name):
        while root.setdefault(name, name) != name:
            name = root[name]
        return name

    for first, second in pairs:
        root[find_root(second)] = find_root(first)
    circle = pairs.map(lambda names: find_root(names[0]))
    sizes = circle.value_counts()
    is_enough = len(sizes) >= 5 and sizes.max() <= len(pairs) / 2
    if is_enough:
        return table["set"].map(circle)
    return table["set"]


def average_orders(table, case):
    """Return one row per case: the mean place where a rater saw a pair in both orders.

    table: one row per side, numbers as scores; case: columns that make a case.
    """
    means = table.groupby(case, sort=False)["score"].transform("mean")
    return table.assign(score=np.round(means, 9)).drop_duplicates(case)
