"""Simulate HANNA's rating sheets, calibrated to the published agreement: their truth is known."""

import numpy as np
import pandas as pd

from helpers.evolvr.load import ASPECTS, PROMPTS, RATERS, name_stories

SYSTEMS = 11
SPREAD = float(np.sqrt(2 / 3) * np.sqrt(np.pi / 4))  # E[population SD of three normal draws] / SD
BUSY = np.array([30, 28, 21, 8, 6, 4, 2, 1])  # how often each of eight simulated raters works


def simulate_hanna(agreement, rng):
    """Return (items, sheets) as `load.to_ratings` takes them, all simulated.

    agreement: the six printed pointwise values (evolvr, Table 8), which fix the SD of a rating
    around its story's mean, half of its variance being severity. Of eight raters, some busier,
    three rate each story.
    """
    count = SYSTEMS * PROMPTS
    item = np.arange(count)
    items = pd.DataFrame({"item": item, "group": item % PROMPTS, "writer": item // PROMPTS})
    items["words"] = 100 + 37 * item % 800
    items["item"] = name_stories(items["item"])
    quality = np.repeat(rng.normal(0, 0.5, SYSTEMS), PROMPTS) + rng.normal(0, 0.55, count)
    busy = rng.exponential(size=(count, len(BUSY))) / BUSY
    who = busy.argsort(axis=1, kind="stable")[:, :RATERS]
    severe = rng.normal(0, 1, len(BUSY))[who]
    raters = np.char.add("r0", (who + 1).astype(str))
    stories = items["item"].repeat(RATERS).to_numpy()
    sheets = pd.DataFrame({"item": stories, "rater": raters.ravel()})
    sheets["slot"] = np.tile(range(1, RATERS + 1), count)
    sheets["seconds"] = 100
    for aspect, printed in zip(ASPECTS, agreement):
        truth = 2.7 + 0.8 * quality + rng.normal(0, 0.25, count)
        sd = (1 / printed - 1) / SPREAD
        noise = (severe + rng.normal(0, 1, who.T.shape).T) * sd / np.sqrt(2)
        rating = np.rint(truth[:, None] + noise)
        sheets[aspect] = np.clip(rating, 1, 5).astype(int).ravel()
    return items, sheets
