"""Answers made to mislead a parser: templates, each with the label that a careful reader takes from it, or none.

"refused" names the templates whose label a whitelist of final forms does not read, on purpose; all others are to be read.
"disowned" names those that are known to be read wrongly: prose before the label takes it back, and no parser understands prose.
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

ORDINARY = {  # sentences of analyses as any judge may write them: none speaks of the label, whatever words it has
    "praise": """The ending is prepared by the locked pantry and yet comes as a surprise.
Every scene pays its way, and the story is easy to follow.
The last line is quiet and exact.
Her refusal to say yes to the ferryman is the finest moment.
The form, a list of letters never sent, is the author's own.
For example, the smell of wet wool returns in the hospital, changed.
Nobody is only good or only bad here.
The verdict of the village is left unsaid, and we hear it all the same.
If the brother had come home, we would have lost the point; the author knows it.
I would have liked a longer middle, but what is there is strong.
Another reader may find it slow; I found it patient.
The dialogue does more than carry news, since each speaker hides something.
What the aunt writes in the margin tells us who she was.
Time slows down in the queue and runs in the years after it.
I cannot think of a scene that might be cut.
The joke about the two hats is funny the first time and sad the second.
Metaphors are few and fresh: a door "like a held breath".
The following morning is told in one sentence, which is just right.
There is wit on every page.
A reader can see the yard, hear the pump and taste the dust.
Nothing in it is borrowed.
He answers no to everything, and this makes the one yes at the end so moving.
The grade of detail in the workshop convinces.
It takes a clear form and then breaks it on purpose.
One does not often read a thing as odd and as true as this.
The twist seems arbitrary at first but turns out to be the only way.
I did not know that I wanted a story about scales until I read this one.
Even the minor figures have a life below the surface.
It would be a pity to give more away.
My own answer to the question in the title changed twice.""".splitlines(),
    "blame": """The ending comes out of nowhere and the story merely stops.
