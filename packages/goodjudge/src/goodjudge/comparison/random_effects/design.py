"""Who rated what: the rows of a study, what is known of them unread, and the effects they can show.

A design has one row per item, aspect and rater. `levels` says which rows share an effect. Of two
raters (a, b) and two items rated once on one aspect, in two groups, it would be:

    row  item  group  rater      levels["item"]   levels["rater"]
    0    x     1      a          0                0
    1    x     1      b          0                1
    2    y     2      a          1                0
    3    y     2      b          1                1

Here groups and items are the same sets of rows, so that only the first of the two effects is kept;
and no two rows are alike in rater and item, so that this effect cannot be told from the residual.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from goodjudge.comparison.random_effects.responses import find_response
from goodjudge.data import ratings

SHARED = ("group", "item", "item x aspect")  # what a judge can know of an item by reading it
RESIDUAL = "residual"


class Design(NamedTuple):
    """Who rated what.

    rows: item, group, aspect, rater, score; levels: {effect: a whole number for each row}; fixed:
    rows x columns, what is known unread; response: POINTS, VERDICTS or RANKS of `responses`; sets:
    a whole number for each row, the same for one rater's scores of an aspect (of ranks: within a
    group); scale: for each row, how far apart its rater's points lie, 1 being usual.
    """

    rows: pd.DataFrame
    levels: dict
    fixed: np.ndarray
    response: object
    sets: np.ndarray
    scale: np.ndarray


def lay_out(data, known=None, within=()):
    """Return the `Design` of ratings.

    data: `Ratings`; known: a guess for each item and aspect, made without reading and learnt on
    other groups (a Series by item and aspect; nan: no guess); within: columns of items whose
    differences the measure leaves out. Repeated ratings are averaged.
    """
    taken_off = [name for name in within if name in data.items and name not in ("item", "group")]
    facts = ["kind", *taken_off] if "kind" in data.items else taken_off
    facts = list(dict.fromkeys(facts))  # each once
    rows = list_rows(data, facts)
    response = find_response(rows)
    rows["score"] = response.prepare(rows)
    sets = rows.groupby([*response.set_columns]).ngroup().to_numpy()
    levels = list_levels(rows, response.list_effects(taken_off))
    fixed = list_fixed(rows, facts, known)
    return Design(rows, levels, fixed, response, sets, response.find_scale(rows))


def list_rows(data, facts):
    """Return one row per item, aspect and rater: these, the score (the mean of repeated ones), the
    group and other `facts` of the item (columns of `data.items`)."""
    case = ["item", "aspect", "rater"]
    scores = ratings.list_scores(data).groupby(case)["score"].mean().astype(float)
    return scores.reset_index().merge(data.items[["item", "group", *facts]], on="item")


def list_fixed(rows, facts, known):
    """Return what is known unread, rows x columns: a column of 1 and 0 for each aspect (and each
    combination of it with the facts), and the guess less its mean on the aspect.

    rows: of `list_rows`; facts: its columns; known: of `lay_out`. Columns that do not vary are left
    out, but for the first.
    """
    cells = rows.groupby(["aspect", *facts]).ngroup()
    fixed = pd.get_dummies(cells).to_numpy(float)
    if known is not None:
        cases = pd.MultiIndex.from_frame(rows[["item", "aspect"]])
        guess = pd.Series(known.reindex(cases).to_numpy(float))
        from_mean = guess - guess.groupby(rows["aspect"]).transform("mean")
        fixed = np.column_stack([fixed, from_mean.fillna(0)])
    is_kept = np.ptp(fixed, axis=0) > 1e-9
    is_kept[0] = True
    return fixed[:, is_kept]


def list_levels(rows, effects):
    """Return {effect: a whole number for each row} of the effects that this design can tell apart.

    effects: {effect: columns}. An effect is left out that all rows share, that no two rows share,
    or that the same rows share as an earlier one.
    """
    levels = {}
    for name, columns in effects.items():
        numbers = rows.groupby(columns).ngroup().to_numpy()
        is_told = 1 < count_levels(numbers) < len(rows)
        is_twin = any(group_alike(numbers, earlier) for earlier in levels.values())
        if is_told and not is_twin:
            levels[name] = numbers
    return levels


def group_alike(first, second):
    """Return whether two effects are shared by the same rows; first, second: whole numbers 0, 1, …
    for each row."""
    both = first * count_levels(second) + second  # a number for each pair
    pairs = len(np.unique(both))
    return count_levels(first) == count_levels(second) == pairs


def count_levels(numbers):
    """Return how many levels an effect has; numbers: 0, 1, … for each row, none left out."""
    return numbers.max() + 1


def level_scales(design):
    """Return the scores of a design as if all its raters used the scale alike; one per row."""
    score = design.rows["score"].to_numpy()
    return design.response.stretch(score, design.sets, 1 / design.scale)


def restore_scales(design, answers):
    """Return answers of a simulated study as its raters would use the scale; one per row."""
    return design.response.stretch(answers, design.sets, design.scale)


def sum_shared(variances):
    """Return the variance of what all raters share about an item; variances: {effect: number}."""
    return sum(variance for name, variance in variances.items() if name in SHARED)
