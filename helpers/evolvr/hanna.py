"""Read HANNA's open files as checked tables: rating sheets with raters, texts, metrics."""

import json

import numpy as np
import pandas as pd

from helpers.sources.public import DataError, locate

FILE = "hanna/hanna_metric_scores_llm.csv"
SHEETS = "hanna/hanna_stories_annotations.csv"
ASPECTS = {
    "Relevance": "RE",
    "Coherence": "CH",
    "Empathy": "EM",
    "Surprise": "SU",
    "Engagement": "EG",
    "Complexity": "CX",
}
SYSTEMS, PROMPTS, RATERS = 11, 96, 3
SHEET = ["story", "prompt", "system", "rater", "slot", "seconds"]
KNOWN = "Raters are known, by pseudonyms."
UNKNOWN = (
    f'Who rated what is not known here ({SHEETS} is not on this machine): a "rater" is a slot of'
    " the file."
)
LLMS = ["Beluga-13B", "OrcaPlatypus", "Mistral-7B", "Llama-13B", "ChatGPT"]


def read_cells(path=None):
    """Return the numeric file as a table: one row a story (index system, prompt 0-95), one column a
    quantity.

    Each cell of the file is a list of 96 numbers, one a prompt. Raises DataError naming row and
    column of a cell that is no such list, and of a missing or repeated system.
    """
    raw = pd.read_csv(path or locate(FILE)[0], encoding="utf8")
    if "Model" not in raw or raw["Model"].duplicated().any():
        raise DataError(f"{FILE}: expected a column 'Model' with one row a system")
    stories = pd.MultiIndex.from_product([raw["Model"], range(PROMPTS)], names=["system", "prompt"])
    columns = {}
    for name in raw.columns.drop("Model"):
        values = [
            parse_cell(cell, f"{FILE}, row {system!r}, column {name!r}")
            for system, cell in zip(raw["Model"], raw[name])
        ]
        columns[name] = np.concatenate(values)
    return pd.DataFrame(columns, index=stories)


def parse_cell(cell, where):
    """Return a cell's 96 numbers (nan allowed); raise DataError naming the place otherwise."""
    try:
        values = np.array(json.loads(str(cell).replace("nan", "NaN")), float)
    except (json.JSONDecodeError, ValueError, TypeError):
        values = np.empty(0)
    if values.shape != (PROMPTS,):
        raise DataError(f"{where}: expected a list of {PROMPTS} numbers, one a prompt")
    return values


def sheets_from_cells(cells):
    """Return the 3,168 rating sheets of the numeric file, with the columns of `load_annotations`
    and no seconds.

    Its slots are places in the file, so `rater` is "slot 1" to "slot 3", or a simulation's own
    rater. Raises DataError for a missing aspect, a rating that is not a whole number from 1 to 5,
    or aspect means that are not the means of three ratings.
    """
    parts = []
    for slot in range(1, RATERS + 1):
        names = {f"Human {slot} {code}": aspect for aspect, code in ASPECTS.items()}
        missing = [name for name in [*names, *ASPECTS] if name not in cells]
        if missing:
            raise DataError(
                f"{FILE}: column {missing[0]!r} is missing; each aspect needs its mean and three"
                " ratings"
            )
        who = cells.get(f"Rater {slot}", f"slot {slot}")
        sheet = cells[list(names)].rename(columns=names).reset_index()
        parts.append(
            sheet.assign(story=range(len(cells)), rater=np.asarray(who), slot=slot, seconds=np.nan)
        )
    table = check_sheets(pd.concat(parts).sort_values(["story", "slot"], ignore_index=True), FILE)
    means = table.groupby("story")[list(ASPECTS)].mean().to_numpy()
    wrong = np.flatnonzero((np.abs(means - cells[list(ASPECTS)].to_numpy()) > 1e-6).any(axis=0))
    if len(wrong):
        raise DataError(
            f"{FILE}: the column {list(ASPECTS)[wrong[0]]!r} is not the mean of its three ratings"
        )
    return table


def read_annotations(path):
    """Return the annotations file as a table: one row a rating sheet, its worker under a pseudonym,
    texts included.

    r01 gave most sheets, r22 fewest; who gave equally many are in the order of the file. Raises
    DataError as `check_sheets`.
    """
    raw = pd.read_csv(path, encoding="utf8")
    names = {
        "Story ID": "story",
        "Model": "system",
        "Prompt": "prompt_text",
        "Story": "text",
        "Human": "human",
        "Worker ID": "worker",
        "Work time in seconds": "seconds",
    }
    missing = [name for name in [*names, *ASPECTS] if name not in raw]
    if missing:
        raise DataError(f"{SHEETS}: column {missing[0]!r} is missing")
    table = raw.rename(columns=names).sort_values("story", kind="stable", ignore_index=True)
    codes, workers = pd.factorize(table.pop("worker"))
    order = np.argsort(-np.bincount(codes, minlength=len(workers)), kind="stable")
    table["rater"] = np.array([f"r{place + 1:02}" for place in np.argsort(order, kind="stable")])[
        codes
    ]
    table["slot"] = table.groupby("story").cumcount() + 1
    table["prompt"] = table["story"] % PROMPTS
    return check_sheets(table, SHEETS, ["prompt_text", "text", "human"])


