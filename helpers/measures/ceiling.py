"""What a perfect judge could reach: simulated studies of the fitted model, and its error."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures import intervals, model, severity, statistics
from helpers.measures.trial import ENOUGH, lead_names

STUDIES = 100  # simulated at the fitted model: its mean, and the spread of leads
DRAWS, FEWER = 60, 5  # models that other studies would have given; simulated studies for each
TWICE = 20  # items with two raters or more, from which people's noise can be learnt
UNSURE = 0.05  # share of simulated studies that may find nothing shared
TOO_LITTLE = "it is not clear that people agree"
APART = "most raters share no item with the others, so that severe raters and poor items look alike"


class Ceiling(NamedTuple):
    """row: {column of `compare`: number}; found: (estimate, low, high), the per cent of studies in
    which the perfect judge's lead over the control would be clear; why: if there is no number."""

    row: dict
    found: tuple
    why: str


def no_number(why):
    """Return the `Ceiling` of which nothing is known; why: the reason in words."""
    return Ceiling(intervals.row().to_dict(), (np.nan, np.nan, np.nan), why)


NOT_ASKED = no_number("it was not asked for")


def find_ceiling(data, trial, control, person, rng):
    """Return the `Ceiling` of a comparison: what a judge would reach that knows what all raters
    share about each item, and nothing of their noise.

    data: `Ratings`; trial: a `Trial`; control: the best control's guess for each case (nan: none);
    person: the person's `trial.Measured`.
    The interval is that of the estimate: other studies of this size would have given other
    variances. No number where the design or these data cannot tell: fewer than twenty items with
    two raters, fewer than five groups, panels that share no rater (unless groups are not compared,
    or only ranked), or people who agree too little: a person does not clearly follow the others,
    and other studies might have found nothing shared beyond what is known unread. Raters are drawn
    anew in each simulated study, so the number speaks of new raters too.
    """
    groups = trial.count(trial.answered())
    too_few = find_too_few(data, groups)
    if too_few:
        return no_number(too_few)
    guess = guess_of_items(trial.cases, control)
    design = model.lay_out(data, guess, trial.within)
    compares_groups = design.kind != model.RANKS and "group" not in trial.within
    if compares_groups and severity.share_of_largest_circle(data) <= 0.5:
        return no_number(APART)
    fitted = model.fit(design, rng)
    draws = [model.draw_parts(fitted.design, rng) for _ in range(STUDIES)]
    others = refit_all(fitted, draws)
    if may_share_nothing(fitted, others) and not agree_clearly(trial, person):
        return no_number(TOO_LITTLE)
    studies = Studies(fitted, trial, control)
    here = np.array([studies.run(fitted.location, fitted.variances, draw) for draw in draws])
    moved = []
    for location, variances in others[:DRAWS]:
        there = [studies.run(location, variances, draw) for draw in draws[:FEWER]]
        moved.append(np.mean(there, axis=0) - here[:FEWER].mean(axis=0))
    return summarise(here, np.array(moved), trial, groups)


def find_too_few(data, groups):
    """Return why a study is too small for a ceiling, "" where it is not."""
    raters = data.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique()
    twice = int((raters > 1).sum())
    if twice < TWICE:
        have = "no item has"
        if twice:
            have = f"only {twice} item{'s have' if twice > 1 else ' has'}"
        return f"{have} two raters, so that people's own noise is not known"
    return f"fewer than {ENOUGH} groups" if groups < ENOUGH else ""


def refit_all(fitted, draws):
    """Return [(location, variances)] of the models that simulated studies would have given; draws:
    of `model.draw_parts`."""
    refitted = []
    for draw in draws:
        _, latent = model.add_up(fitted.location, fitted.variances, draw)
        refitted.append(model.refit(fitted, model.observe(fitted.design, latent)))
    return refitted


def may_share_nothing(fitted, others):
    """Return whether raters may share nothing about items: so says the model, or too many of the
    models that other studies would have given (`refit_all`)."""
    nothing = []
    for _, variances in others:
        nothing.append(model.share_known(variances) <= 1e-6 * sum(variances.values()))
    return model.share_known(fitted.variances) == 0 or np.mean(nothing) > UNSURE


def agree_clearly(trial, person):
    """Return whether a person (a `trial.Measured`) clearly follows the others, better than
    guessing."""
    return bool(trial.rate(person)["low"] > statistics.find_guess(trial.measure))


def summarise(here, moved, trial, n):
    """Return the `Ceiling` of simulated studies.

    here: what the perfect judge and the control have at the fitted model (studies x 2); moved: by
    how much both move under the models that other studies would have given (models x 2); n: groups.
    """
    estimate, _ = here.mean(axis=0)
    t = stats.t.ppf((1 + trial.level) / 2, n - 1)
    z = to_z(estimate, trial)
    half = t * np.std(to_z(estimate + moved[:, 0], trial))
    low, high = from_z(z - half, trial), from_z(z + half, trial)
    leads = here[:, 0] - here[:, 1]
    lead, spread = leads.mean(), leads.std(ddof=1)
    half = t * np.std(lead + moved[:, 0] - moved[:, 1])
    around = [lead, lead - half, lead + half]
    row = {"estimate": estimate, "low": low, "high": high, "n": n}
    row |= dict(zip(lead_names("control"), around))
    power = tuple(find_power(true, spread, n, trial.level) for true in around)
    return Ceiling(row, power, "")


