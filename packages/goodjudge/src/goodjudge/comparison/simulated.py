"""Simulated studies of a fitted model, as a perfect judge and the best control would see them.

A perfect judge knows what all raters share about each item, and nothing of what is a rater's own.
Each simulated study has the raters, items and gaps of the real one, and both are measured on the
same cases as real judges are.
"""

import numpy as np
import pandas as pd
from scipy import stats

from goodjudge.comparison.random_effects.design import SHARED, restore_scales
from goodjudge.comparison.random_effects.responses import VERDICTS
from goodjudge.comparison.random_effects.simulate import add_up, answer
from goodjudge.stats import metrics

PAIR = ["item", "aspect"]


class SimulatedStudies:
    """Simulated studies of a fitted model, rated as the real one is.

    fitted: a `model.fit.Model`; trial: a `Trial`; control: the best control's guess for each case
    (nan: none), or None.

    A rating is a row of the fitted design; a pair is an item on an aspect. pair_of_rating,
    pair_of_case: the pair's number; own_rating: of each case, the rating that is left out, or the
    pair's first where nobody is; others: of each case, how many raters it is held against.
    """

    def __init__(self, fitted, trial, control):
        self.fitted = fitted
        self.trial = trial
        ratings = fitted.design.rows
        cases = trial.cases
        pairs = ratings.groupby(PAIR).ngroup()
        number_of_pair = pairs.groupby([ratings[name] for name in PAIR]).first()
        self.pair_of_rating = pairs.to_numpy()
        self.pair_of_case = number_of_pair.reindex(list_keys(cases, PAIR)).to_numpy()
        raters = np.bincount(self.pair_of_rating)[self.pair_of_case]
        self.nobody_left_out = cases["person"].isna().all()
        if self.nobody_left_out:
            self.others = raters
            self.own_rating = find_first(self.pair_of_rating)[self.pair_of_case]
        else:
            self.others = raters - 1
            rating = [*PAIR, "rater"]
            self.own_rating = list_keys(ratings, rating).get_indexer(list_keys(cases, rating))
        self.control = np.ones(len(cases)) if control is None else control
        self.control_varies = np.nanstd(self.control) > 0

    def measure_all(self, location, variances, draws):
        """Return what `measure` says of several studies: studies x 2."""
        return np.array([self.measure(location, variances, draw) for draw in draws])

    def measure(self, location, variances, draw):
        """Return the measure of the perfect judge and of the control in one simulated study, as
        guessing has it where one does not vary.

        location, variances: of a model of this design; draw: of `simulate.draw_effects`.
        """
        true, latent = add_up(location, variances, draw)
        target = self.find_target(latent)
        measure = self.trial.measure
        is_asked = ~np.isnan(self.control)
        if measure in metrics.OF_TWO_KINDS:  # raters who tie say neither Yes nor No
            is_asked = is_asked & (target != 0.5)
        rows = np.flatnonzero(is_asked)
        judge = true[self.own_rating]
        if measure is metrics.balanced_accuracy:
            judge = self.decide(judge, variances, rows)
        perfect = self.trial.value(judge, rows, target)
        guess = metrics.find_guess(measure)
        control = guess  # of a constant
        if self.control_varies:
            control = self.trial.value(self.control, rows, target)
        return np.nan_to_num([perfect, control], nan=guess)

    def find_target(self, latent):
        """Return for each case the mean of the raters it is held against; latent: what each rater
        feels, one per rating."""
        design = self.fitted.design
        scores = restore_scales(design, answer(design, latent))
        total = np.bincount(self.pair_of_rating, scores)[self.pair_of_case]
        if not self.nobody_left_out:
            total = total - scores[self.own_rating]
        return (total / self.others).round(9)

    def decide(self, true, variances, rows):
        """Return 1 where a perfect judge says Yes, else 0.

        true: what all raters share, one per case; variances: {effect: number}; rows: the cases that
        are asked. It says Yes where the others' Yes is likelier than usual on this label, by a
        larger factor than their No is: that is best for the mean of the hit rates on passes and on
        failures. Say most others say Yes with probability 0.3, usually 0.2, and No with 0.7,
        usually 0.8: 0.3 / 0.2 is more than 0.7 / 0.8, so it says Yes.
        """
        variance_of_one_rater = sum(variances[name] for name in variances if name not in SHARED)
        if self.fitted.design.response is not VERDICTS:  # of verdicts alone 0 parts Yes from No
            true = true - true.mean()
        one_says_yes = stats.norm.cdf(true / np.sqrt(variance_of_one_rater))  # the chance of it
        half = self.others / 2
        most_say_yes = stats.binom.sf(np.floor(half), self.others, one_says_yes)  # more than half
        most_say_no = stats.binom.cdf(np.ceil(half) - 1, self.others, one_says_yes)  # fewer
        usual_yes = self.sum_by_label(most_say_yes, rows)
        usual_no = self.sum_by_label(most_say_no, rows)
        # most_say_yes / usual_yes > most_say_no / usual_no, and no division by 0
        says_yes = most_say_yes * usual_no > most_say_no * usual_yes
        return says_yes.astype(float)

    def sum_by_label(self, values, rows):
        """Return for each case the sum over the rows with its label."""
        labels = self.trial.labels
        sums = np.bincount(labels[rows], values[rows], labels.max() + 1)
        return sums[labels]


def list_keys(table, columns):
    """Return the rows of some columns as an index."""
    return pd.MultiIndex.from_frame(table[columns])


def find_first(numbers):
    """Return the position of the first row of each number 0, 1, …"""
    _, positions = np.unique(numbers, return_index=True)
    return positions
