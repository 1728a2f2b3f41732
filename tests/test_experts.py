"""What experts share: severity taken out, panels planned, definitions searched, facets of a
verdict."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from helpers.measures import agreement, intervals
from helpers.ttcw import experts


def make_slots(rng, groups=60, severity=3.0, noise=1.0, writer=0.0):
    """Scores of three experts on three stories a group: a shared quality, an expert's severity in
    the group, noise."""
    index = pd.MultiIndex.from_tuples(
        [(g, f"{g}_{w}") for g in range(groups) for w in "ABC"], names=["group", "story"]
    )
    quality = rng.normal(size=(groups, 3, 1)) + writer * np.arange(3)[None, :, None]
    scores = (
        quality
        + severity * rng.normal(size=(groups, 1, 3))
        + noise * rng.normal(size=(groups, 3, 3))
    )
    return pd.DataFrame(scores.reshape(-1, 3), index=index, columns=[1, 2, 3])


def test_severity_hides_agreement_and_its_removal_recovers_the_truth(rng):
    slots = make_slots(rng, groups=800)
    assert experts.correlate_experts(slots)["estimate"] < 0.15
    found = experts.correlate_experts(slots, experts.remove_severity)
    assert found["estimate"] == pytest.approx(0.5, abs=0.06) and found["low"] < 0.5 < found["high"]
    assert experts.remove_severity(slots).groupby("group").mean().abs().to_numpy().max() < 1e-9


def test_what_removing_severity_gains_is_the_difference_of_both_correlations(rng):
    slots, removals = make_slots(rng, groups=800), [experts.remove_severity]
    found = experts.compare_experts(slots, removals, [])
    both = [experts.correlate_experts(slots, *given)["estimate"] for given in (removals, [])]
    assert (
        found["estimate"] == pytest.approx(both[0] - both[1])
        and found["low"] < 0.5 - 1 / 11 < found["high"]
    )
    assert experts.compare_experts(slots, removals, removals)[
        ["estimate", "low", "high"]
    ].tolist() == [0, 0, 0]


def test_writer_means_are_removed(rng):
    slots = experts.remove_writers(make_slots(rng, writer=5.0, severity=0))
    assert (
        slots.mean(axis=1).groupby(slots.index.get_level_values("story").str[-1]).mean().abs().max()
        < 1e-9
    )


def test_permutations_keep_severity_and_break_the_rest(rng):
    slots = experts.remove_severity(make_slots(rng))
    chance = experts.permute_stories(slots, 300, rng)
    null = experts.describe_null(chance, experts.correlate_experts(slots)["estimate"])
    assert abs(null["estimate"]) < 0.02 and null["one-sided p"] == pytest.approx(1 / 301)
    assert null["low"] < null["estimate"] < null["high"]


@pytest.mark.parametrize("removed", [True, False])
def test_consistency_is_the_correlation_with_severity_removed(rng, removed):
    slots = make_slots(rng, groups=12, severity=0 if not removed else 3)
    centred = experts.remove_severity(slots)
    found, r = experts.consistency(centred), agreement.pair_correlation(centred)
    assert found["one"] == pytest.approx(r, abs=1e-6)
    assert found["mean"] == pytest.approx(agreement.average_reliability(r, 3), abs=1e-6)


@given(st.floats(0.01, 0.99), st.floats(0.05, 0.95))
def test_the_needed_experts_are_the_fewest_that_give_the_reliability(r, wanted):
    row = experts.needed_experts(intervals.row(r, -0.1, min(r + 0.005, 1), 12), wanted)
    assert agreement.average_reliability(r, row["estimate"]) >= wanted - 1e-9
    assert row["estimate"] <= 1 or agreement.average_reliability(r, row["estimate"] - 1) < wanted
    assert row["low"] <= row["estimate"] <= row["high"] == np.inf


def test_the_search_knows_every_definition_and_finds_the_right_one(rng):
    rows = [
        (g, f"{g}_A", 3 * g + e, t, bool(rng.integers(2)))
        for g in range(5)
        for e in range(3)
        for t in range(1, 8)
    ]
    rows += [
        (g, f"{g}_B", 3 * g + e, t, bool(rng.integers(2)))
        for g in range(5)
        for e in range(3)
        for t in range(1, 8)
    ]
    table = pd.DataFrame(rows, columns=["group", "story", "expert", "test", "passed"])
    kept = agreement.count_passes(table[table["group"] != 3])
    printed = pd.Series(agreement.fleiss_kappa(kept), kept.columns).round(2)
    found = experts.search_definitions(table, printed)
    assert len(found) == 3 * (2**5 - 1) + 10 + 15 + 1 and found["matches"].is_monotonic_decreasing
    assert (found.iloc[0]["definition"], found.iloc[0]["left_out"], found.iloc[0]["matches"]) == (
        "Fleiss' kappa",
        (3,),
        7,
    )


def test_the_facets_of_a_known_panel_are_found():
    rng = np.random.default_rng(3)
    known = {"story": 1.5, "expert": 1.0, "expert × group": 0.5, "expert × test": 0.8}
    rows = pd.MultiIndex.from_product(
        [range(6), range(3), range(5), range(8)], names=["group", "story", "expert", "test"]
    )
    table = rows.to_frame(index=False)
    table["story"] = table["group"].astype(str) + "_" + table["story"].astype(str)
    units = {
        "story": ["story"],
        "expert": ["expert"],
        "expert × group": ["expert", "group"],
        "expert × test": ["expert", "test"],
    }
    logit = 0.1 * table["test"] - 0.5
    for facet, by in units.items():
        unit = table.groupby(by).ngroup()
        values = rng.normal(size=unit.max() + 1)
        logit = logit + known[facet] * ((values - values.mean()) / values.std())[unit]
    table["passed"] = rng.random(len(table)) < 1 / (1 + np.exp(-logit))
    found = experts.fit_facets(table)
    assert found["levels"].to_dict() == {
        "story": 18,
        "expert": 5,
        "expert × group": 30,
        "expert × test": 40,
    }
    assert found["SD in logits"].to_dict() == pytest.approx(known, abs=0.35)
    assert (
        found["SD in logits"].idxmax() == "story"
        and found["SD in logits"].idxmin() == "expert × group"
    )


def test_the_mean_kappa_of_pairs_and_kappa_without_an_expert_by_hand():
    said = {("a", 1): [1, 1, 0], ("b", 1): [0, 0, 0], ("c", 1): [1, 1, 1], ("d", 1): [0, 1, 0]}
    table = pd.DataFrame(
        [
            (story, "g", slot, test, bool(yes))
            for (story, test), three in said.items()
            for slot, yes in enumerate(three)
        ],
        columns=["story", "group", "expert", "test", "passed"],
    )
    pairs = [
        cohen_kappa_score(*(([three[k] for three in said.values()]) for k in pair))
        for pair in ((0, 1), (0, 2), (1, 2))
    ]
    assert experts.pair_kappas(table).tolist() == pytest.approx([np.mean(pairs)])
    left = experts.leave_one_out(table, "expert", 2)  # two experts agree on a, b and c, not on d
    share = np.mean([yes for three in said.values() for yes in three[:2]])
    chance = share**2 + (1 - share) ** 2
    assert left.item() == pytest.approx((0.75 - chance) / (1 - chance))
