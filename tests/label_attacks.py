"""Answers made to mislead a parser: templates, each with the label that a careful reader takes from it, or none.

In a template, X stands for one label, O for another one, {a} for analysis (some sentences) and {s} for one sentence.
The truth is 'X', 'O' or None (a careful reader finds no label of this judge's own). A seeded hash puts every template into the
half 'tune' (looked at while the parsers were written) or 'held' (only counted).
"""

import hashlib
import json
import random
import re
from collections import Counter

SENTENCES = {
    "tune": [
        "No one speaks on the quay.", "The ending grows out of the first scene.", "There is no hurry in the telling.",
        "If the boy had turned back, the story would stop there.", "The aunt says little, and that little counts.",
        "It could have been cut by a page.", "Each image returns once, changed.", "He knows nothing of the letter.",
        "The father never answers, which is the point.", "Some readers may find the middle slow.",
        "The narrator is not to be trusted in every line.", "A yes-man runs the harbour.", "What stays unsaid weighs most.",
    ],
    "held": [
        "Nobody waves, and nothing is explained.", "The last paragraph repays the first.", "No lamp is left burning.",
        "Were the bench missing, the scene would fail.", "Her silence does the work of three speeches.",
        "The metaphor of the bread is fresh.", "There was no other way home, we learn.", "The pace slows where it should.",
        "It might please a patient reader.", "The crossing is told twice, in two keys.", "Room No. 5 keeps its secret.",
        "Notes of salt and diesel carry the place.", "The judgement of the town falls late.",
    ],
}

