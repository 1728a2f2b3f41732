"""Which columns of a reader's CSV file hold scores, where none is called so.

A form's export has a column of numbers for every aspect (creativity, coherence), and others that
are no ratings: a year, the seconds that an answer took, a number per response. `choose_scores`
takes what is clear and asks about the rest, with the line that answers it:

    no column score, and it is not clear which columns are ratings: creativity (1 to 7), seconds
    (20 to 95: named like an id, a year or a time); say which are meant, COLUMNS='{"creativity":
    "score"}', or which to leave out, COLUMNS='{"seconds": ""}' (in a notebook: columns = {…})

Used by `sheet_rows`; `meaning` is explained in `headers`.
"""

import re

from helpers.measures.headers import (
    LEFT_OUT,
    NAMES,
    OTHERS,
    is_numeric,
    list_columns,
    tell_columns,
    tell_terminal,
)
from helpers.sources.files import DataError
from helpers.sources.numerals import read_numbers

# a column of numbers with such a word in its name holds no ratings
FACTS = set(
    """id nr number index year jahr age alter date datum time zeit timestamp zeitstempel seconds
    sekunden minutes minuten duration dauer""".split()
)


def choose_scores(where, cells, meaning, columns, rated):
    """Return the names of the columns that hold scores, in the file.

    where: the file's name; cells: all its cells as texts, each name in one spelling; meaning: of
    `headers.name_columns`; columns: of `headers.check_columns`; rated says whose scores they are:

        None                 people's ratings
        []                   a judge's, where people rated no aspects: one score an item
        ["style", "plot"]    a judge's, where people rated these aspects

    Raises DataError that asks where it is not clear.
    """
    scores = list_columns(meaning, "score")
    if scores:
        return scores
    others = list_columns(meaning, None)
    numeric = [name for name in others if is_numeric(cells[name])]
    if not numeric:
        ours = [name for name in meaning.values() if name in NAMES]
        there = ", ".join([*ours, *others])
        raise DataError(f"{where}: no column score, and no other column of numbers; found {there}")
    facts = find_facts(cells, numeric, meaning, rated)
    if are_scores(cells, numeric, facts, meaning, rated):
        return numeric
    raise DataError(f"{where}: {ask_which(cells[numeric], facts, columns, rated)}")


def are_scores(cells, numeric, facts, meaning, rated):
    """Return whether columns of numbers are clearly scores, all of them.

    People's are where the reader has left another column of numbers out. Else, none may seem to be
    a fact; and there is only one, or they are on one scale, or (a judge's) each is named like an
    aspect that people rated.

    cells, meaning, rated: of `choose_scores`; numeric: the columns' names; facts: of `find_facts`.
    """
    is_judge = rated is not None  # [] too
    left_out = list_columns(meaning, LEFT_OUT)
    if not is_judge and any(is_numeric(cells[name]) for name in left_out):
        return True
    if facts:
        return False
    if len(numeric) == 1:
        return True
    if is_judge:
        has_aspects = bool(rated)
        return has_aspects  # then each column is one of them: any other is among the facts
    return share_scale([cells[name] for name in numeric])


def ask_which(cells, facts, columns, rated):
    """Return the question which columns of numbers hold scores, and how to answer it.

    cells: the columns of numbers, as texts; facts: {name: why it may hold no scores}; columns,
    rated: of `choose_scores`.
    """
    described = [f"{name} ({describe(cells[name], facts.get(name))})" for name in cells]
    meant = [name for name in cells if name not in facts]
    if not meant:
        meant = list(cells)[:1]
    has_one_score = rated == []  # of a judge, people having rated no aspects
    if has_one_score:
        meant = meant[:1]
    scores = {name: "score" for name in meant}
    left_out = {name: LEFT_OUT for name in cells if name not in meant}
    advice = tell_columns(columns, scores, left_out)
    what = "no column score, and it is not clear which columns are ratings"
    question = f"{what}: {', '.join(described)}; {advice}"
    if rated == [] and len(described) > 1:
        question += (
            f"; if each is a judge's scores, say {tell_terminal(columns | {OTHERS: 'judge'})}"
        )
    return question


def describe(texts, fact=None):
    """Return the range of a column of numbers in words, and why it may hold no ratings."""
    numbers = to_floats(texts)
    span = f"{numbers.min():g} to {numbers.max():g}" if len(numbers) else "unclear numbers"
    return f"{span}: {fact}" if fact else span


def to_floats(texts):
    """Return the numbers among the cells of a column."""
    numbers, _ = read_numbers(texts[texts != ""])
    return numbers.dropna()


def find_facts(cells, numeric, meaning, rated):
    """Return {name: why it seems to hold no scores} of columns of numbers.

    cells, meaning, rated: of `choose_scores`; numeric: the columns' names.
    """
    if rated:  # a judge's, of aspects
        return {name: "no aspect of the ratings" for name in numeric if name not in rated}
    facts = {}
    for name in numeric:
        reason = find_fact(name, cells, meaning)
        if reason:
            facts[name] = reason
    return facts


def find_named_facts(names):
    """Return those names of columns that are named like an id, a year or a time."""
    return [name for name in names if FACTS.intersection(list_words(name))]


def list_words(name):
    """Return the words in a column's name: the letters between digits and signs."""
    return re.findall(r"[^\W\d_]+", name.casefold())


def find_fact(name, cells, meaning):
    """Return why a column of numbers seems to hold facts and no ratings, "" if it does not.

    name: the column's; cells, meaning: of `choose_scores`.
    """
    if FACTS.intersection(list_words(name)):
        return "named like an id, a year or a time"
    filled = cells[cells[name] != ""]
    numbers, _ = read_numbers(filled[name])
    if numbers.nunique() < 2:
        return ""
    are_whole = (numbers % 1 == 0).all()
    if len(numbers) > 5 and numbers.is_unique and are_whole:
        return "another whole number in every row"
    for theirs in list_columns(meaning, "item"):
        if is_same_within(numbers, filled[theirs], rows=2, least=3):
            return "the same in all rows of an item"
    for theirs in list_columns(meaning, "rater"):
        if is_same_within(numbers, filled[theirs], rows=3, least=2):
            return "the same in all rows of a rater"
    return ""


def is_same_within(numbers, names, rows, least):
    """Return whether each name with `rows` rows or more has one number in all of them, and there
    are `least` such names or more; numbers, names: a value per row each."""
    of_name = numbers.groupby(names)
    several = of_name.size() >= rows
    if several.sum() < least:
        return False
    return bool((of_name.nunique()[several] == 1).all())


def share_scale(columns):
    """Return whether columns of numbers (as texts) lie on one scale that ratings use: from 0 to 10,
    all of them or none Yes and No."""
    numbers = [to_floats(column) for column in columns]
    are_short = all(column.between(0, 10).all() for column in numbers)
    are_verdicts = [column.isin([0, 1]).all() for column in numbers]
    return are_short and (all(are_verdicts) or not any(are_verdicts))
