"""What experts share: kappas, severity taken out, panels planned, definitions searched."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.data.ratings import Ratings, keep_within_writers, subtract_means
from goodjudge.diagnostics import reliability as people
from goodjudge.stats import intervals
from goodjudge.stats.severity import LEARN_FROM, remove_severity
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from helpers import agreement
from helpers.ttcw import experts


def make_ratings(rng, groups=60, severity=3.0, writer=0.0, panels=None):
    """Three experts on three stories per group: a shared quality, an expert's severity (in the
    group; by `panels`, the numbers of each group's experts, in all groups), noise."""
    quality = rng.normal(size=(groups, 3, 1)) + writer * np.arange(3)[None, :, None]
    who = np.arange(3 * groups).reshape(groups, 3) if panels is None else panels
    strict = severity * rng.normal(size=who.max() + 1)[who]
    scores = quality + strict[:, None, :] + rng.normal(size=(groups, 3, 3))
    group, story, place = (part.ravel() for part in np.indices(scores.shape))
    items = pd.Series(group.astype(str)) + "_" + pd.Series(list("ABC"))[story].to_numpy()
    table = pd.DataFrame({"item": items, "group": group, "writer": items.str[-1]})
    table = table.assign(rater=who[group, place], score=scores.ravel())
    items = table.drop_duplicates("item")[["item", "group", "writer"]].reset_index(drop=True)
    return Ratings(items, table[["item", "rater", "score"]], "simulated")


def spread(data):
    """Return scores, items (index group, item) x slots: each item's raters in order of number."""
    items = data.items.sort_values(["group", "item"])[["group", "item"]]
    scores = experts.fill_slots(items["item"], data.ratings)
    return pd.DataFrame(scores, pd.MultiIndex.from_frame(items))


def centre_groups(data):
    return subtract_means(data, "rater", "group")


def test_severity_hides_agreement_and_its_removal_recovers_the_truth(rng):
    data, removals = make_ratings(rng, groups=150), [centre_groups]
    raw, found = experts.correlate_experts(data), experts.correlate_experts(data, removals)
    assert raw["estimate"] == pytest.approx(1 / 11, abs=0.1)
    assert found["estimate"] == pytest.approx(0.5, abs=0.1) and found["low"] < 0.5 < found["high"]
    centred = spread(centre_groups(data))
    assert centred.groupby("group").mean().abs().to_numpy().max() < 1e-9
    assert found["n"] == 150


def test_r_of_two_experts_is_that_of_pairs_without_each_group(rng):
    data = make_ratings(rng, groups=8, severity=0.5)
    scores, group = spread(data).to_numpy(), np.repeat(np.arange(8), 3)
    found = experts.correlate_experts(data)
    expected = intervals.over_groups(
        group, lambda rows: agreement.pair_correlation(scores[rows]), scale="correlation"
    )
    assert found.tolist() == pytest.approx(expected.tolist())
    assert np.sort(data.ratings["score"][:3]).tolist() == np.sort(scores[0]).tolist()


def test_one_severity_per_expert_is_found_though_panels_differ(rng):
    panels = np.array([sorted(rng.permutation(8)[:3]) for _ in range(20)])
    strict, mild = (
        make_ratings(np.random.default_rng(1), 20, severity, panels=panels) for severity in (3, 0)
    )
    apart = strict.ratings.assign(score=strict.ratings["score"] - mild.ratings["score"])
    left = remove_severity(strict).ratings["score"]
    left = apart.assign(score=left - remove_severity(mild).ratings["score"])
    many = apart.groupby("rater")["score"].transform("size") > LEARN_FROM
    assert left.loc[many, "score"].std() < 0.2 * apart.loc[many, "score"].std(), "nearly all goes"
    few = apart.loc[~many, "score"]
    assert len(few) and left.loc[~many, "score"].tolist() == pytest.approx(few.tolist())
    r = experts.correlate_experts(strict, [remove_severity])["estimate"]
    assert r > experts.correlate_experts(strict)["estimate"] + 0.2


