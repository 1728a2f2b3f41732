"""Load a set of poems in tiers, the project's own or a reader's, and check it before anything is
asked about it."""

import re
import unicodedata

import pandas as pd

from helpers.sources import readers
from helpers.sources.public import ROOT, DataError

COLUMNS = ["title", "author", "tier", "text"]
OWN = ROOT / "data" / "poems" / "poems.csv"
ORDER = {"good": "0", "medium": "1", "bad": "2"}  # of tiers that are named by their meaning


def normalise(name):
    """Return a name as it is matched: NFKC, case folded, plain quotes and dashes, single spaces, no
    marks around."""
    text = unicodedata.normalize("NFKC", str(name)).casefold()
    text = text.translate(str.maketrans("‘’‚`´“”„«»–—−‐‑", "'''''\"\"\"\"\"-----"))
    return re.sub(r"\s+", " ", text).strip(" \t\"'*_[]<>")


def load_poems(path=OWN):
    """Return the poems: id (0, 1, …), title, author, tier, text, name, best tier first;
    `.attrs['found']` tells the tiers.

    path: a CSV with the columns title, author, tier, text; or a folder with a subfolder a tier and
    'Author - Title.txt' in it. Tiers are ordered by name (A, B, C), Good, Medium, Bad by meaning. A
    poem's name, under which it is shown and answered, is 'Author - Title'. Raises DataError for a
    missing column, an empty poem or name, a poem twice, names alike, or a tier with one poem.
    """
    path = readers.resolve(path, "a CSV file of poems, or a folder with a subfolder a tier")
    table = read_folder(path) if path.is_dir() else readers.read_csv(path, COLUMNS)
    table = table.assign(name=table["author"] + " - " + table["title"])
    check_poems(table, path.name)
    tiers = sorted(table["tier"].unique(), key=lambda tier: (ORDER.get(tier.casefold(), "3"), tier))
    table["tier"] = pd.Categorical(table["tier"], tiers, ordered=True)
    table = table.sort_values("tier", kind="stable", ignore_index=True).rename_axis("id")
    counts = table["tier"].value_counts(sort=False)
    table.attrs["found"] = " / ".join(f"{n} {tier}" for tier, n in counts.items())
    return table


def read_folder(path):
    """Return the table of a folder: <tier>/<Author> - <Title>.txt, UTF-8."""
    rows = []
    for file in readers.find_texts(path, "*/*"):
        author, dash, title = file.stem.partition(" - ")
        if not dash:
            raise DataError(
                f"{path.name}/{file.parent.name}/{file.name}: expected a name like 'Author -"
                " Title.txt'"
            )
        rows.append(
            (
                title,
                author,
                file.parent.name,
                readers.read_text(file),
                f"{file.parent.name}/{file.name}",
            )
        )
    if not rows:
        raise DataError(
            f"{path.name}: no poems; expected one folder a tier with files like 'Author -"
            " Title.txt'"
        )
    return pd.DataFrame(rows, columns=[*COLUMNS, "where"])


def check_poems(table, source):
    """Raise DataError unless every poem has text and a name of its own and every tier holds two
    poems or more."""
    faults = {
        f"empty {column}; fill it or leave the poem out": table[column].str.strip() == ""
        for column in COLUMNS
    }
    faults["a line break in title or author; a name must fit on one line"] = table[
        "name"
    ].str.contains("\n")
    for column in ("name", "text"):
        alike = (
            f"the same {column} as another poem; every poem must stand once, under a name of"
            " its own"
        )
        faults[alike] = table[column].map(normalise).duplicated()
    for fault, bad in faults.items():
        if bad.any():
            poem = table.loc[bad.idxmax()]
            raise DataError(f"{source}, {poem['where']} ({poem['name']}): {fault}")
    counts = table["tier"].value_counts()
    if len(counts) < 2 or counts.min() < 2:
        raise DataError(
            f"{source}: tiers {', '.join(f'{tier} ({n})' for tier, n in counts.items())}; expected"
            " two tiers or more with two poems or more each"
        )
