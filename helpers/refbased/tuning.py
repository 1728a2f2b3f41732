"""The cutoff of the reference-based method: what tuning it is worth, and simulated judges to try
cutoffs on."""

import itertools

import numpy as np
import pandas as pd

from helpers.measures import intervals, rankings
from helpers.refbased.method import V2_CUTOFF


def tuning(values):
    """Return what tuning on these groups is worth: best cutoff, its mean in sample, and the mean of
    leave-one-group-out.

    values: group x cutoff, the agreement with the experts. Out of sample each group is scored with
    the cutoff best on the others.
    """
    # means are compared to ten decimals: equal ones are equal on every machine, the first wins
    table = values.to_numpy(float)
    best = table.mean(axis=0).round(10).argmax()
    others = [
        np.delete(table, g, axis=0).mean(axis=0).round(10).argmax() for g in range(len(table))
    ]
    left_out = table[np.arange(len(table)), others].mean()
    return pd.Series(
        {
            "best cutoff": values.columns[best],
            "in sample": table[:, best].mean(),
            "leave one group out": left_out,
        }
    )


def simulate_labels(quality, rng, noise=1.0, bias=0.0):
    """Return (plus, minus) five-point labels of a simulated judge, as `quality`: the candidate's
    advantage over the reference.

    noise: SD of each answer; bias: what is added for the story shown first.
    """
    return tuple(
        np.clip(np.rint(sign * quality + bias + noise * rng.standard_normal(quality.shape)), -2, 2)
        for sign in (1, -1)
    )


def simulated_judges(
    rng, groups=12, tests=14, writers=("plain", "told", "broken"), level=-1.2, step=0.8
):
    """Return {name: labels} of two simulated judges of stories of declining craft: one fair, one
    that likes the first."""
    craft = level + step * np.linspace(1, -1, len(writers))[None, :, None]
    quality = craft + 0.5 * rng.standard_normal((groups, len(writers), tests))
    index = pd.MultiIndex.from_product(
        [range(groups), writers, range(1, tests + 1)], names=["group", "writer", "test"]
    )
    found = {}
    for name, bias in {
        "SIMULATED: fair judge": 0.0,
        "SIMULATED: likes the first story": 1.0,
    }.items():
        plus, minus = simulate_labels(quality, rng, bias=bias)
        found[name] = pd.DataFrame(
            {"plus": plus.ravel(), "minus": minus.ravel()}, index=index
        ).reset_index()
    return found


def worth_of_tuning(
    rng,
    spreads=(0.4, 0.6, 0.8),
    noises=(0.7, 1.0, 1.4),
    draws=150,
    groups=12,
    writers=3,
    tests=14,
    level=-1.5,
):
    """Return what choosing among four cutoffs in sample adds to rho in simulated studies, and the
    mean rho of each cutoff.

    The first table: estimate, low, high, n (studies), against a cutoff fixed beforehand at v2's,
    and against one chosen on the other groups. Both tables by `spread` of the stories around a mean
    disadvantage `level` to their reference, and by the noise of an answer.
    """
    rows, means = {}, {}
    for spread, noise in itertools.product(spreads, noises):
        gains, by_cutoff = [], []
        for _ in range(draws):
            story = spread * rng.standard_normal((groups, writers))
            human = np.rint(7 + 4 * story + 2 * rng.standard_normal(story.shape))
            quality = level + story[..., None] + 0.5 * rng.standard_normal((groups, writers, tests))
            plus, minus = simulate_labels(quality, rng, noise)
            passed = {cutoff: (plus - minus >= cutoff).sum(axis=2) for cutoff in (-3, -2, -1, 0)}
            values = pd.DataFrame(
                {cutoff: rankings.rho_by_group(human, score) for cutoff, score in passed.items()}
            )
            found = tuning(values)
            by_cutoff.append(values.mean().add_prefix("cutoff "))
            gains.append(
                {
                    f"fixed at {V2_CUTOFF}": found["in sample"] - values[V2_CUTOFF].mean(),
                    "chosen on the other groups": found["in sample"] - found["leave one group out"],
                }
            )
        rows |= {
            (name, spread, noise): intervals.of_mean(gain)
            for name, gain in pd.DataFrame(gains).items()
        }
        means[spread, noise] = pd.DataFrame(by_cutoff).mean()
    names = ["against a cutoff", "spread of stories", "noise of an answer"]
    worth = pd.DataFrame(rows).T.rename_axis(names).sort_index(ascending=[False, True, True])
    return worth, pd.DataFrame(means).T.rename_axis(names[1:])
