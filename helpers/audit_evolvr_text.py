"""Audit of the numbers that evolvr claims in running text: against its tables, against its formulas, against HANNA."""

import numpy as np

from helpers.audit import check_claim, check_count, check_raw, check_same
from helpers.audit_evolvr import CORRELATIONS, OURS, audit_correlations, audit_protocol, unstated
from helpers.audit_evolvr_data import audit_agreement, audit_attrition, audit_counts
from helpers.audit_evolvr_human import audit_experts, audit_generation
from helpers.hanna import rating_array
from helpers.ledger import line

NO_TABLE = "a design choice that no table or formula repeats"


def best_benchmarks(printed):
    """Return on how many benchmarks the EvolvR row has the highest Pearson, Spearman and Kendall of its table."""
    wide, open_meva = printed.grid("Table 1"), printed.grid("Table 2")
    wins = [all(wide[f"{name} / {c}"].idxmax() == OURS for c in CORRELATIONS) for name in ("StoryER", "HANNA")]
    return sum(wins) + all(open_meva[c].idxmax().endswith("EvolvR") for c in CORRELATIONS)


def counted(printed):
    """Return {(row, column): (count, where it was counted)} for the claims that a table's shape decides."""
    rows = {f"Table {n}": list(printed.grid(f"Table {n}").index) for n in (1, 5, 7, 9, 10, 11, 13, 15)}
    wins = [c for c in printed.grid("Table 5").columns if c.startswith("Win")]
    generators, experts = len(rows["Table 5"]), len(rows["Table 15"])
    pool = printed.number("Table 9", "1 / Initial Pool", "Remaining")
    aspects = sum("(change)" not in c for c in printed.grid("Table 4").columns)
    details, rating = "B / The CoT Evolution and Selection Pipeline in Detail", "4 / Evaluation Metrics"
    pairs, orders = printed.number("text", details, "stratified story pairs behind the pool"), len(rows["Table 11"])
    gains = printed.grid("Table 8")["Diff"]
    sota = (best_benchmarks(printed), "benchmarks where EvolvR has the highest three correlations, Tables 1 and 2")
    protocol, generation = "C / Testing and Evaluation Protocols", "C / Experimental Details for the Story Generation"
    return {
        ("Abstract", "benchmarks on which SOTA is claimed"): sota,
        ("1", "benchmarks on which SOTA is claimed"): sota,
        ("5", "benchmarks on which SOTA is claimed"): sota,
        ("3 / CoTs Evolution and Selection Pipeline", "evolution and selection operators applied in sequence"): (
            len(rows["Table 9"]) - 1,
            "stages of Table 9 after the initial pool",
        ),
        ("4 / Datasets", "human-annotated benchmarks used for the evaluation"): (
            len({c.split(" / ")[0] for c in printed.grid("Table 1").columns}),
            "data sets of Table 1",
        ),
        ("4 / Baselines", "categories of baselines compared"): (
            len({row.split(" / ")[0] for row in rows["Table 1"]}),
            "groups of rows of Table 1",
        ),
        (rating, "correlation coefficients computed"): (len(printed.grid("Table 2").columns), "columns of Table 2"),
        (rating, "professional screenwriters on the judging panel"): (experts, "experts of Table 15"),
        (rating, "dimensions rated in the human evaluation"): (aspects, "dimensions of Table 4"),
        (rating, "primary metrics reported from the human evaluation"): (
            len({c.split(" ")[0] for c in printed.grid("Table 5").columns}),
            "kinds of columns of Table 5",
        ),
        (rating, "reference sets used for the win rate"): (len(wins), "win-rate columns of Table 5"),
        ("4 / EvolvR-Guided Story Generation", "baselines against which the guided generator is compared"): (
            generators - 2,
            "rows of Table 5 between the base model and EvolvR",
        ),
        ("A", "story evaluation datasets used"): (len(rows["Table 7"]), "rows of Table 7"),
        ("B / Rationale for Pairwise Comparison", "annotation conditions compared for human consistency"): (
            sum(c in ("Pointwise", "Pairwise") for c in printed.grid("Table 8").columns),
            "conditions of Table 8",
        ),
        ("B / Rationale for Pairwise Comparison", "dimensions with higher agreement in the pairwise setting"): (
            int((gains > 0).sum()),
            "positive differences in Table 8",
        ),
        ("B / Rationale for Pairwise Comparison", "dimensions compared in total"): (len(gains), "rows of Table 8"),
        ("A / OpenMEVA Benchmark", "predicted dimensions averaged into one holistic score"): (aspects, "dimensions of Table 4"),
        ("B / Multi-Persona CoT Synthesis", "personas guiding the synthesis"): (pool / pairs / orders, "pool / pairs / orders"),
        (details, "candidate CoTs in the initial pool"): (pool, "Table 9"),
        (details, "stratified story pairs behind the pool"): (pool / 5 / orders, "pool / personas / orders"),
        (protocol, "times each pair is evaluated (both orders)"): (orders, "rows of Table 11"),
        (protocol, "scores a target story gets, as a multiple of N"): (orders, "rows of Table 11"),
        ("Table 10 caption", "evaluations aggregated for a story, as a multiple of N"): (orders, "rows of Table 11"),
        (generation, "training setups compared"): (generators - 1, "rows of Table 5 after the base model"),
        ("C / GRPO with the EvolvR Reward Model", "experimental setups compared"): (
            generators - 1,
            "rows of Table 5 after the base",
        ),
        ("C / GRPO with the EvolvR Reward Model", "strategies tried for choosing the reference story"): (
            len(rows["Table 13"]),
            "rows of Table 13",
        ),
        ("Table 13 caption", "reference pairing strategies compared"): (len(rows["Table 13"]), "rows of Table 13"),
        ("C / Inter-Expert Reliability Analysis", "annotators in the reliability analysis"): (experts, "experts of Table 15"),
        ("D / Story Study", "models or methods whose stories are shown"): (generators, "rows of Table 5"),
        ("Figure 4 caption", "reward given to a perfect prediction"): (float(np.exp(0)), "Equation 14 at no error"),
        ("C / Training Procedures", "largest reward, reached by perfect predictions"): (
            float(np.exp(0)),
            "Equation 14 at no error",
        ),
        ("Table 11 caption", "number of random pairs N in the position test"): (
            float(nearest_row(printed)),
            "the row of Table 10 nearest to the mean of Table 11's two rows",
        ),
        **{
            (protocol, f"number of random pairs N tried, setting {i + 1}"): (float(n), "rows of Table 10")
            for i, n in enumerate(rows["Table 10"])
        },
    }


