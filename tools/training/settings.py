"""The settings of a training run: data/training/small/*.yaml."""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import yaml

from helpers.sources.files import DataError, replace_file
from helpers.sources.public import ROOT

KINDS = ("single", "pairs", "explained", "unfiltered")
WHOLE = ("words", "partners", "per_stratum", "explain_minutes", "sentence", "layers", "tokens")
WHOLE += ("batch", "reward_steps", "reward_group", "reward_longest", "reward_every", "seeds")
WHOLE += ("story_prompts", "stories", "story_tokens")
RATES = ("rate", "reward_rate")
TEXT = ("model", "judge", "output")


class Settings(NamedTuple):
    """What a run is made with; each is explained in data/training/small/cpu.yaml."""

    model: str
    judge: str
    output: str
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
    story_prompts: int
    stories: int
    story_tokens: int

    @property
    def folder(self):
        """Where the run keeps its own files."""
        return ROOT / self.output


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
    if values["stories"] % 2:
        raise DataError(f"{path.name}: stories: {values['stories']}: expected an even number")
    return Settings(**values)


def take_up(settings):
    """Make the folder of a run, or take it up again. DataError where it holds a run with other
    settings: what that has trained would pass for trained with these. More seeds may be added."""
    path, now = settings.folder / "settings.json", settings._asdict()
    before = json.loads(path.read_text(encoding="utf8")) if path.is_file() else now
    for name in now:
        if name != "seeds" and before.get(name) != now[name]:
            what = f"{name} is {before.get(name)!r} there, and {now[name]!r} here"
            advice = "move the folder away, or name another `output` in the settings"
            raise DataError(f"{settings.output} holds a run with other settings: {what}; {advice}")
    settings.folder.mkdir(parents=True, exist_ok=True)
    replace_file(path, json.dumps(now, indent=1) + "\n")


def check_value(file, name, value):
    """Raise DataError unless a setting is of its kind."""
    if name in TEXT:
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
    parser.add_argument("--steps", type=int, help="of GRPO")
    return parser


def read_settings(asked):
    """Return the `Settings` that a command line asks for; asked: of `make_parser`."""
    changes = {"model": asked.model, "tokens": asked.tokens, "reward_steps": asked.steps}
    return load_settings(asked.settings, **changes)
