"""Two levels of agreement about writers (systems): do scores order them over all groups, and two
writers' items in one group? Neither asks about two items by one writer."""

import numpy as np
import pandas as pd

from goodjudge.comparison import controls
from goodjudge.data import ratings
from goodjudge.stats import intervals

SHUFFLES, THRESHOLDS = 1000, 200
LEVELS = ["writers, over all groups", "two writers' items in a group"]


def compare_levels(data, scores, rng, level=0.95):
    """Return two rows per judge and control (who, level: kind, estimate, low, high, n: groups),
    against the mean over raters and aspects: how alike writers are ordered over all groups, and how
    alike two writers' items in one group.

    data: `Ratings` whose items have a writer and a group, such as systems and prompts; scores: of
    `compare`. Over all groups: soft pairwise accuracy, the mean of 1 - |p - q| over pairs of
    writers; p and q are the chances, by people and by the scores, that swapping the two within
    groups at random gives a larger lead (Thompson, Mathur, Deutsch & Khayrallah 2024). In a group:
    the share of pairs (of two writers; several items of one writer are averaged) that both order
    alike or both tie; scores nearer than a threshold are tied, so that no scale gains by its steps.
    It is chosen for each group on the others (tie calibration, out of sample; Deutsch, Foster &
    Freitag 2023). A control that is known for some items only, such as length, is compared on
    these, and so is everybody else: two more rows ("…, where length is known").
    """
    cases = ratings.find_cases(ratings.average_aspects(data), "all")
    judges = ratings.match_scores(cases, scores)
    unread = controls.make_controls(cases, None)
    signs = rng.choice([-1.0, 1.0], size=(SHUFFLES, cases["group"].nunique()))
    rows = {}
    for where, (scorers, answered) in list_sets(judges, unread, len(cases)).items():
        for name, score in scorers.items():
            pairs = pair_up(cases, np.where(answered, score, np.nan))
            accuracies = [order_writers(*pairs, signs), order_items(*pairs)]
            for words, (estimate, without) in zip(LEVELS, accuracies):
                row = intervals.combine(estimate, without, level)
                kind = "judge" if name in judges else "control"
                rows[name, words + where] = {"kind": kind, **row}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis(["who", "level"])
    ends = table[["low", "high"]].clip(0, 1)  # shares
    return table.assign(low=ends["low"], high=ends["high"])


def list_sets(judges, unread, many):
    """Return {words for it: ({name: one score per case}, which cases)}: all who scored everything
    on all cases, and for each control that is known for some cases only, all of them on these.

    judges, unread: {name: one score per case}, nan where there is none; many: how many cases.
    """
    partial = [name for name, guess in unread.items() if np.isnan(guess).any()]
    everybody = judges | unread
    whole = {name: score for name, score in everybody.items() if name not in partial}
    sets = {"": (whole, np.ones(many, bool))}
    for name in partial:
        known = ~np.isnan(unread[name])
        if known.any():
            sets[f", where {name} is known"] = whole | {name: unread[name]}, known
    return sets


def pair_up(cases, score):
    """Return the differences of all pairs of writers, groups x pairs, by people and by the scores;
    nan where there is none."""
    table = cases.assign(score=score).dropna(subset=["score"])
    means = table.groupby(["group", "writer"])[["target", "score"]].mean()
    people = means["target"].unstack().to_numpy()  # groups x writers
    judge = means["score"].unstack().to_numpy()
    first, second = np.triu_indices(people.shape[1], 1)
    by_people = people[:, first] - people[:, second]
    by_judge = judge[:, first] - judge[:, second]
    return by_people.round(9), by_judge.round(9)


