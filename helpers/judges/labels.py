"""Read the final label of a judge's answer: a short list of accepted forms, and None for everything else."""

import json
import re
from functools import partial

from helpers.judges.markup import NAME, OWN, fits, once, plain, read_json, unmark
from helpers.judges.prompts import cue, form

SO = r"(?:(?:and )?(?:so|thus|therefore|hence|overall|finally|in (?:short|summary|conclusion)|to conclude)[,:]?[ \t]+)"
DRESS = r"[\s\"'“”‘’«»()<>#•|–—✅✔👉⚖\ufe0f-]{0,8}"  # what may stand around a label
START = r"(?:\A|\n|[^\W\d_]{2}[)\"”’']{0,2}[.!?…][\"”’')]{0,2}[ \t]+)"  # of a line, or of a sentence
IS = rf"{NAME}(?:[ \t]*\(yes(?:/| or )no\))?[ \t]{{0,4}}(?:is\b:?|[:=–—-]|(?=\n))"
NAMED = rf"{DRESS}(?:{SO}?{OWN}{IS}|(?:i conclude|in (?:conclusion|short|summary)):)"
FREE = r"(?:the|this|these|those|there|an?|each|every|while|although|though|all|both|some|most|many|none|not|it|its|it's|i|in|"
FREE += r"because|since|here|what|his|her|their|based|despite|overall|one|explanation)\b"  # an explanation begins so
PREFIX, AGAIN, LIMITED, END, SIGNED, SHORT, TALK, HERE = (re.compile(pattern, re.IGNORECASE) for pattern in (
    rf"(?P<start>{START})(?:(?P<named>(?:{NAMED}){{1,2}})|(?P<so>{DRESS}{SO}))?(?P<dress>{DRESS})\Z",
    rf"{START}{DRESS}{SO}?{OWN}(?:verdict|answer|label|grade|category)[ \t]*(?:is\b|[:=]){DRESS}(?P<next>\w*)",
    rf"{DRESS}(?:the )?{NAME}[ \t]*is\b",
    rf"[\"'“”‘’«»)<>|]{{0,4}}[ \t]*[✅✔\ufe0f]{{0,2}}(?:[.!]?[\"'“”‘’«»)]{{0,2}}[ \t]*(?:\n|\Z)|"
    rf"(?:[.!]|[ \t][–—-]|—)[ \t]+(?=[^\W\d])|"
    rf"(?:\.|[ \t]{{2}})(?-i:(?=[A-Z]))|,[ \t]*\n|[ \t]*\((?=\w)|[,;:][ \t]+(?={FREE})|(?=because\b|since\b))",
    r"(?:(?:\A|\n)\s*(?:[–—-]{1,2} ?(?:the |your )?\w{0,30}|[–—=-]{3,}|thank(?:s| you)(?: for[^.!?\n]{0,40})?[.!]?|"
    r"(?:best|kind) regards[,.]?|i hope this helps[.!]?))+\s*\Z",
    r"[^\w\n]*\w+(?:[^\w\n]+\w+)?[^\w\n]*\s*", r"[^\W_]",
    rf"(?:\bhere(?: is|'s)\b[^.:\n]{{0,40}}|\A|\n){DRESS}{OWN}"
    rf"(?:{NAME}|list|ranking|json|(?:so|thus|therefore|hence|in conclusion))?[^\w\n]*:\s*\Z"))
DOUBT = re.compile(cue("doubt_opens", r"(?:\A|[.!?…\n(–—-])\s{0,4}(?:no, )?").pattern + "|" + cue("doubt").pattern, re.IGNORECASE)
FEIGNED = re.compile(cue("feigned", after=r"\b[^.!?\n]*[.!?]?\s*\Z").pattern + "|"
                     + cue("feigned_ends", after=r"\s*\Z").pattern, re.IGNORECASE)
HEDGE, META, ASIDE, MATTER, WORST_FIRST = cue("hedge", r"\W*"), *map(cue, ("meta", "aside", "matter", "worst_first"))
SHORT_FORM = re.compile(r"(?:it (?:does|is)|not (?:entirely|really|quite|in (?:the|any) \w+ sense))\b", re.IGNORECASE)
SIGN = r"([AB])[ \t]{0,3}(>{1,4}|<{1,4}|={1,2})[ \t]{0,3}([AB])"
YES_NO, SAID, LIKERT, GRADE, SCORES, TIER = (re.compile(pattern, re.IGNORECASE) for pattern in (
    r"\b(?:yes|no)\b(?![-/]\w|\.[ \t]*\d)",
    r"yes\b|no\b(?!\.?[ \t]*\w)|no\b(?=[ \t]+(?:because|for|since|as|but|and|or|overall|to|regarding)\b)|(?:good|medium|bad)\b",
    rf"\[\[?[ \t]{{0,3}}{SIGN}[ \t]{{0,3}}\]\]?|(?<![\w<>=\[]){SIGN}(?![\w<>=\]])",
    r"\[\[[ \t]{0,3}(\d{1,3})[ \t]{0,3}\]\]",
    r"\[\[[ \t]{0,3}A[ \t]{0,3}:[ \t]{0,3}([1-5])[ \t]{0,3},[ \t]{0,3}B[ \t]{0,3}:[ \t]{0,3}([1-5])[ \t]{0,3}\]\]",
    r"\b(?:good|medium|bad)\b"))
