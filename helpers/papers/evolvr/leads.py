"""*EvolvR*, Tables 1 to 3, 5, 6 and 13: claims that a row is the best of its column."""

OURS = "Story Evaluation Finetune Open-source Models / EvolvR"
CORRELATIONS = ["Pearson", "Spearman", "Kendall"]


def check(paper):
    """Check the claims that a row is the best of its column: Tables 1, 2, 3, 5, 6 and 13."""
    best = "highest of its column, as the paper says"
    rest = "lower than {}, as the paper says (input checked)"
    both = [f"{group} / {name}" for group in ("StoryER", "HANNA") for name in CORRELATIONS]
    tables = {f"Table {n}": paper.grid(f"Table {n}").index for n in (1, 2, 3, 5, 6)}
    second = "Finetune Open-source Models / EvolvR"
    for table, ours, columns in (("Table 1", OURS, both), ("Table 2", second, CORRELATIONS)):
        above, below = f"{best}, and so above the next best", rest.format("EvolvR's")
        paper.leads(table, ours, tables[table], above, below, columns)
    rows, fine_tuning = tables["Table 3"], "fine-tuning of the same model"
    for base in ("Qwen3-4B", "LLama3.1-8B", "Qwen3-8B", "Qwen3-14B"):
        pairwise, same = f"{base} / + Pairwise CoT", rows[rows.str.split(" / ").str[0] == base]
        paper.leads("Table 3", pairwise, same, below=rest.format(f"after pairwise {fine_tuning}"))
        above = f"higher than after pointwise {fine_tuning}, as the paper says"
        paper.leads("Table 3", pairwise, [f"{base} / + Pointwise CoT"], above)
    wins, grpo = ["Win Base", "Win HANNA"], "EvolvR GRPO"
    below = rest.format(f"that of {grpo}")
    paper.leads("Table 5", grpo, tables["Table 5"], best, below, wins)
    paper.leads("Table 6", "EvolvR", ["Baseline"], below=rest.format("that of the full framework"))
    above = "higher than the baseline, as the paper says of each agent alone"
    for row in tables["Table 6"].drop(["EvolvR", "Baseline"]):
        paper.leads("Table 6", row, ["Baseline"], above)
    below = rest.format("that of Pair with Base")
    paper.leads("Table 13", "Pair with Base", ["Pair with HANNA"], below=below)
