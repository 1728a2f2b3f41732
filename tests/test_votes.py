"""Poems that people voted on, and titles that experts rated: the data and a judge's answers."""

import numpy as np
import pandas as pd
import pytest

from helpers.measures import compare, statistics
from helpers.poetry import titles, votes
from helpers.sources.kept import read_kept


def test_each_vote_chooses_one_poem_of_its_pair():
    data = votes.load()
    table = data.ratings.merge(data.items[["item", "group"]], on="item")
    assert len(data.items) == 102
    assert (table.groupby(["group", "rater"])["score"].sum() == 1).all()
    assert table.groupby("group")["rater"].nunique().eq(3).all()


def test_most_voters_voted_once_and_two_very_often():
    counts = votes.load().ratings.groupby("rater").size() / 2
    assert (counts == 1).sum() == 38
    assert counts.nlargest(2).sum() == 52


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


def test_a_judge_that_takes_the_first_poem_prefers_none():
    table = answer(0.8).assign(score=0.9)
    means = votes.score(table).groupby("item")["score"].mean()
    assert means.round(9).eq(0.5).all()


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


def test_each_of_an_expert_s_two_sheets_gives_a_title_one_score_per_aspect():
    sheets = titles.read_title_sheets()
    assert sheets["aspect"].value_counts().to_dict() == dict.fromkeys(titles.TITLE_ASPECTS, 720)
    assert sheets.groupby(["item", "rater", "aspect"]).size().eq(2).all()


def test_a_title_s_creativity_is_not_mixed_with_that_of_its_synopsis():
    sheets = read_kept("pron-ratings")
    sheets["item"] = sheets["item"].str.split("/").str[0]
    by_sheet = sheets.groupby(["item", "rater"])[["title creative", "creative"]].mean()
    found = titles.load_titles().ratings.query("aspect == 'creative'")
    found = found.set_index(["item", "rater"])["score"].sort_index()
    pd.testing.assert_series_equal(found, by_sheet["title creative"], check_names=False)
    assert (found != by_sheet.mean(axis=1)).mean() > 0.5


def test_each_synopsis_has_three_experts_or_six():
    data = titles.load_synopses()
    experts = data.ratings.groupby("item")["rater"].nunique()
    by_writer = experts.groupby(experts.index.str[3:]).unique()
    assert by_writer["the novelist"].tolist() == [6]
    assert by_writer["GPT-4 in English"].tolist() == [3]


@pytest.mark.parametrize("make", [titles.title_requests, titles.synopsis_requests])
def test_requests_are_the_same_with_and_without_texts(make, open_data):
    named = ["item", "aspect"]
    pd.testing.assert_frame_equal(make(with_texts=True)[named], make()[named])


def test_no_request_tells_the_judge_who_wrote_a_text(open_data):
    asked = pd.concat([titles.synopsis_requests(True), titles.title_requests(True)])
    read = asked["shared"] + asked["prompt"]
    assert not read.str.contains("GPT-4 in|the novelist").any()
