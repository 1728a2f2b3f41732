"""Cards to look at, with made-up numbers: a good judge, a bad one, and what else may come."""

import math

import pandas as pd
from goodjudge.card import Card, Caution, shapes, wording

NAN = math.nan
METHODS = "4 raters gave 2,560 ratings of 240 items in 40 groups. Intervals are by the jackknife."
REFERENCES = (
    "Calderon, Reichart & Dror 2025, https://doi.org/10.18653/v1/2025.acl-long.782",
    "Efron & Tibshirani 1993, chapter 11, https://doi.org/10.1201/9780429246593",
)


def frame(columns, *rows):
    """Return a table of rows; columns: their names, with commas between."""
    return pd.DataFrame(rows, columns=columns.split(","))


def make_rows(rows):
    """Return a comparison from {name: (kind, estimate, low, high, n, lead over control, lead over
    person)}; a lead is (estimate, low, high)."""
    table = {}
    for name, (kind, estimate, low, high, n, control, person) in rows.items():
        table[name] = [kind, estimate, low, high, n, *control, *person]
    columns = ["kind", *shapes.ENDS, *shapes.OVER_CONTROL, *shapes.OVER_PERSON]
    return pd.DataFrame.from_dict(table, orient="index", columns=columns)


NO_LEAD = (NAN, NAN, NAN)
OTHERS = {
    "one more rater": ("person", 0.62, 0.57, 0.66, 40, (0.53, 0.42, 0.63), NO_LEAD),
    "length": ("control", 0.09, -0.01, 0.19, 40, NO_LEAD, (-0.53, -0.63, -0.42)),
    "the aspect's mean": ("control", 0.04, -0.02, 0.10, 40, NO_LEAD, (-0.58, -0.64, -0.52)),
    "who wrote it": ("knows writer", 0.26, 0.17, 0.34, 40, NO_LEAD, (-0.36, -0.44, -0.28)),
    "a perfect judge": ("ceiling", 0.86, 0.83, 0.88, 40, NO_LEAD, (0.24, 0.21, 0.27)),
}


def make_good(name="gpt-x", **changes):
    """Return the card of a judge that is ahead of one more rater, on another scale."""
    judges = {
        name: ("judge", 0.74, 0.69, 0.78, 40, (0.65, 0.54, 0.75), (0.12, 0.08, 0.15)),
        "small-y": ("judge", 0.51, 0.44, 0.57, 40, (0.42, 0.31, 0.53), (-0.11, -0.16, -0.06)),
    }
    verdicts = (
        wording.decide_better((0.65, 0.54, 0.75), (0.74, 0.69, 0.78), "length", 0.1),
        wording.decide_as_good((0.12, 0.08, 0.15), 0.1),
        wording.decide_replace(
            4, 0, 4, constants={"the aspect's mean": False}, needed="About 60 more items."
        ),
    )
    aspects = ["originality", "style", "how much it moved you"]
    values = {
        "judge": name,
        "judges": 2,
        "source": "ratings.csv, judge scores.csv",
        "date": "2026-11-28",
        "measure": "Pearson's r",
        "guess": 0.0,
        "smallest": 0.1,
        "comparison": make_rows({**judges, **OTHERS}),
        "control": "length",
        "verdicts": verdicts,
        "cautions": (
            Caution(
                "The judge uses another scale",
                "Its scores run from 1 to 10, people's from 1 to 7. How far it follows them can be "
                "said, but not how lenient it is. Rescale it if you mean the numbers.",
                "score",
            ),
        ),
        "sizes": {"items": 240, "raters": 4, "aspects": 3, "ratings": 2560},
        "scales": "1 to 10, people's 1 to 7",
        "read": ("ratings.csv: 2,613 rows, one row per score; read: 2,560 ratings.",),
        "people": frame(
            "aspect,reliability of one rater,raters for 0.8,items",
            *zip(aspects, [0.52, 0.52, 0.49], [4, 4, 5], [240] * 3),
        ),
        "diagnostics": {
            "by aspect": frame(
                "aspect,estimate,low,high,items",
                *zip(aspects, [0.71, 0.77], [0.65, 0.72], [0.76, 0.81], [240] * 2),
            ),
            "leniency": frame(
                "writer,leniency,leniency low,leniency high,items",
                ("Claude", -0.06, -0.28, 0.15, 60),
                ("human", -0.14, -0.33, 0.03, 60),
            ),
        },
        "means": frame(
            "of,way,estimate,low,high,labels saved of 100",
            ("all items", "people alone", 4.02, 3.8, 4.24, NAN),
            ("all items", "both", 4.05, 3.9, 4.2, 54.0),
        ),
        "sizes_needed": frame(
            "items,raters,of 100 studies", (120, 2, 58), (240, 2, 88), (480, 2, 97)
        ),
        "methods": METHODS,
        "references": REFERENCES,
        **changes,
    }
    return Card(**values)


