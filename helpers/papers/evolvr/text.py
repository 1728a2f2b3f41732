"""*EvolvR*, running text: what tables, open ratings and released code say of it."""

import numpy as np
import pandas as pd

from helpers.evolvr.load import ASPECTS
from helpers.papers.evolvr.leads import CORRELATIONS
from helpers.papers.evolvr.tables_4_5_12 import RATINGS
from helpers.sources.published import DATA

PAIRS = [  # a stronger and a lighter model of one maker, as section 4 compares them
    ("GPT-o3", "GPT-4o"),
    ("GPT-o3", r"GPT-4\.1"),
    ("Pro", "flash"),
    ("opus", "Sonnet"),
]
BASE, OURS_GRPO = "Qwen2.5-7B-Instruct", "EvolvR GRPO"
POINT = f"{BASE} / + Point-RM GRPO"


def facts(paper, data=None):
    """Return what tables imply about the text, by name; the raw numbers only with `data`."""
    table10, orders = paper.grid("Table 10"), paper.grid("Table 11")
    pool = paper.number("Table 9", "1 / Initial Pool", "Remaining")
    pipeline = "B / The CoT Evolution and Selection Pipeline in Detail"
    pairs = paper.number("text", pipeline, "stratified story pairs behind the pool")
    synthesis = "B / Multi-Persona CoT Synthesis"
    personas = paper.number("text", synthesis, "personas guiding the synthesis")
    code = pd.read_csv(DATA / "papers" / "evolvr" / "code.csv", index_col="id")["code"]
    storyer = "storyer_aspects", "storyer_lowest", "storyer_highest"
    known = {
        "average_grpo": paper.grid("Table 4").loc["EvolvR GRPO", list(ASPECTS)].mean(),
        "baselines": len({row.split(" / ")[0] for row in paper.grid("Table 1").index}),
        "measures": len({name.split(" ")[0] for name in paper.grid("Table 5").columns}),
        "gains": (paper.grid("Table 8")["Diff"] > 0).sum(),
        "personas": pool / pairs / len(orders),
        "pool": pool,
        "pairs": pool / personas / len(orders),
        "perfect_reward": np.exp(0),
        "threshold": float(code["threshold"]),
        **{name: float(code[name]) for name in storyer},
        "nearest_n": float((table10 - orders.mean()).abs().sum(axis=1).idxmin()),
    }
    known |= {f"n_{i}": float(n) for i, n in enumerate(table10.index, 1)}
    known |= compare_benchmarks(paper) | compare_models(paper) | claims_on_training(paper)
    if data is not None:
        scores, aspects = data.ratings["score"], data.ratings["aspect"].nunique()
        known |= {"ratings": scores.size, "aspects": aspects}
        known |= {"lowest_rating": scores.min(), "highest_rating": scores.max()}
    return known


def compare_benchmarks(paper):
    """Return on how many benchmarks the EvolvR row has the highest three correlations, and how many
    models are lower in Table 2 (OpenMEVA) than in Table 1, by their means and by comparison."""
    wide, below = paper.grid("Table 1"), paper.grid("Table 2")[CORRELATIONS]
    names = wide.index.str.removeprefix("Story Evaluation ")
    wide.index = names.str.replace("Point ", "Pointwise ")
    parts, by_mean, by_cell = [below], [], []
    for group in ("StoryER", "HANNA"):
        above = wide[[f"{group} / {name}" for name in CORRELATIONS]].set_axis(CORRELATIONS, axis=1)
        parts.append(above)
        above = above.loc[below.index]
        by_mean.append(below.mean(axis=1) < above.mean(axis=1))
        by_cell.append(below < above)
    cells = pd.concat(by_cell)
    led = [part.idxmax().str.endswith(" / EvolvR").all() for part in parts]
    return {
        "benchmarks_led": sum(led),
        "lower": np.logical_and(*by_mean).sum(),
        "not_lower": (~cells).to_numpy().sum(),
        "comparisons": cells.size,
    }


def compare_models(paper):
    """Return how often the stronger of two models of one maker is better in Table 1 (section 4)."""
    grid = paper.grid("Table 1")
    closed = grid[grid.index.str.startswith("General Closed-source Models / ")]
    row = {name: closed.index[closed.index.str.contains(name)][0] for name in sum(PAIRS, ())}
    better = {"correlations": [], "errors": []}
    for strong, light in PAIRS:
        for column in closed:
            gain = closed.at[row[strong], column] - closed.at[row[light], column]
            if column.endswith("MSE"):
                gain = -gain  # the smaller the better
            is_correlation = column.rpartition(" / ")[2] in CORRELATIONS
            better["correlations" if is_correlation else "errors"].append(gain > 0)
    won = {kind: sum(wins) for kind, wins in better.items()}
    return {
        "wins": sum(won.values()),
        "wins_correlation": won["correlations"],
        "wins_error": won["errors"],
        "comparisons_error": len(better["errors"]),
    }


def claims_on_training(paper):
    """Return what Tables 1, 3, 4 and 12 say about claims on improvements (section 4, C)."""
    table3, table12 = paper.grid("Table 3"), paper.grid("Table 12")
    changes = paper.grid("Table 4").filter(like="(change)")
    trained = changes.loc[[POINT, OURS_GRPO]].drop(columns="Coherence (change)")
    alone = table3[table3.index.str.endswith(" / + GRPO")]
    base = table3.loc[alone.index.str.removesuffix(" / + GRPO")].set_axis(alone.index)
    gains = 100 * (alone / base - 1)
    n = RATINGS
    rivals = {"base": BASE, "sft": f"{BASE} / + SFT", "point": POINT}
    tests = {}
    for name, rival in rivals.items():
        of = table12.loc[[OURS_GRPO, rival]]
        error = np.sqrt((of["Overall (SD)"] ** 2).sum() / n)
        tests[f"t_{name}"] = of["Overall"].diff().iloc[-1] / -error
    return {
        "changes": paper.grid("Table 1").columns.str.contains("change").sum(),
        "improved": (trained > 0).to_numpy().sum(),
        "smallest_gain": gains.min().min(),
        "largest_gain": gains.max().max(),
        "n_ratings": n,
        **tests,
    }
