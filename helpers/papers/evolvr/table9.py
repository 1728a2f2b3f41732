"""*EvolvR*, Table 9: how many examples each step of the filter leaves."""

import numpy as np

from helpers.sources.published import Rounded


def check(paper):
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
