"""What experts share: kappas, severity taken out, panels planned, definitions searched."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.data.ratings import Ratings, subtract_means
from goodjudge.stats.severity import LEARN_FROM, remove_severity

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


def test_the_mean_kappa_is_that_of_the_tests_and_its_interval_of_groups(rng):
    counts = agreement.count_passes(panel(rng))
    found = experts.average_kappas({"all": counts, "few": counts.iloc[:6]})
    assert found.loc["all", "estimate"] == pytest.approx(agreement.fleiss_kappa(counts).mean())
    assert found["n"].tolist() == [5, 3]


def panel(rng, groups=5):
    """Verdicts of two stories per group, three experts of its own, seven tests."""
    parts = [range(groups), ["A", "B"], range(3), range(1, 8)]
    index = pd.MultiIndex.from_product(parts, names=["group", "writer", "slot", "test"])
    table = index.to_frame(index=False)
    story = table["group"].astype(str) + "_" + table["writer"]
    passed = rng.integers(2, size=len(table)).astype(bool)
    return table.assign(story=story, expert=3 * table["group"] + table["slot"], passed=passed)
