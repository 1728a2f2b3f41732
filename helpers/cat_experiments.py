"""Experiments on simulated judges of ranked lists: scoring, batch size at equal cost, design, reliability beside validity."""

import numpy as np
import pandas as pd
from scipy import optimize

from helpers import cat
from helpers import simulate_cat as sim

TIERS = np.repeat([0, 1, 2], 30)
SCORINGS = {"positions": sim.to_positions, "scores 1-5": sim.to_scores}


def single_icc(f, runs=10):
    """Return ICC1 of one run from the one-way F of `runs` runs: (F - 1) / (F + runs - 1) (Shrout and Fleiss, 1979)."""
    return (f - 1) / (f + runs - 1)


def correlate(worth, lists, noise, growth, rng, scorings=SCORINGS):
    """Return the paper's correlation by scoring, when a judge with lasting opinions `worth` ranks `lists` once."""
    perceived = sim.judge_lists(worth, lists, noise, rng, growth)
    means = {name: sim.mean_by_poem(lists, score(perceived), len(worth))[0] for name, score in scorings.items()}
    return {name: sim.paper_correlation(values, TIERS) for name, values in means.items()}


def repeat_study(validity, noise, growth, seed, replicates=60, designs=None):
    """Return one row a replicate, design and scoring: the paper's correlation in a simulated study.

    designs: {name: f(rng) -> lists}; default: 100 subsets of 15, and ten shuffles of 90 (poetry, sections 7.2 and 7.3).
    """
    designs = designs or {
        "15": lambda r: cat.draw_subsets(TIERS, 100, 5, r),
        "90": lambda r: cat.shuffle_all(90, 10, r),
    }
    rows = []
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth = sim.draw_worth(TIERS, validity, rng)
        for name, draw in designs.items():
            for scoring, rho in correlate(worth, draw(rng), noise, growth, rng).items():
                rows.append({"replicate": k, "design": name, "scoring": scoring, "SRC": rho})
    return pd.DataFrame(rows)


def mean_src(validity, noise, growth, seed, design, replicates=40):
    """Return the mean correlation of positions in one design ('15' or '90') over simulated studies, the same draws each time."""
    total = 0.0
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth = sim.draw_worth(TIERS, validity, rng)
        lists = cat.draw_subsets(TIERS, 100, 5, rng) if design == "15" else cat.shuffle_all(90, 10, rng)
        total += correlate(worth, lists, noise, growth, rng, {"positions": sim.to_positions})["positions"]
    return total / replicates


def calibrate(icc1, src15, src90, seed):
    """Return {noise, validity, growth}: the simulated judge that repeats, and ranks in both designs, as a printed one.

    icc1: of one run on 15 poems; src15, src90: correlations of positions. growth is limited to 0 (no loss) to 3.
    """
    noise = sim.calibrate_noise(icc1, np.random.default_rng(seed))
    validity = optimize.brentq(lambda v: mean_src(v, noise, 0.0, seed, "15") - src15, 0.05, 0.999, xtol=0.004)
    gap = [mean_src(validity, noise, g, seed, "90") - src90 for g in (0.0, 3.0)]
    if gap[0] <= 0 or gap[1] >= 0:
        return {"noise": noise, "validity": validity, "growth": 0.0 if gap[0] <= 0 else 3.0}
    growth = optimize.brentq(lambda g: mean_src(validity, noise, g, seed, "90") - src90, 0.0, 3.0, xtol=0.02)
    return {"noise": noise, "validity": validity, "growth": growth}


def cost_curve(validity, noise, growth, seed, readings=(180, 450, 900, 1500, 3000), replicates=40):
    """Return mean SRC (positions) with its standard error by readings of a poem (the cost in tokens) and list size."""
    rows = []
    for total in readings:
        designs = {
            "15": lambda r, n=total // 15: cat.draw_subsets(TIERS, n, 5, r),
            "90": lambda r, n=total // 90: cat.shuffle_all(90, n, r),
        }
        table = repeat_study(validity, noise, growth, seed, replicates, designs)
        part = table[table["scoring"] == "positions"].groupby("design")["SRC"]
        rows += [{"readings": total, "design": name, "SRC": values.mean(), "se": values.sem()} for name, values in part]
    return pd.DataFrame(rows)


