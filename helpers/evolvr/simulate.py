"""Simulate HANNA, calibrated to the published agreement, for machines without the open data."""

from itertools import product

import numpy as np
import pandas as pd

from helpers.evolvr.load import ASPECTS, LLMS, PROMPTS, RATERS, SHEET, SYSTEMS

SPREAD = float(np.sqrt(2 / 3) * np.sqrt(np.pi / 4))  # E[population SD of three normal draws] / SD
BUSY = np.array([30, 28, 21, 8, 6, 4, 2, 1])  # how often each of eight simulated raters works
METRICS = ["Text length", *(f"Metric {number}" for number in range(1, 18))]


def simulate_hanna(agreement, rng):
    """Return (cells, sheets) as `load.read_cells` and `load.read_annotations` do, all simulated.

    agreement: the six printed pointwise values (evolvr, Table 8), which fix the SD of a rating
    around its story's mean, half of its variance being severity. Metrics and LLM ratings are noisy
    views of the quality. Of eight raters, some busier, three rate each story.
    """
    writers = [f"System {i}" for i in range(SYSTEMS)]
    stories = pd.MultiIndex.from_product([writers, range(PROMPTS)], names=["system", "prompt"])
    count = len(stories)
    quality = np.repeat(rng.normal(0, 0.5, SYSTEMS), PROMPTS) + rng.normal(0, 0.55, count)
    busy = rng.exponential(size=(count, len(BUSY))) / BUSY
    who = busy.argsort(axis=1, kind="stable")[:, :RATERS]
    severe = rng.normal(0, 1, len(BUSY))[who]
    sheets = stories.to_frame(index=False).loc[np.repeat(np.arange(count), RATERS)]
    raters, slots = np.char.add("r0", (who + 1).astype(str)), np.tile(range(1, RATERS + 1), count)
    facts = {"story": sheets.index, "rater": raters.ravel(), "slot": slots, "seconds": np.nan}
    sheets = sheets.assign(**facts)
    truths = {}
    for (aspect, code), printed in zip(ASPECTS.items(), agreement):
        truth = 2.7 + 0.8 * quality + rng.normal(0, 0.25, count)
        sd = (1 / printed - 1) / SPREAD
        noise = (severe + rng.normal(0, 1, who.T.shape).T) * sd / np.sqrt(2)
        sheets[aspect] = np.clip(np.rint(truth[:, None] + noise), 1, 5).astype(int).ravel()
        truths[code] = truth
    cells = {f"{name} ¤§": quality + rng.normal(0, 2.0, count) for name in METRICS}
    for llm, code, number in product(LLMS, truths, range(1, 5)):
        said = truths[code] + 0.5 + rng.normal(0, 1.0, count)
        cells[f"{llm} {code} {number}"] = np.clip(np.rint(said), 1, 5)
    return pd.DataFrame(cells, stories), sheets[[*SHEET, *ASPECTS]].reset_index(drop=True)
