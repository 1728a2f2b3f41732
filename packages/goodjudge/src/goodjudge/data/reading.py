"""Read people's ratings, and a judge's scores for them, from a CSV file, JSON or a tool's export.

    ratings = read_ratings("ratings.csv")
    print(ratings.report)                      # what was read and left out, before any number
    scores = read_scores("judge.csv", ratings)
    print(scores.attrs["report"])

What is clear is read, and said in the report. What is not clear is a `DataError` that asks, with
the options that answer it; each of them was tried on the file before it is shown.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.data import importers
from goodjudge.data.cleaning import (
    ask_about_codes,
    clean_names,
    lay_out,
    leave_out_summaries,
    read_scores_as_numbers,
    read_words,
    refuse_changes,
    refuse_empty_names,
    refuse_other_scales,
    settle_doubles,
)
from goodjudge.data.columns import (
    BRACKETS,
    LEFT_OUT,
    NAMES,
    OTHERS,
    check_columns,
    find_columns,
    list_columns,
    name_columns,
    tell_options,
)
from goodjudge.data.forms import FORM, PAIRS, RANKS, ROWS, WIDE, Draft, choose_form
from goodjudge.data.importers.shapes import import_table
from goodjudge.data.names import count_words, list_some, make_key, match_names, simplify, tidy_name
from goodjudge.data.pairs import (
    ALL_ITEMS,
    BY_NAME,
    are_orders,
    are_pairs_of,
    average_orders,
    join_groups,
    place_scores,
    refuse_odd_ranks,
    turn_judge_ranks,
    turn_ranks,
)
from goodjudge.data.ratings import Ratings
from goodjudge.data.report import CleaningReport, Scale
from goodjudge.data.suspicious import guess_scale
from goodjudge.data.tables import lay_out as lay_out_table
from goodjudge.data.tables import load
from goodjudge.errors import Answer, DataError

FORMS = (ROWS, WIDE, FORM, PAIRS, RANKS)
KEPT = ["item", "judge", "score", "aspect", "repeat", "order", "partner", "status"]  # of a judge
MOST_UNMATCHED = 0.2  # share of the rated texts that may lack a score where names do not match
ENOUGH = 5  # groups, from which on an interval can be had
FINE = set(
    "ok success succeeded successful completed complete done true 200 passed finished".split()
)
# rows of a card's table that are no judge: a judge of such a name would take its numbers
TAKEN = {
    "a person",
    "a perfect judge",
    "always the same",
    "length",
    "the best of the counts",
    "authorship",
    "authorship and aspect",
    "the best control",
    "the best without the writer",
    "the aspect",
    "guessing",
    "constant",
    "counts",
    "ceiling",
    "noise ceiling",
    "person",
    "people",
    "the majority",
    "another rater",
    "one more rater",
}


class Names(dict):
    """A dict that pandas need not copy with each step of a table that carries it."""

    def __deepcopy__(self, memo):
        return self


class Sheet(NamedTuple):
    """A file that was read: its draft, one row per score, and what the report says of it."""

    draft: Draft
    table: pd.DataFrame
    said: dict


def read_ratings(
    path: str | Path,
    *,
    columns: dict[str, str] | list[str] | None = None,
    form: str = "auto",
    aspects: list[str] | dict[str, str] | None = None,
    texts: str | Path | None = None,
    missing: list[float] | tuple = (),
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
    of .txt files, whose words are counted. missing: numbers that mean no answer. scale: (lowest,
    highest) score, where all numbers between are scores. labels: {a word: its number}. only:
    {column: the value of the rows to read}. leave_out: items or raters. doubles: which of two
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
    missing: list[float] | tuple = (),
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
        lambda **given: read_judge(path, ratings, **given)[0],
        options,
        lambda scores: tell_scores(scores, ratings),
    )


def read_files(
    ratings: str | Path,
    scores: str | Path = "",
    *,
    columns=None,
    scores_form: str = "auto",
    rescale: bool = False,
    judge_scale=None,
    **options,
) -> tuple[Ratings, pd.DataFrame | None]:
    """Return (people's `Ratings`, a judge's scores or None) of two files, for one command.

    A column that `columns` names may stand in either file. options: of `read_ratings`; those that
    both know (missing, labels, only, doubles, encoding) hold for the judge's file as well.
    """
    given = check_columns(columns)
    if not scores:
        return read_ratings(ratings, columns=given, **options), None
    here = split_columns(ratings, given, options.get("encoding"))
    there = split_columns(scores, given, options.get("encoding"))
    unknown = [name for name in given if name not in here and name not in there]
    only = options.get("only") or {}
    data = read_ratings(
        ratings,
        **options
        | {
            "columns": here | {name: given[name] for name in unknown},
            "only": {
                name: value
                for name, value in only.items()
                if name in split_columns(ratings, only, options.get("encoding"))
            }
            or None,
        },
    )
    shared = {name: options[name] for name in ("missing", "labels", "encoding") if name in options}
    if options.get("doubles") in ("first", "last", "repeat"):
        shared["doubles"] = options["doubles"]
    kept = {
        name: value
        for name, value in only.items()
        if name in split_columns(scores, only, options.get("encoding"))
    }
    found = read_scores(
        scores,
        data,
        columns=there,
        form=scores_form,
        rescale=rescale,
        scale=judge_scale,
        only=kept or None,
        **shared,
    )
    return data, found


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
    options = dict(options, columns=check_columns(options.get("columns")))
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
    try:
        options["missing"] = [float(code) for code in options["missing"] or ()]
    except (TypeError, ValueError):
        raise DataError(
            f"missing={options['missing']!r}; expected numbers, such as [-99]"
        ) from None
    try:
        options["labels"] = {str(k): float(v) for k, v in (options["labels"] or {}).items()}
    except (AttributeError, TypeError, ValueError):
        raise DataError(
            f'labels={options["labels"]!r:.60}; expected {{"a word": its number}}'
        ) from None
    leave_out = options["leave_out"]
    options["leave_out"] = [leave_out] if isinstance(leave_out, str) else list(leave_out or ())


# ------------------------------------------------------------------------------------ answers


def settle(read: Callable, options: dict, tell: Callable, depth: int = 3):
    """Return what `read` gives with some options. A question that it raises is raised with those
    answers alone that were tried and read the file, and what they read."""
    try:
        return read(**options)
    except DataError as fault:
        if not fault.answers:
            raise
        tried = []
        for answer in fault.answers:
            given = try_answer(read, options, answer.options, depth)
            if given is not None:
                added, result = given
                tried.append(Answer(answer.words, added, tell(result)))
        raise DataError(word_answers(str(fault), options, tried), tried) from None


def try_answer(read: Callable, options: dict, answer: dict, depth: int):
    """Return (the options that it takes besides, what is read), None where it cannot be read; a
    further question is answered by the first of its answers that works."""
    merged = merge(options, answer)
    try:
        return answer, read(**merged)
    except DataError as fault:
        if depth == 0:
            return None
        for further in fault.answers:
            if further.options == answer or set(further.options) & {"doubles", "leave_out"}:
                continue  # what drops answers is never said for a reader
            found = try_answer(read, merged, further.options, depth - 1)
            if found is not None:
                return merge_answers(answer, found[0]), found[1]
    return None


def merge(options: dict, answer: dict) -> dict:
    """Return options with an answer added to them."""
    return options | merge_answers(
        {name: options.get(name) for name in answer if options.get(name)}, answer
    )


def merge_answers(first: dict, second: dict) -> dict:
    """Return two answers as one."""
    merged = dict(first)
    for name, value in second.items():
        before = merged.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            value = before | value
        elif name == "missing" and before:
            value = list(dict.fromkeys([*before, *value]))
        merged[name] = value
    return merged


def word_answers(message: str, options: dict, answers: list[Answer]) -> str:
    """Return a question with its answers, each with what was already said."""
    lines = []
    for answer in answers:
        said = {name: merge(options, answer.options)[name] for name in answer.options}
        before = {
            name: value
            for name, value in options.items()
            if value
            and name not in said
            and name in ("columns", "missing", "only", "leave_out", "labels")
        }
        before |= (
            {"form": options["form"]} if options["form"] != "auto" and "form" not in said else {}
        )
        lines.append(f"{answer.words}: {tell_options(before | said)} reads {answer.result}")
    return "\n  ".join([message, *lines])


def tell_ratings(data: Ratings) -> str:
    """Return in words what was read of people's ratings."""
    return data.report.tell_sizes()


