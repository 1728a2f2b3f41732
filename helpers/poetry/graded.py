"""What a judge's probabilities say of poems: one digit, one tier, one letter of two, and lists."""

import pandas as pd

from helpers import judges
from helpers.measures import intervals, steadiness
from helpers.poetry import ask


def read_ratings(poems, judge):
    """Return scores (judge: what was asked, item, score): a recorded judge's mean expected labels
    of every poem, its five ratings and its kind of venue."""
    asked = {
        "five ratings": (ask.rating_requests(poems), "ratings", ask.parse_rating),
        "kind of venue": (ask.single_requests(poems, "graded-tier"), "tiers", ask.parse_tier),
    }
    scores = {}
    for what, (requests, of, parse) in asked.items():
        answers = judges.ask(requests, f"recorded/{judge}-poem-{of}", parse)
        ids = answers["item"].str.extract(r"poem-(\d+)")[0].astype(int)
        scores[what] = answers["score"].groupby(ids.to_numpy()).mean().dropna()
    return pd.concat(scores, names=["judge", "item"]).rename("score").reset_index()


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
