"""A page on which people rate texts, and what they saved as one file for a card.

`write_form` makes one HTML file: one text at a time, with the questions of a rubric, in an order of
each rater's own, without names of texts and writers: a text has a code (`data.texts`), also in the
page's source. It needs no network and sends nothing; a rater's answers stay in the browser until
they are saved as a CSV file, which says of which form it is. `join_forms` puts the files of several
raters together, and adds what the raters were not told:

    goodjudge form write texts/ --rubric rubric.yaml --scale 1-7 --out form
    goodjudge form join saved/ --texts texts/ --out ratings.csv

A rubric may ask as a panel of experts is asked: `together`, the texts of one group one after the
other; `reasons`, a reason for each answer; `rank`, a place for each text of the group; `guess`, who
wrote it. Places and guesses are joined into files of their own, which a card reads, too.
"""

import csv
import hashlib
import html
import io
import json
import stat
from importlib import resources
from pathlib import Path

import pandas as pd

from goodjudge.card.texts import disarm
from goodjudge.data.names import list_rows, list_some, make_key, tidy_name
from goodjudge.data.tables import load
from goodjudge.data.texts import read_texts
from goodjudge.errors import DataError
from goodjudge.files import replace_file
from goodjudge.rubric import GUESS, PANEL, PLACE, VERDICTS, find_rubric, read_rubric, read_scale

PACKAGE = resources.files("goodjudge")
COLUMNS = ["item", "rater", "aspect", "score", "position", "form"]  # of a file that a page saves
FACTS = ["group", "writer", "words"]  # what raters are not told


# --------------------------------------------------------------------------------------- write


def write_form(
    texts: str | Path, folder: str | Path, *, rubric: str | Path = "", scale: str = ""
) -> Path:
    """Write the page of texts and questions to a folder, rating-form.html; return its path.

    texts: a folder of .txt files or a CSV (id and text, perhaps title, group, writer); rubric: a
    YAML or JSON file like goodjudge/samples/rubric.yaml, "" for that, "ttcw" for the fourteen tests
    of creative writing in our words; scale: "1-7", "" for what the rubric says, else Yes and No. A
    rubric may say together: true (texts of a group one after the
    other), reasons: true, and then rank: true and guess: [An expert, A machine]. Raises DataError
    for bad texts, questions or scale, and where another page is there.

    >>> write_form("texts/", "form", scale="1-7")             # doctest: +SKIP
    """
    stories = read_texts(texts)
    asked_about = read_rubric(find_rubric(rubric))
    answers = read_scale(scale or asked_about.get("scale", ""))
    has_ends = answers != VERDICTS
    ends = {name: asked_about.get(name, "") for name in ("low", "high")}
    tests = []
    for test in asked_about["tests"]:
        shown = {name: test.get(name, "") for name in ("name", "question", "background")}
        shown |= {name: test.get(name, ends[name]) if has_ends else "" for name in ends}
        tests.append(shown)
    asked = {
        "texts": [{"item": row.code, "text": row.text} for row in stories.itertuples()],
        "tests": tests,
        "scale": answers,
        "introduction": introduce(asked_about),
    }
    asked |= {name: asked_about[name] for name in PANEL if asked_about.get(name)}
    if asked.get("together"):
        number_groups(asked, stories, texts)
    asked["form"] = name_form(asked)
    title = asked_about.get("title", "").strip() or f"Rating form: {len(stories)} texts"
    template = (PACKAGE / "rating_form.html").read_text("utf-8")
    page = fill_page(template, asked, title)
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise DataError(f"{folder}: is a file; expected the name of a folder")
    path = folder / "rating-form.html"
    if path.exists() and path.read_bytes() != page.encode():
        raise DataError(f"{path}: another form is there; name another folder, or move it")
    return replace_file(path, page)


def introduce(rubric):
    """Return what stands before all texts: a rubric's introduction, and its background."""
    parts = [rubric.get(name, "").strip() for name in ("introduction", "background")]
    return "\n\n".join(filter(None, parts))


def number_groups(asked, stories, texts):
    """Write into the texts of a form which stand together, by a number; DataError where no group is
    known, or one has a single text."""
    if "group" not in stories:
        raise DataError(
            f"{texts}: says of no text to which group it belongs; expected a folder for each "
            "group, or a column group, as the rubric says together"
        )
    sizes = stories["group"].value_counts(sort=False)
    if sizes.min() < 2:
        raise DataError(f"{texts}: the group {sizes.idxmin()!r:.60} has one text; expected two")
    for text, number in zip(asked["texts"], pd.factorize(stories["group"])[0]):
        text["group"] = int(number)


def name_form(asked):
    """Return how a form's saves call it: its scale, and letters for its texts and questions."""
    content = json.dumps(asked, ensure_ascii=False, sort_keys=True)
    letters = hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:12]
    scale = asked["scale"]
    return f"{'Yes-No' if scale == VERDICTS else f'{scale[0]}-{scale[-1]}'} {letters}"


