"""Read the final label of a judge's answer: a short list of accepted forms, and None for everything else."""

import html
import json
import re
import unicodedata
from functools import partial

from helpers.prompts import form


LOOK_ALIKES = str.maketrans({
    "≫": ">>", "≪": "<<", "»": ">>", "«": "<<", "⋙": ">>>", "⋘": "<<<", "〉": ">", "〈": "<",
    "【": "[[", "】": "]]", "⟦": "[[", "⟧": "]]", "≈": "=", "\u200b": "", "\u2060": "", "\ufeff": ""})
MARKS = re.compile(r"[*_`\\$]")
FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.MULTILINE)
NAME = r"(?:verdict|answer|judge?ment|conclusion|decision|label|rating|grade|scores|category|boxed)"
SO = r"(?:(?:and )?(?:so|thus|therefore|hence|overall|finally|in (?:short|summary|conclusion)|to conclude),?[:]?[ \t]+)"
OWN = r"(?:(?:my|the|our)[ \t]+)?(?:(?:final|overall)[ \t]+)?"
DRESS = r"[\s\"'“”‘’«»()<>#•|–—✅✔👉⚖\ufe0f-]{0,8}"  # what may stand around a label: quotes, bullets, dashes, spaces
START = r"(?:\A|\n|[^\W\d_]{2}[)\"”’']{0,2}[.!?…][\"”’')]{0,2}[ \t]+)"  # of a line, or of a sentence
NAMED = (rf"{DRESS}(?:{SO}?{OWN}{NAME}(?:[ \t]*\(yes(?:/| or )no\))?[ \t]{{0,4}}(?:is\b:?|[:=–—-]|(?=\n))|"
         r"(?:i conclude|in (?:conclusion|short|summary)):)")
PREFIX = re.compile(rf"(?P<start>{START})(?:(?P<named>(?:{NAMED}){{1,2}})|(?P<so>{DRESS}{SO}))?(?P<dress>{DRESS})\Z", re.IGNORECASE)
LATER = re.compile(rf"{START}{DRESS}{SO}?{OWN}(?:verdict|answer|label|grade|category)[ \t]*(?:is\b|[:=]){DRESS}(?P<next>\w*)", re.IGNORECASE)
END = re.compile(
    r"[\"'“”‘’«»)<>|]{0,4}[ \t]*[✅✔\ufe0f]{0,2}(?:[.!]?[\"'“”‘’«»)]{0,2}[ \t]*(?:\n|\Z)|(?:(?:[.!]|[ \t][–—-]|—)[ \t]+(?=[^\W\d])|(?:\.|[ \t]{2})(?-i:(?=[A-Z]))|,[ \t]*\n|[ \t]*\((?=\w))"
    r"|[,;:][ \t]+(?=(?:the|this|these|those|there|an?|each|every|while|although|though|all|both|some|most|many|none|not|it|its"
    r"|it's|i|in|because|since|here|what|his|her|their|based|despite|overall|one|explanation)\b)|(?=because\b|since\b))", re.IGNORECASE)
DOUBT = re.compile(  # behind a label, these words take it back; between two labels, they let the second one count
    r"(?:\A|[.!?…\n(–—-])\s*(?:no, )?(?:wait\b|hm+\b|hold on|scratch that|strike that|correction|actually\b|or rather|"
    r"on (?:further |closer )?(?:reflection|inspection|reading)|on second thoughts?|then again|(?:but )?i (?:can(?:not|'t)|could not|couldn't|won't)\b)|\bi mean\b|"
    r"\bi (?:must |have to |should )?(?:reconsider|correct myself|withdraw|revise|"
    r"take (?:that|it|this) back|misread|misjudged|was wrong|stand corrected|change[d]? my mind|apologi[sz]e)|"
    r"\bthat(?:'s| is| was) wrong|\bthe opposite (?:holds|is (?:true|the case))|\bi(?:'m| am) (?:very |so )?(?:sorry|afraid|unsure|undecided)|"
    r"\bi(?:'m| am) (?:not|no longer) (?:so |quite )?(?:sure|certain)|\bi can(?:not|'t) (?:judge|decide|say|tell|continue|choose|give)\b|"
    r"\b(?:upside down|wrong way (?:round|around))\b|\b(?:disregard|ignore) (?:that|this|the above)|\bput the worst first|"
    r"\b(?:fails?|not pass|not meet|n't pass|n't meet) (?:this|the|that) test", re.IGNORECASE)
