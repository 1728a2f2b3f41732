"""An answer as it came, without what is wrapped around it: thoughts, tokens, fences, marks."""

import html
import re
import unicodedata

from goodjudge.ask.phrases import COURTESY, END_TOKENS, FENCED, THOUGHT_TAG


def unwrap(text):
    """Return an answer without reasoning in tags, tokens that end a turn, and a fence around it;
    '' for what is no text. '<think>Hm.</think>Yes<|im_end|>' becomes 'Yes'."""
    if not isinstance(text, str):
        return ""
    text = END_TOKENS.sub("", text.strip())
    answer = text[find_end_of_thoughts(text) :].strip()
    fenced = FENCED.match(answer)
    return fenced["inside"] if fenced else answer


def find_end_of_thoughts(text):
    """Return where the last tag of thoughts that closes ends; 0 if none does."""
    end = 0
    for tag in THOUGHT_TAG.finditer(text):
        if tag["closes"] or tag["answers"]:
            end = tag.end()
    return end


def to_plain_text(text):
    """Return text without markdown marks, HTML entities and full-width forms: '**ＮＯ**&#58;'
    becomes 'NO:'."""
    text = unicodedata.normalize("NFKC", html.unescape(text))
    text = text.replace("’", "'")
    return re.sub(r"[*_`\\$]", "", text)


def split_lines(answer):
    """Return the lines of an answer that say something, in plain text, without the courtesies
    that follow its label ('I hope this helps!')."""
    lines = []
    for line in to_plain_text(answer).splitlines():
        is_rule = not line.strip(" -=–—")
        if not is_rule:
            lines.append(" ".join(line.split()))
    while len(lines) > 1 and COURTESY.fullmatch(lines[-1]):
        lines.pop()
    return lines
