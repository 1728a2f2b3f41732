"""The audit of the poetry-ranking paper: correlations, classification, ANOVA; put together."""

from functools import cache

import numpy as np
import pandas as pd
from scipy import stats

from helpers.audit import poetry_icc, poetry_text
from helpers.audit.attainable import f_of_p, nearest, p_of_f, spearman_p
from helpers.audit.checks import SAME
from helpers.sources.published import Rounded, agrees

TIERS = ["Good", "Medium", "Bad"]
ORDER = "mean in the order claimed, Good > Medium > Bad"
CORRECT = [f"{tier} (correct)" for tier in TIERS]


def audit(paper):
    """Audit the Paper and return it; DataError for a blank cell where a number is needed."""
    paper.refuse_blanks("Table 2", "Table 6", "Table 7")
    solved = solve_confusions(paper)
    check_correlations(paper)
    check_classification(paper, solved)
    check_anova(paper)
    poetry_icc.check_runs(paper)
    poetry_icc.check_reliability(paper)
    paper.facts(poetry_text.facts(paper, solved))
    return paper


@cache
def tier_correlations(size=30):
    """Return every Spearman correlation, sorted, of tiers of `size` poems with a ranking's: both
    sides are coded by tier, so the four corners of the 3 x 3 table of counts decide."""
    n00, n02, n20, n22 = np.indices((size + 1,) * 4).reshape(4, -1)
    n01, n10, n12, n21 = size - n00 - n02, size - n00 - n20, size - n02 - n22, size - n20 - n22
    possible = np.min([n01, n10, n12, n21, size - n01 - n21], axis=0) >= 0
    squares = np.unique((n01 + n10 + n12 + n21 + 4 * (n02 + n20))[possible])
    return np.sort(1 - squares / (2 * 3 * size * np.var([0, 1, 2])))


def check_correlations(paper):
    """Check Tables 1 and 3 (121 correlations of tiers are possible; p follows), Figures 2 and 3."""
    near = "the nearest of the 121 correlations that an order of three tiers of 30 poems can have"
    for table in ("Table 1", "Table 3"):
        exact = nearest(paper.grid(table).filter(like="SRC"), tier_correlations())
        paper.check(table, exact, near)
        exact = exact.rename(columns=lambda name: name.replace("SRC", "p-value"))
        how = "the p-value of the correlation before rounding, {:.4f}, with 90 poems"
        paper.check(table, exact.map(lambda rho: spearman_p(rho, 90)), exact.map(how.format))
    for figure in ("Figure 2", "Figure 3"):
        truth = pd.DataFrame({"SRC": {"GROUND TRUTH": 1.0}})
        paper.check(figure, truth, "Spearman of the ground truth with itself")
        for row in paper.grid(figure).index.drop("GROUND TRUTH"):
            criterion, _, method = row.partition(" / ")
            other = "Table 1", method.capitalize(), "SRC"
            if criterion != "HUMAN":
                method = method or "Claude-3 15n"  # which Figure 2 shows
                method += "" if method[-1] in "0n5" else " 15"  # Figure 3 leaves out the 15
                other = "Table 3", criterion.capitalize(), f"{method} / SRC"
            paper.same((figure, row, "SRC"), other)


def confusions(counts, correct):
    """Return all 3 x 3 tables (truth in rows, 30 each) with these columns and this diagonal."""
    (n00, n11, n22), found = correct, []
    for n01 in range(31 - n00):
        n02 = 30 - n00 - n01
        n21, n12 = counts[1] - n11 - n01, counts[2] - n22 - n02
        table = np.array([[n00, n01, n02], [30 - n11 - n12, n11, n12], [30 - n22 - n21, n21, n22]])
        if table.min() >= 0 and tuple(table.sum(axis=0)) == tuple(counts):
            found.append(table)
    return found


def solve_confusions(paper):
    """Return every confusion table that Table 2's counts allow, the nearest in p first."""
    rows, grid, (truth, assigned) = [], paper.grid("Table 2"), np.indices((3, 3)).reshape(2, 9)
    for model, row in grid.iterrows():
        p_printed, rho_printed = (paper.text("Table 2", model, name) for name in ("p-value", "SRC"))
        for table in confusions(*(row[names].astype(int).tolist() for names in (TIERS, CORRECT))):
            times = table.ravel()
            rho, p = stats.spearmanr(np.repeat(truth, times), np.repeat(assigned, times))
            rows.append((model, table, rho, p, agrees(p_printed, p), agrees(rho_printed, rho)))
    found = pd.DataFrame(rows, columns=["model", "table", "rho", "p", "p agrees", "SRC agrees"])
    return found.sort_values(["p agrees", "SRC agrees"], ascending=False, kind="stable")


def check_classification(paper, solved):
    """Check Table 2: totals, accuracy; counts, SRC and p by the confusion tables they allow."""
    grid = paper.grid("Table 2")
    total, right = grid[TIERS].sum(axis=1), grid[CORRECT].sum(axis=1)
    paper.check("Table 2", total.to_frame("Total"), "sum of the three counts beside it")
    how = "sum of the three correct counts beside it"
    paper.check("Table 2", right.to_frame("Total (correct)"), how)
    how = "share of the 90 poems that are correct, in per cent"
    paper.check("Table 2", (100 * right / total).to_frame("Accuracy"), how)
    tables = solved["model"].value_counts().reindex(grid.index, fill_value=0)
    best = solved.drop_duplicates("model").set_index("model").reindex(grid.index)
    found = grid.assign(**{"SRC": best["rho"], "p-value": best["p"]}).astype(float)
    ambiguous = (tables > 1).map({True: " (of the one that gives the printed p best)", False: ""})
    notes = dict.fromkeys(TIERS + CORRECT, " (input checked)")
    notes["SRC"] = "; this is its correlation" + ambiguous
    notes["p-value"] = "; this is its p-value" + ambiguous
    text = "30 poems of each tier can be given these counts in "
    text += tables.astype(str).where(tables != 1, "one") + (tables == 1).map(
        {True: " way", False: " ways"}
    )
    how = pd.DataFrame({name: text + note for name, note in notes.items()})
    found.loc[tables == 0] = np.inf  # which nothing printed can round
    paper.check("Table 2", found[list(notes)], how)


