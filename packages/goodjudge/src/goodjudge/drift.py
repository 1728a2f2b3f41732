"""Has a judge changed? Two runs on the same frozen items, before and now.

Four things can change, each with an interval over groups and a margin, the smallest change that
matters:

    agreement with people     the measure now less before, on the same cases
    leniency                  the mean score now less before, in points
    answers changed           how often an answer now is another than before, less how often two
                              answers of one run differ
    steadiness                how often two answers of one run differ, now less before

A judge that draws its answers by chance gives other ones each time, and has not changed. So changed
answers are held against the judge's own repeats (column `repeat`); without any, nobody knows
whether they are more than its own noise. Each change is

    as before     both one-sided tests say that it is smaller than the margin
    changed       its interval, corrected for all the changes that are asked about, holds no 0
    undecided     neither

(`verdicts.are_alike`). The judge is as before where everything is, and changed where anything is.
"""

import json
import textwrap
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.card import verdicts
from goodjudge.card.shapes import Verdict
from goodjudge.comparison import compare, scales
from goodjudge.comparison.cases import Trial, lead_names
from goodjudge.data import orders, ratings
from goodjudge.data.ratings import Ratings
from goodjudge.errors import DataError
from goodjudge.format import format_interval
from goodjudge.stats import intervals, metrics, severity

AS_BEFORE, CHANGED, UNDECIDED = "as before", "changed", "undecided"
AGREEMENT, LENIENCY, ANSWERS, STEADINESS = (
    "agreement with people",
    "leniency",
    "answers changed",
    "steadiness",
)
EXIT_CODES = {AS_BEFORE: 0, CHANGED: 1, UNDECIDED: 2}
IN_WORDS = {"alike": AS_BEFORE, "different": CHANGED, "these data cannot tell": UNDECIDED}
ANSWERS_MARGIN = 0.1  # one more answer in ten
POINTS_MARGIN = 0.2  # of the standard deviation of its scores, a small effect (Cohen 1988)
ENOUGH_TO_SEE = 50  # groups; so many show that hardly any answer changed
YES_MARGIN = 0.05  # one more Yes in twenty
COLUMNS = ["before", "now", "estimate", "low", "high", "n", "margin", "verdict", "needed"]


class Margins(NamedTuple):
    """The smallest changes that matter: of agreement, of leniency in points, of the share of
    answers."""

    agreement: float
    leniency: float
    answers: float


def choose_margins(before, measure, smallest=None, points=None, answers=None):
    """Return the `Margins`; what the reader does not say (None) is chosen.

    before: the scores of the first run; measure: of `statistics`. Agreement: `verdicts.SMALLEST`;
    leniency: one more Yes in twenty, or a fifth of the standard deviation of the judge's scores (a
    fifth of a point where they do not differ); answers: one in ten.
    """
    scores = before["score"].astype(float)
    if points is None:
        spread = scores.std() or 1.0
        is_verdict = ratings.say_yes_or_no(scores)
        points = YES_MARGIN if is_verdict else float(POINTS_MARGIN * spread)
    if smallest is None:
        smallest, _ = verdicts.SMALLEST[measure]
    return Margins(smallest, points, ANSWERS_MARGIN if answers is None else answers)


