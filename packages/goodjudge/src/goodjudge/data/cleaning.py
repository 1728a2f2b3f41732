"""From a file's columns to one row per score, and the checks that both files get.

    Participant,Story,Wit,Depth              item  rater  aspect  score
    Ann,A,5,2                         as     A     Ann    Wit     5
    Bob,A,n/a,3                              A     Ann    Depth   2
                                             A     Bob    Depth   3

The index of a table is each score's row in the file, so that a fault can name it. All faults of one
kind are one sentence with their rows.
"""

import re

import numpy as np
import pandas as pd

from goodjudge.data.columns import NAMES, SPELT, list_criteria
from goodjudge.data.forms import FORM, PAIRS, RANKS, ROWS, WIDE, Draft
from goodjudge.data.names import count_words, fold_digits, list_rows, list_some, make_key, tidy_name
from goodjudge.data.numbers import DATE, NO_NUMBER, is_no_score, read_numbers
from goodjudge.data.pairs import lay_out_pairs
from goodjudge.data.suspicious import find_codes, find_computed, is_summary
from goodjudge.errors import Answer, DataError

CARRIED = [name for name in NAMES if name not in ("score", "rank")]
FAILED = re.compile(  # a word for an answer that went wrong
    "err|fail|miss|none|null|unk|skip|refus|time.?out|invalid|blank|empty|pars|[$#]|nan|absent",
    re.IGNORECASE,
)
LAST = 4  # rows at the end of a file in which a summary without a name may stand
MOST_RATERS, MOST_CELLS = 60, 200_000  # up to which raters are compared with each other


def lay_out(draft: Draft, aspects) -> pd.DataFrame:
    """Return one row per score as texts (of pairs numbers): item, rater or judge, score, column and
    what else there is; aspects: {a column: the name of its criterion}."""
    if draft.form == PAIRS:
        return lay_out_pairs(draft)
    who = "rater" if draft.people else "judge"
    kept = {
        theirs: ours
        for theirs, ours in draft.meaning.items()
        if ours in CARRIED and theirs not in draft.scores
    }
    if draft.form == FORM:
        kept = {theirs: ours for theirs, ours in kept.items() if ours in (who, "repeat")}
    facts = draft.cells[list(kept)].rename(columns=kept)
    facts = facts.loc[:, ~facts.columns.duplicated()]
    if draft.form == FORM and who not in facts and draft.people:
        facts[who] = [f"row {row}" for row in draft.cells.index]
    many = len(draft.scores)
    table = pd.concat([facts] * many) if many > 1 else facts.copy()
    size = len(facts)
    table["score"] = draft.cells[draft.scores].to_numpy(object).ravel(order="F")
    table["column"] = np.repeat(np.asarray(draft.scores, object), size)
    if draft.form == WIDE and draft.headers:
        whose, criteria = zip(*(draft.headers[name] for name in draft.scores))
        table[who] = np.repeat(np.asarray(whose, object), size)
        table["aspect"] = np.repeat(np.asarray(criteria, object), size)
    elif draft.form == WIDE:
        table[who] = table["column"]
    elif draft.form == FORM:
        items, criteria = zip(*(draft.headers[name] for name in draft.scores))
        table["item"] = np.repeat(np.asarray(items, object), size)
        if any(criteria):
            table["aspect"] = np.repeat(np.asarray(criteria, object), size)
    elif "aspect" not in table:
        named = list_criteria(draft.meaning)
        if many > 1 or named:
            names = [aspects.get(name, named.get(name, name)) for name in draft.scores]
            table["aspect"] = np.repeat(np.asarray(names, object), size)
    if draft.people and "rater" not in table:  # one rater of all that the reader named
        table["rater"] = "the rater"
    return table


def clean_names(draft: Draft, table: pd.DataFrame) -> dict[str, str]:
    """Give each name one spelling, in place; return {a spelling: the name that it is}, "" in place
    of a rater's name.

    Capitals, digits of other scripts and leading zeros of a number make no other name; what stands
    first in the file counts. `tell_doubles` says it where two rows become one.
    """
    spellings = {}
    for ours in SPELT:
        if ours not in table:
            continue
        codes, names = pd.factorize(table[ours])
        tidied = [tidy_name(name) for name in names]
        first: dict[str, str] = {}
        final = []
        for name in tidied:
            key = make_key(name)
            known = first.setdefault(key, name)
            final.append(known)
            if known != name:
                spellings[f"{ours} {name}"] = "" if ours == "rater" else known
        table[ours] = np.asarray(final, object)[codes]
    return spellings


