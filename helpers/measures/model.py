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
    case = ["item", "aspect", "rater"]
    rows = ratings.list_scores(data).groupby(case)["score"].mean().astype(float).reset_index()
    taken_off = [name for name in within if name in data.items and name not in ("item", "group")]
    cells = list(dict.fromkeys(["kind"] * ("kind" in data.items) + taken_off))
    facts = ["group"] if "group" in data.items else []
    rows = rows.merge(data.items[["item", *facts, *cells]], on="item")
    kind = find_kind(rows)
    set_of = ["rater", "group", "aspect"] if kind == RANKS else ["rater", "aspect"]
    sets = rows.groupby(set_of).ngroup().to_numpy()
    if kind == RANKS:
        rows["score"] = rows.groupby(sets)["score"].rank()
    codes = list_parts(rows, kind, taken_off)
    scale = find_scale(rows) if kind == POINTS else np.ones(len(rows))
    columns = [pd.get_dummies(rows.groupby(["aspect", *cells]).ngroup()).to_numpy(float)]
    if known is not None:
        guess = known.reindex(pd.MultiIndex.from_frame(rows[["item", "aspect"]])).to_numpy(float)
        guess = pd.Series(guess)
        mean = guess.groupby(rows["aspect"]).transform("mean")
        columns.append((guess - mean).fillna(0).to_numpy()[:, None])
    fixed = np.hstack(columns)
    varies = np.ptp(fixed, axis=0) > 1e-9
    varies[0] = True
    return Design(rows, codes, fixed[:, varies], kind, sets, scale)


def find_scale(rows):
    """Return for each row how far apart its rater's points lie: their standard deviation about the
    rater's mean of the aspect, over that of the other raters.

    On a logarithmic scale each rater is drawn towards the mean of all by how much such values
    differ by chance (1 / 2n of n items); raters of few items have 1.
    """
    apart = rows["score"] - rows.groupby(["rater", "aspect"])["score"].transform("mean")
    by_rater = (apart**2).groupby(rows["rater"])
    items = rows.groupby("rater")["item"].nunique()
    spread = np.log(by_rater.mean()[lambda one: one > 0]) / 2
    spread = spread[items[spread.index] >= ALONE]
    if len(spread) < 2:
        return np.ones(len(rows))
    chance = 1 / (2 * items[spread.index])
    differ = max(spread.var() - chance.mean(), 0)
    own = (spread - spread.mean()) * differ / (differ + chance)
    return np.exp(rows["rater"].map(own).fillna(0)).round(6).to_numpy()


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
    last = rows.groupby(["group", "aspect"])["item"].transform("nunique")
    whole = (scores == scores.round()).all() and scores.between(1, 2 * last).all()
    sets = rows.groupby(["rater", "group", "aspect"])["score"]
    untied = (sets.transform("nunique") == sets.transform("size")).all()
    several = sets.size().min() > 1 and len(sets) >= SETS
    return RANKS if whole and untied and several else POINTS


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
    found, seen = {}, []
    for name, columns in wanted.items():
        codes = rows.groupby(columns).ngroup().to_numpy()
        levels = codes.max() + 1
        twin = any(
            levels == other.max() + 1 and len(np.unique(codes * levels + other)) == levels
            for other in seen
        )
        if 1 < levels < len(rows) and not twin:
            found[name] = codes
            seen.append(codes)
    return found


