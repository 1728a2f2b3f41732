"""Is my judge good enough (`make judge-card`); a judge on texts (`make judge`): a page each."""

import argparse
import base64
import html
import json
import os
import sqlite3
import sys
import threading
import time
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import nbformat
import pandas as pd

from helpers import results
from helpers.judges import local
from helpers.measures import compare
from helpers.sources import readers
from helpers.sources.files import DataError, replace_file
from helpers.sources.names import display_name
from helpers.sources.public import ROOT
from helpers.ttcw import card
from helpers.workshop import run

CARD = ROOT / "notebooks" / "07-is-my-judge-good-enough.ipynb"
TEXTS = ROOT / "notebooks" / "02-llm-judge-baseline.ipynb"
FOUND = ROOT / "outputs"
BEST = "qwen2.5-coder-1.5b"
LOOK = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "img{max-width:100%;height:auto}table{border-collapse:collapse;font-size:.9rem}"
    "div.jp-OutputArea,div.output{overflow-x:auto}"
    "td,th{padding:.2rem .6rem;text-align:left;border-bottom:1px solid #ddd}"
)


def write_page(notebook, page, title, first=""):
    """Write an executed notebook as an HTML page without code; first: Markdown at its top."""
    nb = nbformat.read(notebook, as_version=4)
    nb.cells = [cell for cell in nb.cells if "results.in_short(" not in cell.source]
    if first:
        nb.cells.insert(0, nbformat.v4.new_markdown_cell(results.disarm(first)))
    write_cells(nb, page, title)


def write_cells(nb, page, title):
    """Write a notebook's cells as an HTML page without code."""
    from nbconvert import HTMLExporter

    hidden = ["exclude_input", "exclude_input_prompt", "exclude_output_prompt"]
    look = {"template_name": "basic", "anchor_link_text": "", **dict.fromkeys(hidden, True)}
    body, _ = HTMLExporter(**look).from_notebook_node(nb)
    head = (
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    )
    replace_file(page, f"{head}<title>{title}</title><style>{LOOK}</style>{body}\n")


def write_judge_page(found, findings, table, notebook, outputs):
    """Write what notebook 02 found about one judge as a page beside its card, say where it is.

    found: of `ttcw.card.make_card`; table: of `ttcw.worth.tidy_rows`; the figure is
    `<outputs>/<notebook>.png`.
    """
    folder = ROOT / outputs
    page = card.card_path(found, outputs).with_suffix(".html")
    picture = base64.b64encode((folder / f"{notebook}.png").read_bytes()).decode()
    told = "\n".join(f"- {finding}" for finding in findings)
    title = f"What is {found['name']} worth?"
    parts = [results.disarm(f"# {title}\n\n{told}")]
    parts.append(results.disarm(table.to_html(index=False, border=0)))
    parts.append(f"![The judge beside others: {findings[0]}](data:image/png;base64,{picture})")
    parts.append(results.disarm(card.card_markdown(found)))
    cells = [nbformat.v4.new_markdown_cell(part) for part in parts]
    write_cells(nbformat.v4.new_notebook(cells=cells), page, html.escape(title))
    results.say(f"A page about {found['name']}: `{page.relative_to(folder)}` in `{outputs}`.")


def make_card(ratings, scores, columns, folder):
    """Execute notebook 07 on a reader's CSV files; return the page and the CSV that it wrote."""
    given = {"ratings": str(Path(ratings).resolve()), "columns": columns, "outputs": str(folder)}
    given["scores"] = str(Path(scores).resolve()) if scores else ""
    executed = execute(CARD, folder, given)
    page = folder / f"judge-card-{Path(ratings).stem}.html"
    write_page(executed, page, f"Is my judge good enough? {Path(ratings).stem}")
    return page, folder / "07-is-my-judge-good-enough.csv"


def judge_texts(texts, rubric, judge, max_usd, folder):
    """Let a judge answer tests about a reader's texts (notebook 02); return page and CSV."""
    texts = readers.resolve(Path(texts).resolve(), "a folder of .txt files or a CSV file")
    model = {"practice": local.SMALLEST}.get(judge, judge or BEST)
    mine = "/" not in model
    name = f"local/{local.name_of(model)}" if mine else model
    asked = len(readers.load_stories(texts)) * (len(readers.load_rubric(rubric)) if rubric else 14)
    if mine and model in local.KNOWN and not os.environ.get("LOCAL_BASE_URL"):
        print(f"{display_name(name)}: 1.1 GB, once, from {local.KNOWN[model][0]}", flush=True)
    store = folder / "transcripts.sqlite"
    given = {"own_stories": str(texts), "rubric": rubric, "judge": name, "max_usd": max_usd}
    given |= {"outputs": str(folder), "transcripts": str(store), "concurrency": 1 if mine else 8}
    with local.serving(model) if mine else nullcontext(), progress(store, asked):
        executed = execute(TEXTS, folder, given)
    page = folder / f"judge-{texts.stem}.html"
    write_page(executed, page, f"{display_name(name)} on {texts.stem}", tell_worth(name))
    return page, results.own_path("02", name, folder)


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
        raise RuntimeError(record["error"].partition(": ")[2])
    return output


@contextmanager
def progress(store, asked):
    """Print, until the end, how many answers are in the store and how much time is left."""
    begun, done = time.monotonic(), threading.Event()
    before = count_answers(store)

    def watch():
        while not done.wait(20):
            found = count_answers(store)
            new = max(found - before, 1)
            left = (time.monotonic() - begun) / new * max(asked - found, 0) / 60
            print(f"{min(found, asked)} of {asked} answers, about {left:.0f} min left", flush=True)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def count_answers(store):
    """Return the number of answers in a transcript store; 0 if it is not there yet."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
            return db.execute("SELECT COUNT(*) FROM answers").fetchone()[0]
    except sqlite3.Error:
        return 0


def main(arguments=None):
    """Command line: `card RATINGS [--scores CSV]`, `texts FOLDER [--rubric YAML]`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.judge", description=__doc__)
    add = parser.add_argument
    add("command", choices=["card", "texts"])
    add("path", help="card: a CSV of ratings; texts: a folder of .txt files or a CSV")
    add("--scores", default="", help="card: a CSV of a judge's scores")
    add("--columns", default="{}", type=json.loads, help='card: {"name in the file": "item", …}')
    add("--rubric", default="", help="texts: tests of your own, a YAML file")
    add("--judge", default="", help=f"texts: {BEST} (default), practice, or any judge")
    add("--max-usd", type=float, default=0.0, help="texts: the most that a live judge may cost")
    add("--outputs", type=Path, default=ROOT / "outputs" / "local")
    given = parser.parse_args(arguments)
    if not given.path:
        parser.error("say where: make judge TEXTS=my-folder, make judge-card RATINGS=my.csv")
    run.stop_when_killed()
    try:
        if given.command == "card":
            asked = make_card, given.scores, given.columns
        else:
            asked = judge_texts, given.rubric, given.judge, given.max_usd
        written = asked[0](given.path, *asked[1:], given.outputs)
    except (DataError, RuntimeError, ValueError, FileNotFoundError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        notebook = CARD if given.command == "card" else TEXTS
        print(run.tell_stopped(given.outputs / notebook.name), file=sys.stderr)
        return 130
    print("written:", *written, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
