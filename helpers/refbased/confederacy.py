"""Load the Confederacy of Models stories with their two raters, and say how well the raters predict each other."""

import openpyxl
import pandas as pd

from helpers.measures import intervals, rankings
from helpers.sources.public import DataError, locate, registry

NAME = "confederacy/RatersSheet-WithResults.xlsx"
ASPECTS = ["readability", "narrative", "structure", "plot", "creativity", "style", "epic", "combat", "characters", "humor"]
RATER_COLUMNS = (slice(4, 14), slice(18, 28))  # the two raters' blocks of the sheet
REFERENCE = "chatgpt-gpt4"  # the system whose stories refbased_v2 takes as references
FILES = {"OA_SFT_Llama_30B_6": "oa", "alpaca-13b": "alpaca", "bard": "bard", "bing-creative": "bing",
         "chatgpt-free": "chatgpt-free", "chatgpt-gpt4": REFERENCE, "claude12": "claude12", "dolly-v2": "dolly",
         "gpt4all": "gpt4all", "human": "human", "koala": "koala", "stablelm": "stablelm", "vicuna": "vicuna"}


def load_ratings(path=None):
    """Return 1,300 scores: story, group (1-5), writer, rater (1, 2 within the group), aspect, score (0-10).

    Raises DataError naming sheet row and expectation: a score that is not a number from 0 to 10, a writer twice in a
    group, a group without all 13 writers.
    """
    sheet = openpyxl.load_workbook(path or locate(NAME)[0], data_only=True, read_only=True).worksheets[0]
    rows = []
    for number, cells in enumerate(sheet.iter_rows(min_row=1, values_only=True), start=1):
        if cells[1] is None or not isinstance(cells[2], int):
            continue
        for rater, block in enumerate(RATER_COLUMNS, start=1):
            for aspect, score in zip(ASPECTS, cells[block]):
                if isinstance(score, bool) or not isinstance(score, (int, float)) or not 0 <= score <= 10:
                    raise DataError(f"{NAME}, row {number}: {aspect} of rater {rater} is {score!r}; "
                                    "expected a number from 0 to 10")
                rows.append((str(cells[0]), cells[2], cells[1], rater, aspect, float(score)))
    table = pd.DataFrame(rows, columns=["story", "group", "writer", "rater", "aspect", "score"])
    return check_ratings(table)


def check_ratings(table):
    """Return the table if each group has every writer once and each story ten aspects by two raters; raise DataError if not."""
    twice = table.duplicated(["group", "writer", "rater", "aspect"])
    if twice.any():
        row = table[twice].iloc[0]
        raise DataError(f"{NAME}: group {row['group']} has {row['writer']} twice; expected each writer once")
    count = table.groupby("group")["writer"].nunique()
    if count.nunique() != 1:
        raise DataError(f"{NAME}: group {count.idxmin()} has {count.min()} writers, others {count.max()}; expected the same")
    cells = table.groupby(["group", "writer"]).size()
    if (cells != 2 * len(ASPECTS)).any():
        raise DataError(f"{NAME}: {cells.idxmin()} has {cells.min()} scores; expected {2 * len(ASPECTS)}")
    return table


def load_texts():
    """Return the 65 stories: group, writer, text, words (split at white space)."""
    rows = []
    for name in registry()["confederacy"]["files"]:
        stem = name.split("/")[-1].removesuffix(".txt")
        writer = next((writer for start, writer in FILES.items() if stem.startswith(start)), None)
        if name.endswith(".txt") and writer:
            text = locate(name)[0].read_text(encoding="utf8", errors="replace")
            rows.append((int(stem[-1]), writer, text, len(text.split())))
    return pd.DataFrame(rows, columns=["group", "writer", "text", "words"]).sort_values(["group", "writer"], ignore_index=True)


def totals(ratings, raters=(1, 2), aspects=None, without=(REFERENCE,)):
    """Return group x writer: the total over aspects, averaged over `raters`; the reference's writer is left out."""
    part = ratings[ratings["rater"].isin(raters) & ~ratings["writer"].isin(without)]
    if aspects is not None:
        part = part[part["aspect"].isin(aspects)]
    return part.groupby(["group", "writer"])["score"].sum().unstack() / len(raters)


def agreement(human, scores):
    """Return rho and accuracy (human ties dropped): mean over the groups as estimate, low, high, n (Student's t)."""
    table = rankings.compare(human, scores)
    columns = {"rho": "rho", "accuracy": "human ties dropped"}
    return pd.DataFrame({name: intervals.of_mean(table[column]) for name, column in columns.items()}).T.rename_axis("measure")


def rows_for_table(ratings, texts):
    """Return what a table on these data should show (row, measure: estimate, low, high, n): a rater, length, a constant order.

    The writers' constant order is the mean rank in the other four groups (out of sample).
    """
    human = totals(ratings)
    words = texts[texts["writer"].isin(human.columns)].pivot(index="group", columns="writer", values="words")
    ranks = human.rank(axis=1)
    constant = pd.DataFrame({group: ranks.drop(index=group).mean() for group in human.index}).T[human.columns]
    pairs = {"writers' mean rank in the other groups": (human, constant),
             "one rater against the other": (totals(ratings, [1]), totals(ratings, [2])),
             "the same mean rank against one rater": (totals(ratings, [1]), constant),
             "longer story wins": (human, words.loc[human.index, human.columns])}
    return pd.concat({name: agreement(*pair) for name, pair in pairs.items()}, names=["row"])
