"""Titles and synopses of films that were never made, by a novelist and by GPT-4, rated by six
literary experts (Pron vs Prompt). The scores are kept here, the texts are fetched."""

import numpy as np
import pandas as pd
from goodjudge.ask import labels
from goodjudge.data.ratings import Ratings

from helpers import prompts
from helpers.sources.kept import read_kept
from helpers.sources.public import locate, read_json

SYNOPSES = "pron/pronvsprompt_short_stories.json"
SHEETS = "pron/expert_assessment.csv"
WRITERS = {"patricio": "the novelist", "gpt4_en": "GPT-4 in English", "gpt4_es": "GPT-4 in Spanish"}
TITLE_WRITERS = {"patricio": "the novelist", "machine": "GPT-4"}
# of the file: the two languages of the experts' sheets
LANGUAGES = {"ENGLISH": "English", "SPANISH": "Spanish"}
TITLE_ASPECTS = ("attractive", "original", "creative")
SYNOPSIS_ASPECTS = ("attractive style", "attractive theme", "original style", "original theme")
SYNOPSIS_ASPECTS += ("creative", "anthology", "readers", "critics", "own voice")
reader = labels.choice({str(score): score for score in range(4)})


def load_titles():
    """Return `Ratings` of the 60 titles.

    items: item ("00" to "59"), group (the same), writer (the novelist, GPT-4), words and letters of
    the English title. ratings: item, rater (R1 to R6), aspect (attractive, original, creative),
    score (0 to 3: the mean of the expert's two sheets that hold the title).
    """
    items = read_kept("pron-titles").assign(item=lambda table: name_titles(table["item"]))
    sheets = read_title_sheets()
    means = sheets.groupby(["item", "rater", "aspect"], sort=False)["score"].mean().reset_index()
    return Ratings(items.assign(group=items["item"]), means, "open")


def read_title_sheets():
    """Return what each sheet says of its title: item, rater, aspect, score, a row per sheet and
    aspect. (A sheet has *creative* twice, of the title and of the synopsis.)"""
    sheets = read_kept("pron-ratings")
    of_titles = sheets[["item", "rater"]].assign(item=sheets["item"].str.split("/").str[0])
    for aspect in TITLE_ASPECTS:
        of_titles[aspect] = sheets[f"title {aspect}"]
    return of_titles.melt(["item", "rater"], TITLE_ASPECTS, "aspect", "score")


def load_synopses():
    """Return `Ratings` of the 180 synopses.

    items: item ("00/the novelist"), group (the title), writer, words and ten more counts of
    `words.lexical_statistics`. ratings: item, rater (R1 to R6), aspect, score (0 to 3).
    """
    items = read_kept("pron-items")
    sheets = read_kept("pron-ratings")
    long = sheets.melt(["item", "rater"], SYNOPSIS_ASPECTS, "aspect", "score")
    return Ratings(items.assign(group=name_titles(items["group"])), long, "open")


def name_titles(numbers):
    """Return titles' numbers as two digits, by which they sort."""
    return numbers.map("{:02d}".format)


def load_texts():
    """Return the synopses with their titles in English: item, group, writer, title, text. Fetched,
    and verified: FileNotFoundError where they cannot be had."""
    sheets = pd.read_csv(locate(SHEETS)[0], encoding="utf8")
    in_english = sheets[sheets["experiment"] == "ENGLISH"].drop_duplicates("title_id")
    title_of = in_english.set_index("title_id")["title"]
    table = pd.DataFrame(read_json(SYNOPSES))
    group = name_titles(table["story_idx"])
    writer = table["story_id"].str.extract(f"_({'|'.join(WRITERS)})$")[0].map(WRITERS)
    title = table["story_name"].map(title_of)
    made = pd.DataFrame(
        {"group": group, "writer": writer, "title": title, "text": table["content"]}
    )
    made.insert(0, "item", made["group"] + "/" + made["writer"])
    return made.sort_values(["group", "writer"], kind="stable", ignore_index=True)


def draw_order(groups, seed):
    """Return the different groups in a drawn order, so that the first are a random sample."""
    return np.random.default_rng(seed).permutation(groups.unique())


def title_requests(with_texts=False, seed=0):
    """Return requests for ratings from 0 to 3, one per title and aspect, titles in a drawn order:
    item, aspect and, with texts, which are fetched, system, shared, prompt."""
    if with_texts:
        items = load_texts().drop_duplicates("group")[["group", "title"]]
    else:
        items = load_titles().items[["group"]]
    drawn = items.set_index("group", drop=False).loc[draw_order(items["group"], seed)]
    prompt = prompts.load("graded-title")
    wording = prompts.aspects("pron title")
    rows = []
    for title in drawn.itertuples(index=False):
        for aspect, asked in wording.items():
            row = {"item": title.group, "aspect": aspect}
            if with_texts:
                row |= prompt.fill(title=title.title, asked=asked)
            rows.append(row)
    return pd.DataFrame(rows)


def synopsis_requests(with_texts=False, seed=0):
    """Return requests for ratings from 0 to 3, one per synopsis and aspect, the three synopses of a
    title one after the other, titles in a drawn order: item, aspect and, with texts, which are
    fetched, system, shared, prompt."""
    items = load_texts() if with_texts else load_synopses().items
    items = items.set_index("group").loc[draw_order(items["group"], seed)]
    prompt = prompts.load("graded-synopsis")
    wording = prompts.aspects("pron synopsis")
    rows = []
    for synopsis in items.itertuples():
        for aspect, asked in wording.items():
            row = {"item": synopsis.item, "aspect": aspect}
            if with_texts:
                shown = {"title": synopsis.title, "synopsis": synopsis.text}
                row |= prompt.fill(**shown, asked=asked)
            rows.append(row)
    return pd.DataFrame(rows)
