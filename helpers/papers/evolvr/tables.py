"""*EvolvR*, Tables 1 to 6 and 8 to 15, each by what data, other tables or its own columns give."""

import numpy as np
import pandas as pd

from helpers.audit.attainable import nearest
from helpers.audit.checks import SAME
from helpers.evolvr.load import ASPECTS, rating_array
from helpers.evolvr.raters import agreement_index, pair_up, same_rater_differences
from helpers.sources.published import Rounded

CORRELATIONS = ["Pearson", "Spearman", "Kendall"]
MEASURES = [*CORRELATIONS, "MSE", "F1-Score"]
ON_HANNA = {f"HANNA / {name}": name for name in MEASURES}
ON_BOTH = [f"{group} / {name}" for group in ("StoryER", "HANNA") for name in CORRELATIONS]
DIMENSIONS = list(ASPECTS)
OURS = "Story Evaluation Finetune Open-source Models / EvolvR"
OURS_GRPO = "EvolvR GRPO"
BASE = "Qwen2.5-7B-Instruct"
BEST = "highest of its column, as the paper says"
WINS = ["Win Base", "Win HANNA"]
LEADS = [  # table, row, columns; what is claimed of the row; than whose number the others are lower
    ("Table 1", OURS, ON_BOTH, f"{BEST}, and so above the next best", "EvolvR's"),
    (
        "Table 2",
        "Finetune Open-source Models / EvolvR",
        CORRELATIONS,
        f"{BEST}, and so above the next best",
        "EvolvR's",
    ),
    ("Table 5", OURS_GRPO, WINS, BEST, f"that of {OURS_GRPO}"),
]
RATINGS = 80  # the smallest n whose multiples 1/n give all of Table 4
SCALE = 1, 5
POOL = "1 / Initial Pool"
ORDERS = ["(A, B)", "(B, A)"]
EXPERTS = 4
ABOVE_DIAGONAL = np.triu_indices(EXPERTS, 1)


def check_leads(paper):
    """Check the claims that a row is the best of its column, and its rivals lower: Tables 1, 2, 3,
    5, 6 and 13."""
    lower = "lower than {}, as the paper says (input checked)"
    for table, leader, columns, above, whose in LEADS:
        rows = paper.grid(table).index
        paper.leads(table, leader, rows, above, columns)
        paper.trails(table, leader, rows, lower.format(whose), columns)
    rows = paper.grid("Table 3").index
    models = rows.str.split(" / ").str[0]
    for base in ("Qwen3-4B", "LLama3.1-8B", "Qwen3-8B", "Qwen3-14B"):
        pairwise = f"{base} / + Pairwise CoT"
        below = lower.format("after pairwise fine-tuning of the same model")
        paper.trails("Table 3", pairwise, rows[models == base], below)
        above = "higher than after pointwise fine-tuning of the same model, as the paper says"
        paper.leads("Table 3", pairwise, [f"{base} / + Pointwise CoT"], above)
    paper.trails("Table 6", "EvolvR", ["Baseline"], lower.format("that of the full framework"))
    above = "higher than the baseline, as the paper says of each agent alone"
    for row in paper.grid("Table 6").index.drop(["EvolvR", "Baseline"]):
        paper.leads("Table 6", row, ["Baseline"], above)
    below = lower.format("that of Pair with Base")
    paper.trails("Table 13", "Pair with Base", ["Pair with HANNA"], below)


def check_evaluators(paper, arrays):
    """Check Tables 1, 2, 3 and 6: correlations by each other, in Table 1 also the MSE; arrays:
    HANNA's ratings, aspects x stories x 3."""
    table1 = paper.grid("Table 1")
    check_error(paper, "Table 1", table1.rename(columns=ON_HANNA), arrays, "HANNA / ")
    for group in ("StoryER", "HANNA"):
        check_correlations(paper, "Table 1", of_group(table1, group).dropna(), f"{group} / ")
    for table in ("Table 2", "Table 3", "Table 6"):
        check_correlations(paper, table, paper.grid(table))


def of_group(table1, group):
    """Return the correlations of Table 1 on one data set, with the columns of `CORRELATIONS`."""
    columns = [f"{group} / {name}" for name in CORRELATIONS]
    return table1[columns].set_axis(CORRELATIONS, axis=1)


def check_error(paper, table, rows, arrays, group=""):
    """Check MSE, on 0 to 1: what the printed Pearson leaves against HANNA's mean ratings.

    rows: of the table, the columns of `MEASURES`; group: what the printed names of the columns
    begin with; arrays: aspects x stories x 3.
    """
    rows = rows.dropna(subset="MSE")
    variance = arrays.mean(axis=2).var() / 16  # of mean ratings, on 0 to 1
    least = variance * (1 - rows["Pearson"] ** 2)  # that a Pearson r leaves
    column = f"{group}MSE"
    what = "no smaller than the squared error that the correlation printed beside it leaves"
    what += " against HANNA's mean ratings (input checked)"
    holds = (rows["MSE"] > least).to_frame(column)
    paper.claim(table, holds, what, least.to_frame(column))


