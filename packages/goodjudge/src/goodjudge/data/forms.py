"""In which form a file is: what a row stands for, and which columns hold scores.

    rows     one row per text and rater, one column of scores or one per criterion
    wide     one row per text, a column per rater (of a judge's file: per judge)
    form     one row per rater, a column per text, as forms export
    pairs    one row per pair of texts and rater: item_a, item_b, preferred
    ranks    one row per text and rater, a column of places

`choose_form` finds out which. What is not clear is a DataError with a proposal; what is clearly no
rating (a number of the row, an age) is left out and said.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import NoReturn

import pandas as pd

from goodjudge.data.columns import (
    BRACKETS,
    LEFT_OUT,
    NAMES,
    OF_PAIRS,
    OTHERS,
    list_columns,
    list_criteria,
)
from goodjudge.data.names import fold_digits, list_rows, list_some, match_names, simplify
from goodjudge.data.numbers import is_no_score, read_numbers
from goodjudge.data.suspicious import (
    NUMBERING,
    find_computed,
    find_fact,
    is_named_sure,
    is_same_within,
)
from goodjudge.errors import Answer, DataError

FORMS = ROWS, WIDE, FORM, PAIRS, RANKS = "rows", "wide", "form", "pairs", "ranks"
RATER_NAME = re.compile(
    r"(r|rater|annotator|expert|coder|judge|worker|participant|reader|person)[ _-]?(\d+|[a-z])",
    re.IGNORECASE,
)
KIND = r"(?:s|t|story|text|poem|essay|item|title|poet|nr|no|geschichte|gedicht|histoire)"
ITEM_NAME = re.compile(rf"{KIND}[ _-]?(\d+|[a-z])", re.IGNORECASE)
# how a column of a form names a text: what is asked, and of which text
BRACKET = re.compile(r"(?P<stem>.*?)\s*\[(?P<item>.+)\]")  # Creativity [Story 1]
DASH = re.compile(r"(?P<stem>.*\S)\s+[-–—]\s+(?P<item>\S.*)")  # How creative is it? - Story 1
INSIDE = re.compile(  # How creative is text 1?
    rf"(?P<stem>.*?)\b(?P<item>{KIND}[ _-]?\d+)\b(?P<rest>.*)", re.IGNORECASE
)
LOOP = re.compile(r"(?P<item>\d+)_(?P<stem>\D.*)")  # 1_Q2: question Q2, asked of each text in turn
NUMBERED = re.compile(r"(?P<stem>.*\D)(?P<item>\d+)\D*")  # A101_01
PATTERNS = (BRACKET, DASH, INSIDE, LOOP, NUMBERED)
ON_ANOTHER_SCALE = "on another scale than the others"
CONSTANT = "the same in every row"


@dataclass
class Draft:
    """A file that is being read.

    where: its name; cells: its texts, the index each row's number; people: whether people's ratings
    are in it, else a judge's scores; rated: the criteria that people rated; given: what the reader
    said of columns; meaning: of `name_columns`; form: told or found; told: whether the reader told
    it; labels: {column: another name}; not_read: {column: why}; left_out: of `CleaningReport`;
    notes: sentences; alarms: those that come first; word_numbers: {a word: its number}; scores: the
    columns of scores; headers: {a column of a form: (item, criterion)}.
    """

    where: str
    cells: pd.DataFrame
    people: bool
    rated: list
    given: dict
    meaning: dict
    form: str = "auto"
    told: bool = False
    labels: dict = field(default_factory=dict)
    not_read: dict = field(default_factory=dict)
    left_out: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    alarms: list = field(default_factory=list)
    word_numbers: dict = field(default_factory=dict)
    scores: list = field(default_factory=list)
    headers: dict = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)  # {column: its filled cells as numbers}

    @property
    def who(self) -> str:
        """The name of the column that says who gave a score."""
        return "rater" if self.people else "judge"

    def has(self, *ours: str) -> bool:
        """Return whether a column means one of `ours`."""
        return bool(list_columns(self.meaning, *ours))

    def find(self, ours: str) -> str | None:
        """Return the column that means `ours`, None where there is none."""
        return next(iter(list_columns(self.meaning, ours)), None)

    def fill(self, ours: str) -> pd.Series:
        """Return the cells of the column that means `ours`."""
        return self.cells[self.find(ours)]

    def read_column(self, name: str) -> pd.Series | None:
        """Return a column's filled cells as numbers, None where most are none."""
        if name not in self.numbers:
            texts = self.cells[name]
            values = read_numbers(texts[~is_no_score(texts)], self.word_numbers).values
            is_numeric = len(values) > 0 and values.notna().mean() > 0.5
            self.numbers[name] = values.dropna() if is_numeric else None
        return self.numbers[name]

    def list_numeric(self) -> list[str]:
        """Return the columns of numbers that mean none of ours."""
        free = list_columns(self.meaning, None)
        return [name for name in free if self.read_column(name) is not None]

    def span(self, names: list[str]) -> tuple[float, float]:
        """Return the lowest and the highest number in some columns, (0, 0) where there is none."""
        columns = [self.read_column(name) for name in names]
        if not columns:
            return 0.0, 0.0
        return min(map(min, columns)), max(map(max, columns))

    def leave_out(self, columns: dict[str, str]) -> None:
        """Leave columns out; columns: {name: why}."""
        self.not_read |= columns
        self.meaning |= dict.fromkeys(columns, LEFT_OUT)

    def forget(self, *ours: str) -> None:
        """Let no column mean one of `ours`, as in this form it says nothing."""
        self.meaning |= dict.fromkeys(list_columns(self.meaning, *ours))

    def ask(self, message: str, words: str = "", rows=(), **options) -> NoReturn:
        """Raise DataError; words, options: when the proposed options are right, and which; rows:
        where in the file."""
        answers = [Answer(words, options)] if options else []
        where = f"{self.where}, {list_rows(sorted(set(rows)))}" if len(rows) else self.where
        raise DataError(f"{where}: {message}", answers)


