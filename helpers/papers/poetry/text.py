"""The poetry-ranking paper, running text: what its tables imply about the quantities it states."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.papers.poetry.table2 import TIERS
from helpers.papers.poetry.table7 import RANKED, runs
from helpers.papers.poetry.table8 import NAMED, TESTS, match_rows
from helpers.sources.published import Rounded

# what a paragraph lists after it has said how many there are, in our words
LISTED = {
    "ways": ["models as judges", "poems beside each other", "forced choice", "a simulated panel"],
    "anthropocentric": ["Wellbeing", "Effort"],
    "requirements": ["a score for each poem", "an ordered list"],
    "experiments": ["without context", "90 poems", "15 poems", "reliability"],
}


def facts(paper, solved):
    """Return {name: number} for the rules of facts.csv; solved: Table 2's confusion tables, as
    `table2.solve_confusions` returns them."""
    known = {name: len(things) for name, things in LISTED.items()}
    known |= {f"code_{tier}": place for place, tier in enumerate("abc", 1)}
    known |= claims_on_tiers(paper, solved)
    known |= claims_on_design(paper)
    known |= claims_on_people(paper)
    known |= claims_on_places(paper)
    return known


def claims_on_tiers(paper, solved):
    """Return what Table 2 says about tiers and about models that sort poems into them."""
    human = paper.grid("Table 1")["SRC"]
    table2 = paper.grid("Table 2")
    counts = table2[TIERS]
    best = solved.drop_duplicates("model").set_index("model")["rho"]
    pair = best.reindex(["Claude-3-Opus", "GPT-4-2024-04-09"])
    return {
        "tier": poems_in_a_tier(paper),
        "tiers": len(TIERS),
        "two_alone": Rounded(pair.max(), pair.min(), pair.max()),
        "beating": (table2["SRC"] > human.max()).sum(),
        "uneven": (stats.chisquare(counts, axis=1).pvalue < 0.05).sum(),
    }


def poems_in_a_tier(paper):
    """Return how many of Table 2's poems a tier has."""
    return paper.grid("Table 2")["Total"].max() / len(TIERS)


def claims_on_design(paper):
    """Return what Tables 3, 7 and 8 say about subsets, runs, and which poems are in which tier."""
    ranked = runs(paper, RANKED)
    rows = paper.grid("Table 7").index
    tier = poems_in_a_tier(paper)
    drawn = len(ranked) / len(TIERS)
    criteria = len(paper.grid("Table 3"))
    scorings = len({row.split(" / ")[0] for row in rows})
    judges = {row.split(" / ")[1].removesuffix(" 15n") for row in paper.grid("Table 8").index}
    fewest, most = extremes()
    known = {
        "drawn": drawn,
        "probability": drawn / tier,
        "expected": paper.stated("trials") * drawn / tier,
        "fewest": fewest,
        "most": most,
        "other_criteria": criteria - 1,
        "alpha": 0.05 / criteria,
        "second": ranked.max().min() - 1,
        "models": len(judges),
        "scorings": scorings,
        "evaluations": len(judges) * scorings * ranked.shape[1] * criteria,
    }
    return known | poem_ids(rows, int(tier), drawn)


def claims_on_people(paper):
    """Return what Tables 1 and 3 say about the claims on criteria (section 3, Table 1)."""
    people = paper.table("Table 1")["SRC"]
    p = paper.grid("Table 1")["p-value"]
    src = paper.grid("Table 3").filter(like="SRC")
    products = src.loc["Innovativeness"] * src.loc["Similarity"]
    clearly_negative = (people.mid < 0) & (p < 0.05)
    return {
        "quality_to_value": people["Value"] - people["Quality"],
        "opposite": (products < 0).sum(),
        "exceptions": (~clearly_negative).sum(),
    }


