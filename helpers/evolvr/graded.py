"""One story and one aspect in one digit: a judge whose expected rating is its grade, on HANNA's
stories."""

import pandas as pd

from helpers import judges
from helpers.evolvr import hanna
from helpers.judges import labels, prompts
from helpers.measures import validity

parse = labels.choice({str(grade): grade for grade in range(1, 6)})


def requests(texts=None):
    """Return requests, one a story and aspect, prompt by prompt: item '<story>/<aspect>'.

    texts: as `hanna.load_texts`, its default. The aspects are HANNA's six and the story as a whole,
    in our own words.
    """
    texts, prompt = hanna.load_texts() if texts is None else texts, prompts.load("graded-rating")
    part = texts.sort_values(["prompt", "story"], kind="stable")
    return pd.DataFrame(
        [
            {
                "item": f"{row.story}/{aspect}",
                **prompt.fill(
                    task=row.prompt_text.strip(), story=row.text.strip(), aspect=aspect, asked=asked
                ),
            }
            for row in part.itertuples()
            for aspect, asked in prompts.aspects("hanna").items()
        ]
    )


def ask(judge, sheets):
    """Return one row a story and aspect that `judge` rated: story, prompt, system, words, aspect,
    score, human (mean of raters).

    sheets: as `hanna.load_annotations`. The story as a whole ("overall quality") stands beside the
    mean of the six aspects.
    """
    texts = hanna.load_texts()
    answers = judges.ask(requests(texts), judge, parse)
    answers = answers[answers["score"].notna()]
    part = answers["item"].str.split("/", n=1, expand=True)
    table = answers.assign(story=part[0].astype(int), aspect=part[1])[
        ["story", "aspect", "score", "mass", "verdict"]
    ]
    facts = texts.assign(words=texts["text"].str.split().str.len())[
        ["story", "prompt", "system", "words"]
    ]
    human = sheets.groupby("story")[list(hanna.ASPECTS)].mean().rename(columns=str.lower)
    human["overall quality"] = human.mean(axis=1)
    human = human.rename_axis(columns="aspect").stack().rename("human").reset_index()
    return table.merge(facts, on="story").merge(human, on=["story", "aspect"])


def read(table):
    """Return how far the grades follow the raters: aspect x row of `validity.beside_length`, over
    systems and prompts."""

    def one(part):
        return validity.beside_length(
            part["score"], part["human"], part["words"], part["system"], part["prompt"]
        )

    return pd.concat(
        {aspect: one(part) for aspect, part in table.groupby("aspect", sort=False)},
        names=["aspect", "row"],
    )
