"""*EvolvR*, Table 9: how many examples each step of the filter leaves."""

import numpy as np

from helpers.sources.published import Rounded

POOL = "1 / Initial Pool"


def check(paper):
    """Check Table 9: survival rates against counts, counts that fall."""
    left = paper.grid("Table 9")["Remaining"]
    share = 100 * left / left[POOL]
    how = "what remains, divided by the initial pool"
    paper.check("Table 9", share.to_frame("Survival Rate"), how)
    check_counts(paper, left)


def check_counts(paper, left):
    """Check the counts by the rates, and by the count before; left: counts by stage, a Series."""
    rate = paper.table("Table 9")["Survival Rate"]
    cut_off = 2 * rate.high - rate.mid  # the rate may be cut off and not rounded
    rate = Rounded(rate.mid, rate.low, cut_off)
    counts = rate * (left[POOL] / 100)
    how = "the printed rate, rounded or cut off, of the initial pool (input checked)"
    paper.check("Table 9", counts.drop(POOL).to_frame("Remaining"), how)
    before = left.shift()
    falls = left < before.fillna(np.inf)
    what = "fewer are left than at the stage before (input checked)"
    holds = falls.to_frame("Remaining")
    paper.claim("Table 9", holds, what, before.to_frame("Remaining"))
