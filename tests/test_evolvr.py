"""EvolvR's pairs, personas, filter and rewards, on simulated judges whose faults are known."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import judges
from helpers.evolvr import filter as evolvr_filter
from helpers.evolvr import live as evolvr_live
from helpers.evolvr import pairs as evolvr
from helpers.extras import recording
from helpers.judges import labels

RNG = np.random.default_rng


def scores(stories=40, aspects=("coherence", "surprise")):
    return pd.DataFrame(
        [(f"s{i}", aspect, i % 5 + 1) for aspect in aspects for i in range(stories)],
        columns=["story", "aspect", "score"],
    )


def test_pairs_are_balanced_and_each_has_its_swapped_twin():
    pairs = evolvr.stratify_pairs(scores(), 3, RNG(0))
    assert len(pairs) == 2 * 15 * 3 * 2
    assert (pairs["story_a"] != pairs["story_b"]).all()
    counts = (
        pairs[pairs["score_a"] != pairs["score_b"]].groupby(["aspect", "score_a", "score_b"]).size()
    )
    assert set(counts) == {3}
    for _, (one, two) in [(pair, part.to_dict("records")) for pair, part in pairs.groupby("pair")]:
        assert (one["story_a"], one["score_a"]) == (two["story_b"], two["score_b"]) and one[
            "twin"
        ] != two["twin"]


def test_an_empty_stratum_is_an_error_unless_skipped():
    few = scores()[lambda t: t["score"] != 1]
    with pytest.raises(ValueError, match="scores 1 and 1 on coherence"):
        evolvr.stratify_pairs(few, 1, RNG(0))
    assert 1 not in set(evolvr.stratify_pairs(few, 1, RNG(0), skip_empty=True)["score_a"])


@pytest.mark.parametrize(
    "table, words",
    [
        (scores().drop(columns="aspect"), "'aspect' is missing"),
        (scores().assign(score=6), "1 to 5"),
        (scores().assign(score=2.5), "1 to 5"),
        (scores().assign(score=np.nan), "1 to 5"),
        (pd.concat([scores(), scores()], ignore_index=True), "second score"),
    ],
)
def test_bad_scores_are_one_clear_error(table, words):
    with pytest.raises(ValueError, match=words):
        evolvr.stratify_pairs(table, 1, RNG(0))


def test_personas_need_names_and_voices(tmp_path):
    assert len(evolvr.load_personas()) == 5
    for text, words in (
        ("- voice: dry", "entry 1: no name"),
        ("- name: a\n  voice: ''", "no voice"),
        ("", "none"),
        ("- {name: a, voice: x}\n- {name: a, voice: y}", "different names"),
    ):
        file = tmp_path / f"{abs(hash(text))}.yaml"
        file.write_text(text)
        with pytest.raises(ValueError, match=words):
            evolvr.load_personas(file)


def test_a_pair_with_itself_or_without_text_is_refused():
    pair = pd.DataFrame(
        [
            {
                "pair": 0,
                "twin": 0,
                "story_a": "x",
                "story_b": "x",
                "aspect": "style",
                "score_a": 1,
                "score_b": 2,
            }
        ]
    )
    with pytest.raises(ValueError, match="paired with itself"):
        evolvr.request_rationales(pair, {"x": "text"})
    with pytest.raises(ValueError, match="no text for story 'y'"):
        evolvr.request_rationales(pair.assign(story_b="y"), {"x": "text"})


def test_the_true_scores_reach_the_synthesis_prompt_and_never_the_evaluation():
    requests = evolvr_live.slice_requests(evolvr_live.slice_texts())
    assert requests["item"].is_unique
    assert all(
        f"A got {a}, story B got {b}" in text
        for text, a, b in zip(requests["prompt"], requests["score_a"], requests["score_b"])
    )
    frames = evolvr_filter.confidence_frames(
        requests.assign(rationale="why\n[[A: 1, B: 5]]").head(3), evolvr_live.slice_texts(), "a"
    )
    assert all(
        "got" not in frame["prompt"]
        and frame["begun"].endswith("[[A: ")
        and "5]]" not in frame["begun"]
        for frame in frames
    )


@given(st.integers(1, 5), st.integers(1, 5), st.text(alphabet="ab [A,]\n5", max_size=40))
@settings(max_examples=100, deadline=None)
def test_the_last_label_counts(a, b, before):
    assert labels.parse_scores(f"{before}\nSo B is weaker.\n[[A: {a}, B: {b}]]\n") == (a, b)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A: 4, B: 2",
        "[[A: 6, B: 2]]",
        "[[A: 4, B: 2]] [[A: 2, B: 4]]",
        "[[4, 2]]",
        "[[B: 4, A: 2]]",
    ],
)
def test_other_labels_are_none(text):
    assert labels.parse_scores(text) is None


@given(st.integers(1, 5), st.integers(1, 5))
def test_inverted_scores_always_differ_from_the_true_ones(a, b):
    assert evolvr.invert_scores(a, b) != (a, b)


def run(faults, per_stratum=20):
    texts = evolvr_live.slice_texts()
    requests = evolvr_live.slice_requests(texts, per_stratum=per_stratum)
    judge = evolvr_live.FaultyJudge(faults, requests)
    pool = evolvr_filter.synthesize(requests, judge.ask)
    return evolvr_filter.run_pipeline(
        pool, evolvr_filter.algorithm_1(judge.ask, judge.probabilities, texts)
    )


@pytest.mark.parametrize(
    "kind, stage", [("score", 1), ("refine", 2), ("attack", 3), ("confidence", 4)]
)
def test_each_fault_is_caught_by_its_operator_alone(kind, stage):
    none = dict.fromkeys(["score", "refine", "attack", "confidence"], 0.0)
    final, attrition = run(none | {kind: 0.3})
    survival = attrition["of the stage before"].to_numpy()
    assert np.delete(survival, stage) == pytest.approx(np.ones(4))
    assert survival[stage] == pytest.approx(0.7, abs=0.1)
    assert len(final) == attrition["remaining"].iloc[-1]


def test_a_perfect_and_a_hopeless_judge():
    none = dict.fromkeys(["score", "refine", "attack", "confidence"], 0.0)
    assert run(none, 2)[1]["of the pool"].eq(1).all()
    assert len(run(none | {"score": 1.0}, 2)[0]) == 0


def test_log_probabilities_are_read_and_their_absence_is_a_clear_error():
    reply = {
        "choices": [
            {
                "logprobs": {
                    "content": [
                        {
                            "top_logprobs": [
                                {"token": " 4", "logprob": -0.1},
                                {"token": "2", "logprob": -2.0},
                            ]
                        }
                    ]
                }
            }
        ]
    }
    found = recording.read_logprobs(reply)
    assert found.argmax() == 3 and found.sum() == pytest.approx(1)
    with pytest.raises(recording.NoProbabilities, match="no log-probabilities"):
        recording.read_logprobs({"choices": [{"text": "4"}]})


def test_rewards():
    assert evolvr.exponential_reward([[3, 4]], [[3, 4]]).tolist() == [1.0]
    assert evolvr.exponential_reward([[1, 4]], [[3, 4]], rate=1)[0] == pytest.approx(np.exp(-2))


def test_probabilities_are_kept_by_what_determines_them():
    kept = {}
    frames = [{"system": "", "shared": "s", "prompt": "p", "begun": "b", "item": "i", "side": "a"}]
    noted = recording.keep_probabilities(lambda f: np.full((len(f), 5), 0.2), kept)
    noted(frames)
    assert kept == {evolvr_live.frame_key(frames[0] | {"item": "other"}): [0.2] * 5} and json.dumps(
        kept
    )


def test_the_recorded_slice_replays_and_its_pool_dies_at_the_rule_check():
    ask = evolvr_filter.make_asker("recorded/smollm2-evolvr")
    pool, final, attrition = evolvr_live.run_slice(ask, evolvr_live.replay_probabilities())
    assert len(pool) == 30 and pool["status"].eq("ok").all()
    assert attrition["remaining"].tolist() == [30, 0, 0, 0, 0] and final.empty


def test_refinement_may_repeat_what_it_refines():
    pool = (
        evolvr_live.slice_requests(evolvr_live.slice_texts())
        .head(2)
        .drop(columns=["system", "shared", "prompt"])
    )
    long = "This sentence of the rationale is long enough to count as an echo.\n[[A: 1, B: 5]]"
    ask = evolvr_filter.make_asker(
        "simulated/same", judges.Options(simulators={"same": lambda row, rng: row["rationale"]})
    )
    assert evolvr_filter.refine(pool.assign(rationale=long), ask)["rationale"].eq(long).all()
