"""How far too weak a control may be that was learnt from few texts.

A control that knows the writer learns from the writer's texts in other groups. Of few texts it
learns less than somebody may know who has read many, and a lead over it is then too large.
"""

import numpy as np
import pandas as pd

from goodjudge.comparison import compare, controls
from goodjudge.comparison.cases import Trial

HALVES = 10  # ways of cutting the groups in two


def find_shortfall(data, measure, name, *, target="others", within=(), halves=HALVES, seed=0):
    """Return (texts, shortfall): from how many ratings of the writer elsewhere a control learnt
    about a case, and by how much it would have more if it had learnt from endlessly many; nan where
    half of the groups are too few to learn anything.

    The control is learnt in each half of the groups alone, several times, and on all. What it lacks
    shrinks as 1 / n with the number n of what it learnt from: say it has .40 of 8 and .36 of 4;
    then it lacks .04 of 8 and .08 of 4, and endlessly many give .44.

    data, measure, target, within: of `compare.compare`; name: of the control.
    """
    cases, _ = compare.list_cases(data, target, measure)
    trial = Trial(cases, measure, within, ("group",), 0.95)
    learn = controls.learn_controls
    score = learn(trial.known, trial.measure, trial.within, trial.labels).get(name)
    if score is None:
        return np.nan, np.nan
    value, texts = trial.measure_alone(score).value, count_elsewhere(trial.known, score)
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
        return texts, np.nan
    half, fewer = np.nanmean(of_half, axis=0)
    if not texts > fewer > 0:
        return texts, np.nan
    return texts, float(max(value - half, 0) * fewer / (texts - fewer))


def count_elsewhere(known, score):
    """Return from how many ratings of the same writer and aspect in other groups an answered case
    could learn, the mean over the cases; known: `covariates.Unread`; score: one per case."""
    kind = known.number_kinds(["writer", "aspect"])
    rows = pd.DataFrame({"kind": kind, "group": known.groups})
    alike = rows.groupby("kind")["group"].transform("size")
    here = rows.groupby(["kind", "group"])["group"].transform("size")
    learnt = (alike - here).to_numpy()[~np.isnan(score)]
    return float(learnt.mean()) if len(learnt) else np.nan
