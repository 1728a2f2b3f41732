"""One judge through all studies, its answers kept and exported.

    .venv/bin/python -m tools.record_judge --model my-model.gguf [--study ttcw edits] [--limit 4]

A run that was stopped goes on where it was. It ends after the first study if not one answer can be
read, as where a model's thoughts take all the room.
"""

import argparse
import json
import os
import re
import sys
from contextlib import nullcontext
from pathlib import Path

from goodjudge.ask import local
from goodjudge.ask.answer import COLUMNS, LATER
from goodjudge.ask.store import NAMES, Store

from helpers import judges
from helpers.edits import ask as edits
from helpers.evolvr import ask as evolvr
from helpers.poetry import ask as poetry
from helpers.poetry import graded, titles, votes
from helpers.poetry.load import load_poems
from helpers.refbased import ask as refbased
from helpers.sources.files import DataError, replace_file
from helpers.sources.public import ROOT
from helpers.ttcw import ask as ttcw
from helpers.ttcw import explanations
from tools.environment import install_local

# name: its requests, and the reader of their answers
STUDIES = {
    "poem-ratings": (lambda: graded.rating_requests(load_poems()), graded.rating_reader),
    "poem-tiers": (lambda: graded.tier_requests(load_poems()), graded.tier_reader),
    "poem-pairs": (lambda: graded.pair_requests(load_poems()), graded.pair_reader),
    "ttcw": (lambda: ttcw.graded_requests(with_texts=True), ttcw.graded_reader),
    "ttcw-themes": (lambda: explanations.requests(explanations.load_noes()), explanations.reader),
    "refbased-own": (refbased.own_requests, refbased.reader),
    "confederacy": (lambda: refbased.confederacy_requests(with_texts=True), refbased.reader),
    "confederacy-alone": (lambda: refbased.alone_requests(with_texts=True), refbased.graded_reader),
    "hanna": (lambda: evolvr.hanna_requests(with_texts=True), evolvr.reader),
    "edits": (lambda: edits.lamp_requests(with_texts=True), edits.reader),
    "poem-votes": (lambda: votes.vote_requests(with_texts=True), votes.reader),
    "titles": (lambda: titles.title_requests(with_texts=True), titles.reader),
    "synopses": (lambda: titles.synopsis_requests(with_texts=True), titles.reader),
    "poem-lists": (lambda: poetry.sample_lists(load_poems()), poetry.reader),
}
TOKENS = {"poem-lists": 600}  # others answer with one label
TRIAL = 14  # requests of each study, where no model is named


def export_answers(store, path):
    """Write a store's answers as JSONL, without prompts, sorted; return their number."""
    rows = store.rows(f"SELECT {NAMES} FROM answers ORDER BY item, repeat, key")
    lines = [dict(zip(COLUMNS, row)) for row in rows]
    for line in lines:
        line["versions"] = leave_out_server(line["versions"])
        if line[LATER] is None:
            del line[LATER]
    written = [json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n" for line in lines]
    replace_file(path, "".join(written))
    return len(lines)


def leave_out_server(versions):
    """Return an answer's versions without its server, an address of the reader's network."""
    known = json.loads(versions or "{}")
    if "server" not in known:
        return versions
    del known["server"]
    return json.dumps(known)


def run(study, judge, folder, **options):
    """Ask `judge` a study's requests, export its answers; return (answers, path)."""
    requests, reader = STUDIES[study]
    path = Path(folder) / f"{re.sub('[/?&]', '-', judge.split('/', 1)[1])}-{study}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    store = path.with_suffix(".sqlite")
    form = {"max_output_tokens": TOKENS.get(study, 4), "structured": False}
    try:
        asked = judges.Options(transcripts=store, **form, **options)
        answers = judges.ask(requests(), judge, reader, asked)
    finally:  # what there is, also of a run that was stopped
        with Store(store) as kept:
            export_answers(kept, path)
    return answers, path


def read_arguments(arguments):
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.record_judge", description=__doc__.splitlines()[0]
    )
    known = f"a GGUF file or {', '.join([local.SMALLEST, *local.KNOWN])}; with LOCAL_BASE_URL:"
    add = parser.add_argument
    add("--model", default="", help=f"{known} the name that the server knows")
    add("--judge", help="another judge, such as openai/<model> (then give --max-usd)")
    known = f"of {', '.join(STUDIES)}; default: all"
    add("--study", nargs="+", choices=STUDIES, default=[*STUDIES], metavar="NAME", help=known)
    add("--limit", type=int, help="the first so many of each; default: all, or 14 without a model")
    add("--concurrency", type=int, default=1, help="1 reuses a story's prefill best")
    add("--max-usd", type=float, default=0.0, help="of all studies together")
    add("--outputs", type=Path, default=ROOT / "outputs" / "local", help="of answers and exports")
    given = parser.parse_args(arguments)
    if given.limit is None:
        given.limit = 0 if given.model or given.judge else TRIAL
    return given


def main(arguments=None):
    """Ask one study after the other, print a line each; return 0, or 1 with the reason."""
    given = read_arguments(arguments)
    options = {"limit": given.limit, "concurrency": given.concurrency}
    is_read = False  # any answer of any study
    try:
        options["max_usd"] = judges.Budget(given.max_usd)
        if not given.judge and not os.environ.get("LOCAL_BASE_URL"):
            install_local()
        judge = given.judge or local.name_judge(given.model, local.SMALLEST)
        model = given.model.removeprefix("local/") or local.SMALLEST
        with nullcontext() if given.judge else local.serving(model):
            for study in given.study:
                answers, path = run(study, judge, given.outputs, **options)
                counts = answers["status"].value_counts().to_dict()
                print(f"{study}: {len(answers)} answers {counts}, {path}")
                is_read |= bool(answers["status"].eq("ok").any())
                if not is_read:  # nor would the other studies' be, for hours
                    judges.check_usable(answers, judge)
    except (DataError, judges.JudgeError, FileNotFoundError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"stopped; the same command goes on from {given.outputs}", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
