"""*EvolvR*, running text: what tables, open ratings and released code say of it."""

import numpy as np
import pandas as pd

from helpers.papers.evolvr.tables import (
    BASE,
    CORRELATIONS,
    DIMENSIONS,
    OURS_GRPO,
    POOL,
    RATINGS,
    of_group,
)

PAIRS = [  # a stronger and a lighter model of one maker, as section 4 compares them
    ("GPT-o3", "GPT-4o"),
    ("GPT-o3", "GPT-4.1"),
    ("Pro", "flash"),
    ("opus", "Sonnet"),
]
# what a sentence or an appendix names, in our words
LISTED = {
    "stages": ["self-synthesis", "evolution and selection", "story generation"],  # section 3
    "synthesizers": ["Gemini 2.5 Pro", "Claude Opus 4", "o3"],  # B
    "human_steps": ["a last calibration by screenwriters"],  # B
    "instructions_differ": ["examples in the prompt", "the final score in the prompt"],  # B
    "official_splits": ["StoryER"],  # code.csv, hanna_split
}
CLOSED = "General Closed-source Models / "
POINT = f"{BASE} / + Point-RM GRPO"
SFT = f"{BASE} / + SFT"


def facts(paper, data):
    """Return {name: fact}: what tables, and HANNA's `Ratings`, imply about the text."""
    known = {name: len(things) for name, things in LISTED.items()}
    known |= from_tables(paper) | from_code(paper) | from_hanna(data)
    known |= compare_benchmarks(paper) | compare_models(paper)
    return known | compare_training(paper)


def from_tables(paper):
    """Return what can be counted or averaged in Tables 1, 4, 5 and 8; what the initial pool of
    Table 9 and the numbers behind it say about each other; which N Table 10 tries, and which is
    nearest to the mean of Table 11."""
    table1 = paper.grid("Table 1")
    pool = paper.number("Table 9", POOL, "Remaining")
    table10, orders = paper.grid("Table 10"), paper.grid("Table 11")
    off = (table10 - orders.mean()).abs().sum(axis=1)
    known = {
        "baselines": len({row.split(" / ")[0] for row in table1.index}),
        "measures": len({column.split(" ")[0] for column in paper.grid("Table 5").columns}),
        "changes": table1.columns.str.contains("change").sum(),
        "average_grpo": paper.grid("Table 4").loc[OURS_GRPO, DIMENSIONS].mean(),
        "gains": (paper.grid("Table 8")["Diff"] > 0).sum(),
        "perfect_reward": np.exp(0),
        "pool": pool,
        "personas": pool / paper.stated("pairs") / len(orders),
        "pairs": pool / paper.stated("personas") / len(orders),
        "nearest_n": float(off.idxmin()),
    }
    return known | {f"n_{place}": float(n) for place, n in enumerate(table10.index, 1)}


def from_code(paper):
    """Return the numbers that released code, and files of which nothing is kept, give, as code.csv
    notes them."""
    path = paper.folder / paper.paper / "code.csv"
    code = pd.read_csv(path, index_col="id")["code"]
    names = ["threshold", "storyer_aspects", "storyer_lowest", "storyer_highest"]
    names += ["openmeva_stories", "openmeva_aspects", "openmeva_lowest", "openmeva_highest"]
    return {name: float(code[name]) for name in names}


def from_hanna(data):
    """Return what can be counted in HANNA's open `Ratings`."""
    scores, aspects = data.ratings["score"], data.ratings["aspect"].unique()
    return {
        "ratings": scores.size,
        "aspects": len(aspects),
        "interestingness": (aspects == "Interestingness").sum(),
        "lowest_rating": scores.min(),
        "highest_rating": scores.max(),
    }


def compare_benchmarks(paper):
    """Return on how many benchmarks the EvolvR row has the highest three correlations, on how many
    it beats closed models, and how many models are lower in Table 2 (OpenMEVA) than in Table 1, by
    their means and by comparison."""
    table1 = paper.grid("Table 1")
    names = table1.index.str.removeprefix("Story Evaluation ")
    table1.index = names.str.replace("Point ", "Pointwise ")  # as Table 2 writes them
    openmeva = paper.grid("Table 2")[CORRELATIONS]
    storyer, hanna = of_group(table1, "StoryER"), of_group(table1, "HANNA")
    benchmarks = (openmeva, storyer, hanna)
    is_led = [one.idxmax().str.endswith(" / EvolvR").all() for one in benchmarks]
    is_beaten = [beats_closed(benchmark) for benchmark in benchmarks]
    storyer, hanna = storyer.loc[openmeva.index], hanna.loc[openmeva.index]
    mean = openmeva.mean(axis=1)
    lower_than_both = (mean < storyer.mean(axis=1)) & (mean < hanna.mean(axis=1))
    is_lower = pd.concat([openmeva < storyer, openmeva < hanna])
    return {
        "benchmarks_led": sum(is_led),
        "proprietary_beaten": sum(is_beaten),
        "lower": lower_than_both.sum(),
        "not_lower": (~is_lower).to_numpy().sum(),
        "comparisons": is_lower.size,
    }


def beats_closed(benchmark):
    """Return whether there are closed models, and the EvolvR row has higher numbers than all."""
    closed = benchmark[benchmark.index.str.startswith(CLOSED)]
    evolvr = benchmark[benchmark.index.str.endswith(" / EvolvR")].iloc[0]
    return bool(len(closed)) and bool((closed < evolvr).all().all())


def compare_models(paper):
    """Return how often the stronger of two models of one maker is better in Table 1 (section 4), in
    correlations and in the other measures."""
    table1 = paper.grid("Table 1")
    closed = table1[table1.index.str.startswith(CLOSED)]
    measures = closed.columns.str.rpartition(" / ").get_level_values(2)
    is_error = measures == "MSE"
    is_correlation = measures.isin(CORRELATIONS)
    wins = []
    for names in PAIRS:
        stronger, lighter = (closed[closed.index.str.contains(n, regex=False)] for n in names)
        gain = stronger.iloc[0] - lighter.iloc[0]
        wins.append(gain.where(~is_error, -gain) > 0)  # of errors the smaller is better
    wins = np.array(wins)  # pairs of models x columns
    in_correlations, in_errors = wins[:, is_correlation], wins[:, ~is_correlation]
    return {
        "wins_correlation": in_correlations.sum(),
        "wins_error": in_errors.sum(),
        "comparisons_error": in_errors.size,
    }


def compare_training(paper):
    """Return what Tables 3 and 4 say about claims on improvements (section 4, C), and Student's t
    of the overall means of Table 12, EvolvR's against three rivals."""
    table3 = paper.grid("Table 3")
    trained = table3[table3.index.str.endswith(" / + GRPO")]
    untrained = table3.loc[trained.index.str.removesuffix(" / + GRPO")].set_axis(trained.index)
    gains = 100 * (trained / untrained - 1)
    changes = paper.grid("Table 4").filter(like="(change)")
    changes = changes.loc[[POINT, OURS_GRPO]].drop(columns="Coherence (change)")
    known = {
        "smallest_gain": gains.min().min(),
        "largest_gain": gains.max().max(),
        "improved": (changes > 0).to_numpy().sum(),
        "n_ratings": RATINGS,
    }
    table12 = paper.grid("Table 12")
    means, sds = table12["Overall"], table12["Overall (SD)"]
    for name, rival in {"base": BASE, "sft": SFT, "point": POINT}.items():
        error = np.sqrt((sds[OURS_GRPO] ** 2 + sds[rival] ** 2) / RATINGS)
        known[f"t_{name}"] = (means[OURS_GRPO] - means[rival]) / error
    return known
