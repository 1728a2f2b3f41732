"""What a reader takes away from a card: the verdict in a few lines, a paragraph for a methods
section, and all of it as one JSON object.

Each sentence comes from a table of the card: `open_verdicts`, `authors`, `strictness`, `corrected`,
`compare`. What it takes to use a judge, read from the verdicts in this order:

    better    may know   as good    lenient      adds to
    than a    the        as one     or           the
    control   ratings    rater      severe       author        first line
    no        any        any        any          any           no: do not use it
    open      yes        any        any          any           undecided: it may know the ratings
    open      no         no         any          any           undecided; less good than a rater
    open      no         any other  any          any           undecided: do not rely on it yet
    yes       no         any        any          not clearly   yes, to rank, but perhaps authors
    yes       no         yes        not clearly  any other     yes: like one more rater
    yes       no         any other  any          any other     yes, to rank, not to score

The control is the best that a user of the judge could have. One that knows the author was taught by
people's ratings of the same authors: it has a sentence, and decides nothing.

The JSON object follows `SCHEMA`, version `VERSION`; another version is written when a field changes
its meaning.
"""

import json
import platform
from importlib.metadata import version

import numpy as np
import pandas as pd
import yaml

from helpers import results
from helpers.measures import authors, controls, open_verdicts, verdicts
from helpers.measures.compare import CEILING, PERSON
from helpers.sources.files import replace_file
from helpers.sources.names import display_name
from helpers.sources.public import ROOT

VERSION = "1"
NOT_USE = "No: do not use it, for it does no better than one can unread."
MAY_KNOW = (
    "Undecided: it may know these very ratings, so that nothing here says what it would do with "
    "new texts."
)
NOT_SHOWN = (
    "Undecided: do not rely on it. It is clearly less good than one more rater, and whether it is "
    "better than one can be without reading is open."
)
NOT_YET = "Undecided: do not rely on it yet."
RANK = "Yes, to rank, not to score."
RANK_AUTHORS = (
    "Yes, to rank, not to score; but that it knows more than who wrote each item is not shown."
)
RATER = "Yes: use it like one more rater."
NO_JUDGE = "No judge was held against these ratings, so the page is about the people alone."
PACKAGES = ("numpy", "pandas", "scipy")
CALDERON = "Calderon, Reichart & Dror 2025, https://doi.org/10.18653/v1/2025.acl-long.782"
ANGELOPOULOS = "Angelopoulos, Duchi & Zrnic 2023, https://doi.org/10.48550/arXiv.2311.01453"
EFRON = "Efron & Tibshirani 1993, chapter 11, https://doi.org/10.1201/9780429246593"
CAMERON = "Cameron, Gelbach & Miller 2011, https://doi.org/10.1198/jbes.2010.07136"
NUMBER = {"type": ["number", "null"]}
TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
ROW = {
    "type": "object",
    "required": ["who", "kind", "estimate", "low", "high", "n"],
    "properties": {
        "who": TEXT,
        "kind": {"enum": ["judge", "person", "control", "ceiling"]},
        "estimate": NUMBER,
        "low": NUMBER,
        "high": NUMBER,
        "n": NUMBER,
    },
}
VERDICT = {
    "type": "object",
    "required": ["question", "verdict", "why", "what would decide"],
    "properties": {
        "question": TEXT,
        "verdict": {"enum": [open_verdicts.YES, open_verdicts.NO, open_verdicts.UNDECIDED]},
        "why": TEXT,
        "what would decide": TEXT,
    },
}
MEAN = {
    "type": "object",
    "required": ["of", "way", "estimate", "low", "high", "n", "saved"],
    "properties": {
        "of": TEXT,
        "way": {"enum": ["people alone", "the judge alone", "both"]},
        "estimate": NUMBER,
        "low": NUMBER,
        "high": NUMBER,
        "n": NUMBER,
        "saved": NUMBER,
    },
}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "judge card",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "version": {"const": VERSION, "description": "of this schema"},
        "read": {**TEXT, "description": "how the files were read, and which columns"},
        "settings": {"type": "object", "description": "measure, smallest difference, seed"},
        "sizes": {"type": "object", "additionalProperties": {"type": "integer"}},
        "judge": {"type": ["string", "null"], "description": "the best judge; null: none"},
        "target": {**TEXT, "description": "what everybody is held against"},
        "rows": {"type": "array", "items": ROW, "description": "the table of the card"},
        "verdicts": {"type": "array", "items": VERDICT},
        "means": {"type": "array", "items": MEAN, "description": "empty: nothing to correct"},
        "lines": {**TEXTS, "description": "the verdict in short"},
        "findings": TEXTS,
        "methods": {**TEXT, "description": "a paragraph for a methods section"},
    },
}
SCHEMA["required"] = list(SCHEMA["properties"])


