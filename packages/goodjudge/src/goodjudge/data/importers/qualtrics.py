"""Qualtrics: three rows of headers (codes, questions, ImportIds), then a row per response.

    Q2_1                                 Q2_2                                  …
    How creative is each story? - Story 1   How creative is each story? - Story 2
    {"ImportId":"QID2_1"}                {"ImportId":"QID2_2"}

Made up after qualtrics.com/support, Understanding Your Dataset. The questions name the texts; -99,
its usual code for a question that was seen and not answered, is no score.
"""

import json

from goodjudge.data.importers.shapes import Imported, list_header
from goodjudge.data.names import list_rows, tidy_name
from goodjudge.data.tables import Source
from goodjudge.data.tables import lay_out as lay_out_table

NAME, TITLE, PEOPLE, JUDGES = "qualtrics", "Qualtrics", True, False
SHAPE = "expected its CSV, with a row of ImportIds below the questions"
KNOWN = set(
    """startdate enddate status ipaddress progress finished recordeddate responseid
    recipientlastname recipientfirstname recipientemail externalreference externaldatareference
    locationlatitude locationlongitude distributionchannel userlanguage""".split()
) | {"duration (in seconds)", "duration__in_seconds_"}
CORE = {"responseid", "recordeddate", "distributionchannel", "startdate", "finished"}
PREVIEW = {"survey preview", "1", "survey test", "2", "spam", "8", "9", "12"}


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    if source.rows is None:
        return False
    has_ids = any("ImportId" in cell for _, cells in source.rows[1:3] for cell in cells)
    return has_ids or len(CORE & {name.casefold() for name in list_header(source)}) >= 4


def read(source: Source) -> Imported:
    """Return one row per response; columns are called by their codes, texts by the questions."""
    (top, header), rest = source.rows[0], source.rows[1:]
    below = [row for row in rest[:2] if is_header(row[1], header)]
    rows = [row for row in rest if row not in below]
    table = lay_out_table(source._replace(rows=[(top, header), *rows]))
    labels = {}
    for _, cells in below:
        if not any("ImportId" in cell for cell in cells):
            labels = {tidy_name(name): tidy_name(cell) for name, cell in zip(header, cells) if cell}
    found = Imported(table.cells, form="auto", missing=(-99.0,), notes=table.notes, tool=TITLE)
    names = {name.casefold(): name for name in found.cells}
    found.labels = {
        name: label
        for name, label in labels.items()
        if name in found.cells and name.casefold() not in KNOWN
    }
    if below:
        found.notes.append(
            f"{list_rows(number for number, _ in below).capitalize()} belong to the header."
        )
    for name in found.cells:
        if name.casefold() in KNOWN:
            found.meaning[name] = ""
            found.not_read[name] = "of the tool"
    if "responseid" in names:
        found.meaning[names["responseid"]] = "rater"
        found.not_read.pop(names["responseid"])
    tell_previews(found, names)
    return found


def is_header(cells: list[str], header: list[str]) -> bool:
    """Return whether a row is one of ImportIds or of questions: it has words below the tool's own
    columns of dates and numbers."""
    for name, cell in zip(header, cells):
        if cell.startswith("{"):
            try:
                return "ImportId" in json.loads(cell)
            except (ValueError, TypeError):
                return "ImportId" in cell
        if name.casefold() in ("progress", "finished", "startdate", "recordeddate"):
            return (
                bool(cell)
                and not any(sign.isdigit() for sign in cell)
                and (cell.casefold() not in ("true", "false"))
            )
    return False


def tell_previews(found: Imported, names: dict[str, str]) -> None:
    """Say which responses are previews or tests, or not finished."""
    if "status" in names:
        status = found.cells[names["status"]]
        rows = list(found.cells.index[status.str.casefold().isin(PREVIEW)])
        if rows:
            verb = "response is a preview or test" if len(rows) == 1 else "responses are previews"
            found.notes.append(
                f"{len(rows)} {verb} (Status, {list_rows(rows)}) and was read: to leave it out, "
                f'say --only "Status={mode(status)}".'
            )
    if "finished" in names:
        finished = found.cells[names["finished"]].str.casefold()
        rows = list(found.cells.index[finished.isin(["0", "false"])])
        if rows:
            found.notes.append(f"Responses not finished were read: {list_rows(rows)} (Finished).")


def mode(status) -> str:
    """Return the usual status of a response, as the file has it."""
    return status[~status.str.casefold().isin(PREVIEW)].mode().get(0, "IP Address")
