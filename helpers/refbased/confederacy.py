"""The Confederacy of Models stories: load them and their ratings."""

import openpyxl
import pandas as pd

from helpers.judges.requests import prompts
from helpers.measures.ratings import Ratings
from helpers.sources.files import refuse
from helpers.sources.public import locate, registry

NAME = "confederacy/RatersSheet-WithResults.xlsx"
RATER_COLUMNS = (slice(4, 14), slice(18, 28))  # the two raters' blocks of the sheet
REFERENCE = "chatgpt-gpt4"  # the system whose stories refbased_v2 takes as references


def load(path=None):
    """Return the `Ratings` of the 65 stories: item '<group>/<writer>', group (1-5), writer, text,
    words; 1,300 scores from 0 to 10, rater '<group>/1' or '<group>/2', ten aspects. DataError names
    a bad row of the sheet (path)."""
    book = openpyxl.load_workbook(path or locate(NAME)[0], data_only=True, read_only=True)
    aspects, rows = list(prompts.aspects("confederacy")), []
    for number, cells in enumerate(book.worksheets[0].iter_rows(values_only=True), start=1):
        if cells[1] is None or not isinstance(cells[2], int):
            continue
        item, group = f"{cells[2]}/{cells[1]}", cells[2]
        for rater, block in enumerate(RATER_COLUMNS, start=1):
            for aspect, score in zip(aspects, cells[block]):
                where = f"row {number}, {aspect} of rater {rater}"
                rows.append((where, group, cells[1], item, f"{group}/{rater}", aspect, score))
    columns = ["where", "group", "writer", "item", "rater", "aspect", "score"]
    table = pd.DataFrame(rows, columns=columns)
    scores = table["score"].where(table["score"].map(type).isin([int, float])).astype(float)
    writers = table.groupby("group")["writer"].transform("nunique")
    twice = table.duplicated(["item", "rater", "aspect"])
    checks = [
        ("score", ~scores.between(0, 10), "a number from 0 to 10"),
        ("writer", twice, "each writer once in a group"),
        ("group", writers != table["writer"].nunique(), "all 13 writers in every group"),
    ]
    refuse(table, NAME, checks)
    texts, writers = [], table["writer"].unique()
    for name in registry()["confederacy"]["files"]:
        if name.endswith(".txt"):
            stem = name.split("/")[-1].removesuffix(".txt")
            writer = next(writer for writer in writers if stem.casefold().startswith(writer))
            text = locate(name)[0].read_text(encoding="utf8", errors="replace")
            texts.append((f"{stem[-1]}/{writer}", int(stem[-1]), writer, text, len(text.split())))
    items = pd.DataFrame(texts, columns=["item", "group", "writer", "text", "words"])
    items = items.sort_values(["group", "writer"], ignore_index=True)
    return Ratings(items, table.assign(score=scores)[columns[3:]], "open")
