"""Analyse ranked lists of poems: correlation with tiers, its interval, reliability; own results."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from helpers import results
from helpers.measures import (
    agreement,
    compare,
    controls,
    intervals,
    leads,
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
    stay as they stand.

    The poems are sorted by their means, and each then has a tier of its own and the tier that its
    place would have. Take four poems, two of each tier, and let the second and the third have
    changed places. Their own tiers are, from the first place to the last, 0, 1, 0, 1, those of the
    places 0, 0, 1, 1: a correlation of 0.
    """
    means = np.asarray(means, float)
    has_ties = len(np.unique(means)) < len(means)
    if has_ties and rng is not None:
        tried = [order_by(means, rng) for _ in range(orders)]
    else:
        tried = [np.argsort(-means, kind="stable")]
    ranks = stats.rankdata(tiers)
    tier_of_place = np.sort(ranks)
    correlations = []
    for order in tried:
        own_tier = ranks[order]  # of the poem in each place
        matrix = np.corrcoef(own_tier, tier_of_place)
        correlations.append(matrix[0, 1])
    return float(np.mean(correlations))


def over_poems(values, tiers, statistic, rng, replicates=500):
    """Return estimate, low, high, n of `statistic(values, tiers)`, poems redrawn within tiers: a
    jackknife does not suit a correlation that depends on who stands at two borders. In 150
    simulated studies per setting these percentile intervals covered 94 to 99 %. A tier with one
    poem gives no interval."""
    values = np.asarray(values, float)
    tiers = np.asarray(tiers)
    members = tuple(np.flatnonzero(tiers == code) for code in np.unique(tiers))

    def redraw(*drawn_by_tier):
        drawn = np.concatenate(drawn_by_tier)
        return statistic(values[drawn], tiers[drawn])

    ends = (np.nan, np.nan)
    if min(len(tier) for tier in members) > 1:
        ends = stats.bootstrap(
            members, redraw, rng=rng, vectorized=False, method="percentile", n_resamples=replicates
        ).confidence_interval
    return intervals.row(statistic(values, tiers), *ends, len(tiers))


def reliability(matrix):
    """Return the reliability of one run and of the mean of all (items x runs); empty for one."""
    items, runs = matrix.shape
    if runs < 2:
        return pd.DataFrame(columns=["estimate", "low", "high", "n"])
    iccs = agreement.icc_table(matrix)
    rows = iccs.loc[["ICC1", "ICC1k"], ["ICC", "low", "high"]]
    rows = rows.rename(columns={"ICC": "estimate"}).assign(n=items)
    return rows.set_axis(pd.Index(["one run", "mean of all runs"], name="answers"))


def single_icc(f, runs=10):
    """Return ICC1 of one run: (F - 1) / (F + runs - 1), F one-way (Shrout and Fleiss, 1979)."""
    return (1 - 1 / f) / (1 + (runs - 1) / f)


def success_rate(log):
    """Return the valid first answers (estimate, low, high, n) and the reasons of the others.

    log: a row per answer with list, run (the first: the smallest) and reason ('' for a valid one).
    """
    first_run = log.groupby("list")["run"].transform("min")
    reasons = log.loc[log["run"] == first_run, "reason"]
    is_valid = reasons == ""
    share = intervals.of_share(is_valid.sum(), len(reasons))
    counts = reasons[~is_valid].value_counts().sort_index()
    not_valid = [f"{reason} {count}" for reason, count in counts.items()]
    return {**share, "not valid": ", ".join(not_valid)}


def summarise(means, poems, rng):
    """Return the paper's correlation (estimate, low, high, n) by criterion, list size and rating.

    means: {(criterion, size): a row per poem with position and score}, nan where it had no answer.
    """
    tiers = poems["tier"].cat.codes.to_numpy()
    ties_broken_once = partial(tier_correlation, rng=rng, orders=1)
    rows = {}
    for (criterion, size), rating in itertools.product(means, RATINGS):
        column = RATINGS[rating]
        values = means[criterion, size][column].to_numpy()
        is_rated = ~np.isnan(values)
        row = over_poems(values[is_rated], tiers[is_rated], ties_broken_once, rng)
        row["estimate"] = tier_correlation(values[is_rated], tiers[is_rated], rng)
        rows[criterion, size, rating] = row
    return pd.DataFrame(rows).T.rename_axis(["criterion", "poems in a list", "rated by"])


def tell_judge(table, judge, criterion):
    """Return the finding about the judge that orders the poems, [] for the fitted one: how far its
    orders follow the tiers beside the best control; table: of `compare` for `place_scores`."""
    if judge == "simulated/calibrated":
        return []
    is_order = table.index.str.startswith(f"{short_name(judge)}, lists of ")
    correlations = []
    clearly_ahead = []
    for name, row in table[is_order].iterrows():
        design = name.rpartition(", ")[2]
        correlations.append(f"{results.estimate_cell(row, 2)} in {design}")
        if row["over control low"] > 0:
            clearly_ahead.append(design)
    control = table.attrs["control"]
    finding = (
        f"Asked about {criterion}, {display_name(judge)} orders our poems as their tiers at a rank "
        f"correlation of {' and '.join(correlations)}; the best control that reads nothing "
        f"({control}) has {results.estimate_cell(table.loc[control], 2)}. It clearly "
        f"beats that control in {' and '.join(clearly_ahead) or 'neither'}."
    )
    if judge.startswith("simulated/"):
        finding += f" {results.MADE_UP}"
    return [finding]