HEDGE = re.compile(r"\W*(?:if|unless|but|or|and|at first|initially|perhaps|maybe|in part|partly|i (?:can|am|think i)\b)\b", re.IGNORECASE)
ASIDE = re.compile(  # in the first sentence behind a first word 'Yes' or 'No', these words make it something else than a label
    r"\b(?:say|says|said|write|writes|wrote|ask|asks|asked|answer\w*|verdict|label|judge[ds]?|colleague|blurb|first reader|first thought|"
    r"kidding|joking|ironic\w*|read|task|tags?|text|prompt|a test|apply|possible to|depends|(?:to|cannot|be) decided?|cut off|matter of taste|in a sense,|(?:to|not) pass|not that|sorry|please|disagree|contrary|opposite|reverse|mine|easy|"
    r"i (?:first|have|had|will|shall|can|did|was|understand|see|get|know))\b", re.IGNORECASE)
MATTER = re.compile(r"\A(?:it (?:does|is)\b|not (?:entirely|really|quite|in (?:the|any) \w+ sense)\b)|\b(?:protagonist|stor(?:y|ies)|end(?:ing|s)?|narrat\w+|characters?|plots?|writers?|writing|time|scenes?|elements?|"
                    r"metaphors?|perspectives?|turns?|structure|form|subtext|setting|details?|language|pace|pacing|poems?)\b", re.IGNORECASE)
SPOKEN = re.compile(r"[^\W_]")
TOO_SHORT = re.compile(r"[^\w\n]*\w+(?:[^\w\n]+\w+)?[^\w\n]*\s*")
META = re.compile(  # behind a label that could stand last, these words make it somebody else's, or take it back
    r"\b(?:i|i'm|me|my|mine|user|assistant|says?|said|wrote|writes?|answer\w*|verdicts?|labels?|judges?|(?:first|other|another) reader|example|format|above|"
    r"edit|update|note|p\.?s|however|contrary|opposite|reverse|reversed|other way|disagree|ironic\w*|sarcas\w*|jok\w+|kidding|too easy|"
    r"untrue|wrong|mistaken|otherwise|oops|typo|tests?|passed|failed|who knows|withdrawn)\b", re.IGNORECASE)
SIGNED = re.compile(r"(?:(?:\A|\n)\s*(?:[–—-]{1,2} ?(?:the |your )?\w{0,30}|[–—=-]{3,}|thank(?:s| you)(?: for[^.!?\n]{0,40})?[.!]?|"
                    r"(?:best|kind) regards[,.]?|i hope this helps[.!]?))+\s*\Z", re.IGNORECASE)
FEIGNED = re.compile(r"\b(?:suppose|imagine|pretend|hypothe\w+|templates?|formats?|the form|instruct\w*|prompt|an example)\b[^.!?\n]*[.!?]?\s*\Z"
                     r""
    r"|\b(?:were i|had i|would stand|a guess|first guess|can't|cannot|won't)\b[^.!?\n]*[.!?]?\s*\Z|\b(?:judge|reviewer|critic|editor|advocate|reader's|(?:different|another|other|second|first|hostile) reader)\b[^.!?\n]*[.!?]?\s*\Z"
    r"|\b(?:as follows|(?:this|the|following|last|final) (?:line|words?|sentence))\b[^.!?\n]{0,12}[.!?]?\s*\Z"
    r"|\b(?:such as|answer with|says?|said|shouts?|wrote|writes?|reads?|asks?|asked|told|answers?|replies)\s*\Z", re.IGNORECASE)
INTRODUCED = re.compile(rf"(?:\b(?:here is|here's)\b[^.:\n]{{0,40}}|\A|\n){DRESS}{OWN}(?:{NAME}|list|ranking|json|so|thus|therefore|hence|in conclusion|to conclude)?[^\w\n]*:\s*\Z", re.IGNORECASE)


