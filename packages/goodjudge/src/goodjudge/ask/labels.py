"""Read a judge's final label, by a few exact forms; in doubt it is None, and never a guess.

A judge that weighs a story at length closes with a line such as "Verdict: Yes", "[[A>>B]]" or
"[[A: 4, B: 2]]". `read_final_label` reads that line as 'Yes', 2 (A leads by two points) or (4, 2),
and refuses it where it may be somebody else's: in thoughts that do not end, behind another
speaker, beside another label. The patterns are in `phrases`, ranked lists in `lists`.

A study asks with one of the Readers at the end of this module; `table.read_answer` calls it.

| answer                                     | YES_NO reads                          |
|--------------------------------------------|---------------------------------------|
| "The end holds.\\n\\n**Verdict: Yes**"       | 'Yes'                                 |
| '{"analysis": "…", "verdict": "No"}'       | 'No'                                  |
| "Verdict: Yes\\nOn reflection: Verdict: No" | None, two labels                      |
| "Yes, the story holds together."           | None, prose                           |
"""

import re
from collections import Counter
from functools import partial

from goodjudge.ask import phrases
from goodjudge.ask.cleaning import split_lines, unwrap
from goodjudge.ask.lists import parse_list, read_ranking
from goodjudge.ask.prompts import form
from goodjudge.ask.reader import Reader
from goodjudge.ask.structured import read_fields


def read_final_label(text, name):
    """Return the label of an answer in the form of this name, or None.

    Read are a JSON object with the label's field, and a last line with the label: behind a name
    ('Verdict: …'), in double square brackets, in a tag or a box; Yes or No as the whole answer.
    What an analysis says of a story changes nothing, but no label is read beside another one, or
    after a sentence about the answer itself, in a tag that does not end, or where another speaker's
    turn or another thing to judge begins. Other prose is not understood.

    How far that goes, on texts made up for it (tests/label_attacks.py; all families in
    data/README.md). They are no sample of what judges write:
    - the judge's own label: 168 of 336 read rightly, 168 not read, 0 misread;
    - two labels, unfinished thoughts, others' turns: 0 of 798 misread;
    - a label that is quoted, taken back or on a condition: 231 of 399 misread.
    """
    answer = unwrap(text)
    if answer.startswith("{"):
        return read_form(call_it_analysis(answer), name, analysis="")

    lines = split_lines(answer)
    final_label = phrases.final_label(name, alone=len(lines) == 1)
    size = count_final_lines(lines, final_label)
    if size == 0:  # it does not end with a label
        return None
    label = read_label(" ".join(lines[-size:]), name)
    before = lines[:-size]
    analysis = without_repeats(before, lines[-1])

    if has_open_thoughts(answer, before) or has_open_fence(answer):
        return None
    if phrases.OTHER_TURN.search(answer):
        return None
    if has_final_label(analysis, final_label):  # the judge closed before, with this or another
        return None
    if find_labels(analysis, name) - {label}:
        return None
    if phrases.ABOUT_THE_ANSWER.search(last_sentence(analysis)):
        return None
    return label


def read_form(text, name, **defaults):
    """Return the label of an answer that is one JSON object in a form's schema, else None.

    name: of a form in data/prompts/forms.yaml; its field with the label is read and no other.
    defaults: values of fields that may be missing.
    """
    if name == "ranking":
        return read_ranking(text, **defaults)
    fields = read_fields(text, name, **defaults)
    if fields is None:
        return None
    label_field = form(name)["label"]
    if name == "evolvr":  # two fields, one for each story
        return tuple(fields[field] for field in label_field)
    return read_label(str(fields[label_field]), name)


def call_it_analysis(text):
    """Return a JSON text in which the field of reasons is called analysis, as in our forms."""
    return re.sub(r'"(?:reason|reasoning|explanation)"(?= ?:)', '"analysis"', text)


# ── What a label says ─────────────────────────────────────────────────────────────────────────────


def read_label(text, name):
    """Return what the first label in a text says; None if there is none. By form: 'Yes' or 'No',
    'Good', 'Medium' or 'Bad', a grade, two scores, or the points by which A leads."""
    match = phrases.label_of_form(name).search(text)
    if not match:
        return None
    label = match[0].replace(" ", "").upper()
    if name.startswith("likert"):
        points = int(name.removeprefix("likert"))
        return read_lead(label, most=points // 2)
    if name == "evolvr":
        return tuple(int(score) for score in re.findall(r"\d", label))
    if name == "grade":
        return int(label)
    return label.capitalize()


def read_lead(label, most):
    """Return by how many points A leads: 2 of 'A>>B', -1 of 'B>A', 0 of 'A=B'; None beyond `most`
    points, or for a text compared with itself."""
    first, second = label[0], label[-1]
    lead_of_first = label.count(">") - label.count("<")
    if first == second or abs(lead_of_first) > most:
        return None
    return lead_of_first if first == "A" else -lead_of_first


# ── Where it stands, and what stands before it ────────────────────────────────────────────────────


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
    # an opened tag with nothing behind it but the label is no thought
    is_only_a_tag = phrases.TAG.fullmatch(" ".join(before))
    return has_open_tag(answer) and not is_only_a_tag


def has_open_tag(text):
    """Return whether a tag begins that does not end: a thought, a draft, a plan, whatever its
    name. A label in it may not be the last word."""
    open_tags = Counter()
    for tag in phrases.TAG.finditer(text):
        open_tags[tag["name"].lower()] += -1 if tag["slash"] else 1
    for name, count in open_tags.items():
        if count > 0 and name not in phrases.TAGS_WITHOUT_END:
            return True
    return False


def has_open_fence(answer):
    """Return whether a fence (three backticks) begins that does not end."""
    return answer.count("```") % 2 == 1


def has_final_label(lines, final_label):
    """Return whether one of the lines is a final label."""
    return any(final_label.fullmatch(line) for line in lines)


def find_labels(lines, name):
    """Return the set of labels in lines (None for brackets that hold none)."""
    matches = phrases.label_anywhere(name).finditer("\n".join(lines))
    return {read_label(match[0], name) for match in matches}


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


def reader_of(name):
    """Return the Reader of a form of data/prompts/forms.yaml."""
    return Reader(partial(read_final_label, name=name), form=name)


def likert(points):
    """Return the Reader of labels such as [[A>>B]] on 3, 5 or 7 points; else ValueError."""
    if points not in (3, 5, 7):
        raise ValueError(f"points={points!r}: expected 3, 5 or 7")
    return reader_of(f"likert{points}")


def choice(values):
    """Return the Reader of answers that are one label and nothing else; values: {label: value}."""
    label_of = {label.casefold(): label for label in values}

    def parse(text):
        return label_of.get(unwrap(text).strip(" .*\"'").casefold())

    # what a cut leaves is the label alone, or none
    return Reader(parse, choices=values, cut_ok=True)


def parse_first_word(text):
    """Return the 'Yes' or 'No' that a recorded answer of TTCW's release begins with, or None."""
    if not isinstance(text, str):
        return None
    first_word = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE)
    return first_word[1].capitalize() if first_word else None


YES_NO = reader_of("yes_no")  # 'Yes' or 'No'
TIER = reader_of("tier")  # 'Good', 'Medium' or 'Bad'
GRADE = reader_of("grade")  # 1 to 5
PAIR_OF_SCORES = reader_of("evolvr")  # (score of A, score of B)
LIKERT = reader_of("likert5")  # by how many points A leads B, -2 to 2
FIRST_WORD = Reader(parse_first_word)  # 'Yes' or 'No' of a recorded answer
RANKING = Reader(parse_list, form="ranking")  # [(number, entry)], best first
