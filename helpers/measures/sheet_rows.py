"""Lay a reader's CSV file out as one row per score, under our names of columns.

A form's export often has one row per response and a column for every aspect. `read_sheet` reads

    Participant,Story,Wit,Depth              item  rater  aspect  score
    Ann,A,5,2                         as     A     Ann    Wit     5
    Bob,A,n/a,3                              A     Ann    Depth   2
                                             A     Bob    Depth   3

and keeps the row of the file beside each score, so that a fault can name it. Empty scores are left
out and counted. Used by `sheets`, for people's ratings and for a judge's scores.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.data.orders import find_odd_ranks

from helpers.measures.headers import (
    LEFT_OUT,
    NAMES,
    check_columns,
    find_header_faults,
    list_columns,
    name_columns,
)
from helpers.measures.score_columns import choose_scores
from helpers.measures.sheet_faults import find_spellings
from helpers.measures.sheet_forms import ITEMS, PAIRS, RANKS, WIDE, choose_form, split_headers
from helpers.measures.sheet_pairs import lay_out_pairs
from helpers.sources.files import DataError
from helpers.sources.numerals import NO_NUMBER, read_numbers
from helpers.sources.readers import count_words, tidy_name
from helpers.sources.spreadsheets import MOST, find_faults, raise_faults, read_grid

SPELT = ["item", "rater", "judge", "aspect", "group", "writer"]  # in one spelling everywhere
# how people write that there is no score, in any case; the cell counts as empty
NO_SCORE = set("na n/a n.a. nan null none missing - – — . ? k.a. k.a".split())
NO_SCORE |= {"k. a.", "k. a", "keine angabe", "no answer", "not applicable", "prefer not to say"}
NO_SCORE |= {"prefer not to answer", "don't know", "don’t know", "i don't know", "i don’t know"}
NO_SCORE |= {"no opinion", "skipped", "weiß nicht", "weiss nicht"}


class Sheet(NamedTuple):
    """A file that was read.

    where: its name; table: one row per score under our names of columns, the index its row in the
    file; faults: [(row, what is wrong)]; names: {our name: the file's}, and what was `not read`
    and is `missing`; form: of `sheet_forms`.
    """

    where: str
    table: pd.DataFrame
    faults: list
    names: dict
    form: str


def read_sheet(path, columns, needed, rated=None):
    """Return the `Sheet` of a CSV file; DataError for what cannot be read.

    columns: {a name in the file: ours, or "" to leave the column out}; needed: our names of columns
    that must be there; rated: the aspects of the people's ratings, where the file holds a judge's
    scores, else None.
    """
    columns = check_columns(columns)
    where, cells, faults = read_grid(path)
    meaning = name_columns(list(cells), columns)
    is_of_people = "rater" in needed
    kind, meaning, needed = choose_form(where, cells, meaning, columns, needed)
    if kind == PAIRS:
        needed = (*needed[1:], "preferred")
    cells = clean_cells(cells, meaning)
    raise_faults(where, find_header_faults(cells, meaning, needed, columns, kind in WIDE))
    if cells.empty:
        raise_faults(where, faults)
    for name in ("item", "rater", "item_a", "item_b"):
        for theirs in list_columns(meaning, name):
            faults += find_spellings(cells[theirs], name)
    if kind == PAIRS:
        scores = list_columns(meaning, "preferred")
        table, odd = lay_out_pairs(where, cells, meaning, columns)
        faults += odd
        needed = ("name", *needed[:-1])
    else:
        scores = choose_scores(where, cells, meaning, columns, rated)
        refuse_two_forms(where, name_what_was_read(meaning, scores, kind), scores)
        table = lay_out_scores(where, cells, meaning, scores, rated or [], kind, columns)
    if is_of_people and "rater" not in table:  # one rater of all that the reader named
        table["rater"] = "the rater"
    names = name_what_was_read(meaning, scores, kind)
    for name in needed:
        faults += find_faults(table, name, table[name] == "", "a name")
    is_empty = table["score"] == ""
    per_rating = 2 if kind == PAIRS else 1  # rows of the table
    names["missing"] = f"{is_empty.sum() // per_rating:,} of {len(table) // per_rating:,}"
    table = table[~is_empty]
    if table.empty:
        raise_faults(where, faults if kind == PAIRS else [])  # cells that say nothing
        raise_faults(where, [*faults, (0, "no score in it; expected numbers, or Yes and No")])
    for name in ("score", "words"):
        if name in table:
            numbers, odd = to_numbers(table, name, names)
            table[name] = numbers
            faults += odd
    if kind == RANKS:
        names["rank"] = names.pop("score")
        faults += find_odd_ranks(table, names["rank"])
    if "text" in table and "words" not in table:
        words = {text: count_words(text) for text in table["text"].unique()}
        table["words"] = table["text"].map(words)
    return Sheet(where, table.drop(columns="column", errors="ignore"), faults, names, kind)


def clean_cells(cells, meaning):
    """Return the cells of a file with names in one spelling, and empty where they say that there is
    no score; meaning: of `headers.name_columns`."""
    cells = cells.copy()
    for theirs, ours in meaning.items():
        column = cells[theirs]
        if ours in SPELT:
            cells[theirs] = column.map({cell: tidy_name(cell) for cell in column.unique()})
        elif ours in (None, "score", "words", "words_a", "words_b", "preferred"):
            cells[theirs] = column.mask(column.str.casefold().isin(NO_SCORE), "")
    return cells


def name_what_was_read(meaning, scores, kind):
    """Return {our name of a column: the file's}, with several columns of scores in one line, and
    `not read`: the columns that are none of ours; kind: of `sheet_forms.Form`."""
    names = {ours: theirs for theirs, ours in meaning.items() if ours in NAMES}
    unused = [*list_columns(meaning, None), *list_columns(meaning, LEFT_OUT)]
    unread = [name for name in unused if name not in scores]
    shown = ", ".join(scores)
    if kind in WIDE and len(scores) > 4:
        shown = f"{scores[0]} to {scores[-1]} ({len(scores)} columns)"
    ours = "preferred" if kind == PAIRS else "score"
    return names | {ours: shown, "not read": ", ".join(unread)}


def refuse_two_forms(where, names, scores):
    """Raise DataError for a file with a column of aspects and a column of scores for each aspect.

    where: the file's name; names: of `name_what_was_read`; scores: the file's columns of scores.
    """
    if "aspect" in names and len(scores) > 1:
        what = f"a column of aspects ({names['aspect']}) and several of scores ({names['score']})"
        raise DataError(f'{where}: {what}; expected one or the other: leave columns out with ""')


def lay_out_scores(where, cells, meaning, scores, rated, kind, columns):
    """Return one row per score, columns under our names, and `column`: the score's in the file.
    Several columns of scores are aspects, unless `kind` says that they are raters, items or judges;
    one with the name of an aspect that people rated is an aspect, too.

    where: the file's name; cells: all its cells; meaning, kind: of `sheet_forms.Form`; scores: the
    file's columns of scores; rated: the aspects that people rated; columns: what the reader named.
    """
    ours = [name for name in meaning if meaning[name] in NAMES and meaning[name] != "score"]
    table = cells[ours].rename(columns=meaning)
    are_aspects = len(scores) > 1 or (scores[0] in rated and "aspect" not in table)
    if kind not in WIDE and not are_aspects:
        return table.assign(score=cells[scores[0]], column=scores[0])
    if kind == ITEMS and "rater" not in table:
        table["rater"] = [f"row {row}" for row in cells.index]
    parts = []
    items = split_headers(where, scores, columns) if kind == ITEMS else []
    for number, name in enumerate(scores):
        part = table.assign(score=cells[name], column=name)
        if kind == ITEMS:
            part["item"], aspect = items[number]
            if aspect:
                part["aspect"] = aspect
        else:
            part[kind if kind in WIDE else "aspect"] = name
        parts.append(part)
    return pd.concat(parts)


def to_numbers(table, name, names):
    """Return (a column of a table as floats, its faults). Scores are read aspect by aspect, or
    column by column: one aspect may have Yes and No, and another numbers.

    table: one row per score; name: score or words; names: of `Sheet`.
    """
    by = "aspect" if "aspect" in names else "column"
    places = {"": np.arange(len(table))}  # {aspect or column: places of its rows}
    if name == "score" and by in table:
        places = table.groupby(by, sort=False).indices
    numbers = np.full(len(table), np.nan)
    faults = []
    for part, of_part in places.items():
        theirs = part if name == "score" and by == "column" and part else names.get(name, name)
        numbers[of_part], odd = read_column(table.iloc[of_part], name, theirs)
        faults += odd
    return numbers, faults


def read_column(table, name, theirs):
    """Return (floats, nan where a cell is empty or no number; faults) of a column of texts, all of
    one column in the file; theirs: its name there."""
    filled = table[table[name] != ""]
    numbers = np.full(len(table), np.nan)
    values, expected = read_numbers(filled[name])
    is_word = expected == NO_NUMBER
    if name == "score" and is_word.mean() > 0.5 and is_word.sum() > MOST:
        return numbers, [(0, tell_words(filled[name], theirs))]  # one fault for all
    numbers[table[name] != ""] = values
    faults = []
    for wanted in expected[expected != ""].unique():
        faults += find_faults(filled, name, expected == wanted, wanted, theirs)
    return numbers, faults


def tell_words(texts, theirs):
    """Return what to do with a column of scores that holds words; theirs: its name in the file."""
    words = texts.value_counts().index[:4]
    shown = ", ".join(f"{word!r:.40}" for word in words)
    return (
        f"{theirs} holds words ({shown}); expected numbers, or Yes and No. For categories in an "
        "order write numbers in that order, such as 1, 2, 3. Of preferences between two texts make "
        "one row per text and rater, the score how often this rater preferred it"
    )
