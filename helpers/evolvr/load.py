"""Load HANNA, checked, or a simulation that says so."""

import json
from itertools import product

import numpy as np
import pandas as pd

from helpers.measures.ratings import Ratings
from helpers.measures.words import lexical_statistics
from helpers.sources.files import DataError, refuse, require_columns
from helpers.sources.public import choose_source, locate
from helpers.sources.published import read_published

CELLS = "hanna/hanna_metric_scores_llm.csv"
SHEETS = "hanna/hanna_stories_annotations.csv"
ASPECTS = {"Relevance": "RE", "Coherence": "CH", "Empathy": "EM"}
ASPECTS |= {"Surprise": "SU", "Engagement": "EG", "Complexity": "CX"}
SYSTEMS, PROMPTS, RATERS = 11, 96, 3
SHEET = ["story", "prompt", "system", "rater", "slot", "seconds"]
REFERENCE_FREE = ("¤§", "¤ε", "¤Δ")  # how the file's names of metrics without a reference end
LLMS = ["Beluga-13B", "OrcaPlatypus", "Mistral-7B", "Llama-13B", "ChatGPT"]
# of the annotations' columns
NAMES = {"Story ID": "story", "Model": "system", "Prompt": "prompt_text", "Story": "text"}
NAMES |= {"Human": "human", "Worker ID": "worker", "Work time in seconds": "seconds"}


def load(data, rng):
    """Return (data, cells, line): the ratings as `Ratings`, HANNA's numbers as from `read_cells`,
    and what was used, for the reader.

    items: item (0-1055, in the order of both files), group (prompt, 0-95), writer, words and, of
    open data, ten more counts of `words.lexical_statistics`. ratings: item, rater (r01, r02, …),
    slot (1-3), seconds (of the sheet of six), aspect, score (1-5). data: auto, open, published or
    simulated; all but open data is simulated with the agreement that evolvr prints in Table 8.
    """
    source, line = choose_source("hanna", data)
    if source == "open":
        sheets, line = read_annotations(), f"{line} Raters are known, by pseudonyms."
        texts = sheets.drop_duplicates("story", ignore_index=True)["text"]
        counts = pd.DataFrame(list(texts.map(lexical_statistics)))
        counts["words"] = texts.str.split().str.len()
        return to_ratings(sheets, counts, source), read_cells(), line
    from helpers.evolvr.simulate import simulate_hanna

    printed = read_published("evolvr").query("table == 'Table 8' and column == 'Pointwise'")
    agreement = printed.set_index("row").loc[list(ASPECTS), "value"].astype(float)
    cells, sheets = simulate_hanna(agreement, rng)
    words = pd.DataFrame({"words": cells["Text length ¤§"].to_numpy()})
    return to_ratings(sheets, words, source), cells, line


def to_ratings(sheets, numbers, source):
    """Return rating sheets (columns SHEET and the six aspects) as `Ratings`; numbers: what is known
    of each story unread, in order of the stories."""
    names = {"story": "item", "prompt": "group", "system": "writer"}
    sheets = sheets.rename(columns=names).sort_values(["item", "slot"], kind="stable")
    items = sheets.drop_duplicates("item", ignore_index=True)[list(names.values())]
    facts = ["item", "rater", "slot", "seconds"]
    ratings = sheets.melt(facts, list(ASPECTS), "aspect", "score")
    return Ratings(items.join(numbers), ratings, source)