def choose_use(answers, leniency, seen=False, beyond=None):
    """Return what a judge may be used for, one sentence.

    answers: {question: verdict}; leniency: estimate, low, high of the judge, None where it is not
    known; seen: whether it may know the ratings (`suspicion`); beyond: of `authors.Explained`. The
    table stands at the top of the module.
    """
    reads, as_good = answers[open_verdicts.READS], answers[open_verdicts.PERSON]
    if reads == open_verdicts.NO:
        return NOT_USE
    if seen:
        return MAY_KNOW
    if reads == open_verdicts.UNDECIDED:
        return NOT_SHOWN if as_good == open_verdicts.NO else NOT_YET
    is_biased = leniency is None or not leniency["low"] <= 0 <= leniency["high"]
    if beyond is False:
        return RANK_AUTHORS
    return RATER if as_good == open_verdicts.YES and not is_biased else RANK


def write_lines(table, judge, strict, savings, unit, explained=authors.NOTHING):
    """Return the verdict in three to six lines of Markdown; the first begins with yes, no or
    undecided.

    table: of `open_verdicts.give_verdicts`, by question; judge: a name, None for none; strict: of
    `strictness.find_strictness`, None where it is not asked; savings: sentences of
    `corrected.tell_savings`; unit: of leniency, points or logits; explained: of `authors.explain`.
    A line that is undecided says what would decide.
    """
    if judge is None:
        return [NO_JUDGE]
    leniency = None if strict is None else strict.loc[(judge, "leniency")]
    if leniency is not None and np.isnan(leniency["low"]):
        leniency = None
    seen = bool(table.attrs.get("seen"))
    use = choose_use(table["verdict"], leniency, seen, explained.beyond)
    questions = [open_verdicts.READS, open_verdicts.PERSON]
    if use == NOT_SHOWN:  # what is known best stands first
        questions.reverse()
    first, *others = [tell_verdict(table, question) for question in questions]
    lines = [f"**{use}** {first}", *others]
    if explained.text:
        lines.append(explained.text)
    if leniency is None:
        lines.append(
            "How lenient it is beside these raters is not known. (Pairs and ranks are an order, "
            "which has no level, and scores on another scale have another one.)"
        )
    else:
        lines.append(tell_level(leniency, unit))
    return lines + savings[:1]


def tell_verdict(table, question):
    """Return a question, its verdict and why; of an undecided one also what would decide."""
    row = table.loc[question]
    told = f"{question} *{row['verdict'].capitalize()}.* {row['why']}"
    if row["what would decide"]:
        told += f" What would decide: {lower(row['what would decide'])}"
    return told


def lower(sentence):
    """Return a sentence that goes on after a colon."""
    return f"{sentence[:1].lower()}{sentence[1:]}"


def tell_level(leniency, unit):
    """Return in a sentence how far a judge's scores lie above people's; leniency: estimate, low,
    high; unit: points or logits."""
    span = f"{results.format_interval(leniency)} {unit} above the average rater's"
    if leniency["low"] <= 0 <= leniency["high"]:
        return f"Its scores lie {span}: not clearly too high or too low."
    word = "high" if leniency["estimate"] > 0 else "low"
    advice = "Do not report its shares of Yes as if they were people's."
    if unit == "points":
        advice = "Correct scores before you report them. (*Card 5*: does one number do for all?)"
    return f"Its scores lie {span}: clearly too {word}. {advice}"


def write_methods(data, found, judge, size, measure, smallest, table, is_corrected):
    """Return a paragraph for a methods section: what was compared, how, with which numbers, and
    what to cite.

    data: `Ratings`; found: of `compare.compare`; judge: a name in it, None for none; size: of
    `people.count`; measure: its name; smallest: the smallest difference that matters; table: of
    `open_verdicts.give_verdicts`, by question; is_corrected: whether means were corrected.
    """
    cells = size["items"] * size["raters"] * size["aspects"]
    missing = 1 - min(size["ratings"] / cells, 1)
    raters = f"{size['raters']:,} rater{'s' if size['raters'] > 1 else ''}"
    judge_too = "" if judge is None else ", and so was the judge"
    others = "the mean of the other raters of the same items"
    if measure == "balanced accuracy":
        others = "what most of the other raters of the same items said (ties were left out)"
    left_out = f": each rater in turn was left out and held against {others}{judge_too}"
    if found.attrs["target"] != "the other raters":
        left_out = ", their mean on each item"
    sentences = [
        f"{raters} gave {size['ratings']:,} ratings of {size['items']:,} items in "
        f"{size['groups']:,} groups, taken to be independent (aspects: {size['aspects']}); "
        f"{missing:.0%} of all combinations of item, rater and aspect have no rating.",
        f"We measured {measure} against {found.attrs['target']}{left_out}.",
        "Beside this stand controls that read nothing and were learnt on people's ratings of other "
        "groups, and, where it can be estimated, a simulated judge that knows all that raters "
        "share.",
        tell_intervals(found),
        f"Differences below {smallest:g} were taken for none.",
    ]
    if judge is not None:
        sentences += tell_numbers(found, judge, measure)
        sentences += [tell_answers(table)]
    cited = tell_citations(judge is not None, is_corrected)
    return " ".join([*sentences, cited, tell_versions()])