YES_NO = re.compile(r"\b(?:yes|no)\b(?![-/]\w|\.[ \t]*\d)", re.IGNORECASE)
SIGN = r"([AB])[ \t]{0,3}(>{1,4}|<{1,4}|={1,2})[ \t]{0,3}([AB])"
LIKERT = re.compile(rf"\[\[?[ \t]{{0,3}}{SIGN}[ \t]{{0,3}}\]\]?|(?<![\w<>=\[]){SIGN}(?![\w<>=\]])", re.IGNORECASE)
GRADE = re.compile(r"\[\[[ \t]{0,3}(\d{1,3})[ \t]{0,3}\]\]")
SCORES = re.compile(r"\[\[[ \t]{0,3}A[ \t]{0,3}:[ \t]{0,3}([1-5])[ \t]{0,3},[ \t]{0,3}B[ \t]{0,3}:[ \t]{0,3}([1-5])[ \t]{0,3}\]\]", re.IGNORECASE)
TIER = re.compile(r"\b(?:good|medium|bad)\b", re.IGNORECASE)
SAID = re.compile(r"yes\b|no\b(?!\.?[ \t]*\w)|no\b(?=[ \t]+(?:because|for|since|as|but|and|or|overall|to|regarding)\b)|(?:good|medium|bad)\b", re.IGNORECASE)
ENTRY = re.compile(r"^\W{0,4}(\d{1,3})[.)]\s+(\S.*)$")
SCORED = re.compile(r"^(.*\S)\s*[:=]\s*(\d+)\W{0,4}$")
WORST_FIRST = re.compile(
    r"\b(?:worst|weak(?:est)?|least|lowest|poorest|bottom|losers?|last(?: place)?|(?:[2-9]|[1-9]\d)(?:th|rd|nd))\b[^.\n]{0,40}?(?:\bfirst\b|\bto\b|\bup\b|→|->)|\b(?:start|begin|open|led|top)\w*"
    r"(?: off)?(?: with| by| at| from)? the (?:worst|weakest|least|lowest|poorest|bottom)|\b(?:ascend|increas|rising|revers|inver[ts]|backward|countdown|counting down|climb)\w*|"
    r"\bupside down|\bother way (?:round|around)|\bbest\b[^.\n]{0,20}\b(?:last|at the (?:end|bottom))\b|\bfirst\b[^.\n]{0,20}\b(?:worst|weakest)|"
    r"\b1\b ?(?:is|=|being|means)(?: the)? (?:worst|weakest|least|lowest|poorest)", re.IGNORECASE)


def plain(text):
    """Return text with look-alikes made plain: full-width forms, HTML entities, markdown marks, odd arrows and spaces."""
    text = html.unescape(text if isinstance(text, str) else "")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(LOOK_ALIKES)
    return MARKS.sub("", text.replace("\\gg", ">>").replace("\\ll", "<<"))


def unmark(text):
    """Return an answer with tags, boxes and tables written as lines 'verdict: …'; code fences are dropped."""
    text = re.sub(r"~~[^~\n]*~~", "(deleted)", text)
    text = re.sub(r"\\boxed\s{0,4}\{(?:\\(?:text|textbf|mathrm)\s{0,4}\{([^{}\n]{0,40})\}|([^{}\n]{0,40}))\}", r"boxed: \1\2", text)
    text = re.sub(r"<(/?)(?:analysis|reasoning|rationale|explanation|thinking)>", "\n", plain(text), flags=re.IGNORECASE)
    text = re.sub(rf"<((?:final)?({NAME}))>([^\n]{{0,40}}|\s{{1,4}}[^\n<]{{0,40}}\s{{1,4}})</\1>", r"\2: \3", text, flags=re.IGNORECASE)
    text = re.sub(r"</?(?:answer|result|output|response|evaluation)>", "\n", text, flags=re.IGNORECASE)
    text = re.sub(r"\[{1,2}[ \t]*(yes|no)[ \t]*\]{1,2}(?!\()", r"\1", text, flags=re.IGNORECASE)
    return re.sub(r"(?:^[ \t]*\|.*\n?)+", lambda match: read_rows(match[0]), text, flags=re.MULTILINE)


