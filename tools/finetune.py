"""Optional: train a small open model on filtered rationales, then by GRPO with EvolvR's reward, on
one GPU or as a CPU smoke.

`python -m tools.finetune data/training/cpu-smoke.yaml` needs the extra `train` and weights here.
Only the CPU smoke was run, on our own stories; no number of the project comes from it, and nothing
imports it.
"""

import json
import platform
import sys
import time
from pathlib import Path

import numpy as np
import yaml

from helpers.evolvr import filter, protocol, slice
from helpers.judges import labels
from helpers.judges.local import find_model
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT

NEEDED = {
    "model": (),
    "seed": (),
    "stories": ("words",),
    "lora": ("r", "alpha", "targets"),
    "output": (),
    "sft": ("steps", "batch", "length", "learning_rate"),
    "grpo": (
        "steps",
        "prompts",
        "group",
        "begin",
        "length",
        "new_tokens",
        "temperature",
        "clip",
        "kl",
        "learning_rate",
    ),
}


class TrainingError(RuntimeError):
    """Training cannot start; the message says what to install or to change."""


def load_settings(path):
    """Return the settings of a training file; ValueError names a setting that is missing or
    unknown."""
    found = yaml.safe_load(Path(path).read_text(encoding="utf8")) or {}
    for part, names in [("", tuple(NEEDED)), *NEEDED.items()]:
        given = found if not part else found[part] if names else {}
        wrong = sorted(set(names) ^ set(given)) if isinstance(given, dict) else [part]
        if wrong:
            raise ValueError(
                f"{Path(path).name}{f', {part}' if part else ''}: missing or unknown"
                f" {', '.join(wrong)}; expected " + (", ".join(names) or "a group of settings")
            )
    if found["grpo"]["group"] < 2:
        raise ValueError(
            f"{Path(path).name}, grpo: group {found['grpo']['group']}; an advantage needs at least"
            " 2 answers"
        )
    return found


def training_examples(words, seed=0):
    """Return (prompts, answers, true scores: n x 2) from our own stories and a simulated judge,
    filtered by the rule check."""
    texts = slice.slice_texts(words)
    requests = slice.slice_requests(texts, seed, per_stratum=2)
    judge = slice.FaultyJudge(
        {"score": 0.1, "refine": 0.0, "attack": 0.0, "confidence": 0.0}, requests, seed
    )
    pool = filter.check_rule(filter.synthesize(requests, judge.ask))
    frames = filter.confidence_frames(pool, texts, "a")
    prompts = [
        "\n\n".join(frame[part] for part in ("system", "shared", "prompt")) + "\n\n"
        for frame in frames
    ]
    return prompts, pool["rationale"].tolist(), pool[["score_a", "score_b"]].to_numpy()


def reward(answer, truth):
    """Return EvolvR's exponential reward (Equation 14) of an answer's scores; 0 where it ends
    without scores."""
    found = labels.parse_scores(answer)
    return 0.0 if found is None else float(protocol.exponential_reward(found, truth))


def clipped_loss(new, old, reference, advantage, clip, kl):
    """Return GRPO's loss of one answer from its tokens' log-probabilities under the new, the
    sampling and the first policy.

    Mean over tokens (Shao et al., 2024, Equations 3 and 4). Torch tensors in, torch scalar out.
    """
    ratio, away = (new - old).exp(), reference - new
    gain = (ratio * advantage).minimum(ratio.clamp(1 - clip, 1 + clip) * advantage)
    return -(gain - kl * (away.exp() - away - 1)).mean()


class Policy:
    """A causal language model with LoRA weights, its tokenizer and one device."""

    def __init__(self, settings):
        try:
            import torch
            from peft import LoraConfig, get_peft_model
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ImportError as fault:
            raise TrainingError(
                f"{fault.name} is not installed: pip install -e '.[train]' in its own environment"
            ) from None
        path = Path(settings["model"] or find_model())
        if not path.exists():
            raise TrainingError(
                f"no model at {path}: set `model` to a folder or a .gguf file on this machine"
            )
        where = {"gguf_file": path.name} if path.suffix == ".gguf" else {}
        folder, lora = path.parent if where else path, settings["lora"]
        torch.manual_seed(settings["seed"])
        self.torch, self.device = torch, "cuda" if torch.cuda.is_available() else "cpu"
        self.tokenizer = AutoTokenizer.from_pretrained(folder, **where)
        # half precision is slow on a CPU
        number = torch.bfloat16 if self.device == "cuda" else torch.float32
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=number, **where)
        config = LoraConfig(
            r=lora["r"],
            lora_alpha=lora["alpha"],
            target_modules=lora["targets"],
            task_type="CAUSAL_LM",
        )
        self.model = get_peft_model(model, config).to(self.device)

    def encode(self, text):
        """Return a text's token ids."""
        return self.tokenizer(text, add_special_tokens=False)["input_ids"]

    def logprobs(self, head, tail):
        """Return the log-probability of each token of `tail` after `head` (lists of ids)."""
        tokens = self.torch.tensor([head + tail], device=self.device)
        logits = self.model(input_ids=tokens).logits[0, len(head) - 1 : -1].float()
        return logits.log_softmax(-1).gather(1, tokens[0, len(head) :, None])[:, 0]

    def sample(self, head, new_tokens, temperature):
        """Return one sampled answer's ids."""
        tokens = self.torch.tensor([head], device=self.device)
        with self.torch.no_grad():
            out = self.model.generate(
                input_ids=tokens,
                attention_mask=tokens * 0 + 1,
                max_new_tokens=new_tokens,
                do_sample=True,
                temperature=temperature,
                top_k=0,
                pad_token_id=self.tokenizer.eos_token_id,
            )
        return out[0, len(head) :].tolist()

    def without_lora(self):
        """Return a context in which the model is the untrained one."""
        return self.model.disable_adapter()

    def optimizer(self, learning_rate):
        """Return AdamW over the LoRA weights alone."""
        return self.torch.optim.AdamW(
            (p for p in self.model.parameters() if p.requires_grad), lr=learning_rate
        )


