"""The poetry-ranking paper, Tables 4 and 6: tiers compared by analyses of variance."""

import numpy as np
import pandas as pd

from helpers.audit.attainable import f_of_p, p_of_f
from helpers.audit.checks import CLAIM, SAME
from helpers.papers.poetry.table2 import SIZE, TIERS
from helpers.sources.published import Rounded

ORDER = "mean in the order claimed, Good > Medium > Bad"
DF1, DF2 = 2, 87  # three tiers, 90 poems
GROUPS = "three groups, 90 poems"


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
        how = "the p-value beside it is another row's; no other number fixes F"
        paper.leave_open((table, row, "F-value"), how)


def rows_with_a_copied_p(paper, table):
    """Return the rows of a table whose p does not belong to their F and stands twice in Table 6."""
    printed = [paper.text("Table 6", row, "p-value") for row in paper.grid("Table 6").index]
    rows = []
    for row in paper.grid(table).index:
        is_wrong = not paper.checked[table, row, "p-value"].holds
        if is_wrong and printed.count(paper.text(table, row, "p-value")) > 1:
            rows.append(row)
    return rows


def check_means(paper, table):
    """Check the means of the tiers: positions in lists of 15 or 90 poems, or scores."""
    cells = paper.table(table)
    method = cells.mid.index.str.partition(" / ").get_level_values(0)
    lists_of_15 = method.str.endswith("15n") | (table == "Table 4")
    lists_of_90 = method.str.endswith("90n")
    f = cells.mid.loc[lists_of_15, "F-value"]
    check_positions(paper, table, cells.at(lists_of_15, TIERS), 8, f)
    check_positions(paper, table, cells.at(lists_of_90, TIERS), 45.5)
    check_scores(paper, table, cells.mid.loc[~lists_of_15 & ~lists_of_90])


def check_positions(paper, table, means, average, f=None):
    """Check mean positions: three tiers' add up to three times the average of a list.

    means: rows x TIERS, Rounded; average: of the positions in a list; f: the Fs of the rows where
    poems appear unequally often, so that the sum is only near.
    """
    how = (
        f"{3 * average:g} less the other two means, as positions average {average:g} in every list"
    )
    total = means.mid.sum(axis=1)
    is_off = pd.Series(False, total.index)
    slack = 0
    if f is None:
        is_off = (total - 3 * average).abs().gt(0.151)
    else:
        how += " (within three standard deviations, as poems appear unequally often)"
        variance_within = SIZE * means.mid.var(axis=1) / f
        slack = 9 * appearance_sd(variance_within)
    how = pd.Series(how, total.index)
    off = "; the three add up to {:g}: at least one is wrong, and nothing printed says which"
    how[is_off] += total[is_off].map(off.format)
    how = pd.DataFrame(dict.fromkeys(TIERS, how))
    check_order(paper, table, means.mid)
    paper.contradict(table, pd.DataFrame(dict.fromkeys(TIERS, is_off)), how)
    for tier in TIERS:
        rest = 3 * average - means.drop(columns=tier).sum(axis=1)
        rest = rest + Rounded(0 * slack, -slack, slack)
        paper.check(table, rest.to_frame(tier), how)


def check_order(paper, table, means):
    """Contradict the means that do not stand in the order claimed; means: rows x TIERS."""
    paper.contradict(table, ~in_order(means), f"{CLAIM}{ORDER}")


def appearance_sd(within, tiers=3, size=SIZE, drawn=5, subsets=100):
    """Return the SD of the mean of poems' mean positions, when poems appear unequally often:
    subsets draw `drawn` of `size` poems of each tier (hypergeometric), `within` their variance."""
    share = drawn / size
    spread = subsets * share * (1 - share) * size / (size - 1)  # a tier's counts have a fixed sum
    return np.sqrt(spread * tiers * size * within) / (tiers * drawn * subsets)


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
    largest_variance = (means - 1) * (5 - means)
    is_possible = largest_variance.ge(variance_within, axis=0)
    is_score = (means >= 1) & (means <= 5)
    fits = is_possible & is_score & in_order(means)
    what = f"{ORDER}, and scores from 1 to 5 can have it at the printed F (input checked)"
    paper.claim(table, fits, what)