def choose_form(draft: Draft) -> None:
    """Find the form of a file and its columns of scores, and write them into the draft. Raises
    DataError where it can be read in two ways, or not at all."""
    if draft.form in ("auto", PAIRS) and are_pairs(draft):
        choose_pairs(draft)
        return
    draft.forget(*OF_PAIRS)
    for form, ours in ((WIDE, draft.who), (FORM, "item")):
        named = list_columns(draft.meaning, ours)
        if len(named) > 1:
            take_columns(draft, form, named)
            return
    drop_row_numbers(draft)
    if draft.form == "auto":
        draft.form = guess_form(draft)
    choose = {ROWS: choose_rows, WIDE: choose_wide, FORM: choose_items, RANKS: choose_ranks}
    if draft.form not in choose:
        draft.ask(f"form={draft.form!r}, but no two texts stand in a row")
    choose[draft.form](draft)


def are_pairs(draft: Draft) -> bool:
    """Return whether the columns name the two sides of a pair."""
    if any(draft.has(f"{side}_a") and draft.has(f"{side}_b") for side in ("item", "text")):
        return True
    return draft.has("writer_a") and draft.has("writer_b") and draft.has("preferred")


def choose_pairs(draft: Draft) -> None:
    """Find the columns of a file of pairs."""
    draft.form = PAIRS
    if draft.has("item") and not draft.has("group", "item_a"):
        draft.meaning[draft.find("item")] = "group"
    draft.forget("item", "score", "rank")
    if not draft.has("preferred"):
        draft.ask(
            "two texts in a row and no column that says which is preferred; found "
            f'{list_some(draft.cells, 20)}; say columns={{"its name": "preferred"}}'
        )
    if draft.people:
        need(draft, "rater")


def drop_row_numbers(draft: Draft) -> None:
    """Take a column such as ID for no item where it only numbers the rows of a form."""
    name = draft.find("item")
    if name is None or name in draft.given or not draft.people or draft.has("score"):
        return
    numbers = draft.read_column(name)
    if numbers is None or simplify(name) not in ("", "id", "nr", "no", "number"):
        return
    is_per_rater = not draft.has("rater") or draft.fill("rater").is_unique
    if is_per_rater and find_fact("", numbers, len(draft.cells)) == NUMBERING:
        draft.leave_out({name: NUMBERING})


