"""The fine-tuning tool, as far as it goes without torch: its reward, its settings, its pairs."""

import json

import numpy as np
import pytest
from goodjudge.ask.errors import JudgeError

from helpers.sources.public import ROOT
from tools import finetune, pairs

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
    with pytest.raises(ValueError, match="pairs.jsonl, line 2: expected a line as tools.pairs"):
        finetune.load_pairs(path)


def test_settings_are_whole_and_an_unknown_one_is_named(tmp_path):
    for path in (ROOT / "data" / "training").glob("*.yaml"):
        assert finetune.load_settings(path)["grpo"]["scale_rewards"] == "none"
    (tmp_path / "a.yaml").write_text("model: x")
    with pytest.raises(ValueError, match="a.yaml: missing or unknown 'grpo'; expected grpo, lora"):
        finetune.load_settings(tmp_path / "a.yaml")


def test_a_judge_s_explanations_that_passed_are_what_fine_tuning_reads(tmp_path, capsys):
    path = tmp_path / "pairs.jsonl"
    counts = pairs.write("simulated/faulty", limit=20, path=path)
    lines = finetune.load_pairs(path)
    assert len(lines) == counts["remaining"].iloc[-1] and 5 < len(lines) < 20
    assert all("[[A: " in line["completion"][0]["content"] for line in lines)
    assert "usd_most" in capsys.readouterr().out, "the cost, first"


def test_earlier_pairs_stay_where_no_explanation_passes(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("paid for")
    with pytest.raises(JudgeError):
        pairs.write("simulated/always-no", limit=20, path=path)
    assert path.read_text() == "paid for"
