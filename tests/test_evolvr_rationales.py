"""EvolvR's pairs and filter, on simulated judges whose faults are known; fine-tuning, as far as it
goes without torch."""

import json

import numpy as np
import pandas as pd
import pytest
from goodjudge.ask import labels
from goodjudge.ask.calls import digest
from goodjudge.ask.errors import JudgeError

from helpers.evolvr import openings, pairs, rationales
from tools.training import finetune
from tools.training import pairs as written_pairs

RNG = np.random.default_rng
SCORES = {f"s{i}": i % 5 + 1 for i in range(40)}
KINDS = ["score", "refine", "attack", "confidence"]
NONE = dict.fromkeys(KINDS, 0.0)
ROW = {"story_a": "s1", "story_b": "s2", "aspect": "style", "score_a": 2, "score_b": 4}


def test_pairs_are_balanced_and_each_has_its_swapped_twin():
    found = pairs.stratify_pairs(SCORES, "surprise", 3, RNG(0))
    assert len(found) == 15 * 3 * 2 and found["pair"].tolist() == list(np.repeat(range(45), 2))
    assert found["twin"].tolist() == [0, 1] * 45 and set(found["aspect"]) == {"surprise"}
    for side in "ab":
        assert (found[f"story_{side}"].map(SCORES) == found[f"score_{side}"]).all()
    assert (found["story_a"] != found["story_b"]).all()
    counts = found.groupby(["score_a", "score_b"]).size()
    assert set(counts.unstack().to_numpy().ravel() - 3 * np.eye(5).ravel()) == {3}
    first, second = found[found["twin"] == 0], found[found["twin"] == 1]
    assert first["story_a"].tolist() == second["story_b"].tolist()
    assert first["score_b"].tolist() == second["score_a"].tolist()
    assert len({frozenset(pair) for pair in zip(first["story_a"], first["story_b"])}) == 45


def test_the_requests_about_openings_are_those_that_were_recorded():
    texts = openings.load_openings()
    assert len(texts) == 12 and {len(text.split()) for text in texts.values()} == {60}
    requests, personas = openings.draw_requests(texts), pairs.load_personas()["persona"]
    assert requests["persona"].tolist() == personas.tolist() * 6 and len(personas) == 5
    assert requests["item"][7] == f"0/1/{personas[2]}" and requests["item"].is_unique
    strata = [(1, 5), (5, 1), (1, 4), (4, 1), (5, 5), (5, 5)]
    assert list(zip(requests["score_a"], requests["score_b"]))[::5] == strata
    for row in requests.itertuples():
        whole = f"{row.system}\n{row.shared}\n{row.prompt}"
        scores = f"A got {row.score_a}, story B got {row.score_b}"
        parts = [scores, texts[row.story_a], texts[row.story_b], row.voice]
        assert all(part in whole for part in parts)
    pool, final, attrition = openings.replay("smollm2-evolvr")
    assert len(pool) == 30 and pool["status"].eq("ok").all() and final.empty
    assert attrition["remaining"].tolist() == [30, 0, 0, 0, 0]
    pool, final, attrition = openings.replay("qwen2.5-coder-1.5b-evolvr")
    assert attrition["remaining"].tolist() == [30, 28, 28, 11, 6] and len(final) == 6


def test_confidence_is_asked_after_the_rationale_and_never_shows_the_scores():
    texts = openings.load_openings()
    pool = openings.draw_requests(texts).assign(rationale="why\n[[A: 1, B: 5]]").head(3)
    for side, end in (("a", "why\n[[A: "), ("b", "why\n[[A: 1, B: ")):
        frames = rationales.confidence_frames(pool, texts, side)
        assert [frame["begun"] for frame in frames] == [end] * 3
        assert all("got" not in frame["prompt"] for frame in frames)
        shown = frames[0]["shared"] + frames[0]["prompt"]
        assert texts[pool["story_a"][0]] in shown and "coherence" in shown
    parts = [frames[0][part] for part in ("system", "shared", "prompt", "begun")]
    assert openings.frame_key(frames[0]) == digest(parts)


def pool_of(*rationales):
    rows = [ROW | {"item": str(number), "rationale": r} for number, r in enumerate(rationales)]
    return pd.DataFrame(rows)


def asked(**columns):
    """Return a judge that keeps its requests and answers with these columns."""

    def ask(requests, reader):
        ask.requests, ask.reader = requests, reader
        return requests[["item"]].assign(**columns)

    return ask


def test_the_rule_keeps_exact_scores_alone():
    good = "So B.\n[[A: 2, B: 4]]"
    pool = pool_of(good, None, "[[A: 4, B: 2]]", "[[A: 2, B: 5]]", "A 2, B 4", good)
    assert rationales.check_rule(pool)["item"].tolist() == ["0", "5"]


