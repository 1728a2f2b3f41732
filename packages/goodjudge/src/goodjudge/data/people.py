"""People's ratings of a file: raters as R1, R2 …, and what is known of each text."""

import pandas as pd

from goodjudge.data.cleaning import read_sheet, refuse_changes, settle_doubles
from goodjudge.data.forms import PAIRS, RANKS, Draft
from goodjudge.data.pairs import ALL_ITEMS, average_orders, join_groups, turn_ranks
from goodjudge.data.ratings import Ratings
from goodjudge.data.report import CleaningReport, Scale


class Names(dict):
    """A dict that pandas need not copy with each step of a table that carries it."""

    def __deepcopy__(self, memo):
        return self


def read_people(path, **options) -> Ratings:
    """Return what `read_ratings` does, with all options given."""
    draft, table, said = read_sheet(path, True, [], None, options)
    case = [name for name in ("item", "rater", "aspect") if name in table]
    shown = ["shown"] if draft.form == PAIRS else []
    table = settle_doubles(draft, table, [*case, *shown], options["doubles"])
    facts = [name for name in ("group", "writer", "words") if name in table]
    refuse_changes(draft, table, facts)
    codes, raters = pd.factorize(table["rater"])
    table = table.assign(rater=("R" + pd.Series(codes + 1).astype(str).astype(object)).to_numpy())
    position = find_positions(table, draft.form)
    if draft.form == PAIRS:
        table = average_orders(table, case)
        if "group" not in table:
            table = table.assign(group=join_groups(table))
            is_own = (table["group"] == table["set"]).all()
            joined = f"pairs that share texts make {table['group'].nunique():,} groups"
            made = "each pair counts as independent" if is_own else joined
            draft.notes.append(f"There is no column group; {made}.")
        facts = list(dict.fromkeys([*facts, "group", "set", "name"]))
    elif draft.form == RANKS:
        table = table.assign(set=table["group"] if "group" in table else ALL_ITEMS)
        facts.append("set")
        table = turn_ranks(table, [name for name in (*case, "set") if name != "item"])
    items = list_items(table, facts)
    if position is not None:
        items["position"] = items["item"].map(position)
    ratings = table[[*case, "score"]].reset_index(drop=True)
    report = make_report(draft, items, ratings, said, options["scale"])
    ratings.attrs |= {
        "report": report,
        "scale": report.scale.people,
        "raters": Names({f"R{code}": name for code, name in enumerate(raters, 1)}),
    }
    return Ratings(items, ratings, "own")


def make_report(draft: Draft, items, ratings, said: dict, scale) -> CleaningReport:
    """Return the report of people's ratings; said: of `Sheet`; scale: told, or None."""
    score, alarms = ratings["score"], draft.alarms
    are_orders = draft.form in (PAIRS, RANKS)
    if scale is None and not are_orders:
        scale = float(score.min()), float(score.max())
    if len(ratings) > 2 and score.nunique() == 1 and not are_orders:
        alarms.append(
            f"All {len(ratings):,} scores are the same ({score.iloc[0]:g}): these ratings tell no "
            "text from another."
        )
    sizes = {"texts": items["name" if "name" in items else "item"].nunique()}
    if "name" in items:
        sizes["pairs"] = items["set"].nunique()
    sizes["raters"] = ratings["rater"].nunique()
    if "aspect" in ratings:
        sizes["criteria"] = ratings["aspect"].nunique()
    sizes["scores"] = len(ratings) // (2 if draft.form == PAIRS else 1)
    return CleaningReport(
        **said, scores=sizes["scores"], scale=Scale(people=scale), sizes=sizes, alarms=alarms
    )


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


def list_items(table: pd.DataFrame, facts: list[str]) -> pd.DataFrame:
    """Return one row per item with its group and other facts; without a group every item is its
    own."""
    items = table[["item"]].drop_duplicates()
    if facts:
        items = table.groupby("item", sort=False)[facts].first().reset_index()
    if "group" not in items:
        items["group"] = items["item"]
    return items.reset_index(drop=True)
