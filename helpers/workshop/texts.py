"""Let a judge answer tests about a reader's texts: `make judge TEXTS=my-folder`.

    python -m helpers.workshop.texts my-folder --judge practice

It leaves a page, a CSV of the answers, and the store of answers, in which nothing is asked twice.
Whether the judge is right, people's ratings say: `goodjudge card`.
"""

import argparse
import hashlib
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
from goodjudge.ask import local
from goodjudge.ask.addresses import refuse_key
from goodjudge.comparison import compare

from helpers import judges, results
from helpers.sources import readers
from helpers.sources.files import DataError
from helpers.sources.names import display_name
from helpers.sources.public import ROOT
from helpers.ttcw import ask
from helpers.ttcw import load as ttcw
from helpers.workshop import html_page, run

FINDINGS = ROOT / "outputs"  # of the committed runs
BEST = "qwen2.5-coder-1.5b"  # the judge of texts, unless the reader names one
IN_WORDS_OF_MAKE = {  # what a function says: what a terminal says
    "raise max_usd, or set limit": "say the most that it may cost, in USD: MAX_USD=1",
    "max_usd": "MAX_USD",
}


def judge_texts(texts, rubric, judge, max_usd, folder):
    """Let a judge answer tests about a reader's texts; return the paths of page and CSV.

    texts: a folder of .txt files or a CSV; rubric: a YAML file of tests, "" for the fourteen of
    TTCW; judge: "practice", a model on this machine, "" for `BEST`, or provider/model; max_usd:
    the most that it may cost; folder: for what is written, and for the judge's answers.
    """
    refuse_key(judge, "JUDGE")
    texts = readers.resolve(Path(texts).resolve(), "a folder of .txt files or a CSV file")
    model = {"practice": local.SMALLEST}.get(judge, judge or BEST)
    called = judge
    judge = name_judge(judge, model)
    readers.refuse_recorded(judge)
    stories, whose = readers.load_stories(texts), ""
    if rubric:
        tests = readers.load_rubric(rubric)
    else:
        tests, whose = ttcw.load_wording()
    folder.mkdir(parents=True, exist_ok=True)
    options = judges.Options(
        max_usd=max_usd,
        transcripts=folder / "transcripts.sqlite",
        concurrency=1 if "/" not in model else 8,
    )
    if judge.split("/")[0] in judges.LIVE:
        print(results.tidy(ask.plan_panel(stories, tests, judge, options)).to_string(index=False))
    with serving(called, model):
        answers = judges.ask(ask.requests(stories, tests), judge, ask.reader, options)
    judges.check_usable(answers, judge)
    table_of_answers = list_verdicts(answers, tests)
    name = name_page("judge", texts, judge, Path(rubric) if rubric else "")
    page, table = folder / f"{name}.html", folder / f"{name}.csv"
    results.save_table(table_of_answers, table)
    title = f"{display_name(judge)} on {texts.stem}"
    html_page.write_cells(list_cells(table_of_answers, judge, whose, table.name), page, title)
    return page, table


def list_verdicts(answers, tests):
    """Return a row per answer: judge, story, test (by name), repeat, verdict, status, usd."""
    table = answers.rename(columns={"item": "story", "aspect": "test"})
    table["test"] = table["test"].map(tests.set_index("test")["category"])
    return table[["judge", "story", "test", "repeat", "verdict", "status", "usd"]]


def list_cells(answers, judge, whose, table):
    """Return the cells of a page: what the judge is worth, its answers by text and by test, the
    table's name; answers: of `list_verdicts`; whose: whose tests these are."""
    read = answers[answers["status"] == "ok"]
    told = f"{len(read)} of {len(answers)} answers have a verdict. No expert judged these texts."
    if judge.startswith("simulated/"):
        told += f" **SIMULATED.** {results.MADE_UP}"
    cells = [html_page.markdown(f"{tell_worth(judge)}\n\n## Its answers\n\n{whose} {told}")]
    for column in ("story", "test"):
        yes = read["verdict"].eq("Yes").groupby(read[column])
        shown = pd.DataFrame({"verdicts": yes.size(), "Yes, %": (100 * yes.mean()).round()})
        shown = results.tidy(results.rank(shown, "Yes, %", column))
        cells.append(html_page.markdown(shown.to_html(index=False, border=0)))
    return [*cells, html_page.markdown(f"`{table}` has one row per answer.")]