def tell_scores(scores: pd.DataFrame, ratings: Ratings) -> str:
    """Return in words what was read of a judge's scores."""
    return scores.attrs["report"].tell_sizes()


# -------------------------------------------------------------------------------- one file


def open_table(source, form: str, people: bool):
    """Return the table of a file: of the tool whose export it is, else as it stands."""
    tool = importers.find(source, form, people)
    if tool is not None:
        found = tool.read(source)
        return tool.take_side(found, people, source.where) if hasattr(tool, "take_side") else found
    return import_table(source, "")


def read_sheet(path, people: bool, rated: list, told_range, options: dict) -> Sheet:
    """Return the `Sheet` of a file; told_range: from where to where people's scores run, for a
    judge's; options: of `read_ratings` or `read_scores`."""
    source = load(path, options["encoding"])
    form = options["form"]
    table = open_table(source, form, people)
    cells, left_out = keep_only(source.where, table, options["only"])
    if cells.empty:
        raise DataError(f"{source.where}: no row is left to be read")
    given = find_columns(options["columns"], list(cells), table.labels, source.where)
    spelt = {name: ours for name, ours in options["columns"].items() if name in (OTHERS, BRACKETS)}
    meaning = name_columns(cells, given, table.meaning, people)
    meaning |= {name: "preferred" for name, ours in meaning.items() if ours == BY_NAME}
    draft = Draft(
        source.where,
        cells,
        people,
        rated,
        given | spelt,
        meaning,
        form=table.form if form in ("auto", *importers.TOOLS) else form,
        told=form in FORMS,
        labels=table.labels,
        not_read=dict(table.not_read),
        left_out=left_out + table.left_out,
        notes=list(table.notes),
        word_numbers=options["labels"],
    )
    choose_form(draft)
    renamed = options.get("aspects")
    renamed = renamed if isinstance(renamed, dict) else {}
    long = lay_out(draft, {})
    spellings = clean_names(draft, long)
    if renamed or options.get("aspects"):
        long = choose_aspects(source.where, long, options["aspects"])
    if people:
        long = leave_out_summaries(draft, long, options["leave_out"])
    elif options["leave_out"]:
        long = long[~long["item"].isin(options["leave_out"])]
    if draft.form == PAIRS:
        numbers, said = long["score"].to_numpy(float), {}
    else:
        refuse_empty_names(draft, long)
        numbers, said = read_scores_as_numbers(draft, long, options["labels"])
    long = long.assign(score=numbers)
    missing = [*options["missing"], *(c for c in table.missing if options["scale"] is None)]
    codes: dict = {}
    if draft.form not in (PAIRS, RANKS):
        long, codes = ask_about_codes(draft, long, missing, options["scale"], told_range)
    empty = int(long["score"].isna().sum())
    long = long[long["score"].notna()]
    if long.empty:
        raise DataError(f"{source.where}: no score in it; expected numbers, or Yes and No")
    if people and draft.form not in (PAIRS, RANKS):
        refuse_other_scales(draft, long)
    if draft.form == RANKS:
        refuse_odd_ranks(draft, long)
    long = read_words(draft, long)
    per_rating = 2 if draft.form == PAIRS else 1
    report = dict(
        where=source.where,
        whose="people" if people else "judge",
        form=draft.form,
        tool=table.tool,
        rows=len(table.cells),
        missing=(empty - sum(codes.values())) // per_rating,
        codes=codes,
        labels=said,
        columns=tell_columns(draft),
        not_read=draft.not_read
        | dict.fromkeys(
            [
                n
                for n in list_columns(draft.meaning, None, LEFT_OUT)
                if n not in draft.scores and n not in draft.not_read
            ],
            "",
        ),
        left_out=draft.left_out,
        spellings=hide_raters(spellings),
        notes=draft.notes,
    )
    return Sheet(draft, long, report)


