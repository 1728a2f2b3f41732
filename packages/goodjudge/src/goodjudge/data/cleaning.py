"""One file, of people or of a judge, as one row per score, and the checks that both files get.

    Participant,Story,Wit,Depth              item  rater  aspect  score
    Ann,A,5,2                         as     A     Ann    Wit     5
    Bob,A,n/a,3                              A     Ann    Depth   2
                                             A     Bob    Depth   3

The index of a table is each score's row in the file, so that a fault can name it. All faults of one
kind are one sentence with their rows.
"""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.data import importers
from goodjudge.data.columns import (
    BRACKETS,
    LEFT_OUT,
    NAMES,
    OTHERS,
    SPELT,
    find_columns,
    list_columns,
    list_criteria,
    name_columns,
    tell_options,
)
from goodjudge.data.forms import FORM, FORMS, PAIRS, RANKS, ROWS, WIDE, Draft, choose_form
from goodjudge.data.importers.shapes import import_table
from goodjudge.data.names import count_words, list_some, make_key, match_names, tidy_name
from goodjudge.data.numbers import FAILED, is_no_score, read_numbers
from goodjudge.data.pairs import lay_out_pairs
from goodjudge.data.suspicious import (
    CHECKED,
    NUMBERING,
    find_codes,
    find_computed,
    find_fact,
    find_rare,
    guess_scale,
    is_check,
    is_summary,
)
from goodjudge.data.tables import load
from goodjudge.errors import DataError

CARRIED = [name for name in NAMES if name not in ("score", "rank")]
LAST = 2  # rows at the end of a file in which a summary without a name may stand
MOST_CELLS = 300_000  # up to which rows and raters are compared with each other


class Sheet(NamedTuple):
    """A file that was read: its draft, one row per score, and what the report says of it."""

    draft: Draft
    table: pd.DataFrame
    said: dict


def open_table(source, form: str, people: bool):
    """Return the table of a file: of the tool whose export it is, else as it stands."""
    tool = importers.find(source, form, people)
    if tool is None:
        return import_table(source, "")
    found = tool.read(source)
    return tool.take_side(found, people, source.where) if hasattr(tool, "take_side") else found


def read_sheet(path, people: bool, rated: list, people_range, options: dict) -> Sheet:
    """Return the `Sheet` of a file; rated, people_range: what people rated and from where to where
    their scores run, for a judge's; options: of `read_ratings` or `read_scores`."""
    source = load(path, options["encoding"])
    imported = open_table(source, options["form"], people)
    draft = start_draft(source.where, imported, people, rated, options)
    choose_form(draft)
    are_orders = draft.form in (PAIRS, RANKS)
    table = lay_out_pairs(draft) if draft.form == PAIRS else lay_out(draft)
    spellings = clean_names(table)
    if options.get("aspects"):
        table = choose_aspects(draft, table, options["aspects"])
    told = [code for code in options["missing"] if isinstance(code, float)]
    labels: dict = {}
    if draft.form != PAIRS:
        refuse_empty_names(draft, table)
        table, labels = turn_numbers(draft, table, options["missing"])
    table = leave_out_rows(draft, table, options["leave_out"])
    codes: dict = {}
    if not are_orders:
        if options["scale"] is None:
            told = [*told, *imported.missing]
        table, codes = take_out_codes(table, told)
        ask_about_codes(draft, table, told, options["scale"], people_range)
    missing = int(table["score"].isna().sum()) - sum(codes.values())
    missing //= 2 if draft.form == PAIRS else 1
    table = table[table["score"].notna()]
    if table.empty:
        draft.ask("no score in it; expected numbers, or Yes and No")
    if not are_orders:
        refuse_numbering(draft, table)
        refuse_other_scales(draft, table)
    counted = dict(missing=missing, codes=codes, labels=labels, spellings=spellings)
    said = describe(draft, imported, source.where) | counted
    return Sheet(draft, count_all_words(draft, table), said)


