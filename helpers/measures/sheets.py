"""A reader's own ratings, and a judge's scores, from the CSV files that forms and spreadsheets
export; and what a page says of them.

`read_files` gives what notebook 07 needs: `Ratings` of people and a judge's scores (or None). It
reads each file with `sheet_rows`, then checks that its rows agree with each other and the judge's
with the people's. All faults of a file are one DataError with their rows. Raters are called R1,
R2, …; who they are stays in `ratings.attrs`.
"""

import difflib

import pandas as pd

from helpers.measures.headers import BRACKETS, LEFT_OUT, OTHERS, check_columns, tell_terminal
from helpers.measures.intervals import ENOUGH
from helpers.measures.orders import (
    ALL_ITEMS,
    are_orders,
    are_pairs,
    place_scores,
    refuse_pairs,
    turn_judge_ranks,
    turn_ranks,
)
from helpers.measures.ratings import Ratings
from helpers.measures.sheet_faults import find_changes, find_doubles
from helpers.measures.sheet_forms import PAIRS, RANKS, ROWS, tell_form
from helpers.measures.sheet_pairs import average_orders, join_groups
from helpers.measures.sheet_rows import read_sheet
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.sources.readers import resolve
from helpers.sources.spreadsheets import find_faults, raise_faults, read_grid

SAMPLES = ROOT / "data" / "examples" / "ratings"
KEPT = ["item", "judge", "score", "aspect", "repeat", "order", "partner", "status"]  # of a judge


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
    unknown = [name for name in columns if name not in (*there, OTHERS, BRACKETS)]
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

    path: a file in one of the forms of `sheet_forms`: one row per rating (item, rater, score,
    perhaps aspect), or one row per item and rater with a column of numbers for every aspect; a
    column per rater, or per item; pairs; ranks (these two as places, see `orders`). Perhaps group
    (what is independent; else every item stands for itself), writer, words or text. columns: {a
    name in the file: ours, or "" to leave the column out}, where `headers.NAMES` does not know it.
    Empty scores are left out.
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
    shown = ["shown"] if sheet.form == PAIRS else []  # a pair may be rated in both orders
    faults = sheet.faults + find_doubles(table, [*case, *shown])
    for name in facts:
        faults += find_changes(table, name)
    raise_faults(sheet.where, faults)
    position = find_positions(table, sheet.form)
    if sheet.form == PAIRS:
        table = average_orders(table, case)
        if "group" not in table:
            table["group"] = join_groups(table)
        facts += [name for name in ("group", "set", "name") if name not in facts]
    elif sheet.form == RANKS:
        table["set"] = table["group"] if "group" in table else ALL_ITEMS
        facts.append("set")
        table = turn_ranks(table, [name for name in (*case, "set") if name != "item"])
    ratings = table[[*case, "score"]].reset_index(drop=True)
    ratings.attrs["names"] = sheet.names
    ratings.attrs["form"] = sheet.form
    ratings.attrs["raters"] = {f"R{code}": name for code, name in enumerate(raters, 1)}
    source = "simulated" if is_sample(path) else "own"
    items = list_items(table, facts)
    if position is not None:
        items["position"] = items["item"].map(position)
    return Ratings(items, ratings, source)


def find_positions(table, form):
    """Return the place in which each item was shown (1: the first; the mean where it differs), by
    item: of a pair which stands first in its row, of a ranking the numbers of a column *order*;
    None where nothing is known of it.

    table: of `sheet_rows.read_sheet`; form: of `sheet_forms`.
    """
    if form == PAIRS:
        place = table["shown"].map({"first": 1.0, "second": 2.0})
    elif form == RANKS and "order" in table:
        place = pd.to_numeric(table["order"], errors="coerce")
    else:
        return None
    position = place.groupby(table["item"]).mean()
    return position if position.notna().all() else None


