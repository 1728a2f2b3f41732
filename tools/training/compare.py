"""The open judge compares the stories that evaluators chose with one taken at random.

    python -m tools.training.compare data/training/small/cpu.yaml

The untrained model wrote several stories to each prompt (`run.write_stories`). Who chooses takes
the one with the highest score, or the most words; the first one written stands for a choice at
random. The judge is a small model, not a person; it sees both stories in both orders.
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
LENGTH = "length"
ORDERS = ("first", "second")  # where the chosen story stands


def choose_stories(written):
    """Return a row per prompt and chooser: group, chosen_by, number, text, random (the text of the
    story taken at random); written: group, number, text and a column of scores per evaluator."""
    evaluators = [name for name in written if name not in ("group", "number", "text")]
    scored = written.assign(**{LENGTH: written["text"].str.split().str.len()})
    rows = []
    for group, stories in scored.groupby("group"):
        for chooser in [*evaluators, LENGTH]:
            best = stories.loc[stories[chooser].idxmax()]
            row = {"group": group, "chosen_by": chooser, "number": best["number"]}
            rows.append(row | {"text": best["text"], "random": stories["text"].iloc[0]})
    return pd.DataFrame(rows)


def request_comparisons(chosen):
    """Return two requests per chosen story that is another than the one at random, an order each;
    a comparison that two choosers share stands once."""
    is_other = chosen["text"] != chosen["random"]
    pairs = chosen[is_other].drop_duplicates(["group", "number"])
    tables = []
    for order in ORDERS:
        names = ["text", "random"] if order == "first" else ["random", "text"]
        table = pairs[["group", "number"]].assign(order=order, aspect=ASPECT)
        table["story_a"] = pairs[names[0]]
        table["story_b"] = pairs[names[1]]
        tables.append(table)
    table = pd.concat(tables, ignore_index=True)
    number = table["group"].astype(str) + "/" + table["number"].astype(str)
    table.insert(0, "item", number + "/" + table["order"])
    return fill_requests(table, "evolvr-evaluate")


def to_points(answers):
    """Return group, number, first, second: by how many points the chosen story leads the one at
    random where it is shown first, and second; nan where the judge gave no scores."""
    lead_of_first = answers["verdict"].str[0] - answers["verdict"].str[1]
    sign = answers["order"].map({"first": 1, "second": -1})
    leads = answers[["group", "number", "order"]].assign(points=lead_of_first * sign)
    return leads.pivot(index=["group", "number"], columns="order", values="points")[[*ORDERS]]


def tabulate(chosen, points):
    """Return a row per prompt and chooser, without texts: group, chosen_by, number, same (the
    choice is the story at random), first, second (points; 0 for the same), words, words_random."""
    table = chosen.merge(points.reset_index(), on=["group", "number"], how="left")
    same = table["text"] == table["random"]
    table["same"] = same
    for order in ORDERS:
        table[order] = table[order].mask(same, 0.0)
    table["words"] = table["text"].str.split().str.len()
    table["words_random"] = table["random"].str.split().str.len()
    columns = ["group", "chosen_by", "number", "same", *ORDERS, "words", "words_random"]
    return table[columns]


def main(arguments=None):
    """Compare the stories of one run; return 0, or 1 with the reason."""
    asked = make_parser("compare").parse_args(arguments)
    try:
        settings = read_settings(asked)
        written = pd.read_json(settings.folder / "stories.jsonl", lines=True)
        chosen = choose_stories(written)
        options = judges.Options(
            transcripts=settings.folder / "comparisons.sqlite",
            concurrency=1,
            max_output_tokens=16,
            params={"grammar": SCORES},
            structured=False,
        )
        judge = local.name_judge(settings.judge, settings.judge)
        with noting_minutes(settings.folder, "compare"), local.serving(settings.judge):
            answers = judges.ask(request_comparisons(chosen), judge, PAIR_OF_SCORES, options)
        table = tabulate(chosen, to_points(answers))
        replace_file(settings.folder / "writer.csv", table.to_csv(index=False))
    except (DataError, JudgeError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
