"""The audit of *Art or Artifice?* (ttcw): ledger lines for its printed numbers, from raw data and from each other."""
import re

import numpy as np

from helpers import agreement, audit
from helpers.ledger import line

TEST_NAMES = {1: "Narrative Ending", 2: "Understandability & Coherence", 3: "Scene vs Exposition", 4: "Narrative Pacing",
              5: "Literary Devices & Language Proficiency", 6: "Emotional Flexibility", 7: "Structural Flexibility",
              8: "Perspective & Voice Flexibility", 9: "Originality in Thought", 10: "Originality in Form",
              11: "Originality in Theme & Content", 12: "Rhetorical Complexity", 13: "World Building & Setting",
              14: "Character Development"}
DIMENSIONS = {"Fluency": [2, 4, 3, 5, 1], "Flexibility": [6, 8, 7], "Originality": [10, 9, 11], "Elaboration": [13, 14, 12]}
ROWS = {test: f"{dimension} / {TEST_NAMES[test]}" for dimension, tests in DIMENSIONS.items() for test in tests}
SOURCES = {"GPT3.5": "GPT3.5", "GPT4": "GPT4", "Claude": "Claude v1.3", "NewYorker": "New Yorker"}

# What the released data fix, by a pattern over our phrases; each value is computed from the tables of `facts`.
RAW_COUNTS = [
    (r"binary tests? in TTCW|number of tests in TTCW|tests? (evaluated|administered) per story|^tests in total|tests over which|"
     r"tests recommended|tests created by|individual tests answered|tests out of which|aggregate score \(upper\)", "tests"),
    (r"stories (assessed by|in the (benchmark|collection|evaluation))|short stories in|stories over which|stories assessed", "stories"),
    (r"benchmark stories by professionals|New Yorker stories (collected|shown)", "human stories"),
    (r"benchmark stories by LLMs", "machine stories"),
    (r"^(creative writers recruited|experts recruited|experiment participants|participants recruited|creative writing experts "
     r"annotating|Creative writing experts)", "experts"),
    (r"LLMs used to write|LLMs prompted|LLM stories in a group|LLMs whose stories|LLM stories generated per|LLMs as true|"
     r"LLM-generated stories per group", "machine writers"),
    (r"New Yorker stories in a group|human-written stories per group", "human writers"),
    (r"stories? (in an assessment|ranked|evaluated per plot|in a group)|distinct stories in a group|shuffled stories|"
     r"^four stories|story types", "writers"),
    (r"^story groups$", "groups"),
    (r"expert evaluations gathered|experts (assigned|in the majority)|independent evaluations|assessments for each story", "raters"),
    (r"assessments in total", "assessments"),
    (r"mean tasks completed", "tasks per expert"),
    (r"binary labels|expert explanations clustered|expert-administered tests in total|individual tests administered", "verdicts"),
    (r"^creativity dimensions|^Torrance dimensions", "dimensions"),
    (r"groups in the Fluency dimension|^Fluency measures", "Fluency"),
    (r"^Flexibility measures|groups in each of Flexibility", "Flexibility"),
    (r"^ways of looking for Originality", "Originality"),
    (r"aggregate score \(lower\)", "zero"),
    (r"mean words per story", "mean words"),
    (r"distinct groups found", "tests"),
    (r"other tests whose instructions", "other tests"),
]


CLOSED = [  # why a number has no check, by a pattern over "table | row | column"
    (r"^Table [14] \|", "a personal fact of a participant; needs unreleased data"),
    (r"payment|cost of|minutes|hours", "a cost or a duration; needs unreleased data"),
    (r"5\.4\.3", "rankings and attributions; needs unreleased data"),
    (r"temperature|parameter count|LLMs behind", "a fact about an API model's generation; needs the API model"),
    (r"fall short|iterations", "drafts before the final stories; needs unreleased data"),
    (r"Vaezi", "a comparison with another paper's design"),
    (r"cost estimate", "an assumption of an estimate, not a result"),
]


def lines_closed(printed, decided):
    """Return lines for the numbers without a check (not in `decided`, a list of lines), each with its reason; Table 9 is left out."""
    known = {tuple(item[name] for name in ("table", "row", "column")) for item in decided}
    lines = []
    for table in printed.lines["table"].unique():
        for key in printed.keys(table):
            if key not in known and table != "Table 9":
                reason = next((why for pattern, why in CLOSED if re.search(pattern, " | ".join(key))),
                              "a choice in the design of the study; needs unreleased data")
                lines.append(line(printed.paper, *key, None, "none", reason))
    return lines


