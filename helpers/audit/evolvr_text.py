"""What the tables of *EvolvR* and HANNA's open ratings imply about the numbers in its text."""
import numpy as np


def facts(paper, ratings=None):
    """Return {name: number} for data/checks/evolvr.csv; the raw ones only with `ratings`."""
    table10, orders = paper.grid("Table 10"), paper.grid("Table 11")
    pool = paper.number("Table 9", "1 / Initial Pool", "Remaining")
    pairs = paper.number("text", "B / The CoT Evolution and Selection Pipeline in Detail",
                         "stratified story pairs behind the pool")
    personas = paper.number("text", "B / Multi-Persona CoT Synthesis",
                            "personas guiding the synthesis")
    raw = {} if ratings is None else {
        "ratings": len(ratings), "aspects rated": ratings["aspect"].nunique(),
        "lowest rating": ratings["rating"].min(), "highest rating": ratings["rating"].max()}
    return raw | {
        "benchmarks led": benchmarks_led(paper),
        "kinds of baselines": len({row.split(" / ")[0] for row in paper.grid("Table 1").index}),
        "kinds of measures": len({name.split(" ")[0] for name in paper.grid("Table 5").columns}),
        "gains": (paper.grid("Table 8")["Diff"] > 0).sum(),
        "personas": pool / pairs / len(orders),
        "pool": pool,
        "pairs": pool / personas / len(orders),
        "perfect reward": np.exp(0),
        "nearest N": float((table10 - orders.mean()).abs().sum(axis=1).idxmin()),
        **{f"N {i}": float(n) for i, n in enumerate(table10.index, 1)},
    }


def benchmarks_led(paper):
    """Return on how many benchmarks the EvolvR row has the highest three correlations."""
    names = ["Pearson", "Spearman", "Kendall"]
    wide, open_meva = paper.grid("Table 1"), paper.grid("Table 2")
    parts = [wide[[f"{group} / {name}" for name in names]] for group in ("StoryER", "HANNA")]
    return sum(part.idxmax().str.endswith(" / EvolvR").all() for part in [*parts, open_meva[names]])
