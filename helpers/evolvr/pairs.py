"""EvolvR's training pairs, stratified and twinned, and requests for rationales about them."""

import re

import numpy as np
import pandas as pd
import yaml
from goodjudge.ask import labels, phrases

from helpers import prompts
from helpers.sources.public import ROOT

SCORES = (1, 2, 3, 4, 5)
STRATA = tuple((low, high) for low in SCORES for high in SCORES if low <= high)
PAIR = ["story_a", "story_b", "aspect", "score_a", "score_b"]
STORIES = {"story", "story_a", "story_b"}  # slots of a prompt
SWAPPED = ["story_b", "story_a", "aspect", "score_b", "score_a"]
TWO_SCORES = r"A [ ]? : [ ]? [1-5] [ ]? , [ ]? B [ ]? : [ ]? [1-5]"  # A: 4, B: 2
BRACKETED = re.compile(rf"\[\[ [ ]? {TWO_SCORES} [ ]? \]\]", phrases.ANY_CASE)  # [[A: 4, B: 2]]


def read_scores(label):
    """Return the two scores of 'A:4,B:2', (4, 2)."""
    return tuple(int(score) for score in re.findall(r"\d", label))


PAIR_OF_SCORES = labels.end_with(  # the Reader of answers that end with two scores: (4, 2)
    labels.Label(
        TWO_SCORES,
        read_scores,
        fields={"score_a": SCORES, "score_b": SCORES},
        written="A: {score_a}, B: {score_b}",
    ),
    "evolvr",
    sides=("[[A: 2, B: 4]]", "[[A: 4, B: 2]]"),
    closing="scores",
    grammar='root ::= [^\\x00-\\x1f\\x5b\\x5d]{0,500} "\\n[[A: " [1-5] ", B: " [1-5] "]]"\n',
)


def stratify_pairs(scores, aspect, per_stratum, rng, strata=STRATA):
    """Return pairs balanced over score pairs, each with its position-swapped twin (evolvr, Appendix
    B): pair (number), twin (0, 1), story_a, story_b, aspect, score_a, score_b.

    scores: {story: whole score from 1 to 5}. Of each score pair in `strata` (default: all fifteen)
    `per_stratum` pairs are drawn (all, if there are fewer); ValueError for one that has no pair.
    """
    stories = np.array(list(scores), object)
    rated = np.array(list(scores.values()))
    pairs = []
    for low, high in strata:
        drawn = draw_stratum(stories[rated == low], stories[rated == high], per_stratum, rng)
        if not drawn:
            raise ValueError(f"no pair of stories with the scores {low} and {high} on {aspect}")
        for a, b in drawn:
            pairs.append((a, b, aspect, low, high))
    first = pd.DataFrame(pairs, columns=PAIR)
    twins = first[SWAPPED].set_axis(PAIR, axis=1)
    both = pd.concat([first.assign(twin=0), twins.assign(twin=1)])
    both = both.rename_axis("pair").reset_index()
    return both.sort_values(["pair", "twin"], ignore_index=True)[["pair", "twin", *PAIR]]


def draw_stratum(first, second, count, rng):
    """Return up to `count` pairs (a story of `first`, one of `second`), none drawn twice in either
    order; all that are possible, if these are fewer."""
    possible = {frozenset((a, b)) for a in first for b in second if a != b}
    drawn = {}
    while len(drawn) < min(count, len(possible)):
        a = rng.choice(first)
        b = rng.choice(second[second != a])
        drawn.setdefault(frozenset((a, b)), (a, b))
    return list(drawn.values())


def load_personas():
    """Return a table of those who write rationales: persona (name), voice (what the prompt says of
    him or her)."""
    text = (ROOT / "data" / "personas.yaml").read_text(encoding="utf8")
    table = pd.DataFrame(yaml.safe_load(text))
    return table[["name", "voice"]].set_axis(["persona", "voice"], axis=1)


def fill_requests(table, prompt, texts=None, **columns):
    """Return `table` as requests: with system, shared and prompt from `data/prompts/`.

    texts: {story: text}, where those of the slots story, story_a and story_b are shown; columns:
    {slot: column of table}, where they differ. What an earlier request asked, and its status, is
    dropped.
    """
    template = prompts.load(prompt)
    filled = []
    for row in table.to_dict("records"):
        values = {slot: row[columns.get(slot, slot)] for slot in template.slots}
        if texts:
            for slot in STORIES.intersection(values):
                values[slot] = texts[values[slot]]
        filled.append(template.fill(**values))
    about = table.drop(columns=["system", "shared", "prompt", "status"], errors="ignore")
    return pd.concat([about.reset_index(drop=True), pd.DataFrame(filled)], axis=1)


def request_rationales(pairs, texts):
    """Return one synthesis request per pair, order and persona (item '<pair>/<twin>/<persona>'),
    with the pair's columns."""
    table = pairs.merge(load_personas(), how="cross")
    pair = table["pair"].astype(str)
    twin = table["twin"].astype(str)
    table.insert(0, "item", pair + "/" + twin + "/" + table["persona"])
    return fill_requests(table, "evolvr-synthesis", texts)


def request_single(stories, texts):
    """Return one synthesis request per story, aspect and persona (item '<story>/<aspect>/
    <persona>'), with the columns of `stories`: story, aspect, score_given (whole, from 1 to 5)."""
    table = stories.merge(load_personas(), how="cross")
    item = table["story"].astype(str) + "/" + table["aspect"] + "/" + table["persona"]
    table.insert(0, "item", item)
    return fill_requests(table, "evolvr-single-synthesis", texts)