def find_drift(data, before, now, measure, margins, *, within=()):
    """Return what changed from one run of a judge to the next, a row each: agreement with people,
    leniency (not of pairs and ranks), answers changed and, where both runs have repeats,
    steadiness.

    data: `Ratings`, adjusted where the card adjusts them; before, now: scores of one judge (item,
    score and perhaps aspect, repeat, order, partner, status), on one scale; measure, within: of
    `compare.compare`; margins: `Margins`. Questions that only one run answered are left out.

    Columns: before, now (the two values; of answers changed, how often two answers of one run
    differ and how often an answer now is another than before; nan where only the change is known),
    estimate, low, high (the change), n (groups), margin, verdict, needed (groups at which 80 of 100
    studies would see a change of the margin; nan where it is decided). attrs: questions (answered
    in both runs), items (of these), repeats (True where changed answers are held against any),
    verdict (of all).
    """
    questions = pair_answers(data, before, now, margins.leniency)
    rows = {AGREEMENT: compare_agreement(data, before, now, measure, within)}
    if not orders.are_orders(data):  # places have the same mean in every set
        rows[LENIENCY] = compare_leniency(questions)
    rows[ANSWERS] = compare_answers(questions)
    steadiness = compare_steadiness(questions)
    if steadiness is not None:
        rows[STEADINESS] = steadiness
    table = pd.DataFrame(rows).T.rename_axis("what")
    of_row = {AGREEMENT: margins.agreement, LENIENCY: margins.leniency}
    table["margin"] = [of_row.get(name, margins.answers) for name in table.index]
    has_repeats = bool(questions["own"].notna().any())
    table = decide_all(table, has_repeats)
    table.attrs = {
        "questions": len(questions),
        "items": int(questions.index.get_level_values("item").nunique()),
        "repeats": has_repeats,
        "verdict": sum_up(table, has_repeats),
    }
    return table


def pair_answers(data, before, now, smallest):
    """Return a row per question that both runs answered: group, mean before, mean now, changed (the
    share of pairs of an answer before and one now that differ), differ before, differ now (of pairs
    of answers of one run; nan of one answer) and own (the mean of these two, or the one known).

    Two answers differ that lie `smallest` points apart or more.
    """
    names = ["item", "aspect", "order", "partner"]
    in_both = [name for name in names if name in before and name in now]
    answers_before = list_answers(before, in_both)
    answers_now = list_answers(now, in_both)
    shared = answers_before.index.intersection(answers_now.index, sort=False)
    rows = []
    for question in shared:
        first = np.array(answers_before[question], float)
        second = np.array(answers_now[question], float)
        rows.append(
            (
                np.mean(first),
                np.mean(second),
                find_share_apart(first, second, smallest),
                find_own_share(first, smallest),
                find_own_share(second, smallest),
            )
        )
    columns = ["mean before", "mean now", "changed", "differ before", "differ now"]
    table = pd.DataFrame(rows, index=shared, columns=columns, dtype=float)
    table["own"] = table[["differ before", "differ now"]].mean(axis=1)
    group_of_item = data.items.set_index("item")["group"]
    items = table.index.get_level_values("item")
    table["group"] = group_of_item.reindex(items).to_numpy()
    return table[table["group"].notna()]


def list_answers(scores, question):
    """Return the answers to each question, a list of numbers each, by the columns `question`; an
    answer that failed is none."""
    if "status" in scores:
        scores = scores[scores["status"] == "ok"]
    known = scores.dropna(subset=["score"])
    return known.groupby(question, sort=False)["score"].apply(list)


def find_share_apart(first, second, smallest):
    """Return the share of pairs of a number of `first` and one of `second` that lie `smallest`
    apart or more."""
    distance = np.abs(first[:, None] - second[None, :])
    return float((distance > smallest - 1e-9).mean())


def find_own_share(answers, smallest):
    """Return the share of pairs of answers of one run that lie `smallest` apart or more, nan of one
    answer."""
    many = len(answers)
    if many < 2:
        return np.nan
    with_themselves = find_share_apart(answers, answers, smallest) * many**2
    return with_themselves / (many * (many - 1))


