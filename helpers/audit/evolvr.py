"""The audit of *EvolvR*: best rows, measures, raters, text; the whole put together."""

import numpy as np
import pandas as pd

from helpers.audit import evolvr_human
from helpers.evolvr.agreement import agreement_index, pair_up, same_rater_differences
from helpers.evolvr.load import ASPECTS, rating_array
from helpers.sources.published import DATA, Rounded

OURS = "Story Evaluation Finetune Open-source Models / EvolvR"
CORRELATIONS = ["Pearson", "Spearman", "Kendall"]
MEASURES = [*CORRELATIONS, "MSE", "F1-Score"]
PAIRS = [  # a stronger and a lighter model of one maker, as section 4 compares them
    ("GPT-o3", "GPT-4o"),
    ("GPT-o3", r"GPT-4\.1"),
    ("Pro", "flash"),
    ("opus", "Sonnet"),
]
BASE, OURS_GRPO = "Qwen2.5-7B-Instruct", "EvolvR GRPO"
POINT = f"{BASE} / + Point-RM GRPO"
THRESHOLD = "mean rating that a HANNA story must exceed to train the generator"
ON_HANNA = {f"HANNA / {name}": name for name in MEASURES}


def audit(paper, data=None):
    """Audit the Paper and return it; ratings: HANNA's open sheets; DataError for a blank cell."""
    paper.refuse_blanks("Table 4", "Table 9", "Table 12", "Table 14", "Table 15")
    arrays = None if data is None else rating_array(data)[0]
    check_leads(paper)
    check_protocol(paper, arrays)
    check_agreement(paper, data)
    check_attrition(paper)
    evolvr_human.check_generation(paper)
    check_copies(paper)
    evolvr_human.check_experts(paper)
    paper.facts(text_facts(paper, data))
    return paper


def check_leads(paper):
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


def check_copies(paper):
    """Check the rows of Tables 6, 10 and 13 that repeat another table's."""
    for cell, name in ON_HANNA.items():
        copies = [("Table 10", "4", name), ("Table 6", "EvolvR", name)]
        for key in copies[: 1 + (name in CORRELATIONS)]:
            paper.same(("Table 1", OURS, cell), key)
    for name in paper.grid("Table 5").columns:
        paper.same(("Table 5", "EvolvR GRPO", name), ("Table 13", "Pair with Base", name))


def check_protocol(paper, arrays):
    """Check Tables 10 and 11 (N, order), and in Table 1 what correlation and MSE allow."""
    table1, table10, table11 = (paper.table(f"Table {n}") for n in (1, 10, 11))
    check_measures(paper, "Table 1", table1.mid.rename(columns=ON_HANNA), "HANNA / ", arrays)
    for group in ("StoryER / ", "HANNA / "):
        rows = table1.mid[[group + name for name in CORRELATIONS]].set_axis(CORRELATIONS, axis=1)
        check_correlations(paper, "Table 1", rows.dropna(), group)
    for table in ("Table 2", "Table 3", "Table 6"):
        check_correlations(paper, table, paper.grid(table))
    for row, other in (("(A, B)", "(B, A)"), ("(B, A)", "(A, B)")):
        rest = 2 * table10.at("4", MEASURES) - table11.at(other, MEASURES)
        how = f"what averages with the row {other} to the row N = 4 of Table 10 (input checked)"
        paper.check("Table 11", rest.to_frame(row).transpose(), how)
    for table, rows in (("Table 10", table10.mid), ("Table 11", table11.mid)):
        check_measures(paper, table, rows, "", arrays)
        check_correlations(paper, table, rows, near=0.05)