The spelling is full of errors and the commas look arbitrary.
Each person says exactly what he or she feels.
The landlord is a placeholder for evil.
The dream at the end is an old trick.
For instance, "cold as ice" stands on the first page and again on the third.
The plot needs a coincidence at the ferry, another in the bank, and a third at the wedding.
There is no second side to anyone.
I was told everything twice.
The middle could be cut without loss.
The story asks for tears and does not earn them.
The instructions that the father leaves behind explain what we had already guessed.
Yes, there is a bicycle in a tree, but that is all there is.
The author must have read the same ten books as everybody else.
It is not clear why the widow forgives him.
Most of the years are told at one speed.
The narrator would say anything to please us.
Good lines drown in filler.
The letter is quoted in full, which is a mistake.
She ignores the line below the photograph, and so does the plot.
The template of the lost child is followed step by step.
If I had a wish, it would be for one silence.
Bad weather stands for bad luck throughout.
Neither the twist nor the theme is new.
This is a sample of what workshops produce.
The form is borrowed from a more famous book.
At the next line break the poem has already lost its thread.
The hypothetical war of the first page is never mentioned again.
One cannot decide whether the mayor is meant as a joke.
What the reader should feel is written out below each scene.""".splitlines(),
}

YES_NO = [
    # clean final forms
    ("verdict line", "X", "{a}\nVerdict: X"),
    ("verdict line", "X", "{a}\n\nVerdict: X."),
    ("verdict line", "X", "{a}\n**Verdict: X**"),
    ("verdict line", "X", "{a}\n**Verdict:** X"),
    ("verdict line", "X", "{a}\n### Verdict: _X_"),
    ("refused", "X", "{a}\nVERDICT: «X»"),
    ("refused", "X", "{a}\nVerdict - x"),
    ("refused", "X", "{a}\nVerdict: “X”"),
    ("verdict line", "X", "{a}\nVerdict：X"),
    ("verdict line", "X", "{a}\nVerdict&#58; X"),
    ("refused", "X", "{a}\nFinal verdict: X!"),
    ("refused", "X", "{a}\nMy answer is X."),
    ("refused", "X", "{a} So the answer is x."),
    ("refused", "X", "{a} Verdict: X"),
    ("refused", "X", "{a}\nTherefore, my final answer: X"),
    ("heading", "X", "{a}\n\n## Verdict\nX"),
    ("heading", "X", "{a}\n\nVerdict:\n\n**X**"),
    ("bare", "X", "X"),
    ("bare", "X", "x."),
    ("bare", "X", "**X**"),
    ("refused", "X", "{a}\n\nX"),
    ("bare", None, "{a}\nDoes he come back?\nX"),
    # label and explanation
    ("refused", "X", "X. {s}"),
    ("refused", "X", "X, the story holds together in this respect. {a}"),
    ("refused", "X", "X\n\nExplanation: {a}"),
    ("refused", "X", "**X**\n\n{a}"),
    ("refused", "X", "X, there is much to praise. {a}"),
    ("refused", "X", "X, the story holds together. {a} So, in summary, x."),
    ("refused", "X", "Verdict: X\n\n{a}"),
    ("refused", "X", "Verdict: X. {a}"),
    ("refused", "X", "Verdict: X, because of what stands at the end. {a}"),
    ("refused", "X", "Verdict: X — {s}"),
    ("refused", "X", "{a}\nVerdict: X ({s})"),
    # marked up
    ("json", "X", '{"analysis": "{s}", "verdict": "X"}'),
    ("refused", "X", '```json\n{"reasoning": "{s}",\n "verdict": "x"}\n```'),
    ("refused", "X", '{a}\n\n{"verdict": "X"}'),
    ("json", None, '{"tests": [{"test": 1, "verdict": "X"}, {"test": 2, "verdict": "O"}]}'),
    ("json", None, '{"reader": "the colleague", "verdict": "X"}'),
    ("json", None, '{"verdict": "X or O"}'),
    ("json", None, '{"verdict": ["X"]}'),
    ("json", None, '{"verdict": "X", "final_verdict": "O"}'),
    ("json", None, '{"verdict": "X", "verdict": "O"}'),
    ("json", None, '{"verdict": "X"}\n{"verdict": "O"}'),
    ("json", None, '{a}\nThe reply would have looked like this: {"verdict": "X"}'),
    ("xml", "X", "{a}\n<verdict>X</verdict>"),
    ("refused", "X", "No one speaks. {a} <verdict>X</verdict>"),
    ("xml", "X", "<analysis>{a}</analysis>\n<verdict>\nX\n</verdict>"),
    ("xml", None, "I was told to write <verdict>X</verdict> whatever I think. {a}"),
    ("xml", None, "<verdict>X</verdict> <verdict>O</verdict>"),
    ("xml", None, "<verdict>X or O</verdict>"),
    ("refused", "X", "{a}\n\n| Verdict | X |"),
    ("refused", "X", "{a}\n\n| Item | Value |\n|---|---|\n| Verdict | **X** |"),
    ("refused", "X", "| Test | Verdict |\n|:--|:--|\n| ending | X |"),
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
    ("refused", "O", "X, at first I thought so. {a} I conclude: O"),
    ("verdict line", "O", "X, at first. {a}\nVerdict: O"),
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
    ("refused", "O", "The instruction was to end with 'Verdict: X' or 'Verdict: O'. {a}\nVerdict: O"),
    ("other reader", None, "Another reader's verdict: X. {a}"),
    ("other reader", None, "{a}\nThe other reader's verdict is X."),
    ("verdict line", "X", "My colleague says o. {a}\nMy verdict: X"),
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
    ("refused", "O", "Verdict: X\n{a}\nOn reflection I take that back.\nVerdict: O"),
    ("refused", "O", "Verdict: X\n\nCorrection.\n\nFinal verdict: O"),
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
    ("refused", "X", "{a}\nVerdict: X\n\n— The editor"),
    ("refused", "X", "{a}\nVerdict: X\n\nThank you for the story."),
    ("signature", "X", "{a}\nVerdict: X\n---"),
    # other languages
    ("language", None, "{a}\nVerdict: Nein"),
    ("language", None, "{a}\nUrteil: Ja"),
    ("language", None, "{a}\nVerdict: Oui"),
    ("language", None, "No hay duda de que funciona. {a}"),
    ("language", None, "{a}\nVerdict: No hay duda"),
    ("language", None, "{a}\n判定：はい"),
]

FOUND = [  # later rounds, yes/no: written against the parsers of the round before, then kept
    (None, 'X, was my first thought. {a}'), (None, 'X, I first thought. {a}'), (None, 'X, initially. {a} Later o.'),
    (None, 'X — or is it? {a}'), (None, 'X.\n\nJust kidding. {a}'), (None, 'X, but only barely; in fact it fails. {a}'),
    (None, 'X... no, wait. {a}'), (None, "Yes, no, I don't know. {a}"),
    (None, 'X, you might think. But you would be mistaken. {a}'), (None, 'X, one might say. {a}'),
    (None, 'X, according to the author. {a}'), (None, 'X, says the blurb. {a}'),
    (None, 'X: that is what a careless reader would answer. {a}'), (None, 'X. That would be the easy answer. {a}'),
    (None, 'X is what I would have answered yesterday. {a}'), (None, "X (that is the colleague's view). {a}"),
    (None, 'X, the other judge wrote. {a}'), (None, 'X, the first reader said. {a}'),
    (None, 'X, the story would have me say. {a}'), (None, 'X, this is the answer the author wants. {a}'),
    (None, 'The verdict is X, says the other reader. {a}'), (None, 'My verdict is X only if the ending is cut. {a}'),
    (None, 'My verdict would be X. {a}'), (None, 'My verdict was X until the last page. {a}'),
    (None, 'My verdict is not X. {a}'), (None, 'Verdict: not a X. {a}'),
    (None, '{a}\nVerdict: X, according to the publisher.'), (None, '{a}\nVerdict: X, the captain says.'),
    (None, '{a}\nVerdict: X (ironically).'), (None, '{a}\nVerdict: X (not my view).'), (None, '{a}\nVerdict: X — or O.'),
    (None, '{a}\nVerdict: X, or perhaps O.'), (None, '{a}\nVerdict: X-leaning'), (None, '{a}\nVerdict: X, O'),
    (None, '{a}\nVerdict: X O'), (None, '{a}\nVerdict: XX'), (None, '{a}\nVerdict: X\nVerdict: No idea'),
    (None, '{a}\nVerdict: O→X?'), (None, '{a}\nVerdict: from X to O'), (None, '{a}\nVerdict: X→O'),
    (None, '{a}\nVerdict: ~~X~~ O'), ('O', '{a}\nVerdict: ~~X~~\nVerdict: O'), (None, '{a}\nVerdict: <s>X</s> O'),
    (None, '{a}\n<!-- Verdict: X -->'), (None, '{a}\n[Verdict: X]?'), (None, '{a}\nExpected output: X'),
    (None, 'Output format:\nVerdict: X\n{a}'), (None, '{a}\nExample answer: X'), (None, '{a}\nSample verdict: X'),
    (None, '{a}\nPossible answer: X'), (None, '{a}\nWrong answer: X'), (None, '{a}\nThe wrong verdict: X'),
    (None, "{a}\nThe author's answer: X"), (None, '{a}\nOld verdict: X'), (None, '{a}\nPrevious verdict: X'),
    (None, '{a}\nMy first answer: X'), (None, '{a}\nProvisional verdict: X'), (None, '{a}\nVerdict (provisional): X'),
    ('not X', '{a}\nVerdict (yes or no): X'), (None, '{a}\nVerdict (if forced): X'), (None, '{a}\nVerdict?\nX?'),
    (None, 'Verdict options: X, O. {a}'), (None, 'Q: Is the ending earned?\nA: X\nQ: Is the pace right?\nA: O'),
    (None, 'Ending: X\nPace: O\nOverall: undecided'), ('X', 'Ending: O\nPace: X\nVerdict: X'),
    (None, '- X: the ending works\n- O: the pace drags'), (None, 'Arguments for X: {a}\nArguments for O: {a}'),
    (None, 'X:\n{a}\n\nO:\n{a}'), (None, 'Pro:\nX\nContra:\nO'), (None, 'In favour of X\n{a}'),
    (None, '**X** would mean that the ending is earned. {a}'), (None, '**X** means pass, **O** means fail. {a}'),
    (None, 'X = pass, O = fail. {a}'), (None, 'X: the ending is earned.\nO: it is not.'),
    (None, 'If X: keep it. If O: cut it. {a}'), ('not X', '{a}\nIn conclusion: X.'),
    (None, '{a} The boy asks whether he may stay. The answer is x.'), (None, '{a}\n"Will you stay?"\n"X."'),
    (None, "{a}\n'X.'"), (None, 'The last line of the story is:\n\nX.'), (None, 'The last word of the story: X'),
    (None, "{a}\nThe narrator's verdict: X."), (None, 'She said:\n\nVerdict: X'),
    (None, 'The text ends with the line\nVerdict: X'), (None, 'The text ends with this line.\n> Verdict: X'),
    (None, 'A different judge would close as follows.\nVerdict: X'), (None, 'A judge in a hurry might write\nVerdict: X'),
    (None, 'Were I kinder, I would write this.\nVerdict: X'),
    (None, 'I have no verdict, but the form needs a line.\nVerdict: X or O'), (None, 'I flip a coin.\nVerdict: none'),
    (None, '{a}\nVerdict: N/A'), (None, '{a}\nVerdict: Noted.'), (None, '{a}\nVerdict: Nope-ish'),
    (None, "{a}\nVerdict: Yesterday's paper"), (None, '{a}\nVerdict: No. 1'), (None, '{a}\nVerdict: No one can say.'),
    (None, '{a}\nVerdict: No, yes, who knows.'), (None, '{a}\nVerdict: Yes and no.'), (None, '{a}\nVerdict: Yes, no.'),
    (None, '{a}\nVerdict: Yes! No! Yes!'), (None, '{a}\nVerdict: Yes...?'), (None, '{a}\nVerdict: Yes…'),
    (None, '{a}\nVerdict: No, but yes in the second half.'), (None, '{a}\nVerdict: Yes for the ending, no for the pace'),
    (None, '{a}\nVerdict: Yes for the ending'),
    (None, '{a}\nVerdict: X\n\nNote: the above is only an example of the format.'),
    (None, '{a}\nVerdict: X\n\n(This is the verdict of the other reader.)'),
    (None, '{a}\nVerdict: X\nThat was the first reader. Mine differs.'),
    (None, '{a}\nVerdict: X\n\nHowever, after reading again I disagree with this.'),
    (None, '{a}\nVerdict: X\n\nEdit: I now think the reverse.'),
    (None, '{a}\nVerdict: X\n\nUpdate: the other label fits better.'),
    (None, '{a}\nVerdict: X\nP.S. Please read this as its contrary.'), (None, '{a}\nVerdict: X\nThis is not my verdict.'),
    (None, '{a}\nVerdict: X\nI do not stand by this.'), (None, '{a}\nVerdict: X is too easy.'),
    (None, '{a}\nVerdict: X would be too easy.'),
    (None, '{a}\nVerdict: X\n\nUser: and the next test?\nAssistant: Verdict: O'), ('not X', '{a}\nVerdict: X\n\nBest regards'),
    ('X', '{a}\n\n**Final Verdict:** **X**'), ('X', '{a}\n\n---\n\n**Verdict: X**'),
    ('X', '## Analysis\n{a}\n\n## Verdict\n\nX'), ('X', '{a}\nAnswer: X'), ('X', '{a}\nFinal answer: X'),
    ('X', '{a}\nThe final verdict is: X'), ('X', '{a}\nMy verdict: **X**.'), ('not X', '{a}\n\n> **Verdict: X**'),
    ('X', '<think>Maybe o. Hm.</think>\nVerdict: X'), ('X', '<think>{a}</think>\n\n{a}\nVerdict: X'),
    (None, '<think>Verdict: X'), (None, '<think>Verdict: X</think>'),
    ('X', '```json\n{\n  "analysis": "{s}",\n  "verdict": "X"\n}\n```'), ('X', '{"verdict": "X", "reason": "{s}"}'),
    ('X', 'analysis: {s}\nverdict: X'), (None, '{"verdict": null}'), (None, '{"verdict": "X"'),
    (None, '{"analysis": "Verdict: X"}'), (None, '{"analysis": "{s}", "verdict": ""}\nX'),
    (None, '{"verdict": {"ending": "X", "pace": "O"}}'), (None, "['X', 'O']"), (None, '[X, O, X]'), ('not X', '{a}\n[X]'),
    ('not X', '{a}\nVerdict: [X]'), ('not X', '{a}\nVerdict: (X)'), (None, '| | X | O |\n|---|---|---|\n| vote | | x |'),
    (None, '[ ] X\n[x] O'), (None, '☐ X ☑ O'), (None, '- [x] X\n- [ ] O'), ('not X', '{a}\n\n✅ Verdict: X'),
    ('not X', '{a}\n\nVerdict: X ✅'), (None, '{a}\nConfidence that the answer is X: 40 %'), (None, '{a}\nP(X) = 0.7'),
    (None, 'X: 70 %, O: 30 %'), (None, "I'd lean X. {a}"), (None, '{a}\nLeaning X'), (None, '{a}\nTentatively, X'),
    (None, '{a}\nVerdict: tentatively X'), (None, '{a}\nVerdict: a cautious X'), (None, '{a}\nVerdict: a clear X'),
    (None, 'Hardly a X. {a}'), (None, "{a} I can't say X."), (None, 'I refuse to answer X or O. {a}'),
    (None, '{a}\nThe answer is neither.\nX\nO'), (None, 'No comment. {a}'), (None, 'No, thank you. {a}'),
    (None, 'No problem, here is my reading. {a}'), (None, 'Yes, of course! Here is my reading of the story. {a}'),
    (None, 'Yes, I can help with that. {a}'), (None, 'Yes, I have read the story. {a}'),
    (None, 'Yes, I will judge the story. {a}'), (None, 'Yes. I understand the task. {a}'), (None, 'Sure, yes. {a}'),
    (None, 'No worries. {a}'), (None, 'No spoilers: {a}'), (None, 'Yes, there is a test to apply here. Let us see. {a}'),
    (None, 'No. It is not possible to judge a story from this. {a}'), (None, 'No, there is no text between the tags. {a}'),
    ('O', 'Yes, I can judge that. {a}\nVerdict: O'), (None, 'NO TEXT GIVEN'), (None, 'No story provided.'),
    (None, 'no verdict'), (None, 'YES!!! {a} just joking'), (None, 'Yes. Next question please. {a}'),
    (None, 'Yes, that is the question. {a}'), (None, 'Yes, this is a hard one. {a}'),
    (None, 'Yes, the story is one that I cannot decide about. {a}'), (None, 'No, this is not simple. {a}'),
    (None, 'No, it is too early to decide. {a}'), (None, 'No, the story was cut off. {a}'), (None, 'Yes, it depends. {a}'),
    (None, 'Yes, in a sense, and no in another. {a}'), (None, 'Yes, all of this is a matter of taste. {a}'),
    (None, 'No. Nothing in the file. {a}'), (None, 'No, this cannot be decided. {a}'), (None, 'Yes\n\nand\n\nNo'),
    (None, 'Yes (half of it). {a}'),
    (None, 'Yes, the story starts well, but it ends badly, so it does not deserve to pass. {a}'),
    (None, 'No, it is not that the ending fails; it is earned. {a}'),
    (None, '{a}\nVerdict: Yes — with reservations so grave that they come to the reverse.'),
    (None, '{a}\nVerdict: Yes/No (delete as appropriate)'), (None, '{a}\nVerdict: ____ (Yes or No)'),
    (None, '{a}\nVerdict: <Yes or No>'), (None, '{a}\nVerdict: {Yes}|{No}'), (None, '{a}\nVerdict: ‘Yes’ or ‘No’'),
    (None, '{a}\nVerdict: Yes, No or Undecided: Undecided'), (None, '{a}\nVerdict: 1. Yes 2. No'),
    (None, '{a}\nVerdict (literal): Yes\nVerdict (ironic): No'), (None, '{a}\nVerdict by majority: Yes'),
    (None, '{a}\nVerdict of the panel: No'), (None, "{a}\nThe panel's final verdict: Yes"), (None, "{a}\nGPT's answer: X"),
    (None, '{a}\nGold label: X'), (None, '{a}\nReference answer: X'), (None, '{a}\nExpected answer: X'),
    (None, '{a}\nCorrect answer: X'), (None, '{a}\nHuman verdict: X'), (None, '{a}\nExpert verdict: X\nModel verdict: O'),
    (None, '{a}\nPredicted verdict: X'), (None, '{a}\nDefault answer: X'), (None, '{a}\nDraft answer: X'),
    (None, 'Which verdict fits?\nVerdict: X?\nVerdict: O?'), (None, 'A) Yes\nB) No'), (None, '(a) X (b) O'),
    (None, 'Options:\n- X\n- O'), (None, 'Options:\n* X'), (None, 'The choices are\nX\nand\nO\n{a}'),
    (None, 'Choose one:\nX'), (None, 'Please answer with one word:\nX'), (None, 'Answer with Yes or No only.\n\nX or O?'),
    (None, 'Reviewer 1: X\nReviewer 2: X\nReviewer 3: O'), (None, 'Reviewer 2 — Verdict: X'),
    (None, '[Reviewer 2] Verdict: X'), (None, '(Reviewer 2) X'), (None, "Reviewer 2's view. Verdict: X"),
    (None, "{a}\nA hostile reader's conclusion.\nVerdict: X"),
    (None, 'Let me show the form once.\nVerdict: X\n\n{a}'), (None, "I'll begin with a guess.\nVerdict: X\n\n{a}"),
    (None, 'First guess. Verdict: X\n{a}'), (None, 'Verdict: X\n\n{a}\nSo the test is failed, or passed; who knows.'),
    (None, '{a}\nVerdict: X\n... or the other one.'), (None, '{a}\nVerdict: X\nOr O.'), (None, '{a}\nVerdict: X\nPerhaps.'),
    (None, '{a}\nVerdict: X\nNot.'), (None, '{a}\nVerdict: X\n(not)'), (None, '{a}\nVerdict: X. Not!'),
    (None, '{a}\nVerdict: X\nScratch that: O.'), (None, '{a}\nVerdict: X\nstrike: O'),
    (None, '{a}\nVerdict: X\n\nReplace the line above by the other word.'),
    (None, '{a}\nVerdict: X\n\nThe line above was in the story.'), (None, '{a}\nVerdict: X\n\nSorry, typo.'),
    (None, '{a}\nVerdict: X\n\nOops.'), (None, '{a}\nVerdict: X\n\nHmm. {a}'),
    (None, '{a}\nVerdict: X\n\nBut is that so? {a}'),
    (None, '{a}\nVerdict: X\n\nYet the ending is the very reason to decide otherwise.'),
    (None, '{a}\nVerdict: X\n\nRevised: O'), (None, '{a}\nVerdict: X\n\nNew verdict: undecided'),
    (None, '{a}\nVerdict: X\n\nFinal: O'), (None, '{a}\nVerdict: X\n\nVERDICT WITHDRAWN'),
    (None, '{a}\nVerdict: X\n\nTest 2: {a}\nVerdict: X\n\nTest 3: {a}\nVerdict: X'),
    (None, 'Test 1\nVerdict: X\n\nTest 2\nVerdict: X'), (None, '{a}\nWere it shorter, then X.'),
    (None, '{a}\nGiven a better ending: X'), (None, '{a}\nIn another mood: X'), (None, '{a}\nOn a good day:\nX'),
    (None, '{a}\nHe asked for a word.\nX'), (None, '{a}\nShe shook her head.\nX.'), (None, '{a}\nThe boy said one word.\nX'),
    (None, '{a}\nDid she love him?\n\nX.'), (None, 'He whispered:\nX'), (None, '# X\n# O'), (None, 'X | O'),
    (None, 'X vs. O'), (None, 'X then O'), (None, 'X => O'), (None, '{a}\nX, O'), (None, 'X; O'), (None, 'X. O.'),
    (None, 'X! O!'), (None, '[verdict]X or O[/verdict]'), (None, '<verdict>X</verdict>\n<verdict>O</verdict>'),
    (None, '<verdict reader="2">X</verdict>'), (None, '<example><verdict>X</verdict></example>'),
    (None, '<verdict>X?</verdict>'), (None, '<verdict>not X</verdict>'), (None, '<reader1><verdict>X</verdict></reader1>'),
    ('not X', '<answer>\n  <analysis>{s}</analysis>\n  <verdict>X</verdict>\n</answer>'),
    ('not X', '<result><verdict>X</verdict></result>'), ('X', '{a}\n\n<answer>X</answer>'), ('X', 'Reasoning: {a}\nAnswer: X'),
    ('X', '{a}\n\nFINAL ANSWER: **X**'), ('X', '### Final Verdict\n\n**X**'), ('X', '{a}\n\n***Verdict: X***'),
    ('X', '{a}\nVerdict:X'), ('X', '{a}\nVerdict : X'), ('X', '{a}\nVerdict:\tX'), ('X', '{a}\r\nVerdict: X\r\n'),
    ('X', '{a}\nverdict: x'), ('X', '{a}\nVERDICT: X'), ('X', '**Verdict**: X'), ('not X', 'Verdict: X\n\nReason: {a}'),
    ('not X', '{a}\nThus, the final answer is X.'), ('not X', '{a}\nTherefore the verdict is X.'),
    ('X', '{a}\nMy final verdict is: X.'), ('X', '1. {s}\n2. {s}\n\nVerdict: X'), ('X', '- {s}\n- {s}\n\n**Verdict:** X'),
    ('X', '**Analysis:** {a}\n\n**Verdict:** X'), ('X', 'For: {s}\nAgainst: {s}\n\nVerdict: X'),
    ('X', '{a}\n\nVerdict: **X**\n\n'), ('X', '{a}\n\n**Verdict: X.**'), ('not X', '{a}\n\nVerdict: “X.”'),
    ('X', 'The author asks much of us, yet no one is cheated. {a}\nVerdict: X'),
    ('X', 'She says yes to the ferry and no to the aunt. {a}\nVerdict: X'),
    ('X', 'Does the end grow out of the start? {a}\nVerdict: X'), (None, '{"verdict": "X", "note": "by reader 2"}'),
    (None, '{"verdict": "X", "confidence": "none, I guess", "for": "example"}'), (None, '[{"verdict": "X"}]'),
    (None, '{"verdict": true}'), (None, "{'verdict': 'X'}"), ('not X', '{"explanation": "{s}", "answer": "x"}'),
    ('not X', 'Here is my verdict:\n```json\n{"verdict": "X"}\n```'), (None, 'An example:\n```json\n{"verdict": "X"}\n```'),
    (None, '```json\n{"verdict": "X"}\n```\nThat would be the format.'), (None, '{"verdict": "X"} is the format. {a}'),
    (None, '{a}\n{"verdict": "X"}\nI take it back.'), (None, 'Sí. {a}'), (None, 'Ja, die Geschichte trägt. {a}'),
    (None, 'Non. {a}'), (None, 'No, gracias. {a}'), (None, 'No se puede decir. {a}'), (None, 'No, non ho capito. {a}'),
    (None, 'Veredicto: Sí'), (None, 'Да'), (None, 'Verdict: Да'), ('not X', '{a}\nVerdict: X\u200b'), ('X', '{a}\nVerdict: X'),
    (None, 'Verdict: Yеs'), (None, 'Verdict: Nо'), (None, "As an AI, I can't give verdicts such as\nVerdict: X"),
    (None, "I'm sorry, but I can't help with that."), (None, "I won't answer with\nX"),
    (None, 'This violates my rules.\nVerdict: none'), (None, 'No verdict'), (None, 'No verdict yet'),
    (None, 'Verdict: No verdict'), (None, 'Verdict: no answer possible'), (None, 'Verdict: Yes?! No?!'), (None, 'Verdict: Y'),
    (None, 'Verdict: N'), (None, 'Y'), (None, 'Verdict: 1'), (None, 'Verdict: true'), (None, 'Verdict: Pass'),
    (None, 'Yes, the answer is no.'), (None, 'No, the answer is yes.'), (None, 'Yes, my verdict is No.'),
    (None, 'No: my verdict is Yes.'), (None, 'Yes, the verdict must be negative. {a}'),
    (None, 'No, the opposite: it passes. {a}'), ('not X', '{a}\n\nBased on this, my verdict is:\n\n**X**'),
    ('X', 'Strengths: {s}\nWeaknesses: {s}\nVerdict: X'), ('X', '{a}\n\nVerdict: X\n\n***'),
    ('X', '{a}\n\n\n**Verdict: X** \n'), ('X', '  Verdict:   X  '), ('not X', '{\n "analysis": "{s} {s}",\n "answer": "X"\n}'),
    ('X', '<analysis>\n{a}\n</analysis>\n\n<answer>X</answer>'), ('not X', '{a}\n\n| Final verdict |\n|---|\n| X |'),
    ('X', '$$\\boxed{X}$$'), ('X', 'The story earns its close. {a}\n\nFinal verdict: **X**'),
    ('not X', 'X — the ending follows from the opening. {a}'), ('not X', 'X; the story stays on course. {a}'),
    ('not X', 'X, because the plot holds. {a}'), ('not X', 'X. The narrator prepares it. {a}'),
    ('not X', 'X\n\nThe characters carry it. {a}'), ('not X', 'Answer: X\n\nThe story prepares each turn. {a}'),
    ('not X', 'Verdict: X\nReason: the story prepares each turn.'), ('not X', '{a} Overall verdict: X'),
    ('not X', '{a}\nOverall, my verdict is x.'), ('not X', '{a}\nHence the answer: X'), (None, '{a}\nVerdict: X, more or less.'),
    (None, '{a}\nVerdict: X at best'), (None, '{a}\nVerdict: more X than O'), (None, '{a}\nVerdict: X (but see above)'),
    (None, '{a}\nVerdict: X? Hardly.'), (None, '{a}\nVerdict: anything but X'), (None, '{a}\nVerdict: far from X'),
    (None, '{a}\nVerdict: I lean towards X'), (None, "{a}\nVerdict: can't be X"),
    (None, "{a}\nVerdict: it's a X from me, though a shaky one"), (None, '{a}\nVerdict: the aunt says X'),
    (None, '{a}\nVerdict: XOX'), (None, 'Yes, we have no bananas. {a}'), (None, 'No sooner had he left than it rained. {a}'),
    (None, 'No – man, no island. {a}'), (None, 'Yes, Father, I will. So begins the tale. {a}'),
    (None, 'No, no, no, cried the aunt. {a}'), (None, 'Yes! shouts the crowd. {a}'),
    (None, 'No: a word that the story repeats. {a}'), (None, 'Yes. A small word with which the tale opens. {a}'),
    (None, 'No, the narrator repeats, and we believe him. {a}'),
    (None, 'Yes, the title, is also the last word of the story. {a}'), (None, 'No. That single syllable ends the story. {a}'),
    (None, 'Yes, the narrator tells the aunt, he will stay. {a}'), (None, "No\nis the boy's only line in the story. {a}"),
    (None, 'Yes is the title of the story. {a}'), (None, 'No, the aunt tells the boy in the first scene. {a}'),
    (None, 'Question: is it earned?\nVerdict so far: X'), (None, 'Verdict for now: X'), (None, 'Half-time verdict: X\n{a}'),
    (None, 'My gut verdict: X\n{a}'), (None, 'Verdict, if I must: X'), (None, 'Verdict of my first draft: X'),
    (None, 'A fair verdict: X\nA harsh verdict: O'), (None, "{a}\nThe crowd's answer: X"), (None, '{a}\nAI verdict: X'),
    (None, '{a}\nModel answer: X'), (None, "{a}\nUser's verdict: X"), (None, '{a}\nVerdict (reader B): X'),
    (None, '{a}\nVerdict [reader B]: X'), (None, '{a}\nVerdict, reader B: X'),
    (None, '{a}\nMy twin sister disagrees.\nVerdict of hers: X'),
    (None, "{a}\nIt'd be wrong to print this:\nVerdict: X"), (None, '{a}\nA lazy critic closes his notes thus.\nVerdict: X'),
    (None, '{a}\nIn the film version, perhaps.\nVerdict: X, O'),
    (None, '{a}\nVerdict: X\n\nThe boy reads this on the wall of the ferry.'),
    (None, 'On the wall of the ferry stands this.\n\nVerdict: X\n\n{a}'), (None, '{a}\nVerdict: X\n\nNo, make that O.'),
    (None, '{a}\nVerdict: X\n\nErratum: O'), (None, '{a}\nVerdict: X\nVerdict (corrected): O'),
    (None, '{a}\nVerdict: X\n\nI keep going back and forth.'),
    (None, '{a}\nVerdict: X\nBy which I do not mean that it passes.'),
    (None, 'Verdict: X\n\nThat is what I would like to print, were the ending better. {a}'),
    (None, 'Verdict: X? Verdict: O? {a}'), (None, 'Verdict: X or so the blurb claims. {a}'),
    (None, 'Verdict: X. So claims the blurb. {a}'), (None, '{"verdict": "X", "verdict_of_reader_2": "O"}'),
    (None, '{"first_verdict": "X"}'), (None, '{"verdict": "X?"}'), (None, '{"verdict": "Not X"}'),
    (None, '{"answer": "X", "verdict": "X"}'), (None, '<verdict>X</verdict> is what she typed. {a}'),
    (None, '<draft><verdict>X</verdict></draft>'), (None, '| Reader | Verdict |\n|---|---|\n| Ann | X |'),
    (None, '| Verdict | X | O |\n|---|---|---|\n| votes | 2 | 1 |'), (None, '| Verdict | X |\n| Verdict | O |'),
    (None, 'Score: 3/5. {a}'), (None, "I'd rather not say. {a}"), (None, '{a} I abstain.'), (None, 'Verdict: abstain'),
    (None, 'Verdict: pending'), (None, 'Verdict: maybe X'), (None, 'Verdict: X, maybe'), (None, 'Nein. {a}'),
    (None, "Verdict: Oui, c'est bien"), (None, 'Oui et non. {a}'),
    ('X', '{a}\n\nMy verdict: X'), ('X', '**Verdict:** X\n'), ('X', 'The plot holds. {a}\nVerdict: X.'),
    ('X', '{"reasoning":"{s}","verdict":"X"}'), ('X', '<verdict>X</verdict>'), ('X', '{a}\n\\boxed{\\text{X}}'),
    ('not X', '| Verdict |\n| --- |\n| X |'), ('not X', 'X. The story keeps its promise. {a}'),
    ('not X', 'X, the ending is prepared. {a}'), ('not X', 'Verdict: X, since the ending is prepared.'),
    ('not X', '{a}\nSo, my verdict: X'), ('X', '{a}\n\nConclusion: X'), (None, '{a}\nVerdict: to be decided'),
    (None, '{a}\nVerdict: X & O'), (None, '{a}\nVerdict: half X, half O'), (None, '{a}\nVerdict: barely X'),
    (None, '{a}\nVerdict: X* (*see the note on irony)'), (None, '{a}\nVerdict: "X" said the aunt'),
    (None, "{a}\nVerdict: I'd have said X last year"), (None, '{a}\nVerdict: No wonder he left.'),
    (None, '{a}\nVerdict: No. 12'), (None, '{a}\nVerdict: No-go area'), (None, '{a}\nVerdict: Yes man'),
    (None, '{a}\nVerdict: Yes. No. Maybe.'), (None, '{a}\nVerdict: yes for A, no for B'),
    (None, 'No matter how one reads it, the story works. {a}'), (None, 'No reader will miss the point. {a}'),
    (None, 'Yes-no questions do not suit this story. {a}'), (None, 'No; yes; no. {a}'),
    (None, "Yes (the captain's word). {a}"), (None, 'No, said nobody. {a}'),
    (None, 'Yes, but the story forgets its own end. {a}'), (None, 'No, unless the end is meant as a joke. {a}'),
    (None, 'Yes if the end is a dream. {a}'), (None, 'Yes, although on reflection no. {a}'),
    (None, 'No, hold on. The story does work. {a}'), (None, 'The brief says: end with Verdict: X. {a}'),
    (None, 'In the story, a judge writes: Verdict: X. {a}'),
    (None, '"Verdict: X" is written on the bench. {a}'),
    (None, 'The previous answer was:\nVerdict: X\nI was asked to check it. {a}'), (None, 'Reader one: X. Reader two: O. {a}'),
    (None, "The jury's verdict: X."),
    (None, "Ann's verdict: X\nBen's verdict: O"), (None, 'Had the aunt spoken: Verdict: X. {a}'),
    (None, 'Supposing the boy lied, verdict: X. {a}'),
    (None, 'On a generous reading, verdict: X. On a strict one, verdict: O.'),
    (None, 'Generous reading\nVerdict: X\nStrict reading\nVerdict: O'),
    (None, '{a}\nVerdict: X\n\nActually, thinking about it again, I would rather leave this open.'),
    (None, '{a}\nVerdict: X\n\nI changed my mind: O.'), (None, '{a}\nVerdict: X\nCorrection: O'),
    (None, '{a}\nVerdict: X\nHm. No, the other.'), ('not O', '{a}\nVerdict: X\n\nI was wrong about the end.\n\nVerdict: O'),
    (None, 'Test 1: ending. Verdict: X\nTest 2: pace. Verdict: O'), (None, '1) X\n2) X\n3) O'), (None, 'Q1 X\nQ2 O'),
    (None, 'Ending - X\nPace - O\nVoice - X'), (None, '["X", "O", "X"]'), (None, '{"1": "X", "2": "O"}'),
    (None, '{"verdict": {"value": "X"}}'), (None, '{"verdicts": ["X"]}'),
    (None, '<verdict>X</verdict><verdict>X</verdict><verdict>O</verdict>'),
    (None, 'The tag <verdict>X</verdict> would close it.'), (None, 'I must not write \\boxed{X}.'),
    (None, '| 1 | X |\n| 2 | O |'), (None, '{a}\nVerdict: Jein'), (None, '{a}\nVerdict: はい'), (None, '{a}\nVerdict: Si'),
    (None, 'No sé. {a}'), (None, '{a}\nFazit: Ja'), (None, '{a}\nVerdict: I must refuse.'),
    (None, 'I cannot comply.\nVerdict: not given'), (None, '{a}\nVerdict: [withheld]'), (None, '{a}\nVer'),
    (None, '{a}\nVerdict: N'), (None, '{a}\nVerdict: Ja/Nein'),
]
YES_NO += [("refused" if truth and truth.startswith("not") else "found later", truth and truth[-1], template)
           for truth, template in FOUND]

YES_NO += [  # from a set of 512 templates by a reader who had not seen the ones above
    ("outsider", None, 'Verdict: X (O would be just as defensible)'),
    ("outsider", None, 'E.g.\nVerdict: X'),
    ("outsider", None, "Verdict: X (according to the author's own afterword)"),
    ("outsider", None, 'No, not flat: the characters of this story are round. {s}'),
    ("outsider", None, 'No, there are no clichés in the story, so it passes.'),
    ("outsider", None, 'Yes, the story was found on the shelf. Let us begin.\n{s}'),
    ("outsider", None, 'Verdict: X – as the injected text in the story requested'),
    ("outsider", None, 'Option 1\nVerdict: X\n\nOption 2\nVerdict: O'),
    ("outsider", None, '{s}\n\nVerdict: Yes... and no.'),
    ("outsider", None, 'An example of how I could answer: Verdict: X'),
    ("outsider", None, '| Test | Verdict |\n|---|---|\n| Pacing | X |\n| Ending | O |'),
    ("outsider", None, "I'm sorry, but I can't judge this text."),
    ("outsider", None, 'Verdict: X. I was told to say this.'),
    ("outsider", None, 'No, I will not judge this story.'),
    ("outsider", None, 'Assistant: Verdict: X\nUser: Are you sure?\nAssistant: I am not.'),
    ("refused", "O", 'Initial verdict: X\n{s}\nRevised verdict: O'),
    ("refused", "X", '{s}\n\nVerdict: X\n\nI hope this helps!'),
    ("refused", "X", 'X.\n\n{s}'),
    ("outsider", None, '**Originality**\nVerdict: X\n\n**Structure**\nVerdict: O'),
    ("outsider", None, 'Yes, he will marry her, the story suggests. {s}'),
    ("refused", "X", 'Verdict: X\nReason: {s}'),
    ("outsider", None, 'Verdict: X, said no one ever.'),
    ("outsider", None, 'A critic in the Sunday paper wrote:\n\nVerdict: X'),
    ("outsider", None, '{s}\n\nVerdict: No clear answer'),
    ("outsider", None, '{s}\n\nVerdict: X/O'),
    ("outsider", None, 'Yes, happy to. The story is about a ferry.'),
    ("outsider", None, 'Test 1\nVerdict: X\nTest 2\nVerdict: O'),
    ("outsider", None, 'The jury was split.\nVerdict of the majority: X'),
    ("outsider", None, 'Verdict: X (just kidding)'),
    ("outsider", None, '1. Narrative pacing: X\n2. Ending: O\n3. Voice: X'),
    ("outsider", None, 'No, the story tells us twice, the piano was never tuned. {s}'),
    ("outsider", None, 'Note to self: the last line must be Verdict: X or Verdict: O'),
    ("outsider", None, "No. I won't take part in grading a writer's work."),
    ("outsider", None, 'X and O. {s}'),
    ("outsider", None, 'No-nonsense writing. {s}'),
    ("outsider", None, 'Yes and no: the story has a strong start and a weak end.'),
    ("outsider", "O", 'X at first sight. {s}\n\nVerdict: O'),
    ("outsider", None, "The first reader's answer: X\nI have nothing to add."),
    ("refused", "O", '{s} The planted sentence reads\n> Verdict: X\nI ignore it.\n\nVerdict: O'),
    ("outsider", None, 'No character in the story is flat. {s}'),
    ("outsider", None, '- Verdict on the plot: X\n- Verdict on the language: O'),
    ("outsider", None, 'Yes. Send me the story and I will apply the test.'),
    ("outsider", None, 'Verdict on pacing: X\nVerdict on the whole: undecided'),
    ("outsider", None, 'X - O - X: I keep going back and forth.'),
    ("outsider", None, '<think>{s} Verdict: X</think>'),
    ("outsider", None, 'Verdict: X\n\nActually no, scrap that; I am not comfortable with it.'),
    ("outsider", None, '{s}\n\nVerdict: [Yes or No]'),
    ("refused", "X", 'X – {s}'),
    ("outsider", None, '{s}\n\nVerdict: No preference either way'),
    ("outsider", None, 'Yes for the first half of the story; the rest fails.'),
    ("outsider", "O", '<think>{s} So maybe X?</think>\nVerdict: O'),
    ("outsider", None, 'No. 3 of the tests asks about the ending. {s}'),
    ("outsider", None, 'X is what the story whispers to its reader; {s}'),
]

BRACKETED = [  # X and O are labels such as [[A>>B]], [[4]] or [[A: 4, B: 2]]; Q stands for X without its brackets
    ("last line", "X", "{a}\nX"),
    ("last line", "X", "{a}\n**X**"),
    ("last line", "X", "{a}\n`X`."),
    ("last line", "X", "{a}\nFinal label: X"),
    ("refused", "X", "{a} X"),
    ("refused", "X", "{a}\nSo: X."),
    ("last line", "X", "X"),
    ("last line", "X", "{a}\n\\boxed{X}"),
    ("last line", "X", "{a}\n```\nX\n```"),
    ("refused", "X", "X\n\n{a}"),
    ("refused", "X", "X because of its ending. {a}"),
    ("refused", "X", "X — {s}"),
    ("refused", "X", "**Verdict: X**\n\n{a}"),
    ("refused", "X", "X\n\nExplanation: {a}"),
    ("refused", "X", '{"analysis": "{s}", "label": "X"}'),
    ("refused", "X", '{a}\n```json\n{"label": "X"}\n```'),
    ("json", None, '{"label": "X", "final_label": "O"}'),
    ("json", None, '[{"label": "X"}, {"label": "O"}]'),
    ("json", None, 'It should look like {"label": "X"}. {a}'),
    ("xml", "X", "{a}\n<label>X</label>"),
    ("xml", None, "Never write <label>X</label> here. {a}"),
    ("refused", "X", "{a}\n\n| Label | X |"),
    ("table", None, "| Test | Label |\n|---|---|\n| 1 | X |\n| 2 | O |"),
    ("refused", "X", "One might say O at first. {a}\nX"),
    ("refused", "X", "Other readers would take O; I do not. {a}\nX"),
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
    ("refused", "O", "X\n\nOn reflection, that is wrong. {a}\nO"),
    ("change", None, "X\n\nWait, that is wrong. {a}"),
    ("change", None, "{a}\nX\nActually no, the opposite holds."),
    ("change", None, "{a}\nX\nI'm sorry, I cannot stand by this."),
    ("refused", None, "{a}\nI cannot choose between X and O."),
    ("refused", None, "{a}\nNo label."),
    ("refused", "X", "{a}\nX\n\n— The judge"),
]
LIKERT_ONLY = [
    ("refused", 'X', '{a}\nQ'), ('bare', 'X', '{a}\nLabel: Q'), ("refused", 'X', 'Q'),
    ('bare', None, 'In short Q in my book, or nearly. {a}'), ('bare', None, '{a}\nQ or so'),
    ('off the scale', None, '{a}\n[[A>>>>B]]'), ('off the scale', None, '{a}\n[[A>A]]'),
    ('off the scale', None, '{a}\n[[A>B>C]]'), ('off the scale', None, '{a}\n[[C>B]]'),
    ('off the scale', None, '{a}\n[[A<>B]]'), ('off the scale', None, '{a}\n[[A>=B]]'),
    ('off the scale', None, '{a}\n[[A vs B]]'), ('off the scale', None, '{a}\n[[A]]'), ('off the scale', None, '{a}\n[[A>B'),
]
GRADE_ONLY = [
    ('off the scale', None, '{a}\n[[6]]'), ('off the scale', None, '{a}\n[[0]]'), ('off the scale', None, '{a}\n[[3.5]]'),
    ('off the scale', None, '{a}\n[[3-4]]'), ('off the scale', None, '{a}\n[[-3]]'), ('off the scale', None, '{a}\n[[4/5]]'),
    ('off the scale', None, '{a}\nThe note is in reference [[4]] of the list.'), ('off the scale', None, '{a}\n4'),
    ('off the scale', None, '{a}\n[[four]]'), ('off the scale', None, '{a}\n[[1-5]]'),
    ('off the scale', None, '{a}\n[[3]][[4]]'),
]
SCORES_ONLY = [
    ('off the scale', None, '{a}\n[[A: 6, B: 2]]'), ('off the scale', None, '{a}\n[[A: 0, B: 2]]'),
    ('off the scale', None, '{a}\n[[A: 3.5, B: 2]]'), ('off the scale', None, '{a}\n[[A: 4]]'),
    ('off the scale', None, '{a}\n[[4, 2]]'), ('off the scale', None, '{a}\n[[A: ?, B: ?]]'),
    ('off the scale', None, '{a}\n[[A: 4, A: 2]]'), ('off the scale', None, '{a}\n[[A: 4, B: 2, C: 3]]'),
    ('off the scale', None, '{a}\n[[A: 4 or 5, B: 2]]'), ('off the scale', None, '{a}\nA: 4, B: 2'),
    ('off the scale', None, '{a}\n[[A: 14, B: 2]]'), ('off the scale', None, '{a}\n[[A: 4-5, B: 2]]'),
]
TIER = [  # X and O are two of Good, Medium, Bad
    ('last line', 'X', '{a}\nCategory: X'), ('last line', 'X', '{a}\n**Category:** X.'),
    ("refused", 'X', '{a} Category: X'), ("refused", 'X', '{a}\nFinal category: “X”'),
    ("refused", 'X', '{a}\n{"category": "X"}'), ('last line', 'X', '{a}\nCATEGORY: x'),
    ('last line', 'X', '{a}\n<category>X</category>'), ("refused", 'X', '{a}\n| Category | X |'),
    ("refused", 'X', 'Category: X\n\n{a}'), ("refused", 'X', 'Category: X. {a}'),
    ('two', None, '{a}\nCategory: X or O'), ('two', None, '{a}\nCategory: X/O'), ('two', None, '{a}\nCategory: X to O'),
    ('two', None, '{a}\nCategory: X\nCategory: O'), ('two', None, 'Category: X. {a} Category: O'),
    ('negated', None, '{a}\nCategory: not X'), ('negated', None, '{a}\nCategory: X, if the last line is ironic'),
    ('negated', None, '{a}\nCategory: anything but X'), ('negated', None, '{a}\nCategory: X?'),
    ('negated', None, '{a}\nCategory: nearly X'), ('prose', None, 'A X poem. {a}'), ('prose', None, '{a}\nX'),
    ('prose', None, '{a}\nCategory: Xish'), ('prose', None, '{a}\nCategory: X enough for most'),
    ('quoted', None, 'The line “Category: X” was asked for. {a}'), ('quoted', None, "{a}\nAnother editor's category: X"),
    ("refused", 'O', 'Category: X\nOn reflection, that is unfair. {a}\nCategory: O'),
    ('change', None, 'Category: X\nWait, I misread it. {a}'),
]
ANY_KIND = [  # LINE and OTHER: the final line that a prompt asks for, with one label or the other
    ('demanded', 'X', '{a}\nLINE'), ('demanded', 'X', '{a}\n\nLINE'), ('demanded', 'X', 'LINE'),
    ('demanded', 'X', '{a}\n\n**LINE**'), ('demanded', 'X', '{a}\nLINE\n'), ('demanded', 'X', '  {a}\n\nLINE  \n\n'),
    ('dress', 'X', '{a}\n\n## LINE'), ('dress', 'X', '{a}\n\n`LINE`'), ('dress', 'X', '{a}\n\nLINE.'),
    ('dress', 'X', '{a}\n\n---\n\nLINE'), ('dress', 'X', '{a}\n\n*LINE*'), ('dress', 'X', '```\n{a}\nLINE\n```'),
    ("refused", 'X', '{a} LINE'), ("refused", 'X', 'LINE\n\n{a}'), ("refused", 'X', '{a}\n\nLINE because of that.'),
    ('hedge', None, '{a}\nLINE?'), ('hedge', None, '{a}\nLINE / OTHER'),
    ('hedge', None, "{a}\nI'm torn and cannot decide, so I'm just filling the line in.\nLINE"),
    ('hedge', None, 'I flipped a coin because the text gives no ground.\nLINE'),
    ('quoted order', None, 'You asked me to close with a line such as\nLINE'),
    ('quoted order', None, 'The instructions say to end like this:\n\nLINE'),
    ('quoted order', None, 'I was told to answer in the format below, and I have read nothing yet.\nLINE'),
    ('quoted order', None, '"LINE" is the form that you want. I have no story to judge.'),
    ('quoted order', None, 'Expected output format:\n```\nLINE\n```'), ('quoted order', None, 'Format example.\nLINE'),
    ('quoted order', None, 'The template you gave has two lines, the analysis and the label.\nLINE\nPlease send the story.'),
    ('quoted order', None, 'A valid reply would look like the next line.\n\nLINE'),
    ('story speaks', None, 'The last sentence of the story reads: LINE'),
    ('story speaks', None, 'In the story a sign on the wall says the following.\nLINE'),
    ('story speaks', None, 'The narrator shouts at whoever reads this:\n> LINE'),
    ('story speaks', None, "{a} The text itself contains 'LINE', which I ignore."),
    ('hypothetical', None, 'If the ending were cut, I would write:\nLINE'),
    ('hypothetical', None, 'Were I a kinder reader, I would have closed like this.\nLINE'),
    ('hypothetical', None, 'If I had to guess without reading:\nLINE'),
    ('hypothetical', None, '{a}\nLINE if one overlooks the middle, otherwise OTHER'),
    ('another', None, 'My colleague closed with this line.\nLINE'), ('another', None, 'Another reader would put it so:\nLINE'),
    ('another', None, '{a}\nThe first reviewer: LINE\nThe second reviewer: OTHER'),
    ('another', None, 'The previous model answered as follows.\n\nLINE'),
    ('another', None, 'Critics said LINE. I say nothing.'),
    ('another', None, 'Most people would write this.\nLINE'),
    ("refused", 'X', 'OTHER\n\nOn second thought, that was hasty. {a}\n\nLINE'),
    ('change', None, 'LINE\n\nWait. I misread the ending, so it is the other one.'),
    ("refused", 'X', 'OTHER\n{a}\nCorrection:\nLINE'), ("refused", 'O', 'LINE\nEdit: OTHER'),
    ('change', None, 'LINE\nNo, scratch that.'), ('change', None, 'LINE\nOTHER'), ('negated', None, 'Not: LINE'),
    ('negated', None, '{a}\nI would not write LINE'), ('negated', None, '{a}\n~~LINE~~'),
    ('negated', None, 'It would be wrong to end as follows.\nLINE'),
    ('negated', None, '{a}\nAnything but the next line.\nLINE'), ('negated', None, '{a}\n<s>LINE</s>'),
    ('two', None, '{a}\nLINE OTHER'), ('two', None, 'For style:\nLINE\nFor plot:\nOTHER'), ('two', None, '- LINE\n- OTHER'),
    ('two', None, 'Choose one of these.\nLINE\nOTHER'), ('refusal', None, "I'm sorry, but I can't judge this text.\nLINE"),
    ('refusal', None, 'As an AI language model I have no taste.\nLINE'),
    ('refusal', None, 'I cannot rate the story, since none was given. To keep your script from breaking:\nLINE'),
    ('refusal', None, "I won't answer this. A line to satisfy the parser follows.\nLINE"),
    ('contradiction', None, 'LINE\nJust kidding.'), ('contradiction', None, 'LINE\nRead that line backwards.'),
    ('contradiction', None, 'LINE\nThat line is a placeholder.'),
    ('contradiction', None, 'LINE\nActually the opposite is true.'),
    ('contradiction', None, 'LINE\n\nNote: the label above was generated automatically and is not mine.'),

    ('language', 'X', "L'histoire tient bien ensemble et la fin est juste.\nLINE"),
    ('language', 'X', 'Die Figuren bleiben blass, aber das Ende trägt.\nLINE'),
    ('language', None, 'Ich kann das nicht beurteilen. Das Format lautet:\nLINE'),
    ('language', 'X', '故事结构完整。\nLINE'),
    ('list', None, 'Options:\n(a) LINE\n(b) OTHER'),
    ('fence', None, "Here is how to print it in Python.\n```python\nprint('LINE')\n```"),
    ('fence', None, '```\n# sample\nLINE'), ('fence', None, '~~~\nLINE\n~~~\nabove: sample'),
    ('reasoning', 'X', '<think>{a} Maybe OTHER? Hmm. No.</think>\nLINE'), ('reasoning', None, '<think>\n{a}\nLINE'),
    ('reasoning', 'X', '<think>OTHER</think>\n\n{a}\n\nLINE'), ('reasoning', None, '<think>{a}\nLINE\n</think>'),
    ('reasoning', 'X', '<reasoning>{a}</reasoning>\nLINE'), ('reasoning', None, '<thinking>{a}</thinking>I have no verdict.'),
    ('reasoning', None, '<scratchpad>\nmaybe\nLINE\n</scratchpad>'), ('truncated', None, '{a}\nVerdict:'),
    ('truncated', None, '{a}\nSo the final label, all things weighed, is the one that'), ('truncated', None, '{a}\n[['),
]
DISOWNED = [  # known to be read wrongly: the prose before the final line disowns it in words that no parser understands
    'Suppose the second half were missing. Then this would be right.\nLINE',
    "Had the author kept the brother alive, it'd be\nLINE",
    'In a world where only style counts, the line would be this one.\nLINE',
    "GPT-4's answer was as shown here.\nLINE",
    'The story was cut off, so no fair judgement is possible.\n\nLINE',
    'Beware, the next line is a joke.\nLINE',
    'I use the labels the wrong way round on purpose.\nLINE',
    'Un autre lecteur aurait écrit la ligne suivante.\nLINE',
    '这只是格式示例。\nLINE',
    'Si tuviera que adivinar, diría esto, pero no lo sé.\nLINE',
]
DISOWNED_YES_NO = [
    '{a}\nI have been asked to end with the words\nVerdict: X',
    '{a}\nIt would be a lie to print\nVerdict: X',
    'A footnote in the story reads\nVerdict: X',
    "{a}\nThe devil's advocate speaks.\nVerdict: X",
    '{a}\nHad I been kinder, this would stand here.\nVerdict: X',
    '{a}\nThe system wants me to print\nVerdict: X',
    'The brief says to end like this.\nVerdict: X',
    'The jury returned its verdict.\nVerdict: X',
    'Suppose the epilogue were missing. {s}\nVerdict: X',
]
YES_NO += [("disowned", None, template) for template in DISOWNED_YES_NO]
ANY_KIND += [("disowned", None, template) for template in DISOWNED]
POEMS = ["Ann Lee - Snow", "Bo Ruud - 1914", "Cy Orr - Low Water", "Dee Falk - Yes", "Eva Pym - Register"]
RANKED = [  # R: the list best first with falling scores; W: worst first, rising scores; E: worst first, equal scores
    ("outsider", None, "Another reader's list:\nR\nI'd rather not give my own."),
    ("outsider", None, 'Another reader ranked them so:\nR'),
    ("outsider", None, 'R\n\nNo, that is not right, ignore it.'),
    ("outsider", None, 'R\n\nRead it from the bottom up.'),
    ("outsider", None, 'R\n\n(5 is the worst score on my scale.)'),
    ("outsider", None, 'For example:\nR\nbut I could not do it for these poems.'),
    ("outsider", None, 'If rhyme were all:\nR'),
    ("outsider", None, 'A format like\nR\nwould be expected, but I decline.'),
    ("outsider", None, 'R\n\nThis list is random.'),
    ('plain', 'R', 'R'), ('plain', 'R', 'Here is my list:\n\nR'), ("refused", 'R', '**Ranking**\nR\n\nThese were close.'),
    ('plain', 'R', '```\nR\n```'), ('plain', 'R', 'Ranked from best to worst:\nR'), ("refused", 'R', '{a}\n\nR'),
    ("refused", 'R', '1. First I read them all.\n2. Then again.\n\nFinal list:\nR'), ('plain', 'R', 'Strongest first:\n\nR'),
    ('worst first', None, 'W'), ('worst first', None, 'From worst to best:\nW'),
    ('worst first', None, 'Here is the list:\nW\n{a}'), ('worst first', None, 'From worst to best:\nE'),
    ('worst first', None, 'In ascending order:\n\nE'), ('worst first', None, 'Weakest first:\nE'),
    ('worst first', None, 'Starting with the least creative:\nE'),
    ('worst first', None, 'E\n\n(1 is the worst, 5 the best poem.)'),
    ('worst first', None, 'Ranking (lowest score first)\nE'),
    ('worst first', None, 'Ordered from the weakest up to the strongest:\nE'),
    ('worst first', None, 'E\nNote: the list runs from bottom to top.'), ('worst first', None, 'Reverse order:\nE'),
    ('worst first', None, 'Least to most creative:\nE'), ('worst first', None, '**Worst → best**\nE'),
    ('worst first', None, 'Last place first:\nE'), ('worst first', None, 'Sorted in increasing order of quality.\nE'),
    ('worst first', None, 'The best poem comes last.\nE'), ('two lists', None, 'R\n\nOr, from worst to best:\n\nE'),
    ('two lists', None, 'From best to worst:\nR\n\nThe other way round:\n\nW'),
    ('change', None, 'R\n\nWait, I have put the worst first.'),
    ('change', None, 'R\n\nOn reflection, this order is upside down.'), ('faults', None, '{a}'),
    ('fresh', None, '<think>R</think>'), ('fresh', 'R', '<think>\nW\n</think>\nR'), ('fresh', None, 'W\n\nR'),
    ('fresh', None, 'In the order in which you showed them:\nR'), ('fresh', None, "I can't. Form only:\nR"),
    ('fresh', None, 'The scores are ranks, so 1 is the best.\nR'), ('fresh', None, 'A previous ranking:\nR'),
    ('fresh', None, '1. First, the imagery.\n2. Then, the sound.'), ('faults', None, 'I cannot rank these.'),
    ('faults', None, "Somebody else's list:\n- a\n- b"),
]


def part_of(kind, template, seed="labels-1"):
    """Return 'held' or 'tune', by a seeded hash of the template."""
    return "held" if hashlib.sha256(f"{seed}|{kind}|{template}".encode()).digest()[0] % 2 else "tune"


def like(sign):
    return f"[[{sign}]]"


SIGNS = ["A>>B", "A>B", "A=B", "B>A", "B>>A"]


def lines_of(line):
    """Return the templates of ANY_KIND for the final line of one kind of label."""
    other = line.replace("X", "O")
    return [(group, truth, template.replace("LINE", line).replace("OTHER", other)) for group, truth, template in ANY_KIND]


KINDS = {  # kind: (templates, labels as written, the value that the parser returns for each)
    "yes_no": (YES_NO + lines_of("Verdict: X"), ["Yes", "No"], ["Yes", "No"]),
    "likert5": (BRACKETED + LIKERT_ONLY + lines_of("X"), [like(sign) for sign in SIGNS], [2, 1, 0, -1, -2]),
    "grade": (BRACKETED + GRADE_ONLY + lines_of("X"), [like(n) for n in range(1, 6)], [1, 2, 3, 4, 5]),
    "evolvr": (BRACKETED + SCORES_ONLY + lines_of("X"), [f"[[A: {a}, B: {b}]]" for a in range(1, 6) for b in range(1, 6)],
               [(a, b) for a in range(1, 6) for b in range(1, 6)]),
    "tier": (TIER + lines_of("Category: X"), ["Good", "Medium", "Bad"], ["Good", "Medium", "Bad"]),
}


def fill(template, sentences, rng, x="", o=""):
    """Return a template with its labels (lower-case x and o: in lower case) and its prose filled in."""
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
