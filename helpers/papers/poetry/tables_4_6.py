"""The poetry-ranking paper, Tables 4 and 6: tiers compared by analyses of variance.

A row is a criterion (Table 4), or a method and a criterion (Table 6). It prints what 30 poems of
each tier got on average, and the analysis of variance that compares the tiers:

    row                          Good   Medium  Bad   F-value  p-value
    Claude-3-Opus 15n / Quality  11.65  9.06    3.33  132.23   4.2e-27

Methods whose name ends in 15n or 90n rank lists of 15 or 90 poems: their means are of positions (15
or 90 is the best), which add up to what the lists fix. The others score each poem from 1 to 5. F
and p follow from each other, and the paper claims Good > Medium > Bad in every row.
"""

import numpy as np
import pandas as pd

from helpers.audit.attainable import f_of_p, p_of_f
from helpers.audit.checks import CLAIM, SAME
from helpers.papers.poetry.table2 import SIZE, TIERS
from helpers.sources.published import Rounded

ORDER = "mean in the order claimed, Good > Medium > Bad"
DF1, DF2 = 2, 87  # three tiers, 90 poems
GROUPS = "three groups, 90 poems"
MEAN_OF_15, MEAN_OF_90 = 8, 45.5  # the mean position in a list of 15, of 90


def check(paper):
    """Check Tables 4 and 6: p from F(2, 87), F from p, tier means by the design of the lists."""
    check_copies(paper)
    for table in ("Table 4", "Table 6"):
        check_tests(paper, table)
        check_means(paper, table)


def check_copies(paper):
    """Check that Table 4 repeats rows of Table 6."""
    table4 = paper.grid("Table 4")
    copied = table4.add_prefix("Claude-3-Opus 15n / ", axis=0)
    paper.check("Table 6", copied, SAME)
    source = paper.grid("Table 6").loc[copied.index].set_axis(table4.index)
    paper.check("Table 4", source, SAME)


def check_tests(paper, table):
    """Check F and p of one table by each other."""
    cells = paper.table(table)
    p = p_of_f(cells["F-value"], DF1, DF2)
    how = f"the p-value that belongs to the printed F: {GROUPS}"
    paper.check(table, p.to_frame("p-value"), how)
    copied = rows_with_a_copied_p(paper, table)
    f = f_of_p(cells["p-value"].drop(copied), DF1, DF2)
    how = f"F computed back from the printed p: {GROUPS} (input checked)"
    paper.check(table, f.to_frame("F-value"), how)
    for row in copied:
        reason = "the p-value beside it is another row's; no other number fixes F"
        paper.leave_open((table, row, "F-value"), reason)


def rows_with_a_copied_p(paper, table):
    """Return the rows of a table whose p does not belong to their F and stands twice in Table 6.

    The p-values of the table must have been checked.
    """
    printed_in_table6 = [
        paper.text("Table 6", row, "p-value") for row in paper.grid("Table 6").index
    ]
    copied = []
    for row in paper.grid(table).index:
        p = paper.text(table, row, "p-value")
        is_wrong = not paper.checked[table, row, "p-value"].holds
        if is_wrong and printed_in_table6.count(p) > 1:
            copied.append(row)
    return copied


def check_means(paper, table):
    """Check the means of the tiers: positions in lists of 15 or 90 poems, or scores."""
    cells = paper.table(table)
    method = cells.mid.index.str.partition(" / ").get_level_values(0)
    is_of_15 = method.str.endswith("15n") | (table == "Table 4")
    is_of_90 = method.str.endswith("90n")
    is_score = ~is_of_15 & ~is_of_90
    f = cells.mid.loc[is_of_15, "F-value"]
    check_order(paper, table, cells.mid.loc[~is_score, TIERS])
    check_lists_of_15(paper, table, cells.at(is_of_15, TIERS), f)
    check_lists_of_90(paper, table, cells.at(is_of_90, TIERS))
    check_scores(paper, table, cells.mid.loc[is_score])


def check_order(paper, table, means):
    """Contradict the means that do not stand in the order claimed; means: rows x TIERS."""
    paper.contradict(table, ~in_order(means), f"{CLAIM}{ORDER}")


def check_lists_of_15(paper, table, means, f):
    """Check mean positions in lists of 15: the three add up to 24, nearly, as some poems are drawn
    into more lists than others.

    means: rows x TIERS, Rounded; f: the Fs of these rows.
    """
    how = f"{tell_rest(MEAN_OF_15)} (within three standard deviations, as poems appear unequally"
    how += " often)"
    variance_within = SIZE * means.mid.var(axis=1) / f
    sd = appearance_sd(variance_within)
    average = MEAN_OF_15 + Rounded(0 * sd, -3 * sd, 3 * sd)
    check_sum(paper, table, means, 3 * average, how)


def check_lists_of_90(paper, table, means):
    """Check mean positions in lists of 90, which hold every poem: the three add up to 136.5. Where
    they do not, at least one is wrong. means: rows x TIERS, Rounded."""
    how = tell_rest(MEAN_OF_90)
    total = means.mid.sum(axis=1)
    is_off = (total - 3 * MEAN_OF_90).abs() > 0.151  # three times half a last place
    ending = "; the three add up to {:g}: at least one is wrong, and nothing printed says which"
    how_where_off = total.map((how + ending).format)
    fails = pd.DataFrame(dict.fromkeys(TIERS, is_off))
    paper.contradict(table, fails, pd.DataFrame(dict.fromkeys(TIERS, how_where_off)))
    check_sum(paper, table, means, 3 * MEAN_OF_90, how)


def tell_rest(average):
    """Return the definition of a tier's mean position as what the other two leave of the sum."""
    sum_of_three = f"{3 * average:g} less the other two means"
    return f"{sum_of_three}, as positions average {average:g} in every list"


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
    """Return for each cell whether it stands to its neighbours as Good > Medium > Bad demands.

    means: rows x TIERS.
    """
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
    holds = is_possible & is_score & in_order(means)
    what = f"{ORDER}, and scores from 1 to 5 can have it at the printed F (input checked)"
    paper.claim(table, holds, what)
