"""Judges as raters in the many-facet model: how lenient, and how far scores rise with people's."""

import numpy as np
import pandas as pd

from helpers.measures import intervals, ratings
from helpers.measures.compare import PERSON


def find_strictness(data, scores, level=0.95):
    """Return rows (who, leniency) and (who, slope) of each judge and of a person: estimate, low,
    high, n (groups).

    data: `Ratings`; scores: of `compare`. People alone say how high an item and an aspect lie
    (`locate`); for a person, all other people. Then a line for each scorer: leniency is its height
    on the average item above that of the average rater; slope, how far it rises where people rise
    by 1 (1: as they do; 0: it does not follow). Where people say Yes or No both are in logits, as
    in the many-facet Rasch model (Linacre 1989; slopes: Uto & Ueno 2020), else in points. Intervals
    by the jackknife over groups with the heights held. Their own error makes every slope smaller, a
    person's most: read a judge's beside it.
    """
    cases = ratings.find_cases(data)
    binary = bool(cases["person"].isin([0, 1]).all())
    alone = [part for _, part in cases.groupby("rater")]
    places = [locate(cases.drop(part.index), part, binary) for part in alone]
    people = pd.concat(alone)
    given = [(PERSON, people, people["person"].to_numpy(float), np.hstack(places))]
    cells = cases.drop_duplicates(["item", "aspect"])
    places = np.array(locate(cases, cells, binary))
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


def locate(people, wanted, binary):
    """Return (height of the item above the average one, height of the average item on the aspect by
    the average rater) for each row of `wanted`, by an additive model of item, aspect and rater: in
    points by least squares, in logits with scikit-learn's penalty, as some items all pass. nan
    where all people say Yes, or all No."""
    from sklearn.linear_model import LogisticRegression, Ridge  # takes a second to import
    from sklearn.preprocessing import OneHotEncoder

    if binary and people["person"].nunique() < 2:
        return np.full(len(wanted), np.nan), np.full(len(wanted), np.nan)
    facets = ["item", "aspect", "rater"]
    coder = OneHotEncoder(handle_unknown="ignore").fit(people[facets])
    known = coder.transform(people[facets])
    points = Ridge(1e-4, solver="sparse_cg", tol=1e-10)
    model = LogisticRegression(tol=1e-8, max_iter=1000) if binary else points
    model.fit(known, people["person"])
    ends = np.cumsum([0, *(len(kinds) for kinds in coder.categories_)])
    weights = np.split(np.ravel(model.coef_), ends[1:-1])
    item, aspect, rater = (known[:, a:b] @ one for a, b, one in zip(ends, ends[1:], weights))
    new = coder.transform(wanted[facets])
    height = new[:, : ends[1]] @ weights[0] - item.mean()
    level = new[:, ends[1] : ends[2]] @ weights[1] + item.mean() + rater.mean()
    return height.round(6), (level + np.ravel(model.intercept_)).round(6)


def fit_line(score, height, level, binary):
    """Return (leniency, slope) of the line of a score over the items' height, nan where it does not
    vary or two scores alone would fix it."""
    import statsmodels.api as sm

    if len(score) < 3 or np.ptp(score) == 0 or np.ptp(height) == 0:
        return np.array([np.nan, np.nan])
    family = sm.families.Binomial() if binary else sm.families.Gaussian()
    return sm.GLM(score, sm.add_constant(height), family, offset=level).fit().params