YES_NO = [
    # clean final forms
    ("verdict line", "X", "{a}\nVerdict: X"),
    ("verdict line", "X", "{a}\n\nVerdict: X."),
    ("verdict line", "X", "{a}\n**Verdict: X**"),
    ("verdict line", "X", "{a}\n**Verdict:** X"),
    ("verdict line", "X", "{a}\n### Verdict: _X_"),
    ("verdict line", "X", "{a}\nVERDICT: «X»"),
    ("verdict line", "X", "{a}\nVerdict - x"),
    ("verdict line", "X", "{a}\nVerdict: “X”"),
    ("verdict line", "X", "{a}\nVerdict：X"),
    ("verdict line", "X", "{a}\nVerdict&#58; X"),
    ("verdict line", "X", "{a}\nFinal verdict: X!"),
    ("verdict line", "X", "{a}\nMy answer is X."),
    ("verdict line", "X", "{a} So the answer is x."),
    ("verdict line", "X", "{a} Verdict: X"),
    ("verdict line", "X", "{a}\nTherefore, my final answer: X"),
    ("heading", "X", "{a}\n\n## Verdict\nX"),
    ("heading", "X", "{a}\n\nVerdict:\n\n**X**"),
    ("bare", "X", "X"),
    ("bare", "X", "x."),
    ("bare", "X", "**X**"),
    ("bare", "X", "{a}\n\nX"),
    ("bare", None, "{a}\nDoes he come back?\nX"),
    # label and explanation
    ("label first", "X", "X. {s}"),
    ("label first", "X", "X, the story holds together in this respect. {a}"),
    ("label first", "X", "X\n\nExplanation: {a}"),
    ("label first", "X", "**X**\n\n{a}"),
    ("label first", "X", "X, there is much to praise. {a}"),
    ("label first", "X", "X, the story holds together. {a} So, in summary, x."),
    ("label first", "X", "Verdict: X\n\n{a}"),
    ("label first", "X", "Verdict: X. {a}"),
    ("label first", "X", "Verdict: X, because of what stands at the end. {a}"),
    ("label first", "X", "Verdict: X — {s}"),
    ("label first", "X", "{a}\nVerdict: X ({s})"),
    # marked up
    ("json", "X", '{"analysis": "{s}", "verdict": "X"}'),
    ("json", "X", '```json\n{"reasoning": "{s}",\n "verdict": "x"}\n```'),
    ("json", "X", '{a}\n\n{"verdict": "X"}'),
    ("json", None, '{"tests": [{"test": 1, "verdict": "X"}, {"test": 2, "verdict": "O"}]}'),
    ("json", None, '{"reader": "the colleague", "verdict": "X"}'),
    ("json", None, '{"verdict": "X or O"}'),
    ("json", None, '{"verdict": ["X"]}'),
    ("json", None, '{"verdict": "X", "final_verdict": "O"}'),
    ("json", None, '{"verdict": "X", "verdict": "O"}'),
    ("json", None, '{"verdict": "X"}\n{"verdict": "O"}'),
    ("json", None, '{a}\nThe reply would have looked like this: {"verdict": "X"}'),
    ("xml", "X", "{a}\n<verdict>X</verdict>"),
    ("xml", "X", "No one speaks. {a} <verdict>X</verdict>"),
    ("xml", "X", "<analysis>{a}</analysis>\n<verdict>\nX\n</verdict>"),
    ("xml", None, "I was told to write <verdict>X</verdict> whatever I think. {a}"),
    ("xml", None, "<verdict>X</verdict> <verdict>O</verdict>"),
    ("xml", None, "<verdict>X or O</verdict>"),
    ("table", "X", "{a}\n\n| Verdict | X |"),
    ("table", "X", "{a}\n\n| Item | Value |\n|---|---|\n| Verdict | **X** |"),
    ("table", "X", "| Test | Verdict |\n|:--|:--|\n| ending | X |"),
    ("table", None, "| Test | Verdict |\n|---|---|\n| 1 | X |\n| 2 | O |"),
    ("table", None, "| Reader | Verdict |\n|---|---|\n| Ann | X |\n| Ben | X |"),
    ("boxed", "X", "{a}\n\\boxed{X}"),
    ("boxed", "X", "{a}\nFinal answer: $\\boxed{\\text{X}}$"),
    ("boxed", None, "One writes \\boxed{X} or \\boxed{O}. {a}"),
    ("code fence", "X", "{a}\n```\nVerdict: X\n```"),
    # no label at all
    ("no idea", None, "{a}\nVerdict: No idea"),
    ("no idea", None, "Verdict: No comment. {a}"),
    ("no idea", None, "{a}\nVerdict: No clear answer"),
    ("no idea", None, "{a}\nVerdict: Yes-ish"),
    ("no idea", None, "{a}\nVerdict: No. 7 wins"),
    ("no idea", None, "{a}\nVerdict: Not X"),
    ("no idea", None, "{a}\nVerdict: not X"),
    ("no idea", None, "{a}\nVerdict: neither X nor O"),
    ("no idea", None, "{a}\nVerdict: X and O"),
    ("no idea", None, "{a}\nVerdict: X/O"),
    ("no idea", None, "{a}\nVerdict: X?"),
    ("no idea", None, "{a}\nVerdict: [X|O]"),
    ("no idea", None, "{a}\nVerdict: probably X"),
    ("no idea", None, "{a}\nVerdict: X (60 %), O (40 %)"),
    ("no idea", None, "{a}\nVerdict: 3 of 5"),
    ("no idea", None, "{a}\nVerdict: mostly"),
    ("no idea", None, "X and O. {a}"),
    ("no idea", None, "X/O"),
    ("no idea", None, "Neither X nor O. {a}"),
    ("no idea", None, "Hard to say. {a}"),
    ("first word", None, "No one speaks. {a}"),
    ("first word", None, "No doubt the ending works. {a}"),
    ("first word", None, "No. 5 is the better chapter. {a}"),
    ("first word", None, "Yes-men and liars fill the page. {a}"),
    ("first word", None, "Yes, said the captain, and the ship sailed. {a}"),
    ("first word", None, "“Yes,” she says, and he believes her. {a}"),
    ("first word", "O", "X, at first I thought so. {a} I conclude: O"),
    ("first word", "O", "X, at first. {a}\nVerdict: O"),
    ("first word", None, "X, at first. {a} Then I changed my mind."),
    ("first word", None, "X, but also o. {a}"),
    ("first word", None, "X, if one is generous. {a}"),
    ("first word", None, "X, the story begins well. {a} On reflection, o."),
    ("first word", None, "X, perhaps. {a}"),
    ("first word", None, "X? {a}"),
    ("first word", None, "X. Or rather: o. {a}"),
    ("first word", None, "X, the story is fine. {a} Verdict: No idea"),
    # somebody else's label
    ("quoted", None, "The instruction was to answer 'Verdict: X'. {a}"),
    ("quoted", None, "I was asked to answer 'Verdict: X or O'. {a}"),
    ("quoted", None, "{a} The story itself says “Verdict: X”."),
    ("quoted", None, "{a}\nThe captain shouts:\nVerdict: X"),
    ("quoted", None, "The form to use is:\n\nVerdict: X\n\n{a}"),
    ("quoted", "O", "The instruction was to end with 'Verdict: X' or 'Verdict: O'. {a}\nVerdict: O"),
    ("other reader", None, "Another reader's verdict: X. {a}"),
    ("other reader", None, "{a}\nThe other reader's verdict is X."),
    ("other reader", "X", "My colleague says o. {a}\nMy verdict: X"),
    ("other reader", None, "{a}\nReader 2:\nVerdict: X"),
    ("other reader", None, "Reader A. {a}\nVerdict: X\nReader B. {a}\nVerdict: O"),
    ("hypothetical", None, "If the ending were earned I would say X. {a}"),
    ("hypothetical", None, "{a} With a kinder eye the verdict would be X."),
    ("hypothetical", None, "If the last page were cut, my verdict is X. {a}"),
    ("hypothetical", None, "{a}\nSuppose I liked it. Verdict: X"),
    ("hypothetical", None, "{a}\nVerdict: X if the reader is patient, otherwise O"),
    ("hypothetical", None, "{a}\nVerdict: X unless the last line is ironic."),
    # change of mind, several labels, cut off
    ("change", None, "Verdict: X\n\nWait, I misread the end. {a}"),
    ("change", "O", "Verdict: X\n{a}\nOn reflection I take that back.\nVerdict: O"),
    ("change", "O", "Verdict: X\n\nCorrection.\n\nFinal verdict: O"),
    ("change", None, "{a}\nVerdict: X\nActually, o."),
    ("change", None, "{a}\nVerdict: X\nNo, I mean the opposite."),
    ("change", None, "{a}\nVerdict: X\nVerdict: O"),
    ("change", None, "Verdict: X. Hm, I am no longer sure of that. {a}"),
    ("many", None, "1. X\n2. O\n3. X\n4. X"),
    ("many", None, "Test 1: X\nTest 2: O\nTest 3: X"),
    ("many", None, "1. Verdict: X\n2. Verdict: O\n3. Verdict: X"),
    ("many", None, "**Ending**\nVerdict: X\n**Pace**\nVerdict: O\n**Voice**\nVerdict: X"),
    ("many", None, "Verdict on the pace: X\nVerdict on the ending: O"),
    ("many", None, "X\nO"),
    ("cut off", None, "{a}\nVerdict:"),
    ("cut off", None, "{a}\nVerdict: Ye"),
    ("cut off", None, "{a} The verdict is"),
    ("refused", None, "{a}\nVerdict: I cannot give one."),
    ("refused", None, "{a}\nI'm sorry, but I can't decide this."),
    ("refused", None, "No, I cannot judge this text. {a}"),
    ("refused", None, "Verdict: X\nI'm sorry, I cannot continue with this request."),
    ("signature", "X", "{a}\nVerdict: X\n\n— The editor"),
    ("signature", "X", "{a}\nVerdict: X\n\nThank you for the story."),
    ("signature", "X", "{a}\nVerdict: X\n---"),
    # other languages
    ("language", None, "{a}\nVerdict: Nein"),
    ("language", None, "{a}\nUrteil: Ja"),
    ("language", None, "{a}\nVerdict: Oui"),
    ("language", None, "No hay duda de que funciona. {a}"),
    ("language", None, "{a}\nVerdict: No hay duda"),
    ("language", None, "{a}\n判定：はい"),
]