def keep_only(where: str, table, only) -> tuple[pd.DataFrame, list]:
    """Return (the rows that the reader wants, what was left out)."""
    cells, left_out = table.cells, []
    for name, value in (only or {}).items():
        column = next(iter(find_columns({tidy_name(name): ""}, list(cells), table.labels, where)))
        wanted = [value] if isinstance(value, (str, int, float)) else list(value)
        wanted = {make_key(str(one)) for one in wanted}
        is_kept = cells[column].map(make_key).isin(wanted)
        if not is_kept.any():
            raise DataError(
                f"{where}: no row has {value!r} in {column!r}; found "
                f"{list_some(map(repr, cells[column].unique()))}"
            )
        if not is_kept.all():
            left_out.append((f"other rows of {column}", list(cells.index[~is_kept]), "as you said"))
        cells = cells[is_kept]
    return cells, left_out


def choose_aspects(where: str, table: pd.DataFrame, aspects) -> pd.DataFrame:
    """Return the scores on some criteria, under new names where told."""
    wanted = aspects if isinstance(aspects, dict) else {name: name for name in aspects}
    there = list(table["aspect"].unique()) if "aspect" in table else []
    meant = match_names([tidy_name(name) for name in wanted], there)
    unknown = [name for name in wanted if tidy_name(name) not in meant]
    if unknown:
        raise DataError(
            f"{where}: no criterion {unknown[0]!r:.60}; found {list_some(there, 20) or 'none'}"
        )
    new = {meant[tidy_name(name)]: tidy_name(ours) for name, ours in wanted.items()}
    table = table[table["aspect"].isin(list(new))]
    return table.assign(aspect=table["aspect"].map(new))


