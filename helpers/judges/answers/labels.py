"""Read a judge's final label: a few exact final forms, and None for everything else."""

import html
import json
import re
import unicodedata
from collections import Counter
from functools import partial
from itertools import combinations

from helpers.judges.answers.reader import Reader
from helpers.judges.requests.prompts import form

BODIES = {  # a label of each form, without brackets
    "yes_no": "Yes|No",
    "grade": "[1-5]",
    "evolvr": "A ?: ?[1-5] ?, ?B ?: ?[1-5]",
    "tier": "Good|Medium|Bad",
}
BODIES |= dict.fromkeys(["likert3", "likert5", "likert7"], "[AB] ?(?:>{1,3}|<{1,3}|=) ?[AB]")
NAME = r"(?:(?:my|the) )?(?:final |overall )?(?:verdict|answer|judge?ment|conclusion|decision|"
NAME += "label|rating|grade|scores|category)"
SCORES = re.compile(rf"\[\[ ?{BODIES['evolvr']} ?\]\]", re.IGNORECASE)
# ends of a turn
TOKENS = re.compile(
    r"(?:(?:<[|｜][^<>|｜\n]{1,30}[|｜]>|<[a-z_]{1,30}[|｜]>|</s>|<eos>|<end_of_turn>|\[/INST\])\s*){1,3}\Z"
)
THOUGHT = re.compile(
    r"[<\[◁](/|[|｜]end_of_)?[|｜]?[\w: -]{0,20}(?:think(?:ing)?|thought|reasoning|analysis|"
    r"scratchpad|reflection|monologue)[|｜]?[>\]▷]|(<\|channel\|>final<\|message\|>)",
    re.IGNORECASE,
)
# a tag as in HTML; those of one letter, or in ALONE, are of no thought and need no end
TAG = re.compile(
    r"<(/?)([a-z][\w-]{1,30})(?:\s[\w-]{1,20}=[^<>\n]{0,60})?\s?(?<!/)>", re.IGNORECASE
)
ALONE = {"br", "hr", "li", "td", "tr", "th", "wbr", "img"}
# the name of a channel that lost its token ("analysisWe need to …"), or a heading of thoughts
CHANNEL = re.compile(
    r"\A\s*(?:[a-z]{4,12}[A-Z]|\W{0,9}(?i:(?:here(?: is|'s)|this is) (?:my|the|a) )?"
    r"(?i:(?:thought|thinking) process|thoughts|chain of thought)\W{0,9}$)",
    re.MULTILINE,
)
# what may stand before a label, and after it
SO = r"(?:(?:so|thus|therefore|hence|overall|finally|in (?:short|sum|summary|conclusion)|"
SO += r"to (?:conclude|sum up)|all in all|(?:based on|given|considering) (?:all )?(?:the above|"
SO += r"this|(?:my|this|the|the above) (?:analysis|assessment)|these (?:points|observations))),? ?)"
INTRO = re.compile(
    rf"{SO}*(?:(?:here(?: is|'s)|this is) )?(?:{NAME}(?: is(?: as follows)?)?)? ?\W?"
)
SURE = r"(?:(?:high|medium|low) confidence|(?:confidence|certainty) ?: ?[\w.%/]{1,9})"
AFTER = re.compile(
    rf"\(?Word count: ?\d+\)?|\(?{SURE}\)?\.?|thank you[.!]?|i hope (?:this|that) helps[.!]?|"
    r"(?:please )?let me know if [^.!?]{1,60}[.!]",
    re.IGNORECASE,
)
WORDS = "(?:verdict|label|answer|grade|category|rating|numbers?)"
# a sentence, in lower case, that speaks of the answer itself and not of a story
SELVES = [
    r":\W{0,4}\Z",
    r"\b(?:such as|writes?|wrote|the line|in this way|thus)\W?\Z",
    # no more than "GPT-4 said"
    r"\A\W*[\w.-]+(?: [\w.-]+)? (?:says?|said|answer(?:s|ed)|repli(?:es|ed)|conclude[sd])\W?\Z",
    r"\b(?:(?:this|next) line|the following(?: line)?)\W?\Z|^the following is ",
    rf"\b(?:line|format|{WORDS}) (?:below|beneath|that follows)(?=\W?\Z|[;,]| is )",
    r"\bas follows\b|^(?:e\.g|(?:for |format )?example)\W?\Z",
    rf"\b(?:sample|dummy|hypothetical) {WORDS}\b",
    rf"\b(?:reader|critic|reviewer|colleague)'s (?:conclusion|{WORDS})\b",
    rf"\bnot my (?:own )?(?:view|opinion|{WORDS})\b",
    r"\bwould (?:have )?(?:closed?|answer|put it|write) (?:so|(?:like )?this)\b",
    r"\bthe parser\b|\bfilling the line\b|\binstructions? to\b",
    r"^as (?:an ai|instructed)\b|\bif i had to\b|\bi flipped a coin\b",
    r"\bi (?:can't|cannot|won't|refuse to) (?:judge|rate|grade|answer)\b",
]
SELF = re.compile("|".join(SELVES))
# another speaker, or a token of a template: what follows is nobody's answer
SPEAKER = "(?:user|human|assistant|system|model|ai|bot)"
THING = "(?:story|text|poem|pair|question|q|example|task|item|case|prompt|input)"
TURN = re.compile(
    r"<[|｜][^<>\n]{1,40}>|<[^<>\n]{1,40}[|｜]>|\[/?INST\]|</?(?:s|start_of_turn|end_of_turn)>|"
    rf"^[^\w\n]{{0,12}}(?:{SPEAKER}|q)\s*:|^#+\W{{0,5}}{SPEAKER}\W{{0,9}}$|"
    r"^#+ ?(?:response|instruction|input|example)\b|"
    # the next thing to judge, or the tag in which a prompt shows one
    rf"^[^\w\n]{{0,12}}{THING} ?#?(?:[2-9]|\d\d)\b\W{{0,6}}(?:[:.]|$)|"
    rf"^[^\w\n]{{0,12}}(?:the )?(?:next|another|new) {THING}\W{{0,6}}(?:[:.]|$)|"
    rf"^\s*</?{THING}>",
    re.IGNORECASE | re.MULTILINE,
)
AROUND = re.compile(
    r"\W*(?:(?:here|is|are|my|the|all|of|final|rank(?:ing|ed)?|list|poems?|by|in|order|quality|"
    r"creativity|(?:from |the )?(?:best|highest|strongest)(?: scores?)?"
    r"(?: first| to (?:the )?(?:worst|lowest)))\b[\s#:,.()]*){1,14}|"
    r"thank you[.!]?|i hope this helps[.!]?",
    re.IGNORECASE,
)
ENTRY, SCORED = re.compile(r"(\d{1,3})[.)]\s+(\S.*)"), re.compile(r"^(.*\S)\s*[:=]\s*(\d+)\W{0,4}$")


