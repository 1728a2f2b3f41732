"""The 2 x 2 of the reference-based papers for any judge, and how it follows people.

`ask_all` asks one judge all four cells (v2, Table 6) with one budget; `rate` holds scores against
people's, group by group; `rate_all`, `rate_cutoffs` and `rate_dimensions` are the papers' tables
(v2, Tables 6 and 5; v1, Table 2 with its hybrid) for a judge of one's own.
"""

import numpy as np
import pandas as pd
from goodjudge.stats import intervals, rankings

from helpers import judges
from helpers.refbased import ask, method, rebuild
from helpers.refbased.controls import score_halvings
from helpers.refbased.definitions import FAIR

METRICS = ["rho", "tau", "accuracy"]
VARIANTS = ["full", "no analysis", "no reference", "baseline"]
CUTOFFS = range(-4, 3)  # on plus - minus of five points; Table 5 has -3 to 0
HYBRID = "Originality"  # what v1's hybrid takes from the baseline
ENOUGH = 5  # groups, for an interval and for a choice on half of them


def list_all(material, judge, points=5, limit=0, **given):
    """Return {variant: (requests, `judges.Options`, `Reader`)} of the four cells.

    material: of `load.load_candidates`; limit: of requests in each cell, in whole stories; given:
    further `judges.Options`; `max_usd` is for all four together.
    """
    cap = given.get("max_usd", 0.0)
    given["max_usd"] = cap if isinstance(cap, judges.Budget) else judges.Budget(cap)
    cells = {}
    for variant in VARIANTS:
        requests = ask.requests(*material[:3], variant, points)
        how, reader = ask.options(judge, variant, points, material.tests, limit, **given)
        cells[variant] = requests, how, reader
    return cells


def plan_all(cells, judge):
    """Return `judges.plan_cost` of each cell of `list_all`, a row each."""
    plans = {}
    for variant, (asked, how, _) in cells.items():
        plans[variant] = judges.plan_cost(asked, judge, how)
    return pd.concat(plans, names=["variant"]).droplevel(1)


def ask_all(cells, judge):
    """Return {variant: answers} of one judge to the cells of `list_all`."""
    return {
        variant: judges.ask(asked, judge, reader, how)
        for variant, (asked, how, reader) in cells.items()
    }


def tabulate(answers, cutoff=method.V2_CUTOFF):
    """Return stories x variants: the number of tests passed; answers: of `ask_all`."""
    columns = {}
    for variant, given in answers.items():
        columns[variant] = ask.score(given, variant, cutoff).set_index("item")["score"]
    return pd.DataFrame(columns).rename_axis("tests passed by")


def rate(scores, people):
    """Return groups x METRICS: how far scores follow people's within each group.

    scores: of `ask.score`; people: a Series by item, '<group>/<writer>'. Ties among people ask
    nothing of a pair, a judge's tie is half right; rho and tau are 0 where one side is constant, as
    in print. Groups with fewer than two stories scored by both are left out.
    """
    both = scores.assign(people=scores["item"].map(people)).dropna(subset=["score", "people"])
    rows = {}
    for group, of_group in both.groupby(both["item"].str.rpartition("/")[0]):
        if len(of_group) > 1:
            human, judged = of_group[["people", "score"]].to_numpy(float).T
            rows[group] = (
                float(rankings.rho_by_group(human, judged)),
                float(rankings.tau_by_group(human, judged)),
                rankings.pair_accuracy(human, judged, FAIR),
            )
    table = pd.DataFrame(rows.values(), list(rows), METRICS)
    return table.rename_axis("group")


def average(rated):
    """Return the mean pairwise accuracy over groups (estimate, low, high, n; no interval below
    `ENOUGH` groups), and the means of rho and tau."""
    mean = dict(intervals.of_mean(rated["accuracy"].dropna()))
    mean |= {"low": max(mean["low"], 0.0), "high": min(mean["high"], 1.0)}
    if mean["n"] < ENOUGH:
        mean |= {"low": np.nan, "high": np.nan}
    return pd.Series(mean | rated[["rho", "tau"]].mean().to_dict())


def rate_all(answers, people, cutoff=method.V2_CUTOFF):
    """Return a row of `average` per variant; answers: of `ask_all`."""
    rows = {}
    for variant, given in answers.items():
        rows[variant] = average(rate(ask.score(given, variant, cutoff), people))
    return pd.DataFrame(rows).T.rename_axis("variant")


def rate_cutoffs(answers, people, cutoffs=CUTOFFS):
    """Return a row of `average` per cutoff, and one for a cutoff chosen on half of the groups and
    scored on the other, averaged over all ways of halving (none for fewer than five groups).

    answers: with a reference. Each metric chooses its own cutoff.
    """
    rated = {cutoff: rate(ask.score(answers, "full", cutoff), people) for cutoff in cutoffs}
    table = pd.DataFrame({cutoff: average(by_group) for cutoff, by_group in rated.items()}).T
    if table["n"].max() >= ENOUGH:
        chosen = {"n": table["n"].max()}
        for metric in METRICS:
            by_group = pd.DataFrame({at: rows[metric] for at, rows in rated.items()}).dropna()
            chosen[metric] = score_halvings(by_group.to_numpy()).mean()
        table.loc["chosen on half"] = pd.Series(chosen).rename({"accuracy": "estimate"})
    return table.rename_axis("cutoff")


def count_dimensions(dimensions):
    """Return {dimension: Series by item} of the study's machine stories: how many tests of a
    dimension two experts or more say are passed. dimensions: {test: dimension}."""
    counted = {}
    for dimension in dict.fromkeys(dimensions.values()):
        tests = [test for test, of_test in dimensions.items() if of_test == dimension]
        passed = rebuild.expert_scores(tests=tests).stack()
        items = [f"{group}/{writer}" for group, writer in passed.index]
        counted[dimension] = passed.set_axis(items)
    return counted


def rate_dimensions(answers, people, dimensions, cutoff=method.V2_CUTOFF):
    """Return a row of `average` per variant and dimension that was asked about, as v1's Table 2.

    answers: of `ask_all`; people: {dimension: Series by item}, of the study `count_dimensions`;
    dimensions: {test: dimension}.
    """
    rows = {}
    for variant, given in answers.items():
        of_dimension = given["aspect"].map(dimensions)
        for dimension, theirs in people.items():
            asked = given[of_dimension == dimension]
            if len(asked):
                rows[variant, dimension] = average(rate(ask.score(asked, variant, cutoff), theirs))
    return pd.DataFrame(rows).T.rename_axis(["variant", "dimension"])


def mix(answers, dimensions, cutoff=method.V2_CUTOFF):
    """Return the scores of v1's hybrid: tests passed with a reference, but those of Originality
    without one. answers: of `ask_all`; dimensions: {test: dimension}."""
    parts = []
    for variant, is_original in (("full", False), ("baseline", True)):
        given = answers[variant]
        kept = given[given["aspect"].map(dimensions).eq(HYBRID) == is_original]
        if len(kept):
            parts.append(ask.score(kept, variant, cutoff))
    both = pd.concat(parts).groupby(["item", "judge"])["score"]
    return both.sum()[both.size() == len(parts)].reset_index()
