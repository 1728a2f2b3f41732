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
    deal = pd.factorize(cases["rater"], sort=True)[0] % MOST
    alone = [part for _, part in cases.groupby(deal)]
    places = [locate(cases.drop(part.index), part, binary, spread) for part in alone]
    people = pd.concat(alone)
    given = [(PERSON, people, people["person"].to_numpy(float), np.hstack(places))]
    cells = cases.drop_duplicates(["item", "aspect"])
    places = np.array(locate(cases, cells, binary, spread))
    judges = ratings.match_scores(cells, scores)
    given = [(name, cells, score, places) for name, score in judges.items()] + given
    rows = {}
    for name, table, score, places in given:
        answered = ~np.isnan(score + places[0])
        columns = np.vstack([score, places])[:, answered]
        kin = table["group"].to_numpy()[answered]
        line = fit_line(*columns, binary)
        left = intervals.leave_out(kin, lambda rows, c=columns: fit_line(*c[:, rows], binary))
        if left.ndim < 2:  # one group: without it nothing is left
            left = np.full((len(left), 2), np.nan)
        for k, which in enumerate(("leniency", "slope")):
            rows[name, which] = intervals.combine(line[k], [left[:, k]], level)
    return pd.DataFrame(rows).T.rename_axis(["who", None])


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
