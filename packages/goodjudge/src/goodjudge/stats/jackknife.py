"""A measure taken block by block, and without each group in turn.

A *block* is the cases whose correlation is taken together: those of one rater, say. The value of a
score is the mean over blocks, weighted by their cases. A *group* is what is independent, such as a
prompt; the jackknife asks for the same value without each group. Groups run across blocks:

              group 0      group 1      group 2
    block 0   2 cases      2 cases      1 case
    block 1   2 cases      0 cases      2 cases

Without group 1, block 0 is measured on 3 cases, and block 1 is as it was.
"""

import numpy as np
from scipy import stats

from goodjudge.stats.covariates import find_distinct
from goodjudge.stats.metrics import (
    OF_SETS,
    accuracy_of_sums,
    balanced_accuracy,
    by_label,
    list_hits,
    list_products,
    pearson,
    r_of_sums,
    spearman,
)

AT_ONCE = 2_000_000  # numbers, at most, in a table of groups x cases
SUMS = {  # a measure: (what is summed over cases, the measure of these sums)
    balanced_accuracy: (list_hits, accuracy_of_sums),
    pearson: (list_products, r_of_sums),
}


def by_block(measure, score, target, labels, blocks):
    """Return (values, counts): the measure of each block of cases (0, 1, …), nan where it is not
    defined, and how many cases the block has.

    measure: of `statistics`; score, target, labels: as it takes them; blocks: the block of each
    case.
    """
    size = np.max(blocks, initial=0) + 1
    counts = np.bincount(blocks, minlength=size)
    if size == 1:
        return np.array([measure(score, target, labels)], float), counts
    if measure is pearson:
        sums = sum_by_group(list_products(score, target), blocks, labels)
        return r_of_sums(sums), counts
    values = np.full(size, np.nan)
    for block in np.flatnonzero(counts):
        here = blocks == block
        values[block] = measure(score[here], target[here], labels[here])
    return values, counts


def average(values, counts):
    """Return the mean over blocks (last axis) weighted by their cases; nan counts for nothing, and
    is returned where no value is known."""
    known = ~np.isnan(values)
    weights = np.where(known, counts, 0.0)
    total = weights.sum(axis=-1)
    sums = (np.where(known, values, 0.0) * weights).sum(axis=-1)
    mean = sums / np.where(total > 0, total, 1)
    return np.where(total > 0, mean, np.nan)[()]


def leave_out(measure, score, target, labels, groups, blocks=None):
    """Return the measure without each group in turn (groups in sorted order): of several blocks,
    the mean over blocks.

    measure, score, target, labels: as in `by_block`; groups, blocks: of each case. A group touches
    few blocks: only these are measured anew.
    """
    if blocks is None or not blocks.any():
        return leave_out_of_one(measure, score, target, labels, groups)
    values, counts = by_block(measure, score, target, labels, blocks)
    names, group = number_groups(groups)
    values_without = np.tile(values, (len(names), 1))  # groups x blocks
    counts_without = np.tile(counts, (len(names), 1))
    for block in np.flatnonzero(counts):
        here = np.flatnonzero(blocks == block)
        touched, own_group = find_distinct(group[here])
        counts_without[touched, block] -= np.bincount(own_group)
        if len(touched) == 1:  # nothing is left of it
            values_without[touched, block] = np.nan
        else:
            values_without[touched, block] = leave_out_of_one(
                measure, score[here], target[here], labels[here], own_group
            )
    return average(values_without, counts_without)


def leave_out_of_one(measure, score, target, labels, groups):
    """Return the measure of one block without each group in turn (groups in sorted order).

    Where the measure comes from sums, a group's are taken off the whole, and where it is a mean
    over labels that have one group each, a group's labels are, so that a thousand groups take no
    minute.
    """
    names, group = number_groups(groups)
    if measure in OF_SETS and is_nested(labels, group):
        values = by_label(OF_SETS[measure], score, target, labels)
        return average_without_each(values, labels, group)
    if measure in SUMS:
        list_parts, of_sums = SUMS[measure]
        sums = sum_by_group(list_parts(score, target), group, labels)
        return of_sums(sums.sum(axis=0) - sums)
    if measure is spearman:
        return rho_without_each(score, target, labels, group)
    values = []
    for number in range(len(names)):
        kept = group != number
        values.append(measure(score[kept], target[kept], labels[kept]))
    return np.array(values)


