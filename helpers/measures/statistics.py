"""Measures of how far a score follows people: plain functions of score, target and labels.

score, target: one number per case; labels: one whole number per case, within which the measure is
taken (a test, a prompt, a writer). Each returns a number, nan where it is not defined.
"""

import numpy as np
from scipy import stats

from helpers.measures import rankings


def balanced_accuracy(score, target, labels):
    """Return the mean of the hit rates on passed and on failed cases, mean over the labels.

    A score of 0.5 or more is a Yes; a target above 0.5 is a pass (leave out one of exactly 0.5).
    Labels with one kind of case do not count. Guessing, and knowing only how often each label is
    passed, have 0.50.
    """
    return of_rates(add(hits(score, target), labels))


def pearson(score, target, labels):
    """Return Pearson's r over all cases, once each label's mean is taken off both sides; nan where
    a side does not vary."""
    return of_products(add(products(score, target), labels))


def spearman(score, target, labels):
    """Return Spearman's rho: Pearson's r of the ranks over all cases; where there are several
    labels, ranks of what is left once each label's mean is taken off."""
    if np.max(labels, initial=0):
        score, target = (centre(side, labels) for side in (score, target))
    ranks = [stats.rankdata(np.round(side, 9)) for side in (score, target)]
    return pearson(*ranks, np.zeros(len(score), int))


def centre(values, labels):
    """Return the values less the mean of each label."""
    return values - (np.bincount(labels, values) / np.maximum(np.bincount(labels), 1))[labels]


def put_on_one_scale(values, labels):
    """Return the values less the mean of each label, over their standard deviation; nan is left out
    of both."""
    known = ~np.isnan(values)
    found = np.full(len(values), np.nan)
    found[known] = centre(values[known], labels[known])
    spread = np.std(found[known])
    return (found / spread if spread > 1e-12 else found * 0).round(9)


def auc(score, target, labels):
    """Return the chance that a passed case has a higher score than a failed one (ties: half), mean
    over the labels; pass and labels as in `balanced_accuracy`."""
    return mean_over(by_label(area, score, target, labels))


def mean_spearman(score, target, labels):
    """Return Spearman's rho, mean over the labels (0 where one side is constant); the interval of
    this mean is Student's t."""
    return mean_over(by_label(rho, score, target, labels))


def kendall(score, target, labels):
    """Return Kendall's tau-b, mean over the labels (0 where one side is constant)."""
    return mean_over(by_label(tau, score, target, labels))


def pairwise_accuracy(score, target, labels):
    """Return the share of pairs of a label that score and target order alike, mean over the labels.

    Pairs that the target ties ask nothing and are left out; a tie of the score is half right.
    Guessing has 0.50.
    """
    return mean_over(by_label(ordered, score, target, labels))


def hits(score, target):
    """Return by case: passed, passed and said Yes, failed, failed and said No."""
    yes, passed = score >= 0.5, target > 0.5
    return np.array([passed, passed & yes, ~passed, ~passed & ~yes], float)


def of_rates(sums):
    """Return the balanced accuracy from the sums of `hits`, 4 x labels; more axes in front."""
    passed, yes, failed, no = np.moveaxis(sums, -2, 0)
    both = (passed > 0.5) & (failed > 0.5)
    rates = (yes / np.where(both, passed, 1) + no / np.where(both, failed, 1)) / 2
    count = both.sum(axis=-1)
    mean = np.where(both, rates, 0).sum(axis=-1) / np.maximum(count, 1)
    return np.where(count > 0, mean, np.nan)[()]


def products(score, target):
    """Return by case: 1, score, target, their squares and their product."""
    x, y = (side - side.mean() for side in (score, target))  # so that sums stay exact
    return np.array([np.ones_like(x), x, y, x * x, y * y, x * y])


def of_products(sums):
    """Return r from the sums of `products`, 6 x labels; more axes in front."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -2, 0)
    there = np.maximum(n, 1)
    pairs = (xx, x * x), (yy, y * y), (xy, x * y)
    inside = [(one - other / there).sum(axis=-1) for one, other in pairs]
    spread, small = inside[0] * inside[1], 1e-12 * n.sum(axis=-1)
    known = (inside[0] > small) & (inside[1] > small)
    return np.where(known, inside[2] / np.sqrt(np.where(known, spread, 1)), np.nan)[()]


def area(score, target):
    """Return the AUC along the last axis; nan with one kind of case."""
    passed, ranks = target > 0.5, stats.rankdata(score, axis=-1)
    yes, no = passed.sum(axis=-1), (~passed).sum(axis=-1)
    above = np.where(passed, ranks, 0).sum(axis=-1) - yes * (yes + 1) / 2
    return np.where(yes * no > 0, above / np.maximum(yes * no, 1), np.nan)


def tau(score, target, by_group=rankings.tau_by_group):
    """Return Kendall's tau-b along the last axis; 0 where a side is constant, nan for one case."""
    alone = np.full(score.shape[:-1], np.nan)
    return by_group(target, score) if score.shape[-1] > 1 else alone


def rho(score, target):
    """Return Spearman's rho as `tau` does Kendall's."""
    return tau(score, target, rankings.rho_by_group)


