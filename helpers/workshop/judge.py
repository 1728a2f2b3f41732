"""Is my judge good enough (`make judge-card`); a judge on texts (`make judge`): a page each."""

import argparse
import base64
import hashlib
import html
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import nbformat
import pandas as pd

from helpers import results
from helpers.judges.live import local
from helpers.judges.live.addresses import refuse_key
from helpers.measures import compare, headers, sheets
from helpers.sources import readers
from helpers.sources.files import DataError, replace_file
from helpers.sources.names import display_name
from helpers.sources.public import ROOT
from helpers.workshop import run

CARD = ROOT / "notebooks" / "07-is-my-judge-good-enough.ipynb"
FOUND = ROOT / "outputs"
BEST = "qwen2.5-coder-1.5b"
EXAMPLES = {"texts": "make judge TEXTS=my-folder", "card": "make judge-card RATINGS=my-ratings.csv"}
LOOK = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "img{max-width:100%;height:auto}"
    "table{border-collapse:collapse;font-size:.9rem;display:block;overflow-x:auto;max-width:100%}"
    "td,th{padding:.2rem .6rem;text-align:left;border-bottom:1px solid #ddd}"
)
# what a page cannot show without the scripts of a notebook server
SCRIPTS = ("application/javascript", "application/vnd.jupyter.widget-view+json")


def name_page(kind, path, *more, given=None):
    """Return the name of a page and its files: what is judged, by what, and six letters that tell
    files of one name in different folders apart, and one file read in different ways.

    path: the reader's file or folder; more: other files, or a judge's name; given: what else the
    page depends on.
    """
    parts = [Path(path).stem, *(one.stem if isinstance(one, Path) else one for one in more if one)]
    plain = [re.sub(r"[^\w.]+", "-", part).strip("-.") for part in parts]
    whole = "\0".join(str(Path(one).resolve()) for one in (path, *more) if one)
    whole += json.dumps(given, sort_keys=True) if given else ""
    return "-".join([kind, *plain, hashlib.sha256(whole.encode()).hexdigest()[:6]])


@contextmanager
def private_folder(folder, name):
    """Give a new folder for one run, within `folder`, so that no other run writes there; at its end
    it is removed, and the notebook of a failed run is left as failed/`name`.ipynb. What runs that
    were killed have left is removed now."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_left_folders(folder)
    private = Path(tempfile.mkdtemp(prefix=f".{name[:80]}-run{os.getpid()}-", dir=folder))
    try:
        yield private
    except KeyboardInterrupt as stop:
        stop.args = (folder / f"{name}.ipynb",)
        raise
    finally:
        for failed in private.glob("failed/*.ipynb"):
            kept = run.failed_copy(folder / f"{name}.ipynb")
            kept.parent.mkdir(exist_ok=True)
            os.replace(failed, kept)
        shutil.rmtree(private, ignore_errors=True)


def remove_left_folders(folder):
    """Remove the folders of runs that were killed, no longer alive, and say so."""
    for left in folder.glob(".judge-*-run*-*"):
        number = left.name.split("-")[-2].removeprefix("run")  # mkdtemp's ending holds no dash
        if left.is_dir() and number.isdigit() and not run.is_alive(int(number)):
            shutil.rmtree(left, ignore_errors=True)
            print(f"removed what a killed run had left: {left.name}", file=sys.stderr)


def write_page(notebook, page, title, first="", last="", names=None, trim=False, prose=True):
    """Write an executed notebook as an HTML page without code, warnings and places on this machine.

    first, last: Markdown at its top and its end; names: {a file's path as the notebook says it:
    its name beside the page}; trim: whether prose about what is not there is left out
    (`drop_silent`); prose: whether the notebook's own stays.
    """
    nb = nbformat.read(notebook, as_version=4)
    nb.cells = [cell for cell in nb.cells if "results.in_short(" not in cell.source]
    for cell in nb.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not is_noise(output)]
    nb.cells = drop_silent(nb.cells) if trim else nb.cells
    nb.cells = nb.cells if prose else [cell for cell in nb.cells if cell.cell_type == "code"]
    places = {f"{place}/": "" for place in (notebook.parent, page.parent, ROOT, Path.home())}
    rename(nb, {str(path): name for path, name in (names or {}).items()} | places)
    ends = [nbformat.v4.new_markdown_cell(results.disarm(text)) for text in (first, last)]
    nb.cells = [ends[0]] * bool(first) + nb.cells + [ends[1]] * bool(last)
    write_cells(nb, page, title)


def drop_silent(cells):
    """Return the cells of a notebook without the prose above code that shows nothing; the first
    cell stays."""
    kept, silent = [], True
    for cell in reversed(cells[1:]):
        if cell.cell_type == "code":
            silent = silent and not cell.outputs
            kept.append(cell)
        elif not silent or not kept or kept[-1].cell_type != "code":
            kept.append(cell)
            silent = True
    return cells[:1] + kept[::-1]


def write_cells(nb, page, title):
    """Write a notebook's cells as an HTML page without code."""
    from nbconvert import HTMLExporter

    hidden = ["exclude_input", "exclude_input_prompt", "exclude_output_prompt"]
    look = {"template_name": "basic", "anchor_link_text": "", **dict.fromkeys(hidden, True)}
    body, _ = HTMLExporter(**look).from_notebook_node(nb)
    head = (
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    )
    title = html.escape(title)
    replace_file(page, f"{head}<title>{title}</title><style>{LOOK}</style>{body}\n")