def short_name(judge):
    """Return a judge's name in a table of correlations."""
    return "simulated" if judge.startswith("simulated/") else display_name(judge)


def place_scores(means, judge):
    """Return scores (item, judge, score): mean places by the first criterion of `means`.

    The judge's name in the table says how long the lists were that gave the places.
    """
    name = short_name(judge)
    first_criterion = next(iter(means))[0]
    places = {}
    for (criterion, size), table in means.items():
        if criterion == first_criterion:
            by_item = table["position"].set_axis(load.name_poems(table.index))
            places[f"{name}, lists of {size}"] = by_item
    scores = pd.concat(places, names=["judge", "item"]).rename("score")
    return scores.dropna().reset_index()


def list_values(summary, valid, criterion, short, everything):
    """Return {rating_design: the paper's correlation} and the share of valid first answers.

    short, everything: the poems in a list of the two designs.
    """
    sizes = {"short_lists": short, "all_in_one": everything}
    values = {}
    for (design, size), rating in itertools.product(sizes.items(), RATINGS):
        correlation = summary["estimate"].get((criterion, size, rating), np.nan)
        values[f"{rating}_{design}"] = correlation
    values["valid_answers"] = np.average(valid["estimate"], weights=valid["n"])
    return values


def steadiness(means, rng):
    """Return Spearman's correlation of mean places in two halves of the lists, by criterion and
    poems in a list; nothing for fewer than ten poems."""

    def agree(halves, _):  # halves: poems x 2
        if np.ptp(halves, axis=0).all():
            return stats.spearmanr(halves[:, 0], halves[:, 1]).statistic
        return 0.0  # a half that ranks no poem before another

    rows = {}
    for design, rated in means.items():
        halves = rated[["one half", "other half"]].dropna().to_numpy()
        if len(halves) >= ENOUGH:
            one_tier = np.zeros(len(halves), int)
            rows[design] = over_poems(halves, one_tier, agree, rng)
    return pd.DataFrame(rows).T


def widen_all(*tables):
    """Return tables of correlations with intervals widened for all of them, and how many these
    are: a row without an interval is not counted."""
    together = 0
    for table in tables:
        if len(table):
            together += int(table["low"].notna().sum())
    widened = []
    for table in tables:
        if len(table):
            table = table.apply(intervals.widen, axis=1, tests=together, scale="correlation")
        widened.append(table)
    return *widened, together


def describe_own(poems, answers, judge, rng):
    """Return `results.Own` of a reader's poems; answers: of `ask.ask_own`.

    A row per poem: its mean place (1 the highest), score, what was said of it alone, its valid
    answers. Fewer than ten poems: no correlation. With tiers, a figure of the order.
    """
    alone, means, valid, counts = answers
    table, shown = list_poems(poems, alone, means, counts)
    figure, sentences = None, []
    if len(poems) >= ENOUGH:
        figure, sentences = tell_own(poems, means, judge, rng)
    else:
        sentences.append(
            f"{len(poems)} poems are too few to say how steady the order is, or what it follows: "
            f"a correlation takes {ENOUGH} or more."
        )
    first_answers = valid["n"].sum()
    usable = (valid["n"] * valid["estimate"]).sum()
    sentences.append(
        f"{usable:.0f} of {first_answers:.0f} first answers about lists are valid; the others "
        "count as no answer, not as a low place."
    )
    row = "poem, with its places, scores and counts of answers"
    return results.Own(table, row, sentences, figure, drawings.STRIPS, [(table[shown], {})])


def tell_own(poems, means, judge, rng):
    """Return (a figure of the order, None without tiers; sentences about how steady a judge's order
    of a reader's poems is and, with tiers, what it follows)."""
    has_tiers = poems.attrs["tiers"]
    figure = None
    steady = steadiness(means, rng)
    order = pd.DataFrame()
    if has_tiers:
        order = summarise(means, poems, rng).xs("place", level=2, drop_level=False)
    steady, order, together = widen_all(steady, order)
    sentences = tell_steadiness(steady, judge)
    if has_tiers:
        figure = draw_order(poems, means, order, judge, rng)
        sentences += tell_order(order, judge)
        sentences.append(tell_control(poems, means, judge))
    if together > 1:
        sentences.append(
            f"Intervals of the judge's {together} correlations are widened together (Bonferroni). "
            "Even so, about 5 of 100 runs of a judge that reads nothing show one interval "
            "without 0."
        )
    clear = count_clear(steady) + count_clear(order)
    if clear and judge == "simulated/coin":
        sentences.append(
            f"Intervals without 0 here: {clear} of {together}. This is chance: the judge is a coin."
        )
    return figure, sentences