# who judged which group of the open data, by number
PANELS = "9 1 7/9 4 8/4 8 6/9 3 10/9 3 2/9 3 1/4 10 3/9 1 3/9 4 6/9 10 5/10 8 0/9 3 1"
PANELS = np.array([sorted(map(int, panel.split())) for panel in PANELS.split("/")])


def draw_machine_stories(rng, story, machine):
    """A study of the real panels with the real variances (tests passed, of 14): of experts 2.04, of
    experts on a plot .69, the rest 5.29; story, machine: the variances of what experts share."""
    group, place, slot = (part.ravel() for part in np.indices((12, 3, 3)))
    who = PANELS[group, slot]
    score = np.sqrt(story) * rng.normal(size=36)[3 * group + place]
    score = score + np.sqrt(machine) * rng.normal(size=3)[place]
    score = score + np.sqrt(2.04) * rng.normal(size=11)[who]
    score = score + np.sqrt(0.69) * rng.normal(size=(12, 11))[group, who]
    score = score + np.sqrt(5.29) * rng.normal(size=108)
    table = pd.DataFrame({"item": 3 * group + place, "rater": who, "score": score})
    items = pd.DataFrame({"item": range(36), "group": np.arange(36) // 3})
    return Ratings(items, table, "simulated")


@pytest.fixture(scope="module")
def mean_correlations():
    """A function of the shared variances: the mean r of two experts over 150 such studies, as
    scored, with severity removed and within a group."""

    def average(story, machine):
        rng = np.random.default_rng(16)
        ways = (lambda data: data, remove_severity, centre_groups)
        found = []
        for _ in range(150):
            data = draw_machine_stories(rng, story, machine)
            found.append([agreement.pair_correlation(spread(way(data))) for way in ways])
        return np.mean(found, axis=0)

    return average


def test_the_real_panels_do_not_agree_where_nothing_is_shared(mean_correlations):
    # the standard error of each mean is about .01; by least squares severity removed gave .11
    assert np.abs(mean_correlations(0, 0)).max() < 0.05


def test_severity_is_taken_off_the_real_panels_in_part_and_within_a_group_whole(mean_correlations):
    scored, free, within = mean_correlations(0.41, 1.8)
    true = 2.21 / (2.21 + 0.69 + 5.29)
    assert scored + 0.02 < free < true, "never more agreement than there is"
    assert within == pytest.approx(true, abs=0.04)


def test_severity_does_not_depend_on_the_order_of_the_items(rng):
    data = draw_machine_stories(rng, 0.41, 1.8)
    order = rng.permutation(36)
    turned = data._replace(ratings=data.ratings.assign(item=order[data.ratings["item"]]))
    turned = turned._replace(items=pd.DataFrame({"item": order, "group": data.items["group"]}))
    free, again = (remove_severity(one).ratings["score"] for one in (data, turned))
    assert free.tolist() == pytest.approx(again.tolist(), abs=1e-6)


def test_two_raters_who_both_rated_make_a_pair():
    slots = [[1, 2, np.nan], [3, 5, 4], [2, 1, np.nan], [4, 4, 6]]
    pairs = [(1, 2), (2, 1), (3, 5), (5, 3), (3, 4), (4, 3), (5, 4), (4, 5), (2, 1), (1, 2)]
    pairs += [(4, 4), (4, 4), (4, 6), (6, 4), (4, 6), (6, 4)]
    assert agreement.pair_correlation(slots) == pytest.approx(np.corrcoef(np.array(pairs).T)[0, 1])


def test_writer_means_are_removed(rng):
    data = subtract_means(make_ratings(rng, writer=5.0, severity=0), "writer")
    means = data.ratings["score"].groupby(data.ratings["item"].str[-1]).mean()
    assert means.abs().max() < 1e-9


def test_what_is_left_within_a_writer_knows_no_writer(rng):
    data = make_ratings(rng, writer=5.0)
    scores = data.ratings.assign(judge="j").drop(columns="rater")
    free, within = keep_within_writers(data, pd.concat([scores, scores.assign(item="other")]))
    assert list(free.items) == ["item", "group"] and len(within) == len(data.items)
    for table in (free.ratings, within):
        assert table.groupby(table["item"].str[-1])["score"].mean().abs().max() < 1e-9


def test_the_mean_kappa_is_that_of_the_tests_and_its_interval_of_groups(rng):
    counts = agreement.count_passes(panel(rng))
    found = experts.average_kappas({"all": counts, "few": counts.iloc[:6]})
    assert found.loc["all", "estimate"] == pytest.approx(agreement.fleiss_kappa(counts).mean())
    assert found["n"].tolist() == [5, 3]


def test_consistency_is_the_correlation_with_severity_removed(rng):
    centred = spread(centre_groups(make_ratings(rng, groups=12)))
    found, r = agreement.icc_table(centred)["ICC"], agreement.pair_correlation(centred)
    assert found["ICC3"] == pytest.approx(r, abs=1e-6)
    assert found["ICC3k"] == pytest.approx(agreement.average_reliability(r, 3), abs=1e-6)


@settings(max_examples=50)
@given(st.floats(0.01, 0.99), st.floats(0.05, 0.95))
def test_the_needed_experts_are_the_fewest_that_give_the_reliability(r, wanted):
    row = people.count_needed(intervals.row(r, -0.1, min(r + 0.005, 1), 12), wanted)
    assert agreement.average_reliability(r, row["estimate"]) >= wanted - 1e-9
    assert row["estimate"] <= 1 or agreement.average_reliability(r, row["estimate"] - 1) < wanted
    assert row["low"] <= row["estimate"] <= row["high"] == np.inf and row["n"] == 12


def panel(rng, groups=5):
    """Verdicts of two stories per group, three experts of its own, seven tests."""
    parts = [range(groups), ["A", "B"], range(3), range(1, 8)]
    index = pd.MultiIndex.from_product(parts, names=["group", "writer", "slot", "test"])
    table = index.to_frame(index=False)
    story = table["group"].astype(str) + "_" + table["writer"]
    passed = rng.integers(2, size=len(table)).astype(bool)
    return table.assign(story=story, expert=3 * table["group"] + table["slot"], passed=passed)


def test_the_search_knows_every_definition_and_finds_the_right_one(rng):
    table = panel(rng)
    counts = agreement.count_passes(table)
    kept = counts[counts.index.get_level_values("group") != 3]
    printed = pd.Series(agreement.fleiss_kappa(kept), kept.columns).round(2)
    found = experts.search_definitions(table, printed)
    assert len(found) == 3 * (2**5 - 1) + 10 + 15 + 1 and found["matches"].is_monotonic_decreasing
    assert found.iloc[0].tolist() == ["Fleiss' kappa", (3,), 4, 7]
    printed = pd.Series(experts.leave_one_out(table, "expert", 4), counts.columns).round(2)
    found = experts.search_definitions(table, printed)
    assert found.iloc[0].tolist() == ["Fleiss' kappa without one expert", 4, 5, 7]


def test_the_mean_kappa_of_pairs_and_kappa_without_an_expert_by_hand(rng):
    table = panel(rng)
    kappas, left = experts.pair_kappas(table), experts.leave_one_out(table, "expert", 4)
    for place, (_, part) in enumerate(table.groupby("test")):
        wide = part.pivot(index="story", columns="slot", values="passed").to_numpy()
        pairs = [cohen_kappa_score(wide[:, a], wide[:, b]) for a, b in ((0, 1), (0, 2), (1, 2))]
        assert kappas[place] == pytest.approx(np.mean(pairs))
        stories = [
            one["passed"].to_numpy() for _, one in part.query("expert != 4").groupby("story")
        ]
        agree = [np.mean([x == y for i, x in enumerate(s) for y in s[:i]]) for s in stories]
        share = np.concatenate(stories).mean()
        chance = share**2 + (1 - share) ** 2
        assert left[place] == pytest.approx((np.mean(agree) - chance) / (1 - chance))