def order_writers(people, judge, signs):
    """Return (soft pairwise accuracy, [the same without each group]), nan without a pair.

    people, judge: groups x pairs of writers, of `pair_up`; signs: shuffles x groups, 1 or -1.
    """
    known = ~np.isnan(people) & ~np.isnan(judge)
    met = known.any(axis=0)  # pairs of writers who both wrote in some group
    if not met.any():
        return np.nan, [np.full(len(people), np.nan)]
    people, judge = people[:, met], judge[:, met]
    apart = np.abs(find_chances(people, signs) - find_chances(judge, signs))
    accuracy = 1 - apart.mean(axis=1)
    return accuracy[0], [accuracy[1:]]


def find_chances(differences, signs):
    """Return the chance, for each pair of writers, that swapping the two within groups at random
    gives a larger lead; a draw counts half. The first row is for all groups, then one without each
    group: (1 + groups) x pairs.

    differences: groups x pairs, nan where there is none; signs: shuffles x groups, 1 or -1.
    """
    differences = np.nan_to_num(differences)
    signs = signs[:, : len(differences)]
    lead = differences.sum(axis=0)  # of each pair
    drawn = signs @ differences  # shuffles x pairs
    chances = [share_above(drawn, lead)]
    for group, own in enumerate(differences):
        drawn_without = drawn - np.outer(signs[:, group], own)
        chances.append(share_above(drawn_without, lead - own))
    return np.array(chances)


def share_above(drawn, lead):
    """Return how often drawn leads (shuffles x pairs) are larger than the lead of each pair; equal
    ones count half."""
    larger = np.sign((drawn - lead).round(9)).mean(axis=0)  # -1 … 1
    return (1 + larger) / 2


def order_items(people, judge):
    """Return (accuracy in pairs with ties, [the same without each group]), nan without a pair.

    people, judge: groups x pairs of a group's items, of `pair_up`. The threshold below which two
    scores tie is chosen for each group on the others.
    """
    known = ~np.isnan(judge)
    has_pair = known.any(axis=1)
    if not has_pair.any():  # no group has items of two writers
        return np.nan, [np.full(len(judge), np.nan)]
    people, judge, known = people[has_pair], judge[has_pair], known[has_pair]
    shares = count_right(people, judge, known, list_thresholds(judge[known]))
    total = shares.sum(axis=0)  # of each threshold
    accuracy = choose_elsewhere(shares, total).mean()
    without_each = []
    for group, own in enumerate(shares):
        # each other group's threshold is chosen on the rest; the entry of this group itself, taken
        # off twice, means nothing and goes
        without = choose_elsewhere(shares, total - own)
        without_each.append(np.delete(without, group).mean())
    return accuracy, [np.array(without_each)]


def list_thresholds(differences):
    """Return the sizes of differences, 200 of them at most, evenly chosen."""
    sizes = np.unique(np.abs(differences))
    many = min(len(sizes), THRESHOLDS)
    chosen = np.linspace(0, len(sizes) - 1, many).astype(int)
    return sizes[chosen]


def count_right(people, judge, known, thresholds):
    """Return the share of a group's pairs that both order alike or both tie, groups x thresholds.

    people, judge, known: groups x pairs; a judge's difference up to the threshold is a tie.
    """
    size = np.abs(judge)[..., None]  # groups x pairs x 1, against each threshold
    sign = np.sign(judge)[..., None]
    order_by_judge = np.where(size <= thresholds, 0, sign)  # groups x pairs x thresholds
    order_by_people = np.sign(people)[..., None]
    is_right = (order_by_people == order_by_judge) & known[..., None]
    return is_right.sum(axis=1) / known.sum(axis=1)[:, None]


def choose_elsewhere(shares, total):
    """Return each group's share at the threshold that is best on the others.

    shares: groups x thresholds; total: their sum over the groups that count, each threshold's. Say
    three groups have at two thresholds

        shares       total - own    best elsewhere    returned
        0.2  0.9       1.1  0.5        the first         0.2
        0.6  0.4       0.7  1.0        the second        0.4
        0.5  0.1       0.8  1.3        the second        0.1
    """
    elsewhere = (total - shares).round(9)  # groups x thresholds
    best = np.argmax(elsewhere, axis=1)
    return shares[np.arange(len(shares)), best]
