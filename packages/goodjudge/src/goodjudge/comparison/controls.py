"""Unread controls: what can be guessed about ratings without reading an item, learnt elsewhere."""

import numpy as np
import pandas as pd

from goodjudge.comparison.cases import label_cases
from goodjudge.stats import covariates, intervals, metrics
from goodjudge.stats.covariates import find_distinct, number_names
from goodjudge.stats.covariates import list_counts as list_counts  # found here, too

MEANS = {  # a control's name: the columns whose mean it takes from the other groups
    "the aspect's mean": ["aspect"],
    "authorship": ["writer"],
    "authorship and aspect": ["writer", "aspect"],
}
LENGTH, COUNT, CONSTANT = "length", "the best of the counts", "always the same"
POSITION = "position"  # the place in which an item was shown, a column of items
SHOWN_FIRST, SHOWN_LAST = "shown first", "shown last"  # the earlier, or the later, the better
KNOW_WRITER = ("authorship", "authorship and aspect")
BEST, BEST_STRANGER = "the best control", "the best without the writer"  # chosen group by group
AT_ONCE = 2_000_000  # numbers, at most, in a table of folds x kinds


def make_controls(cases, measure, within=(), labels=None):
    """Return {name: one score per case}: controls that read nothing, learnt on the other groups.

    cases: of `ratings.find_cases`; measure, within: of `learn_controls`; labels: `label_cases`
    within these columns, where they are known already.
    """
    labels = label_cases(cases, within) if labels is None else labels
    return learn_controls(covariates.lay_out(cases), measure, within, labels)


def learn_controls(known, measure, within, labels):
    """Return {name: one score per case} of the controls of cases, as `make_controls`.

    A mean that cannot differ `within` the named columns is left out, since it has a guess's value
    by construction; so is what needs a column (writer, words, other numbers) that is not there.
    known: `covariates.Unread`; measure: of `metrics`; guesses that were learnt in different groups
    are put on one scale for it (`put_on_scale_elsewhere`; means are places in an order where the
    measure asks for the order alone, `rank_means_elsewhere`), and are a Yes or a No for balanced
    accuracy: Yes from the mean on. None: guesses stay on the scale of the ratings. labels: a number
    from 0 for each case, the same for those alike in the columns `within`.
    """
    guesses = {CONSTANT: np.ones(len(known.target))}
    scale_labels = None if measure is None else labels
    folds = covariates.deal_folds(known)
    ranked = measure in metrics.OF_ORDER
    for name, by in MEANS.items():
        differs_within = not set(by) <= set(within)
        if differs_within and can_tell(known, by):
            guesses[name] = mean_elsewhere(known, by, scale_labels, ranked, folds)
    if "words" in known.names:
        words = known.counts[:, known.names.index("words")]
        if measure is metrics.balanced_accuracy:  # it asks for a Yes or a No
            guess, _ = follow_best(words[:, None], known.target, known.groups, scale_labels)
            guesses[LENGTH] = guess
        else:
            guesses[LENGTH] = follow_length(words, known.target, known.groups, labels)
    if POSITION in known.names:
        place = known.counts[:, known.names.index(POSITION)]
        if len(place) and np.ptp(place) > 0:
            guesses |= {SHOWN_FIRST: -place, SHOWN_LAST: place}
    is_count = [name != POSITION for name in known.names]
    if sum(is_count) > 1:
        counts = known.counts[:, is_count]
        guess, _ = follow_best(counts, known.target, known.groups, scale_labels)
        guesses[COUNT] = guess
    if measure is metrics.balanced_accuracy:
        for name in set(guesses) - {CONSTANT}:
            guess = guesses[name]
            guesses[name] = np.where(np.isnan(guess), np.nan, guess >= 0)
    return guesses


def can_tell(known, by):
    """Return whether means by some columns can differ: each is there, and has several values."""
    columns = {"aspect": known.aspects, "writer": known.writers}
    for name in by:
        if columns[name] is None:
            return False
        numbers = columns[name][columns[name] >= 0]
        if not len(numbers) or numbers.min() == numbers.max():
            return False
    return True


