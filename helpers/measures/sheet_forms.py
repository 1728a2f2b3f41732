"""In which form a reader's CSV file is: what a row stands for, and what the columns of scores are.

    ROWS      one row per item and rater, one column of scores or one per aspect
    RATERS    one row per item, a column per rater
    ITEMS     one row per rater, a column per item, as forms export
    JUDGES    one row per item, a column per judge
    PAIRS     one row per pair of items and rater: item_a, item_b, preferred
    RANKS     one row per item and rater, a column of places

`choose_form` finds out which. A file that can be read in two ways is asked about, with the two
lines that answer it; in them "*" stands for all columns of numbers that have no name yet:

    no column rater; columns of numbers: Ann, Bob; if each is a rater, say COLUMNS='{"*": "rater"}';
    if each is an aspect that one rater rated, say COLUMNS='{"*": "score"}' (in a notebook: …)

Used by `sheet_rows`; `meaning` is explained in `headers`.
"""

import re
from typing import NamedTuple

from helpers.measures.headers import (
    BRACKETS,
    LEFT_OUT,
    OF_PAIRS,
    OTHERS,
    is_numeric,
    list_columns,
    shorten,
    tell_columns,
    tell_terminal,
)
from helpers.measures.score_columns import find_named_facts
from helpers.sources.files import DataError

ROWS, RATERS, ITEMS, JUDGES = "rows", "rater", "item", "judge"
PAIRS, RANKS = "pairs", "ranks"
WIDE = (RATERS, ITEMS, JUDGES)  # as our columns are called whose cells are the names of columns
# R1, rater_2, Annotator C
RATER_NAME = re.compile(
    r"(r|rater|annotator|expert|coder|judge|worker|participant|reader|person)[ _-]?(\d+|[a-z])",
    re.IGNORECASE,
)
# Story 1, text_07, s3
ITEM_NAME = re.compile(
    r"(s|t|story|text|poem|essay|item|title|geschichte|gedicht)[ _-]?(\d+|[a-z])", re.IGNORECASE
)
IN_BRACKETS = re.compile(r"(.*?)\s*\[(.+)\]")  # Creativity [Story 1]
TIMES = {"timestamp", "zeitstempel", "date", "time", "datum", "submitted"}
TELL = {  # a form: how a page says that a file was read
    ROWS: "one row per score",
    RATERS: "one row per item, with a column for each {whose}",
    ITEMS: "one row per rater, with a column for each item",
    JUDGES: "one row per item, with a column for each judge",
    PAIRS: "one row per pair of items: which of two was preferred",
    RANKS: "one row per item with its rank, 1 for the best",
}


class Form(NamedTuple):
    """kind: ROWS, RATERS, …; meaning: of each column, in which those that hold scores mean score;
    needed: our names of columns that must be there."""

    kind: str
    meaning: dict
    needed: tuple


def choose_form(where, cells, meaning, columns, needed):
    """Return the `Form` of a file; DataError that asks where it can be read in two ways.

    where: the file's name; cells: all its cells as texts; meaning: of `headers.name_columns`;
    columns: of `headers.check_columns`; needed: our names of columns, item and rater for people's
    ratings, item for a judge's scores.
    """
    if are_pairs(meaning):
        meaning = forget(meaning, ["item", "score", "rank"])
        by_name = dict.fromkeys(list_columns(meaning, "preferred_item"), "preferred")
        return Form(PAIRS, meaning | by_name, needed)
    meaning = forget(meaning, OF_PAIRS)
    meaning = name_others(where, cells, meaning, columns, "rater" in needed)
    for kind in WIDE:
        named = list_columns(meaning, kind)
        # wide only where the reader named each of these columns, or all others ("*")
        if len(named) > 1 and all(name in columns or OTHERS in columns for name in named):
            return make_wide(kind, meaning, named, needed)
    if list_columns(meaning, "score"):
        return Form(ROWS, forget(meaning, ["rank"]), waive_rater(meaning, columns, needed))
    ranks = list_columns(meaning, "rank")
    if ranks:
        as_scores = {name: "score" for name in ranks}
        return Form(RANKS, meaning | as_scores, needed)
    wide = guess_wide(where, cells, meaning, columns, needed)
    return wide or Form(ROWS, meaning, needed)


