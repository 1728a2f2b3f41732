"""Read a reader's own ratings, and a judge's scores, from the CSV files that forms and spreadsheets
export."""

import csv
import io

import numpy as np
import pandas as pd

from helpers.measures.ratings import Ratings
from helpers.sources.files import DataError, refuse
from helpers.sources.readers import HOW, count_words, read_text, resolve, tidy_name

NAMES = {  # our name of a column: what it may be called in a file, in any case
    "item": "item story text_id poem essay title id item_id story_id text_name",
    "rater": "rater annotator expert worker participant respondent coder worker_id rater_id name",
    "judge": "judge model_judge evaluator scorer model",
    "score": "score rating verdict grade value label answer points",
    "aspect": "aspect test criterion dimension question scale",
    "group": "group plot prompt subject topic task set",
    "writer": "writer author system source condition",
    "words": "words word_count length",
    "text": "text content body",
    "repeat": "repeat run replicate",
    "order": "order position",
    "partner": "partner beside reference",
    "status": "status",
}
VERDICTS = {"yes": 1, "no": 0, "true": 1, "false": 0, "pass": 1, "fail": 0, "ja": 1, "nein": 0}
LIMIT = 200_000_000  # bytes


def read_ratings(path, columns=None):
    """Return a reader's `Ratings` from a CSV file; raters are called R1, R2, … in order.

    path: one row per rating (item, rater, score, perhaps aspect), or one row per item and rater
    with a column of numbers for every aspect; perhaps group (what is independent; else every item
    stands for itself), writer, words or text. columns: {a name in the file: ours}, where `NAMES`
    does not know it. Empty scores are left out. Raises DataError that names the row, and the
    columns that were found.
    """
    table, where = read_sheet(path, columns, ("item", "rater"))
    table["rater"] = "R" + (pd.factorize(table["rater"])[0] + 1).astype(str).astype(object)
    case = ["item", "rater", *[name for name in ("aspect",) if name in table]]
    twice = table.duplicated(case)
    refuse(table, where, [("item", twice, f"one row per {' and '.join(case)}: remove one")])
    known = [name for name in ("group", "writer", "words") if name in table]
    facts = table.groupby("item", sort=False)
    for name in known:
        odd = facts[name].transform("nunique") > 1
        refuse(table, where, [(name, odd, f"the same {name} in every row of an item")])
    items = facts[known].first().reset_index() if known else table[["item"]].drop_duplicates()
    if "group" not in items:
        items["group"] = items["item"]
    return Ratings(items.reset_index(drop=True), table[[*case, "score"]], "own")


def read_scores(path, data, columns=None):
    """Return a judge's scores for `data` from a CSV file: item, judge, score and what else is there
    of aspect, repeat, order, partner, status.

    Read as by `read_ratings`; without a column judge it is called "the judge". Raises DataError
    also for an item that nobody rated.
    """
    table, where = read_sheet(path, columns, ("item",))
    if "judge" not in table:
        table["judge"] = table["rater"] if "rater" in table else "the judge"
    unknown = ~table["item"].isin(data.items["item"])
    refuse(table, where, [("item", unknown, "an item of the ratings, spelt as there")])
    if "aspect" in table and "aspect" in data.ratings:
        strange = ~table["aspect"].isin(data.ratings["aspect"])
        advice = "an aspect of the ratings, spelt as there, or a column named score"
        refuse(table, where, [("aspect", strange, advice)])
    kept = ["item", "judge", "score", "aspect", "repeat", "order", "partner", "status"]
    return table[[name for name in kept if name in table]]


def read_sheet(path, columns, needed):
    """Return (table, name of the file): columns under our names, one row per score, each with
    `where`; raise DataError for what cannot be read."""
    path = resolve(path, "a CSV file with a row per rating")
    text = read_text(path, LIMIT, HOW)
    mark = max(",;\t", key=text.partition("\n")[0].count)
    try:
        raw = pd.read_csv(io.StringIO(text), sep=mark, dtype=str, keep_default_na=False)
        if not isinstance(raw.index, pd.RangeIndex):  # pandas took the first cells as row names
            raise pd.errors.ParserError("rows have more cells than the header")
    except (pd.errors.ParserError, pd.errors.EmptyDataError, csv.Error) as fault:
        raise DataError(f"{path.name}: cannot be read as a CSV ({fault}); {HOW}") from None
    said = {known: ours for ours, names in NAMES.items() for known in names.split()}
    given = {tidy_name(str(name)): ours for name, ours in (columns or {}).items()}
    raw.columns = [tidy_name(name) for name in raw]
    ours = [given.get(name) or said.get(name.casefold().replace(" ", "_"), name) for name in raw]
    for name in needed:
        if ours.count(name) != 1:
            count = "no" if name not in ours else "more than one"
            advice = f'expected one row per score; rename a column, or say {{"its name": "{name}"}}'
            advice += " in columns (in a terminal COLUMNS='…')"
            raise DataError(f"{path.name}: {count} column {name}; found {', '.join(raw)}; {advice}")
    table = raw.set_axis(ours, axis=1).map(str.strip)
    table = table.loc[:, ~table.columns.duplicated()]
    table = table.assign(where=[f"row {number}" for number in range(2, len(table) + 2)])
    table = table[table.drop(columns="where").ne("").any(axis=1)]
    if "score" not in table:
        table = melt(table, path.name)
    refuse(table, path.name, [(name, table[name] == "", "a name") for name in needed])
    table = table[table["score"] != ""].reset_index(drop=True)
    if table.empty:
        raise DataError(f"{path.name}: no score in it; expected numbers, or Yes and No")
    table["score"] = to_numbers(table, "score", path.name)
    if "text" in table and "words" not in table:
        table["words"] = table["text"].map({t: count_words(t) for t in table["text"].unique()})
    elif "words" in table:
        table["words"] = to_numbers(table, "words", path.name)
    return table, path.name


def melt(table, where):
    """Return one row per score of a table that has a column of numbers for every aspect."""
    known = [name for name in table if name in NAMES or name == "where"]
    aspects = [
        name
        for name in table.columns.difference(known, sort=False)
        if (filled := table[name][table[name] != ""]).size and np.isfinite(as_numbers(filled)).all()
    ]
    if not aspects:
        found = ", ".join(table.columns.drop("where"))
        raise DataError(f"{where}: no column score, and no other column of numbers; found {found}")
    return table.melt(known, aspects, "aspect", "score")


def as_numbers(texts):
    """Return floats of texts: numbers (also with a decimal comma) and verdicts; nan for others."""
    low = texts.str.casefold()
    numbers = pd.to_numeric(low.str.replace(",", "."), errors="coerce")
    return numbers.fillna(low.map(VERDICTS)).astype(float)


def to_numbers(table, name, where):
    """Return a column as floats, nan where it is empty; DataError for what is no number."""
    numbers, filled = as_numbers(table[name]), table[name] != ""
    odd = filled & ~np.isfinite(numbers)
    refuse(table, where, [(name, odd, "a number, or Yes or No")])
    return numbers
