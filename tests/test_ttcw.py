"""TTCW as it is loaded: kept numbers in the shape of the paper, and requests with and without
texts."""

import pandas as pd
import pytest

from helpers import prompts
from helpers.sources.files import DataError
from helpers.ttcw import ask
from helpers.ttcw import load as ttcw


def test_the_texts_have_the_words_that_are_kept(open_data):
    words = ttcw.load_stories().set_index("story")["words"].dropna()
    texts = ttcw.load_texts()
    assert texts.str.split().str.len()[words.index].equals(words.astype(int).rename("content"))


def test_without_the_authors_words_ours_stand_in_and_that_is_said(no_data):
    tests, whose = ttcw.load_wording()
    assert "our words" in whose
    assert tests["question"].tolist() == list(prompts.aspects("ttcw").values())
    assert tests["full_prompt"].eq("").all()


def test_every_request_has_a_prompt_of_its_own(open_data):
    stories, (tests, _) = ttcw.load_stories(), ttcw.load_wording()
    stories["text"] = stories["story"].map(ttcw.load_texts()).fillna("")
    requests = ask.requests(stories, tests)
    assert len(requests) == 672 and not requests.duplicated(["item", "aspect"]).any()
    assert not (requests["shared"] + requests["prompt"]).duplicated().any()
    assert requests["shared"].nunique() == 48
    for case in requests.iloc[[0, 100, 671]].itertuples():
        story = stories.set_index("story").loc[case.item]
        test = tests.set_index("test").loc[case.aspect]
        assert case.writer == story["writer"]
        assert (story["text"] or f"story {case.item} is not public") in case.shared
        assert f"{test['context']}\n\n{test['question']}" in case.prompt


ONE_STORY = pd.DataFrame({"story": ["s"], "group": [0], "writer": ["x"], "text": ["A fox ran."]})


@pytest.mark.parametrize(
    ("wording", "times"),
    {"ours": 1, "paper": 1, "released": 1, "asked twice": 2, "graded": 2}.items(),
)
def test_a_question_is_asked_once_but_in_the_wordings_of_our_recordings(open_data, wording, times):
    tests, _ = ttcw.load_wording()
    asked = ask.requests(ONE_STORY, tests, wording)
    questions = tests.set_index("test")["question"].str.strip()
    counted = [case.prompt.count(questions[case.aspect]) for case in asked.itertuples()]
    assert counted == [times] * 14


TWO_TESTS = pd.DataFrame({"test": [1, 2], "question": ["Does it end?", "Is it new?"]})
TWO_TESTS["full_prompt"] = ["A background.", "Another."]


@pytest.mark.parametrize("wording", ["paper", "released"])
def test_authors_words_that_are_not_at_hand_are_asked_for(wording):
    with pytest.raises(DataError, match="`make fetch` brings the authors' words; or take wording"):
        ask.requests(ONE_STORY, TWO_TESTS.assign(full_prompt=""), wording)
    with pytest.raises(DataError, match="wording 'mine' is unknown; expected one of ours, paper"):
        ask.requests(ONE_STORY, TWO_TESTS, "mine")
