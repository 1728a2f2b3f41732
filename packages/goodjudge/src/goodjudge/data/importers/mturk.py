"""MTurk's and Prolific's batches: WorkerId, Input.* (what was shown) and Answer.* (what was said).

    HITId,…,AssignmentId,WorkerId,AssignmentStatus,…,Input.story_id,Answer.creative.1,Answer.…

Made up after docs.aws.amazon.com, Amazon Mechanical Turk Requester UI, Reviewing results. Radio
buttons are one question; Answer.taskAnswers holds JSON. Rejected assignments are read and said.
Prolific's own export lists participants and holds no answers.
"""

import json
import re

from goodjudge.data.importers.shapes import (
    Imported,
    has_columns,
    import_table,
    join_choices,
    list_header,
)
from goodjudge.data.names import list_rows, simplify
from goodjudge.data.tables import Source, as_text
from goodjudge.errors import DataError

NAME, TITLE, PEOPLE, JUDGES = "mturk", "MTurk", True, False
SHAPE = "expected a batch with WorkerId and Answer.… columns"
ID = re.compile(
    r"(^|_)(item|text|story|poem|essay|title|doc|document|sample)?_?(id|name|title|key|no)$"
)
KNOWN = set(
    """hitid hittypeid title description keywords reward creationtime maxassignments
    requesterannotation assignmentdurationinseconds autoapprovaldelayinseconds expiration
    numberofsimilarhits lifetimeinseconds assignmentid assignmentstatus accepttime submittime
    autoapprovaltime approvaltime rejectiontime requesterfeedback worktimeinseconds
    lifetimeapprovalrate last30daysapprovalrate last7daysapprovalrate approve reject""".split()
)


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    names = list_header(source)
    if is_prolific(source):
        return True
    return "WorkerId" in names and any(name.startswith("Answer.") for name in names)


def is_prolific(source: Source) -> bool:
    """Return whether a file is Prolific's list of participants, without answers."""
    return has_columns(source, "Submission id", "Participant id", "Completion code")


def read(source: Source) -> Imported:
    """Return one row per assignment, a column per question."""
    if is_prolific(source):
        raise DataError(
            f"{source.where}: is Prolific's list of participants, which holds no ratings; expected "
            "the file of the form that they filled in"
        )
    found = import_table(source, TITLE)
    cells = found.cells
    for name in [name for name in cells if name.casefold().endswith("taskanswers")]:
        cells = open_answers(cells, name)
    cells, notes = join_choices(cells)
    answers = [name for name in cells if name.startswith("Answer.")]
    cells = cells.rename(columns={name: name.removeprefix("Answer.") for name in answers})
    found.labels |= {name.removeprefix("Answer."): name for name in answers}
    found.notes += [note.replace("Answer.", "") for note in notes]
    found.cells = cells
    for name in cells:
        if name == "WorkerId":
            found.meaning[name] = "rater"
        elif name.casefold() in KNOWN:
            found.meaning[name] = ""
            found.not_read[name] = "of the tool"
    inputs = [name for name in cells if name.startswith("Input.")]
    named = [name for name in inputs if ID.search(simplify(name.removeprefix("Input.")))]
    shown = named or [name for name in inputs if cells[name].duplicated().any()] or inputs
    best = sorted(shown, key=lambda name: (-cells[name].nunique(), len(name)))[:1]
    found.meaning |= dict.fromkeys(best, "item")
    for name in inputs:
        if name in best:
            continue
        field = simplify(name.removeprefix("Input."))
        known = {
            "author": "writer",
            "writer": "writer",
            "model": "writer",
            "system": "writer",
            "prompt_id": "group",
            "group": "group",
            "plot": "group",
            "text": "text",
            "story": "text",
            "poem": "text",
            "essay": "text",
        }
        found.meaning[name] = known.get(field, "")
    if "AssignmentStatus" in cells:
        rejected = list(cells.index[cells["AssignmentStatus"].str.casefold() == "rejected"])
        if rejected:
            found.notes.append(
                f"{len(rejected)} rejected assignments were read ({list_rows(rejected)}); to leave "
                'them out, say --only "AssignmentStatus=Approved".'
            )
    return found


def open_answers(cells, name: str):
    """Return the cells with a column per question in place of a column of JSON."""
    rows = []
    for text in cells[name]:
        try:
            answers = json.loads(text) if text else []
        except ValueError:
            answers = []
        answers = answers if isinstance(answers, list) else [answers]
        row = {}
        for answer in answers:
            for question, value in answer.items():
                if isinstance(value, dict):  # radio buttons: {"1": false, "5": true}
                    chosen = [key for key, is_it in value.items() if is_it is True]
                    value = chosen[0] if len(chosen) == 1 else ""
                row[f"Answer.{question}"] = as_text(value)
        rows.append(row)
    questions = list(dict.fromkeys(question for row in rows for question in row))
    opened = cells.drop(columns=name)
    for question in questions:
        opened[question] = [row.get(question, "") for row in rows]
    return opened
