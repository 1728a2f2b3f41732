"""Read people's ratings, and a judge's scores for them, from a CSV file, JSON or a tool's export.

    ratings = read_ratings("ratings.csv")
    print(ratings.report)                      # what was read and left out, before any number
    scores = read_scores("judge.csv", ratings)
    print(scores.attrs["report"])

What is clear is read, and said in the report. What is not clear is a `DataError` that asks, with
one proposal of options, which was tried on the file before it is shown.
"""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from goodjudge.data import importers
from goodjudge.data.cleaning import open_table
from goodjudge.data.columns import BRACKETS, OTHERS, check_columns, tell_options
from goodjudge.data.forms import FORMS
from goodjudge.data.judges import read_judge
from goodjudge.data.names import MOST_UNMATCHED, simplify
from goodjudge.data.orders import are_orders
from goodjudge.data.people import read_people
from goodjudge.data.ratings import Ratings
from goodjudge.data.tables import load
from goodjudge.errors import Answer, DataError

OF_JUDGE = dict(  # the options of a judge's file, where nothing is said
    columns=None,
    form="auto",
    missing=(),
    scale=None,
    rescale=False,
    labels=None,
    only=None,
    leave_out=(),
    doubles="ask",
    unmatched=MOST_UNMATCHED,
    encoding=None,
)
UNSAID = (None, "auto", "ask", [], {}, False, MOST_UNMATCHED)
DOUBLES = ("ask", "first", "last", "repeat")


def read_ratings(
    path: str | Path,
    *,
    columns: dict[str, str] | list[str] | None = None,
    form: str = "auto",
    aspects: list[str] | dict[str, str] | None = None,
    missing: list[float | str] | tuple = (),
    scale: tuple[float, float] | None = None,
    labels: dict[str, float] | None = None,
    only: dict[str, str] | None = None,
    leave_out: list[str] | tuple = (),
    doubles: str = "ask",
    encoding: str | None = None,
) -> Ratings:
    """Return people's `Ratings` from a file; raters are called R1, R2, … in the order of the file.

    path: CSV (commas, semicolons, tabs), JSON, JSON lines, or an export of a tool that is known.
    columns: {a name in the file: "item", "rater", "score", "aspect", "group", "writer", "words",
    "text" …, "" to leave it out, or another word, the name of a criterion}; or ["name=item", …].
    form: "auto", "rows", "wide", "form", "pairs", "ranks", or the name of a tool's importer.
    aspects: criteria to read, or {a criterion in the file: its new name}, which reads these alone.
    missing: numbers or words that mean no answer. scale:
    (lowest, highest) score, where all numbers between are scores. labels: {a word: its number}.
    only: {column: the value of the rows to read}. leave_out: items or raters. doubles: which of two
    answers counts, "first" or "last". encoding: where the file is not UTF-8.

    items: item, group (else every item stands for itself), and what is known of writer, words, set
    and name (of pairs). ratings: item, rater, score, perhaps aspect; rows without a score are left
    out. `.report` is the `CleaningReport`, `.raters` {"R1": the name in the file, …}.

    Raises DataError naming the file, the rows, the column, what was expected, and the options that
    were tried and read the file.

    >>> read_ratings("ratings.csv", columns={"Which story?": "item"})       # doctest: +SKIP
    """
    options = check_options(locals())
    del options["path"]

    def read(**given):
        data = read_people(path, **given)
        return data, data.report

    return settle(read, options)


