"""The whole study of ranked poems for any judge: load, price, ask; and what a recorded judge answered."""

import numpy as np
import pandas as pd

from helpers import judges
from helpers.judges import labels
from helpers.poetry import analysis, baselines
from helpers.poetry import lists as cat
from helpers.poetry.poems import OWN, load_poems
from helpers.sources.public import SOURCES
from helpers.sources.readers import load_criteria

OUTPUT = {"one": 120, "15": 220, "90": 1300}  # tokens of an answer, for estimates


def load(data, own_poems="", rubric="", criteria=("Quality",)):
    """Return (poems, criteria to ask for {name: (what, low, high)}, what the poems are in a phrase).

    own_poems, rubric: a reader's own files, or "". Raises ValueError for an unknown word in `data` or a bad file.
    """
    if data not in SOURCES:
        raise ValueError(f"data={data!r}: expected one of {', '.join(SOURCES)}")
    poems = load_poems(own_poems or None)
    asked = load_criteria(rubric) if rubric else {name: cat.CRITERIA[name] for name in criteria}
    origin = "a reader's own" if own_poems else "written for this project, a known order and no literature"
    return poems, asked, f"{len(poems)} poems ({poems.attrs['found']}), {origin}"


def read_review(poems):
    """Return the tier codes (0 the best) that one reading, tiers hidden, gave to the project's own poems."""
    judged = pd.read_csv(OWN.with_name("review.csv")).set_index("name")["judged"].reindex(poems["name"])
    return pd.Categorical(judged, poems["tier"].cat.categories).codes


def rank_designs(poems, designs, judge, criteria, **options):
    """Ask for a ranking of every list; return (mean ratings by criterion and list size, table of first answers that are valid).

    designs: {poems in a list: lists}. A design without a valid list has no mean ratings.
    """
    means, valid = {}, {}
    for criterion in criteria:
        for size, lists in designs.items():
            ratings, log = cat.rank_lists(poems, lists, criterion, judge, criteria=criteria, **options)
            valid[criterion, size] = analysis.success_rate(log)
            if len(ratings):
                means[criterion, size] = analysis.mean_ratings(ratings, poems)
    return means, pd.DataFrame(valid).T.infer_objects().rename_axis(["criterion", "poems in a list"])


def summarise(means, tiers, rng, printed):
    """Return `analysis.summarise` of all mean ratings by criterion, list size and scoring; and Claude-3-Opus as printed there."""
    tables = {key: analysis.summarise(table, tiers, rng) for key, table in means.items()}
    if not tables:
        return pd.DataFrame(columns=["estimate", "low", "high", "n"])
    table = pd.concat(tables, names=["criterion", "poems in a list"]).astype(float)
    keys = [("Table 3", c, f"Claude-3 {size}{'n' * (scoring == 'position')} / SRC") for c, size, scoring in table.index]
    known = set(printed.keys("Table 3"))
    return table.assign(**{"Claude-3-Opus, printed": [printed.number(*key) if key in known else np.nan for key in keys]})


def order_poems(means, poems):
    """Return the poems in the order of the first design: place by mean position in every design (1 the highest)."""
    places = {f"{criterion}, {size}": table["position"].rank(ascending=False) for (criterion, size), table in means.items()}
    table = pd.DataFrame({"poem": poems["name"], "tier": poems["tier"].astype(str), **places})
    return table.sort_values([*list(places)[:1], "poem"], ignore_index=True)


def beside_baselines(poems, means, criterion, judge, reviewed, rng):
    """Return (poems x columns, {column: kind}): columns that read nothing, the reading of our own poems, the judge's places."""
    table, kind = baselines.baselines(poems, rng), "simulated" if judge.startswith("simulated/") else "judge"
    kinds = dict.fromkeys(table, "baseline")
    if reviewed:
        table["one reading, tiers hidden"] = -read_review(poems)
        kinds["one reading, tiers hidden"] = "ceiling"
    for (_, size), ratings in ((key, value) for key, value in means.items() if key[0] == criterion):
        name = f"{'simulated ' * (kind == 'simulated')}judge, lists of {size}"
        table[name], kinds[name] = ratings["position"], kind
    return table, kinds


def list_values(summary, valid, criterion, short, everything):
    """Return what a sweep compares: {scoring_design: the paper's correlation}, and the share of first answers that are valid."""
    designs = {"short_lists": short, "all_in_one": everything}
    found = {f"{scoring}_{name}": summary["estimate"].get((criterion, size, scoring), np.nan)
             for name, size in designs.items() for scoring in ("position", "score")} if len(summary) else {}
    return found | {"valid_answers": (valid["estimate"] * valid["n"]).sum() / valid["n"].sum()}


def most_tokens(judge, poems):
    """Return the longest answer that is asked for; a model on this machine gets less, to leave room for the poems."""
    return 100 + 40 * len(poems) if judge.startswith("local/") else 2500


def plan_study(poems, subsets, shuffles, names, criteria=cat.CRITERIA, repeats=10, transcripts=None):
    """Return what all four experiments cost beyond what is in the store: judge and part x calls, tokens, USD."""
    drawn = {"short": subsets, "all": shuffles, "again": subsets[:1]}
    lists = {name: pd.concat([cat.list_requests(poems, some, c, criteria) for c in criteria]) for name, some in drawn.items()}
    parts = [
        ("1: single poems", cat.single_requests(poems), 1, OUTPUT["one"]),
        ("2: all in one list", lists["all"], 1, OUTPUT["90"]),
        ("3: short lists", lists["short"], 1, OUTPUT["15"]),
        ("4: one list again", lists["again"], repeats, OUTPUT["15"]),
    ]
    table = pd.concat([
        judges.plan(requests, name, repeats=runs, output_tokens=tokens, max_output_tokens=2500,
                    transcripts=transcripts).assign(part=part)
        for name in names for part, requests, runs, tokens in parts
    ])
    columns = ["calls", "input_tokens", "output_tokens", "usd_live", "usd_batch", "usd_cached_batch"]
    table = table.set_index(["judge", "part"])[columns]
    total = table.groupby("judge").sum().assign(part="all four").set_index("part", append=True)
    return pd.concat([table, total]).sort_index()


def read_recorded(poems, name):
    """Return the valid first answers of the reduced experiments in `data/recorded/<name>.jsonl`, None if there is no file.

    By experiment and list size: estimate, low, high (Wilson), n, and the reasons of the answers that are not valid.
    """
    judge, tiers, rows = f"recorded/{name}", poems["tier"].cat.codes.to_numpy(), {}
    try:
        single = judges.ask(cat.single_requests(poems), judge, labels.parse_tier)
    except FileNotFoundError:
        return None
    single = single[single["note"] != "missing: no recorded answer"]
    log = pd.DataFrame({"list": single["item"], "run": 1, "reason": single["status"].replace("ok", "")})
    rows["1: single poems", "1"] = analysis.success_rate(log)
    for size, lists in cat.small_design(tiers).items():
        try:
            log = cat.rank_lists(poems, lists, "Quality", judge, attempts=1)[1]
        except ValueError:  # lists of this size were not recorded
            continue
        if len(log := log[log["status"] != "error"]):
            rows["2 and 3: lists", size] = analysis.success_rate(log)
    return pd.DataFrame(rows).T.infer_objects().rename_axis(["experiment", "poems in a list"])