def compare_agreement(data, before, now, measure, within):
    """Return by how much a judge follows people more now than before, on the same cases, with as
    many answers to each question of one run as of the other: before, now, estimate, low, high,
    n."""
    cases, _ = compare.list_cases(data, "others", measure)
    trial = Trial(cases, measure, within, ("group",), 0.95)
    first, second = keep_as_many(before, now)
    scores = pd.concat([first.assign(judge="before"), second.assign(judge="now")])
    if scales.gives_points(data, scores):
        scores = scales.cut_points(data, scores)
    matched = ratings.match_scores(cases, scores)
    measured = {name: trial.apply(score) for name, score in matched.items()}
    if len(measured) < 2:
        return lay_out_change(np.nan, np.nan, intervals.row())
    shared = np.intersect1d(measured["before"].rows, measured["now"].rows)
    if not len(shared):
        return lay_out_change(np.nan, np.nan, intervals.row())
    at_both = {
        name: trial.count_constant_as_zero(trial.narrow(scorer, shared))
        for name, scorer in measured.items()
    }
    lead = trial.lead("before", at_both["now"], at_both["before"])
    ends = [lead[name] for name in lead_names("before")]
    change = intervals.row(*ends, trial.count(shared))
    return lay_out_change(at_both["before"].value, at_both["now"].value, change)


def keep_as_many(before, now):
    """Return both runs with the first answers to each question, as many of one as of the other: a
    mean of several answers follows people better than one answer does."""
    names = ["item", "aspect", "order", "partner"]
    question = [name for name in names if name in before and name in now]
    kept = []
    counts = []
    for scores in (before, now):
        if "status" in scores:
            scores = scores[scores["status"] == "ok"]
        scores = scores.dropna(subset=["score"])
        kept.append(scores)
        counts.append(scores.groupby(question).size())
    fewer = pd.concat(counts, axis=1).min(axis=1, skipna=False)
    first_answers = []
    for scores in kept:
        place = scores.groupby(question).cumcount()
        allowed = scores[question].merge(
            fewer.rename("allowed").reset_index(), on=question, how="left"
        )["allowed"]
        first_answers.append(scores[place.to_numpy() < allowed.to_numpy()])
    return first_answers


def compare_leniency(questions):
    """Return by how many points the mean score is higher now; questions: of `pair_answers`."""
    means = questions[["mean before", "mean now"]].mean()
    change = over_groups_of(questions, questions["mean now"] - questions["mean before"])
    return lay_out_change(*means, change)


def compare_answers(questions):
    """Return how often an answer changed, less how often answers of one run differ; without repeats
    how often it changed, which is the most that it can be. questions: of `pair_answers`.

    Where no answer differs from another at all, a jackknife knows nothing of what it has not seen,
    and Wilson's interval of 0 of so many groups stands in its place.
    """
    repeated = questions[questions["own"].notna()]
    if repeated.empty:
        change = over_groups_of(questions, questions["changed"])
        return lay_out_change(np.nan, np.nan, bound_nothing(change, questions["changed"]))
    excess = repeated["changed"] - repeated["own"]
    change = bound_nothing(over_groups_of(repeated, excess), repeated[["changed", "own"]])
    return lay_out_change(repeated["own"].mean(), repeated["changed"].mean(), change)


def compare_steadiness(questions):
    """Return by how much more often two answers of one run differ now, None where a run has no
    repeats. questions: of `pair_answers`."""
    shares = questions[["differ before", "differ now"]].dropna()
    if shares.empty:
        return None
    repeated = questions.loc[shares.index]
    change = over_groups_of(repeated, repeated["differ now"] - repeated["differ before"])
    return lay_out_change(*shares.mean(), bound_nothing(change, shares))


def over_groups_of(questions, values):
    """Return estimate, low, high, n of the mean of one value per question, over groups; no interval
    from fewer than five. questions: of `pair_answers`."""
    if questions.empty:
        return intervals.row()
    groups = questions["group"].to_numpy()
    average = partial(average_at, values.to_numpy(float))
    change = intervals.over_groups(groups, average)
    if change["n"] < intervals.ENOUGH:
        return intervals.row(change["estimate"], n=change["n"])
    return change


def average_at(values, rows):
    """Return the mean of the values at some rows."""
    return values[rows].mean()


