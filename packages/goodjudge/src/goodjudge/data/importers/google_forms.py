"""Google Forms: Timestamp, perhaps Username or Email Address, then a column per question; a grid's
columns are "Creativity [Story 1]".

Made up after support.google.com, View & manage form responses (linked sheet, saved as CSV).
"""

from collections import Counter

from goodjudge.data.importers.shapes import Imported, import_table, list_header
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "google_forms", "Google Forms", True, False
SHAPE = "expected its CSV, whose first column is Timestamp"
TIMES = {"timestamp", "zeitstempel", "horodateur", "marca temporal", "informazioni cronologiche"}
PERSON = {"username", "email address", "e-mail-adresse", "adresse e-mail", "nutzername"}


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    names = list_header(source)
    return len(names) > 2 and names[0].casefold() in TIMES


def number_doubles(source: Source) -> Source:
    """Return the file with a number behind each name of a question that was asked several times."""
    (row, header), *rest = source.rows
    count, named = Counter(header), Counter()
    names = []
    for name in header:
        named[name] += 1
        names.append(f"{name} [{named[name]}]" if name and count[name] > 1 else name)
    return source._replace(rows=[(row, names), *rest])


def read(source: Source) -> Imported:
    """Return one row per response."""
    found = import_table(number_doubles(source), TITLE)
    first = list(found.cells)[0]
    found.meaning[first] = ""
    found.not_read[first] = "of the tool"
    for name in found.cells:
        if name.casefold() in ("score", "punktzahl", "total score") and (
            found.cells[name].str.contains(r"\d+ */ *\d+").any()
        ):
            found.meaning[name] = ""
            found.not_read[name] = "points of a quiz"
    return found
