"""What an evaluator reads and what it shall answer, as pieces of text.

A story is rated alone, `[[3]]`, or beside another, `[[A: 2, B: 4]]`, perhaps after one sentence of
explanation. Pieces are tokens by themselves, so that a score is always one token after the same
piece, in training and in reading.
"""

SINGLE = """Story:
{}

Rate the overall quality of this story from 1 (poor) to 5 (excellent).
"""
PAIR = """Story A:
{}

Story B:
{}

Rate the overall quality of both stories from 1 (poor) to 5 (excellent).
"""
# by the number of stories:
ASK = {1: SINGLE, 2: PAIR}
EXPLAIN = {1: "First say why in one sentence.\n", 2: "First compare them in one sentence.\n"}
BEFORE = {1: ("[[",), 2: ("[[A: ", ", B: ")}  # what stands before each score
END = "]]"


def ask(stories, explain=False):
    """Return the prompt about one story, or two; explain: a sentence is wanted first."""
    asked = ASK[len(stories)].format(*stories)
    return asked + EXPLAIN[len(stories)] if explain else asked


def answer(scores, explanation=None):
    """Return the pieces of the right answer; scores: one whole score, or two."""
    pieces = []
    if explanation is not None:
        pieces += [explanation, "\n"]
    for piece, score in zip(BEFORE[len(scores)], scores):
        pieces += [piece, str(score)]
    return [*pieces, END]
