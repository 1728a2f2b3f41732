"""*Art or Artifice?*: Table 5, pass rates of stories and the agreement of experts; Table 9, judges
beside experts, also in the authors' repository."""

import pandas as pd
from goodjudge.comparison import compare
from goodjudge.diagnostics import consistency
from goodjudge.stats import metrics

from helpers import agreement, results
from helpers.audit.attainable import shares
from helpers.sources.names import display_name
from helpers.sources.published import Rounded, agrees
from helpers.ttcw import ask
from helpers.ttcw.load import PRINTED_WRITERS, ROWS, pass_rates

VERDICTS = 36  # of a writer's twelve stories on one test, by three experts
OF_44 = "; of 44 stories, without group 2, it is {:.3f}"
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


def check_verdicts(paper, verdicts, kappas, fewer):
    """Check Table 5 against the raw verdicts.

    kappas: by test (a Series), of the 48 stories; fewer: of 44 stories, None if none are needed.
    """
    rates = pass_rates(verdicts).rename(index=ROWS, columns=PRINTED_WRITERS)
    paper.check("Table 5", rates, "share of Yes, all 12 groups", "raw")
    paper.check("Table 5", average(Rounded(rates)), "mean of the 14 pass rates", "raw")
    by_row = pd.DataFrame({"kappa": kappas, "of 44": fewer}).rename(index=ROWS)
    by_row.loc["Average"] = by_row.mean()
    for row, (kappa, of_44) in by_row.iterrows():
        key = ("Table 5", row, "Expert Agreement")
        what = "mean of the 14 kappas" if row == "Average" else "Fleiss' kappa"
        how = f"{what} of the 48 stories that the caption names"
        holds = agrees(paper.text(*key), kappa)
        if fewer is not None and not holds:
            how += OF_44.format(of_44)
        paper.note(key, kappa, "raw", how, holds)


def check_print(paper):
    """Check Tables 5 and 9 by their own numbers: shares of 36 verdicts, averages of the rows."""
    table = paper.table("Table 5")
    cells = table.mid.loc[list(ROWS.values()), list(PRINTED_WRITERS.values())]
    how = f"the nearest share of {VERDICTS} verdicts (input checked)"
    paper.check("Table 5", shares(cells, VERDICTS), how)
    for name in ("Table 5", "Table 9"):
        rows = paper.table(name).drop(index="Average")
        paper.check(name, average(rows), "mean of the 14 printed numbers above it")


def average(table):
    """Return a table's column means as its row "Average"; table: a DataFrame or Rounded."""
    return table.mean().to_frame("Average").transpose()


def kappas_by_test(verdicts, left_out=()):
    """Return Fleiss' kappa of each test, a Series, over the stories of all groups but some."""
    is_left_out = verdicts["group"].isin(left_out)
    counts = agreement.count_passes(verdicts[~is_left_out])
    return pd.Series(agreement.fleiss_kappa(counts), counts.columns)


def check_judges(paper, answers):
    """Note the kappas of the released answers beside Table 9; return how many cells the best column
    matches.

    answers: judge, aspect (the test), status, yes (the judge's verdict), truth (the experts'
    majority).
    """
    matches = []
    for column, judge in RUNS.items():
        kappas = {}
        is_read = (answers["judge"] == judge) & (answers["status"] == "ok")
        for test, cases in answers[is_read].groupby("aspect"):
            yes, truth = cases[["yes", "truth"]].to_numpy(float).T
            kappas[ROWS[test]] = consistency.find_kappa(yes, truth)
        how = f"kappa of the released answers of {display_name(judge)} with the majority of experts"
        how += "; the run behind the table was not released"
        kappas = pd.Series(kappas, dtype=float)
        paper.check("Table 9", kappas.to_frame(column), how, "none")
        printed = [paper.text("Table 9", row, column) for row in kappas.index]
        matches.append(sum(map(agrees, printed, kappas)))
    return max(matches)


def compare_repository(data, answers):
    """Return each judge's balanced accuracy over all cases together, as the authors' repository
    prints it and ours by its rule: no verdict is a No."""
    scores = ask.score(answers.assign(status="ok"))
    measure = metrics.balanced_accuracy
    compared = compare.compare(data, scores, measure, target="all", simulate=False)
    ours = compared.loc[scores["judge"].unique(), "estimate"]
    table = pd.DataFrame({"their repository": REPOSITORY, "ours": ours})
    return results.rank(table.rename_axis("balanced accuracy, all cases together"), "ours")
