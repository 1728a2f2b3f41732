"""Table 9 and the authors' own repository: which released runs could be behind
the printed kappas?"""

from itertools import product

import pandas as pd

from helpers import results
from helpers.measures import agreement
from helpers.sources.published import agrees
from helpers.ttcw import load as ttcw

# balanced accuracy as the authors print it themselves: salesforce/creativity_eval,
# Art_or_Artifice/Evaluating_LLM.ipynb
REPOSITORY = {
    "recorded/gemini-pro": "0.46",
    "recorded/cgpt": "0.49",
    "recorded/claudev2": "0.50",
    "recorded/claudev21": "0.52",
    "recorded/claudev13": "0.53",
    "recorded/gpt4": "0.54",
    "recorded/claude3-opus": "0.58",
}
# of Table 9's columns
RUNS = {"GPT3.5": "recorded/cgpt", "GPT4": "recorded/gpt4", "Claude": "recorded/claudev13"}
STORIES = {
    "48 stories": "story != ''",
    "without group 2": "group != 2",
    "36 machine": "writer != 'NewYorker'",
}
MISSING = {"left out": None, "No": False, "Yes": True}
TRUTHS = {
    "majority": ["votes >= 2"],
    "any expert": ["votes >= 1"],
    "all experts": ["votes == 3"],
    "mean over single experts": ["expert_1", "expert_2", "expert_3"],
}


def kappas_by_test(answers, rule="votes >= 2", fill=None):
    """Return Cohen's kappa by test of answers (votes, yes, status) with the experts' verdict under
    a rule.

    fill: what an answer without a verdict counts as (None: left out).
    """
    ok = answers["status"] == "ok"
    part = answers[ok] if fill is None else answers.assign(yes=answers["yes"] | (~ok & fill))
    part = part.assign(said=part.eval(rule))
    return pd.Series(
        {test: agreement.cohen_kappa(p["yes"], p["said"]) for test, p in part.groupby("test")}
    )


def search_runs(answers, verdicts, printed):
    """Return every definition tried for each printed column: column, run, truth, stories, missing,
    matches (of 14).

    answers: as `ask_panel` returns them; printed: Table 9, tests x columns.
    """
    slot = "expert_" + verdicts.groupby("story")["expert"].rank(method="dense").astype(int).astype(
        str
    )
    single = verdicts.pivot_table(index=["story", "test"], columns=slot, values="passed").astype(
        bool
    )
    answers, rows = answers.join(single, on=["story", "test"]), []
    for run, stories, missing, truth in product(
        answers["judge"].unique(), STORIES, MISSING, TRUTHS
    ):
        part = answers[answers["judge"] == run].query(STORIES[stories])
        kappas = [kappas_by_test(part, rule, MISSING[missing]) for rule in TRUTHS[truth]]
        found = pd.concat(kappas, axis=1).mean(axis=1, skipna=False)
        for column in printed:
            matches = sum(
                agrees(f"{printed.at[test, column]:.2f}", value) for test, value in found.items()
            )
            rows.append((column, run, truth, stories, missing, matches))
    table = pd.DataFrame(rows, columns=["column", "run", "truth", "stories", "missing", "matches"])
    return results.rank(table, "matches", "column", "run", "truth", "stories", "missing")


def check_column(answers, column, name, matched):
    """Return what `Paper.check` needs for one column of Table 9: (values, how, basis)."""
    values = kappas_by_test(answers[answers["judge"] == name]).rename(ttcw.ROWS)
    who = results.display_name(name)
    how = f"kappa of the released answers of {who} with the majority of experts"
    how += "" if matched else "; the run behind the table was not released"
    return values.to_frame(column), how, "raw" if matched else "none"
