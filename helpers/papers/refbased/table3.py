"""The second reference-based paper, Table 3: word counts of the stories."""

from helpers.ttcw import load as ttcw

WRITERS = {"Claude": "Claude", "GPT-3.5": "GPT3.5", "GPT-4": "GPT4"}


def check(paper):
    """Check v2's Table 3: word counts of the public stories, split at white space."""
    stories, rows = ttcw.load_stories(), paper.grid("Table 3").index
    plain = stories["title"].str.replace(r"[\W_]", "", regex=True).str.lower()
    words = stories.assign(title=plain).pivot(index="title", columns="writer", values="words")
    titles = ["".join(filter(str.isalnum, row)).lower() for row in rows]
    words = words.loc[titles, list(WRITERS.values())].set_axis(rows).set_axis(list(WRITERS), axis=1)
    paper.check("Table 3", words, "words of the public story, split at white space", "raw")