def describe(draft: Draft, imported, where: str) -> dict:
    """Return what the report says of a file as it was read."""
    return dict(
        where=where,
        whose="people" if draft.people else "judge",
        form=draft.form,
        tool=imported.tool,
        rows=len(imported.cells),
        columns=tell_columns(draft),
        not_read=list_unread(draft),
        left_out=draft.left_out,
        notes=draft.notes,
    )


def start_draft(where: str, imported, people: bool, rated: list, options: dict) -> Draft:
    """Return the `Draft` of a table, with what each column means as far as names tell."""
    columns, form = options["columns"], options["form"]
    cells, left_out = keep_only(where, imported, options["only"])
    given = find_columns(columns, list(cells), imported.labels, where)
    meaning = name_columns(cells, given, imported.meaning, people, rated)
    for name in (OTHERS, BRACKETS):
        if name in columns:
            given[name] = columns[name]
    return Draft(
        where,
        cells,
        people,
        rated,
        given,
        meaning,
        form=form if form in FORMS else imported.form,
        told=form in FORMS,
        labels=imported.labels,
        not_read=dict(imported.not_read),
        left_out=left_out + imported.left_out,
        notes=list(imported.notes),
        word_numbers=options["labels"],
    )


def keep_only(where: str, imported, only) -> tuple[pd.DataFrame, list]:
    """Return (the rows that the reader wants, what was left out)."""
    cells, left_out = imported.cells, []
    for name, value in (only or {}).items():
        found = find_columns({tidy_name(name): ""}, list(cells), imported.labels, where)
        column = next(iter(found))
        is_kept = cells[column].map(make_key) == make_key(str(value))
        if not is_kept.any():
            seen = list_some(map(repr, cells[column].unique()))
            raise DataError(f"{where}: no row has {value!r} in {column!r}; found {seen}")
        if not is_kept.all():
            left_out.append((f"other rows of {column}", list(cells.index[~is_kept]), "as you said"))
        cells = cells[is_kept]
    return cells, left_out


def lay_out(draft: Draft) -> pd.DataFrame:
    """Return one row per score as texts: item, rater or judge, score, column and what else there
    is."""
    carried = [draft.who, "repeat"] if draft.form == FORM else CARRIED
    kept = {
        theirs: ours
        for theirs, ours in draft.meaning.items()
        if ours in carried and theirs not in draft.scores
    }
    facts = draft.cells[list(kept)].rename(columns=kept)
    if draft.form == FORM and draft.people and "rater" not in facts:
        facts["rater"] = [f"row {row}" for row in draft.cells.index]
    named = list_criteria(draft.meaning)
    has_criteria = draft.form == ROWS and "aspect" not in facts
    parts = []
    for name in draft.scores:
        part = facts.assign(score=draft.cells[name], column=name)
        if draft.form == WIDE:
            part[draft.who] = name
        elif draft.form == FORM:
            part["item"], part["aspect"] = draft.headers[name]
        elif has_criteria and (named or len(draft.scores) > 1):
            part["aspect"] = named.get(name, name)
        parts.append(part)
    table = pd.concat(parts)
    if draft.form == FORM and not table["aspect"].any():
        del table["aspect"]
    if draft.people and "rater" not in table:  # one rater of all that the reader named
        table["rater"] = "the rater"
    return table


def clean_names(table: pd.DataFrame) -> dict[str, str]:
    """Give each name one spelling, in place; return {a spelling: the name that it is}, "" in place
    of a rater's name.

    Capitals, digits of other scripts and leading zeros of a number make no other name; what stands
    first in the file counts.
    """
    spellings = {}
    for ours in SPELT:
        if ours not in table:
            continue
        first, final = {}, {}
        for name in table[ours].unique():
            tidied = tidy_name(name)
            final[name] = first.setdefault(make_key(name), tidied)
            if final[name] != tidied:
                is_rater = ours == "rater"
                shown = f"a rater, spelling {len(spellings)}" if is_rater else f"{ours} {tidied}"
                spellings[shown] = "" if is_rater else final[name]
        table[ours] = table[ours].map(final)
    return spellings