def to_z(value, trial):
    """Return Fisher's z of a correlation, or of a share, 0 to 1 being moved to -1 … 1."""
    return intervals.fisher(value if trial.scale else 2 * value - 1)


def from_z(z, trial):
    """Return the correlation or the share of which `to_z` gave z."""
    return np.tanh(z) if trial.scale else (np.tanh(z) + 1) / 2


def find_power(lead, spread, n, level):
    """Return in how many of 100 studies of n groups a lead with this spread would be clear."""
    if spread <= 0:
        return 100.0 * (lead > 0)
    needed = stats.t.ppf((1 + level) / 2, n - 1)
    return 100 * float(stats.nct.sf(needed, n - 1, lead / spread))


def guess_of_items(cases, control):
    """Return the control's guess for each item and aspect, None where it knows nothing."""
    if control is None or np.isnan(control).all() or np.nanstd(control) == 0:
        return None
    return cases.assign(guess=control).groupby(["item", "aspect"])["guess"].mean()


class Studies:
    """Simulated studies of a fitted model, rated as the real one is.

    fitted: a `model.Model`; trial: a `Trial`; control: the best control's guess for each case.
    Ratings are the rows of the fitted design; a pair is an item and aspect. pair_of_rating,
    pair_of_case: the pair's number; rating: of each case, the rating that is left out, or the
    pair's first where nobody is; others: of each case, how many raters it is held against.
    """

    def __init__(self, fitted, trial, control):
        self.fitted, self.trial = fitted, trial
        ratings, cases = fitted.design.rows, trial.cases
        pairs = ratings.groupby(["item", "aspect"]).ngroup()
        number = pairs.groupby([ratings["item"], ratings["aspect"]]).first()
        self.pair_of_rating = pairs.to_numpy()
        self.pair_of_case = number.reindex(list_keys(cases, ["item", "aspect"])).to_numpy()
        raters = np.bincount(self.pair_of_rating)[self.pair_of_case]
        self.nobody_left_out = cases["person"].isna().all()
        if self.nobody_left_out:
            self.others = raters
            self.rating = first_of(self.pair_of_rating)[self.pair_of_case]
        else:
            self.others = raters - 1
            case = ["item", "aspect", "rater"]
            self.rating = list_keys(ratings, case).get_indexer(list_keys(cases, case))
        self.control = np.ones(len(cases)) if control is None else control
        self.control_varies = np.nanstd(self.control) > 0

    def run(self, location, variances, draw):
        """Return the measure of the perfect judge and of the control in one simulated study, 0
        where one does not vary; location, variances: of the model; draw: of `model.draw_parts`."""
        true, latent = model.add_up(location, variances, draw)
        target = self.find_target(latent)
        measure = self.trial.measure
        is_asked = ~np.isnan(self.control)
        if measure in statistics.OF_TWO_KINDS:
            is_asked = is_asked & (target != 0.5)
        rows = np.flatnonzero(is_asked)
        judge = true[self.rating]
        if measure is statistics.balanced_accuracy:
            judge = self.decide(judge, variances, rows)
        perfect = self.trial.value(judge, rows, target)
        control = statistics.find_guess(measure)  # of a constant
        if self.control_varies:
            control = self.trial.value(self.control, rows, target)
        return np.nan_to_num([perfect, control])

    def find_target(self, latent):
        """Return for each case the mean of the raters it is held against; latent: what each rater
        feels, one per rating."""
        design = self.fitted.design
        scores = model.stretch(design, model.observe(design, latent), design.scale)
        total = np.bincount(self.pair_of_rating, scores)[self.pair_of_case]
        if not self.nobody_left_out:
            total = total - scores[self.rating]
        return (total / self.others).round(9)

    def decide(self, true, variances, rows):
        """Return 1 where a perfect judge says Yes: where the others' Yes is more likely than usual
        on this label, by the factor by which their No is less likely, or more.

        true: what all raters share, one per case; rows: the cases that are asked.
        """
        own = sum(variances[name] for name in variances if name not in model.SHARED)
        if self.fitted.design.kind != model.VERDICTS:
            true = true - true.mean()
        chance = stats.norm.cdf(true / np.sqrt(own))  # that one rater says Yes
        half = self.others / 2
        passes = stats.binom.sf(np.floor(half), self.others, chance)  # most say Yes
        fails = stats.binom.cdf(np.ceil(half) - 1, self.others, chance)
        usual_passes = self.sum_by_label(passes, rows)
        usual_fails = self.sum_by_label(fails, rows)
        return (passes * usual_fails > fails * usual_passes).astype(float)

    def sum_by_label(self, values, rows):
        """Return for each case the sum over the rows with its label."""
        labels = self.trial.labels
        return np.bincount(labels[rows], values[rows], labels.max() + 1)[labels]


def list_keys(table, columns):
    """Return the rows of some columns as an index."""
    return pd.MultiIndex.from_frame(table[columns])


def first_of(codes):
    """Return the position of the first row of each code 0, 1, …"""
    return np.unique(codes, return_index=True)[1]
