"""The audit of the poetry-ranking paper: complete, and able to fail."""

import itertools

import numpy as np
import pytest
from scipy import stats

from helpers.audit import poetry, poetry_claims, poetry_icc
from helpers.audit.checks import Paper
from helpers.audit.ledger import decide


@pytest.fixture(scope="module")
def printed():
    return poetry.audit(Paper("poetry"))


@pytest.fixture(scope="module")
def verdicts(printed):
    return decide(printed, "04")


def test_every_printed_number_has_one_line(printed, verdicts):
    assert len(verdicts) == len(printed.lines) == 990
    assert (verdicts["verdict"] != "unverifiable").mean() > 0.95


def test_known_contradictions_are_found(verdicts):
    bad = verdicts[verdicts["verdict"] == "inconsistent"]
    keys = set(bad[["table", "row", "column"]].itertuples(index=False, name=None))
    assert ("Table 6", "Claude-3-Opus 90 / Innovativeness", "p-value") in keys
    assert ("Table 2", "GPT-4-2024-04-09", "SRC") in keys
    assert {("Table 6", "Claude-3-Opus 90n / Quality", tier) for tier in poetry.TIERS} <= keys


def test_table_7_belongs_to_one_row_each(printed):
    matches = poetry_icc.match_rows(printed)
    assert matches.eq(9).sum().tolist() == [1, 1]
    assert matches.idxmax().tolist() == ["QUALITY / GPT-4o 15n", "QUALITY / GPT-4o"]


@pytest.mark.parametrize(
    "key,value",
    [
        (("Table 6", "Claude-3-Opus 90n / Poeticness", "Good"), "55.2"),
        (("Table 6", "GPT-4o 15n / Quality", "Bad"), "4.50"),
        (("Table 6", "GPT-4o / Quality", "F-value"), "93.31"),
        (("Table 7", "Claude-3-Opus 15n / Poem 3", "run 4"), "12"),
        (("Table 8", "SIMILARITY / GPT-4o", "ICC3k / p-value"), "1.35e-15"),
        (("Table 8", "POETICNESS / GPT-4o 15n", "ICC1k / F"), "94.58"),
        (("text", "Table 4 caption", "bound far above all p-values"), "0.00"),
        (("text", "6", "models with uneven category distribution"), "3"),
        (("text", "7.3", "observed appearances of a poem, upper"), "45"),
    ],
)
def test_a_changed_digit_is_found(printed, key, value):
    assert printed.found[key]["holds"]
    assert not poetry.audit(printed.changed(key, value)).found[key]["holds"]


def test_p_at_the_lattice_is_sharper(printed):
    keys = [
        key
        for key in printed.keys("Table 1") + printed.keys("Table 3")
        if key[2].endswith("p-value")
    ]
    close = [printed.number(*key) / printed.found[key]["computed"] for key in keys]
    assert len(keys) == 39 and np.all(np.abs(np.log(close)) < 0.06)
    assert poetry_claims.cut_off(printed)["cut"].tolist() == [True] * 3


def test_williams_is_fisher_for_unrelated_rankings():
    assert poetry_claims.williams_p(0.5, 0.5, 0.2, 90) == 1
    assert poetry_claims.williams_p(0.62, 0.38, 0.6, 90) < poetry_claims.williams_p(
        0.62, 0.38, 0.0, 90
    )


def test_confusions_are_what_they_must_be():
    table = np.array([[20, 8, 2], [7, 15, 8], [1, 9, 20]])
    found = poetry.confusions(table.sum(axis=0), np.diag(table))
    assert any((one == table).all() for one in found)
    assert all(
        (one.sum(axis=1) == 30).all() and (one.sum(axis=0) == table.sum(axis=0)).all()
        for one in found
    )
    assert poetry.confusions([30, 30, 30], [31, 0, 0]) == []


def test_icc2k_from_two_f_is_pingouins():
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(15, 1)) + rng.normal(size=(1, 10)) + rng.normal(size=(15, 10))
    table = poetry_icc.icc_table(matrix)
    assert np.isclose(
        poetry_icc.icc2k(table.at["ICC1k", "F"], table.at["ICC2k", "F"]), table.at["ICC2k", "ICC"]
    )


def test_appearance_sd_by_simulation():
    rng = np.random.default_rng(2)
    poems = np.concatenate([rng.permutation(np.linspace(-2, 2, 30)) + tier for tier in (4, 0, -4)])
    within = np.mean([poems[i : i + 30].var() for i in (0, 30, 60)])
    shifts = []
    for _ in range(400):
        counts = np.zeros(90)
        for _ in range(100):
            for tier in range(3):
                counts[tier * 30 + rng.choice(30, 5, replace=False)] += 1
        shifts.append(poems.mean() - poems @ counts / counts.sum())
    assert np.isclose(np.std(shifts), poetry.appearance_sd(within), rtol=0.15)


def test_universal_claims(printed):
    table = poetry_claims.every_case(printed).set_index("claim")
    assert (table["held"] + table["ties"] <= table["cases"]).all()
    assert table.loc["positions raise F in every case (ICC)", "held"] == 30
    assert table.loc["positions raise F in every case (ANOVA)", "held"] == 14


@pytest.mark.parametrize("size", [1, 2])
def test_every_correlation_of_tiers_and_no_other_is_attainable(size):
    truth = np.repeat([0, 1, 2], size)
    brute = {
        round(float(np.corrcoef(truth, order)[0, 1]), 9) for order in itertools.permutations(truth)
    }
    assert {round(float(value), 9) for value in poetry.tier_correlations(size)} == brute


def test_the_lattice_of_ninety_poems_holds_random_rankings_and_not_everything():
    lattice, rng = poetry.tier_correlations(), np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 30)
    for _ in range(50):
        rho = stats.spearmanr(truth, rng.permutation(truth))[0]
        assert np.abs(lattice - rho).min() < 1e-9
    assert (
        lattice.min() == pytest.approx(-1)
        and lattice.max() == pytest.approx(1)
        and (np.diff(lattice) > 0.01).all()
    )


def test_counts_that_no_confusion_table_has_are_a_contradiction_and_no_traceback(printed):
    wrong = poetry.audit(printed.changed(("Table 2", "Claude-3-Opus", "Good"), "93"))
    assert not wrong.found["Table 2", "Claude-3-Opus", "Good"]["holds"]
    assert "these counts: 0" in wrong.found["Table 2", "Claude-3-Opus", "SRC"]["how"]
