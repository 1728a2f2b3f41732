"""An open judge compares what the trained writers wrote with what the untrained one did.

    python -m tools.training.compare data/training/small/cpu.yaml

Of each writer and prompt one story is judged, the first, beside the untrained writer's first. The
judge is a model on this machine, not a person; it sees both stories in both orders.
"""

import sys

import pandas as pd
from goodjudge.ask import local
from goodjudge.ask.errors import JudgeError

from helpers import judges
from helpers.evolvr.pairs import PAIR_OF_SCORES, fill_requests
from helpers.sources.files import DataError, replace_file
from tools.training.minutes import noting_minutes
from tools.training.settings import make_parser, read_settings
from tools.training.stories import ASPECT

SCORES = 'root ::= "[[A: " [1-5] ", B: " [1-5] "]]"'
BASE = "untrained"
ORDERS = ("first", "second")  # where the trained writer's story stands


def pair_stories(written):
    """Return a row per trained writer and prompt: group, writer, text, other (the untrained
    writer's story); written: group, number, writer, text."""
    firsts = written[written["number"] == 0]
    other = firsts[firsts["writer"] == BASE].set_index("group")["text"]
    trained = firsts.loc[firsts["writer"] != BASE, ["group", "writer", "text"]]
    return trained.assign(other=trained["group"].map(other)).reset_index(drop=True)


def request_comparisons(pairs):
    """Return two requests per pair of different texts, an order each."""
    different = pairs[pairs["text"] != pairs["other"]]
    tables = []
    for order in ORDERS:
        names = ["text", "other"] if order == "first" else ["other", "text"]
        table = different[["group", "writer"]].assign(order=order, aspect=ASPECT)
        table["story_a"] = different[names[0]]
        table["story_b"] = different[names[1]]
        tables.append(table)
    table = pd.concat(tables, ignore_index=True)
    number = table["group"].astype(str) + "/" + table["writer"]
    table.insert(0, "item", number + "/" + table["order"])
    return fill_requests(table, "evolvr-evaluate")


def to_points(answers):
    """Return group, writer, first, second: by how many points the trained writer's story leads
    where it is shown first, and second; nan where the judge gave no scores."""
    lead_of_first = answers["verdict"].str[0] - answers["verdict"].str[1]
    sign = answers["order"].map({"first": 1, "second": -1})
    leads = answers[["group", "writer", "order"]].assign(points=lead_of_first * sign)
    return leads.pivot(index=["group", "writer"], columns="order", values="points")[[*ORDERS]]


def tabulate(pairs, points):
    """Return a row per trained writer and prompt, without texts: group, writer, first, second
    (points; 0 where both stories are the same)."""
    table = pairs.merge(points.reset_index(), on=["group", "writer"], how="left")
    same = table["text"] == table["other"]
    for order in ORDERS:
        table[order] = table[order].mask(same, 0.0)
    return table[["group", "writer", *ORDERS]]


def main(arguments=None):
    """Compare the stories of one run, once; return 0, or 1 with the reason."""
    asked = make_parser("compare").parse_args(arguments)
    try:
        settings = read_settings(asked)
        folder = settings.folder
        if (folder / "judged.csv").is_file() or not (folder / "stories.jsonl").is_file():
            return 0  # judged, or no writer was trained
        pairs = pair_stories(pd.read_json(folder / "stories.jsonl", lines=True))
        options = judges.Options(
            transcripts=folder / "comparisons.sqlite",
            concurrency=1,
            max_output_tokens=16,
            params={"grammar": SCORES},
            structured=False,
        )
        judge = local.name_judge(settings.judge, settings.judge)
        with noting_minutes(folder, "compare"), local.serving(settings.judge):
            answers = judges.ask(request_comparisons(pairs), judge, PAIR_OF_SCORES, options)
        table = tabulate(pairs, to_points(answers))
        replace_file(folder / "judged.csv", table.to_csv(index=False))
    except (DataError, JudgeError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