def mean_elsewhere(known, by, labels=None, ranked=False, folds=None):
    """Return for each case the mean target of the cases alike in `by` in other groups (or folds of
    groups, see `covariates.deal_folds`); nan where there are none.

    known: `covariates.Unread`; labels: a number for each case; with it, guesses of each fold are
    put on one scale (`put_on_scale_elsewhere`), as a measure within these labels needs it. ranked:
    they are places in an order instead (`rank_means_elsewhere`). folds: of `covariates.deal_folds`,
    where they are known already.
    """
    fold, dealt = folds or covariates.deal_folds(known)
    kind = known.number_kinds(by)
    if labels is None:
        alike = pd.Series(kind)
        if "writer" in by:
            alike = alike.where(known.writers >= 0)
        guess = average_others(pd.Series(known.target), alike, fold)
        if dealt:  # no fold is guessed higher than another
            guess = guess - guess.groupby(fold).transform("mean") + guess.mean()
        return guess.round(9).to_numpy(float)
    if ranked:
        return rank_means_elsewhere(known.target, kind, labels, fold).round(9)
    return scale_means_elsewhere(known.target, kind, labels, fold).round(9)


def rank_means_elsewhere(target, kind, labels, fold):
    """Return for each case the mean target of its kind in other folds as a place from 0 to 1: which
    share of the cases elsewhere with the same label has a lower guess (an equal one counts half; of
    a label that is nowhere else, of all cases elsewhere); nan where there is none.

    A writer's mean without this group is never quite that without the next one: it is lower where
    the writer did well in the group that is left out. A correlation does not feel so little, ranks
    do. In their eyes the writer's items are no longer equal but in order, and just in the wrong
    one: in twenty groups of four writers, authorship would have a rank correlation of .56 for .69
    (`tests/test_compare.py`). A writer's place among the writers is the same whichever group is
    left out. target, kind, labels, fold (numbers from 0): one per case.
    """
    known = ~np.isnan(target)
    kinds = kind.max() + 1
    names, fold = find_distinct(fold)
    places = np.full(len(target), np.nan)
    parts = int(np.ceil(len(names) * kinds / AT_ONCE))
    for some in np.array_split(np.arange(len(names)), parts):  # not too large a table at once
        here = np.flatnonzero((fold >= some[0]) & (fold <= some[-1]))
        total, count = sum_elsewhere(target, kind, fold, known, some, kinds)
        guess = divide_known(total, count).round(9)  # folds x kinds
        places[here] = share_below(guess, count)[fold[here] - some[0], kind[here]]
        for label in list_spread(labels, fold, known, here):
            alike = np.flatnonzero(labels == label)
            sides = target[alike], kind[alike], fold[alike], known[alike]
            _, count = sum_elsewhere(*sides, some, kinds)
            of_label = share_below(guess, count)
            here_too = alike[(fold[alike] >= some[0]) & (fold[alike] <= some[-1])]
            found = of_label[fold[here_too] - some[0], kind[here_too]]
            is_elsewhere = count.sum(axis=1)[fold[here_too] - some[0]] > 0
            places[here_too[is_elsewhere]] = found[is_elsewhere]
    return places


def list_spread(labels, fold, known, here):
    """Return the labels of the cases here that known cases of several folds have, or one fold other
    than that of a case here; labels, fold, known: one per case; here: positions of cases."""
    first = np.full(labels.max() + 1, fold.max() + 1)
    last = np.full(labels.max() + 1, -1)
    np.minimum.at(first, labels[known], fold[known])
    np.maximum.at(last, labels[known], fold[known])
    is_here_alone = (first[labels[here]] == fold[here]) & (last[labels[here]] == fold[here])
    is_nowhere = last[labels[here]] < 0
    return np.unique(labels[here][~is_here_alone & ~is_nowhere])


def scale_means_elsewhere(target, kind, labels, fold):
    """Return for each case the mean target of its kind in other folds, put on the scale of these
    folds (`put_on_scale_elsewhere`); nan where there is none.

    target, kind, labels, fold (numbers from 0): one per case. For all folds at once: cases of one
    kind and label are alike, so that it is enough to know how many of them are in other folds.
    """
    known = ~np.isnan(target)
    kinds = kind.max() + 1
    cells, cell = find_distinct(labels * kinds + kind)
    label_of_cell, kind_of_cell = np.divmod(cells, kinds)
    names, fold = find_distinct(fold)
    scaled = np.full(len(target), np.nan)
    parts = int(np.ceil(len(names) * len(cells) / AT_ONCE))
    for some in np.array_split(np.arange(len(names)), parts):  # not too large a table at once
        here = np.flatnonzero((fold >= some[0]) & (fold <= some[-1]))
        sums = sum_elsewhere(target, kind, fold, known, some, kinds)
        means = divide_known(*sums)[:, kind_of_cell]  # folds x cells
        _, count = sum_elsewhere(target, cell, fold, known, some, len(cells))
        total = np.where(count > 0, means, 0) * count
        of_fold = divide_known(total.sum(axis=1), count.sum(axis=1))
        is_of_label = label_of_cell[:, None] == np.arange(labels.max() + 1)
        of_label = divide_known(total @ is_of_label, count @ is_of_label)  # folds x labels
        of_label = np.where(np.isnan(of_label), of_fold[:, None], of_label)  # nowhere else
        centred = means - of_label[:, label_of_cell]
        squares = (np.where(count > 0, centred, 0) ** 2 * count).sum(axis=1)
        spread = np.sqrt(divide_known(squares, count.sum(axis=1)))
        varies = spread > 1e-9
        scaled_cells = np.where(
            varies[:, None], centred / np.where(varies, spread, 1)[:, None], centred * 0
        )
        scaled[here] = scaled_cells[fold[here] - some[0], cell[here]]
    return scaled