def bound_nothing(change, shares):
    """Return a change (estimate, low, high, n) of shares; where all of them are 0, with Wilson's
    interval of 0 of n, on both sides."""
    if np.isnan(change["low"]) or np.any(shares.to_numpy() != 0):
        return change
    most = intervals.of_share(0, change["n"])["high"]
    return intervals.row(0.0, -most, most, change["n"])


def lay_out_change(before, now, change):
    """Return one row of `find_drift`: before, now, estimate, low, high, n."""
    return pd.concat([pd.Series({"before": before, "now": now}, dtype=float), change])


def decide_all(table, has_repeats):
    """Return the rows of `find_drift` with a verdict each, and the groups that would be needed.

    Without repeats changed answers are as before where hardly any changed, else undecided: more is
    not known.
    """
    decided = table.copy()
    asked = len(table) if has_repeats else len(table) - 1
    strict = 1 - 0.05 / asked
    answers = []
    needed = []
    for name, row in table.iterrows():
        if name == ANSWERS:
            row = move_up_to_zero(row)
        verdict = decide(row, asked, strict)
        if name == ANSWERS and verdict == CHANGED and not has_repeats:
            verdict = UNDECIDED
        is_open = verdict == UNDECIDED and not np.isnan(row["low"])
        answers.append(verdict)
        needed.append(count_needed(row) if is_open else np.nan)
    decided["verdict"] = answers
    decided["needed"] = needed
    return decided[COLUMNS]


def decide(row, asked, strict):
    """Return the verdict on one change: as before, changed, undecided.

    row: estimate, low, high, n, margin; asked: how many changes are asked about; strict: the level
    of an interval that is corrected for that.
    """
    if np.isnan(row["low"]):
        return UNDECIDED
    if verdicts.are_alike(row, row["margin"]) == "alike":
        return AS_BEFORE
    wider = intervals.widen(row[compare.ENDS].astype(float), asked)
    # with a margin of 0 nothing is alike: this only asks whether the corrected interval holds 0
    return IN_WORDS[verdicts.are_alike(wider, 0.0, strict)]


def move_up_to_zero(row):
    """Return a change (estimate, low, high and more) below 0 as 0, with an interval as wide: two
    runs cannot be too much alike, as those are whose answers are the same one by one."""
    below = min(row["estimate"], 0.0)
    moved = row.copy()
    moved[["estimate", "low", "high"]] -= below
    return moved


def count_needed(row):
    """Return the number of groups at which 80 of 100 studies would see a change of the margin; of
    answers that never changed, the number at which as many would be as before."""
    if row["estimate"] == 0 and row["low"] == -row["high"] and row.name == ANSWERS:
        return count_unchanged_needed(row["margin"])
    ends = row[compare.ENDS[:3]].astype(float)
    return verdicts.count_groups_needed(ends, row["n"], row["margin"])


def count_unchanged_needed(margin, most=10_000):
    """Return the number of groups at which answers of which none changed are as before."""
    for groups in range(intervals.ENOUGH, most):
        far = intervals.of_share(0, groups)["high"]
        row = intervals.row(0.0, -far, far, groups)
        if verdicts.are_alike(row, margin) == "alike":
            return groups
    return most


def sum_up(table, has_repeats):
    """Return the verdict on the judge: changed where anything changed, as before where everything
    is, else undecided.

    Steadiness counts only where it changed: shares of pairs of answers need hundreds of items to be
    known as alike, and a judge that is as near to people, as lenient and gives the same answers is
    as before. Without repeats changed answers do not count: they may be the judge's own noise. But
    where no answer changed at all, they must be enough to say so.
    """
    counted = table["verdict"]
    if counted.get(STEADINESS) != CHANGED:
        counted = counted.drop(STEADINESS, errors="ignore")
    may_be_noise = not has_repeats and table.at[ANSWERS, "estimate"] != 0
    if may_be_noise:
        counted = counted.drop(ANSWERS)
    if (counted == CHANGED).any():
        return CHANGED
    return AS_BEFORE if (counted == AS_BEFORE).all() else UNDECIDED


