"""Judges as raters in the many-facet model: how lenient each is, and whether its scores rise with
people's.

People alone say how high each item and each aspect lies (`locate`). Then a line is laid through
each scorer's scores over the items' heights:

    score = level of the aspect + leniency + slope x height of the item

A judge of points that gives every item half a point more than people, and follows them fully, has
leniency 0.5 and slope 1; one that always says the same has slope 0. Where people say Yes or No the
same sum is in logits. `find_strictness` gives the rows, which a card shows.
"""

import numpy as np
import pandas as pd
from scipy import sparse, special

from goodjudge.comparison.cases import limit_groups
from goodjudge.comparison.compare import PERSON
from goodjudge.comparison.random_effects.design import lay_out
from goodjudge.comparison.random_effects.fit import fit_model
from goodjudge.data import ratings
from goodjudge.stats import intervals

FACETS = ["item", "aspect", "rater"]
MOST = 20  # raters who are left out one by one; of more, several at once
LOGIT = 1.7  # a logit is so many standard deviations of the normal model


def find_strictness(data, scores, level):
    """Return rows (who, leniency) and (who, slope) of each judge and of a person: estimate, low,
    high, n (groups).

    data: `Ratings`; scores: of `compare`. People alone say how high an item and an aspect lie
    (`locate`); for a person, all other people. Then a line for each scorer: leniency is its height
    on the average item above that of the average rater; slope, how far it rises where people rise
    by 1 (1: as they do; 0: it does not follow). Where people say Yes or No both are in logits, as
    in the many-facet Rasch model (Linacre 1989; slopes: Uto & Ueno 2020), else in points. Intervals
    by the jackknife over groups with the heights held. Heights are shrunk towards their mean as far
    as their own error asks (random effects, variances of `model`), so that it moves no slope in
    points. In logits what is left of this error brings leniency and slope nearer to 0: by a tenth
    to a quarter where three people say Yes or No to one aspect, by less with several aspects.
    All is nan where no item has two raters: a strict rater and poor items look alike.
    """
    cases = ratings.find_cases(data)
    if cases.empty:
        return know_nothing(scores)
    binary = bool(cases["person"].isin([0, 1]).all())
    spread = find_spread(data, binary)
    cells = cases.drop_duplicates(["item", "aspect"])
    of_cells = locate(cases, cells, binary, spread)  # height and aspect's level x cells
    groups = number_groups(cells)
    lines = {}
    for judge, score in ratings.match_scores(cells, scores).items():
        lines[judge] = rate_line(score, of_cells, groups, binary, level)
    own, of_own = locate_by_others(cases, binary, spread)
    person = own["person"].to_numpy(float)
    lines[PERSON] = rate_line(person, of_own, number_groups(own), binary, level)
    return lay_out_lines(lines)


def number_groups(cases):
    """Return the group of each case as a number; of very many groups, of 200 blocks of them."""
    return limit_groups(pd.factorize(cases["group"], sort=True)[0])


def know_nothing(scores):
    """Return the rows of `find_strictness` where nothing is known; scores: of `compare`."""
    nothing = intervals.row(), intervals.row()
    everybody = [*scores["judge"].unique(), PERSON]
    return lay_out_lines({who: nothing for who in everybody})


def lay_out_lines(lines):
    """Return the table of `find_strictness`; lines: {who: (leniency, slope)}, a row each."""
    rows = {}
    for who, (leniency, slope) in lines.items():
        rows[who, "leniency"] = leniency
        rows[who, "slope"] = slope
    return pd.DataFrame(rows).T.rename_axis(["who", None])


def locate_by_others(cases, binary, spread):
    """Return (the cases, in another order; 2 x cases: height of item and of aspect, of `locate`),
    each rater's from all other raters. The cases are sorted by raters; of more than twenty several
    raters are left out at once, and the cases are sorted by which go together.

    cases: of `ratings.find_cases`; binary, spread: of `find_strictness`.
    """
    rater, _ = pd.factorize(cases["rater"], sort=True)
    folds = []
    of_folds = []
    for _, fold in cases.groupby(rater % MOST):
        others = cases.drop(fold.index)
        folds.append(fold)
        of_folds.append(locate(others, fold, binary, spread))
    return pd.concat(folds), np.hstack(of_folds)


