"""Read a judge's final label, by a few exact forms; in doubt it is None, and never a guess.

A judge that weighs a story at length closes with a line such as "Verdict: Yes", "[[4]]" or
"[[A>>B]]". `read_final_label` reads that line as 'Yes', 4 or 2 (A leads by two points), and refuses
it where it may be somebody else's: in thoughts that do not end, behind another speaker, beside
another label. The patterns are in `phrases`.

A study asks with one of the Readers at the end of this module, or makes one of a `Label` of its
own (`end_with`); `table.read_answer` calls it.

| answer                                     | YES_NO reads                          |
|--------------------------------------------|---------------------------------------|
| "The end holds.\\n\\n**Verdict: Yes**"       | 'Yes'                                 |
| '{"analysis": "…", "verdict": "No"}'       | 'No'                                  |
| "Verdict: Yes\\nOn reflection: Verdict: No" | None, two labels                      |
| "Yes, the story holds together."           | None, prose                           |
"""

import html
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from goodjudge.ask import phrases
from goodjudge.ask.reader import Form, Reader, make_schema

REASONS = {"analysis", "reason", "reasoning", "explanation"}  # fields that may hold any words
SURE = {"confidence", "certainty"}


class Label(NamedTuple):
    """What a label looks like, and what it says.

    pattern: verbose, without brackets, in any case: 'Yes | No'. value: what was found, in capitals
    and without blanks ('YES') -> label, or None. fields: {name: values} of a structured answer that
    hold the label; written: how they come to a label in plain text: 'A: {score_a}, B: {score_b}'.
    bare: True where it needs no name or brackets if it is the whole answer.
    """

    pattern: str
    value: Callable
    fields: dict
    written: str
    bare: bool = False


def read_final_label(text, label):
    """Return what the final label of an answer says, or None; label: a `Label`.

    Read are a JSON object with the label's fields, and a last line with the label: behind a name
    ('Verdict: …'), in double square brackets, in a tag or a box; Yes or No as the whole answer.
    What an analysis says of a story changes nothing, but no label is read beside another one, or
    after a sentence about the answer itself, in a tag that does not end, or where another speaker's
    turn or another thing to judge begins. Other prose is not understood.

    How far that goes, on texts made up for it (label_attacks.py in the tests). They are no sample
    of what judges write:
    - the judge's own label: 168 of 336 read rightly, 168 not read, 0 misread;
    - two labels, unfinished thoughts, others' turns: 0 of 798 misread;
    - a label that is quoted, taken back or on a condition: 231 of 399 misread.
    """
    answer = unwrap(text)
    fields = read_object(answer)
    if fields is not None:
        return read_fields(fields, label)

    lines = split_lines(answer)
    final_label = phrases.final_label(label.pattern, bare=label.bare and len(lines) == 1)
    size = count_final_lines(lines, final_label)
    if size == 0:  # it does not end with a label
        return None
    value = read_label(" ".join(lines[-size:]), label)
    before = lines[:-size]
    analysis = without_repeats(before, lines[-1])

    closed_before = any(final_label.fullmatch(line) for line in analysis)  # with this or another
    has_open_fence = answer.count("```") % 2 == 1
    if closed_before or has_open_fence or has_open_thoughts(answer, before):
        return None
    if phrases.OTHER_TURN.search(answer) or find_labels(analysis, label) - {value}:
        return None
    return None if phrases.ABOUT_THE_ANSWER.search(last_sentence(analysis)) else value


def read_label(text, label):
    """Return what the first label in a text says; None if there is none."""
    match = phrases.label_alone(label.pattern).search(text)
    return label.value(match[0].replace(" ", "").upper()) if match else None


# ── Without what is wrapped around it ─────────────────────────────────────────────────────────────


def unwrap(text):
    """Return an answer without reasoning in tags, tokens that end a turn, and a fence around it;
    '' for what is no text. '<think>Hm.</think>Yes<|im_end|>' becomes 'Yes'."""
    if not isinstance(text, str):
        return ""
    text = phrases.END_TOKENS.sub("", text.strip())
    end_of_thoughts = 0
    for tag in phrases.THOUGHT_TAG.finditer(text):
        if tag["closes"] or tag["answers"]:
            end_of_thoughts = tag.end()
    return without_fence(text[end_of_thoughts:].strip())


def without_fence(answer):
    """Return what is in the fence (three backticks) around a whole answer, or the answer."""
    fenced = phrases.FENCED.match(answer)
    return fenced["inside"] if fenced else answer