def sum_elsewhere(values, kinds, folds, known, some, number):
    """Return (sums of the known values, how many there are) of each kind 0, 1, … up to `number`,
    without each of some folds in turn: folds x kinds."""
    x, kind, fold = values[known], kinds[known], folds[known]
    is_asked = (fold >= some[0]) & (fold <= some[-1])
    place = (fold[is_asked] - some[0]) * number + kind[is_asked]
    size = len(some) * number
    own_total = np.bincount(place, x[is_asked], minlength=size).reshape(len(some), number)
    own_count = np.bincount(place, minlength=size).reshape(len(some), number)
    total = np.bincount(kind, x, minlength=number) - own_total
    return total, np.bincount(kind, minlength=number) - own_count


def divide_known(totals, counts):
    """Return totals over counts, nan where a count is 0."""
    return np.divide(totals, counts, out=np.full(np.shape(totals), np.nan), where=counts > 0)


def share_below(values, times):
    """Return for each value the share of all in its row that are lower; an equal one counts half;
    nan for nan, and where there are none.

    values: rows x kinds; times: how often each is there, rows x kinds, that of nan being 0.
    """
    kinds = values.shape[1]
    order = np.argsort(values, axis=1, kind="stable")  # nan last
    in_order = np.take_along_axis(values, order, axis=1)
    up_to = np.zeros((len(values), kinds + 1))  # how many the first, the first two, … are
    up_to[:, 1:] = np.cumsum(np.take_along_axis(times, order, axis=1), axis=1)
    is_first = np.ones(values.shape, bool)  # of equal ones
    is_first[:, 1:] = in_order[:, 1:] != in_order[:, :-1]
    is_last = np.ones(values.shape, bool)
    is_last[:, :-1] = is_first[:, 1:]
    place = np.arange(kinds)
    first = np.maximum.accumulate(np.where(is_first, place, 0), axis=1)
    backwards = np.where(is_last, place + 1, kinds)[:, ::-1]
    last = np.minimum.accumulate(backwards, axis=1)[:, ::-1]
    lower = np.take_along_axis(up_to, first, axis=1)
    not_higher = np.take_along_axis(up_to, last, axis=1)
    share = np.empty(values.shape)
    halves = divide_known((lower + not_higher) / 2, np.broadcast_to(up_to[:, -1:], values.shape))
    np.put_along_axis(share, order, halves, axis=1)
    return np.where(np.isnan(values), np.nan, share)


def put_on_scale_elsewhere(guess, labels, elsewhere):
    """Return guesses less the mean of their label, over the standard deviation, both taken from the
    cases elsewhere (True), whose ratings the guesses were learnt on.

    Leave out a group that is rated high, and the mean of the rest is low. So guesses that were
    learnt on the rest run against people, group by group. In the same way they differ little where
    the group that is left out differs much. Side by side over all groups, such guesses would seem
    to know less than they do: in twenty groups of two writers, authorship would have r = .21 for
    .34 (`tests/test_compare.py`).
    """
    known = elsewhere & ~np.isnan(guess)
    if not known.any():
        return guess * 0
    mean = average_kinds(guess, labels, known)
    mean = np.where(np.isnan(mean), guess[known].mean(), mean)  # of a label that is nowhere else
    centred = guess - mean[labels]
    spread = np.sqrt(np.mean(centred[known] ** 2))
    return centred / spread if spread > 1e-9 else centred * 0


def average_kinds(values, kinds, rows):
    """Return the mean value of each kind 0, 1, … over some cases, nan of a kind that has none.

    values, kinds: one per case; rows: True for the cases that count.
    """
    count = np.bincount(kinds[rows], minlength=kinds.max() + 1)
    total = np.bincount(kinds[rows], values[rows], minlength=kinds.max() + 1)
    return np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)


