"""Read a reader's own ratings, and a judge's scores, from the CSV files that forms and spreadsheets
export; ask about what is not clear."""

import difflib
import json
import re
import shlex

import numpy as np
import pandas as pd

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
OURS = {known: ours for ours, names in NAMES.items() for known in names.split()}
SPELT = ["item", "rater", "judge", "aspect", "group", "writer"]  # in one spelling everywhere
LEFT_OUT = ""  # what a column is called that shall not be read
EXAMPLE = '{"Which story?": "item", "Your name": "rater"}'
# a column of numbers with such a word in its name holds no ratings
FACTS = set(
    """id nr number index year jahr age alter date datum time zeit timestamp zeitstempel seconds
    sekunden minutes minuten duration dauer""".split()
)
FEW = 5  # groups; `compare.ENOUGH`
# how people write that there is no score, in any case; the cell counts as empty
NO_SCORE = set("na n/a n.a. nan null none missing - – — . ? k.a. k.a".split())
NO_SCORE |= {"k. a.", "k. a", "keine angabe", "no answer", "not applicable"}
PREFERENCES = {"preferred", "preference", "winner", "choice", "text_a", "item_a", "story_a"}


def read_files(ratings, scores="", columns=None):
    """Return (a reader's `Ratings`, a judge's scores or None) from two CSV files; scores: "" for
    none.

    Raises DataError as `read_ratings` and `read_scores` do, and for a name in `columns` that no
    column of either file has.
    """
    columns = check_columns(columns)
    headers = [list(read_grid(path)[1]) for path in (ratings, scores) if path]
    there = list(dict.fromkeys(name for header in headers for name in header))
    unknown = [name for name in columns if name not in there]
    if unknown:
        missing = []
        for name in unknown:
            near = difflib.get_close_matches(name, there, 1, 0.5)
            perhaps = f" (perhaps {near[0]!r:.60})" if near else ""
            missing.append(f"{name!r:.60}{perhaps}")
        found = f"found {', '.join(there)}"
        raise DataError(f"columns: no file has a column {', '.join(missing)}; {found:.600}")
    data = read_ratings(ratings, columns)
    return data, read_scores(scores, data, columns) if scores else None


def read_ratings(path, columns=None):
    """Return a reader's `Ratings` from a CSV file; raters are called R1, R2, … in order.

    path: one row per rating (item, rater, score, perhaps aspect), or one row per item and rater
    with a column of numbers for every aspect; perhaps group (what is independent; else every item
    stands for itself), writer, words or text. columns: {a name in the file: ours, or "" to leave
    the column out}, where `NAMES` does not know it. Empty scores are left out. `ratings.attrs`
    holds the file's names of our columns. Raises DataError with all faults of the file, their rows
    and the columns that were found.
    """
    table, where, faults, names = read_sheet(path, columns, ("item", "rater"))
    table["rater"] = "R" + (pd.factorize(table["rater"])[0] + 1).astype(str).astype(object)
    case = ["item", "rater", *[name for name in ("aspect",) if name in table]]
    faults += find_doubles(table, case)
    known = [name for name in ("group", "writer", "words") if name in table]
    for name in known:
        faults += find_changes(table, name)
    raise_faults(where, faults)
    facts = table.groupby("item", sort=False)
    items = facts[known].first().reset_index() if known else table[["item"]].drop_duplicates()
    if "group" not in items:
        items["group"] = items["item"]
    ratings = table[[*case, "score"]].reset_index(drop=True)
    ratings.attrs["names"] = names
    return Ratings(items.reset_index(drop=True), ratings, "own")


