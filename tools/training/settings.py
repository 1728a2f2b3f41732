"""The settings of a training run: data/training/small/*.yaml."""

import argparse
import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import yaml

from helpers.sources.files import DataError, replace_file
from helpers.sources.public import ROOT

KINDS = ("single", "explained-single", "pairs", "explained", "unfiltered")
UNTRAINED = ("untrained single", "untrained pairs")
REWARDED = "rewarded"  # `explained`, trained further by GRPO: the ablation of EvolvR's evaluator
ALL_KINDS = (*UNTRAINED, *KINDS, REWARDED)
FORMS = ("paper", "code")  # of the reward for stories (`helpers.evolvr.reward`)
WHOLE = ("words", "partners", "per_stratum", "explain_minutes", "sentence", "layers", "tokens")
WHOLE += ("batch", "reward_steps", "reward_group", "reward_longest", "reward_every", "seeds")
WHOLE += ("writer_tokens", "writer_steps", "writer_group", "writer_updates")
WHOLE += ("shortest", "longest", "test_prompts", "stories", "story_tokens")
RATES = ("rate", "reward_rate", "better", "writer_rate", "beta", "epsilon")
TEXT = ("model", "judge", "output", "evaluators", "form")


class Settings(NamedTuple):
    """What a run is made with; each is explained in data/training/small/cpu.yaml."""

    model: str
    judge: str
    output: str
    evaluators: str
    words: int
    partners: int
    per_stratum: int
    explain_minutes: int
    sentence: int
    layers: int
    tokens: int
    batch: int
    rate: float
    seeds: int
    reward_steps: int
    reward_group: int
    reward_longest: int
    reward_every: int
    reward_rate: float
    better: float
    writer_tokens: int
    writer_steps: int
    writer_group: int
    writer_updates: int
    writer_rate: float
    beta: float
    epsilon: float
    form: str
    shortest: int
    longest: int
    test_prompts: int
    stories: int
    story_tokens: int

    @property
    def folder(self):
        """Where the run keeps its own files: `output` and a digest of all other settings but the
        number of seeds, to which more may be added; another setting is another folder."""
        decisive = self._asdict()
        del decisive["output"], decisive["seeds"]
        digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()
        return ROOT / f"{self.output}-{digest[:8]}"

    @property
    def kinds(self):
        """The evaluators that are trained and tested, in the order of ALL_KINDS."""
        named = [name.strip() for name in self.evaluators.split(",")]
        return [kind for kind in ALL_KINDS if kind in named]


def load_settings(path, **changes):
    """Return the `Settings` of a file, with changes {name: value}; DataError names the file and
    what is missing, unknown or of another kind."""
    path = Path(path)
    try:
        values = yaml.safe_load(path.read_text(encoding="utf8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as fault:
        raise DataError(f"{path.name}: cannot be read as YAML ({fault})") from None
    if not isinstance(values, dict):
        example = "data/training/small/cpu.yaml"
        raise DataError(f"{path.name}: expected lines `name: value`, as in {example}")
    wrong = sorted(set(Settings._fields) ^ set(values), key=str)
    if wrong:
        expected = ", ".join(Settings._fields)
        raise DataError(f"{path.name}: missing or unknown {wrong[0]!r}; expected {expected}")
    values |= {name: value for name, value in changes.items() if value is not None}
    for name in Settings._fields:
        check_value(path.name, name, values[name])
    return Settings(**values)


def take_up(settings):
    """Make the folder of a run, or take it up again, and write down its settings."""
    settings.folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(settings._asdict(), indent=1) + "\n"
    replace_file(settings.folder / "settings.json", text)


def check_value(file, name, value):
    """Raise DataError unless a setting is of its kind."""
    if name == "evaluators":
        named = value.split(",") if isinstance(value, str) else [""]
        is_right = {kind.strip() for kind in named} <= set(ALL_KINDS)
        expected = f"some of {', '.join(ALL_KINDS)}"
    elif name == "form":
        is_right, expected = value in FORMS, f"one of {', '.join(FORMS)}"
    elif name in TEXT:
        is_right, expected = isinstance(value, str) and value, "a name in quotes"
    elif name in RATES:
        is_number = isinstance(value, float) and value > 0
        is_right, expected = is_number, "a number above 0, such as 1.0e-4"
    else:
        is_right, expected = type(value) is int and value > 0, "a whole number above 0"
    if not is_right:
        raise DataError(f"{file}: {name}: {value!r}: expected {expected}")


def make_parser(stage):
    """Return the parser of a stage's command line, with what all stages read."""
    parser = argparse.ArgumentParser(prog=f"python -m tools.training.{stage}")
    parser.add_argument("settings", help="a file such as data/training/small/cpu.yaml")
    parser.add_argument("--model", help="in place of the settings' model")
    parser.add_argument("--tokens", type=int, help="read in training each evaluator")
    parser.add_argument("--steps", type=int, help="of GRPO, for each reward of the writer")
    return parser


def read_settings(asked):
    """Return the `Settings` that a command line asks for; asked: of `make_parser`."""
    changes = {"model": asked.model, "tokens": asked.tokens, "writer_steps": asked.steps}
    return load_settings(asked.settings, **changes)
