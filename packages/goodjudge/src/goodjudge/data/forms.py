"""In which form a file is: what a row stands for, and which columns hold scores.

    rows     one row per text and rater, one column of scores or one per criterion
    wide     one row per text, a column per rater (of a judge's file: per judge)
    form     one row per rater, a column per text, as forms export
    pairs    one row per pair of texts and rater: item_a, item_b, preferred
    ranks    one row per text and rater, a column of places

`choose_form` finds out which. What is not clear is a DataError with answers; what is clearly no
rating (a number of the row, an age) is left out and said.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

import pandas as pd

from goodjudge.data.columns import (
    LEFT_OUT,
    NAMES,
    OF_PAIRS,
    OTHERS,
    list_columns,
    list_criteria,
    list_words,
)
from goodjudge.data.names import fold_digits, list_some, make_key, make_loose_key, simplify
from goodjudge.data.numbers import is_no_score, read_numbers
from goodjudge.data.suspicious import (
    find_computed,
    find_fact,
    guess_scale,
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
ITEM_INSIDE = re.compile(rf"\b{KIND}[ _-]?\d+\b", re.IGNORECASE)
IN_BRACKETS = re.compile(r"(.*?)\s*\[(.+)\]")  # Creativity [Story 1]
LOOP = re.compile(r"(\d+)_(\D.*)")  # 1_Q2: question Q2, asked of each text in turn
NUMBERED = re.compile(r"(.*\D)(\d+)\D*")  # A101_01
AFTER_DASH = re.compile(r"(.*\S)\s+[-–—]\s+(\S.*)")  # How creative is each story? - Story 1


@dataclass
class Draft:
    """A file that is being read.

    where: its name; cells: its texts, the index each row's number; people: whether people's ratings
    are in it, else a judge's scores; rated: the criteria that people rated; given: what the reader
    said of columns; meaning: of `name_columns`; form: told or found; labels: {column: another
    name}; not_read: {column: why}; left_out: of `CleaningReport`; notes: sentences.
    """

    where: str
    cells: pd.DataFrame
    people: bool
    rated: list
    given: dict
    meaning: dict
    form: str = "auto"
    told: bool = False  # whether the reader told the form
    labels: dict = field(default_factory=dict)
    not_read: dict = field(default_factory=dict)
    left_out: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    word_numbers: dict = field(default_factory=dict)
    scores: list = field(default_factory=list)  # the columns of scores
    headers: dict = field(default_factory=dict)  # {column: (item, criterion)} of a form
    numbers: dict = field(default_factory=dict)  # {column: its filled cells as numbers}

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
            texts = texts[~is_no_score(texts)]
            values = read_numbers(texts, self.word_numbers).values
            is_numeric = len(values) > 0 and values.notna().mean() > 0.5
            self.numbers[name] = values.dropna() if is_numeric else None
        return self.numbers[name]

    def list_numeric(self) -> list[str]:
        """Return the columns of numbers that mean none of ours."""
        free = list_columns(self.meaning, None)
        return [name for name in free if self.read_column(name) is not None]

    def leave_out(self, columns: dict[str, str]) -> None:
        """Leave columns out; columns: {name: why}."""
        self.not_read |= columns
        self.meaning |= dict.fromkeys(columns, LEFT_OUT)


def choose_form(draft: Draft) -> None:
    """Find the form of a file and its columns of scores, and write them into the draft. Raises
    DataError with answers where it can be read in two ways, or not at all."""
    if are_pairs(draft):
        draft.form = PAIRS
        if draft.find("group") is None and draft.find("item") and not draft.has("item_a"):
            draft.meaning[draft.find("item")] = "group"
        forget(draft, "item", "score", "rank")
        if not draft.has("preferred"):
            raise DataError(
                f"{draft.where}: two texts in a row and no column that says which is preferred; "
                f'found {list_some(draft.cells, 20)}; say columns={{"its name": "preferred"}}'
            )
        need(draft, "rater" if draft.people else "judge")
        return
    forget(draft, *OF_PAIRS)
    for form, ours in ((WIDE, "rater" if draft.people else "judge"), (FORM, "item")):
        named = list_columns(draft.meaning, ours)
        if len(named) > 1:
            make_wide(draft, form, named)
            return
    drop_row_numbers(draft)
    choose = {ROWS: choose_rows, WIDE: choose_wide, FORM: choose_items, RANKS: choose_ranks}
    if draft.form == "auto":
        draft.form = guess_form(draft)
    if draft.form not in choose:
        raise DataError(f"{draft.where}: form={draft.form!r}, but no two texts stand in a row")
    choose[draft.form](draft)


def are_pairs(draft: Draft) -> bool:
    """Return whether the columns name the two sides of a pair."""
    if draft.form not in ("auto", PAIRS):
        return False
    for side in ("item", "text", "writer"):
        if draft.has(f"{side}_a") and draft.has(f"{side}_b"):
            return side != "writer" or draft.has("preferred")
    return False


def forget(draft: Draft, *ours: str) -> None:
    """Let no column mean one of `ours`, as in this form it says nothing."""
    for name in list_columns(draft.meaning, *ours):
        draft.meaning[name] = None


def drop_row_numbers(draft: Draft) -> None:
    """Take a column for no item and no rater that only numbers the rows, where another column names
    the rater of each row: the number of a response."""
    name = draft.find("item")
    if name is None or name in draft.given or not draft.people or draft.has("score"):
        return
    numbers = draft.read_column(name)
    rater = draft.find("rater")
    if numbers is None or simplify(name) not in ("", "id", "nr", "no", "number", "item_id"):
        return
    is_count = find_fact("", numbers, len(draft.cells)) == "numbers the rows"
    if is_count and (rater is None or draft.cells[rater].is_unique):
        draft.leave_out({name: "numbers the rows"})


def guess_form(draft: Draft) -> str:
    """Return the form of a file that is no file of pairs, by the columns that it has."""
    if draft.form != "auto":
        return draft.form
    if draft.has("rank") and not draft.has("score"):
        return RANKS
    if draft.people and draft.has("score") and not draft.has("item"):
        if len(find_items(draft, draft.list_numeric())) > 2:  # a quiz's points, or a total
            forget(draft, "score")
    if draft.has("score") or list_criteria(draft.meaning):
        return ROWS
    has_item, has_rater = draft.has("item"), draft.has("rater" if draft.people else "judge")
    numeric = draft.list_numeric()
    if OTHERS in draft.given and draft.given[OTHERS] != "score":
        return FORM if draft.given[OTHERS] == "item" else WIDE
    if not draft.people:
        return ROWS if has_item else FORM if find_items(draft, numeric) else ROWS
    if has_item and has_rater:
        return ROWS
    if has_item:
        if len(numeric) > 1 and draft.fill("item").is_unique:
            ratings = take_ratings(draft, numeric)
            if all(map(RATER_NAME.fullmatch, ratings)) or split_raters(ratings):
                return WIDE
            ask_wide(draft, numeric)
        return ROWS
    if find_items(draft, numeric):
        return FORM
    if has_rater and len(numeric) > 1 and draft.fill("rater").is_unique:
        raise DataError(
            f"{draft.where}: no column item; the columns of numbers are {list_some(numeric, 12)}; "
            "it is not clear whether each is a text that the rater of a row rated",
            [Answer("if each is a text", {"form": FORM}), *propose(draft, "item")],
        )
    return ROWS


def take_ratings(draft: Draft, numeric: list[str]) -> list[str]:
    """Return the columns that look like ratings, without summaries and facts."""
    computed = find_computed(pd.DataFrame({name: draft.read_column(name) for name in numeric}))
    facts = {name: find_fact(name, draft.read_column(name), len(draft.cells)) for name in numeric}
    may_be_said = ("", "the same in every row")  # a rater may say the same of all
    return [name for name in numeric if name not in computed and facts[name] in may_be_said]


def ask_wide(draft: Draft, numeric: list[str]) -> None:
    """Ask whether columns of numbers are raters, or criteria that one rater rated."""
    raise DataError(
        f"{draft.where}: no column rater, and one row per {draft.find('item')}; the columns of "
        f"numbers are {list_some(numeric, 12)}; it is not clear what they are",
        [
            Answer("if each is a rater", {"form": WIDE}),
            Answer("if each is a criterion that one rater rated", {"form": ROWS}),
        ],
    )


def need(draft: Draft, *ours: str) -> None:
    """Raise DataError with answers for a column that must be there: who rated, or what."""
    for name in ours:
        if draft.has(name) or name == "judge":
            continue
        known = ", ".join(NAMES[name].replace(";", "").split()[:6])
        raise DataError(
            f"{draft.where}: no column {name}, which would be called {known} …; found "
            f"{list_some(draft.cells, 15)}{tell_nested(draft)}",
            [*propose(draft, name), *propose_one_rater(draft, name)],
        )


def propose_one_rater(draft: Draft, ours: str) -> list[Answer]:
    """Return the answer that one rater gave all scores, where each text has one."""
    if ours != "rater" or not draft.has("item", "score") or draft.told:
        return []
    if draft.find("item") is None or not draft.fill("item").is_unique:
        return []
    return [Answer("if one rater gave them all", {"form": ROWS})]


def tell_nested(draft: Draft) -> str:
    """Return which columns hold lists of objects, which only an importer takes apart."""
    nested = [name for name in draft.cells if draft.cells[name].str.startswith("[{").any()]
    if not nested:
        return ""
    return f"; {list_some(nested)} holds lists of objects: write one row for each of them"


def propose(draft: Draft, ours: str) -> list[Answer]:
    """Return which columns may be the item or the rater, the likeliest first: names that come again
    and, with the other of the two, stand once in the file."""
    other = draft.find("rater" if ours == "item" else "item")
    ranked = []
    for name, mine in draft.meaning.items():
        cells = draft.cells[name]
        filled = cells[cells != ""]
        if mine not in (None, "judge", "text", "group") or name == other:
            continue
        if len(filled) < 0.9 * len(cells) or not 1 < filled.nunique():
            continue
        hint = ("judge", "user", "author") if ours == "rater" else ("text", "story", "poem", "item")
        is_hinted = any(word in simplify(name) for word in hint)
        again = filled.duplicated().any()
        numbers = draft.read_column(name)
        if numbers is not None and not is_hinted and not again:
            continue
        once = other and not draft.cells[[name, other]].duplicated().any()
        if again or is_hinted:
            many = filled.nunique() * (-1 if ours == "item" else 1)  # mostly more texts than raters
            ranked.append((not is_hinted, not once, numbers is not None, many, name))
    return [
        Answer(
            f"if {name!r:.60} is the {'text' if ours == 'item' else 'rater'}",
            {"columns": {name: ours}},
        )
        for *_, name in sorted(ranked)[:3]
    ]


def choose_rows(draft: Draft) -> None:
    """Find the columns of scores of a file with one row per score, or per text and rater."""
    if OTHERS in draft.given:
        named = draft.list_numeric()
        draft.meaning |= dict.fromkeys(named, "score")
    need(draft, "item")
    if draft.people and not is_one_rater(draft):
        need(draft, "rater")
    scores = list_columns(draft.meaning, "score")
    criteria = list_criteria(draft.meaning)
    bad = [name for name in criteria if draft.read_column(name) is None]
    if bad:
        raise DataError(
            f"{draft.where}: column {bad[0]!r:.60} was called {criteria[bad[0]]!r}, the name of a "
            "criterion, but holds no numbers"
        )
    if scores and not criteria and len(scores) > 1 and not all(n in draft.given for n in scores):
        raise DataError(
            f"{draft.where}: more than one column of scores: {list_words(scores)}",
            [
                Answer(
                    f"to read {name!r:.60}",
                    {"columns": {other: LEFT_OUT for other in scores if other != name}},
                )
                for name in scores[:3]
            ],
        )
    draft.scores = [*scores, *criteria]
    if not draft.scores:
        draft.scores = find_scores(draft)
    if draft.has("aspect") and len(draft.scores) > 1:
        name = draft.find("aspect")
        raise DataError(
            f"{draft.where}: a column of criteria ({name}) and several of scores "
            f"({list_some(draft.scores)}); expected one or the other",
            [Answer(f"to leave {name!r:.60} out", {"columns": {name: LEFT_OUT}})],
        )


def is_one_rater(draft: Draft) -> bool:
    """Return whether the reader said that the columns are criteria, and nobody is named: then one
    rater rated all."""
    if draft.has("rater") or not draft.fill("item").is_unique:
        return False
    named = [n for n in list_columns(draft.meaning, "score") if n in draft.given]
    told = draft.told or OTHERS in draft.given or len(named) > 1
    return told or bool(list_criteria(draft.meaning))


def choose_ranks(draft: Draft) -> None:
    """Find the column of ranks."""
    need(draft, "item", *(["rater"] if draft.people else []))
    draft.scores = list_columns(draft.meaning, "rank") or list_columns(draft.meaning, "score")
    if len(draft.scores) != 1:
        raise DataError(
            f"{draft.where}: {len(draft.scores)} columns of ranks; found "
            f'{list_some(draft.cells, 15)}; say columns={{"its name": "rank"}}'
        )


def choose_wide(draft: Draft) -> None:
    """Find the columns of raters, or of judges, of a file with one row per text."""
    need(draft, "item")
    forget(draft, "rater" if draft.people else "judge", "score")
    make_wide(draft, WIDE, draft.list_numeric())


def choose_items(draft: Draft) -> None:
    """Find the columns of texts of a file with one row per rater."""
    if not draft.people:
        forget(draft, "rater", "score")
    forget(draft, "item", "score", "group", "writer", "words", "text", "aspect")
    numeric = draft.list_numeric()
    items = find_items(draft, numeric)
    if items and OTHERS not in draft.given:
        ask_about_rest(draft, items, [name for name in numeric if name not in items])
    make_wide(draft, FORM, items or numeric)


def ask_about_rest(draft: Draft, items: list[str], rest: list[str]) -> None:
    """Leave out the columns of numbers beside those that are named like texts, and say why; ask
    about those that may be texts of other names."""
    table = pd.DataFrame({name: draft.read_column(name) for name in [*items, *rest]})
    computed = find_computed(table)
    low, high = span_of(draft, items)
    asked = []
    for name in rest:
        numbers = draft.read_column(name)
        why = find_fact(name, numbers, len(draft.cells))
        if name in computed:
            why = f"computed: {computed[name]}"
        elif not why and is_named_sure(name):
            why = "asks how sure a rater is"
        elif not why and low <= numbers.min() and numbers.max() <= high:
            asked.append(name)
            continue
        draft.leave_out({name: why or "on another scale than the texts"})
    if asked:
        raise DataError(
            f"{draft.where}: {list_some(items, 3)} are read as texts; {list_some(asked, 8)} hold "
            "numbers on the same scale and are named otherwise; it is not clear whether they are "
            "texts, too (then call each column of a text item)",
            [
                Answer("if they are none", {"columns": dict.fromkeys(asked, LEFT_OUT)}),
                Answer("if all are texts", {"columns": dict.fromkeys([*items, *asked], "item")}),
            ][: 2 if len(items) < 13 else 1],
        )


def make_wide(draft: Draft, form: str, named: list[str]) -> None:
    """Take columns for raters, judges or texts, after a look at what they hold."""
    draft.form = form
    asked = [name for name in named if name not in draft.given]
    computed = find_computed(
        pd.DataFrame(
            {
                name: draft.read_column(name)
                for name in named
                if draft.read_column(name) is not None
            },
            index=draft.cells.index,
        )
    )
    facts = {name: f"computed: {why}" for name, why in computed.items()}
    patterned = set(find_items(draft, named)) if form == FORM else set()
    low, high = span_of(draft, [n for n in named if n not in facts])
    for name in asked:
        numbers = draft.read_column(name)
        if name in patterned or name in facts or numbers is None:
            continue
        why = find_fact(name, numbers, len(draft.cells))
        is_odd = form == FORM and patterned and name not in patterned
        if not why and is_odd:
            ask_about(draft, name, "is named unlike the texts beside it", "item")
        if why == "named like an id, an age or a time" and form == FORM and not patterned:
            within = [n for n in named if n != name and n not in facts]
            low, high = span_of(draft, within)
            if within and low <= numbers.min() and numbers.max() <= high and numbers.nunique() > 1:
                ask_about(draft, name, f"is {why}", "item")
        if why and not (why == "the same in every row" and not is_odd):
            facts[name] = why
        elif form == FORM and is_named_sure(name):
            ask_about(draft, name, "asks how sure a rater is", "item")
    if OTHERS in draft.given:  # what the reader meant by all columns
        facts |= {
            name: why
            for name in draft.list_numeric()
            if name not in named
            and (why := find_fact(name, draft.read_column(name), len(draft.cells)))
        }
    draft.leave_out({name: why for name, why in facts.items() if name not in draft.given})
    draft.scores = [name for name in named if name not in facts or name in draft.given]
    draft.notes += [
        f"{name} is {why}, and was read as you said."
        for name, why in facts.items()
        if name in draft.given and form == FORM
    ]
    if form == FORM:
        rest = {
            name: "another kind of question"
            for name in draft.list_numeric()
            if name not in draft.scores
        }
        draft.not_read |= rest
        forget(draft, "group", "writer", "words", "text", "aspect")
        draft.headers = split_headers(draft, draft.scores)
    else:
        draft.headers = split_raters(draft.scores)
    if len(draft.scores) < 2 and form == WIDE or not draft.scores:
        raise DataError(
            f"{draft.where}: form={form!r} expects columns of numbers, one per "
            f"{'text' if form == FORM else 'rater' if draft.people else 'judge'}; found "
            f"{list_some(draft.scores) or 'none'} of {list_some(draft.cells, 15)}"
        )


def span_of(draft: Draft, names: list[str]) -> tuple[float, float]:
    """Return the lowest and the highest number in some columns, (0, 0) where there is none."""
    columns = [draft.read_column(name) for name in names]
    columns = [numbers for numbers in columns if numbers is not None and len(numbers)]
    if not columns:
        return 0.0, 0.0
    return min(map(min, columns)), max(map(max, columns))


def ask_about(draft: Draft, name: str, what: str, ours: str) -> None:
    """Ask whether a column holds ratings."""
    numbers = draft.read_column(name)
    raise DataError(
        f"{draft.where}: column {name!r:.80} ({numbers.min():g} to {numbers.max():g}) {what}; it "
        "is not clear whether it is a rating",
        [
            Answer("if it is none", {"columns": {name: LEFT_OUT}}),
            Answer("if it is one", {"columns": {name: ours}}),
        ],
    )


def find_items(draft: Draft, names: list[str]) -> list[str]:
    """Return the columns that are named like texts, all in one pattern: Story 1, Story 2; A101_01;
    "How creative is text 1?"; "Creativity [Storm]"; [] where there are none."""
    patterns = {}
    for name in names:
        patterns.setdefault(find_pattern(name), []).append(name)
    patterned = {key: group for key, group in patterns.items() if "#" in key and len(group) > 1}
    if not patterned:
        return []
    most = max(map(len, patterned.values()))
    kept = {name for group in patterned.values() if len(group) == most for name in group}
    facts = [name for name in kept if re.search(r"^(time|page|seite)_?\d+$", simplify(name))]
    return [name for name in names if name in kept and name not in facts]


def find_pattern(name: str) -> str:
    """Return the name of a column with # for what tells one text from another.

    >>> find_pattern("A101_07"), find_pattern("Creativity [Storm]")
    ('A101_#', 'Creativity [#]')
    """
    bracket = IN_BRACKETS.fullmatch(name) or AFTER_DASH.fullmatch(name)
    if bracket:
        return f"{bracket[1]} [#]"
    inside = ITEM_INSIDE.search(fold_digits(name))
    if inside:
        return name[: inside.start()] + "#" + name[inside.end() :]
    if ITEM_NAME.fullmatch(name):
        return "#"
    loop = LOOP.fullmatch(name)
    if loop:
        return f"#_{loop[2]}"
    return re.sub(r"\d+(?=\D*$)", "#", fold_digits(name))


def split_headers(draft: Draft, names: list[str]) -> dict[str, tuple[str, str]]:
    """Return {column: (item, criterion or "")} of the columns of a form.

    A form's grid names them "Creativity [Story 1]". What stands in the brackets is the item, unless
    that is always the same; where both parts differ, Story 1 is known by its name, or it is asked.
    """
    if not names:
        return {}
    labels = {name: draft.labels.get(name, name) for name in names}
    for pattern in (IN_BRACKETS, AFTER_DASH):
        parts = [pattern.fullmatch(label) for label in labels.values()]
        if all(parts):
            return split_brackets(draft, names, [p[1] for p in parts], [p[2] for p in parts])
    inside = [list(ITEM_INSIDE.finditer(label)) for label in labels.values()]
    if all(len(found) == 1 for found in inside):
        items = [found[0][0] for found in inside]
        rest = [
            label[: found[0].start()] + "…" + label[found[0].end() :]
            for label, found in zip(labels.values(), inside)
        ]
        if len(set(rest)) == 1 or len(set(zip(items, rest))) == len(items) > len(set(items)):
            one = len(set(rest)) == 1
            return {n: (item, "" if one else part) for n, item, part in zip(names, items, rest)}
    loops = [LOOP.fullmatch(name) for name in names]
    if all(loops) and len({loop[1] for loop in loops}) > 1:
        questions = [loop[2] for loop in loops]
        one = len(set(questions)) == 1
        return {n: (loop[1], "" if one else loop[2]) for n, loop in zip(names, loops)}
    blocks = split_blocks(draft, names)
    if blocks:
        return blocks
    if len(set(labels.values())) < len(names):
        labels = {name: name for name in names}
    return {name: (label, "") for name, label in labels.items()}


def split_blocks(draft: Draft, names: list[str]) -> dict[str, tuple[str, str]]:
    """Return {column: (item, criterion)} of blocks with the same numbers, such as A101_01 … and
    A102_01 …, as the reader said; {} where there is one block. Raises DataError that asks."""
    parts = [NUMBERED.fullmatch(name) for name in names]
    if not all(parts) or all(map(ITEM_NAME.fullmatch, names)) or draft.given.get("[]") == LEFT_OUT:
        return {}
    blocks: dict[str, list[str]] = {}
    for part in parts:
        blocks.setdefault(part[1], []).append(part[2])
    numbers = [sorted(found) for found in blocks.values()]
    if len(blocks) < 2 or len(numbers[0]) < 2 or any(found != numbers[0] for found in numbers):
        return {}
    short = {block: block.rstrip("_-. [") for block in blocks}
    meant = draft.given.get("[]")
    if meant in ("item", "aspect"):
        pairs = [(part[2], short[part[1]]) for part in parts]
        return dict(zip(names, pairs if meant == "item" else [pair[::-1] for pair in pairs]))
    raise DataError(
        f"{draft.where}: {list_some(short.values())} have columns of the same numbers, such as "
        f"{names[0]!r:.60}; it is not clear what the number is",
        [
            Answer("if it is the text, rated on several criteria", {"columns": {"[]": "item"}}),
            Answer("if it is the criterion", {"columns": {"[]": "aspect"}}),
            Answer("if each column is a text of its own", {"columns": {"[]": LEFT_OUT}}),
        ],
    )


def split_raters(names: list[str]) -> dict[str, tuple[str, str]]:
    """Return {column: (rater, criterion)} where each name holds both, such as "R1 wit" or
    "wit [R2]", and each rater has each criterion; {} for other names.

    >>> split_raters(["R1 wit", "R1 depth", "R2 wit", "R2 depth"])["R2 wit"]
    ('R2', 'wit')
    """
    for pattern in (r"(.+?)\s*\[(.+)\]", r"(.+?)[ _.:-]+(.+)", r"(.+)[ _.:-]+(.+?)"):
        parts = [re.fullmatch(pattern, name) for name in names]
        if not names or not all(parts):
            continue
        first, second = ([part[place] for part in parts] for place in (1, 2))
        pairs = set(zip(first, second))
        counts = len(set(first)), len(set(second))
        if min(counts) < 2 or len(pairs) != len(names) or counts[0] * counts[1] != len(names):
            continue
        if all(map(RATER_NAME.fullmatch, first)):
            return dict(zip(names, zip(first, second)))
        if all(map(RATER_NAME.fullmatch, second)):
            return dict(zip(names, zip(second, first)))
    return {}


def split_brackets(draft, names, outside, inside) -> dict[str, tuple[str, str]]:
    """Return what `split_headers` does of names in two parts."""
    if len(set(outside)) == 1:
        return {name: (item, "") for name, item in zip(names, inside)}
    if len(set(inside)) == 1:
        return {name: (item, "") for name, item in zip(names, outside)}
    meant = draft.given.get("[]")
    if meant is None:
        in_ = all(ITEM_NAME.fullmatch(part) for part in inside)
        out = all(ITEM_NAME.fullmatch(part) for part in outside)
        meant = "" if in_ == out else "item" if in_ else "aspect"
    if meant == "item":
        return dict(zip(names, zip(inside, outside)))
    if meant == "aspect":
        return dict(zip(names, zip(outside, inside)))
    raise DataError(
        f"{draft.where}: what is the text in {names[0]!r:.80}, what stands behind or before it?",
        [
            Answer(f"if {inside[0]!r:.40} is the text", {"columns": {"[]": "item"}}),
            Answer(f"if {outside[0]!r:.40} is the text", {"columns": {"[]": "aspect"}}),
        ],
    )


def find_scores(draft: Draft) -> list[str]:
    """Return the columns of scores of a file with one row per text and rater where none is called
    so. Raises DataError with answers where it is not clear."""
    numeric = draft.list_numeric()
    if not numeric:
        words = [
            name
            for name in list_columns(draft.meaning, None)
            if draft.cells[name].ne("").any() and draft.cells[name].nunique() <= 12
        ]
        held = ""
        if words:
            seen = draft.cells[words[0]].value_counts().index[:4]
            held = f"; {words[0]!r:.60} holds words ({list_some(map(repr, seen))}), and expected "
            held += 'are numbers, Yes and No, or labels={"a word": its number, …}'
        raise DataError(
            f"{draft.where}: no column score, and no other column of numbers; found "
            f"{list_some(draft.cells, 20)}{held}"
        )
    if draft.rated:
        return match_criteria(draft, numeric)
    facts, doubts = sort_columns(draft, numeric)
    good = [name for name in numeric if name not in facts and name not in doubts]
    if doubts or not good or (len(good) > 1 and not draft.people):
        ask_which(draft, numeric, good, facts | doubts)
    draft.leave_out(facts)
    return good


def sort_columns(draft: Draft, numeric: list[str]) -> tuple[dict, dict]:
    """Return (columns that are clearly no ratings, columns that may be none), {name: why} each."""
    facts, doubts = {}, {}
    for name in numeric:
        numbers = draft.read_column(name)
        why = find_fact(name, numbers, len(draft.cells))
        for ours, rows, least in (("item", 2, 3), ("rater", 3, 2)):
            if not why and draft.has(ours):
                if is_same_within(numbers, draft.fill(ours), rows, least):
                    why = f"the same in all rows of {'a text' if ours == 'item' else 'a rater'}"
        if why:
            facts[name] = why
        elif is_named_sure(name):
            doubts[name] = "asks how sure a rater is"
    rest = [name for name in numeric if name not in facts]
    if len(rest) > 2:
        table = pd.DataFrame({name: draft.read_column(name) for name in rest})
        facts |= {name: f"computed: {why}" for name, why in find_computed(table).items()}
    good = [name for name in rest if name not in facts and name not in doubts]
    low, high = span_of(draft, good)
    for name, why in list(facts.items()):  # on the ratings' own scale a name alone proves nothing
        numbers = draft.read_column(name)
        if (
            why.startswith("named")
            and good
            and guess_scale(low, high) == guess_scale(numbers.min(), numbers.max())
        ):
            doubts[name] = facts.pop(name)
    scales = Counter(guess_scale(*span_of(draft, [name])) for name in good)
    if len(scales) > 1:
        for name in good:
            low, high = span_of(draft, [name])
            others = [other for other in good if other != name]
            if guess_scale(low, high) != scales.most_common(1)[0][0]:
                least, most = span_of(draft, others)
                if high > 10 or high > 1.4 * most or low < least - 1 or high < most / 1.4:
                    doubts[name] = "on another scale than the others"
    elif len(good) == 1 and span_of(draft, good)[1] > 100:
        doubts[good[0]] = "larger than ratings are"
    return facts, doubts


def ask_which(draft: Draft, numeric: list[str], good: list[str], doubts: dict) -> None:
    """Ask which columns of numbers hold scores."""
    shown = []
    for name in numeric:
        low, high = span_of(draft, [name])
        shown.append(
            f"{name!r:.60} ({low:g} to {high:g}" + (f": {doubts[name]})" if name in doubts else ")")
        )
    answers = []
    if good and (draft.people or len(good) == 1):
        left = {name: LEFT_OUT for name in doubts}
        answers.append(Answer(f"to read {list_some(good)}", {"columns": left}))
    maybe = [name for name in numeric if name not in good and is_named_sure(name)]
    if maybe and good and draft.people:
        answers.append(
            Answer(
                f"to read {list_some(maybe)} as well",
                {"columns": dict.fromkeys([*good, *maybe], "score")},
            )
        )
    if not good or not draft.people:
        answers += [
            Answer(f"to read {name!r:.60} alone", {"columns": {name: "score"}})
            for name in (good or numeric)[:2]
        ]
    if not draft.people and len(good) > 1:
        answers.append(Answer("if each is a judge's scores", {"form": WIDE}))
    raise DataError(
        f"{draft.where}: no column score, and it is not clear which columns are ratings: "
        f"{list_some(shown, 12)}",
        answers,
    )


def match_criteria(draft: Draft, numeric: list[str]) -> list[str]:
    """Return a judge's columns of scores that are named like the criteria that people rated; a name
    that differs is proposed, where one word tells that it is the same."""
    known = {make_key(name): name for name in draft.rated}
    known |= {make_loose_key(name): name for name in draft.rated}
    found = {
        name: known[key]
        for name in numeric
        for key in (make_key(name), make_loose_key(name))
        if key in known
    }
    if found:
        draft.meaning |= found
        return list(found)
    if len(numeric) == 1:
        facts, _ = sort_columns(draft, numeric)
        if not facts:
            return numeric
    alike = {name: meant for name in numeric if (meant := find_alike(name, draft.rated))}
    answers = []
    if alike and len(set(alike.values())) == len(alike):
        answers.append(Answer("if they are the same criteria", {"columns": alike}))
    facts, doubts = sort_columns(draft, numeric)
    good = [name for name in numeric if name not in facts and name not in doubts]
    if len(good) == 1:
        answers.append(
            Answer(
                f"if {good[0]!r:.60} is a score for all of them", {"columns": {good[0]: "score"}}
            )
        )
    raise DataError(
        f"{draft.where}: columns of numbers are {list_some(numeric, 12)}, but people rated "
        f"{list_some(draft.rated, 12)}; expected a column with the name of each criterion, or one "
        "called score",
        answers,
    )


def find_alike(name: str, rated: list[str]) -> str:
    """Return the one criterion whose name shares the beginning of a word with a column's, else "".

    >>> find_alike("originality", ["How original is it?", "How clear is it?"])
    'How original is it?'
    """
    stems = {word[:5] for word in simplify(name).split("_") if len(word) > 4}
    found = [r for r in rated if stems & {w[:5] for w in simplify(r).split("_") if len(w) > 4}]
    return found[0] if len(found) == 1 else ""