def rate_line(score, heights_and_levels, groups, binary, confidence):
    """Return (leniency, slope), a row each (estimate, low, high, n), of one scorer.

    score: one per case; heights_and_levels: 2 x cases, of `locate`; groups: of each case;
    confidence: of the intervals, such as 0.95.
    """
    height, aspect_level = heights_and_levels
    answered = ~np.isnan(score + height)
    score, height, aspect_level = score[answered], height[answered], aspect_level[answered]

    def fit(kept):
        return fit_line(score[kept], height[kept], aspect_level[kept], binary)

    line = fit(np.arange(len(score)))  # leniency, slope
    without = intervals.leave_out(groups[answered], fit)  # groups x 2
    if without.ndim < 2:  # one group: without it nothing is left
        without = np.full((len(without), 2), np.nan)
    leniency = intervals.combine(line[0], [without[:, 0]], confidence)
    slope = intervals.combine(line[1], [without[:, 1]], confidence)
    return leniency, slope


def find_spread(data, binary):
    """Return {facet: standard deviation of its effects over that of a rating's error}: what is
    known of items, aspects and raters before their ratings; in logits (binary), or in points.

    data: `Ratings`. Error is all that the line leaves out, also what an item has on one aspect
    alone. Aspects may differ as they like.
    """
    model = fit_model(lay_out(data), np.random.default_rng(0))
    variances = model.variances
    item = variances.get("group", 0) + variances.get("item", 0)
    rater = variances.get("rater", 0)
    error = sum(variances.values()) - item - rater
    unit = LOGIT if binary else 1.0
    variance_of = {"item": item, "aspect": np.inf, "rater": rater}
    spread = {}
    for facet in FACETS:
        ratio = unit * np.sqrt(variance_of[facet] / max(error, 1e-12))
        bounded = float(np.clip(ratio, 1e-3, 10.0))
        spread[facet] = bounded if variance_of[facet] else 0.0
    return spread


def locate(people, wanted, binary, spread):
    """Return 2 x rows of `wanted`: how high the item lies above the average one, and the aspect's
    level, which is what the average rater gives the average item on it.

    people: the cases that tell (item, aspect, rater, person); wanted: rows with item and aspect;
    spread: of `find_spread`. In points, or in logits (binary); nan where all people say Yes, or all
    No, and where items do not differ. In the fitted sum of effects half a point more for every item
    and less for every aspect would be the same. So the mean of the items is taken off the heights
    and added to the levels, as is the mean of the raters:

                    item    aspect    rater    constant
        the fit      1.5     -0.5      0.2       3.0      means: items 0.5, raters 0.1
        returned     1.0 (height)      -0.5 + 0.5 + 0.1 + 3.0 = 3.1 (level of the aspect)
    """
    is_unknown = spread["item"] == 0 or (binary and people["person"].nunique() < 2)
    if is_unknown:
        return np.full((2, len(wanted)), np.nan)
    effects, constant = fit_effects(people, binary, spread)
    average_item = people["item"].map(effects["item"]).to_numpy().mean()
    average_rater = people["rater"].map(effects["rater"]).to_numpy().mean()
    item = wanted["item"].map(effects["item"]).fillna(0)  # 0: nobody else rated it
    aspect = wanted["aspect"].map(effects["aspect"]).fillna(0)
    height = item - average_item
    aspect_level = aspect + average_item + average_rater + constant
    return np.array([height.round(6), aspect_level.round(6)])


