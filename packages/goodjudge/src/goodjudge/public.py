"""The parts of a card one by one, for whoever wants numbers and no card."""

from importlib import resources
from pathlib import Path

import pandas as pd

from goodjudge.card.study import rename_judges
from goodjudge.comparison import compare as comparing
from goodjudge.comparison import scales
from goodjudge.data import orders
from goodjudge.data.ratings import Ratings
from goodjudge.diagnostics import ppi, reliability
from goodjudge.errors import DataError
from goodjudge.stats import metrics, severity

MEASURES = {
    "pearson": metrics.pearson,
    "spearman": metrics.spearman,
    "mean_spearman": metrics.mean_spearman,
    "kendall": metrics.kendall,
    "pairwise_accuracy": metrics.pairwise_accuracy,
    "balanced_accuracy": metrics.balanced_accuracy,
    "auc": metrics.auc,
}
SAMPLES = resources.files("goodjudge") / "samples"


def find_sample(name: str) -> Path:
    """Return the path of a simulated sample file: ratings.csv, wide.csv, form.csv, pairs.csv,
    ranks.csv or scores.csv (two judges: one reads well, one likes length). No person rated.

    Raises DataError for another name.

    >>> find_sample("ratings.csv").name
    'ratings.csv'
    """
    path = Path(str(SAMPLES)) / name
    known = sorted(one.name for one in Path(str(SAMPLES)).glob("*.csv"))
    if name not in known:
        raise DataError(f"{name}: there is no such sample; expected one of {', '.join(known)}")
    return path


def compare(
    ratings: Ratings,
    scores: pd.DataFrame | None = None,
    measure: str = "auto",
    *,
    within: tuple[str, ...] | None = None,
    level: float = 0.95,
    seed: int = 0,
    ceiling: bool = True,
) -> pd.DataFrame:
    """Return one row per judge, a person, each control and a perfect judge: how far it follows
    people, all on the same cases.

    ratings: of `read_ratings`; scores: of `read_scores` (None: no judge). measure: "auto" (what a
    card takes: Pearson's r of scores, balanced accuracy of Yes and No, pairwise accuracy of pairs
    and ranks), or a key of `MEASURES`. within: columns within which it is taken (None: the aspect
    and, of pairs and ranks, a rater's set). level: of the intervals; seed: of the simulation;
    ceiling: whether a perfect judge is simulated, which takes a second or two.

    Each rater in turn is left out and held against the other raters of the same items, and judges
    and controls against the same others; where no item has two raters, all are held against all
    raters. Columns: kind (judge, person, control, ceiling), estimate, low, high (in the measure's
    own unit; nan where there are fewer than five groups), n (groups), and the paired leads `over
    control`, `over stranger` (the best control that a user could have) and `over person` with low
    and high. Intervals by the jackknife over groups (Efron & Tibshirani 1993); those of several
    judges hold for all at once (Hothorn, Bretz & Westfall 2008).

    Raises DataError for a measure that is not there.

    >>> import goodjudge as gj
    >>> ratings = gj.read_ratings(gj.find_sample("ratings.csv"))
    >>> scores = gj.read_scores(gj.find_sample("scores.csv"), ratings)
    >>> found = gj.compare(ratings, scores, "spearman", ceiling=False)
    >>> found.loc[["reads well", "a person"], "estimate"].round(2).tolist()
    [0.8, 0.73]
    """
    if measure == "auto":
        of, _, _ = scales.choose_measure(ratings)
    elif measure in MEASURES:
        of = MEASURES[measure]
    else:
        known = ", ".join(["auto", *MEASURES])
        raise DataError(f"measure={measure!r}; expected one of {known}")
    if scores is None:
        scores = pd.DataFrame(columns=["item", "judge", "score"])
    adjusted = severity.adjust_raters(ratings) if of in metrics.POOLED else ratings
    return comparing.compare(
        adjusted,
        rename_judges(scores),
        of,
        within=orders.choose_within(ratings) if within is None else within,
        level=level,
        seed=seed,
        simulate=ceiling and orders.has_ceiling(ratings),
        together=True,
    )


