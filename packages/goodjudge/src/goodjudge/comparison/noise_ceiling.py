"""What a perfect judge could reach with these people, how sure that is, and what a study would see.

Nobody can follow people further than they agree. A perfect judge knows what all raters share about
each item and nothing of their noise; its value is the ceiling. It is found by simulation:

1. a model is fitted to the ratings (`model`), which says how much raters share;
2. a hundred studies of this model are simulated, and the perfect judge's mean value in them is the
   estimate;
3. each simulated study would have led to a model of its own. How far the perfect judge's value
   moves under sixty of these models is the estimate's error;
4. the perfect judge's lead over the best control, and its spread over the hundred studies, tell how
   often such a study would find that lead.

Where the design or the data cannot tell what is shared there is no number but a reason.
"""

from typing import NamedTuple

import numpy as np
from scipy import stats

from goodjudge.comparison.cases import ENOUGH, lead_names
from goodjudge.comparison.random_effects.design import lay_out, sum_shared
from goodjudge.comparison.random_effects.fit import fit_model, refit
from goodjudge.comparison.random_effects.responses import RANKS
from goodjudge.comparison.random_effects.simulate import add_up, answer, draw_effects
from goodjudge.comparison.simulated import SimulatedStudies
from goodjudge.stats import intervals, metrics, severity

STUDIES = 100  # simulated at the fitted model
MODELS = 60  # that other studies would have given
STUDIES_EACH = 5  # simulated at each of these
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


def find_ceiling(data, trial, best, person, rng):
    """Return the `Ceiling` of a comparison.

    data: `Ratings`; trial: a `Trial`; best: the `compare.Choice` of the best control; person: the
    person's `trial.Measured`.
    The interval is that of the estimate: other studies of this size would have given other
    variances. Raters are drawn anew in each simulated study, so the number speaks of new raters
    too. There is none where items with two raters or groups are too few (`find_too_few`), where
    panels share no rater (`cannot_link`), or where people agree too little: a person does not
    clearly follow the others, and other studies might have found nothing shared beyond what is
    known unread.
    """
    groups = trial.count(trial.answered())
    too_few = find_too_few(data, groups)
    if too_few:
        return no_number(too_few)
    control = best.control.score
    guess = guess_of_items(trial.cases, control)
    design = lay_out(data, guess, trial.within)
    if cannot_link(data, trial, design):
        return no_number(APART)
    fitted = fit_model(design, rng)
    draws = [draw_effects(fitted.design, rng) for _ in range(STUDIES)]
    refitted = refit_all(fitted, draws)
    if may_share_nothing(fitted, refitted) and not agree_clearly(trial, person):
        return no_number(TOO_LITTLE)
    studies = SimulatedStudies(fitted, trial, control)
    values = studies.measure_all(fitted.location, fitted.variances, draws)
    moves = find_moves(studies, refitted[:MODELS], draws[:STUDIES_EACH], values[:STUDIES_EACH])
    return summarise(values, moves, trial, groups, best.unrest)


def find_too_few(data, groups):
    """Return why a study is too small for a ceiling, "" where it is not: fewer than twenty items
    with two raters, or fewer than five groups."""
    raters = data.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique()
    twice = int((raters > 1).sum())
    if twice < TWICE:
        items = {0: "no item has", 1: "only 1 item has"}.get(twice, f"only {twice} items have")
        return f"{items} two raters, so that people's own noise is not known"
    if groups < ENOUGH:
        return f"fewer than {ENOUGH} groups"
    return ""


def guess_of_items(cases, control):
    """Return the control's guess for each item and aspect (a Series), None where it knows nothing;
    control: one guess per case (nan: none), or None."""
    if control is None or np.isnan(control).all() or np.nanstd(control) == 0:
        return None
    return cases.assign(guess=control).groupby(["item", "aspect"])["guess"].mean()


def cannot_link(data, trial, design):
    """Return whether severe raters and poor items look alike, as half of the ratings or more are by
    raters who share no item with the largest circle; no harm where groups are not compared, or only
    ranked."""
    compares_groups = design.response is not RANKS and "group" not in trial.within
    return compares_groups and severity.share_of_largest_circle(data) <= 0.5


