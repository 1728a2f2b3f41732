"""Agreement between raters: chance-corrected coefficients, correlations, shuffles, subsets."""

import warnings
from itertools import permutations, product

import numpy as np
import pandas as pd
from scipy import sparse

from helpers.measures import ratings, statistics

# pingouin's names of the intraclass correlations, and Shrout and Fleiss's
ICCS = {"1,1": "ICC1", "A,1": "ICC2", "C,1": "ICC3"}
ICCS |= {"1,k": "ICC1k", "A,k": "ICC2k", "C,k": "ICC3k"}
# the agreement that chance gives; p: share of passes, n: verdicts in all
CHANCE = {
    "Fleiss' kappa": lambda p, n: p**2 + (1 - p) ** 2,
    "Krippendorff's alpha": lambda p, n: 1 - 2 * p * (1 - p) * n / (n - 1),
    "Gwet's AC1": lambda p, n: 2 * p * (1 - p),
}
SINGLY, FOLDS = 100, 10  # items, up to which each is a fold of its own; folds of more
LEAST = 20  # ratings of a rater on an aspect, from which `adjust_raters` takes severity off
SOME = 10  # other ratings of a rater, from which severity is learnt elsewhere or seen to differ


def count_passes(verdicts):
    """Return how many experts pass each story (rows: group, story) on each test (columns)."""
    return verdicts.groupby(["group", "story", "test"])["passed"].sum().unstack().astype(int)


def coefficient(counts, kind="Fleiss' kappa", raters=3, weights=None):
    """Return a chance-corrected coefficient for each column of `counts` (items x tests, passes out
    of `raters`); nan where all agree on one label.

    kind: of CHANCE. Krippendorff's alpha is kappa with chance drawn without replacement; the chance
    term of Gwet's AC1 shrinks, not grows, when one label dominates (Gwet 2008). raters: a number,
    or one for every count (2 at least): items weigh alike in the observed agreement, verdicts in
    the share. `weights` (replicates x items) gives one row of coefficients per replicate: 0/1 for
    subsets, multiplicities for a bootstrap.
    """
    counts = np.asarray(counts, float)
    raters = np.broadcast_to(np.asarray(raters, float), counts.shape)
    weights = np.ones(counts.shape[-2]) if weights is None else np.asarray(weights, float)
    items = weights.sum(axis=-1, keepdims=True)
    pairs = raters * (raters - 1)
    pairs_alike = counts * (counts - 1) + (raters - counts) * (raters - counts - 1)
    observed = weights @ (pairs_alike / pairs) / items
    verdicts = weights @ raters
    share = weights @ counts / verdicts
    chance = CHANCE[kind](share, verdicts)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)


def fleiss_kappa(counts, raters=3, weights=None):
    """Return Fleiss' kappa for each column of `counts`; see `coefficient`."""
    return coefficient(counts, "Fleiss' kappa", raters, weights)


def shuffle_assessments(verdicts, by, permutations, rng):
    """Return mean Fleiss' kappas after shuffling whole assessments among those alike in `by`.

    An assessment is all that one expert says about one story; its verdicts stay together, since
    they are not independent. by=["writer"] keeps how often each writer passes and destroys
    agreement about single stories; by=["expert", "group", …] keeps how strict each expert is.
    """
    keys = list(dict.fromkeys(["story", "expert", *by]))
    wide = verdicts.pivot(index=keys, columns="test", values="passed")
    grid = wide.to_numpy(int)  # assessments x tests
    labels = wide.index.to_frame(index=False)
    story = labels.groupby(["story"]).ngroup().to_numpy()
    kind = labels.groupby(by).ngroup().to_numpy()
    places = np.argsort(kind, kind="stable")  # of the assessments, one kind after the other
    kappas = []
    for _ in range(permutations):
        drawn = np.lexsort((rng.random(len(kind)), kind))  # the same, at random within a kind
        shuffled = np.empty_like(grid)
        shuffled[places] = grid[drawn]
        counts = np.zeros((story.max() + 1, grid.shape[1]), int)  # stories x tests
        np.add.at(counts, story, shuffled)
        kappas.append(np.nanmean(fleiss_kappa(counts)))
    return np.array(kappas)