def design_error(worth, draw, subsets, noise, rng, replicates=30):
    """Return the root mean square error of mean positions (in places of 15) of a design against its own infinite repetition."""
    errors, total, count = [], np.zeros(len(worth)), np.zeros(len(worth))
    for _ in range(replicates):
        lists = draw(TIERS, subsets, 5, rng)
        values = sim.to_positions(sim.judge_lists(worth, lists, noise, rng))
        mean, shown = sim.mean_by_poem(lists, values, len(worth))
        errors.append(mean)
        total += np.where(shown > 0, mean * shown, 0.0)
        count += shown
    return float(np.sqrt(np.nanmean((np.array(errors) - total / count) ** 2)))


def compare_designs(validity, noise, seed, subsets=(25, 50, 100, 200), replicates=30):
    """Return RMSE of mean positions for random and balanced subsets, and how many random subsets match each balanced number."""
    rng = np.random.default_rng(seed)
    worth = sim.draw_worth(TIERS, validity, rng)
    rows = [
        {
            "subsets": n,
            "random": design_error(worth, cat.draw_subsets, n, noise, rng, replicates),
            "balanced": design_error(worth, cat.balance_subsets, n, noise, rng, replicates),
        }
        for n in subsets
    ]
    table = pd.DataFrame(rows)
    slope, level = np.polyfit(np.log(table["subsets"]), np.log(table["random"]), 1)
    return table.assign(**{"random needed": np.exp((np.log(table["balanced"]) - level) / slope).round().astype(int)})


def reliability_and_validity(validities, noises, seed, replicates=30):
    """Return for each simulated judge: ICC of one run, of ten runs averaged, of ten judges averaged, and its SRC (15 poems a list).

    Ten judges share the tiers but have tastes of their own.
    """
    rows = []
    for validity in validities:
        for noise in noises:
            found = []
            for k in range(replicates):
                rng = np.random.default_rng([seed, k])
                worths = np.array([sim.draw_worth(TIERS, validity, rng) for _ in range(10)])
                ids = cat.draw_subsets(TIERS, 1, 5, rng)[0]
                alone = sim.icc1_of(sim.rate_panel(np.tile(worths[0][ids], (10, 1)), noise, rng))
                panel = sim.icc1_of(sim.rate_panel(worths[:, ids], noise, rng))
                rho = correlate(worths[0], cat.draw_subsets(TIERS, 100, 5, rng), noise, 0.0, rng)["positions"]
                found.append((alone, average_icc(alone), panel, average_icc(panel), rho))
            names = ["one run", "ten runs averaged", "one of ten judges", "ten judges averaged", "SRC"]
            rows.append({"validity": validity, "noise": noise, **dict(zip(names, np.mean(found, axis=0)))})
    return pd.DataFrame(rows)


def average_icc(icc1, runs=10):
    """Return the ICC of the mean of `runs` runs from that of one (Spearman-Brown)."""
    return runs * icc1 / (1 + (runs - 1) * icc1)


def leak(validity, noise, seed, subsets=1000, replicates=30):
    """Return mean SRC (and its standard error) with subsets drawn five a tier, drawn without regard to tier, and their difference.

    A poem of the best tier never meets more than four others of it, so the draw itself moves means toward the tiers.
    """
    rows = []
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth = sim.draw_worth(TIERS, validity, rng)
        stratified = cat.draw_subsets(TIERS, subsets, 5, rng)
        plain = np.argsort(rng.random((subsets, 90)), axis=1)[:, :15]
        pair = [correlate(worth, lists, noise, 0.0, rng)["positions"] for lists in (stratified, plain)]
        rows.append({"five a tier": pair[0], "any fifteen": pair[1], "difference": pair[0] - pair[1],
                     "the judge's own order": sim.paper_correlation(worth, TIERS)})
    table = pd.DataFrame(rows)
    return pd.DataFrame({"SRC": table.mean(), "se": table.sem()})