def claims_on_places(paper):
    """Return in how many cases places beat scores, and 15 poems 90, as sections 7.3 to 8 claim."""
    fs, ps = TESTS[::2], TESTS[1::2]
    src = paper.grid("Table 3")
    gain_by_place = src["Claude-3 15n / SRC"] - src["Claude-3 90n / SRC"]
    gain_by_score = src["Claude-3 15 / SRC"] - src["Claude-3 90 / SRC"]
    matches = match_rows(paper, TESTS)
    whole_rows = [matches.at[row, method] == len(TESTS) for method, row in NAMED.items()]
    return {
        "won_by_places": count_won(paper.grid("Table 6"), ["F-value"], ["p-value"]),
        "won_in_table8": count_won(paper.grid("Table 8"), fs, ps),
        "won_by_15": (gain_by_place > 0).sum() + (gain_by_score > 0).sum(),
        "sets_named": sum(whole_rows),
    }


def count_won(table, larger, smaller):
    """Return how many rows by place beat the same rows by score: all of the columns `larger` are
    larger, all of `smaller` smaller."""
    by_place = table[table.index.str.contains("n /|n$")]
    by_score = table.loc[by_place.index.map(score_row)].set_axis(by_place.index)
    wins_f = (by_place[larger] > by_score[larger]).all(axis=1)
    wins_p = (by_place[smaller] < by_score[smaller]).all(axis=1)
    return (wins_f & wins_p).sum()


def score_row(row):
    """Return the row of Tables 6 and 8 that has the scores of a row by place: 90n -> 90, 15n -> no
    number."""
    return row.replace("90n", "90").replace(" 15n", "")


def poem_ids(rows, tier, drawn):
    """Return each category's first and last id, as first_id_a …; nan unless `drawn` of Table 7's
    poems fall in. rows: of Table 7, which end in the poem's id; tier: poems in a category."""
    ids = {int(row.rpartition(" ")[2]) for row in rows}
    known = {}
    for i, name in enumerate("abc"):
        first, last = i * tier + 1, (i + 1) * tier
        inside = [first <= number <= last for number in ids]
        if sum(inside) != drawn:
            first, last = np.nan, np.nan
        known[f"first_id_{name}"] = first
        known[f"last_id_{name}"] = last
    return known


def extremes(counts=90, trials=100, p=1 / 6, level=0.99):
    """Return (fewest, most): where the smallest and the largest of binomial counts lie with
    probability `level`; each Rounded without a mid."""
    k = np.arange(trials + 1)
    smallest_at_most_k = 1 - stats.binom.sf(k, trials, p) ** counts
    largest_at_most_k = stats.binom.cdf(k, trials, p) ** counts
    return middle(smallest_at_most_k, level), middle(largest_at_most_k, level)


def middle(distribution, level):
    """Return where a count lies with probability `level`, Rounded without a mid. distribution: the
    probability that it is at most 0, 1, 2 …"""
    tail = (1 - level) / 2
    low = int((distribution < tail).sum())
    high = int((distribution < 1 - tail).sum())
    return Rounded(np.nan, low, high)


def every_case(paper):
    """Return the claims on scorings and batch sizes (section 7.3, Tables 3 and 6), case by case,
    with a sign test: claim, cases, held, ties, sign test p."""
    src = paper.grid("Table 3").filter(like="SRC")
    ranked = src.filter(like="n /")
    scored = src[ranked.columns.str.replace("n /", " /")]
    f = paper.grid("Table 6")["F-value"]
    f_by_place = f[f.index.str.contains("n / ")]
    f_by_score = f[f_by_place.index.map(score_row)]
    name = "Claude-3 {} / SRC".format
    claims = {
        "batches of 15 beat batches of 90, places (correlation)": (
            src[name("15n")],
            src[name("90n")],
        ),
        "batches of 15 beat batches of 90, scores from 1 to 5 (correlation)": (
            src[name("15")],
            src[name("90")],
        ),
        "places beat scores from 1 to 5 (correlation)": (ranked, scored),
        "places beat scores from 1 to 5 (F between tiers)": (f_by_place, f_by_score),
    }
    rows = []
    for claim, (higher, lower) in claims.items():
        gain = higher.to_numpy() - lower.to_numpy()
        won, lost = int((gain > 0).sum()), int((gain < 0).sum())
        p = stats.binomtest(won, won + lost).pvalue
        rows.append((claim, gain.size, won, gain.size - won - lost, p))
    return pd.DataFrame(rows, columns=["claim", "cases", "held", "ties", "sign test p"])
