"""A judge's scores of a file, for what people rated: its names, criteria and scale."""

import pandas as pd

from goodjudge.data.cleaning import read_sheet, settle_doubles
from goodjudge.data.forms import PAIRS, RANKS, Draft
from goodjudge.data.names import MOST_UNMATCHED, list_some, make_key, make_loose_key, match_names
from goodjudge.data.orders import are_orders, are_pairs, place_scores
from goodjudge.data.ratings import Ratings
from goodjudge.data.report import CleaningReport, Scale
from goodjudge.data.suspicious import guess_scale

CASE = ["judge", "item", "aspect", "repeat", "order", "partner"]
KEPT = ["item", "judge", "score", "aspect", "repeat", "order", "partner", "status"]
FINE = set("ok success succeeded successful completed complete done true 200 passed".split())
# rows of a card's table that are no judge: a judge of such a name would take its numbers
TAKEN = set(
    """a person, a perfect judge, always the same, length, the best of the counts, authorship,
    authorship and aspect, the best control, the best without the writer, the aspect, guessing,
    constant, counts, ceiling, noise ceiling, person, people, the majority, another rater,
    one more rater""".replace("\n    ", " ").split(", ")
)


def read_judge(path, ratings: Ratings, *, rescale=False, unmatched=MOST_UNMATCHED, **options):
    """Return (what `read_scores` does, scores of texts that nobody rated), with all options."""
    people = ratings.ratings
    rated = people["aspect"].unique().tolist() if "aspect" in people else []
    people_range = None if are_orders(ratings) else find_range(ratings)
    draft, table, said = read_sheet(path, False, rated, people_range, options)
    if draft.form == PAIRS and not are_pairs(ratings):
        draft.ask(
            "has pairs, but the ratings have scores; expected the judge's score of each text "
            "(columns item and score)"
        )
    of_item = "name" if are_pairs(ratings) and draft.form != PAIRS else "item"
    known = ratings.items[of_item].unique().tolist()
    table, alarms = name_judges(table)
    table = match_items(draft, table, known, unmatched)
    table = match_aspects(draft, table, rated)
    table = settle_status(draft, table)
    shown = ["shown"] if "shown" in table else []
    case = [name for name in CASE if name in table] + shown
    table = settle_doubles(draft, table, case, options["doubles"])
    is_rated = table["item"].isin(known)
    unrated, table = table[~is_rated], table[is_rated]
    scale = Scale(people=people_range)
    if not are_orders(ratings) and draft.form not in (PAIRS, RANKS):
        table, scale = compare_scales(table, people_range, options["scale"], rescale)
    scores = table[[name for name in KEPT if name in table]].reset_index(drop=True)
    alarms += draft.alarms + tell_constant(scores)
    if draft.form == RANKS:
        scores["score"] = scores["score"].max() + 1 - scores["score"]
    if are_orders(ratings) and draft.form != PAIRS:
        scores = place_scores(scores, ratings)
    not_rated = unrated["item"].unique().tolist()
    if not_rated:
        draft.notes.append(
            f"Scores of texts that nobody rated are left out: {list_some(not_rated)}."
        )
    sizes = {"judges": scores["judge"].nunique(), "scores": len(table)}
    sizes |= count_items(draft, scores, ratings)
    report = CleaningReport(**said, scores=len(table), scale=scale, sizes=sizes, alarms=alarms)
    scores.attrs |= {"not rated": not_rated, "report": report, "scale": scale.judge}
    return scores, keep_answers(unrated)