def facts(verdicts, tests, words):
    """Return the counts that the released data fix, by name; `words`: word counts of the machine stories."""
    pairs = verdicts.groupby("group")["expert"].nunique().sum()
    sizes = tests["dimension"].value_counts()
    return {"tests": len(tests), "other tests": len(tests) - 1, "stories": verdicts["story"].nunique(),
            "human stories": verdicts.loc[verdicts["writer"] == "NewYorker", "story"].nunique(),
            "machine stories": verdicts.loc[verdicts["writer"] != "NewYorker", "story"].nunique(),
            "experts": verdicts["expert"].nunique(), "machine writers": verdicts["writer"].nunique() - 1, "human writers": 1,
            "writers": verdicts["writer"].nunique(), "groups": verdicts["group"].nunique(),
            "raters": verdicts.groupby(["story", "test"])["expert"].nunique().mean(), "assessments": pairs,
            "tasks per expert": pairs / verdicts["expert"].nunique(), "verdicts": len(verdicts), "dimensions": len(sizes),
            "Fluency": sizes["Fluency"], "Flexibility": sizes["Flexibility"], "Originality": sizes["Originality"], "zero": 0,
            "mean words": float(np.mean(words))}


def pass_rates(verdicts):
    """Return percentages of Yes, tests x writers (n = 36 verdicts a cell: 12 stories, 3 experts)."""
    return 100 * verdicts.pivot_table(index="test", columns="writer", values="passed")


def lines_table5(printed, verdicts, kappas, kappa_how):
    """Return lines for Table 5: pass rates on all groups, `kappas` (by test) under the definition that `kappa_how` names."""
    rates, lines = pass_rates(verdicts), []
    for test, row in ROWS.items():
        lines += [audit.check_raw(printed, ("Table 5", row, column), rates.loc[test, writer], "share of Yes, all 12 groups")
                  for writer, column in SOURCES.items()]
        lines.append(audit.check_raw(printed, ("Table 5", row, "Expert Agreement"), kappas[test], kappa_how))
    lines += [audit.check_raw(printed, ("Table 5", "Average", column), rates[writer].mean(), "mean of the 14 pass rates")
              for writer, column in SOURCES.items()]
    lines.append(audit.check_raw(printed, ("Table 5", "Average", "Expert Agreement"), float(np.mean(list(kappas.values()))),
                                 "mean of the 14 kappas; " + kappa_how))
    return lines


def lines_counts(printed, known):
    """Return raw lines for the counts in running text that `known` (from `facts`) fixes."""
    lines = []
    for table, row, column in [*printed.keys("Figure 1"), *printed.keys("text")]:
        for pattern, name in RAW_COUNTS:
            if re.search(pattern, column):
                lines.append(audit.check_raw(printed, (table, row, column), known[name], f"count in the released data: {name}"))
                break
    return lines


def lines_claims(printed, verdicts, kappas, pearson):
    """Return raw lines for the claims of sections 1, 5.4 and the abstract that pass rates and agreement decide."""
    overall = verdicts.groupby("writer")["passed"].mean()
    rates = pass_rates(verdicts)
    ratio = overall["NewYorker"] / overall.drop("NewYorker")
    tops = (rates["NewYorker"] > rates.drop(columns="NewYorker").max(axis=1)).sum()
    mean_kappa = float(np.mean(list(kappas.values())))
    best, low, high = overall.drop("NewYorker").max(), min(kappas.values()), max(kappas.values())
    rules = [
        (r"factor by which LLM stories (pass|are less).*\(lower\)", ratio.min(), "smallest ratio of overall pass rates", None),
        (r"factor by which LLM stories (pass|are less).*\(upper\)", ratio.max(), "largest ratio of overall pass rates", None),
        (r"mean Fleiss kappa", mean_kappa, "mean of the 14 kappas, group 2 left out", None),
        (r"Pearson correlation between experts", pearson, "mean r over three pairs of expert slots, all 48 stories", None),
        (r"pass rate of (expert-written|New Yorker) stories", 100 * overall["NewYorker"], "share of Yes", None),
        (r"pass rate of ChatGPT", 100 * overall["GPT3.5"], "share of Yes", None),
        (r"pass rate of Claude stories", 100 * best, "highest share of Yes among machine writers", None),
        (r"tests on which New Yorker stories have the highest", tops, "tests on which the New Yorker column is strictly largest", None),
        (r"mean tests passed by a New Yorker story", 14 * overall["NewYorker"], "14 x share of Yes", None),
        (r"pass rate that no test reaches", rates.max().max(), "largest pass rate stays below it", rates.max().max() < 100),
        (r"bound below which the GPT3.5", 100 * overall["GPT3.5"], "stays below it", overall["GPT3.5"] < 0.10),
        (r"approximate pass rate of GPT4 and Claude", 100 * overall[["GPT4", "Claude"]].mean(), "mean of both, within 5 points of it",
         abs(100 * overall[["GPT4", "Claude"]] - 30).max() < 5),
        (r"as a fraction of the New Yorker one \(upper\)", 1 / ratio.min(), "largest ratio to the New Yorker rate, as a unit fraction",
         round(ratio.min()) == 3),
        (r"as a fraction of the New Yorker one \(lower\)", 1 / ratio.max(), "smallest ratio to the New Yorker rate, as a unit fraction",
         round(ratio.max()) == 10),
        (r"Fleiss kappa over single tests \(lower\)", low, "smallest kappa, group 2 left out", None),
        (r"Fleiss kappa over single tests \(upper\)", high, "largest kappa, group 2 left out", None),
    ]
    lines = []
    for table, row, column in printed.keys("text"):
        for pattern, computed, how, holds in rules:
            if re.search(pattern, column):
                lines.append(line(printed.paper, table, row, column, float(computed), "raw", how, holds))
                break
    return lines


