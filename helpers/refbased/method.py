"""The reference-based Likert method: two swapped labels per test, cutoff, scores, position bias."""

import numpy as np
import pandas as pd
from goodjudge.diagnostics import consistency as steadiness
from goodjudge.stats import intervals

from helpers import judges

# on L+ - L-: v2 passes a story that is one step below the reference in both orders (v1's is 0)
V2_CUTOFF = -2
KEYS = ["group", "writer", "test"]


def read_values(answers):
    """Return group, writer, test, order and value of answers: the verdict as a number, or nan."""
    table = answers[["group", "writer", "aspect", "order"]].rename(columns={"aspect": "test"})
    value = pd.to_numeric(answers["verdict"], errors="coerce")
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


def by_test(answers, variant, tests, cutoff=V2_CUTOFF):
    """Return one row per group, writer and test ({number: question}): asked, verdict (passed or
    failed; a grade without a reference), status, usd, plus, minus."""
    values = read_values(answers).assign(status=answers["status"], usd=answers["usd"])
    groups = values.groupby(KEYS, sort=False)
    table = groups.agg(usd=("usd", "sum"), verdict=("value", "mean"))
    table["status"] = groups["status"].agg(first_trouble)
    columns = [*KEYS, "asked", "verdict", "status", "usd"]
    if variant != "no reference":
        both_orders = labels(answers)
        passed = passes(both_orders, cutoff).set_index(KEYS)["passed"]
        table = table.join(both_orders.set_index(KEYS))
        table["verdict"] = passed.map({True: "passed", False: "failed"})
        columns += ["plus", "minus"]
    table["verdict"] = table["verdict"].where(table["status"] == "ok")
    table = table.reset_index()
    table["asked"] = table["test"].map(tests)
    return table[columns]


def first_trouble(statuses):
    """Return the first status that is not "ok"; "ok" where all are."""
    troubles = statuses[statuses != "ok"]
    return troubles.iloc[0] if len(troubles) else "ok"


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


def read(answers, variant, cutoff=V2_CUTOFF):
    """Return (scores by group x writer, position bias) of a judge's answers: a story without a test
    that has both labels has no score, not 0; JudgeError if none has one."""
    judge = answers["judge"].iloc[0]
    judges.check_usable(answers, judge)
    if variant == "no reference":
        grades = read_values(answers).pivot_table("value", "group", "writer", dropna=False)
        return grades, pd.Series(dtype=float)
    table = labels(answers)
    has_both = table[["plus", "minus"]].notna().all(axis=1)
    any_test = has_both.groupby([table["group"], table["writer"]]).any()
    is_scored = any_test.unstack(fill_value=False)  # group x writer
    if not is_scored.any(axis=None):
        raise judges.JudgeError(
            f"judge {judge}: no test has a usable label in both orders; nothing can be said about "
            "the texts"
        )
    tests_passed = scores(passes(table, cutoff))
    return tests_passed.where(is_scored), position_bias(table)


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