def supervise(policy, prompts, answers, settings):
    """Fine-tune on the answers with cross-entropy on their tokens alone; return the loss of each
    step."""
    optimizer, losses = policy.optimizer(settings["learning_rate"]), []
    for step in range(settings["steps"]):
        optimizer.zero_grad()
        total = 0.0
        for number in range(step * settings["batch"], (step + 1) * settings["batch"]):
            tail = (
                policy.encode(answers[number % len(answers)]) + [policy.tokenizer.eos_token_id]
            )[-settings["length"] + 1 :]
            head = policy.encode(prompts[number % len(prompts)])[
                -(settings["length"] - len(tail)) :
            ]
            loss = -policy.logprobs(head, tail).mean() / settings["batch"]
            loss.backward()
            total += float(loss.detach())
        optimizer.step()
        losses.append(total)
    return losses


def optimize_groups(policy, prompts, truth, settings, rewarder=reward):
    """Run GRPO: sample a group of answers a prompt, reward them, push each by its advantage; return
    one row per step.

    `begin`: how every answer begins, part of what is rewarded. Advantages are rewards minus the
    group's mean (evolvr, Equation 11). Rows: loss, mean reward, SD of the advantages.
    """
    optimizer, rows = policy.optimizer(settings["learning_rate"]), []
    for step in range(settings["steps"]):
        optimizer.zero_grad()
        total, rewards, advantages = 0.0, [], []
        for number in range(step * settings["prompts"], (step + 1) * settings["prompts"]):
            k = number % len(prompts)
            head = policy.encode(prompts[k] + settings["begin"])[
                -(settings["length"] - settings["new_tokens"]) :
            ]
            group = [
                policy.sample(head, settings["new_tokens"], settings["temperature"])
                for _ in range(settings["group"])
            ]
            said = [
                settings["begin"] + policy.tokenizer.decode(tail, skip_special_tokens=True)
                for tail in group
            ]
            given = [rewarder(answer, truth[k]) for answer in said]
            pushes = np.asarray(given, float) - np.mean(given)
            for tail, push in zip(group, pushes):
                with policy.torch.no_grad(), policy.without_lora():
                    reference = policy.logprobs(head, tail)
                # one update a sample: the sampling policy is the present one
                new = policy.logprobs(head, tail)
                loss = clipped_loss(
                    new, new.detach(), reference, float(push), settings["clip"], settings["kl"]
                )
                (loss / (settings["prompts"] * settings["group"])).backward()
                total += float(loss.detach()) / (settings["prompts"] * settings["group"])
            rewards, advantages = rewards + given, advantages + list(pushes)
        optimizer.step()
        rows.append(
            {
                "loss": total,
                "mean reward": float(np.mean(rewards)),
                "advantage SD": float(np.std(advantages)),
            }
        )
    return rows


def main(words):
    """Train with one settings file, write losses and rewards to its `output`, print them; return
    the exit status."""
    try:
        settings = load_settings(words[0])
        start, policy = time.monotonic(), Policy(settings)
    except (IndexError, ValueError, OSError, RuntimeError) as fault:
        usage = "usage: python -m tools.finetune data/training/cpu-smoke.yaml"
        print(f"error: {fault}" if words else usage, file=sys.stderr)
        return 1
    prompts, answers, truth = training_examples(settings["stories"]["words"], settings["seed"])
    losses = supervise(policy, prompts, answers, settings["sft"])
    grpo = optimize_groups(policy, prompts, truth, settings["grpo"])
    names = {"cpu": platform.machine(), "cuda": "one GPU"}
    record = {
        "settings": Path(words[0]).name,
        "device": names[policy.device],
        "torch": policy.torch.__version__.split("+")[0],
        "examples": len(prompts),
        "sft losses": losses,
        "grpo": grpo,
        "seconds": round(time.monotonic() - start, 1),
    }
    replace_file(ROOT / settings["output"], json.dumps(record, indent=1) + "\n")
    print(json.dumps(record))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
