"""Has a judge changed? A command for two runs of it on the same frozen items.

    python -m helpers.workshop.drift my-ratings.csv --before may.jsonl --now june.jsonl

Files are CSV or JSONL. The ratings are people's (item, rater, score, perhaps aspect, group); a run
has item and score, and perhaps judge, aspect and repeat (asked twice, a judge shows its own noise,
against which changed answers are held). It prints a table and sentences, or with --json one object
(`SCHEMA`, printed by --schema), and ends with

    0   the judge is as before: every change is smaller than what matters
    1   it has changed
    2   undecided: these items cannot tell
    3   bad input
    130 stopped by Ctrl-C

`make judge-drift` runs it too, but make turns every ending but 0 into 2: a CI needs the Python
command. What counts as a change says `helpers.measures.drift`.
"""

import argparse
import json
import sys
from pathlib import Path

from goodjudge import drift
from goodjudge.card import notes
from goodjudge.data import orders
from goodjudge.stats import metrics as statistics
from goodjudge.stats import severity

from helpers.measures import headers, sheets
from helpers.sources.files import DataError, round_number
from helpers.workshop.cards import read_columns

BAD_INPUT, STOPPED = 3, 130
NUMBER = {"type": ["number", "null"]}
CHANGE = {
    "type": "object",
    "required": ["what", *drift.COLUMNS],
    "additionalProperties": False,
    "properties": {
        "what": {
            "enum": [drift.AGREEMENT, drift.LENIENCY, drift.ANSWERS, drift.STEADINESS],
            "description": "what may have changed",
        },
        "before": NUMBER
        | {
            "description": "the value before; of answers changed, how often two answers of one run "
            "differ"
        },
        "now": NUMBER
        | {
            "description": "the value now; of answers changed, how often an answer now is another "
            "than before"
        },
        "estimate": NUMBER | {"description": "the change"},
        "low": NUMBER | {"description": "where its 95 % interval begins"},
        "high": NUMBER | {"description": "where its 95 % interval ends"},
        "n": NUMBER | {"description": "independent groups of items"},
        "margin": NUMBER | {"description": "the smallest change that matters"},
        "verdict": {"enum": list(drift.EXIT_CODES)},
        "needed": NUMBER | {"description": "groups that would decide it; null where decided"},
    },
}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "judge-drift: two runs of a judge on the same items",
    "type": "object",
    "required": ["version", "verdict", "exit", "sentences", "judge", "measure", "left out"],
    "properties": {
        "version": {"const": 1, "description": "of this schema"},
        "verdict": {"enum": list(drift.EXIT_CODES)},
        "exit": {"enum": list(drift.EXIT_CODES.values()), "description": "how the command ends"},
        "sentences": {"type": "array", "items": {"type": "string"}},
        "judge": {
            "type": "object",
            "properties": {"before": {"type": "string"}, "now": {"type": "string"}},
        },
        "measure": {"type": "string", "description": "of the agreement with people"},
        "questions": {"type": "integer", "description": "answered in both runs"},
        "repeats": {"type": "boolean", "description": "whether a question was asked twice"},
        "changes": {"type": "array", "items": CHANGE},
        "left out": {
            "type": "object",
            "description": "questions without an answer in the other run; items nobody rated",
            "additionalProperties": {"type": "integer"},
        },
    },
}


def compare_runs(ratings, before, now, *, judge="", columns=None, margins=()):
    """Return the result of two runs as `SCHEMA` describes it; DataError for bad files.

    ratings, before, now: paths; judge: the one meant, where a file has several; columns: {a name in
    the files: ours}; margins: of agreement, leniency and answers, None for the usual one
    (`drift.choose_margins`).
    """
    data = sheets.read_ratings(ratings, columns)
    runs = {"before": read_run(before, data, judge, columns)}
    runs["now"] = read_run(now, data, judge, columns)
    refuse_other_aspects(runs)
    measure, measure_name, _ = notes.choose_measure(data)
    margins = drift.choose_margins(runs["before"], measure, *margins)
    has_points = measure is statistics.pearson
    adjusted = severity.adjust_raters(data) if has_points else data
    within = orders.choose_within(data)
    table = drift.find_drift(adjusted, *runs.values(), measure, margins, within=within)
    if not table.attrs["questions"]:
        name = Path(now).name
        raise DataError(
            f"{name}: answers nothing that was answered before; expected the same items"
        )
    return lay_out(table, runs, measure_name)


def read_run(path, data, judge, columns):
    """Return the scores of one judge from a file; DataError where it has several and none is meant.

    path, data, columns: of `sheets.read_scores`; judge: its name in the file, "" for the only one.
    """
    scores = sheets.read_scores(path, data, columns)
    name = Path(path).name
    judges = scores["judge"].unique().tolist()
    if judge and judge not in judges:
        raise DataError(f"{name}: has no judge {judge!r:.60}; expected one of {judges!r:.300}")
    if not judge and len(judges) > 1:
        raise DataError(f"{name}: has {len(judges)} judges; say which: --judge {judges[0]!r:.60}")
    return scores[scores["judge"] == (judge or judges[0])].reset_index(drop=True)


