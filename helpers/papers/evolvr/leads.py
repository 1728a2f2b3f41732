"""*EvolvR*, Tables 1 to 3, 5, 6 and 13: claims that a row is the best of its column."""

from helpers.papers.evolvr.correlations import CORRELATIONS

OURS = "Story Evaluation Finetune Open-source Models / EvolvR"
OURS_IN_TABLE_2 = "Finetune Open-source Models / EvolvR"
OURS_GRPO = "EvolvR GRPO"
BASES = ["Qwen3-4B", "LLama3.1-8B", "Qwen3-8B", "Qwen3-14B"]
BEST = "highest of its column, as the paper says"
LOWER = "lower than {}, as the paper says (input checked)"


def check(paper):
    """Check the claims that a row is the best of its column: Tables 1, 2, 3, 5, 6 and 13."""
    check_evaluators(paper)
    check_fine_tuning(paper)
    check_generators(paper)
    check_ablations(paper)


def check_evaluators(paper):
    """Check that EvolvR's evaluator leads Tables 1 and 2."""
    above = f"{BEST}, and so above the next best"
    below = LOWER.format("EvolvR's")
    columns = [f"{group} / {name}" for group in ("StoryER", "HANNA") for name in CORRELATIONS]
    rows = paper.grid("Table 1").index
    paper.leads("Table 1", OURS, rows, above, columns)
    paper.trails("Table 1", OURS, rows, below, columns)
    rows = paper.grid("Table 2").index
    paper.leads("Table 2", OURS_IN_TABLE_2, rows, above, CORRELATIONS)
    paper.trails("Table 2", OURS_IN_TABLE_2, rows, below, CORRELATIONS)


def check_fine_tuning(paper):
    """Check that pairwise fine-tuning leads the other rows of each model in Table 3."""
    rows = paper.grid("Table 3").index
    models = rows.str.split(" / ").str[0]
    for base in BASES:
        pairwise = f"{base} / + Pairwise CoT"
        below = LOWER.format("after pairwise fine-tuning of the same model")
        paper.trails("Table 3", pairwise, rows[models == base], below)
        above = "higher than after pointwise fine-tuning of the same model, as the paper says"
        paper.leads("Table 3", pairwise, [f"{base} / + Pointwise CoT"], above)


def check_generators(paper):
    """Check that EvolvR's generator leads Table 5."""
    below = LOWER.format(f"that of {OURS_GRPO}")
    rows = paper.grid("Table 5").index
    wins = ["Win Base", "Win HANNA"]
    paper.leads("Table 5", OURS_GRPO, rows, BEST, wins)
    paper.trails("Table 5", OURS_GRPO, rows, below, wins)


def check_ablations(paper):
    """Check that the whole leads its parts in Tables 6 and 13."""
    below = LOWER.format("that of the full framework")
    paper.trails("Table 6", "EvolvR", ["Baseline"], below)
    above = "higher than the baseline, as the paper says of each agent alone"
    for row in paper.grid("Table 6").index.drop(["EvolvR", "Baseline"]):
        paper.leads("Table 6", row, ["Baseline"], above)
    below = LOWER.format("that of Pair with Base")
    paper.trails("Table 13", "Pair with Base", ["Pair with HANNA"], below)
