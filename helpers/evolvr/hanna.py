"""Read HANNA's open numeric file as tidy, checked tables."""

import json

import numpy as np
import pandas as pd

from helpers.sources.public import DataError, locate

FILE = "hanna/hanna_metric_scores_llm.csv"
ASPECTS = {"Relevance": "RE", "Coherence": "CH", "Empathy": "EM", "Surprise": "SU", "Engagement": "EG", "Complexity": "CX"}
SYSTEMS, PROMPTS, RATERS = 11, 96, 3
LLMS = ["Beluga-13B", "OrcaPlatypus", "Mistral-7B", "Llama-13B", "ChatGPT"]


def read_cells(path=None):
    """Return the numeric file as a table: one row a story (index system, prompt 0-95), one column a quantity.

    Each cell of the file is a list of 96 numbers, one a prompt. Raises DataError naming row and column of a cell that is
    no such list, and of a missing or repeated system.
    """
    raw = pd.read_csv(path or locate(FILE)[0], encoding="utf8")
    if "Model" not in raw or raw["Model"].duplicated().any():
        raise DataError(f"{FILE}: expected a column 'Model' with one row a system")
    stories = pd.MultiIndex.from_product([raw["Model"], range(PROMPTS)], names=["system", "prompt"])
    columns = {}
    for name in raw.columns.drop("Model"):
        values = [parse_cell(cell, f"{FILE}, row {system!r}, column {name!r}") for system, cell in zip(raw["Model"], raw[name])]
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


def tidy_ratings(cells):
    """Return the 19,008 ratings: system, prompt, story ('<system>/<prompt>'), aspect, slot (1-3), rating (1-5).

    A slot is a place in the file, not a person: nothing says that slot 1 of two stories is the same rater.
    Raises DataError for a missing aspect, a rating that is not a whole number from 1 to 5, or aspect means that are not
    the means of the three ratings.
    """
    parts = []
    for aspect, code in ASPECTS.items():
        names = [f"Human {slot} {code}" for slot in range(1, RATERS + 1)]
        missing = [name for name in [*names, aspect] if name not in cells]
        if missing:
            raise DataError(f"{FILE}: column {missing[0]!r} is missing; the aspect {aspect} needs {', '.join(names)}")
        values = cells[names]
        odd = ~values.isin([1, 2, 3, 4, 5])
        if odd.to_numpy().any():
            system, prompt = odd.index[odd.any(axis=1)][0]
            raise DataError(
                f"{FILE}, {system}, prompt {prompt}: a rating of {aspect} is {values.loc[(system, prompt)].tolist()}; "
                "expected whole numbers from 1 to 5"
            )
        if np.abs(values.mean(axis=1) - cells[aspect]).max() > 1e-6:
            raise DataError(f"{FILE}: the column {aspect!r} is not the mean of its three ratings")
        long = values.set_axis(range(1, RATERS + 1), axis=1).rename_axis(columns="slot").stack().rename("rating")
        parts.append(long.reset_index().assign(aspect=aspect))
    table = pd.concat(parts, ignore_index=True)
    table["story"] = table["system"] + "/" + table["prompt"].astype(str)
    table["rating"] = table["rating"].astype(int)
    return table[["system", "prompt", "story", "aspect", "slot", "rating"]]


def rating_array(ratings):
    """Return (array aspects x stories x 3 raters, stories: DataFrame system, prompt) from the table of `tidy_ratings`."""
    wide = ratings.pivot(index=["system", "prompt"], columns=["aspect", "slot"], values="rating")
    array = np.stack([wide[aspect].to_numpy(float) for aspect in ASPECTS])
    return array, wide.index.to_frame(index=False)


def feature_groups(cells):
    """Return {name: list of columns}: length, the 18 reference-free metrics, all 72, LLM ratings, and unions of them.

    The other 54 metrics compare a story with the human one on its prompt, so they mark the human stories perfect.
    """
    free = [name for name in cells if name.endswith(("¤§", "¤ε", "¤Δ"))]
    based = [name for name in cells if name.endswith(("Ξ§", "Ξε", "ΞΔ"))]
    llm = [name for name in cells if name.split(" ")[0] in LLMS and " AVG " not in name]
    groups = {
        "length": [name for name in free if name.startswith("Text length")],
        "18 reference-free": free,
        "all 72 metrics": free + based,
        "LLM ratings": llm,
    }
    for name, size in (("18 reference-free", 18), ("all 72 metrics", 72), ("LLM ratings", len(LLMS) * 6 * 4)):
        if len(groups[name]) != size:
            raise DataError(f"{FILE}: {len(groups[name])} columns are '{name}', expected {size}")
    return groups | {"reference-free and LLM": free + llm, "everything": free + based + llm}


def features(cells, columns):
    """Return a matrix stories x columns in the order of `rating_array`, a missing value replaced by its column's median.

    Raises DataError for a column that is absent or wholly missing.
    """
    absent = [name for name in columns if name not in cells]
    if absent:
        raise DataError(f"feature {absent[0]!r} is not in the table")
    table = cells[columns].sort_index()
    empty = table.columns[table.isna().all()]
    if len(empty):
        raise DataError(f"feature {empty[0]!r} has no value at all; leave it out")
    return table.fillna(table.median()).to_numpy(float)


def llm_ratings(cells):
    """Return {'<model>, prompt <1-4>': aspects x stories}: what five language models rated, asked in four ways."""
    table, codes = cells.sort_index(), ASPECTS.values()
    return {f"{llm}, prompt {number}": table[[f"{llm} {code} {number}" for code in codes]].to_numpy(float).T
            for llm in LLMS for number in range(1, 5)}


def load_ratings():
    """Return the ratings of the open file (columns of `tidy_ratings`), checked."""
    return tidy_ratings(read_cells())
