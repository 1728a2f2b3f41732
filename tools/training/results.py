"""What came out of EvolvR's training, small: print it from the files that are kept.

    python -m tools.training.results

The evaluators are held against raters beside a person and the controls; the writers against the
untrained one on the same prompts. `seen from`: the change (or r) that 80 of 100 such tests would
have shown. Nothing is trained.
"""

import sys
from functools import partial

import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.stats import intervals, metrics, severity

from helpers.evolvr.load import load, rating_array
from helpers.sources.public import ROOT

KEPT = ROOT / "data" / "recorded" / "training"
EXPLAINED = [("explained-single", "single"), ("explained-single", "untrained single")]
WISHED = (100, 150)  # characters that the writers' reward pays for


def read_scores(folder):
    """Return the mean expected score by evaluator and story: judge, item, score."""
    read = pd.read_csv(folder / "scores.csv", dtype={"item": str, "partner": str})
    means = read.groupby(["evaluator", "item"])["expected"].mean().rename("score")
    return means.reset_index().rename(columns={"evaluator": "judge"})


def compare_evaluators(hanna, within=(), folder=KEPT):
    """Return Pearson's r with the other raters, a row per evaluator of a folder, person and
    control: estimate, low, high, n (prompts)."""
    scores = read_scores(folder)
    clean = ratings.average_aspects(severity.adjust_raters(hanna))
    tested = ratings.keep(clean, clean.items["item"].isin(scores["item"]))
    return compare.compare(tested, scores, metrics.pearson, within=list(within))


def rate_readers(hanna, folder, less=()):
    """Return r with people's means of a folder's evaluators, and for each pair of names in `less`
    the first one's r less the second's: estimate, low, high, n (prompts)."""
    people = pd.Series(rating_array(hanna)[0].mean(axis=(0, 2)), hanna.items["item"])
    group_of = hanna.items.set_index("item")["group"]
    wide = read_scores(folder).pivot(index="item", columns="judge", values="score")
    groups, target = group_of[wide.index].to_numpy(), people[wide.index].to_numpy()

    def correlate(name, kept):
        return np.corrcoef(wide[name].to_numpy()[kept], target[kept])[0, 1]

    rows = {
        name: intervals.over_groups(groups, partial(correlate, name), scale="correlation")
        for name in wide
    }
    for one, other in less:
        rows[f"{one} less {other}"] = intervals.over_groups(
            groups, lambda kept, a=one, b=other: correlate(a, kept) - correlate(b, kept)
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
        "r of the writers' evaluators with people's means": rate_readers(hanna, KEPT / "writer"),
        "single stories, without and with an explanation": rate_readers(
            hanna, KEPT / "explained", EXPLAINED
        ),
        "the same with the other raters": compare_evaluators(hanna, folder=KEPT / "explained"),
        "the writers, less the untrained one": change_of_writers(),
    }
    for title, table in tables.items():
        columns = [name for name in [*compare.ENDS, "seen from"] if name in table]
        print(f"\n{title}\n\n{table[columns].astype(float).round(2).to_string()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
