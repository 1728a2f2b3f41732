"""Analyse ranked lists of poems: correlation with tiers, its interval, reliability; own results."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from helpers import figures, results
from helpers.measures import (
    agreement,
    compare,
    controls,
    intervals,
    ratings,
    sensitivity,
    statistics,
)
from helpers.measures.trial import Trial
from helpers.poetry import figures as drawings
from helpers.poetry import load
from helpers.poetry.lists import order_by
from helpers.sources.names import display_name

RATINGS = {"place": "position", "score": "score"}  # what readers call a rating: its column
ENOUGH = 10  # poems; a correlation over fewer can be almost anything
PLACE = "mean place (1: best)"


def tier_correlation(means, tiers, rng=None, orders=200):
    """Return Spearman's correlation as the paper takes it (section 7.2): tiers by mean rating
    against tiers (codes, 0 the best). Ties are broken at random, `orders` times; without `rng` they
    stay as they stand."""
    means, ranks = np.asarray(means, float), stats.rankdata(tiers)
    if rng is None or len(np.unique(means)) == len(means):
        tried = [np.argsort(-means, kind="stable")]
    else:
        tried = (order_by(means, rng) for _ in range(orders))
    best = np.sort(ranks)
    return float(np.mean([np.corrcoef(ranks[order], best)[0, 1] for order in tried]))


def over_poems(values, tiers, statistic, rng, replicates=500):
    """Return estimate, low, high, n of `statistic(values, tiers)`, poems redrawn within tiers: a
    jackknife does not suit a correlation that depends on who stands at two borders. In 150
    simulated studies per setting these percentile intervals covered 94 to 99 %. A tier with one
    poem gives no interval."""
    values, tiers = np.asarray(values, float), np.asarray(tiers)
    members = tuple(np.flatnonzero(tiers == code) for code in np.unique(tiers))
    ends = np.nan, np.nan

    def redraw(*rows):
        drawn = np.concatenate(rows)
        return statistic(values[drawn], tiers[drawn])

    if min(map(len, members)) > 1:
        how = {"vectorized": False, "method": "percentile", "n_resamples": replicates}
        ends = stats.bootstrap(members, redraw, rng=rng, **how).confidence_interval
    return intervals.row(statistic(values, tiers), *ends, len(tiers))


def reliability(matrix):
    """Return the reliability of one run and of the mean of all (items x runs); empty for one."""
    if matrix.shape[1] < 2:
        return pd.DataFrame(columns=["estimate", "low", "high", "n"])
    found = agreement.icc_table(matrix).loc[["ICC1", "ICC1k"], ["ICC", "low", "high"]]
    names = pd.Index(["one run", "mean of all runs"], name="answers")
    return found.assign(n=len(matrix)).rename(columns={"ICC": "estimate"}).set_axis(names)


def single_icc(f, runs=10):
    """Return ICC1 of one run: (F - 1) / (F + runs - 1), F one-way (Shrout and Fleiss, 1979)."""
    return (1 - 1 / f) / (1 + (runs - 1) / f)


def success_rate(log):
    """Return the valid first answers (estimate, low, high, n) and the reasons of the others."""
    first = log[log["run"] == log.groupby("list")["run"].transform("min")]
    reasons = first.loc[first["reason"] != "", "reason"].value_counts().sort_index()
    share = intervals.of_share((first["reason"] == "").sum(), len(first))
    return {**share, "not valid": ", ".join(f"{reason} {n}" for reason, n in reasons.items())}


def summarise(means, poems, rng):
    """Return the paper's correlation by criterion, list size and rating."""
    tiers = poems["tier"].cat.codes.to_numpy()
    once, rows = partial(tier_correlation, rng=rng, orders=1), {}
    for (criterion, size), rating in itertools.product(means, RATINGS):
        values = means[criterion, size][RATINGS[rating]].to_numpy()
        values, codes = values[~np.isnan(values)], tiers[~np.isnan(values)]
        row = over_poems(values, codes, once, rng)
        row["estimate"] = tier_correlation(values, codes, rng)
        rows[criterion, size, rating] = row
    return pd.DataFrame(rows).T.rename_axis(["criterion", "poems in a list", "rated by"])


def tell_judge(found, judge, criterion):
    """Return the finding about the judge that orders the poems, [] for the fitted one: how far its
    orders follow the tiers beside the best control; found: of `compare` for `place_scores`."""
    if judge == "simulated/calibrated":
        return []
    control = found.attrs["control"]
    orders = found[found.index.str.startswith(f"{short_name(judge)}, lists of ")]
    told, ahead = [], []
    for name, row in orders.iterrows():
        told.append(f"{results.estimate_cell(row, 2)} in {name.rpartition(', ')[2]}")
        ahead += [name.rpartition(", ")[2]] * bool(row["over control low"] > 0)
    follows = (
        f"Asked about {criterion}, {display_name(judge)} orders our poems as their tiers at a rank "
        f"correlation of {' and '.join(told)}; the best control that reads nothing ({control}) has "
        f"{results.estimate_cell(found.loc[control], 2)}. It clearly "
        f"beats that control in {' and '.join(ahead) or 'neither'}."
    )
    return [follows + f" {results.MADE_UP}" * judge.startswith("simulated/")]


