"""The audit of the poetry-ranking paper: complete, and able to fail."""

import numpy as np
import pytest

from helpers import audit_poetry, audit_poetry_anova, audit_poetry_claims, audit_poetry_icc, audit_poetry_text
from helpers.audit import Printed
from helpers.ledger import decide


@pytest.fixture(scope="module")
def printed():
    return Printed("poetry")


@pytest.fixture(scope="module")
def verdicts(printed):
    return decide(audit_poetry_text.audit(printed), "04")


def edited(key, value):
    """Return the printed numbers with one of them changed."""
    printed = Printed("poetry")
    assert key in printed._values
    printed._values[key] = value
    printed.lines.loc[(printed.lines[["table", "row", "column"]] == list(key)).all(axis=1), "value"] = value
    return printed


def holds(lines, key):
    """Return whether the line for `key` holds, against the edited value that its check saw."""
    return next(item for item in lines if (item["table"], item["row"], item["column"]) == key)


def test_every_printed_number_has_one_line(printed, verdicts):
    assert len(verdicts) == len(printed.lines) == 990
    assert (verdicts["verdict"] != "unverifiable").mean() > 0.95


def test_known_contradictions_are_found(verdicts):
    bad = verdicts[verdicts["verdict"] == "inconsistent"]
    keys = set(bad[["table", "row", "column"]].itertuples(index=False, name=None))
    assert ("Table 6", "Claude-3-Opus 90 / Innovativeness", "p-value") in keys
    assert ("Table 2", "GPT-4-2024-04-09", "SRC") in keys
    assert {("Table 6", "Claude-3-Opus 90n / Quality", tier) for tier in audit_poetry.TIERS} <= keys


def test_table_7_belongs_to_one_row_each(printed):
    matches = audit_poetry_icc.match_rows(printed)
    assert matches.eq(9).sum().tolist() == [1, 1]
    assert matches.idxmax().tolist() == ["QUALITY / GPT-4o 15n", "QUALITY / GPT-4o"]
    assert audit_poetry_icc.discordant_pairs(printed).sum() == 0


@pytest.mark.parametrize(
    "key,value,part",
    [
        (("Table 6", "Claude-3-Opus 90n / Poeticness", "Good"), "55.2", audit_poetry_anova.anova),
        (("Table 6", "GPT-4o 15n / Quality", "Bad"), "4.50", audit_poetry_anova.anova),
        (("Table 6", "GPT-4o / Quality", "F-value"), "93.31", audit_poetry_anova.anova),
        (("Table 7", "Claude-3-Opus 15n / Poem 3", "run 4"), "12", audit_poetry_icc.matrices),
        (("Table 8", "SIMILARITY / GPT-4o", "ICC3k / p-value"), "1.35e-15", audit_poetry_icc.reliability),
        (("Table 8", "POETICNESS / GPT-4o 15n", "ICC1k / F"), "94.58", audit_poetry_icc.reliability),
    ],
)
def test_a_changed_digit_is_found(printed, key, value, part):
    assert holds(part(printed), key)["holds"]
    assert not holds(part(edited(key, value)), key)["holds"]


def test_p_at_the_lattice_is_sharper(printed):
    lines = [item for item in audit_poetry.correlations(printed) if item["column"].endswith("p-value")]
    close = [printed.number(i["table"], i["row"], i["column"]) / i["computed"] for i in lines]
    assert len(lines) == 39 and np.all(np.abs(np.log(close)) < 0.06)
    assert audit_poetry_claims.cut_off(printed)["cut"].tolist() == [True] * 3


def test_williams_is_fisher_for_unrelated_rankings():
    assert audit_poetry_claims.williams_p(0.5, 0.5, 0.2, 90) == 1
    assert audit_poetry_claims.williams_p(0.62, 0.38, 0.6, 90) < audit_poetry_claims.williams_p(0.62, 0.38, 0.0, 90)


def test_confusions_are_what_they_must_be():
    table = np.array([[20, 8, 2], [7, 15, 8], [1, 9, 20]])
    found = audit_poetry.confusions(table.sum(axis=0), np.diag(table))
    assert any((one == table).all() for one in found)
    assert all((one.sum(axis=1) == 30).all() and (one.sum(axis=0) == table.sum(axis=0)).all() for one in found)
    assert audit_poetry.confusions([30, 30, 30], [31, 0, 0]) == []


def test_icc2k_from_two_f_is_pingouins():
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(15, 1)) + rng.normal(size=(1, 10)) + rng.normal(size=(15, 10))
    table = audit_poetry_icc.icc_table(matrix)
    assert np.isclose(audit_poetry_icc.icc2k(table.at["ICC1k", "F"], table.at["ICC2k", "F"]), table.at["ICC2k", "ICC"])


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
    assert np.isclose(np.std(shifts), audit_poetry_anova.appearance_sd(within), rtol=0.15)


def test_f_of_p_inverts_tiny_tails():
    from scipy import stats

    for f in (3.0, 85.15, 161.46):
        assert np.isclose(audit_poetry_anova.f_of_p(stats.f.sf(f, 14, 126), 14, 126), f)


def test_universal_claims(printed):
    table = audit_poetry_claims.every_case(printed).set_index("claim")
    assert (table["held"] + table["ties"] <= table["cases"]).all()
    assert table.loc["positions raise F in every case (ICC)", "held"] == 30
    assert table.loc["positions raise F in every case (ANOVA)", "held"] == 14