def guess_form(draft: Draft) -> str:
    """Return the form of a file that is no file of pairs, by the columns that it has. Raises
    DataError where columns may be raters or criteria, texts or criteria."""
    if draft.has("rank") and not draft.has("score"):
        return RANKS
    numeric = draft.list_numeric()
    items = find_items(numeric)
    if draft.people and len(items) > 2 and not draft.has("item"):
        return FORM  # a column of scores beside them holds a quiz's points, or a total
    if draft.has("score") or list_criteria(draft.meaning):
        return ROWS
    if OTHERS in draft.given:
        return FORM if draft.given[OTHERS] == "item" else WIDE
    if not draft.people or len(numeric) < 2:
        return FORM if items and not draft.has("item") else ROWS
    if draft.has("item") and not draft.has("rater") and draft.fill("item").is_unique:
        facts, _ = sort_columns(draft, numeric, WIDE)
        if all(RATER_NAME.fullmatch(name) for name in numeric if name not in facts):
            return WIDE
        draft.ask(
            f"no column rater, and one row per {draft.find('item')}; the columns of numbers are "
            f"{list_some(numeric, 12)}; they may be raters (form wide), or criteria that one rater "
            "rated (form rows)",
            "if each is a rater",
            form=WIDE,
        )
    if draft.has("rater") and not draft.has("item") and draft.fill("rater").is_unique:
        draft.ask(
            f"no column item; the columns of numbers are {list_some(numeric, 12)}; it is not clear "
            "whether each is a text that the rater of a row rated",
            "if each is a text",
            form=FORM,
        )
    return ROWS


def need(draft: Draft, ours: str) -> None:
    """Raise DataError with a proposal where no column says who rated, or what."""
    if draft.has(ours):
        return
    known = ", ".join(NAMES[ours].replace(";", "").split()[:6])
    message = f"no column {ours}, which would be called {known} …; found "
    message += list_some(draft.cells, 15)
    name = propose(draft, ours)
    if name:
        what = "text" if ours == "item" else "rater"
        draft.ask(message, f"if {name!r:.60} is the {what}", columns={name: ours})
    if ours == "rater" and draft.has("score") and draft.fill("item").is_unique:
        draft.ask(message, "if one rater gave all scores", form=ROWS)
    draft.ask(message)


def propose(draft: Draft, ours: str) -> str:
    """Return which column may be the item or the rater, "" for none: names that come again, more
    texts than raters; those with a telling name first."""
    hints = ("judge", "user", "author") if ours == "rater" else ("text", "story", "poem", "item")
    ranked = []
    for name, mine in draft.meaning.items():
        filled = draft.cells[name][draft.cells[name] != ""]
        is_free = mine in (None, "judge", "text", "group") and filled.nunique() > 1
        is_hinted = any(word in simplify(name) for word in hints)
        if is_free and (is_hinted or filled.duplicated().any()):
            is_numeric = draft.read_column(name) is not None
            many = filled.nunique() * (-1 if ours == "item" else 1)
            ranked.append((not is_hinted, is_numeric, many, name))
    return min(ranked)[-1] if ranked else ""


def choose_rows(draft: Draft) -> None:
    """Find the columns of scores of a file with one row per score, or per text and rater."""
    need(draft, "item")
    scores, criteria = list_columns(draft.meaning, "score"), list_criteria(draft.meaning)
    is_one_rater = (draft.told or bool(criteria)) and draft.fill("item").is_unique
    if draft.people and not is_one_rater:
        need(draft, "rater")
    if len(scores) > 1 and not set(scores) <= set(draft.given):
        draft.ask(
            f"more than one column of scores: {list_some(map(repr, scores))}",
            f"to read {scores[0]!r:.60}",
            columns=dict.fromkeys(scores[1:], LEFT_OUT),
        )
    draft.scores = [*scores, *criteria] or find_criteria(draft)
    if draft.has("aspect") and len(draft.scores) > 1:
        draft.ask(
            f"a column of criteria ({draft.find('aspect')}) and several of scores "
            f"({list_some(draft.scores)}); expected one or the other"
        )


def choose_ranks(draft: Draft) -> None:
    """Find the column of ranks."""
    need(draft, "item")
    if draft.people:
        need(draft, "rater")
    draft.scores = list_columns(draft.meaning, "rank", "score")[:1]
    if not draft.scores:
        draft.ask('no column of ranks; say columns={"its name": "rank"}')


def choose_wide(draft: Draft) -> None:
    """Find the columns of raters, or of judges, of a file with one row per text."""
    need(draft, "item")
    draft.forget(draft.who, "score")
    numeric = draft.list_numeric()
    facts, _ = sort_columns(draft, numeric, WIDE)
    draft.leave_out(facts)
    take_columns(draft, WIDE, [name for name in numeric if name not in facts])


