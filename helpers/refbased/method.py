"""The reference-based Likert method: two swapped labels per test, cutoff, scores, position bias.

Without a reference a test is asked once, and passed by a Yes (refbased v2, 4.2).
"""

import numpy as np
import pandas as pd
from goodjudge.diagnostics import consistency as steadiness
from goodjudge.stats import intervals

from helpers import judges

# on L+ - L-: v2 passes a story that is one step below the reference in both orders (v1's is 0)
V2_CUTOFF = -2
KEYS = ["group", "writer", "test"]


def read_values(answers):
    """Return group, writer, test, order and value of answers: the verdict as a number (1 for Yes,
    0 for No), or nan."""
    table = answers[["group", "writer", "aspect", "order"]].rename(columns={"aspect": "test"})
    value = pd.to_numeric(answers["verdict"].replace({"Yes": 1, "No": 0}), errors="coerce")
    table["value"] = value.where(answers["status"] == "ok")
    return table


def labels(answers):
    """Return group, writer, test, `plus` and `minus`: how much better the candidate is, shown
    first; how much better the reference is, shown first (nan where the judge gave no label)."""
    values = read_values(answers)
    by_order = values.pivot_table("value", KEYS, "order", dropna=False, observed=True)
    in_order_asked = pd.MultiIndex.from_frame(values[KEYS]).unique()
    table = by_order.reindex(in_order_asked, columns=["+", "-"])
    return table.set_axis(["plus", "minus"], axis=1).rename_axis(KEYS).reset_index()


def passes(table, cutoff=V2_CUTOFF):
    """Return group, writer, test, passed: both labels, and L+ - L- reaches the cutoff (v2, 3.2)."""
    difference = table["plus"] - table["minus"]
    return table[KEYS].assign(passed=difference >= cutoff)


def scores(passed):
    """Return group x writer: the number of tests passed."""
    tests_passed = passed.groupby(["group", "writer"])["passed"].sum()
    return tests_passed.unstack().astype(float)


def position_bias(table):
    """Return tests, share answered, first preferred, ties, contradicted by the swap (shares)."""
    both = table.dropna(subset=["plus", "minus"])
    every_label = pd.concat([table["plus"], table["minus"]]).dropna()
    shares = {
        "tests": len(table),
        "with both labels": len(both) / max(len(table), 1),
        "story shown first preferred": (every_label > 0).mean(),
        "tie": (every_label == 0).mean(),
        "story shown second preferred": (every_label < 0).mean(),
        "contradicted by the swap": (both["plus"] * both["minus"] > 0).mean(),
    }
    return pd.Series(shares)


def read(answers, cutoff=V2_CUTOFF):
    """Return (scores by group x writer: tests passed; position bias, empty without a reference) of
    a judge's answers: a story without a usable test has no score, not 0; JudgeError if none has."""
    judge = answers["judge"].iloc[0]
    judges.check_usable(answers, judge)
    if (answers["order"] == "").all():  # without a reference
        values = read_values(answers)
        passed = values[KEYS].assign(passed=values["value"] == 1)
        is_scored = any_test(values, values["value"].notna())
        return scores(passed).where(is_scored), pd.Series(dtype=float)
    table = labels(answers)
    is_scored = any_test(table, table[["plus", "minus"]].notna().all(axis=1))
    if not is_scored.any(axis=None):
        raise judges.JudgeError(
            f"judge {judge}: no test has a usable label in both orders; nothing can be said about "
            "the texts"
        )
    return scores(passes(table, cutoff)).where(is_scored), position_bias(table)


def any_test(table, is_usable):
    """Return group x writer: whether any of a story's tests is usable."""
    return is_usable.groupby([table["group"], table["writer"]]).any().unstack(fill_value=False)


def prefer(answers):
    """Return `labels` of expected labels read by `ask.reader`, where both orders have one."""
    expected = answers.assign(verdict=answers["score"], status="ok")
    return labels(expected).dropna().reset_index(drop=True)


def read_order(table):
    """Return how often the first story is preferred, the swap turns it, and how far it leans (the
    mean distance of the expected digit from "equal"), over groups; no intervals below five."""
    groups = table["group"]
    first_over_second = table[["plus", "minus"]].to_numpy()  # tests x 2 orders

    def share_of_first(rows):
        return (first_over_second[rows] > 0).mean()

    def mean_lean(rows):
        return np.abs(first_over_second[rows]).mean()

    rows = {
        "the first one is preferred": intervals.over_groups(groups, share_of_first),
        "the swap turns it": steadiness.count_turned(table["plus"], -table["minus"], groups),
        "mean lean, in steps": intervals.over_groups(groups, mean_lean),
    }
    shares = pd.DataFrame(rows.values(), index=list(rows))
    shares.loc[shares["n"] < 5, ["low", "high"]] = np.nan
    return shares


def mean_preference(table):
    """Return group x writer: how much a candidate is preferred to the reference, of `prefer`."""
    preference = (table["plus"] - table["minus"]) / 2
    return preference.groupby([table["group"], table["writer"]]).mean().unstack()
