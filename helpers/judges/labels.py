"""Read the final label of a judge's answer: a short list of accepted forms, and None for everything else."""

import json
import re
from functools import partial

from helpers.judges.markup import NAME, OWN, fits, once, plain, read_json, unmark
from helpers.judges.prompts import form

SO = r"(?:(?:so|thus|therefore|hence|overall|in (?:short|summary|conclusion))\b[,:]?[ \t]*)?"
EDGE = r"[\s\"'“”‘’«»()<>#•|–—✅✔👉⚖\ufe0f-]{0,8}"  # what may stand around a label
NAMED = rf"{OWN}{NAME}(?:[ \t]*\(yes(?:/| or )no\))?[ \t]{{0,4}}(?:is\b:?|[:=–—-])"
HEADING = re.compile(rf"{EDGE}{SO}{OWN}{NAME}[: \t]*{EDGE}", re.IGNORECASE)
CLOSERS = re.compile(r"(?:\n\s*(?:thank(?:s| you)[.!]?|i hope this helps[.!]?|[–—=-]{3,}))+\s*\Z", re.IGNORECASE)
ENDED = re.compile(r"[.!?…][)\"”’']*\Z|.{90}\Z")  # a sentence; or the analysis that a local model's grammar cuts off
FEIGNED = re.compile(r"\b(?:e\.g|suppose|imagine|pretend|(?:an|for) example|instruct\w*|format|template|prompt|guess|"
                     r"as follows|option|write this|below|the following|colleague|reviewer|critic|jury|advocate|"
                     r"brief|blurb|this line|stand here|(?:reader|judge)['’]s|"
                     r"(?:first|second|another|other|different) reader)\b[^.!?\n]*[.!?:]*\s*\Z|"
                     r"(?:\A|[.!?\n] ?)(?:suppose|imagine|pretend)\b", re.IGNORECASE)
TALK = re.compile(r"\b(?:i|i'm|me|my|mine|you|your|we|reader|user|judges?|critic|verdicts?|labels?|answers?|tests?|passe[sd]|"
                  r"fail(?:s|ed)?|opposite|contrary|wrong|swap\w*|flip\w*|revers\w*|backwards?|edit|update|note|correction|"
                  r"however|but|actually|wait|hm+|sorry|(?:jok|kidd)ing|scratch|scrap|ignore|or|otherwise|no|yes|"
                  r"perhaps|maybe|probably|if|unless|above|line|words?|joke|typo|oops)\b|\?",
                  re.IGNORECASE)  # in an explanation behind a label these may take it back
GAP = r"(?:[^\w.!?:]+(?!say|said|tell|ask|shout|whisper|cr(?:y|ie))[\w'’]+)"  # a word of the same sentence
WORK = (r"(?:stor(?:y|ies)|ending|end of|narrative|narrator|author|writer|characters?|protagonist|pieces?|writing|language|"
        r"average reader|reader (?:is|can|could|of|would)|perspectives?|context|elements|passages?|subtext|parts|scenes?|turns?|"
        r"manipulation|compression|form|cliches)\b(?! (?:was|would have|tells|says|asks|shouts|repeats))")
FIRST = re.compile(  # 'Yes' or 'No', then a sentence on the story: behind a comma it begins with what was asked
    rf"{EDGE}(?P<label>yes|no)(?:\Z|(?:\.|\b(?= *\n|  | [–—-] ))[^\w“\"]*(?:explanation:\s*)?(?:\Z|(?:while|although|"
    rf"though|given|despite|through|overall|in|not all|not every|none|the|this|an?|each|every|all|both|some|most|many|"
    rf"several|various|there|here|it's|i (?:do not )?(?:think|believe)|my assessment|\w+ is portrayed)\b{GAP}{{0,24}}?"
    rf"[^\w.!?:\"“]+{WORK})|,\W{{1,3}}(?:(?:the|an?|each|every|this|there (?:are|is|appear)|"
    rf"i (?:do not )?(?:think|believe)|while|it's|not|some|most|all|both|many)\b{GAP}{{0,5}}?"
    rf"[^\w.!?:\"“]+{WORK}|it does\.|not (?:entirely|in the conventional sense)\.))", re.IGNORECASE)
AGAINST = re.compile(r"\b(?:(?:fail|pass|meet)s?(?: (?:this|the|that) test)|it passes|deserve to pass|"
                     r"the (?:answer|verdict) (?:the|that)|verdict:|(?<=[.!?…] )on (?:\w+ )?(?:reflection|second thoughts?),|"
                     r"i conclude|just (?:jok|kidd)ing|i can(?:not|'t|’t))(?!\w)", re.IGNORECASE)
