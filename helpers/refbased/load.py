"""Load what the reference-based notebooks need: the study's data, stories with references.

`load` gives the experts' `Ratings` of the machine stories that the two papers judge. A judge that
is asked anew needs more: candidates, and in every group a reference that each is compared with.
`load_candidates` takes the stories of this project, which come in groups of four tellings of one
plot; the careful telling is the reference. With the twelve stories of the New Yorker, which are not
public, it takes the study's. `load_groups` reads other groups from files.

    group   writer    craft
    piano   careful   3       the reference
    piano   plain     2       candidate
    piano   told      1       candidate
    piano   broken    0       candidate
"""

import itertools
from typing import NamedTuple

import pandas as pd
import yaml
from goodjudge.data.ratings import Ratings, average_aspects, keep

from helpers import prompts
from helpers.refbased import rebuild
from helpers.sources import readers
from helpers.sources.files import DataError, refuse
from helpers.sources.public import ROOT
from helpers.ttcw import load as ttcw

OWN = ROOT / "data" / "stories"  # written for this project
FACTS = ["item", "group", "writer", "words"]  # of a story, without reading it
CRAFT = {"careful": 3, "plain": 2, "told": 1, "broken": 0}  # how each of its tellings was made


def load():
    """Return the experts' `Ratings` of the study's machine stories: item '<group>/<writer>', group,
    writer, words; rater, score (share of tests passed)."""
    verdicts = name_stories(ttcw.load_verdicts())
    stories = name_stories(ttcw.load_stories())
    experts = average_aspects(ttcw.to_ratings(verdicts, stories))
    return keep(experts, experts.items["writer"].isin(rebuild.LISTED))


def name_stories(table):
    """Return a table with its stories called '<group>/<writer>', not '<group>_<writer>'."""
    return table.assign(story=table["story"].str.replace("_", "/"))


def load_majority():
    """Return group x writer: the number of tests that two experts or more say are passed."""
    return rebuild.expert_scores(verdicts=ttcw.load_verdicts())


class Material(NamedTuple):
    """What a judge compares, and what it is held against.

    candidates: group, writer, text, words and more; references: {group: text}; tests: {test:
    question}; of: what `data` holds, in words; data: `Ratings` of the candidates, or None.
    """

    candidates: pd.DataFrame
    references: dict
    tests: dict
    of: str
    data: Ratings | None


def load_candidates(tests, references="", groups=""):
    """Return the `Material` for a judge: this project's stories, whose writer is their rank; with
    references, the study's 36 machine stories; with groups, a reader's own and their human scores.

    tests: numbers of the tests that are asked; references: see `load_references`; groups: see
    `load_groups`.
    """
    questions = {test: prompts.aspects("ttcw")[test] for test in tests}
    if groups:
        candidates, of_groups = load_groups(groups)
        data = rate(candidates, "human", "own")
        return Material(candidates, of_groups, questions, "your human scores", data)
    if references:
        return load_study(references, questions)
    candidates, own_references = load_own_stories()
    data = rate(candidates, "craft", "own")
    data.items.pop("writer")  # it says how the story was made
    of = "the quality that we intended"
    return Material(candidates, own_references, questions, of, data)


def load_study(references, questions):
    """Return the `Material` of the study: 36 machine stories, fetched; a reader's references; the
    number of tests that two experts or more say are passed."""
    stories = name_stories(ttcw.load_stories().dropna(subset="words"))
    texts = ttcw.load_texts()
    stories["text"] = stories["story"].str.replace("/", "_").map(texts)
    candidates = stories[["group", "writer", "text", "words"]].reset_index(drop=True)
    passed = load_majority().stack()
    keys = pd.MultiIndex.from_frame(candidates[["group", "writer"]])
    data = rate(candidates.assign(majority=passed[keys].to_numpy()), "majority", "open")
    of = "the majority of three experts"
    return Material(candidates, load_references(references), questions, of, data)


