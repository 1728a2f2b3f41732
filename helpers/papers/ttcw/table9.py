"""*Art or Artifice?*, Table 9: judges beside experts, here and in the authors' repository."""

import pandas as pd
from sklearn.metrics import cohen_kappa_score

from helpers import results
from helpers.measures import compare, statistics
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
    """Note the kappas of the released answers; return how many cells the best column matches."""
    matches = [0]
    for column, name in RUNS.items():
        read = answers[(answers["judge"] == name) & (answers["status"] == "ok")]
        cases = read.groupby(read["test"].map(ROWS))
        kappas = {row: cohen_kappa_score(part["yes"], part["truth"]) for row, part in cases}
        how = f"kappa of the released answers of {display_name(name)} with the majority of experts"
        how += "; the run behind the table was not released"
        paper.check("Table 9", pd.DataFrame({column: kappas}), how, "none")
        held = (agrees(paper.text("Table 9", row, column), one) for row, one in kappas.items())
        matches.append(sum(held))
    return max(matches)


def compare_repository(data, answers):
    """Return each judge's balanced accuracy over all cases together, as the authors' repository
    prints it and ours by its rule: no verdict is a No."""
    given = ask.to_scores(answers.assign(status="ok"))
    ours = compare.compare(data, given, statistics.balanced_accuracy, target="all")["estimate"]
    theirs = pd.Series(REPOSITORY).rename(display_name)
    table = pd.DataFrame({"their repository": theirs, "ours": ours[given["judge"].unique()]})
    return results.rank(table.rename_axis("balanced accuracy, all cases together"), "ours")
