"""Read the final label of a judge's answer: a few exact final forms, and None for everything else."""

import html
import json
import re
import unicodedata
from functools import partial

from helpers.judges.prompts import doubts, form

LIKERT = "[AB] ?(?:>{1,3}|<{1,3}|=) ?[AB]"
BODIES = {"yes_no": "Yes|No", "likert3": LIKERT, "likert5": LIKERT, "likert7": LIKERT, "grade": "[1-5]",
          "evolvr": "A ?: ?[1-5] ?, ?B ?: ?[1-5]", "tier": "Good|Medium|Bad"}  # a label of each form, without brackets
NAME = (r"(?:(?:my|the) )?(?:final |overall )?"
        r"(?:verdict|answer|judge?ment|conclusion|decision|label|rating|grade|scores|category)")
SCORES = re.compile(rf"\[\[ ?{BODIES['evolvr']} ?\]\]", re.IGNORECASE)
CUT = re.compile(r".{190,199}[^.!?:]")  # an analysis cut off in mid-sentence by the grammar that writes the label (forms.yaml)
STORY = re.compile(  # an analysis speaks of a text or of how it is made; what does not is a remark on the label
    r"\b(?:stor(?:y|ies)|poems?|fiction|narrat\w*|plot\w*|scen\w*|characters?|figures?|protagonist|dialogue|prose|voice|styl\w*|"
    r"tone|language|imag(?:es?|ery)|metaphors?|phras\w*|verbs?|rhym\w*|rhythm|couplet|verse|pac(?:e|ing)|middle|opening|"
    r"beginnings?|begins?|endings?|ends?|ended|close[sd]?|climax|twist|turns?|theme|themes|thematic\w*|setting|world|details?|"
    r"tension|emotion\w*|feel\w*|motif|symbol\w*|subtext|perspective|structur\w*|coheren\w*|original\w*|creativ\w*|clich\w*|"
    r"stock|flat|thin|vivid|fresh|dull|weak\w*|strong\w*|rich\w*|better|dares|drags?|works?|holds?|fits?|fine|told|tells|"
    r"paragraphs?|reasons?|reasoning|argu\w*|analysis|contradict\w*|alike|equal\w*|neither|both|pass(?:es)?|fails?|"
    r"happens?|drawn|shown|strands?|returns?|tests?|(?:[AB]|first|second) (?:is|has|counts|lets|does)|in A)\b", re.IGNORECASE)
AROUND = re.compile(
    r"\W*(?:(?:here|is|are|my|the|all|of|final|rank(?:ing|ed)?|list|poems?|by|in|order|quality|creativity|"
    r"(?:from |the )?(?:best|highest|strongest)(?: scores?)?(?: first| to (?:the )?(?:worst|lowest)))\b[\s#:,.()]*){1,14}|"
    r"thank you[.!]?|i hope this helps[.!]?", re.IGNORECASE)
ENTRY, SCORED = re.compile(r"(\d{1,3})[.)]\s+(\S.*)"), re.compile(r"^(.*\S)\s*[:=]\s*(\d+)\W{0,4}$")


def plain(text):
    """Return text without markdown marks, HTML entities and full-width forms."""
    return re.sub(r"[*_`\\$]", "", unicodedata.normalize("NFKC", html.unescape(text)).replace("’", "'"))


def unwrap(text):
    """Return an answer without the reasoning that stands in tags before it, and without a fence around the whole."""
    text = text.strip() if isinstance(text, str) else ""
    text = re.sub(r"(?is)\A<(think|thinking|reasoning|analysis)>.*?</\1>", "", text).strip()
    return re.sub(r"(?s)\A```\w*\n(.*)\n```\Z", r"\1", text)


def final(text, name):
    """Return the label of an answer in the form of this name, or None.

    Read are: a JSON object with the label's field; a last line with the label in double square brackets, behind a name
    ('Verdict: …'), in a tag of that name or in a box; Yes or No as the whole answer. What stands before the last line
    ends its sentence, names no other label and has no sign of doubt.
    """
    text, body = unwrap(text), f"(?:{BODIES[name]})"
    if text.startswith("{"):
        return read_form(re.sub(r'"(?:reason|reasoning|explanation)"(?= ?:)', '"analysis"', text), name, analysis="")
    lines = [" ".join(line.split()) for line in plain(text).splitlines() if line.strip(" -=–—")]
    named, label = rf"{NAME}(?: ?: ?\n?|\n)", rf"(?:\[\[ ?{body} ?\]\]|{body})"
    forms = [f"{named}{label}", rf"(?:{named})?(?:\[\[ ?{body} ?\]\]|boxed{{(?:{label}|text{{{label}}})}})",
             rf"<({NAME})>\n?{label}\n?</\1>", *[body] * (name == "yes_no" and len(lines) == 1)]
    row = re.compile(rf"#* ?(?:{'|'.join(forms)})\.?", re.IGNORECASE)
    size = max((size for size in (1, 2, 3) if row.fullmatch("\n".join(lines[-size:]))), default=0)
    if not size or any(row.fullmatch(line) for line in lines[:-size]):
        return None
    label, before = read_label(" ".join(lines[-size:]), name), "\n".join(lines[:-size])
    other = rf"\[\[[^\[\]\n]*\]\]|\b{NAME}(?: is|:| =) ?{body}\b|^\W*{body}(?=\W*$|[,!] )"
    same = all(read_label(found[0], name) == label for found in re.finditer(other, before, re.IGNORECASE | re.MULTILINE))
    ended = re.search(r"[.!?][)\"']*\Z", before) and (STORY.search(before) or 0 < len(re.findall("[A-Za-z]+", before)) < 4)
    return label if same and (not before or CUT.fullmatch(before) or ended and not doubts().search(before.lower())) else None


