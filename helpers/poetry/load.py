"""Load poems in tiers, the project's own or a reader's (checked), the criteria to ask for, and what
counts of length, rhyme and words say without reading."""

import itertools
import re
import unicodedata
from collections import Counter

import numpy as np
import pandas as pd
from goodjudge.data.ratings import Ratings

from helpers.sources import readers
from helpers.sources.files import DataError, refuse
from helpers.sources.public import ROOT
from helpers.sources.words import tokenize

NEEDED = ["title", "author", "text"]
OWN = ROOT / "data" / "poems" / "poems.csv"
LINKED = ROOT / "data" / "poems" / "linked.csv"
ORDER = {"good": "0", "medium": "1", "bad": "2"}  # of tiers that are named by their meaning
CRITERIA = {  # what is asked, lowest and highest score, in our own words
    "Creativity": ("how creative it is", "the least creative of them", "the most creative of them"),
    "Quality": ("how good it is as a poem", "the weakest of them", "the strongest of them"),
    "Innovativeness": ("how new it is", "much like poems you know", "unlike any poem you know"),
    "Similarity": (
        "how much it resembles other poems you know",
        "like none of them",
        "very much like them",
    ),
    "Poeticness": ("how far it is a poem at all", "hardly a poem", "beyond doubt a poem"),
}


def load_study(own_poems="", criteria=("Quality",)):
    """Return (poems, {criterion: (what, low, high)}, what the poems are); DataError."""
    if unknown := [name for name in criteria if name not in CRITERIA]:
        raise DataError(f"criterion {unknown[0]!r}: expected one of {', '.join(CRITERIA)}")
    poems = load_poems(own_poems or OWN)
    asked = {name: CRITERIA[name] for name in criteria}
    ours = "written for this project with an order of quality in mind; nobody rated them"
    origin = "a reader's own" if own_poems else ours
    if linked := int(find_linked(poems)["here"].sum()):
        origin += f"; {linked} of the {len(load_linked())} that the paper links are among them"
    return poems, asked, f"{len(poems)} poems ({poems.attrs['found']}), {origin}"


def load_poems(path=OWN):
    """Return the poems: id (0, 1, …), title, author, tier, text, name, best tier first (by name;
    Good, Medium, Bad by meaning); `.attrs`: tiers (are there any?), found (in words), ours.

    path: a CSV (title, author, text, perhaps tier), or a folder of 'Author - Title.txt', perhaps in
    a subfolder per tier. Raises DataError, see `check_poems`.
    """
    path = readers.resolve(path, "a CSV file of poems, or a folder with a subfolder per tier")
    table = read_folder(path) if path.is_dir() else readers.read_csv(path, NEEDED)
    tiered = "tier" in table
    table = table if tiered else table.assign(tier="no tiers")
    table = table.assign(name=table["author"] + " - " + table["title"])
    check_poems(table, path.name, tiered)
    tiers = sorted(table["tier"].unique(), key=lambda tier: (ORDER.get(tier.casefold(), "3"), tier))
    table["tier"] = pd.Categorical(table["tier"], tiers, ordered=True)
    table = table.sort_values("tier", kind="stable", ignore_index=True).rename_axis("id")
    counts = table["tier"].value_counts(sort=False)
    found = " / ".join(f"{n} {tier}" for tier, n in counts.items())
    table.attrs = {"found": found if tiered else "no tiers", "tiers": tiered, "ours": path == OWN}
    return table


def load_linked():
    """Return the poems that the paper links in its appendix A.4, all of its tier Good: author,
    title, search (where to look for it). Their texts are not free to copy."""
    return pd.read_csv(LINKED, encoding="utf8")


def find_linked(poems):
    """Return `load_linked` with here: whether `poems` (of `load_poems`) have a poem of this author
    and title, spelled alike but for what `normalise` evens out."""
    linked = load_linked()
    names = (linked["author"] + " - " + linked["title"]).map(normalise)
    return linked.assign(here=names.isin(poems["name"].map(normalise)))


def load(path=OWN):
    """Return the `Ratings` of the project's own poems, or of those of `load_poems`; see `rate`."""
    return rate(load_poems(path))


def name_poems(ids):
    """Return the names of poems, an item each: "poem-000" for 0."""
    return [f"poem-{poem:03d}" for poem in ids]


def rate(poems):
    """Return the `Ratings` of poems by one rater, "tiers": item ("poem-000", …), group (a subject,
    or each poem), counts that take no reading."""
    ours = poems.attrs.get("ours", False)
    subject = poems.groupby("tier", observed=True).cumcount() if ours else poems.index
    items = count(poems).assign(item=name_poems(poems.index), group=subject)
    score = -poems["tier"].cat.codes.astype(float)
    ratings = items[["item"]].assign(rater="tiers", score=score)
    return Ratings(items.reset_index(drop=True), ratings.reset_index(drop=True), "own")


