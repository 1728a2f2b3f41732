"""People's ratings of a file: raters as R1, R2 …, and what is known of each text."""

from pathlib import Path

import numpy as np
import pandas as pd

from goodjudge.data.cleaning import read_words, refuse_changes, settle_doubles
from goodjudge.data.columns import name_columns, tell_options
from goodjudge.data.forms import PAIRS, RANKS, ROWS, Draft
from goodjudge.data.names import MOST_UNMATCHED, count_words, list_some, match_names, tidy_name
from goodjudge.data.pairs import ALL_ITEMS, average_orders, join_groups, turn_ranks
from goodjudge.data.ratings import Ratings
from goodjudge.data.report import CleaningReport, Scale
from goodjudge.data.sheets import Names, old_names, read_sheet
from goodjudge.data.tables import lay_out as lay_out_table
from goodjudge.data.tables import load
from goodjudge.errors import DataError

ENOUGH = 5  # groups, from which on an interval can be had


def read_people(path, *, texts=None, **options) -> Ratings:
    """Return what `read_ratings` does, with all options given."""
    sheet = read_sheet(path, True, [], None, options)
    draft, table = sheet.draft, sheet.table
    case = [name for name in ("item", "rater", "aspect") if name in table]
    shown = ["shown"] if draft.form == PAIRS else []
    try:
        table = settle_doubles(draft, table, [*case, *shown], options["doubles"])
    except DataError as fault:
        raise add_spellings(fault, sheet.said["spellings"]) from None
    facts = [name for name in ("group", "writer", "words") if name in table]
    refuse_changes(draft, table, facts)
    codes, raters = pd.factorize(table["rater"])
    table = table.assign(rater=("R" + pd.Series(codes + 1).astype(str).astype(object)).to_numpy())
    position = find_positions(table, draft.form)
    if draft.form == PAIRS:
        table = average_orders(table, case)
        if "group" not in table:
            table = table.assign(group=join_groups(table))
            draft.notes.append(tell_made_groups(table))
        facts += [name for name in ("group", "set", "name") if name not in facts]
    elif draft.form == RANKS:
        table = table.assign(set=table["group"] if "group" in table else ALL_ITEMS)
        facts.append("set")
        table = turn_ranks(table, [name for name in (*case, "set") if name != "item"])
    items = list_items(table, facts)
    if position is not None:
        items["position"] = items["item"].map(position)
    if texts is not None:
        items = add_texts(items, texts, draft, are_pairs="name" in facts)
    ratings = table[[*case, "score"]].reset_index(drop=True)
    range_ = options["scale"]
    if range_ is None and draft.form not in (PAIRS, RANKS):
        range_ = (float(ratings["score"].min()), float(ratings["score"].max()))
    if draft.form == ROWS:
        draft.notes += ask_about_groups(items, draft)
    alarms = []
    score = ratings["score"]
    if len(ratings) > 2 and score.nunique() == 1 and draft.form not in (PAIRS, RANKS):
        alarms.append(
            f"All {len(ratings):,} scores are the same ({score.iloc[0]:g}): these ratings tell no "
            "text from another."
        )
    if has_response_ids(ratings):
        draft.notes.append(
            "Nearly every rating has a rater of its own, as where the column holds the number of a "
            "response: what one rater is like cannot be known."
        )
    sizes = {"texts": items["name" if "name" in items else "item"].nunique()}
    if "name" in items:
        sizes["pairs"] = items["set"].nunique()
    sizes["raters"] = len(raters)
    if "aspect" in ratings:
        sizes["criteria"] = ratings["aspect"].nunique()
    sizes["scores"] = len(ratings) // (2 if draft.form == PAIRS else 1)
    report = CleaningReport(
        **sheet.said
        | {
            "scores": sizes["scores"],
            "scale": Scale(people=range_),
            "sizes": sizes,
            "alarms": alarms,
            "notes": list(draft.notes),
            "left_out": list(draft.left_out),
        }
    )
    ratings.attrs |= {
        "names": Names(old_names(report)),
        "form": draft.form,
        "report": report,
        "scale": range_,
        "raters": Names({f"R{code}": name for code, name in enumerate(raters, 1)}),
    }
    return Ratings(items, ratings, "own")


def find_positions(table: pd.DataFrame, form: str) -> pd.Series | None:
    """Return the place in which each text was shown (1: the first; the mean where it differs): of a
    pair which stands first in its row, of a ranking the numbers of a column *order*; None where
    nothing is known of it."""
    if form == PAIRS:
        place = table["shown"].map({"first": 1.0, "second": 2.0})
    elif form == RANKS and "order" in table:
        place = pd.to_numeric(table["order"], errors="coerce")
    else:
        return None
    position = place.groupby(table["item"]).mean()
    return position if position.notna().all() else None


