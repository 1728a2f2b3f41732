"""The audit of *Art or Artifice?* (ttcw), running text: claims against the released data and the tables."""

import re

import numpy as np

from helpers import audit
from helpers.audit_ttcw import pass_rates
from helpers.ledger import line


def lines_claims(printed, verdicts, kappas, pearson, kappa_how):
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
        (r"mean Fleiss kappa", mean_kappa, "mean of the 14 kappas; " + kappa_how, None),
        (r"Pearson correlation between experts", pearson, "mean r over three pairs of expert slots, all 48 stories", None),
        (r"pass rate of (expert-written|New Yorker) stories", 100 * overall["NewYorker"], "share of Yes", None),
        (r"pass rate of ChatGPT", 100 * overall["GPT3.5"], "share of Yes", None),
        (r"pass rate of Claude stories", 100 * best, "highest share of Yes among machine writers", None),
        (
            r"tests on which New Yorker stories have the highest",
            tops,
            "tests on which the New Yorker column is strictly largest",
            None,
        ),
        (r"mean tests passed by a New Yorker story", 14 * overall["NewYorker"], "14 x share of Yes", None),
        (r"pass rate that no test reaches", rates.max().max(), "largest pass rate stays below it", rates.max().max() < 100),
        (r"bound below which the GPT3.5", 100 * overall["GPT3.5"], "stays below it", overall["GPT3.5"] < 0.10),
        (
            r"approximate pass rate of GPT4 and Claude",
            100 * overall[["GPT4", "Claude"]].mean(),
            "mean of both, within 5 points of it",
            abs(100 * overall[["GPT4", "Claude"]] - 30).max() < 5,
        ),
        (
            r"as a fraction of the New Yorker one \(upper\)",
            1 / ratio.min(),
            "largest ratio to the New Yorker rate, as a unit fraction",
            round(ratio.min()) == 3,
        ),
        (
            r"as a fraction of the New Yorker one \(lower\)",
            1 / ratio.max(),
            "smallest ratio to the New Yorker rate, as a unit fraction",
            round(ratio.max()) == 10,
        ),
        (r"Fleiss kappa over single tests \(lower\)", low, "smallest kappa; " + kappa_how, None),
        (r"Fleiss kappa over single tests \(upper\)", high, "largest kappa; " + kappa_how, None),
    ]
    lines = []
    for table, row, column in printed.keys("text"):
        for pattern, computed, how, holds in rules:
            if re.search(pattern, column):
                lines.append(line(printed.paper, table, row, column, float(computed), "raw", how, holds))
                break
    return lines


def lines_text(printed, judge_max=0.2, near=0.05):
    """Return printed lines for claims that other printed numbers decide (design arithmetic, Table 9 against section 6.1)."""
    text = {(row, column): ("text", row, column) for _, row, column in printed.keys("text")}
    table9 = printed.grid("Table 9")
    tests, means = table9.drop(index="Average"), table9.loc["Average"]
    above = (tests > judge_max).sum()
    backgrounds = [
        "participants from university creative writing departments",
        "participants who are literary agents",
        "participants who are professional writers with an MFA",
    ]
    recruited, total = (
        printed.number(*text["5.3", "participants recruited"]),
        sum(printed.number(*text["5.3", b]) for b in backgrounds),
    )
    how = "participants printed, less the other two backgrounds (input checked)"
    lines = [
        audit.check_count(printed, text["5.3", b], recruited - total + printed.number(*text["5.3", b]), how) for b in backgrounds
    ]
    lines += [
        audit.check_count(printed, text[row, column], table9.shape[1], "columns of Table 9")
        for row, column in text
        if column in ("LLMs used as assessors", "LLMs tried as assessors")
    ]
    led = printed.number(*text["5.4.3", "assessments not led by the New Yorker story"])
    lines.append(
        audit.check_range(
            printed,
            text["5.4.3", "share of rankings with the New Yorker story most preferred"],
            100 * (1 - led / 36),
            100 * (1 - led / 36),
            100 * (1 - led / 36),
            "36 assessments less the printed number not led by the New Yorker story",
        )
    )
    lines.append(
        line(
            printed.paper,
            *text["5.4.3", "assessments not led by the New Yorker story"],
            led,
            "printed",
            "with 36 assessments it must give the printed share (input checked)",
            lines[-1]["holds"],
        )
    )
    lines += [
        audit.check_claim(
            printed,
            text["6.1", "tests on which GPT4 exceeds that correlation"],
            above["GPT4"] == printed.number(*text["6.1", "tests on which GPT4 exceeds that correlation"]),
            int(above["GPT4"]),
            "cells of Table 9 above 0.2, GPT4",
        ),
        audit.check_claim(
            printed,
            text["6.1", "correlation that only GPT4 exceeds"],
            above["GPT3.5"] == above["Claude"] == 0,
            float(tests.drop(columns="GPT4").max().max()),
            "largest cell of Table 9 outside GPT4 stays at or below it",
        ),
    ]
    lines += [
        audit.check_claim(
            printed,
            text[row, column],
            means.abs().max() < near,
            float(means.abs().max()),
            f"rule: all three averages of Table 9 within {near} of it",
        )
        for row, column in text
        if column in ("level that mean LLM-expert correlations are near", "level that LLM-expert correlations are near")
    ]
    return lines
