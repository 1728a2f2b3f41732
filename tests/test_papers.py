"""The audits of the five papers: each gives the committed ledger and notices what is changed; what
their tables allow, recomputed by other means."""

import itertools
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from audit_kit import one_row
from goodjudge.stats import rankings
from scipy import stats

from benchmarks import planted_typos
from helpers.agreement import icc_table
from helpers.audit import ledger
from helpers.audit.checks import Paper
from helpers.audit.facts import read_rules
from helpers.evolvr import benchmarks
from helpers.papers.poetry import table8
from helpers.papers.poetry import tables as of_poems
from helpers.papers.refbased import figures, tables_2_3
from helpers.refbased import rebuild
from helpers.sources.files import DataError
from helpers.sources.public import ROOT, available
from helpers.sources.published import KEY

WHOLE = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)


@cache
def auditor(name):
    """The audit as the notebooks call it."""
    return planted_typos.auditors(name)


@cache
def audited(name):
    """The audited paper, as it is printed."""
    return auditor(name)(Paper(name))


@pytest.mark.parametrize("name", ledger.PAPERS)
def test_an_audit_gives_the_committed_ledger(name):
    lines = ledger.decide(audited(name), "")
    pairs = zip(lines["computed"], lines["value"])
    lines["computed"] = [ledger.ten_digits(*pair) for pair in pairs]
    committed = WHOLE[(WHOLE["paper"] == name) & ~WHOLE["notebook"].isin(["02", "06"])]
    both = lines.merge(committed, "right", KEY, suffixes=("", " committed"), validate="1:1")
    assert len(both) > 0.8 * (WHOLE["paper"] == name).sum()
    for column in ("value", "computed", "basis", "verdict", "how"):
        differs = both[both[column] != both[f"{column} committed"]]
        assert differs.empty, differs.iloc[0].to_dict()


@pytest.mark.parametrize("name", ledger.PAPERS)
def test_every_rule_matches_a_number(name):
    paper = audited(name)
    rules = pd.DataFrame(read_rules(name, paper.folder))
    idle = [not paper.matching(*key) for key in rules[KEY[1:]].itertuples(index=False)]
    assert rules[idle].empty


TTCW, POETRY, SIX = "ttcw", "poetry", "Claude-3-Opus 90n / Poeticness"
RQ = "number of the research question on agreement between experts"
ORIGINALITY = "Claude 3.5 Originality change in"
GROUPS = "groups of the second data set in which GPT-4's story is rated highest"
BATCHES = "cases (of ten: criteria and scorings) in which batches of 15 poems give a higher"
BATCHES += " correlation than 90 (more than)"
PLANTED = [  # numbers whose verdict turns when this is printed
    (TTCW, ("text", "5.1", "New Yorker story length in words (upper)"), "7,207"),
    (TTCW, ("text", "5", "in words: " + RQ), "1"),
    (TTCW, ("Table 9", "Average", "GPT4"), "0.099"),
    ("refbased_v1", ("Figure 2", "claude35", "story_3"), "0.45"),
    ("refbased_v1", ("Figure 3", "gpt-4o_ours", "AVG_pairwise-ACC"), "0.71"),
    ("refbased_v1", ("text", "6", "gain in pairwise accuracy of the hybrid"), "+18%"),
    ("refbased_v1", ("text", "5", f"{ORIGINALITY} rho"), "-78%"),
    ("refbased_v2", ("Table 5", "Qwen-Ours", "Cutoff = -2"), "0.24"),
    ("refbased_v2", ("Table 6", "Analyze-Rate Prompting Only", "Claude 3.5"), "0.13"),
    ("refbased_v2", ("text", "4.1", f'in words: {GROUPS} ("consistently")'), "2"),
    (POETRY, ("Table 2", "Claude-3-Opus", "Good"), "93"),
    (POETRY, ("text", "Table 3 caption", f"in words: {BATCHES}"), "9"),
    (POETRY, ("Table 6", SIX, "Good"), "55.2"),
    (POETRY, ("Table 8", "SIMILARITY / GPT-4o 15n", "ICC2k / p-value"), "2.41e-16"),
    ("evolvr", ("Table 4", "EvolvR GRPO", "Relevance"), "4.5880"),
    ("evolvr", ("Table 15", "B", "A"), "0.984"),
]


@pytest.mark.parametrize(("name", "key", "value"), PLANTED)
def test_the_printed_value_decides(name, key, value):
    before, after = audited(name), auditor(name)(audited(name).changed(key, value))
    assert after.checked[key].holds is not before.checked[key].holds
    assert len(after.checked) > 0.8 * len(before.checked), "a typo never hides the others"


BLANKS = [("evolvr", "Table 15"), (POETRY, "Table 7")]


@pytest.mark.parametrize(("name", "table"), BLANKS)
def test_a_blank_where_a_number_is_needed_is_one_sentence_that_names_the_cell(name, table):
    key = Paper(name).keys(table)[7]
    with pytest.raises(DataError, match=re.escape(f"{' | '.join(key)}: blank; the audit needs")):
        auditor(name)(Paper(name).changed(key, ""))


def test_what_needs_no_reading_is_computed_from_the_files():
    missing = [name for name in ("openmeva", "storyer") if not available(name)]
    if missing:
        pytest.skip(f"the files of {', '.join(missing)} are not on this machine")
    assert benchmarks.tabulate().to_csv(index=False) == benchmarks.FILE.read_text(encoding="utf8")


@pytest.mark.parametrize("size", [1, 2])
def test_every_correlation_of_tiers_and_no_other_is_attainable(size):
    truth = np.repeat([0, 1, 2], size)
    orders = itertools.permutations(truth)
    by_hand = {round(float(np.corrcoef(truth, order)[0, 1]), 9) for order in orders}
    attainable = {round(float(value), 9) for value in of_poems.tier_correlations(size)}
    assert attainable == by_hand


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


HUMAN = (5.0, 3.0, 1.0)  # the experts' scores of three stories


@pytest.mark.parametrize("order", rankings.weak_orders(3))
def test_the_three_numbers_of_any_ranking_hold_and_are_known_exactly(order):
    exact = rankings.cells(HUMAN, rebuild.AT_LEAST)[order]
    fits = figures.fit_three(HUMAN, tuple(round(number, 2) for number in exact))
    assert [fit.holds for fit in fits] == [True, True, True]
    assert [fit.exact for fit in fits] == pytest.approx(exact)
    assert [fit.nearest for fit in fits] == pytest.approx(exact)


def test_a_number_that_no_ranking_gives_beside_the_other_two_does_not_hold():
    fits = figures.fit_three(HUMAN, (1.0, 1.0, 0.67))
    assert [fit.holds for fit in fits] == [True, True, False]
    assert fits[2].nearest == 1, "the other two leave this one"


@pytest.mark.parametrize("stories", [4, 5])
def test_rho_keeps_the_limits_that_a_positive_tau_sets(stories):
    first = range(stories)
    for second in itertools.permutations(first):
        tau = stats.kendalltau(first, second).statistic
        if tau > 0:
            limits = tables_2_3.limits_of_rho(one_row(tau=f"{tau:.2f}").table("T")["tau"])
            rho = stats.spearmanr(first, second).statistic
            assert limits.low["r"] - 1e-9 <= rho <= limits.high["r"] + 1e-9