def read_scores(
    path: str | Path,
    ratings: Ratings,
    *,
    columns: dict[str, str] | list[str] | None = None,
    form: str = "auto",
    missing: list[float | str] | tuple = (),
    scale: tuple[float, float] | None = None,
    rescale: bool = False,
    labels: dict[str, float] | None = None,
    only: dict[str, str] | None = None,
    leave_out: list[str] | tuple = (),
    doubles: str = "ask",
    unmatched: float = MOST_UNMATCHED,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Return a judge's scores for people's ratings: item, judge, score and what else there is of
    aspect, repeat, order, partner, status; one row per score.

    path and options: as of `read_ratings` (no aspects); without a column judge it is
    called "the judge". scale: the judge's own. rescale: whether its scores are to be put on
    people's scale (nothing is rescaled unless told). doubles: "repeat" where the judge was asked
    several times. unmatched: the share of the rated texts that may lack a score where names of the
    two files differ.

    Names that differ in capitals, zeros or a file's ending are one. Texts that nobody rated are
    left out; `.attrs["not rated"]` holds their names, `.attrs["report"]` the `CleaningReport`.
    Raises DataError as `read_ratings` does, and for scores of texts that nobody rated.

    >>> read_scores("judge.csv", ratings, rescale=True, scale=(1, 10))      # doctest: +SKIP
    """
    options = check_options(locals())
    del options["path"], options["ratings"]

    def read(**given):
        scores, _ = read_judge(path, ratings, **given)
        return scores, scores.attrs["report"]

    return settle(read, options, "judge-")


def read_unrated(path: str | Path, ratings: Ratings, **options) -> pd.DataFrame:
    """Return what a judge's file says of texts that nobody rated: item, judge, score, and group and
    writer where it has them; no row where people rated all, or gave pairs or ranks.

    path, options: of `read_scores`, which finds what is wrong with the file.
    """
    if are_orders(ratings):
        return pd.DataFrame(columns=["item", "judge", "score"])
    return read_judge(path, ratings, **check_options(OF_JUDGE | options))[1]


def read_files(
    ratings: str | Path,
    scores: str | Path = "",
    *,
    columns: dict[str, str] | list[str] | None = None,
    judge: dict | None = None,
    **options,
) -> tuple[Ratings, pd.DataFrame | None]:
    """Return (people's `Ratings`, a judge's scores or None) of two files, for one command.

    columns: of either file, or of both. judge: options of `read_scores`, which a command line calls
    --judge-form, --judge-missing … (and --rescale, --unmatched); options: of `read_ratings`. An
    option that an error proposes is worded so.
    """
    given, judge = check_columns(columns), dict(judge or {})
    here = split_columns(ratings, given, options.get("encoding"))
    there = split_columns(scores, given, judge.get("encoding")) if scores else {}
    unknown = {name: ours for name, ours in given.items() if name not in here | there}
    data = read_ratings(ratings, columns=here | unknown, **options)
    if not scores:
        return data, None
    theirs = check_columns(judge.pop("columns", None))
    return data, read_scores(scores, data, columns=there | theirs, **judge)


def split_columns(path, given: dict, encoding) -> dict:
    """Return those of the reader's columns that a file has; "*" and "[]" are in any."""
    if not given:
        return {}
    try:
        table = open_table(load(path, encoding), "auto", True)
    except DataError:
        return {}
    known = {simplify(name) for name in [*table.cells, *table.labels.values(), *table.labels]}
    return {
        name: ours
        for name, ours in given.items()
        if name in (OTHERS, BRACKETS) or simplify(name) in known
    }


def check_options(options: dict) -> dict:
    """Return options, each in its one shape. Raises DataError for one that is none."""
    options = dict(options)
    for name, known in (("form", ["auto", *FORMS, *importers.TOOLS]), ("doubles", DOUBLES)):
        if options[name] not in known:
            raise DataError(f"{name}={options[name]!r}; expected one of {', '.join(known)}")
    for name, shape, example in (
        ("scale", to_scale, "(1, 7), the lowest score first"),
        ("missing", to_codes, "[-99] or ['ERROR']"),
        ("labels", to_labels, '{"a word": its number}'),
    ):
        try:
            options[name] = shape(options[name])
        except (AttributeError, TypeError, ValueError):
            raise DataError(f"{name}={options[name]!r:.60}; expected {example}") from None
    options["columns"] = check_columns(options["columns"])
    leave_out = options["leave_out"] or []
    options["leave_out"] = [leave_out] if isinstance(leave_out, str) else list(leave_out)
    return options


def to_scale(scale) -> tuple[float, float] | None:
    """Return (lowest, highest), None where nothing was said."""
    if scale is None:
        return None
    low, high = map(float, scale)
    if low >= high:
        raise ValueError
    return low, high


def to_codes(missing) -> list[float | str]:
    """Return codes for no answer, as numbers where they are."""
    codes = []
    for code in [missing] if isinstance(missing, (str, int, float)) else missing or ():
        try:
            codes.append(float(code))
        except ValueError:
            codes.append(str(code))
    return codes


def to_labels(labels) -> dict[str, float]:
    """Return {a word: its number}."""
    return {str(word): float(number) for word, number in (labels or {}).items()}


def settle(read: Callable, options: dict, whose: str = ""):
    """Return what `read` gives with some options. A question that it raises is raised with its
    proposal where that was tried and reads the file, and what it reads; else with the fault behind.

    read: returns (what was read, its report); whose: of `tell_options`.
    """
    try:
        return read(**options)[0]
    except DataError as fault:
        if not fault.answers:
            raise
        question = fault
    words, further = question.answers[0].words, question.answers[0].options
    proposed: dict = {}
    for _ in range(4):  # a question may lie behind a question
        proposed = merge(proposed, further)
        tried = merge(options, proposed)
        said = {name: value for name, value in tried.items() if value not in UNSAID}
        told = f"{words}: {tell_options(said, whose)}"
        try:
            sizes = read(**tried)[1].tell_sizes()
        except DataError as fault:
            behind = f"{question}\n  {told} leads to another fault: {fault}"
            further = fault.answers[0].options if fault.answers else {}
            if not further or {"doubles", "leave_out"} & set(further):
                raise DataError(behind) from None  # what drops answers is never said for a reader
        else:
            answers = [Answer(words, proposed, sizes)]
            raise DataError(f"{question}\n  {told} reads {sizes}", answers) from None
    raise DataError(behind) from None


def merge(options: dict, more: dict) -> dict:
    """Return options with others added to them: columns beside columns, the rest in its place."""
    merged = options | more
    if "columns" in options and "columns" in more:
        merged["columns"] = options["columns"] | more["columns"]
    return merged
