"""Ask a judge to rate HANNA's stories: one story and one aspect in one digit."""

import pandas as pd

from helpers import judges
from helpers.evolvr.load import ASPECTS, load_texts
from helpers.judges import labels, prompts
from helpers.measures import validity

parse = labels.choice({str(grade): grade for grade in range(1, 6)})


def requests(texts=None):
    """Return requests, one per story and aspect, prompt by prompt: item '<story>/<aspect>'.

    texts: as `load.load_texts`, its default. The aspects are HANNA's six and the story as a whole,
    in our own words.
    """
    texts = load_texts() if texts is None else texts
    prompt, aspects = prompts.load("graded-rating"), prompts.aspects("hanna")
    rows = []
    for story in texts.sort_values(["prompt", "story"], kind="stable").itertuples():
        asked = {"task": story.prompt_text.strip(), "story": story.text.strip()}
        for aspect, words in aspects.items():
            filled = prompt.fill(**asked, aspect=aspect, asked=words)
            rows.append({"item": f"{story.story}/{aspect}", **filled})
    return pd.DataFrame(rows)


def ask(judge, sheets):
    """Return one row per story and aspect that `judge` rated: story, aspect, score, mass, verdict,
    prompt, system, words, human (mean of raters).

    sheets: as `load.load_annotations`. The story as a whole ("overall quality") stands beside the
    mean of the six aspects.
    """
    texts = load_texts()
    answers = judges.ask(requests(texts), judge, parse)
    answers = answers[answers["score"].notna()]
    answers[["story", "aspect"]] = answers["item"].str.split("/", n=1, expand=True)
    table = answers[["story", "aspect", "score", "mass", "verdict"]].astype({"story": int})
    words = texts["text"].str.split().str.len()
    facts = texts.assign(words=words)[["story", "prompt", "system", "words"]]
    human = sheets.groupby("story")[list(ASPECTS)].mean().rename(columns=str.lower)
    human["overall quality"] = human.mean(axis=1)
    human = human.rename_axis(columns="aspect").stack().rename("human").reset_index()
    return table.merge(facts, on="story").merge(human, on=["story", "aspect"])


def read(table):
    """Return how far the grades follow the raters: aspect x row of `validity.beside_length`, over
    systems and prompts."""
    columns = ["score", "human", "words", "system", "prompt"]
    found = {
        aspect: validity.beside_length(*(part[column] for column in columns))
        for aspect, part in table.groupby("aspect", sort=False)
    }
    return pd.concat(found, names=["aspect", "row"])