def short_name(judge):
    """Return a judge's name in a table of correlations."""
    return "simulated" if judge.startswith("simulated/") else display_name(judge)


def place_scores(means, judge):
    """Return scores (item, judge, score): mean places by the first criterion of `means`."""
    who = short_name(judge)
    first = next(iter(means))[0]
    tables = {size: table for (asked, size), table in means.items() if asked == first}
    parts = {f"{who}, lists of {size}": table["position"] for size, table in tables.items()}
    return pd.concat(parts, names=["judge", "item"]).rename("score").dropna().reset_index()


def list_values(summary, valid, criterion, short, everything):
    """Return {rating_design: the paper's correlation} and the share of valid first answers."""
    found, sizes = {}, {"short_lists": short, "all_in_one": everything}
    for name, rating in itertools.product(sizes, RATINGS):
        key = criterion, sizes[name], rating
        found[f"{rating}_{name}"] = summary["estimate"].get(key, np.nan)
    return found | {"valid_answers": np.average(valid["estimate"], weights=valid["n"])}


def steadiness(means, rng):
    """Return Spearman's correlation of mean places in two halves of the lists, by criterion and
    poems in a list; nothing for fewer than ten poems."""

    def agree(pair, _):
        return stats.spearmanr(*pair.T).statistic if np.ptp(pair, axis=0).all() else 0.0

    rows = {}
    for key, rated in means.items():
        pairs = rated[["one half", "other half"]].dropna().to_numpy()
        if len(pairs) >= ENOUGH:
            rows[key] = over_poems(pairs, np.zeros(len(pairs), int), agree, rng)
    return pd.DataFrame(rows).T


def widen_all(*tables):
    """Return tables of correlations with intervals widened for all of them, and how many these
    are: a row without an interval is not counted."""
    together = sum(int(table["low"].notna().sum()) for table in tables if len(table))
    wide = [
        table.apply(intervals.widen, axis=1, tests=together, scale="correlation")
        if len(table)
        else table
        for table in tables
    ]
    return *wide, together


def show_own(poems, answers, judge, rng, outputs):
    """Show and write what `answers` (of `ask.ask_own`) say: a row per poem with its mean place (1
    the highest), score, what was said of it alone, its valid answers; sentences; with tiers, a
    figure of the order. Fewer than ten poems: no correlation."""
    alone, means, valid, counts = answers
    made_up = judge.startswith("simulated/")
    table, file = save_poems(poems, alone, means, counts, judge, outputs)
    results.show_table(table)
    found = [f"**SIMULATED.** {results.MADE_UP}"] * made_up
    if len(poems) >= ENOUGH:
        found += tell_own(poems, means, judge, rng)
    else:
        found.append(
            f"{len(poems)} poems are too few to say how steady the order is, or what it follows: "
            f"a correlation takes {ENOUGH} or more."
        )
    usable, given = (valid["n"] * valid["estimate"]).sum(), valid["n"].sum()
    found.append(
        f"{usable:.0f} of {given:.0f} first answers about lists are valid; the others "
        "count as no answer, not as a low place."
    )
    results.say("\n".join(f"- {one}" for one in found))
    results.say(f"Places, scores and counts of answers: `{outputs}/{file}`")


def tell_own(poems, means, judge, rng):
    """Return sentences about how steady a judge's order of a reader's poems is and, with tiers,
    what it follows; then the figure of the order is shown too."""
    made_up, who = judge.startswith("simulated/"), display_name(judge)
    steady, order, found = steadiness(means, rng), pd.DataFrame(), []
    if poems.attrs["tiers"]:
        order = summarise(means, poems, rng).xs("place", level=2, drop_level=False)
    steady, order, together = widen_all(steady, order)
    for (criterion, size), row in steady.iterrows():
        found.append(
            f"By {criterion}, two halves of the answers of {who} about lists of {size} give orders "
            f"that correlate at ρ = {results.estimate_cell(row, 2)} (1: the same order, 0: no "
            "relation)."
        )
    if poems.attrs["tiers"]:
        title = f"{'SIMULATED: ' * made_up}Your poems as {who} orders them"
        figures.show(drawings.draw_strips(means, order, poems, title, rng), drawings.STRIPS)
        for (criterion, size, _), row in order.iterrows():
            found.append(
                f"By {criterion}, in lists of {size}, the order of {who} follows your tiers at "
                f"r = {results.estimate_cell(row, 2)} (1: entirely, 0: not at all)."
            )
        places = place_scores(means, judge)
        beside = compare.compare(load.rate(poems), places, statistics.spearman, target="all")
        best = beside.attrs["control"]
        found.append(
            f"Without reading, *{best}* follows your tiers at a correlation of "
            f"{results.format_interval(beside.loc[best])} (fitted on other poems)."
        )
    if together > 1:
        found.append(
            f"Intervals of the judge's {together} correlations are widened together (Bonferroni). "
            "Even so, about 5 of 100 runs of a judge that reads nothing show one interval "
            "without 0."
        )
    clear = sum(count_clear(table) for table in (steady, order))
    if clear and judge == "simulated/coin":
        found.append(
            f"Intervals without 0 here: {clear} of {together}. This is chance: the judge is a coin."
        )
    return found