def choose_aspects(draft: Draft, table: pd.DataFrame, aspects) -> pd.DataFrame:
    """Return the scores on some criteria, under new names where told."""
    wanted = aspects if isinstance(aspects, dict) else {name: name for name in aspects}
    there = list(table["aspect"].unique()) if "aspect" in table else []
    meant = match_names(map(tidy_name, wanted), there)
    new = {}
    for name, ours in wanted.items():
        if tidy_name(name) not in meant:
            draft.ask(f"no criterion {name!r:.60}; found {list_some(there, 20) or 'none'}")
        new[meant[tidy_name(name)]] = tidy_name(ours)
    table = table[table["aspect"].isin(list(new))]
    return table.assign(aspect=table["aspect"].map(new))


def refuse_empty_names(draft: Draft, table: pd.DataFrame) -> None:
    """Raise DataError for scores of nobody, or of no text, with their rows; a summary in the last
    rows of a table may stand without a name."""
    for ours in ("item", draft.who):
        if ours not in table:
            continue
        empty = table.index[(table[ours] == "") & (table["score"] != "")].unique()
        is_last = draft.form == WIDE and set(empty) <= set(draft.cells.index[-LAST:])
        if len(empty) and ours != "judge" and not is_last:
            draft.ask(
                f"{draft.find(ours) or ours} is empty beside a score; expected the name of the "
                f"{ours}: fill it in or remove the row",
                rows=empty,
            )


def turn_numbers(draft: Draft, table: pd.DataFrame, missing) -> tuple[pd.DataFrame, dict]:
    """Return (the table with numbers, nan where there is none; {a cell that is no plain number: its
    number}).

    Scores on one criterion are read together: Yes among numbers is none. Raises DataError with all
    cells of a kind in one sentence. missing: words and numbers that mean no answer.
    """
    words = [word.casefold() for word in missing if isinstance(word, str)]
    is_empty = is_no_score(table["score"]) | table["score"].str.casefold().isin(words)
    aspect = table["aspect"].to_numpy() if "aspect" in table else np.zeros(len(table))
    numbers = np.full(len(table), np.nan)
    said: dict[str, float] = {}
    for name in pd.unique(aspect):
        places = np.flatnonzero((aspect == name) & ~is_empty.to_numpy())
        part = table.iloc[places]
        read = read_numbers(part["score"], draft.word_numbers)
        if read.expected:
            refuse_cells(draft, part, read.expected, list(missing))
        numbers[places] = read.values
        said |= read.labels
    return table.assign(score=numbers), said


def refuse_cells(draft: Draft, table: pd.DataFrame, expected: dict, missing: list) -> None:
    """Raise DataError for cells of scores that are no numbers, all in one sentence; expected: of
    `Numbers`."""
    odd = table[table["score"].isin(list(expected))]
    words = odd["score"].unique().tolist()
    message = (
        f"{list_some(odd['column'].unique(), 3)} is {list_some(map(repr, words))}; expected "
        f"{expected[words[0]]}"
    )
    first = draft.cells.index[0]
    is_first = set(odd.index) == {first} and 1 < first < 5 and len(draft.cells) > 2  # 1: of JSON
    if is_first:
        message += f". Row {first} may belong to the header: then remove it"
    if is_first or (len(odd) < 0.4 * len(table) and all(map(FAILED.search, words))):
        draft.ask(message, "if it means no answer", odd.index, missing=[*missing, *words])
    if len(words) > 1:
        message += f'. Or say which number each word stands for: --label "{words[0]}=…" for each'
        message += f' (in Python: labels={{"{words[0]}": …}})'
    draft.ask(message, rows=odd.index)


