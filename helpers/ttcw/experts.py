"""How far experts agree: definitions tried, severity taken out, facets of a verdict, panels planned."""

import numpy as np
import pandas as pd
import pingouin as pg
from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

from helpers import results
from helpers.measures import agreement, intervals
from helpers.sources.public import ROOT

COVERAGE = ROOT / "benchmarks" / "results" / "coverage.csv"

COEFFICIENTS = {
    "Fleiss' kappa": agreement.fleiss_kappa,
    "Krippendorff's alpha": agreement.krippendorff_alpha,
    "Gwet's AC1": agreement.gwet_ac1,
}


def search_definitions(verdicts, printed):
    """Return one row a definition of the printed kappas: definition, left_out, groups, matches (best first).

    Tried: three coefficients on every non-empty subset of groups; Fleiss' kappa without one story or one
    expert; the mean of Cohen's kappa over three pairs. printed: Series by test, two decimals.
    """
    counts = agreement.count_passes(verdicts)
    groups = counts.index.get_level_values("group").to_numpy()
    tables = [
        agreement.search_subsets(counts.to_numpy(), groups, printed.to_numpy(), function).assign(
            definition=name
        )
        for name, function in COEFFICIENTS.items()
    ]
    rows = [
        (f"Fleiss' kappa without one {unit}", name, leave_one_out(verdicts[verdicts[unit] != name]))
        for unit in ("story", "expert")
        for name in sorted(verdicts[unit].unique())
    ]
    rows.append(("Cohen's kappa, mean of three pairs", (), pair_kappas(verdicts)))
    away = [np.abs(values - printed.to_numpy()) <= 0.005 + 1e-9 for _, _, values in rows]
    others = pd.DataFrame(
        {
            "definition": [name for name, _, _ in rows],
            "left_out": [left_out for _, left_out, _ in rows],
            "groups": verdicts["group"].nunique(),
            "matches": [int(hits.sum()) for hits in away],
        }
    )
    table = pd.concat([*tables, others], ignore_index=True)
    return results.rank(table, "matches", "definition")[
        ["definition", "left_out", "groups", "matches"]
    ]


def leave_one_out(verdicts):
    """Return Fleiss' kappa by test where stories may have lost a whole expert (two are enough)."""
    passes = verdicts.pivot_table(
        index="story", columns="test", values="passed", aggfunc=["sum", "count"]
    )
    return agreement.fleiss_kappa_unequal(passes["sum"], passes["count"])


def pair_kappas(verdicts):
    """Return the mean of Cohen's kappa over the three pairs of expert slots, by test."""
    slot = verdicts.groupby("story")["expert"].rank(method="dense").astype(int)
    wide = verdicts.assign(slot=slot).pivot(
        index=["test", "story"], columns="slot", values="passed"
    )
    return np.array(
        [
            np.mean([agreement.cohen_kappa(part[a], part[b]) for a, b in ((1, 2), (1, 3), (2, 3))])
            for _, part in wide.groupby("test")
        ]
    )


def remove_severity(slots):
    """Return scores less each expert's mean within the group: what is left is the order of its stories.

    slots: stories x experts, index (group, story), as `agreement.spread_slots` returns them.
    """
    return slots - slots.groupby("group").transform("mean")


def remove_writers(slots):
    """Return scores less the mean of all stories by the same writer."""
    writer = slots.index.get_level_values("story").str.split("_").str[1]
    return slots.sub(slots.mean(axis=1).groupby(writer).transform("mean"), axis=0)


def correlate_experts(slots, *removals):
    """Return r between two experts' scores of a story with its interval over groups (jackknife-t).

    removals: functions such as `remove_severity`, applied in turn, again whenever a group is left out.
    """

    def correlation(rows):
        part = slots.iloc[rows]
        for remove in removals:
            part = remove(part)
        return agreement.pair_correlation(part)

    return intervals.over_groups(
        slots.index.get_level_values("group"), correlation, scale="correlation"
    )


def describe_null(values, observed):
    """Return mean, 95 % range and one-sided p of the values that chance gives: estimate, low, high, p."""
    low, high = np.percentile(values, [2.5, 97.5])
    p = (1 + (values >= observed).sum()) / (1 + len(values))
    return pd.Series({"estimate": values.mean(), "low": low, "high": high, "p": p})


def consistency(slots):
    """Return pingouin's ICC(C,1) and ICC(C,3) of a stories x experts table as {one, mean}."""
    long = slots.reset_index().melt(id_vars=["group", "story"], var_name="slot", value_name="score")
    found = pg.intraclass_corr(long, targets="story", raters="slot", ratings="score").set_index(
        "Type"
    )
    return {"one": found.at["ICC(C,1)", "ICC"], "mean": found.at["ICC(C,k)", "ICC"]}


def predict_agreed(clear):
    """Return the balanced accuracy of one expert against two who agree, with its interval over groups.

    clear: as `agreement.find_agreed` returns it.
    """
    said, truth = clear["passed"].to_numpy(), clear["truth"].to_numpy()
    return intervals.over_groups(
        clear["group"], lambda rows: agreement.balanced_accuracy(said[rows], truth[rows])
    )


def permute_stories(slots, permutations, rng):
    """Return the r's of `correlate_experts` when each expert's scores change places within the group.

    slots: scores with severity removed, equally many stories a group.
    """
    groups = slots.index.get_level_values("group").nunique()
    values = slots.sort_index().to_numpy(float).reshape(groups, -1, slots.shape[1])
    shuffled = (rng.permuted(values, axis=1).reshape(slots.shape) for _ in range(permutations))
    return np.array([agreement.pair_correlation(scores) for scores in shuffled])


def average_reliability(r, experts):
    """Return the reliability of the mean of so many experts, two of whom correlate at r (Spearman-Brown)."""
    return experts * r / (1 + (experts - 1) * r)


def needed_experts(r, reliability=0.8):
    """Return how many experts give that reliability, as a row estimate, low, high, n from such a row of r.

    inf: with an r of nothing no number of experts is enough.
    """
    odds = reliability / (1 - reliability)
    number = [
        odds * (1 - r[end]) / r[end] if r[end] > 0 else np.inf
        for end in ("estimate", "high", "low")
    ]
    return intervals.row(*number, r["n"])


def fit_facets(verdicts):
    """Return the SDs (logits) of stories, experts, experts by group and by test in a verdict: a many-facet model.

    Crossed random effects with a fixed effect a test, by statsmodels' variational Bayes from a fixed start. Columns
    SD in logits, levels. Its intervals are known to be too narrow and are not returned.
    """
    table = verdicts.assign(
        passed=verdicts["passed"].astype(int),
        panel=verdicts["expert"].astype(str) + "/" + verdicts["group"].astype(str),
        taste=verdicts["expert"].astype(str) + "/" + verdicts["test"].astype(str),
    )
    facets = {
        "story": "story",
        "expert": "expert",
        "expert × group": "panel",
        "expert × test": "taste",
    }
    model = BinomialBayesMixedGLM.from_formula(
        "passed ~ C(test)",
        {name: f"0 + C({column})" for name, column in facets.items()},
        table,
        vcp_p=1,
    )
    size = model.k_fep + model.k_vcp + model.k_vc
    fit = model.fit_vb(mean=np.zeros(size), sd=np.full(size, 0.5))
    found = {
        "SD in logits": np.exp(fit.vcp_mean),
        "levels": [table[column].nunique() for column in facets.values()],
    }
    return pd.DataFrame(found, index=pd.Index(facets, name="facet"))