def leave_out_summaries(draft: Draft, table: pd.DataFrame, leave_out) -> pd.DataFrame:
    """Return the table without rows that are computed from others (Average, n), and without those
    that the reader wants left out; both are said in the draft."""
    for ours in ("item", "rater"):
        if ours not in table or (draft.form == PAIRS and ours == "item"):
            continue
        named = [name for name in table[ours].unique() if is_summary(name)]
        if draft.form in (WIDE, FORM):
            named += list_computed_rows(draft, table, ours)
        elif ours == "rater" and not named and draft.form == ROWS:
            named = list_computed_raters(table)
        told = [name for name in leave_out if name in set(table[ours])]
        for name in dict.fromkeys([*told, *named]):
            if table[ours].nunique() < 3 and name not in told:
                continue
            is_it = table[ours] == name
            rows = sorted(set(table.index[is_it]))
            why = "as you said" if name in told else "computed from the others"
            is_person = ours == "rater" and (name in told or not is_summary(name, weak=True))
            shown = "a rater" if is_person else repr(name)
            if len(rows) > LAST and draft.form == ROWS:
                rows = rows[:LAST]
            draft.left_out.append((f"{ours} {shown}" if shown != "a rater" else shown, rows, why))
            table = table[~is_it]
    there = {name for ours in ("item", "rater") if ours in table for name in table[ours]}
    unknown = [
        name
        for name in leave_out
        if name not in there and not any(why == "as you said" for _, _, why in draft.left_out)
    ]
    if unknown:
        raise DataError(f"{draft.where}: leave_out names no item and no rater: {unknown[0]!r:.60}")
    return table


def list_computed_rows(draft: Draft, table: pd.DataFrame, ours: str) -> list[str]:
    """Return the names of rows of a wide file or a form whose values are computed from the rows
    above; only such a name, or the last rows, are looked at."""
    who = draft.find(ours)
    if who is None or (ours == "rater") == (draft.form == WIDE):
        return []
    names = draft.cells[who].map(tidy_name)
    texts = draft.cells[draft.scores]
    odd = [row for row in names.index if is_summary(names[row], weak=True)]
    last = [row for row in names.index[-LAST:] if row not in odd]
    if not odd and (len(names) < 6 or len(draft.scores) < 2):
        return []
    numbers = texts.apply(
        lambda column: read_numbers(column.where(~is_no_score(column), "")).values
    )
    body = numbers.drop(index=odd)
    found = []
    for row in [*odd, *(last if len(body) > 5 else [])]:
        beside = body.drop(index=row, errors="ignore")
        if not len(beside) or numbers.loc[row].notna().sum() < 2:
            continue
        ways = {"mean": beside.mean(), "sum": beside.sum(), "count": beside.count()}
        if row in odd:
            ways |= {
                "SD": beside.std(),
                "low": beside.min(),
                "high": beside.max(),
                "median": beside.median(),
                "var": beside.var(),
            }
        values = numbers.loc[row].dropna()
        for way, expected in ways.items():
            near = (values - expected[values.index]).abs() <= 0.0051
            is_plain = (values % 1 == 0).all() and row not in odd and way != "sum"
            if near.all() and not is_plain and (len(values) > 2 or row in odd):
                found.append(names[row])
                break
    return found


def list_computed_raters(table: pd.DataFrame) -> list[str]:
    """Return raters whose every score is the mean or the sum of the others' scores."""
    few = table["rater"].nunique() <= MOST_RATERS and len(table) <= MOST_CELLS
    odd = table["score"].map(fold_digits).str.contains(r"\d[.,]\d", regex=True) if few else None
    if not few or not odd.any() or table["rater"].nunique() < 3:
        return []
    case = [name for name in ("item", "aspect") if name in table]
    numbers = table.assign(score=read_numbers(table["score"]).values)
    wide = numbers.pivot_table(index=case, columns="rater", values="score", aggfunc="first")
    return list(find_computed(wide))


def refuse_empty_names(draft: Draft, table: pd.DataFrame) -> None:
    """Raise DataError for scores of nobody, or of no text, with their rows."""
    for ours in ("item", "rater", "judge", "name"):
        if ours in table:
            empty = table.index[(table[ours] == "") & (table["score"].astype(str) != "")]
            if len(empty):
                theirs = draft.find(ours) or ours
                raise DataError(
                    f"{draft.where}, {list_rows(empty)}: {theirs} is empty beside a score; "
                    f"expected the name of the {ours}: fill it in or remove the row"
                )


