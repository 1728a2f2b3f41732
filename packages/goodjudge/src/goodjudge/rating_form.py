"""A page on which people rate texts, and what they saved as one file for a card.

`write_form` makes one HTML file: one text at a time, with the questions of a rubric, in an order of
each rater's own, without names of texts and writers: a text has a code (`code_text`), also in the
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
import re
import stat
from importlib import resources
from pathlib import Path

import pandas as pd

from goodjudge.card.texts import RUN, disarm
from goodjudge.data.columns import name_columns
from goodjudge.data.names import count_words, list_rows, list_some, make_key, tidy_name
from goodjudge.data.tables import lay_out, load
from goodjudge.errors import DataError
from goodjudge.files import replace_file

PACKAGE = resources.files("goodjudge")
VERDICTS = ["Yes", "No"]
MOST = 11  # answers of a scale, as from 0 to 10
LARGEST = 1_000_000  # bytes of a text, of a rubric
COLUMNS = ["item", "rater", "aspect", "score", "position", "form"]  # of a file that a page saves
FACTS = ["group", "writer", "words"]  # what raters are not told
ENDINGS = (".txt", ".md")
DOCUMENTS = (".doc", ".docx", ".odt", ".rtf", ".pdf", ".pages")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
TEST = ["name", "question", "background", "dimension", "low", "high"]
PANEL = ["together", "reasons", "rank", "guess"]  # how a panel is asked
RUBRIC = ["title", "introduction", "scale", "low", "high", *PANEL, "tests"]
PLACE, GUESS = "(place)", "(guess)"  # what stands for the aspect of these answers


# --------------------------------------------------------------------------------------- write


def write_form(
    texts: str | Path, folder: str | Path, *, rubric: str | Path = "", scale: str = ""
) -> Path:
    """Write the page of texts and questions to a folder, rating-form.html; return its path.

    texts: a folder of .txt files or a CSV (id and text, perhaps title, group, writer); rubric: a
    YAML or JSON file like goodjudge/samples/rubric.yaml, "" for that; scale: "1-7", "" for what the
    rubric says, else Yes and No. A rubric may say together: true (texts of a group one after the
    other), reasons: true, and then rank: true and guess: [An expert, A machine]. Raises DataError
    for bad texts, questions or scale, and where another page is there.

    >>> write_form("texts/", "form", scale="1-7")             # doctest: +SKIP
    """
    stories = read_texts(texts)
    asked_about = read_rubric(rubric or PACKAGE / "samples" / "rubric.yaml")
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
        "introduction": asked_about.get("introduction", "").strip(),
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


def read_scale(scale):
    """Return the answers of a scale: Yes and No for "", for "1-5" the whole numbers 1 to 5.

    >>> read_scale("1-3")
    ['1', '2', '3']
    """
    if not scale:
        return VERDICTS
    ends = re.fullmatch(r"\s*(\d{1,3})\s*(?:-|–|,|to)\s*(\d{1,3})\s*", scale)
    low, high = map(int, ends.groups()) if ends else (0, 0)
    if not 1 <= high - low < MOST:
        raise DataError(
            f"scale: {scale!r:.60} is no scale; expected two whole numbers such as 1-7 (at most "
            f"{MOST} answers)"
        )
    return [str(number) for number in range(low, high + 1)]


def fill_page(template, asked, title):
    """Return the page; what a reader's texts hold is data in it, and never HTML or a script."""
    data = json.dumps(asked, ensure_ascii=False)
    for sign in "<>&\u2028\u2029":  # no tag can begin or end within the data
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    page = template.replace("@@title@@", html.escape(title))
    return page.replace("@@form@@", data)


