"""The second reference-based paper, Table 3: word counts of the stories."""

from helpers.ttcw import load as ttcw


def check(paper):
    """Check v2's Table 3: word counts of the public stories, split at white space."""
    stories = ttcw.load_stories()
    stories = stories.assign(title=stories["title"].map(ttcw.plain_title))
    words = stories.pivot(index="title", columns="writer", values="words")
    rows = paper.grid("Table 3").index
    printed = {name: writer for name, writer in ttcw.LENGTHS_OF.items() if name != "NewYorker"}
    words = words.loc[rows.map(ttcw.plain_title), list(printed)]
    words = words.set_axis(rows).set_axis(list(printed.values()), axis=1)
    paper.check("Table 3", words, "words of the public story, split at white space", "raw")
