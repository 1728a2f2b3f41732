"""The audit of *EvolvR*: its tables against each other, arithmetic and HANNA's open ratings."""
import numpy as np
import pandas as pd

from helpers.audit import evolvr_text
from helpers.audit.checks import SAME, nearest
from helpers.evolvr_agreement import agreement_index
from helpers.hanna import ASPECTS, rating_array

OURS = "Story Evaluation Finetune Open-source Models / EvolvR"
DIMENSIONS = list(ASPECTS)
CORRELATIONS = ["Pearson", "Spearman", "Kendall"]
MEASURES = [*CORRELATIONS, "MSE", "F1-Score"]
ON_HANNA = {f"HANNA / {name}": name for name in MEASURES}
RATINGS = 80  # 20 stories x 4 experts: the smallest n whose multiples 1/n give every mean of Table 4


def audit(paper, ratings=None):
    """Audit the Paper and return it; ratings: HANNA's open tidy table (None without it: fewer checks)."""
    arrays = None if ratings is None else rating_array(ratings)[0]
    check_leads(paper)
    check_protocol(paper, arrays)
    check_generation(paper)
    check_experts(paper)
    check_agreement(paper, arrays)
    paper.facts(evolvr_text.facts(paper, ratings))
    return paper


def check_leads(paper):
    """Check the claims that a row is the best of its column: Tables 1, 2, 3, 5, 6 and 13."""
    best, rest = "highest of its column, as claimed", "below {}, as claimed (input checked)"
    columns = [f"{group} / {name}" for group in ("StoryER", "HANNA") for name in CORRELATIONS]
    for table, ours, names in (("Table 1", OURS, columns),
                               ("Table 2", "Finetune Open-source Models / EvolvR", CORRELATIONS)):
        paper.leads(table, ours, paper.grid(table).index, best + "; computed: the next best", rest.format("EvolvR"), names)
    rows = paper.grid("Table 3").index
    for base in ("Qwen3-4B", "LLama3.1-8B", "Qwen3-8B", "Qwen3-14B"):
        pair, same = f"{base} / + Pairwise CoT", [row for row in rows if row.split(" / ")[0] == base]
        paper.leads("Table 3", pair, same, below=rest.format("pairwise fine-tuning of the same model"))
        paper.leads("Table 3", pair, [f"{base} / + Pointwise CoT"],
                    "above pointwise fine-tuning of the same model, as claimed")
    wins = ["Win Base", "Win HANNA"]
    paper.leads("Table 5", "EvolvR GRPO", paper.grid("Table 5").index, best, rest.format("EvolvR GRPO"), wins)
    paper.leads("Table 6", "EvolvR", ["Baseline"], below=rest.format("the full framework"))
    for row in paper.grid("Table 6").index.drop(["EvolvR", "Baseline"]):
        paper.leads("Table 6", row, ["Baseline"],
                    "each agent alone improves on the baseline, as claimed; computed: the baseline")
    paper.leads("Table 13", "Pair with Base", ["Pair with HANNA"], below=rest.format("Pair with Base"))
    ours = paper.table("Table 1").at([OURS], list(ON_HANNA)).rename(columns=ON_HANNA)
    paper.check("Table 6", ours[CORRELATIONS].rename(index={OURS: "EvolvR"}), SAME)
    paper.check("Table 10", ours.rename(index={OURS: "4"}), SAME)
    ours = paper.table("Table 5").at(["EvolvR GRPO"], [*wins, "Average Score"])
    paper.check("Table 13", ours.rename(index={"EvolvR GRPO": "Pair with Base"}), SAME)


def check_protocol(paper, arrays):
    """Check Tables 10 and 11 (N, position), and what correlation, MSE and F1 allow each other in Table 1 too."""
    check_measures(paper, "Table 1", paper.grid("Table 1").rename(columns=ON_HANNA), "HANNA / ", arrays)
    for table, left_out in (("Table 10", "4"), ("Table 11", "(B, A)")):
        rows = paper.grid(table).drop(index=left_out)
        check_measures(paper, table, rows, "", arrays)
        check_correlations(paper, table, rows)
    label = {"4": "(B, A)", "(A, B)": "(B, A)"}
    both, forward = (paper.table(table).rename(index=label).at(["(B, A)"], MEASURES) if table == "Table 10" else
                     paper.table(table).at(["(A, B)"], MEASURES).rename(index=label) for table in ("Table 10", "Table 11"))
    paper.check("Table 11", 2 * both - forward, "with (A, B) averages to the N = 4 row of Table 10")


