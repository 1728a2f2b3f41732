"""One poem and one digit, one poem and one tier, two poems and one letter: judges whose
probabilities are their grades."""

from itertools import combinations

import numpy as np
import pandas as pd

from helpers import judges
from helpers.judges import labels, prompts
from helpers.measures import intervals, validity
from helpers.poetry import lists

parse_rating = labels.choice({str(grade): grade for grade in range(1, 6)})
parse_tier = labels.choice({"Good": 2, "Medium": 1, "Bad": 0})
parse_pair = labels.choice({"A": 1, "B": 0})


def rating_requests(poems, criteria=lists.CRITERIA):
    """Return requests for a rating from 1 to 5, one a poem and criterion: item
    'poem-000/Quality'."""
    prompt = prompts.load("graded-poem")
    return pd.DataFrame(
        [
            {"item": f"poem-{i:03d}/{name}", **prompt.fill(poem=text, asked=asked[0])}
            for i, text in poems["text"].items()
            for name, asked in criteria.items()
        ]
    )


def tier_requests(poems):
    """Return requests for one of three kinds of venue, one a poem: item 'poem-000'."""
    prompt = prompts.load("graded-tier")
    return pd.DataFrame(
        [{"item": f"poem-{i:03d}", **prompt.fill(poem=text)} for i, text in poems["text"].items()]
    )


def pair_requests(poems, seed=0):
    """Return requests for the better of two poems of different tiers, both orders: item
    '000/030/+', the better tier first.

    Every poem meets one poem of each other tier, drawn by `seed`; in order '+' the one of the
    better tier is poem A.
    """
    rng, prompt, rows = np.random.default_rng(seed), prompts.load("graded-pair"), []
    tiers, texts = poems["tier"].cat.categories, poems["text"]
    members = {tier: rng.permutation(poems.index[poems["tier"] == tier]) for tier in tiers}
    for better, worse in combinations(tiers, 2):
        for one, other in zip(members[better], members[worse]):
            for order, (a, b) in {"+": (one, other), "-": (other, one)}.items():
                rows.append(
                    {
                        "item": f"{one:03d}/{other:03d}/{order}",
                        **prompt.fill(poem_a=texts[a], poem_b=texts[b]),
                    }
                )
    return pd.DataFrame(rows)


def list_requests(poems, seed=7):
    """Return requests to rank twenty lists of 15 poems by quality, five of each tier, as poetry,
    section 7.3, does with 100."""
    drawn = lists.draw_subsets(poems["tier"], 20, 5, np.random.default_rng(seed))
    return lists.list_requests(poems, drawn, "Quality")


def follow_tiers(poems, score):
    """Return the rows of `validity.beside_length` of poems' scores (by id, perhaps not all) with
    their tiers; n: subjects.

    The project's poems have the same subjects in the same order in every tier.
    """
    words, subject = (
        poems["text"].str.split().str.len(),
        poems.groupby("tier", observed=True).cumcount(),
    )
    table = pd.DataFrame(
        {"tier": -poems["tier"].cat.codes, "words": words, "subject": subject}
    ).loc[score.index]
    return validity.beside_length(score, table["tier"], table["words"], table["subject"])


def read_ratings(poems, judge, kind="ratings", **options):
    """Return (rows of `follow_tiers`, mean score by tier).

    kind: "ratings" (the mean expected rating over the criteria) or "tiers" (the expected tier).
    """
    requests, parse = (
        (rating_requests, parse_rating) if kind == "ratings" else (tier_requests, parse_tier)
    )
    answers = judges.ask(requests(poems), judge, parse, **options)
    ids = answers["item"].str.extract(r"poem-(\d+)")[0].astype(int)
    score = answers["score"].groupby(ids.to_numpy()).mean().reindex(poems.index)
    return follow_tiers(poems, score), score.groupby(poems["tier"], observed=True).mean()


def read_pairs(poems, judge, **options):
    """Return the share of pairs whose better tier is preferred, how often the first poem is, and
    how often the swap turns it.

    A pair's preference is P(better tier) over both orders. Columns estimate, low, high, n (poems
    for the first, then pairs).
    """
    answers = judges.ask(pair_requests(poems), judge, parse_pair, **options)
    part = answers["item"].str.split("/", expand=True).set_axis(["one", "other", "order"], axis=1)
    first = (
        part.assign(first=answers["score"])
        .pivot(index=["one", "other"], columns="order", values="first")
        .dropna()
    )
    better = (first["+"] + 1 - first["-"]) / 2
    tops = first.index.get_level_values("one")
    won = (better > 0.5).to_numpy() + 0.5 * (better == 0.5).to_numpy()
    return pd.DataFrame(
        {
            "the better tier is preferred": intervals.over_groups(
                tops, lambda rows: won[rows].mean()
            ),
            "the first one is preferred": intervals.of_share(
                (first.to_numpy() > 0.5).sum() // 2, len(first)
            ),
            "the swap turns it": validity.flips(first["+"] - 0.5, 0.5 - first["-"]),
        }
    ).T


def read_lists(poems, judge, **options):
    """Return (share of lists that were ranked validly, rows of `follow_tiers` for a poem's mean
    place).

    The rows are empty (nan) where no list is valid; poems in no valid list are left out.
    """
    asked, names, ranked = list_requests(poems), poems["name"].to_dict(), []
    answers = judges.ask(asked, judge, labels.parse_list, **options)
    for shown, answer in zip(asked["shown"], answers.itertuples()):
        ids, *_ = lists.read_list(answer.verdict if answer.status == "ok" else None, shown, names)
        ranked += [pd.Series(range(len(ids), 0, -1), index=ids, dtype=float)] if ids else []
    share, nothing = intervals.of_share(len(ranked), len(asked)), [pd.Series(dtype=float)]
    return share, follow_tiers(poems, pd.concat(ranked or nothing).groupby(level=0).mean())
