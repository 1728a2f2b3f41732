"""How sharp the audit is: typos and swaps are planted as described, and caught where it can."""

import pandas as pd
import pytest
from audit_kit import one_row

from benchmarks import planted_typos


def tally(paper):
    """Audit three numbers of a made-up table: a + b = sum, and a bound on the spare one."""
    cells = paper.table("T")
    paper.check("T", (cells["a"] + cells["b"]).to_frame("sum"), "sum")
    holds = (cells["spare"].mid < cells["sum"].mid).to_frame("spare")
    paper.claim("T", holds, "below", cells["sum"].mid.to_frame("spare"))
    return paper


@pytest.fixture
def paper():
    """An audited paper whose numbers hold."""
    return tally(one_row(a="2", b="3", sum="5", spare="4"))


@pytest.mark.parametrize(("column", "value"), [("sum", "8"), ("a", "9"), ("spare", "9")])
def test_a_typo_is_caught_at_itself_or_by_a_partner(paper, column, value):
    assert planted_typos.caught(tally, paper, {("T", "r", column): value})


def test_a_cell_changes_places_with_each_other_of_its_row(paper):
    pairs = planted_typos.swaps(paper, [("T", "r", "a")])
    assert [list(pair.values()) for pair in pairs] == [["3", "2"], ["5", "2"], ["4", "2"]]


def test_a_swap_is_caught_where_it_changes_a_sum(paper):
    with_b, with_sum, _ = planted_typos.swaps(paper, [("T", "r", "a")])
    assert planted_typos.caught(tally, paper, with_sum)
    assert not planted_typos.caught(tally, paper, with_b)


def test_shares_of_typos_in_all_are_weighted_by_the_size_of_each_kind():
    planted = pd.DataFrame({"kind": list("xxxxyyyy"), "caught": [True] * 4 + [False] * 4})
    planted = planted.assign(paper="p", verdict="consistent", digit="any")
    sizes = pd.Series({("p", "x", "consistent"): 90, ("p", "y", "consistent"): 10})
    shares = planted_typos.summarise(planted, sizes.rename_axis(["paper", "kind", "verdict"]))
    whole = shares[shares["kind"] == "all"].iloc[0]
    assert whole["verdict"] == "reproduced or consistent"
    assert whole["estimate"] == 0.9
    assert (whole["low"], whole["high"]) == (0.556, 0.985)
    assert (whole["numbers"], whole["n"]) == (100, 8)
