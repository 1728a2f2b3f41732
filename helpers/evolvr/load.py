"""Load HANNA for notebooks 05 and 05b: the open files, or a simulation that says so."""

from helpers.evolvr import hanna
from helpers.evolvr.simulate import simulate_cells
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