def tell_steadiness(steady, judge):
    """Return a sentence per design about how steady the order is; steady: of `steadiness`."""
    sentences = []
    for (criterion, size), row in steady.iterrows():
        sentences.append(
            f"By {criterion}, two halves of the answers of {display_name(judge)} about lists of "
            f"{size} give orders that correlate at ρ = {results.estimate_cell(row, 2)} (1: the "
            "same order, 0: no relation)."
        )
    return sentences


def draw_order(poems, means, order, judge, rng):
    """Return the figure of a reader's poems as a judge orders them; order: of `summarise`."""
    title = f"Your poems as {display_name(judge)} orders them"
    if judge.startswith("simulated/"):
        title = f"SIMULATED: {title}"
    return drawings.draw_strips(means, order, poems, title, rng)


def tell_order(order, judge):
    """Return a sentence per design about how far the order follows a reader's tiers; order: of
    `summarise`."""
    sentences = []
    for (criterion, size, _), row in order.iterrows():
        sentences.append(
            f"By {criterion}, in lists of {size}, the order of {display_name(judge)} follows your "
            f"tiers at r = {results.estimate_cell(row, 2)} (1: entirely, 0: not at all)."
        )
    return sentences


def tell_control(poems, means, judge):
    """Return the sentence about how far the best control that reads nothing follows the tiers."""
    places = place_scores(means, judge)
    table = compare.compare(load.rate(poems), places, statistics.spearman, target="all")
    best = table.attrs["control"]
    return (
        f"Without reading, *{best}* follows your tiers at a correlation of "
        f"{results.format_interval(table.loc[best])} (fitted on other poems)."
    )


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
        table = compare.compare(data, scores, measure, target="all", within=within, simulate=False)
        of_lead = [*compare.lead_names("control"), "n"]
        return table.loc[judge, of_lead].set_axis(compare.ENDS)

    cases = ratings.find_cases(data, "all")
    usual_count = find_usual_count(cases)
    without_count = data._replace(items=data.items.drop(columns=usual_count))
    length_only = data._replace(items=data.items[["item", "group", "words"]])
    rho = statistics.spearman
    claims = {
        "Spearman's rho": lead(rho),
        "Pearson's r": lead(statistics.pearson),
        "Kendall's tau": lead(statistics.kendall),
        "pairwise accuracy": lead(statistics.pairwise_accuracy),
        "rho within a subject, averaged": lead(statistics.mean_spearman, within=("group",)),
        "the first and the last tier only": lead(rho, keep_end_tiers(data)),
        "the count chosen on the same poems": lead_over_count(cases, scores, judge, usual_count),
        f"without {usual_count}": lead(rho, without_count),
        "length as the only control": lead(rho, length_only),
    }
    for other_judge in scores["judge"].unique():
        if other_judge != judge:
            claims[f"asked for {other_judge}"] = lead(rho, judge=other_judge)
    return sensitivity.vary(claims)


def find_usual_count(cases):
    """Return the count that is most often chosen as the best of those that read nothing."""
    counts = controls.list_counts(cases)
    chosen_by_fold = controls.best_count(cases, counts)[1]
    chosen = list(chosen_by_fold.values())
    return max(counts, key=chosen.count)


def keep_end_tiers(data):
    """Return the `Ratings` of the poems in the first and in the last tier."""
    tier_by_item = data.ratings.set_index("item")["score"]
    tier = data.items["item"].map(tier_by_item)
    return ratings.keep(data, tier.isin([tier.min(), tier.max()]))


def lead_over_count(cases, scores, judge, count):
    """Return by how much (estimate, low, high, n) a judge leads a count in Spearman's rho, the sign
    of the count being that of the same cases."""
    trial = Trial(cases, statistics.spearman, (), ("group",), 0.95)
    follows = trial.apply(ratings.match_scores(cases, scores)[judge])
    values = trial.apply(cases[count].to_numpy(float))
    if values.value < 0:
        values = trial.apply(-values.score)
    return leads.find_lead(trial, follows, "control", values)


def count_clear(table):
    """Return how many rows have an interval that does not hold 0."""
    if table.empty:
        return 0
    is_clear = (table["low"] > 0) | (table["high"] < 0)
    return int(is_clear.sum())


def list_poems(poems, alone, means, counts):
    """Return (a row per poem, see `describe_own`; the columns of it that fit a page)."""
    shown = ["author", "title"]
    if poems.attrs["tiers"]:
        shown.append("tier")
    verdicts = alone["verdict"].fillna(alone["status"])
    table = poems[shown].astype(str)
    table["asked alone"] = verdicts.reindex(poems.index)
    places = []
    for (criterion, size), count in counts.items():
        design = f"{criterion}, lists of {size}"
        rated = means.get((criterion, size))
        if rated is not None:
            place = int(size) + 1 - rated["position"]
            places.append(f"{design}: {PLACE}")
            table[places[-1]] = place.round(2)
            table[f"{design}: mean score"] = rated["score"].round(2)
        table = table.join(count.add_prefix(f"{design}: answers "))
    table = table.sort_values([*places[:1], "author", "title"], ignore_index=True)
    return table, [*shown, *places]
