"""Ask a judge to rate HANNA's stories: one story and one aspect in one digit."""

import pandas as pd
from goodjudge.ask import labels

from helpers import prompts
from helpers.evolvr.load import load, load_texts

reader = labels.choice({str(grade): grade for grade in range(1, 6)})


def requests(stories):
    """Return one request per story and aspect (HANNA's six and the story as a whole, in our own
    words): item, aspect and, of stories with texts, what a judge is to read: system, shared,
    prompt; stories: item, perhaps task (what the story was to be about) and text."""
    prompt = prompts.load("graded-rating")
    aspects = prompts.aspects("hanna")
    rows = []
    for story in stories.itertuples():
        for aspect, wording in aspects.items():
            row = {"item": story.item, "aspect": aspect}
            if "text" in stories:
                shown = {"task": story.task.strip(), "story": story.text.strip()}
                row |= prompt.fill(**shown, aspect=aspect, asked=wording)
            rows.append(row)
    return pd.DataFrame(rows)


def hanna_requests(with_texts=False):
    """Return `requests` about HANNA's stories, prompt by prompt; with_texts: what a judge is to
    read is fetched."""
    stories = load_texts() if with_texts else load().items
    return requests(stories.sort_values(["group", "item"], kind="stable"))


def score(answers):
    """Return scores of answers to `requests`, without those that have none: item, judge, aspect
    (HANNA's six, and "Overall quality"), score (the expected digit), verdict (the likeliest)."""
    scores = answers.dropna(subset="score")[["item", "judge", "aspect", "score", "verdict"]]
    return scores.assign(aspect=scores["aspect"].str.capitalize())
