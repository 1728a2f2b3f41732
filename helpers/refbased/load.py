"""Load what the reference-based notebooks need: the study's data, stories with references."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import yaml

from helpers.judges.requests import prompts
from helpers.measures.ratings import Ratings, average_aspects, keep
from helpers.refbased import rebuild
from helpers.sources import readers
from helpers.sources.files import refuse
from helpers.sources.public import ROOT, DataError
from helpers.ttcw import load as ttcw

OWN = ROOT / "data" / "stories"  # written for this project
FACTS = ["item", "group", "writer", "words"]  # of a story, without reading it
CRAFT = {"careful": 3, "plain": 2, "told": 1, "broken": 0}  # how each of its tellings was made


def load():
    """Return the experts' `Ratings` of the study's machine stories: item '<group>/<writer>', group,
    writer, words; rater, score (share of tests passed)."""
    verdicts, stories = ttcw.load_verdicts(), ttcw.load_stories()
    named = [table.replace({"story": {"_": "/"}}, regex=True) for table in (verdicts, stories)]
    experts = average_aspects(ttcw.to_ratings(*named))
    return keep(experts, experts.items["writer"].isin(rebuild.LISTED))


def load_majority():
    """Return group x writer: the number of tests that two experts or more say are passed."""
    return rebuild.expert_scores(verdicts=ttcw.load_verdicts())


def load_candidates(judge, tests, own_stories="", rubric=""):
    """Return what a judge compares: candidates, references ({group: text}), tests, data (`Ratings`,
    or None: what it is held against), of (in words); from a reader's groups (`own_stories`), or
    this project's stories, whose writer is their rank."""
    if own_stories or rubric:
        readers.refuse_recorded(judge)
    if own_stories:
        candidates, references = load_groups(own_stories)
        of, held = "your human scores", rate(candidates, "human", "own")
    else:
        candidates, references = load_own_stories()
        of = "the quality that we intended"
        held = rate(candidates, "craft", "own")
        held.items.pop("writer")
    asked = readers.ask_of(readers.load_rubric(rubric)) if rubric else prompts.aspects("ttcw")
    asked = asked if rubric else {test: asked[test] for test in tests}
    found = {"candidates": candidates, "references": references, "data": held}
    return SimpleNamespace(**found, of=of, tests=asked)


def rate(candidates, column, source):
    """Return the `Ratings` of candidates by one rater, by a column; None without that column."""
    if column not in candidates:
        return None
    item = candidates["group"].astype(str) + "/" + candidates["writer"]
    items = candidates.assign(item=item).reset_index(drop=True)
    scores = items[["item"]].assign(rater=column, score=items[column].astype(float))
    return Ratings(items[FACTS], scores, source)


def load_groups(given):
    """Return (candidates, {group: reference}) of a reader's stories: a folder with a subfolder per
    group (reference.txt, and a file per writer), a CSV (group, writer, text, perhaps human), or the
    texts of one group, {writer: text}. DataError names file or row."""
    pasted = not isinstance(given, (str, Path))
    needed, least = ("group", "writer", "text"), 2 if pasted else 3
    folder = "a folder of one folder per group (in it reference.txt and one .txt per candidate)"
    expected = f"{folder}, a CSV file, or texts: {{'reference': text, 'mine': text}}"
    read = readers.read_pasted if pasted else readers.read_texts
    path, table = read(given, "*/*", needed, expected=expected)
    if pasted:
        table = table.rename(columns={"title": "writer"}).assign(group="yours")
    checks = [(name, table[name].str.strip() == "", "a text") for name in needed]
    twice = table.duplicated(["group", "writer"])
    checks.append(("writer", twice, "one story by each writer of a group"))
    refuse(table, path.name, checks)
    is_reference = table["writer"].str.casefold() == "reference"
    references = table[is_reference].set_index("group")["text"].to_dict()
    for group, part in table.groupby("group"):
        if group not in references or len(part) < least:
            wanted = "expected one story by the writer 'reference' and two candidates or more"
            found = ", ".join(part["writer"])
            raise DataError(f"{path.name}, group {group}: {wanted}, found {found}")
    candidates = table[~is_reference].reset_index(drop=True)
    candidates["words"] = candidates["text"].map(readers.count_words)
    known = ["group", "writer", "text", "words"]
    if "human" in candidates and (candidates["human"].str.strip() != "").any():
        number = pd.to_numeric(candidates["human"], errors="coerce")
        refuse(candidates, path.name, [("human", number.isna(), "a number for all, or for none")])
        candidates["human"] = number
        known.append("human")
    return candidates[known], references


def load_own_stories():
    """Return this project's stories: (group, writer, craft, text, words; references)."""
    groups = yaml.safe_load((OWN / "stories.yaml").read_text(encoding="utf8"))["groups"]
    rows = []
    for group, made in itertools.product(groups, CRAFT):
        text = readers.read_text(OWN / f"{group}-{made}.txt")
        rows.append((group, made, CRAFT[made], text, len(text.split())))
    table = pd.DataFrame(rows, columns=["group", "writer", "craft", "text", "words"])
    careful = table["writer"] == "careful"
    return table[~careful], table[careful].set_index("group")["text"].to_dict()