class Lens:
    """How one study of a design is fitted: variances from squares of sums of weighted residuals.

    With weights from earlier variances (few ratings) it is one step of restricted maximum
    likelihood, without them the method of moments; either is unbiased, whatever the weights.
    """

    def __init__(self, design, variances=None):
        self.codes = {**design.codes, REST: np.arange(len(design.rows))}
        self.names = list(self.codes)
        self.basis, strength, self.turn = np.linalg.svd(design.fixed, full_matrices=False)
        kept = strength > 1e-9 * strength[0]
        self.basis, self.turn = self.basis[:, kept], self.turn[kept] / strength[kept][:, None]
        self.inverse = None if variances is None else self.invert(variances)
        self.expected = self.expect()

    def invert(self, variances):
        """Return what makes weighted residuals (rows x rows), the fixed columns taken off."""
        n = len(self.codes[REST])
        whole = np.diag(np.full(n, variances[REST]))
        for name in self.names[:-1]:
            codes = self.codes[name]
            whole += variances[name] * (codes[:, None] == codes)
        weights = np.linalg.inv(whole)
        left = weights @ self.basis
        return weights - left @ np.linalg.solve(self.basis.T @ left, left.T)

    def expect(self):
        """Return the mean squares, parts x parts, that a variance of 1 of each part brings."""
        many = len(self.names)
        found = np.empty((many, many))
        for i, one in enumerate(self.names):
            for j, other in enumerate(self.names[: i + 1]):
                found[i, j] = found[j, i] = self.cross(self.codes[one], self.codes[other])
        return found

    def cross(self, one, other):
        """Return the sum of squares of what makes residuals, summed within two parts' levels."""
        shape = one.max() + 1, other.max() + 1
        if self.inverse is not None:
            sums = add_rows(add_rows(self.inverse, one, shape[0]).T, other, shape[1])
            return (sums**2).sum()
        both = sparse.csr_array((np.ones(len(one)), (one, other)), shape=shape)
        first, second = (
            add_rows(self.basis, codes, size) for codes, size in zip((one, other), shape)
        )
        i, j = both.nonzero()
        counts = both[i, j]
        overlap = (counts * (first[i] * second[j]).sum(axis=1)).sum()
        removed = np.sum((first.T @ first) * (second.T @ second))
        return (counts**2).sum() - 2 * overlap + removed

    def regress(self, score):
        """Return the weights of the fixed columns by least squares."""
        return self.turn.T @ (self.basis.T @ score)

    def fit(self, score, among=None):
        """Return {part: variance} of one score per row; among: the parts that may differ from 0 and
        may then be negative; without it no variance is."""
        if self.inverse is not None:
            left = self.inverse @ score
        else:
            left = score - self.basis @ (self.basis.T @ score)
        squares = np.array([(np.bincount(codes, left) ** 2).sum() for codes in self.codes.values()])
        scale = np.sqrt(np.diag(self.expected))
        even = self.expected / np.outer(scale, scale)
        if among is not None:
            kept = [k for k, name in enumerate(self.names) if name in among]
            found = np.zeros(len(self.names))
            found[kept] = np.linalg.lstsq(even[np.ix_(kept, kept)], (squares / scale)[kept])[0]
        else:
            size, axes = np.linalg.eigh(even)
            kept = size > 1e-9
            root = np.sqrt(size[kept])[:, None] * axes[:, kept].T
            found, _ = optimize.nnls(
                root, (axes[:, kept].T @ (squares / scale)) / np.sqrt(size[kept])
            )
        return dict(zip(self.names, found / scale))


def add_rows(table, codes, levels):
    """Return the sums of the rows of a table that have the same code: levels x columns."""
    pick = sparse.csr_array((np.ones(len(codes)), (codes, np.arange(len(codes)))))
    pick.resize((levels, len(codes)))
    return pick @ table


def round_off(variances, total):
    """Return variances to three digits of their sum, so that every machine simulates the same."""
    step = 10.0 ** (np.floor(np.log10(total)) - 3) if total > 0 else 1.0
    return {name: round(float(one) / step) * step for name, one in variances.items()}


def fit(design, rng):
    """Return the `Model` of a design's scores; nan variances where no part can be told from the
    rest. rng: for the simulated studies of verdicts and ranks."""
    score = stretch(design, design.rows["score"].to_numpy(), 1 / design.scale)
    lens = Lens(design)
    weights = lens.regress(score)
    if design.fixed.shape[1] > 1 and weights[-1] < 0 and len(np.unique(design.fixed[:, -1])) > 2:
        design = design._replace(fixed=design.fixed[:, :-1])  # people run against the guess
        lens = Lens(design)
        weights = lens.regress(score)
    found = lens.fit(score)
    if design.kind == POINTS and len(score) <= FEW:
        lens, found = maximise(design, lens, found, score)
    total = sum(found.values())
    if design.kind == POINTS:
        variances = round_off(found, total)
        location = (design.fixed @ weights).round(9)
        same = dict.fromkeys(variances, 1.0)
        return Model(design, location, variances, lens, weights, variances, same)
    return match(design, lens, found, weights, rng)


def maximise(design, lens, found, score, rounds=12):
    """Return (lens, variances) after some steps of restricted maximum likelihood."""
    for _ in range(rounds):
        total = sum(found.values())
        if total <= 0:
            break
        least = {name: max(one, 1e-4 * total) for name, one in found.items()}
        lens = Lens(design, least)
        before, found = found, lens.fit(score)
        moved = max(abs(found[name] - before[name]) for name in found)
        if moved < 1e-3 * total:
            break
    return lens, found