def read_scores(path, data, columns=None):
    """Return a judge's scores for `data` from a CSV file: item, judge, score and what else is there
    of aspect, repeat, order, partner, status.

    Read as by `read_ratings`; without a column judge it is called "the judge". Raises DataError
    also for an item that nobody rated.
    """
    rated = data.ratings["aspect"].unique().tolist() if "aspect" in data.ratings else []
    table, where, faults, _ = read_sheet(path, columns, ("item",), rated)
    if "judge" not in table:
        table["judge"] = table["rater"] if "rater" in table else "the judge"
    unknown = ~table["item"].isin(["", *data.items["item"]])
    faults += find_faults(table, "item", unknown, "an item of the ratings, spelt as there")
    if "aspect" in table and rated:
        strange = ~table["aspect"].isin(rated)
        advice = "an aspect of the ratings, spelt as there, or a column named score"
        faults += find_faults(table, "aspect", strange, advice)
    raise_faults(where, faults)
    kept = ["item", "judge", "score", "aspect", "repeat", "order", "partner", "status"]
    return table[[name for name in kept if name in table]].reset_index(drop=True)


def read_sheet(path, columns, needed, rated=None):
    """Return (table, name of the file, faults, {our name: the file's}): columns under our names,
    one row per score, the index its row in the file; DataError for what cannot be read.

    rated: the aspects of the people's ratings, where the file holds a judge's scores.
    """
    columns = check_columns(columns)
    where, raw, faults = read_grid(path)
    ours = name_columns(list(raw), columns)
    for name, our in zip(list(raw), ours):
        if our in (None, "score", "words"):
            raw[name] = raw[name].where(~raw[name].str.casefold().isin(NO_SCORE), "")
    raise_faults(where, find_missing(raw, ours, needed, columns))
    raise_faults(where, [] if len(raw) else faults)
    names = {one: theirs for theirs, one in zip(raw, ours) if one in NAMES}
    scores = [theirs for theirs, one in zip(raw, ours) if one == "score"]
    others = [theirs for theirs, one in zip(raw, ours) if one is None]
    known = [one in NAMES and one != "score" for one in ours]
    table = raw.loc[:, known].set_axis([one for one, keep in zip(ours, known) if keep], axis=1)
    for name in set(SPELT).intersection(table):
        spelt = {cell: tidy_name(cell) for cell in table[name].unique()}
        table[name] = table[name].map(spelt)
    for name in [name for name in ("item", "rater") if name in table]:
        faults += find_spellings(table[name])
    if not scores:
        left_out = [theirs for theirs, one in zip(raw, ours) if one == LEFT_OUT]
        scores = choose_aspects(where, table, raw[others], raw[left_out], columns, rated)
    names["score"] = ", ".join(scores)
    names["not read"] = ", ".join(name for name in others if name not in scores)
    if "aspect" in names and len(scores) > 1:
        what = f"a column of aspects ({names['aspect']}) and several of scores ({names['score']})"
        raise DataError(f'{where}: {what}; expected one or the other: leave columns out with ""')
    table = join_scores(table, raw[scores], rated or [])
    for name in needed:
        faults += find_faults(table, name, table[name] == "", "a name")
    names["missing"] = f"{(table['score'] == '').sum():,} of {len(table):,}"
    table = table[table["score"] != ""]
    if table.empty:
        raise_faults(where, [*faults, (0, "no score in it; expected numbers, or Yes and No")])
    for name in {"score", "words"}.intersection(table):
        table[name], odd = to_numbers(table, name, names)
        faults += odd
    if "text" in table and "words" not in table:
        table["words"] = table["text"].map({t: count_words(t) for t in table["text"].unique()})
    return table, where, faults, names


def join_scores(table, scores, rated):
    """Return one row per score of a table and its columns of scores; several are aspects, and so is
    one with the name of an aspect that people rated."""
    if scores.shape[1] == 1 and ("aspect" in table or scores.columns[0] not in rated):
        return table.assign(score=scores.iloc[:, 0])
    parts = [table.assign(aspect=name, score=column) for name, column in scores.items()]
    return pd.concat(parts)