ENTRY, SCORED = re.compile(r"^\W{0,4}(\d{1,3})[.)]\s+(\S.*)$"), re.compile(r"^(.*\S)\s*[:=]\s*(\d+)\W{0,4}$")


def final(text, label, value, word=None):
    """Return value(match) of the final label of an answer, or None.

    label: regular expression; word: None for a label in brackets, which may stand alone at the start of a line or a sentence;
    'first' for a word that counts behind a name ('Verdict: …'), as the whole answer, and as its first word with the story in the
    sentence behind it; 'named' for a word that counts only behind a name. The phrases around a label are held against
    data/prompts/cues.yaml.
    """
    text = re.sub(r"(?m)^[ \t]*```\w*[ \t]*$", "", text if isinstance(text, str) else "").replace("\r\n", "\n")
    if re.search(r"\{\s*\"", text):
        field = read_json(text, lambda before: not before or re.search(r"[.!?…]\Z", before) or HERE.search(before + " "))
        return value(match) if (match := label.fullmatch(plain(str(field)).strip()) or label.fullmatch(f"[[{field}]]")) else None
    text = unmark(text)
    found = [(*place, value(match)) for match in label.finditer(text) if (place := stated(text, match, word))]
    if not found:
        return None
    differ = [place for place in found if place[3] != found[-1][3]]
    lead = word and not differ and not found[0][0] and found[0][2]
    start, end, bare, own = found[0 if lead else -1]
    before, behind = text[:start].rstrip(), text[end:].rstrip()
    behind = behind[:-300] + SIGNED.sub("", behind[-300:])
    again = AGAIN.finditer(text, 0 if bare and word else end - 1)
    several = not lead and (differ or (found[0][0] and len(found) > 1 and found))
    doubtful = (
        own is None or DOUBT.search(behind) or HEDGE.match(behind) or FEIGNED.search(before[-160:])
        or (before.endswith(":") and not HERE.search(before[-80:])) or (before and text[end - 1] == "\n" and TALK.search(behind))
        or (not lead and (META.search(behind) or SHORT.fullmatch(behind[:99].rstrip())))
        or any(value(match) != own for match in label.finditer(behind) if not word or SAID.match(behind, match.start()))
        or any(not word or not SAID.match(text, m.start("next")) or m["next"].capitalize() != own for m in again)
        or (several and not DOUBT.search(text, several[-1][1] - 1, start)))
    return None if doubtful else own


def stated(text, match, word):
    """Return (start, end, whether without a name) of a label that stands where a final label may stand, or None."""
    begin = max(0, match.start() - 160)
    prefix, end = PREFIX.search("\0" * (begin > 0) + text[begin : match.start()]), END.match(text, match.end())
    if not prefix or not end:
        return None
    bare = not prefix["named"]
    if word and LIMITED.match(prefix["named"] or "") and prefix["start"] not in ("", "\n"):
        return None  # 'the answer is no' in running text may be the story's
    if word and bare:
        if word == "named" or prefix["so"] or begin or not re.fullmatch(DRESS, text[: match.start()]):
            return None
        first = re.split(r"[.!?](?:\s|\Z)|\n", re.sub(r"(?i)\A\s*(?:explanation:\s*)?", "", text[end.end() :]), maxsplit=1)[0]
        alone = "\n" in end[0] and re.match(rf"(?i)\s*{FREE}", first) and not META.search(text, end.end())
        about = alone or SHORT_FORM.match(first) or MATTER.search(" ".join(first.split()[:24]))
        if TALK.search(text, end.end()) and (not about or ASIDE.search(first) or text[0] in "\"'“‘<"):
            return None
    return begin - (begin > 0) + prefix.end("start"), end.end(), bare


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

    A list starts at a line numbered 1; lines without a number are passed over. None for a list that says it is worst first, whose
    scores rise (or stay, and it is not the whole answer), that is taken back, or that differs from another scored list before it.
    """
    lists, around, last = [], [], ""
    for row in str(text).splitlines():
        if match := ENTRY.match(row.replace("*", "").replace("`", "")):
            if int(match[1]) == 1 or not lists:
                lists.append([])
            lists[-1].append((int(match[1]), match[2].strip()))
            last = ""
        else:
            around.append(row)
            last += row + "\n"
    scored = [[entry for entry in entries if SCORED.match(entry[1])] for entries in lists]
    around = re.sub(r"\b[1-5] ?\([^()]*\)", "", "\n".join(around))
    rise = climb([body for _, body in lists[-1]]) if lists else 0
    if not lists or WORST_FIRST.search(plain(around)) or DOUBT.search(last) or rise > 0 or (rise == 0 and TALK.search(around)):
        return None
    if any(each and each != scored[-1] for each in scored[:-1]) and scored[-1] and not DOUBT.search(around):
        return None
    return lists[-1]


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