def plain(text):
    """Return text without markdown marks, HTML entities and full-width forms."""
    text = unicodedata.normalize("NFKC", html.unescape(text))
    return re.sub(r"[*_`\\$]", "", text.replace("’", "'"))


def unwrap(text):
    """Return an answer without reasoning in tags, tokens that end a turn, and a fence around it."""
    if not isinstance(text, str):
        return ""
    text = TOKENS.sub("", text.strip())
    thoughts_end = 0
    for tag in THOUGHT.finditer(text):
        if tag[1] or tag[2]:  # it closes
            thoughts_end = tag.end()
    answer = text[thoughts_end:].strip()
    return re.sub(r"(?s)\A```\w*\n(.*)\n```\Z", r"\1", answer)


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
    text = unwrap(text)
    if text.startswith("{"):
        text = re.sub(r'"(?:reason|reasoning|explanation)"(?= ?:)', '"analysis"', text)
        return read_form(text, name, analysis="")
    lines = split_lines(text)
    final_form = compile_final(name, alone=len(lines) == 1)
    size = count_final_lines(lines, final_form)
    if not size:
        return None
    final, before = " ".join(lines[-size:]), lines[:-size]
    if is_unfinished(text, before):
        return None
    while before and before[-1] == lines[-1]:  # the same line again
        before.pop()
    if any(final_form.fullmatch(line) for line in before):
        return None
    label = read_label(final, name)
    if find_labels(before, name) - {label}:
        return None
    if SELF.search(last_sentence(before)):
        return None
    return label


