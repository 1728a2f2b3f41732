"""Ask a judge to rate HANNA's stories: one story and one aspect in one digit."""

import itertools

import pandas as pd

from helpers import judges
from helpers.evolvr.load import load, load_texts
from helpers.judges.answers import labels
from helpers.judges.requests import prompts

reader = labels.choice({str(grade): grade for grade in range(1, 6)})


def requests(with_texts=False):
    """Return requests, one per story and aspect (HANNA's six and the story as a whole, in our own
    words), prompt by prompt: item (the story's number, as text) and aspect; with_texts: and what a
    judge is to read, which is fetched: system, shared, prompt."""
    if with_texts:
        return fill(load_texts())
    stories = load().items.sort_values(["group", "item"], kind="stable")
    aspects = prompts.aspects("hanna")
    cases = itertools.product(stories["item"].astype(str), aspects)
    return pd.DataFrame(cases, columns=["item", "aspect"])


def fill(texts):
    """Return `requests` about texts (of `load.load_texts`)."""
    prompt, aspects = prompts.load("graded-rating"), prompts.aspects("hanna")
    rows = []
    for story in texts.sort_values(["prompt", "story"], kind="stable").itertuples():
        asked = {"task": story.prompt_text.strip(), "story": story.text.strip()}
        for aspect, words in aspects.items():
            filled = prompt.fill(**asked, aspect=aspect, asked=words)
            rows.append({"item": str(story.story), "aspect": aspect, **filled})
    return pd.DataFrame(rows)


def ask(judge):
    """Return what a recorded judge answered to `requests`: judge, item (story), aspect (HANNA's
    six, and "Overall quality"), score (the expected digit), verdict (the likeliest digit)."""
    table = judges.ask(requests(), judge, reader).dropna(subset="score")
    table = table.assign(judge=judge, item=table["item"].astype(int))
    table["aspect"] = table["aspect"].str.capitalize()
    return table[["judge", "item", "aspect", "score", "verdict"]]
