"""Agreement between raters: coefficients for Yes and No, correlations for points.

Verdicts come as a table with one row per rater, story and test; `count_passes` makes of it the
table that the coefficients take, passes out of three raters:

    group  story         test 1  test 2
    0      0_NewYorker        3       2
    0      0_Claude           0       2

- chance-corrected coefficients of such counts: `coefficient`, `fleiss_kappa`;
- what they are in every part of the data: `search_subsets`;
- correlations of points, items x raters: `pair_correlation`, `mean_correlation`, `icc_table`;
- the reliability of a mean of several raters: `average_reliability`.

What makes raters differ on the same items is in `severity`.
"""

import itertools
import warnings

import numpy as np
import pandas as pd

# pingouin's names of the intraclass correlations, and those of Shrout and Fleiss
ICCS = {"1,1": "ICC1", "A,1": "ICC2", "C,1": "ICC3", "1,k": "ICC1k", "A,k": "ICC2k", "C,k": "ICC3k"}


def chance_of_kappa(share, verdicts):
    """Return the chance that two verdicts are alike, each drawn from all verdicts.

    share: of the verdicts that are passes; verdicts: how many there are, which matters for alpha
    alone (the functions of CHANCE all take the same).
    """
    return share**2 + (1 - share) ** 2


def chance_of_alpha(share, verdicts):
    """Return the chance that two different verdicts are alike; arguments: of `chance_of_kappa`."""
    return 1 - 2 * share * (1 - share) * verdicts / (verdicts - 1)


def chance_of_ac1(share, verdicts):
    """Return the chance agreement of Gwet's AC1, which shrinks, not grows, when one label dominates
    (Gwet 2008); arguments: of `chance_of_kappa`."""
    return 2 * share * (1 - share)


CHANCE = {  # the agreement that chance gives
    "Fleiss' kappa": chance_of_kappa,
    "Krippendorff's alpha": chance_of_alpha,
    "Gwet's AC1": chance_of_ac1,
}


def count_passes(verdicts):
    """Return how many experts pass each story (rows: group, story) on each test (columns).

    verdicts: group, story, expert, test, passed.
    """
    passes = verdicts.groupby(["group", "story", "test"])["passed"].sum()
    return passes.unstack().astype(int)


def coefficient(counts, kind="Fleiss' kappa", raters=3, weights=None):
    """Return (observed - chance) / (1 - chance) agreement for each test; nan where all agree on one
    label.

    counts: items x tests, passes out of `raters`; kind: of CHANCE; raters: a number, or one for
    every count (2 at least). Observed agreement is the share of pairs of raters who say the same of
    an item, the mean over items; each verdict weighs alike in the share of passes that chance
    depends on. weights (replicates x items) gives one row of coefficients per replicate: 0 and 1
    for subsets, multiplicities for a bootstrap.
    """
    passes = np.asarray(counts, float)  # items x tests
    raters = np.broadcast_to(np.asarray(raters, float), passes.shape)
    if weights is None:
        weights = np.ones(passes.shape[-2])
    weights = np.asarray(weights, float)  # items, or replicates x items
    items = weights.sum(axis=-1, keepdims=True)

    fails = raters - passes
    pairs = raters * (raters - 1)
    pairs_alike = passes * (passes - 1) + fails * (fails - 1)
    observed = weights @ (pairs_alike / pairs) / items  # tests, or replicates x tests

    verdicts = weights @ raters
    share = weights @ passes / verdicts
    chance = CHANCE[kind](share, verdicts)

    with np.errstate(divide="ignore", invalid="ignore"):
        corrected = (observed - chance) / (1 - chance)
    return np.where(chance < 1, corrected, np.nan)


def fleiss_kappa(counts, raters=3, weights=None):
    """Return Fleiss' kappa for each column of `counts`; see `coefficient`."""
    return coefficient(counts, "Fleiss' kappa", raters, weights)


def search_subsets(counts, groups, printed, kind):
    """Score every non-empty subset of groups: how many printed values does the coefficient
    reproduce?

    counts: items x tests; groups: of each item; printed: a value per test, to two decimals; kind:
    of CHANCE. Return one row per subset, best first: left_out (tuple of groups), groups, matches,
    largest_difference.
    """
    names = np.unique(groups)
    subsets = list(itertools.product([0, 1], repeat=len(names)))
    without_the_empty_one = np.array(subsets[1:], float)
    kept = without_the_empty_one[:, ::-1]  # subsets x groups; the first group changes fastest
    group_of_item = np.searchsorted(names, groups)
    weights = kept[:, group_of_item]  # subsets x items
    values = coefficient(counts, kind, weights=weights)  # subsets x tests
    away = np.abs(values - np.asarray(printed))
    half_a_digit = 0.005 + 1e-9
    table = pd.DataFrame(
        {
            "left_out": [tuple(names[subset == 0].tolist()) for subset in kept],
            "groups": kept.sum(axis=1).astype(int),
            "matches": (away <= half_a_digit).sum(axis=1),
            "largest_difference": np.nanmax(away, axis=1),
        }
    )
    by = ["matches", "largest_difference"]
    return table.sort_values(by, ascending=[False, True], kind="stable", ignore_index=True)


def spread_slots(verdicts):
    """Return tests passed (0-14): rows (group, story), columns expert slots in order of number.

    verdicts: group, story, expert, passed.
    """
    scores = verdicts.groupby(["group", "story", "expert"], as_index=False)["passed"].sum()
    slot = scores.groupby("story")["expert"].rank().astype(int)
    return scores.assign(slot=slot).pivot(index=["group", "story"], columns="slot", values="passed")


def pair_correlation(slots):
    """Return Pearson's r over all ordered pairs of exchangeable columns; slots: items x raters, nan
    where a rater did not rate."""
    by_rater = np.asarray(slots, float).T  # raters x items
    pairs = list(itertools.permutations(by_rater, 2))
    first = np.concatenate([one for one, _ in pairs])
    second = np.concatenate([another for _, another in pairs])
    both_rated = ~np.isnan(first + second)
    return float(np.corrcoef(first[both_rated], second[both_rated])[0, 1])


def mean_correlation(slots):
    """Return the mean of Pearson's r over all pairs of columns; slots: items x raters."""
    r = np.corrcoef(np.asarray(slots, float), rowvar=False)  # raters x raters
    above_diagonal = np.triu_indices_from(r, 1)
    return float(r[above_diagonal].mean())


def average_reliability(r, raters):
    """Return the reliability of a mean of raters, two of whom correlate at r (Spearman-Brown)."""
    return raters * r / (1 + (raters - 1) * r)


def icc_table(matrix):
    """Return ICC1 to ICC3k (rows) of items x raters; columns ICC, F, df1, df2, p, low, high (95 %
    interval)."""
    import pingouin as pg  # takes a second to import

    pg.options["round.column.CI95"] = 6  # two decimals otherwise, and 0.999 would be 1
    wide = pd.DataFrame(np.asarray(matrix, float))
    long = wide.stack().rename_axis(["item", "rater"]).reset_index(name="score")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pingouin on pandas 3; constant matrices
        table = pg.intraclass_corr(long, "item", "rater", "score")
    kinds = table["Type"].str[4:-1].map(ICCS)  # "ICC(A,1)": A,1
    table = table.rename(columns={"pval": "p"}).set_index(kinds).rename_axis("kind")
    bounds = np.stack(table["CI95"].to_numpy())  # kinds x 2
    return table[["ICC", "F", "df1", "df2", "p"]].assign(low=bounds[:, 0], high=bounds[:, 1])
