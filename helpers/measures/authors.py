"""What people's ratings have to do with who wrote an item.

A control that knows the author was taught by people's ratings of the same authors. Nobody who uses
a judge has that for new authors, so no judge has to beat it. It says what ratings are about; and a
judge that does not lead it may know no more than who wrote each item.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import compare, controls, intervals, joined, orders, severity, statistics
from helpers.measures import ratings as shape
from helpers.measures.trial import Trial, lead_names

LARGELY = 0.5  # of what one more rater is above guessing, from which on ratings are about authors
HALVES = 10  # ways of cutting the groups in two


class Explained(NamedTuple):
    """What is known of a judge beside the author. text: sentences, "" where no control knows the
    author; beyond: whether the judge clearly knows more than who wrote each item; None where
    nothing is known of it."""

    text: str
    beyond: bool | None


def are_unlearnt(data):
    """Return whether nothing can be learnt about most authors, since each has several items but
    all of them in one group; data: `Ratings`."""
    if "writer" not in data.items:
        return False
    known = data.items.dropna(subset=["writer"])
    by_writer = known.groupby("writer")
    text = "name" if orders.are_pairs(data) else "item"
    if len(by_writer) < 2 or by_writer[text].nunique().max() < 2:
        return False
    return bool((by_writer["group"].transform("nunique") == 1).mean() > 0.5)


def follow_within(data, scores, judge):
    """Return how far a judge follows people among the items of one author: Pearson's r within each
    author (estimate, low, high, n); all nan where no group has two items by one author, and of
    pairs and ranks.

    data: `Ratings`; scores: item, judge, score and perhaps aspect; the mean of the aspects counts.
    """
    if orders.are_orders(data):
        return intervals.row()
    totals = severity.adjust_raters(shape.average_aspects(data))
    own = scores[scores["judge"] == judge]
    target = shape.choose_target(totals)
    found = compare.compare(
        totals, own, statistics.pearson, within=("writer",), target=target, simulate=False
    )
    return found.loc[judge, compare.ENDS].astype(float)


def explain(data, scores, judge, found):
    """Return the `Explained` of a judge: how far a control that knows the author gets, how far too
    weak it may be in this file, and the judge's lead over author and counts together.

    data: `Ratings` as in the file; scores: item, judge, score and perhaps aspect; found: of
    `compare.compare`.
    """
    names = [name for name in controls.KNOW_WRITER if name in found.index]
    if not names:
        return Explained("", None)
    best = max(names, key=lambda name: (found.at[name, "estimate"], name))
    row = found.loc[best]
    if np.isnan(row["estimate"]):
        return Explained("", None)
    show = results.format_interval
    told = (
        f"A control that knows the author ({best}, taught by people's ratings of the same authors "
        f"in other groups) has {show(row[compare.ENDS])}."
    )
    if are_largely(found, row):
        told = f"What your raters agree about is largely who wrote an item. {told}"
    lead = lead_beyond(data, scores, judge, found, best)
    beyond = None
    if pd.notna(lead["low"]):
        beyond = bool(lead["low"] > 0)
        clearly = "clearly more" if beyond else "perhaps no more"
        told += (
            f" The judge's lead over what author and counts tell is {show(lead)}: it knows "
            f"{clearly} than these."
        )
    told += f" {tell_shortfall(data, found, best)}".rstrip()
    told += " You do not have this control for new authors, so no verdict rests on it."
    return Explained(told, beyond)


def are_largely(found, row):
    """Return whether a control (a row of `compare.compare`) is above guessing by half or more of
    what one more rater is, and clearly above it."""
    guess = found.attrs["guess"]
    person = found.at[compare.PERSON, "estimate"] - guess
    return bool(row["low"] > guess and row["estimate"] - guess >= LARGELY * person > 0)


def lead_beyond(data, scores, judge, found, best):
    """Return a judge's lead over a guess from author and counts together (`joined`), or, where no
    count is known, over the control `best`: estimate, low, high, n."""
    lead = joined.lead_over_joined(data, scores, judge, found)
    if lead.notna().all() or found.attrs["chosen"] != best:
        return lead
    ends = found.loc[judge, [*lead_names("control"), "n"]].set_axis(compare.ENDS).astype(float)
    judges = (found["kind"] == "judge").sum()
    return intervals.widen(ends, judges) if judges > 1 and ends.notna().all() else ends


def tell_shortfall(data, found, name):
    """Return in a sentence by how much a control that knows the author may be too weak in this
    file; "" where it cannot be said. name: of the control; other arguments of `explain`."""
    texts, shortfall = find_shortfall(data, found, name)
    if np.isnan(shortfall):
        return ""
    about = f"It was learnt from about {texts:.0f} ratings of each author elsewhere"
    if shortfall < 0.005:
        return f"{about}; from more it would hardly be better."
    return (
        f"{about}; from very many it might have {shortfall:.2f} more (learnt from half of them it "
        "has less, and so on), and leads over it are too large by as much."
    )


def find_shortfall(data, found, name, halves=HALVES, seed=0):
    """Return (texts, shortfall): from how many ratings of the author elsewhere a control learnt
    about a case, and by how much it would have more if it had learnt from endlessly many; nan where
    half of the groups are too few to learn anything.

    The control is learnt in each half of the groups alone, several times, and on all. What it lacks
    shrinks as 1 / n with the number n of what it learnt from: say it has .40 of 8 and .36 of 4;
    then it lacks .04 of 8 and .08 of 4, and endlessly many give .44. Arguments of `explain`; name:
    of the control.
    """
    trial = make_trial(data, found)
    learn = controls.learn_controls
    score = learn(trial.known, trial.measure, trial.within, trial.labels).get(name)
    if score is None:
        return np.nan, np.nan
    of_all = trial.measure_alone(score).value, count_elsewhere(trial.known, score)
    rng = np.random.default_rng(seed)
    groups = np.unique(trial.groups[0])
    of_half = []
    for _ in range(halves):
        first = rng.permutation(groups)[: len(groups) // 2]
        is_first = np.isin(trial.groups[0], first)
        for kept in (is_first, ~is_first):
            part = compare.make_part(trial, kept)
            if name in part.unread:
                guess = part.unread[name]
                of_half.append((guess.value, count_elsewhere(part.trial.known, guess.score)))
    if not of_half:
        return of_all[1], np.nan
    half, fewer = np.nanmean(of_half, axis=0)
    value, texts = of_all
    if not texts > fewer > 0:
        return texts, np.nan
    return texts, float(max(value - half, 0) * fewer / (texts - fewer))


def make_trial(data, found):
    """Return the `Trial` of a comparison; arguments of `explain`."""
    measure = statistics.pearson if found.attrs["guess"] == 0 else None
    adjusted = data
    if measure is not None:
        adjusted = severity.adjust_raters(data)
    elif orders.are_orders(data):
        measure = statistics.pairwise_accuracy
    else:
        measure = statistics.balanced_accuracy
    target = "others" if found.attrs["target"] == compare.ASKED["others"] else "all"
    cases, _ = compare.list_cases(adjusted, target, measure)
    return Trial(cases, measure, orders.choose_within(data), ("group",), 0.95)


def count_elsewhere(known, score):
    """Return from how many items of the same author and aspect in other groups an answered case
    could learn, the mean over the cases; known: `unread.Unread`; score: one per case."""
    kind = known.number_kinds(["writer", "aspect"])
    rows = pd.DataFrame({"kind": kind, "group": known.groups})
    alike = rows.groupby("kind")["group"].transform("size")
    here = rows.groupby(["kind", "group"])["group"].transform("size")
    learnt = (alike - here).to_numpy()[~np.isnan(score)]
    return float(learnt.mean()) if len(learnt) else np.nan
