"""Exports of tools, known by their shape: a module each.

Each module has NAME (for `form=`), TITLE, PEOPLE (whether people's ratings may be in it), JUDGES
(whether a judge's scores may), `matches(source)` and `read(source) -> Imported`.
"""

import importlib

from goodjudge.data.importers.shapes import Imported
from goodjudge.errors import DataError

__all__ = ["Imported", "TOOLS", "find"]


# in the order in which they are tried
NAMES = """qualtrics surveymonkey limesurvey sosci google_forms microsoft_forms label_studio potato
mturk promptfoo inspect deepeval langfuse fastchat openai_batch anthropic_batch""".split()
TOOLS = {name: importlib.import_module(f"goodjudge.data.importers.{name}") for name in NAMES}


def find(source, form: str, people: bool):
    """Return the importer of a file, None where it is of no known tool, or the reader told a form
    of rows. Raises DataError for a tool whose export the file is not."""
    if form in TOOLS:
        tool = TOOLS[form]
        if not tool.matches(source):
            raise DataError(
                f"{source.where}: is no export of {tool.TITLE} (form={form!r}); {tool.SHAPE}"
            )
        return tool
    if form != "auto":
        return None
    for tool in TOOLS.values():
        if (tool.PEOPLE if people else tool.JUDGES) and tool.matches(source):
            return tool
    return None
