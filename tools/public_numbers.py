"""Read the numbers of the public files, checked: what `keep_ratings.py` writes to `data/ratings/`.

No table here has a text or the name or id of a person; a DataError names the file and the place of
what is wrong.
"""

import json

import numpy as np
import openpyxl
import pandas as pd

from helpers import prompts
from helpers.edits import load as edits
from helpers.evolvr import load as hanna
from helpers.poetry import titles, votes
from helpers.sources.files import DataError, refuse, require_columns
from helpers.sources.public import locate, read_json
from helpers.ttcw import load as ttcw

EXPERTS = 3  # on each story and test of TTCW
CELLS = "hanna/hanna_metric_scores_llm.csv"
REFERENCE_FREE = ("¤§", "¤ε", "¤Δ")  # how the names of metrics without a reference end
SYSTEMS = 11
SHEET = "confederacy/RatersSheet-WithResults.xlsx"
BLOCKS = (slice(4, 14), slice(18, 28))  # the two raters' columns of the sheet
RANKINGS = "lamp/agreement_map.json"
VOTES = "copoet/batch_results.csv"
CHOSEN = {"Answer.creative1.creative1": "with help", "Answer.creative2.creative2": "alone"}
PRON_SCORES = {  # the columns of the sheets, and our names
    "1_attractive_title": "title attractive",
    "2_originality_title": "title original",
    "4_creativity_title": "title creative",
    "1_attractive_style": "attractive style",
    "1_attractive_theme": "attractive theme",
    "2_originality_style": "original style",
    "2_originality_theme": "original theme",
    "4_creativity_synopsis": "creative",
    "6_anthology": "anthology",
    "6_readers_opinion": "readers",
    "6_critics_opinion": "critics",
    "6_own_voice": "own voice",
}
GUESSES = {"5_authorship_title": "title guess", "5_authorship_synopsis": "synopsis guess"}
GUESSED = {
    "Un escritor consagrado.": "established writer",
    "Un escritor novel.": "beginner",
    "Una inteligencia artificial.": "machine",
}
SCORES = {"Most Preferred": 3, "Second Favorite": 2, "Least Preferred": 1}  # … Writing Option


def read_ttcw_verdicts(raw=None, name="ttcw/ttcw_annotations.json"):
    """Return the expert verdicts: item (a story), rater, aspect (a test), score (1 Yes, 0 No).

    raw: the records of the file `name`, all strings. Raises DataError for a missing column, a
    verdict neither Yes nor No, a second one, a story and test without exactly three experts.
    """
    raw = pd.DataFrame(read_json(name)) if raw is None else raw
    known = {"story_id": "item", "expert_idx": "rater", "ttcw_idx": "aspect"}
    known["binary_verdict"] = "score"
    require_columns(raw, name, list(known))
    table = raw[list(known)].rename(columns=known)
    case = ["item", "aspect"]
    experts = table.groupby(case)["rater"].transform("nunique")
    checks = [
        ("score", ~table["score"].isin(["Yes", "No"]), "Yes or No (binary_verdict)"),
        ("rater", table.duplicated([*case, "rater"]), "each expert once per story and test"),
        ("item", experts != EXPERTS, f"{EXPERTS} experts on each of its tests"),
    ]
    refuse(table, name, checks)
    return table.assign(score=table["score"].eq("Yes").astype(int))


def read_ttcw_stories():
    """Return the 48 stories: item, group (0-11), writer, title, filed as (the magazine's section of
    the 12 that are only linked to)."""
    names = {"story_id": "item", "story_idx": "group", "story_name": "title"}
    raw = pd.DataFrame(read_json("ttcw/ttcw_short_stories.json"))
    table = raw[list(names)].rename(columns=names).astype({"group": int})
    table.insert(2, "writer", table["item"].str.split("_", n=1).str[1])
    is_link = raw["content"].str.startswith("http")
    is_personal = raw["content"].str.contains("/personal-history/")
    filed = np.where(is_personal, "personal history", "fiction")
    return table.assign(**{"filed as": np.where(is_link, filed, "")})


def read_ttcw_plots():
    """Return the plot summary that each of the 48 stories has: group (0-11), plot."""
    raw = pd.DataFrame(read_json("ttcw/ttcw_short_stories.json"))
    table = raw[["story_idx", "plot"]].rename(columns={"story_idx": "group"})
    return table.astype({"group": int}).assign(plot=table["plot"].str.strip())