def leave_out_rows(draft: Draft, table: pd.DataFrame, told: list) -> pd.DataFrame:
    """Return the table without the items and raters that the reader wants left out, those that are
    computed from others (Average, n), and attention checks; all are said in the draft."""
    names = [ours for ours in ("item", "rater") if ours in table]
    unknown = [name for name in told if not (table[names] == name).any(axis=None)]
    if unknown:
        draft.ask(f"leave_out names no item and no rater: {unknown[0]!r:.60}")
    for ours in names:
        reasons = {} if draft.form == PAIRS or not draft.people else find_summaries(table, ours)
        reasons |= dict.fromkeys(told, "as you said")
        for name, why in reasons.items():
            is_it = table[ours] == name
            if is_it.any():
                is_hidden = ours == "rater" and not is_summary(name)
                what = "a rater" if is_hidden else f"{ours} {name!r}"
                draft.left_out.append((what, sorted(set(table.index[is_it])), why))
                table = table[~is_it]
    if draft.people and draft.form != PAIRS:
        for ours in ("item", "aspect"):
            for name in filter(is_check, table[ours].unique() if ours in table else ()):
                is_it = table[ours] == name
                draft.left_out.append((repr(name), sorted(set(table.index[is_it])), CHECKED))
                table = table[~is_it]
    return table


def find_summaries(table: pd.DataFrame, ours: str) -> dict[str, str]:
    """Return {an item or a rater: why} of those computed from the others: raters, and of items the
    last of the file, are compared with all others."""
    names = table[ours].unique()
    if len(names) < 3:
        return {}
    other = "rater" if ours == "item" else "item"
    case = [other, "aspect"] if "aspect" in table else [other]
    if len(names) * table[other].nunique() > MOST_CELLS:
        return {name: "computed: named like a summary" for name in names if is_summary(name)}
    wide = table.pivot_table(index=case, columns=ours, values="score", aggfunc="first", sort=False)
    return find_computed(wide, names[-LAST:] if ours == "item" else names)


def take_out_codes(table: pd.DataFrame, told: list) -> tuple[pd.DataFrame, dict]:
    """Return (the table with nan for codes of no answer, {code: how often}); told: the codes."""
    is_code = table["score"].isin(told)
    counts = table.loc[is_code, "score"].value_counts()
    codes = {float(code): int(count) for code, count in counts.items()}
    return table.assign(score=table["score"].mask(is_code)), codes


def ask_about_codes(draft: Draft, table: pd.DataFrame, told: list, scale, people) -> None:
    """Raise DataError for numbers outside the scale that all others share, or outside the one that
    was told; what may be such a code, or the end of a longer scale, is said first in the report.

    told: other codes for no answer; people: from where to where people's scores run.
    """
    score, may_be = table["score"], {}
    if scale is not None:
        codes = sorted(set(score[(score < scale[0]) | (score > scale[1])]))
    else:
        groups = score.groupby(table["aspect"]) if "aspect" in table else [("", score)]
        codes = sorted({code for _, group in groups for code in find_codes(group, people)})
        may_be, is_clear = find_rare(score[~score.isin(codes)].dropna(), people)
        if is_clear:
            codes = sorted([*codes, *may_be])
        if codes:  # what is not clear is said once these are answered
            may_be = {}
    if not codes and not may_be:
        return
    is_code = score.isin(codes or list(may_be))
    counts = score[is_code].value_counts()
    stands = " and ".join(
        f"{code:g} stands {counts[code]:,} time{'' if counts[code] == 1 else 's'}"
        for code in codes or may_be
    )
    low, high = scale or (score[~is_code].min(), score[~is_code].max())
    words = "lies outside the scale that was told" if scale else "all other scores run from"
    message = f"{stands}, {words} {low:g} to {high:g}"
    longer = {"scale": guess_scale(score.min(), score.max())}
    longer = f"say so: {tell_options(longer, '' if draft.people else 'judge-')}"
    if may_be:
        codes = tell_options({"missing": [*told, *may_be]}, "" if draft.people else "judge-")
        draft.alarms.append(
            f"{message}. They count as scores. If they mean no answer, say so: {codes}. If the "
            f"scale runs further, {longer}."
        )
        return
    columns = list_some(table.loc[is_code, "column"].unique(), 3)
    draft.ask(
        f"{message}: a code for no answer, in {columns}? (If it is a score, {longer}.)",
        "if it means no answer",
        rows=table.index[is_code],
        missing=[*told, *codes],
    )