def read_scores_as_numbers(draft: Draft, table: pd.DataFrame, labels, missing) -> tuple:
    """Return (numbers, nan where there is none; {a cell that is no plain number: its number}).

    Scores on one criterion are read together: Yes among numbers is none. Raises DataError with all
    cells of a kind in one sentence. missing: words that mean no answer.
    """
    numbers = pd.Series(np.nan, range(len(table)))
    words = {word.casefold() for word in missing}
    is_word = table["score"].str.casefold().isin(words) if words else False
    filled = (~(is_no_score(table["score"]) | is_word)).to_numpy()
    said: dict[str, float] = {}
    groups = {"": np.arange(len(table))}
    if "aspect" in table:
        groups = table.reset_index(drop=True).groupby("aspect", sort=False).indices
    for places in groups.values():
        places = places[filled[places]]
        texts = table["score"].iloc[places]
        read = read_numbers(texts, labels)
        numbers.iloc[places] = read.values.to_numpy()
        said |= read.labels
        if read.expected:
            part = table.iloc[places]
            odd = [cell for cell, wanted in read.expected.items() if wanted == NO_NUMBER]
            rare = all(map(FAILED.search, odd)) and part["score"].isin(odd).mean() < 0.4
            answers = [Answer("if it means no answer", {"missing": [*missing, *odd]})]
            raise DataError(
                tell_odd_cells(draft, part, read.expected), answers if odd and rare else []
            )
    return numbers.to_numpy(), said


def tell_odd_cells(draft: Draft, table: pd.DataFrame, expected: dict) -> str:
    """Return what is wrong with cells of scores, a sentence per kind; expected: of `Numbers`."""
    column = table["column"].iloc[0]
    is_odd = table["score"].isin(list(expected))
    odd = table[is_odd]
    if table["column"].nunique() > 1:
        column = list_some(odd["column"].unique(), 3)
    is_word = table["score"].map(lambda cell: expected.get(cell) == NO_NUMBER)
    if is_word.mean() > 0.3 and 1 < table.loc[is_word, "score"].nunique() < 40:
        words = table.loc[is_word, "score"].value_counts().index.tolist()
        some = ", ".join(f'"{word}": …' for word in words[:2])
        return (
            f"{draft.where}: {column} holds words ({list_some(map(repr, words), 7)}); expected "
            "numbers, or Yes and No. Say which number each stands for, "
            f'--label "{words[0]}=…" for each (in Python: labels={{{some}, …}}), or write numbers'
        )
    if table["score"].map(lambda cell: bool(DATE.fullmatch(cell))).any():
        rows = table.index[table["score"].map(lambda cell: bool(DATE.fullmatch(cell)))]
        return (
            f"{draft.where}, {list_rows(rows)}: {column} holds dates, as a spreadsheet makes "
            "them of scores such as 3/7 or 4.5: write the scores as text, or with a decimal point"
        )
    lines = []
    for wanted in dict.fromkeys(expected.values()):
        of_kind = odd[odd["score"].map(expected.get) == wanted]
        cells = list_some(map(repr, of_kind["score"].unique()), 4)
        lines.append(f"{list_rows(of_kind.index)}: {column} is {cells}; expected {wanted}")
    return f"{draft.where}, " + "\n  ".join(lines)


