"""The reference-based Likert method: requests, two swapped labels a test, cutoff, scores, position bias."""

import numpy as np
import pandas as pd

from helpers.judges import prompts

PROMPTS = {"full": "refbased-likert", "no analysis": "refbased-likert-no-analysis",
           "no reference": "refbased-likert-no-reference"}
V1_CUTOFF, V2_CUTOFF = 0, -2  # on L+ - L-: v1 passes an average that is not negative, v2 one step below the reference


class RefbasedError(ValueError):
    """Stories or labels that the method cannot use; the message names the story and the test."""


def check_stories(candidates, references):
    """Return the candidates if every one has a text, a reference of its group that is another text, and a rival.

    candidates: group, writer, text; references: {group: text}. Raises RefbasedError naming group and writer.
    """
    for row in candidates.itertuples():
        where = f"group {row.group}, {row.writer}"
        if not str(row.text).strip():
            raise RefbasedError(f"{where}: the story is empty; give its text or leave the story out")
        if row.group not in references:
            known = ", ".join(map(str, references))
            raise RefbasedError(f"{where}: no reference for this group; there are references for {known}")
        if " ".join(str(references[row.group]).split()) == " ".join(str(row.text).split()):
            raise RefbasedError(f"{where}: the reference is the candidate itself; compare a story with another one")
    sizes = candidates.groupby("group").size()
    if (sizes < 2).any():
        raise RefbasedError(f"group {sizes.idxmin()}: one candidate only; a ranking needs two or more")
    twice = candidates.duplicated(["group", "writer"])
    if twice.any():
        row = candidates[twice].iloc[0]
        raise RefbasedError(f"group {row['group']}: {row['writer']} stands there twice; expected each writer once")
    return candidates


def requests(candidates, references, tests, variant="full", points=5):
    """Return the judge's requests: item '<group>/<writer>/<test>/<order>', shared, prompt, system.

    tests: {number: question}. Order '+' shows the candidate first (as A), '-' the reference first. The variant
    'no reference' asks once for a grade of the candidate alone. refbased sections 3.2-3.3, prompts of our own.
    """
    if variant not in PROMPTS:
        raise RefbasedError(f"variant {variant!r} is unknown; expected one of {', '.join(PROMPTS)}")
    prompt, rows = prompts.load(PROMPTS[variant]), []
    for row in check_stories(candidates, references).itertuples():
        if variant == "no reference":
            rows += [{"item": f"{row.group}/{row.writer}/{number}/1", **prompt.fill(story=row.text, test=question)}
                     for number, question in tests.items()]
            continue
        for order, (a, b) in {"+": (row.text, references[row.group]), "-": (references[row.group], row.text)}.items():
            for number, question in tests.items():  # all tests of one order together: the stories' text is cached
                filled = prompt.fill(story_a=a, story_b=b, test=question, scale=prompts.scale(points))
                rows.append({"item": f"{row.group}/{row.writer}/{number}/{order}", **filled})
    return pd.DataFrame(rows)


