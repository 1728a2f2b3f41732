"""The audit of *Art or Artifice?* (ttcw): tables and facts of the text, from raw data or print."""

from functools import partial

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from helpers import results
from helpers.audit.attainable import shares
from helpers.measures import agreement, compare, intervals, statistics
from helpers.sources.names import display_name
from helpers.sources.published import DATA, Printed, Rounded, agrees
from helpers.ttcw import ask, load
from helpers.ttcw.load import PRINTED_WRITERS, ROWS, load_tests, pass_rates

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
GUESSES = ["An experienced writer", "An amateur writer", "Written by AI"]  # section 5.2.2
QUESTIONS = ["agreement between experts", "human or machine", "which model"]  # section 1
# of Table 9's columns
RUNS = {"GPT3.5": "recorded/cgpt", "GPT4": "recorded/gpt4", "Claude": "recorded/claudev13"}


def audit(paper, verdicts=None, left_out=()):
    """Audit the Paper and return it; Table 9's single cells are left to notebook 02.

    verdicts: the open experts' (None: fewer checks); left_out: the groups without which the kappas
    of Table 5 come out as printed, one or none. They are judged by what the caption says of them.
    """
    known = text_facts(paper)
    if verdicts is not None:
        kappas = kappas_by_test(verdicts)
        fewer = kappas_by_test(verdicts, left_out) if left_out else None
        pearson = agreement.mean_correlation(agreement.spread_slots(verdicts))
        check_table5(paper, verdicts, kappas, fewer)
        known |= counted(verdicts, load_tests()) | claimed(verdicts, kappas, pearson, fewer)
    table5, table9 = paper.table("Table 5"), paper.table("Table 9")
    cells = table5.mid.loc[list(ROWS.values()), list(PRINTED_WRITERS.values())]
    paper.check("Table 5", shares(cells, 36), "the nearest share of 36 verdicts (input checked)")
    for table, printed in (("Table 5", table5), ("Table 9", table9)):
        found = average(printed.drop(index="Average"))
        paper.check(table, found, "mean of the 14 printed numbers above it")
    paper.facts(known)
    return paper


def average(table):
    """Return a table's column means as its row "Average"."""
    return table.mean().to_frame("Average").transpose()


def kappas_by_test(verdicts, left_out=()):
    """Return Fleiss' kappa of each test, a Series, over the stories of all groups but some."""
    counts = agreement.count_passes(verdicts[~verdicts["group"].isin(left_out)])
    return pd.Series(agreement.fleiss_kappa(counts), counts.columns)


def without_a_group(value, kappa, fewer):
    """Return '', or what a printed kappa that 48 stories do not give is with 44 (`fewer`)."""
    if agrees(value, kappa) or fewer is None:
        return ""
    return f"; of 44 stories, without group 2, it is {fewer:.3f}"


def check_table5(paper, verdicts, kappas, fewer=None):
    """Check Table 5 against the raw verdicts; `fewer`: the kappas of 44 stories."""
    rates = pass_rates(verdicts).rename(index=ROWS, columns=PRINTED_WRITERS)
    paper.check("Table 5", rates, "share of Yes, all 12 groups", "raw")
    paper.check("Table 5", average(Rounded(rates)), "mean of the 14 pass rates", "raw")
    column, rows = "Expert Agreement", {**ROWS, "mean": "Average"}
    of_44 = {} if fewer is None else {**fewer, "mean": fewer.mean()}
    for test, kappa in {**kappas, "mean": kappas.mean()}.items():
        key = ("Table 5", rows[test], column)
        how = "Fleiss' kappa" if test in kappas else "mean of the 14 kappas"
        how += " of the 48 stories that the caption names"
        how += without_a_group(paper.text(*key), kappa, of_44.get(test))
        paper.note(key, kappa, "raw", how, agrees(paper.text(*key), kappa))


def check_table9(paper, answers):
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


def counted(verdicts, tests):
    """Return the counts that the released data fix, by name."""
    humans, machines = (
        verdicts[(verdicts["writer"] == "NewYorker") == is_human] for is_human in (True, False)
    )
    stories = load.load_stories().query("writer != 'NewYorker'")
    widest = stories.groupby("group")["words"].agg(np.ptp).max()
    links = pd.DataFrame(load.read_json("ttcw/ttcw_short_stories.json"))["content"]
    links = links[links.str.startswith("http")]
    fiction = ~links.str.contains("/personal-history/")
    pairs = verdicts.groupby("group")["expert"].nunique().sum()
    sizes, answers = tests["dimension"].value_counts(), load.load_recorded("cgpt")
    return {
        "tests": len(tests),
        "mean length": stories["words"].mean(),
        "widest": widest,
        "half of the widest": widest / 2,
        "stories filed as fiction": fiction.sum(),
        "other tests": len(tests) - 1,
        "stories read by models": answers["story"].nunique(),
        "tests read by models": answers["test"].nunique(),
        "dimensions": len(sizes),
        **sizes[["Fluency", "Flexibility", "Originality"]],
        "stories": verdicts["story"].nunique(),
        "human stories": humans["story"].nunique(),
        "machine stories": machines["story"].nunique(),
        "writers": verdicts["writer"].nunique(),
        "machine writers": machines["writer"].nunique(),
        "human writers": humans.groupby("group")["story"].nunique().mean(),
        "groups": verdicts["group"].nunique(),
        "experts": verdicts["expert"].nunique(),
        "raters": verdicts.groupby(["story", "test"])["expert"].nunique().mean(),
        "assessments": pairs,
        "tasks per expert": pairs / verdicts["expert"].nunique(),
        "verdicts": len(verdicts),
        "lowest score": verdicts.groupby(["story", "expert"])["passed"].sum().min(),
    }