SIGN = r"([AB])[ \t]{0,3}(>{1,4}|<{1,4}|={1,2})[ \t]{0,3}([AB])"
YES_NO, LIKERT, GRADE, SCORES, TIER = (re.compile(pattern, re.IGNORECASE) for pattern in (
    r"\b(?:yes|no)\b",
    rf"\[\[?[ \t]{{0,3}}{SIGN}[ \t]{{0,3}}\]\]?|(?<![\w<>=\[]){SIGN}(?![\w<>=\]])",
    r"\[\[[ \t]{0,3}(\d{1,3})[ \t]{0,3}\]\]",
    r"\[\[[ \t]{0,3}A[ \t]{0,3}:[ \t]{0,3}([1-5])[ \t]{0,3},[ \t]{0,3}B[ \t]{0,3}:[ \t]{0,3}([1-5])[ \t]{0,3}\]\]",
    r"\b(?:good|medium|bad)\b"))
INTRO = re.compile(r"\W*(?:(?:here|is|are|my|the|all|of|final|rank(?:ing|ed)?|list|poems?|by|in|order|quality|creativity|"
                   r"(?:from |the )?(?:best|highest|strongest)(?: scores?)?(?: first| to (?:the )?(?:worst|lowest)))\b"
                   r"[\s#:,.()]*){0,14}", re.IGNORECASE)
ENTRY, SCORED = re.compile(r"^\W{0,4}(\d{1,3})[.)]\s+(\S.*)$"), re.compile(r"^(.*\S)\s*[:=]\s*(\d+)\W{0,4}$")


def final(text, label, value, word=None):
    """Return value(match) of the final label of an answer, or None.

    label: regular expression; word: None for a label in brackets; 'named' for a word, which counts behind a name only
    ('Verdict: …'); 'first' for a word that may also be the whole answer, or its first word with the story in the sentence
    behind it. The label is the last line, behind a sentence that has ended; or the only label, and what follows it
    explains the story and nothing else. An answer with two such lines has none.
    """
    text = re.sub(r"(?m)^[ \t]*```\w*[ \t]*$", "", text if isinstance(text, str) else "").replace("\r\n", "\n")
    if re.search(r"\{\s*\"", text):
        field = read_json(text)
        match = label.fullmatch(plain(str(field)).strip()) or label.fullmatch(f"[[{field}]]")
        return value(match) if match else None
    lines = []
    for line in without_closers(unmark(text)).split("\n"):
        if lines and HEADING.fullmatch(lines[-1]) and line.strip():  # a name on a line of its own
            lines[-1] = f"{lines[-1].rstrip(' :')}: {line}"
        elif line.strip(" \t-=–—"):
            lines.append(line)
    row = re.compile(rf"{EDGE}{SO}(?P<named>{NAMED})?{EDGE}(?P<label>{label.pattern}){EDGE}[.!]?{EDGE}"
                     r"(?P<more>, (?:because|since|as|one of)\b.*)?", re.IGNORECASE)
    found = [(place, match, value(label.search(match["label"]))) for place, line in enumerate(lines)
             if (match := row.fullmatch(line))
             and (match["named"] or not (match["more"] or word and (word != "first" or len(lines) > 1)))]
    if not found:
        return first_word(text) if word == "first" else None
    place, match, own = found[-1]
    before, behind = "\n".join(lines[:place]).rstrip(), "\n".join([match["more"] or "", *lines[place + 1 :]])
    if len(found) > 1 or FEIGNED.search(before[-160:]):
        return None
    if before and not ENDED.search(before[-200:]) and not lines[place - 1].lstrip().startswith(("#", "|", "<")):
        return None
    alone = not (place and (word is None or not match["more"])) and not label.search(behind) and not TALK.search(behind)
    return own if not behind.strip() or alone else None


def without_closers(text):
    """Return text without blanks, thanks and rules at its end."""
    text = "\n" + text.strip()
    return (text[:-200] + CLOSERS.sub("", text[-200:])).strip()


def first_word(text):
    """Return 'Yes' or 'No' where an answer begins with it and goes on about the story, and names no other verdict."""
    match = FIRST.match(unmark(text))
    own, others = match and match["label"].capitalize(), re.finditer(rf"\b{NAMED}{EDGE}(yes|no)\b", text, re.IGNORECASE)
    return None if not match or AGAINST.search(text) or any(other[1].capitalize() != own for other in others) else own