def check_sheets(table, name, more=()):
    """Return a table of rating sheets (SHEET, aspects, `more`); DataError for a story without
    three, or a rating not 1 to 5."""
    counts = table.groupby("story").size()
    if not counts.eq(RATERS).all() or list(counts.index) != list(range(SYSTEMS * PROMPTS)):
        raise DataError(
            f"{name}: expected {SYSTEMS * PROMPTS} stories with {RATERS} rating sheets each"
        )
    odd = np.argwhere(~table[list(ASPECTS)].isin([1, 2, 3, 4, 5]).to_numpy())
    if len(odd):
        row, column = odd[0]
        where = f"{table.at[row, 'system']}, prompt {table.at[row, 'prompt']}"
        found = f"a rating of {list(ASPECTS)[column]} is {table[list(ASPECTS)].iat[row, column]}"
        raise DataError(f"{name}, {where}: {found}; expected whole numbers from 1 to 5")
    return table[[*SHEET, *ASPECTS, *more]].astype(dict.fromkeys(ASPECTS, int))


def load_annotations():
    """Return (table, source): one row a rating sheet, three a story, and a sentence that says
    whether raters are known.

    story (0-1055, in the order of both files), prompt (0-95), system, rater (pseudonym r01, r02,
    ...), slot (1-3), seconds (work time), and the six aspects (1-5). Where only the numeric file is
    at hand, raters are slots. Raises DataError as `read_annotations` and `sheets_from_cells`,
    FileNotFoundError where no file is at hand.
    """
    try:
        path, _ = locate(SHEETS)
    except FileNotFoundError:
        return sheets_from_cells(read_cells()), UNKNOWN
    return read_annotations(path)[[*SHEET, *ASPECTS]], KNOWN


def raters_known(sheets):
    """Return whether the sheets say who rated, or only in which slot a rating stands."""
    return not sheets["rater"].str.startswith("slot").any()


def load_texts():
    """Return story (0-1055), prompt, system, prompt_text, text, human (the human story on that
    prompt); one row a story.

    Raises FileNotFoundError where the annotations file is not at hand.
    """
    table = read_annotations(locate(SHEETS)[0]).drop_duplicates("story", ignore_index=True)
    return table[["story", "prompt", "system", "prompt_text", "text", "human"]]


def rating_array(sheets):
    """Return (arrays, who, stories) from a table of rating sheets, stories in order.

    arrays: aspects x stories x 3 slots; who: stories x 3, the rater of each slot; stories:
    DataFrame system, prompt.
    """
    ordered = sheets.sort_values(["story", "slot"], kind="stable")
    arrays = (
        ordered[list(ASPECTS)].to_numpy(float).reshape(-1, RATERS, len(ASPECTS)).transpose(2, 0, 1)
    )
    who = ordered["rater"].to_numpy(str).reshape(-1, RATERS)
    return (
        arrays,
        who,
        ordered.loc[ordered["slot"].eq(1), ["system", "prompt"]].reset_index(drop=True),
    )


def feature_groups(cells):
    """Return {name: list of columns}: length, the 18 reference-free metrics, LLM ratings, and the
    last two together.

    The other 54 metrics compare a story with the human one on its prompt, so they mark the human
    stories perfect.
    """
    free = [name for name in cells if name.endswith(("¤§", "¤ε", "¤Δ"))]
    llm = [name for name in cells if name.split(" ")[0] in LLMS and " AVG " not in name]
    groups = {
        "length": [name for name in free if name.startswith("Text length")],
        "18 reference-free": free,
        "LLM ratings": llm,
    }
    for name, size in (("18 reference-free", 18), ("LLM ratings", len(LLMS) * 6 * 4)):
        if len(groups[name]) != size:
            raise DataError(f"{FILE}: {len(groups[name])} columns are '{name}', expected {size}")
    return groups | {"reference-free and LLM": free + llm}


def features(cells, columns):
    """Return a matrix stories x columns in the order of `rating_array`, a missing value replaced by
    its column's median.

    Raises DataError for a column that is absent or wholly missing.
    """
    absent = [name for name in columns if name not in cells]
    if absent:
        raise DataError(f"feature {absent[0]!r} is not in the table")
    table = cells[columns]
    empty = table.columns[table.isna().all()]
    if len(empty):
        raise DataError(f"feature {empty[0]!r} has no value at all; leave it out")
    return table.fillna(table.median()).to_numpy(float)


def llm_ratings(cells):
    """Return {'<model>, prompt <1-4>': aspects x stories}: what five language models rated, asked
    in four ways."""
    codes = ASPECTS.values()
    return {
        f"{llm}, prompt {number}": (
            cells[[f"{llm} {code} {number}" for code in codes]].to_numpy(float).T
        )
        for llm in LLMS
        for number in range(1, 5)
    }