def read_rubric(path):
    """Return a rubric: tests (name, question, perhaps background, low, high), and perhaps title,
    introduction, scale, low, high. Raises DataError naming the entry and what is wrong with it."""
    path = path if hasattr(path, "read_bytes") and not isinstance(path, str) else Path(path)
    text = read_text(path, "a YAML or JSON file like goodjudge/samples/rubric.yaml")
    try:
        content = json.loads(text) if text.lstrip().startswith("{") else load_yaml(text)
    except RecursionError:
        raise DataError(f"{path.name}: is nested too deeply") from None
    except ValueError as fault:
        advice = "put a question with a colon or a hash in quotes, indent with spaces"
        raise DataError(f"{path.name}: cannot be read ({fault}); {advice}") from None
    content = content if isinstance(content, dict) else {"tests": content}
    tests = content.get("tests")
    said = [name for name in RUBRIC if name not in (*PANEL, "tests")]
    refuse_fields(path.name, content, RUBRIC, texts=said)
    refuse_panel(path.name, content)
    if not isinstance(tests, list) or not tests:
        raise DataError(f"{path.name}: expected a list under 'tests', each with name and question")
    names = {}
    for number, test in enumerate(tests, 1):
        where = f"{path.name}, test {number}"
        if not isinstance(test, dict):
            raise DataError(f"{where}: expected name and question; found {test!r:.60}")
        refuse_fields(where, test, TEST, texts=TEST)
        for field in ("name", "question"):
            if not test.get(field, "").strip():
                raise DataError(f"{where}: has no {field}")
        name = test["name"] = tidy_name(test["name"])
        if make_key(name) in names:
            raise DataError(f"{where}: is called {name!r:.60} as test {names[make_key(name)]} is")
        if name in (PLACE, GUESS):
            raise DataError(f"{where}: is called {name}, as another answer is; use another name")
        names[make_key(name)] = number
        if name.startswith(RUN):
            raise DataError(
                f"{where}: its name begins with {name[0]!r}, which a spreadsheet takes for a "
                "formula; begin with a letter"
            )
    return content


def refuse_panel(where, content):
    """Raise DataError for a rubric that asks a panel in a way that the page does not know."""
    for name in PANEL[:-1]:
        if not isinstance(content.get(name, False), bool):
            raise DataError(f"{where}: {name} is {content[name]!r:.60}; expected true or false")
    guess = content.get("guess") or []
    is_list = isinstance(guess, list) and all(isinstance(one, str) for one in guess)
    if not is_list or len(guess) == 1 or len({make_key(one) for one in guess}) < len(guess):
        raise DataError(
            f"{where}: guess is {guess!r:.80}; expected a list of those who may have written, such "
            "as [An experienced writer, An amateur, A machine]"
        )
    for name in ("rank", "guess"):
        if content.get(name) and not content.get("together"):
            raise DataError(f"{where}: {name} is about the texts of a group; add together: true")


def load_yaml(text):
    """Return what a YAML text holds; ValueError in one line where it is none."""
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        said = str(getattr(fault, "problem", None) or fault).splitlines()[0]
        raise ValueError(f"{place}{said}") from None


def refuse_fields(where, entry, known, texts):
    """Raise DataError for a field that nobody knows, or that is no text; turn numbers to texts."""
    for name in list(entry):
        if name not in known:
            raise DataError(
                f"{where}: has a field {name!r:.60}; expected some of {list_some(known)}"
            )
        if name in texts:
            if isinstance(entry[name], (int, float)) and not isinstance(entry[name], bool):
                entry[name] = str(entry[name])
            if not isinstance(entry[name], str) or CONTROL.search(entry[name]):
                raise DataError(
                    f"{where}: {name} is {entry[name]!r:.60}; expected a text in quotes"
                )


# --------------------------------------------------------------------------------------- texts


def read_texts(path):
    """Return a reader's texts, a row each: item (its id in the file, the reader's own), text,
    words, code (what it is called in the page), perhaps writer and group.

    path: a folder of .txt files, whose names are the ids and whose sub-folders, if the texts lie in
    such, are groups; or a CSV or JSON with id and text, perhaps title, writer or author, group or
    prompt. Raises DataError for what cannot be read, and for a text or an id that stands twice.
    """
    path = Path(path).expanduser()
    if not path.exists():
        expected = "a folder of .txt files, or a CSV file with the columns id and text"
        raise DataError(f"{path}: there is no such file or folder; expected {expected}")
    table = read_folder(path) if path.is_dir() else read_table(path)
    for name in ("item", "text"):
        empty = table.index[table[name] == ""]
        if len(empty):
            raise DataError(f"{path.name}, {list_some(empty)}: has no {name.replace('item', 'id')}")
    table["code"] = [code_text(*row) for row in zip(table["item"], table["text"])]
    for name, of in (("item", table["item"].map(make_key)), ("text", table["text"])):
        again = of.duplicated()
        if again.any():
            here = again[again].index[0]
            first = of[of == of[here]].index[0]
            what = f"the id {table.at[here, 'item']!r:.60}" if name == "item" else "the same text"
            raise DataError(f"{path.name}, {here}: has {what} as {first} has; remove one of them")
    table["words"] = table["text"].map(count_words)
    return table


