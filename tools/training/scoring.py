"""Pairs in which evaluators rate stories, the same for all, and what follows from the answers."""

import pandas as pd

from helpers.evolvr.beside import draw_pairs


def list_readings(stories, partners, rng):
    """Return pairs to be read, both orders of each: first, second (items); each story stands beside
    `partners` others (`beside.draw_pairs`), whatever they are about."""
    items = stories["item"].to_numpy()
    rows = []
    for a, b in draw_pairs(len(items), partners, rng):
        rows += [(items[a], items[b]), (items[b], items[a])]
    return pd.DataFrame(rows, columns=["first", "second"])


def to_scores(readings, expected, likeliest):
    """Return two rows per reading: item, partner, place (1: shown first), expected, likeliest.

    readings: of `list_readings`; expected, likeliest: readings x 2.
    """
    tables = []
    for place, (item, partner) in enumerate([("first", "second"), ("second", "first")]):
        table = readings[[item, partner]].set_axis(["item", "partner"], axis=1)
        table["place"] = place + 1
        table["expected"] = expected[:, place]
        table["likeliest"] = likeliest[:, place]
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def average(scores):
    """Return the mean expected score of each story, over partners and orders: item, score."""
    means = scores.groupby("item", sort=True)["expected"].mean()
    return means.rename("score").reset_index()


def correlate_with_people(scores, stories):
    """Return Pearson's r of mean scores (of `average`) with people's over stories."""
    both = scores.merge(stories[["item", "score"]], on="item", suffixes=("", " of people"))
    return both["score"].corr(both["score of people"])