def to_plain_text(text):
    """Return text without markdown marks, HTML entities and full-width forms: '**ＮＯ**&#58;'
    becomes 'NO:'."""
    text = unicodedata.normalize("NFKC", html.unescape(text))
    text = text.replace("’", "'")
    return re.sub(r"[*_`\\$]", "", text)


def split_lines(answer):
    """Return the lines of an answer that say something, in plain text, without the courtesies
    that follow its label."""
    lines = []
    for line in to_plain_text(answer).splitlines():
        is_rule = not line.strip(" -=–—")
        if not is_rule:
            lines.append(" ".join(line.split()))
    while len(lines) > 1 and is_courtesy(lines[-1]):
        lines.pop()
    return lines


# ── An answer in JSON ─────────────────────────────────────────────────────────────────────────────


def read_object(answer):
    """Return the fields of an answer that is one JSON object, {} if it can be none, and None for an
    answer in plain text. Around it may stand a fence, a line that only says that it comes, and
    courtesies; line breaks in its texts may be raw."""
    lines = answer.splitlines()
    while lines and phrases.BEFORE_JSON.fullmatch(to_plain_text(lines[0]).strip()):
        lines.pop(0)
    while lines and (not lines[-1].strip() or is_courtesy(lines[-1])):
        lines.pop()
    text = without_fence("\n".join(lines))
    if not text.startswith("{"):
        return None
    try:
        return json.loads(text, object_pairs_hook=refuse_twins, strict=False)
    except (ValueError, RecursionError):  # no JSON, or more than one object
        return {}


def is_courtesy(line):
    """Return whether a line behind an answer changes nothing ('I hope this helps!')."""
    return bool(phrases.COURTESY.fullmatch(to_plain_text(line).strip()))


def refuse_twins(pairs):
    """Return the object of JSON pairs; raise ValueError for a field that stands there twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field stands there twice")
    return fields


def read_fields(fields, label):
    """Return what the label in the fields of a JSON object says; None where one is missing, has
    another value, or stands beside a field that is neither a reason nor how sure the judge is."""
    if not has_only(fields, label.fields):
        return None
    found = {}
    for name, values in label.fields.items():
        known = {str(value).casefold(): value for value in values}
        found[name] = known.get(spell(fields[name]))
    if None in found.values():
        return None
    return read_label(label.written.format(**found), label)


def has_only(fields, names):
    """Return whether fields are all those that are named, and beside them at most reasons, in
    words, and how sure the judge is, in one word or number."""
    for name, value in fields.items():
        is_reason = name in REASONS and isinstance(value, str)
        is_sure = name in SURE and isinstance(value, str | int | float) and len(str(value)) < 10
        if name not in names and not is_reason and not is_sure:
            return False
    return set(names) <= fields.keys()


def spell(value):
    """Return a JSON value as a text to compare: 'yes' of "Yes", '4' of 4 and of 4.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip().casefold()


# ── Where a label stands, and what stands before it ───────────────────────────────────────────────


def count_final_lines(lines, final_label):
    """Return how many of the last lines are the final label: 3, 2, 1, or 0 for none. It takes three
    where a tag around it has lines of its own."""
    for size in (3, 2, 1):
        if final_label.fullmatch("\n".join(lines[-size:])):
            return size
    return 0


def without_repeats(before, last_line):
    """Return the lines before a label without those at their end that only say it again."""
    size = len(before)
    while size and before[size - 1] == last_line:
        size -= 1
    return before[:size]


def has_open_thoughts(answer, before):
    """Return whether an answer holds thoughts that do not end, so that what looks like its label
    may be one of them; before: its lines before the label."""
    if phrases.THOUGHT_TAG.search(answer) or phrases.UNMARKED_THOUGHTS.search(answer):
        return True
    if phrases.TAG.fullmatch(" ".join(before)):  # nothing stands in it but the label
        return False
    open_tags = Counter()  # a thought, a draft, a plan, whatever its name
    for tag in phrases.TAG.finditer(answer):
        open_tags[tag["name"].lower()] += -1 if tag["slash"] else 1
    return any(open_tags[name] > 0 for name in open_tags.keys() - phrases.TAGS_WITHOUT_END)


def find_labels(lines, label):
    """Return the set of labels in lines (None for brackets that hold none)."""
    matches = phrases.label_anywhere(label.pattern).finditer("\n".join(lines))
    return {read_label(match[0], label) for match in matches}