def refuse_numbering(draft: Draft, table: pd.DataFrame) -> None:
    """Raise DataError for a column that is called like scores and numbers the rows."""
    name, score = draft.scores[0], table["score"]
    if draft.form != ROWS or len(draft.scores) > 1 or name in draft.given or len(score) < 7:
        return
    why = find_fact("", score, 0)
    if why == NUMBERING or (why and score.max() > 100):
        draft.ask(
            f"column {name!r:.60} is another whole number in every row ({score.min():g} to "
            f"{score.max():g}), as a number of the row is",
            "if it is no score",
            columns={name: LEFT_OUT},
        )


def refuse_other_scales(draft: Draft, table: pd.DataFrame) -> None:
    """Raise DataError for one rater whose scores are on another scale than all others'."""
    if not draft.people or table["rater"].nunique() < 3:
        return
    of_rater = table.groupby("rater", sort=False)["score"].agg(["max", "median"])
    of_rater = of_rater.sort_values("max", kind="stable")
    who, highest, next_one = of_rater.index[-1], of_rater["max"].iloc[-1], of_rater["max"].iloc[-2]
    if highest > 10 and of_rater["median"].iloc[-1] > next_one > 0:
        draft.ask(
            f"one rater's scores reach {highest:g}, all others' {next_one:g}; expected one scale",
            "to leave this rater out",
            rows=table.index[table["rater"] == who],
            leave_out=[who],
        )


def settle_doubles(draft: Draft, table: pd.DataFrame, case: list[str], doubles: str):
    """Return the table with one row per case.

    Rows that say the same in every column are one, which is said. Others are asked about. case: the
    columns that make a case; doubles: "ask", "first", "last" or "repeat" (a judge's answers get a
    number each).
    """
    is_double = table.duplicated(case, keep=False)
    if not is_double.any():
        return table
    if doubles == "repeat":
        return table.assign(repeat=table.groupby(case).cumcount().add(1).astype(str))
    if doubles != "ask":
        is_out = table.duplicated(case, keep=doubles)
        what, why = f"all but the {doubles} answer", "as you said"
    else:
        cells = draft.cells.loc[table.index].set_axis(table.index)
        unread = list_differing(draft)
        same = pd.concat([table[[*case, "score"]], cells[unread].add_prefix("column ")], axis=1)
        is_out = same.duplicated()
        what, why = "rows word for word like one before", "copies"
    rows = sorted(set(table.index[is_out]))
    if rows:
        draft.left_out.append((what, rows, why))
        table = table[~is_out.to_numpy()]
    if table.duplicated(case).any():
        ask_about_doubles(draft, table[table.duplicated(case, keep=False)], case)
    return table


def list_differing(draft: Draft) -> list[str]:
    """Return the columns in which two rows of one case may differ: those that are not read."""
    free = ("order", "repeat", "text", "words")
    return [name for name, ours in draft.meaning.items() if not ours or ours in free]


def ask_about_doubles(draft: Draft, twice: pd.DataFrame, case: list[str]) -> None:
    """Raise DataError for rows of one case that differ: in a column that is not read, or in their
    score alone."""
    first = twice[case].iloc[0]
    rows = twice.index[(twice[case] == first).all(axis=1)]
    cases = len(twice.drop_duplicates(case))
    what = f"{first['item']!r:.60}" + (f" ({first['aspect']})" if "aspect" in case else "")
    by = " by one rater" if draft.people else ""
    message = f"{what} has {len(rows)} scores{by} ({cases:,} such case{'s' * (cases > 1)} in all)"
    if re.fullmatch(r"\d([.,]\d+)?E\+\d+", first["item"]):
        draft.ask(
            f"{message}; a spreadsheet has shortened a long number (1.23E+17): write the names as "
            "texts",
            rows=rows,
        )
    telling = []
    for name in [name for name in list_differing(draft) if name not in draft.scores]:
        cells = draft.cells[name].reindex(twice.index)
        if not twice[case].assign(cell=cells).duplicated().any():
            telling.append((cells.nunique(), name))
    if cases > 2 and telling and min(telling)[0] <= 12:  # a slip or two say nothing of a column
        name = min(telling)[1]
        message += (
            f"; their rows differ in {name}: what is it? (A criterion of its own: aspect; the same "
            f"asked anew: repeat; or read one of them: only {name}={draft.cells[name].iloc[0]})"
        )
        if not draft.people or "aspect" in case:
            draft.ask(message, "if it was asked anew each time", rows, columns={name: "repeat"})
        draft.ask(message, f"if each {name!r:.40} is a criterion", rows, columns={name: "aspect"})
    for name in filter(None, map(draft.find, ("writer", "group", "judge"))):
        cells = draft.cells[name].reindex(twice.index)
        if cases > 2 and not twice[case].assign(cell=cells).duplicated().any():
            draft.ask(
                f"{message}; their rows differ in {name}: if each is a text of its own, join the "
                f"two in a column item, such as '{first['item']:.40}_{cells.iloc[0]:.40}', in both "
                "files; if not, say what it is (aspect, repeat)",
                rows=rows,
            )
    if draft.people:
        draft.ask(message, "if the last answer counts", rows, doubles="last")
    draft.ask(message, "if the judge was asked several times", rows, doubles="repeat")