def ordered(score, target):
    """Return the pairwise accuracy along the last axis; nan where no pair is asked."""
    return np.asarray(rankings.pair_accuracy(target, score, "human ties dropped"))


def add(parts, labels):
    """Return the sums of parts (kinds x cases) by label: kinds x labels."""
    return np.array([np.bincount(labels, part) for part in parts])


def by_label(one, score, target, labels):
    """Return the measure `one` of the cases of each label (0, 1, …), nan for one without cases;
    labels with equally many cases are computed together."""
    count = np.bincount(labels, minlength=np.max(labels, initial=-1) + 1)
    order, starts = np.argsort(labels, kind="stable"), np.cumsum(count) - count
    found = np.full(len(count), np.nan)
    for size in np.unique(count[count > 0]):
        alike = np.flatnonzero(count == size)
        rows = order[starts[alike][:, None] + np.arange(size)]
        found[alike] = one(score[rows], target[rows])
    return found


def mean_over(values):
    """Return the mean of the known values, nan if there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


SUMS = {balanced_accuracy: (hits, of_rates), pearson: (products, of_products)}
LABELWISE = {auc: area, mean_spearman: rho, kendall: tau, pairwise_accuracy: ordered}
CORRELATIONS = (pearson, spearman, kendall)  # their intervals are made on Fisher's z
POOLED = (pearson, spearman)  # one number over all cases: taken rater by rater (`trial.Trial`)
OF_TWO_KINDS = (balanced_accuracy, auc)  # their target is a pass or a fail


def find_guess(measure):
    """Return the value that guessing has: 0 of correlations, 0.5 of shares and areas."""
    return 0.0 if measure in (*CORRELATIONS, mean_spearman) else 0.5


def by_block(measure, score, target, labels, blocks):
    """Return (values, counts): the measure of each block of cases (0, 1, …), nan where it is not
    defined, and how many cases the block has."""
    many = np.max(blocks, initial=0) + 1
    counts = np.bincount(blocks, minlength=many)
    if many == 1:
        return np.array([measure(score, target, labels)], float), counts
    if measure is pearson:
        kinds = np.max(labels, initial=0) + 1
        cells = add(products(score, target), blocks * kinds + labels)
        cells = np.pad(cells, ((0, 0), (0, many * kinds - cells.shape[1])))
        return of_products(cells.reshape(len(cells), many, kinds).swapaxes(0, 1)), counts
    values = np.full(many, np.nan)
    for block in np.flatnonzero(counts):
        rows = blocks == block
        values[block] = measure(score[rows], target[rows], labels[rows])
    return values, counts


def average(values, counts):
    """Return the mean over blocks (last axis) weighted by their cases, nan where none is known."""
    known = ~np.isnan(values)
    weights = np.where(known, counts, 0.0)
    total = weights.sum(axis=-1)
    mean = (np.where(known, values, 0.0) * weights).sum(axis=-1) / np.where(total > 0, total, 1)
    return np.where(total > 0, mean, np.nan)[()]


def leave_out(measure, score, target, labels, groups, blocks=None):
    """Return the measure without each group in turn (groups in sorted order); of several blocks
    (raters), the mean over blocks of the measure without the group."""
    if blocks is None or not blocks.any():
        return leave_out_of_one(measure, score, target, labels, groups)
    values, counts = by_block(measure, score, target, labels, blocks)
    names, group = np.unique(groups, return_inverse=True)
    without = np.tile(values, (len(names), 1))
    left = np.tile(counts, (len(names), 1))
    for block in np.flatnonzero(counts):
        rows = np.flatnonzero(blocks == block)
        touched, within = np.unique(group[rows], return_inverse=True)
        given = score[rows], target[rows], labels[rows]
        if len(touched) == 1:
            without[touched, block] = np.nan
        else:
            without[touched, block] = leave_out_of_one(measure, *given, within)
        left[touched, block] -= np.bincount(within)
    return average(without, left)


def leave_out_of_one(measure, score, target, labels, groups):
    """Return the measure without each group in turn (groups in sorted order): only the sums, or the
    labels, that a group changes are computed again, so that a thousand groups take no minute."""
    names, group = np.unique(groups, return_inverse=True)
    if measure in SUMS:
        parts, finish = SUMS[measure]
        parts, kinds = parts(score, target), labels.max() + 1
        cells = add(parts, group * kinds + labels)
        cells = np.pad(cells, ((0, 0), (0, len(names) * kinds - cells.shape[1])))
        cells = cells.reshape(len(parts), len(names), kinds).swapaxes(0, 1)
        return finish(cells.sum(axis=0) - cells)
    rest = [group != k for k in range(len(names))]
    if measure not in LABELWISE:
        return np.array([measure(score[k], target[k], labels[k]) for k in rest])
    one = LABELWISE[measure]
    known, found = by_label(one, score, target, labels), []
    for kept in rest:
        values, touched = known.copy(), np.zeros(len(known), bool)
        touched[labels[~kept]] = True
        some = touched[labels] & kept
        again = by_label(one, score[some], target[some], labels[some])
        values[touched] = np.nan
        values[: len(again)] = np.where(touched[: len(again)], again, values[: len(again)])
        found.append(mean_over(values))
    return np.array(found)