def check_measures(paper, table, rows, group, arrays):
    """Check MSE, on 0 to 1: what the printed Pearson leaves against HANNA's mean ratings."""
    if arrays is None:
        return
    rows, column = rows.dropna(subset="MSE"), f"{group}MSE"
    # the variance of mean ratings, on 0 to 1, that a Pearson r leaves
    least = arrays.mean(axis=2).var() / 16 * (1 - rows["Pearson"] ** 2)
    how = "claim: no smaller than the squared error that the correlation printed beside it leaves"
    how += " against HANNA's mean ratings (input checked)"
    holds = (rows["MSE"] > least).to_frame(column)
    paper.check(table, least.to_frame(column), how, holds=holds, bound=True)


def check_correlations(paper, table, rows, group="", near=0.16):
    """Check three correlations of one row by each other: Kendall lies between 0.6 and 1 times
    Spearman (two thirds for a weak normal correlation, more with ties) and within Daniels'
    inequality; Pearson within `near` of Spearman."""
    pearson, spearman, kendall = (rows[name] for name in CORRELATIONS)
    high = np.minimum((2 * spearman + 1) / 3, spearman)
    fits = kendall.between(np.maximum((2 * spearman - 1) / 3, 0.6 * spearman), high)
    fits &= pearson.abs().le(1) & (pearson - spearman).abs().lt(near)
    found = pd.DataFrame({"Pearson": spearman, "Spearman": spearman * np.nan, "Kendall": high})
    holds = pd.DataFrame(dict.fromkeys(found, fits))
    times = "Kendall's tau beside it is 0.6 to 1 times as large"
    words = {
        "Pearson": f"within {near} of the Spearman correlation beside it",
        "Spearman": f"{times}, Pearson's r within {near}",
        "Kendall": "no higher than the Spearman correlation beside it allows",
    }
    hows = pd.DataFrame(
        {name: f"claim: {text} (input checked)" for name, text in words.items()}, found.index
    )
    found, holds, hows = (part.add_prefix(group) for part in (found, holds, hows))
    paper.check(table, found, hows, holds=holds, bound=True)


def check_agreement(paper, data):
    """Check Table 8: agreement of raters, about stories and about pairs."""
    table8 = paper.table("Table 8")
    point, pair, gain = (table8[name] for name in ("Pointwise", "Pairwise", "Diff"))
    if data is not None:
        arrays, who = rating_array(data)
        pairs = same_rater_differences(arrays, who, *pair_up(data.items["group"]))
        two = "differences of two stories of a prompt, each by one rater"
        raw = {"Pointwise": (arrays, "a story's three ratings"), "Pairwise": (pairs, two)}
        for name, (x, what) in raw.items():
            found = pd.Series(agreement_index(x), list(ASPECTS)).to_frame(name)
            how = f"1 / (1 + the mean standard deviation of {what}), over n"
            paper.check("Table 8", found, how, "raw")
    how = "Pointwise plus Diff (input checked)"
    paper.check("Table 8", (point + gain).to_frame("Pairwise"), how)
    paper.check("Table 8", (pair - point).to_frame("Diff"), "difference of two printed numbers")
    how = "Diff divided by Pointwise"
    paper.check("Table 8", (100 * gain / point).to_frame("Improvement(%)"), how)


def check_attrition(paper):
    """Check Table 9: survival rates against counts, counts that fall."""
    left = paper.grid("Table 9")["Remaining"]
    share = 100 * left / left["1 / Initial Pool"]
    how = "what remains, divided by the initial pool"
    paper.check("Table 9", share.to_frame("Survival Rate"), how)
    before = left.shift()
    falls = left.lt(before.fillna(np.inf)).to_frame("Remaining")
    rate = paper.table("Table 9")["Survival Rate"]
    kept = Rounded(rate.mid, rate.low, 2 * rate.high - rate.mid) * (left.iloc[0] / 100)
    how = "the printed rate, rounded or cut off, of the initial pool (input checked)"
    paper.check("Table 9", kept.drop("1 / Initial Pool").to_frame("Remaining"), how)
    how = "claim: fewer are left than at the stage before (input checked)"
    paper.check("Table 9", before.to_frame("Remaining"), how, holds=falls, bound=True)