def is_sample(path):
    """Return whether a file is one of the simulated samples of `SAMPLES`."""
    return resolve(path, "a CSV file").resolve().parent == SAMPLES


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
    if sheet.form == PAIRS and not are_pairs(data):
        refuse_pairs(sheet.where)
    table = sheet.table
    faults = list(sheet.faults)
    if "judge" not in table:
        table["judge"] = table["rater"] if "rater" in table else "the judge"
    has_items_of_pairs = are_pairs(data) and sheet.form != PAIRS
    rated_items = data.items["name" if has_items_of_pairs else "item"]
    is_unknown = ~table["item"].isin(["", *rated_items])
    not_rated = table.loc[is_unknown, "item"].unique().tolist()
    if is_unknown.all():
        advice = "an item of the ratings, spelt as there"
        faults += find_faults(table, "item", is_unknown, advice)
    else:
        table = table[~is_unknown]
    if "aspect" in table and rated:
        is_strange = ~table["aspect"].isin(rated)
        advice = "an aspect of the ratings, spelt as there, or a column named score"
        faults += find_faults(table, "aspect", is_strange, advice)
    raise_faults(sheet.where, faults)
    scores = table[[name for name in KEPT if name in table]].reset_index(drop=True)
    if sheet.form == RANKS:
        scores = turn_judge_ranks(scores, data)
    if are_orders(data) and sheet.form != PAIRS:
        scores = place_scores(scores, data)
    scores.attrs["not rated"] = not_rated
    scores.attrs["names"] = sheet.names
    scores.attrs["form"] = sheet.form
    return scores


def read_unrated(path, data, columns=None):
    """Return what a judge's file says of items that nobody rated: item, judge, score, and group and
    writer where it has them; no row where people rated all items, or gave pairs or ranks.

    data: `Ratings`; path, columns: of `read_scores`, which finds what is wrong with the file.
    """
    rated = data.ratings["aspect"].unique().tolist() if "aspect" in data.ratings else []
    table = read_sheet(path, columns, ("item",), rated).table
    if "judge" not in table:
        table["judge"] = table["rater"] if "rater" in table else "the judge"
    if "status" in table:
        table = table[table["status"] == "ok"]
    is_unrated = ~table["item"].isin(["", *data.items["item"]])
    if are_orders(data):
        is_unrated &= False
    kept = ["item", "judge", "score", "group", "writer"]
    return table.loc[is_unrated, [name for name in kept if name in table]].reset_index(drop=True)


def tell_columns_read(data, scores=None):
    """Return sentences: in which form a reader's file was read, which column as what, and which was
    not; and the same of a judge's file.

    data, scores: of `read_files`.
    """
    form = data.ratings.attrs.get("form", ROWS)
    whose = "Simulated ratings" if data.source == "simulated" else "Your own ratings"
    line = tell_names(f"{whose}, read as {tell_form(form)}.", data.ratings.attrs["names"])
    if form == PAIRS:
        pairs = data.items["set"].nunique()
        line += f" Each of the {pairs:,} pairs stands below as two items, one for each side."
    if form == PAIRS and "group" not in data.ratings.attrs["names"]:
        line += tell_made_groups(data)
    if scores is not None:
        line += f" {tell_scores_read(scores)}"
    return line


def tell_scores_read(scores):
    """Return what `tell_columns_read` does, of a judge's scores; scores: of `read_scores`."""
    form = tell_form(scores.attrs["form"], "judge")
    return tell_names(f"The judge's file, read as {form}.", scores.attrs["names"])


def tell_names(start, names):
    """Return a sentence with the columns that were read and those that were not; names: of
    `sheet_rows.Sheet`."""
    names = dict(names)
    unread, missing = names.pop("not read"), names.pop("missing")
    pairs = "; ".join(f"{ours}: {theirs}" for ours, theirs in names.items() if theirs)
    line = f"{start} Columns read: {pairs}."
    if unread:
        line += f" Not read: {unread}."
    if not missing.startswith("0 "):
        line += f" {missing} ratings are missing."
    return line


def tell_made_groups(data):
    """Return in a sentence what the groups of pairs are that were made without a column group."""
    groups = data.items["group"].nunique()
    if (data.items["group"] == data.items["set"]).all():
        return (
            " There is no column *group*, and most pairs hang together by shared items, so each "
            "pair counts as independent: intervals speak of other pairs of these items, and of "
            "other items they would be wider."
        )
    return f" There is no column *group*; pairs that share items make {groups} groups."


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
