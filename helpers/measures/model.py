"""One generative model of ratings: what raters share about an item, what is a rater's own, noise.

A rating is a sum of independent normal parts: what is known unread (the aspect's mean, and as much
of a control's guess as people follow), the group's, the item's and the item's on this aspect; then
what is the rater's alone: severity, also on this aspect and in this group, a liking for this item,
and the rest.
Points are this sum. A Yes is a sum above 0. A ranking is the order of the sums of one rater's items
of a group (Thurstone's model). The variances of the parts are found by restricted maximum
likelihood (Patterson & Thompson 1971) where there are few ratings, else by moments (what the
products of residuals of any two ratings should be; Haseman & Elston 1972). Of verdicts and ranks
the latent variances are those under which simulated studies show, on average, the same moments.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import optimize, sparse, stats

from helpers.measures import ratings
from helpers.measures.trial import ALONE

POINTS, VERDICTS, RANKS = "points", "verdicts", "ranks"
PARTS = {  # what is shared by all ratings that are alike in these columns
    "group": ["group"],
    "item": ["item"],
    "item x aspect": ["item", "aspect"],
    "rater": ["rater"],
    "rater x aspect": ["rater", "aspect"],
    "rater x group": ["rater", "group"],
    "rater x item": ["rater", "item"],
}
SHARED = ("group", "item", "item x aspect")  # what a judge can know of an item by reading it
REST = "rest"
SETS = 20  # ordered without a tie: fewer may be so by chance
FEW = 450  # ratings, up to which restricted maximum likelihood is quick
ROUNDS, MATCHED = 12, 16  # of matching; simulated studies in each
STEP = 0.8  # of the way to what the latent location of ranks should be: it overshoots less
MOST = 50.0  # the largest latent variance, that of the rest being 1


class Design(NamedTuple):
    """Who rated what.

    rows: item, group, aspect, rater, score; codes: {part: a whole number for each row}; fixed: rows
    x columns, what is known unread; kind: of POINTS, VERDICTS, RANKS; sets: a whole number for each
    row, the same for one rater's scores of an aspect (of ranks: within a group); scale: for each
    row, how far apart its rater's points lie, 1 being usual.
    """

    rows: pd.DataFrame
    codes: dict
    fixed: np.ndarray
    kind: str
    sets: np.ndarray
    scale: np.ndarray


class Model(NamedTuple):
    """A fitted model. location: what is known unread, for each row of the design (on the latent
    scale); variances: {part: number}; lens: how a new study of this design is fitted in one step;
    weights: of the columns of `fixed`, on the scale of the scores; observed: {part: the variance
    that such fits show on average}; steepness: {part: by how many per cent that rises where the
    latent variance rises by one}."""

    design: Design
    location: np.ndarray
    variances: dict
    lens: object
    weights: np.ndarray
    observed: dict
    steepness: dict


def lay_out(data, known=None, within=()):
    """Return the `Design` of ratings.

    data: `Ratings`; known: a guess for each item and aspect, made without reading and learnt on
    other groups (a Series by item and aspect; nan: no guess); within: columns of items whose
    differences the measure leaves out. Repeated ratings are averaged.
    """
    taken_off = [name for name in within if name in data.items and name not in ("item", "group")]
    facts = dict.fromkeys(["kind"] * ("kind" in data.items) + taken_off)  # each once
    rows = list_rows(data, facts)
    kind = find_kind(rows)
    if kind == RANKS:
        sets = rows.groupby(["rater", "group", "aspect"]).ngroup()
        rows["score"] = rows.groupby(sets)["score"].rank()
    else:
        sets = rows.groupby(["rater", "aspect"]).ngroup()
    codes = list_parts(rows, kind, taken_off)
    fixed = list_fixed(rows, facts, known)
    scale = find_scale(rows) if kind == POINTS else np.ones(len(rows))
    return Design(rows, codes, fixed, kind, sets.to_numpy(), scale)


def list_rows(data, facts):
    """Return one row per item, aspect and rater: these, the score (the mean of repeated ones), the
    group and other `facts` of the item."""
    case = ["item", "aspect", "rater"]
    scores = ratings.list_scores(data).groupby(case)["score"].mean().astype(float)
    return scores.reset_index().merge(data.items[["item", "group", *facts]], on="item")


def list_fixed(rows, facts, known):
    """Return what is known unread, rows x columns: a column of 1 and 0 for each aspect (and each
    combination of it with the facts), and the guess less its mean on the aspect.

    rows: of `list_rows`; facts: its columns; known: of `lay_out`. Columns that do not vary are left
    out, but for the first.
    """
    aspects = rows.groupby(["aspect", *facts]).ngroup()
    columns = [pd.get_dummies(aspects).to_numpy(float)]
    if known is not None:
        cases = pd.MultiIndex.from_frame(rows[["item", "aspect"]])
        guess = pd.Series(known.reindex(cases).to_numpy(float))
        apart = guess - guess.groupby(rows["aspect"]).transform("mean")
        columns.append(apart.fillna(0).to_numpy()[:, None])
    fixed = np.hstack(columns)
    varies = np.ptp(fixed, axis=0) > 1e-9
    varies[0] = True
    return fixed[:, varies]


def find_scale(rows):
    """Return for each row how far apart its rater's points lie: their standard deviation about the
    rater's mean of the aspect, over that of the other raters.

    On a logarithmic scale each rater is drawn towards the mean of all by how much such values
    differ by chance (1 / 2n of n items); raters of few items have 1.
    """
    apart = rows["score"] - rows.groupby(["rater", "aspect"])["score"].transform("mean")
    variance = (apart**2).groupby(rows["rater"]).mean()
    items = rows.groupby("rater")["item"].nunique()
    usable = (variance > 0) & (items >= ALONE)
    if usable.sum() < 2:
        return np.ones(len(rows))
    spread = np.log(variance[usable]) / 2
    chance = 1 / (2 * items[usable])
    true_variance = max(spread.var() - chance.mean(), 0)
    drawn = (spread - spread.mean()) * true_variance / (true_variance + chance)
    return np.exp(rows["rater"].map(drawn).fillna(0)).round(6).to_numpy()


def stretch(design, points, scale):
    """Return points with each one's distance to its rater's mean of the aspect times `scale`."""
    if design.kind != POINTS:
        return points
    sets = design.sets
    mean = (np.bincount(sets, points) / np.bincount(sets))[sets]
    return mean + (points - mean) * scale


def find_kind(rows):
    """Return whether scores are verdicts (0 and 1), ranks (whole numbers from 1 to twice the number
    of items of a group at most, in sets of two or more that one rater ordered without a tie: some
    places may be left out, a slider of a hundred points is none) or points."""
    scores = rows["score"]
    if scores.isin([0, 1]).all():
        return VERDICTS
    items = rows.groupby(["group", "aspect"])["item"].transform("nunique")
    are_places = (scores == scores.round()).all() and scores.between(1, 2 * items).all()
    sets = rows.groupby(["rater", "group", "aspect"])["score"]
    are_untied = (sets.transform("nunique") == sets.transform("size")).all()
    are_several = sets.size().min() > 1 and len(sets) >= SETS
    return RANKS if are_places and are_untied and are_several else POINTS


def list_parts(rows, kind, taken_off):
    """Return {part: codes} of the parts that this design can tell apart: a part that groups the
    ratings exactly as an earlier one does, or no two of them, is left out.

    taken_off: columns whose differences the measure leaves out (a writer's), and with them a
    rater's liking for each.
    """
    wanted = PARTS
    if taken_off:
        wanted = {**PARTS, "rater x within": ["rater", *taken_off]}
    if kind == RANKS:  # what lifts a whole set changes no order in it
        wanted = {"item": ["item", "aspect"]}
    parts = {}
    for name, columns in wanted.items():
        codes = rows.groupby(columns).ngroup().to_numpy()
        levels = codes.max() + 1
        is_twin = any(group_alike(codes, earlier) for earlier in parts.values())
        if 1 < levels < len(rows) and not is_twin:
            parts[name] = codes
    return parts


def group_alike(first, second):
    """Return whether two columns of codes 0, 1, … group the rows in the same way."""
    levels = first.max() + 1
    pairs = len(np.unique(first * levels + second))
    return levels == second.max() + 1 and pairs == levels


class Lens:
    """How one study of a design is fitted: variances from squares of sums of weighted residuals.

    With weights from earlier variances (few ratings) it is one step of restricted maximum
    likelihood, without them the method of moments; either is unbiased, whatever the weights.

    codes: {part: a whole number for each row}, the rest last; names: of the parts; basis: rows x
    rank, the fixed columns as orthogonal ones; unfold: rank x fixed columns, from the basis back to
    them; inverse: rows x rows, what makes weighted residuals (None: unweighted); expected: parts x
    parts (`expect`).
    """

    def __init__(self, design, variances=None):
        self.codes = {**design.codes, REST: np.arange(len(design.rows))}
        self.names = list(self.codes)
        basis, strength, unfold = np.linalg.svd(design.fixed, full_matrices=False)
        kept = strength > 1e-9 * strength[0]
        self.basis = basis[:, kept]
        self.unfold = unfold[kept] / strength[kept][:, None]
        self.inverse = None if variances is None else self.invert(variances)
        self.expected = self.expect()

    def invert(self, variances):
        """Return what makes weighted residuals (rows x rows), the fixed columns taken off."""
        n = len(self.codes[REST])
        covariance = np.diag(np.full(n, variances[REST]))
        for name in self.names[:-1]:
            codes = self.codes[name]
            covariance += variances[name] * (codes[:, None] == codes)
        weights = np.linalg.inv(covariance)
        weighted = weights @ self.basis
        return weights - weighted @ np.linalg.solve(self.basis.T @ weighted, weighted.T)

    def expect(self):
        """Return the mean squares, parts x parts, that a variance of 1 of each part brings."""
        parts = list(self.codes.values())
        expected = np.empty((len(parts), len(parts)))
        for i, first in enumerate(parts):
            for j, second in enumerate(parts[: i + 1]):
                expected[i, j] = expected[j, i] = self.cross(first, second)
        return expected

    def cross(self, first, second):
        """Return the sum of squares of what makes residuals, summed within the levels of two parts;
        first, second: their codes."""
        shape = first.max() + 1, second.max() + 1
        if self.inverse is not None:
            by_first = add_rows(self.inverse, first, shape[0])  # levels x rows
            by_both = add_rows(by_first.T, second, shape[1])
            return (by_both**2).sum()
        met = sparse.csr_array((np.ones(len(first)), (first, second)), shape=shape)
        first_basis = add_rows(self.basis, first, shape[0])  # levels x rank
        second_basis = add_rows(self.basis, second, shape[1])
        i, j = met.nonzero()
        counts = met[i, j]
        overlap = (counts * (first_basis[i] * second_basis[j]).sum(axis=1)).sum()
        removed = np.sum((first_basis.T @ first_basis) * (second_basis.T @ second_basis))
        return (counts**2).sum() - 2 * overlap + removed

    def regress(self, score):
        """Return the weights of the fixed columns by least squares."""
        return self.unfold.T @ (self.basis.T @ score)

    def fit(self, score, among=None):
        """Return {part: variance} of one score per row; among: the parts that may differ from 0 and
        may then be negative; without it no variance is."""
        scale = np.sqrt(np.diag(self.expected))
        expected = self.expected / np.outer(scale, scale)
        squares = self.square(score) / scale
        if among is None:
            variances = solve_above_zero(expected, squares)
        else:
            variances = solve_among(expected, squares, [name in among for name in self.names])
        return dict(zip(self.names, variances / scale))

    def square(self, score):
        """Return for each part the sum of squares of its levels' sums of weighted residuals."""
        if self.inverse is None:
            residuals = score - self.basis @ (self.basis.T @ score)
        else:
            residuals = self.inverse @ score
        sums = [np.bincount(codes, residuals) for codes in self.codes.values()]
        return np.array([(of_part**2).sum() for of_part in sums])


def add_rows(table, codes, levels):
    """Return the sums of the rows of a table that have the same code: levels x columns."""
    places = codes, np.arange(len(codes))
    pick = sparse.csr_array((np.ones(len(codes)), places), shape=(levels, len(codes)))
    return pick @ table


def solve_above_zero(expected, squares):
    """Return the variances (one per part, 0 or more) whose expected squares are nearest to the
    squares."""
    size, axes = np.linalg.eigh(expected)
    kept = size > 1e-9
    size, axes = size[kept], axes[:, kept]
    root = np.sqrt(size)[:, None] * axes.T
    variances, _ = optimize.nnls(root, (axes.T @ squares) / np.sqrt(size))
    return variances


def solve_among(expected, squares, kept):
    """Return the variances (one per part, 0 where it is not kept) whose expected squares are
    nearest to the squares; kept: True or False for each part."""
    places = np.flatnonzero(kept)
    variances = np.zeros(len(squares))
    solution = np.linalg.lstsq(expected[np.ix_(places, places)], squares[places])
    variances[places] = solution[0]
    return variances


def round_off(variances):
    """Return variances to three digits of their sum, so that every machine simulates the same."""
    total = sum(variances.values())
    step = 10.0 ** (np.floor(np.log10(total)) - 3) if total > 0 else 1.0
    return {name: round(float(variance) / step) * step for name, variance in variances.items()}


def fit(design, rng):
    """Return the `Model` of a design's scores; nan variances where no part can be told from the
    rest. rng: for the simulated studies of verdicts and ranks."""
    score = stretch(design, design.rows["score"].to_numpy(), 1 / design.scale)
    lens = Lens(design)
    weights = lens.regress(score)
    if has_guess(design) and weights[-1] < 0:  # people run against the guess
        design = design._replace(fixed=design.fixed[:, :-1])
        lens = Lens(design)
        weights = lens.regress(score)
    variances = lens.fit(score)
    if design.kind != POINTS:
        return match(design, lens, variances, weights, rng)
    if len(score) <= FEW:
        lens, variances = maximise(design, lens, variances, score)
    variances = round_off(variances)
    location = (design.fixed @ weights).round(9)
    steepness = dict.fromkeys(variances, 1.0)
    return Model(design, location, variances, lens, weights, variances, steepness)


def has_guess(design):
    """Return whether the last fixed column is a guess: it has other values than 1 and 0."""
    return design.fixed.shape[1] > 1 and len(np.unique(design.fixed[:, -1])) > 2


def maximise(design, lens, variances, score, rounds=12):
    """Return (lens, variances) after some steps of restricted maximum likelihood."""
    for _ in range(rounds):
        total = sum(variances.values())
        if total <= 0:
            break
        least = {name: max(variance, 1e-4 * total) for name, variance in variances.items()}
        lens = Lens(design, least)
        before, variances = variances, lens.fit(score)
        moved = max(abs(variances[name] - before[name]) for name in variances)
        if moved < 1e-3 * total:
            break
    return lens, variances


class Matching(NamedTuple):
    """What stays the same while variances are matched. draws: of `draw_parts`, one for each
    simulated study; among: the parts that may differ from 0."""

    design: Design
    lens: Lens
    draws: list
    among: list


def match(design, lens, variances, weights, rng):
    """Return the `Model` of verdicts or ranks: latent variances under which studies look alike.

    The rest has a variance of 1. Each other variance is multiplied, again and again, by how much
    larger it shows in the data than in simulated studies; the same random numbers serve each time.
    variances, weights: of the scores, by `Lens`.
    """
    among = [name for name, variance in variances.items() if variance > 0]
    seen = lens.fit(design.rows["score"].to_numpy(), among)
    rest = max(seen[REST], 1e-9)
    latent = {name: max(seen[name], 0) / rest for name in design.codes} | {REST: 1.0}
    location = locate(design, weights, latent)
    draws = [draw_parts(design, rng) for _ in range(MATCHED)]
    matching = Matching(design, lens, draws, among)
    steepness = dict.fromkeys(latent, 1.0)
    for step in range(ROUNDS):
        shown, shown_weights = look(matching, location, latent)
        if step == ROUNDS // 3:
            steepness = find_steepness(matching, location, latent)
        latent = bring_nearer(latent, seen, shown, steepness)
        if design.kind == RANKS:
            spread = np.sqrt(sum(latent.values()))
            location = location + STEP * spread * (design.fixed @ (weights - shown_weights))
        else:
            location = locate(design, weights, latent)
    latent = round_off(latent)
    observed, _ = look(matching, location, latent)
    steepness = find_steepness(matching, location, latent)
    return Model(design, location.round(6), latent, lens, weights, observed, steepness)


def bring_nearer(latent, seen, shown, steepness):
    """Return the latent variances, each multiplied by how much larger it is seen in the data than
    simulated studies show it (by a half to two); all: {part: number}, REST stays."""
    nearer = dict(latent)
    for name in latent:
        if name != REST and latent[name] > 0:
            ratio = seen[name] / max(shown[name], 1e-9)
            factor = np.clip(ratio ** (1 / steepness[name]), 0.5, 2)
            nearer[name] = min(latent[name] * factor, MOST)
    return nearer


def look(matching, location, variances):
    """Return ({part: variance}, weights of the fixed columns) that studies show on average."""
    design, lens, draws, among = matching
    scores = [observe(design, add_up(location, variances, draw)[1]) for draw in draws]
    fits = pd.DataFrame([lens.fit(score, among) for score in scores])
    weights = [lens.regress(score) for score in scores]
    return fits.mean().to_dict(), np.mean(weights, axis=0)


def find_steepness(matching, location, variances):
    """Return {part: by how many per cent the variance that studies show rises where the latent one
    rises by one per cent}: ranks and verdicts have ends, so it is less than one."""
    steepness = dict.fromkeys(variances, 1.0)
    before, _ = look(matching, location, variances)
    for name in matching.design.codes:
        if variances[name] > 0 and before[name] > 0:
            raised = {**variances, name: 1.5 * variances[name]}
            place = location
            if matching.design.kind == VERDICTS:  # as many Yes as before
                place = location * np.sqrt(sum(raised.values()) / sum(variances.values()))
            after, _ = look(matching, place, raised)
            rise = np.log(max(after[name] / before[name], 1.0)) / np.log(1.5)
            steepness[name] = float(np.clip(rise, 0.1, 1.0).round(4))
    return steepness


def locate(design, weights, variances):
    """Return the latent location of each row: of verdicts, where as many Yes are said as the fixed
    columns predict; of ranks, the mean place."""
    mean = design.fixed @ weights
    if design.kind == RANKS:
        return mean - mean.mean()
    share = np.clip(mean, 0.01, 0.99).round(9)
    return stats.norm.ppf(share) * np.sqrt(sum(variances.values()))


def draw_parts(design, rng):
    """Return {part: a standard normal number for each row, the same where the part is}."""
    draw = {}
    for name, codes in design.codes.items():
        draw[name] = rng.standard_normal(codes.max() + 1)[codes]
    draw[REST] = rng.standard_normal(len(design.rows))
    return draw


def add_up(location, variances, draw):
    """Return (true, latent) of a simulated study, a number for each row: what all raters would say
    but for what is their own, and what this one would."""
    true = location
    own = np.zeros(len(location))
    for name, normal in draw.items():
        effect = np.sqrt(variances[name]) * normal
        if name in SHARED:
            true = true + effect
        else:
            own = own + effect
    return true, true + own


def observe(design, latent):
    """Return the scores that raters would give: points, a Yes or No, or places in their set."""
    if design.kind == POINTS:
        return latent
    if design.kind == VERDICTS:
        return (latent > 0).astype(float)
    return pd.Series(latent).groupby(design.sets).rank(method="first").to_numpy()


def refit(model, score):
    """Return (location, variances) of the model that a simulated study of its design would give."""
    design, lens = model.design, model.lens
    shown = lens.fit(score)
    weights = lens.regress(score)
    if design.kind == POINTS:
        return design.fixed @ weights, shown
    variances = dict(model.variances)
    for name in design.codes:
        usual = model.observed[name]
        if usual > 0:
            factor = (max(shown[name], 0) / usual) ** (1 / model.steepness[name])
            variances[name] = min(model.variances[name] * factor, MOST)
    if design.kind == VERDICTS:
        return locate(design, weights, variances), variances
    spread = np.sqrt(sum(variances.values()))
    spread_before = np.sqrt(sum(model.variances.values()))
    moved = STEP * spread * (design.fixed @ (weights - model.weights))
    return model.location * spread / spread_before + moved, variances


def share_known(variances):
    """Return the variance of what all raters share about an item."""
    return sum(variance for name, variance in variances.items() if name in SHARED)
