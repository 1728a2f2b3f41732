"""Exports of tools, known by their shape: a module each.

Each module has NAME (for `form=`), TITLE, PEOPLE (whether people's ratings may be in it), JUDGES
(whether a judge's scores may), `matches(source)` and `read(source) -> Imported`.
"""

from dataclasses import dataclass, field

import pandas as pd

from goodjudge.errors import DataError


@dataclass
class Imported:
    """What an importer makes of an export.

    cells: one row per response or answer, all texts, the index each row's number in the file;
    meaning: {a column: our name, "" to leave it out}; form: of `forms`, or "auto"; missing: numbers
    that the tool writes for no answer; not_read: {a column that is not in cells: why}; left_out:
    [(what, rows, why)]; notes: sentences; labels: {a column: another name of it}; tool: its name.
    """

    cells: pd.DataFrame
    meaning: dict = field(default_factory=dict)
    form: str = "auto"
    missing: tuple = ()
    not_read: dict = field(default_factory=dict)
    left_out: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    labels: dict = field(default_factory=dict)
    tool: str = ""




def find(source, form: str, people: bool):
    """Return the importer of a file, None where it is of no known tool, or the reader told a form
    of rows. Raises DataError for a tool whose export the file is not."""
    if form in TOOLS:
        tool = TOOLS[form]
        if not tool.matches(source):
            raise DataError(
                f"{source.where}: is no export of {tool.TITLE} as form={form!r} expects; {tool.SHAPE}"
            )
        return tool
    if form != "auto":
        return None
    for tool in TOOLS.values():
        if (tool.PEOPLE if people else tool.JUDGES) and tool.matches(source):
            return tool
    return None


TOOLS: dict = {}