def check_correlations(paper, table, rows, group="", near=0.16):
    """Check three correlations of one row by each other: Kendall lies between 0.6 and 1 times
    Spearman (two thirds for a weak normal correlation, more with ties) and within Daniels'
    inequality; Pearson within `near` of Spearman.

    rows: of the table, the columns of `CORRELATIONS`; group: as in `check_error`.
    """
    pearson, spearman, kendall = rows["Pearson"], rows["Spearman"], rows["Kendall"]
    lowest = np.maximum((2 * spearman - 1) / 3, 0.6 * spearman)
    highest = np.minimum((2 * spearman + 1) / 3, spearman)
    pearson_fits = pearson.abs().le(1) & (pearson - spearman).abs().lt(near)
    fits = kendall.between(lowest, highest) & pearson_fits
    beside = f"Kendall's tau beside it is 0.6 to 1 times as large, Pearson's r within {near}"
    claims = {
        "Pearson": (f"within {near} of the Spearman correlation beside it", spearman),
        "Spearman": (beside, spearman * np.nan),
        "Kendall": ("no higher than the Spearman correlation beside it allows", highest),
    }
    for name, (phrase, compared) in claims.items():
        column = f"{group}{name}"
        what = f"{phrase} (input checked)"
        paper.claim(table, fits.to_frame(column), what, compared.to_frame(column))


def check_protocol(paper, arrays):
    """Check Tables 10 and 11: each order by the other and the row N = 4 of Table 10, the mean of
    both; measures of a row by each other. arrays: as in `check_evaluators`."""
    whole = paper.table("Table 10").at("4", MEASURES)
    for row, other in (ORDERS, ORDERS[::-1]):
        rest = 2 * whole - paper.table("Table 11").at(other, MEASURES)
        rest = rest.to_frame(row).transpose()
        remarks = pd.DataFrame("", rest.mid.index, rest.mid.columns)
        remarks["Kendall"] = (
            "; Kendall's tau of both orders in one list need not be the mean of two, but lies very"
            " near it where they differ as little (simulated), and the other four measures average"
            " exactly"
        )
        how = f"what averages with the row {other} to the row N = 4 of Table 10 (input checked)"
        paper.check("Table 11", rest, how, remark=remarks)
    for table in ("Table 10", "Table 11"):
        rows = paper.grid(table)
        check_error(paper, table, rows, arrays)
        check_correlations(paper, table, rows, near=0.05)


def check_agreement(paper, data):
    """Check Table 8, agreement about stories and about pairs, by HANNA's `Ratings` and by its own
    columns."""
    scores, who = rating_array(data)
    differences = same_rater_differences(scores, who, *pair_up(data.items["group"]))
    of_pairs = "differences of two stories of a prompt, each by one rater"
    sources = {
        "Pointwise": (scores, "a story's three ratings"),
        "Pairwise": (differences, of_pairs),
    }
    for column, (ratings, of_what) in sources.items():
        index = pd.Series(agreement_index(ratings), DIMENSIONS)
        how = f"1 / (1 + the mean standard deviation of {of_what}), over n"
        paper.check("Table 8", index.to_frame(column), how, "raw")
    table = paper.table("Table 8")
    pointwise, pairwise, gain = table["Pointwise"], table["Pairwise"], table["Diff"]
    how = "Pointwise plus Diff (input checked)"
    paper.check("Table 8", (pointwise + gain).to_frame("Pairwise"), how)
    how = "difference of two printed numbers"
    paper.check("Table 8", (pairwise - pointwise).to_frame("Diff"), how)
    improvement = 100 * gain / pointwise
    paper.check("Table 8", improvement.to_frame("Improvement(%)"), "Diff divided by Pointwise")


def check_filter(paper):
    """Check Table 9, how many examples each step of the filter leaves: rates by counts, counts by
    rates and by the count before."""
    table = paper.table("Table 9")
    left = table.mid["Remaining"]
    share = 100 * left / left[POOL]
    how = "what remains, divided by the initial pool"
    paper.check("Table 9", share.to_frame("Survival Rate"), how)
    rate = table["Survival Rate"]
    cut_off = 2 * rate.high - rate.mid  # the rate may be cut off and not rounded
    counts = Rounded(rate.mid, rate.low, cut_off) * (left[POOL] / 100)
    how = "the printed rate, rounded or cut off, of the initial pool (input checked)"
    paper.check("Table 9", counts.drop(POOL).to_frame("Remaining"), how)
    before = left.shift()
    falls = (left < before.fillna(np.inf)).to_frame("Remaining")
    what = "fewer are left than at the stage before (input checked)"
    paper.claim("Table 9", falls, what, before.to_frame("Remaining"))


