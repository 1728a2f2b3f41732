"""Which column of a reader's CSV file is what: the names that we know, what the reader said, and a
question where it is not clear."""

import json
import re
import shlex

from helpers.sources.files import DataError
from helpers.sources.readers import tidy_name
from helpers.sources.spreadsheets import NO_NUMBER, read_numbers

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
LEFT_OUT = ""  # what a column is called that shall not be read
EXAMPLE = '{"Which story?": "item", "Your name": "rater"}'
# a column of numbers with such a word in its name holds no ratings
FACTS = set(
    """id nr number index year jahr age alter date datum time zeit timestamp zeitstempel seconds
    sekunden minutes minuten duration dauer""".split()
)
PREFERENCES = {"preferred", "preference", "winner", "choice", "text_a", "item_a", "story_a"}


def check_columns(columns):
    """Return {a column's name in one spelling: ours}; {} for None or "".

    columns: {a column's name in the file: our name of it, or "" to leave it out}. Raises DataError
    for what is no such mapping.
    """
    if columns is None or columns == "":
        return {}
    if not is_mapping_of_texts(columns):
        shown = json.dumps(columns, ensure_ascii=False, default=str)
        raise DataError(f'columns is {shown:.60}; expected {{"its name": "ours"}}, say {EXAMPLE}')
    for name, ours in columns.items():
        if ours not in NAMES and ours != LEFT_OUT:
            known = ", ".join(NAMES)
            advice = f'one of {known}, or "" to leave the column out'
            raise DataError(f"columns: {name!r:.60} is called {ours!r:.60}; expected {advice}")
    return {tidy_name(name): ours for name, ours in columns.items()}


def is_mapping_of_texts(columns):
    """Return whether this is a dict whose keys and values are texts."""
    if not isinstance(columns, dict):
        return False
    return all(isinstance(text, str) for pair in columns.items() for text in pair)


def name_columns(header, columns):
    """Return {a column's name in the file: our name, LEFT_OUT, or None for none of ours}.

    header: the names in the file; columns: of `check_columns`. What `columns` says counts first,
    then our own name in the file, then the other names that we know. Only scores may be several.
    """
    plain = {name: simplify(name) for name in header}
    chosen = {columns[name] for name in header if name in columns}
    meaning = {}
    for name, word in plain.items():
        ours = OURS.get(word)
        has_own_column = ours in plain.values() and ours != word
        if name in columns:
            meaning[name] = columns[name]
        elif ours in chosen:
            meaning[name] = LEFT_OUT if ours == "score" else None
        elif has_own_column and ours != "score":
            meaning[name] = None
        else:
            meaning[name] = ours
    return meaning


def simplify(name):
    """Return a column's name in small letters, with _ for blanks."""
    return name.casefold().replace(" ", "_")


def list_columns(meaning, ours):
    """Return the file's names of the columns that mean `ours`; meaning: of `name_columns`."""
    return [theirs for theirs in meaning if meaning[theirs] == ours]


def find_header_faults(cells, meaning, needed, columns):
    """Return the faults of a header, (0, what is wrong): columns that are needed and not there, and
    several columns for one of ours.

    cells: all cells of the file as texts; meaning: of `name_columns`; needed: our names; columns:
    of `check_columns`.
    """
    missing = [name for name in needed if not list_columns(meaning, name)]
    faults = []
    if missing:
        faults = [tell_missing(list(cells), missing), *guess_other_form(cells, meaning, missing)]
    faults += tell_doubles(meaning, columns)
    return [(0, fault) for fault in faults]


def tell_missing(header, missing):
    """Return that columns are missing, and how to say which they are."""
    none = " and ".join(f"no column {name}" for name in missing)
    wanted = {"its name": missing[0]}
    if len(missing) > 1:
        wanted = {f"its name {number}": name for number, name in enumerate(missing, 1)}
    notebook, terminal = json.dumps(wanted), tell_terminal(wanted)
    advice = f"rename a column, or say {notebook} in columns (in a terminal {terminal})"
    return f"{none}; found {', '.join(header)}; expected one row per score; {advice}"


def guess_other_form(cells, meaning, missing):
    """Return what to do if the rows seem to be preferences, or the columns to be raters."""
    hints = []
    if PREFERENCES.intersection(map(simplify, cells)):
        hint = "make one row per text and rater, the score how often this rater preferred it"
        hints.append(f"if the rows are preferences between two texts: {hint}")
    numeric = [name for name in list_columns(meaning, None) if is_numeric(cells[name])]
    if missing == ["rater"] and len(numeric) > 1:
        hint = "if each is a rater, write one row per rating: item, rater, score"
        hints.append(f"columns of numbers: {', '.join(numeric)}; {hint}")
    return hints