def search_subsets(counts, groups, printed, kind="Fleiss' kappa"):
    """Score every non-empty subset of groups: how many printed values (two decimals) does the
    coefficient reproduce?

    Return one row per subset, best first: left_out (tuple of groups), groups, matches,
    largest_difference.
    """
    names = np.unique(groups)
    subsets = [subset[::-1] for subset in product([0, 1], repeat=len(names))]
    kept = np.array(subsets[1:], float)  # subsets x groups, without the empty one
    weights = kept[:, np.searchsorted(names, groups)]  # subsets x items
    values = coefficient(counts, kind, weights=weights)
    away = np.abs(values - np.asarray(printed))
    table = pd.DataFrame(
        {
            "left_out": [tuple(names[subset == 0].tolist()) for subset in kept],
            "groups": kept.sum(axis=1).astype(int),
            "matches": (away <= 0.005 + 1e-9).sum(axis=1),
            "largest_difference": np.nanmax(away, axis=1),
        }
    )
    by = ["matches", "largest_difference"]
    return table.sort_values(by, ascending=[False, True], kind="stable", ignore_index=True)


def spread_slots(verdicts):
    """Return tests passed (0-14): rows (group, story), columns expert slots in order of number."""
    scores = verdicts.groupby(["group", "story", "expert"], as_index=False)["passed"].sum()
    slot = scores.groupby("story")["expert"].rank().astype(int)
    return scores.assign(slot=slot).pivot(index=["group", "story"], columns="slot", values="passed")


def pair_correlation(slots):
    """Return Pearson r over all ordered pairs of exchangeable columns (items x raters; nan where a
    rater did not rate)."""
    raters = np.asarray(slots, float).T  # raters x items
    pairs = [*permutations(raters, 2)]
    first = np.concatenate([left for left, _ in pairs])
    second = np.concatenate([right for _, right in pairs])
    both = ~np.isnan(first + second)
    return float(np.corrcoef(first[both], second[both])[0, 1])


def mean_correlation(slots):
    """Return the mean Pearson r over all pairs of columns of an items x raters array."""
    r = np.corrcoef(np.asarray(slots, float), rowvar=False)
    return float(r[np.triu_indices_from(r, 1)].mean())


def average_reliability(r, raters):
    """Return the reliability of a mean of raters, two of whom correlate at r (Spearman-Brown)."""
    return raters * r / (1 + (raters - 1) * r)


