"""What a rater answers, given the latent value: points, Yes or No, or ranks.

One object for each kind of response says all that is particular to it: which ratings form a set,
which effects can be seen in the answers, how latent values become answers, and where the latent
values lie. `POINTS`, `VERDICTS` and `RANKS` are these objects; `find_response` tells which one
describes some ratings.

Take three latent values of one rater, all of one group: -0.4, 0.2 and 1.3. As points they are -0.4,
0.2 and 1.3; as verdicts 0, 1 and 1; as ranks 1, 2 and 3.
"""

import numpy as np
from scipy import stats

from goodjudge.comparison.cases import ALONE

EFFECTS = {  # an effect: all ratings that are alike in these columns share it
    "group": ["group"],
    "item": ["item"],
    "item x aspect": ["item", "aspect"],
    "rater": ["rater"],
    "rater x aspect": ["rater", "aspect"],
    "rater x group": ["rater", "group"],
    "rater x item": ["rater", "item"],
}
SETS = 20  # ordered without a tie: fewer may be so by chance
STEP = 0.8  # of the way to what the latent location of ranks should be: it overshoots less


class Response:
    """What most kinds of response have in common; each kind says below where it differs."""

    set_columns = ("rater", "aspect")  # scores that are alike in these columns form a set

    def list_effects(self, taken_off):
        """Return {effect: columns} of the effects that may show in the answers.

        taken_off: columns of items whose differences the measure leaves out (a writer's), and with
        them a rater's liking for each.
        """
        if not taken_off:
            return EFFECTS
        return {**EFFECTS, "rater x within": ["rater", *taken_off]}

    def prepare(self, rows):
        """Return the scores as the model takes them; rows: of `design.list_rows`."""
        return rows["score"]

    def find_scale(self, rows):
        """Return 1 for each row: Yes or No and ranks have no scale that raters use differently."""
        return np.ones(len(rows))

    def stretch(self, answers, sets, factor):
        """Return the answers as they are: there is no scale to stretch."""
        return answers


class Points(Response):
    """The answer is the latent value itself, on the rater's own scale."""

    def find_scale(self, rows):
        """Return for each row how far apart its rater's points lie: their standard deviation about
        the rater's mean of the aspect, over that of the other raters.

        With s the logarithm of a rater's standard deviation, n this rater's items and m the mean of
        s over raters, the result is exp((s - m) v / (v + 1 / 2n)). Here 1 / 2n is the variance of s
        by chance and v the variance of the true values. Raters of few items have 1.
        """
        apart = rows["score"] - rows.groupby(["rater", "aspect"])["score"].transform("mean")
        variance = (apart**2).groupby(rows["rater"]).mean()
        items = rows.groupby("rater")["item"].nunique()
        is_usable = (variance > 0) & (items >= ALONE)
        if is_usable.sum() < 2:
            return np.ones(len(rows))
        log_spread = np.log(variance[is_usable]) / 2
        by_chance = 1 / (2 * items[is_usable])
        true_variance = max(log_spread.var() - by_chance.mean(), 0)
        from_mean = log_spread - log_spread.mean()
        shrunk = from_mean * true_variance / (true_variance + by_chance)
        return np.exp(rows["rater"].map(shrunk).fillna(0)).round(6).to_numpy()

    def stretch(self, points, sets, factor):
        """Return the points, each one's distance to the mean of its set times `factor`.

        points, factor: one per row; sets: the number of each row's set.
        """
        means = np.bincount(sets, points) / np.bincount(sets)
        mean = means[sets]
        return mean + (points - mean) * factor

    def answer(self, latent, sets):
        """Return the answers to latent values, one per row."""
        return latent