def tell_columns(draft: Draft) -> dict[str, str]:
    """Return {our name of a column: the file's}; where the columns are raters, no name."""
    names = {
        ours: theirs
        for theirs, ours in draft.meaning.items()
        if ours in NAMES and theirs not in draft.scores
    }
    many = len(draft.scores)
    if draft.form == PAIRS:
        return names
    if draft.form == WIDE:
        who = "rater" if draft.people else "judge"
        return names | {"score": f"{many} columns, one for each {who}"}
    if draft.form == FORM and many > 4:
        names |= {"score": f"{draft.scores[0]} to {draft.scores[-1]} ({many} columns)"}
        return names
    return names | {"rank" if draft.form == RANKS else "score": ", ".join(draft.scores)}


def hide_raters(spellings: dict[str, str]) -> dict[str, str]:
    """Return spellings of names with a number in place of a rater's."""
    hidden = {}
    for number, (spelt, name) in enumerate(spellings.items(), 1):
        hidden[spelt if name else f"a rater, spelling {number}"] = name
    return hidden


# ------------------------------------------------------------------------------- people


def read_people(path, *, texts=None, **options) -> Ratings:
    """Return what `read_ratings` does, with all options given."""
    sheet = read_sheet(path, True, [], None, options)
    draft, table = sheet.draft, sheet.table
    case = [name for name in ("item", "rater", "aspect") if name in table]
    shown = ["shown"] if draft.form == PAIRS else []
    try:
        table = settle_doubles(draft, table, [*case, *shown], options["doubles"])
    except DataError as fault:
        raise add_spellings(fault, sheet.said["spellings"]) from None
    facts = [name for name in ("group", "writer", "words") if name in table]
    refuse_changes(draft, table, facts)
    codes, raters = pd.factorize(table["rater"])
    table = table.assign(rater=("R" + pd.Series(codes + 1).astype(str).astype(object)).to_numpy())
    if draft.form == PAIRS:
        table = average_orders(table, case)
        if "group" not in table:
            table = table.assign(group=join_groups(table))
            draft.notes.append(tell_made_groups(table))
        facts += [name for name in ("group", "set", "name") if name not in facts]
    elif draft.form == RANKS:
        table = table.assign(set=table["group"] if "group" in table else ALL_ITEMS)
        facts.append("set")
        table = turn_ranks(table, [name for name in (*case, "set") if name != "item"])
    items = list_items(table, facts)
    if texts is not None:
        items = add_texts(items, texts, draft, are_pairs="name" in facts)
    ratings = table[[*case, "score"]].reset_index(drop=True)
    range_ = options["scale"]
    if range_ is None and draft.form not in (PAIRS, RANKS):
        range_ = (float(ratings["score"].min()), float(ratings["score"].max()))
    if draft.form == ROWS:
        draft.notes += ask_about_groups(items, draft)
    if has_response_ids(ratings):
        draft.notes.append(
            "Nearly every rating has a rater of its own, as where the column holds the number of a "
            "response: what one rater is like cannot be known."
        )
    sizes = {"texts": items["name" if "name" in items else "item"].nunique()}
    if "name" in items:
        sizes["pairs"] = items["set"].nunique()
    sizes["raters"] = len(raters)
    if "aspect" in ratings:
        sizes["criteria"] = ratings["aspect"].nunique()
    sizes["scores"] = len(ratings) // (2 if draft.form == PAIRS else 1)
    report = CleaningReport(
        **sheet.said
        | {
            "scores": sizes["scores"],
            "scale": Scale(people=range_),
            "sizes": sizes,
            "notes": list(draft.notes),
            "left_out": list(draft.left_out),
        }
    )
    ratings.attrs |= {
        "names": Names(old_names(report)),
        "form": draft.form,
        "report": report,
        "scale": range_,
        "raters": Names({f"R{code}": name for code, name in enumerate(raters, 1)}),
    }
    return Ratings(items, ratings, "own")


