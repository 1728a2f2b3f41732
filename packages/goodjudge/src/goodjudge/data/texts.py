"""What is known of each text without reading it, from a file of its own: writer, group, words."""

from pathlib import Path

import numpy as np
import pandas as pd

from goodjudge.data.columns import find_columns, name_columns
from goodjudge.data.names import count_words, list_some, match_names, tidy_name
from goodjudge.data.ratings import Ratings
from goodjudge.data.tables import lay_out, load
from goodjudge.errors import DataError

FACTS = ["group", "writer", "words"]
MOST_UNKNOWN = 0.2  # share of the rated texts of which nothing may be known


def add_texts(data: Ratings, path: str | Path, *, columns: dict | None = None) -> Ratings:
    """Return `Ratings` with what another file says of each text.

    path: CSV or JSON with item (or id) and some of group (or prompt), writer (or author), words, or
    text, whose words are counted; columns: {its name of a column: ours}. What it says counts before
    what the ratings' own file says. Its report gets a sentence. Raises DataError for a file that
    says nothing of many rated texts.
    """
    path = Path(path)
    known, not_read = read_facts(path, columns or {})
    of_item = "name" if "name" in data.items else "item"
    same = match_names(data.items[of_item].unique(), known.index)
    found = data.items[of_item].map(same)
    if found.isna().mean() > MOST_UNKNOWN:
        raise DataError(
            f"{path.name}: says nothing of {found.isna().sum():,} of {len(found):,} rated texts, "
            f"such as {data.items.loc[found.isna(), of_item].iloc[0]!r:.60}; its own are "
            f"{list_some(known.index, 3)}; spell them alike"
        )
    rows = known.reindex(found).reset_index(drop=True)
    items = data.items.reset_index(drop=True)
    for name in rows:
        before = items[name] if name in items else pd.Series(np.nan, items.index, dtype=object)
        items[name] = rows[name].where(rows[name].notna(), before)
    if data.report is not None:
        data.report.notes.append(f"{path.name} says of each text: {', '.join(rows)}.")
        if not_read:
            data.report.notes.append(
                f"{path.name}, not read: {list_some(not_read, 15)}; to have one read, say "
                f'--texts-column "its name=group" (or item, writer, words, text).'
            )
    return data._replace(items=items)


def read_facts(path: Path, columns: dict) -> tuple[pd.DataFrame, list]:
    """Return (a table of FACTS, those that a file has, its index the names of the texts; the
    columns that are not read)."""
    cells = lay_out(load(path)).cells
    given = find_columns(columns, list(cells), {}, path.name)
    meaning = {ours: name for name, ours in name_columns(cells, given, {}, False).items() if ours}
    wanted = [name for name in [*FACTS, "text"] if name in meaning]
    if "item" not in meaning or not wanted:
        raise DataError(
            f"{path.name}: expected a column item (or id), and some of {', '.join(FACTS)}; found "
            f"{list_some(cells, 15)}"
        )
    names = cells[meaning["item"]].map(tidy_name)
    again = names.index[names.duplicated()]
    if len(again):
        raise DataError(f"{path.name}, row {again[0]}: {names[again[0]]!r:.60} stands twice")
    facts = {}
    for name in FACTS:
        if name in meaning:
            column = cells[meaning[name]].map(tidy_name)
            facts[name] = column.where(column != "")
    if "words" in facts:
        facts["words"] = read_counts(path, facts["words"])
    elif "text" in meaning:
        facts["words"] = cells[meaning["text"]].map(count_words).astype(float)
    used = {meaning[name] for name in ["item", *wanted]}
    not_read = [name for name in cells if name not in used]
    return pd.DataFrame(facts).set_axis(names, axis="index"), not_read


def read_counts(path: Path, column: pd.Series) -> pd.Series:
    """Return numbers of words; DataError names the row of another cell."""
    numbers = pd.to_numeric(column, errors="coerce")
    odd = column.index[numbers.isna() & column.notna()]
    if len(odd):
        raise DataError(
            f"{path.name}, row {odd[0]}: words is {column[odd[0]]!r:.40}; expected a number"
        )
    return numbers.astype(float)