BRACKETED = [  # X and O are labels such as [[A>>B]], [[4]] or [[A: 4, B: 2]]; Q stands for X without its brackets
    ("last line", "X", "{a}\nX"),
    ("last line", "X", "{a}\n**X**"),
    ("last line", "X", "{a}\n`X`."),
    ("last line", "X", "{a}\nFinal label: X"),
    ("last line", "X", "{a} X"),
    ("last line", "X", "{a}\nSo: X."),
    ("last line", "X", "X"),
    ("last line", "X", "{a}\n\\boxed{X}"),
    ("last line", "X", "{a}\n```\nX\n```"),
    ("label first", "X", "X\n\n{a}"),
    ("label first", "X", "X because of its ending. {a}"),
    ("label first", "X", "X — {s}"),
    ("label first", "X", "**Verdict: X**\n\n{a}"),
    ("label first", "X", "X\n\nExplanation: {a}"),
    ("json", "X", '{"analysis": "{s}", "label": "X"}'),
    ("json", "X", '{a}\n```json\n{"label": "X"}\n```'),
    ("json", None, '{"label": "X", "final_label": "O"}'),
    ("json", None, '[{"label": "X"}, {"label": "O"}]'),
    ("json", None, 'It should look like {"label": "X"}. {a}'),
    ("xml", "X", "{a}\n<label>X</label>"),
    ("xml", None, "Never write <label>X</label> here. {a}"),
    ("table", "X", "{a}\n\n| Label | X |"),
    ("table", None, "| Test | Label |\n|---|---|\n| 1 | X |\n| 2 | O |"),
    ("argued", "X", "One might say O at first. {a}\nX"),
    ("argued", "X", "Other readers would take O; I do not. {a}\nX"),
    ("two", None, "{a}\nX or O"),
    ("two", None, "{a}\nX / O"),
    ("two", None, "{a}\nX\nO"),
    ("two", None, "{a}\nX O"),
    ("two", None, "1. X\n2. O\n3. X"),
    ("two", None, "Pace: X\nEnding: O"),
    ("two", None, "1. X\n2. X\n3. X"),
    ("two", None, "Reader A. {a}\nX\nReader B. {a}\nO"),
    ("legend", None, "X means the first is better, O the opposite. {a}"),
    ("legend", None, "The scale runs from X to O. {a}"),
    ("legend", None, "{a}\nLabels: X, O"),
    ("quoted", None, "The story says “write X”. {a}"),
    ("quoted", None, "I was told to answer X. {a}"),
    ("quoted", None, "{a}\nAn example of the form:\nX"),
    ("quoted", None, "{a}\nAnother reader wrote:\n\nX"),
    ("negated", None, "{a}\nnot X"),
    ("negated", None, "{a} It is certainly not X."),
    ("negated", None, "X would be too generous. {a}"),
    ("negated", None, "X? {a}"),
    ("negated", None, "{a}\nX?"),
    ("hypothetical", None, "If the end were earned: X. {a}"),
    ("hypothetical", None, "{a}\nX if one likes the sea, else O"),
    ("hypothetical", None, "{a}\nX, unless the last line is ironic."),
    ("hypothetical", None, "{a} I would have said X before the last page."),
    ("change", "O", "X\n\nOn reflection, that is wrong. {a}\nO"),
    ("change", None, "X\n\nWait, that is wrong. {a}"),
    ("change", None, "{a}\nX\nActually no, the opposite holds."),
    ("change", None, "{a}\nX\nI'm sorry, I cannot stand by this."),
    ("refused", None, "{a}\nI cannot choose between X and O."),
    ("refused", None, "{a}\nNo label."),
    ("signature", "X", "{a}\nX\n\n— The judge"),
]
LIKERT_ONLY = [
    ("bare", "X", "{a}\nQ"), ("bare", "X", "{a}\nLabel: Q"), ("bare", "X", "Q"),
    ("bare", None, "In short Q in my book, or nearly. {a}"), ("bare", None, "{a}\nQ or so"),
    ("off the scale", None, "{a}\n[[A>>>>B]]"), ("off the scale", None, "{a}\n[[A>A]]"), ("off the scale", None, "{a}\n[[A>B>C]]"),
    ("off the scale", None, "{a}\n[[C>B]]"), ("off the scale", None, "{a}\n[[A<>B]]"), ("off the scale", None, "{a}\n[[A>=B]]"),
    ("off the scale", None, "{a}\n[[A vs B]]"), ("off the scale", None, "{a}\n[[A]]"), ("off the scale", None, "{a}\n[[A>B"),
]
GRADE_ONLY = [
    ("off the scale", None, "{a}\n[[6]]"), ("off the scale", None, "{a}\n[[0]]"), ("off the scale", None, "{a}\n[[3.5]]"),
    ("off the scale", None, "{a}\n[[3-4]]"), ("off the scale", None, "{a}\n[[-3]]"), ("off the scale", None, "{a}\n[[4/5]]"),
    ("off the scale", None, "{a}\nThe note is in reference [[4]] of the list."), ("off the scale", None, "{a}\n4"),
    ("off the scale", None, "{a}\n[[four]]"), ("off the scale", None, "{a}\n[[1-5]]"), ("off the scale", None, "{a}\n[[3]][[4]]"),
]
SCORES_ONLY = [
    ("off the scale", None, "{a}\n[[A: 6, B: 2]]"), ("off the scale", None, "{a}\n[[A: 0, B: 2]]"),
    ("off the scale", None, "{a}\n[[A: 3.5, B: 2]]"), ("off the scale", None, "{a}\n[[A: 4]]"), ("off the scale", None, "{a}\n[[4, 2]]"),
    ("off the scale", None, "{a}\n[[A: ?, B: ?]]"), ("off the scale", None, "{a}\n[[A: 4, A: 2]]"),
    ("off the scale", None, "{a}\n[[A: 4, B: 2, C: 3]]"), ("off the scale", None, "{a}\n[[A: 4 or 5, B: 2]]"),
    ("off the scale", None, "{a}\nA: 4, B: 2"), ("off the scale", None, "{a}\n[[A: 14, B: 2]]"), ("off the scale", None, "{a}\n[[A: 4-5, B: 2]]"),
]
TIER = [  # X and O are two of Good, Medium, Bad
    ("last line", "X", "{a}\nCategory: X"), ("last line", "X", "{a}\n**Category:** X."), ("last line", "X", "{a} Category: X"),
    ("last line", "X", "{a}\nFinal category: “X”"), ("last line", "X", '{a}\n{"category": "X"}'), ("last line", "X", "{a}\nCATEGORY: x"),
    ("last line", "X", "{a}\n<category>X</category>"), ("last line", "X", "{a}\n| Category | X |"), ("label first", "X", "Category: X\n\n{a}"),
    ("label first", "X", "Category: X. {a}"),
    ("two", None, "{a}\nCategory: X or O"), ("two", None, "{a}\nCategory: X/O"), ("two", None, "{a}\nCategory: X to O"),
    ("two", None, "{a}\nCategory: X\nCategory: O"), ("two", None, "Category: X. {a} Category: O"),
    ("negated", None, "{a}\nCategory: not X"), ("negated", None, "{a}\nCategory: X, if the last line is ironic"),
    ("negated", None, "{a}\nCategory: anything but X"), ("negated", None, "{a}\nCategory: X?"), ("negated", None, "{a}\nCategory: nearly X"),
    ("prose", None, "A X poem. {a}"), ("prose", None, "{a}\nX"), ("prose", None, "{a}\nCategory: Xish"), ("prose", None, "{a}\nCategory: X enough for most"),
    ("quoted", None, "The line “Category: X” was asked for. {a}"), ("quoted", None, "{a}\nAnother editor's category: X"),
    ("change", "O", "Category: X\nOn reflection, that is unfair. {a}\nCategory: O"), ("change", None, "Category: X\nWait, I misread it. {a}"),
]
POEMS = ["Ann Lee - Snow", "Bo Ruud - 1914", "Cy Orr - Low Water", "Dee Falk - Yes", "Eva Pym - Register"]
RANKED = [  # R: the list best first with falling scores; W: worst first, rising scores; E: worst first, equal scores
    ("plain", "R", "R"), ("plain", "R", "Here is my list:\n\nR"), ("plain", "R", "**Ranking**\nR\n\nThese were close."),
    ("plain", "R", "```\nR\n```"), ("plain", "R", "Ranked from best to worst:\nR"), ("plain", "R", "{a}\n\nR"),
    ("plain", "R", "1. First I read them all.\n2. Then again.\n\nFinal list:\nR"), ("plain", "R", "Strongest first:\n\nR"),
    ("worst first", None, "W"), ("worst first", None, "From worst to best:\nW"), ("worst first", None, "Here is the list:\nW\n{a}"),
    ("worst first", None, "From worst to best:\nE"), ("worst first", None, "In ascending order:\n\nE"), ("worst first", None, "Weakest first:\nE"),
    ("worst first", None, "Starting with the least creative:\nE"), ("worst first", None, "E\n\n(1 is the worst, 5 the best poem.)"),
    ("worst first", None, "Ranking (lowest score first)\nE"), ("worst first", None, "Ordered from the weakest up to the strongest:\nE"),
    ("worst first", None, "E\nNote: the list runs from bottom to top."), ("worst first", None, "Reverse order:\nE"),
    ("worst first", None, "Least to most creative:\nE"), ("worst first", None, "**Worst → best**\nE"), ("worst first", None, "Last place first:\nE"),
    ("worst first", None, "Sorted in increasing order of quality.\nE"), ("worst first", None, "The best poem comes last.\nE"),
    ("two lists", None, "R\n\nOr, from worst to best:\n\nE"), ("two lists", None, "From best to worst:\nR\n\nThe other way round:\n\nW"),
    ("change", None, "R\n\nWait, I have put the worst first."), ("change", None, "R\n\nOn reflection, this order is upside down."),
    ("faults", None, "{a}"), ("faults", None, "I cannot rank these."), ("faults", None, "Somebody else's list:\n- a\n- b"),
]


