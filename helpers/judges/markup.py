"""Make the markup of an answer plain: odd characters, tags, boxes, tables; and check JSON against a schema."""

import html
import json
import re
import unicodedata

LOOK_ALIKES = str.maketrans({
    "≫": ">>", "≪": "<<", "»": ">>", "«": "<<", "⋙": ">>>", "⋘": "<<<", "〉": ">", "〈": "<", "≈": "=",
    "【": "[[", "】": "]]", "⟦": "[[", "⟧": "]]", "\u200b": "", "\u2060": "", "\ufeff": ""})
NAME = "(?:verdict|answer|judge?ment|conclusion|decision|label|rating|grade|scores|category|boxed)"  # what a label is called
OWN = r"(?:(?:my|the|our)[ \t]+)?(?:(?:final|overall)[ \t]+)?"


def plain(text):
    """Return text with look-alikes made plain: full-width forms, HTML entities, markdown marks, odd arrows and spaces."""
    text = html.unescape(text if isinstance(text, str) else "")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(LOOK_ALIKES)
    return re.sub(r"[*_`\\$]", "", text.replace("\\gg", ">>").replace("\\ll", "<<"))


def unmark(text):
    """Return an answer with tags, boxes and tables that hold a label written as 'verdict: …', and without what is struck out."""
    text = re.sub(r"~~[^~\n]*~~", "(deleted)", text)
    text = re.sub(r"\\boxed\s?\{(?:\\(?:text|textbf|mathrm)\s?\{([^{}\n]{0,40})\}|([^{}\n]{0,40}))\}", r"boxed: \1\2", text)
    text = re.sub(r"(?i)</?(?:analysis|reasoning|rationale|explanation|thinking)>", "\n", plain(text))
    text = re.sub(rf"(?i)<((?:final)?({NAME}))>([^\n]{{0,40}}|\s{{1,4}}[^\n<]{{0,40}}\s{{1,4}})</\1>", r"\2: \3", text)
    text = re.sub(r"(?i)</?(?:answer|result|output|response|evaluation)>", "\n", text)
    text = re.sub(r"(?i)\[{1,2}[ \t]*(yes|no)[ \t]*\]{1,2}(?!\()", r"\1", text)
    return re.sub(r"(?m)(?:^[ \t]*\|.*\n?)+", read_rows, text)


def read_rows(match):
    """Return a markdown table as a line 'verdict: …' where it holds one label, else as it stands."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in match[0].strip().splitlines()]
    rows = [row for row in rows if not all(re.fullmatch(r"[:\s-]*", cell) for cell in row)]
    named = [[bool(re.fullmatch(f"(?i){OWN}{NAME}", cell)) for cell in row] for row in rows]
    if len(rows) in (1, 2) and len(rows[-1]) == 2 and named[-1] == [True, False] and not any(named[0][: 2 * len(rows) - 2]):
        return f"{rows[-1][0]}: {rows[-1][1]}\n"
    others = " ".join(cell for cell, own in zip(rows[0], named[0]) if not own) if rows else "?"
    if len(rows) == 2 and len(rows[0]) == len(rows[1]) and sum(named[0]) == 1 and re.fullmatch(
            r"(?i)(?:test|item|question|aspect|story|analysis|reason|explanation|\W)*", others):
        return f"{rows[0][named[0].index(True)]}: {rows[1][named[0].index(True)]}\n"
    return match[0]


def read_json(text):
    """Return the label's field of an answer that is one flat JSON object of known fields, perhaps after 'Here is …:'."""
    match = re.fullmatch(r"(?:\s*here is\b[^{}\n:]{0,40}:)?\s*(\{[^{}]*\})\s*", text, re.IGNORECASE)
    try:
        pairs = json.loads(match[1], object_pairs_hook=list)
    except (TypeError, ValueError, RecursionError):
        return None
    named = [item for key, item in pairs if re.fullmatch(rf"(?i)(?:final_)?{NAME}", key)]
    known = r"(?i)analysis|reason(?:ing|s)?|rationale|explanation|justification|confidence"
    others = [key for key, _ in pairs if re.fullmatch(known, key)]
    right = len(named) == 1 and len(others) + 1 == len(pairs) and type(named[0]) in (str, int)
    return named[0] if right else None


def once(pairs):
    """Return the object of JSON pairs; raise ValueError for a field that stands there twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field stands there twice")
    return dict(pairs)


def fits(value, schema):
    """Return whether a value fits a schema of objects (all their fields and no other), lists, strings and whole numbers."""
    kinds = {"object": dict, "array": list, "string": str, "integer": int}
    if type(value) is not kinds[schema["type"]] or value not in schema.get("enum", [value]):
        return False
    if isinstance(value, dict):
        fields = schema["properties"]
        return set(value) == set(fields) and all(fits(value[key], each) for key, each in fields.items())
    return all(fits(item, schema["items"]) for item in value) if isinstance(value, list) else True