def to_numbers(table, name, names):
    """Return (a column as floats, its faults); scores are read aspect by aspect; names: {our name:
    the file's}."""
    numbers, faults = pd.Series(np.nan, range(len(table))), []
    aspects = table["aspect"] if name == "score" and "aspect" in table else np.zeros(len(table))
    by_aspect = pd.Series(range(len(table))).groupby(np.asarray(aspects)).indices
    for aspect, rows in by_aspect.items():
        theirs = aspect if "aspect" not in names and len(by_aspect) > 1 else names[name]
        part = table.iloc[rows]
        filled = part[name] != ""
        found, expected = read_numbers(part.loc[filled.to_numpy(), name])
        words = expected == NO_NUMBER
        if name == "score" and words.mean() > 0.5 and words.sum() > MOST:
            faults.append((0, tell_words(part.loc[filled.to_numpy(), name], theirs)))
            continue
        numbers.iloc[rows[filled.to_numpy()]] = found.to_numpy()
        for wanted in expected[expected != ""].unique():
            bad = np.zeros(len(part), bool)
            bad[filled.to_numpy()] = (expected == wanted).to_numpy()
            faults += find_faults(part, name, bad, wanted, theirs)
    return numbers.to_numpy(), faults


def tell_words(texts, theirs):
    """Return what to do with a column of scores that holds words; theirs: its name in the file."""
    words = texts.value_counts().index[:4]
    shown = ", ".join(f"{word!r:.40}" for word in words)
    return (
        f"{theirs} holds words ({shown}); expected numbers, or Yes and No. For categories in an "
        "order write numbers in that order, such as 1, 2, 3. Of preferences between two texts make "
        "one row per text and rater, the score how often this rater preferred it"
    )


def find_spellings(names):
    """Return the names as faults that are another spelling of a number before, as 01 is of 1: they
    would silently be two items, or two raters. names: a column, its index the rows of the file."""
    first = names.drop_duplicates()
    numbers = first[first.str.fullmatch("[0-9]+")]
    value = numbers.map(int)
    faults = []
    for row in numbers.index[value.duplicated()]:
        before = value.index[value == value[row]][0]
        what = f"{names.name} is {numbers[row]!r:.60}, and {numbers[before]!r:.60} in row {before}"
        faults.append((row, f"{what}; expected one spelling of one {names.name}"))
    return faults


def find_doubles(table, case):
    """Return the second scores of a case as faults, each with the row of the first."""
    rows = pd.Series(table.index, table.index)
    first = rows.groupby([table[name] for name in case]).transform("first").to_numpy()
    faults = {}
    for row, item, other in zip(table.index, table["item"], first):
        if row != other and row not in faults:
            what = f"item is {item!r:.60}, by the same rater as in row {other}"
            faults[row] = f"{what}; expected one row per {' and '.join(case)}: remove one"
    return list(faults.items())


def find_changes(table, name):
    """Return the rows as faults in which a fact of an item is not that of the item's first row."""
    value = table[name].fillna("")
    groups = table["item"]
    first = value.groupby(groups).transform("first")
    rows = pd.Series(table.index, table.index).groupby(groups).transform("first")
    faults = {}
    for place in np.flatnonzero(value != first):
        row, cell = table.index[place], value.iloc[place]
        before = f"{first.iloc[place]!r:.60} in row {rows.iloc[place]}"
        advice = f"the same {name} in every row of an item"
        faults[row] = f"{name} is {cell!r:.60}, but {before}; expected {advice}"
    return list(faults.items())


def check_columns(columns):
    """Return {a column's name in one spelling: ours}; DataError for what is no such mapping."""
    columns = {} if columns is None or columns == "" else columns
    good = isinstance(columns, dict) and all(
        isinstance(name, str) and isinstance(ours, str) for name, ours in columns.items()
    )
    if not good:
        shown = json.dumps(columns, ensure_ascii=False, default=str)
        raise DataError(f'columns is {shown:.60}; expected {{"its name": "ours"}}, say {EXAMPLE}')
    for name, ours in columns.items():
        if ours not in NAMES and ours != LEFT_OUT:
            known = ", ".join(NAMES)
            advice = f'one of {known}, or "" to leave the column out'
            raise DataError(f"columns: {name!r:.60} is called {ours!r:.60}; expected {advice}")
    return {tidy_name(name): ours for name, ours in columns.items()}


def name_columns(header, columns):
    """Return what each column of a file is: our name, LEFT_OUT, or None for none of ours.

    What `columns` says counts first, then our own name in the file, then the other names that we
    know. Only scores may be several.
    """
    plain = [name.casefold().replace(" ", "_") for name in header]
    said = {columns[name] for name in header if name in columns}
    ours = []
    for name, word in zip(header, plain):
        known = OURS.get(word)
        if name in columns:
            ours.append(columns[name])
        elif known in said:
            ours.append(LEFT_OUT if known == "score" else None)
        elif known != "score" and known in plain and known != word:
            ours.append(None)
        else:
            ours.append(known)
    return ours


