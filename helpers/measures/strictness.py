"""Judges as raters in the many-facet model: how lenient, and how far scores rise with people's."""

import numpy as np
import pandas as pd

from helpers.measures import intervals, model, ratings
from helpers.measures.compare import PERSON

MOST = 20  # raters who are left out one by one; of more, several at once
LOGIT = 1.7  # a logit is so many standard deviations of the normal model


def find_strictness(data, scores, level=0.95):
    """Return rows (who, leniency) and (who, slope) of each judge and of a person: estimate, low,
    high, n (groups).

    data: `Ratings`; scores: of `compare`. People alone say how high an item and an aspect lie
    (`locate`); for a person, all other people. Then a line for each scorer: leniency is its height
    on the average item above that of the average rater; slope, how far it rises where people rise
    by 1 (1: as they do; 0: it does not follow). Where people say Yes or No both are in logits, as
    in the many-facet Rasch model (Linacre 1989; slopes: Uto & Ueno 2020), else in points. Intervals
    by the jackknife over groups with the heights held. Heights are drawn towards their mean as far
    as their own error asks (random effects, variances of `model`), so that it moves no slope in
    points. In logits what is left of this error brings leniency and slope nearer to 0: by a tenth
    to a quarter where three people say Yes or No to one aspect, by less with several aspects.
    """
    cases = ratings.find_cases(data)
    binary = bool(cases["person"].isin([0, 1]).all())
    spread = find_spread(data, binary)
    rows = {}
    cells = cases.drop_duplicates(["item", "aspect"])
    places = np.array(locate(cases, cells, binary, spread))
    for name, score in ratings.match_scores(cells, scores).items():
        leniency, slope = rate_line(score, places, cells["group"].to_numpy(), binary, level)
        rows[name, "leniency"], rows[name, "slope"] = leniency, slope
    people, places = locate_by_others(cases, binary, spread)
    score, groups = people["person"].to_numpy(float), people["group"].to_numpy()
    leniency, slope = rate_line(score, places, groups, binary, level)
    rows[PERSON, "leniency"], rows[PERSON, "slope"] = leniency, slope
    return pd.DataFrame(rows).T.rename_axis(["who", None])


def locate_by_others(cases, binary, spread):
    """Return (the cases, sorted by raters; 2 x cases: height of item and of aspect, of `locate`),
    each rater's from all other raters; more than twenty raters are left out several at once."""
    dealt = pd.factorize(cases["rater"], sort=True)[0] % MOST
    own = [part for _, part in cases.groupby(dealt)]
    places = [locate(cases.drop(part.index), part, binary, spread) for part in own]
    return pd.concat(own), np.hstack(places)


def rate_line(score, places, groups, binary, level):
    """Return (leniency, slope), a row each (estimate, low, high, n), of one scorer.

    score: one per case; places: 2 x cases, of `locate`; groups: of each case.
    """
    answered = ~np.isnan(score + places[0])
    columns = np.vstack([score, places])[:, answered]
    line = fit_line(*columns, binary)
    left = intervals.leave_out(groups[answered], lambda kept: fit_line(*columns[:, kept], binary))
    if left.ndim < 2:  # one group: without it nothing is left
        left = np.full((len(left), 2), np.nan)
    leniency = intervals.combine(line[0], [left[:, 0]], level)
    slope = intervals.combine(line[1], [left[:, 1]], level)
    return leniency, slope


def find_spread(data, binary):
    """Return the standard deviations of items, aspects and raters over that of a rating's error: of
    what is known of them before their ratings; in logits, or in points. Error is all that the line
    leaves out, also what an item has on one aspect alone. Aspects are hardly drawn."""
    variances = model.fit(model.lay_out(data), np.random.default_rng(0)).variances
    item = variances.get("group", 0) + variances.get("item", 0)
    rater = variances.get("rater", 0)
    error = sum(variances.values()) - item - rater
    unit = LOGIT if binary else 1.0
    sizes = {"item": item, "aspect": np.inf, "rater": rater}
    return {
        name: float(np.clip(unit * np.sqrt(size / max(error, 1e-12)), 1e-3, 10.0)) if size else 0.0
        for name, size in sizes.items()
    }


def locate(people, wanted, binary, spread):
    """Return (height of the item above the average one, height of the average item on the aspect by
    the average rater) for each row of `wanted`, by an additive model of item, aspect and rater: in
    points or in logits, each effect drawn towards 0 as far as its `spread` says. nan where all
    people say Yes, or all No, and where items do not differ."""
    from sklearn.linear_model import LogisticRegression, Ridge  # takes a second to import
    from sklearn.preprocessing import OneHotEncoder

    unknown = np.full(len(wanted), np.nan)
    if spread["item"] == 0 or (binary and people["person"].nunique() < 2):
        return unknown, unknown
    facets = ["item", "aspect", "rater"]
    coder = OneHotEncoder(handle_unknown="ignore").fit(people[facets])
    sizes = [len(kinds) for kinds in coder.categories_]
    scale = np.repeat([spread[facet] for facet in facets], sizes)
    known = coder.transform(people[facets]).multiply(scale).tocsr()
    points = Ridge(1.0, solver="sparse_cg", tol=1e-10)
    chances = LogisticRegression(tol=1e-8, max_iter=1000)
    fitted = (chances if binary else points).fit(known, people["person"])
    ends = np.cumsum([0, *sizes])
    weights = np.split(np.ravel(fitted.coef_), ends[1:-1])
    item, aspect, rater = (known[:, a:b] @ one for a, b, one in zip(ends, ends[1:], weights))
    new = coder.transform(wanted[facets]).multiply(scale).tocsr()
    height = new[:, : ends[1]] @ weights[0] - item.mean()
    level = new[:, ends[1] : ends[2]] @ weights[1] + item.mean() + rater.mean()
    return height.round(6), (level + np.ravel(fitted.intercept_)).round(6)


def fit_line(score, height, level, binary):
    """Return (leniency, slope) of the line of a score over the items' height, nan where it does not
    vary or two scores alone would fix it."""
    import statsmodels.api as sm

    if len(score) < 3 or np.ptp(score) == 0 or np.ptp(height) == 0:
        return np.array([np.nan, np.nan])
    family = sm.families.Binomial() if binary else sm.families.Gaussian()
    return sm.GLM(score, sm.add_constant(height), family, offset=level).fit().params
