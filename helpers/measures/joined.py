"""What one can guess who knows the author and the counts together, and a judge's lead over that.

Each control of `compare` knows the author, or a number such as words; none knows both. A judge that
reads nothing and puts both together leads each of them. So before a judge is said to read better
than one could without reading, `open_verdicts` holds it against this guess, too. Say raters share

    20 % the author, 15 % the length, 65 % what only a reader can know

Then authorship follows what they share with r = .45, length with .39, and both together with .59.
"""

import numpy as np

from helpers.measures import (
    compare,
    controls,
    intervals,
    notes,
    orders,
    severity,
    statistics,
    unread,
)
from helpers.measures import ratings as shape
from helpers.measures.trial import Trial, list_shared


def lead_over_joined(data, scores, judge, found):
    """Return a judge's lead over a guess from author and counts together: estimate, low, high, n;
    all nan (n 0) where the author or every count is unknown, or the ratings are orders.

    data: `Ratings` as in the file; scores: item, judge, score and perhaps aspect; found: of
    `compare.compare`, whose measure and target are taken. Of several judges any may be taken for
    the best: the interval is widened for it.
    """
    knows_writer = any(name in found.index for name in controls.KNOW_WRITER)
    knows_counts = any(name in found.index for name in (controls.LENGTH, controls.COUNT))
    if not (knows_writer and knows_counts) or orders.are_orders(data):
        return intervals.row()
    measure, _, _ = notes.choose_measure(data)
    adjusted = severity.adjust_raters(data) if measure is statistics.pearson else data
    target = "others" if found.attrs["target"] == compare.ASKED["others"] else "all"
    cases, _ = compare.list_cases(adjusted, target, measure)
    trial = Trial(cases, measure, orders.choose_within(data), ("group",), 0.95)
    guess = trial.apply(guess_jointly(trial))
    judged = trial.apply(shape.match_scores(cases, scores)[judge])
    lead = trial.lead("joined", judged, guess, find_unrest(trial, guess.score))
    if not lead:
        return intervals.row()
    row = intervals.row(*lead.values(), trial.count(list_shared(judged, guess)))
    judges = (found["kind"] == "judge").sum()
    return intervals.widen(row, judges) if judges > 1 and row.notna().all() else row


def guess_jointly(trial):
    """Return a guess for each case of a `Trial` from its author, aspect and counts, by least
    squares on the other groups (or folds of groups); nan where a count is not known.

    As controls are, guesses are put on one scale, and are a Yes or a No for balanced accuracy.
    """
    known = lay_out_known(trial.known)  # cases x what is known
    is_known = ~np.isnan(known).any(axis=1)
    fold, _ = unread.deal_folds(trial.known)
    guess = np.full(len(fold), np.nan)
    for part in np.unique(fold):
        here = (fold == part) & is_known
        elsewhere = (fold != part) & is_known & ~np.isnan(trial.target)
        if not elsewhere.any():
            continue
        weights, *_ = np.linalg.lstsq(known[elsewhere], trial.target[elsewhere], rcond=1e-9)
        fitted = (known @ weights).round(9)
        guess[here] = controls.put_on_scale_elsewhere(fitted, trial.labels, elsewhere)[here]
    if trial.measure is statistics.balanced_accuracy:
        return np.where(np.isnan(guess), np.nan, guess >= 0)
    return guess.round(9)


def lay_out_known(known):
    """Return what is known of each case without reading: a column for each author and aspect (1 or
    0), and one for each count, standardised (nan where it is not known); known: `unread.Unread`."""
    kinds = []
    for numbers in (known.writers, known.aspects):
        names = np.unique(numbers[numbers >= 0])
        kinds.append((numbers[:, None] == names).astype(float))
    counts = known.counts
    spread = np.nanstd(counts, axis=0)
    counts = (counts - np.nanmean(counts, axis=0)) / np.where(spread > 0, spread, 1)
    return np.hstack([*kinds, counts])


def find_unrest(trial, guess):
    """Return the variance that learning the guess adds to that of its value, as
    `compare.find_unrest` does for a control: that of the moves, if it is learnt without each fifth
    of the groups; guess: of `guess_jointly`."""
    fifths = unread.deal_groups(trial.groups[0], trial.known.writers)
    moves = []
    for fifth in np.unique(fifths):
        kept = fifths != fifth
        smaller = trial.keep(kept)
        anew = smaller.measure_alone(guess_jointly(smaller)).value
        as_it_is = smaller.measure_alone(guess[kept]).value
        moves.append(compare.find_move(trial.measure, anew, as_it_is))
    return float(np.var(moves))