def icc_table(matrix):
    """Return ICC1 to ICC3k of items x raters: ICC, F, df1, df2, p, low, high (95 %)."""
    import pingouin as pg  # takes a second to import

    pg.options["round.column.CI95"] = 6  # two decimals otherwise, and 0.999 would be 1
    long = pd.DataFrame(np.asarray(matrix, float)).stack().rename_axis(["item", "rater"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pingouin on pandas 3; constant matrices
        table = pg.intraclass_corr(long.reset_index(name="score"), "item", "rater", "score")
    kinds = table["Type"].str[4:-1].map(ICCS)
    table = table.rename(columns={"pval": "p"}).set_index(kinds).rename_axis("kind")
    bounds = np.stack(table["CI95"].to_numpy())
    return table[["ICC", "F", "df1", "df2", "p"]].assign(low=bounds[:, 0], high=bounds[:, 1])


def find_severity(data):
    """Return (ratings, freedom): the ratings with `severity`, by how many points this rater scores
    above the others on the same items (minus: severe), and the degrees of freedom that are left.

    data: `Ratings`. The model is score = item + rater, aspect by aspect, by least squares; over all
    ratings of an aspect the mean severity is 0. Raters who share no item, directly or through
    others, are each compared with their own circle only.
    """
    table = ratings.list_scores(data)
    severity = np.zeros(len(table))
    freedom = 0
    for rows, item, rater, score in split_aspects(table):
        severity[rows], of_aspect = fit_severity(item, rater, score)
        freedom += of_aspect
    return table.assign(severity=severity), freedom


def link_raters(item, rater, score):
    """Return (met, shared, apart), the normal equations of score = item + rater by least squares
    with the items taken off: shared @ severity = apart.

    item, rater: whole numbers from 0, one per rating. met: raters x raters, how much they meet on
    items (sparse); shared: raters x raters; apart: by how much each rater's scores, added up, lie
    above those that their items have on average.
    """
    rated = sparse.csr_array((np.ones(len(item)), (item, rater)))  # items x raters
    each = sparse.diags_array(1 / np.maximum(rated.sum(axis=1), 1))
    met = rated.T @ each @ rated
    shared = np.diag(rated.sum(axis=0)) - met.toarray()
    item_means = each @ np.bincount(item, score)
    apart = np.bincount(rater, score) - rated.T @ item_means
    return met, shared, apart


def fit_severity(item, rater, score):
    """Return (severity per rating, degrees of freedom left) of score = item + rater; item, rater:
    whole numbers from 0, one per rating."""
    met, shared, apart = link_raters(item, rater, score)
    circles, circle = sparse.csgraph.connected_components(met)
    same_circle = circle[:, None] == circle
    effects = np.linalg.solve(shared + same_circle, apart)  # a circle's sum is 0
    severity = effects[rater] - effects[rater].mean()
    freedom = len(score) - len(np.unique(item)) - len(effects) + circles
    return severity.round(9), freedom


def split_aspects(table):
    """Yield (positions of the rows, item, rater, score) of each aspect of a table of
    `ratings.list_scores`; item and rater: whole numbers from 0, in sorted order."""
    for rows in table.groupby("aspect").indices.values():
        part = table.iloc[rows]
        item = pd.factorize(part["item"], sort=True)[0]
        rater = pd.factorize(part["rater"], sort=True)[0]
        yield rows, item, rater, part["score"].to_numpy(float)


def remove_severity(data):
    """Return the data with each rater's severity taken off the scores, learnt without the item that
    is corrected: for correlations over the ratings of different people.

    data: `Ratings`. A rater's severity on an item is that on the other items (`shrink_severity`),
    so that no rating helps to correct itself: least squares with the rating in it makes raters of
    few items agree about nothing. More than a hundred items are dealt into ten folds, and the other
    nine tell. A rater who rated fewer than ten other items on the aspect is left as he or she is.
    """
    table = ratings.list_scores(data)
    free = table["score"].to_numpy(float).copy()
    for rows, item, rater, score in split_aspects(table):
        if np.bincount(rater).max() >= SOME:
            free[rows] -= find_severity_elsewhere(item, rater, score)
    return data._replace(ratings=table.assign(score=free.round(9)))


def find_severity_elsewhere(item, rater, score):
    """Return for each rating its rater's severity on the other items (`remove_severity`), 0 where
    there are too few; item, rater: whole numbers from 0, one per rating of an aspect."""
    shrink = find_shrinkage(item, rater, score)
    items = item.max() + 1
    folds = items if items <= SINGLY else FOLDS
    severity = np.zeros(len(score))
    for fold in range(folds):
        here = item % folds == fold
        there = ~here
        if not here.any() or not there.any():
            continue
        effects, times = shrink_severity(item[there], rater[there], score[there], shrink)
        known = np.zeros(rater.max() + 1)
        known[: len(effects)] = np.where(times >= SOME, effects, 0.0)
        severity[here] = known[rater[here]]
    return severity


def adjust_raters(data):
    """Return the data with each rater's severity on an aspect taken off all of his or her scores:
    for correlations that are taken rater by rater (`compare.compare`).

    data: `Ratings`. Severity is drawn towards 0 (`shrink_severity`). It is one number per rater and
    aspect, so what a rater thinks of one item against another stays as it was; what changes is the
    mean of several raters. A rater who rated fewer than twenty items on the aspect is left as he or
    she is: from so few, raters would seem to agree about nothing (benchmarks/passport.py).
    """
    table = ratings.list_scores(data)
    free = table["score"].to_numpy(float).copy()
    for rows, item, rater, score in split_aspects(table):
        shrink = find_shrinkage(item, rater, score)
        severity, times = shrink_severity(item, rater, score, shrink)
        severity = np.where(times >= LEAST, severity, 0.0)
        free[rows] -= severity[rater]
    return data._replace(ratings=table.assign(score=free.round(9)))


def estimate_severity(data):
    """Return rows (rater, points, ratings): by how many points each rater scores above the others
    on the same items (minus: severe), the mean over the aspects, drawn towards 0 the more the fewer
    ratings there are (`shrink_severity`); and whether all raters are linked by common items."""
    table = ratings.list_scores(data)
    points = np.zeros(len(table))
    linked = True
    for rows, item, rater, score in split_aspects(table):
        shrink = find_shrinkage(item, rater, score)
        severity, _ = shrink_severity(item, rater, score, shrink)
        points[rows] = severity[rater]
        circles = np.unique(find_circles(item, rater))
        linked = linked and len(circles) == 1
    by_rater = table.assign(points=points.round(9)).groupby("rater")
    return by_rater.agg(points=("points", "mean"), ratings=("score", "size")), linked


def find_circles(item, rater):
    """Return for each rating the circle of raters that it belongs to: 0, 1, … Raters of one circle
    share items, directly or through others; item, rater: whole numbers from 0."""
    rated = sparse.csr_array((np.ones(len(item)), (item, rater)))
    return sparse.csgraph.connected_components(rated.T @ rated)[1][rater]


def share_of_largest_circle(data):
    """Return the share of the ratings that are by the largest circle of raters (`find_circles`), on
    the aspect where it is smallest."""
    table = ratings.list_scores(data)
    shares = [1.0]
    for rows, item, rater, _ in split_aspects(table):
        shares.append(np.bincount(find_circles(item, rater)).max() / len(rows))
    return float(min(shares))


def know_severity(rater, least=LEAST):
    """Return whether most ratings are by raters with `least` or more, so that severity can be told
    from noise; rater: a whole number from 0 for each rating of an aspect."""
    times = np.bincount(rater)[rater]
    return bool((times >= least).mean() >= 0.5)


def know_all_severity(data):
    """Return whether severity can be told from noise on every aspect (`know_severity`)."""
    table = ratings.list_scores(data)
    parts = [part for _, part in table.groupby("aspect")["rater"]]
    return all(know_severity(pd.factorize(part)[0]) for part in parts)


def find_shrinkage(item, rater, score):
    """Return the variance of the rest over that of severity, both by least squares; infinite where
    raters do not differ in severity. item, rater: whole numbers from 0, one per rating."""
    severity, freedom = fit_severity(item, rater, score)
    if freedom <= 0:
        return np.inf
    rest = statistics.centre(score - severity, item)
    error = (rest**2).sum() / freedom
    times = np.bincount(rater)
    rated = times > 0
    effects = np.bincount(rater, severity)[rated] / times[rated]
    spread = effects.var(ddof=1) if len(effects) > 1 else 0.0
    spread -= error * (1 / times[rated]).mean()
    if spread <= 1e-9:
        return np.inf
    return float((error / spread).round(6)) if error > 1e-12 else 0.0


def shrink_severity(item, rater, score, shrink):
    """Return (severity of each rater 0, 1, …; ratings that tell of it) by score = item + rater, the
    raters a sample from many: each drawn towards 0 by `shrink` ratings' weight (Henderson 1975)."""
    times = np.bincount(rater)
    if np.isinf(shrink):
        return np.zeros(len(times)), times
    _, shared, apart = link_raters(item, rater, score)
    drawn = shared + np.diag(np.full(len(times), max(shrink, 1e-6)))
    return np.linalg.solve(drawn, apart).round(9), times
