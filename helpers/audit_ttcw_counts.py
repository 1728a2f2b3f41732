"""The audit of *Art or Artifice?* (ttcw), Figure 1 and running text: design counts against the released data."""

import re

from helpers import audit

# What the released data fix, by a pattern over our phrases; each value is computed from the tables of `facts`.
RAW_COUNTS = [
    (
        r"binary tests? in TTCW|number of tests in TTCW|tests? (evaluated|administered) per story|^tests in total|"
        r"tests over which|"
        r"tests created by|tests out of which|aggregate score \(upper\)",
        "tests",
    ),
    (
        r"stories (assessed by humans|in the (benchmark|collection|evaluation))|short stories in|stories over which",
        "stories",
    ),
    (r"benchmark stories by professionals|New Yorker stories (collected|shown)", "human stories"),
    (r"benchmark stories by LLMs", "machine stories"),
    (
        r"^(creative writers recruited|experts recruited|experiment participants|participants recruited|creative writing experts "
        r"annotating|Creative writing experts)",
        "experts",
    ),
    (
        r"LLMs used to write|LLMs prompted|LLM stories in a group|LLMs whose stories|LLM stories generated per|"
        r"LLM-generated stories per group",
        "machine writers",
    ),
    (r"New Yorker stories in a group|human-written stories per group", "human writers"),
    (
        r"stories? (in an assessment|evaluated per plot|in a group)|distinct stories in a group|"
        r"^four stories|story types",
        "writers",
    ),
    (r"^story groups$", "groups"),
    (
        r"expert evaluations gathered|experts (assigned|in the majority)|independent evaluations|assessments for each story",
        "raters",
    ),
    (r"assessments in total", "assessments"),
    (r"mean tasks completed", "tasks per expert"),
    (r"binary labels|expert explanations clustered|expert-administered tests in total|individual tests administered", "verdicts"),
    (r"^creativity dimensions", "dimensions"),
    (r"groups in the Fluency dimension|^Fluency measures", "Fluency"),
    (r"^Flexibility measures|groups in each of Flexibility", "Flexibility"),
    (r"^ways of looking for Originality", "Originality"),
    (r"aggregate score \(lower\)", "lowest score"),
]


def facts(verdicts, tests):
    """Return the counts that the released data fix, by name."""
    totals = verdicts.groupby(["story", "expert"])["passed"].sum()
    pairs = verdicts.groupby("group")["expert"].nunique().sum()
    sizes = tests["dimension"].value_counts()
    return {
        "tests": len(tests),
        "stories": verdicts["story"].nunique(),
        "human stories": verdicts.loc[verdicts["writer"] == "NewYorker", "story"].nunique(),
        "machine stories": verdicts.loc[verdicts["writer"] != "NewYorker", "story"].nunique(),
        "experts": verdicts["expert"].nunique(),
        "machine writers": verdicts["writer"].nunique() - 1,
        "human writers": verdicts[verdicts["writer"] == "NewYorker"].groupby("group")["story"].nunique().mean(),
        "writers": verdicts["writer"].nunique(),
        "groups": verdicts["group"].nunique(),
        "raters": verdicts.groupby(["story", "test"])["expert"].nunique().mean(),
        "assessments": pairs,
        "tasks per expert": pairs / verdicts["expert"].nunique(),
        "verdicts": len(verdicts),
        "dimensions": len(sizes),
        "Fluency": sizes["Fluency"],
        "Flexibility": sizes["Flexibility"],
        "Originality": sizes["Originality"],
        "lowest score": totals.min(),
    }


def lines_counts(printed, known):
    """Return raw lines for the counts in running text that `known` (from `facts`) fixes."""
    lines = []
    for table, row, column in [*printed.keys("Figure 1"), *printed.keys("text")]:
        for pattern, name in RAW_COUNTS:
            if re.search(pattern, column):
                lines.append(
                    audit.check_raw(printed, (table, row, column), known[name], f"design count, in the released data: {name}")
                )
                break
    return lines
