"""Load what the reference-based notebooks need: the study's data, stories with references.

`load` gives the experts' `Ratings` of the machine stories that the two papers judge. A judge that
is asked anew needs more: candidates, and in every group a reference that each is compared with.
`load_candidates` takes them from a reader's files, or from the stories of this project, which come
in groups of four tellings of one plot; the careful telling is the reference:

    group   writer    craft
    piano   careful   3       the reference
    piano   plain     2       candidate
    piano   told      1       candidate
    piano   broken    0       candidate
"""

import itertools
from pathlib import Path
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


def load_candidates(judge, tests, own_stories="", rubric=""):
    """Return the `Material` for a judge: a reader's groups (`own_stories`) and human scores, or
    this project's stories, whose writer is their rank.

    tests: numbers of the tests that are asked; rubric: a file of a reader's own, in their place.
    DataError for a bad file, or where a recorded judge cannot know a reader's material.
    """
    if own_stories or rubric:
        readers.refuse_recorded(judge)
    questions = read_questions(tests, rubric)
    if own_stories:
        candidates, references = load_groups(own_stories)
        data = rate(candidates, "human", "own")
        return Material(candidates, references, questions, "your human scores", data)
    candidates, references = load_own_stories()
    data = rate(candidates, "craft", "own")
    data.items.pop("writer")  # it says how the story was made
    return Material(candidates, references, questions, "the quality that we intended", data)


def read_questions(tests, rubric=""):
    """Return {test: question}, of some of the fourteen tests or of a rubric, if there is one."""
    if rubric:
        return readers.ask_of(readers.load_rubric(rubric))
    questions = prompts.aspects("ttcw")
    return {test: questions[test] for test in tests}


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

    stories: a folder with a subfolder per group (reference.txt, and a file per writer), a CSV
    (group, writer, text, perhaps human), or the texts of one group, {writer: text}. candidates:
    group, writer, text, words and, if all have one, human. DataError names file or row.
    """
    table, name = read_groups(stories)
    is_reference = table["writer"].str.casefold() == "reference"
    references = table[is_reference].set_index("group")["text"].to_dict()
    is_pasted = not isinstance(stories, (str, Path))
    least = 1 if is_pasted else 2  # candidates of a group
    for group, of_group in table.groupby("group"):
        if group not in references or len(of_group) < least + 1:
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
    expected = f"{folder}, a CSV file, or texts: {{'reference': text, 'mine': text}}"
    needed = ("group", "writer", "text")
    if isinstance(stories, (str, Path)):
        path, table = readers.read_texts(stories, "*/*", needed, expected=expected)
    else:
        path, table = readers.read_pasted(stories, expected)
        table = table.rename(columns={"title": "writer"}).assign(group="yours")
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