def check_measures(paper, table, rows, group, arrays):
    """Check MSE (on a scale of 0 to 1, against HANNA's mean ratings) and F1 (as the share of exact scores)."""
    rows = rows.dropna(subset="MSE")
    mse, wrong = rows["MSE"], 1 - rows["F1-Score"]
    if arrays is not None:
        least = least_mse(rows["Pearson"], arrays)
        paper.check(table, least.to_frame(f"{group}MSE"), "claim: not below the least MSE at the printed Pearson against "
                    "HANNA's mean ratings (a bound; input checked)", holds=(mse > least).to_frame(f"{group}MSE"))
    possible = (mse <= wrong + 1e-4) & (wrong + 1e-4 <= 16 * mse + 2e-4)
    paper.check(table, (1 - mse).to_frame(f"{group}F1-Score"), "claim: possible as the share of exact scores: MSE <= 1 - F1 "
                "<= 16 MSE; computed: the highest possible (input checked)", holds=possible.to_frame(f"{group}F1-Score"))


def least_mse(pearson, ratings):
    """Return the least MSE on (y - 1) / 4 that a Pearson r leaves against the mean ratings: variance x (1 - r^2) / 16.

    ratings: aspects x stories x 3; supposes that the test split varies as the whole data set does.
    """
    return np.asarray(ratings, float).mean(axis=2).var() / 16 * (1 - pearson**2)


def check_correlations(paper, table, rows):
    """Check Kendall against Spearman (Daniels' inequality for many items without ties), and Pearson near Spearman."""
    pearson, spearman, kendall = (rows[name] for name in CORRELATIONS)
    low, high = (2 * spearman - 1) / 3, (2 * spearman + 1) / 3
    fits = kendall.between(low, high)
    paper.check(table, pd.DataFrame({"Kendall": high, "Spearman": (3 * kendall + 1) / 2}),
                "claim: Kendall and Spearman within Daniels' inequality (input checked)",
                holds=pd.DataFrame({"Kendall": fits, "Spearman": fits}))
    near = (pearson**2 <= 1) & ((pearson - spearman).abs() < 0.05)
    paper.check(table, spearman.to_frame("Pearson"), "claim: within 0.05 of Spearman, as in every other EvolvR row "
                "(input checked)", holds=near.to_frame("Pearson"))


def exact_share_possible(paper, table="Table 1", group="StoryER / "):
    """Return F1 and the shares of exact five-point scores that the MSE allows (an error is 1/16 to 1), by row."""
    grid, slack = paper.grid(table), 1e-4  # both are rounded to four places
    f1, mse = grid[f"{group}F1-Score"], grid[f"{group}MSE"]
    found = pd.DataFrame({"F1": f1, "highest": 1 - mse, "lowest": 1 - 16 * mse}).dropna()
    return found.assign(possible=(found["F1"] <= found["highest"] + slack) & (found["F1"] >= found["lowest"] - 16 * slack))


def check_generation(paper):
    """Check Tables 4, 5 and 12: means of 80 whole ratings, their changes, overall means and SDs."""
    means, table12 = paper.table("Table 4")[DIMENSIONS], paper.table("Table 12")
    exact, base = means.mid, means.mid.loc["Qwen2.5-7B-Instruct"]
    lattice = np.arange(RATINGS, 5 * RATINGS + 1) / RATINGS
    paper.check("Table 4", nearest(exact, lattice), f"a mean of {RATINGS} whole ratings (20 stories x 4 experts)")
    change = (100 * (exact - base) / base).drop(index=base.name).add_suffix(" (change)")
    paper.check("Table 4", change, "relative change of the printed means")
    overall = exact.mean(axis=1)
    paper.check("Table 5", overall.to_frame("Average Score"), "mean of the six means of Table 4")
    paper.check("Table 12", overall.to_frame("Overall"), "mean of the six means of Table 4")
    paper.check("Table 12", means, SAME)
    sds = table12[[f"{aspect} (SD)" for aspect in DIMENSIONS]]
    paper.check("Table 12", sds.mean(axis=1).to_frame("Overall (SD)"), "mean of the six printed SDs")
    possible = possible_sds(paper)["population"].unstack(sort=False).add_suffix(" (SD)")
    paper.check("Table 12", possible.astype(float) * np.nan, f"claim: population SD that {RATINGS} whole ratings with "
                "this mean can have", holds=possible)