def number_groups(groups):
    """Return (names of the groups in sorted order; of each case, the number of its group there)."""
    if groups.dtype.kind == "i":
        return find_distinct(groups)
    return np.unique(groups, return_inverse=True)


def rho_without_each(score, target, labels, groups):
    """Return Spearman's rho, as `statistics.spearman` takes it, without each group in turn; groups:
    of each case, 0, 1, …

    All groups are left out at once, in tables of groups x cases.
    """
    names = np.arange(groups.max() + 1)
    parts = int(np.ceil(len(names) * len(score) / AT_ONCE))
    rho = []
    for some in np.array_split(names, parts):
        kept = groups != some[:, None]  # groups x cases
        score_ranks = rank_kept(score, labels, kept)
        target_ranks = rank_kept(target, labels, kept)
        rho.append(correlate_rows(score_ranks, target_ranks, kept))
    return np.concatenate(rho)


def rank_kept(values, labels, kept):
    """Return the ranks of the values kept (groups x cases, True or False) in each row, less the
    row's mean, 0 for the others; with several labels, of what is left once the mean of each label
    is taken off."""
    rows = np.tile(values, (len(kept), 1))
    if labels.max() > 0:
        is_of_label = labels[:, None] == np.arange(labels.max() + 1)  # cases x labels
        count = kept @ is_of_label.astype(float)  # groups x labels
        total = (kept * values) @ is_of_label.astype(float)
        rows = rows - (total / np.maximum(count, 1))[:, labels]
    rows = np.where(kept, np.round(rows, 9), np.inf)  # last in order: no rank of a kept one changes
    ranks = stats.rankdata(rows, axis=1)
    means = np.where(kept, ranks, 0).sum(axis=1) / np.maximum(kept.sum(axis=1), 1)
    return np.where(kept, ranks - means[:, None], 0)


def correlate_rows(x, y, kept):
    """Return Pearson's r of each row of two tables whose rows have the mean 0, nan where a side
    does not vary; kept: True where a number counts."""
    squares = (x * x).sum(axis=1), (y * y).sum(axis=1)
    varies = np.minimum(*squares) > 1e-12 * kept.sum(axis=1)
    scale = np.sqrt(np.where(varies, squares[0] * squares[1], 1))
    return np.where(varies, (x * y).sum(axis=1) / scale, np.nan)


def is_nested(labels, groups):
    """Return whether all cases of a label have one group (both: 0, 1, …)."""
    group_of_label = np.zeros(labels.max() + 1, int)
    group_of_label[labels] = groups
    return bool((group_of_label[labels] == groups).all())


def average_without_each(values, labels, groups):
    """Return the mean of the known values of labels without those of each group in turn, nan where
    none is left; values: of each label; labels, groups: of each case, the labels nested."""
    _, first_cases = np.unique(labels, return_index=True)
    labels_that_occur = labels[first_cases]
    of_labels = values[labels_that_occur]
    group_of_label = groups[first_cases]
    known = ~np.isnan(of_labels)
    number = groups.max() + 1
    count = np.bincount(group_of_label[known], minlength=number)
    total = np.bincount(group_of_label[known], of_labels[known], minlength=number)
    left = count.sum() - count
    return np.where(left > 0, (total.sum() - total) / np.maximum(left, 1), np.nan)


def sum_by_group(parts, groups, labels):
    """Return the sums of parts (kinds x cases) by group and label: groups x kinds x labels."""
    group_count = groups.max() + 1
    label_count = labels.max() + 1
    cell = groups * label_count + labels  # of each case: a number for its group and label
    sums = np.empty((group_count, len(parts), label_count))
    for kind, part in enumerate(parts):
        of_cells = np.bincount(cell, part, minlength=group_count * label_count)
        sums[:, kind] = of_cells.reshape(group_count, label_count)
    return sums
