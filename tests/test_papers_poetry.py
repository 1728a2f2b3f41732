"""The page of the poetry-ranking paper: what its tables allow, recomputed by other means."""

import itertools

import numpy as np
import pandas as pd
import pytest

from helpers.agreement import icc_table
from helpers.papers.poetry import table8, tables


@pytest.mark.parametrize("size", [1, 2])
def test_every_correlation_of_tiers_and_no_other_is_attainable(size):
    truth = np.repeat([0, 1, 2], size)
    orders = itertools.permutations(truth)
    by_hand = {round(float(np.corrcoef(truth, order)[0, 1]), 9) for order in orders}
    attainable = {round(float(value), 9) for value in tables.tier_correlations(size)}
    assert attainable == by_hand


def test_confusion_tables_have_the_counts_asked_for():
    true_table = np.array([[20, 8, 2], [7, 15, 8], [1, 9, 20]])
    found = tables.confusions(true_table.sum(axis=0), np.diag(true_table))
    assert any((table == true_table).all() for table in found)
    assert all((table.sum(axis=1) == 30).all() for table in found)
    assert all((table.sum(axis=0) == true_table.sum(axis=0)).all() for table in found)
    assert all((np.diag(table) == np.diag(true_table)).all() for table in found)


def test_ranked_rows_are_what_ten_rankings_give():
    rng = np.random.default_rng(3)
    quality = np.arange(15)[:, None] + rng.normal(size=(15, 10))
    ranks = np.argsort(quality, axis=0, kind="stable") + 1
    row = table8.reliability(pd.DataFrame(ranks))
    possible = table8.ranked_rows()
    off = (possible["ICC1k / F"] - row["ICC1k / F"]).abs()
    assert np.allclose(possible.iloc[off.argmin()], row, rtol=1e-9)


def test_icc2k_from_two_f_is_pingouins():
    rng = np.random.default_rng(1)
    poems, runs = rng.normal(size=(15, 1)), rng.normal(size=10)
    table = icc_table(poems + runs + rng.normal(size=(15, 10)))
    f1, f2 = table.at["ICC1k", "F"], table.at["ICC2k", "F"]
    assert np.isclose(table8.icc2k(f1, f2), table.at["ICC2k", "ICC"])


def test_appearance_sd_by_simulation():
    rng = np.random.default_rng(2)
    positions = np.linspace(-2, 2, 30)
    tiers = np.array([rng.permutation(positions) + middle for middle in (4, 0, -4)])
    poems = tiers.ravel()
    shifts = []
    for _ in range(400):
        drawn = rng.random((100, 3, 30)).argsort(axis=2, kind="stable") < 5  # five of each tier
        counts = drawn.sum(axis=0).ravel()
        shifts.append(poems.mean() - poems @ counts / counts.sum())
    variance_within = tiers.var(axis=1).mean()
    assert np.isclose(np.std(shifts), tables.appearance_sd(variance_within), rtol=0.15)
