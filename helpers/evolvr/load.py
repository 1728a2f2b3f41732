"""Load HANNA, checked, or a simulation that says so; and the recorded study of evaluators."""

import json

import numpy as np
import pandas as pd

from helpers.sources.files import DataError, refuse, require_columns
from helpers.sources.public import ROOT, choose_source, locate
from helpers.sources.published import read_published

CELLS = "hanna/hanna_metric_scores_llm.csv"
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
LLMS = ["Beluga-13B", "OrcaPlatypus", "Mistral-7B", "Llama-13B", "ChatGPT"]
NAMES = {  # of the annotations' columns
    "Story ID": "story",
    "Model": "system",
    "Prompt": "prompt_text",
    "Story": "text",
    "Human": "human",
    "Worker ID": "worker",
    "Work time in seconds": "seconds",
}


def load(data, rng):
    """Return (cells, sheets, source, line): tables as from `read_cells` and `load_annotations`.

    data: auto, open, published or simulated; anything but open data is simulated with the agreement
    that evolvr prints in Table 8. line: what was used, for the reader.
    """
    source, line = choose_source("hanna", data)
    if source == "open":
        return read_cells(), load_annotations(), source, f"{line} Raters are known, by pseudonyms."
    from helpers.evolvr.simulate import simulate_hanna

    printed = read_published("evolvr").query("table == 'Table 8' and column == 'Pointwise'")
    agreement = printed.set_index("row").loc[list(ASPECTS), "value"].astype(float)
    return *simulate_hanna(agreement, rng), source, line


def read_cells(path=None):
    """Return the numeric file as a table: one row per story (index system, prompt 0-95), one column
    per quantity.

    Each cell of the file is a list of 96 numbers, one per prompt. Raises DataError naming row and
    column of a cell that is no such list, and for a missing or repeated system.
    """
    raw = pd.read_csv(path or locate(CELLS)[0], encoding="utf8")
    require_columns(raw, CELLS, ["Model"])
    refuse(raw, CELLS, [("Model", raw["Model"].duplicated(), "one row per system")])
    stories = pd.MultiIndex.from_product([raw["Model"], range(PROMPTS)], names=["system", "prompt"])
    columns = {}
    for name in raw.columns.drop("Model"):
        cells = zip(raw[name], raw["Model"])
        columns[name] = np.concatenate([_numbers(cell, system, name) for cell, system in cells])
    return pd.DataFrame(columns, index=stories)


def _numbers(cell, system, name):
    """Return a cell's 96 numbers (nan allowed); DataError names its place otherwise."""
    try:
        values = np.array(json.loads(str(cell).replace("nan", "NaN")), float)
    except (ValueError, TypeError):
        values = np.empty(0)
    if values.shape != (PROMPTS,):
        raise DataError(f"{CELLS}, row {system!r}, column {name!r}: expected {PROMPTS} numbers")
    return values


def read_annotations(path=None):
    """Return the annotations file as a table: one row per rating sheet, its worker under a
    pseudonym, texts included.

    Columns: SHEET, the six aspects (1-5), prompt_text, text and human (the human story on that
    prompt). r01 gave most sheets, r22 fewest; who gave equally many are in the order of the file.
    Raises DataError for a missing column, a story without three sheets, a rating not from 1 to 5.
    """
    raw = pd.read_csv(path or locate(SHEETS)[0], encoding="utf8")
    require_columns(raw, SHEETS, [*NAMES, *ASPECTS])
    table = raw.rename(columns=NAMES).sort_values("story", kind="stable", ignore_index=True)
    codes, workers = pd.factorize(table.pop("worker"))
    busiest_first = np.argsort(-np.bincount(codes), kind="stable")
    pseudonyms = np.empty(len(workers), object)
    pseudonyms[busiest_first] = [f"r{place:02}" for place in range(1, len(workers) + 1)]
    table["rater"] = pseudonyms[codes]
    table["slot"] = table.groupby("story").cumcount() + 1
    table["prompt"] = table["story"] % PROMPTS
    if table["story"].tolist() != np.repeat(range(SYSTEMS * PROMPTS), RATERS).tolist():
        raise DataError(f"{SHEETS}: expected {SYSTEMS * PROMPTS} stories, {RATERS} sheets of each")
    odd = {aspect: ~table[aspect].isin(range(1, 6)) for aspect in ASPECTS}
    refuse(table, SHEETS, [(aspect, bad, "1, 2, 3, 4 or 5") for aspect, bad in odd.items()])
    found = table[[*SHEET, *ASPECTS, "prompt_text", "text", "human"]]
    return found.astype(dict.fromkeys(ASPECTS, int))