def read_rows(table):
    """Return a markdown table as one line 'verdict: …' where it holds one label, else as it stands."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.strip().splitlines()]
    rows = [row for row in rows if not all(re.fullmatch(r"[:\s-]*", cell) for cell in row)]
    name = re.compile(rf"{OWN}{NAME}", re.IGNORECASE)
    own = [row for row in rows if len(row) == 2 and name.fullmatch(row[0])]
    if len(own) == 1 and len(rows) <= 2 and not name.fullmatch(own[0][1]):
        return f"{own[0][0]}: {own[0][1]}\n"
    if len(rows) == 2 and len(rows[0]) == len(rows[1]):
        titles = [i for i, cell in enumerate(rows[0]) if name.fullmatch(cell)]
        others = " ".join(cell for i, cell in enumerate(rows[0]) if i not in titles)
        if len(titles) == 1 and re.fullmatch(r"(?:test|item|question|aspect|story|analysis|reason|explanation|\W)*", others, re.IGNORECASE):
            return f"{rows[0][titles[0]]}: {rows[1][titles[0]]}\n"
    return table


def read_json(text, value):
    """Return the label of an answer that is, or ends with, one flat JSON object of known fields, one of them the label."""
    match = re.fullmatch(r"([^{}]*)(\{[^{}]*\})\s*", text)
    try:
        pairs = json.loads(match[2], object_pairs_hook=list)
    except (TypeError, ValueError, RecursionError):
        return None
    named = [item for key, item in pairs if re.fullmatch(rf"(?:final_)?{NAME}", key, re.IGNORECASE)]
    known = [key for key, _ in pairs if re.fullmatch(r"(?i)analysis|reason(?:ing|s)?|rationale|explanation|justification|confidence", key)]
    before = match[1].strip()
    if len(named) != 1 or len(known) + 1 != len(pairs) or not (before == "" or re.search(r"[.!?…]$", before) or INTRODUCED.search(before)):
        return None
    return value(named[0]) if isinstance(named[0], (str, int)) and not isinstance(named[0], bool) else None


def final(text, label, value, word=False):
    """Return value(match) of the final label of an answer, or None.

    label: regular expression of a label; word: whether it is a word of plain prose, which counts only behind a name ('Verdict: …'),
    on a line of its own, or as the first word with its explanation behind it.
    """
    text = FENCE.sub("", text if isinstance(text, str) else "").replace("\r\n", "\n")
    if re.search(r"\{\s*\"", text):
        whole = (label.fullmatch, lambda item: label.fullmatch(f"[[{item}]]"))
        return read_json(text, lambda item: next((value(m) for form_ in whole if (m := form_(plain(str(item)).strip()))), None))
    text = unmark(text)
    found = [(*place, value(match)) for match in label.finditer(text) if (place := stated(text, match, word))]
    if not found:
        return None
    differ = [place for place in found if place[3] != found[-1][3]]
    lead = word and not differ and not found[0][0] and found[0][2]
    start, end, bare, own = found[0 if lead else -1]
    before, behind = text[:start].rstrip(), SIGNED.sub("", text[end:])
    if (own is None or DOUBT.search(behind) or HEDGE.match(behind) or (not lead and META.search(behind))
            or any(value(match) != own for match in label.finditer(behind) if not word or SAID.match(behind, match.start()))
            or any(not word or not SAID.match(text, match.start("next")) or match["next"].capitalize() != own
                   for match in LATER.finditer(text, 0 if bare and word else end - 1))
            or (before.endswith(":") and not INTRODUCED.search(before[-80:])) or FEIGNED.search(before[-160:])
            or (before and SPOKEN.search(behind) and text[end - 1] == "\n") or (not lead and TOO_SHORT.fullmatch(behind))
            or ((differ or (found[0][0] and len(found) > 1)) and not lead and not DOUBT.search(text, (differ or found)[-1][1] - 1, start))):
        return None
    return own


def stated(text, match, word):
    """Return (start, end, bare) of a label that stands where a final label may stand, or None."""
    begin = max(0, match.start() - 160)
    prefix, end = PREFIX.search("\0" * (begin > 0) + text[begin : match.start()]), END.match(text, match.end())
    if not prefix or not end:
        return None
    bare = not prefix["named"]
    if word and re.match(rf"{DRESS}(?:the )?{NAME}[ \t]*is\b", prefix["named"] or "", re.IGNORECASE) and prefix["start"] not in ("", "\n"):
        return None  # 'the answer is no' in running text may be the story's
    if word and bare:  # such a word counts as the whole answer, or as its first word with the story in the first sentence behind it
        first = re.split(r"[.!?](?:\s|\Z)|\n", re.sub(r"\A\s*explanation:\s*", "", text[end.end() :], flags=re.IGNORECASE).lstrip(), maxsplit=1)[0]
        if word == "named" or prefix["so"] or begin or not re.fullmatch(DRESS, text[: match.start()]):
            return None
        if SPOKEN.search(text, end.end()) and (ASIDE.search(first) or not MATTER.search(first) or text[0] in "\"'“‘<"):
            return None
    return begin - (begin > 0) + prefix.end("start"), end.end(), bare


SAID = re.compile(r"yes\b|no\b(?!\.?[ \t]*\w)|no\b(?=[ \t]+(?:because|for|since|as|but|and|or|overall|to|regarding)\b)|(?:good|medium|bad)\b", re.IGNORECASE)
YES_NO = re.compile(r"\b(?:yes|no)\b(?![-/]\w|\.[ \t]*\d)", re.IGNORECASE)
SIGN = r"([AB])[ \t]{0,3}(>{1,4}|<{1,4}|={1,2})[ \t]{0,3}([AB])"
LIKERT = re.compile(rf"\[\[?[ \t]{{0,3}}{SIGN}[ \t]{{0,3}}\]\]?|(?<![\w<>=\[]){SIGN}(?![\w<>=\]])", re.IGNORECASE)
GRADE = re.compile(r"\[\[[ \t]{0,3}(\d{1,3})[ \t]{0,3}\]\]")
SCORES = re.compile(r"\[\[[ \t]{0,3}A[ \t]{0,3}:[ \t]{0,3}([1-5])[ \t]{0,3},[ \t]{0,3}B[ \t]{0,3}:[ \t]{0,3}([1-5])[ \t]{0,3}\]\]", re.IGNORECASE)
TIER = re.compile(r"\b(?:good|medium|bad)\b", re.IGNORECASE)


def parse_yes_no(text):
    """Return the final 'Yes' or 'No' of an answer, or None."""
    return final(text, YES_NO, lambda match: match[0].capitalize(), word=True)


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
    scores do not fall (the order would be a guess), that is taken back, or that differs from another scored list before it.
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
    if not lists or WORST_FIRST.search(plain(around)) or DOUBT.search(last) or not falling([body for _, body in lists[-1]]):
        return None
    if any(each and each != scored[-1] for each in scored[:-1]) and scored[-1] and not DOUBT.search(around):
        return None
    return lists[-1]


def falling(bodies):
    """Return whether the scores at the end of a list's lines fall more often than they rise, over all pairs (or are none)."""
    scores = [int(match[2]) for body in bodies if (match := SCORED.match(body))]
    return len(scores) < 2 or sum((b > a) - (b < a) for i, a in enumerate(scores) for b in scores[i + 1 :]) < 0