def are_pairs(meaning):
    """Return whether the columns name the two sides of a pair: items, their texts or, of a group,
    their writers."""
    for side in ("item", "text", "writer"):
        if list_columns(meaning, f"{side}_a") and list_columns(meaning, f"{side}_b"):
            return side != "writer" or bool(list_columns(meaning, "preferred"))
    return False


def forget(meaning, ours):
    """Return the meaning of columns in which none means one of `ours`, as in this form of file it
    says nothing."""
    return {theirs: None if mine in ours else mine for theirs, mine in meaning.items()}


def name_others(where, cells, meaning, columns, is_of_people):
    """Return the meaning of columns with what the reader said of all others ("*"): it holds for the
    columns of numbers that nobody named, raters and items in people's ratings (`is_of_people`),
    judges in a judge's scores.

    Raises DataError if one of them is named like an id, a year or a time: it must be left out, or
    be named itself.
    """
    ours = columns.get(OTHERS)
    of_other_files = (RATERS, ITEMS)  # what "*" means in the other kind of file, and not here
    if is_of_people:
        of_other_files = (JUDGES,)
    if ours is None or ours in of_other_files or list_columns(meaning, "score"):
        return meaning
    numeric = list_numeric(cells, meaning)
    facts = find_named_facts(numeric)
    if facts:
        is_left_out = tell_terminal(columns | {name: LEFT_OUT for name in facts})
        is_meant = tell_terminal(columns | {name: ours for name in facts})
        what = f"{', '.join(facts)} {'is' if len(facts) == 1 else 'are'} named like an id or a time"
        raise DataError(
            f'{where}: "{OTHERS}": {what}; expected that you leave out what is no {ours}, '
            f"{is_left_out}, or say that it is, {is_meant}"
        )
    return meaning | {name: ours for name in numeric}


def list_numeric(cells, meaning):
    """Return the columns of numbers that mean none of ours."""
    return [name for name in list_columns(meaning, None) if is_numeric(cells[name])]


def waive_rater(meaning, columns, needed):
    """Return the columns that must be there, without the rater where the reader named several
    columns of scores and there is no rater: then one rater rated all aspects."""
    scores = list_columns(meaning, "score")
    all_named = all(name in columns or OTHERS in columns for name in scores)
    if len(scores) > 1 and all_named and not list_columns(meaning, "rater"):
        return tuple(name for name in needed if name != "rater")
    return needed


def make_wide(kind, meaning, named, needed):
    """Return the `Form` of a file in which the columns `named` hold scores, and their names are
    raters, items or judges (`kind`)."""
    meaning = meaning | {name: "score" for name in named}
    if kind == ITEMS:  # what such a file says besides is about raters
        meaning = forget(meaning, ["group", "writer", "words", "text", "aspect"])
        has_rater = bool(list_columns(meaning, "rater"))
        needed = tuple(name for name in needed if name == "rater" and has_rater)
    return Form(kind, meaning, tuple(name for name in needed if name != kind))


def guess_wide(where, cells, meaning, columns, needed):
    """Return the `Form` of a file with a column per rater or per item, None for another; DataError
    that asks where it may be one.

    It has several columns of numbers, and no column of raters, or none of items; the names of the
    columns decide (R1, Story 2), or the reader.
    """
    numeric = list_numeric(cells, meaning)
    if len(numeric) < 2 or "rater" not in needed:
        return None
    has_item, has_rater = (bool(list_columns(meaning, name)) for name in ("item", "rater"))
    if has_item and not has_rater and names_each_row(cells, meaning, "item"):
        if all(RATER_NAME.fullmatch(name) for name in numeric):
            return make_wide(RATERS, meaning, numeric, needed)
        raise DataError(f"{where}: {ask_about_raters(numeric, columns)}")
    if has_item:
        return None
    numeric = [name for name in numeric if not is_time(name)]
    about_raters = find_named_facts(numeric)  # Age, an id
    ratings = [name for name in numeric if name not in about_raters]
    are_items = len(ratings) > 1 and all(map(is_named_like_item, ratings))
    if has_rater and names_each_row(cells, meaning, "rater"):
        if are_items:
            return make_wide(ITEMS, meaning, ratings, needed)
        raise DataError(f"{where}: {ask_about_items(list(cells), numeric, columns)}")
    if not has_rater and are_items:  # nobody gave a name: each row is a rater
        return make_wide(ITEMS, meaning, ratings, needed)
    return None