def fit_effects(people, binary, spread):
    """Return ({facet: the effect of each of its names, a Series}, the constant) of an additive
    model of item, aspect and rater, each effect shrunk towards 0 as far as its `spread` says: ridge
    regression, of Yes and No penalised logistic regression.

    people, binary, spread: as `locate` takes them.
    """
    coded = {facet: pd.factorize(people[facet], sort=True) for facet in FACETS}
    rows = np.arange(len(people))
    parts, scale = [], []
    for facet, (codes, names) in coded.items():
        # a penalty of 1 on weights of columns that are scaled is one on effects over their spread
        values = np.full(len(people), spread[facet])
        parts.append(sparse.csr_array((values, (rows, codes)), (len(people), len(names))))
        scale.append(np.full(len(names), spread[facet]))
    constant = sparse.csr_array(np.ones((len(people), 1)))
    features = sparse.hstack([*parts, constant], format="csr")  # cases x (all names, constant)
    score = people["person"].to_numpy(float)
    items = len(coded["item"][1])
    fit = fit_logistic if binary else fit_ridge
    weights = fit(features, score, items)
    effects = weights[:-1] * np.concatenate(scale)
    ends = np.cumsum([len(names) for _, names in coded.values()])[:-1]
    of_facets = zip(coded.items(), np.split(effects, ends))
    found = {facet: pd.Series(own, names) for (facet, (_, names)), own in of_facets}
    return found, float(weights[-1])


def fit_ridge(features, target, items, weight=None):
    """Return the weights of (weighted) least squares with a penalty of 1 on each weight but the
    last, the constant.

    features: sparse, cases x columns, the first of which are the items, one per case: they are
    solved for in terms of all others, of which there are few.
    """
    weighted = features if weight is None else features.multiply(weight[:, None]).tocsr()
    products = (weighted.T @ features).tocsr()
    sums = weighted.T @ target
    of_items = products.diagonal()[:items] + 1.0
    beside = products[:items, items:]  # items x others
    shares = sparse.diags_array(1 / of_items) @ beside
    penalty = np.ones(features.shape[1] - items)
    penalty[-1] = 0.0
    equations = (
        products[items:, items:].toarray() + np.diag(penalty) - (beside.T @ shares).toarray()
    )
    others = np.linalg.solve(equations, sums[items:] - shares.T @ sums[:items])
    return np.concatenate([sums[:items] / of_items - shares @ others, others])


def fit_logistic(features, score, items, rounds=100):
    """Return the weights of a logistic regression of 1 and 0, with the penalty of `fit_ridge`, by
    Newton's method."""
    weights = np.zeros(features.shape[1])
    for _ in range(rounds):
        chance = special.expit(features @ weights)
        weight = np.clip(chance * (1 - chance), 1e-12, None)
        working = features @ weights + (score - chance) / weight
        before, weights = weights, fit_ridge(features, working, items, weight)
        if np.abs(weights - before).max() < 1e-10:
            break
    return weights


def fit_line(score, height, aspect_level, binary):
    """Return (leniency, slope) of the line of a score over the items' height, nan where it does not
    vary or two scores alone would fix it.

    The line is score = aspect_level + leniency + slope x height, by least squares, of Yes and No by
    logistic regression. Two items of heights -1 and 1 on an aspect of level 3, to which a judge
    gives 2.5 and 4.5, would have leniency 0.5 and slope 1.
    """
    if len(score) < 3 or np.ptp(score) == 0 or np.ptp(height) == 0:
        return np.array([np.nan, np.nan])
    sides = np.column_stack([np.ones(len(score)), height])
    if not binary:
        return np.linalg.lstsq(sides, score - aspect_level, rcond=None)[0]
    chance = (score + 0.5) / 2
    logit = special.logit(chance)
    misfit = np.inf
    for _ in range(100):  # scores that a line parts wholly have no finite slope
        weight = np.clip(chance * (1 - chance), 1e-12, None)
        working = logit + (score - chance) / weight - aspect_level
        root = np.sqrt(weight)
        line = np.linalg.lstsq(sides * root[:, None], working * root, rcond=None)[0]
        logit = sides @ line + aspect_level
        chance = special.expit(logit)
        before, misfit = misfit, -2 * special.log_expit(np.where(score > 0.5, logit, -logit)).sum()
        if abs(before - misfit) < 1e-8:
            break
    return line