def whole_stories(limit, tests, variant="full"):
    """Return a limit on requests rounded down to whole stories, but to one at least (0 stays 0: all)."""
    each = len(tests) * (1 if variant == "no reference" else 2)
    return max(limit // each, 1) * each if limit else 0


def options(judge, variant, points, tests, limit):
    """Return how a judge is asked: limit on requests, request parameters, longest answer."""
    short = judge.startswith("local/") and variant == "no analysis"
    return {"limit": whole_stories(limit, tests, variant), "params": constrain(judge, variant, points),
            "max_output_tokens": 16 if short else None}


def constrain(judge, variant, points=5):
    """Return request parameters that hold a llama.cpp server to the scale's labels where only a label is wanted, else None.

    The smallest local models end no answer with a label of their own accord.
    """
    if not judge.startswith("local/") or variant != "no analysis":
        return None
    signs = [">" * n for n in range(points // 2, 0, -1)]
    allowed = [f"A{s}B" for s in signs] + ["A=B"] + [f"B{s}A" for s in signs[::-1]]
    return {"grammar": 'root ::= "[[" (' + " | ".join(f'"{label}"' for label in allowed) + ') "]]"'}


def split_items(answers):
    """Return group, writer, test and order of each answer's item, and as `value` its verdict (nan where there is none)."""
    part = answers["item"].str.rsplit("/", n=3, expand=True).set_axis(["group", "writer", "test", "order"], axis=1)
    value = pd.to_numeric(answers["verdict"], errors="coerce").where(answers["status"] == "ok")
    return part.assign(test=part["test"].astype(int), value=value)


def labels(answers):
    """Return one row a (group, writer, test) with `plus` and `minus` (nan where the judge gave no label).

    plus: how much better the candidate is when shown first; minus: how much better the reference is when shown first.
    """
    part, keys = split_items(answers), ["group", "writer", "test"]
    table = part.pivot_table(index=keys, columns="order", values="value", dropna=False, observed=True)
    table = table.reindex(pd.MultiIndex.from_frame(part[keys]).unique(), columns=["+", "-"])
    return table.set_axis(["plus", "minus"], axis=1).rename_axis(keys).reset_index()


def grades(answers):
    """Return group x writer: the mean grade (1 to 5) over the tests that have one, of the variant 'no reference'."""
    return split_items(answers).pivot_table(index="group", columns="writer", values="value", dropna=False)


def check_labels(table, points=5, tests=None):
    """Return the labels if complete and on the scale; raise RefbasedError naming group, writer and test if not."""
    for row in table.itertuples():
        for name, value in (("first", row.plus), ("second", row.minus)):
            if not np.isnan(value) and (abs(value) > points // 2 or value != int(value)):
                raise RefbasedError(f"group {row.group}, {row.writer}, test {row.test}: {name} label {value:g} is off the "
                                    f"{points}-point scale (-{points // 2} to {points // 2})")
    wanted = sorted(table["test"].unique()) if tests is None else sorted(tests)
    for (group, writer), part in table.groupby(["group", "writer"]):
        missing = set(wanted) - set(part["test"])
        if missing:
            raise RefbasedError(f"group {group}, {writer}: test {min(missing)} is missing; expected tests "
                                f"{', '.join(map(str, wanted))}")
    return table


def passes(table, cutoff=V2_CUTOFF, points=5, unanswered="failed"):
    """Return group, writer, test, passed: L+ - L- reaches the cutoff (refbased_v2, section 3.2).

    unanswered: 'failed', 'passed', or 'error' for a test without both labels.
    """
    table = check_labels(table, points)
    both = table["plus"].notna() & table["minus"].notna()
    if unanswered == "error" and not both.all():
        row = table[~both].iloc[0]
        raise RefbasedError(f"group {row['group']}, {row['writer']}, test {row['test']}: a label is missing; ask again or say "
                            "what an unanswered test counts as")
    passed = (table["plus"] - table["minus"] >= cutoff).where(both, unanswered == "passed")
    return table[["group", "writer", "test"]].assign(passed=passed.astype(bool))


def scores(passed, tests=None):
    """Return group x writer: the number of tests passed, of all or of the given tests."""
    part = passed if tests is None else passed[passed["test"].isin(tests)]
    return part.groupby(["group", "writer"])["passed"].sum().unstack().astype(float)


def answered(table):
    """Return group x writer: whether one test at least has both labels (a story without has no score, not a score of 0)."""
    both = table["plus"].notna() & table["minus"].notna()
    return table.assign(both=both).groupby(["group", "writer"])["both"].any().unstack(fill_value=False)


def position_bias(table):
    """Return how a judge uses its labels: n tests, share answered, first place preferred, contradictions, ties (shares).

    A test is contradicted when both orders prefer the story shown first, or both the one shown second.
    """
    both = table.dropna(subset=["plus", "minus"])
    every = pd.concat([table["plus"], table["minus"]]).dropna()
    rows = {"tests": len(table), "with both labels": len(both) / max(len(table), 1),
            "story shown first preferred": float((every > 0).mean()), "tie": float((every == 0).mean()),
            "story shown second preferred": float((every < 0).mean()),
            "contradicted by the swap": float((np.sign(both["plus"]) * np.sign(both["minus"]) > 0).mean())}
    return pd.Series(rows)


def read(answers, variant, cutoff=V2_CUTOFF, points=5):
    """Return (labels or None, scores by group x writer, position bias) of a judge's answers; without a reference no labels."""
    if variant == "no reference":
        return None, grades(answers), pd.Series(dtype=float)
    table = labels(answers)
    return table, scores(passes(table, cutoff, points)).where(answered(table)), position_bias(table)