def find_missing(raw, ours, needed, columns):
    """Return the faults of a header: every column that is needed and not there, and every one that
    is there twice."""
    header, faults = list(raw), []
    found = f"found {', '.join(header)}"
    if missing := [name for name in needed if name not in ours]:
        none = " and ".join(f"no column {name}" for name in missing)
        wanted = {
            f"its name {number}" if len(missing) > 1 else "its name": name
            for number, name in enumerate(missing, 1)
        }
        wanted = json.dumps(wanted)
        advice = f"rename a column, or say {wanted} in columns (in a terminal {terminal(wanted)})"
        faults.append((0, f"{none}; {found}; expected one row per score; {advice}"))
        if PREFERENCES.intersection(name.casefold().replace(" ", "_") for name in header):
            hint = "make one row per text and rater, the score how often this rater preferred it"
            faults.append((0, f"if the rows are preferences between two texts: {hint}"))
        numbers = [name for name, one in zip(header, ours) if one is None and is_numeric(raw[name])]
        if missing == ["rater"] and len(numbers) > 1:
            hint = "if each is a rater, write one row per rating: item, rater, score"
            faults.append((0, f"columns of numbers: {', '.join(numbers)}; {hint}"))
    for name in NAMES:
        theirs = [one for one, our in zip(header, ours) if our == name]
        clear = name == "score" and all(one in columns for one in theirs)
        if len(theirs) > 1 and not clear:
            advice = tell_columns(columns, {theirs[0]: name}, {theirs[-1]: LEFT_OUT})
            what = f"more than one column {name}: {', '.join(theirs)}; {found}"
            faults.append((0, f"{what}; expected one row per score; {advice}"))
    return faults


def tell_columns(columns, wanted, left_out):
    """Return the two ways to say which columns are meant, with what was said already; only the
    first where nothing is to be left out."""
    first, second = (
        terminal(json.dumps(columns | more, ensure_ascii=False)) for more in (wanted, left_out)
    )
    advice = f"say which are meant, {first}"
    advice += f", or which to leave out, {second}" * bool(left_out)
    return f"{advice} (in a notebook: columns = {{…}})"


def terminal(text):
    """Return how columns are given in a terminal, quoted for its shell."""
    return f"COLUMNS={shlex.quote(text)}"


def is_numeric(texts):
    """Return whether most filled cells of a column are numbers, or Yes and No."""
    filled = texts[texts != ""]
    expected = read_numbers(filled)[1]
    return len(filled) > 0 and (expected != NO_NUMBER).mean() > 0.5


def choose_aspects(where, table, others, left_out, columns, rated):
    """Return the columns of `others` that hold ratings; DataError that asks where it is not clear.

    It is clear where one column of numbers is left, or where all of them lie between 0 and 10 (or
    all are Yes and No, or 0 and 1), and none is a fact: named like an id, a year or a time,
    counting the rows, or the same in all rows of an item or of a rater. A reader who left a column
    of numbers out has answered. In a judge's file the columns are those named like an aspect that
    people rated.
    """
    numeric = [name for name in others if is_numeric(others[name])]
    if not numeric:
        found = ", ".join([*table, *others])
        raise DataError(f"{where}: no column score, and no other column of numbers; found {found}")
    if rated:
        facts = {name: "no aspect of the ratings" for name in numeric if name not in rated}
        alike = True
    else:
        reasons = {name: find_fact(name, others[name], table) for name in numeric}
        facts = {name: reason for name, reason in reasons.items() if reason}
        alike = rated is None and share_scale(others[numeric])
    clear = not facts and (alike or len(numeric) == 1)
    answered = any(is_numeric(left_out[name]) for name in left_out)
    if clear or answered and rated is None:
        return numeric
    told = [f"{name} ({describe(others[name], facts.get(name))})" for name in numeric]
    ratings = [name for name in numeric if name not in facts] or numeric[:1]
    ratings = ratings[:1] if rated == [] else ratings  # a judge's one score
    rest = [name for name in numeric if name not in ratings]
    advice = tell_columns(columns, dict.fromkeys(ratings, "score"), dict.fromkeys(rest, LEFT_OUT))
    what = f"no column score, and it is not clear which columns are ratings: {', '.join(told)}"
    raise DataError(f"{where}: {what}; {advice}")


