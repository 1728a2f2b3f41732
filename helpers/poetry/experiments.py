"""Experiments on simulated judges of ranked lists: scoring, batch size at equal cost, design,
reliability beside validity."""

import numpy as np
import pandas as pd
from scipy import optimize, stats

from helpers.measures import intervals
from helpers.poetry import lists as cat
from helpers.poetry import simulate as sim
from helpers.poetry.analysis import average_icc, single_icc, tier_correlation

TIERS = np.repeat([0, 1, 2], 30)
SCORINGS = {"positions": sim.to_positions, "scores 1-5": sim.to_scores}
DESIGNS = {
    "15": lambda rng: cat.draw_subsets(TIERS, 100, 5, rng),  # poetry, sections 7.3 and 7.2
    "90": lambda rng: cat.shuffle_all(90, 10, rng),
}


def correlate(worth, lists, noise, growth, rng):
    """Return the paper's correlation by scoring, when a judge with lasting opinions `worth` ranks
    `lists` once."""
    perceived = sim.judge_lists(worth, lists, noise, rng, growth)
    return {
        name: tier_correlation(sim.mean_by_poem(lists, score(perceived), len(worth)), TIERS)
        for name, score in SCORINGS.items()
    }


def repeat_study(validity, noise, growth, seed, replicates=60, designs=DESIGNS):
    """Return one row a simulated study: the paper's correlation by design (poems in a list) and
    scoring.

    designs: {name: f(rng) -> lists}.
    """
    rows = []
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth = sim.draw_worth(TIERS, validity, rng)
        found = {
            name: correlate(worth, draw(rng), noise, growth, rng) for name, draw in designs.items()
        }
        rows.append(pd.DataFrame(found).T.stack())
    return pd.DataFrame(rows).rename_axis(columns=["design", "scoring"])


def mean_src(validity, noise, growth, seed, design, replicates=40):
    """Return the mean correlation of positions in one design over simulated studies, the same draws
    each time."""
    found = repeat_study(validity, noise, growth, seed, replicates, {design: DESIGNS[design]})[
        design, "positions"
    ]
    # added in order: a root search follows, which must take the same path on every machine
    return sum(found) / len(found)


def calibrate(icc1, src15, src90, seed):
    """Return {noise, validity, growth}: the simulated judge that repeats, and ranks in both
    designs, as a printed one.

    icc1: of one run on 15 poems; src15, src90: correlations of positions. growth is limited to 0
    (no loss) to 3.
    """
    noise = sim.calibrate_noise(icc1, np.random.default_rng(seed))
    validity = optimize.brentq(
        lambda v: mean_src(v, noise, 0.0, seed, "15") - src15, 0.05, 0.999, xtol=0.004
    )
    gap = [mean_src(validity, noise, g, seed, "90") - src90 for g in (0.0, 3.0)]
    if gap[0] <= 0 or gap[1] >= 0:
        return {"noise": noise, "validity": validity, "growth": 0.0 if gap[0] <= 0 else 3.0}
    growth = optimize.brentq(
        lambda g: mean_src(validity, noise, g, seed, "90") - src90, 0.0, 3.0, xtol=0.02
    )
    return {"noise": noise, "validity": validity, "growth": growth}


def fit_printed(printed, criterion, seed):
    """Return {noise, validity, growth} of the simulated judge that repeats and ranks as
    Claude-3-Opus did (Tables 3 and 8)."""
    icc1 = single_icc(
        printed.number("Table 8", f"{criterion.upper()} / Claude-3-Opus 15n", "ICC1k / F")
    )
    return calibrate(
        icc1,
        *(printed.number("Table 3", criterion, f"Claude-3 {n}n / SRC") for n in (15, 90)),
        seed,
    )


def explain_scoring(printed, seed, replicates=40):
    """Return what positions gain over 1-5 scores for the judge fitted to each criterion, by
    criterion and list size.

    Columns: estimate, low, high, n (simulated studies); SD of one study; printed: the paper's gain;
    growth of the noise; and the studies of this size that would show such a gain with 80 % power at
    5 % (normal approximation).
    """
    rows, power = {}, (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) ** 2
    for criterion in cat.CRITERIA:
        judge = fit_printed(printed, criterion, seed)
        wide = repeat_study(**judge, seed=seed + 1, replicates=replicates)
        for size in ("15", "90"):
            gain = wide[size, "positions"] - wide[size, "scores 1-5"]
            columns = [f"Claude-3 {size}{mark} / SRC" for mark in ("n", "")]
            paper = np.subtract(
                *(printed.number("Table 3", criterion, column) for column in columns)
            )
            rows[size, criterion] = {
                **intervals.of_mean(gain),
                "SD": gain.std(),
                "printed": round(paper, 2),
                "growth": judge["growth"],
                "studies needed": np.ceil(power * (gain.std() / gain.mean()) ** 2),
            }
    return pd.DataFrame(rows).T.rename_axis(["poems in a list", "criterion"]).sort_index()