def last_sentence(lines):
    """Return the last sentence of lines that is more than an introduction ('Therefore:'), in lower
    case; '' without one."""
    sentences = []
    for line in lines:
        sentences += re.split(r"(?<=[.!?。]) ", line.lower())
    for sentence in reversed(sentences):
        if not phrases.INTRODUCTION.fullmatch(sentence):
            return sentence
    return ""


# ── Readers ───────────────────────────────────────────────────────────────────────────────────────


def end_with(label, name, sides, **held):
    """Return the Reader of answers that end with a `Label`; name, sides, and closing and grammar
    (`held`): of its `Form`."""
    form = Form(name, make_schema(**label.fields), sides, **held)
    return Reader(partial(read_final_label, label=label), form=form)


def one_of(words, name, field="category", bare=False, **held):
    """Return the Reader of answers that end with one of these words, 'Category: Good', which it
    gives as they are written here; field: one of `phrases.LABEL_NAME`, the rest: of `end_with`."""
    by_capitals = {word.replace(" ", "").upper(): word for word in words}
    # a word may begin with another one
    longest_first = sorted(words, key=len, reverse=True)
    pattern = " | ".join(re.escape(word) for word in longest_first)
    label = Label(pattern, by_capitals.get, {field: words}, f"{{{field}}}", bare)
    sides = [f"{field.capitalize()}: {word}" for word in (words[-1], words[0])]
    return end_with(label, name, tuple(sides), **held)


def scale(lowest, highest):
    """Return the Reader of grades in whole numbers, '[[4]]' or 'Grade: 4'; ValueError for another
    scale than of two numbers or more, from 0 on."""
    if not 0 <= lowest < highest:
        raise ValueError(f"a scale from {lowest} to {highest}: expected 0 <= lowest < highest")
    grades = [*range(lowest, highest + 1)]
    pattern = " | ".join(str(grade) for grade in reversed(grades))  # 10 before 1
    quarter = (highest - lowest) // 4
    return end_with(
        Label(pattern, int, {"grade": grades}, "{grade}"),
        "grade",
        (f"[[{lowest + quarter}]]", f"[[{highest - quarter}]]"),
    )


def likert(points):
    """Return the Reader of comparisons of two texts on 3, 5 or 7 points (else ValueError): 2 for
    '[[A>>B]]', by how many points A leads."""
    if points not in (3, 5, 7):
        raise ValueError(f"points={points!r}: expected 3, 5 or 7")
    most = points // 2
    leads = [f"A{'>' * lead}B" for lead in range(most, 0, -1)]
    trails = [f"B{'>' * lead}A" for lead in range(1, most + 1)]
    labels = [*leads, "A=B", *trails]
    pattern = r"[AB] [ ]? (?: >{1,3} | <{1,3} | = ) [ ]? [AB]"  # A>>B, B = A
    label = Label(pattern, partial(read_lead, most=most), {"label": labels}, "{label}")
    said = " | ".join(f'"{label}"' for label in labels)
    return end_with(
        label,
        f"likert{points}",
        # two steps where there are two: labels of one step are never far enough apart to fail a
        # test by the cutoff of two (`refbased.method.V2_CUTOFF`)
        sides=tuple(f"[[{side}]]" for side in (trails[:2][-1], leads[-2:][0])),
        closing="label",
        grammar=f'root ::= [^\\x00-\\x1f]{{0,200}} "\\n[[" ({said}) "]]"\n',
    )


def read_lead(label, most):
    """Return by how many points A leads: 2 of 'A>>B', -1 of 'B>A', 0 of 'A=B'; None beyond `most`
    points, or for a text compared with itself."""
    first, second = label[0], label[-1]
    lead_of_first = label.count(">") - label.count("<")
    if first == second or abs(lead_of_first) > most:
        return None
    return lead_of_first if first == "A" else -lead_of_first


def choice(values):
    """Return the Reader of answers that are one label and nothing else; values: {label: value}."""
    label_of = {label.casefold(): label for label in values}

    def parse(text):
        return label_of.get(unwrap(text).strip(" .*\"'").casefold())

    # what a cut leaves is the label alone, or none
    return Reader(parse, choices=values, cut_ok=True)


YES_NO = one_of(
    ["Yes", "No"],
    name="yes_no",
    field="verdict",
    bare=True,
    closing="verdict",
    grammar='root ::= [^\\x00-\\x1f]{0,200} "\\nVerdict: " ("Yes" | "No")\n',
)
GRADE = scale(1, 5)
