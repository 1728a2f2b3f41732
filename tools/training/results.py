"""What came out of EvolvR's training, small: print it from the files that are kept.

    python -m tools.training.results

The evaluators are held against raters beside a person and the controls; the writers against the
untrained one on the same prompts. `seen from`: the change (or r) that 80 of 100 such tests would
have shown. Nothing is trained.
"""

import sys

import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.stats import intervals, metrics, severity

from helpers.evolvr.load import load, rating_array
from helpers.sources.public import ROOT

KEPT = ROOT / "data" / "recorded" / "training"
WISHED = (100, 150)  # characters that the writers' reward pays for


def read_scores(folder):
    """Return the mean expected score by evaluator and story: judge, item, score."""
    read = pd.read_csv(folder / "scores.csv", dtype={"item": str, "partner": str})
    means = read.groupby(["evaluator", "item"])["expected"].mean().rename("score")
    return means.reset_index().rename(columns={"evaluator": "judge"})


def compare_evaluators(hanna, within=()):
    """Return Pearson's r with the other raters, a row per evaluator, person and control:
    estimate, low, high, n (prompts)."""
    scores = read_scores(KEPT)
    clean = ratings.average_aspects(severity.adjust_raters(hanna))
    tested = ratings.keep(clean, clean.items["item"].isin(scores["item"]))
    return compare.compare(tested, scores, metrics.pearson, within=list(within))


def rate_readers(hanna):
    """Return r with people's means of the writers' two evaluators: estimate, low, high, n."""
    people = pd.Series(rating_array(hanna)[0].mean(axis=(0, 2)), hanna.items["item"])
    group_of = hanna.items.set_index("item")["group"]
    rows = {}
    for name, scores in read_scores(KEPT / "writer").groupby("judge"):
        both = np.stack([scores["score"], people[scores["item"]]])
        rows[name] = intervals.over_groups(
            group_of[scores["item"]].to_numpy(),
            lambda kept, both=both: np.corrcoef(both[:, kept])[0, 1],
            scale="correlation",
        )
    return pd.DataFrame(rows).T


def change_of_writers():
    """Return by measure and writer the change from the untrained one, over prompts: estimate, low,
    high, n, seen from.

    characters; wished (share of the wished length); counts, single (points); judge (points by which
    an open judge prefers the story, the mean of both orders).
    """
    tested = pd.read_csv(KEPT / "writer" / "writer-test.csv")
    tested["wished"] = tested["characters"].between(*WISHED)
    measures = ["characters", "wished", "counts", "single"]
    by_prompt = tested.groupby(["writer", "group"])[measures].mean()
    judged = pd.read_csv(KEPT / "writer" / "judged.csv").set_index(["writer", "group"])
    rows = {}
    for writer in ("sft", "length", "pointwise", "static", "dynamic"):
        change = by_prompt.loc[writer] - by_prompt.loc["untrained"]
        change["judge"] = judged.loc[writer, ["first", "second"]].mean(axis=1)
        for measure, values in change.items():
            row = intervals.of_mean(values.dropna())
            half = (row["high"] - row["low"]) / 2
            rows[measure, writer] = {**row, "seen from": intervals.find_visible(half, row["n"])}
    return pd.DataFrame(rows).T


def main():
    """Print all tables; return 0."""
    hanna = load()
    tables = {
        "Pearson's r with the other raters, test prompts": compare_evaluators(hanna),
        "the same within one writer's stories": compare_evaluators(hanna, ["writer"]),
        "r of the writers' evaluators with people's means": rate_readers(hanna),
        "the writers, less the untrained one": change_of_writers(),
    }
    for title, table in tables.items():
        columns = [name for name in [*compare.ENDS, "seen from"] if name in table]
        print(f"\n{title}\n\n{table[columns].astype(float).round(2).to_string()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
