"""Two commands about a judge. Each runs notebook 07 on a reader's files and leaves one page.

`card` (`make judge-card`) takes a CSV of people's ratings, and perhaps one of a judge's scores: is
this judge good enough? `texts` (`make judge`) takes a reader's texts and lets a judge answer tests
about them. Beside its page each leaves a CSV of the numbers.

    python -m helpers.workshop.cards card                 # from simulated sample files
    python -m helpers.workshop.cards card my-ratings.csv --scores my-scores.csv
    python -m helpers.workshop.cards texts my-folder --judge practice

What is wrong with a reader's file is told before anything runs. The pages themselves are written by
`html_page`; where they lie says `places`; `progress` prints how far a run is.
"""

import argparse
import json
import os
import re
import sys
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
from goodjudge.comparison import compare

from helpers import results
from helpers.judges.live import local
from helpers.judges.live.redaction import refuse_key
from helpers.measures import headers, sheets
from helpers.sources import readers
from helpers.sources.files import DataError
from helpers.sources.names import display_name
from helpers.sources.public import ROOT
from helpers.workshop import html_page, places, progress, run

NOTEBOOK = ROOT / "notebooks" / "07-is-my-judge-good-enough.ipynb"
FINDINGS = ROOT / "outputs"  # of the committed runs
BEST = "qwen2.5-coder-1.5b"  # the judge of texts, unless the reader names one
QUESTIONS = 14  # how many are asked about a text without a rubric
IN_WORDS_OF_MAKE = {  # what a notebook says: what a terminal says
    "raise max_usd, or set limit": "say the most that it may cost, in USD: MAX_USD=1",
    "max_usd": "MAX_USD",
}
EXAMPLES = {"texts": "make judge TEXTS=my-folder", "card": "make judge-card RATINGS=my-ratings.csv"}
NOW_YOURS = """## Now yours

Everything above is simulated, from `data/examples/ratings/`: *reads well* is a good judge, *likes
length* knows only how long a text is. With a file of your own, say

    make judge-card RATINGS=my-ratings.csv SCORES=my-scores.csv

| what people gave | columns | sample |
|---|---|---|
| scores, or Yes and No | item, rater, score | `ratings.csv` |
| a column per rater | item, rater 1, rater 2, … | `wide.csv` |
| a form: a row per rater, a column per item | participant, text 01, text 02, … | `form.csv` |
| which of two is better | item_a, item_b, rater, preferred (a, b or tie) | `pairs.csv` |
| ranks within a group | item, group, rater, rank (1 for the best) | `ranks.csv` |
| what a judge said | item, score, and judge if there are several | `scores.csv` |

It is better to have *writer* (who or what wrote the item), *group* (items on one prompt) and
*words* as well. Columns of other names: `COLUMNS='{"Which story?": "item"}'`. `make rating-form`
writes a page in which people can rate your texts."""
SIMULATED = """# SIMULATED: a sample card

No person rated these texts. The page shows what you get for files of your own; its end says how."""


def write_card(ratings, scores, columns, folder):
    """Execute notebook 07 on a reader's ratings; return the paths of page, CSV, figure (PNG and
    SVG), JSON and key.

    ratings, scores: CSV files, scores "" for none; ratings "": the simulated sample files;
    columns: {a name in the files: ours}; folder: for what is written. Both files are read first, so
    that what is wrong with them is told at once. The key says who the raters R1, R2, … are; the
    page does not.
    """
    is_sample = not ratings
    if is_sample:
        ratings, scores = sheets.SAMPLES / "ratings.csv", sheets.SAMPLES / "scores.csv"
    ratings = readers.resolve(Path(ratings).resolve(), "a CSV file with a row per rating")
    if scores:
        scores = readers.resolve(Path(scores).resolve(), "a CSV file with a row per score")
    data, _ = sheets.read_files(ratings, scores, columns)
    question = sheets.ask_about_groups(data, columns)
    if question:
        print(f"note: {question.replace('*', '')}", file=sys.stderr, flush=True)
    name = places.name_page("judge-card", ratings, scores, given=columns)
    page = folder / f"{name}.html"
    table = folder / f"{name}.csv"
    figure = folder / f"{name}.png"
    drawing = folder / f"{name}.svg"
    card = folder / f"{name}.json"
    key = folder / f"{name}-raters.csv"
    parameters = {"ratings": str(ratings), "columns": columns, "scores": str(scores or "")}
    title = f"Is my judge good enough? {ratings.stem}"
    if scores:
        title += f" · {scores.stem}"
    if data.source == "simulated":
        title = f"SIMULATED: {title}"
    files = (
        f"Beside this page: `{figure.name}` and `{drawing.name}`, the figure, `{table.name}`, its"
        f" numbers, `{card.name}`, all of the card for programs (its fields:"
        " `data/examples/README.md`), and"
        f" `{key.name}`, who R1, R2, … are: keep it to yourself when you pass the page on."
    )
    first = SIMULATED if data.source == "simulated" else ""
    if is_sample:
        files += f"\n\n{NOW_YOURS}"
    with places.private_folder(folder, name) as private:
        with progress.telling_sections(private):
            executed = execute(private, parameters)
        for path in (table, figure, drawing):
            os.replace(private / f"{NOTEBOOK.stem}{path.suffix}", path)
        os.replace(private / f"{NOTEBOOK.stem}-card.json", card)
        write_rater_key(data.ratings.attrs["raters"], key)
        html_page.write_page(executed, page, title, first, last=files, trim=True)
    return page, table, figure, drawing, card, key


def write_rater_key(raters, path):
    """Write who the raters are, {code: name in the reader's file}, as a CSV that only its owner can
    read."""
    path.unlink(missing_ok=True)
    path.touch(0o600)
    key = pd.DataFrame({"rater": [*raters], "name in your file": [*raters.values()]})
    key.to_csv(path, index=False, lineterminator="\n")


