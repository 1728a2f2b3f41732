"""What the shapes of evolvr's tables say about the counts in its running text: rows, columns, best rows."""

import numpy as np

from helpers.audit_evolvr import CORRELATIONS, OURS


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