def match(design, lens, found, weights, rng):
    """Return the `Model` of verdicts or ranks: latent variances under which studies look alike.

    The rest has a variance of 1. Each other variance is multiplied, again and again, by how much
    larger it shows in the data than in simulated studies; the same random numbers serve each time.
    """
    among = [name for name, one in found.items() if one > 0]
    seen = lens.fit(design.rows["score"].to_numpy(), among)
    ratio = {name: max(seen[name], 0) / max(seen[REST], 1e-9) for name in design.codes}
    variances = {**ratio, REST: 1.0}
    location = locate(design, weights, variances)
    draws = [draw_parts(design, rng) for _ in range(MATCHED)]
    steep = dict.fromkeys(variances, 1.0)
    for k in range(ROUNDS):
        fits, told = look(design, lens, location, variances, draws, among)
        if k == ROUNDS // 3:
            steep = find_steepness(design, lens, location, variances, draws, among)
        for name in design.codes:
            if variances[name] > 0:
                grown = (seen[name] / max(fits[name], 1e-9)) ** (1 / steep[name])
                variances[name] = min(variances[name] * np.clip(grown, 0.5, 2), MOST)
        if design.kind == RANKS:
            spread = np.sqrt(sum(variances.values()))
            location = location + STEP * spread * (design.fixed @ (weights - told))
        else:
            location = locate(design, weights, variances)
    variances = round_off(variances, sum(variances.values()))
    observed, _ = look(design, lens, location, variances, draws, among)
    steep = find_steepness(design, lens, location, variances, draws, among)
    return Model(design, location.round(6), variances, lens, weights, observed, steep)


def look(design, lens, location, variances, draws, among):
    """Return ({part: variance}, weights of the fixed columns) that studies show on average."""
    shown = [observe(design, add_up(location, variances, draw)[1]) for draw in draws]
    fits = pd.DataFrame([lens.fit(score, among) for score in shown]).mean()
    return fits.to_dict(), np.mean([lens.regress(score) for score in shown], axis=0)


def find_steepness(design, lens, location, variances, draws, among):
    """Return {part: by how many per cent the variance that studies show rises where the latent one
    rises by one per cent}: ranks and verdicts have ends, so it is less than one."""
    found = dict.fromkeys(variances, 1.0)
    before, _ = look(design, lens, location, variances, draws, among)
    for name in design.codes:
        if variances[name] > 0 and before[name] > 0:
            more = {**variances, name: 1.5 * variances[name]}
            place = location
            if design.kind == VERDICTS:  # as many Yes as before
                place = location * np.sqrt(sum(more.values()) / sum(variances.values()))
            after, _ = look(design, lens, place, more, draws, among)
            grown = np.log(max(after[name] / before[name], 1.0)) / np.log(1.5)
            found[name] = float(np.clip(grown, 0.1, 1.0).round(4))
    return found


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
    drawn = {
        name: rng.standard_normal(codes.max() + 1)[codes] for name, codes in design.codes.items()
    }
    return {**drawn, REST: rng.standard_normal(len(design.rows))}


def add_up(location, variances, draw):
    """Return (true, latent) of a simulated study, a number for each row: what all raters would say
    but for what is their own, and what this one would."""
    sums = {True: location.copy(), False: 0.0}
    for name, one in draw.items():
        shared = name in SHARED
        sums[shared] = sums[shared] + np.sqrt(variances[name]) * one
    return sums[True], sums[True] + sums[False]


def observe(design, latent):
    """Return the scores that raters would give: points, a Yes or No, or places in their set."""
    if design.kind == POINTS:
        return latent
    if design.kind == VERDICTS:
        return (latent > 0).astype(float)
    sets = design.sets
    order = np.lexsort((latent, sets))
    starts = np.flatnonzero(np.r_[True, np.diff(sets[order]) > 0])
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.r_[starts, len(order)])) + 1
    found = np.empty(len(order))
    found[order] = place
    return found


def refit(model, score):
    """Return (location, variances) of the model that a simulated study of its design would give."""
    design, lens = model.design, model.lens
    fitted = lens.fit(score)
    weights = lens.regress(score)
    if design.kind == POINTS:
        return design.fixed @ weights, fitted
    variances = dict(model.variances)
    for name in design.codes:
        usual = model.observed[name]
        if usual > 0:
            grown = (max(fitted[name], 0) / usual) ** (1 / model.steepness[name])
            variances[name] = min(model.variances[name] * grown, MOST)
    if design.kind == RANKS:
        spread, before = (np.sqrt(sum(one.values())) for one in (variances, model.variances))
        moved = STEP * spread * (design.fixed @ (weights - model.weights))
        return model.location * spread / before + moved, variances
    return locate(design, weights, variances), variances


def share_known(variances):
    """Return the variance of what all raters share about an item."""
    return sum(one for name, one in variances.items() if name in SHARED)
