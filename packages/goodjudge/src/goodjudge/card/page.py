"""The page of a card: a template filled with what a `Card` holds, and nothing computed."""

import re
from functools import cache
from typing import NamedTuple

import pandas as pd

from goodjudge.card import export, picture, texts, wording
from goodjudge.card.shapes import (
    AS_GOOD,
    BETTER,
    CEILING,
    CONTROL,
    JUDGE,
    KINDS,
    NO,
    PERSON,
    REPLACE,
    UNDECIDED,
    WRITER,
    YES,
)

INTERVAL = re.compile(r"-?[0-9.]+ \[-?[0-9.]+, -?[0-9.]+\]")
ADDRESS = re.compile(r"https://doi\.org/10\.[A-Za-z0-9./_():;-]+$")
MOST_ROWS = 20  # of a table on the page; all stand in the JSON file
MOST_COLUMNS = 12
MOST_CAUTIONS = MOST_LINES = 30
ASKED = {  # how a question is put on its tile
    BETTER: "Better than what you could have without reading?",
    AS_GOOD: "As good as one more rater?",
    REPLACE: "May it replace a rater?",
}
SIGNS = {YES: "✓", NO: "✕", UNDECIDED: "?"}
SENTENCES = {  # how to read a table of `Card.diagnostics`
    "each rater": (
        "One more rater stands for these raters. The last row speaks of raters who were not asked, "
        "too. A strict rater has a severity above 0."
    ),
    "what it adds": (
        "By how much people's ratings are higher where the score is one standard deviation higher, "
        "with the writer, the rater and all counts alike."
    ),
    "replacing a rater": (
        "The alternative annotator test. The deficit is how much more often a rater is nearer to "
        "the others than the scorer is; who matches half of the raters passes. Where a control "
        "passes, too, a pass says nothing."
    ),
    "leniency by part": (
        "Beside its average leniency: a minus is less lenient than its average, and need not mean "
        "that it gives less than people do."
    ),
    "within a writer": (
        "Does it tell which of one writer's items people prefer? Here the name is worth nothing."
    ),
    "by aspect": "Does it follow people on each aspect?",
    "by group": "Does it follow people in each group? A group of few items says little.",
    "leniency": (
        "How far scores lie above the average rater's, and how far they rise where people's rise "
        "by 1 (slope). What is the same everywhere can be taken off."
    ),
    "writers": (
        "Two different things: whether it orders the writers as people do, and whether it tells "
        "two texts by one writer apart."
    ),
    "consistency": "Asked twice about the same text, does it say the same?",
}
HOW_TO_READ = {  # word: what it means on the page
    "One more rater": (
        "each rater in turn is held against the other raters of the same items, and the judge "
        "against the same others; the mean of these raters"
    ),
    "Controls that you could have": (
        "rules that never read: one answer for everything, the aspect's mean, length, other counts"
    ),
    "Controls that know the writer": (
        "taught by people's ratings of the same writers. Nobody has them before people have rated, "
        "so they decide nothing; they show what the ratings are about"
    ),
    "Noise ceiling": "a simulated judge that knows all that the raters share; nobody gets further",
    "[ , ]": "an interval; it counts independent groups, not single ratings",
    "Undecided": "the interval allows both answers: these data cannot tell",
}


class Cell(NamedTuple):
    """A cell of a table: its column's heading, its text, and whether it is a number."""

    heading: str
    text: str
    is_number: bool


class Shown(NamedTuple):
    """A table on the page: headings, rows of `Cell`, and how many rows are left out."""

    headings: list
    rows: list
    left_out: int


