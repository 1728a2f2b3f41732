"""What a perfect judge could reach: simulated studies of the fitted model, and its error."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from helpers.measures import agreement, intervals, model, statistics
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


NOT_ASKED = Ceiling(intervals.row().to_dict(), (np.nan,) * 3, "it was not asked for")


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
    empty = intervals.row().to_dict(), (np.nan,) * 3
    rated = pd.Series(data.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique())
    twice = int((rated > 1).sum())
    if twice < TWICE:
        told = (
            "no item has" if not twice else f"only {twice} item{'s have' if twice > 1 else ' has'}"
        )
        return Ceiling(*empty, f"{told} two raters, so that people's own noise is not known")
    n = trial.count(trial.answered())
    if n < ENOUGH:
        return Ceiling(*empty, f"fewer than {ENOUGH} groups")
    guess = guess_of_items(trial.cases, control)
    design = model.lay_out(data, guess, trial.within)
    compares_groups = design.kind != model.RANKS and "group" not in trial.within
    if compares_groups and agreement.share_of_largest_circle(data) <= 0.5:
        return Ceiling(*empty, APART)
    fitted = model.fit(design, rng)
    studies = Studies(fitted, trial, control)
    draws = [model.draw_parts(fitted.design, rng) for _ in range(STUDIES)]
    shown = [
        model.observe(fitted.design, model.add_up(fitted.location, fitted.variances, draw)[1])
        for draw in draws
    ]
    refitted = [model.refit(fitted, score) for score in shown]
    nothing = [model.share_known(one) <= 1e-6 * sum(one.values()) for _, one in refitted]
    unsure = model.share_known(fitted.variances) == 0 or np.mean(nothing) > UNSURE
    if unsure and not agree_clearly(trial, person):
        return Ceiling(*empty, TOO_LITTLE)
    whole = np.array([studies.run(fitted.location, fitted.variances, draw) for draw in draws])
    few = draws[:FEWER]
    drawn = [[studies.run(*one, draw) for draw in few] for one in refitted[:DRAWS]]
    moved = np.mean(drawn, axis=1) - whole[:FEWER].mean(axis=0)  # perfect, control
    return summarise(whole, moved, trial, n)


def agree_clearly(trial, person):
    """Return whether a person (a `trial.Measured`) clearly follows the others, better than
    guessing."""
    return bool(trial.rate(person)["low"] > statistics.find_guess(trial.measure))


def summarise(whole, moved, trial, n):
    """Return the `Ceiling` of simulated studies.

    whole: perfect judge and control (studies x 2); moved: by how much both move under the models
    that other studies would have given (models x 2).
    """
    perfect, control = whole.mean(axis=0)
    there, back = intervals.SCALES["correlation"]  # a share is moved to -1 … 1
    turn = (lambda x: x) if trial.scale else (lambda x: 2 * x - 1)
    turned = (lambda x: x) if trial.scale else (lambda x: (x + 1) / 2)
    spread = np.std(there(turn(perfect + moved[:, 0])))
    half = stats.t.ppf((1 + trial.level) / 2, n - 1) * spread
    middle = there(turn(perfect))
    ends = [turned(back(middle - half)), turned(back(middle + half))]
    lead = whole[:, 0] - whole[:, 1]
    leads = lead.mean() + moved[:, 0] - moved[:, 1]
    error = stats.t.ppf((1 + trial.level) / 2, n - 1) * leads.std()
    row = {"estimate": perfect, "low": ends[0], "high": ends[1], "n": n}
    around = [lead.mean(), lead.mean() - error, lead.mean() + error]
    row |= dict(zip(lead_names("control"), around))
    power = [find_power(one, lead.std(ddof=1), n, trial.level) for one in around]
    return Ceiling(row, tuple(power), "")


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
    """Simulated studies of a fitted model, rated as the real one is."""

    def __init__(self, fitted, trial, control):
        self.fitted, self.trial = fitted, trial
        rows = fitted.design.rows
        case = rows.groupby(["item", "aspect"]).ngroup()
        names = pd.MultiIndex.from_frame(rows[["item", "aspect", "rater"]])
        cases = trial.cases
        first = case.groupby([rows["item"], rows["aspect"]]).first()
        self.case = case.to_numpy()  # of each rating
        self.count = np.bincount(self.case)
        pairs = pd.MultiIndex.from_frame(cases[["item", "aspect"]])
        self.of_case = first.reindex(pairs).to_numpy()  # item and aspect of each case
        self.alone = cases["person"].isna().all()  # held against all raters: nobody is left out
        if self.alone:
            self.rating = first_of(self.case)[self.of_case]
        else:
            mine = pd.MultiIndex.from_frame(cases[["item", "aspect", "rater"]])
            self.rating = names.get_indexer(mine)
        self.control = control if control is not None else np.ones(len(cases))
        self.control_varies = np.nanstd(self.control) > 0
        self.others = self.count[self.of_case] - (0 if self.alone else 1)

    def run(self, location, variances, draw):
        """Return the measure of the perfect judge and of the control in one simulated study."""
        true, latent = model.add_up(location, variances, draw)
        design = self.fitted.design
        said = model.stretch(design, model.observe(design, latent), design.scale)
        total = np.bincount(self.case, said)[self.of_case]
        if not self.alone:
            total = total - said[self.rating]
        target = (total / self.others).round(9)
        known = ~np.isnan(self.control)
        if self.trial.measure in statistics.OF_TWO_KINDS:
            known = known & (target != 0.5)
        rows = np.flatnonzero(known)
        knows = true[self.rating]
        if self.trial.measure is statistics.balanced_accuracy:
            knows = self.decide(knows, variances, rows)
        perfect = self.trial.value(knows, rows, target)
        unread = statistics.find_guess(self.trial.measure)  # of a constant
        if self.control_varies:
            unread = self.trial.value(self.control, rows, target)
        return np.nan_to_num([perfect, unread])  # what does not vary has no correlation: 0

    def decide(self, true, variances, rows):
        """Return 1 where a perfect judge says Yes: where the others' Yes is more likely than usual
        on this label, by the factor by which their No is less likely, or more."""
        own = sum(one for name, one in variances.items() if name not in model.SHARED)
        if self.fitted.design.kind == model.VERDICTS:
            chance = stats.norm.cdf(true / np.sqrt(own))
        else:
            chance = stats.norm.cdf((true - true.mean()) / np.sqrt(own))
        half = self.others / 2
        fails = stats.binom.cdf(np.ceil(half) - 1, self.others, chance)
        passes = stats.binom.sf(np.floor(half), self.others, chance)
        labels = self.trial.labels
        usual = [
            np.bincount(labels[rows], side[rows], labels.max() + 1)[labels]
            for side in (passes, fails)
        ]
        return (passes * usual[1] > fails * usual[0]).astype(float)


def first_of(codes):
    """Return the position of the first row of each code 0, 1, …"""
    return np.unique(codes, return_index=True)[1]
