"""SurveyMonkey: the header is spread over two rows, a matrix names only its first column in row 1.

    Respondent ID,Collector ID,…,How creative is each story?,,,Anything else?
    ,,,,,,,,,Story 1,Story 2,Story 3,Open-Ended Response

Made up after help.surveymonkey.com, Exporting Survey Results (all responses, CSV).
"""

from goodjudge.data.importers.shapes import Imported, has_columns, import_table, leave_out_named
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "surveymonkey", "SurveyMonkey", True, False
SHAPE = "expected its CSV of all responses, with Respondent ID and Collector ID"
KNOWN = {
    "collector id",
    "start date",
    "end date",
    "ip address",
    "email address",
    "first name",
    "last name",
    "custom data",
    "custom data 1",
    "date created",
    "date modified",
}


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    return has_columns(source, "Respondent ID", "Collector ID") or has_columns(
        source, "respondent_id", "collector_id"
    )


def read(source: Source) -> Imported:
    """Return one row per respondent; a matrix's columns are "question - row"."""
    found = import_table(source, TITLE)
    for name in found.cells:
        if name.casefold().replace("_", " ") == "respondent id":
            found.meaning[name] = "rater"
    leave_out_named(found, KNOWN | {name.replace(" ", "_") for name in KNOWN})
    return found
