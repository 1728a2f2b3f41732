"""Read a reader's own ratings, and a judge's scores, from the CSV files that forms and spreadsheets
export; ask about what is not clear."""

import difflib
from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers.measures.headers import (
    LEFT_OUT,
    NAMES,
    check_columns,
    choose_scores,
    find_header_faults,
    list_columns,
    name_columns,
    tell_terminal,
)
from helpers.measures.intervals import ENOUGH
from helpers.measures.ratings import Ratings
from helpers.sources.files import DataError
from helpers.sources.readers import count_words, tidy_name
from helpers.sources.spreadsheets import (
    MOST,
    NO_NUMBER,
    find_faults,
    raise_faults,
    read_grid,
    read_numbers,
)

SPELT = ["item", "rater", "judge", "aspect", "group", "writer"]  # in one spelling everywhere
# how people write that there is no score, in any case; the cell counts as empty
NO_SCORE = set("na n/a n.a. nan null none missing - – — . ? k.a. k.a".split())
NO_SCORE |= {"k. a.", "k. a", "keine angabe", "no answer", "not applicable"}


class Sheet(NamedTuple):
    """A file that was read.

    where: its name; table: one row per score under our names of columns, the index its row in the
    file; faults: [(row, what is wrong)]; names: {our name: the file's}, and what was `not read`
    and is `missing`.
    """

    where: str
    table: pd.DataFrame
    faults: list
    names: dict


def read_files(ratings, scores="", columns=None):
    """Return (a reader's `Ratings`, a judge's scores or None) from two CSV files; scores: "" for
    none.

    Raises DataError as `read_ratings` and `read_scores` do, and for a name in `columns` that no
    column of either file has.
    """
    columns = check_columns(columns)
    refuse_unknown(columns, [path for path in (ratings, scores) if path])
    data = read_ratings(ratings, columns)
    if not scores:
        return data, None
    return data, read_scores(scores, data, columns)


def refuse_unknown(columns, paths):
    """Raise DataError for a name in `columns` that no column of the files has."""
    there = []
    for path in paths:
        _, cells, _ = read_grid(path)
        there += [name for name in cells if name not in there]
    unknown = [name for name in columns if name not in there]
    if unknown:
        missing = ", ".join(tell_nearest(name, there) for name in unknown)
        found = f"found {', '.join(there)}"
        raise DataError(f"columns: no file has a column {missing}; {found:.600}")


def tell_nearest(name, there):
    """Return a name in quotes, and the one that is there and resembles it most."""
    nearest = difflib.get_close_matches(name, there, n=1, cutoff=0.5)
    if not nearest:
        return f"{name!r:.60}"
    return f"{name!r:.60} (perhaps {nearest[0]!r:.60})"


def read_ratings(path, columns=None):
    """Return a reader's `Ratings` from a CSV file; raters are called R1, R2, … in order.

    path: one row per rating (item, rater, score, perhaps aspect), or one row per item and rater
    with a column of numbers for every aspect; perhaps group (what is independent; else every item
    stands for itself), writer, words or text. columns: {a name in the file: ours, or "" to leave
    the column out}, where `headers.NAMES` does not know it. Empty scores are left out.
    `ratings.attrs` holds the file's names of our columns (names), and of the raters (raters).
    Raises DataError with all faults of the file, their rows and the columns that were found.
    """
    sheet = read_sheet(path, columns, ("item", "rater"))
    table = sheet.table
    number, raters = pd.factorize(table["rater"])
    table["rater"] = "R" + (number + 1).astype(str).astype(object)
    case = ["item", "rater"]
    if "aspect" in table:
        case.append("aspect")
    facts = [name for name in ("group", "writer", "words") if name in table]
    faults = sheet.faults + find_doubles(table, case)
    for name in facts:
        faults += find_changes(table, name)
    raise_faults(sheet.where, faults)
    ratings = table[[*case, "score"]].reset_index(drop=True)
    ratings.attrs["names"] = sheet.names
    ratings.attrs["raters"] = {f"R{code}": name for code, name in enumerate(raters, 1)}
    return Ratings(list_items(table, facts), ratings, "own")


def list_items(table, facts):
    """Return one row per item with its group and other `facts`, columns of the table; without a
    group every item is its own."""
    items = table[["item"]].drop_duplicates()
    if facts:
        items = table.groupby("item", sort=False)[facts].first().reset_index()
    if "group" not in items:
        items["group"] = items["item"]
    return items.reset_index(drop=True)