def find_agreement(ratings: Ratings, *, within: str | None = None) -> pd.DataFrame:
    """Return how reliable one rater is, a row per aspect and kind of decision.

    ratings: of `read_ratings`, several raters an item; within: a column of its items, such as
    "writer", whose differences shall not count. Index: aspect ("" for none) and decision: relative
    (which item is better; severity does not matter) or absolute (what an item is worth; severity is
    error). Columns: estimate, low, high (shares of variance, 0 to 1), n (groups) and `raters for
    0.8`, how many raters have a mean of reliability 0.8. A decision study of generalizability
    theory, items x raters (Brennan 2001, chapters 1 and 2); intervals by the jackknife.

    Raises DataError where no item has two raters.

    >>> import goodjudge as gj
    >>> found = gj.find_agreement(gj.read_ratings(gj.find_sample("ratings.csv")))
    >>> found["estimate"].round(2).tolist()
    [0.64, 0.62]
    """
    refuse_single(ratings)
    return reliability.find_agreement(ratings, within)


def estimate_severity(ratings: Ratings) -> pd.DataFrame:
    """Return how severe each rater is: a row per rater with severity, in points of the scale
    (strict: above 0), shrunk towards 0 the more the fewer ratings there are, and ratings, how many.

    ratings: of `read_ratings`. Raters are compared on the items that they share, directly or
    through others; where some share none, severity cannot be told from poor items, and DataError is
    raised, as where no item has two raters. Mixed-model equations (Henderson 1975).

    >>> import goodjudge as gj
    >>> found = gj.estimate_severity(gj.read_ratings(gj.find_sample("ratings.csv")))
    >>> found["severity"].round(1).tolist()
    [-0.3, 0.3, -0.0, 0.0]
    """
    refuse_single(ratings)
    table, linked = severity.estimate_severity(ratings)
    if not linked:
        raise DataError(
            "ratings: some raters share no item with the others; expected items that link them, "
            "for severe raters and poor items look alike"
        )
    return table


def refuse_single(ratings):
    """Raise DataError where no item has two raters."""
    raters = ratings.ratings.dropna(subset=["score"]).groupby("item")["rater"].nunique()
    if not raters.max() > 1:
        raise DataError("ratings: no item has two raters; expected items that several people rated")


def correct_means(
    table: pd.DataFrame, *, by: str | None = None, level: float = 0.95
) -> pd.DataFrame:
    """Return people's mean of all items, of which they rated some: from people alone, from the
    judge alone, and from both by prediction-powered inference.

    table: a row per item with score (the judge's), rating (people's mean, nan where nobody rated
    it) and perhaps group (items that belong together; else each stands for itself) and a column of
    conditions. by: that column, such as "writer"; None: all items together. Rated items must be
    drawn at random (of each condition).

    Index: condition ("all items") and way; columns: estimate, low, high in points of the ratings, n
    (groups with a rated item), weight (of the judge, 0 to 1) and saved, the share of the ratings
    that could have been spared for an interval as wide (Angelopoulos, Duchi & Zrnic 2023, PPI++,
    counted over groups). Raises DataError for columns that are not there.

    >>> import goodjudge as gj
    >>> table = pd.DataFrame({"score": [1, 2, 3, 4, 5, 6] * 4})
    >>> table["rating"] = table["score"].where(table.index < 12)
    >>> found = gj.correct_means(table)
    >>> found.loc[("all items", "both"), "estimate"].round(2).item()
    3.5
    """
    lacking = [name for name in ("score", "rating", *([by] if by else [])) if name not in table]
    if lacking:
        raise DataError(f"table: no column {' and '.join(lacking)}; found {', '.join(table)}")
    table = table.dropna(subset=["score"]).reset_index(drop=True)
    if table["rating"].isna().all():
        raise DataError("table: nobody rated an item that the judge scored; expected some ratings")
    if "group" not in table:
        table = table.assign(group=range(len(table)))
    return ppi.correct_means(table.astype({"score": float, "rating": float}), by, level)
