"""The whole study of ranked poems for real judges: what it costs, and what a recorded judge answered."""

import numpy as np
import pandas as pd

from helpers import judges
from helpers.judges import labels
from helpers.poetry import analysis as cat_analysis
from helpers.poetry import lists as cat

OUTPUT = {"one": 120, "15": 220, "90": 1300}  # tokens of an answer, for estimates


def plan_study(poems, subsets, shuffles, names, criteria=cat.CRITERIA, repeats=10, transcripts=None):
    """Return what all four experiments cost beyond what is in the store: judge and part x calls, tokens, USD."""
    lists = {
        name: pd.concat([cat.list_requests(poems, drawn, c, criteria) for c in criteria])
        for name, drawn in (("short", subsets), ("all", shuffles), ("again", subsets[:1]))
    }
    parts = [
        ("1: single poems", cat.single_requests(poems), 1, OUTPUT["one"]),
        ("2: all in one list", lists["all"], 1, OUTPUT["90"]),
        ("3: short lists", lists["short"], 1, OUTPUT["15"]),
        ("4: one list again", lists["again"], repeats, OUTPUT["15"]),
    ]
    table = pd.concat(
        [
            judges.plan(
                requests, name, repeats=runs, output_tokens=tokens, max_output_tokens=2500, transcripts=transcripts
            ).assign(part=part)
            for name in names
            for part, requests, runs, tokens in parts
        ]
    )
    columns = ["calls", "input_tokens", "output_tokens", "usd_live", "usd_batch", "usd_cached_batch"]
    table = table.set_index(["judge", "part"])[columns]
    total = table.groupby("judge").sum().assign(part="all four").set_index("part", append=True)
    return pd.concat([table, total]).sort_index()


def read_recorded(poems, name):
    """Return {"table", "sentence"}: the reduced experiments as `data/recorded/<name>.jsonl` holds them; None if there is no file.

    table: by experiment and list size, first answers, valid ones with a 95 % Wilson interval, and the reasons of the others.
    """
    judge, tiers = f"recorded/{name}", poems["tier"].cat.codes.to_numpy()
    rows, orders = {}, []
    try:
        single = judges.ask(cat.single_requests(poems), judge, labels.parse_tier)
    except FileNotFoundError:
        return None
    single = single.assign(tier=tiers)[single["note"] != "missing: no recorded answer"]
    rows["1: single poems", "1"] = cat_analysis.success_rate(
        pd.DataFrame({"list": single["item"], "run": 1, "reason": np.where(single["status"] == "ok", "", single["status"])})
    )
    for size, lists in cat.small_design(tiers).items():
        try:
            ratings, log = cat.rank_lists(poems, lists, "Quality", judge, attempts=1)
        except ValueError:  # lists of this size were not recorded
            continue
        log = log[log["status"] != "error"]
        if len(log):
            rows["2 and 3: lists", size] = cat_analysis.success_rate(log)
        orders.append(ratings)
    good = single[single["status"] == "ok"]
    hits = int((good["verdict"].map({"Good": 0, "Medium": 1, "Bad": 2}) == good["tier"]).sum())
    lists, asked = sum(ratings["list"].nunique() for ratings in orders), sum(row["n"] for row in rows.values())
    sentence = f"Of {asked} first answers {len(good) + lists} are valid: {lists} lists, and {len(good)} single poems "
    sentence += f"({hits} right). "
    if len(good) + lists == 0:
        sentence += (
            "At this size and temperature the model does not follow the form of the answer, so nothing can be said "
            "about its taste; what the run shows is that failures are counted and kept, not repaired."
        )
    return {"table": pd.DataFrame(rows).T.rename_axis(["experiment", "poems in a list"]), "sentence": sentence}