def choose_items(draft: Draft) -> None:
    """Find the columns of texts of a file with one row per rater."""
    draft.forget("item", "score", "group", "writer", "words", "text", "aspect")
    numeric = draft.list_numeric()
    items = find_items(numeric) or numeric
    facts, doubts = sort_columns(draft, numeric, FORM)
    rest = [name for name in numeric if name not in items]
    low, high = draft.span(items)
    for name in rest:
        least, most = draft.span([name])
        if name in doubts or least < low or most > high:
            facts.setdefault(name, doubts.get(name, ON_ANOTHER_SCALE))
    asked = [name for name in rest if name not in facts]
    if asked and OTHERS not in draft.given:
        draft.ask(
            f"{list_some(items, 3)} are read as texts; {list_some(asked, 8)} hold numbers on the "
            "same scale and are named otherwise; it is not clear whether they are texts, too "
            "(then call each column of a text item)",
            "if they are none",
            columns=dict.fromkeys(asked, LEFT_OUT),
        )
    if rest:  # what is named like a text beside others is one
        facts = {name: why for name, why in facts.items() if name in rest}
    facts |= dict.fromkeys(asked, "another kind of question")
    draft.leave_out(facts)
    take_columns(draft, FORM, [name for name in items if name not in facts])


def take_columns(draft: Draft, form: str, names: list[str]) -> None:
    """Take columns for raters, judges or texts."""
    draft.form, draft.scores = form, names
    if form == FORM:
        draft.forget("group", "writer", "words", "text", "aspect")
        draft.headers = split_headers(draft, names)
    if not names or (form == WIDE and len(names) < 2):
        draft.ask(
            f"form={form!r} expects columns of numbers, one per "
            f"{'text' if form == FORM else draft.who}; found {list_some(draft.cells, 15)}"
        )


def find_items(names: list[str]) -> list[str]:
    """Return the columns that are named like texts, most of them in one pattern: Story 1, Story 2;
    A101_01; "How creative is text 1?"; "Creativity [Storm]"; [] where there are none."""
    stems = {name: split_name(name)[1] for name in names}
    sizes = Counter(stem for stem in stems.values() if stem is not None)
    most = max(sizes.values(), default=0)
    return [name for name, stem in stems.items() if most > 1 and sizes[stem] == most]


def split_name(name: str, patterns=PATTERNS) -> tuple[str, str | None]:
    """Return (the text, what is asked of it) in the name of a column; None where it names no text.

    >>> split_name("A101_07"), split_name("Creativity [Storm]"), split_name("Is text 2 good?")
    (('07', 'A101_'), ('Storm', 'Creativity'), ('text 2', 'Is … good?'))
    """
    for pattern in patterns:
        found = pattern.fullmatch(fold_digits(name))
        if found:
            parts = found.groupdict()
            stem = parts["stem"] + (f"…{parts['rest']}" if "rest" in parts else "")
            return parts["item"], stem
    return name, None


def split_headers(draft: Draft, names: list[str]) -> dict[str, tuple[str, str]]:
    """Return {column: (item, criterion or "")} of the columns of a form.

    A form's grid names them "Creativity [Story 1]": where both parts differ, Story 1 is known by
    its name, or it is asked. columns={"[]": …} says what stands in brackets, or what is numbered.
    """
    labels = {name: draft.labels.get(name, name) for name in names}
    if len(set(labels.values())) < len(names):
        labels = {name: name for name in names}
    alone = {name: (label, "") for name, label in labels.items()}
    for pattern in PATTERNS:
        parts = [split_name(label, [pattern]) for label in labels.values()]
        items, stems = zip(*parts) if parts else ((), ())
        if None in stems or len(set(parts)) < len(parts) or not parts:
            continue
        if len(set(stems)) == 1:
            return (
                alone if pattern is NUMBERED else {n: (item, "") for n, item in zip(names, items)}
            )
        if len(set(items)) == 1:
            return {name: (stem, "") for name, stem in zip(names, stems)}
        if len(set(items)) * len(set(stems)) != len(names) or draft.given.get("[]") == LEFT_OUT:
            continue
        stems = [stem.rstrip("_-. [") for stem in stems]
        if is_item_first(draft, pattern, items, stems):
            return {name: (item, stem) for name, item, stem in zip(names, items, stems)}
        return {name: (stem, item) for name, item, stem in zip(names, items, stems)}
    return alone