def tell_intervals(found):
    """Return in a sentence or two how the intervals were made, with their sources."""
    told = f"Intervals are 95 % intervals by the jackknife over groups ({EFRON})."
    if pd.notna(found.at[PERSON, "estimate"]):
        told += f" Those that speak of new raters are over groups and raters at once ({CAMERON})."
    return told


def tell_numbers(found, judge, measure):
    """Return sentences: what a judge, a person, the best control and a perfect judge have."""
    show = results.format_interval
    who, row = verdicts.introduce(found, judge)
    shown = [f"{who} had {measure} {show(row)}{verdicts.tell_widened(found)}"]
    others = {PERSON: "one more rater", CEILING: "a perfect judge"}
    for name, called in others.items():
        if name in found.index and not np.isnan(found.at[name, "estimate"]):
            shown.append(f"{called} {show(found.loc[name])}")
    control, stranger = found.attrs["control"], found.attrs["stranger"]
    rivals = [f"the best control that a user could have {show(found.loc[stranger])}"]
    if stranger != control:
        called = f"the best control ({verdicts.describe_control(found)})"
        rivals.append(f"{called} {show(found.loc[control])}")
    elif found.attrs["chosen"] in controls.KNOW_WRITER:  # the other is known of some items only
        rivals = [
            f"the best control ({verdicts.describe_control(found)}) {show(found.loc[control])}"
        ]
    return [f"{', '.join([shown[0], *rivals, *shown[1:]])}."]


def tell_answers(table):
    """Return the verdicts in a sentence."""
    answers = [f"{lower(question)} {row['verdict']}" for question, row in table.iterrows()]
    return f"Verdicts: {'; '.join(answers)}."


def tell_citations(has_judge, is_corrected):
    """Return in sentences where the methods that the card used come from, "" where it used none."""
    sentences = []
    if has_judge:
        sentences.append(
            "Whether the judge may replace a rater was asked by the alternative annotator test "
            f"(epsilon {open_verdicts.EPSILON:g}; {CALDERON})."
        )
    if is_corrected:
        sentences.append(
            "Means of unrated items were corrected by prediction-powered inference: the mean of "
            "the ratings, plus a weight times the judge's mean of the unrated less that of the "
            f"rated items ({ANGELOPOULOS})."
        )
    return " ".join(sentences)


def tell_versions():
    """Return in a sentence which versions were used."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    python = ".".join(platform.python_version_tuple()[:2])
    return f"Made with {citation['title']} {citation['version']}, Python {python}, {packages}."


def collect_card(read, size, found, judge, table, means, settings, texts):
    """Return a card as {field: value} of `SCHEMA`.

    read: how the files were read; size: of `people.count`; found: of `compare.compare`; judge: its
    name, None for none; table: of `open_verdicts.give_verdicts`, by question; means: of
    `corrected.correct_means`, or empty; settings: {name: value}; texts: {"lines", "findings",
    "methods"}.
    """
    rows = []
    for name, row in found.iterrows():
        rows.append({"who": display_name(name), "kind": row["kind"], **take_ends(row)})
    means_of = []
    for (name, way), row in means.iterrows():
        ends = take_ends(row, "saved")
        means_of.append({"of": display_name(name), "way": way, **ends})
    return {
        "version": VERSION,
        "read": read,
        "settings": settings,
        "sizes": {name: int(number) for name, number in size.items()},
        "judge": None if judge is None else display_name(judge),
        "target": found.attrs["target"],
        "rows": rows,
        "verdicts": table.reset_index().to_dict("records"),
        "means": means_of,
        **texts,
    }


def take_ends(row, *more):
    """Return estimate, low, high, n of a row, and more columns, as {name: a number of ten digits,
    None where it is not known}."""
    names = ["estimate", "low", "high", "n", *more]
    return {name: results.check_number(name, float(row[name])) for name in names}


def save_card(card, path):
    """Write a card as JSON; path: a file."""
    replace_file(path, json.dumps(card, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
