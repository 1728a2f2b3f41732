"""The model of a study: fitted to points as they are, to verdicts and ranks by simulation.

Verdicts and ranks do not show latent values. Their variances are found by *matching*: if simulated
studies show, say, half as large a variance of items as the data do, the latent variance of items is
made larger, and so on for a dozen rounds. The variance of the residual is 1, which fixes the unit.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.comparison.random_effects.design import RESIDUAL, Design, level_scales
from goodjudge.comparison.random_effects.responses import POINTS
from goodjudge.comparison.random_effects.simulate import add_up, answer, draw_effects
from goodjudge.comparison.random_effects.variances import (
    FEW,
    Estimator,
    maximise_likelihood,
    round_off,
)

ROUNDS = 12  # of matching
STUDIES = 16  # simulated in each round
MOST = 50.0  # the largest latent variance, that of the residual being 1


class Model(NamedTuple):
    """A fitted model.

    location: what is known unread, for each row of the design, on the latent scale; variances:
    {effect: latent number}; estimator: how a new study of this design is fitted in one step;
    weights: of the columns of `design.fixed`, for the answers; shown: {effect: the variance that
    simulated studies show on average}; steepness: {effect: by how many per cent that rises where
    the latent variance rises by one}.
    """

    design: Design
    location: np.ndarray
    variances: dict
    estimator: Estimator
    weights: np.ndarray
    shown: dict
    steepness: dict


def fit_model(design, rng):
    """Return the `Model` of a design's scores.

    rng: for the simulated studies of verdicts and ranks.
    """
    score = level_scales(design)
    estimator = Estimator(design)
    weights = estimator.regress(score)
    if has_guess(design) and weights[-1] < 0:  # people run against the guess
        design = design._replace(fixed=design.fixed[:, :-1])
        estimator = Estimator(design)
        weights = estimator.regress(score)
    if design.response is POINTS:
        return fit_points(design, estimator, weights, score)
    return match(design, estimator, weights, score, rng)


def has_guess(design):
    """Return whether the last fixed column is a guess: it has other values than 1 and 0."""
    return design.fixed.shape[1] > 1 and len(np.unique(design.fixed[:, -1])) > 2


def fit_points(design, estimator, weights, score):
    """Return the `Model` of points: by moments, of few ratings by restricted maximum likelihood.

    estimator: a plain one; weights: of the fixed columns; score: one per row, all raters on one
    scale.
    """
    variances = estimator.estimate(score)
    if len(score) <= FEW:
        estimator, variances = maximise_likelihood(design, estimator, variances, score)
    variances = round_off(variances)
    location = (design.fixed @ weights).round(9)
    steepness = dict.fromkeys(variances, 1.0)
    return Model(design, location, variances, estimator, weights, variances, steepness)


def match(design, estimator, weights, score, rng):
    """Return the `Model` of verdicts or ranks: latent variances under which studies look alike.

    Each variance but the residual's is multiplied, again and again, by how much larger it shows in
    the data than in simulated studies (`bring_nearer`). The same random numbers serve each time.
    estimator, weights, score: as for `fit_points`.
    """
    response = design.response
    # what the data show
    among = [name for name, variance in estimator.estimate(score).items() if variance > 0]
    shown_in_data = estimator.estimate_freely(score, among)
    # where to start, and the random numbers of all rounds
    latent = start_from(shown_in_data, design)
    location = response.locate(design, weights, latent)
    draws = [draw_effects(design, rng) for _ in range(STUDIES)]
    studies = Studies(design, estimator, draws, among)
    steepness = dict.fromkeys(latent, 1.0)
    for step in range(ROUNDS):
        # what studies of the latent variances show, then larger or smaller ones
        shown, shown_weights = studies.show(location, latent)
        if step == ROUNDS // 3:  # near enough by now
            steepness = find_steepness(studies, location, latent)
        latent = bring_nearer(latent, shown_in_data, shown, steepness)
        location = response.relocate(design, location, weights, shown_weights, latent)
    # what studies of the model that was found show
    latent = round_off(latent)
    shown, _ = studies.show(location, latent)
    steepness = find_steepness(studies, location, latent)
    return Model(design, location.round(6), latent, estimator, weights, shown, steepness)


def start_from(shown_in_data, design):
    """Return the latent variances that matching starts from: those that the answers show, the
    residual's being 1."""
    unit = max(shown_in_data[RESIDUAL], 1e-9)
    latent = {name: max(shown_in_data[name], 0) / unit for name in design.levels}
    latent[RESIDUAL] = 1.0
    return latent


class Studies(NamedTuple):
    """The simulated studies of one matching.

    draws: of `draw_effects`, one for each study; among: the effects that may differ from 0.
    """

    design: Design
    estimator: Estimator
    draws: list
    among: list

    def show(self, location, variances):
        """Return what these studies show on average: ({effect: variance}, weights of the fixed
        columns); location, variances: of the model that they are drawn from."""
        shown = []
        weights = []
        for draw in self.draws:
            _, latent = add_up(location, variances, draw)
            score = answer(self.design, latent)
            shown.append(self.estimator.estimate_freely(score, self.among))
            weights.append(self.estimator.regress(score))
        return pd.DataFrame(shown).mean().to_dict(), np.mean(weights, axis=0)


def bring_nearer(latent, shown_in_data, shown, steepness):
    """Return the latent variances, each multiplied by how much larger the data show it than
    simulated studies do; all: {effect: number}, the residual's stays.

    A variance that shows weakly must change the more. Say the data show 0.4, the studies 0.2, and
    what is shown rises by 0.8 % where the latent variance rises by 1 % (steepness 0.8). Then the
    factor is (0.4 / 0.2) ** (1 / 0.8) = 2.4; it is cut to 2, as a round changes a variance by a
    half to two at most.
    """
    nearer = dict(latent)
    for name in latent:
        if name != RESIDUAL and latent[name] > 0:
            ratio = shown_in_data[name] / max(shown[name], 1e-9)
            factor = np.clip(ratio ** (1 / steepness[name]), 0.5, 2)
            nearer[name] = min(latent[name] * factor, MOST)
    return nearer


def find_steepness(studies, location, variances):
    """Return {effect: by how many per cent the variance that studies show rises where the latent
    one rises by one per cent}: ranks and verdicts have ends, so it is less than one.

    studies: `Studies`; location, variances: of the model that they are drawn from.
    """
    design = studies.design
    steepness = dict.fromkeys(variances, 1.0)
    before, _ = studies.show(location, variances)
    for name in design.levels:
        if variances[name] > 0 and before[name] > 0:
            raised = {**variances, name: 1.5 * variances[name]}
            moved = design.response.keep_level(location, variances, raised)
            after, _ = studies.show(moved, raised)
            rise = np.log(max(after[name] / before[name], 1.0)) / np.log(1.5)
            steepness[name] = float(np.clip(rise, 0.1, 1.0).round(4))
    return steepness


def refit(model, score):
    """Return (location, variances) of the model that a simulated study of its design would give;
    score: its answers, one per row."""
    design = model.design
    estimated = model.estimator.estimate(score)
    weights = model.estimator.regress(score)
    if design.response is POINTS:
        return design.fixed @ weights, estimated
    variances = dict(model.variances)
    for name in design.levels:
        usual = model.shown[name]
        if usual > 0:
            ratio = max(estimated[name], 0) / usual
            factor = ratio ** (1 / model.steepness[name])
            variances[name] = min(model.variances[name] * factor, MOST)
    return design.response.relocate_study(model, weights, variances), variances
