"""Simulate a table like HANNA's numeric file, calibrated to the published agreement, for machines
without the open data."""

import numpy as np
import pandas as pd

from helpers.evolvr.hanna import ASPECTS, LLMS, PROMPTS, RATERS, SYSTEMS

SPREAD = float(np.sqrt(2 / 3) * np.sqrt(np.pi / 4))  # E[population SD of three normal draws] / SD
BUSY = np.array([30, 28, 21, 8, 6, 4, 2, 1])  # how often each of eight simulated raters works


def simulate_cells(agreement, rng, signal=0.55):
    """Return a table with the columns of `hanna.read_cells`: ratings, 18 metrics and 120 LLM
    ratings, all simulated.

    agreement: the six printed pointwise values (evolvr, Table 8), which fix the SD of a rating
    around its story's mean, half of its variance being severity; signal: SD of a story's quality.
    Metrics and LLM ratings are noisy views of the quality. `Rater 1` to `Rater 3` say which of
    eight raters, some busy and some not, filled each slot.
    """
    names = [f"System {i}" for i in range(SYSTEMS)]
    stories = pd.MultiIndex.from_product([names, range(PROMPTS)], names=["system", "prompt"])
    quality = np.repeat(rng.normal(0, 0.5, SYSTEMS), PROMPTS) + rng.normal(0, signal, len(stories))
    busy = rng.exponential(size=(len(stories), len(BUSY))) / BUSY
    who = busy.argsort(axis=1, kind="stable")[:, :RATERS].T
    columns, views = (
        {
            f"Rater {slot + 1}": np.char.add("r0", (who[slot] + 1).astype(str))
            for slot in range(RATERS)
        },
        [],
    )
    severe = rng.normal(0, 1, len(BUSY))
    for (aspect, code), printed in zip(ASPECTS.items(), agreement):
        truth = 2.7 + 0.8 * quality + rng.normal(0, 0.25, len(stories))
        noise = (
            (severe[who] + rng.normal(0, 1, who.shape)) * (1 / printed - 1) / SPREAD / np.sqrt(2)
        )
        ratings = np.clip(np.rint(truth + noise), 1, 5)
        columns |= {f"Human {slot + 1} {code}": ratings[slot] for slot in range(RATERS)}
        columns[aspect] = ratings.mean(axis=0)
        views.append(truth)
    for name in ["Text length", *(f"Metric {number}" for number in range(1, 18))]:
        columns[f"{name} ¤§"] = quality + rng.normal(0, 2.0, len(stories))
    for llm in LLMS:
        for code, truth in zip(ASPECTS.values(), views):
            for prompt in range(1, 5):
                columns[f"{llm} {code} {prompt}"] = np.clip(
                    np.rint(truth + 0.5 + rng.normal(0, 1.0, len(stories))), 1, 5
                )
    return pd.DataFrame(columns, index=stories)
