"""The whole study of ranked poems for any judge: load, price, ask; and what a recorded judge
answered."""

import itertools

import numpy as np
import pandas as pd

from helpers import judges
from helpers.poetry import analysis, baselines
from helpers.poetry import lists as cat
from helpers.poetry.poems import OWN, load_poems
from helpers.sources.files import replace_file
from helpers.sources.names import display_name
from helpers.sources.public import ROOT, SOURCES
from helpers.sources.readers import ask_of, load_rubric

SCORINGS = {"place": "position", "score": "score"}  # what readers call a rating: its column


def load_criteria(path):
    """Return a reader's rubric as criteria for ranking: {name: (what is asked, meaning of 1,
    meaning of 5)}."""
    tests, ends = load_rubric(path), ("the least so of them", "the most so of them")
    return {
        name: (asked.rstrip(".?! "), *ends)
        for name, asked in zip(tests["category"], ask_of(tests).values())
    }


def load(data, own_poems="", rubric="", criteria=("Quality",)):
    """Return (poems, criteria to ask for {name: (what, low, high)}, what the poems are in a
    phrase).

    own_poems, rubric: a reader's own files, or "". Raises ValueError for an unknown word in `data`
    or a bad file.
    """
    if data not in SOURCES:
        raise ValueError(f"data={data!r}: expected one of {', '.join(SOURCES)}")
    poems = load_poems(own_poems or OWN)
    asked = load_criteria(rubric) if rubric else {name: cat.CRITERIA[name] for name in criteria}
    origin = (
        "a reader's own"
        if own_poems
        else "written for this project, a known order and no literature"
    )
    return poems, asked, f"{len(poems)} poems ({poems.attrs['found']}), {origin}"


def rank_designs(poems, designs, judge, criteria, **options):
    """Ask for a ranking of every list; return three things, each by (criterion, poems in a list).

    Mean position and score of every poem (no entry for a design without a valid list); the table of
    `analysis.success_rate`; and how many answers about lists with the poem were valid, incomplete,
    … designs: {poems in a list: lists}.
    """
    means, valid, counts = {}, {}, {}
    for criterion, (size, lists) in itertools.product(criteria, designs.items()):
        ratings, log = cat.rank_lists(poems, lists, criterion, judge, criteria=criteria, **options)
        valid[criterion, size] = analysis.success_rate(log)
        shown = [lists[int(item.rpartition("-")[2])] for item in log["list"]]
        said = log.assign(poem=shown, said=log["reason"].replace("", "valid")).explode("poem")
        counts[criterion, size] = pd.crosstab(said["poem"], said["said"]).reindex(
            poems.index, fill_value=0
        )
        if len(ratings):
            means[criterion, size] = (
                ratings.groupby("poem")[["position", "score"]].mean().reindex(poems.index)
            )
    return (
        means,
        pd.DataFrame(valid).T.infer_objects().rename_axis(["criterion", "poems in a list"]),
        counts,
    )


def save_poems(poems, alone, means, counts, outputs):
    """Write a reader's result, `<outputs>/own-results.csv`; return what of it fits a page: author,
    title, tier, mean places.

    One row a poem, the first design's highest first: its mean place (1 the highest) and mean score
    by criterion and list size, what was said of it alone, and how many answers about it were valid
    or why not. alone: answers to `lists.single_requests`; means, counts: of `rank_designs`;
    outputs: a folder, absolute or relative to the project.
    """
    said = alone["verdict"].fillna(alone["status"]).reindex(poems.index)
    table = poems[["author", "title", "tier"]].astype(str).assign(**{"asked alone": said})
    for (criterion, size), count in counts.items():
        design = f"{criterion}, lists of {size}"
        if (rated := means.get((criterion, size))) is not None:
            table[f"{design}: mean place"] = (int(size) + 1 - rated["position"]).round(2)
            table[f"{design}: mean score"] = rated["score"].round(2)
        table = table.join(count.add_prefix(f"{design}: answers "))
    places = [name for name in table if name.endswith("mean place")]
    table = table.sort_values([*places[:1], "author", "title"], ignore_index=True)
    replace_file(ROOT / outputs / "own-results.csv", table.to_csv(index=False))
    return table[["author", "title", "tier", *places]]