def read_cells(path=None):
    """Return the numeric file as a table: one row per story (index system, prompt 0-95), one column
    per quantity. DataError for a cell that is no list of 96 numbers, one per prompt, naming row and
    column, and for a missing or repeated system."""
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
    codes, _ = pd.factorize(table.pop("worker"))
    busiest = np.argsort(-np.bincount(codes), kind="stable")
    places = np.argsort(busiest, kind="stable")
    table["rater"] = [f"r{place:02}" for place in 1 + places[codes]]
    table["slot"] = table.groupby("story").cumcount() + 1
    table["prompt"] = table["story"] % PROMPTS
    if table["story"].tolist() != np.repeat(range(SYSTEMS * PROMPTS), RATERS).tolist():
        raise DataError(f"{SHEETS}: expected {SYSTEMS * PROMPTS} stories, {RATERS} sheets of each")
    odd = {aspect: ~table[aspect].isin(range(1, 6)) for aspect in ASPECTS}
    refuse(table, SHEETS, [(aspect, bad, "1, 2, 3, 4 or 5") for aspect, bad in odd.items()])
    found = table[[*SHEET, *ASPECTS, "prompt_text", "text", "human"]]
    return found.astype(dict.fromkeys(ASPECTS, int))


def load_texts():
    """Return one row per story: story (0-1055), prompt, system, prompt_text, text, human."""
    table = read_annotations().drop_duplicates("story", ignore_index=True)
    return table[["story", "prompt", "system", "prompt_text", "text", "human"]]


def rating_array(data):
    """Return (arrays, who) of `Ratings` with three slots: the scores, aspects x stories x 3; who
    gave them, stories x 3. DataError for other aspects than HANNA's six."""
    check_aspects(data)
    table = data.ratings.sort_values(["item", "slot"], kind="stable")
    parts = [table[table["aspect"] == aspect] for aspect in ASPECTS]
    scores = np.array([part["score"].to_numpy(float) for part in parts])
    who = parts[0]["rater"].to_numpy(str).reshape(-1, RATERS)
    return scores.reshape(len(parts), -1, RATERS), who


def check_aspects(data):
    """Raise DataError unless ratings have HANNA's six aspects.

    Agreement, controls, models' ratings and ceilings are all computed on these six; one more would
    count in some of them only.
    """
    found = list(data.ratings["aspect"].unique())
    if sorted(found) != sorted(ASPECTS):
        strange = [name for name in found if name not in ASPECTS]
        missing = [name for name in ASPECTS if name not in found]
        what = "; ".join(
            f"{said} {', '.join(map(repr, names))}"
            for said, names in (("not among them:", strange), ("missing:", missing))
            if names
        )
        advice = "rate an aspect of your own with notebook 07, which takes any"
        raise DataError(f"aspects of HANNA: expected {', '.join(ASPECTS)}; {what}; {advice}")


def features(cells):
    """Return {name: stories x numbers}: the 18 reference-free metrics, and LLM ratings as well; a
    missing value is replaced by its column's median. DataError if there are more or fewer columns.
    The other 54 metrics compare with the human story, so mark it perfect."""
    free = [name for name in cells if name.endswith(REFERENCE_FREE)]
    llm = [name for name in cells if name.split(" ")[0] in LLMS and " AVG " not in name]
    if (len(free), len(llm)) != (18, len(LLMS) * 6 * 4):
        raise DataError(f"{CELLS}: {len(free)} metrics, {len(llm)} LLM ratings; not 18 and 120")
    filled = cells[free + llm].fillna(cells[free + llm].median()).to_numpy(float)
    return {"18 reference-free": filled[:, :18], "reference-free and LLM": filled}


def llm_scores(cells):
    """Return what five language models rated, asked in four ways: item, judge, aspect, repeat,
    score."""
    asked = product(LLMS, ASPECTS.items(), range(1, 5))
    named = {(llm, aspect, k): f"{llm} {code} {k}" for llm, (aspect, code), k in asked}
    table = cells[list(named.values())].set_axis(pd.MultiIndex.from_tuples(named), axis=1)
    table = table.reset_index(drop=True).rename_axis("item").stack([0, 1, 2], future_stack=True)
    return table.rename_axis(["item", "judge", "aspect", "repeat"]).rename("score").reset_index()


def to_scores(predictions):
    """Return predictions {judge: stories x aspects} as scores: judge, item, aspect, score."""
    tables = {name: pd.DataFrame(x, columns=list(ASPECTS)) for name, x in predictions.items()}
    table = pd.concat(tables, names=["judge", "item"]).rename_axis("aspect", axis=1)
    return table.stack().rename("score").reset_index()