def test_each_operator_asks_about_its_rows_and_keeps_those_that_pass():
    pool = pool_of("x\n[[A: 2, B: 4]]", "y\n[[A: 2, B: 4]]", "z\n[[A: 2, B: 4]]")
    pool.loc[2, "score_b"] = 2
    ask = asked(verdict=["Yes", "No", "Yes"])
    assert rationales.attack(pool, ask)["item"].tolist() == ["0", "2"]
    assert ask.requests["false_a"].tolist() == [4, 4, 1]
    assert ask.requests["false_b"].tolist() == [2, 2, 5]
    assert "[[A: 2" not in ask.requests["prompt"][0] and ask.reader is labels.YES_NO
    words = ask.requests["shared"] + ask.requests["prompt"]
    assert all(text in words[k] for k, text in enumerate("xyz"))
    # a rewriting may repeat its prompt; a refusal leaves nothing
    ask = asked(text=["X", "Y", "Z"], status=["ok", "unparsed", "refused"])
    refined = rationales.refine(pool, ask)["rationale"].tolist()
    assert refined[:2] == ["X", "Y"] and pd.isna(refined[2])
    assert ask.reader.parse(" a\n") == "a" and ask.reader.parse("  ") is None
    assert ask.reader.cut_ok
    requests = pool.assign(system="s", shared="", prompt="p").drop(columns="rationale")
    first = rationales.synthesize(requests, asked(verdict=["a", None, "c"], status="ok"))
    assert first["rationale"].iloc[[0, 2]].tolist() == ["a", "c"] and "prompt" not in first
    # the true score is the likeliest of both stories in the first row alone
    likely = {"a": [2, 2, 3], "b": [4, 3, 2]}

    def probabilities(frames):
        places = likely[frames[0]["side"]]
        return np.where(np.arange(1, 6) == np.array(places)[:, None], 0.6, 0.1)

    kept = rationales.confident(pool, probabilities, {"s1": "one", "s2": "two"})
    assert kept["item"].tolist() == ["0"]


def run(faults, per_stratum):
    texts = openings.load_openings()
    requests = openings.draw_requests(texts, per_stratum=per_stratum)
    judge = openings.FaultyJudge(faults, requests)
    return rationales.run_algorithm_1(requests, judge.ask, judge.probabilities, texts)[1:]


@pytest.mark.parametrize("stage, kind", list(enumerate(KINDS, 1)))
def test_each_fault_is_caught_by_its_operator_alone(stage, kind):
    final, attrition = run(NONE | {kind: 0.3}, 20)
    survival = attrition["of the stage before"].to_numpy()
    assert np.delete(survival, stage) == pytest.approx(np.ones(4))
    assert survival[stage] == pytest.approx(0.7, abs=0.1)
    assert len(final) == attrition["remaining"].iloc[-1]


def test_a_perfect_and_a_hopeless_judge_and_what_each_stage_leaves():
    assert run(NONE, 1)[1]["of the pool"].eq(1).all()
    assert run(NONE | {"score": 1.0}, 1)[1]["remaining"].tolist() == [30, 0, 0, 0, 0]
    halves = [(name, lambda pool: pool.iloc[::2]) for name in "xy"]
    table = rationales.run_pipeline(pd.DataFrame({"item": range(8)}), halves)[1]
    assert table["stage"].tolist() == ["initial pool", "x", "y"]
    assert table["of the pool"].tolist() == [1, 0.5, 0.25]
    assert table["of the stage before"].tolist() == [1, 0.5, 0.5]


# One story at a time (evolvr, Appendix B: pointwise)

TWO = {"s1": "the first text", "s2": "the second text"}


def single_pool(*rationales):
    rows = [{"item": str(number), "rationale": text} for number, text in enumerate(rationales)]
    about = {"story": "s1", "aspect": "style", "score_given": 2, "persona": "scholar", "voice": "…"}
    return pd.DataFrame(rows).assign(**about)


def test_confidence_in_one_story_is_asked_after_its_reasons():
    pool = single_pool("why\n[[2]]", "why not\n[[2]]")
    frames = rationales.confidence_frames(pool, TWO, "")
    assert [frame["begun"] for frame in frames] == ["why\n[[", "why not\n[["]
    likely = np.array([[0.1, 0.6, 0.1, 0.1, 0.1], [0.6, 0.1, 0.1, 0.1, 0.1]])
    kept = rationales.confident(pool, lambda frames: likely, TWO)
    assert kept["item"].tolist() == ["0"]
    named = asked(verdict=["2", "3"], likeliest=None)
    assert rationales.name_scores(pool, named, TWO)["item"].tolist() == ["0"]
    # where a server gives probabilities, the likeliest counts and not what was drawn
    drawn = asked(verdict=["3", "2"], likeliest=["2", "1"])
    assert rationales.name_scores(pool, drawn, TWO)["item"].tolist() == ["0"]


LINE = dict(item="0/0/x", system="S", shared="T", prompt="P", rationale="R", score_a=2, score_b=4)


def test_the_reward_is_the_papers_and_an_answer_without_scores_has_none():
    said = ["B.\n[[A: 2, B: 4]]", "[[A: 1, B: 5]]", "A 2, B 4"]
    answers = [[{"role": "assistant", "content": text}] for text in said]
    found = finetune.reward(answers, score_a=[2, 2, 2], score_b=[4, 4, 4], prompts=None)
    assert found == pytest.approx([1, np.exp(-1), 0])


def test_pairs_become_messages_without_the_scores_and_a_bad_line_is_named(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps(LINE))
    (row,) = finetune.load_pairs(path)
    assert [one["content"] for one in row["prompt"]] == ["S", "T\n\nP"]
    assert row["completion"] == [{"role": "assistant", "content": "R"}] and row["score_b"] == 4
    path.write_text(json.dumps(LINE) + "\n{}")
    said = "pairs.jsonl, line 2: expected a line as tools.training.pairs"
    with pytest.raises(ValueError, match=said):
        finetune.load_pairs(path)


def test_a_judge_s_explanations_that_passed_are_what_fine_tuning_reads(tmp_path, capsys):
    path = tmp_path / "pairs.jsonl"
    counts = written_pairs.write("simulated/faulty", limit=20, path=path)
    lines = finetune.load_pairs(path)
    assert len(lines) == counts["remaining"].iloc[-1] and 5 < len(lines) < 20
    assert all("[[A: " in line["completion"][0]["content"] for line in lines)
    assert "usd_most" in capsys.readouterr().out, "the cost, first"


def test_earlier_pairs_stay_where_no_explanation_passes(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("paid for")
    with pytest.raises(JudgeError):
        written_pairs.write("simulated/always-no", limit=20, path=path)
    assert path.read_text() == "paid for"
