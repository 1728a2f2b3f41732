"""The reference-based Likert method: requests, two swapped labels a test, cutoff, scores, position
bias."""

import numpy as np
import pandas as pd

from helpers.judges import prompts
from helpers.sources.public import DataError

PROMPTS = {
    "full": "refbased-likert",
    "no analysis": "refbased-likert-no-analysis",
    "no reference": "refbased-likert-no-reference",
    "graded": "graded-comparison",
}
# on L+ - L-: v1 passes an average that is not negative, v2 one step below the reference
V1_CUTOFF, V2_CUTOFF = 0, -2


def requests(candidates, references, tests, variant="full", points=5):
    """Return the judge's requests: item '<group>/<writer>/<test>/<order>', shared, prompt, system.

    tests: {number: question}. Order '+' shows the candidate first (as A), '-' the reference first.
    The variant 'no reference' asks once for a grade of the candidate alone. refbased sections
    3.2-3.3, prompts of our own. Raises DataError for an unknown variant, a group without a
    reference and a reference that is the candidate.
    """
    if variant not in PROMPTS:
        raise DataError(f"variant {variant!r} is unknown; expected one of {', '.join(PROMPTS)}")
    prompt, rows = prompts.load(PROMPTS[variant]), []
    for row in candidates.itertuples():
        if row.group not in references:
            raise DataError(
                f"group {row.group}, {row.writer}: no reference for this group; there are"
                f" references for {', '.join(map(str, references))}"
            )
        if references[row.group].split() == row.text.split():
            raise DataError(
                f"group {row.group}, {row.writer}: the reference is the candidate itself; compare a"
                " story with another one"
            )
        if variant == "no reference":
            rows += [
                {
                    "item": f"{row.group}/{row.writer}/{number}/1",
                    **prompt.fill(story=row.text, test=question),
                }
                for number, question in tests.items()
            ]
            continue
        for order, (a, b) in {
            "+": (row.text, references[row.group]),
            "-": (references[row.group], row.text),
        }.items():
            # all tests of one order together: the stories' text is cached
            for number, question in tests.items():
                more = {} if variant == "graded" else {"scale": prompts.scale(points)}
                filled = prompt.fill(story_a=a, story_b=b, test=question, **more)
                rows.append({"item": f"{row.group}/{row.writer}/{number}/{order}", **filled})
    return pd.DataFrame(rows)


def options(judge, variant, points, tests, limit):
    """Return how a judge is asked: limit on requests, request parameters, longest answer.

    The limit is rounded down to whole stories, one at least (0 stays 0: all). The smallest local
    models end no answer with a label of their own accord: where only a label is wanted, a grammar
    holds a llama.cpp server to those of the scale.
    """
    each, params = len(tests) * (1 if variant == "no reference" else 2), None
    if short := judge.startswith("local/") and variant == "no analysis":
        signs = [">" * n for n in range(points // 2, 0, -1)]
        allowed = [f"A{s}B" for s in signs] + ["A=B"] + [f"B{s}A" for s in signs[::-1]]
        params = {
            "grammar": 'root ::= "[[" (' + " | ".join(f'"{label}"' for label in allowed) + ') "]]"'
        }
    return {
        "limit": max(limit // each, 1) * each if limit else 0,
        "params": params,
        "max_output_tokens": 16 if short else None,
    }


def split_items(answers):
    """Return group, writer, test and order of each answer's item, and as `value` its verdict (nan
    where there is none)."""
    part = (
        answers["item"]
        .str.rsplit("/", n=3, expand=True)
        .set_axis(["group", "writer", "test", "order"], axis=1)
    )
    value = pd.to_numeric(answers["verdict"], errors="coerce").where(answers["status"] == "ok")
    return part.assign(test=part["test"].astype(int), value=value)


def labels(answers):
    """Return one row a (group, writer, test) with `plus` and `minus` (nan where the judge gave no
    label).

    plus: how much better the candidate is when shown first; minus: how much better the reference is
    when shown first.
    """
    part, keys = split_items(answers), ["group", "writer", "test"]
    table = part.pivot_table(
        index=keys, columns="order", values="value", dropna=False, observed=True
    )
    table = table.reindex(pd.MultiIndex.from_frame(part[keys]).unique(), columns=["+", "-"])
    return table.set_axis(["plus", "minus"], axis=1).rename_axis(keys).reset_index()


def passes(table, cutoff=V2_CUTOFF):
    """Return group, writer, test, passed: L+ - L- reaches the cutoff (refbased_v2, section 3.2).

    A test without both labels is not passed, as in refbased_v1; `read` leaves a story without any
    out.
    """
    return table[["group", "writer", "test"]].assign(
        passed=table["plus"] - table["minus"] >= cutoff
    )


def scores(passed):
    """Return group x writer: the number of tests passed."""
    return passed.groupby(["group", "writer"])["passed"].sum().unstack().astype(float)


def by_test(answers, variant, tests, cutoff=V2_CUTOFF):
    """Return one row a (group, writer, test): asked, verdict, status, usd, and plus and minus where
    there is a reference.

    tests: {number: question}. verdict: passed or failed, or a grade; none where an answer is not
    ok, which is then the status.
    """
    keys = ["group", "writer", "test"]
    part = split_items(answers).assign(status=answers["status"], usd=answers["usd"])
    table = part.groupby(keys, sort=False).agg(
        status=("status", lambda given: next((one for one in given if one != "ok"), "ok")),
        usd=("usd", "sum"),
        verdict=("value", "mean"),
    )
    if variant != "no reference":
        passed = (
            passes(labels(answers), cutoff)
            .set_index(keys)["passed"]
            .map({True: "passed", False: "failed"})
        )
        table = table.assign(verdict=passed).join(labels(answers).set_index(keys))
    table = table.assign(verdict=table["verdict"].where(table["status"] == "ok")).reset_index()
    told = [name for name in ("plus", "minus") if name in table]
    return table.assign(asked=table["test"].map(tests))[
        [*keys, "asked", "verdict", "status", "usd", *told]
    ]


def position_bias(table):
    """Return how a judge uses its labels: n tests, share answered, first place preferred,
    contradictions, ties (shares).

    A test is contradicted when both orders prefer the story shown first, or both the one shown
    second.
    """
    both = table.dropna(subset=["plus", "minus"])
    every = pd.concat([table["plus"], table["minus"]]).dropna()
    return pd.Series(
        {
            "tests": len(table),
            "with both labels": len(both) / max(len(table), 1),
            "story shown first preferred": (every > 0).mean(),
            "tie": (every == 0).mean(),
            "story shown second preferred": (every < 0).mean(),
            "contradicted by the swap": (np.sign(both["plus"]) * np.sign(both["minus"]) > 0).mean(),
        }
    )


def read(answers, variant, cutoff=V2_CUTOFF):
    """Return (labels or None, scores by group x writer, position bias) of a judge's answers.

    A story without one test that has both labels has no score, not a score of 0. Without a
    reference there are no labels and no bias, and the score is the mean grade (1 to 5) over the
    tests that have one.
    """
    if variant == "no reference":
        grades = split_items(answers).pivot_table(
            index="group", columns="writer", values="value", dropna=False
        )
        return None, grades, pd.Series(dtype=float)
    table = labels(answers)
    both = table.assign(both=table["plus"].notna() & table["minus"].notna())
    answered = both.groupby(["group", "writer"])["both"].any().unstack(fill_value=False)
    return table, scores(passes(table, cutoff)).where(answered), position_bias(table)
