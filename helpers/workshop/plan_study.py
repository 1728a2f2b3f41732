"""How likely is a study to show that a judge leads? `make judge-plan`, before anybody has rated.

    python -m helpers.workshop.plan_study 60 3 --groups 15 --lead 0.1 --like ttcw

It prints the chance for studies of several sizes, the cheapest that is large enough, and a line for
the preregistration; beside that it writes the table as CSV and its picture. Variances are assumed,
or borrowed from a public data set or from a reader's file of ratings (`measures.planning`).
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from goodjudge import plan as planning
from goodjudge.card import verdicts

from helpers import figures
from helpers.measures import sheets
from helpers.sources import readers
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.workshop import places

EXAMPLE = "make judge-plan ITEMS=60 RATERS=3"
ALT = (
    "Table in colours: the chance in per cent for each number of items (rows) and raters (columns)."
)


def plan_study(items, raters, groups, lead, like, folder):
    """Return (lines to print, paths written) of a plan.

    items, raters: whole numbers; groups, lead: None for the usual; like: a public data set, a CSV
    file of ratings, "" for assumed variances; folder: for what is written. Raises DataError for
    what cannot be planned.
    """
    assumed = read_assumed(like)
    measure = planning.choose_measure(assumed)
    if lead is None:
        lead, _ = verdicts.SMALLEST[measure]
    table = planning.plan(assumed, lead, items, raters, groups)
    written = write_plan(table, assumed, lead, like, folder)
    wide = table.pivot(index="items", columns="raters", values="chance").astype(int)
    wide.index = [f"{size:,}" for size in wide.index]
    wide = wide.rename_axis(index="items", columns="raters")
    lines = [
        f"SIMULATED: in how many of 100 studies a lead of {lead:g} would be clear",
        wide.to_string(),
        f"{planning.tell_cheapest(planning.find_cheapest(table))}.",
        planning.CONTROL_IS_KNOWN,
        "For the preregistration:",
        planning.tell_preregistration(assumed, table, lead),
    ]
    return lines, written


def read_assumed(like):
    """Return the `planning.Assumed` that a reader named: a CSV file of ratings, a public data set,
    "" for assumed variances. Raises DataError."""
    if not like.lower().endswith(".csv"):
        return planning.load_assumed(like)
    path = readers.resolve(Path(like).resolve(), "a CSV file with a row per rating")
    data = sheets.read_ratings(path)
    control = planning.find_control(data)
    return planning.borrow(data, control, f"variances of {path.name}", np.random.default_rng(0))


def write_plan(table, assumed, lead, like, folder):
    """Write the table and the picture of a plan; return their paths."""
    asked = table[table["asked"]].iloc[0]
    size = f"{asked['items']}-by-{asked['raters']}"
    name = places.name_page("judge-plan", Path(size), Path(like) if like else "", given=str(lead))
    folder.mkdir(parents=True, exist_ok=True)
    csv, picture = folder / f"{name}.csv", folder / f"{name}.png"
    table.to_csv(csv, index=False, lineterminator="\n")
    figure = planning.draw_plan(table, assumed, lead)
    figures.save_with_words(figures.png(figure), ALT, picture)
    return csv, picture


def read_number(name, text, kind):
    """Return a number that a reader typed, None for ""; DataError names it."""
    if not text:
        return None
    try:
        return kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number such as 0.1"
        raise DataError(f"{name}: {text:.40} is not to be read; expected {wanted}") from None


def main(arguments=None):
    """Command line: `ITEMS RATERS [--groups N] [--lead D] [--like NAME]`.

    Returns 0, 1 for a fault, 2 without a size, 130 after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.plan_study",
        description="How likely is a study to show that a judge leads a control?",
    )
    add = parser.add_argument
    add("items", help="how many items are rated")
    add("raters", help="how many raters rate each")
    add("--groups", default="", help="prompts, plots: items of one group are not independent")
    add("--lead", default="", help="of the judge over the best control; usual: what matters")
    add("--like", default="", help="ttcw, hanna, lamp, or a CSV of ratings; none: assumed")
    add("--outputs", type=Path, default=ROOT / "outputs" / "local")
    given = parser.parse_args(arguments)
    if not given.items or not given.raters:
        print(f"error: say how many items and raters: {EXAMPLE}", file=sys.stderr)
        return 2
    try:
        items = read_number("ITEMS", given.items, int)
        raters = read_number("RATERS", given.raters, int)
        groups = read_number("GROUPS", given.groups, int)
        lead = read_number("LEAD", given.lead, float)
        folder = given.outputs.resolve()
        lines, written = plan_study(items, raters, groups, lead, given.like, folder)
    except (DataError, FileNotFoundError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(*lines, sep="\n")
    print("written:", *written, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