def refuse_other_aspects(runs):
    """Raise DataError where one run has scores by aspect and the other has not; runs: {"before",
    "now": scores}."""
    has_aspects = {name: "aspect" in scores for name, scores in runs.items()}
    if has_aspects["before"] != has_aspects["now"]:
        with_aspects = "before" if has_aspects["before"] else "now"
        raise DataError(f"only the run {with_aspects} has aspects; expected the same questions")


def lay_out(table, runs, measure_name):
    """Return the result as `SCHEMA` describes it; table: of `drift.find_drift`; runs: {"before",
    "now": scores}."""
    changes = []
    for what, row in table.iterrows():
        values = {name: to_json(row[name]) for name in drift.COLUMNS}
        changes.append({"what": what} | values)
    return {
        "version": 1,
        "verdict": table.attrs["verdict"],
        "exit": drift.EXIT_CODES[table.attrs["verdict"]],
        "sentences": drift.tell_drift(table, measure_name),
        "judge": {name: str(scores["judge"].iloc[0]) for name, scores in runs.items()},
        "measure": measure_name,
        "questions": table.attrs["questions"],
        "repeats": table.attrs["repeats"],
        "changes": changes,
        "left out": count_left_out(runs),
    }


def to_json(value):
    """Return a cell of a result as JSON has it: a rounded number, null for nan, a text."""
    if isinstance(value, str):
        return value
    return None if value != value else round_number(value)


def count_left_out(runs):
    """Return how many questions only one run asked, and how many items of each nobody rated; runs:
    {"before", "now": scores}."""
    question = [name for name in ("item", "aspect", "order", "partner") if name in runs["before"]]
    question = [name for name in question if name in runs["now"]]
    asked = {}
    for name, scores in runs.items():
        asked[name] = set(scores[question].itertuples(index=False, name=None))
    return {
        "only before": len(asked["before"] - asked["now"]),
        "only now": len(asked["now"] - asked["before"]),
        "not rated before": len(runs["before"].attrs.get("not rated", [])),
        "not rated now": len(runs["now"].attrs.get("not rated", [])),
    }


def show(result):
    """Return a result as lines for a terminal."""
    lines = [f"judge before: {result['judge']['before']}", f"judge now: {result['judge']['now']}"]
    lines.append(f"questions that both answered: {result['questions']:,}")
    for why, many in result["left out"].items():
        if many:
            lines.append(f"left out, {why}: {many:,}")
    return "\n".join([*lines, "", *result["sentences"]])


class Parser(argparse.ArgumentParser):
    """A parser that ends with 3 where it was asked wrongly."""

    def error(self, message):
        """Print what is wrong and end with 3."""
        self.print_usage(sys.stderr)
        self.exit(BAD_INPUT, f"error: {message}\n")


def build_parser():
    """Return the parser of the command line."""
    parser = Parser(
        prog="python -m helpers.workshop.drift",
        description="Has a judge changed? Two runs of it on the same items.",
        epilog="Ends with 0: as before; 1: changed; 2: undecided; 3: bad input. Through make "
        "(make judge-drift) every ending but 0 is 2, so a CI calls this command.",
    )
    add = parser.add_argument
    add("ratings", nargs="?", help="people's ratings, CSV or JSONL: item, rater, score")
    add("--before", help="the first run, CSV or JSONL: item, score, perhaps aspect, repeat")
    add("--now", help="the second run, likewise")
    add("--judge", default="", help="which judge, where a file has several")
    add("--columns", default="", help='{"name in the file": "item", …}')
    add("--smallest", type=float, help="smallest change of agreement that matters")
    add("--points", type=float, help="smallest change of the mean score that matters, in points")
    add("--answers", type=float, help="smallest share of changed answers that matters")
    add("--json", action="store_true", help="print the result as one JSON object")
    add("--schema", action="store_true", help="print the JSON schema of that object, and end")
    return parser


def main(arguments=None):
    """Command line: `RATINGS --before FILE --now FILE [--json]`; returns the exit code."""
    given = build_parser().parse_args(arguments)
    if given.schema:
        print(json.dumps(SCHEMA, indent=2))
        return 0
    if not (given.ratings and given.before and given.now):
        example = "make judge-drift RATINGS=my-ratings.csv BEFORE=may.jsonl NOW=june.jsonl"
        print(f"error: say which files: {example}", file=sys.stderr)
        return BAD_INPUT
    margins = (given.smallest, given.points, given.answers)
    try:
        refuse_margins(margins)
        columns = headers.check_columns(read_columns(given.columns))
        paths = [Path(path).resolve() for path in (given.ratings, given.before, given.now)]
        result = compare_runs(*paths, judge=given.judge, columns=columns, margins=margins)
    except (DataError, ValueError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return STOPPED
    print(json.dumps(result, indent=2, ensure_ascii=False) if given.json else show(result))
    return result["exit"]


def refuse_margins(margins):
    """Raise DataError for a smallest change that is none; margins: numbers, None for the usual."""
    for margin in margins:
        if margin is not None and not 0 < margin < float("inf"):
            raise DataError(f"a smallest change is {margin:g}; expected a number above 0")


if __name__ == "__main__":
    sys.exit(main())