class Verdicts(Response):
    """The answer is 1 (Yes) where the latent value is above 0, else 0 (No)."""

    def answer(self, latent, sets):
        """Return the answers to latent values, one per row."""
        return (latent > 0).astype(float)

    def locate(self, design, weights, variances):
        """Return the latent location of each row at which as many Yes are said as the fixed columns
        predict; weights: of these columns, for the answers; variances: {effect: latent}."""
        share = np.clip(design.fixed @ weights, 0.01, 0.99).round(9)
        return stats.norm.ppf(share) * find_spread(variances)

    def relocate(self, design, location, weights, shown_weights, variances):
        """Return the latent location for new variances; location, shown_weights: as for `Ranks`,
        not needed here."""
        return self.locate(design, weights, variances)

    def relocate_study(self, model, weights, variances):
        """Return the latent location for a new study of a model's design; weights, variances: of
        this study."""
        return self.locate(model.design, weights, variances)

    def keep_level(self, location, before, after):
        """Return the location at which as many Yes are said when variances change; before, after:
        {effect: variance}."""
        return location * np.sqrt(sum(after.values()) / sum(before.values()))


class Ranks(Response):
    """The answer is a place in a set: the items of one group that one rater ordered, from 1."""

    set_columns = ("rater", "group", "aspect")

    def list_effects(self, taken_off):
        """Return {effect: columns}: what lifts a whole set changes no order in it, so that only the
        item is left."""
        return {"item": ["item", "aspect"]}

    def prepare(self, rows):
        """Return the places counted anew in each set; rows: of `design.list_rows`."""
        return rows.groupby([*self.set_columns])["score"].rank()

    def answer(self, latent, sets):
        """Return the answers to latent values, one per row; sets: the number of each row's set."""
        order = np.lexsort([latent, sets])  # set by set, of equal values the first comes first
        size = np.bincount(sets)
        start_of_set = np.cumsum(size) - size
        places = np.empty(len(latent))
        places[order] = np.arange(len(latent)) - start_of_set[sets[order]] + 1
        return places

    def locate(self, design, weights, variances):
        """Return a first latent location of each row: the place that the fixed columns predict,
        less the mean place; weights: of these columns, for the answers."""
        place = design.fixed @ weights
        return place - place.mean()

    def relocate(self, design, location, weights, shown_weights, variances):
        """Return the latent location, moved towards where simulated studies show the places of the
        data.

        weights, shown_weights: of the fixed columns, in the data and in simulated studies at this
        location; variances: {effect: latent}.
        """
        missing = design.fixed @ (weights - shown_weights)  # places
        return location + STEP * find_spread(variances) * missing

    def relocate_study(self, model, weights, variances):
        """Return the latent location for a new study of a model's design; weights, variances: of
        this study."""
        spread = find_spread(variances)
        spread_before = find_spread(model.variances)
        moved = STEP * spread * (model.design.fixed @ (weights - model.weights))
        return model.location * spread / spread_before + moved

    def keep_level(self, location, before, after):
        """Return the location as it is: ranks have the same mean whatever the variances."""
        return location


POINTS, VERDICTS, RANKS = Points(), Verdicts(), Ranks()


def find_spread(variances):
    """Return the standard deviation of latent values; variances: {effect: number}."""
    return np.sqrt(sum(variances.values()))


def find_response(rows):
    """Return which kind of response the scores are: `VERDICTS`, `RANKS` or `POINTS`.

    rows: of `design.list_rows`.
    """
    if rows["score"].isin([0, 1]).all():
        return VERDICTS
    return RANKS if are_ranks(rows) else POINTS


def are_ranks(rows):
    """Return whether the scores are places in sets that one rater ordered without a tie.

    Places are whole numbers from 1 to twice the number of items of the group at most: some may be
    left out, but a slider of a hundred points is none.
    """
    score = rows["score"]
    items = rows.groupby(["group", "aspect"])["item"].transform("nunique")
    is_place = (score == score.round()) & score.between(1, 2 * items)
    if not is_place.all():
        return False
    by_set = rows.groupby([*Ranks.set_columns])["score"]
    if len(by_set) < SETS or by_set.size().min() < 2:
        return False
    is_untied = by_set.transform("nunique") == by_set.transform("size")
    return bool(is_untied.all())
