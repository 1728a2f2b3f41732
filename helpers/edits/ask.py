"""Ask a judge which of two versions of a paragraph is the better writing, in both orders."""

from itertools import permutations

import numpy as np
import pandas as pd
from goodjudge.ask import labels

from helpers import judges, prompts, results
from helpers.edits.load import load, load_texts

reader = labels.choice({"A": 1, "B": 0})
SIMULATORS = {"coin": lambda row, rng: "AB"[int(rng.integers(2))]}


def requests(items):
    """Return one request per ordered pair of a group's texts, groups in their order: item (the text
    shown first, '<group>/<kind>'), partner (the kind of the other), group and, of items with texts,
    system, shared, prompt; items: group, kind, perhaps text."""
    prompt, rows = prompts.load("graded-paragraph"), []
    for group, part in items.groupby("group", sort=False):
        for a, b in permutations(part.itertuples(), 2):
            row = {"item": f"{group}/{a.kind}", "partner": b.kind, "group": group}
            if "text" in items:
                row |= prompt.fill(paragraph_a=a.text, paragraph_b=b.text)
            rows.append(row)
    return pd.DataFrame(rows)


def lamp_requests(with_texts=False, seed=0):
    """Return the requests about LAMP's triples in a drawn order: the first are a random sample;
    with_texts: what a judge is to read is fetched."""
    items = load_texts("LAMP") if with_texts else load("LAMP").items
    items = items.set_index("group")
    order = np.random.default_rng(seed).permutation(items.index.unique())
    return requests(items.loc[order].reset_index())


def ask_pairs(table, judge, options):
    """Return the judge's answers to a table of `requests`; show first what those of a live judge
    would cost."""
    if judge.split("/")[0] in judges.LIVE:
        plan = judges.plan_cost(table, judge, options)
        results.show_table(plan[["calls", "usd_live", "usd_most"]])
    return judges.ask(table, judge, reader, options)


def score(answers):
    """Return how much each text was preferred, two rows per answer: item, partner, order (where it
    was shown), score (its probability, or 1 or 0 by the letter), group, judge, status."""
    preference = answers["score"].fillna(answers["verdict"].map(reader.choices))
    first = answers[["item", "group", "judge", "status"]].copy()
    first["partner"] = answers["group"] + "/" + answers["partner"]
    first = first.assign(order="first", score=preference)
    second = first.rename(columns={"item": "partner", "partner": "item"})
    second = second.assign(order="second", score=1 - preference)
    columns = ["item", "partner", "order", "score", "group", "judge", "status"]
    return pd.concat([first, second], ignore_index=True)[columns]