def read_ttcw_tests():
    """Return the 14 tests: aspect (1-14), dimension, name (the paper's, as in Table 5)."""
    table = pd.DataFrame(read_json("ttcw/ttcw_all_tests.json"))
    table = table.rename(columns={"ttcw_idx": "aspect", "torrance_dimension": "dimension"})
    return table[["aspect", "dimension"]].assign(name=table["aspect"].map(ttcw.TEST_NAMES))


def read_ttcw_answers(judge):
    """Return the released answers of one of `ttcw.JUDGES`: item (a story), aspect (a test), text,
    finish ('content_filter' where the provider blocked the answer, as the file says, else 'stop').

    Raises DataError for an id that is not of the form story_<group>_<writer>_test<n>, or repeated.
    """
    name = f"ttcw/annotations_{judge}.jsonl"
    raw = pd.DataFrame(read_json(name))
    parts = raw["id"].str.extract(r"^story_(?P<story>\d+_[^_]+)_test(?P<test>\d+)$")
    odd = parts.isna().any(axis=1) | raw["id"].duplicated()
    refuse(raw, name, [("id", odd, "story_<group>_<writer>_test<n>, once each")])
    blocked = raw["response"].str.strip().eq("Content Blocked")
    finish = blocked.map({True: "content_filter", False: "stop"})
    table = parts.astype({"test": int}).set_axis(["item", "aspect"], axis=1)
    return table.assign(text=raw["response"], finish=finish)


def read_hanna_sheets(path=None):
    """Return HANNA's rating sheets: item, group, writer, rater, slot (1-3), seconds, six aspects.

    r01 gave most sheets, r22 fewest; who gave equally many are in the order of the file. Raises
    DataError for a missing column, a story without three sheets, a rating not from 1 to 5.
    """
    name = hanna.SHEETS
    raw = pd.read_csv(path or locate(name)[0], encoding="utf8")
    names = {"Story ID": "item", "Model": "writer", "Work time in seconds": "seconds"}
    names["Worker ID"] = "worker"
    require_columns(raw, name, [*names, *hanna.ASPECTS])
    table = raw.rename(columns=names).sort_values("item", kind="stable", ignore_index=True)
    codes, _ = pd.factorize(table.pop("worker"))
    busiest = np.argsort(-np.bincount(codes), kind="stable")
    places = np.argsort(busiest, kind="stable")
    table["rater"] = [f"r{place:02}" for place in 1 + places[codes]]
    table["slot"] = table.groupby("item").cumcount() + 1
    table["group"] = table["item"] % hanna.PROMPTS
    stories = SYSTEMS * hanna.PROMPTS
    if table["item"].tolist() != np.repeat(range(stories), hanna.RATERS).tolist():
        raise DataError(f"{name}: expected {stories} stories, {hanna.RATERS} sheets of each")
    checks = []
    for aspect in hanna.ASPECTS:
        checks.append((aspect, ~table[aspect].isin(range(1, 6)), "1, 2, 3, 4 or 5"))
    refuse(table, name, checks)
    facts = ["item", "group", "writer", "rater", "slot", "seconds"]
    return table[[*facts, *hanna.ASPECTS]].astype(dict.fromkeys(hanna.ASPECTS, int))


def read_hanna_cells(path=None):
    """Return HANNA's numeric file: one row per story (index system, prompt 0-95), one column per
    quantity. DataError for a cell that is no list of 96 numbers, one per prompt, naming row and
    column, and for a missing or repeated system."""
    raw = pd.read_csv(path or locate(CELLS)[0], encoding="utf8")
    require_columns(raw, CELLS, ["Model"])
    refuse(raw, CELLS, [("Model", raw["Model"].duplicated(), "one row per system")])
    prompt = range(hanna.PROMPTS)
    stories = pd.MultiIndex.from_product([raw["Model"], prompt], names=["system", "prompt"])
    columns = {}
    for name in raw.columns.drop("Model"):
        lists = [read_list(*cell, name) for cell in zip(raw[name], raw["Model"])]
        columns[name] = np.concatenate(lists)
    return pd.DataFrame(columns, index=stories)


def read_list(cell, system, name):
    """Return a cell's 96 numbers (nan allowed); DataError names its place otherwise."""
    try:
        values = np.array(json.loads(str(cell).replace("nan", "NaN")), float)
    except (ValueError, TypeError):
        values = np.empty(0)
    if values.shape != (hanna.PROMPTS,):
        expected = f"expected {hanna.PROMPTS} numbers"
        raise DataError(f"{CELLS}, row {system!r}, column {name!r}: {expected}")
    return values


