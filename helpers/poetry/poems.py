"""Load a set of poems in tiers, the project's own or a reader's, and check it before anything is asked about it."""

import re
import unicodedata

import pandas as pd

from helpers.sources.public import ROOT
from helpers.sources.readers import read_table

COLUMNS = ["title", "author", "tier", "text"]
OWN = ROOT / "data" / "poems" / "poems.csv"


class PoemError(ValueError):
    """A set of poems is not what it must be; the message names the file and the poem and says what to do."""


def normalise(name):
    """Return a name as it is matched: NFKC, case folded, plain quotes and dashes, single spaces, no marks around."""
    text = unicodedata.normalize("NFKC", str(name)).casefold()
    text = text.translate(str.maketrans("‘’‚`´“”„«»–—−‐‑", "'''''\"\"\"\"\"-----"))
    return re.sub(r"\s+", " ", text).strip(" \t\"'*_[]<>")


def full_name(poem):
    """Return 'Author - Title', the name under which a poem is shown and answered."""
    return f"{poem['author']} - {poem['title']}"


def load_poems(path=None):
    """Return the poems: id (0, 1, …), title, author, tier, text, name, best tier first; `.attrs['found']` tells the tiers.

    path: a CSV with the columns title, author, tier, text; or a folder with a subfolder a tier and 'Author - Title.txt'
    in it; None for the project's own. Tiers are ordered by name (A, B, C), Good, Medium, Bad by meaning.
    Raises PoemError for a missing column, an empty poem or name, a poem twice, names alike, or a tier with one poem.
    """
    path = ROOT / (path or OWN)
    table = read_folder(path) if path.is_dir() else read_csv(path)
    check_poems(table, path.name)
    tiers = sorted(
        table["tier"].unique(), key=lambda t: ({"good": "0", "medium": "1", "bad": "2"}.get(t.casefold(), "3"), t)
    )
    table["tier"] = pd.Categorical(table["tier"], tiers, ordered=True)
    table = table.sort_values("tier", kind="stable", ignore_index=True)
    table = table.assign(name=[full_name(poem) for poem in table.to_dict("records")]).rename_axis("id")
    counts = table["tier"].value_counts(sort=False)
    table.attrs["found"] = " / ".join(f"{n} {tier}" for tier, n in counts.items())
    return table


def read_csv(path):
    """Return the table of a CSV file of poems; raise PoemError if it is missing or lacks a column."""
    if not path.is_file():
        raise PoemError(f"{path.name}: no such file; give a CSV with the columns {', '.join(COLUMNS)}, or a folder")
    table = read_table(path)
    if missing := [name for name in COLUMNS if name not in table.columns]:
        raise PoemError(f"{path.name}, line 1: no column {', '.join(missing)}; expected {', '.join(COLUMNS)}")
    return table


def read_folder(path):
    """Return the table of a folder: <tier>/<Author> - <Title>.txt, UTF-8."""
    rows = []
    for file in sorted(path.glob("*/*.txt")):
        author, dash, title = file.stem.partition(" - ")
        if not dash:
            raise PoemError(f"{path.name}/{file.parent.name}/{file.name}: expected a name like 'Author - Title.txt'")
        try:
            text = file.read_text(encoding="utf8")
        except UnicodeDecodeError:
            raise PoemError(f"{path.name}/{file.parent.name}/{file.name}: not UTF-8 text; save it as UTF-8") from None
        rows.append({"title": title, "author": author, "tier": file.parent.name, "text": text.strip()})
    if not rows:
        raise PoemError(f"{path.name}: no poems; expected one folder a tier with files like 'Author - Title.txt'")
    return pd.DataFrame(rows)


def check_poems(table, source):
    """Raise PoemError unless every poem has text and a name of its own and every tier holds two poems or more."""
    for i, poem in enumerate(table[COLUMNS].to_dict("records")):
        if empty := [name for name in COLUMNS if not poem[name].strip()]:
            raise PoemError(
                f"{source}, poem {i + 1} ({full_name(poem)}): empty {', '.join(empty)}; fill it or leave the poem out"
            )
        if "\n" in poem["title"] + poem["author"]:
            raise PoemError(f"{source}, poem {i + 1}: a line break in title or author; a name must fit on one line")
    for what, keys in (("name", table.apply(full_name, axis=1).map(normalise)), ("text", table["text"].map(normalise))):
        if keys.duplicated().any():
            second = keys.duplicated().idxmax()
            first = keys[keys == keys[second]].index[0]
            raise PoemError(
                f"{source}, poems {first + 1} and {second + 1} have the same {what} ({full_name(table.loc[second])}); "
                "every poem must stand once, under a name of its own"
            )
    counts = table["tier"].value_counts()
    if len(counts) < 2 or counts.min() < 2:
        raise PoemError(
            f"{source}: tiers {', '.join(f'{tier} ({n})' for tier, n in counts.items())}; expected two tiers or more "
            "with two poems or more each"
        )
