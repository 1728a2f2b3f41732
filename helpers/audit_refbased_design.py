"""The ledger of the two reference-based papers: design numbers in both texts (tests, dimensions, stories, scale, runs)."""

from helpers import ttcw
from helpers.audit_refbased_table1 import METRIC
from helpers.ledger import line


def design_lines(printed):
    """Return the lines of the design numbers in the text: tests, dimensions, stories (raw), scale, runs, metrics (printed)."""
    tests, stories = ttcw.load_tests(), ttcw.load_stories()
    facts = [
        ("TTCW binary tests", len(tests), "raw"),
        ("maximum of the overall score", len(tests), "raw"),
        ("creativity dimensions", tests["dimension"].nunique(), "raw"),
        ("number of creativity dimensions", tests["dimension"].nunique(), "raw"),
        ("dimensions in the TTCW test", tests["dimension"].nunique(), "raw"),
        ("New Yorker original stories", int(stories["writer"].eq("NewYorker").sum()), "raw"),
        ("number of alignment metrics", len(METRIC), "printed"),
        ("number of ranking similarity", len(METRIC), "printed"),
        ("metrics reported", len(METRIC), "printed"),
        ("number of metrics averaged", len(METRIC), "printed"),
    ]
    scale = printed.lines["column"].str.startswith("score for ").sum()
    facts += [
        ("levels of the Likert scale", scale, "printed"),
        ("runs per test with swapped", 2, "printed"),
        ("assessments averaged", printed.number("text", "3.2", "runs per test with swapped story order"), "printed"),
    ]
    facts += [
        (f"score for {word}", value, "printed")
        for word, value in {
            "significantly better": 2,
            "slightly better": 1,
            "the same": 0,
            "slightly worse": -1,
            "significantly worse": -2,
        }.items()
    ]
    return [
        line(
            printed.paper,
            *key,
            float(value),
            basis,
            "counted in the public files"
            if basis == "raw"
            else "counted in the paper: labels, formula or table columns (an input of the method)",
        )
        for key in printed.keys("text")
        for start, value, basis in facts
        if key[2].startswith(start)
    ]