def read_folder(folder):
    """Return the texts of a folder: item, text, perhaps group."""
    files = list_files(folder)
    groups = []
    if not files:
        for inner in sorted(one for one in folder.iterdir() if one.is_dir()):
            inside = list_files(inner)
            files += inside
            groups += [inner.name] * len(inside)
    if not files:
        raise DataError(f"{folder}: holds no .txt file; expected a text in each")
    names = [str(file.relative_to(folder).with_suffix("")).replace("\\", "/") for file in files]
    table = pd.DataFrame({"item": map(tidy_name, names), "text": map(read_text, files)})
    table.index = [str(file.relative_to(folder)) for file in files]
    return table.assign(group=groups) if groups else table


def list_files(folder):
    """Return the texts of a folder by name; DataError for a document that is no plain text."""
    found = []
    for file in sorted(folder.iterdir()):
        if file.name.startswith(".") or file.stem.casefold() == "readme" or file.is_dir():
            continue
        if file.suffix.lower() in DOCUMENTS:
            raise DataError(f"{file.name}: is no plain text; save it as .txt (UTF-8)")
        if file.suffix.lower() in ENDINGS:
            if not file.resolve().is_relative_to(folder.resolve()):
                raise DataError(
                    f"{file.name}: is a link that leads out of the folder; copy the text"
                )
            found.append(file)
    return found


def read_table(path):
    """Return the texts of a CSV or JSON file: item, text, perhaps writer and group."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise DataError(f"{path}: is a pipe or a device; save what it holds as a file")
    cells = lay_out(load(path)).cells
    given = {name: "item" for name in cells if name.casefold() == "id"}
    meaning = name_columns(cells, given, {}, False)
    names = {ours: theirs for theirs, ours in meaning.items() if ours}
    if "item" not in names:
        titles = [name for name in cells if name.casefold() in ("title", "name")]
        names |= {"item": titles[0]} if titles else {}
    lacking = [name.replace("item", "id") for name in ("item", "text") if name not in names]
    if lacking:
        found = list_some(cells, 15)
        raise DataError(f"{path.name}: no column {' and no column '.join(lacking)}; found {found}")
    kept = [name for name in ("item", "text", "writer", "group") if name in names]
    table = cells[[names[name] for name in kept]].set_axis(kept, axis="columns")
    table = table.map(str.strip)
    for name in kept:
        table[name] = table[name] if name == "text" else table[name].map(tidy_name)
    table.index = [f"row {number}" for number in table.index]
    return table


def read_text(file, expected="a text"):
    """Return a text of a file in UTF-8; DataError naming the file and what to do."""
    try:
        if isinstance(file, Path) and file.exists() and not stat.S_ISREG(file.stat().st_mode):
            raise DataError(f"{file}: is no regular file; expected {expected}")
        content = file.read_bytes()
    except FileNotFoundError:
        raise DataError(f"{file}: there is no such file; expected {expected}") from None
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or fault
        raise DataError(f"{file.name}: cannot be read ({why})") from None
    if len(content) > LARGEST:
        raise DataError(f"{file.name}: larger than {LARGEST:,} bytes; split it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        what = f"is not UTF-8 text (byte {fault.start:,})"
        raise DataError(f"{file.name}: {what}; save it as UTF-8") from None
    if "\0" in text:
        raise DataError(f"{file.name}: is no plain text (it holds a NUL character)")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def code_text(item, text):
    """Return what a text is called in the page and in what raters save: its name may tell who or
    what wrote it, so it stands in neither."""
    letters = hashlib.sha256(f"{item}\0{text}".encode("utf-8", "replace")).hexdigest()
    return f"text {letters[:8]}"


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