def tell_doubles(meaning, columns):
    """Return for each name of ours that several columns mean, that this is not clear; several
    columns of scores are, if the reader named each of them."""
    faults = []
    for ours in NAMES:
        doubles = list_columns(meaning, ours)
        all_named = ours == "score" and all(name in columns for name in doubles)
        if len(doubles) < 2 or all_named:
            continue
        advice = tell_columns(columns, {doubles[0]: ours}, {doubles[-1]: LEFT_OUT})
        what = f"more than one column {ours}: {', '.join(doubles)}; found {', '.join(meaning)}"
        faults.append(f"{what}; expected one row per score; {advice}")
    return faults


def tell_columns(columns, wanted, left_out):
    """Return the two ways to say which columns are meant; only the first where `left_out` is empty.

    columns: what was said already; wanted, left_out: what to add to it in either way.
    """
    advice = f"say which are meant, {tell_terminal(columns | wanted)}"
    if left_out:
        advice += f", or which to leave out, {tell_terminal(columns | left_out)}"
    return f"{advice} (in a notebook: columns = {{…}})"


def tell_terminal(columns):
    """Return how columns are given in a terminal, quoted for its shell."""
    text = json.dumps(columns, ensure_ascii=False)
    return f"COLUMNS={shlex.quote(text)}"


def is_numeric(texts):
    """Return whether most filled cells of a column are numbers, or Yes and No."""
    filled = texts[texts != ""]
    _, expected = read_numbers(filled)
    return len(filled) > 0 and (expected != NO_NUMBER).mean() > 0.5


def choose_scores(where, cells, meaning, columns, rated):
    """Return the names of the columns that hold scores, in the file.

    It is clear where a column is called score, where one column of numbers is left, or where all of
    them lie between 0 and 10 (or all are Yes and No, or 0 and 1), and none is a fact: named like an
    id, a year or a time, counting the rows, or the same in all rows of an item or of a rater. A
    reader who left a column of numbers out has answered. In a judge's file the columns are those
    named like an aspect that people rated.

    where: the file's name; cells: all its cells as texts, each name in one spelling; meaning: of
    `name_columns`; columns: of `check_columns`; rated: None for people's ratings; for a judge's,
    the aspects that people rated. Raises DataError that asks where it is not clear.
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
    alike, answered = bool(rated), False
    if rated is None:
        left_out = list_columns(meaning, LEFT_OUT)
        answered = any(is_numeric(cells[name]) for name in left_out)
        alike = share_scale([cells[name] for name in numeric])
    clear = not facts and (alike or len(numeric) == 1)
    if clear or answered:
        return numeric
    raise DataError(f"{where}: {ask_which(cells[numeric], facts, columns, rated)}")


def ask_which(cells, facts, columns, rated):
    """Return the question which columns of numbers hold scores, and how to answer it.

    cells: the columns of numbers, as texts; facts: {name: why it may hold no scores}; columns,
    rated: of `choose_scores`.
    """
    described = [f"{name} ({describe(cells[name], facts.get(name))})" for name in cells]
    meant = [name for name in cells if name not in facts] or list(cells)[:1]
    if rated == []:  # a judge's one score
        meant = meant[:1]
    rest = [name for name in cells if name not in meant]
    advice = tell_columns(columns, dict.fromkeys(meant, "score"), dict.fromkeys(rest, LEFT_OUT))
    what = "no column score, and it is not clear which columns are ratings"
    return f"{what}: {', '.join(described)}; {advice}"


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
    if rated:
        return {name: "no aspect of the ratings" for name in numeric if name not in rated}
    facts = {}
    for name in numeric:
        reason = find_fact(name, cells, meaning)
        if reason:
            facts[name] = reason
    return facts


def find_fact(name, cells, meaning):
    """Return why a column of numbers seems to hold facts and no ratings, "" if it does not.

    name: the column's; cells, meaning: of `choose_scores`.
    """
    words = re.findall(r"[^\W\d_]+", name.casefold())
    if FACTS.intersection(words):
        return "named like an id, a year or a time"
    filled = cells[cells[name] != ""]
    numbers, _ = read_numbers(filled[name])
    if numbers.nunique() < 2:
        return ""
    if len(numbers) > 5 and numbers.is_unique and (numbers % 1 == 0).all():
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
    short = all(column.between(0, 10).all() for column in numbers)
    verdicts = [column.isin([0, 1]).all() for column in numbers]
    return short and (all(verdicts) or not any(verdicts))
