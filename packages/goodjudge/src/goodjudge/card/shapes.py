"""The shape of an answer: `Verdict`, `Caution`, and the `Card` that holds them with their numbers.

A card holds numbers, tables and finished sentences and computes nothing about judges. Whoever
fills it has given raters the names R1, R2, … before; their own names stand on no card.
"""

import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import pandas as pd

from goodjudge.card import export, texts

YES, NO, UNDECIDED = "yes", "no", "undecided"
BETTER = "Is it better than what you could have without reading?"
AS_GOOD = "Is it as good as one more rater?"
REPLACE = "May it replace a rater?"

JUDGE, PERSON, CONTROL, WRITER, CEILING = "judge", "person", "control", "knows writer", "ceiling"
KINDS = {  # of a row of a comparison: how its group of rows is called
    JUDGE: "Judges",
    PERSON: "People",
    CONTROL: "Controls that you could have",
    WRITER: "Controls that know the writer",
    CEILING: "Noise ceiling",
}
ENDS = ["estimate", "low", "high", "n"]
OVER_CONTROL = ["over control", "over control low", "over control high"]
OVER_PERSON = ["over person", "over person low", "over person high"]
SENTENCES = ["source", "date", "measure", "unit", "methods", "target", "items", "groups", "scales"]
LONGEST = 6000  # letters of a paragraph
WIDTH = 88  # of a line in the terminal


@dataclass(frozen=True)
class Verdict:
    """One answer: the question, "yes", "no" or "undecided", why, and what would decide it.

    why: a sentence with its numbers; needed: a sentence, "" where the answer is yes or no.

    >>> Verdict(AS_GOOD, "yes", "It leads one more rater by 0.12 [0.08, 0.15].").answer
    'yes'
    """

    question: str
    answer: Literal["yes", "no", "undecided"]
    why: str
    needed: str = ""

    def __post_init__(self):
        if self.answer not in (YES, NO, UNDECIDED):
            raise ValueError(f"answer: found {self.answer!r}; expected yes, no or undecided")