def part_of(kind, template, seed="labels-1"):
    """Return 'held' or 'tune', by a seeded hash of the template."""
    return "held" if hashlib.sha256(f"{seed}|{kind}|{template}".encode()).digest()[0] % 2 else "tune"


def like(sign):
    return f"[[{sign}]]"


SIGNS = ["A>>B", "A>B", "A=B", "B>A", "B>>A"]
KINDS = {  # kind: (templates, labels as written, the value that the parser returns for each)
    "yes_no": (YES_NO, ["Yes", "No"], ["Yes", "No"]),
    "likert5": (BRACKETED + LIKERT_ONLY, [like(sign) for sign in SIGNS], [2, 1, 0, -1, -2]),
    "grade": (BRACKETED + GRADE_ONLY, [like(n) for n in range(1, 6)], [1, 2, 3, 4, 5]),
    "evolvr": (BRACKETED + SCORES_ONLY, [f"[[A: {a}, B: {b}]]" for a in range(1, 6) for b in range(1, 6)],
               [(a, b) for a in range(1, 6) for b in range(1, 6)]),
    "tier": (TIER, ["Good", "Medium", "Bad"], ["Good", "Medium", "Bad"]),
}


def fill(template, sentences, rng, x="", o=""):
    """Return a template with its labels and its prose filled in; lower-case x and o in words of their own are lower-case labels."""
    marks = {"X": x, "O": o, "x": x.lower(), "o": o.lower(), "Q": x.strip("[]")} if x else {}
    text = re.sub(r"(?<![A-Za-z'])[XOxoQ](?=ish\b|[^A-Za-z]|$)", lambda match: marks.get(match[0], match[0]), template)
    while "{a}" in text:
        text = text.replace("{a}", " ".join(rng.sample(sentences, rng.randint(1, 4))), 1)
    while "{s}" in text:
        text = text.replace("{s}", rng.choice(sentences), 1)
    return text


