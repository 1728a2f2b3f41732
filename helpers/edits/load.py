"""Load paragraphs by a model and their edits, ranked blind by writers: LAMP and WQRM."""

from difflib import SequenceMatcher

import pandas as pd

from helpers.measures.ratings import Ratings
from helpers.sources import readers
from helpers.sources.files import DataError, refuse, require_columns
from helpers.sources.public import read_json

KINDS = {  # of text, and the file's name of each; LAMP's rankings number them in this order; the
    # chosen edit is the one that the reward model scored best
    "LAMP": {"writer's edit": "postedit", "draft": "preedit", "machine's edit": "AI-edited"},
    "WQRM": {"chosen edit": "best_cot", "draft": "first_draft", "random edit": "random_cot"},
}
SCORES = {"Most Preferred": 3, "Second Favorite": 2, "Least Preferred": 1}  # … Writing Option
REWARD, REWARDED = "reward model", "lamp/WQRM_annotations.json"


def load(part):
    """Return `Ratings` of the 201 triples of "LAMP" or of the 101 of "WQRM".

    items: item, group (the triple), writer (the model of the draft), kind, text, words. ratings:
    item, rater, score (3 best to 1); nothing tells who WQRM's raters are, so they are numbered anew
    in each triple. Raises FileNotFoundError, or DataError naming file and place.
    """
    texts, ranks = read_lamp() if part == "LAMP" else read_wqrm()
    items = lengthen(texts, ["group", "writer"], "text")
    items["words"] = items["text"].str.split().str.len()
    ratings = lengthen(ranks, ["group", "rater"], "score")
    return Ratings(items, ratings[["item", "rater", "score"]], "open")


def load_reward():
    """Return the scores of the reward model for the texts of "WQRM": item, judge, score."""
    table = read_triples()
    kinds = {kind: table[kind].str["wqrm_score"] for kind in KINDS["WQRM"]}
    scores = pd.DataFrame({"group": table["group"], "judge": REWARD} | kinds)
    return lengthen(scores, ["group", "judge"], "score")[["item", "judge", "score"]]


def load_own(path):
    """Return a reader's edited texts: item, group, kind (draft or edit), text."""
    needed = ("before", "after")
    path = readers.resolve(path, "a CSV file with the columns before and after")
    table = readers.read_csv(path, needed)[[*needed]].set_axis(["draft", "edit"], axis=1)
    table["group"] = [f"pair {number}" for number in range(1, len(table) + 1)]
    return lengthen(table, ["group"], "text")


def share_changed(items):
    """Return 1 less the share of words, in order, that a text shares with its draft, by item."""
    drafts = items[items["kind"] == "draft"].set_index("group")["text"]
    both = zip(items["group"].map(drafts), items["text"])
    same = [SequenceMatcher(None, a.split(), b.split(), autojunk=False).ratio() for a, b in both]
    return pd.Series(1.0, items["item"]) - same


def lengthen(table, kept, value):
    """Return one row per text of a table with a column per kind: item, kept, kind, the value."""
    long = table.melt(kept, var_name="kind", value_name=value)
    long.insert(0, "item", long["group"] + "/" + long["kind"])
    return long.sort_values([*kept, "kind"], kind="stable", ignore_index=True)


def read_lamp():
    """Return (texts, scores), a column per kind: by group and writer, by group and rater.

    In batch 6 the one entry whose machine's edit is the draft itself was not ranked. Each entry's
    paragraph of a published story is not read; raters' names become codes.
    """
    kinds, texts, ranks, codes = KINDS["LAMP"], [], [], {}
    for batch, rankings in read_json("lamp/agreement_map.json").items():
        part = take(f"lamp/{batch}.json", {"writer": "source"} | kinds)
        part = part[part[list(kinds)].nunique(axis=1) == len(kinds)].reset_index(drop=True)
        part.insert(0, "group", [f"{batch[-1]}-{row:02d}" for row in range(len(part))])
        texts.append(part)
        for rater, orders in rankings.items():
            code = codes.setdefault(rater, f"R{len(codes) + 1}")
            if len(orders) != len(part) or any(sorted(order) != [1, 2, 3] for order in orders):
                what = f"expected {len(part)} orders of 1, 2 and 3, one per ranked entry"
                raise DataError(f"lamp/agreement_map.json, {batch}, rater {code}: {what}")
            scores = [[3 - order.index(number) for number in (1, 2, 3)] for order in orders]
            scores = pd.DataFrame(scores, columns=list(kinds))
            ranks.append(part[["group"]].assign(rater=code).join(scores))
    return pd.concat(texts, ignore_index=True), pd.concat(ranks, ignore_index=True)


def read_wqrm():
    """Return (texts, scores) as `read_lamp` does."""
    table, kinds = read_triples(), KINDS["WQRM"]
    said = table[["group", "said"]].explode("said", ignore_index=True)
    ranks = said[["group"]].assign(rater=said.groupby("group").cumcount().map("r{}".format))
    for kind, field in kinds.items():
        ranks[kind] = said["said"].str[field].str.removesuffix(" Writing Option").map(SCORES)
    once = ranks[list(kinds)].apply(lambda row: sorted(row) == [1, 2, 3], axis=1)
    refuse(ranks, REWARDED, [("group", ~once, "each of the three places once per ranking")])
    texts = {kind: table[kind].str["candidate"] for kind in kinds}
    return table[["group", "writer"]].assign(**texts), ranks


def read_triples():
    """Return the release with the reward model's scores: group, writer, a record per kind, said."""
    table = take(REWARDED, {"writer": "llm", "said": "annotations"} | KINDS["WQRM"])
    return table.assign(group=[f"w-{row:03d}" for row in range(len(table))])


def take(name, columns):
    """Return columns of a file by our names; DataError for one that is missing or has blanks."""
    raw = pd.DataFrame(read_json(name))
    require_columns(raw, name, list(columns.values()))
    table = raw[list(columns.values())].set_axis(list(columns), axis=1)
    refuse(table, name, [(each, table[each].isna(), "no blank") for each in columns])
    return table
