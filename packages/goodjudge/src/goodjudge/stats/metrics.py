"""Measures of how far a score follows people.

Every measure is a plain function of three arrays with one entry per case: the score; the target,
what people say; and the label, a whole number from 0, within which the measure is taken (a test, a
prompt, a writer). It returns a number, nan where it is not defined.

    measure             range     guessing has   with several labels
    pearson             -1 to 1   0              once each label's mean is taken off both sides
    spearman            -1 to 1   0              the same, then ranks
    mean_spearman       -1 to 1   0              mean over the labels
    kendall             -1 to 1   0              mean over the labels
    pairwise_accuracy    0 to 1   0.5            mean over the labels
    balanced_accuracy    0 to 1   0.5            mean over the labels
    auc                  0 to 1   0.5            mean over the labels

How a measure is taken rater by rater, and without each group in turn, is in `blocks`.
"""

import numpy as np
from scipy import stats

from goodjudge.stats import rankings


def balanced_accuracy(score, target, labels):
    """Return the mean of the hit rates on passed and on failed cases, mean over the labels.

    A score of 0.5 or more is a Yes; a target above 0.5 is a pass (leave out one of exactly 0.5).
    Labels with one kind of case do not count. Guessing, and knowing only how often each label is
    passed, have 0.50.
    """
    return accuracy_of_sums(sum_by_label(list_hits(score, target), labels))


def pearson(score, target, labels):
    """Return Pearson's r over all cases, once each label's mean is taken off both sides; nan where
    a side does not vary."""
    return r_of_sums(sum_by_label(list_products(score, target), labels))


def spearman(score, target, labels):
    """Return Spearman's rho: Pearson's r of the ranks over all cases; where there are several
    labels, ranks of what is left once each label's mean is taken off."""
    has_several_labels = np.max(labels, initial=0) > 0
    if has_several_labels:
        score = centre(score, labels)
        target = centre(target, labels)
    score_ranks = rank(np.round(score, 9))
    target_ranks = rank(np.round(target, 9))
    r = rankings.cosine(
        score_ranks - score_ranks.mean(), target_ranks - target_ranks.mean(), np.nan
    )
    return float(r)


def rank(values):
    """Return the ranks of values from 1, equal values sharing the mean of theirs, as
    `scipy.stats.rankdata` does, in a third of its time for a few hundred; none may be nan."""
    order = np.argsort(values, kind="stable")
    in_order = values[order]
    starts = np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1]))  # of equal values
    ends = np.append(starts[1:], len(values))
    ranks = np.empty(len(values))
    ranks[order] = np.repeat((starts + 1 + ends) / 2, ends - starts)  # first and last rank's mean
    return ranks


def mean_spearman(score, target, labels):
    """Return Spearman's rho, mean over the labels (0 where one side is constant); the interval of
    this mean is Student's t."""
    return mean_of_known(by_label(rho_of_sets, score, target, labels))


def kendall(score, target, labels):
    """Return Kendall's tau-b, mean over the labels (0 where one side is constant)."""
    return mean_of_known(by_label(tau_of_sets, score, target, labels))


def pairwise_accuracy(score, target, labels):
    """Return the share of pairs of a label that score and target order alike, mean over the labels.

    Pairs that the target ties ask nothing and are left out; a tie of the score is half right.
    Guessing has 0.50.
    """
    return mean_of_known(by_label(pair_accuracy_of_sets, score, target, labels))


def auc(score, target, labels):
    """Return the chance that a passed case has a higher score than a failed one (ties: half), mean
    over the labels; pass and labels as in `balanced_accuracy`."""
    return mean_of_known(by_label(auc_of_sets, score, target, labels))


CORRELATIONS = (pearson, spearman, kendall)  # their intervals are made on Fisher's z
FROM_MINUS_ONE = (*CORRELATIONS, mean_spearman)  # their values run from -1 to 1; of others from 0
POOLED = (pearson, spearman)  # one number over all cases: taken rater by rater (`trial.Trial`)
OF_ORDER = (spearman, mean_spearman, kendall, pairwise_accuracy, auc)  # they see no distances
OF_TWO_KINDS = (balanced_accuracy, auc)  # their target is a pass or a fail


def find_guess(measure):
    """Return the value that guessing has: 0 of correlations, 0.5 of shares and areas."""
    return 0.0 if measure in FROM_MINUS_ONE else 0.5


# Label by label. `by_label` gives each of these functions many sets of cases at once.


def by_label(measure, score, target, labels):
    """Return the measure of the cases of each label (0, 1, …), nan for one without cases.

    measure: a function of score and target, sets x cases, that returns one value per set; labels
    with equally many cases are computed together.
    """
    counts = np.bincount(labels, minlength=np.max(labels, initial=-1) + 1)
    starts = np.cumsum(counts) - counts
    order = np.argsort(labels, kind="stable")  # the cases, one label after the other
    values = np.full(len(counts), np.nan)
    for size in np.unique(counts[counts > 0]):
        same_size = np.flatnonzero(counts == size)
        places = starts[same_size][:, None] + np.arange(size)
        cases = order[places]  # labels x their cases
        values[same_size] = measure(score[cases], target[cases])
    return values


