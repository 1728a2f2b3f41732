"""Agreement and ceilings: known answers, and recovery of a simulated truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.evolvr import ceiling as ec
from helpers.evolvr import hanna
from helpers.evolvr import raters as ea
from helpers.evolvr.pairwise import pair_up
from helpers.sources.public import available


def test_agreement_index_by_hand():
    assert ea.agreement_index([[1, 1, 1], [5, 5, 5]]) == 1.0
    assert ea.agreement_index([[1, 3, 5]]) == pytest.approx(1 / (1 + np.sqrt(8 / 3)))


def test_shuffled_raters_reach_the_index_that_their_scale_gives():
    rng = np.random.default_rng(0)
    luck = rng.integers(1, 6, (400, 3))
    found = ea.shuffled_index(luck, rng)
    assert found["low"] < ea.agreement_index(luck) < found["high"] and found["n"] == 100


def test_pairs_of_one_prompt_agree_as_all_their_differences_do():
    x, prompts = np.random.default_rng(1).normal(size=(12, 3)), np.repeat([0, 1, 2], 4)
    a, b = pair_up(prompts)
    r = np.corrcoef((x[a] - x[b]).T)[np.triu_indices(3, 1)].mean()
    assert ea.slot_correlation(x, prompts)(np.arange(12)) == pytest.approx(r)


def test_the_index_of_pairs_depends_on_their_unit_and_shuffled_raters_follow():
    x = np.random.default_rng(2).integers(1, 6, (2, 60, 3)).astype(float)
    table = ea.compare_codings(x, *pair_up(np.repeat(np.arange(12), 5)), np.random.default_rng(3))
    rise = table.loc["half the difference"] - table.loc["difference"]
    assert (rise > 0.1).all() and abs(rise.diff().iloc[1]) < 0.05


@given(st.lists(st.lists(st.integers(1, 5), min_size=3, max_size=3), min_size=2, max_size=20))
@settings(max_examples=60, deadline=None)
def test_index_does_not_depend_on_the_order_of_raters(x):
    x = np.array(x)
    assert ea.agreement_index(x) == pytest.approx(ea.agreement_index(x[:, ::-1]))
    assert 0 < ea.agreement_index(x) <= 1


def simulate(offsets, rng, stories=800):
    quality = rng.normal(0, 0.7, (6, stories, 1))
    x = 3 + quality + rng.normal(0, 0.8, (6, stories, 3))
    kinds = rng.permuted(np.tile([-1.0, 0.0, 1.0], (stories, 1)), axis=1)
    return x + offsets * kinds


def test_offset_model_recovers_noise_and_beats_the_exchangeable_ceiling():
    rng = np.random.default_rng(2)
    x = simulate(1.2, rng)
    fit = ec.fit_offsets(x, np.random.default_rng(0), starts=3, steps=40)
    assert fit["noise"] == pytest.approx(np.full(6, 0.64), abs=0.08)
    assert fit["log_ratio"] > 100
    true = np.sqrt(0.49 / (0.49 + 0.64 / 3))
    assert ec.ceilings(x, fit["noise"])[:6] == pytest.approx(np.full(6, true), abs=0.04)
    assert (ec.ceilings(x, ec.exchangeable_noise(x))[:6] < true - 0.1).all()


def test_in_a_world_without_kinds_the_exchangeable_ceiling_is_right_and_the_other_too_high():
    dealt, truth = ec.redeal(simulate(0.0, np.random.default_rng(3)), np.random.default_rng(4))
    found = ec.both_models(dealt, np.random.default_rng(0), truth)
    assert found["exchangeable raters"] == pytest.approx(found["truth"], abs=0.03)
    assert found["raters of three kinds"] > found["truth"] - 0.03


def test_search_finds_the_definition_that_made_the_numbers():
    rng = np.random.default_rng(5)
    x = rng.integers(1, 6, (6, 300, 3)).astype(float)
    definitions = ea.spread_definitions() | ea.correlation_definitions()
    printed = [round(float(definitions["mean 1 / (1 + range)"](a)), 3) for a in x]
    assert ea.search(x, printed, definitions).loc[0, "definition"] == "mean 1 / (1 + range)"


@pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")
def test_table_8_pointwise_is_one_over_one_plus_mean_sd():
    arrays, _ = hanna.rating_array(hanna.load_annotations()[0])
    assert [round(float(ea.agreement_index(x)), 3) for x in arrays] == [0.504, 0.484, 0.570, 0.547, 0.565, 0.607]
