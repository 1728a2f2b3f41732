"""Load the judges' prompts from `data/prompts/`, fill them, and read the label of an answer."""

import html
import re
import unicodedata
from functools import cache

import yaml

from helpers.data import ROOT

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

        A closing tag of one of the prompt's own fences inside a value is defused, so that a text cannot leave its fence.
        Raises PromptError for a missing or an unknown slot.
        """
        wrong = set(self.slots) ^ set(values)
        if wrong:
            raise PromptError(
                f"data/prompts/{self.name}.md has the slots {', '.join(self.slots)}; "
                f"missing or unknown: {', '.join(sorted(wrong))}"
            )
        fences = set(re.findall(r"</(\w+)>", "\n".join(self.parts.values())))

        def value(match):
            text = str(values[match[1]])
            return re.sub(rf"</(?=\s*(?:{'|'.join(fences)})\s*>)", "< /", text) if fences else text

        return {part: SLOT.sub(value, self.parts.get(part, "")) for part in SECTIONS}


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
def closing(name):
    """Return the grammar that makes a local model close with a label: 'verdict' or 'label' (data/prompts/closings.yaml)."""
    known = yaml.safe_load((ROOT / "data" / "prompts" / "closings.yaml").read_text(encoding="utf8"))
    if name not in known:
        raise PromptError(f"local/<model>+{name}: expected one of {', '.join('+' + each for each in known)}")
    return known[name]


LOOK_ALIKES = str.maketrans({
    "≫": ">>", "≪": "<<", "»": ">>", "«": "<<", "⋙": ">>>", "⋘": "<<<", "〉": ">", "〈": "<",
    "【": "[[", "】": "]]", "⟦": "[[", "⟧": "]]", "≈": "=", "\u200b": "", "\u2060": "", "\ufeff": ""})
MARKS = re.compile(r"[*_`\\$~]")


@cache
def aspects(name):
    """Return {test: what a judge is asked, in our words} of 'ttcw' or 'confederacy' (data/prompts/aspects.yaml)."""
    return yaml.safe_load((ROOT / "data" / "prompts" / "aspects.yaml").read_text(encoding="utf8"))[name]


def plain(text):
    """Return text with look-alikes made plain: full-width forms, HTML entities, markdown marks, odd arrows and spaces."""
    text = html.unescape(text if isinstance(text, str) else "")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(LOOK_ALIKES)
    return MARKS.sub("", text.replace("\\gg", ">>").replace("\\ll", "<<"))


YES_NO = re.compile(
    r"\b(?:verdict|answer|judge?ment|conclusion|decision|label|rating)[ \t]{0,4}(?:is|:|=|-|—|–)[ \t]{0,4}"
    r"[\[\(\"'“<]{0,3}[ \t]{0,2}(yes|no)\b",
    re.IGNORECASE,
)
ALONE = re.compile(r"^[^\w]{0,12}(yes|no)[^\w]{0,12}$", re.IGNORECASE)
LEADING = re.compile(r"^[^\w]{0,12}(yes|no)\b(?!\W{1,3}(?:and|or|yes|no)\b)", re.IGNORECASE)
BOTH = re.compile(r"\byes\b.{0,20}\bno\b|\bno\b.{0,20}\byes\b", re.IGNORECASE)


def parse_yes_no(text):
    """Return 'Yes', 'No' or None: the last 'Verdict: …' line, else a last line that is only the label, else the first word.

    A label line that names both answers ('Verdict: Yes or No') is no label.
    """
    lines = [line for line in plain(text).splitlines() if line.strip()]
    for line in reversed(lines):
        found = YES_NO.findall(line)
        if found and not BOTH.search(line[YES_NO.search(line).start() :]):
            return found[-1].capitalize()
    for line in lines[-1:] + lines[:1]:
        if match := ALONE.match(line):
            return match[1].capitalize()
    match = LEADING.match(lines[0]) if lines else None
    return match[1].capitalize() if match else None


BRACKETED = re.compile(r"\[\[?[ \t]{0,3}([AB])[ \t]{0,3}(>{1,4}|<{1,4}|={1,2})[ \t]{0,3}([AB])[ \t]{0,3}\]\]?", re.IGNORECASE)
BARE = re.compile(
    r"^[^\w<>=]{0,12}(?:(?:verdict|answer|label|rating|final)\b[\w \t]{0,20}[:=]?)?[^\w<>=]{0,6}"
    r"([AB])[ \t]{0,3}(>{1,4}|<{1,4}|={1,2})[ \t]{0,3}([AB])[^\w<>=]{0,12}$",
    re.IGNORECASE,
)


def parse_likert(text, points=5):
    """Return how much A is preferred to B (-2..2 for five points, -1..1 for three, -3..3 for seven), or None.

    Reads the last line with a label such as [[A>>B]], [[A=B]] or [[B>A]] (brackets may be missing where the label is the
    whole last line). A line with two different labels, a label off the scale and A against A are no label.
    Raises ValueError unless `points` is 3, 5 or 7.
    """
    if points not in (3, 5, 7):
        raise ValueError(f"points={points!r}: expected 3, 5 or 7")
    lines = [line for line in plain(text).splitlines() if line.strip()]
    for i, line in enumerate(reversed(lines)):
        found = BRACKETED.findall(line) or (BARE.findall(line) if i == 0 else [])
        values = {value for value in (degree(*label) for label in found)}
        if values:
            value = values.pop() if len(values) == 1 else None
            return value if value is not None and abs(value) <= points // 2 else None
    return None


def degree(left, sign, right):
    """Return the signed strength of a label: positive where A is better, None for A against A."""
    if left.upper() == right.upper():
        return None
    if sign[0] == "=":
        return 0
    strength = len(sign) * (1 if sign[0] == ">" else -1)
    return strength if left.upper() == "A" else -strength


GRADE = re.compile(r"\[\[[ \t]{0,3}(\d{1,3})[ \t]{0,3}\]\]")


def parse_grade(text, low=1, high=5):
    """Return the whole number in the last line with a grade such as [[4]], or None (two grades there, or off the scale)."""
    for line in reversed(plain(text).splitlines()):
        found = {int(grade) for grade in GRADE.findall(line)}
        if found:
            grade = found.pop() if len(found) == 1 else None
            return grade if grade is not None and low <= grade <= high else None
    return None


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