def average_others(values, alike, parts):
    """Return for each value the mean of those that are the same in `alike` and of another part; nan
    where there are none.

    values: a Series; alike: a Series with its index; parts: one number per value.
    """
    everywhere, here = values.groupby(alike), values.groupby([alike, parts])
    total = everywhere.transform("sum") - here.transform("sum")
    count = everywhere.transform("count") - here.transform("count")
    return total / count.where(count > 0)


def deal_groups(cases, groups):
    """Return the fold of each case, one of five, a group's all the same (`covariates.deal_groups`).

    groups: a number from 0 for each case.
    """
    return covariates.deal_groups(
        groups, number_names(cases["writer"]) if "writer" in cases else None
    )


def follow_length(words, target, groups, labels):
    """Return the number of words of each case, negative where shorter items are rated higher (by
    the covariance within the labels).

    words, target (nan: not known), groups, labels (0, 1, …): one per case. The sign for each half
    of the groups is chosen on the other half. Where the halves differ, words count from the mean of
    their label: say longer items are rated lower in the first half, higher in the second. Then an
    item of the first half counts as its words above the mean, one of the second half as its words
    below it.
    """
    is_known = ~np.isnan(words + target)

    def sign_on(half):
        rows = is_known & half
        x = metrics.centre(words[rows], labels[rows])
        y = metrics.centre(target[rows], labels[rows])
        return 1 if (x @ y).round(9) >= 0 else -1

    is_first = groups % 2 == 0  # every other group
    sign_of_first = sign_on(~is_first)
    sign_of_second = sign_on(is_first)
    if sign_of_first == sign_of_second:
        return sign_of_first * words
    centred = np.full(len(words), np.nan)
    has_words = ~np.isnan(words)
    centred[has_words] = metrics.centre(words[has_words], labels[has_words])
    sign = np.where(is_first, sign_of_first, sign_of_second)
    return (sign * centred).round(9)


def best_count(cases, counts):
    """Return (guesses, {group: the count chosen}) of `follow_best`, guesses on the scale of the
    ratings.

    cases: of `ratings.find_cases`; counts: the names of columns.
    """
    codes, names = pd.factorize(cases["group"])
    target = cases["target"].to_numpy(float)
    guess, best = follow_best(cases[counts].to_numpy(float), target, codes)
    return guess, {name: counts[count] for name, count in zip(names, best) if count >= 0}


def follow_best(values, target, groups, labels=None):
    """Return (guesses, the place of the count chosen for each group, -1 for none): a line through
    the one count that follows the target best, chosen and fitted on the other groups (largest
    absolute Pearson's r).

    values: cases x counts; target (nan: not known), groups (0, 1, …): one per case. labels: a
    number for each case; with it, the guesses of each group are put on one scale, as
    `put_on_scale_elsewhere` does. On that scale the height of a line and how steep it is are lost:
    what is left of it is the count itself (`scale_elsewhere`), upwards or downwards.
    """
    guess = np.full(len(target), np.nan)
    known = ~np.isnan(values).any(axis=1) & ~np.isnan(target)
    number = groups.max(initial=-1) + 1
    if not known.any():
        return guess, np.full(number, -1)
    r, slopes = fit_elsewhere(values[known], target[known], groups[known], number)
    best = np.argmax(r.round(9), axis=1)  # of each group
    has_others = known.sum() > np.bincount(groups[known], minlength=number)  # to learn from
    best = np.where(has_others, best, -1)
    for count in np.unique(best[best >= 0]):
        here = (best == count)[groups]
        slope = slopes[groups, count]
        x = values[:, count]
        if labels is None:
            mean_x = average_elsewhere(x, groups, known)[groups]
            mean_target = average_elsewhere(target, groups, known)[groups]
            line = mean_target + slope * (x - mean_x)
        else:
            line = np.sign(slope) * scale_elsewhere(x, labels, groups, known)
        guess[here] = line[here]
    return guess.round(9), best


def average_elsewhere(values, groups, known):
    """Return for each group 0, 1, … the mean of the known values of the other groups (0 where there
    are none); values, groups, known (True or False): one per case."""
    number = groups.max() + 1
    count = np.bincount(groups[known], minlength=number)
    total = np.bincount(groups[known], values[known], minlength=number)
    return (total.sum() - total) / np.maximum(count.sum() - count, 1)


