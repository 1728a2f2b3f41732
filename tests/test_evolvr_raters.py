"""Raters, agreement and ceilings: known answers, and recovery of a simulated truth."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.audit.checks import Paper
from helpers.evolvr import agreement as ag
from helpers.evolvr import ceiling, hanna, raters
from helpers.evolvr.pairwise import pair_up
from helpers.measures.intervals import over_groups
from helpers.sources.public import available

PROMPTS = np.repeat(np.arange(96), 10)


def simulate(rng, severe=1.0, quality=0.7, noise=0.8):
    """Return (arrays, who, true quality): five raters, three of each story, of known severity."""
    truth = 3 + rng.normal(0, quality, (6, len(PROMPTS)))
    who = np.array(
        [rng.choice(5, 3, replace=False, p=[0.35, 0.3, 0.2, 0.1, 0.05]) for _ in PROMPTS]
    )
    effect = severe * np.array([-1.0, 0.5, 1.5, -0.5, 0.0])
    return (
        truth[..., None] + effect[who] + rng.normal(0, noise, (6, *who.shape)),
        np.char.add("r", who.astype(str)),
        truth,
    )


def test_agreement_index_by_hand():
    assert ag.agreement_index([[1, 1, 1], [5, 5, 5]]) == 1.0
    assert ag.agreement_index([[1, 3, 5]]) == pytest.approx(1 / (1 + np.sqrt(8 / 3)))
    assert ag.agreement_index([[1, 3, np.nan], [1, np.nan, np.nan]]) == pytest.approx(1 / 2)


@given(st.lists(st.lists(st.integers(1, 5), min_size=3, max_size=3), min_size=2, max_size=20))
@settings(max_examples=60, deadline=None)
def test_index_does_not_depend_on_the_order_of_raters(x):
    x = np.array(x)
    assert ag.agreement_index(x) == pytest.approx(ag.agreement_index(x[:, ::-1]))
    assert 0 < ag.agreement_index(x) <= 1


def test_shuffled_raters_reach_the_index_that_their_scale_gives():
    rng = np.random.default_rng(0)
    luck = rng.integers(1, 6, (400, 3))
    found = ag.shuffled_index(luck, rng)
    assert found["low"] < ag.agreement_index(luck) < found["high"] and found["n"] == 100


def test_differences_are_of_one_rater_wherever_the_slot():
    arrays = np.array([[[1.0, 2, 3], [5, 4, 3]]])
    who = np.array([["x", "y", "z"], ["z", "x", "w"]])
    found = ag.same_rater_differences(arrays, who, np.array([0]), np.array([1]))
    assert found.tolist()[0][0][::2] == [1 - 4, 3 - 5] and np.isnan(found[0, 0, 1])


def test_severity_is_recovered_and_taken_away():
    x, who, truth = simulate(np.random.default_rng(0))
    effects = raters.rater_effects(x, who)
    away = effects.to_numpy() - effects.loc["r4"].to_numpy()
    assert away[:4] == pytest.approx(np.repeat([[-1.0], [0.5], [1.5], [-0.5]], 6, axis=1), abs=0.25)
    assert (
        np.corrcoef(raters.without_severity(x, who).mean(axis=2).ravel(), truth.ravel())[0, 1]
        > 0.82
    )
    found = raters.variances(x, who)
    assert found["stories"].to_numpy() == pytest.approx(np.full(6, 0.49), abs=0.12)
    assert found["rest"].to_numpy() == pytest.approx(np.full(6, 0.64), abs=0.06)
    assert (
        raters.variances(*simulate(np.random.default_rng(0), severe=0)[:2])["severity"].abs() < 0.05
    ).all()


def test_tastes_for_writers_are_found_where_they_are():
    x, who, _ = simulate(np.random.default_rng(9))
    writers = np.arange(len(PROMPTS)) % 10
    assert (raters.variances(x, who, writers)["tastes"].abs() < 0.06).all()
    taste = np.random.default_rng(10).normal(0, 0.7, (6, 10, 5))
    x += taste[:, writers[:, None], np.char.lstrip(who, "r").astype(int)]
    assert raters.variances(x, who, writers)["tastes"].mean() == pytest.approx(0.49, abs=0.15)


def test_the_ceiling_is_the_correlation_of_the_truth():
    kinds, wrong = ["as rated", "without severity"], []
    for seed in range(4):
        x, who, truth = simulate(np.random.default_rng(seed))
        found = raters.ceilings(x, who, PROMPTS).loc[kinds, "estimate"]
        means = [ratings.mean(axis=2).ravel() for ratings in (x, raters.without_severity(x, who))]
        wrong.append(found.to_numpy() - [np.corrcoef(truth.ravel(), mean)[0, 1] for mean in means])
        assert found.iloc[0] < found.iloc[1] - 0.02
    assert np.mean(wrong, axis=0) == pytest.approx([0, 0], abs=0.01)


def test_pairs_by_one_rater_agree_as_stories_do_without_severity():
    x, who, _ = simulate(np.random.default_rng(2), severe=2)
    a, b = pair_up(PROMPTS)

    def everything(ratings):
        return raters.rater_correlation(ratings[0])(np.arange(ratings.shape[1]))

    pairs, stories = (
        everything(ag.same_rater_differences(x, who, a, b)),
        everything(raters.without_severity(x, who)),
    )
    assert pairs == pytest.approx(stories, abs=0.06) and everything(x) < stories - 0.15
    dealt = ag.shuffle_sheets(x, who, np.random.default_rng(3))
    assert abs(everything(ag.same_rater_differences(dealt, who, a, b))) < 0.1
    assert raters.rater_effects(dealt, who).to_numpy() == pytest.approx(
        raters.rater_effects(x, who).to_numpy(), abs=0.4
    )


def test_the_correlation_of_raters_is_that_of_all_pairs_of_them():
    ratings = np.array([[1.0, 2, 4], [3, 3, np.nan], [5, 2, 1], [2, 2, 2]])
    one, other = zip(
        *[
            (r[i], r[j])
            for r in ratings
            for i in range(3)
            for j in range(3)
            if i != j and r[i] + r[j] > 0
        ]
    )
    assert raters.rater_correlation(ratings)(np.arange(4)) == pytest.approx(
        np.corrcoef(one, other)[0, 1]
    )


def test_the_search_finds_the_definition_that_made_the_numbers():
    x, who, _ = simulate(np.random.default_rng(4))
    a, b = pair_up(PROMPTS)
    printed = ag.agreement_index(ag.same_rater_differences(x, who, a, b)).round(3)
    found = ag.search(ag.pair_codings(x, who, a, b), printed)
    assert found.iloc[0][["definition", "of", "matches"]].tolist() == [
        "1 / (1 + mean SD)",
        "same rater: difference",
        6,
    ]
    assert found["matches"].iloc[1] < 6 and len(found) == 840


def test_unnamed_kinds_of_raters_are_found_where_they_are():
    rng = np.random.default_rng(2)
    kinds = rng.permuted(np.tile([-1.0, 0.0, 1.0], (800, 1)), axis=1)
    x = 3 + rng.normal(0, 0.7, (6, 800, 1)) + rng.normal(0, 0.8, (6, 800, 3)) + 1.2 * kinds
    offsets, noise = ceiling.fit_offsets(x, np.random.default_rng(0), starts=3)
    assert noise == pytest.approx(np.full(6, 0.64), abs=0.08)
    assert offsets == pytest.approx(np.repeat([[-1.2], [0], [1.2]], 6, axis=1), abs=0.15)


@pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")
def test_table_8_is_reproduced_for_stories_and_for_pairs():
    sheets, source = hanna.load_annotations()
    arrays, who, stories = hanna.rating_array(sheets)
    printed = Paper("evolvr").grid("Table 8").loc[list(hanna.ASPECTS)]
    assert ag.agreement_index(arrays).round(3).tolist() == printed["Pointwise"].tolist()
    if source == hanna.KNOWN:
        pairs = ag.same_rater_differences(arrays, who, *pair_up(stories["prompt"]))
        assert ag.agreement_index(pairs).round(3).tolist() == printed["Pairwise"].tolist()
        rest = raters.variances(arrays, who)["rest"]
        # an independent computation gave these
        assert rest.round(2).tolist() == [0.85, 0.72, 0.76, 0.77, 0.80, 0.66]


def test_intervals_of_a_ceiling_speak_of_prompts():
    x, who, _ = simulate(np.random.default_rng(5))
    assert raters.ceilings(x, who, PROMPTS)["n"].tolist() == [96, 96]
    assert over_groups(PROMPTS, raters.rater_correlation(x[0]))["n"] == 96


def sheets_of(x, who):
    table = pd.DataFrame(
        [
            {
                "story": story,
                "prompt": PROMPTS[story],
                "system": "s",
                "slot": slot + 1,
                "seconds": 60.0 + slot,
                "rater": who[story, slot],
                **dict(zip(hanna.ASPECTS, x[:, story, slot])),
            }
            for story in range(x.shape[1])
            for slot in range(3)
        ]
    )
    return table


def test_a_rater_who_gives_luck_follows_nobody_and_straight_lines_are_seen():
    x, who, _ = simulate(np.random.default_rng(6))
    x[:, who == "r0"] = np.random.default_rng(7).normal(3, 1, (6, (who == "r0").sum()))
    x[1:, who == "r1"] = x[0, who == "r1"]
    found = raters.profile(sheets_of(x, who))
    assert found.loc["r0", "low"] < 0 < found.loc["r0", "high"] and found.loc["r2", "low"] > 0.1
    assert (
        found["one score throughout"].tolist() == [0, 1, 0, 0, 0]
        and found["median seconds"].between(60, 62).all()
    )
    assert found["sheets"].sum() == who.size


def test_pairs_and_stories_without_severity_are_compared_over_prompts():
    x, who, _ = simulate(np.random.default_rng(8), severe=2)
    between, change = raters.about_pairs(x, who, PROMPTS)
    assert list(change.index) == [*hanna.ASPECTS, "mean of all six"] and (change["n"] == 96).all()
    assert change["estimate"].iloc[-1] == pytest.approx(change["estimate"].iloc[:-1].mean())
    gap = (
        between.xs("pair", level=1)["estimate"]
        - between.xs("story, no severity", level=1)["estimate"]
    )
    assert (
        change["estimate"].to_numpy() == pytest.approx(gap.to_numpy())
        and (change["low"] < 0.02).all()
    )
    assert (between.xs("story", level=1)["high"] < between.xs("pair", level=1)["low"]).all()