def split_lines(text):
    """Return the lines of an answer that say something, in plain text, without the courtesies that
    follow its label."""
    lines = []
    for line in plain(text).splitlines():
        if line.strip(" -=–—"):
            lines.append(" ".join(line.split()))
    while len(lines) > 1 and AFTER.fullmatch(lines[-1]):
        lines.pop()
    return lines


def compile_final(name, alone):
    """Return the pattern of a final label in the form of this name; alone: it is all there is."""
    body = f"(?:{BODIES[name]})"
    label = rf"(?:\[\[ ?{body} ?\]\]|{body})"
    named = rf"{NAME}(?: is)?(?: ?: ?\n?|\n)"
    forms = [
        f"{named}{label}",
        rf"(?:{named})?(?:\[\[ ?{body} ?\]\]|boxed{{(?:{label}|text{{{label}}})}})",
        rf"<({NAME})>\n?{label}\n?</\1>",
    ]
    if name == "yes_no" and alone:
        forms.append(body)
    start = rf"(?:#* ?|[-•] ){SO}*"
    return re.compile(rf"{start}(?:{'|'.join(forms)})\.?(?: \({SURE}\)\.?)?", re.IGNORECASE)


def count_final_lines(lines, final_form):
    """Return how many of the last lines are the final label: 3, 2, 1, or 0 for none."""
    for size in (3, 2, 1):
        if final_form.fullmatch("\n".join(lines[-size:])):
            return size
    return 0


def is_unfinished(text, before):
    """Return whether a text holds thoughts, a fence or a tag that do not end, or another's turn;
    before: its lines before the label."""
    if THOUGHT.search(text) or TURN.search(text) or CHANNEL.search(text):
        return True
    if text.count("```") % 2:
        return True
    # an opened tag with nothing in it but the label is no thought
    return is_open(text) and not TAG.fullmatch(" ".join(before))


def find_labels(lines, name):
    """Return the labels (None for brackets that hold none) that stand in lines before the last."""
    body = f"(?:{BODIES[name]})"
    other = rf"\[\[[^\[\]\n]*\]\]|\b{NAME} ?[:=] ?{body}\b|^[^\w\n]*{body}[^\w\n]*$"
    matches = re.finditer(other, "\n".join(lines), re.IGNORECASE | re.MULTILINE)
    return {read_label(match[0], name) for match in matches}


def last_sentence(lines):
    """Return the last sentence of lines that is more than an introduction, in lower case."""
    sentences = []
    for line in lines:
        sentences += re.split(r"(?<=[.!?。]) ", line)
    for sentence in reversed(sentences):
        if not INTRO.fullmatch(sentence.lower()):
            return sentence.lower()
    return ""


def is_open(text):
    """Return whether a tag begins that does not end: a thought, a draft, a plan, whatever its
    name. A label in it may not be the last word."""
    opened = Counter()
    for tag in TAG.finditer(text):
        opened[tag[2].lower()] += -1 if tag[1] else 1
    return any(count > 0 for name, count in opened.items() if name not in ALONE)