parse_yes_no.form, parse_likert.form, parse_grade.form, parse_scores.form = "yes_no", "likert5", "grade", "evolvr"
parse_tier.form, parse_list.form = "tier", "ranking"


def read_form(text, name):
    """Return the label of a structured answer as the parser of this form would, or None.

    The answer must be one JSON object that fits the schema of the form (data/prompts/forms.yaml), and nothing else. Raises PromptError.
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
        return None if not bodies or not falling(bodies) else list(enumerate(bodies, 1))
    if name == "evolvr":
        return tuple(found[field] for field in made["label"])
    label = found[made["label"]]
    return degree(label[0], label[1:-1], label[-1], int(name[-1])) if name.startswith("likert") else label


def once(pairs):
    """Return the object of JSON pairs; raise ValueError for a field that stands there twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field stands there twice")
    return dict(pairs)


def fits(value, schema):
    """Return whether a value fits a schema made of objects (with all their fields and no other), lists, strings and whole numbers."""
    kinds = {"object": dict, "array": list, "string": str, "integer": int}
    if type(value) is not kinds[schema["type"]] or value not in schema.get("enum", [value]):
        return False
    if isinstance(value, dict):
        return set(value) == set(schema["properties"]) and all(fits(value[key], each) for key, each in schema["properties"].items())
    return all(fits(item, schema["items"]) for item in value) if isinstance(value, list) else True