def write_judge_page(asked, findings, tables, picture, outputs):
    """Write what notebook 02 found about one judge as a page, and say where it is.

    asked: a `ttcw.worth.Asked`; tables: for readers, in their order (an empty one is left out);
    picture: the path of the figure, a PNG.
    """
    folder = ROOT / outputs
    stem = re.sub("[^a-z0-9]+", "-", asked.judge.lower()).strip("-")
    page = folder / "judges" / f"{stem}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    image = base64.b64encode(picture.read_bytes()).decode()
    listed = "\n".join(f"- {finding}" for finding in findings)
    title = f"What is {asked.name} worth?"
    first, *further = [table.to_html(index=False, border=0) for table in tables if len(table)]
    parts = [
        results.disarm(f"# {title}\n\n{listed}"),
        results.disarm(first),
        f"![The judge beside others: {findings[0]}](data:image/png;base64,{image})",
        *(results.disarm(table) for table in further),
    ]
    cells = [nbformat.v4.new_markdown_cell(part) for part in parts]
    write_cells(nbformat.v4.new_notebook(cells=cells), page, title)
    results.say(f"A page about {asked.name}: `{page.relative_to(folder)}` in `{outputs}`.")


def rename(nb, names):
    """Replace places on this machine by names in all texts that a notebook shows."""
    shown = [output for cell in nb.cells for output in cell.get("outputs", [])]
    for texts in (output.get("data", output) for output in shown):
        for kind in ("text", "text/plain", "text/html", "text/markdown"):
            for place, name in names.items():
                if kind in texts:
                    texts[kind] = texts[kind].replace(place, name)


def is_noise(output):
    """Return whether a notebook's output is a warning, or needs a notebook server's scripts."""
    warning = output.get("name") == "stderr"
    return warning or any(kind in output.get("data", {}) for kind in SCRIPTS)


def judge_ratings(ratings, scores, columns, folder):
    """Execute notebook 07 on a reader's CSV files; return page, CSV, figure and key.

    Both files are read first, so that what is wrong with them is told at once. The key says who the
    raters R1, R2, … are; the page does not.
    """
    ratings = readers.resolve(Path(ratings).resolve(), "a CSV file with a row per rating")
    if scores:
        scores = readers.resolve(Path(scores).resolve(), "a CSV file with a row per score")
    data, _ = sheets.read_files(ratings, scores, columns)
    if question := sheets.ask_about_groups(data, columns):
        print(f"note: {question.replace('*', '')}", file=sys.stderr, flush=True)
    name = name_page("judge-card", ratings, scores, given=columns)
    given = {"ratings": str(ratings), "columns": columns, "scores": str(scores or "")}
    page, table, figure = (folder / f"{name}.{kind}" for kind in ("html", "csv", "png"))
    key = folder / f"{name}-raters.csv"
    with private_folder(folder, name) as private:
        with tell_progress(private):
            executed = execute(CARD, private, given | {"outputs": str(private)})
        about = f"Is my judge good enough? {ratings.stem}" + (f" · {scores.stem}" if scores else "")
        files = (
            f"Beside this page: `{figure.name}`, the figure, `{table.name}`, its numbers, and"
            f" `{key.name}`, who R1, R2, … are: keep it to yourself when you pass the page on."
        )
        for made in (table, figure):
            os.replace(private / f"{CARD.stem}{made.suffix}", made)
        write_rater_key(data.ratings.attrs["raters"], key)
        write_page(executed, page, about, last=files, trim=True)
    return page, table, figure, key


