"""Load the Confederacy of Models stories with their two raters, and say how well the raters predict
each other."""

import openpyxl
import pandas as pd

from helpers.measures import intervals, rankings
from helpers.sources.public import DataError, locate, registry

NAME = "confederacy/RatersSheet-WithResults.xlsx"
ASPECTS = [
    "readability",
    "narrative",
    "structure",
    "plot",
    "creativity",
    "style",
    "epic",
    "combat",
    "characters",
    "humor",
]
RATER_COLUMNS = (slice(4, 14), slice(18, 28))  # the two raters' blocks of the sheet
REFERENCE = "chatgpt-gpt4"  # the system whose stories refbased_v2 takes as references
WRITERS = [
    "alpaca",
    "bard",
    "bing",
    "chatgpt-free",
    "chatgpt-gpt4",
    "claude12",
    "dolly",
    "gpt4all",
    "human",
    "koala",
    "oa",
    "stablelm",
    "vicuna",
]  # as in the sheet; a story's file begins with its writer


def load_ratings(path=None):
    """Return 1,300 scores: story, group (1-5), writer, rater (1, 2 within the group), aspect, score
    (0-10).

    Raises DataError naming sheet row and expectation: a score that is not a number from 0 to 10, a
    writer twice in a group, a group without all 13 writers.
    """
    sheet = openpyxl.load_workbook(
        path or locate(NAME)[0], data_only=True, read_only=True
    ).worksheets[0]
    rows = []
    for number, cells in enumerate(sheet.iter_rows(min_row=1, values_only=True), start=1):
        if cells[1] is None or not isinstance(cells[2], int):
            continue
        for rater, block in enumerate(RATER_COLUMNS, start=1):
            for aspect, score in zip(ASPECTS, cells[block]):
                if (
                    isinstance(score, bool)
                    or not isinstance(score, (int, float))
                    or not 0 <= score <= 10
                ):
                    raise DataError(
                        f"{NAME}, row {number}: {aspect} of rater {rater} is {score!r}; "
                        "expected a number from 0 to 10"
                    )
                rows.append((str(cells[0]), cells[2], cells[1], rater, aspect, float(score)))
    table = pd.DataFrame(rows, columns=["story", "group", "writer", "rater", "aspect", "score"])
    for group, writers in table[(table["rater"] == 1) & (table["aspect"] == ASPECTS[0])].groupby(
        "group"
    )["writer"]:
        if writers.duplicated().any():
            raise DataError(
                f"{NAME}: group {group} has {writers[writers.duplicated()].iloc[0]} twice; expected"
                " each writer once"
            )
        if set(writers) != set(WRITERS):
            raise DataError(
                f"{NAME}: group {group} has {len(writers)} writers; expected {', '.join(WRITERS)}"
            )
    return table


def load_texts():
    """Return the 65 stories: group (1-5), writer, text, in the order of the sheet
    within a group."""
    rows = []
    for name in registry()["confederacy"]["files"]:
        if name.endswith(".txt"):
            stem, text = (
                name.split("/")[-1].removesuffix(".txt"),
                locate(name)[0].read_text(encoding="utf8", errors="replace"),
            )
            writer = next(writer for writer in WRITERS if stem.casefold().startswith(writer))
            rows.append((int(stem[-1]), writer, text))
    return pd.DataFrame(rows, columns=["group", "writer", "text"]).sort_values(
        ["group", "writer"], ignore_index=True
    )


def load_words():
    """Return group x writer: the words of each of the 65 stories (split at white space)."""
    texts = load_texts()
    return texts.assign(words=texts["text"].str.split().str.len()).pivot(
        index="group", columns="writer", values="words"
    )


def totals(ratings, raters=(1, 2), without=(REFERENCE,)):
    """Return group x writer: the total over aspects, averaged over `raters`; the reference's writer
    is left out."""
    part = ratings[ratings["rater"].isin(raters) & ~ratings["writer"].isin(without)]
    return part.groupby(["group", "writer"])["score"].sum().unstack() / len(raters)


def agreement(human, scores):
    """Return rho and accuracy (human ties dropped): mean over the groups as estimate, low, high, n
    (Student's t)."""
    table = rankings.compare(human, scores)
    columns = {"rho": "rho", "accuracy": "human ties dropped"}
    return pd.DataFrame(
        {name: intervals.of_mean(table[column]) for name, column in columns.items()}
    ).T.rename_axis("measure")


def rows_for_table(ratings, words):
    """Return what a table on these data should show (target, row, measure: estimate, low, high, n).

    The writers' usual rank is their mean rank in the other four groups (out of sample); that the
    longer story wins, not the shorter, was seen in these data.
    """
    human, one, other = totals(ratings), totals(ratings, [1]), totals(ratings, [2])
    ranks = human.rank(axis=1)
    usual = pd.DataFrame({group: ranks.drop(index=group).mean() for group in human.index}).T
    pairs = {
        ("both raters", "the writers' usual rank"): (human, usual),
        ("both raters", "longer story wins"): (human, words),
        ("one rater", "the second rater"): (one, other),
        ("one rater", "the writers' usual rank"): (one, usual),
    }
    return pd.concat(
        {name: agreement(*pair) for name, pair in pairs.items()}, names=["target", "row"]
    )


def beside_printed(rows, printed):
    """Return the accuracies of `rows_for_table` and refbased_v2's printed ones (Table 2), best
    first: estimate, low, high."""
    table = rows.xs("accuracy", level="measure")[["estimate", "low", "high"]]
    table.index = [f"{row} ({target})" for target, row in table.index]
    for name, column in {
        "the paper's judge, with references": "Ours",
        "the paper's judge, without": "Baseline",
    }.items():
        table.loc[name] = printed.at["Pairwise Accuracy", column]
    return table.sort_values("estimate", ascending=False, kind="stable")