def check_human_evaluation(paper):
    """Check Tables 4, 5 and 12: means of 80 whole ratings, their changes, overall means and SDs."""
    means = paper.grid("Table 4")[DIMENSIONS]
    smallest, largest = SCALE
    possible = np.arange(smallest * RATINGS, largest * RATINGS + 1) / RATINGS
    how = f"the mean of {RATINGS} whole ratings that is nearest to Table 12's; that there were"
    how += f" {RATINGS} (say, 20 stories and 4 experts) we infer: no smaller number gives all means"
    how += " of Table 4"
    paper.check("Table 4", nearest(paper.grid("Table 12")[DIMENSIONS], possible), how)
    base = means.loc[BASE]
    change = (100 * (means - base) / base).drop(index=BASE)
    paper.check("Table 4", change.add_suffix(" (change)"), "relative change of the printed means")
    overall, how = means.mean(axis=1), "mean of the six means of Table 4"
    paper.check("Table 5", overall.to_frame("Average Score"), how)
    paper.check("Table 12", overall.to_frame("Overall"), how)
    ours = pd.DataFrame({"Average Score": {"Pair with Base": overall[OURS_GRPO]}})
    paper.check("Table 13", ours, f"{how}, row {OURS_GRPO}")
    paper.check("Table 12", means, SAME)
    sds = paper.table("Table 12")[[f"{name} (SD)" for name in DIMENSIONS]]
    how = "mean of the six printed SDs"
    paper.check("Table 12", sds.mean(axis=1).to_frame("Overall (SD)"), how)
    can_be = means.add_suffix(" (SD)").astype(object)
    for row in means.index:
        for name in DIMENSIONS:
            sd = sds.at(row, f"{name} (SD)")
            can_be.at[row, f"{name} (SD)"] = can_have(means.at[row, name], sd.low, sd.high, RATINGS)
    what = f"{RATINGS} whole ratings with this mean can have this standard deviation, over n"
    paper.claim("Table 12", can_be, what, bound=False)


def can_have(mean, low, high, divisor):
    """Return whether 80 whole numbers can have this mean and an SD from `low` to `high`.

    divisor: 80 for the SD of a population, 79 for that of a sample. The sum of squares must be
    whole, and as odd or even as the sum (GRIMMER).
    """
    total = round(mean * RATINGS)
    least = divisor * low**2 + RATINGS * mean**2
    most = divisor * high**2 + RATINGS * mean**2
    squares = np.arange(np.floor(least), np.ceil(most) + 1)
    is_inside = (least - 1e-6 <= squares) & (squares <= most + 1e-6)
    has_parity = (squares - total) % 2 == 0
    return bool((is_inside & has_parity).any())


def check_copies(paper):
    """Check the rows of Tables 6, 10 and 13 that repeat another table's."""
    for column, name in ON_HANNA.items():
        paper.same(("Table 1", OURS, column), ("Table 10", "4", name))
        if name in CORRELATIONS:
            paper.same(("Table 1", OURS, column), ("Table 6", "EvolvR", name))
    for column in paper.grid("Table 5").columns:
        paper.same(("Table 5", OURS_GRPO, column), ("Table 13", "Pair with Base", column))


def check_experts(paper):
    """Check Tables 14 and 15, correlations of four experts: averages, symmetry, and whether four
    experts can have them."""
    table = paper.table("Table 14")
    cells, average = table[DIMENSIONS], table.mid.columns[0]
    paper.check("Table 14", cells.mean(axis=1).to_frame(average), "mean of printed cells")
    least = 0 * cells.mid + cells.mid.apply(smallest_eigenvalue)  # alike for all pairs
    what = "four experts can have these six correlations at once, as the smallest eigenvalue"
    what += " of their matrix is not below zero (input checked)"
    paper.claim("Table 14", least >= -1e-3, what, least)
    for name in DIMENSIONS:
        rest = 6 * table[average] - cells.drop(columns=name).sum(axis=1)
        paper.check("Table 14", rest.to_frame(name), "six times the average less the other five")
    matrix = paper.grid("Table 15")
    is_diagonal = np.eye(EXPERTS) == 1
    ones = (0 * matrix + 1).where(is_diagonal)
    paper.check("Table 15", ones, "diagonal of a correlation matrix")
    least = smallest_eigenvalue(matrix.to_numpy()[ABOVE_DIAGONAL])
    how = "the same on both sides of the diagonal; averages of five models or more, for the four of"
    how += f" Table 5 alone would leave a smallest eigenvalue of 0, not {least:.3f}"
    paper.check("Table 15", matrix.T.where(~is_diagonal), how)


def smallest_eigenvalue(upper):
    """Return the smallest eigenvalue of four raters' correlations, the six above the diagonal
    (negative: impossible)."""
    matrix = np.eye(EXPERTS)
    matrix[ABOVE_DIAGONAL] = upper
    return float(np.linalg.eigvalsh(matrix, UPLO="U")[0])