def read_scores(path, data, columns=None):
    """Return a judge's scores for `data` from a CSV file: item, judge, score and what else is there
    of aspect, repeat, order, partner, status.

    data: `Ratings`. Read as by `read_ratings`; without a column judge it is called "the judge".
    Items that nobody rated are left out; `.attrs["not rated"]` holds their names. Raises DataError
    also if nobody rated any of them.
    """
    rated = data.ratings["aspect"].unique().tolist() if "aspect" in data.ratings else []
    sheet = read_sheet(path, columns, ("item",), rated)
    table = sheet.table
    if "judge" not in table:
        table["judge"] = table["rater"] if "rater" in table else "the judge"
    unknown = ~table["item"].isin(["", *data.items["item"]])
    not_rated = table.loc[unknown, "item"].unique().tolist()
    faults = list(sheet.faults)
    if unknown.all():
        advice = "an item of the ratings, spelt as there"
        faults += find_faults(table, "item", unknown, advice)
    else:
        table = table[~unknown]
    if "aspect" in table and rated:
        strange = ~table["aspect"].isin(rated)
        advice = "an aspect of the ratings, spelt as there, or a column named score"
        faults += find_faults(table, "aspect", strange, advice)
    raise_faults(sheet.where, faults)
    kept = ["item", "judge", "score", "aspect", "repeat", "order", "partner", "status"]
    scores = table[[name for name in kept if name in table]].reset_index(drop=True)
    scores.attrs["not rated"] = not_rated
    return scores


def read_sheet(path, columns, needed, rated=None):
    """Return the `Sheet` of a CSV file; DataError for what cannot be read.

    columns: as `read_ratings` takes them; needed: our names of columns that must be there; rated:
    the aspects of the people's ratings, where the file holds a judge's scores, else None.
    """
    columns = check_columns(columns)
    where, cells, faults = read_grid(path)
    meaning = name_columns(list(cells), columns)
    cells = clean_cells(cells, meaning)
    raise_faults(where, find_header_faults(cells, meaning, needed, columns))
    if not len(cells):
        raise_faults(where, faults)
    for name in (*list_columns(meaning, "item"), *list_columns(meaning, "rater")):
        faults += find_spellings(cells[name], meaning[name])
    scores = choose_scores(where, cells, meaning, columns, rated)
    names = name_what_was_read(meaning, scores)
    if "aspect" in names and len(scores) > 1:
        what = f"a column of aspects ({names['aspect']}) and several of scores ({names['score']})"
        raise DataError(f'{where}: {what}; expected one or the other: leave columns out with ""')
    table = lay_out_scores(cells, meaning, scores, rated or [])
    for name in needed:
        faults += find_faults(table, name, table[name] == "", "a name")
    empty = table["score"] == ""
    names["missing"] = f"{empty.sum():,} of {len(table):,}"
    table = table[~empty]
    if table.empty:
        raise_faults(where, [*faults, (0, "no score in it; expected numbers, or Yes and No")])
    for name in ("score", "words"):
        if name in table:
            numbers, odd = to_numbers(table, name, names)
            table[name] = numbers
            faults += odd
    if "text" in table and "words" not in table:
        count = {text: count_words(text) for text in table["text"].unique()}
        table["words"] = table["text"].map(count)
    return Sheet(where, table, faults, names)


def clean_cells(cells, meaning):
    """Return the cells of a file with names in one spelling, and empty where they say that there is
    no score; meaning: of `headers.name_columns`."""
    cells = cells.copy()
    for theirs, ours in meaning.items():
        column = cells[theirs]
        if ours in SPELT:
            cells[theirs] = column.map({cell: tidy_name(cell) for cell in column.unique()})
        elif ours in (None, "score", "words"):
            cells[theirs] = column.mask(column.str.casefold().isin(NO_SCORE), "")
    return cells


def name_what_was_read(meaning, scores):
    """Return {our name of a column: the file's}, with several columns of scores in one line, and
    `not read`: the columns that are none of ours."""
    names = {ours: theirs for theirs, ours in meaning.items() if ours in NAMES}
    unread = [name for name in list_columns(meaning, None) if name not in scores]
    return names | {"score": ", ".join(scores), "not read": ", ".join(unread)}


def lay_out_scores(cells, meaning, scores, rated):
    """Return one row per score, columns under our names; several columns of scores are aspects, and
    so is one with the name of an aspect that people rated.

    cells: of the file; meaning: of `headers.name_columns`; scores: the file's columns of scores;
    rated: the aspects that people rated.
    """
    ours = [name for name in meaning if meaning[name] in NAMES and meaning[name] != "score"]
    table = cells[ours].rename(columns=meaning)
    are_aspects = len(scores) > 1 or (scores[0] in rated and "aspect" not in table)
    if not are_aspects:
        return table.assign(score=cells[scores[0]])
    return pd.concat([table.assign(aspect=name, score=cells[name]) for name in scores])


def to_numbers(table, name, names):
    """Return (a column of a table as floats, its faults); scores are read aspect by aspect.

    table: one row per score; name: score or words; names: of `Sheet`.
    """
    parts = {"": np.arange(len(table))}
    if name == "score" and "aspect" in table:
        parts = table.groupby("aspect").indices
    each_has_a_column = len(parts) > 1 and "aspect" not in names
    numbers = np.full(len(table), np.nan)
    faults = []
    for aspect, places in parts.items():
        theirs = aspect if each_has_a_column else names[name]
        numbers[places], odd = read_part(table.iloc[places], name, theirs)
        faults += odd
    return numbers, faults