def show_first(poems, texts=False):
    """Show the first poem of each tier: tier, title, author and, if asked for, its text."""
    first = poems.groupby("tier", observed=True).head(1)
    results.show_table(first[["tier", "title", "author"]].reset_index(drop=True))
    if texts:
        headings = first["tier"].astype(str) + ": " + first["name"]
        results.show_texts(dict(zip(headings, first["text"])))


def vary_lead(data, scores, judge):
    """Return a table of `sensitivity.vary`: by how much a judge leads the best control that reads
    nothing, by each definition; data: of `load.rate`; scores: item, judge, score of the same judge
    asked in several ways; judge: a name in it."""

    def lead(measure, data=data, within=(), judge=judge):
        how = {"target": "all", "within": within, "simulate": False}
        row = compare.compare(data, scores, measure, **how).loc[judge]
        return row[[*compare.lead_names("control"), "n"]].set_axis(compare.ENDS)

    cases = ratings.find_cases(data, "all")
    counts = controls.list_counts(cases)
    chosen = list(controls.best_count(cases, counts)[1].values())
    most = max(counts, key=chosen.count)
    without = data._replace(items=data.items.drop(columns=most))
    length = data._replace(items=data.items[["item", "group", "words"]])
    tier = data.items["item"].map(data.ratings.set_index("item")["score"])
    ends = ratings.keep(data, tier.isin([tier.min(), tier.max()]))
    claims = {
        "Spearman's rho": lead(statistics.spearman),
        "Pearson's r": lead(statistics.pearson),
        "Kendall's tau": lead(statistics.kendall),
        "pairwise accuracy": lead(statistics.pairwise_accuracy),
        "rho within a subject, averaged": lead(statistics.mean_spearman, within=("group",)),
        "the first and the last tier only": lead(statistics.spearman, ends),
        "the count chosen on the same poems": lead_over_count(cases, scores, judge, most),
        f"without {most}": lead(statistics.spearman, without),
        "length as the only control": lead(statistics.spearman, length),
    }
    for other in scores["judge"].unique():
        if other != judge:
            claims[f"asked for {other}"] = lead(statistics.spearman, judge=other)
    return sensitivity.vary(claims)


def lead_over_count(cases, scores, judge, count):
    """Return by how much (estimate, low, high, n) a judge leads a count in Spearman's rho, the sign
    of the count being that of the same cases."""
    whole = Trial(cases, statistics.spearman, (), ("group",), 0.95)
    values = cases[count].to_numpy(float)
    values = values if whole.rate(values)["estimate"] >= 0 else -values
    given = ratings.match_scores(cases, scores)[judge]
    found = whole.lead("control", given, values)
    ends = [found[name] for name in compare.lead_names("control")]
    return intervals.row(*ends, whole.rate(given)["n"])


def count_clear(table):
    """Return how many rows have an interval that does not hold 0."""
    return int(((table["low"] > 0) | (table["high"] < 0)).sum()) if len(table) else 0


def save_poems(poems, alone, means, counts, judge, outputs):
    """Write a reader's result, see `show_own`; return what fits a page and the file's name."""
    said = alone["verdict"].fillna(alone["status"]).reindex(poems.index)
    shown = ["author", "title"] + ["tier"] * poems.attrs["tiers"]
    table = poems[shown].astype(str).assign(**{"asked alone": said})
    for (criterion, size), count in counts.items():
        design = f"{criterion}, lists of {size}"
        if (rated := means.get((criterion, size))) is not None:
            table[f"{design}: {PLACE}"] = (int(size) + 1 - rated["position"]).round(2)
            table[f"{design}: mean score"] = rated["score"].round(2)
        table = table.join(count.add_prefix(f"{design}: answers "))
    places = [name for name in table if name.endswith(PLACE)]
    table = table.sort_values([*places[:1], "author", "title"], ignore_index=True)
    return table[[*shown, *places]], results.save_own(table, "04", judge, outputs)
