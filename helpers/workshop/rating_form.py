"""A page in which people rate texts, and what they saved as one file for a judge card.

`write` makes one HTML file: one text at a time, with the questions of a rubric, in an order of each
rater's own, and without titles and writers' names: a text has a code (`code_text`), also in
the page's source. It needs no network and sends nothing; a rater's answers stay in the browser
until they are saved as a CSV file. `join` puts the files of several raters together, and adds what
the raters were not told, the titles too; `make judge-card` reads that:

    python -m helpers.workshop.rating_form write my-texts.csv --rubric my-tests.yaml --scale 1-5
    python -m helpers.workshop.rating_form join votes my-texts.csv

Neither writes over a file that is there.
"""

import argparse
import hashlib
import html
import json
import re
import sys
from pathlib import Path

import pandas as pd

from helpers import results
from helpers.sources import readers
from helpers.sources.files import DataError, refuse, replace_file
from helpers.sources.public import ROOT
from helpers.sources.spreadsheets import raise_faults, read_grid

TEMPLATE = Path(__file__).with_suffix(".html")
RUBRIC = ROOT / "data" / "rubrics" / "example.yaml"
VERDICTS = ["Yes", "No"]
MOST = 11  # answers of a scale, as from 0 to 10
COLUMNS = ["item", "rater", "aspect", "score", "position"]  # of a file that the page saves
FACTS = ["group", "writer", "words"]  # what raters are not told


def write_form(texts, rubric, scale, folder):
    """Write the page of texts and tests; return its path.

    texts: a folder of .txt files or a CSV (title, text, perhaps group, writer); rubric: a YAML file
    like data/rubrics/example.yaml, "" for that; scale: "" for Yes and No, or "1-5"; folder: for
    what is written. Raises DataError for bad texts, tests or scale, and for a title that names its
    writer.
    """
    stories = load_texts(texts)
    tests = readers.load_rubric(rubric or RUBRIC)
    refuse_formulas(tests["category"], "name", "test")
    asked = {
        "texts": [{"item": row.code, "text": row.text} for row in stories.itertuples()],
        "tests": list_tests(tests),
        "scale": read_scale(scale),
    }
    content = json.dumps(asked, ensure_ascii=False, sort_keys=True)
    asked["form"] = hashlib.sha256(content.encode()).hexdigest()[:12]
    title = f"Rating form: {len(stories)} texts"
    page = fill_page(TEMPLATE.read_text(encoding="utf8"), asked, title)
    name = re.sub(r"[^\w.]+", "-", Path(texts).stem).strip("-.")
    path = folder / f"rating-form-{name}-{asked['form']}.html"
    return write_new(path, page)


def load_texts(texts):
    """Return a reader's texts: title, text, words, code, perhaps group and writer.

    Raises DataError also for a title that would be a formula in a spreadsheet, or that names the
    text's writer.
    """
    expected = "a folder of .txt files, or a CSV file with the columns title and text"
    path, stories = readers.read_texts(Path(texts).resolve(), "*", ("title", "text"), expected)
    checks = [
        ("title", stories["title"].str.strip() == "", "a title"),
        ("text", stories["text"].str.strip() == "", "a text"),
        ("title", readers.repeats(stories["title"]), "a title that no earlier text has"),
        ("text", stories["text"].duplicated(), "a text that no earlier title has"),
    ]
    refuse(stories, path.name, checks)
    stories["words"] = stories["text"].map(readers.count_words)
    stories["code"] = [code_text(*row) for row in zip(stories["title"], stories["text"])]
    refuse_formulas(stories["title"], "title", "text")
    writers = stories["writer"] if "writer" in stories else [""] * len(stories)
    for title, writer in zip(stories["title"], writers):
        if writer and re.search(rf"\b{re.escape(writer)}\b", title, re.IGNORECASE):
            what = f"{path.name}: title {title!r:.60} names its writer, {writer!r:.60}"
            raise DataError(f"{what}; expected a neutral title, as raters shall not know who wrote")
    return stories


def code_text(title, text):
    """Return what a text is called in the page and in what raters save: its title may tell who or
    what wrote it, so it stands in neither."""
    letters = hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()
    return f"text {letters[:8]}"


def refuse_formulas(names, column, of):
    """Raise DataError for a name that a spreadsheet would run as a formula; column: what the name
    is called; of: a text or a test."""
    for name in names:
        if name[:1] in results.FORMULA:
            what = f"{of} {name!r:.60}: its {column} begins with {name[0]!r}"
            raise DataError(f"{what}, which a spreadsheet takes for a formula; begin with a letter")


def list_tests(tests):
    """Return name, question and background of each test, as the page takes them; tests: of
    `readers.load_rubric`."""
    names = {"category": "name", "question": "question", "full_prompt": "background"}
    return tests[list(names)].rename(columns=names).to_dict("records")