def parse_yes_no(text):
    """Return the final 'Yes' or 'No' of an answer, or None."""
    return final(text, YES_NO, lambda match: match[0].capitalize(), word="first")


def likert(points=5):
    """Return the parser of a comparison on 3, 5 or 7 points: how much A is preferred to B (-2..2 on five points), or None.

    It reads labels such as [[A>>B]], [[A=B]] and [[B>A]]. Raises ValueError for other numbers of points.
    """
    if points not in (3, 5, 7):
        raise ValueError(f"points={points!r}: expected 3, 5 or 7")
    parse = partial(parse_likert, points=points)
    parse.form = f"likert{points}"
    return parse


def parse_likert(text, points=5):
    """Return how much A is preferred to B by the final label of an answer, or None (see `likert`)."""
    if points not in (3, 5, 7):
        raise ValueError(f"points={points!r}: expected 3, 5 or 7")
    return final(text, LIKERT, lambda match: degree(*[part for part in match.groups() if part], points))


def degree(left, sign, right, points):
    """Return the signed strength of a label: positive where A is better, None for A against A and off the scale."""
    if left.upper() == right.upper():
        return None
    strength = len(sign) * {">": 1, "=": 0, "<": -1}[sign[0]] * (1 if left.upper() == "A" else -1)
    return strength if abs(strength) <= points // 2 else None


def parse_grade(text):
    """Return the final grade of an answer, such as [[4]], as a whole number from 1 to 5, or None."""
    return final(text, GRADE, lambda match: int(match[1]) if 1 <= int(match[1]) <= 5 else None)


def parse_scores(text):
    """Return (score of A, score of B) of the final label of an answer, such as [[A: 4, B: 2]], or None."""
    return final(text, SCORES, lambda match: (int(match[1]), int(match[2])))


def parse_tier(text):
    """Return 'Good', 'Medium', 'Bad' or None: the final line 'Category: …' of an answer."""
    return final(text, TIER, lambda match: match[0].capitalize(), word="named")


def parse_list(text):
    """Return the last numbered list of an answer as a list of (number, text of the line), best first, or None.

    A list starts at a line numbered 1; lines without a number are passed over. A list with scores counts only as the whole
    answer, perhaps under one heading of a few known words, and where its scores fall.
    """
    lists, around = [], []
    for line in str(text).splitlines():
        if match := ENTRY.match(line.replace("*", "").replace("`", "")):
            if int(match[1]) == 1 or not lists:
                lists.append([])
            lists[-1].append((int(match[1]), match[2].strip()))
        elif line.strip(" `-=#*"):
            around.append(plain(line))
    rest = without_closers("\n".join(["", *around]))
    if any(SCORED.match(body) for entries in lists for _, body in entries):
        falls = climb([body for _, body in lists[0]]) < (0 if rest else 1)
        return lists[0] if len(lists) == 1 and falls and len(rest) < 200 and INTRO.fullmatch(rest) else None
    return lists[-1] if lists else None


def climb(bodies):
    """Return how many more pairs of the scores at the end of a list's lines rise than fall (-1 where it has no two scores)."""
    scores = [int(match[2]) for body in bodies if (match := SCORED.match(body))]
    return sum((b > a) - (b < a) for i, a in enumerate(scores) for b in scores[i + 1 :]) if len(scores) > 1 else -1


parse_yes_no.form, parse_likert.form, parse_grade.form, parse_scores.form = "yes_no", "likert5", "grade", "evolvr"
parse_tier.form, parse_list.form = "tier", "ranking"


def read_form(text, name):
    """Return the label of a structured answer as the parser of this form would, or None.

    The answer must be one JSON object that fits the schema of the form (data/prompts/forms.yaml), and nothing else.
    Raises PromptError for an unknown form.
    """
    made = form(name)
    try:
        found = json.loads(text, object_pairs_hook=once)
    except (TypeError, ValueError, RecursionError):
        return None
    if not fits(found, made["schema"]):
        return None
    if name == "ranking":
        bodies = [f"{entry['poem']}: {entry['score']}" for entry in found["ranking"]]
        return None if not bodies or climb(bodies) > 0 else list(enumerate(bodies, 1))
    if name == "evolvr":
        return tuple(found[field] for field in made["label"])
    label = found[made["label"]]
    return degree(label[0], label[1:-1], label[-1], int(name[-1])) if name.startswith("likert") else label
