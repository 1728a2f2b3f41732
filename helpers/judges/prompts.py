"""Load the judges' prompts and forms of answer from `data/prompts/`, and fill them."""

import re
from functools import cache

import yaml

from helpers.sources.public import ROOT

SECTIONS = ("system", "shared", "prompt")
SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")
HEADING = re.compile(r"^#\s+(system|shared|prompt)\s*$", re.MULTILINE)


class PromptError(ValueError):
    """A prompt file or a value for it is not what it must be; the message names the file and what to do."""


class Prompt:
    """A prompt with up to three parts: system, shared (the long text that many requests begin with) and prompt."""

    def __init__(self, name, text):
        self.name, pieces = name, HEADING.split(text)
        self.parts = {title: body.strip() for title, body in zip(pieces[1::2], pieces[2::2])}
        if "prompt" not in self.parts:
            raise PromptError(f"data/prompts/{name}.md: the section '# prompt' is missing")
        self.slots = sorted({slot for body in self.parts.values() for slot in SLOT.findall(body)})

    def fill(self, **values):
        """Return {system, shared, prompt} with every {{slot}} filled, in one pass: a value is never read as a template.

        A closing tag inside a value is defused (`defuse`), so that a text cannot leave its fence.
        Raises PromptError for a missing or an unknown slot.
        """
        wrong = set(self.slots) ^ set(values)
        if wrong:
            raise PromptError(
                f"data/prompts/{self.name}.md has the slots {', '.join(self.slots)}; "
                f"missing or unknown: {', '.join(sorted(wrong))}"
            )
        fenced = any("</" in body for body in self.parts.values())  # else the value brings its fences along, say a list of poems

        def value(match):
            return defuse(values[match[1]]) if fenced else str(values[match[1]])

        return {part: SLOT.sub(value, self.parts.get(part, "")) for part in SECTIONS}


LESS = r"(?:[<＜﹤≪‹❮⟨〈〈《«˂ᐸ]|&(?:amp;)*(?:lt|#0*60|#x0*3c);?|\\[ux](?:00)?3c|%3c)"
SLASH = r"(?:[/／⁄∕╱⧸\\＼\u0337\u0338]|&(?:amp;)*(?:sol|#0*47|#x0*2f);?|\\[ux](?:00)?2f|%2f)"
UNSEEN = r"(?:[^\x21-\x7e\w]|[\u115f\u1160\u3164\uffa0]|&(?:amp;)*#?\w{1,31};)"  # blanks, zero-width signs, entities
CLOSING = re.compile(rf"{LESS}{UNSEEN}*{SLASH}", re.IGNORECASE)


def defuse(text):
    """Return a text whose closing tags, in any disguise (full width, entities, zero-width signs), begin with '(/'."""
    return CLOSING.sub("(/", str(text))


@cache
def load(name):
    """Return the Prompt in `data/prompts/<name>.md`; raise PromptError with the names that exist if there is none."""
    folder = ROOT / "data" / "prompts"
    path = folder / f"{name}.md"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.md"))) or "none"
        raise PromptError(f"no prompt {name!r}: data/prompts/ has {known}")
    return Prompt(name, path.read_text(encoding="utf8"))


@cache
def scale(points=5):
    """Return the wording of the label for a scale of 3, 5 or 7 points (slot `scale` of the reference-based prompts)."""
    known = yaml.safe_load((ROOT / "data" / "prompts" / "scales.yaml").read_text(encoding="utf8"))
    if points not in known:
        raise ValueError(f"points={points!r}: expected one of {', '.join(map(str, known))}")
    return known[points]


@cache
def form(name=None):
    """Return a form of data/prompts/forms.yaml: {label, schema, perhaps grammar, closing}; all of them without a name."""
    known = yaml.safe_load((ROOT / "data" / "prompts" / "forms.yaml").read_text(encoding="utf8"))
    if name is not None and name not in known:
        raise PromptError(f"form {name!r}: expected one of {', '.join(known)}")
    return known[name] if name else known


def closing(name):
    """Return the grammar that makes a local model close with a label: 'verdict' or 'label' (data/prompts/forms.yaml)."""
    known = {each["closing"]: each["grammar"] for each in form().values() if "closing" in each}
    if name not in known:
        raise PromptError(f"local/<model>+{name}: expected one of {', '.join('+' + each for each in known)}")
    return known[name]


@cache
def aspects(name):
    """Return {test: what a judge is asked, in our words} of 'ttcw' or 'confederacy' (data/prompts/aspects.yaml)."""
    return yaml.safe_load((ROOT / "data" / "prompts" / "aspects.yaml").read_text(encoding="utf8"))[name]


def without_echo(text, *sources):
    """Return an answer without what it repeats of its own prompt: whole sources, and lines of 25 characters or more.

    What a story says must not reach the parser only because a judge quotes it.
    """
    for source in sources:
        if source and len(source) >= 25 and source in text:
            text = text.replace(source, " ")
    kept = []
    for line in text.splitlines():
        bare = line.strip().lstrip(">").strip(' "“”')
        if len(bare) < 25 or not any(bare in source for source in sources):
            kept.append(line)
    return "\n".join(kept)
