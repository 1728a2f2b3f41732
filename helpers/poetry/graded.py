"""What a judge's probabilities say of poems: one digit, one tier, one letter of two, and lists."""

import pandas as pd

from helpers import judges
from helpers.measures import intervals, steadiness
from helpers.poetry import ask


def read_ratings(requests, judge, parse):
    """Return the mean expected label of every poem (by id) over the criteria asked for."""
    answers = judges.ask(requests, judge, parse)
    ids = answers["item"].str.extract(r"poem-(\d+)")[0].astype(int)
    return answers["score"].groupby(ids.to_numpy()).mean().dropna()


def read_pairs(poems, judge):
    """Return how often the better tier, and the first, is preferred, and what the swap turns."""
    answers = judges.ask(ask.pair_requests(poems), judge, ask.parse_pair)
    part = answers["item"].str.split("/", expand=True).set_axis(["one", "other", "order"], axis=1)
    part["first"] = answers["score"]
    first = part.pivot(index=["one", "other"], columns="order", values="first").dropna()
    better = (first["+"] + 1 - first["-"]) / 2
    won = (better > 0.5).to_numpy() + 0.5 * (better == 0.5).to_numpy()
    tops, leads = first.index.get_level_values("one"), (first.to_numpy() > 0.5).sum()
    rows = {
        "the better tier is preferred": intervals.over_groups(tops, lambda at: won[at].mean()),
        "the first one is preferred": intervals.of_share(leads // 2, len(first)),
        "the swap turns it": steadiness.count_turned(first["+"] - 0.5, 0.5 - first["-"]),
    }
    tiers = poems["tier"].astype(str)
    both = [f"{tiers[int(one)]} is preferred to {tiers[int(other)]}" for one, other in first.index]
    for two, hits in pd.Series(won).groupby(both):
        rows[two] = intervals.of_share(hits.sum(), len(hits))
    return pd.DataFrame(rows).T