def tell_drift(table, measure_name):
    """Return the sentences on two runs: the verdict, then a sentence for each row; table: of
    `find_drift`; measure_name: of the agreement."""
    verdict = table.attrs["verdict"]
    first = {
        AS_BEFORE: tell_as_before(table),
        CHANGED: "The judge has changed.",
        UNDECIDED: "Undecided: these items cannot tell whether the judge has changed.",
    }[verdict]
    sentences = [first]
    for name, row in table.iterrows():
        sentences.append(tell_change(name, row, measure_name, table.attrs["repeats"]))
    if verdict == UNDECIDED:
        sentences.append(tell_what_decides(table))
    if not table.attrs["repeats"]:
        sentences.append(
            "No run asked a question twice, so how often the judge changes its answer by itself is "
            "not known: ask each question twice in one run (column repeat)."
        )
    return sentences


def tell_as_before(table):
    """Return in a sentence what *as before* is about, and what it leaves open; table: of
    `find_drift`."""
    about = [f"agreement with people (by less than {table.at[AGREEMENT, 'margin']:.3g})"]
    if LENIENCY in table.index:
        about.append(f"leniency (by less than {table.at[LENIENCY, 'margin']:.3g} points)")
    if table.attrs["repeats"] or table.at[ANSWERS, "estimate"] == 0:
        about.append(
            f"its answers (fewer than {table.at[ANSWERS, 'margin']:.0%} more than by itself are "
            "others)"
        )
    *others, last = about
    named = f"{', '.join(others)} and {last}" if others else last
    return (
        f"The judge is as before in {named}. Smaller changes, and "
        "changes on other kinds of items, are not excluded."
    )


def tell_what_decides(table):
    """Return in a sentence what would decide an open verdict; table: of `find_drift`."""
    there = table["n"].max()
    needed = table["needed"].drop(STEADINESS, errors="ignore")
    if not there >= intervals.ENOUGH:
        return f"At least {intervals.ENOUGH} groups are needed, better {ENOUGH_TO_SEE} or more."
    if not needed.max() > there:
        return "A change lies near the smallest that matters: many more items would be needed."
    most = needed.idxmax()
    items = table.attrs["items"]
    texts = int(np.ceil(needed.max() * items / there))
    return (
        f"Most is needed for {most}, where less than {table.at[most, 'margin']:.3g} counts as "
        f"none: about {texts:,} items like these ({needed.max():,.0f} groups) instead of {items:,} "
        f"({there:.0f} groups); fewer do where a larger change counts as none."
    )


def tell_change(name, row, measure_name, has_repeats):
    """Return in a sentence what changed, by how much, and what counts as none; name, row: of
    `find_drift`."""
    change = format_interval(row[compare.ENDS].astype(float))
    margin = f"less than {row['margin']:.3g} counts as none"
    if row["verdict"] == CHANGED and abs(row["estimate"]) < row["margin"]:
        margin = f"clearly a change, perhaps of less than the {row['margin']:.3g} that matter"
    if name == AGREEMENT:
        values = f"{measure_name} {row['before']:.2f} before, {row['now']:.2f} now"
        return f"Agreement with people: {row['verdict']} ({values}; change {change}; {margin})."
    if name == LENIENCY:
        values = f"mean score {row['before']:.2f} before, {row['now']:.2f} now"
        return f"Leniency: {row['verdict']} ({values}; change {change} points; {margin})."
    if name == STEADINESS:
        values = f"two answers of one run differ in {row['before']:.0%} before, {row['now']:.0%}"
        return f"Steadiness: {row['verdict']} ({values} now; change {change}; {margin})."
    if has_repeats:
        values = f"{row['now']:.0%} of answers, against {row['before']:.0%} within one run"
        return f"Answers changed: {row['verdict']} ({values}; difference {change}; {margin})."
    if row["estimate"] == 0:
        return f"Answers changed: none ({change}); {row['verdict']}; {margin}."
    return f"Answers changed: {change} of them; whether more than by itself is not known."


