"""Small files of made-up ratings, in several forms. No file is anybody's data."""

import random

RATERS = ("Ira", "Jon", "Kim", "Lea")
TRUTH = [7, 2, 5, 5, 6, 5, 5, 6, 4, 3, 6, 2, 7, 1, 1, 5, 4, 4, 3, 6, 6, 4, 6, 5]


def make_ratings():
    """Return {(text from 1, rater): a score from 1 to 7} of 24 texts and four raters."""
    draw = random.Random(3)
    return {
        (text, rater): min(7, max(1, quality + draw.choice([-1, 0, 0, 1])))
        for text, quality in enumerate(TRUTH, 1)
        for rater in RATERS
    }


RATINGS = make_ratings()


def rows(header="item,rater,score", name="T{:02d}", cell=None, mark=","):
    """Return a file with one row per score; cell: what stands for the score of (text, rater)."""
    lines = [header]
    for (text, rater), score in RATINGS.items():
        shown = score if cell is None else cell(text, rater, score)
        lines.append(mark.join([name.format(text), rater, str(shown)]))
    return "\n".join(lines) + "\n"


def long(header, *cells):
    """Return a file with one row per score and several columns of them; cells: functions of (text,
    rater, score)."""

    def all_cells(*case):
        return ",".join(str(cell(*case)) for cell in cells)

    return rows(header, cell=all_cells)


def wide(names=RATERS, corner="item", beside=None, below=None):
    """Return a file with a column per rater; beside: {a column: function of a row's scores}; below:
    {a last row: function of a column's scores}."""
    beside, below = beside or {}, below or {}
    lines = [",".join([corner, *names, *beside])]
    for text in range(1, 25):
        scores = [RATINGS[text, rater] for rater in RATERS]
        more = [function(scores) for function in beside.values()]
        lines.append(",".join(map(str, [f"T{text:02d}", *scores, *more])))
    for name, function in below.items():
        columns = [[RATINGS[text, rater] for text in range(1, 25)] for rater in RATERS]
        lines.append(",".join(map(str, [name, *map(function, columns), *[""] * len(beside)])))
    return "\n".join(lines) + "\n"


def form(name="Story {}", before=None, after=None, cell=None):
    """Return a file with a row per rater; before, after: {a column: function of a rater's number
    and name}."""
    before, after = before or {}, after or {}
    lines = [",".join([*before, *[name.format(text) for text in range(1, 25)], *after])]
    for number, rater in enumerate(RATERS):
        scores = [RATINGS[text, rater] for text in range(1, 25)]
        scores = scores if cell is None else [cell(score) for score in scores]
        parts = [function(number, rater) for function in before.values()]
        parts += [*scores, *[function(number, rater) for function in after.values()]]
        lines.append(",".join(map(str, parts)))
    return "\n".join(lines) + "\n"


def judge(cell=None, name="T{:02d}", header="item,score"):
    """Return a judge's file with one row per text."""
    lines = [header]
    for text, quality in enumerate(TRUTH, 1):
        shown = quality if cell is None else cell(text, quality)
        lines.append(f"{name.format(text)},{shown}")
    return "\n".join(lines) + "\n"


def sizes(data):
    """Return (texts, raters, scores) of people's ratings."""
    return data.items["item"].nunique(), data.ratings["rater"].nunique(), len(data.ratings)
