"""How far experts agree: definitions tried, severity removed, facets of a verdict, panels."""

from itertools import combinations

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import agreement, intervals
from helpers.sources.public import ROOT

COVERAGE = ROOT / "benchmarks" / "results" / "coverage.csv"


def search_definitions(verdicts, printed):
    """Return one row per definition of the printed kappas: definition, left_out, groups, matches
    (best first).

    Tried: three coefficients on every non-empty subset of groups; Fleiss' kappa without one story
    or one expert; the mean of Cohen's kappa over three pairs. printed: Series by test, two
    decimals.
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
    return table[["definition", "left_out", "groups", "matches"]]


def leave_one_out(verdicts, unit, name):
    """Return Fleiss' kappa by test without one story or expert; two experts a story are enough."""
    cells = verdicts[verdicts[unit] != name].groupby(["story", "test"])["passed"]
    return agreement.fleiss_kappa(cells.sum().unstack(), cells.size().unstack())


def pair_kappas(verdicts):
    """Return the mean of Cohen's kappa over the three pairs of expert slots, by test."""
    slot = verdicts.groupby("story")["expert"].rank(method="dense").astype(int)
    cases = verdicts.assign(slot=slot).pivot(index=["test", "story"], columns="slot")["passed"]
    kappas = [
        cases.groupby("test").apply(lambda part, a=a, b=b: agreement.cohen_kappa(part[a], part[b]))
        for a, b in combinations(cases, 2)
    ]
    return np.mean(kappas, axis=0)


def remove_severity(slots, who):
    """Return scores less what each expert gives above the others on the same stories.

    The model is score = story + expert, by least squares. slots, who: as of
    `agreement.spread_slots`, `who` with experts as values and perhaps more stories.
    """
    names, codes = np.unique(who.loc[slots.index], return_inverse=True)
    expert = np.eye(len(names))[codes.reshape(slots.shape)]
    inside = expert - expert.mean(axis=1, keepdims=True)
    apart = slots.sub(slots.mean(axis=1), axis=0).to_numpy().ravel()
    above = np.linalg.lstsq(inside.reshape(len(apart), -1), apart, rcond=1e-10)[0]
    return slots - expert @ above


def centre_groups(slots):
    """Return scores (as of `agreement.spread_slots`) less each expert's mean within the group."""
    return slots - slots.groupby("group").transform("mean")


def remove_writers(slots):
    """Return scores less the mean of all stories by the same writer."""
    writer = slots.index.get_level_values("story").str.split("_").str[1]
    return slots.sub(slots.mean(axis=1).groupby(writer).transform("mean"), axis=0)


def correlation_without(slots, removals):
    """Return r between two experts' scores after `removals` in turn, such as `centre_groups`."""
    for remove in removals:
        slots = remove(slots)
    return agreement.pair_correlation(slots)


def correlate_experts(slots, *removals):
    """Return r between two experts' scores of a story with its interval over groups (jackknife-t).

    removals: as in `correlation_without`, applied again whenever a group is left out.
    """
    return intervals.over_groups(
        slots.index.get_level_values("group"),
        lambda rows: correlation_without(slots.iloc[rows], removals),
        scale="correlation",
    )


def compare_experts(slots, first, second):
    """Return r after the removals `first` less r after `second` with its interval over groups
    (jackknife-t)."""

    def difference(rows):
        part = slots.iloc[rows]
        return correlation_without(part, first) - correlation_without(part, second)

    return intervals.over_groups(slots.index.get_level_values("group"), difference)


def describe_null(values, observed):
    """Return the values that chance gives: estimate (mean), low, high (95 % range), one-sided p of
    `observed`."""
    low, high = np.percentile(values, [2.5, 97.5])
    p = (1 + (values >= observed).sum()) / (1 + len(values))
    return pd.Series({"estimate": values.mean(), "low": low, "high": high, "one-sided p": p})


def consistency(slots):
    """Return pingouin's ICC(C,1) and ICC(C,3) of a stories x experts table as {one, mean}."""
    import pingouin  # takes a second to import

    long = slots.reset_index().melt(id_vars=["group", "story"], var_name="slot", value_name="score")
    found = pingouin.intraclass_corr(long, targets="story", raters="slot", ratings="score")
    found = found.set_index("Type")["ICC"]
    return {"one": found["ICC(C,1)"], "mean": found["ICC(C,k)"]}


def permute_stories(slots, permutations, rng, *removals):
    """Return the r's of `correlate_experts` when each expert's scores change places within the
    group.

    slots: scores of `centre_groups`, equally many stories per group; removals: made after that.
    """
    slots = slots.sort_index()
    groups = slots.index.get_level_values("group").nunique()
    values, found = slots.to_numpy(float).reshape(groups, -1, slots.shape[1]), []
    for _ in range(permutations):
        shuffled = rng.permuted(values, axis=1).reshape(slots.shape)
        found.append(correlation_without(pd.DataFrame(shuffled, slots.index), removals))
    return np.array(found)


def needed_experts(r, reliability=0.8):
    """Return how many experts give that reliability, as a row estimate, low, high, n from such a
    row of r.

    Whole experts, rounded up; inf: with an r of nothing no number of experts is enough.
    """
    odds = reliability / (1 - reliability)
    number = [
        np.ceil(odds * (1 - r[end]) / r[end] - 1e-9) if r[end] > 0 else np.inf
        for end in ("estimate", "high", "low")
    ]
    return intervals.row(*number, r["n"])


def fit_facets(verdicts):
    """Return the SDs (logits) of stories, experts, experts by group and by test in a verdict: a
    many-facet model.

    Crossed random effects with a fixed effect per test, by statsmodels' variational Bayes from a
    fixed start. Columns SD in logits, levels. Its intervals are known to be too narrow and are not
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
    names = pd.Index(["story", "expert", "expert × group", "expert × test"], name="facet")
    levels = table[facets].nunique().to_numpy()
    return pd.DataFrame({"SD in logits": np.exp(fit.vcp_mean), "levels": levels}, index=names)
