"""What the tables of *EvolvR* and HANNA's open ratings say about the numbers in its text."""
import numpy as np

from helpers.evolvr.hanna import SHEET


def facts(paper, ratings=None):
    """Return {name: number} for data/checks/evolvr.csv; the raw ones only with `ratings`."""
    table5, table8, table11 = (paper.grid(f"Table {n}") for n in (5, 8, 11))
    left, experts = paper.grid("Table 9")["Remaining"], paper.grid("Table 15").to_numpy()
    average = paper.grid("Table 14").iloc[:, 0]
    pool, orders = left["1 / Initial Pool"], len(table11)
    pairs = paper.number("text", "B / The CoT Evolution and Selection Pipeline in Detail",
                         "stratified story pairs behind the pool")
    personas = paper.number("text", "B / Multi-Persona CoT Synthesis",
                            "personas guiding the synthesis")
    scores = None if ratings is None else ratings.drop(columns=SHEET)
    raw = {} if ratings is None else {
        "ratings": scores.size, "aspects rated": scores.shape[1],
        "lowest rating": scores.min(axis=None), "highest rating": scores.max(axis=None)}
    return raw | {
        "benchmarks led": benchmarks_led(paper),
        "stages": len(left) - 1,
        "data sets": len({name.split(" / ")[0] for name in paper.grid("Table 1").columns}),
        "kinds of baselines": len({row.split(" / ")[0] for row in paper.grid("Table 1").index}),
        "correlations": paper.grid("Table 2").shape[1],
        "experts": len(experts),
        "dimensions": sum("(change)" not in name for name in paper.grid("Table 4").columns),
        "kinds of measures": len({name.split(" ")[0] for name in table5.columns}),
        "win rates": sum(name.startswith("Win") for name in table5.columns),
        "generators": len(table5),
        "generators trained": len(table5) - 1,
        "generators between": len(table5) - 2,
        "data sets described": len(paper.grid("Table 7")),
        "conditions": sum(name in ("Pointwise", "Pairwise") for name in table8.columns),
        "gains": (table8["Diff"] > 0).sum(),
        "dimensions compared": len(table8),
        "personas": pool / pairs / orders,
        "pool": pool,
        "pairs": pool / personas / orders,
        "orders": orders,
        "pairings": len(paper.grid("Table 13")),
        "perfect reward": np.exp(0),
        "nearest N": float((paper.grid("Table 10") - table11.mean()).abs().sum(axis=1).idxmin()),
        **{f"N {i}": float(n) for i, n in enumerate(paper.grid("Table 10").index, 1)},
        "final rationales": left.iloc[-1],
        "least between experts": experts[np.triu_indices(4, 1)].min(),
        "smallest average": average.min(),
        "largest average": average.max(),
    }


def benchmarks_led(paper):
    """Return on how many benchmarks the EvolvR row has the highest three correlations."""
    names = ["Pearson", "Spearman", "Kendall"]
    wide, open_meva = paper.grid("Table 1"), paper.grid("Table 2")
    parts = [wide[[f"{group} / {name}" for name in names]] for group in ("StoryER", "HANNA")]
    return sum(part.idxmax().str.endswith(" / EvolvR").all() for part in [*parts, open_meva[names]])
