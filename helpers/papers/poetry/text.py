"""What the tables of the poetry-ranking paper imply about the quantities of its text."""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.papers.poetry.table7 import RANKED, SCORED, runs
from helpers.papers.poetry.table8 import TESTS, match_rows
from helpers.sources.published import Rounded

# rows of Table 8 under whose name Table 7 shows answers, and these
TABLE7 = {"CREATIVITY / Claude-3-Opus 15n": RANKED, "CREATIVITY / Claude-3-Opus": SCORED}
# what a paragraph lists after it has said how many there are, in our words
LISTED = {
    "ways": ["models as judges", "poems beside each other", "forced choice", "a simulated panel"],
    "anthropocentric": ["Wellbeing", "Effort"],
    "requirements": ["a score for each poem", "an ordered list"],
    "experiments": ["without context", "90 poems", "15 poems", "reliability"],
}


def facts(paper, solved):
    """Return {name: number} for the rules of facts.csv; solved: Table 2's confusion tables."""
    human, one = paper.grid("Table 1")["SRC"], paper.grid("Table 2")
    rows = paper.grid("Table 7").index
    counts, tier = one[["Good", "Medium", "Bad"]], one["Total"].max() / 3
    best = solved.drop_duplicates("model").set_index("model")["rho"]
    pair = best.reindex(["Claude-3-Opus", "GPT-4-2024-04-09"])
    ranked, criteria = runs(paper, RANKED), len(paper.grid("Table 3"))
    drawn, trials = len(ranked) / counts.shape[1], paper.number("text", "7.3", "binomial trials n")
    methods = len({row.split(" / ")[0] for row in rows})
    judges = {row.split(" / ")[1].removesuffix(" 15n") for row in paper.grid("Table 8").index}
    smallest, largest = extremes()
    return {
        "tier": tier,
        "tiers": counts.shape[1],
        "drawn": drawn,
        "probability": drawn / tier,
        "expected": trials * drawn / tier,
        "fewest": smallest,
        "most": largest,
        "other_criteria": criteria - 1,
        "alpha": 0.05 / criteria,
        "second": ranked.max().min() - 1,
        "two_alone": Rounded(pair.max(), pair.min(), pair.max()),
        "beating": (one["SRC"] > human.max()).sum(),
        "uneven": (stats.chisquare(counts, axis=1).pvalue < 0.05).sum(),
        "models": len(judges),
        "scorings": methods,
        "evaluations": len(judges) * methods * ranked.shape[1] * criteria,
        **{f"code_{name.lower()}": place for place, name in enumerate("ABC", 1)},
        **poem_ids(rows, int(tier), drawn),
        **{name: len(listed) for name, listed in LISTED.items()},
        **claims_on_people(paper),
        **claims_on_places(paper),
    }


def claims_on_people(paper):
    """Return what Tables 1 and 3 say about the claims on criteria (section 3, Table 1)."""
    table1, src = paper.table("Table 1"), paper.grid("Table 3").filter(like="SRC")
    people = table1["SRC"]
    both = src.loc["Innovativeness"] * src.loc["Similarity"]
    negative = (table1.mid["SRC"] < 0) & (table1.mid["p-value"] < 0.05)
    return {
        "quality_to_value": people["Value"] - people["Quality"],
        "opposite": (both < 0).sum(),
        "exceptions": (~negative).sum(),
    }


def claims_on_places(paper):
    """Return in how many cases places beat scores, and 15 poems 90, as sections 7.3 to 8 claim."""
    table6, table8 = (paper.grid(f"Table {n}") for n in (6, 8))
    counts = {}
    for name, table, larger, smaller in (
        ("won_by_places", table6, ["F-value"], ["p-value"]),
        ("won_in_table8", table8, TESTS[::2], TESTS[1::2]),
    ):
        by_place = table[table.index.str.contains("n /|n$")]
        by_score = table.loc[by_place.index.map(score_row)].set_axis(by_place.index)
        won = (by_place[larger] > by_score[larger]).all(axis=1)
        won &= (by_place[smaller] < by_score[smaller]).all(axis=1)
        counts[name] = won.sum()
    src = paper.grid("Table 3")
    gains = [
        src[f"Claude-3 15{by} / SRC"] - src[f"Claude-3 90{by} / SRC"]
        for by in ("n", "")  # by place, by score
    ]
    counts["won_by_15"] = (pd.concat(gains) > 0).sum()
    matches = match_rows(paper, TESTS)
    under = [matches.at[name, method] == len(TESTS) for name, method in TABLE7.items()]
    return counts | {"sets_named": sum(under)}


def score_row(row):
    """Return the row of Tables 6 and 8 that has the scores of a row by place: 90n -> 90, 15n -> no
    number."""
    return row.replace("90n", "90").replace(" 15n", "")


def poem_ids(rows, tier, drawn):
    """Return each category's first and last id; nan unless `drawn` of Table 7's poems fall in."""
    ids, found = {int(row.rpartition(" ")[2]) for row in rows}, {}
    for i, name in enumerate("ABC"):
        low, high = i * tier + 1, (i + 1) * tier
        inside = sum(low <= number <= high for number in ids) == drawn
        ends = (low, high) if inside else (np.nan, np.nan)
        found |= dict(zip((f"first_id_{name.lower()}", f"last_id_{name.lower()}"), ends))
    return found


def extremes(counts=90, trials=100, p=1 / 6, level=0.99):
    """Return where the smallest and the largest of binomial counts lie: Rounded without a mid."""
    tail, grid = (1 - level) / 2, np.arange(trials + 1)
    laws = 1 - stats.binom.sf(grid, trials, p) ** counts, stats.binom.cdf(grid, trials, p) ** counts
    ends = [[int((law < share).sum()) for share in (tail, 1 - tail)] for law in laws]
    return tuple(Rounded(np.nan, low, high) for low, high in ends)


def by_scoring(paper):
    """Return Table 6's Fs by place and, in the same order, by score."""
    f = paper.grid("Table 6")["F-value"]
    by_place = f[f.index.str.contains("n / ")]
    return by_place, f[by_place.index.map(score_row)]


def every_case(paper):
    """Return the claims on scorings and batch sizes (section 7.3, Tables 3 and 6), case by case,
    with a sign test."""
    src = paper.grid("Table 3").filter(like="SRC")
    ranked = src.filter(like="n /")
    scored = src[ranked.columns.str.replace("n /", " /")]
    of = "Claude-3 {} / SRC".format
    short = "batches of 15 beat batches of 90"
    claims = [
        (f"{short}, places (correlation)", src[of("15n")], src[of("90n")]),
        (f"{short}, scores from 1 to 5 (correlation)", src[of("15")], src[of("90")]),
        ("places beat scores from 1 to 5 (correlation)", ranked, scored),
        ("places beat scores from 1 to 5 (F between tiers)", *by_scoring(paper)),
    ]
    rows = []
    for claim, high, low in claims:
        gain = high.to_numpy() - low.to_numpy()
        won, lost = int((gain > 0).sum()), int((gain < 0).sum())
        p = stats.binomtest(won, won + lost).pvalue
        rows.append((claim, gain.size, won, gain.size - won - lost, p))
    return pd.DataFrame(rows, columns=["claim", "cases", "held", "ties", "sign test p"])