def describe(texts, fact=None):
    """Return the range of a column of numbers in words, and why it may hold no ratings."""
    numbers = read_numbers(texts[texts != ""])[0].dropna()
    span = f"{numbers.min():g} to {numbers.max():g}" if len(numbers) else "unclear numbers"
    return f"{span}: {fact}" if fact else span


def find_fact(name, texts, table):
    """Return why a column of numbers seems to hold facts and no ratings, "" if it does not.

    table: the columns item and rater, if there, of the same rows.
    """
    filled = texts != ""
    numbers = read_numbers(texts[filled])[0]
    if FACTS.intersection(re.findall(r"[^\W\d_]+", name.casefold())):
        return "named like an id, a year or a time"
    if numbers.nunique() < 2:
        return ""
    if len(numbers) > 5 and numbers.is_unique and (numbers % 1 == 0).all():
        return "another whole number in every row"
    for of in {"item", "rater"}.intersection(table):
        given = numbers.groupby(table.loc[filled, of])
        several = given.size() >= 3 if of == "rater" else given.size() >= 2
        enough = several.sum() >= (2 if of == "rater" else 3)
        if enough and (given.nunique()[several] == 1).all():
            return f"the same in all rows of {'an' if of == 'item' else 'a'} {of}"
    return ""


def share_scale(columns):
    """Return whether columns of numbers lie on one scale that ratings use: from 0 to 10, all of
    them or none Yes and No."""
    numbers = [read_numbers(column[column != ""])[0].dropna() for _, column in columns.items()]
    short = all(column.between(0, 10).all() for column in numbers)
    verdicts = [column.isin([0, 1]).all() for column in numbers]
    return short and (all(verdicts) or not any(verdicts))


def tell_columns_read(data):
    """Return a sentence: which column of a reader's file was read as what, and which was not."""
    names = dict(data.ratings.attrs["names"])
    unread, missing = names.pop("not read"), names.pop("missing")
    told = "; ".join(f"{ours}: {theirs}" for ours, theirs in names.items())
    line = f"Your own ratings. Columns read: {told}."
    line += f" Not read: {unread}." * bool(unread)
    return line + f" {missing} ratings are missing." * (not missing.startswith("0 "))


def ask_about_groups(data, columns=None):
    """Return a question about groups that may be conditions, "" where there is none.

    A group is what is independent (a plot, a prompt). Few groups of many items allow no interval;
    mostly such a column says who or what wrote the item, or under which condition.
    """
    size = data.items["group"].nunique()
    if size >= FEW or len(data.items) < 3 * size or len(data.items) < 2 * FEW:
        return ""
    theirs = data.ratings.attrs.get("names", {}).get("group", "group")
    columns = check_columns(columns)
    first = terminal(json.dumps(columns | {theirs: "writer"}, ensure_ascii=False))
    second = terminal(json.dumps(columns | {theirs: LEFT_OUT}, ensure_ascii=False))
    made = f"{size} group{'s' * (size > 1)} of {len(data.items):,} items"
    return (
        f"The column {theirs!r} was read as *group*, and makes {made}. From fewer than {FEW} "
        "groups no interval can be had. A group holds items that belong together, such as one "
        "plot. If the column says who or what wrote the item, or under which condition, it is "
        f"*writer*: {first}. If it says neither, leave it out: {second}."
    )


def has_response_ids(data):
    """Return whether nearly every item's rating has a rater of its own, as where the column holds
    the number of a response; of one item alone this is always so."""
    given = data.ratings[["item", "rater"]].drop_duplicates()
    several = given["item"].nunique() > 1 and len(given) > 2
    return several and given["rater"].nunique() > 0.8 * len(given)