def write_rater_key(raters, path):
    """Write who the raters are, {code: name in the reader's file}, as a CSV that only its owner can
    read."""
    path.unlink(missing_ok=True)
    path.touch(0o600)
    key = pd.DataFrame({"rater": [*raters], "name in your file": [*raters.values()]})
    key.to_csv(path, index=False, lineterminator="\n")


def judge_texts(texts, rubric, judge, max_usd, folder):
    """Let a judge answer tests about a reader's texts (notebook 07); return page and CSV."""
    refuse_key(judge, "JUDGE")
    texts = readers.resolve(Path(texts).resolve(), "a folder of .txt files or a CSV file")
    model = {"practice": local.SMALLEST}.get(judge, judge or BEST)
    mine = "/" not in model
    if mine:
        named = "" if judge == "practice" else judge
        judge = local.name_judge(named, usual=model)
    else:
        judge = model
    asked = len(readers.load_stories(texts)) * (len(readers.load_rubric(rubric)) if rubric else 14)
    if mine and model in local.KNOWN and not os.environ.get("LOCAL_BASE_URL"):
        print(f"{display_name(judge)}: 1.1 GB, once, from {local.KNOWN[model][0]}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / "transcripts.sqlite"
    given = {"texts": str(texts), "rubric": rubric, "judge": judge, "max_usd": max_usd}
    given |= {"transcripts": str(store), "concurrency": 1 if mine else 8}
    name = name_page("judge", texts, judge, Path(rubric) if rubric else "")
    page, table = folder / f"{name}.html", folder / f"{name}.csv"
    with private_folder(folder, name) as private:
        with local.serving(model) if mine else nullcontext(), progress(store, asked):
            executed = execute(CARD, private, given | {"outputs": str(private)})
        made = results.own_path("07", judge, private)
        os.replace(made, table)
        title = f"{display_name(judge)} on {texts.stem}"
        names = {made: table.name, made.name: table.name}
        first = f"{tell_worth(judge)}\n\n## Its answers"
        write_page(executed, page, title, first, names=names, prose=False)
    return page, table


def tell_worth(judge):
    """Return what the compendium found a judge to be worth, as Markdown."""
    start = f"# What is {display_name(judge)} worth?\n\n"
    found = [run.read_json(path).get("values", {}) for path in sorted(FOUND.glob("0*.json"))]
    known = pd.concat([compare.from_values(values) for values in found])
    if judge != f"local/{BEST}" or known.empty:
        return f"""{start}Nothing is known: no people's ratings were held against it here. Rate some
of your texts, and run `make judge-card`."""
    rows = "the judge", "a person", "control:"
    asked = known.index.get_level_values("row").str.startswith(rows)
    known = known[asked & known["estimate"].notna()]
    known = known.rename_axis(["task", "who"]).rename(columns={"n": "groups"})
    return f"""{start}How far it follows people in the studies of this compendium, beside a person
and beside the best control that reads nothing (notebook 06). Where the line of the judge less the
control holds 0, its answers may say no more about your texts than a count of words would.

{results.tidy(known).to_html(index=False, border=0)}"""


def execute(notebook, folder, parameters):
    """Return the path of the executed notebook; raise RuntimeError with the reason if it failed."""
    output = folder / notebook.name
    record = run.execute(notebook, output, parameters)
    if record["status"] != "ok":
        raise RuntimeError(re.sub(r"^cell \d+: ", "", record["error"]))
    return output


def in_words_of_make(said):
    """Return a message in which a notebook's parameters have their names in `make judge`."""
    return said.replace("max_usd", "MAX_USD")


@contextmanager
def tell_progress(folder):
    """Print, every 20 seconds of a run, which section of the notebook in `folder` is at work."""
    begun, done = time.monotonic(), threading.Event()

    def watch():
        while not done.wait(20):
            seconds = time.monotonic() - begun
            print(f"at work for {seconds:.0f} s{find_section(folder)}", file=sys.stderr, flush=True)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def find_section(folder):
    """Return how many cells of the notebook under way are done, and the heading of the next one."""
    for partial in folder.glob("*.partial.ipynb"):
        cells = run.read_json(partial).get("cells", [])
        states = [cell["metadata"].get("papermill", {}).get("status") for cell in cells]
        if "running" in states:
            place = states.index("running")
            texts = ["".join(cell["source"]) for cell in cells[:place]]
            headings = re.findall("^#+ (.+)$", "\n".join(texts), re.MULTILINE)
            return f": cell {place + 1} of {len(cells)}, {headings[-1]}" if headings else ""
    return ""


@contextmanager
def progress(store, asked):
    """Print, until the end, how many answers are in the store and how much time is left."""
    begun, done = time.monotonic(), threading.Event()
    before = count_answers(store)

    def watch():
        told = 0
        while not done.wait(20):
            new = count_answers(store) - before
            if not new:  # nothing has come yet, or all is known from an earlier run
                continue
            print(tell_left(new, told, asked, time.monotonic() - begun), flush=True)
            told = new

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def tell_left(new, told, asked, seconds):
    """Return how many answers have come and how much time is left; told: how many had come when
    this was last said, asked: how many can come at most, seconds: since the first was asked."""
    come = f"{new} new answers of at most {asked}"
    if new == told:
        return f"{come}, none in the last 20 s"
    left = seconds / new * max(asked - new, 0) / 60
    return f"{come}, at most {left:.0f} min left"


def count_answers(store):
    """Return the number of answers in a transcript store; 0 if it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
            return db.execute("SELECT COUNT(*) FROM answers").fetchone()[0]
    except sqlite3.Error:
        return 0


def read_columns(text):
    """Return the columns that are given in a terminal, {} for none; DataError with an example."""
    example = f"COLUMNS='{headers.EXAMPLE}'"
    advice = f"single quotation marks around all, double ones around each name: {example}"
    try:
        return headers.check_columns(json.loads(text or "{}"))
    except (ValueError, RecursionError) as fault:
        what = "" if isinstance(fault, DataError) else f"{text:.60} is not to be read; "
        reason = f"{fault}; " if isinstance(fault, DataError) else ""
        raise DataError(f"COLUMNS: {what}{reason}expected {advice}") from None


def tell_in_terminal(fault):
    """Return a fault as text, what can be done about the price said as a terminal says it."""
    return str(fault).replace(
        "raise max_usd, or set limit", "say the most that it may cost, in USD: MAX_USD=1"
    )


def main(arguments=None):
    """Command line: `card RATINGS [--scores CSV]`, `texts FOLDER [--rubric YAML]`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.judge", description=__doc__)
    add = parser.add_argument
    add("command", choices=["card", "texts"])
    add("path", help="card: a CSV of ratings; texts: a folder of .txt files or a CSV")
    add("--scores", default="", help="card: a CSV of a judge's scores")
    add("--columns", default="", help='card: {"name in the file": "item", …}')
    add("--rubric", default="", help="texts: tests of your own, a YAML file")
    add("--judge", default="", help=f"texts: {BEST} (default), practice, or any judge")
    add("--max-usd", type=float, default=0.0, help="texts: the most that a live judge may cost")
    add("--outputs", type=Path, default=ROOT / "outputs" / "local")
    given = parser.parse_args(arguments)
    if not given.path:
        print(f"error: say where: {EXAMPLES[given.command]}", file=sys.stderr)
        return 2
    run.stop_when_killed()
    try:
        if given.command == "card":
            asked = judge_ratings, given.scores, read_columns(given.columns)
        else:
            asked = judge_texts, given.rubric, given.judge, given.max_usd
        written = asked[0](given.path, *asked[1:], given.outputs.resolve())
    except (DataError, RuntimeError, ValueError, FileNotFoundError) as fault:
        print(f"error: {in_words_of_make(tell_in_terminal(fault))}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as stop:
        print(run.tell_stopped(Path(*stop.args)), file=sys.stderr)
        return 130
    print("written:", *written, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
