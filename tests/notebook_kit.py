"""The functions that a notebook defines, for the tests of them."""

import ast

from test_notebooks import code, find, read

KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef)


def define_functions(number):
    """Return {name: function} of what a notebook defines, its imports with them."""
    names = {}
    for cell in code(read(find(number))):
        tree = ast.parse(cell.source)
        tree.body = [statement for statement in tree.body if isinstance(statement, KEPT)]
        exec(compile(tree, f"notebook {number}", "exec"), names)
    return names
