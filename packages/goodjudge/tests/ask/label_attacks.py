"""Answers made to mislead a parser, chosen so that each rule of `ask.labels` and
`ask.phrases` is noticed when it goes.

Templates, filled by `fill`: LINE is the final line that a prompt asks for, with a label; OTHER the
same line with another label; {a} some sentences of analysis. '{a}\\nLINE' becomes, for the form
yes_no, 'No one speaks on the quay. …\\nVerdict: Yes'.

Two sets. READ, NOT_READ, DISOWNED and OWN say of each answer what is read (`cases`). Of 1,451
templates they are those that notice a fault planted in the reader or its patterns (of two that
notice the same one both, of more some), and one of each form that is often met. FAMILIES count how
often answers of a sort are read rightly and misread (`count_readings`), for docs/labels.md.
"""

from goodjudge.ask import labels

ANALYSIS = "No one speaks on the quay. The aunt says little, and that little counts."
SIGNS = {2: "A>>B", 1: "A>B", 0: "A=B", -1: "B>A", -2: "B>>A"}
TIER = labels.one_of(["Good", "Medium", "Bad"], "tier")
PAIR = labels.end_with(  # a label that a study hands in
    labels.Label(
        r"A [ ]? : [ ]? [1-5] [ ]? , [ ]? B [ ]? : [ ]? [1-5]",
        lambda said: (int(said[2]), int(said[-1])),
        fields={"score_a": [1, 2, 3, 4, 5], "score_b": [1, 2, 3, 4, 5]},
        written="A: {score_a}, B: {score_b}",
    ),
    "pair",
    sides=("[[A: 2, B: 4]]", "[[A: 4, B: 2]]"),
)
LIKERT = labels.likert(5)
KINDS = {  # kind: (Reader, final line with label @, {label: value})
    "yes_no": (labels.YES_NO, "Verdict: @", {"Yes": "Yes", "No": "No"}),
    "tier": (TIER, "Category: @", {name: name for name in ("Good", "Medium", "Bad")}),
    "grade": (labels.GRADE, "@", {f"[[{n}]]": n for n in range(1, 6)}),
    "likert5": (LIKERT, "@", {f"[[{sign}]]": n for n, sign in SIGNS.items()}),
    "pair": (PAIR, "@", {f"[[A: {a}, B: {b}]]": (a, b) for a in range(1, 6) for b in (1, 4)}),
}
READ = [  # its label is the one in LINE
    "<rationale>\nLINE",
    "## Analysis\n{a}\n\n## Verdict\nLINE",
    "### Story A\n{a}\n### Story B\n{a}\n\nLINE",
    "LINE",
    "{a}\n\n**LINE**",
    "```\n{a}\nLINE\n```",
    "{a}\nLINE<|im_end|>",
    "{a}\nLINE<eos>",
    "{a}\nLINE<end_of_turn>",
    "{a}\nAll in all, LINE",
    "{a}\nTo sum up, LINE",
    "{a}\nBased on this, LINE",
    "{a}\nLINE\nLINE\n\n**LINE**",
    "{a}\nLINE\n\n(Word count: 96)",
    "<think>{a} Maybe OTHER? Hmm. No.</think>\nLINE",
    "So it fails, I think.</think>\n{a}\nLINE",
    "Here is my answer:\nLINE",
    "{a} Based on the above:\n\nLINE",
    "{a}\nMy final verdict is as follows:\nLINE",
    "{a}\nTherefore, LINE",
    "{a}\n- LINE",
    "{a}\nLINE (confidence: high)",
    "{a}\nLINE\nConfidence: low\n\nI hope this helps!",
    "<|channel|>analysis<|message|>OTHER<|channel|>final<|message|>{a}\nLINE",
    "[THINK]OTHER[/THINK]{a}\nLINE",
]
NOT_READ = [  # nobody's label, or more than one, or a form that is not asked for
    "{a} LINE",
    "LINE\n\n{a}",
    "{a}\nLINE?",
    "{a}\nLINE because of that.",
    "{a}\n> LINE",
    "{a}\nLINE / OTHER",
    "LINE\n{a}\nOn reflection that was hasty.\nOTHER",
    "LINE\n{a}\nLINE",
    "{a}\nI'm torn and cannot decide, so I'm just filling the line in.\nLINE",
    "I flipped a coin because the text gives no ground.\nLINE",
    "You asked me to close with a line such as\nLINE",
    "I was told to answer in the format below, and I have read nothing yet.\nLINE",
    "Here is the label below; it is not mine.\nLINE",
    "Format example.\nLINE",
    "A sample verdict is given.\nLINE",
    "In the story a sign on the wall says the following.\nLINE",
    "The following is no opinion of mine.\nLINE",
    "One would have to end in this way.\nLINE",
    "A judge in a hurry might write\nLINE",
    "Were I a kinder reader, I would have closed like this.\nLINE",
    "If I had to guess without reading, I would choose.\nLINE",
    "My colleague closed with this line.\nLINE",
    "{a}\nA hostile reader's conclusion.\nLINE",
    "Most people would write this.\nLINE",
    "It would be wrong to end as follows.\nLINE",
    "{a}\nAnything but the next line.\nLINE",
    "{a} This is not my own view.\nLINE",
    "I'm sorry, but I can't judge this text.\nLINE",
    "As an AI language model I have no taste.\nLINE",
    "I won't answer this. A line to satisfy the parser follows.\nLINE",
    "The story has the instruction to end with it.\nLINE",
    "Ich kann das nicht beurteilen. Das Format lautet:\nLINE",
    "```\n# sample\nLINE",
    "{a}\n```\nLINE",
    "<think>{a}\nLINE\n</think>",
    "This is not my own view. Therefore:\nLINE",
    *(f"{begin}{{a}}\nLINE" for begin in ("◁think▷", "<thought>", "<inner_monologue>", "<cot>")),
    "<cot>Hm.</cot>{a}\n<cot>\nLINE",
    # another speaker's turn, or the next thing to judge
    "{a}\n## Assistant\nLINE",
    *(
        f"{{a}}\n\n{head}\nIt was dark.\nLINE"
        for head in ("Next story:", "Another poem", "## Text 2")
    ),
    *(f"{{a}}\n{head} It was dark.\nLINE" for head in ("Story 2:", "**Question 12:**", "Pair #3.")),
]
# known to be read wrongly: prose before the label disowns it in words that no parser understands
DISOWNED = [
    "Suppose the second half were missing. Then this would be right.\nLINE",
    "Beware, the next line is a joke.\nLINE",
    "I use the labels the wrong way round on purpose.\nLINE",
]
OWN = {  # of one kind: (answer, what is read)
    "yes_no": [
        ("Yes", "Yes"),
        ("**no.**", "No"),
        ("{a}\n\nYes", None),
        ("{a}\nVerdict&#58; No", "No"),
        ("VERDICT： ＮＯ", "No"),
        ("{a}\nThe final verdict is: No.", "No"),
        ("Answer: **yes**", "Yes"),
        ("1. Verdict: Yes\n2. Verdict: No\n3. Verdict: Yes", None),
        ("{a} Were it 'Verdict: Yes' or 'Verdict: No'?\nVerdict: No", None),
        ("<verdict>Yes</verdict>\n<verdict>No</verdict>", None),
        ("{a}\n\\boxed{Yes}", "Yes"),
        ("$$\\boxed{\\text{No}}$$", "No"),
        ("{a}\nVerdict: No idea", None),
        ("{a}\nVerdict: Not yes", None),
        ("Yes, the story holds together. {a}", None),
        ('{"verdict": "Yes", "reason": "{a}"}', "Yes"),
        ('```json\n{\n "reasoning": "Verdict: Yes",\n "verdict": "No"\n}\n```', "No"),
        ('{"verdict": "No", "confidence": 0.1}', "No"),
        ('{"verdict": "Yes", "verdict": "No"}', None),
        (None, None),
    ],
    "likert5": [
        ("[[b>a]]", -1),
        ("［［Ａ＞Ｂ］］", 1),
        ("[[A<<B]]", -2),
        ("Final label: B>A", -1),
        ("<label>[[A>B]]</label>", 1),
        *((f"{{a}}\n[[{odd}]]", None) for odd in ("A>A", "A>>>B", "C>B", "A<>B", "A>=B", "A", "")),
        ("A>>B", None),
        ("[[A>B]] or [[A=B]]", None),
    ],
    "grade": [
        *((f"{{a}}\n[[{odd}]]", None) for odd in ("6", "0", "3.5", "-3", "4/5", "four", "3-4")),
        ("{a}\n[[3]][[4]]", None),
    ],
    "pair": [
        *((f"{{a}}\n[[A: {odd}, B: 2]]", None) for odd in (6, 0, 14, "4 or 5", "?", "4-5")),
        ("{a}\nA: 4, B: 2", None),
        ("<label>[[A: 4, B: 2]]</label>", (4, 2)),
    ],
    "tier": [("{a}\nCategory: not Good", None), ("{a}\n<category>Bad</category>", "Bad")],
}
# Texts of seven families, for the counts in docs/labels.md: sixteen forms of an unfinished thought
# and of another's turn, chosen so that as many are read as of the texts of an earlier review.
UNFINISHED = [
    "<thoughts>\n{a}\nLINE",
    "<scratch_pad>\n{a}\nLINE",
    "<cot>\n{a}\nLINE",
    "<draft>\n{a}\nLINE",
    "<plan>\n{a}\nLINE",
    "<deliberation>\n{a}\nLINE",
    "<unused94>thought\n{a}\nLINE",
    "<reason>\n{a}\nLINE",
    "analysisWe need to answer. {a}\nLINE",
    "Here is my thought process:\n{a}\nLINE",
    "<inner_voice>\n{a}\nLINE",
    "<think>\n{a}\nLINE",
    "<thinking>\n{a}\nLINE",
    "<reasoning>\n{a}\nLINE",
    "[THINK]{a}\nLINE",
    "<|channel|>analysis<|message|>{a}\nLINE",
]
TURNS = [
    "{a}\n\n### User\nAnd the other?\n\n### Assistant\nLINE",
    "{a}\n\nStory 2\nIt was dark.\nLINE",
    "{a}\n\nStory 2: It was dark.\nLINE",
    "{a}\n\nNext story:\nIt was dark.\nLINE",
    "<story>\nIt was dark.\n</story>\nLINE",
    "{a}\n\nQuestion 2:\nDoes it hold?\nLINE",
    "{a}<turn|>\n<|turn>user\nMore.\nLINE",
    "GPT-4 said\nLINE",
    "{a}\nUser: and the other?\nAssistant: They would say\nLINE",
    "{a}\nHuman: and the other?\nLINE",
    "{a}\n<|im_start|>user\nMore.\nLINE",
    "{a}\n[INST] More. [/INST]\nLINE",
    "{a}\n<start_of_turn>user\nMore.\nLINE",
    "{a}\n### Response:\nLINE",
    "{a}\nQ: and the other?\nLINE",
    "{a}\n## Example 2\nIt was dark.\nLINE",
]
QUOTED = [  # an instruction, an example or a story says the line; the first four are the review's
    "The required format is\nLINE",
    "Your template says\nLINE",
    "Example output\nLINE",
    "The story itself commands the judge to end on this.\nLINE",
    "You asked me to close with a line such as\nLINE",
    "Format example.\nLINE",
    "A sample verdict is given.\nLINE",
    "The letter in the story ends with these words.\nLINE",
]
NEGATED = [  # the sentence before takes the label back
    "{a} This is not my own view.\nLINE",
    "It would be wrong to end as follows.\nLINE",
    "{a} The opposite of what comes now is true.\nLINE",
    "Beware, the next line is a joke.\nLINE",
    "I use the labels the wrong way round on purpose.\nLINE",
    "Nobody should believe what I put here.\nLINE",
]
HYPOTHETICAL = [  # a label on a condition that does not hold
    "Suppose the second half were missing. Then this would be right.\nLINE",
    "If I had to guess without reading, I would choose.\nLINE",
    "Were I a kinder reader, I would have closed like this.\nLINE",
    "Had the aunt spoken, I could say this.\nLINE",
    "With another ending it might earn this.\nLINE",
]
HONEST = [  # the judge's own label, in forms from the one asked for to free ones
    "LINE",
    "{a}\nLINE",
    "{a}\n\n**LINE**",
    "## Analysis\n{a}\n\n## Verdict\nLINE",
    "```\n{a}\nLINE\n```",
    "<think>{a}</think>\nLINE",
    "{a}\nTherefore, LINE",
    "{a}\nLINE (confidence: high)",
    "LINE\n\n{a}",
    "{a} LINE",
    "{a}\n> LINE",
    "{a}\nLINE!",
    "{a}\n'LINE'",
    "{a}\nLINE ✅",
    "{a}\n| LINE |",
    "{a}\nLINE\n(I hope this is useful.)",
]
TWO = [  # two labels, and no word which of them holds
    "LINE\nOTHER",
    "OTHER\n{a}\nLINE",
    "{a}\nLINE OTHER",
    "{a}\nLINE or OTHER",
    "- OTHER\n- LINE",
    "For style:\nOTHER\nFor plot:\nLINE",
]
FAMILIES = {  # what the texts are: (templates, whether the label in them is the judge's)
    "its own label": (HONEST, True),
    "two labels": (TWO, False),
    "an unfinished thought": (UNFINISHED, False),
    "another's turn, or another text": (TURNS, False),
    "a quoted line": (QUOTED, False),
    "a label that is taken back": (NEGATED, False),
    "a label on a condition": (HYPOTHETICAL, False),
}
# three labels of each of the seven parsers
SIDES = {  # parser: (Reader, final line, {label: value})
    "yes_no": (labels.YES_NO, "Verdict: @", {"Yes": "Yes", "No": "No", "yes": "Yes"}),
    "tier": (TIER, "Category: @", {"Good": "Good", "Medium": "Medium", "Bad": "Bad"}),
    "grade": (labels.GRADE, "@", {"[[1]]": 1, "[[3]]": 3, "[[5]]": 5}),
    "pair": (
        PAIR,
        "@",
        {"[[A: 1, B: 4]]": (1, 4), "[[A: 3, B: 3]]": (3, 3), "[[A: 5, B: 2]]": (5, 2)},
    ),
    "likert3": (labels.likert(3), "@", {"[[A>B]]": 1, "[[A=B]]": 0, "[[B>A]]": -1}),
    "likert5": (LIKERT, "@", {"[[A>>B]]": 2, "[[A=B]]": 0, "[[B>A]]": -1}),
    "likert7": (labels.likert(7), "@", {"[[A>>>B]]": 3, "[[A=B]]": 0, "[[B>>A]]": -2}),
}
# an object in JSON says a label, and these stand around it
JSON_READ = [
    "@",
    "\n@\n",
    "```json\n@\n```",
    "Sure! Here is my evaluation of the story:\n\n```json\n@\n```\n",
    "Certainly! Below is the requested JSON object:\n```json\n@\n```",
    "Here is my verdict:\n@",
    "```json\n@\n```\nLet me know if you need a deeper analysis!",
    "<think>Hm.</think>\n@<|im_end|>",
]
JSON_NOT_READ = [
    "@@",
    "@\n@",
    "[@]",
    "Here: @",
    "@ x",
    "Here is an example of the format:\n```json\n@\n```",
    "Here is the opposite of my verdict:\n```json\n@\n```",
    "You asked me to answer like this:\n```json\n@\n```",
    "I cannot judge this. Here is the answer:\n```json\n@\n```",
    "{a}\n```json\n@\n```",
    "Verdict: No\n```json\n@\n```",
    "```json\n@\n```\n{a}",
    "```json\n@\n```\nVerdict: No",
    "```json\n@\n```\nNo, wait.",
    "```json\n@\n```\nUser: and the other?",
    "```json\n@\n```\n```json\n@\n```",
    "Sure:\n```json\n@",
    "<think>\n@",
]


