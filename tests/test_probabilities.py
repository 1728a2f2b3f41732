"""The probabilities of an answer's first token: asked for, kept, replayed, and nothing made up
where there are none."""

import json
import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty_server import LOGPROBS, NastyServer

from helpers import judges
from helpers.judges import offline
from helpers.judges.calls import list_calls
from helpers.judges.replay import export_answers
from helpers.judges.replies import read_logprobs, weigh
from helpers.judges.store import Store

TABLE = pd.DataFrame({"item": ["a", "b"], "shared": "", "prompt": ["one?", "two?"]})


def parse(text):
    """Return the label of a short answer."""
    return text if text in parse.choices else None


parse.choices = {"Yes": 1, "No": 0}


@pytest.fixture
def server(monkeypatch):
    with NastyServer("good") as running:
        for name, value in {
            "OPENAI_BASE_URL": running.url,
            "LOCAL_BASE_URL": running.url,
            "OPENAI_API_KEY": "none-00",
            "ANTHROPIC_BASE_URL": running.url[:-3],
            "ANTHROPIC_API_KEY": "none-00",
        }.items():
            monkeypatch.setenv(name, value)
        yield running


def ask(judge, path, **options):
    return judges.ask(
        TABLE,
        judge,
        parse,
        transcripts=path,
        max_usd=1.0,
        max_output_tokens=3,
        progress=False,
        **options,
    )


@pytest.mark.parametrize("judge", ["openai/gpt-4o", "local/any"])
def test_score_and_mass_are_kept_replayed_exported_and_imported(
    tmp_path, monkeypatch, server, judge
):
    server.mode, path = "logprobs", tmp_path / "t.sqlite"
    live = ask(judge, path)
    assert live["score"].tolist() == pytest.approx([0.75] * 2, abs=1e-3)
    assert live["mass"].tolist() == pytest.approx([0.8] * 2, abs=1e-3)
    assert (server.last["logprobs"], server.last["top_logprobs"]) == (True, 20)
    assert ask(judge, path, offline=True)[["score", "mass"]].equals(live[["score", "mass"]])
    (tmp_path / "data" / "recorded").mkdir(parents=True)
    with Store(path) as store:
        export_answers(store, tmp_path / "data" / "recorded" / "mine.jsonl")
    monkeypatch.setattr(offline, "ROOT", tmp_path)
    assert judges.ask(TABLE, "recorded/mine", parse)[["score", "mass"]].equals(
        live[["score", "mass"]]
    )


@pytest.mark.parametrize("mode", [*LOGPROBS][1:])
def test_an_odd_reply_has_its_answer_and_no_score(tmp_path, server, mode):
    server.mode = mode
    answers = ask("openai/gpt-4o", tmp_path / "t.sqlite")
    assert answers["score"].isna().all() and answers["text"].str.contains("Verdict: Yes").all()
    # a mass of 0 is known: none of its tokens is a label
    assert answers["mass"].isna().all() != (mode == "logprobs-others")


def test_a_provider_without_probabilities_and_a_call_without_choices_are_asked_as_ever(
    tmp_path, server
):
    answers = ask("anthropic/claude-opus-5-5", tmp_path / "t.sqlite")
    assert answers[["score", "mass"]].isna().all(axis=None) and "logprobs" not in server.last
    keys = {
        judge: [
            list_calls(TABLE, judge, choices=choices)[0]["key"] for choices in (None, parse.choices)
        ]
        for judge in ("openai/gpt-4o", "anthropic/claude-opus-5-5")
    }
    assert len(set(keys["openai/gpt-4o"])) == 2 and len(set(keys["anthropic/claude-opus-5-5"])) == 1


def test_a_score_by_hand():
    kept = json.dumps([["4", math.log(0.5)], [" 5", math.log(0.25)], ["The", math.log(0.2)]])
    score, mass = weigh(kept, {str(number): number for number in range(1, 6)})
    assert (score, mass) == (pytest.approx(13 / 3), pytest.approx(0.75))
    assert all(map(math.isnan, weigh(None, {"1": 1}))) and all(map(math.isnan, weigh(kept, None)))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["content", "token", "logprob", "top_logprobs"]), inner
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_stands_there_is_a_list_of_tokens_or_nothing(value):
    kept = read_logprobs({"logprobs": value})
    assert kept is None or 0 <= weigh(kept, {"Yes": 1})[1] <= 1.01