def name_page(kind, path, *by, given=None):
    """Return the name of a page and of its files, without an ending.

    kind: what the name begins with, such as "judge"; path: the reader's file or folder; by: other
    files, or a judge's name ("" for none); given: what else the page depends on. The six letters at
    the end tell apart files of one name in different folders.
    """
    sources = [Path(path), *(source for source in by if source)]
    stems = [source.stem if isinstance(source, Path) else source for source in sources]
    words = [re.sub(r"[^\w.]+", "-", stem).strip("-.") for stem in stems]
    whole = "\0".join(str(Path(source).resolve()) for source in sources)
    if given:
        whole += repr(sorted(given.items()))
    return "-".join([kind, *words, hashlib.sha256(whole.encode()).hexdigest()[:6]])


def name_judge(judge, model):
    """Return a judge's name, as provider/model; judge: as the reader named it; model: what answers
    for it."""
    if "/" in model:
        return model
    named = "" if judge == "practice" else judge
    return local.name_judge(named, usual=model)


@contextmanager
def serving(judge, model):
    """Serve a judge's model on this machine while this lasts, and say before if it is downloaded;
    nothing for a judge elsewhere."""
    if "/" in model:
        yield
        return
    if model in local.KNOWN and not os.environ.get("LOCAL_BASE_URL"):
        address, _ = local.KNOWN[model]
        print(f"{display_name(judge)}: 1.1 GB, once, from {address}", flush=True)
    with local.serving(model):
        yield


def tell_worth(judge):
    """Return what the compendium found a judge to be worth, as Markdown."""
    heading = f"# What is {display_name(judge)} worth?\n\n"
    paths = sorted(FINDINGS.glob("0*.json"))
    values = [run.read_json(path).get("values", {}) for path in paths]
    known = pd.concat([compare.from_values(of_notebook) for of_notebook in values])
    if judge != f"local/{BEST}" or known.empty:
        return (
            f"{heading}Nothing is known: no people's ratings were held against it here. Rate some\n"
            "of your texts, and run `goodjudge card`."
        )
    wanted = ("the judge", "a person", "control:")
    is_wanted = known.index.get_level_values("row").str.startswith(wanted)
    known = known[is_wanted & known["estimate"].notna()]
    known = known.rename_axis(["task", "who"]).rename(columns={"n": "groups"})
    return f"""{heading}How far it follows people in the studies of this compendium, beside a person
and beside the best control that reads nothing (notebook 06). Where the line of the judge less the
control holds 0, its answers may say no more about your texts than a count of words would.

{results.tidy(known).to_html(index=False, border=0)}"""


def tell_in_terminal(fault):
    """Return a fault as text, with a notebook's parameters as a terminal says them."""
    text = str(fault)
    for in_notebook, in_terminal in IN_WORDS_OF_MAKE.items():
        text = text.replace(in_notebook, in_terminal)
    return text


def build_parser():
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.texts",
        description="Let a judge answer tests about texts of yours.",
    )
    add = parser.add_argument
    add("texts", nargs="?", default="", help="a folder of .txt files or a CSV")
    add("--rubric", default="", help="tests of your own, a YAML file")
    add("--judge", default="", help=f"{BEST} (default), practice, or any judge")
    add("--max-usd", type=float, default=0.0, help="the most that a live judge may cost")
    add("--outputs", type=Path, default=ROOT / "outputs" / "local")
    return parser


def main(arguments=None):
    """Command line: `FOLDER [--rubric YAML]`; returns 0, 1 for a fault, 2 without texts, 130 after
    Ctrl-C."""
    given = build_parser().parse_intermixed_args(arguments)  # options may stand before the path
    if not given.texts:
        print("error: say where: make judge TEXTS=my-folder", file=sys.stderr)
        return 2
    run.stop_when_killed()
    folder = given.outputs.resolve()
    try:
        written = judge_texts(given.texts, given.rubric, given.judge, given.max_usd, folder)
    except (DataError, RuntimeError, ValueError, FileNotFoundError) as fault:
        print(f"error: {tell_in_terminal(fault)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; what was answered is kept, and asked no more", file=sys.stderr)
        return 130
    print("written:", *written, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