def fill_page(template, asked, title):
    """Return the page; what a reader's texts hold is data in it, and never HTML or a script."""
    data = json.dumps(asked, ensure_ascii=False)
    for sign in "<>&\u2028\u2029":  # no tag can begin or end within the data
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    page = template.replace("@@title@@", html.escape(title))
    return page.replace("@@form@@", data)


# ---------------------------------------------------------------------------------------- join


def join_forms(
    saved: str | Path, texts: str | Path, out: str | Path, *, names_differ: bool = False
) -> tuple[pd.DataFrame, Path]:
    """Write what several raters saved as one CSV file for a card; return (the table, its path).

    saved: a folder of the files (ratings-….csv); texts: those of the page, unchanged: they say
    which text is which, and group, writer and words. names_differ: raters whose codes differ in
    capitals alone are two people; else they are asked about. Where texts were ranked, or guessed
    about, those answers stand in files beside the first, ratings-places.csv and
    ratings-guesses.csv; table.attrs["beside"] has {path: table}. Raises DataError for a file of
    another kind or of another form, a score outside the form's scale, places that are no ranking,
    and two files of one rater.

    >>> join_forms("saved/", "texts/", "ratings.csv")         # doctest: +SKIP
    """
    place = Path(saved).expanduser()
    if not place.exists():
        raise DataError(f"{place}: there is no such folder; expected the files that raters saved")
    paths = sorted(place.glob("*.csv")) if place.is_dir() else [place]
    if not paths:
        raise DataError(f"{place}: no CSV file in it; expected the files that raters saved")
    tables = {path.name: read_saved(path) for path in paths}
    refuse_other_forms(tables)
    refuse_other_scores(tables)
    tables = settle_raters(tables, names_differ)
    table = add_facts(pd.concat(tables.values(), ignore_index=True), read_texts(texts))
    out = Path(out).expanduser()
    rated = table[~table["aspect"].isin([PLACE, GUESS])]
    parts = {out: rated.reset_index(drop=True)}
    for kind, turn in (("places", list_places), ("guesses", list_guesses)):
        if len(part := turn(table)):
            parts[out.with_name(f"{out.stem}-{kind}{out.suffix}")] = part
    for path in parts:
        refuse_to_replace(path)
    for path, part in parts.items():
        replace_file(path, to_csv(part))
    table = parts.pop(out)
    table.attrs["beside"] = parts
    return table, out


def list_places(table):
    """Return the places that raters gave, as a card reads ranks: item, rater, rank, and what else
    is known; DataError for places of a group that are no ranking."""
    places = table[table["aspect"].eq(PLACE) & table["score"].ne("")]
    if places.empty:
        return places
    if "group" not in table:
        raise DataError("the texts say no group; expected those of which the page was made")
    for (rater, group), part in places.groupby(["rater", "group"], sort=False):
        given = part["score"].tolist()
        size = table.loc[table["group"] == group, "item"].nunique()
        known = [str(place) for place in range(1, size + 1)]
        if len(set(given)) < len(given) or not set(given) <= set(known):
            raise DataError(
                f"{rater!r:.60} gave the texts of {group!r:.60} the places "
                f"{list_some(given)}; expected each of {', '.join(known)} once"
            )
    return drop_empty(places.drop(columns="aspect").rename(columns={"score": "rank"}))


def list_guesses(table):
    """Return whom raters took for the writer as answers Yes and No, a row per text, rater and kind
    of writer (the aspect) that anybody named."""
    guesses = table[table["aspect"].eq(GUESS) & table["score"].ne("")]
    kinds = pd.DataFrame({"kind": sorted(guesses["score"].unique())})
    rows = guesses.merge(kinds, how="cross")
    is_it = rows["kind"] == rows["score"]
    rows = rows.assign(aspect=rows["kind"], score=is_it.map({True: "Yes", False: "No"}))
    return drop_empty(rows.drop(columns="kind"))


def drop_empty(table):
    """Return rows without the column of reasons, which only answers to a test have."""
    return table.drop(columns="reason", errors="ignore").reset_index(drop=True)