def add_spellings(fault: DataError, spellings: dict) -> DataError:
    """Return a fault about doubles that says which names were taken for one."""
    if not spellings:
        return fault
    said = [
        f"{spelt} for {name}" if name else "a rater in two spellings"
        for spelt, name in spellings.items()
    ]
    return DataError(
        f"{fault} (names that differ in capitals or zeros are one: "
        f"{list_some(dict.fromkeys(said))})",
        fault.answers,
    )


def list_items(table: pd.DataFrame, facts: list[str]) -> pd.DataFrame:
    """Return one row per item with its group and other facts; without a group every item is its
    own."""
    items = table[["item"]].drop_duplicates()
    if facts:
        items = table.groupby("item", sort=False)[facts].first().reset_index()
    if "group" not in items:
        items["group"] = items["item"]
    return items.reset_index(drop=True)


def add_texts(items: pd.DataFrame, path, draft: Draft, are_pairs: bool) -> pd.DataFrame:
    """Return the items with what another file says of each text: group, writer, words."""
    of_item = "name" if are_pairs else "item"
    path = Path(path)
    if path.is_dir():
        files = sorted([*path.glob("*.txt"), *path.glob("*.md")])
        known = pd.DataFrame(
            {
                "item": [file.stem for file in files],
                "words": [float(count_words(load_text(file))) for file in files],
            }
        )
    else:
        table = lay_out_table(load(path))
        meaning = name_columns(table.cells, {}, {}, False)
        if "item" not in meaning.values():
            raise DataError(
                f"{path.name}: no column item, with the names of the texts; found "
                f"{list_some(table.cells, 15)}"
            )
        kept = {
            theirs: ours
            for theirs, ours in meaning.items()
            if ours in ("item", "group", "writer", "words", "text")
        }
        known = table.cells[list(kept)].rename(columns=kept)
        known["item"] = known["item"].map(tidy_name)
        again = known.index[known["item"].duplicated()]
        if len(again):
            raise DataError(
                f"{path.name}, row {again[0]}: item stands twice; expected one row each"
            )
        known = read_words(draft, known).drop(columns="text", errors="ignore")
    same = match_names(items[of_item], known["item"])
    found = items[of_item].map(same)
    if found.isna().mean() > MOST_UNMATCHED:
        raise DataError(
            f"{path.name}: has nothing of {found.isna().sum():,} of {len(items):,} rated texts, "
            f"such as {items.loc[found.isna(), of_item].iloc[0]!r:.60}; its own are "
            f"{list_some(known['item'], 3)}; spell them alike"
        )
    rows = known.set_index("item").reindex(found).reset_index(drop=True)
    items = items.copy()
    for name in rows:
        filled = rows[name].where(rows[name].notna(), items.get(name, np.nan))
        if name == "group":
            filled = filled.where(filled.notna(), items["item"])
        items[name] = filled.to_numpy()
    draft.notes.append(f"{path.name} says of each text: {', '.join(rows)}.")
    return items


def load_text(file: Path) -> str:
    """Return the text of a file; DataError where it is no UTF-8."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise DataError(f"{file.name}: cannot be read ({fault})") from None


def tell_made_groups(table: pd.DataFrame) -> str:
    """Return in a sentence what the groups of pairs are that were made without a column group."""
    if (table["group"] == table["set"]).all():
        return (
            "There is no column group, and most pairs hang together by shared texts, so each pair "
            "counts as independent: intervals speak of other pairs of these texts."
        )
    groups = table["group"].nunique()
    return f"There is no column group; pairs that share texts make {groups:,} groups."


def ask_about_groups(items: pd.DataFrame, draft: Draft) -> list[str]:
    """Return a note about groups that may be conditions, none where they are not."""
    groups = items["group"].nunique()
    if groups >= ENOUGH or len(items) < 3 * groups or len(items) < 2 * ENOUGH:
        return []
    theirs = draft.find("group")
    return [
        f"The column {theirs!r} was read as group and makes {groups} of {len(items):,} texts; from "
        f"fewer than {ENOUGH} groups no interval can be had. A group holds texts that belong "
        "together, such as one plot. If it says who or what wrote them, it is the writer: "
        + tell_options({"columns": {theirs: "writer"}})
    ]


def has_response_ids(ratings: pd.DataFrame) -> bool:
    """Return whether nearly every text's rating has a rater of its own; of one text this is always
    so."""
    pairs = ratings[["item", "rater"]].drop_duplicates()
    several = pairs["item"].nunique() > 1 and len(pairs) > 2
    return bool(several and pairs["rater"].nunique() > 0.8 * len(pairs))