def judge_texts(texts, rubric, judge, max_usd, folder):
    """Let a judge answer tests about a reader's texts (notebook 07); return the paths of page and
    CSV.

    texts: a folder of .txt files or a CSV; rubric: a YAML file of tests, "" for those of the
    notebook; judge: "practice", a model on this machine, "" for `BEST`, or provider/model; max_usd:
    the most that it may cost; folder: for what is written, and for the judge's answers.
    """
    refuse_key(judge, "JUDGE")
    texts = readers.resolve(Path(texts).resolve(), "a folder of .txt files or a CSV file")
    model = {"practice": local.SMALLEST}.get(judge, judge or BEST)
    is_local = "/" not in model
    judge = name_judge(judge, model)
    questions = len(readers.load_rubric(rubric)) if rubric else QUESTIONS
    most_answers = len(readers.load_stories(texts)) * questions
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / "transcripts.sqlite"
    parameters = {
        "texts": str(texts),
        "rubric": rubric,
        "judge": judge,
        "max_usd": max_usd,
        "transcripts": str(store),
        "concurrency": 1 if is_local else 8,
    }
    name = places.name_page("judge", texts, judge, Path(rubric) if rubric else "")
    page = folder / f"{name}.html"
    table = folder / f"{name}.csv"
    title = f"{display_name(judge)} on {texts.stem}"
    first = f"{tell_worth(judge)}\n\n## Its answers"
    with places.private_folder(folder, name) as private:
        with serving(judge, model), progress.telling_answers(store, most_answers):
            executed = execute(private, parameters)
        answers = results.own_path("07", judge, private)
        os.replace(answers, table)
        names = {answers: table.name, answers.name: table.name}
        html_page.write_page(executed, page, title, first, names=names, prose=False)
    return page, table


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
            "of your texts, and run `make judge-card`."
        )
    wanted = ("the judge", "a person", "control:")
    is_wanted = known.index.get_level_values("row").str.startswith(wanted)
    known = known[is_wanted & known["estimate"].notna()]
    known = known.rename_axis(["task", "who"]).rename(columns={"n": "groups"})
    return f"""{heading}How far it follows people in the studies of this compendium, beside a person
and beside the best control that reads nothing (notebook 06). Where the line of the judge less the
control holds 0, its answers may say no more about your texts than a count of words would.

{results.tidy(known).to_html(index=False, border=0)}"""


def execute(folder, parameters):
    """Execute notebook 07 in a private folder, for its outputs as well; return its path there.

    Raises RuntimeError with the reason if it failed.
    """
    output = folder / NOTEBOOK.name
    record = run.execute(NOTEBOOK, output, parameters | {"outputs": str(folder)})
    if record["status"] != "ok":
        raise RuntimeError(re.sub(r"^cell \d+: ", "", record["error"]))
    return output


def read_columns(text):
    """Return the columns that are given in a terminal, {} for none; DataError with an example."""
    try:
        return headers.check_columns(json.loads(text or "{}"))
    except DataError as fault:
        wrong = f"{fault}; "
    except (ValueError, RecursionError):  # no JSON
        wrong = f"{text:.60} is not to be read; "
    example = f"COLUMNS='{headers.EXAMPLE}'"
    advice = f"single quotation marks around all, double ones around each name: {example}"
    raise DataError(f"COLUMNS: {wrong}expected {advice}")


def tell_in_terminal(fault):
    """Return a fault as text, with a notebook's parameters as a terminal says them."""
    text = str(fault)
    for in_notebook, in_terminal in IN_WORDS_OF_MAKE.items():
        text = text.replace(in_notebook, in_terminal)
    return text


def build_parser():
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.cards",
        description="Is my judge good enough (card); let a judge answer about texts (texts).",
    )
    add = parser.add_argument
    add("command", choices=["card", "texts"])
    add(
        "path",
        nargs="?",
        default="",
        help="card: a CSV of ratings (default: simulated samples)"
        "; texts: a folder of .txt files or a CSV",
    )
    add("--scores", default="", help="card: a CSV of a judge's scores")
    add("--columns", default="", help='card: {"name in the file": "item", …}')
    add("--rubric", default="", help="texts: tests of your own, a YAML file")
    add("--judge", default="", help=f"texts: {BEST} (default), practice, or any judge")
    add("--max-usd", type=float, default=0.0, help="texts: the most that a live judge may cost")
    add("--outputs", type=Path, default=ROOT / "outputs" / "local")
    return parser


def main(arguments=None):
    """Command line: `card [RATINGS [--scores CSV]]`, `texts FOLDER [--rubric YAML]`.

    Returns 0, or 1 for a fault, 2 without a path, 130 after Ctrl-C.
    """
    given = build_parser().parse_intermixed_args(arguments)  # options may stand before the path
    is_sample = given.command == "card" and not given.scores
    if not given.path and not is_sample:
        print(f"error: say where: {EXAMPLES[given.command]}", file=sys.stderr)
        return 2
    run.stop_when_killed()
    folder = given.outputs.resolve()
    try:
        if given.command == "card":
            columns = read_columns(given.columns)
            written = write_card(given.path, given.scores, columns, folder)
        else:
            written = judge_texts(given.path, given.rubric, given.judge, given.max_usd, folder)
    except (DataError, RuntimeError, ValueError, FileNotFoundError) as fault:
        print(f"error: {tell_in_terminal(fault)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as stop:
        notebook = stop.args[0] if stop.args else Path()
        print(run.tell_stopped(notebook), file=sys.stderr)
        return 130
    print("written:", *written, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