QUESTION = "Is the judge as it was before?"
IN_ANSWERS = {AS_BEFORE: "yes", CHANGED: "no", UNDECIDED: "undecided"}
NUMBER = {"type": ["number", "null"]}
TEXT = {"type": "string"}
CHANGE = {
    "type": "object",
    "required": ["what", *COLUMNS],
    "additionalProperties": False,
    "properties": {
        "what": {"enum": [AGREEMENT, LENIENCY, ANSWERS, STEADINESS]},
        "before": NUMBER
        | {"description": "of answers changed, how often two answers of one run differ"},
        "now": NUMBER
        | {"description": "of answers changed, how often an answer is another than before"},
        "estimate": NUMBER | {"description": "the change"},
        "low": NUMBER | {"description": "where its 95 % interval begins"},
        "high": NUMBER | {"description": "where its 95 % interval ends"},
        "n": NUMBER | {"description": "independent groups of items"},
        "margin": NUMBER | {"description": "the smallest change that matters"},
        "verdict": {"enum": list(EXIT_CODES)},
        "needed": NUMBER | {"description": "groups that would decide it; null where decided"},
    },
}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "goodjudge drift: two runs of a judge on the same items",
    "type": "object",
    "required": ["version", "verdicts", "exit", "sentences", "judge", "measure", "left out"],
    "properties": {
        "version": {"const": 2, "description": "of this schema"},
        "verdicts": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["question", "answer", "why", "needed"],
                "properties": {
                    "question": TEXT,
                    "answer": {"enum": list(IN_ANSWERS.values())},
                    "why": TEXT,
                    "needed": TEXT,
                },
            },
        },
        "exit": {"enum": list(EXIT_CODES.values()), "description": "how the command ends"},
        "sentences": {"type": "array", "items": TEXT},
        "judge": {"type": "object", "properties": {"before": TEXT, "now": TEXT}},
        "measure": TEXT | {"description": "of the agreement with people"},
        "questions": {"type": "integer", "description": "answered in both runs"},
        "repeats": {"type": "boolean", "description": "whether a question was asked twice"},
        "changes": {"type": "array", "items": CHANGE},
        "left out": {
            "type": "object",
            "description": "questions without an answer in the other run; items nobody rated",
            "additionalProperties": {"type": "integer"},
        },
    },
}


class Drift(NamedTuple):
    """What changed between two runs of a judge: the `Verdict`; changes (of `find_drift`); measure,
    its name; judges, {"before", "now": its name}; left_out, {why: how many questions or items}."""

    verdict: Verdict
    changes: pd.DataFrame
    measure: str
    judges: dict
    left_out: dict

    @property
    def sentences(self):
        """The verdict and a sentence for each change."""
        return tell_drift(self.changes, self.measure)

    def __str__(self):
        names = dict.fromkeys(self.judges.values())
        many = f"{self.changes.attrs['questions']:,} questions"
        lines = [f"{' before, '.join(names)} · {many}"]
        first, *more = self.sentences
        lines += [f"  {self.verdict.answer:<9}  {QUESTION}", "", first]
        lines += [textwrap.fill(one, 88, subsequent_indent="  ") for one in more]
        left = [f"{why} {many:,}" for why, many in self.left_out.items() if many]
        return "\n".join([*lines, *([f"Left out: {', '.join(left)}."] if left else [])])

    def to_json(self):
        """Return the result as JSON, as `SCHEMA` describes it."""
        changes = []
        for what, row in self.changes.iterrows():
            changes.append({"what": what} | {name: plain(row[name]) for name in COLUMNS})
        content = {
            "version": 2,
            "verdicts": [vars(self.verdict)],
            "exit": EXIT_CODES[self.changes.attrs["verdict"]],
            "sentences": self.sentences,
            "judge": self.judges,
            "measure": self.measure,
            "questions": self.changes.attrs["questions"],
            "repeats": self.changes.attrs["repeats"],
            "changes": changes,
            "left out": self.left_out,
        }
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)


