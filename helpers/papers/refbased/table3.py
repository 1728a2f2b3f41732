"""The second reference-based paper, Table 3: word counts of the stories."""

from helpers.ttcw import load as ttcw

WRITERS = {"Claude": "Claude", "GPT-3.5": "GPT3.5", "GPT-4": "GPT4"}


def check(paper):
    """Check v2's Table 3: word counts of the public stories, split at white space."""
    stories = ttcw.load_stories()
    stories = stories.assign(title=stories["title"].map(plain))
    words = stories.pivot(index="title", columns="writer", values="words")
    rows = paper.grid("Table 3").index
    words = words.loc[rows.map(plain), list(WRITERS.values())]
    words = words.set_axis(rows).set_axis(list(WRITERS), axis=1)
    paper.check("Table 3", words, "words of the public story, split at white space", "raw")


def plain(title):
    """Return a title without spaces and marks, in small letters."""
    return "".join(filter(str.isalnum, title)).lower()