def ask_about_codes(draft, table, missing, scale, people=None) -> tuple[pd.DataFrame, dict]:
    """Return (the table with nan for codes of no answer, {code: how often}).

    missing: codes that the reader told, or an export's tool is known for; scale: told, or None;
    people: from where to where people's scores run, for a judge's. Raises DataError with answers
    for other numbers outside the scale that all others share.
    """
    score = table["score"]
    is_code = score.isin([float(code) for code in missing])
    codes = {float(code): int(count) for code, count in score[is_code].value_counts().items()}
    table = table.assign(score=score.mask(is_code))
    groups = (
        [table] if "aspect" not in table else [g for _, g in table.groupby("aspect", sort=False)]
    )
    found: dict[float, int] = {}
    for group in groups:
        for code, count in find_codes(group["score"], scale, people).items():
            found[code] = found.get(code, 0) + count
    if found:
        rest = table.loc[~table["score"].isin(list(found)), "score"]
        low, high = rest.min(), rest.max()
        rows = table.index[table["score"].isin(list(found))]
        stands = " and ".join(
            f"{code:g} stands {count:,} time{'s' * (count != 1)}"
            for code, count in sorted(found.items())
        )
        most = (min(low, *found), max(high, *found))
        raise DataError(
            f"{draft.where}, {list_rows(sorted(set(rows)))}: {stands}, all other scores run from "
            f"{low:g} to {high:g}: a code for no answer?",
            [
                Answer("if it means no answer", {"missing": [*map(float, missing), *found]}),
                Answer("if it is a score", {"scale": most}),
            ],
        )
    if scale is not None:
        outside = table[(table["score"] < scale[0]) | (table["score"] > scale[1])]
        if len(outside):
            raise DataError(
                f"{draft.where}, {list_rows(sorted(set(outside.index)))}: "
                f"{list_some(f'{n:g}' for n in outside['score'].unique())} lies outside the scale "
                f"{scale[0]:g} to {scale[1]:g} that was told",
                [
                    Answer(
                        "if it means no answer",
                        {"missing": [*map(float, missing), *outside["score"].unique().tolist()]},
                    )
                ],
            )
    return table, codes


def refuse_numbering(draft: Draft, table: pd.DataFrame) -> None:
    """Raise DataError for a column that is called like scores and numbers the rows."""
    name = draft.scores[0]
    score = table["score"]
    if draft.form != ROWS or len(draft.scores) > 1 or name in draft.given or len(score) < 7:
        return
    if not score.is_unique or (score % 1 != 0).any():
        return
    if score.diff().iloc[1:].nunique() == 1 or (len(score) > 20 and score.max() > 100):
        raise DataError(
            f"{draft.where}: column {name!r:.60} is another whole number in every row "
            f"({score.min():g} to {score.max():g}), as a number of the row is",
            [
                Answer("if it is no score", {"columns": {name: ""}}),
                Answer("if it is one", {"columns": {name: "score"}}),
            ],
        )


def refuse_other_scales(draft: Draft, table: pd.DataFrame) -> None:
    """Raise DataError for one rater whose scores are on another scale than all others'."""
    if "rater" not in table or table["rater"].nunique() < 3:
        return
    ends = table.groupby("rater", sort=False)["score"].agg(["max", "count", "median"])
    top = ends["max"].sort_values(kind="stable")
    highest, next_one = top.iloc[-1], top.iloc[-2]
    who = top.index[-1]
    if ends.loc[who, "count"] > 2 and highest > 10 and ends.loc[who, "median"] > next_one > 0:
        rows = sorted(set(table.index[table["rater"] == who]))
        raise DataError(
            f"{draft.where}, {list_rows(rows, 4)}: one rater's scores reach {highest:g}, all "
            f"others' {next_one:g}; expected one scale",
            [Answer("to leave this rater out", {"leave_out": [who]})],
        )


def settle_doubles(draft: Draft, table: pd.DataFrame, case: list[str], doubles: str):
    """Return the table with one row per case.

    Rows that say the same in every column are one, which is said. Others are asked about: they
    differ in a column that is not read, or the same was asked twice. case: the columns that make a
    case; doubles: "ask", "first", "last" or "repeat" (a judge's answers get a number each).
    """
    again = table.duplicated(case, keep=False)
    if not again.any():
        return table
    twice = table[again]
    if doubles in ("first", "last"):
        drop = table.duplicated(case, keep=doubles)
        draft.left_out.append(
            (f"all but the {doubles} answer", sorted(set(table.index[drop])), "as you said")
        )
        return table[~drop]
    if doubles == "repeat":
        return table.assign(repeat=table.groupby(case).cumcount().add(1).astype(str))
    unread = [
        name
        for name, ours in draft.meaning.items()
        if not ours or ours in ("order", "repeat", "text", "words")
    ]
    cells = draft.cells.loc[twice.index.unique(), unread]
    same = cells.assign(**{"\0score": twice.groupby(level=0)["score"].apply(tuple)})
    for name in case:
        same["\0" + name] = twice.groupby(level=0)[name].apply(tuple)
    copy = same[same.duplicated(keep="first")].index
    if len(copy):
        draft.left_out.append(
            (
                f"{len(copy)} row{'s' * (len(copy) > 1)} word for word like one before",
                list(copy),
                "copies",
            )
        )
        return settle_doubles(draft, table[~table.index.isin(copy)], case, doubles)
    raise DataError(*ask_about_doubles(draft, twice, case, unread))


