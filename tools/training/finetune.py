"""Optional: fine-tune an open model by EvolvR's recipe (Appendix C) with trl and peft: supervised
on explanations that passed the filter, then by GRPO with the exponential reward (Equation 14).

    python -m tools.training.finetune data/training/cpu-smoke.yaml

It needs the extra `train` (`pip install -e '.[train]'` in an environment of its own; it pins torch,
transformers, trl and peft) and pairs: `python -m tools.training.pairs` writes them, for HANNA with
`--per-stratum`. Settings go as they are to LoraConfig, SFTConfig and GRPOConfig. Without a `model`
a tiny one is made, with random weights. On 2026-11-22 cpu-smoke.yaml was run on a CPU (all rewards
0, so GRPO's steps changed nothing); no run on a GPU was made. No number of the project comes from
here.
"""

import json
import sys
from pathlib import Path

import yaml

from helpers.evolvr.pairs import PAIR_OF_SCORES
from helpers.evolvr.reward import exponential_reward
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT

SETTINGS = {"model", "pairs", "seed", "lora", "sft", "grpo", "output"}
FIELDS = {"item", "system", "shared", "prompt", "rationale", "score_a", "score_b"}
CHAT = "{% for one in messages %}{{ one['role'] + ': ' + one['content'] + '\n' }}{% endfor %}"
CHAT += "{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}"


def load_settings(path):
    """Return the settings of a training file; ValueError names what is missing or unknown."""
    found = yaml.safe_load(Path(path).read_text(encoding="utf8")) or {}
    if wrong := sorted(SETTINGS ^ set(found)):
        expected = ", ".join(sorted(SETTINGS))
        raise ValueError(f"{Path(path).name}: missing or unknown {wrong[0]!r}; expected {expected}")
    return found


def load_pairs(path):
    """Return one row per explanation: prompt and completion (messages), score_a, score_b;
    ValueError names the line that is none, or a file without one."""
    rows = []
    for number, text in enumerate(path.read_text(encoding="utf8").splitlines(), 1):
        line = json.loads(text)
        if not isinstance(line, dict) or set(line) != FIELDS:
            what = "expected a line as tools.training.pairs writes it"
            raise ValueError(f"{path.name}, line {number}: {what} ({', '.join(sorted(FIELDS))})")
        asked = f"{line['shared']}\n\n{line['prompt']}"
        said = [("system", line["system"]), ("user", asked), ("assistant", line["rationale"])]
        *prompt, answer = [{"role": role, "content": content} for role, content in said]
        scores = {name: line[name] for name in ("score_a", "score_b")}
        rows.append({"prompt": prompt, "completion": [answer]} | scores)
    if not rows:
        advice = "say python -m tools.training.pairs JUDGE first"
        raise ValueError(f"{path.name}: no explanation; {advice}")
    return rows


def reward(completions, score_a, score_b, **_):
    """Return EvolvR's reward of each answer (messages), 0 for one without final scores."""
    found = []
    for answer, truth in zip(completions, zip(score_a, score_b)):
        said = PAIR_OF_SCORES.parse(answer[-1]["content"])
        found.append(float(exponential_reward(said, truth)) if said else 0.0)
    return found


def tiny_model(seed):
    """Return (model, tokenizer): a Qwen2 of two small layers, random weights; tokens: bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    known = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "<end>", "<pad>"]
    made = Tokenizer(models.BPE({token: place for place, token in enumerate(known)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    special = {"eos_token": "<end>", "pad_token": "<pad>"}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, chat_template=CHAT, **special)
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 2}
    torch.manual_seed(seed)
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    return Qwen2ForCausalLM(Qwen2Config(vocab_size=len(known), **size, **heads, **ends)), tokenizer


def find_model(path, seed):
    """Return (model, tokenizer) from a folder on this machine, never fetched; '': a tiny one."""
    if not path:
        return tiny_model(seed)
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if not (folder := ROOT / path).is_dir():
        raise ValueError(f"model={path!r}: expected a folder with a model's files on this machine")
    model = AutoModelForCausalLM.from_pretrained(folder, dtype="auto", local_files_only=True)
    return model, AutoTokenizer.from_pretrained(folder, local_files_only=True)


def train(settings):
    """Train in both parts; return what trl logged of each: {"sft": [...], "grpo": [...]}.

    GRPO begins with the supervised weights merged in; they are also what its KL term refers to. The
    model ends in the folder `output`.
    """
    from datasets import Dataset
    from peft import LoraConfig
    from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

    rows, folder = load_pairs(ROOT / settings["pairs"]), ROOT / settings["output"]
    model, tokenizer = find_model(settings["model"], settings["seed"])
    lora = LoraConfig(task_type="CAUSAL_LM", **settings["lora"])
    every = {"logging_steps": 1, "report_to": "none", "save_strategy": "no"}
    every |= {"seed": settings["seed"], "output_dir": str(folder), "disable_tqdm": True}
    supervised = SFTTrainer(
        model,
        SFTConfig(**every | settings["sft"]),
        train_dataset=Dataset.from_list(rows).select_columns(["prompt", "completion"]),
        processing_class=tokenizer,
        peft_config=lora,
    )
    supervised.train()
    rewarded = GRPOTrainer(
        supervised.model.merge_and_unload(),
        reward,
        GRPOConfig(**every | settings["grpo"]),
        train_dataset=Dataset.from_list(rows).remove_columns("completion"),
        processing_class=tokenizer,
        peft_config=lora,
    )
    rewarded.train()
    rewarded.model.merge_and_unload().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return {"sft": supervised.state.log_history, "grpo": rewarded.state.log_history}


def main(words):
    """Train with one settings file, leave log.json beside the model; return the exit status."""
    try:
        settings = load_settings(words[0])
        logs = train(settings)
    except (IndexError, ImportError, ValueError, OSError) as fault:
        usage = "usage: python -m tools.training.finetune data/training/cpu-smoke.yaml"
        print(f"error: {fault}" if words else usage, file=sys.stderr)
        return 1
    replace_file(ROOT / settings["output"] / "log.json", json.dumps(logs, indent=1) + "\n")
    for part, steps in logs.items():
        print(part, json.dumps(steps))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
