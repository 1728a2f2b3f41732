"""Table 9 and the authors' own repository: which released runs could be behind the printed kappas?"""

import pandas as pd

from helpers import results
from helpers.measures import agreement
from helpers.sources.published import agrees
from helpers.ttcw import data as ttcw

# balanced accuracy as the authors print it themselves: salesforce/creativity_eval, Art_or_Artifice/Evaluating_LLM.ipynb
REPOSITORY = {
    "recorded/gemini-pro": "0.46",
    "recorded/cgpt": "0.49",
    "recorded/claudev2": "0.50",
    "recorded/claudev21": "0.52",
    "recorded/claudev13": "0.53",
    "recorded/gpt4": "0.54",
    "recorded/claude3-opus": "0.58",
}
RUNS = {
    "GPT3.5": "recorded/cgpt",
    "GPT4": "recorded/gpt4",
    "Claude": "recorded/claudev13",
}  # of Table 9's columns


def kappas_by_test(answers, rule, fill=None):
    """Return Cohen's kappa by test of answers (votes, yes, status) with the experts' votes under a rule.

    fill: what an answer without a verdict counts as (None: left out).
    """
    ok = answers["status"] == "ok"
    part = answers[ok] if fill is None else answers.assign(yes=answers["yes"] | (~ok & fill))
    return pd.Series(
        {test: agreement.cohen_kappa(p["yes"], rule(p)) for test, p in part.groupby("test")}
    )


def search_runs(answers, verdicts, printed):
    """Return every definition tried for each printed column: column, run, truth, stories, missing, matches (of 14).

    answers: as `ask_panel` returns them; printed: Table 9, tests x columns.
    """
    slots = verdicts.groupby("story")["expert"].rank(method="dense").astype(int)
    single = verdicts.pivot_table(index=["story", "test"], columns=slots, values="passed")
    answers = answers.join(single, on=["story", "test"])
    truths = {
        "majority": [lambda p: p["votes"] >= 2],
        "any expert": [lambda p: p["votes"] >= 1],
        "all experts": [lambda p: p["votes"] == 3],
        "mean over single experts": [lambda p, k=k: p[k] for k in single],
    }
    keeps = {
        "48 stories": lambda t: t["story"] != "",
        "without group 2": lambda t: t["group"] != 2,
        "36 machine": lambda t: t["writer"] != "NewYorker",
    }
    rows = []
    for name, mine in answers.groupby("judge", sort=False):
        for stories, keep in keeps.items():
            for missing, fill in {"left out": None, "No": False, "Yes": True}.items():
                for truth, rules in truths.items():
                    found = pd.concat(
                        [kappas_by_test(mine[keep(mine)], rule, fill) for rule in rules], axis=1
                    ).mean(axis=1, skipna=False)
                    rows += [
                        (
                            column,
                            name,
                            truth,
                            stories,
                            missing,
                            sum(
                                agrees(f"{printed.at[t, column]:.2f}", value)
                                for t, value in found.items()
                            ),
                        )
                        for column in printed
                    ]
    table = pd.DataFrame(rows, columns=["column", "run", "truth", "stories", "missing", "matches"])
    return results.rank(table, "matches", "column", "run", "truth", "stories", "missing")


def check_column(answers, column, name, matched):
    """Return what `Paper.check` needs for one column of Table 9: (values, how, basis)."""
    values = kappas_by_test(answers[answers["judge"] == name], lambda p: p["votes"] >= 2).rename(
        ttcw.ROWS
    )
    how = f"kappa of the released {name} with the majority of experts"
    how += "" if matched else "; the run behind the table was not released"
    return values.to_frame(column), how, "raw" if matched else "none"