def add_spellings(fault: DataError, spellings: dict) -> DataError:
    """Return a fault about doubles that says which names were taken for one."""
    if not spellings:
        return fault
    said = [
        f"{spelt} for {name}" if name else "a rater in two spellings"
        for spelt, name in spellings.items()
    ]
    return DataError(
        f"{fault} (names that differ in capitals or zeros are one: "
        f"{list_some(dict.fromkeys(said))})",
        fault.answers,
    )


def old_names(report: CleaningReport) -> dict:
    """Return {our name of a column: the file's}, and what was not read and is missing."""
    missing = report.missing + sum(report.codes.values())
    return report.columns | {
        "not read": ", ".join(report.not_read),
        "missing": f"{missing:,} of {missing + report.scores:,}",
    }


def list_items(table: pd.DataFrame, facts: list[str]) -> pd.DataFrame:
    """Return one row per item with its group and other facts; without a group every item is its
    own."""
    items = table[["item"]].drop_duplicates()
    if facts:
        items = table.groupby("item", sort=False)[facts].first().reset_index()
    if "group" not in items:
        items["group"] = items["item"]
    return items.reset_index(drop=True)


def add_texts(items: pd.DataFrame, path, draft: Draft, are_pairs: bool) -> pd.DataFrame:
    """Return the items with what another file says of each text: group, writer, words."""
    of_item = "name" if are_pairs else "item"
    path = Path(path)
    if path.is_dir():
        files = sorted([*path.glob("*.txt"), *path.glob("*.md")])
        known = pd.DataFrame(
            {
                "item": [file.stem for file in files],
                "words": [float(count_words(load_text(file))) for file in files],
            }
        )
    else:
        table = lay_out_table(load(path))
        meaning = name_columns(table.cells, {}, {}, False)
        if "item" not in meaning.values():
            raise DataError(
                f"{path.name}: no column item, with the names of the texts; found "
                f"{list_some(table.cells, 15)}"
            )
        kept = {
            theirs: ours
            for theirs, ours in meaning.items()
            if ours in ("item", "group", "writer", "words", "text")
        }
        known = table.cells[list(kept)].rename(columns=kept)
        known["item"] = known["item"].map(tidy_name)
        again = known.index[known["item"].duplicated()]
        if len(again):
            raise DataError(
                f"{path.name}, row {again[0]}: item stands twice; expected one row each"
            )
        known = read_words(draft, known).drop(columns="text", errors="ignore")
    same = match_names(items[of_item], known["item"])
    found = items[of_item].map(same)
    if found.isna().mean() > MOST_UNMATCHED:
        raise DataError(
            f"{path.name}: has nothing of {found.isna().sum():,} of {len(items):,} rated texts, "
            f"such as {items.loc[found.isna(), of_item].iloc[0]!r:.60}; its own are "
            f"{list_some(known['item'], 3)}; spell them alike"
        )
    rows = known.set_index("item").reindex(found).reset_index(drop=True)
    items = items.copy()
    for name in rows:
        filled = rows[name].where(rows[name].notna(), items.get(name, np.nan))
        if name == "group":
            filled = filled.where(filled.notna(), items["item"])
        items[name] = filled.to_numpy()
    draft.notes.append(f"{path.name} says of each text: {', '.join(rows)}.")
    return items


