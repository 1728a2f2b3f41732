"""SoSci Survey: a row per interview (CASE), a column per item (A101_01), and its own columns.

    CASE,SERIAL,REF,QUESTNNR,MODE,STARTED,A101_01,…,TIME001,TIME_SUM,LASTPAGE,FINISHED,MISSING

Made up after soscisurvey.de/help, Additional Variables in the Data Set: -9 is not answered, -1 no
answer (do not know), -2 and -3 other ways of none. A second row with the questions may stand below.
"""

import re

from goodjudge.data.importers.shapes import Imported, import_table, list_header
from goodjudge.data.names import list_rows
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "sosci", "SoSci Survey", True, False
SHAPE = "expected its data file, with CASE, QUESTNNR and STARTED"
KNOWN = set(
    """serial ref questnnr mode language started lastdata status lastpage maxpage finished q_viewer
    missing missrel time_rsi deg_time time_sum mailsent cookie ip user_agent""".split()
)


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    names = {name.casefold() for name in list_header(source)}
    return "case" in names and len(names & {"questnnr", "started", "lastpage", "missing"}) >= 2


def read(source: Source) -> Imported:
    """Return one row per interview."""
    found = import_table(source, TITLE)
    found.missing = (-9.0,)
    for name in found.cells:
        if name.casefold() == "case":
            found.meaning[name] = "rater"
        elif name.casefold() in KNOWN or re.fullmatch(r"TIME\d+", name, re.IGNORECASE):
            found.meaning[name] = ""
            found.not_read[name] = "of the tool"
    finished = next((name for name in found.cells if name.casefold() == "finished"), None)
    if finished:
        rows = list(found.cells.index[found.cells[finished] == "0"])
        if rows:
            found.notes.append(
                f"Interviews not finished were read: {list_rows(rows)} ({finished})."
            )
    return found
