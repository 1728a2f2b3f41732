"""The poetry-ranking paper, Tables 4 and 6: tiers compared by analyses of variance."""

import numpy as np
import pandas as pd

from helpers.audit.attainable import f_of_p, p_of_f
from helpers.audit.checks import SAME
from helpers.papers.poetry.table2 import TIERS
from helpers.sources.published import Rounded

ORDER = "mean in the order claimed, Good > Medium > Bad"


def appearance_sd(within, tiers=3, size=30, drawn=5, subsets=100):
    """Return the SD of the mean of poems' mean positions, when poems appear unequally often:
    subsets draw `drawn` of `size` poems of each tier (hypergeometric), `within` their variance."""
    share = drawn / size
    spread = subsets * share * (1 - share) * size / (size - 1)  # a tier's counts have a fixed sum
    return np.sqrt(spread * tiers * size * within) / (tiers * drawn * subsets)


def check(paper):
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
        lost = [row for row in lost if not paper.checked[table, row, "p-value"].holds]
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
