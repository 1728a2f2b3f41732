"""The poetry-ranking paper, running text: what its tables imply about the quantities it states.

Each function returns {name: fact}, and facts.csv says which phrase states the fact of a name:

    table  row    column                      fact
    text   7.3.1  Bonferroni-corrected alpha  alpha

so the number printed there is checked by `alpha`, which `claims_on_subsets` gives: 0.05 divided by
the criteria of Table 3.
"""

import numpy as np
import pandas as pd
from scipy import stats

from helpers.papers.poetry.table8 import NAMED, TESTS, match_rows
from helpers.papers.poetry.tables import RANKED, TIERS, runs
from helpers.sources.published import Rounded

# what a paragraph lists after it has said how many there are, in our words
LISTED = {
    "ways": ["models as judges", "poems beside each other", "forced choice", "a simulated panel"],
    "anthropocentric": ["Wellbeing", "Effort"],
    "requirements": ["a score for each poem", "an ordered list"],
    "experiments": ["without context", "90 poems", "15 poems", "reliability"],
    "wordings": ["of Quality", "of Value"],  # in Table 5
    "reversed": ["Similarity"],  # in A.1, of the prompt for Innovativeness
}
SIGNIFICANT = 0.05  # a p-value below it
POEMS, SUBSETS, DRAWN = 90, 100, 1 / 6  # section 7.3: how often a poem is in one of 100 subsets
NEARLY_ALL = 0.99  # of studies that draw their subsets so
F_VALUES, P_VALUES = TESTS[::2], TESTS[1::2]  # columns of Table 8


def facts(paper, solved):
    """Return {name: fact} for the rules of facts.csv; solved: Table 2's confusion tables, as
    `tables.solve_confusions` returns them."""
    known = {name: len(things) for name, things in LISTED.items()}
    known |= {f"code_{tier}": place for place, tier in enumerate("abc", 1)}
    known |= claims_on_tiers(paper, solved) | claims_on_subsets(paper)
    return known | claims_on_people(paper) | claims_on_places(paper)


def claims_on_tiers(paper, solved):
    """Return what Table 2 says about tiers and about models that sort poems into them."""
    human = paper.grid("Table 1")["SRC"]
    table2 = paper.grid("Table 2")
    p_of_even = stats.chisquare(table2[TIERS], axis=1).pvalue  # by model
    best = solved.drop_duplicates("model").set_index("model")["rho"]
    pair = best.reindex(["Claude-3-Opus", "GPT-4-2024-04-09"])
    return {
        "tiers": len(TIERS),
        "two_alone": Rounded(pair.max(), pair.min(), pair.max()),  # the correlation of two models
        "beating": (table2["SRC"] > human.max()).sum(),  # models above the best criterion of people
        "uneven": (p_of_even < SIGNIFICANT).sum(),  # models that do not use the tiers equally often
    }


def claims_on_subsets(paper):
    """Return what Tables 2, 3, 7 and 8 say about how 15 of 90 poems are drawn, ranked and tested,
    and how often judges were asked."""
    ranked = runs(paper, RANKED)  # poems x runs
    tier = paper.grid("Table 2")["Total"].max() / len(TIERS)  # poems in a tier
    drawn = len(ranked) / len(TIERS)
    criteria = len(paper.grid("Table 3"))
    rows = paper.grid("Table 7").index
    scorings = {row.split(" / ")[0] for row in rows}  # places, scores
    models = {row.split(" / ")[1].removesuffix(" 15n") for row in paper.grid("Table 8").index}
    fewest, most = extremes()
    known = {
        "tier": tier,
        "drawn": drawn,  # poems of a tier in a subset
        "probability": drawn / tier,
        "expected": paper.stated("trials") * drawn / tier,  # subsets with a poem
        "fewest": fewest,  # subsets with the poem that is drawn least
        "most": most,  # and with the one that is drawn most
        "second": ranked.max().min() - 1,  # the number of the second place: one less than the first
        "alpha": SIGNIFICANT / criteria,
        "other_criteria": criteria - 1,
        "models": len(models),
        "scorings": len(scorings),
        "evaluations": len(models) * len(scorings) * ranked.shape[1] * criteria,
    }
    return known | poem_ids(rows, int(tier), drawn)


