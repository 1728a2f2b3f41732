"""HANNA as it is loaded, and a simulation of it: values by hand."""

import re

import hanna_kit
import numpy as np
import pandas as pd
import pytest

from helpers.evolvr import ask, load, raters
from helpers.sources.files import DataError
from helpers.sources.public import ROOT, locate

AGREEMENT = [0.504, 0.484, 0.570, 0.547, 0.565, 0.607]
ITEMS, SHEETS = hanna_kit.simulate_hanna(AGREEMENT, np.random.default_rng(0))
DATA = load.to_ratings(ITEMS, SHEETS)


def test_the_texts_have_the_words_that_are_kept(open_data):
    texts, items = load.load_texts(), load.load().items
    assert texts[["item", "group", "writer"]].equals(items[["item", "group", "writer"]])
    assert texts["text"].str.split().str.len().tolist() == items["words"].tolist()
    assert texts["task"].nunique() == 96
    assert (texts["text"] == texts["human"]).sum() == 96 == texts["writer"].eq("Human").sum()


def test_answers_become_scores_and_those_without_one_are_left_out():
    answers = ask.requests(pd.DataFrame({"item": ["0012", "0003"]}))
    answers["score"] = np.resize([3.2, np.nan, 4.1], len(answers))
    scores = ask.score(answers.assign(judge="recorded/one", verdict="3", status="ok"))
    assert list(scores) == ["item", "judge", "aspect", "score", "verdict"]
    first = scores[scores["item"] == "0012"]
    aspects = ["Relevance", "Empathy", "Surprise", "Complexity", "Overall quality"]
    assert first["aspect"].tolist() == aspects
    assert first["score"].tolist() == [3.2, 4.1, 3.2, 4.1, 3.2]


def test_no_worker_id_is_shown_or_kept(open_data):
    raw = pd.read_csv(locate(load.SHEETS)[0], usecols=["Worker ID", "Assignment ID"])
    ids = set(raw.to_numpy().ravel())
    kinds = (".ipynb", ".json", ".jsonl", ".csv", ".py", ".yaml", ".md")
    kept = [
        path
        for folder in ("notebooks", "outputs", "data", "teaching")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in kinds and "class" not in path.parts  # it hands on the data themselves
    ]
    words = set().union(*(re.findall(r"\w+", path.read_text(encoding="utf8")) for path in kept))
    assert len(kept) > 30 and not ids & words


def test_an_aspect_of_a_third_party_is_refused_wherever_ratings_are_used():
    added = DATA.ratings[DATA.ratings["aspect"] == "Empathy"].assign(aspect="Feeling")
    more = DATA._replace(ratings=pd.concat([DATA.ratings, added]))
    fewer = DATA._replace(ratings=DATA.ratings[DATA.ratings["aspect"] != "Surprise"])
    for use in (load.rating_array, raters.variances, raters.ceilings, raters.about_pairs):
        with pytest.raises(DataError, match="expected Relevance.*not among them: 'Feeling'; rate"):
            use(more)
        with pytest.raises(DataError, match="missing: 'Surprise'"):
            use(fewer)
