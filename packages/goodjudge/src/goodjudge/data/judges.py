"""A judge's scores of a file, for what people rated: its names, criteria and scale."""

import numpy as np
import pandas as pd

from goodjudge.data.cleaning import settle_doubles
from goodjudge.data.forms import PAIRS, RANKS, Draft
from goodjudge.data.names import MOST_UNMATCHED, list_some, make_key, match_names
from goodjudge.data.pairs import are_orders, are_pairs_of, place_scores, turn_judge_ranks
from goodjudge.data.ratings import Ratings
from goodjudge.data.report import CleaningReport, Scale
from goodjudge.data.sheets import Names, old_names, read_sheet
from goodjudge.data.suspicious import guess_scale
from goodjudge.errors import Answer, DataError

KEPT = ["item", "judge", "score", "aspect", "repeat", "order", "partner", "status"]  # of a judge


FINE = set(
    "ok success succeeded successful completed complete done true 200 passed finished".split()
)


# rows of a card's table that are no judge: a judge of such a name would take its numbers
TAKEN = {
    "a person",
    "a perfect judge",
    "always the same",
    "length",
    "the best of the counts",
    "authorship",
    "authorship and aspect",
    "the best control",
    "the best without the writer",
    "the aspect",
    "guessing",
    "constant",
    "counts",
    "ceiling",
    "noise ceiling",
    "person",
    "people",
    "the majority",
    "another rater",
    "one more rater",
}


def read_judge(path, ratings: Ratings, *, rescale=False, unmatched=MOST_UNMATCHED, **options):
    """Return (what `read_scores` does, scores of texts that nobody rated), with all options."""
    people = ratings.ratings
    rated = people["aspect"].unique().tolist() if "aspect" in people else []
    orders = are_orders(ratings)
    people_range = None if orders else find_range(ratings)
    sheet = read_sheet(path, False, rated, people_range, options)
    draft, table = sheet.draft, sheet.table
    if draft.form == PAIRS and not are_pairs_of(ratings):
        raise DataError(
            f"{draft.where}: has pairs, but the ratings have scores; expected the judge's score of "
            "each text (columns item and score)"
        )
    if "judge" not in table:
        table["judge"] = "the judge"
    table.loc[table["judge"] == "", "judge"] = "the judge"
    alarms = rename_judges(table)
    table = match_items(draft, table, ratings, unmatched)
    table = match_aspects(draft, table, rated)
    settle_status(draft, table)
    case = [
        name
        for name in ("judge", "item", "aspect", "repeat", "order", "partner", "shown")
        if name in table
    ]
    table = settle_doubles(draft, table, case, options["doubles"])
    known = set(ratings.items["name" if are_pairs_of(ratings) and draft.form != PAIRS else "item"])
    is_rated = table["item"].isin(known)
    unrated = table[~is_rated]
    not_rated = unrated["item"].unique().tolist()
    table = table[is_rated]
    scale = Scale(people=people_range)
    if not orders and draft.form not in (PAIRS, RANKS):
        table, scale = compare_scales(table, people_range, options["scale"], rescale)
    scores = table[[name for name in KEPT if name in table]].reset_index(drop=True)
    for judge, score in find_constant(scores):
        alarms.append(
            f"The judge {judge!r} says the same ({score:g}) about every text: it cannot tell them "
            "apart."
        )
    if draft.form == RANKS:
        scores = turn_judge_ranks(scores, ratings)
    if orders and draft.form != PAIRS:
        scores = place_scores(scores, ratings)
    draft.notes += tell_matches(scores, ratings, not_rated)
    sizes = {"judges": scores["judge"].nunique(), "scores": len(table)}
    rated_items = ratings.items["item"].nunique()
    sizes[f"of {rated_items:,} rated texts"] = scores["item"].nunique()
    report = CleaningReport(
        **sheet.said
        | {
            "scores": len(table),
            "scale": scale,
            "sizes": sizes,
            "alarms": alarms,
            "notes": list(draft.notes),
            "left_out": list(draft.left_out),
        }
    )
    scores.attrs |= {
        "not rated": not_rated,
        "names": Names(old_names(report)),
        "form": draft.form,
        "report": report,
        "scale": scale.judge,
    }
    kept = [name for name in ("item", "judge", "score", "group", "writer") if name in unrated]
    if "status" in unrated:
        unrated = unrated[unrated["status"] == "ok"]
    return scores, unrated[kept].reset_index(drop=True)


def find_range(ratings: Ratings) -> tuple[float, float]:
    """Return from where to where people's scores run, as told or seen."""
    told = ratings.ratings.attrs.get("scale")
    score = ratings.ratings["score"]
    return tuple(told) if told else (float(score.min()), float(score.max()))


def rename_judges(table: pd.DataFrame) -> list[str]:
    """Rename judges that are called like a row of the card that is no judge, in place; return a
    sentence for each."""
    alarms = []
    names = {name: name for name in table["judge"].unique()}
    for name in names:
        if make_key(name) in TAKEN:
            new = f"{name} (the judge)"
            names[name] = new
            alarms.append(
                f"The judge {name!r} is called like a control or a person in the table: here it is "
                f"{new!r}."
            )
    table["judge"] = table["judge"].map(names)
    return alarms


