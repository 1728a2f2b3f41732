"""Poems that people voted on (CoPoet): two short poems on one title, one written alone and one with
a model's suggestions. The votes are kept here, the poems are fetched."""

import pandas as pd
from goodjudge.ask import labels
from goodjudge.data.ratings import Ratings

from helpers import judges, prompts
from helpers.sources.kept import read_kept
from helpers.sources.public import read_json

POEMS = "copoet/amt_solo_vs_collab.json"
WAYS = {"with help": "collab poem", "alone": "solo poem"}  # of writing, and the file's names
reader = labels.choice({"A": 1, "B": 0})


def load():
    """Return `Ratings`: the 51 pairs and the three votes on each.

    items: item ("07/alone"), group (the pair), writer (alone, with help), words and six more counts
    of `poetry.load.count`. ratings: item, rater (R1, R2, … by first appearance), score (1 for the
    poem that was chosen, 0 for the other), two rows a vote.
    """
    return Ratings(name_pairs("copoet-items"), name_pairs("copoet-ratings"), "open")


def name_pairs(table):
    """Return a kept table of CoPoet (`kept.read_kept`), the number of its pair as two digits."""
    kept = read_kept(table)
    if "group" in kept:
        kept["group"] = kept["group"].map("{:02d}".format)
    return kept


def load_texts():
    """Return the poems: item, group, writer, title, text. Fetched, and verified: FileNotFoundError
    where they cannot be had."""
    rows = []
    for number, pair in enumerate(read_json(POEMS)):
        for writer, name in WAYS.items():
            group = f"{number:02d}"
            row = {"item": f"{group}/{writer}", "group": group, "writer": writer}
            rows.append(row | {"title": pair["title"], "text": pair[name]})
    return pd.DataFrame(rows)


def requests(items):
    """Return requests for the more creative and interesting poem, two per pair: item (the poem
    shown first), partner and, of items with texts, system, shared, prompt; items: item, group,
    perhaps title and text."""
    prompt = prompts.load("graded-poem-vote")
    rows = []
    for _, pair in items.groupby("group", sort=False):
        for first, second in (pair.index, pair.index[::-1]):
            row = {"item": pair.at[first, "item"], "partner": pair.at[second, "item"]}
            if "text" in pair:
                texts = {"poem_a": pair.at[first, "text"], "poem_b": pair.at[second, "text"]}
                row |= prompt.fill(title=pair.at[first, "title"], **texts)
            rows.append(row)
    return pd.DataFrame(rows)


def vote_requests(with_texts=False):
    """Return `requests` about the 51 pairs; with_texts: what a judge is to read is fetched."""
    return requests(load_texts() if with_texts else load().items)


def ask_pairs(judge, options=None):
    """Return a judge's answers to `vote_requests`, with texts where the judge has to read them."""
    table = vote_requests(with_texts=judges.needs_texts(judge))
    return judges.ask(table, judge, reader, options)


def score(answers):
    """Return how far each poem was preferred, two rows per answer: item, partner, order (where it
    was shown), score (its probability, or 1 or 0 by the letter), judge, status."""
    preference = answers["score"].fillna(answers["verdict"].map(reader.choices))
    first = answers[["item", "partner", "judge", "status"]]
    first = first.assign(order="first", score=preference)
    second = first.rename(columns={"item": "partner", "partner": "item"})
    second = second.assign(order="second", score=1 - preference)
    columns = ["item", "partner", "order", "score", "judge", "status"]
    return pd.concat([first, second], ignore_index=True)[columns]