def load_text(file: Path) -> str:
    """Return the text of a file; DataError where it is no UTF-8."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise DataError(f"{file.name}: cannot be read ({fault})") from None


def tell_made_groups(table: pd.DataFrame) -> str:
    """Return in a sentence what the groups of pairs are that were made without a column group."""
    if (table["group"] == table["set"]).all():
        return (
            "There is no column group, and most pairs hang together by shared texts, so each pair "
            "counts as independent: intervals speak of other pairs of these texts."
        )
    groups = table["group"].nunique()
    return f"There is no column group; pairs that share texts make {groups:,} groups."


def ask_about_groups(items: pd.DataFrame, draft: Draft) -> list[str]:
    """Return a note about groups that may be conditions, none where they are not."""
    groups = items["group"].nunique()
    if groups >= ENOUGH or len(items) < 3 * groups or len(items) < 2 * ENOUGH:
        return []
    theirs = draft.find("group")
    return [
        f"The column {theirs!r} was read as group and makes {groups} of {len(items):,} texts; from "
        f"fewer than {ENOUGH} groups no interval can be had. A group holds texts that belong "
        "together, such as one plot. If it says who or what wrote them, it is the writer: "
        + tell_options({"columns": {theirs: "writer"}})
    ]


def has_response_ids(ratings: pd.DataFrame) -> bool:
    """Return whether nearly every text's rating has a rater of its own; of one text this is always
    so."""
    pairs = ratings[["item", "rater"]].drop_duplicates()
    several = pairs["item"].nunique() > 1 and len(pairs) > 2
    return bool(several and pairs["rater"].nunique() > 0.8 * len(pairs))


# -------------------------------------------------------------------------------- judges


def read_judge(path, ratings: Ratings, *, rescale=False, unmatched=MOST_UNMATCHED, **options):
    """Return (what `read_scores` does, scores of texts that nobody rated), with all options."""
    defaults = dict(
        form="auto",
        missing=(),
        scale=None,
        labels=None,
        only=None,
        leave_out=(),
        doubles="ask",
        encoding=None,
        columns={},
    )
    options = defaults | options
    check_options(options)
    people = ratings.ratings
    rated = people["aspect"].unique().tolist() if "aspect" in people else []
    orders = are_orders(ratings)
    people_range = None if orders else find_range(ratings)
    sheet = read_sheet(path, False, rated, people_range, options)
    draft, table = sheet.draft, sheet.table
    if draft.form == PAIRS and not are_pairs_of(ratings):
        raise DataError(
            f"{draft.where}: has pairs, but the ratings have scores; expected the judge's score of "
            "each text (columns item and score)"
        )
    if "judge" not in table:
        table["judge"] = "the judge"
    table.loc[table["judge"] == "", "judge"] = "the judge"
    alarms = rename_judges(table)
    table = match_items(draft, table, ratings, unmatched)
    table = match_aspects(draft, table, rated)
    settle_status(draft, table)
    case = [
        name
        for name in ("judge", "item", "aspect", "repeat", "order", "partner", "shown")
        if name in table
    ]
    table = settle_doubles(draft, table, case, options["doubles"])
    known = set(ratings.items["name" if are_pairs_of(ratings) and draft.form != PAIRS else "item"])
    is_rated = table["item"].isin(known)
    unrated = table[~is_rated]
    not_rated = unrated["item"].unique().tolist()
    table = table[is_rated]
    scale = Scale(people=people_range)
    if not orders and draft.form not in (PAIRS, RANKS):
        table, scale = compare_scales(table, people_range, options["scale"], rescale)
    scores = table[[name for name in KEPT if name in table]].reset_index(drop=True)
    for judge, score in find_constant(scores):
        alarms.append(
            f"The judge {judge!r} says the same ({score:g}) about every text: it cannot tell them "
            "apart."
        )
    if draft.form == RANKS:
        scores = turn_judge_ranks(scores, ratings)
    if orders and draft.form != PAIRS:
        scores = place_scores(scores, ratings)
    draft.notes += tell_matches(scores, ratings, not_rated)
    sizes = {"judges": scores["judge"].nunique(), "scores": len(table)}
    rated_items = ratings.items["item"].nunique()
    sizes[f"of {rated_items:,} rated texts"] = scores["item"].nunique()
    report = CleaningReport(
        **sheet.said
        | {
            "scores": len(table),
            "scale": scale,
            "sizes": sizes,
            "alarms": alarms,
            "notes": list(draft.notes),
            "left_out": list(draft.left_out),
        }
    )
    scores.attrs |= {
        "not rated": not_rated,
        "names": Names(old_names(report)),
        "form": draft.form,
        "report": report,
        "scale": scale.judge,
    }
    kept = [name for name in ("item", "judge", "score", "group", "writer") if name in unrated]
    if "status" in unrated:
        unrated = unrated[unrated["status"] == "ok"]
    return scores, unrated[kept].reset_index(drop=True)


def find_range(ratings: Ratings) -> tuple[float, float]:
    """Return from where to where people's scores run, as told or seen."""
    told = ratings.ratings.attrs.get("scale")
    score = ratings.ratings["score"]
    return tuple(told) if told else (float(score.min()), float(score.max()))


