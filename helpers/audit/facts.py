"""What the running text of a paper states: the rules of its facts.csv, and whether a number obeys.

A rule names printed numbers (`*` stands for anything), the fact that they state, and how the two
relate. Two rules of a made-up paper:

    table  row  column           fact                   is  basis    how
    text   *    bound that no *  Table 1 | * | * | max  <   printed  claim: no rate reaches it
    text   2    price of a text  price                      raw      dollars divided by texts

By the first, the largest number of Table 1 lies below every bound with such a name. By the second,
the number that the paper's page of checks computes as `price` rounds to the printed one. The file
is read by `read_rules`, a rule's fact found by `find_fact`, a printed value compared by `relates`;
`checks.Paper.facts` does all three for each rule.
"""

from pathlib import Path
from typing import NamedTuple

from helpers.sources.files import DataError, refuse
from helpers.sources.published import Rounded, agrees, name_file, read_lines, to_number

RULE = ["table", "row", "column", "fact", "is", "basis", "how"]  # columns of facts.csv
BASES = ["raw", "code", "printed", "none"]  # what a check rests on, the strongest first
WITHIN = "within "  # and a number: a relation that is no word of RELATIONS, below
SUMMARIES = {  # of printed cells, {(table, row, column): number}, that a fact names
    "max": lambda cells: max(cells.values()),
    "min": lambda cells: min(cells.values()),
    "rows": lambda cells: len({row for _, row, _ in cells}),
    "columns": lambda cells: len({column for _, _, column in cells}),
}


class Rule(NamedTuple):
    """A line of facts.csv: which numbers state which fact."""

    table: str  # patterns of the numbers' keys
    row: str
    column: str
    fact: str  # as `find_fact` reads it; '' with basis none
    relation: str  # of a number to the fact: see `relates`; in the file `is`
    basis: str  # one of BASES
    how: str  # the definition, or the reason why nothing can check it; names facts in braces
    where: str  # file and line, for messages


class Fact(NamedTuple):
    """What a number of the text states.

    A fact that was computed has one reading, without a name, or several, such as {"points": 4,
    "per cent": 5.2}, of which the nearest to the printed number counts. A fact that is itself a
    printed cell has a source instead.
    """

    readings: dict  # {name: Rounded}
    source: tuple | None = None  # (table, row, column)


def read_rules(paper, folder):
    """Return the list of `Rule` of a paper's facts.csv, a file of `folder`/`paper`.

    Raises DataError, with file and line, for a rule that cannot be read.
    """
    path = Path(folder) / paper / "facts.csv"
    lines = read_lines(path, RULE)
    file_name = name_file(path)
    is_relation = lines["is"].isin(RELATIONS) | lines["is"].str.fullmatch(rf"{WITHIN}[\d.]+")
    has_fact = lines["fact"] != ""
    wants_fact = lines["basis"] != "none"
    relations = ", ".join(map(repr, [*RELATIONS, f"{WITHIN}N"]))
    one_or_the_other = "a fact with basis raw, code or printed, none without one"
    checks = [
        ("basis", ~lines["basis"].isin(BASES), f"one of {', '.join(BASES)}"),
        ("fact", has_fact != wants_fact, one_or_the_other),
        ("is", ~is_relation, f"one of {relations}"),
    ]
    refuse(lines, file_name, checks)
    lines["where"] = f"{file_name}, " + lines["where"]
    return [Rule(*cells) for cells in lines.itertuples(index=False)]


def find_fact(rule, printed, known):
    """Return the `Fact` that a rule names; None where there is none, or no data for it here.

    rule.fact: a printed cell, "Table 5 | row | column"; a summary of printed cells, "Table 5 | * |
    column | max" (see SUMMARIES); or a name in `known`. printed: the paper's numbers, `Printed`;
    known: {name: number, Rounded number or {reading: number}}. A raw fact may be unknown. Raises
    DataError, with file and line, for another one that nothing gives.
    """
    parts = rule.fact.split(" | ")
    if len(parts) == 3:
        return Fact({}, source=tuple(parts))
    if len(parts) == 4:
        return to_fact(summarise_cells(rule, printed))
    if rule.fact in known:
        return to_fact(known[rule.fact])
    if rule.basis in ("raw", "none"):
        return None
    raise DataError(f"{rule.where}: no fact {rule.fact!r}; known: {', '.join(known)}")


def summarise_cells(rule, printed):
    """Return the summary of printed cells that a rule's fact names; cells that are blank do not
    count. Raises DataError if no cell or no summary has that name."""
    *pattern, summary = rule.fact.split(" | ")
    cells = {key: printed.number(*key) for key in printed.matching(*pattern) if printed.text(*key)}
    if not cells or summary not in SUMMARIES:
        expected = f"must be printed cells and one of {', '.join(SUMMARIES)}"
        raise DataError(f"{rule.where}: {rule.fact!r} {expected}")
    return SUMMARIES[summary](cells)


def to_fact(computed):
    """Return the `Fact` of a number, a Rounded number, or {reading: number}."""
    readings = computed if isinstance(computed, dict) else {"": computed}
    return Fact({name: Rounded(number) for name, number in readings.items()})


def nearest_reading(readings, number):
    """Return (name, Rounded) of the reading whose middle is nearest to a printed number."""
    off = {name: abs(reading.mid - number) for name, reading in readings.items()}
    nearest = min(off, key=off.get)
    return nearest, readings[nearest]


def relates(value, relation, fact):
    """Return whether a printed value stands to a fact, a Rounded number, as a rule says.

    relation: one of RELATIONS, or "within 5": all of the fact is so near. A blank never does.
    """
    if value == "":
        return False
    if relation.startswith(WITHIN):
        number = to_number(value)
        farthest = max(abs(fact.low - number), abs(fact.high - number))
        return farthest <= float(relation.removeprefix(WITHIN))
    return bool(RELATIONS[relation](value, fact.low, fact.high))


def only_bounds(relation):
    """Return whether a relation says between which values a number lies, and does not fix it."""
    return relation in ("<", "<=", ">") or relation.startswith(WITHIN)


def both_ends_agree(value, low, high):
    """Return whether the low and the high end of a fact both round to a printed value."""
    return agrees(value, low) and agrees(value, high)


def is_unit_fraction(value, low, high):
    """Return whether a printed fraction, 1/n, is the nearest unit fraction to all of a fact."""
    number = to_number(value)
    if min(low, high, number) <= 0:
        return False
    return round(1 / low) == round(1 / high) == round(1 / number)


RELATIONS = {  # of a printed value to a fact, which lies from low to high
    "": agrees,
    "each": both_ends_agree,
    "<": lambda value, low, high: high < to_number(value),
    "<=": lambda value, low, high: high <= to_number(value),
    ">": lambda value, low, high: low > to_number(value),
    "1/n": is_unit_fraction,
}