def names_each_row(cells, meaning, ours):
    """Return whether a column names something else in every row."""
    (first, *_) = list_columns(meaning, ours)
    return len(cells) > 1 and cells[first].is_unique


def is_time(name):
    """Return whether a column is named like the time at which a form was sent."""
    words = re.findall(r"[^\W\d_]+", name.casefold())
    return bool(TIMES.intersection(words))


def is_named_like_item(name):
    """Return whether a column is named like an item: Story 1, or with something in brackets."""
    return bool(ITEM_NAME.fullmatch(name) or IN_BRACKETS.fullmatch(name))


def ask_about_raters(numeric, columns):
    """Return the question whether columns of numbers are raters or aspects."""
    are_raters = tell_terminal(columns | {OTHERS: RATERS})
    are_aspects = tell_terminal(columns | {OTHERS: "score"})
    return (
        f"no column rater; columns of numbers: {shorten(numeric)}; if each is a rater, say "
        f"{are_raters}; if each is an aspect that one rater rated, say {are_aspects}; if another "
        'column names the rater, say which ({"its name": "rater"})'
    )


def ask_about_items(header, numeric, columns):
    """Return the question whether columns of numbers are items or aspects of one item in a row."""
    are_items = tell_terminal(columns | {OTHERS: ITEMS})
    is_item = tell_terminal(columns | {"its name": "item"})
    return (
        f"no column item; found {shorten(header)}; columns of numbers: {shorten(numeric)}; if each "
        f"is an item that the rater of a row rated, say {are_items}; if another column names the "
        f"item, and these are aspects, say {is_item}; expected one row per score, or one per rater"
    )


def split_headers(where, names, columns):
    """Return [(item, aspect or "")] of the names of columns that are items.

    A form's grid names them "Creativity [Story 1]". What stands in the brackets is the item, unless
    that is always the same; where both parts differ, Story 1 is known by its name, or the reader
    says what stands in the brackets. Raises DataError that asks.
    """
    parts = [IN_BRACKETS.fullmatch(name) for name in names]
    if not all(parts):
        return [(name, "") for name in names]
    outside = [part[1] for part in parts]
    inside = [part[2] for part in parts]
    if len(set(outside)) == 1:
        return [(item, "") for item in inside]
    if len(set(inside)) == 1:
        return [(item, "") for item in outside]
    meant = columns.get(BRACKETS) or guess_brackets(outside, inside)
    if meant == "item":
        return list(zip(inside, outside))
    if meant == "aspect":
        return list(zip(outside, inside))
    # "say which are meant, COLUMNS='{"[]": "item"}', or that it is before them, COLUMNS=…"
    is_item = tell_columns(columns, {BRACKETS: "item"}, {BRACKETS: "aspect"})
    raise DataError(
        f"{where}: what is the item in {names[0]!r:.60}, what stands in the brackets or before "
        f"them? {is_item.replace('which to leave out', 'that it is before them')}"
    )


def guess_brackets(outside, inside):
    """Return "item" or "aspect", what stands in brackets, "" where it is not clear; outside,
    inside: the parts of each column's name."""
    items_inside = all(map(ITEM_NAME.fullmatch, inside))
    items_outside = all(map(ITEM_NAME.fullmatch, outside))
    if items_inside == items_outside:
        return ""
    return "item" if items_inside else "aspect"


def tell_form(kind, whose="rater"):
    """Return in words how a file was read; kind: of `Form`."""
    return TELL[kind].format(whose=whose)