def read_folder(path):
    """Return the table of a folder: perhaps <tier>/, then <Author> - <Title>.txt."""
    tiered, rows = readers.find_texts(path, "*/*"), []
    loose = readers.find_texts(path, "*")
    if tiered and loose:
        raise DataError(f"{path.name}/{loose[0].name}: stands in no tier's folder, as others do")
    for file in tiered or loose:
        author, dash, title = readers.tidy_name(file.stem).partition(" - ")
        where = file.relative_to(path)
        if not dash:
            raise DataError(f"{path.name}/{where}: expected a name like 'Author - Title.txt'")
        rows.append((title, author, readers.read_text(file), str(where), file.parent.name))
    if not rows:
        raise DataError(f"{path.name}: no poems; expected 'Author - Title.txt', perhaps by tier")
    table = pd.DataFrame(rows, columns=[*NEEDED, "where", "tier"])
    return table if tiered else table.drop(columns="tier")


def check_poems(table, source, tiered):
    """Raise DataError unless poems have own texts and names, and tiers two (no tiers: three)."""
    filled = "something in it; fill it or leave the poem out"
    checks = [(column, table[column].str.strip() == "", filled) for column in (*NEEDED, "tier")]
    for column in ("name", "text"):
        own = f"a {column} that no other poem has"
        checks.append((column, table[column].map(normalise).duplicated(), own))
    refuse(table, source, checks)
    counts = table["tier"].value_counts()
    if not tiered and len(table) < 3:
        raise DataError(f"{source}: {len(table)} poems; expected three or more to rank")
    if tiered and (len(counts) < 2 or counts.min() < 2):
        found = ", ".join(f"{tier} ({n})" for tier, n in counts.items())
        raise DataError(f"{source}: tiers {found}; expected two or more with two poems or more")


def normalise(name):
    """Return a name for matching: NFKC, case folded, plain quotes and dashes, single spaces."""
    text = unicodedata.normalize("NFKC", str(name)).casefold()
    text = text.translate(str.maketrans("‘’‚`´“”„«»–—−‐‑", "'''''\"\"\"\"\"-----"))
    return re.sub(r"\s+", " ", text).strip(" \t\"'*_[]<>")


def line_ends(text):
    """Return the last word of every line that has one."""
    words_of_lines = map(tokenize, text.splitlines())
    return [words[-1] for words in words_of_lines if words]


def rhyme_part(word):
    """Return what must agree for a rhyme on paper: the last vowel letters and what follows."""
    bare = re.sub(r"(?<=[^aeiouy])e$", "", word)  # a silent e aside
    match = re.search(r"[aeiouy]+[^aeiouy]*$", bare) or re.search(r"[aeiouy].*$", word)
    return match[0] if match else word


def rhyme_density(text, reach=3):
    """Return the share of lines whose last word rhymes with another within `reach` lines."""
    ends = line_ends(text)
    if not ends:
        return 0.0
    sounds = [rhyme_part(word) for word in ends]
    is_rhymed = np.zeros(len(ends), bool)
    for i, j in itertools.combinations(range(len(ends)), 2):
        is_near = j - i <= reach
        if is_near and sounds[i] == sounds[j] and ends[i] != ends[j]:
            is_rhymed[[i, j]] = True
    return float(is_rhymed.mean())


def count(poems):
    """Return poems x counts, known without reading; how rare words are is by the other poems."""
    texts = poems["text"]
    tokens = texts.map(tokenize)
    length = tokens.map(len)
    frequency = Counter()
    for words in tokens:
        frequency.update(words)

    def count_letters(words):
        return np.mean([len(word) for word in words])

    def find_rarity(words):
        return mean_rarity(words, frequency)

    columns = {
        "words": length,
        "lines": texts.map(line_ends).map(len),
        "letters a word": tokens.map(count_letters),
        "distinct words": tokens.map(set).map(len) / length,
        "rarer words": tokens.map(find_rarity),
        "rhyme density": texts.map(rhyme_density),
        "commas and stops": texts.str.count("[,.;:]") / length,
    }
    return pd.DataFrame(columns)


def mean_rarity(words, frequency):
    """Return the mean over a poem's words of minus the logarithm of how frequent each is in the
    other poems; frequency: of each word in all poems, this one too."""
    here = Counter(words)
    words_elsewhere = frequency.total() - len(words)
    rarities = []
    for word in words:
        elsewhere = frequency[word] - here[word]
        rarities.append(-np.log((elsewhere + 0.5) / words_elsewhere))
    return np.mean(rarities)
