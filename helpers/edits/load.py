"""Load paragraphs by a model and their edits, ranked blind by writers (LAMP and WQRM): the numbers,
kept here, and the texts, which are fetched."""

import pandas as pd
from goodjudge.data.ratings import Ratings

from helpers.sources.files import refuse, require_columns
from helpers.sources.kept import read_kept
from helpers.sources.public import read_json

KINDS = {  # of text, and the file's name of each; LAMP's rankings number them in this order; the
    # chosen edit is the one that the reward model scored best
    "LAMP": {"writer's edit": "postedit", "draft": "preedit", "machine's edit": "AI-edited"},
    "WQRM": {"chosen edit": "best_cot", "draft": "first_draft", "random edit": "random_cot"},
}
BATCHES = range(1, 8)  # of LAMP
REWARD, REWARDED = "reward model", "lamp/WQRM_annotations.json"


def load(part):
    """Return `Ratings` of the 201 triples of "LAMP" or of the 101 of "WQRM".

    items: item, group (the triple), writer (the model of the draft), kind, words. ratings: item,
    rater, score (3 best to 1); nothing tells who WQRM's raters are, so they are numbered anew in
    each triple.
    """
    items = read_kept(f"{part.lower()}-items").drop(columns="changed")
    return Ratings(items, read_kept(f"{part.lower()}-ratings"), "open")


def credit_editors(data):
    """Return `Ratings` of "LAMP" or "WQRM" in which the writer of a text is who gave it its last
    form, as the control *authorship* asks: "draft", "writer's edit" or "machine's edit".

    Both edits of WQRM are by one machine. That one of them was chosen is what the reward model said
    after reading, and no fact about its author.
    """
    by_machine = data.items["kind"].isin(["chosen edit", "random edit"])
    editors = data.items["kind"].mask(by_machine, "machine's edit")
    return data._replace(items=data.items.assign(writer=editors))


def load_reward():
    """Return the scores of the reward model for the texts of "WQRM": item, judge, score."""
    return read_kept("wqrm-judges")


def load_texts(part):
    """Return the texts of "LAMP" or "WQRM": item, group, writer, kind, text. Fetched, and verified:
    FileNotFoundError where they cannot be had, DataError naming file and place."""
    texts = read_lamp() if part == "LAMP" else read_wqrm()
    return lengthen(texts, ["group", "writer"], "text")


def lengthen(table, kept, value):
    """Return one row per text of a table with a column per kind: item, kept, kind, the value."""
    long = table.melt(kept, var_name="kind", value_name=value)
    long.insert(0, "item", long["group"] + "/" + long["kind"])
    return long.sort_values([*kept, "kind"], kind="stable", ignore_index=True)


def read_lamp():
    """Return LAMP's texts, a column per kind, by group and writer.

    In batch 6 the one entry whose machine's edit is the draft itself was not ranked. Each entry's
    paragraph of a published story is not read.
    """
    kinds = KINDS["LAMP"]
    texts = []
    for batch in BATCHES:
        triples = take(f"lamp/batch{batch}.json", {"writer": "source"} | kinds)
        all_differ = triples[list(kinds)].nunique(axis=1) == len(kinds)
        triples = triples[all_differ].reset_index(drop=True)
        triples.insert(0, "group", [f"{batch}-{row:02d}" for row in range(len(triples))])
        texts.append(triples)
    return pd.concat(texts, ignore_index=True)


def read_wqrm():
    """Return WQRM's texts as `read_lamp` does."""
    table = read_triples()
    texts = {kind: table[kind].str["candidate"] for kind in KINDS["WQRM"]}
    return table[["group", "writer"]].assign(**texts)


def read_triples():
    """Return the release with the reward model's scores: group, writer, a record per kind, said."""
    table = take(REWARDED, {"writer": "llm", "said": "annotations"} | KINDS["WQRM"])
    return table.assign(group=[f"w-{row:03d}" for row in range(len(table))])


def take(name, columns):
    """Return columns of a file by our names; DataError for one that is missing or has blanks."""
    raw = pd.DataFrame(read_json(name))
    theirs = list(columns.values())
    require_columns(raw, name, theirs)
    table = raw[theirs].set_axis(list(columns), axis=1)
    refuse(table, name, [(column, table[column].isna(), "no blank") for column in columns])
    return table
