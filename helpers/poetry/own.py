"""A reader's own poems: ask a judge for their order, write it, say what it is worth."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from scipy import stats

from helpers import judges, results
from helpers.judges import labels
from helpers.poetry import analysis, ask, baselines
from helpers.sources.names import display_name


def ask_order(poems, designs, judge, criteria, options, limit=0):
    """Return what a judge says of a reader's poems: alone, means, valid, counts (see
    `ask.rank_designs`); JudgeError without one valid list."""
    first = replace(options, limit=limit)  # poems of the single question; 0: all
    alone = judges.ask(ask.single_requests(poems), judge, labels.parse_tier, first)
    means, valid, counts = ask.rank_designs(poems, designs, judge, criteria, options)
    ask.check_ranked(means, valid, judge)
    return SimpleNamespace(alone=alone, means=means, valid=valid, counts=counts)


def save(poems, said, judge, outputs):
    """Write a reader's result; return what of it fits a page (author, title, tier, mean places) and
    the name of the file.

    One row per poem, the first design's highest first: its mean place (1 the highest) and score by
    criterion and list size, what was said of it alone, how many answers about it were valid or why
    not. said: of `ask_order`.
    """
    alone = said.alone["verdict"].fillna(said.alone["status"]).reindex(poems.index)
    shown = ["author", "title"] + ["tier"] * poems.attrs["tiers"]
    table = poems[shown].astype(str).assign(**{"asked alone": alone})
    for (criterion, size), count in said.counts.items():
        design = f"{criterion}, lists of {size}"
        if (rated := said.means.get((criterion, size))) is not None:
            table[f"{design}: mean place"] = (int(size) + 1 - rated["position"]).round(2)
            table[f"{design}: mean score"] = rated["score"].round(2)
        table = table.join(count.add_prefix(f"{design}: answers "))
    places = [name for name in table if name.endswith("mean place")]
    table = table.sort_values([*places[:1], "author", "title"], ignore_index=True)
    return table[[*shown, *places]], results.save_own(table, "04", judge, outputs)


def steadiness(rated, rng):
    """Return Spearman's correlation of the mean places in two halves of the lists: estimate, low,
    high, n; nan where fewer than three poems are in both."""

    def agree(pair, _):
        return stats.spearmanr(*pair.T).statistic if np.ptp(pair, axis=0).all() else 0.0

    pairs = rated[["one half", "other half"]].dropna().to_numpy()
    same = np.zeros(len(pairs), int)
    return analysis.over_poems(pairs, same, agree, rng) if len(pairs) > 2 else None


def describe(poems, said, summary, judge, rng):
    """Return sentences about a reader's result: per criterion and size the tiers (if there are
    any) and steadiness, then the best count that reads nothing, and the valid answers."""
    who, found = display_name(judge), []
    if judge.startswith("simulated/"):
        unread = "This judge is made up and read nothing: name one that can read (`judge`)."
        found.append(f"**SIMULATED.** {unread}")
    for (criterion, size), rated in said.means.items():
        of = f"By {criterion}, in lists of {size}, "
        if poems.attrs["tiers"]:
            row = results.format_interval(summary.loc[(criterion, size, "place")])
            follows = "(1: entirely, 0: not at all)"
            found.append(f"{of}the order of {who} follows your tiers at r = {row} {follows}.")
        if (row := steadiness(rated, rng)) is not None:
            halves = f"two halves of the answers of {who} give orders that correlate at ρ = "
            same = "(1: the same order, 0: no relation)"
            found.append(f"{of}{halves}{results.format_interval(row)} {same}.")
    if poems.attrs["tiers"]:
        counts, codes = baselines.baselines(poems), poems["tier"].cat.codes.to_numpy()
        rho = results.rank(analysis.rate_columns(counts, codes, rng), "estimate", "what")
        follows = f"follows your tiers at a correlation of {results.format_interval(rho.iloc[0])}"
        known = f"chosen afterwards as the best of {len(rho)}"
        found.append(f"Without reading, a mere count (*{rho.index[0]}*, {known}) {follows}.")
    usable = (said.valid["n"] * said.valid["estimate"]).sum()
    asked = f"{usable:.0f} of {said.valid['n'].sum():.0f} first answers about lists are valid"
    return [*found, f"{asked}; the others count as no answer, not as a low place."]
