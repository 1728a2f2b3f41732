"""One file, of people or of a judge, as one row per score: the steps that both take."""

from typing import NamedTuple

import pandas as pd

from goodjudge.data import importers
from goodjudge.data.cleaning import (
    ask_about_codes,
    clean_names,
    lay_out,
    leave_out_summaries,
    read_scores_as_numbers,
    read_words,
    refuse_empty_names,
    refuse_numbering,
    refuse_other_scales,
)
from goodjudge.data.columns import (
    BRACKETS,
    LEFT_OUT,
    NAMES,
    OTHERS,
    find_columns,
    list_columns,
    name_columns,
)
from goodjudge.data.forms import FORM, FORMS, PAIRS, RANKS, WIDE, Draft, choose_form
from goodjudge.data.importers.shapes import import_table
from goodjudge.data.names import list_some, make_key, match_names, tidy_name
from goodjudge.data.pairs import BY_NAME, refuse_odd_ranks
from goodjudge.data.report import CleaningReport
from goodjudge.data.tables import load
from goodjudge.errors import DataError


class Names(dict):
    """A dict that pandas need not copy with each step of a table that carries it."""

    def __deepcopy__(self, memo):
        return self


class Sheet(NamedTuple):
    """A file that was read: its draft, one row per score, and what the report says of it."""

    draft: Draft
    table: pd.DataFrame
    said: dict


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
    told = [code for code in options["missing"] if isinstance(code, float)]
    words = [code for code in options["missing"] if isinstance(code, str)]
    if draft.form == PAIRS:
        numbers, said = long["score"].to_numpy(float), {}
    else:
        refuse_empty_names(draft, long)
        numbers, said = read_scores_as_numbers(draft, long, options["labels"], words)
    long = long.assign(score=numbers)
    missing = [*told, *(c for c in table.missing if options["scale"] is None)]
    codes: dict = {}
    if draft.form not in (PAIRS, RANKS):
        long, codes = ask_about_codes(draft, long, missing, options["scale"], told_range)
    empty = int(long["score"].isna().sum())
    long = long[long["score"].notna()]
    if long.empty:
        raise DataError(f"{source.where}: no score in it; expected numbers, or Yes and No")
    if draft.form not in (PAIRS, RANKS):
        refuse_numbering(draft, long)
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
        not_read=list_unread(draft),
        left_out=draft.left_out,
        spellings=hide_raters(spellings),
        notes=draft.notes,
    )
    return Sheet(draft, long, report)


def list_unread(draft: Draft) -> dict[str, str]:
    """Return {a column that was not read: why}; beside columns of raters those that hold a rater's
    name ("Ann: comment") stand under a number."""
    unread = dict.fromkeys(list_columns(draft.meaning, None, LEFT_OUT), "")
    unread = {name: why for name, why in unread.items() if name not in draft.scores}
    unread |= draft.not_read
    if draft.form != WIDE or not draft.people:
        return unread
    raters = [name.casefold() for name in draft.scores if len(name) > 1]
    hidden = {}
    for number, (name, why) in enumerate(unread.items(), 1):
        is_named = any(rater in name.casefold() for rater in raters)
        hidden[f"column {number} about a rater" if is_named else name] = why
    return hidden


def keep_only(where: str, table, only) -> tuple[pd.DataFrame, list]:
    """Return (the rows that the reader wants, what was left out)."""
    cells, left_out = table.cells, []
    for name, value in (only or {}).items():
        found = find_columns({tidy_name(name): ""}, list(cells), table.labels, where)
        column = next(iter(found), name)
        if column not in cells:
            raise DataError(f"{where}: only names no column: {name!r:.60}")
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
        what = f"{who} and criterion" if draft.headers else who
        return names | {"score": f"{many} columns, one for each {what}"}
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


def old_names(report: CleaningReport) -> dict:
    """Return {our name of a column: the file's}, and what was not read and is missing."""
    missing = report.missing + sum(report.codes.values())
    return report.columns | {
        "not read": ", ".join(report.not_read),
        "missing": f"{missing:,} of {missing + report.scores:,}",
    }