def possible_sds(paper):
    """Return whether Table 12's SDs are possible with Table 4's means: rows (row, aspect) x population, sample."""
    means, sds = paper.grid("Table 4"), paper.table("Table 12")
    return pd.DataFrame({(row, aspect): variances(means.at[row, aspect], (sds.low.at[row, f"{aspect} (SD)"],
                                                                          sds.high.at[row, f"{aspect} (SD)"]))
                         for row in means.index for aspect in DIMENSIONS}).T


def variances(mean, sd, n=RATINGS):
    """Return whether n whole numbers can have this mean with this SD: {'population': bool, 'sample': bool} (GRIMMER).

    mean: exact; sd: (low, high). The sum of squares must be whole and as odd or even as the sum.
    """
    total, found = round(mean * n), {}
    for name, divisor in (("population", n), ("sample", n - 1)):
        low, high = (divisor * s**2 + n * mean**2 for s in sd)
        squares = np.arange(np.floor(low), np.ceil(high) + 1)
        inside = (low - 1e-6 <= squares) & (squares <= high + 1e-6)
        found[name] = bool((inside & ((squares - total) % 2 == 0)).any())
    return found


def check_experts(paper):
    """Check Tables 14 and 15: averages, symmetry, and correlations that four experts can have."""
    table14, table15 = paper.table("Table 14"), paper.table("Table 15")
    paper.check("Table 14", table14[DIMENSIONS].mean(axis=1).to_frame(table14.mid.columns[0]), "mean of printed cells")
    least = table14.mid[DIMENSIONS].apply(smallest_eigenvalue)
    least = pd.DataFrame([least] * len(table14.mid), table14.mid.index)
    paper.check("Table 14", least, "claim: the four experts' correlations form a possible matrix; computed: smallest "
                "eigenvalue (input checked)", holds=least >= -1e-3)
    matrix = table15.mid
    above, below = np.triu(np.ones((4, 4)), 1) == 1, np.tril(np.ones((4, 4)), -1) == 1
    paper.check("Table 15", (matrix * 0 + 1).where(np.eye(4) == 1), "diagonal of a correlation matrix")
    paper.check("Table 15", table15.transpose().each(lambda part: part.where(below)), "symmetric")
    least = (matrix * 0 + smallest_eigenvalue(matrix.to_numpy()[above])).where(above)
    paper.check("Table 15", least, "claim: the correlations form a possible matrix (of five or more averages); computed: "
                "smallest eigenvalue (input checked)", holds=(least >= -1e-3).where(above))


def smallest_eigenvalue(upper):
    """Return the smallest eigenvalue of four raters' correlation matrix, from its six upper entries (negative: impossible)."""
    matrix = np.eye(4)
    matrix[np.triu_indices(4, 1)] = upper
    return float(np.linalg.eigvalsh(matrix, UPLO="U")[0])


def check_agreement(paper, arrays):
    """Check Table 8 (agreement of raters; Pointwise from the open ratings) and Table 9 (rationales that remain)."""
    table8, left = paper.table("Table 8"), paper.grid("Table 9")["Remaining"]
    point, pair, gain = (table8[name] for name in ("Pointwise", "Pairwise", "Diff"))
    if arrays is not None:
        found = {aspect: agreement_index(array) for aspect, array in zip(DIMENSIONS, arrays)}
        paper.check("Table 8", pd.Series(found).to_frame("Pointwise"), "1 / (1 + mean population SD of a story's three "
                    "ratings)", "raw")
    paper.check("Table 8", (point + gain).to_frame("Pairwise"), "Pointwise + Diff; the definition behind Pairwise was not "
                "found (input checked)")
    paper.check("Table 8", (pair - point).to_frame("Diff"), "difference of two printed numbers")
    paper.check("Table 8", (100 * gain / point).to_frame("Improvement(%)"), "Diff / Pointwise")
    paper.check("Table 9", (100 * left / left["1 / Initial Pool"]).to_frame("Survival Rate"), "Remaining / initial pool")
    before = left.shift()
    paper.check("Table 9", before.to_frame("Remaining"), "claim: smaller than the stage before (input checked)",
                holds=(left < before.fillna(np.inf)).to_frame("Remaining"))
