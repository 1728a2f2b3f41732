"""The reference-based Likert method: two swapped labels per test, cutoff, scores, position bias."""

import numpy as np
import pandas as pd

from helpers import judges
from helpers.measures import intervals, steadiness

# on L+ - L-: v1 passes an average that is not negative, v2 one step below the reference
V1_CUTOFF, V2_CUTOFF = 0, -2
KEYS = ["group", "writer", "test"]


def split_items(answers):
    """Return group, writer, test, order of each answer's item; `value`: its verdict or nan."""
    part = answers["item"].str.rsplit("/", n=3, expand=True).set_axis([*KEYS, "order"], axis=1)
    value = pd.to_numeric(answers["verdict"], errors="coerce").where(answers["status"] == "ok")
    return part.assign(test=part["test"].astype(int), value=value)


def labels(answers):
    """Return group, writer, test, `plus` and `minus`: how much better the candidate is, shown
    first; how much better the reference is, shown first (nan where the judge gave no label)."""
    part = split_items(answers)
    table = part.pivot_table("value", KEYS, "order", dropna=False, observed=True)
    asked = pd.MultiIndex.from_frame(part[KEYS]).unique()
    table = table.reindex(asked, columns=["+", "-"]).set_axis(["plus", "minus"], axis=1)
    return table.rename_axis(KEYS).reset_index()


def passes(table, cutoff=V2_CUTOFF):
    """Return group, writer, test, passed: both labels, and L+ - L- reaches the cutoff (v2, 3.2)."""
    return table[KEYS].assign(passed=table["plus"] - table["minus"] >= cutoff)


def scores(passed):
    """Return group x writer: the number of tests passed."""
    return passed.groupby(["group", "writer"])["passed"].sum().unstack().astype(float)


def by_test(answers, variant, tests, cutoff=V2_CUTOFF):
    """Return one row per group, writer and test ({number: question}): asked, verdict (passed or
    failed; a grade without a reference), status, usd, plus, minus."""
    part = split_items(answers).assign(status=answers["status"], usd=answers["usd"])
    columns = [*KEYS, "asked", "verdict", "status", "usd"]
    groups = part.groupby(KEYS, sort=False)
    table = groups.agg(usd=("usd", "sum"), verdict=("value", "mean"))
    table["status"] = groups["status"].agg(lambda given: [*given[given != "ok"], "ok"][0])
    if variant != "no reference":
        both = labels(answers)
        passed = passes(both, cutoff).set_index(KEYS)["passed"]
        table = table.join(both.set_index(KEYS))
        table["verdict"] = passed.map({True: "passed", False: "failed"})
        columns += ["plus", "minus"]
    table = table.assign(verdict=table["verdict"].where(table["status"] == "ok")).reset_index()
    return table.assign(asked=table["test"].map(tests))[columns]


def position_bias(table):
    """Return tests, share answered, first preferred, ties, contradicted by the swap (shares)."""
    both = table.dropna(subset=["plus", "minus"])
    every = pd.concat([table["plus"], table["minus"]]).dropna()
    found = {
        "tests": len(table),
        "with both labels": len(both) / max(len(table), 1),
        "story shown first preferred": (every > 0).mean(),
        "tie": (every == 0).mean(),
        "story shown second preferred": (every < 0).mean(),
        "contradicted by the swap": (both["plus"] * both["minus"] > 0).mean(),
    }
    return pd.Series(found)


def read(answers, judge, variant, cutoff=V2_CUTOFF):
    """Return (scores by group x writer, position bias) of a judge's answers: a story without a test
    that has both labels has no score, not 0; JudgeError if none has one."""
    judges.check_usable(answers, judge)
    if variant == "no reference":
        grades = split_items(answers).pivot_table("value", "group", "writer", dropna=False)
        return grades, pd.Series(dtype=float)
    table = labels(answers)
    both = table.assign(both=table[["plus", "minus"]].notna().all(axis=1))
    answered = both.groupby(["group", "writer"])["both"].any().unstack(fill_value=False)
    if not answered.any(axis=None):
        what = "no test has a usable label in both orders; nothing can be said about the texts"
        raise judges.JudgeError(f"judge {judge}: {what}")
    return scores(passes(table, cutoff)).where(answered), position_bias(table)


def prefer(answers):
    """Return `labels` of expected labels read by `ask.reader`, where both orders have one."""
    expected = answers.assign(verdict=answers["score"], status="ok")
    return labels(expected).dropna().reset_index(drop=True)


def read_order(table):
    """Return how often the first story is preferred, the swap turns it, and how far it leans (the
    mean distance of the expected digit from "equal"), over groups; no intervals below five."""
    groups, shown = table["group"], table[["plus", "minus"]].to_numpy()
    first = intervals.over_groups(groups, lambda at: (shown[at] > 0).mean())
    lean = intervals.over_groups(groups, lambda at: np.abs(shown[at]).mean())
    turned = steadiness.count_turned(table["plus"], -table["minus"], groups)
    names = ["the first one is preferred", "the swap turns it", "mean lean, in steps"]
    rows = pd.DataFrame([first, turned, lean], index=names)
    rows.loc[rows["n"] < 5, ["low", "high"]] = np.nan
    return rows


def mean_preference(table, judge):
    """Return scores (item, judge, score): how much a candidate is preferred, of `prefer`."""
    difference = (table["plus"] - table["minus"]) / 2
    return to_scores(difference.groupby([table["group"], table["writer"]]).mean().unstack(), judge)


def to_scores(table, judge):
    """Return scores (item '<group>/<writer>', judge, score) of a table group x writer."""
    long = table.rename_axis(index="group", columns="writer").stack().rename("score").reset_index()
    item = long["group"].astype(str) + "/" + long["writer"].astype(str)
    return pd.DataFrame({"item": item, "judge": judge, "score": long["score"]})