def refit_all(fitted, draws):
    """Return [(location, variances)] of the models that simulated studies would have given.

    fitted: a `model.fit.Model`; draws: of `draw_effects`, one per study.
    """
    refitted = []
    for draw in draws:
        _, latent = add_up(fitted.location, fitted.variances, draw)
        refitted.append(refit(fitted, answer(fitted.design, latent)))
    return refitted


def may_share_nothing(fitted, refitted):
    """Return whether raters may share nothing about items: so says the model, or too many of the
    models that other studies would have given (`refit_all`)."""
    nothing = []
    for _, variances in refitted:
        nothing.append(sum_shared(variances) <= 1e-6 * sum(variances.values()))
    return sum_shared(fitted.variances) == 0 or np.mean(nothing) > UNSURE


def agree_clearly(trial, person):
    """Return whether a person (a `trial.Measured`) clearly follows the others, better than
    guessing."""
    return bool(trial.rate(person)["low"] > metrics.find_guess(trial.measure))


def find_moves(studies, refitted, draws, values):
    """Return by how much perfect judge and control move under other models: models x 2.

    studies: `SimulatedStudies`; refitted: of `refit_all`; draws: of some studies, which every model
    is asked about; values: of these studies at the fitted model (studies x 2).
    """
    here = values.mean(axis=0)
    moves = []
    for location, variances in refitted:
        there = studies.measure_all(location, variances, draws).mean(axis=0)
        moves.append(there - here)
    return np.array(moves)


def summarise(values, moves, trial, n, unrest):
    """Return the `Ceiling` of simulated studies.

    values: of the perfect judge and the control at the fitted model (studies x 2); moves: of
    `find_moves` (models x 2); n: groups; unrest: the control's variance of `compare.find_unrest`.

    Two things vary, and each has its own use. From model to model the mean over studies moves: that
    is the error of the estimate and of the lead. From study to study, the model being the same, the
    lead varies: that says how often one study finds it.
    """
    t = stats.t.ppf((1 + trial.level) / 2, n - 1)
    estimate, _ = values.mean(axis=0)
    low, high = bound_value(estimate, moves[:, 0], t, trial.measure)
    leads = values[:, 0] - values[:, 1]  # of each study
    moves_of_lead = moves[:, 0] - moves[:, 1]  # of each model
    lead_ends = bound_lead(leads, moves_of_lead, t, unrest)
    row = {"estimate": estimate, "low": low, "high": high, "n": n}
    row |= dict(zip(lead_names("control"), lead_ends))
    spread_of_one_study = np.sqrt(leads.var(ddof=1) + unrest)
    powers = [find_power(lead, spread_of_one_study, n, trial.level) for lead in lead_ends]
    return Ceiling(row, tuple(powers), "")


def bound_value(estimate, moves, t, measure):
    """Return (low, high) around the perfect judge's value.

    moves: how far it moves under each of the other models; t: Student's quantile. On Fisher's z
    (`to_z`), so that the interval stays within the measure's range.
    """
    z = to_z(estimate, measure)
    half_on_z = t * np.std(to_z(estimate + moves, measure))
    return from_z(z - half_on_z, measure), from_z(z + half_on_z, measure)


def bound_lead(leads, moves, t, unrest):
    """Return [estimate, low, high] of the perfect judge's lead over the control; leads: one per
    study; moves, t: as for `bound_value`; unrest: of `summarise`."""
    lead = leads.mean()
    half_of_lead = t * np.sqrt(np.var(moves) + unrest)
    return [lead, lead - half_of_lead, lead + half_of_lead]


def to_z(value, measure):
    """Return Fisher's z of a value of a measure; values that run from 0 to 1 are moved to -1 … 1
    first, so that no interval leaves the measure's range."""
    if measure in metrics.FROM_MINUS_ONE:
        return intervals.fisher(value)
    return intervals.fisher(2 * value - 1)


def from_z(z, measure):
    """Return the value of a measure of which `to_z` gave z."""
    if measure in metrics.FROM_MINUS_ONE:
        return np.tanh(z)
    return (np.tanh(z) + 1) / 2


def find_power(lead, spread, n, level):
    """Return in how many of 100 studies a lead would be clear; spread: its standard deviation over
    studies; n: groups; level: of the interval."""
    if spread <= 0:
        return 100.0 * (lead > 0)
    needed = stats.t.ppf((1 + level) / 2, n - 1)
    return 100 * float(stats.nct.sf(needed, n - 1, lead / spread))
