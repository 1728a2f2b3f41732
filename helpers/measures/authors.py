"""What people's ratings have to do with who wrote an item.

A control that knows the author was taught by people's ratings of the same authors. Nobody who uses
a judge has that for new authors, so no judge has to beat it. It says what ratings are about.
Whether a judge knows more than who wrote each item, what it adds to the author says
(`adds.find_added`).
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import compare, controls, orders, severity, statistics
from helpers.measures.trial import Trial

LARGELY = 0.5  # of what one more rater is above guessing, from which on ratings are about authors
HALVES = 10  # ways of cutting the groups in two


class Explained(NamedTuple):
    """What is known of a judge beside the author. text: sentences, "" where no control knows the
    author; beyond: whether the judge clearly knows more than who wrote each item; None where
    nothing is known of it."""

    text: str
    beyond: bool | None


NOTHING = Explained("", None)


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


def explain(data, found, added, unit="points"):
    """Return the `Explained` of a judge: what it adds to author and counts, how far a control that
    knows the author gets, and how far too weak that control may be in this file.

    data: `Ratings` as in the file; found: of `compare.compare`; added: of `adds.find_added`, of the
    judge: estimate, low, high, n; unit: what people's scores are in.
    """
    sentences = []
    beyond = None
    knows_author = "writer" in data.items
    if pd.notna(added["low"]):
        beyond = bool(added["low"] > 0)
        held = "the author, the rater" if knows_author else "the rater"
        clearly = "" if beyond else ": not clearly more than nothing"
        sentences.append(
            f"What it adds: with {held} and all counts alike, people's ratings are "
            f"{results.format_interval(added)} higher (in {unit}) where the judge's score is one "
            f"standard deviation higher{clearly}."
        )
    names = [name for name in controls.KNOW_WRITER if name in found.index]
    names = [name for name in names if pd.notna(found.at[name, "estimate"])]
    if names:
        best = max(names, key=lambda name: (found.at[name, "estimate"], name))
        row = found.loc[best]
        if are_largely(found, row):
            sentences.append("What your raters agree about is largely who wrote an item.")
        sentences.append(
            f"A control that knows the author ({best}, taught by people's ratings of the same "
            f"authors in other groups) has {results.format_interval(row[compare.ENDS])}; nobody "
            "has it for new authors, so no verdict rests on it."
        )
        sentences.append(tell_shortfall(data, found, best))
    return Explained(" ".join(filter(None, sentences)), beyond if knows_author else None)


def are_largely(found, row):
    """Return whether a control (a row of `compare.compare`) is above guessing by half or more of
    what one more rater is, and clearly above it."""
    guess = found.attrs["guess"]
    person = found.at[compare.PERSON, "estimate"] - guess
    return bool(row["low"] > guess and row["estimate"] - guess >= LARGELY * person > 0)


def tell_shortfall(data, found, name):
    """Return in a sentence by how much a control that knows the author may be too weak in this
    file; "" where it cannot be said; arguments of `find_shortfall`."""
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
    then it lacks .04 of 8 and .08 of 4, and endlessly many give .44.

    data: `Ratings` as in the file; found: of `compare.compare`; name: of the control.
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
    """Return the `Trial` of a comparison; data, found: of `find_shortfall`."""
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
