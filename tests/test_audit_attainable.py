"""What numbers can be at all: what is attainable is found, tails and their inverses agree."""

import numpy as np
import pandas as pd
import pytest
from audit_kit import holds, one_row
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from helpers.audit import attainable
from helpers.sources.published import Rounded


@given(st.integers(1, 300), st.data())
def test_every_share_of_a_count_is_attainable(n, drawn):
    count = drawn.draw(st.integers(0, n))
    paper = one_row(a=f"{100 * count / n:.1f}")
    paper.check("T", attainable.shares(paper.grid("T"), n), "attainable")
    assert holds(paper, "a") == [True]


def test_the_nearest_attainable_number_is_taken_and_nan_stays():
    table = pd.DataFrame({"a": [0.1, np.nan], "b": [0.9, 0.6]})
    closest = attainable.nearest(table, [0, 0.5, 1])
    assert closest.equals(pd.DataFrame({"a": [0.0, np.nan], "b": [1.0, 0.5]}))
    assert attainable.nearest(0.7, [0, 0.5, 1]) == 0.5


@given(st.permutations(range(12)))
def test_p_of_a_rank_correlation_equals_scipy(order):
    rho, p = stats.spearmanr(range(12), order)
    assert attainable.spearman_p(rho, 12) == pytest.approx(p, abs=1e-9)


def test_f_of_p_inverts_p_of_f_with_its_bounds():
    p = attainable.p_of_f(one_row(F="4.26").table("T")["F"], 2, 87)
    back = attainable.f_of_p(p, 2, 87)
    assert (back.low["r"], back.mid["r"], back.high["r"]) == pytest.approx((4.255, 4.26, 4.265))


def test_f_of_p_holds_for_tiny_tails_and_beyond_both_ends():
    tails = pd.Series([stats.f.sf(161.46, 14, 126), 0.0, 1.5])
    f = attainable.f_of_p(Rounded(tails), 14, 126).mid
    assert list(f) == [pytest.approx(161.46), np.inf, 0]
