"""The part of a notebook in which a reader's judge is asked, by itself: a run of it takes seconds,
where the whole takes minutes.

    notebook = cut_after_asking("05b", tmp_path)     # up to the last cell with a block `if judge`
    assert read_of_the_judge("05b") == set()         # what follows is the same whoever was asked

The second is what makes the first enough: cells that read nothing of what the judge's cells made
give what they give without a judge, and that the committed notebook has (`tests/portability.py`
executes all of it strictly).
"""

import re

import nbformat
from slice_kit import list_statements
from test_notebooks import code, find, read

ASKS = re.compile(r"^if judge\b", re.MULTILINE)


def find_asking(nb):
    """Return the places of the code cells that have a block `if judge`."""
    cells = enumerate(nb.cells)
    return [place for place, cell in cells if cell.cell_type == "code" and ASKS.search(cell.source)]


def cut_after_asking(number, folder):
    """Write a notebook up to the last cell that asks a judge into `folder`; return its path."""
    nb = read(find(number))
    nb.cells = nb.cells[: find_asking(nb)[-1] + 1]
    path = folder / "cut" / find(number).name
    path.parent.mkdir()
    nbformat.write(nb, path)
    return path


def read_of_the_judge(number):
    """Return the names that cells after the last that asks a judge read as the asking cells left
    them: not a name that one of the later cells has made anew before."""
    nb = read(find(number))
    asking = find_asking(nb)
    made_by_asking = names_made([nb.cells[place] for place in asking])
    nb.cells = nb.cells[asking[-1] + 1 :]
    return names_read(code(nb)) & made_by_asking


def names_made(cells):
    """Return the names that cells give a value."""
    return {name for body in list_statements(cells) for part in body for name in part.made}


def names_read(cells):
    """Return the names that cells read before they, or cells above them, make them."""
    names, made = set(), set()
    for statement in [part for body in list_statements(cells) for part in body]:
        names |= statement.read - made
        made |= statement.made
    return names
