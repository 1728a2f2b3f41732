"""Read people's ratings, and a judge's scores for them, from a CSV file, JSON or a tool's export.

    ratings = read_ratings("ratings.csv")
    print(ratings.report)                      # what was read and left out, before any number
    scores = read_scores("judge.csv", ratings)
    print(scores.attrs["report"])

What is clear is read, and said in the report. What is not clear is a `DataError` that asks, with
the options that answer it; each of them was tried on the file before it is shown.
"""

from pathlib import Path

import pandas as pd

from goodjudge.data import importers
from goodjudge.data.answers import settle
from goodjudge.data.columns import BRACKETS, OTHERS, check_columns
from goodjudge.data.forms import FORMS
from goodjudge.data.judges import read_judge
from goodjudge.data.names import MOST_UNMATCHED, simplify
from goodjudge.data.pairs import are_orders
from goodjudge.data.people import read_people
from goodjudge.data.ratings import Ratings
from goodjudge.data.sheets import open_table
from goodjudge.data.tables import load
from goodjudge.errors import DataError

JUDGE = dict(  # the options of a judge's file, where nothing is said
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


def read_ratings(
    path: str | Path,
    *,
    columns: dict[str, str] | list[str] | None = None,
    form: str = "auto",
    aspects: list[str] | dict[str, str] | None = None,
    texts: str | Path | None = None,
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
    texts: a CSV with what is known of each text (item, writer, group, words or text), or a folder
    of .txt files, whose words are counted. missing: numbers or words that mean no answer. scale:
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
    options = dict(
        columns=check_columns(columns),
        form=form,
        aspects=aspects,
        texts=texts,
        missing=missing,
        scale=scale,
        labels=labels,
        only=only,
        leave_out=leave_out,
        doubles=doubles,
        encoding=encoding,
    )
    check_options(options)
    return settle(lambda **given: read_people(path, **given), options, tell_ratings)


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

    path and options: as of `read_ratings`; without a column judge it is called "the judge". scale:
    the judge's own. rescale: whether its scores are to be put on people's scale (nothing is
    rescaled unless told). doubles: "repeat" where the judge was asked several times. unmatched: the
    share of the rated texts that may lack a score where names of the two files differ.

    Names that differ in capitals, zeros or a file's ending are one. Texts that nobody rated are
    left out; `.attrs["not rated"]` holds their names, `.attrs["report"]` the `CleaningReport`.
    Raises DataError as `read_ratings` does, and for scores of texts that nobody rated.

    >>> read_scores("judge.csv", ratings, rescale=True, scale=(1, 10))      # doctest: +SKIP
    """
    options = dict(
        columns=check_columns(columns),
        form=form,
        missing=missing,
        scale=scale,
        rescale=rescale,
        labels=labels,
        only=only,
        leave_out=leave_out,
        doubles=doubles,
        unmatched=unmatched,
        encoding=encoding,
    )
    check_options(options)
    return settle(
        lambda **given: read_judge(path, ratings, **given)[0], options, tell_scores, "judge-"
    )


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
    answer that an error proposes is worded so.
    """
    given, judge = check_columns(columns), dict(judge or {})
    theirs = check_columns(judge.pop("columns", None))
    here = split_columns(ratings, given, options.get("encoding"))
    there = split_columns(scores, given, judge.get("encoding")) if scores else {}
    unknown = {name: ours for name, ours in given.items() if name not in here | there}
    data = read_ratings(ratings, columns=here | unknown, **options)
    if not scores:
        return data, None
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


def read_unrated(path: str | Path, ratings: Ratings, **options) -> pd.DataFrame:
    """Return what a judge's file says of texts that nobody rated: item, judge, score, and group and
    writer where it has them; no row where people rated all, or gave pairs or ranks.

    path, options: of `read_scores`, which finds what is wrong with the file.
    """
    if are_orders(ratings):
        return pd.DataFrame(columns=["item", "judge", "score"])
    options = JUDGE | options
    options["columns"] = check_columns(options["columns"])
    check_options(options)
    return read_judge(path, ratings, **options)[1]


def check_options(options: dict) -> None:
    """Raise DataError for options that are none."""
    form, doubles, scale = options["form"], options["doubles"], options["scale"]
    if form not in ("auto", *FORMS, *importers.TOOLS):
        known = ", ".join(["auto", *FORMS, *importers.TOOLS])
        raise DataError(f"form={form!r}; expected one of {known}")
    allowed = ("ask", "first", "last", "repeat")
    if doubles not in allowed:
        raise DataError(f"doubles={doubles!r}; expected one of {', '.join(allowed)}")
    if scale is not None:
        try:
            low, high = map(float, scale)
        except (TypeError, ValueError):
            raise DataError(f"scale={scale!r}; expected two numbers such as (1, 7)") from None
        if not low < high:
            raise DataError(f"scale={scale!r}; expected the lower end first, such as (1, 7)")
        options["scale"] = (low, high)
    missing = options["missing"]
    if isinstance(missing, (str, int, float)):
        missing = [missing]
    try:
        options["missing"] = [read_code(code) for code in missing or ()]
    except (TypeError, ValueError):
        raise DataError(f"missing={missing!r}; expected such as [-99] or ['ERROR']") from None
    try:
        options["labels"] = {str(k): float(v) for k, v in (options["labels"] or {}).items()}
    except (AttributeError, TypeError, ValueError):
        raise DataError(
            f'labels={options["labels"]!r:.60}; expected {{"a word": its number}}'
        ) from None
    leave_out = options["leave_out"]
    options["leave_out"] = [leave_out] if isinstance(leave_out, str) else list(leave_out or ())


def read_code(code) -> float | str:
    """Return a code for no answer as a number where it is one, else as a word."""
    try:
        return float(code)
    except ValueError:
        return str(code)


def tell_ratings(data: Ratings) -> str:
    """Return in words what was read of people's ratings."""
    return data.report.tell_sizes()


def tell_scores(scores: pd.DataFrame) -> str:
    """Return in words what was read of a judge's scores."""
    return scores.attrs["report"].tell_sizes()
