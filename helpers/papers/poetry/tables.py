"""The poetry-ranking paper, Tables 1 to 4, 6 and 7, Figures 2 and 3.

90 poems are of three tiers, 30 good, 30 medium, 30 bad. Table 1 and 3 correlate judgements with the
tiers (the figures repeat them), Table 2 has models sort the poems into tiers. A row of Tables 4 and
6 is a criterion, or a method and a criterion: what the poems of each tier got on average, and the
analysis of variance that compares the tiers:

    row                          Good   Medium  Bad   F-value  p-value
    Claude-3-Opus 15n / Quality  11.65  9.06    3.33  132.23   4.2e-27

Methods whose name ends in 15n or 90n rank lists of 15 or 90 poems: their means are of positions (15
or 90 is the best), which add up to what the lists fix. The others score each poem from 1 to 5. F
and p follow from each other, and the paper claims Good > Medium > Bad in every row. Table 7 has ten
runs of two methods on the same 15 poems.
"""

from functools import cache

import numpy as np
import pandas as pd
from scipy import stats

from helpers.audit.attainable import f_of_p, nearest, p_of_f, spearman_p
from helpers.audit.checks import CLAIM, SAME
from helpers.sources.published import Rounded, agrees

TIERS = ["Good", "Medium", "Bad"]
CORRECT = [f"{tier} (correct)" for tier in TIERS]
SIZE, POEMS = 30, 90  # poems in a tier, in all
ORDER = "mean in the order claimed, Good > Medium > Bad"
DF1, DF2 = len(TIERS) - 1, POEMS - len(TIERS)
GROUPS = f"three groups, {POEMS} poems"
MEAN_OF_15, MEAN_OF_90 = 8, 45.5  # the mean position in a list of 15, of 90
RANKED, SCORED = "Claude-3-Opus 15n", "Claude-3-Opus 15"  # the methods of Table 7


def check_correlations(paper):
    """Check Tables 1 and 3 (121 correlations of tiers are possible; p follows), and that Figures 2
    and 3 repeat them."""
    for table in ("Table 1", "Table 3"):
        exact = nearest(paper.grid(table).filter(like="SRC"), tier_correlations())
        how = "the nearest of the 121 correlations that an order of three tiers of 30 poems can"
        paper.check(table, exact, f"{how} have")
        exact = exact.rename(columns=lambda name: name.replace("SRC", "p-value"))
        how = f"the p-value of the correlation before rounding, {{:.4f}}, with {POEMS} poems"
        p = exact.map(lambda rho: spearman_p(rho, POEMS))
        paper.check(table, p, exact.map(how.format))
    for figure in ("Figure 2", "Figure 3"):
        with_itself = pd.DataFrame({"SRC": {"GROUND TRUTH": 1.0}})
        paper.check(figure, with_itself, "Spearman of the ground truth with itself")
        for row in paper.grid(figure).index.drop("GROUND TRUTH"):
            paper.same((figure, row, "SRC"), source_of(row))


@cache
def tier_correlations(size=SIZE):
    """Return every Spearman correlation, sorted, of tiers of `size` poems with a ranking's: both
    sides are coded by tier, so the four corners of the 3 x 3 table of counts decide."""
    # n01: poems of tier 0 that the ranking puts in tier 1
    n00, n02, n20, n22 = np.indices((size + 1,) * 4).reshape(4, -1)
    n01 = size - n00 - n02
    n10 = size - n00 - n20
    n12 = size - n02 - n22
    n21 = size - n20 - n22
    n11 = size - n01 - n21
    is_possible = np.min([n01, n10, n11, n12, n21], axis=0) >= 0
    squares = n01 + n10 + n12 + n21 + 4 * (n02 + n20)  # of the differences in tier
    squares = np.unique(squares[is_possible])
    # of two lists with one mean and one variance, r = 1 - mean squared difference / (2 variance)
    variance = np.var([0, 1, 2])  # of the tiers, on either side
    return np.sort(1 - squares / (2 * 3 * size * variance))


def source_of(row):
    """Return the key of the cell in Table 1 or 3 that a row of Figure 2 or 3 copies."""
    criterion, _, method = row.partition(" / ")
    if criterion == "HUMAN":
        return "Table 1", method.capitalize(), "SRC"
    if method == "":  # which Figure 2 leaves out
        method = "Claude-3 15n"
    # "Claude-3" is "Claude-3 15" of Table 3; "Claude-3 15n" and "Claude-3 90" stand as they are
    if not method.endswith(("15", "90", "n")):
        method += " 15"
    return "Table 3", criterion.capitalize(), f"{method} / SRC"


