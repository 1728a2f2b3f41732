"""Load what the reference-based notebooks need: the study's data, stories with references."""

import itertools
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import yaml

from helpers.judges import prompts
from helpers.measures.ratings import Ratings, average_aspects, keep
from helpers.refbased import rebuild
from helpers.sources import readers
from helpers.sources.files import refuse
from helpers.sources.public import ROOT, DataError
from helpers.sources.published import Printed
from helpers.ttcw import load as ttcw

# a copy may differ from the printed word count by a tenth (front matter, another way of counting)
NEAR = 0.1
OWN = ROOT / "data" / "stories"  # written for this project
FACTS = ["item", "group", "writer", "words"]  # of a story, without reading it
CRAFT = {"careful": 3, "plain": 2, "told": 1, "broken": 0}  # how each of its tellings was made


def load_study(data, rng):
    """Return the study: source, sentence, raw (open data?), stories, human (group x writer: tests
    that two experts or more say are passed) and data, the experts' `Ratings` of the machine
    stories: item '<group>/<writer>', group, writer, words; rater, score (share of tests passed)."""
    source, sentence, verdicts, stories, _ = ttcw.load(data, rng)
    named = (one.replace({"story": {"_": "/"}}, regex=True) for one in (verdicts, stories))
    experts = average_aspects(ttcw.to_ratings(*named, source))
    data = keep(experts, experts.items["writer"].isin(rebuild.LISTED))
    found = {"source": source, "sentence": sentence, "raw": source == "open", "stories": stories}
    return SimpleNamespace(**found, human=rebuild.expert_scores(verdicts=verdicts), data=data)


def load_candidates(study, judge, tests, own_stories="", rubric="", references_folder=""):
    """Return what a judge compares: candidates, references ({group: text}), tests, data (`Ratings`,
    or None: what it is held against), of (in words).

    From a reader's groups (`own_stories`), the study with a reader's copies of its references
    (`references_folder`), or this project's stories, whose writer is their rank.
    """
    if own_stories and references_folder:
        raise ValueError("own_stories and references_folder are both given; choose one of them")
    if own_stories or rubric:
        readers.refuse_recorded(judge)
    if own_stories:
        candidates, references = load_groups(own_stories)
        of, held = "your human scores", rate(candidates, "human", "own")
    elif references_folder:
        candidates, references = load_paired(study, references_folder)
        of, held = "the experts", study.data
    else:
        candidates, references = load_own_stories()
        of = "the order in which the stories were made"
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


def load_paired(study, folder):
    """Return (candidates, {group: text}) of groups whose reference a reader's `folder` holds."""
    if not study.raw:
        missing = "references_folder needs the study's candidates, and the open data are not here"
        raise DataError(f"{missing}; run `make fetch`")
    titles = study.stories.drop_duplicates("group").set_index("group")["title"].to_dict()
    references = load_references(folder, titles)
    asked = study.stories["group"].isin(references)
    return study.stories[asked & study.stories["writer"].isin(rebuild.LISTED)], references


def load_references(path, titles, counts=None):
    """Return {group: text} of a reader's copies of published stories, named by title; DataError
    for a length far from the printed one, too.

    titles: {group: title}; counts: {title as printed: words}, v2's Table 3 unless given.
    """
    if counts is None:
        counts = Printed("refbased_v2").grid("Table 3")["New Yorker"].to_dict()
    groups = {bare_title(title): group for group, title in titles.items()}
    printed = {bare_title(title): words for title, words in counts.items()}
    found = readers.load_stories(path)
    keys = found["title"].map(bare_title)
    expected = keys.map(printed).fillna(found["words"])
    far = (found["words"] - expected).abs() > NEAR * expected
    whole = "about as many as are printed (v2, Table 3): the whole story and nothing else"
    checks = [
        ("title", ~keys.isin(groups), f"one of the titles {'; '.join(titles.values())}"),
        ("title", keys.duplicated(), "one copy of each story"),
        ("words", far, whole),
    ]
    refuse(found.assign(where=found["title"]), str(path), checks)
    texts = dict(zip(keys.map(groups), found["text"]))
    return {group: texts[group] for group in titles if group in texts}


def bare_title(title):
    """Return a title without case, spaces and punctuation: 'barbaradetroit1996'."""
    return "".join(c for c in str(title).casefold() if c.isalnum())