def summarise(means, tiers, rng, printed):
    """Return by criterion, list size and rating the paper's correlation (estimate, low, high, n),
    the usual rho, ties corrected, and, if it prints any, what the paper has for Claude 3 Opus.
    Poems that no valid list held are left out."""
    rows, known = {}, set(printed.keys("Table 3"))
    for (criterion, size), scoring in itertools.product(means, SCORINGS):
        values = means[criterion, size][SCORINGS[scoring]].to_numpy()
        values, codes = values[~np.isnan(values)], tiers[~np.isnan(values)]
        row = analysis.over_poems(
            values, codes, lambda m, t: analysis.tier_correlation(m, t, rng, orders=1), rng
        )
        cell = "Table 3", criterion, f"Claude-3 {size}{'n' * (scoring == 'place')} / SRC"
        rows[criterion, size, scoring] = [
            analysis.tier_correlation(values, codes, rng),
            *row.iloc[1:],
            analysis.score_correlation(values, codes),
            printed.number(*cell) if cell in known else np.nan,
        ]
    index = pd.MultiIndex.from_tuples(
        list(rows), names=["criterion", "poems in a list", "rated by"]
    )
    names = ["estimate", "low", "high", "n", "usual rho", "Claude 3 Opus, printed (Table 3)"]
    table = pd.DataFrame(list(rows.values()), index, names)
    return table if table[names[-1]].notna().any() else table.drop(columns=names[-1])


def beside_baselines(poems, means, criterion, judge, reviewed):
    """Return (poems x columns, {column: kind}): columns that read nothing, the reading of our own
    poems, the judge's places."""
    table, kind = (
        baselines.baselines(poems),
        "simulated" if judge.startswith("simulated/") else "judge",
    )
    kinds = dict.fromkeys(table, "baseline")
    if reviewed:
        judged = (
            pd.read_csv(OWN.with_name("review.csv"))
            .set_index("name")["judged"]
            .reindex(poems["name"])
        )
        table["one reading, tiers hidden"] = -pd.Categorical(
            judged, poems["tier"].cat.categories
        ).codes
        kinds["one reading, tiers hidden"] = "judge"
    for (_, size), ratings in ((key, value) for key, value in means.items() if key[0] == criterion):
        name = f"{'simulated' if kind == 'simulated' else display_name(judge)}, lists of {size}"
        table[name], kinds[name] = ratings["position"], kind
    return table, kinds


def list_values(summary, valid, criterion, short, everything):
    """Return what a sweep compares: {rating_design: the paper's correlation}, and the share of
    first answers that are valid."""
    designs = {"short_lists": short, "all_in_one": everything}
    found = {
        f"{scoring}_{name}": summary["estimate"].get((criterion, size, scoring), np.nan)
        for name, size in designs.items()
        for scoring in SCORINGS
    }
    return found | {"valid_answers": (valid["estimate"] * valid["n"]).sum() / valid["n"].sum()}


def most_tokens(judge, poems):
    """Return the longest answer that is asked for; a model on this machine gets less, to leave room
    for the poems."""
    return 100 + 40 * len(poems) if judge.startswith("local/") else 2500


def plan_study(
    poems, subsets, shuffles, names, criteria=cat.CRITERIA, repeats=10, transcripts=None
):
    """Return what all four experiments cost beyond what is in the store: judge and part x calls,
    tokens, USD."""
    shown = {
        name: pd.concat([cat.list_requests(poems, lists, c, criteria) for c in criteria])
        for name, lists in {"short": subsets, "all": shuffles, "again": subsets[:1]}.items()
    }
    # the last number: tokens of an answer
    parts = {
        "1: single poems": (cat.single_requests(poems), 1, 120),
        "2: all in one list": (shown["all"], 1, 1300),
        "3: short lists": (shown["short"], 1, 220),
        "4: one list again": (shown["again"], repeats, 220),
    }
    table = pd.concat(
        {
            (name, part): judges.plan(
                requests,
                name,
                repeats=runs,
                output_tokens=tokens,
                max_output_tokens=2500,
                transcripts=transcripts,
            )
            for name in names
            for part, (requests, runs, tokens) in parts.items()
        },
        names=["judge", "part"],
    )
    table = table.groupby(level=["judge", "part"])[
        ["calls", "input_tokens", "output_tokens", "usd_live", "usd_batch", "usd_cached_batch"]
    ].sum()
    total = table.groupby("judge").sum().assign(part="all four").set_index("part", append=True)
    return pd.concat([table, total]).sort_index()