def rename_judges(table: pd.DataFrame) -> list[str]:
    """Rename judges that are called like a row of the card that is no judge, in place; return a
    sentence for each."""
    alarms = []
    names = {name: name for name in table["judge"].unique()}
    for name in names:
        if make_key(name) in TAKEN:
            new = f"{name} (the judge)"
            names[name] = new
            alarms.append(
                f"The judge {name!r} is called like a control or a person in the table: here it is "
                f"{new!r}."
            )
    table["judge"] = table["judge"].map(names)
    return alarms


def match_items(draft: Draft, table, ratings: Ratings, unmatched: float) -> pd.DataFrame:
    """Return a judge's scores under the names of the rated texts. Raises DataError where too many
    of both have no counterpart."""
    by_name = are_pairs_of(ratings) and draft.form != PAIRS
    known = ratings.items["name" if by_name else "item"].unique().tolist()
    names = table["item"].unique().tolist()
    same = match_names(names, known)
    if not same and draft.form == PAIRS:
        swapped = {name: name for name in names}
        same = {n: s for n, s in swapped.items() if s in set(known)}
    respelt = {name: meant for name, meant in same.items() if name != meant}
    if respelt:
        shown = list_some((f"{name} is {meant}" for name, meant in respelt.items()), 4)
        draft.notes.append(f"Names that differ in spelling were matched: {shown}.")
    strange = [name for name in names if name not in same]
    matched = set(same.values())
    lacking = [name for name in known if name not in matched]
    share = len(lacking) / len(known)
    if strange and (not same or share > unmatched):
        message = (
            f"{draft.where}: {len(lacking):,} of {len(known):,} rated texts have no score here, "
            f"such as {lacking[0]!r:.60}, and {len(strange):,} of its {len(names):,} texts were not "
            f"rated, such as {strange[0]!r:.60}; at most {unmatched:.0%} may lack one where "
            "names differ; spell them alike"
        )
        allowed = [Answer("if these are other texts", {"unmatched": np.ceil(share * 100) / 100})]
        raise DataError(message, allowed if same else [])
    return table.assign(item=table["item"].map(lambda name: same.get(name, name)))