def claimed(verdicts, kappas, pearson, fewer=None):
    """Return what pass rates and agreement say about the claims of abstract, sections 1 and 5.4;
    fewer: the kappas of 44 stories."""
    overall, rates = 100 * verdicts.groupby("writer")["passed"].mean(), pass_rates(verdicts)
    human, machine = overall["NewYorker"], overall.drop("NewYorker")
    larger = overall[["GPT4", "Claude"]]
    dimension = load_tests().set_index("test")["dimension"]
    by = verdicts.groupby([verdicts["test"].map(dimension), "writer"])["passed"].mean().unstack()
    best = by.drop(columns="NewYorker").idxmax(axis=1)
    summaries = {"mean": pd.Series.mean, "smallest": pd.Series.min, "largest": pd.Series.max}
    of_44 = dict.fromkeys(summaries, "")
    if fewer is not None:
        for name, summary in summaries.items():
            of_44[name] = f"; of 44 stories, without group 2, it is {summary(fewer):.3f}"
    return {
        **{f"{name} kappa of 44": words for name, words in of_44.items()},
        "mean kappa": kappas.mean(),
        "smallest kappa": kappas.min(),
        "largest kappa": kappas.max(),
        "correlation": pearson,
        "human rate": human,
        "GPT3.5 rate": overall["GPT3.5"],
        "best machine rate": machine.max(),
        "GPT4 and Claude rates": Rounded(larger.mean(), larger.min(), larger.max()),
        "largest rate": rates.max().max(),
        "smallest ratio": (human / machine).min(),
        "largest ratio": (human / machine).max(),
        "largest share of the human rate": (machine / human).max(),
        "smallest share of the human rate": (machine / human).min(),
        "best on Fluency": by.drop(columns="NewYorker").idxmax().eq("Fluency").sum(),
        "dimensions led by Claude": best.drop("Originality").eq("Claude").sum(),
        "dimensions led by GPT4": best[["Originality"]].eq("GPT4").sum(),
        "tests led": (rates["NewYorker"] > rates.drop(columns="NewYorker").max(axis=1)).sum(),
        "human tests passed": len(rates) * human / 100,
    }


def leads_by_dimension(verdicts, leader="GPT4", rival="Claude"):
    """Return by dimension how much more often one model's stories pass than another's: estimate,
    low, high, n (groups)."""
    dimension = verdicts["test"].map(load_tests().set_index("test")["dimension"])
    rates = verdicts.groupby([dimension, "group", "writer"], sort=False)["passed"].mean().unstack()
    lead = rates[leader] - rates[rival]
    return lead.groupby(level=0, sort=False).apply(intervals.of_mean).unstack()


def text_facts(paper):
    """Return what other printed numbers say about the text (human lengths: refbased_v2)."""
    table9, text = paper.grid("Table 9"), partial(paper.number, "text")
    tests, limit = table9.drop(index="Average"), text("6.1", "correlation that only GPT4 exceeds")
    departments = text("5.3", "participants from university creative writing departments")
    agents = text("5.3", "participants who are literary agents")
    writers = text("5.3", "participants who are professional writers with an MFA")
    recruited, assessed = text("5.3", "participants recruited"), text("5.3", "assessments in total")
    led = text("5.4.3", "assessments not led by the New Yorker story")
    share = ("5.4.3", "share of rankings with the New Yorker story most preferred")
    low, high = paper.bounds("text", *share)
    human = Printed("refbased_v2").grid("Table 3")["New Yorker"]
    table2 = pd.read_csv(DATA / "checks" / "ttcw_table2.csv", index_col="test")
    named, quoted = (table2[column].str.split().map(set) for column in table2)
    behind = named.map(len)
    shown = text("5.2.2", "distinct stories in a group")
    return {
        "author categories": len(GUESSES),
        "questions": len(QUESTIONS),
        "tests quoted as in Table 2": sum(map(set.issubset, quoted, named)),
        "models with a positive average": (table9.loc["Average"] > 0).sum(),
        "fewest behind a test": behind.min(),
        "most behind a test": behind.max(),
        "payment per story": text("5.2.2", "payment for a task") / shown,
        "minutes per story": 60 * text("5.2.2", "designed task duration in hours (lower)") / shown,
        "groups found": (
            text("4.1", "groups in the Fluency dimension")
            + 3 * text("4.1", "groups in each of Flexibility, Originality and Elaboration")
        ),
        "participants from departments": recruited - agents - writers,
        "participants who are agents": recruited - departments - writers,
        "participants who are writers": recruited - departments - agents,
        "share led": 100 * (1 - led / assessed) if assessed else np.nan,
        "not led": Rounded(led, assessed * (1 - high / 100), assessed * (1 - low / 100)),
        "GPT4 above": (tests["GPT4"] > limit).sum(),
        "largest outside GPT4": tests.drop(columns="GPT4").max().max(),
        "largest mean": table9.loc["Average"].abs().max(),
        "shortest human story": human.min(),
        "longest human story": human.max(),
    }