def make_bad():
    """Return the card of a judge that knows the number of words, from simulated data."""
    judge = ("judge", 0.05, -0.06, 0.15, 20, (-0.04, -0.11, 0.03), (-0.55, -0.66, -0.43))
    verdicts = (
        wording.decide_better((-0.04, -0.11, 0.03), (0.05, -0.06, 0.15), "length", 0.1),
        wording.decide_as_good((-0.55, -0.66, -0.43), 0.1),
        wording.decide_replace(0, 4, 4),
    )
    return make_good(
        comparison=make_rows({"likes length": judge, **OTHERS}),
        judge="likes length",
        judges=1,
        verdicts=verdicts,
        cautions=(),
        scales="",
        leniency=(0.1, -0.2, 0.4),
        simulated=True,
    )


def make_undecided():
    """Return the card of a judge in a small study, where a control knows who wrote."""
    rows = dict(OTHERS)
    rows["who wrote it"] = ("knows writer", 0.71, 0.6, 0.8, 8, NO_LEAD, (0.09, -0.02, 0.2))
    judge = ("judge", 0.35, 0.02, 0.61, 8, (0.26, -0.1, 0.6), (-0.27, -0.6, 0.05))
    verdicts = (
        wording.decide_better((0.26, -0.1, 0.6), (0.35, 0.02, 0.61), "length", 0.1, needed="More."),
        wording.decide_as_good((-0.27, -0.6, 0.05), 0.1, needed="About 1,100 more items."),
        wording.decide_replace(1, 1, 4, needed="About 90 items by each rater instead of 24."),
    )
    return make_good(
        comparison=make_rows({"model-z": judge, **rows}),
        judge="model-z",
        judges=1,
        verdicts=verdicts,
        scales="",
        leniency=(-0.6, -0.9, -0.3),
        cautions=(
            Caution("8 groups are few", "One odd group would move the interval."),
            Caution("Is 99 a score?", "It stands 12 times among people's scores.", "creativity"),
        ),
    )


def make_people():
    """Return the card of people alone."""
    return make_good(
        comparison=make_rows(OTHERS), judge=None, verdicts=(), cautions=(), scales="",
        diagnostics={}, means=pd.DataFrame(), source="ratings.csv",
    )  # fmt: skip


def make_pairs():
    """Return the card of a judge of pairs, without intervals: fewer than five groups."""
    rows = {
        "prefers": ("judge", 0.74, NAN, NAN, 4, (0.2, NAN, NAN), (0.02, NAN, NAN)),
        "one more rater": ("person", 0.72, NAN, NAN, 4, (0.2, NAN, NAN), NO_LEAD),
        "the longer one": ("control", 0.54, NAN, NAN, 4, NO_LEAD, (-0.2, NAN, NAN)),
    }
    verdicts = (
        wording.decide_better((0.2, NAN, NAN), (0.24, NAN, NAN), "the longer one", 0.05,
                              needed="At least 5 groups, better a dozen or more."),
        wording.decide_as_good((0.02, NAN, NAN), 0.05, needed="At least 5 groups."),
        wording.decide_replace(0, 0, 3, obstacle="No rater has 30 pairs that others rated."),
    )  # fmt: skip
    return make_good(
        comparison=make_rows(rows), judge="prefers", judges=1, control="the longer one",
        verdicts=verdicts, measure="pairwise accuracy", guess=0.5, smallest=0.05, items="pairs",
        scales="", sizes={"pairs": 60, "raters": 3}, diagnostics={}, means=pd.DataFrame(),
        cautions=(),
    )  # fmt: skip


def make_no_groups():
    """Return a card where every item is a group of its own, and a judge that never varies."""
    judge = ("judge", NAN, NAN, NAN, 24, NO_LEAD, NO_LEAD)
    verdicts = (
        wording.decide_better(NO_LEAD, NO_LEAD, "length", 0.1),
        wording.decide_as_good(NO_LEAD, 0.1),
        wording.decide_replace(0, 4, 4),
    )
    return make_good(
        comparison=make_rows({"constant": judge, **OTHERS}), judge="constant", judges=1,
        verdicts=verdicts, groups="items", scales="", cautions=(),
    )  # fmt: skip


ALL = {
    "good": make_good,
    "bad": make_bad,
    "undecided": make_undecided,
    "people": make_people,
    "pairs": make_pairs,
    "no-groups": make_no_groups,
}


HOSTILE = (
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)> ' & &amp;",
    "$\\frac{1}{$ \\input{x} $x^2$ %s {0} {{ 7*7 }}",
    "=cmd|' /C calc'!A0",
    "模型" * 40,
    "x" * 200,
    "a\x00b\x1b[31m\ud800 c",
    "\u202eevil\u202c",
    "javascript:alert(1) http://example.org/",
)


def make_hostile(name):
    """Return a card on which everything that a file may name has a hostile name."""
    card = make_good()
    table = pd.DataFrame({name: [name], "number": [1.5]})
    return make_good(
        name, source=f"{name}.csv", scales=name, measure=name, target=name, groups=name, unit=name,
        methods=name, references=(name, f"{name}, https://doi.org/{name}"), read=[name],
        people=table, means=table, sizes_needed=table, sizes={name: 3},
        diagnostics={name: table}, cautions=(Caution(name, name, name),),
        verdicts=[shapes.Verdict(one.question, one.answer, name, name) for one in card.verdicts],
    )  # fmt: skip
