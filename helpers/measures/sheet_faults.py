"""Rows of a reader's CSV file that contradict each other: one name in two spellings, two scores of
one case, two groups of one item.

Each function returns faults, [(row in the file, what is wrong and what was expected)]; of this file
`find_doubles` gives (4, "item is 'A', by the same rater as in row 2; expected one row …"):

    item,rater,score        row 1
    A,x,5                   row 2
    A,y,3                   row 3
    A,x,4                   row 4

Used by `sheet_rows` and `sheets`; `spreadsheets.raise_faults` makes one message of them all.
"""

import re


def find_spellings(column, ours):
    """Return the names as faults that are another spelling of a number before, as 01 is of 1: they
    would silently be two items, or two raters.

    column: of names, its index the rows of the file; ours: item or rater.
    """
    names = column.drop_duplicates()
    first = {}  # of each number: (its row, its spelling there)
    faults = []
    for row, name in names.items():
        if not re.fullmatch("[0-9]+", name):
            continue
        number = int(name)
        if number not in first:
            first[number] = row, name
            continue
        first_row, first_name = first[number]
        what = f"{ours} is {name!r:.60}, and {first_name!r:.60} in row {first_row}"
        faults.append((row, f"{what}; expected one spelling of one {ours}"))
    return faults


def find_doubles(table, case):
    """Return the second scores of a case as faults, each with the row of the first.

    table: one row per score, the index its row in the file; case: the columns that make a case.
    """
    cases = table[case].assign(row=table.index)
    cases["first row"] = cases.groupby(case)["row"].transform("first")
    second = cases[cases["row"] != cases["first row"]].drop_duplicates("row")
    advice = f"one row per {' and '.join(case)}: remove one"
    faults = []
    for row, item, first_row in zip(second["row"], second["item"], second["first row"]):
        what = f"item is {item!r:.60}, by the same rater as in row {first_row}"
        faults.append((row, f"{what}; expected {advice}"))
    return faults


def find_changes(table, name):
    """Return the rows as faults in which a fact of an item is not that of the item's first row.

    table: one row per score, the index its row in the file; name: the fact's column.
    """
    facts = table[["item"]].assign(row=table.index, cell=table[name].fillna(""))
    of_item = facts.groupby("item")
    facts["first row"] = of_item["row"].transform("first")
    facts["first cell"] = of_item["cell"].transform("first")
    changed = facts[facts["cell"] != facts["first cell"]].drop_duplicates("row")
    faults = []
    columns = ["row", "cell", "first row", "first cell"]
    for row, cell, first_row, first_cell in changed[columns].itertuples(index=False):
        before = f"{first_cell!r:.60} in row {first_row}"
        advice = f"the same {name} in every row of an item"
        faults.append((row, f"{name} is {cell!r:.60}, but {before}; expected {advice}"))
    return faults
