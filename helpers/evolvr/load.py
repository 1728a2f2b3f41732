"""Load HANNA for notebooks 05 and 05b: the open files, or a simulation that says so."""

import pandas as pd

from helpers.evolvr import hanna
from helpers.evolvr.simulate import simulate_cells
from helpers.results import interval
from helpers.sources import public
from helpers.sources.published import read_published


def load(data, rng):
    """Return (cells, sheets, source, line): tables as from `hanna.read_cells` and `hanna.load_annotations`.

    data: auto, open, published or simulated; anything but open data is simulated with the agreement that evolvr prints
    in Table 8. line: what was used, and whether raters are known, in two sentences.
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
    """Return (figure, table, blocks) of the recorded study of evaluators, which `helpers.extras.evaluators` made.

    figure: r with mean ratings (estimate, low, high, n) by features and what was left out; table: r and rho with both targets as
    text, also on the ten prompts that EvolvR may have tested on; blocks: change of r on new prompts without each block.
    """
    found, words = pd.read_csv(path), {"prompt": "new prompts", "system": "new writers", "both": "new prompts and writers"}
    found["tested on"] = found["folds"].map(words).mask(found["study"].eq("ten prompts"), "the ten prompts")
    plain, numbers = found.query("target == 'mean ratings' and measure == 'r'"), ["estimate", "low", "high", "n"]
    figure = plain[plain["study"].eq("evaluators")].set_index(["features", "tested on"])[numbers]
    blocks = plain[plain["study"].eq("blocks")].set_index("features")[numbers].rename_axis("change of r")
    told = found[found["study"].isin(["evaluators", "ten prompts"])]
    told = told.assign(value=[interval(row) for _, row in told.iterrows()])
    table = told.pivot(index=["tested on", "features"], columns=["measure", "target"], values="value")
    return figure, table.set_axis([" · ".join(name) for name in table.columns], axis=1), blocks
