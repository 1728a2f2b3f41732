"""Experiments on simulated judges of ranked lists: scoring, batch size at equal cost, design, reliability beside validity."""

from functools import cache

import numpy as np
import pandas as pd
from scipy import optimize

from helpers.poetry import lists as cat
from helpers.poetry import simulate as sim

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


@cache
def start_study(seed, number, design):
    """Return (lists, state of the generator after they were drawn) of one simulated study; no judge changes either."""
    rng = np.random.default_rng([seed, number])
    sim.draw_worth(TIERS, 0.0, rng)
    return cat.draw_subsets(TIERS, 100, 5, rng) if design == "15" else cat.shuffle_all(90, 10, rng), rng.bit_generator.state


def mean_src(validity, noise, growth, seed, design, replicates=40):
    """Return the mean correlation of positions in one design ('15' or '90') over simulated studies, the same draws each time."""
    total = 0.0
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth = sim.draw_worth(TIERS, validity, rng)
        lists, rng.bit_generator.state = start_study(seed, k, design)
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


def design_errors(worth, draw, subsets, noise, rng, replicates):
    """Return the mean square error of mean positions (places of 15) of each replicate of a design against their common mean."""
    means = []
    for _ in range(replicates):
        lists = draw(TIERS, subsets, 5, rng)
        means.append(sim.mean_by_poem(lists, sim.to_positions(sim.judge_lists(worth, lists, noise, rng)), len(worth))[0])
    centre = np.nanmean(means, axis=0)
    return np.nanmean((np.array(means) - centre) ** 2, axis=1) * replicates / (replicates - 1)


def compare_designs(validity, noises, seed, subsets=100, replicates=30):
    """Return by noise: RMSE of mean positions for random and for balanced subsets, and the random subsets that match.

    Error variance falls as one over the number of subsets, so `subsets` times the ratio of the mean square errors is needed;
    95 % interval (low, high) by bootstrap over replicates.
    """
    rows = {}
    for noise in noises:
        rng = np.random.default_rng(seed)
        worth = sim.draw_worth(TIERS, validity, rng)
        random, balanced = (design_errors(worth, draw, subsets, noise, rng, replicates)
                            for draw in (cat.draw_subsets, cat.balance_subsets))
        picks = rng.integers(replicates, size=(2, 2000, replicates))
        ratio = random[picks[0]].mean(axis=1) / balanced[picks[1]].mean(axis=1)
        low, high = np.quantile(ratio, [0.025, 0.975]) * subsets
        rows[noise] = {"RMSE random": random.mean() ** 0.5, "RMSE balanced": balanced.mean() ** 0.5,
                       "random needed": subsets * random.mean() / balanced.mean(), "low": low, "high": high}
    return pd.DataFrame(rows).T.rename_axis("noise")


def reliability_and_validity(validities, noises, seed, replicates=30):
    """Return for each simulated judge: ICC of one run, of ten averaged, of ten judges averaged, and its SRC.

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
    """Return mean SRC (and its standard error) of subsets drawn five a tier, of any fifteen, and their difference.

    A poem of the best tier never meets more than four others of it, so the draw itself moves means toward the tiers.
    """
    rows = []
    for k in range(replicates):
        rng = np.random.default_rng([seed, k])
        worth = sim.draw_worth(TIERS, validity, rng)
        stratified = cat.draw_subsets(TIERS, subsets, 5, rng)
        plain = np.argsort(rng.random((subsets, 90)), axis=1, kind="stable")[:, :15]
        pair = [correlate(worth, lists, noise, 0.0, rng)["positions"] for lists in (stratified, plain)]
        rows.append({"five a tier": pair[0], "any fifteen": pair[1], "difference": pair[0] - pair[1],
                     "the judge's own order": sim.paper_correlation(worth, TIERS)})
    table = pd.DataFrame(rows)
    return pd.DataFrame({"SRC": table.mean(), "se": table.sem()})


def explain_scoring(printed, seed, replicates=40):
    """Return, by criterion, the judge calibrated to Claude-3-Opus and how much positions gain over 1-5 scores, here and printed.

    Columns: ICC of one run, noise, validity, growth; for lists of 15 and 90: gain (mean), SD (of one study), paper.
    """
    rows = {}
    for criterion in cat.CRITERIA:
        icc1 = single_icc(printed.number("Table 8", f"{criterion.upper()} / Claude-3-Opus 15n", "ICC1k / F"))
        src = {name: printed.number("Table 3", criterion, f"Claude-3 {name} / SRC") for name in ("15n", "15", "90n", "90")}
        judge = calibrate(icc1, src["15n"], src["90n"], seed)
        table = repeat_study(**judge, seed=seed + 1, replicates=replicates)
        wide = table.pivot(index="replicate", columns=["design", "scoring"], values="SRC")
        rows[criterion] = {"ICC of one run": icc1, **judge}
        for size in ("15", "90"):
            gain = wide[size, "positions"] - wide[size, "scores 1-5"]
            rows[criterion] |= {f"gain {size}": gain.mean(), f"SD {size}": gain.std(),
                                f"paper {size}": src[f"{size}n"] - src[size]}
    return pd.DataFrame(rows).T.rename_axis("criterion")
