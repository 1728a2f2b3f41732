"""What a card compares: people's ratings and a judge's scores, with the measure that fits them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.comparison import compare, controls, scales
from goodjudge.data import orders, ratings
from goodjudge.data.ratings import Ratings
from goodjudge.stats import metrics, severity

SAMPLE = 20_000  # ratings, of more than which a card is made from a sample of groups


class Study(NamedTuple):
    """Ratings and scores, ready to be compared.

    data: `Ratings` whose raters are R1, R2, …; scores: judge, item, score and more, no row where
    there is no judge; adjusted: the ratings less their raters' severity, where a correlation is
    measured; compared: the scores, points cut to Yes and No where people say Yes and No; measure,
    name, guess: of `scales.choose_measure`; within: columns within which it is taken; target:
    "others", or "all" where nobody can be left out; unit, trial: what is one trial of the
    alternative annotator test, in columns and in words; is_known: of each item, whether all numbers
    are known that a control may count; several: whether raters can be told apart, and items have
    several; scales: how the judge's scale differs, "" for not at all.
    """

    data: Ratings
    scores: pd.DataFrame
    adjusted: Ratings
    compared: pd.DataFrame
    measure: Callable
    name: str
    guess: float
    within: tuple
    target: str
    unit: tuple
    trial: str
    is_known: np.ndarray
    several: bool
    scales: str = ""
    level: float = 0.95
    seed: int = 0

    @property
    def in_order(self):
        """Whether people gave pairs or ranks."""
        return orders.are_orders(self.data)

    @property
    def yes_or_no(self):
        """Whether people said Yes and No."""
        return self.measure is metrics.balanced_accuracy

    @property
    def groups(self):
        """How many independent groups there are."""
        return int(self.data.items["group"].nunique())

    def compare(self, kept=None, **options):
        """Return `compare.compare` of all items, or of those kept (True for each)."""
        data = self.adjusted if kept is None else ratings.keep(self.adjusted, kept)
        settings = {"within": self.within, "target": self.target, "level": self.level}
        settings |= {"seed": self.seed, "together": True}
        return compare.compare(data, self.compared, self.measure, **(settings | options))


def set_up(data, scores, level=0.95, seed=0):
    """Return the `Study` of `Ratings` and a judge's scores (None for none)."""
    data = hide_raters(data)
    if scores is None:
        scores = pd.DataFrame(columns=["item", "judge", "score"])
    scores = rename_judges(scores)
    measure, name, guess = scales.choose_measure(data)
    yes_or_no = measure is metrics.balanced_accuracy
    several = have_several(data)
    unit, trial = orders.choose_trial(data, yes_or_no)
    cuts = len(scores) > 0 and scales.gives_points(data, scores)
    return Study(
        data=data,
        scores=scores,
        adjusted=severity.adjust_raters(data) if measure is metrics.pearson else data,
        compared=scales.cut_points(data, scores) if cuts else scores,
        measure=measure,
        name=name,
        guess=float(guess),
        within=orders.choose_within(data),
        target=ratings.choose_target(data) if several else "all",
        unit=unit,
        trial=trial,
        is_known=find_known_items(data),
        several=several,
        scales=tell_scales(data, scores),
        level=level,
        seed=seed,
    )


def hide_raters(data):
    """Return `Ratings` whose raters are called R1, R2, … in the order in which they appear."""
    rater = data.ratings["rater"].astype(str)
    if rater.str.fullmatch(r"R[0-9]+").all():
        return data
    codes, _ = pd.factorize(rater)
    hidden = ("R" + pd.Series(codes + 1, rater.index).astype(str)).astype(object)
    return data._replace(ratings=data.ratings.assign(rater=hidden))


def rename_judges(scores):
    """Return scores in which no judge is called like a row that is no judge: such a name gets "(the
    judge)" after it."""
    names = {}
    for name in scores["judge"].unique():
        taken = " ".join(str(name).split()).casefold() in compare.TAKEN
        names[name] = f"{name} (the judge)" if taken else name
    if all(name == new for name, new in names.items()):
        return scores
    return scores.assign(judge=scores["judge"].map(names))


def tell_scales(data, scores):
    """Return how a judge's scale differs from people's, as "1 to 10, people's 1 to 7"; "" where it
    does not, and of pairs and ranks, which have none.

    What the reader of the file found decides, where there is one (`CleaningReport.scale`).
    """
    if not len(scores) or orders.are_orders(data):
        return ""
    report = scores.attrs.get("report")
    differs = scales.is_other_scale(data, scores)
    differs = differs or (report is not None and report.scale.relation == "other")
    if not differs:
        return ""
    if report is not None and report.scale.judge and report.scale.people:
        judge, people = report.scale.judge, report.scale.people
    else:
        judge, people = find_range(scores), find_range(data.ratings)
    return f"{judge[0]:g} to {judge[1]:g}, people's {people[0]:g} to {people[1]:g}"


def find_range(table):
    """Return (lowest, highest) score of a table."""
    return float(table["score"].min()), float(table["score"].max())


def have_several(data):
    """Return whether some item has several raters who can be told apart; data: `Ratings`.

    Raters cannot be told apart where nearly every rating has a rater of its own, as where the
    column holds the number of a response.
    """
    if len(data.items) < 2:
        return False
    rated = data.ratings.dropna(subset=["score"])
    return bool(rated.groupby("item")["rater"].nunique().max() > 1) and not has_response_ids(data)


def has_response_ids(data):
    """Return whether nearly every rating has a rater of its own; of one item this is always so."""
    pairs = data.ratings[["item", "rater"]].drop_duplicates()
    several = pairs["item"].nunique() > 1 and len(pairs) > 2
    return bool(several and pairs["rater"].nunique() > 0.8 * len(pairs))


def find_known_items(data):
    """Return for each item whether every number is known of it that a control may count without
    reading, such as its words; all True where no such number is known of any item."""
    counts = data.items[controls.list_counts(data.items)]
    counts = counts.loc[:, counts.notna().any()]
    return counts.notna().all(axis=1).to_numpy()


def take_sample(data, scores, seed):
    """Return (data, scores) of a random sample of groups with at most `SAMPLE` ratings, and as they
    are where there are no more; at least ten groups are kept."""
    if len(data.ratings) <= SAMPLE:
        return data, scores
    group = data.ratings["item"].map(data.items.set_index("item")["group"])
    sizes = group.value_counts(sort=False)
    order = np.random.default_rng(seed).permutation(np.sort(sizes.index.to_numpy()))
    until = sizes.reindex(order).cumsum().to_numpy()
    count = max(int((until <= SAMPLE).sum()), min(10, len(order)))
    kept = data.items["group"].isin(set(order[:count]))
    smaller = ratings.keep(data, kept)
    if scores is not None:
        scores = scores[scores["item"].isin(smaller.items["item"])]
    return smaller, scores