def scale_elsewhere(values, labels, groups, known):
    """Return for each value `put_on_scale_elsewhere` of it, where elsewhere is all known values of
    other groups than its own: less the mean of its label there, over the standard deviation there.

    values, labels, groups (0, 1, …), known (True or False): one per case. As in `fit_elsewhere`,
    the sums of a group are taken off those of all cases. A label's sum of squares about its mean is
    the sum of xx - (sum of x) (sum of x) / n; a group changes that of its own labels alone.
    """
    x = values - values[known].mean()
    cells, cell = find_distinct(groups * (labels.max() + 1) + labels)
    group_of_cell, label_of_cell = np.divmod(cells, labels.max() + 1)

    def sum_over(kinds, number):
        """Return n, sum of x and sum of xx of each kind 0, 1, …"""
        parts = np.ones(len(x)), x, x * x
        return [np.bincount(kinds[known], part[known], minlength=number) for part in parts]

    of_label = sum_over(labels, labels.max() + 1)
    of_cell = sum_over(cell, len(cells))
    n, sum_x, sum_xx = [whole[label_of_cell] - own for whole, own in zip(of_label, of_cell)]
    squares = find_squares(n, sum_x, sum_xx) - find_squares(*of_label)[label_of_cell]
    number = groups.max() + 1
    squares_of_group = np.bincount(group_of_cell, squares, minlength=number)
    squares_elsewhere = find_squares(*of_label).sum() + squares_of_group
    n_elsewhere = known.sum() - np.bincount(groups[known], minlength=number)
    varies = squares_elsewhere > 1e-12 * (x[known] ** 2).sum()
    spread = np.sqrt(np.where(varies, squares_elsewhere, 1) / np.maximum(n_elsewhere, 1))
    mean = average_elsewhere(x, groups, known)[group_of_cell]  # of a label that is nowhere else
    mean = np.divide(sum_x, n, out=mean, where=n > 0.5)
    return np.where(varies[groups], (x - mean[cell]) / spread[groups], x * 0)


def find_squares(n, sum_x, sum_xx):
    """Return the sum of squares about the mean of n numbers from their sums; 0 of none."""
    return np.where(n > 0.5, sum_xx - sum_x * sum_x / np.maximum(n, 1), 0.0)


def fit_elsewhere(values, target, groups, number):
    """Return (absolute Pearson's r with the target, slope of the line through it), of each count
    without each group: groups x counts; both 0 where the count or the target does not vary.

    values: cases x counts; target, groups (0, 1, … up to `number`): one per case. The sums of a
    group are taken off those of all cases, so that a thousand groups take no minute. In symbols,
    sums running over the n cases elsewhere,

        s_xy = sum of xy - (sum of x) (sum of y) / n,   r = |s_xy| / sqrt(s_xx s_yy)
        slope = s_xy / s_xx
    """
    x = np.ascontiguousarray((values - values.mean(axis=0)).T)  # so that sums stay exact
    y = target - target.mean()

    def sum_others(parts):
        sums = np.array([np.bincount(groups, part, minlength=number) for part in parts])
        return (sums.sum(axis=1, keepdims=True) - sums).T  # groups x parts

    cases_elsewhere = len(target) - np.bincount(groups, minlength=number)
    n = np.maximum(cases_elsewhere, 1)[:, None]  # groups x 1
    sum_x, sum_y = sum_others(x), sum_others([y])  # groups x counts, groups x 1
    s_xx = sum_others(x * x) - sum_x * sum_x / n
    s_yy = sum_others([y * y]) - sum_y * sum_y / n
    s_xy = sum_others(x * y) - sum_x * sum_y / n
    x_varies = s_xx > 1e-12 * (x * x).sum(axis=1)
    y_varies = s_yy > 1e-12 * (y * y).sum()
    varies = x_varies & y_varies
    r = np.abs(s_xy) / np.sqrt(np.where(varies, s_xx * s_yy, 1))
    slope = s_xy / np.where(varies, s_xx, 1)
    return np.where(varies, r, 0), np.where(varies, slope, 0)


def count_longer(items, scores):
    """Return how often scores (0 to 1, of an item beside a partner; their mean counts) prefer the
    longer of the two: estimate, low, high, n (groups)."""
    words = items.set_index("item")["words"]
    mean = scores.groupby(["group", "item", "partner"])["score"].mean().reset_index()
    longer = mean[mean["item"].map(words) > mean["partner"].map(words)]
    won = (longer["score"] > 0.5) + 0.5 * (longer["score"] == 0.5)  # in one order each: half
    return intervals.of_mean(won.groupby(longer["group"]).mean())
