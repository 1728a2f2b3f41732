"""What EvolvR pays: a writer for a story (`reward`; evolvr, Equations 7 to 10: relative, absolute,
length), and an evaluator for two scores (`exponential_reward`; Equation 14).

Of a writer's first two parts the paper gives the form and no number; the numbers below are those of
its released code (`data/papers/evolvr/code.csv`), which departs from the form.
"""

import numpy as np
import pandas as pd
from scipy.special import expit

# the weights of HANNA's aspects, in the order of `load.ASPECTS`
ASPECTS = {"Relevance": 5, "Coherence": 3, "Empathy": 1}
ASPECTS |= {"Surprise": 3, "Engagement": 1, "Complexity": 1}
WEIGHTS = {"relative": 0.8, "absolute": 0.1, "length": 0.1}
SHORTEST, LONGEST = 800, 1200  # characters
FORMS = ("paper", "code")


def reward(scores, reference, characters, form="paper", aspects=None, weights=None, **lengths):
    """Return what stories earn: relative, absolute, length (their parts) and reward, their sum.

    scores, reference: stories x aspects, from 1 to 5, what an evaluator gives the stories and what
    it gives the story that each is held against; characters: their lengths. form: "paper", linear
    in points, as Equations 8 and 9 are written; "code", both parts from 0 to 1 before they are
    weighted, as the authors' code has it (`pay_lead`, `pay_level`). aspects: weights of the
    columns, default ASPECTS; weights: of the three parts, default WEIGHTS; lengths: of
    `pay_length`. A story without a score has no reward: nan. (In the code an answer that could not
    be read counts as 0 for both stories.) ValueError for another form.
    """
    if form not in FORMS:
        raise ValueError(f"form {form!r}: expected one of {', '.join(FORMS)}")
    shares = np.array(list((aspects or ASPECTS).values()), float)
    shares /= shares.sum()
    level = np.asarray(scores, float) @ shares
    lead = level - np.asarray(reference, float) @ shares
    lead = lead.round(9)  # an equal story is no better by an error of rounding
    if form == "code":
        level, lead = pay_level(level), pay_lead(lead)
    parts = {"relative": lead, "absolute": level, "length": pay_length(characters, **lengths)}
    weights = weights or WEIGHTS
    table = pd.DataFrame({name: weights[name] * part for name, part in parts.items()})
    return table.assign(reward=table.sum(axis=1, skipna=False))


def pay_length(characters, shortest=SHORTEST, longest=LONGEST):
    """Return f of Equation 10, from 0 to 1, as the authors' code has it (the paper says only that
    there is one): rising in proportion up to the shortest length that is meant, 1 up to the
    longest, then falling towards 0.7."""
    characters = np.asarray(characters, float)
    fade = 500 * shortest / SHORTEST  # the code's 500 characters, for its own range
    too_many = np.clip(characters - longest, 0, None)
    fading = 0.7 + 0.3 * np.exp(-too_many / fade)
    return np.where(characters < shortest, characters / shortest, fading)


def pay_lead(lead):
    """Return the code's relative part for a lead over the reference in points, from 0 to 1: at most
    0.2 for a story that is no better, 1 - exp(-lead) for a better one.

    It is no rising function: no lead earns 0.146, and a lead of a tenth of a point 0.095.
    """
    lead = np.asarray(lead, float)
    return np.where(lead <= 0, 0.2 * expit(10 * (lead + 0.1)), 1 - np.exp(-np.clip(lead, 0, None)))


def pay_level(level):
    """Return the code's absolute part of a mean score: 0 for 1 point, 1 for 5."""
    return np.clip((np.asarray(level, float) - 1) / 4, 0, 1)


def exponential_reward(predicted, truth):
    """Return exp(-(|error of A| + |error of B|) / 2) for arrays pairs x 2 (evolvr, Equation 14);
    1 for a perfect pair."""
    errors = np.abs(np.asarray(predicted, float) - np.asarray(truth, float))
    return np.exp(-errors.sum(axis=-1) / 2)
