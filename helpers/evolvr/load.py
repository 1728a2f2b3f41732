"""Load HANNA for notebooks 05 and 05b: the open files, or a simulation that says so."""

import pandas as pd

from helpers.evolvr import hanna
from helpers.evolvr.simulate import simulate_cells
from helpers.sources import public
from helpers.sources.published import read_published


def load(data, rng):
    """Return (cells, sheets, source, line): tables as from `hanna.read_cells` and
    `hanna.load_annotations`.

    data: auto, open, published or simulated; anything but open data is simulated with the agreement
    that evolvr prints in Table 8. line: what was used, and whether raters are known, in two
    sentences.
    """
    source, line = public.choose_source("hanna", data)
    if source == "open":
        sheets, raters = hanna.load_annotations()
        return hanna.read_cells(), sheets, source, f"{line} {raters}"
    printed = read_published("evolvr").query("table == 'Table 8' and column == 'Pointwise'")
    agreement = printed.set_index("row").loc[list(hanna.ASPECTS), "value"].astype(float)
    cells = simulate_cells(agreement, rng)
    return cells, hanna.sheets_from_cells(cells), source, line


def load_evaluators(path=public.ROOT / "data" / "recorded" / "evaluators.csv"):
    """Return (table, blocks) of the recorded study of evaluators, which `helpers.extras.evaluators`
    made: r with mean ratings.

    table: estimate, low, high, n by features and what they were tested on (what was left out, or
    the ten prompts that EvolvR may have tested on); blocks: change of r on new prompts without each
    block of features.
    """
    found, words = (
        pd.read_csv(path),
        {"prompt": "new prompts", "system": "new writers", "both": "new prompts and writers"},
    )
    found["tested on"] = (
        found["folds"].map(words).mask(found["study"].eq("ten prompts"), "the ten prompts")
    )
    found = found.query("target == 'mean ratings' and measure == 'r'").set_index(
        ["features", "tested on"]
    )
    study, found = found["study"], found[["estimate", "low", "high", "n"]]
    blocks = found[study.eq("blocks")]
    return found[study.isin(["evaluators", "ten prompts"])], blocks.droplevel(
        "tested on"
    ).rename_axis("change of r")
