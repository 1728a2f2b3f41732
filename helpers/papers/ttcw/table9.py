"""*Art or Artifice?*, Table 9: judges beside experts, here and in the authors' repository."""

import pandas as pd
from goodjudge.comparison import compare
from goodjudge.diagnostics import consistency as steadiness
from goodjudge.stats import metrics as statistics

from helpers import results
from helpers.papers.ttcw.table5 import average
from helpers.sources.names import display_name
from helpers.sources.published import agrees
from helpers.ttcw import ask
from helpers.ttcw.load import ROWS

# balanced accuracy as the authors print it themselves: salesforce/creativity_eval,
# Art_or_Artifice/Evaluating_LLM.ipynb
REPOSITORY = {
    "recorded/gemini-pro": 0.46,
    "recorded/cgpt": 0.49,
    "recorded/claudev2": 0.50,
    "recorded/claudev21": 0.52,
    "recorded/claudev13": 0.53,
    "recorded/gpt4": 0.54,
    "recorded/claude3-opus": 0.58,
}
# of Table 9's columns
RUNS = {"GPT3.5": "recorded/cgpt", "GPT4": "recorded/gpt4", "Claude": "recorded/claudev13"}


def check(paper, answers):
    """Note the kappas of the released answers; return how many cells the best column matches.

    answers: judge, aspect (the test), status, yes (the judge's verdict), truth (the experts'
    majority).
    """
    matches = []
    for column, judge in RUNS.items():
        is_read = (answers["judge"] == judge) & (answers["status"] == "ok")
        kappas = kappas_by_row(answers[is_read])
        how = f"kappa of the released answers of {display_name(judge)} with the majority of experts"
        how += "; the run behind the table was not released"
        paper.check("Table 9", kappas.to_frame(column), how, "none")
        printed = [paper.text("Table 9", row, column) for row in kappas.index]
        matches.append(sum(map(agrees, printed, kappas)))
    return max(matches)


def kappas_by_row(answers):
    """Return Cohen's kappa of a judge with the majority by row of Table 9, a Series. answers: as in
    `check`."""
    kappas = {}
    for test, cases in answers.groupby("aspect"):
        yes, truth = cases[["yes", "truth"]].to_numpy(float).T
        kappas[ROWS[test]] = steadiness.find_kappa(yes, truth)
    return pd.Series(kappas, dtype=float)


def check_average(paper):
    """Check the averages of Table 9 by the rows above them."""
    kappas = paper.table("Table 9").drop(index="Average")
    paper.check("Table 9", average(kappas), "mean of the 14 printed numbers above it")


def compare_repository(data, answers):
    """Return each judge's balanced accuracy over all cases together, as the authors' repository
    prints it and ours by its rule: no verdict is a No."""
    scores = ask.score(answers.assign(status="ok"))
    measure = statistics.balanced_accuracy
    compared = compare.compare(data, scores, measure, target="all", simulate=False)
    ours = compared.loc[scores["judge"].unique(), "estimate"]
    table = pd.DataFrame({"their repository": REPOSITORY, "ours": ours})
    return results.rank(table.rename_axis("balanced accuracy, all cases together"), "ours")