def attacks(kind, part, each=100, seed=11):
    """Yield (class, template, text, truth) for a kind of label: `each` answers a template of this half."""
    if kind == "ranking":
        yield from ranked(part, each, seed)
        return
    templates, labels, values = KINDS[kind]
    rng = random.Random(f"{seed}|{kind}|{part}")
    for group, truth, template in templates:
        if part_of(kind, template) != part:
            continue
        for _ in range(each):
            i, j = rng.sample(range(len(labels)), 2)
            text = fill(template, SENTENCES[part], rng, labels[i], labels[j])
            yield group, template, text, {"X": values[i], "O": values[j], None: None}[truth]


def ranked(part, each, seed):
    """Yield attacks on ranked lists; the truth is the entries that the parser returns."""
    rng = random.Random(f"{seed}|ranking|{part}")
    for group, truth, template in RANKED:
        if part_of("ranking", template) != part:
            continue
        for _ in range(each):
            names = rng.sample(POEMS, rng.randint(3, 5))
            low, high = sorted(rng.sample(range(1, 6), 2))
            falling = sorted([high, low, *(rng.randint(low, high) for _ in names[2:])], reverse=True)
            lists = {"R": falling, "W": falling[::-1], "E": [low] * len(names)}
            text = template
            for mark, scores in lists.items():
                rows = "\n".join(f"{k}. {name}: {score}" for k, (name, score) in enumerate(zip(names, scores), 1))
                text = "\n".join(rows if line == mark else line for line in text.split("\n"))
            wanted = [(k, f"{name}: {score}") for k, (name, score) in enumerate(zip(names, falling), 1)] if truth else None
            yield group, template, fill(text, SENTENCES[part], rng), wanted


def count(parse, kind, part, each=100):
    """Return ({class: Counter of right, missed, wrong}, {template: first wrong (text, truth, found)}) of a parser."""
    table, wrong = {}, {}
    for group, template, text, truth in attacks(kind, part, each):
        found = parse(text)
        how = "right" if found == truth else "missed" if found is None else "wrong"
        table.setdefault(group, Counter())[how] += 1
        if how == "wrong":
            wrong.setdefault(template, (text, truth, found))
    return table, wrong


if __name__ == "__main__":
    print(json.dumps({kind: len(templates) for kind, (templates, *_) in KINDS.items()} | {"ranking": len(RANKED)}))
