"""The paper's analyses for a run of any judge: poems sorted one by one (its Table 2), tiers
compared by analyses of variance (Tables 4 and 6), runs of one list related (Table 8)."""

import numpy as np
import pandas as pd
from goodjudge.stats import intervals
from scipy import stats
from statsmodels.stats.multitest import multipletests

from helpers import agreement
from helpers.poetry import analysis

VENUES = ["Good", "Medium", "Bad"]  # the best first, as tiers are
ICCS = ["ICC1k", "ICC2k", "ICC3k"]


def cross_venues(verdicts, poems):
    """Return how many poems of each tier (rows) were sorted into each of VENUES (columns), and how
    many got no answer.

    verdicts: by poem (those that were asked about), of VENUES or missing. Raises ValueError unless
    the poems have three tiers.
    """
    found = len(poems["tier"].cat.categories)
    if found != len(VENUES):
        raise ValueError(f"{found} tiers; sorting into {', '.join(VENUES)} takes three")
    crossed = pd.crosstab(poems.loc[verdicts.index, "tier"], verdicts.fillna("no answer"))
    return crossed.reindex(columns=[*VENUES, "no answer"], fill_value=0).rename_axis(columns=None)


def sort_row(verdicts, poems, rng):
    """Return a row of Table 2, a dict: how many poems were sorted into each of VENUES, and how many
    of these rightly; accuracy (low, high), the share of answers that are right; estimate, low,
    high, n: Spearman's correlation of the answers with the tiers, and p, its p-value.

    Poems without an answer are left out. All answers, or all tiers, alike: no correlation.
    verdicts, ValueError: of `cross_venues`; rng draws the interval of the correlation.
    """
    crossed = cross_venues(verdicts, poems)
    tiers = poems["tier"].cat.categories
    rightly = np.diag(crossed[VENUES].reindex(tiers, fill_value=0))
    row = {}
    for venue, number in zip(VENUES, rightly):
        row |= {venue: crossed[venue].sum(), f"{venue}, rightly": number}
    answered = verdicts.dropna()
    if answered.empty:
        return row | {**intervals.row()}
    accuracy = intervals.of_share(rightly.sum(), len(answered))
    row |= {"accuracy": accuracy["estimate"]}
    row |= {"accuracy low": accuracy["low"], "accuracy high": accuracy["high"]}
    worth = -answered.map(VENUES.index).to_numpy(float)
    codes = poems.loc[answered.index, "tier"].cat.codes.to_numpy()
    row |= {**intervals.row(n=len(answered)), "p": np.nan}
    if np.ptp(worth) > 0 and np.ptp(codes) > 0:
        row |= dict(analysis.over_poems(worth, codes, follow, rng))
        row["p"] = stats.spearmanr(worth, -codes).pvalue
    return row


def follow(worth, tiers):
    """Return Spearman's correlation of ratings with tiers (codes, 0 the best); 0 for ratings that
    are all alike."""
    return stats.spearmanr(worth, -tiers).statistic if np.ptp(worth) > 0 else 0.0


def gather_means(means):
    """Return poems x (criterion, poems in a list, rated by): mean places and mean scores.

    means: {(criterion, size): a row per poem with position and score}.
    """
    columns = {}
    for (criterion, size), rated in means.items():
        for rating, column in analysis.RATINGS.items():
            columns[criterion, size, rating] = rated[column]
    names = ["criterion", "poems in a list", "rated by"]
    return pd.DataFrame(columns).rename_axis(columns=names)


def compare_tiers(values, poems):
    """Return a row of Table 6 for each column of `values`: the mean of each tier, F and p of a
    one-way analysis of variance between tiers, p Bonferroni (for as many tests as there are), n.

    values: poems x what rates them, nan where nothing does; such a poem is left out. No test (nan)
    where a tier has fewer than two poems left, or poems of no tier differ.
    """
    rows = {}
    for column in values:
        rated = values[column].dropna()
        tiers = rated.groupby(poems.loc[rated.index, "tier"], observed=False)
        tests = {"F": np.nan, "p": np.nan}
        if tiers.size().min() > 1 and any(np.ptp(tier) > 0 for _, tier in tiers):
            tests = dict(zip(tests, stats.f_oneway(*(tier for _, tier in tiers))))
        rows[column] = tiers.mean().to_dict() | tests | {"p Bonferroni": np.nan, "n": len(rated)}
    table = pd.DataFrame(rows).T.rename_axis(values.columns.names)
    tested = table.index[table["p"].notna()]
    if len(tested):
        _, corrected, *_ = multipletests(table.loc[tested, "p"], method="bonferroni")
        table.loc[tested, "p Bonferroni"] = corrected
    return table


def relate_runs(again):
    """Return rows of Table 8: by criterion, rated by and kind of intraclass correlation (ICC1k,
    ICC2k, ICC3k) estimate, low, high, F, p, runs, n (poems); nothing for a single run.

    again: of `ask.repeat_list`. nan where every poem is rated alike, and for limits that would be
    those of runs without any difference.
    """
    parts = {}
    for criterion, ranked in again.groupby("criterion", sort=False):
        for rating, column in analysis.RATINGS.items():
            matrix = ranked.pivot(index="poem", columns="run", values=column)
            if matrix.shape[1] > 1:
                iccs = agreement.icc_table(matrix).rename(columns={"ICC": "estimate"})
                part = iccs.loc[ICCS, ["estimate", "low", "high", "F", "p"]]
                parts[criterion, rating] = part.assign(runs=matrix.shape[1], n=len(matrix))
    if not parts:
        return pd.DataFrame(columns=["estimate", "low", "high", "F", "p", "runs", "n"])
    return pd.concat(parts, names=["criterion", "rated by", "kind"])


def write_p(table):
    """Return a table in which the columns p and p Bonferroni are text, of one digit: 3e-06."""
    names = [name for name in ("p", "p Bonferroni") if name in table]
    return table.assign(
        **{name: table[name].map("{:.1g}".format, na_action="ignore") for name in names}
    )