# ── Table 2: poems sorted into three tiers ────────────────────────────────────────────────────────


def check_sorting(paper, solved):
    """Check Table 2: totals, accuracy; counts, SRC and p by the confusion tables they allow.

    solved: as `solve_confusions` returns it.
    """
    grid = paper.grid("Table 2")
    total, correct = grid[TIERS].sum(axis=1), grid[CORRECT].sum(axis=1)
    paper.check("Table 2", total.to_frame("Total"), "sum of the three counts beside it")
    how = "sum of the three correct counts beside it"
    paper.check("Table 2", correct.to_frame("Total (correct)"), how)
    how = "share of the 90 poems that are correct, in per cent"
    paper.check("Table 2", (100 * correct / total).to_frame("Accuracy"), how)

    ways = solved["model"].value_counts().reindex(grid.index, fill_value=0)
    best = solved.drop_duplicates("model").set_index("model").reindex(grid.index)
    computed = grid[[*TIERS, *CORRECT]].astype(float)
    computed[["SRC", "p-value"]] = best[["rho", "p"]]
    computed.loc[ways == 0] = np.inf  # which nothing printed can round
    counted = ways.map(lambda n: "one way" if n == 1 else f"{n} ways")
    phrase = "30 poems of each tier can be given these counts in " + counted
    which = (ways > 1).map({True: " (of the one that gives the printed p best)", False: ""})
    how = {name: phrase + " (input checked)" for name in (*TIERS, *CORRECT)}
    how["SRC"] = phrase + "; this is its correlation" + which
    how["p-value"] = phrase + "; this is its p-value" + which
    paper.check("Table 2", computed, pd.DataFrame(how))


def solve_confusions(paper):
    """Return every confusion table that Table 2's counts allow, the nearest in p first: model,
    table (3 x 3, truth in rows), rho, p, and whether the printed p and SRC agree."""
    grid = paper.grid("Table 2")
    rows = []
    for model in grid.index:
        counts = grid.loc[model, TIERS].astype(int).tolist()
        correct = grid.loc[model, CORRECT].astype(int).tolist()
        for table in confusions(counts, correct):
            rho, p = correlate(table)
            p_agrees = agrees(paper.text("Table 2", model, "p-value"), p)
            rho_agrees = agrees(paper.text("Table 2", model, "SRC"), rho)
            rows.append((model, table, rho, p, p_agrees, rho_agrees))
    names = ["model", "table", "rho", "p", "p agrees", "SRC agrees"]
    solved = pd.DataFrame(rows, columns=names)
    return solved.sort_values(["p agrees", "SRC agrees"], ascending=False, kind="stable")


def confusions(counts, correct):
    """Return all 3 x 3 tables (truth in rows, 30 each) with these column sums and this diagonal."""
    n00, n11, n22 = correct
    tables = []
    for n01 in range(SIZE + 1 - n00):  # poems of tier 0 that are put in tier 1
        n02 = SIZE - n00 - n01
        n21 = counts[1] - n11 - n01
        n12 = counts[2] - n22 - n02
        n10 = SIZE - n11 - n12
        n20 = SIZE - n22 - n21
        table = np.array([[n00, n01, n02], [n10, n11, n12], [n20, n21, n22]])
        has_these_sums = tuple(table.sum(axis=0)) == tuple(counts)
        if table.min() >= 0 and has_these_sums:
            tables.append(table)
    return tables


def correlate(table):
    """Return (Spearman's rho, p) of the poems that a 3 x 3 table counts."""
    truth, assigned = np.indices((3, 3)).reshape(2, 9)
    times = table.ravel()
    return stats.spearmanr(np.repeat(truth, times), np.repeat(assigned, times))


# ── Tables 4 and 6: tiers compared by analyses of variance ────────────────────────────────────────