def lines_printed(printed):
    """Return lines that need no raw data: lattices, averages and repeats within the paper."""
    lines = []
    for test, row in ROWS.items():
        lines += [audit.check_share(printed, ("Table 5", row, column), 36, "attainable: k of 36 verdicts (input checked)")
                  for column in SOURCES.values()]
    columns = [*SOURCES.values(), "Expert Agreement"]
    lines += [audit.check_mean(printed, ("Table 5", "Average", column), [("Table 5", row, column) for row in ROWS.values()],
                               "mean of the 14 printed cells") for column in columns]
    lines += [audit.check_mean(printed, ("Table 9", "Average", column), [("Table 9", row, column) for row in ROWS.values()],
                               "mean of the 14 printed cells") for column in ("GPT3.5", "GPT4", "Claude")]
    return lines


def lines_text(printed, judge_max=0.2, near=0.05):
    """Return printed lines for claims that other printed numbers decide (design arithmetic, Table 9 against section 6.1)."""
    text = {(row, column): ("text", row, column) for _, row, column in printed.keys("text")}
    table9 = printed.grid("Table 9")
    tests, means = table9.drop(index="Average"), table9.loc["Average"]
    above = (tests > judge_max).sum()
    backgrounds = ["participants from university creative writing departments", "participants who are literary agents",
                   "participants who are professional writers with an MFA"]
    total = sum(printed.number(*text["5.3", column]) for column in backgrounds)
    lines = [line(printed.paper, *text["5.3", column], total, "printed", "the three backgrounds add up to the participants printed "
                  "(input checked)", total == printed.number(*text["5.3", "participants recruited"])) for column in backgrounds]
    led = printed.number(*text["5.4.3", "assessments not led by the New Yorker story"])
    lines.append(audit.check_range(printed, text["5.4.3", "share of rankings with the New Yorker story most preferred"],
                                   100 * (1 - led / 36), 100 * (1 - led / 36), 100 * (1 - led / 36),
                                   "36 assessments less the printed number not led by the New Yorker story"))
    lines.append(line(printed.paper, *text["5.4.3", "assessments not led by the New Yorker story"], led, "printed",
                      "with 36 assessments it must give the printed share (input checked)", lines[-1]["holds"]))
    lines += [audit.check_claim(printed, text["6.1", "tests on which GPT4 exceeds that correlation"],
                                above["GPT4"] == printed.number(*text["6.1", "tests on which GPT4 exceeds that correlation"]),
                                int(above["GPT4"]), "cells of Table 9 above 0.2, GPT4"),
              audit.check_claim(printed, text["6.1", "correlation that only GPT4 exceeds"],
                                above["GPT3.5"] == above["Claude"] == 0, float(tests.drop(columns="GPT4").max().max()),
                                "largest cell of Table 9 outside GPT4 stays at or below it")]
    lines += [audit.check_claim(printed, text[row, column], means.abs().max() < near, float(means.abs().max()),
                                f"rule: all three averages of Table 9 within {near} of it")
              for row, column in text if column in ("level that mean LLM-expert correlations are near",
                                                    "level that LLM-expert correlations are near")]
    return lines


def lines_lengths(printed, lengths, machine):
    """Return lines for the length claims of section 5.1 from `lengths` (refbased_v2, Table 3: stories x writers, words).

    machine: names of its three machine columns.
    """
    human, gap = lengths["New Yorker"], lengths[machine].sub(lengths["New Yorker"], axis=0).abs()
    far, how = int((gap >= 200).to_numpy().sum()), "word counts of the twelve stories in refbased_v2, Table 3"
    rows = {"New Yorker story length in words (lower)": (human.min(), abs(human.min() - 1000) <= 50, how + ", to the hundred"),
            "New Yorker story length in words (upper)": (human.max(), abs(human.max() - 2400) <= 50, how + ", to the hundred"),
            "word-count difference to paired human story below which expansion stops":
                (gap.max().max(), far == 0, f"largest final difference; {far} of {gap.size} machine stories differ by 200 words or more")}
    return [line(printed.paper, "text", "5.1", column, float(value), "printed", reason, holds)
            for column, (value, holds, reason) in rows.items()]


def kappas_without(counts, groups, left_out):
    """Return {test: Fleiss' kappa} with the groups in `left_out` removed."""
    keep = ~np.isin(groups, left_out)
    return dict(zip(counts.columns, agreement.fleiss_kappa(counts.to_numpy()[keep]).tolist()))