def read_saved(path):
    """Return what a rater saved: COLUMNS, all as text, the index the rows of the file."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise DataError(f"{path.name}: is no regular file; expected what a rater saved")
    source = load(path)
    rows = source.rows or [(1, [])]
    header = rows[0][1]
    columns = [*COLUMNS, "reason"] if header[-1:] == ["reason"] else COLUMNS
    if header == COLUMNS[:-1]:
        raise DataError(
            f"{path.name}: does not say of which form it is (no column form): an earlier page "
            "saved it; join such files by hand"
        )
    if header != columns:
        found = list_some(header)
        raise DataError(f"{path.name}: found {found}; expected a saved file: {', '.join(COLUMNS)}")
    odd = [number for number, cells in rows[1:] if len(cells) != len(columns)]
    if odd:
        raise DataError(f"{path.name}, {list_rows(odd)}: expected {len(columns)} cells")
    if len(rows) < 2:
        raise DataError(f"{path.name}: holds no rating")
    numbers = [number for number, _ in rows[1:]]
    table = pd.DataFrame([cells for _, cells in rows[1:]], index=numbers, columns=columns)
    for name in ("item", "rater", "aspect"):
        table[name] = table[name].map(tidy_name)
        empty = table.index[table[name] == ""]
        if len(empty):
            raise DataError(f"{path.name}, {list_rows(empty)}: has no {name}")
    return table


def refuse_other_forms(tables):
    """Raise DataError where files are of several forms; tables: {file: what it holds}."""
    files = {}
    for name, table in tables.items():
        for form in table["form"].unique():
            files.setdefault(form, []).append(name)
    if len(files) > 1:
        shown = "; ".join(f"{form}: {list_some(names, 3)}" for form, names in files.items())
        raise DataError(f"the files are of {len(files)} forms ({shown:.400}); join each by itself")


def refuse_other_scores(tables):
    """Raise DataError for scores that the form's scale does not have."""
    form = next(iter(tables.values()))["form"].iloc[0]
    scale = form.partition(" ")[0]
    answers = VERDICTS if scale == "Yes-No" else read_scale(scale)
    known = {answer.casefold() for answer in answers}
    known |= {f"{answer}{sign}0" for answer in known for sign in ".,"}  # as spreadsheets write 7
    for name, table in tables.items():
        rated = table[~table["aspect"].isin([PLACE, GUESS])]
        odd = rated[~rated["score"].str.casefold().isin(known | {""})]
        if len(odd):
            raise DataError(
                f"{name}, {list_rows(odd.index)}: score {odd['score'].iloc[0]!r:.40} is not on the "
                f"form's scale; expected one of {', '.join(answers)}, or an empty cell"
            )


def settle_raters(tables, names_differ):
    """Return the tables; DataError for two files of one rater, and for raters whose codes differ in
    capitals alone, unless they are two people: then the later one is numbered."""
    first, settled = {}, {}
    for name, table in tables.items():
        renamed = {}
        for rater in table["rater"].unique():
            before = first.setdefault(make_key(rater), [])
            same = [file for spelt, file in before if spelt == rater]
            if same:
                raise DataError(
                    f"{name} and {same[0]}: both are of rater {rater!r:.60}; expected one file per "
                    "rater: remove one"
                )
            if before and not names_differ:
                spelt, file = before[0]
                raise DataError(
                    f"{name} is of rater {rater!r:.60}, {file} of {spelt!r:.60}: one person? Then "
                    "remove one of the files. If they are two people: --names-differ (in Python: "
                    "names_differ=True)"
                )
            before.append((rater, name))
            if len(before) > 1:
                renamed[rater] = f"{rater} ({len(before)})"
        settled[name] = table.assign(rater=table["rater"].replace(renamed))
    return settled


def add_facts(table, stories):
    """Return ratings under the reader's ids of the texts, with what is known of them; DataError for
    an item that is none of them."""
    ids = stories.set_index("code")["item"]
    unknown = ~table["item"].isin(ids.index)
    if unknown.any():
        item = table.loc[unknown, "item"].iloc[0]
        raise DataError(
            f"{item!r:.60} is none of the texts; expected those of which the page was made, "
            "unchanged and with the same ids"
        )
    known = [name for name in FACTS if name in stories]
    facts = stories.set_index("item")[known]
    return table.assign(item=table["item"].map(ids)).join(facts, on="item")


def refuse_to_replace(out):
    """Raise DataError where a file is there that no join has written."""
    if out.is_dir():
        raise DataError(f"{out}: is a folder; expected the name of a file, such as ratings.csv")
    if out.exists():
        with out.open("rb") as opened:
            start = opened.read(200).decode("utf-8", "replace")
        if not start.startswith((",".join(COLUMNS), "item,rater,rank,position,form")):
            raise DataError(f"{out}: another file is there; name another one")


def to_csv(table):
    """Return a table as CSV in which no cell is run by a spreadsheet."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.itertuples(index=False):
        writer.writerow([disarm(cell) for cell in row])
    return page.getvalue()


def tell_joined(table):
    """Return in a sentence what was joined."""
    empty = int((table["score"] == "").sum())
    left = f"; {empty:,} questions were left open" if empty else ""
    told = (
        f"{len(table) - empty:,} ratings of {table['item'].nunique():,} texts by "
        f"{table['rater'].nunique():,} raters{left}."
    )
    beside = [f"{path} ({len(part):,} rows)" for path, part in table.attrs["beside"].items()]
    return f"{told} Beside it: {', '.join(beside)}; a card reads these, too." if beside else told
