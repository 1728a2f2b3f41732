"""How far experts agree: definitions tried, severity removed, facets of a verdict."""

from itertools import combinations

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

from helpers import results
from helpers.measures import agreement, intervals, ratings


def search_definitions(verdicts, printed):
    """Return one row per definition of the printed kappas (Series by test, two decimals):
    definition, left_out, n (groups used), matches (best first).

    Tried: three coefficients on every non-empty subset of groups; Fleiss' kappa without one story
    or one expert; the mean of Cohen's kappa over three pairs.
    """
    counts = agreement.count_passes(verdicts)
    groups, printed = counts.index.get_level_values("group").to_numpy(), printed.to_numpy()
    found = [
        agreement.search_subsets(counts.to_numpy(), groups, printed, kind).assign(definition=kind)
        for kind in agreement.CHANCE
    ]
    others = [
        (f"Fleiss' kappa without one {unit}", name, leave_one_out(verdicts, unit, name))
        for unit in ("story", "expert")
        for name in sorted(verdicts[unit].unique())
    ]
    others.append(("Cohen's kappa, mean of three pairs", (), pair_kappas(verdicts)))
    others = pd.DataFrame(others, columns=["definition", "left_out", "kappas"])
    away = np.abs(np.stack(others["kappas"]) - printed)
    others = others.assign(matches=(away <= 0.005 + 1e-9).sum(axis=1), groups=len(set(groups)))
    table = results.rank(pd.concat([*found, others], ignore_index=True), "matches", "definition")
    return table[["definition", "left_out", "groups", "matches"]].rename(columns={"groups": "n"})


def leave_one_out(verdicts, unit, name):
    """Return Fleiss' kappa by test without one story or expert; two experts a story are enough."""
    cells = verdicts[verdicts[unit] != name].groupby(["story", "test"])["passed"]
    return agreement.fleiss_kappa(cells.sum().unstack(), cells.size().unstack())


def pair_kappas(verdicts):
    """Return the mean of Cohen's kappa over the three pairs of expert slots, by test."""
    slot = verdicts.groupby("story")["expert"].rank(method="dense").astype(int)
    cases = verdicts.assign(slot=slot).pivot(index=["test", "story"], columns="slot")["passed"]
    kappas = [
        cases.groupby("test").apply(lambda part, a=a, b=b: cohen_kappa_score(part[a], part[b]))
        for a, b in combinations(cases, 2)
    ]
    return np.mean(kappas, axis=0)


def spread(data):
    """Return scores, items (index group, item) x slots: each item's raters in order of number."""
    table = data.ratings.merge(data.items[["item", "group"]])
    slot = table.groupby("item")["rater"].rank().astype(int)
    return table.assign(slot=slot).pivot(index=["group", "item"], columns="slot", values="score")


def correlate_experts(data, removals=()):
    """Return r between two experts' scores of an item after `removals` in turn, such as
    `agreement.remove_severity` (Ratings -> Ratings), with its interval over groups (jackknife-t).

    data: `Ratings` without aspects, as many raters for every item. Whenever a group is left out,
    the removals are made again.
    """

    def correlate(rows):
        part = ratings.keep(data, np.isin(np.arange(len(data.items)), rows))
        for remove in removals:
            part = remove(part)
        return agreement.pair_correlation(spread(part))

    return intervals.over_groups(data.items["group"], correlate, scale="correlation")


def describe_null(values, observed):
    """Return the values that chance gives: estimate (mean), low, high (95 % range), one-sided p of
    `observed`."""
    low, high = np.percentile(values, [2.5, 97.5])
    p = (1 + (values >= observed).sum()) / (1 + len(values))
    return pd.Series({"estimate": values.mean(), "low": low, "high": high, "one-sided p": p})


def permute_items(slots, permutations, rng, writers=False):
    """Return the r's of two experts when each expert's scores change places within the group.

    slots: scores (of `spread`) of as many items per group, in the same order of writers; writers:
    the writers' means are then subtracted.
    """
    slots, found = slots.sort_index(), []
    groups = slots.index.get_level_values("group").nunique()
    values = slots.to_numpy(float).reshape(groups, -1, slots.shape[1])
    for _ in range(permutations):
        shuffled = rng.permuted(values, axis=1)
        if writers:
            shuffled -= shuffled.mean(axis=(0, 2), keepdims=True)
        found.append(agreement.pair_correlation(shuffled.reshape(slots.shape)))
    return np.array(found)


def fit_facets(verdicts):
    """Return the SDs (logits) of stories, experts, experts by group and by test in a verdict: a
    many-facet model.

    Crossed random effects with a fixed effect per test, by statsmodels' variational Bayes from a
    fixed start. Columns SD in logits, how many. Its intervals, known to be too narrow, are not
    returned.
    """
    from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

    expert = verdicts["expert"].astype(str) + "/"
    table = verdicts.assign(
        passed=verdicts["passed"].astype(int),
        panel=expert + verdicts["group"].astype(str),
        taste=expert + verdicts["test"].astype(str),
    )
    facets = ["story", "expert", "panel", "taste"]
    effects = {column: f"0 + C({column})" for column in facets}
    model = BinomialBayesMixedGLM.from_formula("passed ~ C(test)", effects, table, vcp_p=1)
    size = model.k_fep + model.k_vcp + model.k_vc
    fit = model.fit_vb(mean=np.zeros(size), sd=np.full(size, 0.5))
    names = ["story", "expert", "expert × group", "expert × test"]
    levels = table[facets].nunique().to_numpy()
    return pd.DataFrame({"SD in logits": np.exp(fit.vcp_mean), "how many": levels}, names)
