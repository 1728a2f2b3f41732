"""EvolvR's training pairs: stratified and twinned story pairs, personas and requests for
rationales."""

from functools import cache

import numpy as np
import pandas as pd
import yaml

from helpers.judges import prompts
from helpers.sources.public import ROOT

SCORES = (1, 2, 3, 4, 5)
PAIR = ["story_a", "story_b", "aspect", "score_a", "score_b"]


@cache
def load_personas(path=ROOT / "data" / "personas.yaml"):
    """Return the personas as a tuple of {name, voice}; ValueError names the entry that lacks one,
    or a name given twice."""
    found = yaml.safe_load(path.read_text(encoding="utf8")) or []
    for number, persona in enumerate(found, 1):
        for field in ("name", "voice"):
            if not isinstance(persona, dict) or not str(persona.get(field) or "").strip():
                raise ValueError(
                    f"{path.name}, entry {number}: no {field}; each persona needs a name and a"
                    " voice"
                )
    names = [persona["name"] for persona in found]
    if not found or len(set(names)) < len(names):
        raise ValueError(
            f"{path.name}: expected personas with different names, found"
            f" {', '.join(names) or 'none'}"
        )
    return tuple(found)


def check_scores(table):
    """Return a table of story, aspect, score after checks; ValueError says which row is not a whole
    score from 1 to 5."""
    missing = [column for column in ("story", "aspect", "score") if column not in table]
    if missing:
        raise ValueError(f"scores: column {missing[0]!r} is missing; expected story, aspect, score")
    odd = table.index[~table["score"].isin(SCORES)]
    if len(odd):
        raise ValueError(
            f"scores, row {odd[0]}: score {table.at[odd[0], 'score']!r}; expected a whole number"
            " from 1 to 5 (round means first)"
        )
    twice = table.index[table.duplicated(["story", "aspect"])]
    if len(twice):
        story, aspect = table.loc[twice[0], ["story", "aspect"]]
        raise ValueError(f"scores, row {twice[0]}: a second score of {story!r} on {aspect}")
    return table


def stratify_pairs(scores, per_stratum, rng, strata=None, skip_empty=False):
    """Return pairs balanced over ordered score pairs, each with its position-swapped twin (evolvr,
    Appendix B).

    scores: story, aspect, score (1-5), checked by `check_scores`. For each aspect and each
    unordered score pair in `strata` (default: all fifteen) `per_stratum` different pairs (all, if
    there are fewer) are drawn and shown in both orders. Returns pair (number), twin (0, 1),
    story_a, story_b, aspect, score_a, score_b. ValueError for a stratum that has no pair, unless
    `skip_empty`.
    """
    strata = strata or [(low, high) for low in SCORES for high in SCORES if low <= high]
    rows = []
    for aspect, part in check_scores(scores).groupby("aspect", sort=False):
        pools = {score: part.loc[part["score"] == score, "story"].to_numpy() for score in SCORES}
        for low, high in strata:
            if not len(pools[low]) or not len(pools[high]) or (low == high and len(pools[low]) < 2):
                if skip_empty:
                    continue
                raise ValueError(
                    f"no pair of stories with the scores {low} and {high} on {aspect}: take fewer"
                    " strata, or skip_empty=True"
                )
            distinct = set()
            possible = (
                len(pools[low]) * (len(pools[low]) - 1) // 2
                if low == high
                else len(pools[low]) * len(pools[high])
            )
            while len(distinct) < min(per_stratum, possible):
                a = rng.choice(pools[low])
                b = rng.choice(pools[high][pools[high] != a])
                if (a, b) not in distinct and not (low == high and (b, a) in distinct):
                    distinct.add((a, b))
                    rows.append((a, b, aspect, low, high))
    first = pd.DataFrame(rows, columns=PAIR)
    second = first.rename(
        columns={
            "story_a": "story_b",
            "story_b": "story_a",
            "score_a": "score_b",
            "score_b": "score_a",
        }
    )
    both = pd.concat([first.assign(twin=0), second.assign(twin=1)])
    both.insert(0, "pair", both.index)
    return both.sort_values(["pair", "twin"], ignore_index=True)[["pair", "twin", *PAIR]]


def fill_requests(table, prompt, texts=None, **more):
    """Return requests for the judge interface: the columns of `table` plus system, shared and
    prompt from `data/prompts/`.

    texts: {story: text} for prompts that show the stories; `more`: {slot: column of table}.
    ValueError for a pair of a story with itself, or a story without text.
    """
    template, filled = prompts.load(prompt), []
    for row in table.to_dict("records"):
        if row["story_a"] == row["story_b"]:
            raise ValueError(f"item {row['item']}: story {row['story_a']!r} is paired with itself")
        values = {
            slot: row[more.get(slot, slot)]
            for slot in template.slots
            if slot not in ("story_a", "story_b")
        }
        for slot in ("story_a", "story_b"):
            if slot in template.slots:
                if not str((texts or {}).get(row[slot]) or "").strip():
                    raise ValueError(f"item {row['item']}: no text for story {row[slot]!r}")
                values[slot] = texts[row[slot]]
        filled.append(template.fill(**values))
    return pd.concat([table.reset_index(drop=True), pd.DataFrame(filled)], axis=1)


def request_rationales(pairs, texts, personas=None):
    """Return one synthesis request a pair, order and persona (item '<pair>/<twin>/<persona>'), with
    the pair's columns."""
    voices = pd.DataFrame(list(personas or load_personas())).rename(columns={"name": "persona"})
    table = pairs.merge(voices, how="cross")
    table.insert(
        0,
        "item",
        table["pair"].astype(str) + "/" + table["twin"].astype(str) + "/" + table["persona"],
    )
    return fill_requests(table, "evolvr-synthesis", texts)


def keep_answer(text):
    """Return the whole answer as its own verdict (for rationales, which are read later); None if it
    is empty."""
    return text.strip() or None


# a rationale that was cut off lacks its scores, so the rule check drops it, visibly
keep_answer.cut_ok = True


def invert_scores(score_a, score_b):
    """Return scores that contradict a rationale: the two swapped; equal scores, which swapping
    leaves alone, become 1 and 5.

    The paper describes the swap only; with stratified pairs a fifth of its pool is ties, so a rule
    for them is needed.
    """
    return (score_b, score_a) if score_a != score_b else (1, 5)


def exponential_reward(predicted, truth, rate=0.5):
    """Return exp(-rate * (|error of A| + |error of B|)) for arrays pairs x 2 (evolvr, Equation 14);
    1 for a perfect pair."""
    return np.exp(
        -rate * np.abs(np.asarray(predicted, float) - np.asarray(truth, float)).sum(axis=-1)
    )
