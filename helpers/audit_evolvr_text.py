"""Audit of the numbers that evolvr claims in running text (against tables, formulas, HANNA); the whole audit put together."""

import numpy as np

from helpers.audit import check_claim, check_count, check_raw, check_same
from helpers.audit_evolvr import audit_correlations, audit_protocol
from helpers.audit_evolvr_data import audit_agreement, audit_attrition, audit_counts
from helpers.audit_evolvr_human import audit_experts, audit_generation
from helpers.audit_evolvr_shapes import counted
from helpers.hanna import rating_array
from helpers.ledger import line


def audit_text(printed, ratings):
    """Return one line for each number in running text; those that nothing repeats are unverifiable, with that reason."""
    lines = [check_count(printed, ("text", *key), value, f"counted: {where}") for key, (value, where) in counted(printed).items()]
    found = ratings["rating"].agg(["min", "max"]) if ratings is not None else (1, 5)
    for end, value in zip(("lower", "upper"), found):
        hanna = ("text", "A / HANNA Dataset", f"Likert scale of the ratings ({end})")
        if ratings is not None:
            lines.append(check_raw(printed, hanna, int(value), "range of the open ratings"))
        for row, column in (
            ("3 / Problem Formulation", "score range of the evaluator"),
            ("A / StoryER Dataset", "Likert scale of the ratings"),
            ("4 / Evaluation Metrics", "rating scale of the human evaluation"),
            ("A / OpenMEVA Benchmark", "Likert scale of the overall score"),
            ("B / Self-Confidence Agent", "score tokens compared"),
        ):
            lines.append(
                check_same(
                    printed,
                    ("text", row, f"{column} ({end})"),
                    hanna,
                    "the same scale as HANNA's, as the evaluator needs (input checked)",
                )
            )
    if ratings is not None:
        key = ("text", "A / HANNA Dataset", "dimensions rated in the dataset")
        lines.append(check_raw(printed, key, ratings["aspect"].nunique(), "aspects in the open file"))
    rationale, caption = "B / Rationale for Pairwise Comparison", "Table 8 caption"
    for aspect in ("Coherence", "Relevance"):
        lines.append(
            check_same(
                printed, ("text", rationale, f"gain in agreement from pairwise rating, {aspect}"), ("Table 8", aspect, "Diff")
            )
        )
        lines.append(
            check_same(printed, ("text", caption, f"relative gain in agreement, {aspect}"), ("Table 8", aspect, "Improvement(%)"))
        )
    final = printed.number("Table 9", "5 / Self-Confidence", "Remaining")
    key = ("text", "B / The CoT Evolution and Selection Pipeline in Detail", "rationales in the final dataset (more than)")
    lines.append(check_claim(printed, key, final > printed.number(*key), final, "exceeded by the last stage of Table 9"))
    analysis, reliability = "C / Story Generation Results Analysis", "C / Inter-Expert Reliability Analysis"
    for column, other in (
        ("overall score of EvolvR GRPO", ("Table 12", "EvolvR GRPO", "Overall")),
        ("standard deviation of EvolvR GRPO", ("Table 12", "EvolvR GRPO", "Overall (SD)")),
        ("average score, Pair with Base", ("Table 13", "Pair with Base", "Average Score")),
        ("average score, Pair with HANNA", ("Table 13", "Pair with HANNA", "Average Score")),
        ("win rate against the base model, Pair with Base", ("Table 13", "Pair with Base", "Win Base")),
        ("win rate against the base model, Pair with HANNA", ("Table 13", "Pair with HANNA", "Win Base")),
    ):
        lines.append(check_same(printed, ("text", analysis, column), other))
    between = printed.grid("Table 15").to_numpy()[np.triu_indices(4, 1)].min()
    for row, column in (
        (reliability, "bound exceeded by every model-level correlation between experts"),
        ("Table 15 caption", "bound exceeded by the model-level correlations between experts"),
    ):
        lines.append(
            check_claim(
                printed,
                ("text", row, column),
                between > printed.number("text", row, column),
                between,
                "below the smallest correlation of Table 15",
            )
        )
    average = printed.grid("Table 14").iloc[:, 0]
    for end, value in (("lower", average.min()), ("upper", average.max())):
        lines.append(
            check_count(
                printed,
                ("text", reliability, f"average story-level Pearson's r between experts ({end})"),
                float(value),
                "extreme of the averages in Table 14",
            )
        )
    reward = ("text", "C / GRPO with the EvolvR Reward Model", "components of the EvolvR reward signal")
    composite = ("text", "3 / Story Generation with the Evaluator", "components of the composite reward")
    lines += [check_same(printed, reward, composite), check_same(printed, composite, reward)]
    return lines + [item for item in unstated(printed, lines) if item["table"] == "text"]


def unstated(printed, decided):
    """Return lines for what no check covers, with the reason by table."""
    reasons = {
        "Table 1": "needs the models' scores on a data set that is not open here (StoryER), or blank",
        "Table 5": "needs the experts' comparisons, which are unreleased",
        "Table 7": "counts of a data set that is a reader's download",
        "text": "a design choice that no table or formula repeats",
    }
    done = {(item["table"], item["row"], item["column"]) for item in decided}
    rest = [key for key in printed.lines[["table", "row", "column"]].itertuples(index=False, name=None) if key not in done]
    return [line(printed.paper, *key, None, "none", reasons.get(key[0], "needs unreleased data")) for key in rest]


def audit_all(printed, ratings=None):
    """Return all ledger lines of evolvr; `ratings`: HANNA's open tidy table, or None where there is none (fewer checks)."""
    arrays = None if ratings is None else rating_array(ratings)[0]
    lines = audit_correlations(printed, arrays) + audit_protocol(printed, arrays) + audit_generation(printed)
    lines += audit_attrition(printed) + audit_experts(printed) + audit_text(printed, ratings)
    lines += audit_agreement(printed, arrays) + audit_counts(printed, ratings)
    return lines + unstated(printed, lines)
