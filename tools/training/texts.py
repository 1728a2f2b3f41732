"""What an evaluator reads and what it shall answer, as pieces of text.

A story is rated alone, `[[3]]`, or beside another, `[[A: 2, B: 4]]`, perhaps after one sentence of
explanation. Pieces are tokens by themselves, so that a score is always one token after the same
piece, in training and in reading.
"""

SINGLE = """Story:
{story}

Rate the overall quality of this story from 1 (poor) to 5 (excellent).
"""
PAIR = """Story A:
{a}

Story B:
{b}

Rate the overall quality of both stories from 1 (poor) to 5 (excellent).
"""
EXPLAIN = "First compare them in one sentence.\n"
BEFORE_SINGLE = ("[[",)  # what stands before each score
BEFORE_PAIR = ("[[A: ", ", B: ")
END = "]]"


def ask_single(story):
    """Return the prompt about one story."""
    return SINGLE.format(story=story)


def ask_pair(a, b, explain=False):
    """Return the prompt about two stories; explain: a sentence is wanted first."""
    asked = PAIR.format(a=a, b=b)
    return asked + EXPLAIN if explain else asked


def answer(scores, explanation=None):
    """Return the pieces of the right answer; scores: one whole score, or two."""
    before = BEFORE_SINGLE if len(scores) == 1 else BEFORE_PAIR
    pieces = []
    if explanation is not None:
        pieces += [explanation, "\n"]
    for piece, score in zip(before, scores):
        pieces += [piece, str(score)]
    return [*pieces, END]