def read_label(text, name):
    """Return what a label says: a word, a grade, two scores, or how much A is preferred to B within the points; or None."""
    match = re.search(rf"(?<!\w)(?:{BODIES[name]})(?!\w)", text, re.IGNORECASE)
    label = match[0].replace(" ", "").upper() if match else ""
    if not name.startswith("likert"):
        scores = tuple(int(score) for score in re.findall(r"\d", label))
        return (scores if name == "evolvr" else scores[0] if scores else label.capitalize()) or None
    strength = label.count(">") - label.count("<")
    fits = label[:1] != label[-1:] and abs(strength) <= int(name[-1]) // 2
    return (strength if label[0] == "A" else -strength) if fits else None


def parser(name):
    """Return parse(text) -> label or None for a form of data/prompts/forms.yaml; `parse.form` is its name."""
    parse = partial(final, name=name)
    parse.form = name
    return parse


parse_yes_no = parser("yes_no")  # 'Yes' or 'No'
parse_tier = parser("tier")  # 'Good', 'Medium' or 'Bad'
parse_grade = parser("grade")  # 1 to 5
parse_scores = parser("evolvr")  # (score of A, score of B)
parse_likert = parser("likert5")  # how much A is preferred to B, -2 to 2


def likert(points):
    """Return the parser of a comparison on 3, 5 or 7 points, with labels such as [[A>>B]]; ValueError for other points."""
    if points not in (3, 5, 7):
        raise ValueError(f"points={points!r}: expected 3, 5 or 7")
    return parser(f"likert{points}")


def parse_first_word(text):
    """Return the 'Yes' or 'No' that a recorded answer of the TTCW release begins with, or None. For no other judge."""
    match = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE) if isinstance(text, str) else None
    return match[1].capitalize() if match else None


def parse_list(text):
    """Return an answer's numbered list with scores as a list of (number, text of the line), best first, or None.

    The list is the whole answer, perhaps with a heading or thanks of a few known words, and its scores fall on the whole.
    """
    text = unwrap(text)
    if text.startswith("{"):
        return read_form(text, "ranking", analysis="")
    lines = [line.strip() for line in text.splitlines() if re.search(r"\w", line)]
    entries = [(int(match[1]), match[2].strip()) for line in lines if (match := ENTRY.match(re.sub("[*`]", "", line)))]
    around = [line for line in lines if not ENTRY.match(re.sub("[*`]", "", line))]
    if sum(number == 1 for number, _ in entries) != 1 or not all(AROUND.fullmatch(plain(line).strip()) for line in around):
        return None
    rise = climb([body for _, body in entries])
    return entries if rise is not None and rise < (0 if around else 1) else None


def climb(bodies):
    """Return how many more pairs of the scores at the end of a list's lines rise than fall (None without a score)."""
    scores = [int(match[2]) for body in bodies if (match := SCORED.match(body))]
    return sum((b > a) - (b < a) for i, a in enumerate(scores) for b in scores[i + 1 :]) if scores else None


def read_form(text, name, **defaults):
    """Return the label of a structured answer as the parser of this form would, or None.

    The answer must be one JSON object that fits the schema of the form (data/prompts/forms.yaml), and nothing else.
    defaults: fields that it may leave out. Raises PromptError for an unknown form.
    """
    from jsonschema import Draft202012Validator  # loads slowly, and only live judges need it

    made = form(name)
    try:
        found = defaults | json.loads(text, object_pairs_hook=once, parse_float=str)
    except (TypeError, ValueError, RecursionError):
        return None
    if not Draft202012Validator(made["schema"]).is_valid(found):
        return None
    if name == "ranking":
        bodies = [f"{entry['poem']}: {entry['score']}" for entry in found["ranking"]]
        return None if not bodies or climb(bodies) > 0 else list(enumerate(bodies, 1))
    if name == "evolvr":
        return tuple(found[field] for field in made["label"])
    return read_label(str(found[made["label"]]), name)


def once(pairs):
    """Return the object of JSON pairs; raise ValueError for a field that stands there twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field stands there twice")
    return dict(pairs)


parse_list.form = "ranking"
