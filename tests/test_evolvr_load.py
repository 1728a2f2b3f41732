"""HANNA as it is loaded, and a simulation of it: values by hand."""

import re

import hanna_kit
import numpy as np
import pandas as pd
import pytest

from helpers import judges
from helpers.evolvr import agreement, ask, load, raters
from helpers.sources.files import DataError
from helpers.sources.public import ROOT, locate

AGREEMENT = [0.504, 0.484, 0.570, 0.547, 0.565, 0.607]
ITEMS, SHEETS = hanna_kit.simulate_hanna(AGREEMENT, np.random.default_rng(0))
DATA = load.to_ratings(ITEMS, SHEETS)


def test_a_simulation_is_calibrated_and_has_the_form_of_the_kept_numbers():
    real = load.load()
    assert len(SHEETS) == 3 * 1056
    assert list(DATA.ratings) == list(real.ratings)
    mixed = load.to_ratings(ITEMS, SHEETS.sample(frac=1, random_state=0))
    pd.testing.assert_frame_equal(mixed.ratings, DATA.ratings)
    arrays, who = load.rating_array(DATA)
    assert arrays.shape == (6, 1056, 3)
    assert who[7].tolist() == SHEETS.loc[21:23, "rater"].tolist()
    assert len(DATA.ratings) == 19_008
    assert arrays[2, 5].tolist() == SHEETS.loc[15:17, "Empathy"].tolist()
    assert agreement.agreement_index(arrays) == pytest.approx(AGREEMENT, abs=0.06), "clipped"
    assert all(len(set(three)) == 3 for three in who)
    shares = pd.Series(who.ravel()).value_counts(normalize=True)
    assert set(shares.index[:3]) == {"r01", "r02", "r03"} and shares["r08"] < 0.05 < shares["r04"]


def test_what_language_models_rated_and_predictions_are_scores():
    scores = load.load_models()
    assert len(scores) == 1056 * 5 * 6 * 4
    assert set(scores["judge"]) == set(load.LLMS)
    assert not scores.duplicated(["item", "judge", "aspect", "repeat"]).any()
    first = scores.query("item == '0000' and judge == 'Beluga-13B' and aspect == 'Relevance'")
    assert first.set_index("repeat")["score"].tolist() == pytest.approx(
        [14 / 3, 11 / 3, 8 / 3, 10 / 3]
    )
    predicted = {"a": np.arange(12.0).reshape(2, 6), "b": np.zeros((2, 6))}
    table = load.name_predictions(predicted, ["x", "y"])
    assert list(table) == ["judge", "item", "aspect", "score"] and len(table) == 24
    assert table.loc[7].tolist() == ["a", "y", "Coherence", 7.0]


def test_features_are_metrics_and_what_models_rated_story_by_story():
    models = load.load_models()
    groups = load.load_features(models)
    assert [x.shape for x in groups.values()] == [(1056, n) for n in (18, 138)]
    metrics, both = groups.values()
    assert (both[:, :18] == metrics).all()
    assert not np.isnan(both).any()
    one = models.query("judge == 'Beluga-13B' and aspect == 'Coherence' and repeat == 1")
    assert (both[:, 19] == one.set_index("item")["score"].sort_index()).all()


def test_the_kept_numbers_have_the_shape_of_the_paper():
    data = load.load()
    arrays, who = load.rating_array(data)
    assert arrays.shape == (6, 1056, 3)
    share = pd.Series(who.ravel()).value_counts().iloc[:3].sum() / who.size
    assert share == pytest.approx(0.79, abs=0.005)
    assert len(np.unique(who)) == 22
    assert len(data.items.select_dtypes("number").columns) == 12
    prompt, writer = data.items["group"], data.items["writer"]
    assert (prompt == data.items["item"].astype(int) % 96).all()
    assert writer.groupby(prompt).nunique().eq(11).all()


def test_the_texts_have_the_words_that_are_kept(open_data):
    texts, items = load.load_texts(), load.load().items
    assert texts[["item", "group", "writer"]].equals(items[["item", "group", "writer"]])
    assert texts["text"].str.split().str.len().tolist() == items["words"].tolist()
    assert texts["task"].nunique() == 96
    assert (texts["text"] == texts["human"]).sum() == 96 == texts["writer"].eq("Human").sum()


def test_a_judge_is_asked_story_by_story():
    stories = pd.DataFrame({"item": ["0012", "0003"], "task": " A wish. ", "text": " She ran. "})
    requests = ask.requests(stories)
    assert requests["item"].tolist() == ["0012"] * 7 + ["0003"] * 7
    assert requests["aspect"][:2].tolist() == ["relevance", "coherence"]
    assert "A wish." in requests["shared"][0] + requests["prompt"][0]
    about = ["item", "aspect"]
    assert ask.requests(stories[["item"]]).equals(requests[about])


def test_hannas_stories_are_asked_about_prompt_by_prompt():
    items = ask.hanna_requests()["item"].drop_duplicates().astype(int)
    assert len(items) == 1056
    assert (items % 96).is_monotonic_increasing


def test_a_rating_is_one_digit():
    read = [ask.reader.parse(text) for text in ("4", "6", "I say 2 or 3")]
    assert read == ["4", None, None]
    assert ask.reader.choices == {str(grade): grade for grade in range(1, 6)}


def test_answers_become_scores_and_those_without_one_are_left_out():
    answers = ask.requests(pd.DataFrame({"item": ["0012", "0003"]}))
    answers["score"] = np.resize([3.2, np.nan, 4.1], len(answers))
    scores = ask.score(answers.assign(judge="recorded/one", verdict="3", status="ok"))
    assert list(scores) == ["item", "judge", "aspect", "score", "verdict"]
    first = scores[scores["item"] == "0012"]
    aspects = ["Relevance", "Empathy", "Surprise", "Complexity", "Overall quality"]
    assert first["aspect"].tolist() == aspects
    assert first["score"].tolist() == [3.2, 4.1, 3.2, 4.1, 3.2]


def test_a_recorded_judge_is_replayed_without_texts(no_data):
    judge = "recorded/qwen2.5-coder-1.5b-hanna"
    found = ask.score(judges.ask(ask.hanna_requests(), judge, ask.reader))
    assert len(found) == 2464
    assert found["item"].nunique() == 32 * 11
    assert found["judge"].eq(judge).all()


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