def read_part(table, name, theirs):
    """Return (floats, nan where a cell is empty or no number; faults) of a column of texts, all of
    one column in the file; theirs: its name there."""
    filled = table[table[name] != ""]
    numbers = np.full(len(table), np.nan)
    values, expected = read_numbers(filled[name])
    words = expected == NO_NUMBER
    if name == "score" and words.mean() > 0.5 and words.sum() > MOST:
        return numbers, [(0, tell_words(filled[name], theirs))]
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


def find_spellings(column, ours):
    """Return the names as faults that are another spelling of a number before, as 01 is of 1: they
    would silently be two items, or two raters.

    column: of names, its index the rows of the file; ours: item or rater.
    """
    names = column.drop_duplicates()
    numbers = names[names.str.fullmatch("[0-9]+")]
    value = numbers.map(int)
    faults = []
    for row in numbers.index[value.duplicated()]:
        before = value.index[value == value[row]][0]
        what = f"{ours} is {numbers[row]!r:.60}, and {numbers[before]!r:.60} in row {before}"
        faults.append((row, f"{what}; expected one spelling of one {ours}"))
    return faults


def find_doubles(table, case):
    """Return the second scores of a case as faults, each with the row of the first.

    table: one row per score, the index its row in the file; case: the columns that make a case.
    """
    rows = pd.Series(table.index, table.index)
    first = rows.groupby([table[name] for name in case]).transform("first")
    pairs = pd.DataFrame({"row": rows, "first": first, "item": table["item"]})
    second = pairs[pairs["row"] != pairs["first"]].drop_duplicates("row")
    advice = f"one row per {' and '.join(case)}: remove one"
    faults = []
    for row, first, item in second.itertuples(index=False):
        what = f"item is {item!r:.60}, by the same rater as in row {first}"
        faults.append((row, f"{what}; expected {advice}"))
    return faults


def find_changes(table, name):
    """Return the rows as faults in which a fact of an item is not that of the item's first row.

    table: one row per score, the index its row in the file; name: the fact's column.
    """
    rows = pd.Series(table.index, table.index)
    facts = table[name].fillna("")
    pairs = pd.DataFrame({"row": rows, "cell": facts})
    pairs["first row"] = rows.groupby(table["item"]).transform("first")
    pairs["first cell"] = facts.groupby(table["item"]).transform("first")
    changed = pairs[pairs["cell"] != pairs["first cell"]].drop_duplicates("row")
    faults = []
    for row, cell, first_row, first_cell in changed.itertuples(index=False):
        before = f"{first_cell!r:.60} in row {first_row}"
        advice = f"the same {name} in every row of an item"
        faults.append((row, f"{name} is {cell!r:.60}, but {before}; expected {advice}"))
    return faults


def tell_columns_read(data):
    """Return a sentence: which column of a reader's file was read as what, and which was not; data:
    of `read_ratings`."""
    names = dict(data.ratings.attrs["names"])
    unread, missing = names.pop("not read"), names.pop("missing")
    pairs = "; ".join(f"{ours}: {theirs}" for ours, theirs in names.items())
    line = f"Your own ratings. Columns read: {pairs}."
    if unread:
        line += f" Not read: {unread}."
    if not missing.startswith("0 "):
        line += f" {missing} ratings are missing."
    return line


def ask_about_groups(data, columns=None):
    """Return a question about groups that may be conditions, "" where there is none.

    data: of `read_ratings`; columns: as it takes them. A group is what is independent (a plot, a
    prompt). Few groups of many items allow no interval; mostly such a column says who or what wrote
    the item, or under which condition.
    """
    items, groups = len(data.items), data.items["group"].nunique()
    if groups >= ENOUGH or items < 3 * groups or items < 2 * ENOUGH:
        return ""
    theirs = data.ratings.attrs.get("names", {}).get("group", "group")
    columns = check_columns(columns)
    is_writer = tell_terminal(columns | {theirs: "writer"})
    is_neither = tell_terminal(columns | {theirs: LEFT_OUT})
    size = f"{groups} group{'s' * (groups > 1)} of {items:,} items"
    return (
        f"The column {theirs!r} was read as *group*, and makes {size}. From fewer than {ENOUGH} "
        "groups no interval can be had. A group holds items that belong together, such as one "
        "plot. If the column says who or what wrote the item, or under which condition, it is "
        f"*writer*: {is_writer}. If it says neither, leave it out: {is_neither}."
    )


def has_response_ids(data):
    """Return whether nearly every item's rating has a rater of its own, as where the column holds
    the number of a response; of one item alone this is always so."""
    pairs = data.ratings[["item", "rater"]].drop_duplicates()
    several = pairs["item"].nunique() > 1 and len(pairs) > 2
    return several and pairs["rater"].nunique() > 0.8 * len(pairs)