def check_variances(paper):
    """Check Tables 4 and 6: p from F(2, 87), F from p, tier means by the design of the lists."""
    table4 = paper.grid("Table 4")
    copied = table4.add_prefix("Claude-3-Opus 15n / ", axis=0)
    paper.check("Table 6", copied, SAME)
    source = paper.grid("Table 6").loc[copied.index].set_axis(table4.index)
    paper.check("Table 4", source, SAME)
    for table in ("Table 4", "Table 6"):
        check_tests(paper, table)
        check_means(paper, table)


def check_tests(paper, table):
    """Check F and p of one table by each other. Where p does not belong to F and stands twice in
    Table 6, it is another row's, and nothing fixes F."""
    cells = paper.table(table)
    p = p_of_f(cells["F-value"], DF1, DF2)
    how = f"the p-value that belongs to the printed F: {GROUPS}"
    paper.check(table, p.to_frame("p-value"), how)
    in_table6 = [paper.text("Table 6", row, "p-value") for row in paper.grid("Table 6").index]
    copied = []
    for row in cells.mid.index:
        key = (table, row, "p-value")
        if not paper.checked[key].holds and in_table6.count(paper.text(*key)) > 1:
            copied.append(row)
            reason = "the p-value beside it is another row's; no other number fixes F"
            paper.leave_open((table, row, "F-value"), reason)
    f = f_of_p(cells["p-value"].drop(copied), DF1, DF2)
    how = f"F computed back from the printed p: {GROUPS} (input checked)"
    paper.check(table, f.to_frame("F-value"), how)


def check_means(paper, table):
    """Check the means of the tiers: positions in lists of 15 or 90 poems, or scores."""
    cells = paper.table(table)
    method = cells.mid.index.str.partition(" / ").get_level_values(0)
    is_of_15 = method.str.endswith("15n") | (table == "Table 4")
    is_of_90 = method.str.endswith("90n")
    is_score = ~is_of_15 & ~is_of_90
    f = cells.mid.loc[is_of_15, "F-value"]
    in_wrong_order = ~in_order(cells.mid.loc[~is_score, TIERS])
    paper.contradict(table, in_wrong_order, f"{CLAIM}{ORDER}")
    check_lists_of_15(paper, table, cells.at(is_of_15, TIERS), f)
    check_lists_of_90(paper, table, cells.at(is_of_90, TIERS))
    check_scores(paper, table, cells.mid.loc[is_score])


REST = "{:g} less the other two means, as positions average {:g} in every list"  # of a tier's mean


def check_lists_of_15(paper, table, means, f):
    """Check mean positions in lists of 15: the three add up to 24, nearly, as some poems are drawn
    into more lists than others.

    means: rows x TIERS, Rounded; f: the Fs of these rows.
    """
    how = REST.format(3 * MEAN_OF_15, MEAN_OF_15)
    how += " (within three standard deviations, as poems appear unequally often)"
    sd = appearance_sd(SIZE * means.mid.var(axis=1) / f)
    average = MEAN_OF_15 + Rounded(0 * sd, -3 * sd, 3 * sd)
    check_sum(paper, table, means, 3 * average, how)


def check_lists_of_90(paper, table, means):
    """Check mean positions in lists of 90, which hold every poem: the three add up to 136.5. Where
    they do not, at least one is wrong. means: rows x TIERS, Rounded."""
    how = REST.format(3 * MEAN_OF_90, MEAN_OF_90)
    total = means.mid.sum(axis=1)
    is_off = (total - 3 * MEAN_OF_90).abs() > 0.151  # three times half a last place
    ending = "; the three add up to {:g}: at least one is wrong, and nothing printed says which"
    how_where_off = total.map((how + ending).format)
    fails = pd.DataFrame(dict.fromkeys(TIERS, is_off))
    paper.contradict(table, fails, pd.DataFrame(dict.fromkeys(TIERS, how_where_off)))
    check_sum(paper, table, means, 3 * MEAN_OF_90, how)


def check_sum(paper, table, means, total, how):
    """Check each tier's mean by the other two.

    means: rows x TIERS, Rounded; total: what the three add up to, a number or a Rounded column.
    """
    for tier in TIERS:
        others = means.drop(columns=tier).sum(axis=1)
        paper.check(table, (total - others).to_frame(tier), how)


