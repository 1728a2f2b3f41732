"""A reader's own texts go through each study's doors, as the last cells of the notebooks do it."""

import numpy as np
import pandas as pd
import pytest

from helpers import judges
from helpers.edits import ask as edits
from helpers.evolvr import beside
from helpers.poetry import ask as poetry
from helpers.poetry import lists
from helpers.poetry import load as poems
from helpers.refbased import ablation
from helpers.refbased import load as refbased
from helpers.sources import readers
from helpers.sources.public import ROOT
from helpers.ttcw import ask as ttcw

COIN = "simulated/coin"
TESTS = pd.DataFrame({"test": [1, 2], "question": ["Does it end?", "Is it new?"]})
TESTS["full_prompt"] = ""


@pytest.fixture
def folder(tmp_path):
    """A folder of three stories of a reader's."""
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("word " * 40 + name, encoding="utf8")
    return tmp_path


def test_stories_are_asked_about_by_the_tests(folder):
    requests = ttcw.requests(readers.load_stories(folder), TESTS)
    scores = ttcw.score(judges.ask(requests, COIN, ttcw.reader))
    assert list(scores["item"]) == ["a", "a", "b", "b", "c", "c"]
    assert set(scores["score"]) <= {0.0, 1.0}


def test_groups_go_through_the_two_by_two():
    material = refbased.load_candidates([1, 7], groups="data/examples/groups")
    answers = ablation.ask_all(ablation.list_all(material, COIN), COIN)
    table = ablation.tabulate(answers)
    assert list(table) == ablation.VARIANTS and len(table) == 4
    assert table.isin(range(3)).all(axis=None)


def test_stories_are_compared_with_each_other(folder):
    stories = readers.load_stories(folder)
    texts = stories.set_index("story")["text"].to_dict()
    requests = beside.requests(texts, {"style": "style"}, 2, np.random.default_rng(0))
    answers = judges.ask(requests, COIN, beside.reader)
    assert len(requests) == 3 * 2
    assert beside.rate_stories(beside.score(answers), stories["story"])["n"].tolist() == [2] * 3


def test_poems_are_ranked(tmp_path):
    poems.load_poems().to_csv(tmp_path / "mine.csv", index=False)
    mine, criteria, _ = poems.load_study(str(tmp_path / "mine.csv"), "", ["Quality"])
    drawn = lists.plan_designs(mine["tier"].cat.codes, 2, 1, np.random.default_rng(0))
    means, valid, _ = poetry.rank_designs(mine, drawn, COIN, criteria, poetry.options(COIN, mine))
    assert valid["n"].tolist() == [2, 1] and means["Quality", "90"]["position"].sum() == 90 * 91 / 2


def test_edits_are_compared_with_their_drafts():
    table = readers.read_csv(ROOT / "data/examples/edits.csv", ("before", "after"))
    table["group"] = [f"pair {row}" for row in range(1, len(table) + 1)]
    requests = edits.requests(table.melt("group", ["before", "after"], "kind", "text"))
    options = judges.Options(simulators=edits.SIMULATORS)
    scores = edits.score(judges.ask(requests, COIN, edits.reader, options))
    assert len(scores) == 8 and scores["score"].sum() == 4