def refuse_changes(draft: Draft, table: pd.DataFrame, facts: list[str]) -> None:
    """Raise DataError for a fact of a text (its group, its writer) that changes from row to row."""
    for name in facts:
        first = table.groupby("item", sort=False)[name].transform("first")
        changed = table[(table[name].fillna("") != first.fillna("")).to_numpy()]
        if len(changed):
            item, cell = changed[["item", name]].iloc[0]
            theirs = draft.find(name) or draft.find(f"{name}_a") or name
            words, columns = f"to leave {theirs!r:.60} out", {theirs: LEFT_OUT}
            is_often = len(changed) > 0.25 * len(table)
            is_rated = theirs in draft.cells and draft.read_column(theirs) is not None
            if "aspect" in table and is_often and is_rated:
                words = f"if {theirs!r:.60} is a criterion"
                criteria = [*table["column"].unique(), theirs]  # named in part, others are not read
                columns = {each: f"{each} rating" if each in NAMES else each for each in criteria}
            draft.ask(
                f"{theirs} of {item!r:.60} is {cell!r:.40}, and another one above; expected the "
                f"same {name} in every row of a text",
                words,
                changed.index,
                columns=columns,
            )


def count_all_words(draft: Draft, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the number of words of each text as numbers, told or counted."""
    if "words" in table:
        texts = table["words"].where(~is_no_score(table["words"]), "")
        read = read_numbers(texts)
        odd = texts[texts.isin(list(read.expected)) & (texts != "")]
        if len(odd):
            draft.ask(f"words is {odd.iloc[0]!r:.40}; expected a number of words", rows=odd.index)
        return table.assign(words=read.values)
    if "text" in table:
        words = {text: float(count_words(text)) for text in table["text"].unique()}
        return table.assign(words=table["text"].map(words))
    return table


def list_unread(draft: Draft) -> dict[str, str]:
    """Return {a column that was not read: why}; beside columns of raters those that hold a rater's
    name ("Ann: comment") stand under a number."""
    unread = dict.fromkeys(list_columns(draft.meaning, None, LEFT_OUT), "") | draft.not_read
    raters = [name.casefold() for name in draft.scores] if draft.form == WIDE else []
    shown = {}
    for number, (name, why) in enumerate(unread.items(), 1):
        if name not in draft.scores:
            is_named = draft.people and any(rater in name.casefold() for rater in raters)
            shown[f"column {number} about a rater" if is_named else name] = why
    return shown


def tell_columns(draft: Draft) -> dict[str, str]:
    """Return {our name of a column: the file's}; where the columns are raters, no name."""
    names = {
        ours: theirs
        for theirs, ours in draft.meaning.items()
        if ours in NAMES and theirs not in draft.scores
    }
    first, last = (draft.scores or [""])[0], (draft.scores or [""])[-1]
    if draft.form == WIDE:
        names["score"] = f"{len(draft.scores)} columns, one for each {draft.who}"
    elif draft.form == FORM:
        names["score"] = f"{first} to {last} ({len(draft.scores)} columns)"
    elif draft.form == RANKS:
        names["rank"] = first
    elif draft.form == ROWS:
        names["score"] = ", ".join(draft.scores)
    return names
