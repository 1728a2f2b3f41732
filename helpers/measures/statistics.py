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
        score = centre(score, labels)
        target = centre(target, labels)
    score_ranks = stats.rankdata(np.round(score, 9))
    target_ranks = stats.rankdata(np.round(target, 9))
    return pearson(score_ranks, target_ranks, np.zeros(len(score), int))


def centre(values, labels):
    """Return the values less the mean of each label."""
    counts = np.maximum(np.bincount(labels), 1)
    means = np.bincount(labels, values) / counts
    return values - means[labels]


def put_on_one_scale(values, labels):
    """Return the values less the mean of each label, over their standard deviation; nan is left out
    of both."""
    known = ~np.isnan(values)
    scaled = np.full(len(values), np.nan)
    scaled[known] = centre(values[known], labels[known])
    spread = np.std(scaled[known])
    scaled = scaled / spread if spread > 1e-12 else scaled * 0
    return scaled.round(9)


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
    """Return by case: passed, passed and said Yes, failed, failed and said No (4 x cases)."""
    yes, passed = score >= 0.5, target > 0.5
    return np.array([passed, passed & yes, ~passed, ~passed & ~yes], float)


def of_rates(sums):
    """Return the balanced accuracy from the sums of `hits`, 4 x labels; more axes in front."""
    passed, yes, failed, no = np.moveaxis(sums, -2, 0)
    both = (passed > 0.5) & (failed > 0.5)  # labels with cases of both kinds
    hit_rate = yes / np.where(both, passed, 1)
    rejection_rate = no / np.where(both, failed, 1)
    accuracy = np.where(both, (hit_rate + rejection_rate) / 2, 0)
    count = both.sum(axis=-1)
    mean = accuracy.sum(axis=-1) / np.maximum(count, 1)
    return np.where(count > 0, mean, np.nan)[()]


def products(score, target):
    """Return by case: 1, score, target, their squares and their product (6 x cases)."""
    x, y = score - score.mean(), target - target.mean()  # so that sums stay exact
    return np.array([np.ones_like(x), x, y, x * x, y * y, x * y])


def of_products(sums):
    """Return r from the sums of `products`, 6 x labels; more axes in front."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -2, 0)
    there = np.maximum(n, 1)
    x_squares = (xx - x * x / there).sum(axis=-1)  # about each label's mean
    y_squares = (yy - y * y / there).sum(axis=-1)
    shared = (xy - x * y / there).sum(axis=-1)
    small = 1e-12 * n.sum(axis=-1)
    varies = (x_squares > small) & (y_squares > small)
    spread = np.where(varies, x_squares * y_squares, 1)
    return np.where(varies, shared / np.sqrt(spread), np.nan)[()]


def area(score, target):
    """Return the AUC along the last axis; nan with one kind of case."""
    passed = target > 0.5
    yes, no = passed.sum(axis=-1), (~passed).sum(axis=-1)
    ranks = stats.rankdata(score, axis=-1)
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


def by_label(measure, score, target, labels):
    """Return `measure` of the cases of each label (0, 1, …), nan for one without cases; labels with
    equally many cases are computed together."""
    count = np.bincount(labels, minlength=np.max(labels, initial=-1) + 1)
    starts = np.cumsum(count) - count
    order = np.argsort(labels, kind="stable")
    values = np.full(len(count), np.nan)
    for size in np.unique(count[count > 0]):
        alike = np.flatnonzero(count == size)
        cases = order[starts[alike][:, None] + np.arange(size)]  # labels x their cases
        values[alike] = measure(score[cases], target[cases])
    return values


def mean_over(values):
    """Return the mean of the known values, nan if there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


SUMS = {balanced_accuracy: (hits, of_rates), pearson: (products, of_products)}
CORRELATIONS = (pearson, spearman, kendall)  # their intervals are made on Fisher's z
FROM_MINUS_ONE = (*CORRELATIONS, mean_spearman)  # their values run from -1 to 1; of others from 0
POOLED = (pearson, spearman)  # one number over all cases: taken rater by rater (`trial.Trial`)
OF_TWO_KINDS = (balanced_accuracy, auc)  # their target is a pass or a fail


def find_guess(measure):
    """Return the value that guessing has: 0 of correlations, 0.5 of shares and areas."""
    return 0.0 if measure in FROM_MINUS_ONE else 0.5


def by_block(measure, score, target, labels, blocks):
    """Return (values, counts): the measure of each block of cases (0, 1, …), nan where it is not
    defined, and how many cases the block has."""
    many = np.max(blocks, initial=0) + 1
    counts = np.bincount(blocks, minlength=many)
    if many == 1:
        return np.array([measure(score, target, labels)], float), counts
    if measure is pearson:
        sums = sum_by(products(score, target), blocks, labels)
        return of_products(sums), counts
    values = np.full(many, np.nan)
    for block in np.flatnonzero(counts):
        mine = blocks == block
        values[block] = measure(score[mine], target[mine], labels[mine])
    return values, counts


def sum_by(parts, groups, labels):
    """Return the sums of parts (kinds x cases) by group and label: groups x kinds x labels."""
    many, kinds = groups.max() + 1, labels.max() + 1
    sums = np.empty((many, len(parts), kinds))
    for k, part in enumerate(parts):
        flat = np.bincount(groups * kinds + labels, part, minlength=many * kinds)
        sums[:, k] = flat.reshape(many, kinds)
    return sums


def average(values, counts):
    """Return the mean over blocks (last axis) weighted by their cases, nan where none is known."""
    known = ~np.isnan(values)
    weights = np.where(known, counts, 0.0)
    total = weights.sum(axis=-1)
    sums = (np.where(known, values, 0.0) * weights).sum(axis=-1)
    mean = sums / np.where(total > 0, total, 1)
    return np.where(total > 0, mean, np.nan)[()]


def leave_out(measure, score, target, labels, groups, blocks=None):
    """Return the measure without each group in turn (groups in sorted order); of several blocks
    (raters), the mean over blocks of the measure without the group."""
    if blocks is None or not blocks.any():
        return leave_out_of_one(measure, score, target, labels, groups)
    values, counts = by_block(measure, score, target, labels, blocks)
    names, group = np.unique(groups, return_inverse=True)
    without = np.tile(values, (len(names), 1))  # groups x blocks
    left = np.tile(counts, (len(names), 1))
    for block in np.flatnonzero(counts):
        mine = np.flatnonzero(blocks == block)
        touched, own_group = np.unique(group[mine], return_inverse=True)
        left[touched, block] -= np.bincount(own_group)
        if len(touched) == 1:  # nothing is left of it
            without[touched, block] = np.nan
        else:
            cases = score[mine], target[mine], labels[mine]
            without[touched, block] = leave_out_of_one(measure, *cases, own_group)
    return average(without, left)


def leave_out_of_one(measure, score, target, labels, groups):
    """Return the measure without each group in turn (groups in sorted order); where it comes from
    sums, a group's are taken off the whole, so that a thousand groups take no minute."""
    names, group = np.unique(groups, return_inverse=True)
    if measure in SUMS:
        parts, finish = SUMS[measure]
        sums = sum_by(parts(score, target), group, labels)
        return finish(sums.sum(axis=0) - sums)
    others = [group != k for k in range(len(names))]
    return np.array([measure(score[kept], target[kept], labels[kept]) for kept in others])
