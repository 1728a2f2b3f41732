"""Microsoft Forms: ID (the number of the response), Start time, Completion time, Email, Name, then
a column per question; a question that comes again gets a number: "How creative is it?2".

Made up after support.microsoft.com, Check and share your form results (saved as CSV).
"""

import re

from goodjudge.data.importers.shapes import Imported, import_table, leave_out_named, list_header
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "microsoft_forms", "Microsoft Forms", True, False
SHAPE = "expected its table as CSV, with ID, Start time and Completion time"
KNOWN = {
    "id",
    "start time",
    "completion time",
    "email",
    "language",
    "last modified time",
    "startzeit",
    "fertigstellungszeit",
    "e-mail",
    "sprache",
    "zeitpunkt der letzten änderung",
    "total points",
    "quiz feedback",
}
STARTS = ({"start time", "completion time"}, {"startzeit", "fertigstellungszeit"})


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    names = {name.casefold() for name in list_header(source)}
    return "id" in names and any(start <= names for start in STARTS)


def read(source: Source) -> Imported:
    """Return one row per response; repeated questions are "question [1]", "question [2]" …"""
    found = import_table(source, TITLE)
    names = list(found.cells)
    person = next((name for name in names if name.casefold() == "name"), None)
    leave_out_named(found, KNOWN, "of the tool; ID numbers the responses")
    anonymous = {"", "anonymous", "anonym"}
    if person:
        cells = found.cells[person].str.casefold()
        if cells.isin(anonymous).any() or cells.duplicated().any():
            found.meaning[person] = ""
            found.not_read[person] = "of the tool; not each response has a name of its own"
        else:
            found.meaning[person] = "rater"
    if found.meaning.get(person) != "rater":
        for name in names:
            if name.casefold() == "id":
                found.meaning[name] = "rater"
                found.not_read.pop(name, None)
    again = {}
    for name in names:
        base = re.fullmatch(r"(.*?\D)(\d+)", name)
        if base and base[1] in names and int(base[2]) > 1:
            again.setdefault(base[1], {base[1]: "1"})[name] = base[2]
        if name.casefold().startswith(("points - ", "feedback - ")):
            found.meaning[name] = ""
            found.not_read[name] = "of the tool"
    renamed = {
        name: f"{base} [{number}]"
        for base, group in again.items()
        for name, number in group.items()
        if len(group) > 1
    }
    if renamed:
        found.cells = found.cells.rename(columns=renamed)
        found.notes.append(f"{len(again)} question(s) come again; each time is a text: [1], [2] …")
    return found