def claims_on_people(paper):
    """Return what Tables 1 and 3 say about the claims on criteria (section 3, Table 1)."""
    people = paper.table("Table 1")["SRC"]
    p = paper.grid("Table 1")["p-value"]
    src = paper.grid("Table 3").filter(like="SRC")
    products = src.loc["Innovativeness"] * src.loc["Similarity"]
    clearly_negative = (people.mid < 0) & (p < SIGNIFICANT)
    return {
        "quality_to_value": people["Value"] - people["Quality"],
        "same_sign": (products > 0).sum(),  # methods that give the two criteria the same sign
        "methods": len(products),
        "exceptions": (~clearly_negative).sum(),  # criteria without a clearly negative one
    }


def claims_on_places(paper):
    """Return in how many cases places beat scores, and 15 poems 90, as sections 7.3 to 8 claim."""
    src = paper.grid("Table 3")
    gain_by_place = src["Claude-3 15n / SRC"] - src["Claude-3 90n / SRC"]  # by criterion
    gain_by_score = src["Claude-3 15 / SRC"] - src["Claude-3 90 / SRC"]
    matches = match_rows(paper, TESTS)
    # does the row that Table 7's caption names print, in all TESTS, what the answers give?
    named_rightly = [matches.at[row, method] == len(TESTS) for method, row in NAMED.items()]
    return {
        "won_by_places": count_won(paper.grid("Table 6"), ["F-value"], ["p-value"]),
        "won_in_table8": count_won(paper.grid("Table 8"), F_VALUES, P_VALUES),
        "won_by_15": (gain_by_place > 0).sum() + (gain_by_score > 0).sum(),
        "sets_named": sum(named_rightly),
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


def extremes(counts=POEMS, trials=SUBSETS, p=DRAWN, level=NEARLY_ALL):
    """Return (fewest, most): where the smallest and the largest of binomial counts lie with
    probability `level`; each Rounded without a mid.

    As section 7.3 draws its subsets, the poem that is drawn least is in 4 to 11 of them.
    """
    k = np.arange(trials + 1)
    smallest_at_most_k = 1 - stats.binom.sf(k, trials, p) ** counts
    largest_at_most_k = stats.binom.cdf(k, trials, p) ** counts
    tail = (1 - level) / 2
    both = []
    for distribution in (smallest_at_most_k, largest_at_most_k):
        low = int((distribution < tail).sum())
        high = int((distribution < 1 - tail).sum())
        both.append(Rounded(np.nan, low, high))
    return both


def every_case(paper):
    """Return the claims on scorings and batch sizes (section 7.3, Tables 3 and 6), case by case,
    with a sign test: claim, cases, held, ties, sign test p; ties count on neither side of it."""
    src = paper.grid("Table 3").filter(like="SRC")
    by_place = src.filter(like="n /")
    by_score = src[by_place.columns.str.replace("n /", " /")]
    f = paper.grid("Table 6")["F-value"]
    f_by_place = f[f.index.str.contains("n / ")]
    f_by_score = f[f_by_place.index.map(score_row)]
    batches, places = "batches of 15 beat batches of 90", "places beat scores from 1 to 5"
    claims = {  # what is claimed to be higher than what
        f"{batches}, places (correlation)": (src["Claude-3 15n / SRC"], src["Claude-3 90n / SRC"]),
        f"{batches}, scores from 1 to 5 (correlation)": (
            src["Claude-3 15 / SRC"],
            src["Claude-3 90 / SRC"],
        ),
        f"{places} (correlation)": (by_place, by_score),
        f"{places} (F between tiers)": (f_by_place, f_by_score),
    }
    rows = []
    for claim, (higher, lower) in claims.items():
        gain = higher.to_numpy() - lower.to_numpy()
        held, lost = int((gain > 0).sum()), int((gain < 0).sum())
        p = stats.binomtest(held, held + lost).pvalue
        rows.append((claim, gain.size, held, gain.size - held - lost, p))
    return pd.DataFrame(rows, columns=["claim", "cases", "held", "ties", "sign test p"])
