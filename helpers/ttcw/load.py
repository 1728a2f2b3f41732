"""Load *Art or Artifice?* (ttcw): its numbers, kept here, and its texts, which are fetched."""

from itertools import combinations

import pandas as pd
from goodjudge.data import ratings

from helpers import prompts
from helpers.sources.files import DataError
from helpers.sources.kept import read_kept
from helpers.sources.public import read_json
from helpers.sources.published import Printed

PRINTED_WRITERS = {  # as Tables 5 and 9 call them
    "GPT3.5": "GPT3.5",
    "GPT4": "GPT4",
    "Claude": "Claude v1.3",
    "NewYorker": "New Yorker",
}
LENGTHS_OF = {  # as Table 3 of the second reference-based paper calls them
    "GPT3.5": "GPT-3.5",
    "GPT4": "GPT-4",
    "Claude": "Claude",
    "NewYorker": "New Yorker",
}
WRITERS = list(PRINTED_WRITERS)
JUDGES = ["cgpt", "gpt4", "claudev13", "claudev2", "claudev21", "claude3-opus", "gemini-pro"]
TESTS = [2, 4, 3, 5, 1, 6, 8, 7, 10, 9, 11, 13, 14, 12]  # the numbers of the rows of Table 5
ROWS = dict(zip(TESTS, Printed("ttcw").grid("Table 5").index))
TEST_NAMES = {test: row.partition(" / ")[2] for test, row in ROWS.items()}
PACING, SCENE = 4, 3  # the two tests whose overlap the paper names (appendix A.2)


def load(all_lengths=True):
    """Return the experts' `Ratings` of the 48 stories: items with group, writer and words; a test
    (1-14) is an aspect, a score 1 (Yes) or 0.

    all_lengths: words of all stories (`load_lengths`), else only of those whose text is public.
    """
    stories = load_stories()
    if all_lengths:
        stories["words"] = stories["story"].map(load_lengths())
    return to_ratings(load_verdicts(), stories)


def load_verdicts():
    """Return the 2,016 expert verdicts: story, group (0-11), writer, expert, test, passed (bool).

    The expert is a number of the public file.
    """
    names = {"item": "story", "rater": "expert", "aspect": "test", "score": "passed"}
    table = read_kept("ttcw-ratings").rename(columns=names).astype({"passed": bool})
    group, writer = split_story(table["story"])
    return table.assign(group=group, writer=writer)[
        ["story", "group", "writer", "expert", "test", "passed"]
    ]


def split_story(story):
    """Return (group, writer) of names of stories, a Series of "<group>_<writer>"."""
    parts = story.str.split("_", n=1, expand=True)
    return parts[0].astype(int), parts[1]


def load_stories():
    """Return the 48 stories: story, group (0-11), writer, title, filed as, words, and ten more
    counts of `words.lexical_statistics`; no counts of the 12 whose texts are not public."""
    return read_kept("ttcw-items").rename(columns={"item": "story"})


def load_lengths():
    """Return the number of words of each of the 48 stories, a Series by story: counted where the
    text is public; of the 12 others as the second reference-based paper prints it (`read_lengths`).
    """
    stories = load_stories().set_index("story")
    return stories["words"].fillna(read_lengths()).astype(int)


def read_lengths():
    """Return the number of words of each of the 48 stories as the second reference-based paper
    prints it (v2, Table 3), a Series by story. A title may be spaced in another way there."""
    printed = Printed("refbased_v2").grid("Table 3")
    printed.index = printed.index.map(plain_title)
    stories = load_stories().set_index("story")
    titles = stories["title"].map(plain_title)
    columns = stories["writer"].map(LENGTHS_OF)
    words = [printed.at[title, column] for title, column in zip(titles, columns)]
    return pd.Series(words, stories.index, int, "words")


def plain_title(title):
    """Return a title without spaces and marks, in small letters."""
    return "".join(filter(str.isalnum, title)).lower()


def load_tests():
    """Return the 14 tests: test (1-14), dimension, category (the paper's name of the test, as in
    Table 5; the public file calls some otherwise)."""
    return read_kept("ttcw-tests").rename(columns={"aspect": "test", "name": "category"})