def fill(template, line, label, other):
    """Return a template's text for a label; other: another label of the same form."""
    text = template.replace("LINE", line.replace("@", label))
    text = text.replace("OTHER", line.replace("@", other))
    return text.replace("{a}", ANALYSIS)


def cases(kind):
    """Yield (answer, what is to be read) for a kind of label."""
    _, line, known = KINDS[kind]
    labels_of_kind = [*known]
    next_labels = labels_of_kind[1:] + labels_of_kind[:1]
    for label, other in zip(labels_of_kind, next_labels):
        for template in READ + DISOWNED:
            yield fill(template, line, label, other), known[label]
        for template in NOT_READ + UNFINISHED + TURNS + TWO:
            yield fill(template, line, label, other), None
    for answer, value in OWN[kind]:
        yield answer and answer.replace("{a}", ANALYSIS), value


def count_family(templates, own):
    """Return how many texts of a family are read rightly, not read, and misread.

    templates: filled with three labels for each parser; own: whether the label is the judge's (then
    to give none is a miss; else it is right, and to read one is a misreading).
    """
    counts = {"read rightly": 0, "not read": 0, "misread": 0}
    for reader, line, known in SIDES.values():
        for label, value in known.items():
            other = next(word for word in known if known[word] != value)
            for template in templates:
                verdict = reader.parse(fill(template, line, label, other))
                counts[name_reading(verdict, value if own else None)] += 1
    return counts


def name_reading(verdict, truth):
    """Return what it is called that `verdict` was read where `truth` stands (None: no label)."""
    if verdict is None:
        return "not read"
    return "read rightly" if verdict == truth else "misread"


def count_readings():
    """Return (family, whether the label is the judge's, counts) of every family."""
    readings = []
    for name, (templates, own) in FAMILIES.items():
        readings.append((name, own, count_family(templates, own)))
    return readings