def load_annotations():
    """Return one row per rating sheet, three per story, without texts.

    story (0-1055, in the order of both files), prompt (0-95), system, rater (pseudonym r01, r02,
    ...), slot (1-3), seconds (work time), and the six aspects (1-5). Raises DataError as
    `read_annotations`, FileNotFoundError where the file is not at hand.
    """
    return read_annotations()[[*SHEET, *ASPECTS]]


def load_texts():
    """Return one row per story: story (0-1055), prompt, system, prompt_text, text, human.

    Raises as `load_annotations`.
    """
    table = read_annotations().drop_duplicates("story", ignore_index=True)
    return table[["story", "prompt", "system", "prompt_text", "text", "human"]]


def rating_array(sheets):
    """Return (arrays, who, stories) from a table of rating sheets, stories in order.

    arrays: aspects x stories x 3 slots; who: stories x 3, the rater of each slot; stories:
    DataFrame system, prompt.
    """
    ordered = sheets.sort_values(["story", "slot"], kind="stable")
    scores = ordered[list(ASPECTS)].to_numpy(float).reshape(-1, RATERS, len(ASPECTS))
    who = ordered["rater"].to_numpy(str).reshape(-1, RATERS)
    stories = ordered.loc[ordered["slot"].eq(1), ["system", "prompt"]]
    return scores.transpose(2, 0, 1), who, stories.reset_index(drop=True)


def feature_groups(cells):
    """Return {name: list of columns}: length, the 18 reference-free metrics, LLM ratings, and the
    last two together.

    The other 54 metrics compare a story with the human one on its prompt, so they mark the human
    stories perfect. Raises DataError if the columns are not as many.
    """
    free = [name for name in cells if name.endswith(("¤§", "¤ε", "¤Δ"))]
    llm = [name for name in cells if name.split(" ")[0] in LLMS and " AVG " not in name]
    if (len(free), len(llm)) != (18, len(LLMS) * 6 * 4):
        raise DataError(f"{CELLS}: {len(free)} metrics, {len(llm)} LLM ratings; not 18 and 120")
    length = [name for name in free if name.startswith("Text length")]
    groups = {"length": length, "18 reference-free": free, "LLM ratings": llm}
    return groups | {"reference-free and LLM": free + llm}


def features(cells, columns):
    """Return a matrix stories x columns in the order of `rating_array`, a missing value replaced by
    its column's median."""
    table = cells[columns]
    return table.fillna(table.median()).to_numpy(float)


def llm_ratings(cells):
    """Return {'<model>, prompt <1-4>': aspects x stories}: what five language models rated, asked
    in four ways."""

    def rated(llm, k):
        return cells[[f"{llm} {code} {k}" for code in ASPECTS.values()]].to_numpy(float).T

    return {f"{llm}, prompt {k}": rated(llm, k) for llm in LLMS for k in range(1, 5)}


def load_evaluators():
    """Return (table, blocks) of the recorded study of evaluators, which `tools/evaluators.py` made:
    r with mean ratings.

    table: estimate, low, high, n by features and what they were tested on (what was left out, or
    the ten prompts that EvolvR may have tested on); blocks: change of r on new prompts without each
    block of features.
    """
    new = {"prompt": "new prompts", "system": "new writers", "both": "new prompts and writers"}
    found = pd.read_csv(ROOT / "data" / "recorded" / "evaluators.csv")
    found = found.query("target == 'mean ratings' and measure == 'r'")
    ten = found["study"].eq("ten prompts")
    found["tested on"] = found["folds"].map(new).mask(ten, "the ten prompts")
    found = found.set_index(["features", "tested on"])
    study = found["study"]
    found = found[["estimate", "low", "high", "n"]]
    blocks = found[study.eq("blocks")].droplevel("tested on").rename_axis("change of r")
    return found[study.isin(["evaluators", "ten prompts"])], blocks