def appearance_sd(variance, tiers=3, size=SIZE, drawn=5, subsets=100):
    """Return the SD of the mean over all positions, where each of `subsets` lists draws `drawn` of
    the `size` poems of each tier, so that poems appear unequally often (hypergeometric).

    variance: of the poems' mean positions within a tier, a number or a column. In symbols

        mean over all positions = sum over poems of (count x mean position) / positions

    where only the counts vary: how many lists a poem is in, with variance subsets x share x (1 -
    share). A tier's counts have a fixed sum: what one poem has more, the others of its tier have
    less. So only a poem's difference from its tier's mean counts, and it does so by size / (size -
    1), as the counts of two poems run against each other.
    """
    poems = tiers * size
    positions = tiers * drawn * subsets
    share = drawn / size
    variance_of_counts = subsets * share * (1 - share) * size / (size - 1)
    return np.sqrt(variance_of_counts * poems * variance) / positions


def in_order(means):
    """Return for each cell whether it stands to its neighbours as Good > Medium > Bad demands;
    means: rows x TIERS."""
    good_leads = means["Good"] > means["Medium"]
    medium_leads = means["Medium"] > means["Bad"]
    both = good_leads & medium_leads
    return pd.DataFrame({"Good": good_leads, "Medium": both, "Bad": medium_leads})


def check_scores(paper, table, rows):
    """Check mean scores: scores from 1 to 5 can have them with the variance that F implies.

    rows: of the table, the means of TIERS and F-value.
    """
    means = rows[TIERS]
    variance_within = SIZE * means.var(axis=1) / rows["F-value"]
    largest_variance = (means - 1) * (5 - means)  # of scores that are all 1 or 5
    is_possible = largest_variance.ge(variance_within, axis=0)
    is_score = (means >= 1) & (means <= 5)
    what = f"{ORDER}, and scores from 1 to 5 can have it at the printed F (input checked)"
    paper.claim(table, is_possible & is_score & in_order(means), what)


# ── Table 7: ten runs of two methods on the same 15 poems ─────────────────────────────────────────


def runs(paper, method):
    """Return one matrix of Table 7, 15 poems x 10 runs; method: RANKED or SCORED."""
    grid = paper.grid("Table 7").drop(columns="Average Score")
    matrix = grid[grid.index.str.startswith(f"{method} / ")]
    return matrix.rename(index=lambda row: row.partition(" / ")[2])


def check_runs(paper):
    """Check Table 7: each cell from its row's average; a run has each position once, and its scores
    follow its positions."""
    places, scores = runs(paper, RANKED), runs(paper, SCORED)
    each_once = np.arange(1, len(places) + 1)[:, None]
    is_ranking = (np.sort(places, axis=0) == each_once).all(axis=0)  # by run
    all_fit = pd.DataFrame(True, places.index, places.columns) & is_ranking
    both = {
        RANKED: (places, all_fit, "each run ranks every poem once"),
        SCORED: (
            scores,
            in_step(places, scores),
            "within a run no score rises as places fall, and both 1 and 5 are used",
        ),
    }
    for method, (matrix, fits, phrase) in both.items():
        fits = fits.loc[matrix.index].add_prefix(f"{method} / ", axis=0)
        matrix = matrix.add_prefix(f"{method} / ", axis=0)
        average = paper.grid("Table 7").loc[matrix.index, "Average Score"]
        mean = matrix.mean(axis=1).to_frame("Average Score")
        paper.check("Table 7", mean, "mean of the ten runs")
        rest = matrix.add(10 * average - matrix.sum(axis=1), axis=0)
        what = f"ten times the average, less the other nine runs; {phrase} (input checked)"
        paper.claim("Table 7", fits & np.isclose(rest, matrix), what, rest, bound=False)


def in_step(places, scores):
    """Return for each score of Table 7 whether its run holds together: no poem with a lower place
    has a higher score, none with a higher place a lower one, and the run uses 1 and 5.

    places, scores: poems x runs; a higher place (15 is the first) is better, as a score is.
    """
    places = places.loc[scores.index]
    fits = pd.DataFrame(True, scores.index, scores.columns)
    for run in scores.columns:
        place, score = places[run].to_numpy(), scores[run].to_numpy()
        below = place[:, None] < place  # poems x poems: the row's poem stands below the column's
        above_but_worse = below & (score[:, None] > score)
        is_off = above_but_worse.any(axis=0) | above_but_worse.any(axis=1)
        uses_both_ends = score.min() == 1 and score.max() == 5
        fits[run] = ~is_off & uses_both_ends
    return fits
