"""LimeSurvey: a row per response, a column per subquestion: code, "Question [Story 1]" or both.

    Response ID,Date submitted,Last page,Start language,Seed,"Creativity [Story 1]",…
    id,submitdate,lastpage,startlanguage,seed,Q1[SQ001],…

Made up after manual.limesurvey.org, Exporting results. Answers may be codes (A1 … A7) or labels.
"""

import re

from goodjudge.data.importers.shapes import Imported, import_table, leave_out_named, list_header
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "limesurvey", "LimeSurvey", True, False
SHAPE = "expected its CSV of responses, with lastpage and startlanguage"
KNOWN = {
    "response id",
    "id",
    "date submitted",
    "submitdate",
    "last page",
    "lastpage",
    "start language",
    "startlanguage",
    "seed",
    "date started",
    "startdate",
    "date last action",
    "datestamp",
    "ip address",
    "ipaddr",
    "referrer url",
    "refurl",
    "total time",
    "interviewtime",
}
CORE = ({"last page", "start language"}, {"lastpage", "startlanguage"})
CODE = re.compile(r"[A-Z]{1,2}0*(\d+)")  # A1 … A7, AO01


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    names = [name.casefold() for name in list_header(source)]
    starts = {re.split(r"[.:] ", name)[0] for name in names} | set(names)
    return any(core <= starts for core in CORE)


def read(source: Source) -> Imported:
    """Return one row per response; codes of answers such as A5 are their number."""
    found = import_table(source, TITLE)
    starts = {name: re.split(r"[.:] ", name)[0].casefold() for name in found.cells}
    by_token = [name for name, start in starts.items() if start == "token"]
    for name, start in starts.items():
        if start in ("response id", "id") and not by_token:
            found.meaning[name] = "rater"
        elif start in KNOWN or re.search(
            r"time\b.*(group|question)|(group|question).*time\b", start
        ):
            found.meaning[name] = ""
            found.not_read[name] = "of the tool"
    for name in by_token:
        found.meaning[name] = "rater"
    leave_out_named(found, KNOWN)
    joined = []
    for name in found.cells:
        cells = found.cells[name]
        codes = cells[cells != ""].map(CODE.fullmatch)
        if name not in found.meaning and len(codes) and codes.map(bool).all():
            found.cells[name] = cells.map(lambda cell: CODE.sub(r"\1", cell))
            joined.append(name)
    if joined:
        found.notes.append("Answer codes such as A5 were read as their number, 5.")
    is_empty = (found.cells.drop(columns=list(found.meaning)) == "").all(axis=1)
    rows = list(found.cells.index[is_empty])
    if rows and len(rows) < len(found.cells):
        found.left_out.append(("responses without an answer", rows, "nothing was answered"))
        found.cells = found.cells[~is_empty]
    return found