def ask_about_doubles(draft: Draft, twice, case: list[str], unread: list[str]) -> tuple:
    """Return (what is wrong, answers) of rows of one case that differ."""
    first = twice[case].iloc[0]
    rows = twice.index[(twice[case] == first).all(axis=1)]
    what = f"{first['item']!r:.60}" + (f" ({first['aspect']})" if "aspect" in case else "")
    parts = twice.reset_index(names="row")
    differing = []
    for name in unread:
        cells = parts["row"].map(draft.cells[name])
        by = [parts[one] for one in case]
        if cells.groupby(by).nunique().gt(1).mean() > 0.5:
            tells = not pd.concat([parts[case], cells.rename("\0")], axis=1).duplicated().any()
            differing.append((cells.nunique(), name, tells))
    differing.sort()
    spelt = "" if not draft.people else " by one rater"
    cases = len(twice.drop_duplicates(case))
    message = (
        f"{draft.where}, {list_rows(sorted(set(rows)))}: {what} has {len(set(rows))} scores{spelt}"
        f" ({cases:,} such case{'s' * (cases > 1)} in all)"
    )
    if re.fullmatch(r"\d([.,]\d+)?E\+\d+", first["item"]):
        return message + (
            "; a spreadsheet has shortened a long number (1.23E+17): write the names as texts"
        ), []
    answers = []
    told = [name for _, name, tells in differing if tells]
    if told:
        message += f"; their rows differ in {list_some(told[:3])}: what is it?"
        for count, name, _ in [d for d in differing if d[2]][:2]:
            if count <= max(12, len(twice) / 8):
                if not draft.people:
                    answers.append(
                        Answer(
                            "if the judge was asked anew each time", {"columns": {name: "repeat"}}
                        )
                    )
                if "aspect" not in case:
                    answers.append(
                        Answer(
                            f"if each {name!r:.40} is a criterion of its own",
                            {"columns": {name: "aspect"}},
                        )
                    )
                value = draft.cells.loc[twice.index[0], name]
                answers.append(
                    Answer(f"to read one of them, such as {value!r:.40}", {"only": {name: value}})
                )
    elif not draft.people:
        answers.append(Answer("if the judge was asked several times", {"doubles": "repeat"}))
    if draft.people or not told:
        answers.append(Answer("if the last answer counts", {"doubles": "last"}))
    return message, answers


def refuse_changes(draft: Draft, table: pd.DataFrame, facts: list[str]) -> None:
    """Raise DataError for a fact of a text (its group, its writer) that changes from row to row."""
    for name in facts:
        if name == "text":
            continue
        first = table.groupby("item", sort=False)[name].transform("first")
        changed = table[table[name].fillna("") != first.fillna("")]
        if len(changed):
            item, cell = changed[["item", name]].iloc[0]
            before = table.loc[(table["item"] == item).to_numpy(), name].iloc[0]
            theirs = draft.find(name) or draft.find(f"{name}_a") or name
            raise DataError(
                f"{draft.where}, {list_rows(sorted(set(changed.index)))}: {theirs} of "
                f"{item!r:.60} is {cell!r:.40}, and {before!r:.40} above; expected the same {name} "
                "in every row of a text",
                [Answer(f"to leave {theirs!r:.60} out", {"columns": {theirs: ""}})],
            )


def read_words(draft: Draft, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the number of words of each text as numbers, told or counted."""
    if "words" in table:
        texts = table["words"].where(~is_no_score(table["words"]), "")
        read = read_numbers(texts[texts != ""])
        if read.expected:
            odd = texts.index[texts.isin(list(read.expected))]
            raise DataError(
                f"{draft.where}, {list_rows(odd)}: words is {list(read.expected)[0]!r:.40}; "
                "expected a number of words",
                [Answer("to leave it out", {"columns": {draft.find("words"): ""}})]
                if draft.find("words")
                else [],
            )
        numbers = np.full(len(table), np.nan)
        numbers[(texts != "").to_numpy()] = read.values.to_numpy()
        return table.assign(words=numbers)
    if "text" in table:
        words = {text: float(count_words(text)) for text in table["text"].unique()}
        return table.assign(words=table["text"].map(words))
    return table


def is_ranked(draft: Draft) -> bool:
    """Return whether the scores of a file are ranks."""
    return draft.form == RANKS
