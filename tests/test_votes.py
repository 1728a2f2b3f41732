"""Poems that people voted on, and titles that experts rated: the data and a judge's answers."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison import compare
from goodjudge.stats import metrics as statistics

from helpers.poetry import titles, votes


def answer(prefers_help):
    """Return simulated answers to all pairs in both orders; prefers_help: a chance."""
    table = votes.vote_requests()
    is_help = table["item"].str.endswith("with help")
    score = np.where(is_help, prefers_help, 1 - prefers_help)
    return table.assign(judge="simulated/j", score=score, verdict=None, status="ok")


def test_a_preference_counts_for_both_poems_in_both_orders():
    scores = votes.score(answer(0.8))
    means = scores.groupby("item")["score"].mean()
    assert len(scores) == 4 * 51
    assert means[means.index.str.endswith("with help")].round(9).eq(0.8).all()
    assert means[means.index.str.endswith("alone")].round(9).eq(0.2).all()


def test_a_judge_that_knows_each_pair_s_votes_is_seen():
    data = votes.load()
    known = data.ratings.groupby("item")["score"].mean().reset_index().assign(judge="knows")
    found = compare.compare(
        data, known, statistics.pairwise_accuracy, target="all", within=("group",), simulate=False
    )
    assert found.loc["knows", "estimate"] == 1
    assert found.loc["knows", "over control low"] > 0


def test_an_expert_s_two_sheets_on_a_title_are_one_rating():
    data = titles.load_titles()
    assert not data.ratings.duplicated(["item", "rater", "aspect"]).any()
    assert len(data.ratings) == 60 * 6 * 3
    assert data.ratings["score"].between(0, 3).all()


@pytest.mark.parametrize("make", [titles.title_requests, titles.synopsis_requests])
def test_requests_are_the_same_with_and_without_texts(make, open_data):
    named = ["item", "aspect"]
    pd.testing.assert_frame_equal(make(with_texts=True)[named], make()[named])


def test_no_request_tells_the_judge_who_wrote_a_text(open_data):
    asked = pd.concat([titles.synopsis_requests(True), titles.title_requests(True)])
    read = asked["shared"] + asked["prompt"]
    assert not read.str.contains("GPT-4 in|the novelist").any()
