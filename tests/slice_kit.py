"""The part of a notebook that a test is about: a run of it takes less than one of the whole.

    keep("08", folder, given={"judge", "limit"})       # all that these parameters can change
    keep("02", folder, calls=["ledger.save("])         # what the ledger is made of, no more
    keep("04", folder, given={"judge"}, until="rank_designs(")   # no cell below this one

A cell is left out if no given parameter reaches it, neither itself nor by what other cells made of
it, if it makes none of the calls, and if no kept cell reads what it makes. What it gives is not
changed by what is given: the committed run has it, and `tests/portability.py` executes that run
strictly.
"""

import ast
import re
import symtable

import nbformat
from test_notebooks import code, find, read

from helpers.results import SOLUTIONS
from helpers.workshop.run import has_tag

DRAWS = "rng"  # who reads a generator of random numbers changes it
IMPORTS = (ast.Import, ast.ImportFrom)


def keep(number, folder, given=(), calls=(), until=""):
    """Write a notebook without the code cells that neither the parameters in `given` reach nor the
    cells with one of `calls` need, and without those below the cell with `until`; return its path.
    """
    nb = read(find(number))
    assert [call for call in [*calls, until] if not any_calls(code(nb), call)] == []
    if until:
        (last,) = [place for place, cell in enumerate(nb.cells) if any_calls([cell], until)]
        nb.cells = nb.cells[: last + 1]
    kept = find_kept(code(nb), given, calls)
    nb.cells = [cell for cell in nb.cells if cell.cell_type != "code" or cell.source in kept]
    path = folder / "cut" / find(number).name
    path.parent.mkdir(exist_ok=True)
    nbformat.write(nb, path)
    return path


def any_calls(cells, call):
    """Return whether a code cell among these has a call ("ledger.save(") in its source."""
    return any(cell.cell_type == "code" and call in cell.source for cell in cells)


def reaches(number, given, call):
    """Return whether a parameter in `given` can change what the cells with a call do."""
    cells = code(read(find(number)))
    reached = find_reached(cells, list_statements(cells), given)
    found = [is_reached for cell, is_reached in zip(cells, reached) if call in cell.source]
    assert found, f"no cell of {number} has {call}"
    return any(found)


def find_kept(cells, given, calls=()):
    """Return the sources of the code cells that what is given reaches, that have one of the calls,
    or that these need."""
    bodies = list_statements(cells)
    reached = find_reached(cells, bodies, given)
    kept, needed = set(), set()
    for cell, body, is_reached in reversed(list(zip(cells, bodies, reached))):
        makes = {name for part in body for name in part.made | part.changed}
        wanted = is_reached or any(call in cell.source for call in calls)
        if wanted or makes & needed or has_tag(cell, "parameters"):
            kept.add(cell.source)
            for part in reversed(body):
                needed = needed - part.made_anew | part.read
    return kept


def find_reached(cells, bodies, given):
    """Return of each code cell whether it reads what is given, or what was made of it."""
    touched, functions, reached = set(given), {}, []
    for cell, body in zip(cells, bodies):
        is_reached = False
        for part in [] if has_tag(cell, "parameters") else body:
            if touched & read_through(part.read, functions):
                is_reached = True
                touched |= part.made | part.changed
            else:
                touched -= part.made_anew  # of nothing that is given
            functions |= part.functions
        reached.append(is_reached)
    return reached


def read_through(names, functions):
    """Return names with those that the functions among them read; functions: {name: names}."""
    found = set(names)
    while more := {name for one in found for name in functions.get(one, ())} - found:
        found |= more
    return found


class Statement:
    """What a statement of a cell does with the notebook's names: `read`, `made` (given a value) and
    `changed` (as `a["x"] = 1`, `a.append(1)`, `a += 1` and each draw do; these are read, too).
    `made_anew`: what is made whatever was there before; `functions`: what a function reads that it
    defines."""

    def __init__(self, tree, imported):
        table = symtable.symtable(ast.unparse(tree), "cell", "exec")
        symbols = table.get_symbols()
        self.made = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported()}
        self.read = names_read_in(table, is_top=True)
        if isinstance(tree, ast.For):
            self.read -= {one.id for one in ast.walk(tree.target) if isinstance(one, ast.Name)}
        self.changed = names_changed(tree) - imported | {DRAWS} & self.read
        self.read |= self.changed | names_of_exercises(ast.unparse(tree))
        may_not_run = isinstance(tree, (ast.If, ast.For, ast.While, ast.With, ast.Try))
        self.made_anew = set() if may_not_run else self.made - self.read
        self.functions = {tree.name: self.read} if isinstance(tree, ast.FunctionDef) else {}


def list_statements(cells):
    """Return the statements of each cell; a call of what is imported changes no name."""
    trees = [ast.parse(cell.source).body for cell in cells]
    lines = [one for body in trees for one in body if isinstance(one, IMPORTS)]
    imported = {(name.asname or name.name).split(".")[0] for one in lines for name in one.names}
    return [[Statement(tree, imported) for tree in body] for body in trees]


def names_read_in(table, is_top=False):
    """Return the names of the notebook that code reads, also within functions that it defines."""
    symbols = [one for one in table.get_symbols() if one.is_referenced()]
    names = {one.get_name() for one in symbols if is_top or one.is_global()}
    return names.union(*map(names_read_in, table.get_children()))


def names_of_exercises(source):
    """Return the names that solutions of exercises read, where code checks a reader's answers."""
    names = set()
    for number in re.findall(r'results\.check\([\'"](\w+)', source):
        names |= set(re.findall(r'ns\[["\'](\w+)', (SOLUTIONS / f"{number}.py").read_text("utf8")))
    return names


def names_changed(tree):
    """Return the names whose objects a statement changes in place."""
    places = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            places.append(node)
        elif isinstance(node, ast.AugAssign):
            places.append(node.target)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            places.append(node.value.func if isinstance(node.value.func, ast.Attribute) else None)
    return {find_name(place) for place in places} - {None}


def find_name(place):
    """Return the name at the root of a place: "table" of `table.loc["a"].x`; None without one."""
    while isinstance(place, (ast.Subscript, ast.Attribute, ast.Call)):
        place = place.func if isinstance(place, ast.Call) else place.value
    return place.id if isinstance(place, ast.Name) else None
