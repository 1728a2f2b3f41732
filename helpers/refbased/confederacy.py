"""The Confederacy of Models stories: load them; how well do their two raters predict each other?"""

import openpyxl
import pandas as pd

from helpers.judges import prompts
from helpers.measures import intervals, rankings
from helpers.sources.files import refuse
from helpers.sources.public import locate, registry

NAME = "confederacy/RatersSheet-WithResults.xlsx"
RATER_COLUMNS = (slice(4, 14), slice(18, 28))  # the two raters' blocks of the sheet
REFERENCE = "chatgpt-gpt4"  # the system whose stories refbased_v2 takes as references


def load_ratings(path=None):
    """Return 1,300 scores: story, group (1-5), writer, rater (1, 2 within the group), aspect, score
    (0-10).

    Raises DataError naming sheet row and expectation: a score that is not a number from 0 to 10, a
    writer twice in a group, a group without all 13 writers.
    """
    book = openpyxl.load_workbook(path or locate(NAME)[0], data_only=True, read_only=True)
    aspects, rows = list(prompts.aspects("confederacy")), []
    for number, cells in enumerate(book.worksheets[0].iter_rows(values_only=True), start=1):
        if cells[1] is None or not isinstance(cells[2], int):
            continue
        for rater, block in enumerate(RATER_COLUMNS, start=1):
            for aspect, score in zip(aspects, cells[block]):
                where = f"row {number}, {aspect} of rater {rater}"
                rows.append((where, str(cells[0]), cells[2], cells[1], rater, aspect, score))
    columns = ["where", "story", "group", "writer", "rater", "aspect", "score"]
    table = pd.DataFrame(rows, columns=columns)
    scores = table["score"].where(table["score"].map(type).isin([int, float])).astype(float)
    writers = table.groupby("group")["writer"].transform("nunique")
    twice = table.duplicated(["group", "writer", "rater", "aspect"])
    checks = [
        ("score", ~scores.between(0, 10), "a number from 0 to 10"),
        ("writer", twice, "each writer once in a group"),
        ("group", writers != table["writer"].nunique(), "all 13 writers in every group"),
    ]
    refuse(table, NAME, checks)
    return table.assign(score=scores)[columns[1:]]


def load_texts():
    """Return the 65 stories: group (1-5), writer, text, sorted by group and writer."""
    rows, writers = [], load_ratings()["writer"].unique()
    for name in registry()["confederacy"]["files"]:
        if name.endswith(".txt"):
            stem = name.split("/")[-1].removesuffix(".txt")
            writer = next(writer for writer in writers if stem.casefold().startswith(writer))
            text = locate(name)[0].read_text(encoding="utf8", errors="replace")
            rows.append((int(stem[-1]), writer, text))
    table = pd.DataFrame(rows, columns=["group", "writer", "text"])
    return table.sort_values(["group", "writer"], ignore_index=True)


def load_words():
    """Return group x writer: the words of each of the 65 stories (split at white space)."""
    texts = load_texts()
    texts["words"] = texts["text"].str.split().str.len()
    return texts.pivot(index="group", columns="writer", values="words")


def totals(ratings, raters=(1, 2), without=(REFERENCE,)):
    """Return group x writer: the total over aspects, the mean of `raters`; no reference."""
    part = ratings[ratings["rater"].isin(raters) & ~ratings["writer"].isin(without)]
    return part.groupby(["group", "writer"])["score"].sum().unstack() / len(raters)


def agreement(human, scores):
    """Return rho and accuracy (human ties dropped), means over groups: estimate, low, high, n."""
    table = rankings.compare(human, scores)
    rows = {"rho": table["rho"], "accuracy": table["human ties dropped"]}
    rows = {name: intervals.of_mean(values) for name, values in rows.items()}
    return pd.DataFrame(rows).T.rename_axis("measure")


def rows_for_table(ratings, words):
    """Return what a table on these data should show (target, row, measure: estimate, low, high, n).

    The writers' usual rank is their mean rank in the other four groups (out of sample); that the
    longer story wins, not the shorter, was seen in these data.
    """
    human, one, other = totals(ratings), totals(ratings, [1]), totals(ratings, [2])
    ranks = human.rank(axis=1)
    usual = pd.DataFrame({group: ranks.drop(index=group).mean() for group in human.index}).T
    rows = {
        ("both raters", "the writers' usual rank"): agreement(human, usual),
        ("both raters", "longer story wins"): agreement(human, words),
        ("one rater", "the second rater"): agreement(one, other),
        ("one rater", "the writers' usual rank"): agreement(one, usual),
    }
    return pd.concat(rows, names=["target", "row"])


def follow_raters(scores):
    """Return how far a judge's scores (group x writer) follow the two raters within the groups:
    rows of judge and length, rho and accuracy."""
    scores = scores.rename(index=int)
    human = totals(load_ratings()).loc[scores.index, scores.columns]
    words = load_words().loc[scores.index, scores.columns]
    rows = {"the judge": agreement(human, scores), "length alone": agreement(human, words)}
    return pd.concat(rows, names=["row", "measure"])


def beside_printed(rows, printed):
    """Return the accuracies of `rows_for_table` and refbased_v2's printed ones (Table 2), best
    first: estimate, low, high."""
    table = rows.xs("accuracy", level="measure")[["estimate", "low", "high"]]
    table.index = [f"{row} ({target})" for target, row in table.index]
    accuracy = printed.loc["Pairwise Accuracy"]
    table.loc["the paper's judge, with references"] = accuracy["Ours"]
    table.loc["the paper's judge, without"] = accuracy["Baseline"]
    return table.sort_values("estimate", ascending=False, kind="stable")
