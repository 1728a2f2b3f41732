"""What a judge's probabilities say of single poems and of pairs, where it ranks no list.

A small open model cannot rank fifteen poems. It can be asked for one word about a poem (a rating
from 1 to 5, or the kind of venue: Good, Medium, Bad) or for the better of two (A or B), and then
gives each word a probability. Its grade is the expected label: "4" with probability 0.6 and "3"
with 0.4 are 3.6. `rating_requests`, `tier_requests` and `pair_requests` ask, each with its reader;
`read_ratings` says what recorded answers come to.
"""

import itertools

import numpy as np
import pandas as pd
from goodjudge.ask import labels

from helpers import judges, prompts
from helpers.poetry.load import CRITERIA, name_poems

rating_reader = labels.choice({str(grade): grade for grade in range(1, 6)})
TIER = labels.one_of(["Good", "Medium", "Bad"], "tier")  # at the end of an analysis
tier_reader = labels.choice({"Good": 2, "Medium": 1, "Bad": 0})
pair_reader = labels.choice({"A": 1, "B": 0})


def rating_requests(poems):
    """Return requests for ratings from 1 to 5, one per poem and criterion: item, aspect (the
    criterion), poem (its id), system, shared, prompt."""
    prompt = prompts.load("graded-poem")
    rows = []
    for poem, item in zip(poems.index, name_poems(poems.index)):
        for criterion, (asked, _, _) in CRITERIA.items():
            about = {"item": item, "aspect": criterion, "poem": poem}
            rows.append(about | prompt.fill(poem=poems.at[poem, "text"], asked=asked))
    return pd.DataFrame(rows)


def tier_requests(poems, form="graded-tier"):
    """Return requests for a poem's kind of venue, one per poem: item, poem (its id), system,
    shared, prompt.

    form: "graded-tier" (one word), or "cat-tier" (in the paper's words).
    """
    prompt = prompts.load(form)
    rows = []
    for poem, item in zip(poems.index, name_poems(poems.index)):
        about = {"item": item, "poem": poem}
        rows.append(about | prompt.fill(poem=poems.at[poem, "text"]))
    return pd.DataFrame(rows)


def pair_requests(poems, seed=0):
    """Return requests for the better of two poems, two per pair: item (the better tier's), partner,
    order ('+': the item is A, '-': it is B), system, shared, prompt.

    Every poem meets one of each other tier, drawn by `seed`.
    """
    prompt = prompts.load("graded-pair")
    texts = poems["text"]
    item_of_poem = dict(zip(poems.index, name_poems(poems.index)))
    rows = []
    for better, worse in draw_pairs(poems["tier"], seed):
        about = {"item": item_of_poem[better], "partner": item_of_poem[worse]}
        better_first = prompt.fill(poem_a=texts[better], poem_b=texts[worse])
        better_second = prompt.fill(poem_a=texts[worse], poem_b=texts[better])
        rows.append(about | {"order": "+"} | better_first)
        rows.append(about | {"order": "-"} | better_second)
    return pd.DataFrame(rows)


def draw_pairs(tiers, seed):
    """Return pairs of poems' ids, the better tier's first: each two tiers are matched at random.

    tiers: by poem, a categorical Series, its categories the best first.
    """
    rng = np.random.default_rng(seed)
    shuffled = {}
    for tier in tiers.cat.categories:
        shuffled[tier] = rng.permutation(tiers.index[tiers == tier])
    pairs = []
    for better_tier, worse_tier in itertools.combinations(shuffled, 2):
        pairs += zip(shuffled[better_tier], shuffled[worse_tier])
    return pairs


def read_ratings(poems, judge):
    """Return scores (judge: what was asked, item, score): a recorded judge's mean expected labels
    of every poem, of its five ratings and of its kind of venue."""
    ratings = f"recorded/{judge}-poem-ratings"
    tiers = f"recorded/{judge}-poem-tiers"
    scores = {
        "five ratings": average_labels(rating_requests(poems), ratings, rating_reader),
        "kind of venue": average_labels(tier_requests(poems), tiers, tier_reader),
    }
    return pd.concat(scores, names=["judge", "item"]).rename("score").reset_index()


def average_labels(requests, judge, reader):
    """Return by item the mean of the expected labels that a judge answers, a Series."""
    answers = judges.ask(requests, judge, reader)
    return answers.groupby("item")["score"].mean().dropna()
