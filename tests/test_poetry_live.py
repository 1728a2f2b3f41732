"""The paper's study asked of a server: all list sizes at its temperature of 1, lists that come
incomplete asked for again, nothing asked twice."""

import json
import threading
from collections import Counter

import answering_server
import numpy as np
import pytest
from goodjudge.ask.store import Store

from helpers.poetry import ask, lists, load, tables

JUDGE = f"local/{answering_server.GOOD}"
SIZES = [15, 30, 90]


class Forgetful:
    """A judge that ranks by chance and, of two lists in three, leaves out the last poem the first
    time that the list is shown."""

    def __init__(self):
        self.seen = Counter()
        self.lock = threading.Lock()

    def __call__(self, prompt):
        if "numbered list" not in prompt:
            return None  # asked about a single poem, it draws
        with self.lock:
            self.seen[prompt] += 1
            is_first = self.seen[prompt] == 1
        answer = answering_server.rank_by_chance(prompt)
        forgets = is_first and answering_server.draw(prompt, "001") == "0"
        return answer.rpartition("\n")[0] if forgets else answer


@pytest.fixture
def server(monkeypatch):
    """A server with a forgetful judge, which is named in the environment."""
    with answering_server.serving(Forgetful()) as running:
        monkeypatch.setenv("LOCAL_BASE_URL", running.url)
        yield running


@pytest.fixture
def study(tmp_path):
    """Return (poems, designs, how to ask) of a small study in the paper's three sizes."""
    poems = load.load_poems()
    tiers = poems["tier"].cat.codes.to_numpy()
    designs = lists.plan_designs(tiers, 12, 2, np.random.default_rng(0), SIZES)
    how = ask.options(JUDGE, poems, transcripts=tmp_path / "t.sqlite", progress=False)
    return poems, designs, how


QUALITY = {"Quality": load.CRITERIA["Quality"]}


def test_lists_that_come_incomplete_are_asked_for_again_in_every_size(server, study):
    poems, designs, how = study
    means, valid, _ = ask.rank_designs(poems, designs, JUDGE, QUALITY, how)
    assert list(designs) == ["15", "30", "90"]
    assert valid["n"].tolist() == [12, 6, 2]
    first_valid = valid["estimate"] * valid["n"]
    assert 0 < first_valid.sum() < 20
    assert valid["not valid"].str.startswith("incomplete").any()
    assert valid["lists given up"].eq(0).all()
    assert valid["answers in all"].tolist() == (2 * valid["n"] - first_valid).round().tolist()
    assert len(server.asked) == valid["answers in all"].sum()
    table = tables.compare_tiers(tables.gather_means(means), poems)
    assert table.index.get_level_values("poems in a list").unique().tolist() == ["15", "30", "90"]
    assert table["p Bonferroni"].min() > 0.001, "the orders are drawn"


def test_a_run_that_was_stopped_goes_on_and_asks_nothing_twice(server, study):
    poems, designs, how = study
    ask.rank_designs(poems, {"15": designs["15"]}, JUDGE, QUALITY, how)
    stopped = len(server.asked)
    means, valid, _ = ask.rank_designs(poems, designs, JUDGE, QUALITY, how)
    assert len(server.asked) == valid["answers in all"].sum() > stopped
    again, _, _ = ask.rank_designs(poems, designs, JUDGE, QUALITY, how)
    assert len(server.asked) == valid["answers in all"].sum()
    for design, table in means.items():
        assert table.equals(again[design])


def test_answers_are_drawn_at_the_papers_temperature_unless_the_name_says_otherwise(server, study):
    poems, designs, how = study
    again = ask.repeat_list(poems, designs["15"][0], QUALITY, JUDGE, how, runs=3)
    assert len(again) == 3 * 15
    assert again.columns.tolist() == ["criterion", "run", "poem", "position", "score"]
    with Store(how.transcripts) as store:
        params = [json.loads(text) for (text,) in store.rows("SELECT params FROM answers")]
    assert {given["temperature"] for given in params} == {1}
    ask.rank_lists(poems, designs["15"][:1], "Quality", f"{JUDGE}?temperature=0.5", how, runs=2)
    with Store(how.transcripts) as store:
        params = [json.loads(text) for (text,) in store.rows("SELECT params FROM answers")]
    assert {given["temperature"] for given in params} == {1, 0.5}