def text_facts(paper, data=None):
    """Return what tables imply about the text, by name; the raw numbers only with `data`."""
    table10, orders = paper.grid("Table 10"), paper.grid("Table 11")
    pool = paper.number("Table 9", "1 / Initial Pool", "Remaining")
    pipeline = "B / The CoT Evolution and Selection Pipeline in Detail"
    pairs = paper.number("text", pipeline, "stratified story pairs behind the pool")
    synthesis = "B / Multi-Persona CoT Synthesis"
    personas = paper.number("text", synthesis, "personas guiding the synthesis")
    code = pd.read_csv(DATA / "checks" / "evolvr_code.csv", index_col="fact")["code"]
    storyer = "aspects of StoryER", "lowest rating of StoryER", "highest rating of StoryER"
    known = {
        "average of EvolvR GRPO": paper.grid("Table 4").loc["EvolvR GRPO", list(ASPECTS)].mean(),
        "kinds of baselines": len({row.split(" / ")[0] for row in paper.grid("Table 1").index}),
        "kinds of measures": len({name.split(" ")[0] for name in paper.grid("Table 5").columns}),
        "gains": (paper.grid("Table 8")["Diff"] > 0).sum(),
        "personas": pool / pairs / len(orders),
        "pool": pool,
        "pairs": pool / personas / len(orders),
        "perfect reward": np.exp(0),
        "threshold in the code": float(code[THRESHOLD]),
        **{name: float(code[name]) for name in storyer},
        "nearest N": float((table10 - orders.mean()).abs().sum(axis=1).idxmin()),
    }
    known |= {f"N {i}": float(n) for i, n in enumerate(table10.index, 1)}
    known |= compare_benchmarks(paper) | compare_models(paper) | claims_on_training(paper)
    if data is not None:
        scores, aspects = data.ratings["score"], data.ratings["aspect"].nunique()
        known |= {"ratings": scores.size, "aspects rated": aspects}
        known |= {"lowest rating": scores.min(), "highest rating": scores.max()}
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
        "benchmarks led": sum(led),
        "lower on OpenMEVA": np.logical_and(*by_mean).sum(),
        "not lower on OpenMEVA": (~cells).to_numpy().sum(),
        "comparisons with OpenMEVA": cells.size,
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
        "stronger wins": sum(won.values()),
        "stronger wins in correlations": won["correlations"],
        "stronger wins in errors": won["errors"],
        "comparisons of errors": len(better["errors"]),
    }


def claims_on_training(paper):
    """Return what Tables 1, 3, 4 and 12 say about claims on improvements (section 4, C)."""
    table3, table12 = paper.grid("Table 3"), paper.grid("Table 12")
    changes = paper.grid("Table 4").filter(like="(change)")
    trained = changes.loc[[POINT, OURS_GRPO]].drop(columns="Coherence (change)")
    alone = table3[table3.index.str.endswith(" / + GRPO")]
    base = table3.loc[alone.index.str.removesuffix(" / + GRPO")].set_axis(alone.index)
    gains = 100 * (alone / base - 1)
    n = evolvr_human.RATINGS
    rivals = {"the base": BASE, "SFT": f"{BASE} / + SFT", "Point-RM": POINT}
    tests = {}
    for name, rival in rivals.items():
        of = table12.loc[[OURS_GRPO, rival]]
        error = np.sqrt((of["Overall (SD)"] ** 2).sum() / n)
        tests[f"t against {name}"] = of["Overall"].diff().iloc[-1] / -error
    return {
        "columns of changes": paper.grid("Table 1").columns.str.contains("change").sum(),
        "improved dimensions": (trained > 0).to_numpy().sum(),
        "smallest GRPO gain": gains.min().min(),
        "largest GRPO gain": gains.max().max(),
        "ratings behind Table 12": n,
        **tests,
    }