def match_aspects(draft: Draft, table: pd.DataFrame, rated: list[str]) -> pd.DataFrame:
    """Return a judge's scores on the criteria that people rated, under people's names of them; what
    nobody rated is left out and said."""
    if "aspect" not in table:
        return table
    if not rated:
        if table["aspect"].nunique() > 1:
            draft.notes.append(
                "People rated no criteria: the mean of the judge's scores on "
                f"{list_some(table['aspect'].unique())} counts."
            )
        return table
    names = table["aspect"].unique().tolist()
    same = match_names(names, rated)
    strange = [name for name in names if name not in same]
    if not same:
        raise DataError(
            f"{draft.where}: its criteria are {list_some(names)}, people's {list_some(rated)}; "
            "spell them alike, or rename people's with aspects={…}"
        )
    if strange:
        draft.notes.append(f"Criteria that nobody rated are left out: {list_some(strange)}.")
    lacking = [name for name in rated if name not in same.values()]
    if lacking:
        draft.notes.append(f"Rated criteria without a score of the judge: {list_some(lacking)}.")
    table = table[table["aspect"].isin(list(same))]
    return table.assign(aspect=table["aspect"].map(same))


def settle_status(draft: Draft, table: pd.DataFrame) -> None:
    """Spell the status of answers that went well "ok", in place; a column without any such word is
    no status and is dropped."""
    if "status" not in table:
        return
    is_fine = table["status"].str.casefold().isin(FINE)
    if is_fine.any():
        table.loc[is_fine, "status"] = "ok"
        failed = int((~is_fine).sum())
        if failed:
            draft.notes.append(f"{failed:,} answers have another status than ok and do not count.")
    else:
        draft.notes.append("The column status says of no row that it is ok; it was not read.")
        del table["status"]


def compare_scales(table, people, told, rescale: bool) -> tuple[pd.DataFrame, Scale]:
    """Return (scores, the `Scale` of both files); rescaled to people's scale where told."""
    low, high = float(table["score"].min()), float(table["score"].max())
    judge = told or (low, high)
    ours, theirs = guess_scale(*people), told or guess_scale(low, high)
    relation = "same"
    if ours != theirs and low < high:
        is_share = theirs == (0.0, 1.0) and people[1] > 1
        outside = low < ours[0] or high > ours[1]
        if outside or is_share or (told and tuple(told) != tuple(people)):
            relation = "other"
        elif (theirs[1] - theirs[0]) < 0.8 * (ours[1] - ours[0]):
            relation = "narrower"
    if rescale and relation != "same":
        share = (table["score"] - theirs[0]) / (theirs[1] - theirs[0])
        table = table.assign(score=(ours[0] + share * (ours[1] - ours[0])).round(9))
        return table, Scale(ours, theirs, "rescaled")
    return table, Scale(people, judge, relation)


def find_constant(scores: pd.DataFrame) -> list[tuple[str, float]]:
    """Return (judge, score) of judges that say the same of every text."""
    of_judge = scores.groupby("judge", sort=False)["score"].agg(["nunique", "size", "first"])
    same = of_judge[(of_judge["nunique"] == 1) & (of_judge["size"] > 1)]
    return list(zip(same.index, same["first"]))


def tell_matches(scores: pd.DataFrame, ratings: Ratings, not_rated: list[str]) -> list[str]:
    """Return sentences about texts without a score, and scores of texts that nobody rated."""
    notes = []
    if not_rated:
        notes.append(f"Scores of texts that nobody rated are left out: {list_some(not_rated)}.")
    known = ratings.items["item"]
    lacking = known[~known.isin(scores["item"])]
    if len(lacking):
        notes.append(
            f"{len(lacking):,} of {len(known):,} rated texts have no score: {list_some(lacking)}."
        )
    return notes