@cache
def load_template():
    """Return the template of the page; all that is put in is escaped."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("goodjudge", "card"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["clean"] = texts.clean
    environment.filters["tie"] = tie
    return environment.get_template("page.html.j2")


def tie(text):
    """Return a text in which no line ends within an estimate and its interval."""
    return INTERVAL.sub(lambda found: found.group().replace(" ", "\u00a0"), text)


def render(card):
    """Return the page of a card as HTML: one text that needs nothing else, without any script."""
    values = {
        "card": card,
        "level": show_level(card),
        "verdicts": [(ASKED.get(one.question, one.question), one) for one in card.verdicts],
        "signs": SIGNS,
        "layout": picture.lay_out(card),
        "picture_title": picture.make_title(card),
        "colours": picture.COLOURS,
        "alt": picture.describe(card),
        "comparison": show_comparison(card),
        "writer": wording.tell_writer(card),
        "cautions": card.cautions[:MOST_CAUTIONS],
        "sizes": [(name, f"{number:,}") for name, number in card.sizes.items()],
        "read": card.read[:MOST_LINES],
        "people": show_table(card.people, show_level(card)),
        "diagnostics": list_diagnostics(card),
        "means": show_table(card.means, show_level(card)),
        "needed": [one for one in card.verdicts if one.needed],
        "sizes_needed": show_table(card.sizes_needed, show_level(card)),
        "references": [split_reference(one) for one in card.references],
        "how_to_read": HOW_TO_READ,
    }
    return load_template().render(values)


def show_comparison(card):
    """Return the comparison as (headings, [(kind, heading, rows of `Cell`, rows left out)])."""
    table = card.comparison
    name = f"{card.measure} [{show_level(card)}]"
    headings = ["who", name, card.groups]
    rival = "best without reading" if card.control is None else texts.cut(card.control)
    leads = {"over control": f"lead over {rival}", "over person": "lead over one more rater"}
    leads = {column: said for column, said in leads.items() if column in table}
    leads = {column: said for column, said in leads.items() if table[column].notna().any()}
    headings += leads.values()
    groups = []
    for kind in (JUDGE, PERSON, CONTROL, WRITER, CEILING):
        rows = table[table["kind"] == kind]
        shown = []
        for who, row in rows.head(MOST_ROWS).iterrows():
            known = wording.list_leads(row)
            cells = [Cell("who", texts.clean(who), False), Cell(name, wording.show_row(row), True)]
            cells.append(Cell(card.groups, texts.show_number(row["n"]), True))
            cells += [Cell(said, known.get(column, ""), True) for column, said in leads.items()]
            shown.append(cells)
        if shown:
            groups.append((kind, KINDS[kind], shown, max(len(rows) - MOST_ROWS, 0)))
    return headings, groups


def show_level(card):
    """Return the level of a card's intervals, as 95 %."""
    return f"{100 * card.level:g} %"


def show_table(table, level="95 %"):
    """Return a table as `Shown`: a column x with x low and x high becomes one, estimate [low,
    high]; estimate, low and high do, too."""
    table = export.name_index(table)
    headings, ends = [], {}
    for name in table.columns:
        low, high = ("low", "high") if name == "estimate" else (f"{name} low", f"{name} high")
        if all(one in table and holds_numbers(table[one]) for one in (name, low, high)):
            ends[name] = (low, high)
    inner = {one for pair in ends.values() for one in pair}
    kept = [name for name in table.columns if name not in inner][:MOST_COLUMNS]
    for name in kept:
        headings.append(f"{texts.clean(name)} [{level}]" if name in ends else texts.clean(name))
    rows = []
    for _, row in table.head(MOST_ROWS).iterrows():
        cells = []
        for heading, name in zip(headings, kept):
            if name in ends:
                values = [wording.as_number(row[one]) for one in (name, *ends[name])]
                text = texts.show_interval(*values) if texts.is_known(values[0]) else ""
                cells.append(Cell(heading, text, True))
            else:
                cells.append(Cell(heading, *show_value(row[name])))
        rows.append(cells)
    return Shown(headings, rows, max(len(table) - MOST_ROWS, 0))


def holds_numbers(column):
    """Return whether a column holds numbers and nothing else, some of which may be missing."""
    return bool((pd.to_numeric(column, errors="coerce").isna() == column.isna()).all())


def show_value(value):
    """Return (a value as text, whether it is a number)."""
    value = export.plain(value)
    if value is None:
        return "", False
    if isinstance(value, bool):
        return ("yes" if value else "no"), False
    if isinstance(value, (int, float)):
        return texts.show_number(value), True
    return texts.clean(value), False


def list_diagnostics(card):
    """Return [(title, how to read it, `Shown`)] of the tables that say where a judge fails."""
    found = []
    for title, table in card.diagnostics.items():
        if len(table):
            found.append(
                (texts.clean(title), SENTENCES.get(title, ""), show_table(table, show_level(card)))
            )
    return found


def split_reference(reference):
    """Return (text, address) of a reference; only an address of doi.org at its end is a link."""
    reference = texts.clean(reference, 1000)
    found = ADDRESS.search(reference)
    if found is None:
        return reference, ""
    return reference[: found.start()].rstrip(" ,"), found.group()