@dataclass(frozen=True)
class Caution:
    """One warning: what is doubtful (a few words), why (a sentence that says what to do), and the
    column of the file that it is about, "" for none."""

    what: str
    why: str
    column: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Card:
    """All that is known about one judge beside these people.

        judge        its name, None where people stand alone; judges: how many it is the best of
        source, date what the data are called (names of files, no folders); as 2026-11-28
        simulated    whether no person rated
        measure      its name; guess: the value that guessing has; smallest: the smallest
                     difference that counts; target: what everybody is held against
        control      the row of the best control that a user could have
        scales       how the judge's scale differs, as "1 to 10, people's 1 to 7"; "" for not at all
        level        of the intervals
        leniency     estimate, low, high: how many `unit` its scores lie above the average rater's
        sizes        {items, raters, aspects, ratings, groups: how many}
        items, groups  what the rows and their independent groups are called (of pairs, pairs)
        read         sentences: what was read, left out and why, the most important first
        methods      a paragraph; references: what it cites, each ending with its address of
                     https://doi.org/

    Tables (pandas; each may be empty but the first). A column x with x low and x high is shown as
    one, estimate [low, high]; an index with a name is a column:

        comparison   a row per scorer, its name as index; kind (`KINDS`), estimate, low, high,
                     n (groups), and perhaps `OVER_CONTROL`, `OVER_PERSON`: its paired leads
                     over the best control that a user could have, and over one more rater
        people       a row per aspect: how far people agree
        diagnostics  {title: table}: by aspect, by group, leniency, writers, consistency
        means        people's means of items that they did not rate, corrected
        sizes_needed a row per size of a study: how often it would decide

    Raises ValueError for a table without the columns above, or another kind of row.
    """

    judge: str | None
    source: str
    date: str
    measure: str
    guess: float
    smallest: float
    comparison: pd.DataFrame
    verdicts: tuple[Verdict, ...] = ()
    control: str | None = None
    cautions: tuple[Caution, ...] = ()
    sizes: dict[str, int] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    people: pd.DataFrame = field(default_factory=pd.DataFrame)
    diagnostics: dict[str, pd.DataFrame] = field(default_factory=dict)
    leniency: tuple[float, float, float] | None = None
    unit: str = "points"
    means: pd.DataFrame = field(default_factory=pd.DataFrame)
    sizes_needed: pd.DataFrame = field(default_factory=pd.DataFrame)
    methods: str = ""
    references: tuple[str, ...] = ()
    judges: int = 1
    target: str = "the other raters"
    items: str = "items"
    groups: str = "groups"
    scales: str = ""
    simulated: bool = False
    level: float = 0.95

    def __post_init__(self):
        object.__setattr__(self, "comparison", check_comparison(self.comparison))
        for name in (self.judge, self.control):
            if name is not None and name not in self.comparison.index:
                raise ValueError(f"comparison has no row {name!r}")
        if self.judge is not None and self.comparison.at[self.judge, "kind"] != JUDGE:
            raise ValueError(f"{self.judge!r} is no judge but a row of another kind")
        for name in SENTENCES:
            object.__setattr__(self, name, texts.clean(getattr(self, name), LONGEST))
        # a frozen card cannot be changed through what it holds
        for name in ("verdicts", "cautions", "references", "read"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in ("sizes", "diagnostics"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def title(self):
        """The judge's name; of people alone what the page is about."""
        return "People alone" if self.judge is None else texts.clean(self.judge)

    @property
    def answers(self):
        """{question: answer} of all verdicts."""
        return {verdict.question: verdict.answer for verdict in self.verdicts}

    @property
    def advice(self):
        """What to do with the judge, one short sentence (`wording.advise`)."""
        from goodjudge.card import wording

        return wording.advise(self)

    @property
    def evidence(self):
        """The numbers behind the advice, in one to three sentences (`wording.tell_evidence`)."""
        from goodjudge.card import wording

        return wording.tell_evidence(self)

    @property
    def alt(self):
        """The picture in words."""
        from goodjudge.card import picture

        return picture.describe(self)

    def figure(self):
        """Return the picture as a matplotlib figure: judge, one more rater, controls of two kinds
        and the ceiling as dots with their intervals."""
        from goodjudge.card import picture

        return picture.plot(self)

    def to_frame(self):
        """Return the comparison as a table: who, kind, estimate, low, high, n and the leads."""
        return self.comparison.rename_axis("who").reset_index()

    def to_csv(self, path):
        """Write `to_frame` to a file; cells that a spreadsheet would run are disarmed."""
        return export.write(path, export.make_csv(self.to_frame()), self)

    def to_dict(self):
        """Return the card as plain lists, dicts, texts and numbers (`export.SCHEMA`)."""
        return export.make_dict(self)

    def to_json(self, path=None):
        """Return the card as JSON (`export.SCHEMA`); with a path, write it there and return the
        path."""
        text = export.make_json(self)
        return text if path is None else export.write(path, text, self)

    def to_html(self, path):
        """Write the page, one file that needs nothing else, and return its path.

        path: a file, or a folder, in which it is called card.html. Raises OSError where the disk
        refuses; its numbers are printed before, so that they are not lost.
        """
        from goodjudge.card import page

        path = Path(path)
        if path.suffix.lower() not in (".html", ".htm"):
            path = path / "card.html"
        return export.write(path, page.render(self), self)

    def save(self, folder):
        """Write page, JSON, table and picture to a folder: card.html, card.json, card.csv,
        card.png; return their paths. Raises OSError as `to_html` does."""
        from goodjudge.card import picture

        folder = Path(folder)
        return [
            self.to_html(folder / "card.html"),
            self.to_json(folder / "card.json"),
            self.to_csv(folder / "card.csv"),
            export.write(folder / "card.png", picture.make_png(self), self),
        ]

    def __str__(self):
        simulated = " · simulated data" if self.simulated else ""
        name, source = texts.cut(self.title), texts.cut(texts.clean(self.source), 60)
        lines = [f"{name} · {source} · {self.date}{simulated}"]
        for verdict in self.verdicts[:3]:
            lines.append(f"  {verdict.answer:<9}  {texts.clean(verdict.question)}")
        told = f"{self.advice} {self.evidence}".strip()
        lines += textwrap.wrap(told, WIDTH, max_lines=6, placeholder=" …")
        if self.cautions:
            whats = "; ".join(texts.clean(caution.what) for caution in self.cautions)
            lines += textwrap.wrap(f"Caution: {whats}", WIDTH, max_lines=2, placeholder=" …")
        return "\n".join(lines)

    def __repr__(self):
        return f"<Card {self.title!r} {dict(self.answers)}>"


def check_comparison(table):
    """Return a table of `Card.comparison` with its numbers as floats; raise ValueError where it
    lacks a column, has a name twice or a kind of row that nobody knows."""
    lacking = [name for name in ["kind", *ENDS] if name not in table]
    if lacking:
        raise ValueError(f"comparison lacks {', '.join(lacking)}; found {', '.join(table)}")
    if not table.index.is_unique:
        twice = table.index[table.index.duplicated()][0]
        raise ValueError(f"comparison has two rows {twice!r}; a judge has the name of another row")
    strange = sorted(set(table["kind"]) - set(KINDS))
    if strange:
        raise ValueError(f"comparison: kind {strange[0]!r}; expected one of {', '.join(KINDS)}")
    numbers = [name for name in [*ENDS, *OVER_CONTROL, *OVER_PERSON] if name in table]
    return table.assign(**{name: pd.to_numeric(table[name]).astype(float) for name in numbers})