def auc_of_sets(score, target):
    """Return the AUC of each set (score, target: sets x cases); nan with one kind of case.

    The ranks of the passed cases add up to the least that they can, yes (yes + 1) / 2, plus the
    number of failed cases below each.
    """
    passed = target > 0.5
    yes = passed.sum(axis=-1)
    no = (~passed).sum(axis=-1)
    ranks = stats.rankdata(score, axis=-1)
    rank_sum = np.where(passed, ranks, 0).sum(axis=-1)
    above = rank_sum - yes * (yes + 1) / 2
    pairs = yes * no
    return np.where(pairs > 0, above / np.maximum(pairs, 1), np.nan)


def tau_of_sets(score, target):
    """Return Kendall's tau-b of each set (score, target: sets x cases); 0 where a side is constant,
    nan for one case."""
    if score.shape[-1] < 2:
        return no_values(score)
    return rankings.tau_by_group(target, score)


def rho_of_sets(score, target):
    """Return Spearman's rho of each set, as `tau_of_sets` does Kendall's."""
    if score.shape[-1] < 2:
        return no_values(score)
    return rankings.rho_by_group(target, score)


def pair_accuracy_of_sets(score, target):
    """Return the pairwise accuracy of each set (score, target: sets x cases); nan where no pair is
    asked."""
    return np.asarray(rankings.pair_accuracy(target, score, "human ties dropped"))


OF_SETS = {  # measures that are a mean over labels: what gives the value of each label
    mean_spearman: rho_of_sets,
    kendall: tau_of_sets,
    pairwise_accuracy: pair_accuracy_of_sets,
    auc: auc_of_sets,
}


def no_values(score):
    """Return nan for each set; score: sets x cases."""
    return np.full(score.shape[:-1], np.nan)


def mean_of_known(values):
    """Return the mean of the known values, nan if there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan


# From sums over cases: what a group adds can be taken off again, which is quick (`blocks`).


def sum_by_label(parts, labels):
    """Return the sums of parts (kinds x cases) by label: kinds x labels."""
    return np.array([np.bincount(labels, part) for part in parts])


def list_hits(score, target):
    """Return by case 1 or 0: passed; passed and said Yes; failed; failed and said No (4 x
    cases)."""
    yes = score >= 0.5
    passed = target > 0.5
    return np.array([passed, passed & yes, ~passed, ~passed & ~yes], float)


def accuracy_of_sums(sums):
    """Return the balanced accuracy from the sums of `list_hits`, 4 x labels; more axes in front."""
    passed, hits, failed, rejections = np.moveaxis(sums, -2, 0)
    has_both = (passed > 0.5) & (failed > 0.5)  # labels with cases of both kinds
    hit_rate = hits / np.where(has_both, passed, 1)
    rejection_rate = rejections / np.where(has_both, failed, 1)
    accuracy = np.where(has_both, (hit_rate + rejection_rate) / 2, 0)
    count = has_both.sum(axis=-1)
    mean = accuracy.sum(axis=-1) / np.maximum(count, 1)
    return np.where(count > 0, mean, np.nan)[()]


def list_products(score, target):
    """Return by case: 1, score, target, their squares and their product (6 x cases)."""
    x = score - score.mean()  # so that sums stay exact
    y = target - target.mean()
    return np.array([np.ones_like(x), x, y, x * x, y * y, x * y])


def r_of_sums(sums):
    """Return Pearson's r from the sums of `list_products`, 6 x labels; more axes in front.

    In symbols, with sums within a label and then over labels:
    S_xy = sum of xy - (sum of x) (sum of y) / n, and r = S_xy / sqrt(S_xx S_yy).
    """
    n, x, y, xx, yy, xy = np.moveaxis(sums, -2, 0)
    cases = np.maximum(n, 1)
    s_xx = (xx - x * x / cases).sum(axis=-1)
    s_yy = (yy - y * y / cases).sum(axis=-1)
    s_xy = (xy - x * y / cases).sum(axis=-1)
    nothing = 1e-12 * n.sum(axis=-1)
    varies = (s_xx > nothing) & (s_yy > nothing)
    product = np.where(varies, s_xx * s_yy, 1)
    return np.where(varies, s_xy / np.sqrt(product), np.nan)[()]


# What is done to values before they are compared.


def centre(values, labels):
    """Return the values less the mean of each label."""
    counts = np.maximum(np.bincount(labels), 1)
    means = np.bincount(labels, values) / counts
    return values - means[labels]


def put_on_one_scale(values, labels):
    """Return the values less the mean of each label, over their standard deviation (0 where they do
    not vary); nan is left out of both."""
    known = ~np.isnan(values)
    scaled = np.full(len(values), np.nan)
    scaled[known] = centre(values[known], labels[known])
    spread = np.std(scaled[known])
    scaled = scaled / spread if spread > 1e-12 else scaled * 0
    return scaled.round(9)