def read_label(text, name):
    """Return what a label says: a word, a grade, two scores, or the points by which A leads."""
    match = re.search(rf"(?<!\w)(?:{BODIES[name]})(?!\w)", text, re.IGNORECASE)
    if not match:
        return None
    label = match[0].replace(" ", "").upper()
    if name.startswith("likert"):
        return read_lead(label, steps=int(name.removeprefix("likert")) // 2)
    scores = tuple(int(score) for score in re.findall(r"\d", label))
    if name == "evolvr":
        return scores
    return scores[0] if scores else label.capitalize()


def read_lead(label, steps):
    """Return by how many points A leads in a label such as A>>B; None beyond so many steps."""
    strength = label.count(">") - label.count("<")
    if label[0] == label[-1] or abs(strength) > steps:
        return None
    return strength if label[0] == "A" else -strength


def choice(values):
    """Return the Reader of answers that are one label and nothing else; values: {label: value}."""
    known = {label.casefold(): label for label in values}

    def parse(text):
        return known.get(unwrap(text).strip(" .*\"'").casefold())

    # what a cut leaves is the label alone, or none
    return Reader(parse, choices=values, cut_ok=True)


def parse_first_word(text):
    """Return the 'Yes' or 'No' that a recorded answer of TTCW's release begins with, or None."""
    match = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE) if isinstance(text, str) else None
    return match[1].capitalize() if match else None


def parse_list(text):
    """Return [(number, text)] of an answer that is a scored list, best first, else None."""
    text = unwrap(text)
    if text.startswith("{"):
        return read_form(text, "ranking", analysis="")
    entries, around = [], []
    for line in text.splitlines():
        match = ENTRY.match(re.sub("[*`]", "", line.strip()))
        if match:
            entries.append((int(match[1]), match[2].strip()))
        elif re.search(r"\w", line):
            around.append(line.strip())
    if not all(AROUND.fullmatch(plain(line).strip()) for line in around):
        return None
    if sum(number == 1 for number, _ in entries) != 1:
        return None
    rise = climb([body for _, body in entries])
    most = -1 if around else 0  # words around may say "worst first", so the list must fall
    return entries if rise is not None and rise <= most else None


def climb(bodies):
    """Return how many more pairs of a list's final scores rise than fall; None without a score."""
    matches = [SCORED.match(body) for body in bodies]
    scores = [int(match[2]) for match in matches if match]
    if not scores:
        return None
    rises = [(later > earlier) - (later < earlier) for earlier, later in combinations(scores, 2)]
    return sum(rises)


def read_form(text, name, **defaults):
    """Return the label of one JSON object in a form's schema, else None; may lack `defaults`."""
    from jsonschema import Draft202012Validator  # loads slowly, and only live judges need it

    known = form(name)
    try:
        fields = defaults | json.loads(text, object_pairs_hook=once, parse_float=str)
    except (TypeError, ValueError, RecursionError):
        return None
    if not Draft202012Validator(known["schema"]).is_valid(fields):
        return None
    if name == "ranking":
        bodies = [f"{entry['poem']}: {entry['score']}" for entry in fields["ranking"]]
        falls = bodies and climb(bodies) <= 0
        return list(enumerate(bodies, 1)) if falls else None
    if name == "evolvr":
        return tuple(fields[field] for field in known["label"])
    return read_label(str(fields[known["label"]]), name)


def once(pairs):
    """Return the object of JSON pairs; raise ValueError for a field that stands there twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field stands there twice")
    return dict(pairs)


def reader_of(name):
    """Return the Reader of a form of data/prompts/forms.yaml."""
    return Reader(partial(read_final_label, name=name), form=name)


YES_NO = reader_of("yes_no")  # 'Yes' or 'No'
TIER = reader_of("tier")  # 'Good', 'Medium' or 'Bad'
GRADE = reader_of("grade")  # 1 to 5
PAIR_OF_SCORES = reader_of("evolvr")  # (score of A, score of B)
LIKERT = reader_of("likert5")  # how much A is preferred to B, -2 to 2
FIRST_WORD = Reader(parse_first_word)  # 'Yes' or 'No' of a recorded answer
RANKING = Reader(parse_list, form="ranking")  # [(number, text)], best first


def likert(points):
    """Return the Reader of labels such as [[A>>B]] on 3, 5 or 7 points; else ValueError."""
    if points not in (3, 5, 7):
        raise ValueError(f"points={points!r}: expected 3, 5 or 7")
    return reader_of(f"likert{points}")