def match_items(draft: Draft, table, ratings: Ratings, unmatched: float) -> pd.DataFrame:
    """Return a judge's scores under the names of the rated texts. Raises DataError where too many
    of both have no counterpart."""
    by_name = are_pairs_of(ratings) and draft.form != PAIRS
    known = ratings.items["name" if by_name else "item"].unique().tolist()
    names = table["item"].unique().tolist()
    same = match_names(names, known)
    respelt = {name: meant for name, meant in same.items() if name != meant}
    if respelt:
        shown = list_some((f"{name} is {meant}" for name, meant in respelt.items()), 4)
        draft.notes.append(f"Names that differ in spelling were matched: {shown}.")
    strange = [name for name in names if name not in same]
    matched = set(same.values())
    lacking = [name for name in known if name not in matched]
    share = len(lacking) / len(known)
    if strange and (not same or share > unmatched):
        message = (
            f"{draft.where}: {len(lacking):,} of {len(known):,} rated texts have no score here, "
            f"such as {lacking[0]!r:.60}, and {len(strange):,} of its {len(names):,} were not "
            f"rated, such as {strange[0]!r:.60}; at most {unmatched:.0%} may lack one where "
            "names differ; spell them alike"
        )
        allowed = [Answer("if these are other texts", {"unmatched": np.ceil(share * 100) / 100})]
        raise DataError(message, allowed if same else propose_items(draft, known))
    return table.assign(item=table["item"].map(lambda name: same.get(name, name)))


def propose_items(draft: Draft, known: list[str]) -> list[Answer]:
    """Return the columns of a judge's file that hold the names of the rated texts."""
    answers = []
    for name in draft.cells:
        names = draft.cells[name].unique().tolist()
        if draft.meaning.get(name) != "item" and len(match_names(names, known)) > len(known) / 2:
            answers.append(Answer(f"if {name!r:.60} names the texts", {"columns": {name: "item"}}))
    return answers


def match_aspects(draft: Draft, table: pd.DataFrame, rated: list[str]) -> pd.DataFrame:
    """Return a judge's scores on the criteria that people rated, under people's names of them; what
    nobody rated is left out and said."""
    if "aspect" not in table:
        return table
    if not rated:
        if table["aspect"].nunique() > 1:
            draft.notes.append(
                "People rated no criteria: the mean of the judge's scores on "
                f"{list_some(table['aspect'].unique())} counts."
            )
        return table
    names = table["aspect"].unique().tolist()
    same = match_names(names, rated)
    strange = [name for name in names if name not in same]
    if not same:
        raise DataError(
            f"{draft.where}: its criteria are {list_some(names)}, people's {list_some(rated)}; "
            "spell them alike, or rename people's with aspects={…}"
        )
    if strange:
        draft.notes.append(f"Criteria that nobody rated are left out: {list_some(strange)}.")
    lacking = [name for name in rated if name not in same.values()]
    if lacking:
        draft.notes.append(f"Rated criteria without a score of the judge: {list_some(lacking)}.")
    table = table[table["aspect"].isin(list(same))]
    return table.assign(aspect=table["aspect"].map(same))


def settle_status(draft: Draft, table: pd.DataFrame) -> None:
    """Spell the status of answers that went well "ok", in place; a column without any such word is
    no status and is dropped."""
    if "status" not in table:
        return
    is_fine = table["status"].str.casefold().isin(FINE)
    if is_fine.any():
        table.loc[is_fine, "status"] = "ok"
        failed = int((~is_fine).sum())
        if failed:
            draft.notes.append(f"{failed:,} answers have another status than ok and do not count.")
    else:
        draft.notes.append("The column status says of no row that it is ok; it was not read.")
        del table["status"]


def compare_scales(table, people, told, rescale: bool) -> tuple[pd.DataFrame, Scale]:
    """Return (scores, the `Scale` of both files); rescaled to people's scale where told."""
    low, high = float(table["score"].min()), float(table["score"].max())
    judge = told or (low, high)
    ours, theirs = guess_scale(*people), told or guess_scale(low, high)
    relation = "same"
    if ours != theirs and low < high and people[0] < people[1]:
        is_share = theirs == (0.0, 1.0) and people[1] > 1
        outside = low < ours[0] or high > ours[1]
        if outside or is_share or (told and tuple(told) != tuple(people)):
            relation = "other"
        elif (theirs[1] - theirs[0]) < 0.8 * (ours[1] - ours[0]):
            relation = "narrower"
    if rescale and relation != "same":
        share = (table["score"] - theirs[0]) / (theirs[1] - theirs[0])
        table = table.assign(score=(ours[0] + share * (ours[1] - ours[0])).round(9))
        return table, Scale(ours, theirs, "rescaled")
    return table, Scale(people, judge, relation)


def find_constant(scores: pd.DataFrame) -> list[tuple[str, float]]:
    """Return (judge, score) of judges that say the same of every text."""
    of_judge = scores.groupby("judge", sort=False)["score"].agg(["nunique", "size", "first"])
    same = of_judge[(of_judge["nunique"] == 1) & (of_judge["size"] > 1)]
    return list(zip(same.index, same["first"]))


def tell_matches(scores: pd.DataFrame, ratings: Ratings, not_rated: list[str]) -> list[str]:
    """Return sentences about texts without a score, and scores of texts that nobody rated."""
    notes = []
    if not_rated:
        notes.append(f"Scores of texts that nobody rated are left out: {list_some(not_rated)}.")
    known = ratings.items["item"]
    lacking = known[~known.isin(scores["item"])]
    if len(lacking):
        notes.append(
            f"{len(lacking):,} of {len(known):,} rated texts have no score: {list_some(lacking)}."
        )
    return notes