def cost_curve(validity, noise, growth, seed, readings=(450, 900, 1800, 3600), replicates=20):
    """Return the SRC of positions in simulated studies, one a row, by readings of a poem (the cost
    in tokens) and list size."""
    parts = {}
    for total in readings:
        designs = {
            "15": lambda r, n=total // 15: cat.draw_subsets(TIERS, n, 5, r),
            "90": lambda r, n=total // 90: cat.shuffle_all(90, n, r),
        }
        parts[total] = repeat_study(validity, noise, growth, seed, replicates, designs).xs(
            "positions", axis=1, level="scoring"
        )
    table = pd.concat(parts, names=["readings"]).melt(
        ignore_index=False, var_name="lists of", value_name="SRC"
    )
    return table.reset_index("readings")


def design_errors(worth, draw, subsets, noise, rng, replicates):
    """Return the mean square error of mean positions (places of 15) of each replicate of a design
    against their common mean."""
    means = []
    for _ in range(replicates):
        lists = draw(TIERS, subsets, 5, rng)
        means.append(
            sim.mean_by_poem(
                lists, sim.to_positions(sim.judge_lists(worth, lists, noise, rng)), len(worth)
            )
        )
    centre = np.nanmean(means, axis=0)
    return np.nanmean((np.array(means) - centre) ** 2, axis=1) * replicates / (replicates - 1)


def compare_designs(validity, noise, seed, subsets=100, replicates=20):
    """Return how many random subsets measure as well as `subsets` balanced ones: estimate, low,
    high, n, and both RMSEs.

    Error variance falls as one over the number of subsets, so `subsets` times the ratio of the mean
    square errors is needed; jackknife over replicates, on the logarithm of the ratio.
    """
    rng = np.random.default_rng(seed)
    worth = sim.draw_worth(TIERS, validity, rng)
    random, balanced = (
        design_errors(worth, draw, subsets, noise, rng, replicates)
        for draw in (cat.draw_subsets, cat.balance_subsets)
    )
    ratio = intervals.over_groups(
        np.arange(replicates), lambda i: np.log(random[i].mean() / balanced[i].mean())
    )
    return {
        **subsets * np.exp(ratio.drop("n")),
        "n": replicates,
        "RMSE random": random.mean() ** 0.5,
        "RMSE balanced": balanced.mean() ** 0.5,
    }


def reliability_and_validity(validities, noises, seed, replicates=6):
    """Return for each simulated judge the ICC of one run and of ten averaged, and its SRC
    (estimate, low, high, n).

    Ten judges share the tiers but have tastes of their own.
    """
    rows, names = {}, ["one run", "ten runs averaged", "ten judges averaged"]
    for validity in validities:
        for noise in noises:
            found = []
            for k in range(replicates):
                rng = np.random.default_rng([seed, k])
                worths = np.array([sim.draw_worth(TIERS, validity, rng) for _ in range(10)])
                ids = cat.draw_subsets(TIERS, 1, 5, rng)[0]
                alone, panel = (
                    sim.repeat_list(worths[0, ids], noise, rng),
                    sim.repeat_list(worths[:, ids], noise, rng),
                )
                rho = correlate(worths[0], cat.draw_subsets(TIERS, 100, 5, rng), noise, 0.0, rng)[
                    "positions"
                ]
                found.append((alone, average_icc(alone), average_icc(panel), rho))
            *iccs, src = np.transpose(found)
            rows[validity, noise] = {
                **dict(zip(names, map(np.mean, iccs))),
                **intervals.of_mean(src),
            }
    return pd.DataFrame(rows).T.rename_axis(["validity", "noise"])


def leak(validity, noise, seed, subsets=1000, replicates=40):
    """Return the mean SRC (estimate, low, high, n) of subsets drawn five a tier, of any fifteen,
    and their difference.

    A poem of the best tier never meets more than four others of it, so the draw itself moves means
    toward the tiers.
    """
    rows = []
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth = sim.draw_worth(TIERS, validity, rng)
        stratified = cat.draw_subsets(TIERS, subsets, 5, rng)
        plain = np.argsort(rng.random((subsets, 90)), axis=1, kind="stable")[:, :15]
        pair = [
            correlate(worth, lists, noise, 0.0, rng)["positions"] for lists in (stratified, plain)
        ]
        rows.append(
            {
                "five a tier": pair[0],
                "any fifteen": pair[1],
                "difference": pair[0] - pair[1],
                "the judge's own order": tier_correlation(worth, TIERS),
            }
        )
    return pd.DataFrame(
        {name: intervals.of_mean(values) for name, values in pd.DataFrame(rows).items()}
    ).T.rename_axis("lists")