def read_confederacy(path=None):
    """Return the rubric scores of the 65 stories: item '<group>/<writer>', group (1-5), writer,
    rater ('<group>/1' or '<group>/2'), aspect, score (0 to 10). DataError names a bad row."""
    book = openpyxl.load_workbook(path or locate(SHEET)[0], data_only=True, read_only=True)
    aspects, rows = list(prompts.aspects("confederacy")), []
    for number, cells in enumerate(book.worksheets[0].iter_rows(values_only=True), start=1):
        writer, group = cells[1], cells[2]
        if writer is None or not isinstance(group, int):
            continue
        for rater, block in enumerate(BLOCKS, start=1):
            for aspect, score in zip(aspects, cells[block]):
                where = f"row {number}, {aspect} of rater {rater}"
                item = f"{group}/{writer}"
                rows.append((where, item, group, writer, f"{group}/{rater}", aspect, score))
    columns = ["where", "item", "group", "writer", "rater", "aspect", "score"]
    table = pd.DataFrame(rows, columns=columns)
    scores = table["score"].where(table["score"].map(type).isin([int, float])).astype(float)
    writers = table.groupby("group")["writer"].transform("nunique")
    twice = table.duplicated(["item", "rater", "aspect"])
    checks = [
        ("score", ~scores.between(0, 10), "a number from 0 to 10"),
        ("writer", twice, "each writer once in a group"),
        ("group", writers != table["writer"].nunique(), "all 13 writers in every group"),
    ]
    refuse(table, SHEET, checks)
    return table.drop(columns="where").assign(score=scores)


def read_lamp_ranks():
    """Return LAMP's rankings as scores (3 for the best): item, rater (R1, R2, … by first
    appearance, in place of names), score."""
    groups = edits.read_lamp()["group"]
    kinds, ranks, codes = list(edits.KINDS["LAMP"]), [], {}
    for batch, rankings in read_json(RANKINGS).items():
        mine = groups[groups.str.startswith(f"{batch[-1]}-")]
        for rater, orders in rankings.items():
            code = codes.setdefault(rater, f"R{len(codes) + 1}")
            if len(orders) != len(mine) or any(sorted(order) != [1, 2, 3] for order in orders):
                what = f"expected {len(mine)} orders of 1, 2 and 3, one per ranked entry"
                raise DataError(f"{RANKINGS}, {batch}, rater {code}: {what}")
            scores = [[3 - order.index(number) for number in (1, 2, 3)] for order in orders]
            table = pd.DataFrame(scores, columns=kinds)
            table.insert(0, "rater", code)
            table.insert(0, "group", mine.to_numpy())
            ranks.append(table)
    ranks = pd.concat(ranks, ignore_index=True)
    return edits.lengthen(ranks, ["group", "rater"], "score")[["item", "rater", "score"]]


def read_wqrm_ranks():
    """Return WQRM's rankings as `read_lamp_ranks` does; raters are numbered anew in each group."""
    table, kinds = edits.read_triples(), edits.KINDS["WQRM"]
    said = table[["group", "said"]].explode("said", ignore_index=True)
    ranks = said[["group"]].assign(rater=said.groupby("group").cumcount().map("r{}".format))
    for kind, field in kinds.items():
        ranks[kind] = said["said"].str[field].str.removesuffix(" Writing Option").map(SCORES)
    once = ranks[list(kinds)].apply(lambda row: sorted(row) == [1, 2, 3], axis=1)
    refuse(ranks, edits.REWARDED, [("group", ~once, "each of the three places once per ranking")])
    return edits.lengthen(ranks, ["group", "rater"], "score")[["item", "rater", "score"]]


def read_wqrm_reward():
    """Return the scores of the reward model for WQRM's texts: item, judge, score."""
    table = edits.read_triples()
    scores = {kind: table[kind].str["wqrm_score"] for kind in edits.KINDS["WQRM"]}
    scores = table[["group"]].assign(judge=edits.REWARD, **scores)
    return edits.lengthen(scores, ["group", "judge"], "score")[["item", "judge", "score"]]