def load_references(folder):
    """Return {group: text} of the New Yorker's twelve stories, which a reader has.

    folder: of twelve .txt files, each named by its story's title (or a CSV: title, text). DataError
    names titles that are missing or unknown, and texts whose length is far from the printed one
    (refbased v2, Table 3).
    """
    expected = "a folder of twelve .txt files, each named by its story's title, or a CSV"
    path, table = readers.read_texts(folder, "*", ("title", "text"), expected)
    known = ttcw.load_stories().query("writer == 'NewYorker'").set_index("story")
    group_of = known.set_index(known["title"].map(ttcw.plain_title))["group"]
    table["group"] = table["title"].map(ttcw.plain_title).map(group_of)
    unknown = table.loc[table["group"].isna(), "title"].tolist()
    missing = known.loc[~known["group"].isin(table["group"]), "title"].tolist()
    if unknown or missing:
        missing, unknown = ", ".join(missing) or "none", ", ".join(unknown) or "none"
        fault = f"missing titles: {missing}; unknown ones: {unknown}"
        raise DataError(f"{path.name}: {fault}; expected {expected}")
    printed = ttcw.read_lengths()[known.index].set_axis(known["group"])
    words, of_print = table["text"].map(readers.count_words), table["group"].map(printed)
    checks = [
        ("title", table["group"].duplicated(), "each title once"),
        ("text", ~words.between(of_print / 2, 2 * of_print), "the whole story and no more"),
    ]
    refuse(table.assign(text=words), path.name, checks)
    return dict(zip(table["group"].astype(int), table["text"]))


def rate(candidates, column, source):
    """Return the `Ratings` of candidates by one rater, by a column; None without that column."""
    if column not in candidates:
        return None
    item = candidates["group"].astype(str) + "/" + candidates["writer"]
    items = candidates.assign(item=item).reset_index(drop=True)
    scores = items[["item"]].assign(rater=column, score=items[column].astype(float))
    return Ratings(items[FACTS], scores, source)


def load_groups(stories):
    """Return (candidates, {group: reference}) of a reader's stories.

    stories: a folder with a subfolder per group (reference.txt, and a file per writer), or a CSV
    (group, writer, text, perhaps human). candidates: group, writer, text, words and, if all have
    one, human. DataError names file or row.
    """
    table, name = read_groups(stories)
    is_reference = table["writer"].str.casefold() == "reference"
    references = table[is_reference].set_index("group")["text"].to_dict()
    for group, of_group in table.groupby("group"):
        if group not in references or len(of_group) < 3:
            wanted = "expected one story by the writer 'reference' and two candidates or more"
            found = ", ".join(of_group["writer"])
            raise DataError(f"{name}, group {group}: {wanted}, found {found}")
    candidates = table[~is_reference].reset_index(drop=True)
    candidates["words"] = candidates["text"].map(readers.count_words)
    columns = ["group", "writer", "text", "words"]
    if has_scores(candidates):
        candidates["human"] = read_scores(candidates, name)
        columns.append("human")
    return candidates[columns], references


def read_groups(stories):
    """Return (table: group, writer, text and more, a row per story; the file's name); every story
    is checked to be there, and to be there once."""
    folder = "a folder of one folder per group (in it reference.txt and one .txt per candidate)"
    needed = ("group", "writer", "text")
    path, table = readers.read_texts(stories, "*/*", needed, f"{folder} or a CSV file")
    checks = [(column, table[column].str.strip() == "", "a text") for column in needed]
    is_twice = table.duplicated(["group", "writer"])
    checks.append(("writer", is_twice, "one story by each writer of a group"))
    refuse(table, path.name, checks)
    return table, path.name


def has_scores(candidates):
    """Return whether any candidate has a human score."""
    return "human" in candidates and (candidates["human"].str.strip() != "").any()


def read_scores(candidates, name):
    """Return the human scores as numbers; DataError if one is missing; name: of the file."""
    scores = pd.to_numeric(candidates["human"], errors="coerce")
    refuse(candidates, name, [("human", scores.isna(), "a number for all, or for none")])
    return scores


def load_own_stories():
    """Return this project's stories: (candidates: group, writer, craft, text, words; {group:
    reference})."""
    groups = yaml.safe_load((OWN / "stories.yaml").read_text(encoding="utf8"))["groups"]
    rows = []
    for group, telling in itertools.product(groups, CRAFT):
        text = readers.read_text(OWN / f"{group}-{telling}.txt")
        words = len(text.split())
        rows.append((group, telling, CRAFT[telling], text, words))
    table = pd.DataFrame(rows, columns=["group", "writer", "craft", "text", "words"])
    is_reference = table["writer"] == "careful"
    references = table[is_reference].set_index("group")["text"].to_dict()
    return table[~is_reference], references
