"""Pairs of texts of two kinds: which of them a rater or a judge puts above the other."""

import numpy as np
import pandas as pd

from helpers.measures import intervals


def list_wins(items, scores, pairs):
    """Return one row per group, rater and pair of kinds: group, writer, rater, pair, won (1 if the
    first kind is scored above the second, 0.5 for a tie).

    scores: item, rater (or judge), score; pairs: {name: (kind, kind)}.
    """
    table = scores.rename(columns={"judge": "rater"}).merge(items, on="item")
    wide = table.pivot_table("score", ["group", "writer", "rater"], "kind").dropna()
    won = {name: (np.sign((wide[a] - wide[b]).round(9)) + 1) / 2 for name, (a, b) in pairs.items()}
    found = pd.DataFrame(won).rename_axis(columns="pair").stack()
    return found.rename("won").reset_index()


def agree(wins):
    """Return how often two raters of a group order a pair alike, by pair, and Kendall's tau of two
    rankings of three texts; means over the groups."""
    both = wins.merge(wins, on=["group", "pair"], suffixes=("", " too"))
    both = both[both["rater"] < both["rater too"]]
    alike = (both["won"] == both["won too"]).groupby([both["group"], both["pair"]]).mean().unstack()
    rows = {pair: intervals.of_mean(alike[pair]) for pair in wins["pair"].unique()}
    rows["Kendall's tau of two rankings"] = intervals.of_mean(2 * alike.mean(axis=1) - 1)
    return pd.DataFrame(rows).T
