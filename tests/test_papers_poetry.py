"""The page of the poetry-ranking paper: what its tables allow, recomputed by other means."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.agreement import icc_table
from helpers.audit.checks import Paper
from helpers.papers.poetry import table8, tables, text
from helpers.papers.poetry.tables import RANKED, SCORED


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


def test_impossible_counts_have_no_confusion_table():
    assert tables.confusions([30, 30, 30], [31, 0, 0]) == []


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


@given(st.floats(1, 99), st.floats(1, 99), st.floats(0, 9), st.floats(0, 9))
def test_icc2k_never_falls_where_an_f_rises(f1, f2, more1, more2):
    assert table8.icc2k(f1 + more1, f2 + more2) >= table8.icc2k(f1, f2) - 1e-12


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


def test_claims_on_every_case_are_counted_case_by_case():
    claims = text.every_case(Paper("poetry"))
    assert claims["cases"].tolist() == [5, 5, 15, 15]
    assert claims["held"].tolist() == [5, 4, 9, 14]
    assert claims["ties"].sum() == 1


@pytest.fixture(scope="module")
def places():
    """Table 7: positions of 15 poems in ten runs."""
    return tables.runs(Paper("poetry"), RANKED)


@pytest.fixture(scope="module")
def scores():
    """Table 7: scores of 15 poems in ten runs."""
    return tables.runs(Paper("poetry"), SCORED)


def swap(scores, poem, pair):
    """Return the scores with two runs of one poem in each other's place."""
    swapped = scores.copy()
    swapped.loc[poem, list(pair)] = scores.loc[poem, list(pair)[::-1]].to_numpy()
    return swapped


def test_in_every_run_of_table_7_no_score_rises_as_places_fall(places, scores):
    assert scores.size == 150
    assert tables.in_step(places, scores).to_numpy().all()


def test_two_scores_that_changed_places_break_their_runs_and_no_other(places, scores):
    pair = ["run 1", "run 2"]
    fits = tables.in_step(places, swap(scores, "Poem 3", pair))
    assert not fits.loc["Poem 3", pair].all()
    assert fits.drop(columns=pair).to_numpy().all()


def test_nine_of_ten_swaps_of_two_runs_break_the_order_of_scores(places, scores):
    pairs = itertools.product(scores.index, itertools.combinations(scores, 2))
    is_noticed = []
    for poem, pair in pairs:
        if scores.at[poem, pair[0]] != scores.at[poem, pair[1]]:
            fits = tables.in_step(places, swap(scores, poem, pair))
            is_noticed.append(not fits.to_numpy().all())
    assert len(is_noticed) == 349
    assert sum(is_noticed) == 315


def test_a_row_whose_name_table_7_gives_to_others_is_remarked_on():
    rows = [*table8.NAMED.values(), "QUALITY / GPT-4o"]
    rows_given = {RANKED: [], SCORED: ["QUALITY / GPT-4o"]}
    remarks = table8.remarks_on_names(rows, rows_given)
    of_scored = remarks.loc[table8.NAMED[SCORED]].unique().tolist()
    of_ranked = remarks.loc[table8.NAMED[RANKED]].unique().tolist()
    begin = "; but the scores that Table 7 prints under this row's name give"
    assert of_scored == [f"{begin} QUALITY / GPT-4o"]
    assert of_ranked == [f"{begin} no row"]
    assert (remarks.loc["QUALITY / GPT-4o"] == "").all()
