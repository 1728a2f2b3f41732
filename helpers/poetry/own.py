"""What a judge says of a reader's own poems: their order, how steady it is, what it follows."""

import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics
from scipy import stats

from helpers import results
from helpers.poetry import analysis, load, tables
from helpers.poetry import figures as drawings
from helpers.sources.names import display_name

ENOUGH = 10  # poems; a correlation over fewer can be almost anything
PLACE = "mean place (1: best)"


def describe_own(poems, answers, judge, rng):
    """Return `results.Own` of a reader's poems; answers: of `ask.ask_own`.

    A row per poem: its mean place (1 the highest), score, what was said of it alone, its valid
    answers. Fewer than ten poems: no correlation. With tiers, a figure of the order and the paper's
    tables (`table_own`); its Table 8, if a list was asked for several times.
    """
    alone, means, valid, counts, *again = answers
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
    shown_tables = [(table[shown], {})]
    if poems.attrs["tiers"] and len(poems) >= ENOUGH:
        shown_tables += table_own(poems, alone, means, judge, rng)
    for related in map(tables.relate_runs, again):
        if len(related):
            how = {"measure": "one list again: ICC", "digits": 3}
            shown_tables.append((tables.write_p(related), how))
    return results.Own(table, row, sentences, figure, drawings.STRIPS, shown_tables)


def table_own(poems, alone, means, judge, rng):
    """Return the paper's tables of a reader's poems, [(table, keywords of `show_table`)]: the row
    of Table 2, if there are three tiers; those of Table 6, for the judge and for counts."""
    shown = []
    if len(poems["tier"].cat.categories) == len(tables.VENUES):
        verdicts = alone["verdict"].where(alone["status"] == "ok")
        row = tables.sort_row(verdicts, poems, rng)
        sorted_alone = pd.DataFrame({display_name(judge): row}).T.rename_axis(
            "sorted one by one by"
        )
        shown.append((tables.write_p(sorted_alone), {"measure": "rank correlation with the tiers"}))
    by_judge = tables.compare_tiers(tables.gather_means(means), poems)
    by_count = tables.compare_tiers(load.count(poems), poems).rename_axis("counted, not read")
    return shown + [(tables.write_p(table), {}) for table in (by_judge, by_count)]


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


def tell_own(poems, means, judge, rng):
    """Return (a figure of the order, None without tiers; sentences about how steady a judge's order
    of a reader's poems is and, with tiers, what it follows)."""
    has_tiers = poems.attrs["tiers"]
    figure = None
    steady = steadiness(means, rng)
    order = pd.DataFrame()
    if has_tiers:
        order = analysis.summarise(means, poems, rng).xs("place", level=2, drop_level=False)
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
            rows[design] = analysis.over_poems(halves, one_tier, agree, rng)
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


def count_clear(table):
    """Return how many rows have an interval that does not hold 0."""
    if table.empty:
        return 0
    is_clear = (table["low"] > 0) | (table["high"] < 0)
    return int(is_clear.sum())


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
    places = analysis.place_scores(means, judge)
    table = compare.compare(load.rate(poems), places, statistics.spearman, target="all")
    best = table.attrs["control"]
    return (
        f"Without reading, *{best}* follows your tiers at a correlation of "
        f"{results.format_interval(table.loc[best])} (fitted on other poems)."
    )
