"""Two levels of agreement: do scores order the writers (systems), and the items of one group?"""

import numpy as np
import pandas as pd

from helpers.measures import controls, intervals, ratings

SHUFFLES, THRESHOLDS = 1000, 200
LEVELS = ["writers", "items of a group"]


def compare_levels(data, scores, rng, level=0.95):
    """Return two rows per judge and control (who, level: kind, estimate, low, high, n: groups),
    against the mean over raters and aspects: how alike writers are ordered, and the items of a
    group.

    data: `Ratings` whose items have a writer and a group, such as systems and prompts; scores: of
    `compare`. writers: soft pairwise accuracy, the mean of 1 - |p - q| over pairs of writers; p and
    q are the chances, by people and by the scores, that swapping the two within groups at random
    gives a larger lead (Thompson, Mathur, Deutsch & Khayrallah 2024). items of a group: the share
    of pairs that both order alike or both tie; scores nearer than a threshold are tied, so that no
    scale gains by its steps. It is chosen for each group on the others (tie calibration, out of
    sample; Deutsch, Foster & Freitag 2023). A control that is known for some items only, such as
    length, is compared on these, and so is everybody else: two more rows ("writers, where length is
    known").
    """
    cases = ratings.find_cases(ratings.average_aspects(data), "all")
    judges, unread = ratings.match_scores(cases, scores), controls.make_controls(cases, None)
    signs, rows = rng.choice([-1.0, 1.0], size=(SHUFFLES, cases["group"].nunique())), {}
    partial = [name for name, guess in unread.items() if np.isnan(guess).any()]
    whole = {name: score for name, score in (judges | unread).items() if name not in partial}
    sets = {"": (whole, np.ones(len(cases), bool))}
    for name in partial:
        here = ~np.isnan(unread[name])
        if here.any():
            sets[f", where {name} is known"] = whole | {name: unread[name]}, here
    for where, (given, here) in sets.items():
        for name, score in given.items():
            people, judge = pair_up(cases, np.where(here, score, np.nan))
            ordered = order_writers(people, judge, signs), order_items(people, judge)
            kind = "judge" if name in judges else "control"
            for which, parts in zip(LEVELS, ordered):
                rows[name, which + where] = {"kind": kind, **intervals.combine(*parts, level)}
    found = pd.DataFrame.from_dict(rows, orient="index").rename_axis(["who", "level"])
    return found.assign(**found[["low", "high"]].clip(0, 1))  # shares


def pair_up(cases, score):
    """Return the differences of all pairs of writers, groups x pairs, by people and by the scores;
    nan where there is none."""
    table = cases.assign(score=score).dropna(subset=["score"])
    cells = table.groupby(["group", "writer"])[["target", "score"]].mean()
    sides = [cells[name].unstack().to_numpy() for name in ("target", "score")]
    first, second = np.triu_indices(sides[0].shape[1], 1)
    return [(side[:, first] - side[:, second]).round(9) for side in sides]


def order_writers(people, judge, signs):
    """Return (soft pairwise accuracy, [the same without each group]), nan without a pair."""
    if not people.size:
        return np.nan, [np.full(len(people), np.nan)]
    chances = []
    for side in map(np.nan_to_num, (people, judge)):
        lead, drawn = side.sum(axis=0), signs[:, : len(side)] @ side
        less = [(lead - one, drawn - np.outer(sign, one)) for one, sign in zip(side, signs.T)]
        above = [
            np.sign((many - one).round(9)).mean(axis=0) for one, many in [(lead, drawn), *less]
        ]
        chances.append((1 + np.array(above)) / 2)  # a draw counts half
    found = 1 - np.abs(chances[0] - chances[1]).mean(axis=1)
    return found[0], [found[1:]]


def order_items(people, judge):
    """Return (accuracy in pairs with ties, [the same without each group]), nan without a pair."""
    known = ~np.isnan(judge)
    if not known.any():  # no group has items of two writers
        return np.nan, [np.full(len(judge), np.nan)]
    steps = np.unique(np.abs(judge[known]))
    steps = steps[np.linspace(0, len(steps) - 1, min(len(steps), THRESHOLDS)).astype(int)]
    tied = np.where(np.abs(judge)[..., None] <= steps, 0, np.sign(judge)[..., None])
    right = (np.sign(people)[..., None] == tied) & known[..., None]
    share = right.sum(axis=1) / known.sum(axis=1)[:, None]  # groups x thresholds

    def best(total):
        return share[np.arange(len(share)), np.argmax((total - share).round(9), axis=1)]

    left = [np.delete(best(share.sum(axis=0) - one), k).mean() for k, one in enumerate(share)]
    return best(share.sum(axis=0)).mean(), [np.array(left)]