def keep_answers(unrated: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of texts that nobody rated, of answers that went well."""
    kept = [name for name in ("item", "judge", "score", "group", "writer") if name in unrated]
    if "status" in unrated:
        unrated = unrated[unrated["status"] == "ok"]
    return unrated[kept].reset_index(drop=True)


def find_range(ratings: Ratings) -> tuple[float, float]:
    """Return from where to where people's scores run, as told or seen."""
    told = ratings.ratings.attrs.get("scale")
    score = ratings.ratings["score"]
    return tuple(told) if told else (float(score.min()), float(score.max()))


def name_judges(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return (the table with a name for each judge, sentences about those that were called like a
    row of the card that is no judge)."""
    table = table.assign(judge=table["judge"] if "judge" in table else "")
    names, alarms = {"": "the judge"}, []
    for name in table["judge"].unique():
        if make_key(name) in TAKEN:
            names[name] = f"{name} (the judge)"
            alarms.append(
                f"The judge {name!r} is called like a control or a person in the table: here it is "
                f"{names[name]!r}."
            )
    return table.assign(judge=table["judge"].replace(names)), alarms


def match_items(draft: Draft, table, known: list[str], unmatched: float) -> pd.DataFrame:
    """Return a judge's scores under the names of the rated texts, `known`. Raises DataError where
    too many of both have no counterpart."""
    names = table["item"].unique().tolist()
    same = match_names(names, known)
    respelt = [f"{name} is {meant}" for name, meant in same.items() if name != meant]
    if respelt:
        shown = list_some(respelt, 4)
        draft.notes.append(f"Names that differ in spelling were matched: {shown}.")
    strange = [name for name in names if name not in same]
    lacking = sorted(set(known) - set(same.values()), key=known.index)
    if strange and (not same or len(lacking) > unmatched * len(known)):
        one, other = sorted((strange[0], lacking[0]), key=len)
        is_part = make_loose_key(one) in make_loose_key(other)
        draft.ask(
            f"{len(lacking):,} of {len(known):,} rated texts have no score here, such as "
            f"{lacking[0]!r:.60}, and {len(strange):,} of its {len(names):,} were not rated, such "
            f"as {strange[0]!r:.60}; at most {unmatched:.0%} may lack one where names differ "
            "(unmatched); spell them alike, or name the column with the texts' names: "
            '--column "its name=item"'
            + (f"; where two columns name a text ({one}, and more), join them" if is_part else "")
        )
    return table.assign(item=table["item"].map(lambda name: same.get(name, name)))


def match_aspects(draft: Draft, table: pd.DataFrame, rated: list[str]) -> pd.DataFrame:
    """Return a judge's scores on the criteria that people rated, under people's names of them; what
    nobody rated is left out and said."""
    if "aspect" not in table:
        return table
    names = table["aspect"].unique().tolist()
    if not rated:
        if len(names) > 1:
            draft.notes.append(
                "People rated no criteria: the mean of the judge's scores on "
                f"{list_some(names)} counts."
            )
        return table
    same = match_names(names, rated)
    if not same:
        draft.ask(
            f"its criteria are {list_some(names)}, people's {list_some(rated)}; spell them alike, "
            "or rename people's with aspects={…}"
        )
    strange = [name for name in names if name not in same]
    if strange:
        draft.notes.append(f"Criteria that nobody rated are left out: {list_some(strange)}.")
    table = table[table["aspect"].isin(list(same))]
    return table.assign(aspect=table["aspect"].map(same))


def settle_status(draft: Draft, table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the status of answers that went well as "ok"; a column without any such
    word is no status and is dropped."""
    if "status" not in table:
        return table
    is_fine = table["status"].str.casefold().isin(FINE)
    if not is_fine.any():
        draft.notes.append("The column status says of no row that it is ok; it was not read.")
        return table.drop(columns="status")
    failed = int((~is_fine).sum())
    if failed:
        draft.notes.append(f"{failed:,} answers have another status than ok and do not count.")
    return table.assign(status=table["status"].mask(is_fine, "ok"))


def compare_scales(table, people, told, rescale: bool) -> tuple[pd.DataFrame, Scale]:
    """Return (scores, the `Scale` of both files); rescaled to people's scale where told."""
    low, high = float(table["score"].min()), float(table["score"].max())
    ours, theirs = guess_scale(*people), told or guess_scale(low, high)
    is_outside = low < ours[0] or high > ours[1]
    is_share = theirs == (0, 1) and people[1] > 1
    is_spread = low < high and people[0] < people[1]
    differs = ours != theirs and is_spread and (is_outside or is_share or bool(told))
    if rescale and differs:
        share = (table["score"] - theirs[0]) / (theirs[1] - theirs[0])
        table = table.assign(score=(ours[0] + share * (ours[1] - ours[0])).round(9))
        return table, Scale(ours, theirs, "rescaled")
    return table, Scale(people, told or (low, high), "other" if differs else "same")


def tell_constant(scores: pd.DataFrame) -> list[str]:
    """Return sentences about judges that say the same of every text."""
    alarms = []
    for judge, score in scores.groupby("judge", sort=False)["score"]:
        if len(score) > 1 and score.nunique() == 1:
            alarms.append(
                f"The judge {judge!r} says the same ({score.iloc[0]:g}) about every text: it "
                "cannot tell them apart."
            )
    return alarms


def count_items(draft: Draft, scores: pd.DataFrame, ratings: Ratings) -> dict[str, int]:
    """Return {of … rated texts: how many have a score}; those that have none are said."""
    known = ratings.items["item"]
    lacking = known[~known.isin(scores["item"])]
    if len(lacking):
        draft.notes.append(
            f"{len(lacking):,} of {len(known):,} rated texts have no score: {list_some(lacking)}."
        )
    return {f"of {len(known):,} rated texts": scores["item"].nunique()}
