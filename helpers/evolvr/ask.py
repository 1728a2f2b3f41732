"""Ask a judge to rate HANNA's stories: one story and one aspect in one digit."""

import pandas as pd

from helpers import judges
from helpers.evolvr.load import load_texts
from helpers.judges.answers import labels
from helpers.judges.requests import prompts

reader = labels.choice({str(grade): grade for grade in range(1, 6)})


def requests(texts=None):
    """Return requests, one per story and aspect (HANNA's six and the story as a whole, in our own
    words), prompt by prompt: item '<story>/<aspect>'. texts: as `load.load_texts`, its default."""
    texts = load_texts() if texts is None else texts
    prompt, aspects = prompts.load("graded-rating"), prompts.aspects("hanna")
    rows = []
    for story in texts.sort_values(["prompt", "story"], kind="stable").itertuples():
        asked = {"task": story.prompt_text.strip(), "story": story.text.strip()}
        for aspect, words in aspects.items():
            filled = prompt.fill(**asked, aspect=aspect, asked=words)
            rows.append({"item": f"{story.story}/{aspect}", **filled})
    return pd.DataFrame(rows)


def ask(judge, texts=None):
    """Return what `judge` answered to `requests`: judge, item (story), aspect (HANNA's six, and
    "Overall quality"), score (the expected digit), verdict (the likeliest digit)."""
    table = judges.ask(requests(texts), judge, reader).dropna(subset="score")
    table[["item", "aspect"]] = table["item"].str.split("/", n=1, expand=True)
    table = table.assign(judge=judge, item=table["item"].astype(int))
    table["aspect"] = table["aspect"].str.capitalize()
    return table[["judge", "item", "aspect", "score", "verdict"]]
