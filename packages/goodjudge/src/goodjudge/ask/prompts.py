"""Prompts in up to three parts, filled so that a text cannot close its fence."""

import re

SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")
HEADING = re.compile(r"^#\s+(system|shared|prompt)\s*$", re.MULTILINE)
LESS = r"(?:[<＜﹤≪‹❮⟨〈〈《«˂ᐸ]|&(?:amp;)*(?:lt|#0*60|#x0*3c);?|\\[ux](?:00)?3c|%3c)"
SLASH = r"(?:[/／⁄∕╱⧸\\＼\u0337\u0338]|&(?:amp;)*(?:sol|#0*47|#x0*2f);?|\\[ux](?:00)?2f|%2f)"
# blanks, zero-width signs, entities
UNSEEN = r"(?:[^\x21-\x7e\w]|[\u115f\u1160\u3164\uffa0]|&(?:amp;)*#?\w{1,31};)"
CLOSING = re.compile(rf"{LESS}{UNSEEN}*{SLASH}", re.IGNORECASE)


class PromptError(ValueError):
    """A prompt file or a value for it is bad; the message names the file and what to do."""


class Prompt:
    """A prompt in up to three parts: system, shared (what many requests begin with), prompt."""

    def __init__(self, name, text):
        self.name, pieces = name, HEADING.split(text)
        self.parts = {title: body.strip() for title, body in zip(pieces[1::2], pieces[2::2])}
        if "prompt" not in self.parts:
            raise PromptError(f"{name}.md: the section '# prompt' is missing")
        self.slots = sorted({slot for body in self.parts.values() for slot in SLOT.findall(body)})

    def fill(self, **values):
        """Return the parts with every slot filled once, values defused; PromptError."""
        if wrong := set(self.slots) ^ set(values):
            raise PromptError(
                f"{self.name}.md has the slots {', '.join(self.slots)};"
                f" missing or unknown: {', '.join(sorted(wrong))}"
            )
        # else the value brings its fences along, say a list of poems
        fenced = any("</" in body for body in self.parts.values())
        made = {slot: defuse(value) if fenced else str(value) for slot, value in values.items()}
        return {
            part: SLOT.sub(lambda match: made[match[1]], self.parts.get(part, ""))
            for part in ("system", "shared", "prompt")
        }


def defuse(text):
    """Return a text whose closing tags, in any disguise, begin with '(/'."""
    return CLOSING.sub("(/", str(text))


def without_echo(text, *sources):
    """Return an answer without whole sources and long lines that it repeats of its prompt."""
    sources = [source for source in sources if len(source or "") >= 25]
    for source in sources:
        text = text.replace(source, " ")
    bare = {line: line.strip().lstrip(">").strip(' "“”') for line in text.splitlines()}
    return "\n".join(
        line
        for line in text.splitlines()
        if len(bare[line]) < 25 or not any(bare[line] in source for source in sources)
    )
