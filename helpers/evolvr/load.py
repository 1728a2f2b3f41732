"""Load HANNA for notebooks 05 and 05b: the open numeric file, or a simulation that says so."""

from helpers.evolvr import hanna
from helpers.evolvr.simulate import simulate_cells
from helpers.sources import public
from helpers.sources.published import read_published


def load(data, rng):
    """Return (cells, ratings, source, line): tables as from `hanna.read_cells` and `hanna.tidy_ratings`.

    data: auto, open, published or simulated; anything but open data is simulated with the agreement that evolvr prints
    in Table 8. line: what was used, as a sentence.
    """
    source, line = public.choose_source("hanna", data)
    printed = read_published("evolvr").query("table == 'Table 8' and column == 'Pointwise'")
    agreement = printed.set_index("row").loc[list(hanna.ASPECTS), "value"].astype(float)
    cells = hanna.read_cells() if source == "open" else simulate_cells(agreement, rng)
    return cells, hanna.tidy_ratings(cells), source, line
