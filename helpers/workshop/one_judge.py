"""One judge through all studies: ask it by single labels with their probabilities, keep the
answers, export them.

Command line: `make local-judge MODEL=…`, or `python -m helpers.workshop.one_judge --help`.
"""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

from helpers import judges
from helpers.evolvr import ask as evolvr
from helpers.judges import labels, local
from helpers.judges.replay import export_answers
from helpers.judges.store import Store
from helpers.poetry import ask as poetry
from helpers.poetry.load import load_poems
from helpers.refbased import ask as refbased
from helpers.sources.public import ROOT
from helpers.ttcw import ask as ttcw

# name: (its requests, their parser, tokens of an answer, how a local model is made to close its
# answer)
STUDIES = {
    "poem-ratings": (lambda: poetry.rating_requests(load_poems()), poetry.parse_rating, 4, ""),
    "poem-tiers": (
        lambda: poetry.single_requests(load_poems(), "graded-tier"),
        poetry.parse_tier,
        4,
        "",
    ),
    "poem-pairs": (lambda: poetry.pair_requests(load_poems()), poetry.parse_pair, 4, ""),
    "ttcw": (ttcw.graded_requests, ttcw.parse_grade, 4, ""),
    "refbased-own": (refbased.own_requests, refbased.parse, 4, ""),
    "confederacy": (refbased.confederacy_requests, refbased.parse, 4, ""),
    "hanna": (evolvr.requests, evolvr.parse, 4, ""),
    "poem-lists": (lambda: poetry.twenty_lists(load_poems()), labels.parse_list, 600, ""),
    "ttcw-reasons": (
        lambda: ttcw.graded_requests(reasons=True),
        labels.parse_yes_no,
        300,
        "+verdict",
    ),
}


def run(study, judge, folder, **options):
    """Ask `judge` the requests of a study (with further fields of `judges.Options`), export
    its answers; return (answers, path of the export)."""
    requests, parse, tokens, ending = STUDIES[study]
    name, folder = f"{judge.split('/', 1)[1].replace('/', '-')}-{study}", Path(folder)
    store = folder / f"{name}.sqlite"
    judge += ending if judge.startswith("local/") else ""
    try:
        asked = judges.Options(
            transcripts=store, max_output_tokens=tokens, structured=False, **options
        )
        answers = judges.ask(requests(), judge, parse, asked)
    finally:  # what there is, also of a run that was stopped
        with Store(store) as kept:
            export_answers(kept, folder / f"{name}.jsonl")
    return answers, folder / f"{name}.jsonl"


def main(arguments=None):
    """Ask one study after the other, print a line each; return 0, or 1 with the
    reason in one line."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.one_judge", description=__doc__
    )
    parser.add_argument(
        "--model",
        default=local.SMALLEST,
        help=(
            f"a GGUF file, a known name ({', '.join([local.SMALLEST, *local.KNOWN])}), or with"
            " LOCAL_BASE_URL the name that the server knows"
        ),
    )
    parser.add_argument(
        "--judge", help="another judge, such as openai/<model> (then give --max-usd)"
    )
    parser.add_argument(
        "--study", nargs="+", choices=STUDIES, default=[*STUDIES], help="default: all"
    )
    parser.add_argument(
        "--limit", type=int, default=0, help="the first so many requests of each study"
    )
    parser.add_argument(
        "--concurrency",
        type=int,
        default=1,
        help="requests at a time; 1 reuses a story's prefill best",
    )
    parser.add_argument("--max-usd", type=float, default=0.0)
    parser.add_argument(
        "--outputs",
        type=Path,
        default=ROOT / "outputs" / "local",
        help="where answers and exports go",
    )
    given = parser.parse_args(arguments)
    name = given.model if os.environ.get("LOCAL_BASE_URL") else local.name_of(given.model)
    judge = given.judge or f"local/{name}"
    given.outputs.mkdir(parents=True, exist_ok=True)
    ask = partial(
        run,
        judge=judge,
        folder=given.outputs,
        limit=given.limit,
        max_usd=judges.Budget(given.max_usd),
        concurrency=given.concurrency,
    )

    def all_studies():
        for study in given.study:
            answers, path = ask(study)
            counts = ", ".join(
                f"{count} {status}" for status, count in answers["status"].value_counts().items()
            )
            print(f"{study}: {len(answers)} answers ({counts}), {path}")

    try:
        if judge.startswith("local/"):
            with local.serving(given.model):
                all_studies()
        else:
            all_studies()
    except (local.LocalError, judges.JudgeError, FileNotFoundError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            f"stopped; what was answered is in {given.outputs}, and the same command goes on from"
            " there",
            file=sys.stderr,
        )
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
