"""EvolvR's training pairs, stratified and twinned, and requests for rationales about them."""

import numpy as np
import pandas as pd
import yaml

from helpers.judges.requests import prompts
from helpers.sources.public import ROOT

SCORES = (1, 2, 3, 4, 5)
STRATA = tuple((low, high) for low in SCORES for high in SCORES if low <= high)
PAIR = ["story_a", "story_b", "aspect", "score_a", "score_b"]
SWAPPED = ["story_b", "story_a", "aspect", "score_b", "score_a"]


def stratify_pairs(scores, aspect, per_stratum, rng, strata=STRATA):
    """Return pairs balanced over score pairs, each with its position-swapped twin (evolvr, Appendix
    B): pair (number), twin (0, 1), story_a, story_b, aspect, score_a, score_b.

    scores: {story: whole score from 1 to 5}. Of each score pair in `strata` (default: all fifteen)
    `per_stratum` pairs are drawn (all, if there are fewer); ValueError for one that has no pair.
    """
    stories, given = np.array(list(scores), object), np.array(list(scores.values()))
    rows = []
    for low, high in strata:
        first, second = stories[given == low], stories[given == high]
        possible = {frozenset((a, b)) for a in first for b in second if a != b}
        if not possible:
            raise ValueError(f"no pair of stories with the scores {low} and {high} on {aspect}")
        drawn = set()
        while len(drawn) < min(per_stratum, len(possible)):
            a = rng.choice(first)
            b = rng.choice(second[second != a])
            if frozenset((a, b)) not in drawn:
                drawn.add(frozenset((a, b)))
                rows.append((a, b, aspect, low, high))
    first = pd.DataFrame(rows, columns=PAIR)
    second = first[SWAPPED].set_axis(PAIR, axis=1)
    both = pd.concat([first.assign(twin=0), second.assign(twin=1)])
    both = both.rename_axis("pair").reset_index()
    return both.sort_values(["pair", "twin"], ignore_index=True)[["pair", "twin", *PAIR]]


def load_personas():
    """Return a table of those who write rationales: persona (name), voice (part of the prompt)."""
    found = yaml.safe_load((ROOT / "data" / "personas.yaml").read_text(encoding="utf8"))
    return pd.DataFrame(found)[["name", "voice"]].set_axis(["persona", "voice"], axis=1)


def fill_requests(table, prompt, texts=None, **columns):
    """Return `table` as requests: with system, shared and prompt from `data/prompts/`. texts:
    {story: text}, where these are shown; columns: {slot: column of table}, where they differ."""
    template, filled = prompts.load(prompt), []
    for row in table.to_dict("records"):
        values = {slot: row[columns.get(slot, slot)] for slot in template.slots}
        for side in ("story_a", "story_b") if texts else ():
            values[side] = texts[row[columns.get(side, side)]]
        filled.append(template.fill(**values))
    # what an earlier request was, and how it was answered
    kept = table.drop(columns=["system", "shared", "prompt", "status"], errors="ignore")
    return pd.concat([kept.reset_index(drop=True), pd.DataFrame(filled)], axis=1)


def request_rationales(pairs, texts):
    """Return one synthesis request per pair, order and persona (item '<pair>/<twin>/<persona>'),
    with the pair's columns."""
    table = pairs.merge(load_personas(), how="cross")
    order = table["pair"].astype(str) + "/" + table["twin"].astype(str)
    table.insert(0, "item", order + "/" + table["persona"])
    return fill_requests(table, "evolvr-synthesis", texts)
