"""The prompts of the five studies, `data/prompts/`: loaded by name, filled by `Prompt.fill`."""

from functools import cache

import yaml
from goodjudge.ask.prompts import Prompt, PromptError

from helpers.sources.public import ROOT

FOLDER = ROOT / "data" / "prompts"


@cache
def load(name):
    """Return the Prompt in `data/prompts/<name>.md`; PromptError if there is none."""
    path = FOLDER / f"{name}.md"
    if not path.is_file():
        known = ", ".join(sorted(path.stem for path in FOLDER.glob("*-*.md"))) or "none"
        raise PromptError(f"no prompt {name!r}: data/prompts/ has {known}")
    return Prompt(name, path.read_text(encoding="utf8"))


@cache
def read(name):
    """Return what `data/prompts/<name>.yaml` holds."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf8"))


def scale(points):
    """Return the wording of a scale of 3, 5 or 7 points, for the reference-based prompts."""
    if points not in read("scales"):
        known = ", ".join(map(str, read("scales")))
        raise ValueError(f"points={points!r}: expected one of {known}")
    return read("scales")[points]


def aspects(name):
    """Return {test: what a judge is asked, in our words} of a data set: 'ttcw', 'confederacy',
    'hanna', 'pron title' or 'pron synopsis'."""
    return read("aspects")[name]