def compare_runs(
    data: Ratings,
    before: pd.DataFrame,
    now: pd.DataFrame,
    *,
    judge: str | None = None,
    smallest: float | None = None,
    points: float | None = None,
    answers: float | None = None,
) -> Drift:
    """Return the `Drift` of two runs of a judge on the same rated items.

    data: people's `Ratings`; before, now: scores (item, judge, score, and perhaps aspect, repeat)
    as `read_scores` returns them; judge: which, where a run has several. smallest, points, answers:
    the smallest change that matters of the agreement, of the mean score and of the share of changed
    answers; None: the usual (`choose_margins`).

    Yes: it is as before; no: it has changed; undecided: these items cannot tell. Raises DataError
    where a run has several judges and none is meant, or the runs have no question in common.

    >>> compare_runs(ratings, may, june).verdict.answer          # doctest: +SKIP
    'yes'
    """
    runs = {"before": choose_judge(before, "before", judge), "now": choose_judge(now, "now", judge)}
    refuse_other_aspects(runs)
    measure, name, _ = scales.choose_measure(data)
    margins = choose_margins(runs["before"], measure, smallest, points, answers)
    adjusted = severity.adjust_raters(data) if measure is metrics.pearson else data
    within = orders.choose_within(data)
    table = find_drift(adjusted, *runs.values(), measure, margins, within=within)
    if not table.attrs["questions"]:
        raise DataError("now: answers nothing that was answered before; expected the same items")
    first, *more = tell_drift(table, name)
    needed = tell_what_decides(table) if table.attrs["verdict"] == UNDECIDED else ""
    why = " ".join([first, *(one for one in more if one != needed)])
    verdict = Verdict(QUESTION, IN_ANSWERS[table.attrs["verdict"]], why, needed)
    judges = {run: str(scores["judge"].iloc[0]) for run, scores in runs.items()}
    return Drift(verdict, table, name, judges, count_left_out(runs))


def choose_judge(scores, run, judge):
    """Return the scores of one judge of a run; DataError where it has several and none is meant."""
    judges = scores["judge"].unique().tolist()
    if judge and judge not in judges:
        raise DataError(f"{run}: has no judge {judge!r:.60}; expected one of {judges!r:.300}")
    if not judge and len(judges) > 1:
        raise DataError(f"{run}: has {len(judges)} judges; say which: --judge {judges[0]!r:.60}")
    chosen = scores[scores["judge"] == (judge or judges[0])].reset_index(drop=True)
    chosen.attrs = dict(scores.attrs)
    return chosen


def refuse_other_aspects(runs):
    """Raise DataError where one run has scores by aspect and the other has not; runs: {"before",
    "now": scores}."""
    has_aspects = {name: "aspect" in scores for name, scores in runs.items()}
    if has_aspects["before"] != has_aspects["now"]:
        with_aspects = "before" if has_aspects["before"] else "now"
        raise DataError(f"only the run {with_aspects} has aspects; expected the same questions")


def count_left_out(runs):
    """Return how many questions only one run asked, and how many items of each nobody rated; runs:
    {"before", "now": scores}."""
    question = [name for name in ("item", "aspect", "order", "partner") if name in runs["before"]]
    question = [name for name in question if name in runs["now"]]
    asked = {}
    for name, scores in runs.items():
        asked[name] = set(scores[question].itertuples(index=False, name=None))
    return {
        "only before": len(asked["before"] - asked["now"]),
        "only now": len(asked["now"] - asked["before"]),
        "not rated before": len(runs["before"].attrs.get("not rated", [])),
        "not rated now": len(runs["now"].attrs.get("not rated", [])),
    }


def plain(value):
    """Return a cell of a result as JSON has it: a number of ten digits, None for nan, a text."""
    if isinstance(value, str):
        return value
    return round(float(value), 10) if np.isfinite(value) else None