def read_scale(scale):
    """Return the answers of a scale: Yes and No for "", for "1-5" the whole numbers 1 to 5."""
    if not scale:
        return VERDICTS
    ends = re.fullmatch(r"(\d{1,3})\s*-\s*(\d{1,3})", scale)
    low, high = map(int, ends.groups()) if ends else (0, 0)
    if not 1 <= high - low < MOST:
        what = f"SCALE: {scale!r:.60} is no scale"
        raise DataError(f"{what}; expected two whole numbers such as 1-7 (at most {MOST} answers)")
    return [str(number) for number in range(low, high + 1)]


def fill_page(template, asked, title):
    """Return the page; what a reader's texts hold is data in it, and never HTML or a script."""
    data = json.dumps(asked, ensure_ascii=False)
    for sign in "<>&\u2028\u2029":  # no tag can begin or end within the data
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    page = template.replace("@@title@@", html.escape(title))
    return page.replace("@@form@@", data)


def write_new(path, text):
    """Write a file that is not there, or is there with the same text; return its path. Raises
    DataError for another one."""
    if path.exists() and path.read_bytes() != text.encode():
        raise DataError(f"{path}: is there with other content; expected no such file: move it")
    replace_file(path, text)
    return path


def join_files(votes, texts, folder):
    """Write the ratings that several raters saved as one CSV file for the judge card; return its
    path.

    votes: a folder of files that the page saved (ratings-….csv); texts: what the page was made of,
    for title, group, writer and words, "" for none: then items keep their codes; folder: for what
    is written. Raises DataError for what is no such file, and for two files of one rater.
    """
    place = readers.resolve(Path(votes).resolve(), "a folder of saved ratings")
    paths = sorted(place.glob("*.csv")) if place.is_dir() else [place]
    if not paths:
        raise DataError(f"{place}: no CSV file in it; expected the files that raters saved")
    tables = [read_saved(path) for path in paths]
    refuse_doubles(tables, paths)
    table = pd.concat(tables, ignore_index=True)
    if texts:
        table = add_facts(table, load_texts(texts))
    content = table.to_csv(index=False, lineterminator="\n")
    letters = hashlib.sha256(content.encode()).hexdigest()[:6]
    return write_new(folder / f"ratings-{place.stem}-{letters}.csv", content)


def read_saved(path):
    """Return what a rater saved: COLUMNS, all as text; DataError for another file."""
    where, cells, faults = read_grid(path)
    raise_faults(where, faults)
    if list(cells) != COLUMNS:
        shown = ", ".join(cells)
        raise DataError(f"{where}: found {shown:.200}; expected a saved file: {', '.join(COLUMNS)}")
    return cells


def refuse_doubles(tables, paths):
    """Raise DataError for two files that hold ratings of one rater."""
    first = {}
    for table, path in zip(tables, paths):
        for rater in table["rater"].unique():
            if rater in first:
                what = f"{path.name} and {first[rater]}: both are of rater {rater!r:.60}"
                raise DataError(f"{what}; expected one file per rater: remove one")
            first[rater] = path.name


def add_facts(table, stories):
    """Return ratings under the titles of the texts, with what is known of them; DataError for an
    item that is none of them.

    table: of `read_saved`, by code (or by title, as an older page saved it); stories: of
    `load_texts`.
    """
    titles = stories.set_index("code")["title"]
    table = table.assign(item=table["item"].replace(titles.to_dict()))
    known = [name for name in FACTS if name in stories]
    facts = stories.set_index("title")[known]
    unknown = ~table["item"].isin(facts.index)
    if unknown.any():
        item = table.loc[unknown, "item"].iloc[0]
        what = f"item {item!r:.60} is none of the texts"
        raise DataError(f"{what}; expected the texts of which the page was made, unchanged")
    return table.join(facts, on="item")


def build_parser():
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.rating_form")
    add = parser.add_argument
    add("command", choices=["write", "join"])
    add("path", help="write: a folder of .txt files or a CSV; join: a folder of saved files")
    add("texts", nargs="?", default="", help="join: the texts of the page, for group and writer")
    add("--rubric", default="", help="write: tests of your own, a YAML file")
    add("--scale", default="", help="write: 1-7 for points; default: Yes and No")
    add("--outputs", type=Path, default=ROOT / "outputs" / "local")
    return parser


def main(arguments=None):
    """Command line: `write TEXTS [--rubric YAML] [--scale 1-7]`, `join FOLDER [TEXTS]`; return 0,
    or 1 for a fault, 2 without a path."""
    given = build_parser().parse_args(arguments)
    if not given.path:
        print("error: say where: make rating-form TEXTS=my-folder", file=sys.stderr)
        return 2
    folder = given.outputs.resolve()
    try:
        if given.command == "write":
            path = write_form(given.path, given.rubric, given.scale, folder)
        else:
            path = join_files(given.path, given.texts, folder)
    except DataError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    print(f"written:\n  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