def read_copoet_votes(raw=None):
    """Return CoPoet's votes as scores: item ("<pair>/<way of writing>"), rater (R1, R2, … by first
    appearance, in place of worker ids), score (1 for the poem that was chosen, 0 for the other).

    raw: the records of the file. Raises DataError for a missing column, a title that the poems do
    not have, a sheet that chooses both poems or none, a pair without three votes of three workers.
    """
    raw = pd.read_csv(locate(VOTES)[0], encoding="utf8") if raw is None else raw
    require_columns(raw, VOTES, ["Input.title", "WorkerId", *CHOSEN])
    poems = votes.load_texts()
    pair_of_title = poems.drop_duplicates("group").set_index("title")["group"]
    pair = raw["Input.title"].map(pair_of_title)
    workers = raw.groupby("Input.title")["WorkerId"].transform("nunique")
    sheets = raw.groupby("Input.title")["WorkerId"].transform("size")
    chosen = raw[[*CHOSEN]].sum(axis=1)
    table = raw[["Input.title"]].assign(choices=chosen, votes=sheets)
    checks = [
        ("Input.title", pair.isna(), f"a title of {votes.POEMS}"),
        ("choices", chosen != 1, "one of the two poems"),
        ("votes", (sheets != 3) | (workers != 3), "three votes of three workers on each pair"),
    ]
    refuse(table, VOTES, checks)
    codes, _ = pd.factorize(raw["WorkerId"])
    rater = [f"R{code + 1}" for code in codes]
    parts = []
    for column, writer in CHOSEN.items():
        score = raw[column].astype(int)
        parts.append(pd.DataFrame({"item": pair + "/" + writer, "rater": rater, "score": score}))
    return pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)


def read_pron_sheets(raw=None):
    """Return the experts' sheets on titles and synopses: item ("<title>/<writer of the synopsis>"),
    rater (R1 to R6), language (of the sheet), twelve scores from 0 to 3, and whom the expert took
    for the writer of the title and of the synopsis.

    raw: the records of the file. Raises DataError for a missing column, a title or a writer that is
    not known, an expert twice on a synopsis, a score not from 0 to 3, another guess.
    """
    raw = pd.read_csv(locate(titles.SHEETS)[0], encoding="utf8") if raw is None else raw
    needed = ["username", "title_id", "synopsis_writer", "experiment", *PRON_SCORES, *GUESSES]
    require_columns(raw, titles.SHEETS, needed)
    stories = pd.DataFrame(read_json(titles.SYNOPSES))
    number_of_title = stories.drop_duplicates("story_name").set_index("story_name")["story_idx"]
    number = raw["title_id"].map(number_of_title)
    writer = raw["synopsis_writer"].map(titles.WRITERS)
    language = raw["experiment"].map(titles.LANGUAGES)
    rater = raw["username"].str.replace("Expert", "R", regex=False)
    twice = raw.duplicated(["username", "title_id", "synopsis_writer"])
    checks = [
        ("title_id", number.isna(), f"a title of {titles.SYNOPSES}"),
        ("synopsis_writer", writer.isna(), f"one of {', '.join(titles.WRITERS)}"),
        ("experiment", language.isna(), f"one of {', '.join(titles.LANGUAGES)}"),
        ("username", ~rater.str.fullmatch("R[1-6]"), "Expert1 to Expert6"),
        ("username", twice, "each expert once per synopsis"),
    ]
    for column in PRON_SCORES:
        checks.append((column, ~raw[column].isin(range(4)), "0, 1, 2 or 3"))
    for column in GUESSES:
        checks.append((column, ~raw[column].isin(GUESSED), f"one of {', '.join(GUESSED)}"))
    refuse(raw, titles.SHEETS, checks)
    item = titles.name_titles(number.astype(int)) + "/" + writer
    scores = raw[[*PRON_SCORES]].rename(columns=PRON_SCORES)
    guesses = raw[[*GUESSES]].rename(columns=GUESSES).replace(GUESSED)
    table = pd.DataFrame({"item": item, "rater": rater, "language": language})
    table = pd.concat([table, scores, guesses], axis=1)
    return table.sort_values(["item", "rater"], kind="stable", ignore_index=True)


def read_pron_titles():
    """Return who wrote the 60 titles: item (its number), writer (the novelist, GPT-4)."""
    raw = pd.read_csv(locate(titles.SHEETS)[0], encoding="utf8")
    writer_of_title = raw.drop_duplicates("title_id").set_index("title_id")["title_writer"]
    stories = pd.DataFrame(read_json(titles.SYNOPSES)).drop_duplicates("story_name")
    writer = stories["story_name"].map(writer_of_title).map(titles.TITLE_WRITERS)
    table = pd.DataFrame({"item": titles.name_titles(stories["story_idx"]), "writer": writer})
    return table.sort_values("item", kind="stable", ignore_index=True)