def appearance_sd(within, tiers=3, size=30, drawn=5, subsets=100):
    """Return the SD of the mean of poems' mean positions, when poems appear unequally often:
    subsets draw `drawn` of `size` poems of each tier (hypergeometric), `within` their variance."""
    share = drawn / size
    spread = subsets * share * (1 - share) * size / (size - 1)  # a tier's counts have a fixed sum
    return np.sqrt(spread * tiers * size * within) / (tiers * drawn * subsets)


def check_anova(paper):
    """Check Tables 4 and 6: p from F(2, 87), F from p, tier means by the design of the lists."""
    printed = [paper.text(*key) for key in paper.keys("Table 6") if key[2] == "p-value"]
    copied = {text for text in printed if printed.count(text) > 1}
    short = paper.grid("Table 4").add_prefix("Claude-3-Opus 15n / ", axis=0)
    paper.check("Table 6", short, SAME)
    short = paper.grid("Table 6").loc[short.index].set_axis(paper.grid("Table 4").index)
    paper.check("Table 4", short, SAME)
    for table in ("Table 4", "Table 6"):
        cells = paper.table(table)
        p = p_of_f(cells["F-value"], 2, 87).to_frame("p-value")
        paper.check(table, p, "the p-value that belongs to the printed F: three groups, 90 poems")
        rows = cells.mid.index
        lost = [row for row in rows if paper.text(table, row, "p-value") in copied]
        lost = [row for row in lost if not paper.found[table, row, "p-value"]["holds"]]
        f = f_of_p(cells["p-value"].drop(lost), 2, 87).to_frame("F-value")
        how = "F computed back from the printed p: three groups, 90 poems (input checked)"
        paper.check(table, f, how)
        for row in lost:
            how = "the p-value beside it is another row's; no other number fixes F"
            paper.note((table, row, "F-value"), None, "none", how, False)
        method = rows.str.partition(" / ").get_level_values(0)
        short, whole = method.str.endswith("15n") | (table == "Table 4"), method.str.endswith("90n")
        check_positions(paper, table, cells.at(short, TIERS), 8, cells.mid.loc[short, "F-value"])
        check_positions(paper, table, cells.at(whole, TIERS), 45.5)
        check_scores(paper, table, cells.mid.loc[~short & ~whole])


def check_positions(paper, table, means, fixed, f=None):
    """Check mean positions: three tiers' add up to 3 x `fixed`; f: where poems appear unequally."""
    how = f"{3 * fixed:g} less the other two means, as positions average {fixed:g} in every list"
    slack = 0
    if f is not None:
        how += " (within three standard deviations, as poems appear unequally often)"
        slack = 9 * appearance_sd(30 * means.mid.var(axis=1) / f)
    total = means.mid.sum(axis=1)
    off = "; the three add up to {:g}: at least one is wrong, and nothing printed says which"
    wrong = (total - 3 * fixed).abs().gt(0.151) & (f is None)
    words = [how + off.format(sum_) * bool(bad) for sum_, bad in zip(total, wrong)]
    hows = pd.DataFrame(dict.fromkeys(TIERS, words), means.mid.index)
    right, unknown = in_order(means.mid), means.mid * np.nan
    paper.check(table, unknown, f"claim: {ORDER}", holds=right.mask(right), bound=False)
    fits = pd.DataFrame(dict.fromkeys(TIERS, ~wrong))
    paper.check(table, unknown, hows, holds=fits.mask(fits), bound=False)
    for tier in TIERS:
        rest = 3 * fixed - means.drop(columns=tier).sum(axis=1)
        rest = (rest + Rounded(0 * slack, -slack, slack)).to_frame(tier)
        paper.check(table, rest, hows[[tier]])


def in_order(means):
    """Return for each cell whether it stands to its neighbours as Good > Medium > Bad demands."""
    upper, lower = means["Good"] > means["Medium"], means["Medium"] > means["Bad"]
    return pd.DataFrame({"Good": upper, "Medium": upper & lower, "Bad": lower})


def check_scores(paper, table, rows):
    """Check mean scores: scores from 1 to 5 can have them with the variance that F implies."""
    means, within = rows[TIERS], 30 * rows[TIERS].var(axis=1) / rows["F-value"]
    fits = ((means - 1) * (5 - means)).ge(within, axis=0) & (means >= 1) & (means <= 5)
    fits &= in_order(means)
    how = f"claim: {ORDER}, and scores from 1 to 5 can have it at the printed F"
    paper.check(table, means * np.nan, f"{how} (input checked)", holds=fits, bound=True)


def by_scoring(paper):
    """Return Table 6's Fs by place and, in the same order, by score."""
    f = paper.grid("Table 6")["F-value"]
    by_place = f[f.index.str.contains("n / ")]
    return by_place, f[by_place.index.map(poetry_text.score_row)]


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
