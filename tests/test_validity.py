"""How far a score follows people beside length: known truths come out, order effects are counted by
hand."""

import numpy as np
import pandas as pd
import pingouin as pg
import pytest
from scipy import stats

from helpers import judges
from helpers.measures import validity
from helpers.poetry import graded as poetry
from helpers.poetry.load import load_poems
from helpers.refbased import method as refbased
from helpers.sources.public import available
from helpers.ttcw import ask
from helpers.ttcw import graded as ttcw


def made(weight, n=200, seed=3):
    """Return score, human, words, groups: people follow words, the score follows
    people and words."""
    rng = np.random.default_rng(seed)
    words, own = rng.normal(size=(2, n))
    human = words + own
    return weight * own + words, human, words, np.repeat(np.arange(n // 10), 10)


def test_a_score_that_only_counts_words_has_nothing_left_when_length_is_held():
    rows = validity.beside_length(
        *[
            made(0.0)[k] + 0.3 * (k == 0) * np.random.default_rng(1).normal(size=200)
            for k in range(3)
        ],
        made(0.0)[3],
    )
    assert (
        rows.loc["the judge", "low"] > 0.5
        and abs(rows.loc["the judge, length held", "estimate"]) < 0.15
    )
    assert rows.loc["length alone", "estimate"] == pytest.approx(
        stats.spearmanr(*made(0.0)[1:3])[0]
    )


def test_a_score_that_reads_keeps_its_share_and_a_turned_one_is_negative():
    score, *rest = made(0.9)
    assert validity.beside_length(score, *rest).loc["the judge, length held", "low"] > 0.9
    turned = validity.beside_length(-score, *rest)
    assert turned.loc["the judge", "high"] < -0.9 and (turned["n"] == 20).all()


def test_the_partial_correlation_by_hand_and_a_constant_score():
    score, human, words, groups = made(0.3, 60)
    ranks = [stats.rankdata(values) for values in (score, human, words)]
    residuals = [
        column - np.poly1d(np.polyfit(ranks[2], column, 1))(ranks[2]) for column in ranks[:2]
    ]
    found = validity.beside_length(score, human, words, groups).loc[
        "the judge, length held", "estimate"
    ]
    assert found == pytest.approx(np.corrcoef(residuals)[0, 1])
    assert validity.beside_length(np.ones(60), human, words, groups)["estimate"].isna().all()


def test_two_kinds_of_groups_widen_the_interval():
    score, human, words, groups = made(0.3)
    one = validity.beside_length(score, human, words, groups)
    two = validity.beside_length(score, human, words, groups, np.tile(np.arange(10), 20))
    assert (two["high"] - two["low"] >= one["high"] - one["low"] - 1e-12).all()


def test_flips_by_hand():
    found = validity.flips([1, 1, -1, 0, 2], [1, -1, -2, 1, 0])
    assert (found["estimate"], found["n"]) == (pytest.approx(1 / 3), 3)


def test_a_judge_that_always_prefers_the_first_is_turned_by_every_swap():
    table = pd.DataFrame(
        {"group": "g", "writer": ["a", "b"], "test": 1, "plus": [1.0, 2.0], "minus": [1.0, 2.0]}
    )
    rows = refbased.read_order(table)
    # one group has no interval
    assert rows["estimate"].tolist() == [1.0, 1.0, 1.5] and rows["low"].isna().all()
    assert (refbased.mean_preference(table).to_numpy() == 0).all()


def test_a_steady_judge_is_steady_and_its_validity_is_another_thing():
    rng, stories = np.random.default_rng(0), np.repeat(np.arange(12), 14)
    table = pd.DataFrame(
        {
            "story": stories,
            "group": stories // 2,
            "score": np.repeat(np.linspace(0.05, 0.95, 12), 14),
        }
    )
    verdicts = pd.DataFrame({"story": stories, "passed": 11 - stories})
    single, steady, one = ttcw.steadiness(table, verdicts, rng)["estimate"]
    assert 0.5 < single < steady and steady > 0.95 and one < -0.8


@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_the_icc_of_a_mean_over_runs_is_that_of_runs_that_were_drawn():
    rng, stories = np.random.default_rng(1), np.repeat(np.arange(40), 14)
    table = pd.DataFrame(
        {"story": stories, "group": stories, "score": rng.uniform(0.3, 0.8, len(stories))}
    )
    verdicts = pd.DataFrame({"story": stories, "passed": stories % 5})
    said = ttcw.steadiness(table, verdicts, rng, draws=2)["estimate"].iloc[1]
    iccs = []
    for _ in range(60):
        runs = (
            pd.DataFrame(rng.random((len(table), 10)) < table[["score"]].to_numpy(), index=stories)
            .groupby(level=0)
            .mean()
        )
        long = (
            runs.rename_axis("story")
            .reset_index()
            .melt("story", var_name="run", value_name="passed")
        )
        iccs.append(
            pg.intraclass_corr(long, "story", "run", "passed")
            .set_index("Type")
            .loc["ICC(A,k)", "ICC"]
        )
    assert abs(np.mean(iccs) - said) < 0.08


def test_numbers_for_programs_come_back_as_the_rows_that_they_were():
    rows = pd.DataFrame(
        {"the judge": [0.1, 0.0, 0.2, 12.0], "length alone": [0.3, np.nan, 0.4, 12.0]},
        index=["estimate", "low", "high", "n"],
    ).T
    found = validity.from_values(
        validity.to_values({"some stories": rows}) | {"another value": 1.0}
    )
    pd.testing.assert_frame_equal(found.loc["some stories"], rows, check_names=False)


def test_lists_in_the_order_of_the_tiers_follow_them_and_unreadable_ones_are_counted():
    poems = load_poems()

    def by_tier(row, rng):
        if row["item"].endswith("-000"):
            return "I cannot rank these."
        best = sorted(row["shown"], key=lambda i: poems["tier"].cat.codes[i])
        return "\n".join(
            f"{place}. {poems.at[i, 'name']} : {5 - place // 4}" for place, i in enumerate(best, 1)
        )

    valid, rows = poetry.read_lists(
        poems, "simulated/tiers", judges.Options(simulators={"tiers": by_tier})
    )
    assert (valid["estimate"], valid["n"]) == (0.95, 20) and rows.at["the judge", "estimate"] > 0.9
    valid, rows = poetry.read_lists(
        poems, "simulated/mute", judges.Options(simulators={"mute": lambda row, rng: "No."})
    )
    assert valid["estimate"] == 0 and rows["estimate"].isna().all()


@pytest.mark.skipif(not available("ttcw"), reason="needs the open data")
def test_reasons_are_asked_for_on_one_test_a_dimension():
    asked = ask.graded_requests(reasons=True)
    assert asked.groupby("story").size().unique().tolist() == [4] and asked["story"].nunique() == 36