def nearest_row(printed):
    """Return the N of Table 10 whose five measures are nearest to the means of the two orders in Table 11."""
    away = (printed.grid("Table 10") - printed.grid("Table 11").mean()).abs().sum(axis=1)
    return away.idxmin()


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
    lines.append(
        check_same(
            printed,
            ("text", "C / GRPO with the EvolvR Reward Model", "components of the EvolvR reward signal"),
            ("text", "3 / Story Generation with the Evaluator", "components of the composite reward"),
        )
    )
    lines.append(
        check_same(
            printed,
            ("text", "3 / Story Generation with the Evaluator", "components of the composite reward"),
            ("text", "C / GRPO with the EvolvR Reward Model", "components of the EvolvR reward signal"),
        )
    )
    done = {item["row"] + item["column"] for item in lines}
    rest = printed.lines[printed.lines["table"] == "text"]
    return lines + [
        line(printed.paper, "text", row, column, None, "none", NO_TABLE)
        for row, column in zip(rest["row"], rest["column"])
        if row + column not in done
    ]


def audit_all(printed, ratings=None):
    """Return all ledger lines of evolvr; `ratings`: HANNA's open tidy table, or None where there is none (fewer checks)."""
    arrays = None if ratings is None else rating_array(ratings)[0]
    lines = audit_correlations(printed, arrays) + audit_protocol(printed, arrays) + audit_generation(printed)
    lines += audit_attrition(printed) + audit_experts(printed) + audit_text(printed, ratings)
    lines += audit_agreement(printed, arrays) + audit_counts(printed, ratings)
    return lines + unstated(printed, lines)