def load_answers(judge):
    """Return the answers of one of JUDGES, as the authors released them: story, test, label (Yes,
    No, or nan), status (ok, refused or unparsed). DataError for another judge."""
    if judge not in JUDGES:
        raise DataError(f"recorded judge {judge!r} is unknown; expected one of {', '.join(JUDGES)}")
    table = read_kept("ttcw-judges").rename(columns={"item": "story", "aspect": "test"})
    mine = table[(table["judge"] == judge) & (table["status"] != "missing")]
    return mine.drop(columns="judge").sort_values(["story", "test"], ignore_index=True)


def load_texts():
    """Return the texts of the 36 stories by machines, a Series by story: fetched, and verified.

    FileNotFoundError where they cannot be had. The 12 others are only linked to.
    """
    table = pd.DataFrame(read_json("ttcw/ttcw_short_stories.json"))
    texts = table.set_index("story_id")["content"].rename_axis("story")
    return texts[~texts.str.startswith("http")]


def load_rationales():
    """Return the experts' reasons, in the order of `load_verdicts`: fetched, as `load_texts`."""
    return pd.DataFrame(read_json("ttcw/ttcw_annotations.json"))["explanation"]


def load_wording():
    """Return (tests, whose): `load_tests` with question, full_prompt (as the paper prints it) and
    context (of that, the background alone), what a judge is asked; and a sentence on whose words
    these are: the authors', or ours, without background, where theirs cannot be fetched."""
    try:
        words = pd.DataFrame(read_json("ttcw/ttcw_all_tests.json"))
    except FileNotFoundError:
        tests = load_tests()
        ours = tests["test"].map(prompts.aspects("ttcw"))
        whose = "The tests are asked in our words: the authors' are not on this machine."
        return tests.assign(question=ours, full_prompt="", context=""), whose
    words = words.rename(columns={"ttcw_idx": "test"})[["test", "question", "full_prompt"]]
    words["context"] = words["full_prompt"].map(cut_instruction)
    return load_tests().merge(words, on="test"), "The tests are asked in their authors' words."


def cut_instruction(full_prompt):
    """Return a test's background without its last two lines that are not empty, the instruction
    and the question: the cut that the authors' released code makes."""
    lines = full_prompt.strip().split("\n")
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[: filled[-2]]).strip()


def to_ratings(verdicts, stories):
    """Return the verdicts as `Ratings`: items are stories, aspects tests, scores 1 (Yes) and 0;
    words as the stories have them (of `load_stories` only where the text is public)."""
    items = stories[["story", "group", "writer", "words"]].rename(columns={"story": "item"})
    names = {"story": "item", "expert": "rater", "test": "aspect", "passed": "score"}
    given = verdicts[[*names]].rename(columns=names).astype({"score": float})
    return ratings.Ratings(items.reset_index(drop=True), given, "open")


def find_majority(verdicts):
    """Return one row per story and test, as judges are asked about them: item (the story), group,
    writer, aspect (the test), votes (0-3), truth (two experts or more say Yes)."""
    cases = verdicts.groupby(["story", "group", "writer", "test"])["passed"]
    table = cases.sum().rename("votes").reset_index()
    table = table.rename(columns={"story": "item", "test": "aspect"})
    return table.assign(truth=table["votes"] >= 2)


def load_printed():
    """Return (pass rates in percent, tests x writers; kappas by test) as the paper's Table 5 prints
    them."""
    table = Printed("ttcw").grid("Table 5").rename(index={row: test for test, row in ROWS.items()})
    table = table.drop(index="Average").sort_index()
    rates = table[list(PRINTED_WRITERS.values())].set_axis(WRITERS, axis=1)
    return rates, table["Expert Agreement"]


def pass_rates(verdicts, by="test"):
    """Return percentages of Yes, tests (or groups) x writers."""
    return 100 * verdicts.pivot_table(index=by, columns="writer", values="passed")


def correlate_tests(verdicts):
    """Return how every two tests correlate over answer sheets (a story and an expert), a Series by
    pairs of tests, the largest first."""
    sheets = verdicts.pivot(index=["story", "expert"], columns="test", values="passed")
    correlations = sheets.astype(float).corr().round(12)  # ties are ties on every machine
    pairs = pd.Series({pair: correlations.at[pair] for pair in combinations(correlations, 2)})
    return pairs.sort_values(ascending=False, kind="stable")


def split(people):
    """Return {label: Ratings}: of all 48 stories, and of the 36 by machines."""
    machines = ratings.keep(people, people.items["writer"] != "NewYorker")
    return {"48 stories": people, "36 machine stories": machines}