def is_item_first(draft: Draft, pattern, items: list[str], stems: list[str]) -> bool:
    """Return whether `items` are texts and `stems` criteria, not the other way round; asks where
    neither is named like a text."""
    if pattern in (INSIDE, LOOP):
        return True
    meant = draft.given.get(BRACKETS)
    if meant is None:
        are_items = [all(map(ITEM_NAME.fullmatch, parts)) for parts in (items, stems)]
        if are_items[0] == are_items[1]:
            draft.ask(
                f"{list_some(dict.fromkeys(stems))} have columns of the same numbers or names, "
                f"such as {items[0]!r:.40}; these may be the texts (columns []=item), the criteria "
                '([]=aspect), or each column is a text of its own ([]="")',
                f"if {items[0]!r:.40} is a text, rated on several criteria",
                columns={BRACKETS: "item"},
            )
        return are_items[0]
    return meant == "item"


def sort_columns(draft: Draft, names: list[str], form: str = ROWS) -> tuple[dict, dict]:
    """Return ({column: why it holds no ratings}, {column: why it may hold none}) of columns of
    numbers; form: what each would be, criterion, rater or text."""
    facts, doubts = {}, {}
    for name in names:
        numbers = draft.read_column(name)
        why = find_fact(name, numbers, len(draft.cells))
        for ours in ("item", "rater"):
            if form == ROWS and draft.has(ours) and is_same_within(numbers, draft.fill(ours)):
                why = why or f"the same in all rows of a {'text' if ours == 'item' else 'rater'}"
        if why and (why != CONSTANT or form != WIDE):  # a rater may say the same of all
            facts[name] = why
        elif is_named_sure(name):
            doubts[name] = "asks how sure a rater is"
    rest = [name for name in names if name not in facts]
    table = pd.DataFrame({name: draft.read_column(name) for name in rest})
    facts |= find_computed(table, rest, rescaled=form == WIDE)
    good = [name for name in rest if name not in facts and name not in doubts]
    if form == ROWS and good:
        top = {name: draft.span([name])[1] for name in good}
        usual = sorted(top.values())[(len(good) - 1) // 2]
        odd = [name for name in good if top[name] > 1.4 * usual or top[name] < usual / 1.4]
        doubts |= dict.fromkeys(odd, ON_ANOTHER_SCALE)
        doubts |= {name: "larger than ratings are" for name in good if top[name] > 100}
    return facts, doubts


def find_criteria(draft: Draft) -> list[str]:
    """Return the columns of scores of a file with one row per text and rater where none is called
    so: each is a criterion. Raises DataError where it is not clear."""
    numeric = draft.list_numeric()
    if not numeric:
        draft.ask(
            f"no column score, and no other column of numbers; found {list_some(draft.cells, 20)}; "
            'expected are numbers, Yes and No, or labels={"a word": its number, …}'
        )
    found = match_names(numeric, draft.rated)
    if found:
        draft.meaning |= found
        return list(found)
    facts, doubts = sort_columns(draft, numeric)
    good = [name for name in numeric if name not in facts and name not in doubts]
    is_one = len(good) == 1 or (draft.people and len(good) > 1)
    if is_one and not doubts:
        draft.leave_out(facts)
        return good
    odd = [f"; {name!r:.60} {why}" for name, why in (facts | doubts).items()]
    message = (
        "no column score, and it is not clear which columns are ratings of "
        f"{list_some(numeric)}{''.join(odd)}"
    )
    if is_one:
        columns = dict.fromkeys(doubts, LEFT_OUT)
        draft.ask(message, f"to read {list_some(good)}", columns=columns)
    if draft.rated:
        draft.ask(
            f"{message}; people rated {list_some(draft.rated)}: where both mean the same, give "
            f"people's the judge's name: --aspects \"{draft.rated[0]}={numeric[0]}\" for each (in "
            f'Python, of people: aspects={{"{draft.rated[0]}": "{numeric[0]}"}})'
        )
    if good:
        draft.ask(message, "if each is a judge's scores", form=WIDE)
    draft.ask(message, f"if {numeric[0]!r:.60} is the score", columns={numeric[0]: "score"})
