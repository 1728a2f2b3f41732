"""HANNA's raters by name: their severity, agreement without it, the ceiling that noise sets."""

import itertools
from functools import partial

import numpy as np
import pandas as pd

from helpers.evolvr.agreement import pair_up, same_rater_differences
from helpers.evolvr.compare import correlate
from helpers.evolvr.load import ASPECTS, rating_array
from helpers.measures.intervals import over_groups


def _fit_effects(arrays, codes):
    """Return raters x aspects: points above the others on the same stories, by least squares,
    sheets' mean 0."""
    scores, who = np.moveaxis(arrays, 0, -1), np.eye(codes.max() + 1)[codes]
    inside = (who - who.mean(axis=1, keepdims=True)).reshape(-1, who.shape[-1])
    centred = (scores - scores.mean(axis=1, keepdims=True)).reshape(-1, len(arrays))
    found = np.linalg.lstsq(inside.T @ inside, inside.T @ centred, rcond=1e-10)[0]
    return found - found[codes.ravel()].mean(axis=0)


def rater_effects(arrays, who):
    """Return how many points each rater gives above the others on the same stories: raters x
    aspects (minus: severe).

    arrays: aspects x stories x 3; who: stories x 3, the rater's name. The model is rating = story +
    rater, for each aspect.
    """
    codes, names = pd.factorize(who.ravel(), sort=True)
    effects = _fit_effects(arrays, codes.reshape(who.shape))
    return pd.DataFrame(effects, names, list(ASPECTS)).rename_axis("rater")


def without_severity(arrays, who):
    """Return the ratings minus what each rater gives above the others, same shape (no longer whole
    numbers)."""
    codes = pd.factorize(who.ravel())[0].reshape(who.shape)
    return arrays - np.moveaxis(_fit_effects(arrays, codes)[codes], -1, 0)


def _rest_variance(arrays, who, separate=1):
    """Return the variance of single ratings within stories once severity is away, by aspect.

    One degree of freedom less for each rater; separate: in how many parts nobody rates stories of
    two parts.
    """
    free = without_severity(arrays, who)
    squares = ((free - free.mean(axis=2, keepdims=True)) ** 2).sum(axis=(1, 2))
    return squares / (2 * arrays.shape[1] - len(pd.unique(who.ravel())) + separate)


def variances(arrays, who, systems=None):
    """Return by aspect the variances of a single rating: stories, severity, rest; and of a story's
    mean rating.

    rest: what is left within stories once severity is away. severity: by how much the variance
    within stories falls. stories: of means without severity, less their share of the rest. The
    model (generalizability theory) is additive: what one rater sees in one story that others do not
    counts as rest. With `systems` a column tastes: the part of the rest that each rater's severity
    with each writer explains.
    """
    rest, free = _rest_variance(arrays, who), without_severity(arrays, who)
    rated, clean = (x.mean(axis=2).var(axis=1, ddof=1) for x in (arrays, free))
    columns = {
        "stories": clean - rest / 3,
        "severity": arrays.var(axis=2, ddof=1).mean(axis=1) - rest,
        "rest": rest,
        "mean as rated": rated,
        "mean without severity": clean,
    }
    if systems is not None:
        by_writer = np.char.add(who, np.asarray(systems, str)[:, None])
        columns["tastes"] = rest - _rest_variance(arrays, by_writer, len(set(systems)))
    return pd.DataFrame(columns, list(ASPECTS))


def ceilings(arrays, who, prompts):
    """Return the highest possible correlation with mean ratings, over all aspects together: as
    rated, and without severity.

    The square root of the share of the means' variance that belongs to stories and aspects. The 95
    % intervals (jackknife) speak of other prompts for these writers and raters.
    """

    def ceiling(kind, rows):
        found = variances(arrays[:, rows], who[rows]).mean()
        levels = arrays[:, rows].mean(axis=(1, 2)).var()
        return np.sqrt((found["stories"] + levels) / (found[f"mean {kind}"] + levels))

    rows = {
        kind: over_groups(prompts, partial(ceiling, kind), scale="correlation")
        for kind in ("as rated", "without severity")
    }
    return pd.DataFrame(rows).T.astype({"n": int})


def _rater_correlation(ratings, first=None):
    """Return a statistic: positions of items -> Pearson's r between two raters of one item, over
    all pairs of raters.

    ratings: items x 3, nan where somebody did not rate; every pair of raters counts in both orders.
    first: where items are differences of two stories, the ratings of the first one; then the two
    raters exchange it, so that no difference is by one person.
    """
    one, other = np.array(list(itertools.permutations(range(3), 2))).T
    exchanged = 0 if first is None else first.T[one] - first.T[other]
    return correlate(ratings.T[one] - exchanged, ratings.T[other] + exchanged)


def about_pairs(arrays, who, prompts):
    """Return (between, change): how far two raters agree about one story and about two, and what
    comparing adds.

    between: estimate, low, high, n of Pearson's r by aspect and view, and the mean r of all six.
    Views: story (as rated); story, no severity; singly (two stories of a prompt, one rating from
    either rater, severity removed); pair (the same stories and raters, each rater's own
    difference). change: pair minus singly. 95 % intervals (jackknife) speak of other prompts.
    """
    a, b = pair_up(prompts)
    free, pairs = without_severity(arrays, who), same_rater_differences(arrays, who, a, b)
    views = {
        "story": (prompts, [_rater_correlation(x) for x in arrays]),
        "story, no severity": (prompts, [_rater_correlation(x) for x in free]),
        "singly": (prompts[a], [_rater_correlation(*x) for x in zip(pairs, free[:, a])]),
        "pair": (prompts[a], [_rater_correlation(x) for x in pairs]),
    }
    averaged = {aspect: [number] for number, aspect in enumerate(ASPECTS)}
    averaged["mean of all six"] = range(6)
    between, change = {}, {}
    for aspect, chosen in averaged.items():

        def r(view, rows, chosen=chosen):
            return np.mean([views[view][1][k](rows) for k in chosen])

        def gain(rows, r=r):
            return r("pair", rows) - r("singly", rows)

        for view, (of, _) in views.items():
            between[aspect, view] = over_groups(of, partial(r, view), scale="correlation")
        change[aspect] = over_groups(prompts[a], gain)
    return pd.DataFrame(between).T.astype({"n": int}), pd.DataFrame(change).T.astype({"n": int})


def profile(sheets):
    """Return one row per rater with at least 90 sheets: sheets, median seconds, share of
    sheets with one score throughout, and r (estimate, low, high) with the mean of the other two
    raters of the same stories.

    r: severity and aspects' means away, all aspects together; 95 % intervals (jackknife) speak of
    other prompts.
    """
    arrays, who, stories = rating_array(sheets)
    free = without_severity(arrays, who)
    free -= free.mean(axis=(1, 2), keepdims=True)
    others, rows = (free.sum(axis=2, keepdims=True) - free) / 2, {}
    for name, part in sheets.groupby("rater"):
        if len(part) < 90:
            continue
        at, slot = np.nonzero(who == name)
        follows = correlate(free[:, at, slot], others[:, at, slot])
        r = over_groups(stories["prompt"].to_numpy()[at], follows, scale="correlation")
        rows[name] = {
            "sheets": len(part),
            "median seconds": part["seconds"].median(),
            "one score throughout": part[list(ASPECTS)].nunique(axis=1).eq(1).mean(),
            **r.drop("n"),
        }
    return pd.DataFrame(rows).T.astype({"sheets": int}).rename_axis("rater")
