"""Langfuse: its table of scores as CSV, JSON or JSON lines (export, API or blob storage).

    id,timestamp,traceId,observationId,name,value,stringValue,dataType,source,authorUserId,comment
    {"trace_id": "…", "name": "creativity", "value": 4, "source": "EVAL", "data_type": "NUMERIC"}

Made up after langfuse.com/docs, Export data from UI, and Blob storage export fields. Scores with
the source ANNOTATION are people's, EVAL and API a judge's. The item is that of a data set, else the
trace by its name or number.
"""

from goodjudge.data.importers.shapes import Imported
from goodjudge.data.names import simplify
from goodjudge.data.tables import Source, lay_out
from goodjudge.errors import DataError

NAME, TITLE, PEOPLE, JUDGES = "langfuse", "Langfuse", True, True
SHAPE = "expected its scores, with a trace, name, value, source and data type"
CORE = {"trace_id", "name", "value", "source"}
ITEMS = ("item", "item_id", "dataset_item_id", "trace_name", "trace_id")


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    names = source.rows[0][1] if source.rows else list(source.records[0])
    return CORE <= {simplify(name) for name in names}


def read(source: Source) -> Imported:
    """Return one row per score; people's and a judge's are told apart by their source."""
    table = lay_out(source)
    cells = table.cells
    known = {simplify(name): name for name in cells}
    whose = cells[known["source"]].str.upper()
    found = Imported(cells, form="rows", notes=list(table.notes), tool=TITLE)
    item = next(
        name
        for name in ITEMS
        if name in known and (name != "trace_name" or cells[known[name]].nunique() > 1)
    )
    found.meaning = {name: "" for name in cells}
    found.meaning[known[item]] = "item"
    found.meaning[known["name"]] = "aspect"
    found.meaning[known["value"]] = "score"
    words = known.get("string_value")
    if words:
        is_empty = cells[known["value"]] == ""
        found.cells = cells.assign(
            **{known["value"]: cells[known["value"]].mask(is_empty, cells[words])}
        )
    found.whose = whose
    author = known.get("author_user_id") or known.get("user_id")
    if (whose == "ANNOTATION").any() and author:
        found.meaning[author] = "rater"
    if found.cells[known["name"]].nunique() == 1:
        found.meaning[known["name"]] = ""
    return found


def take_side(found: Imported, people: bool, where: str) -> Imported:
    """Return the rows of people, or of judges, of a file that holds both."""
    is_theirs = (found.whose == "ANNOTATION") == people
    if not is_theirs.any():
        whose = "people (source ANNOTATION)" if people else "a judge (source EVAL or API)"
        raise DataError(f"{where}: holds no score of {whose}")
    if not people:
        found.meaning = {
            name: "" if ours == "rater" else ours for name, ours in found.meaning.items()
        }
    rows = list(found.cells.index[~is_theirs])
    if rows:
        found.left_out.append(
            ("scores of " + ("judges" if people else "people"), rows, "by their source")
        )
    found.cells = found.cells[is_theirs]
    return found
