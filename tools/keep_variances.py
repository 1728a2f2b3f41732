"""Keep what a plan borrows from three public data sets: `planning.csv` of goodjudge.

    .venv/bin/python -m tools.keep_variances

The model of `goodjudge.comparison.random_effects` is fitted to the kept ratings of TTCW, HANNA and
LAMP; beside the variances stands what the best control that does not know the author has there, by
the card's measure (in TTCW over the stories whose text is public). `tests/test_planning.py` makes
the file anew.
"""

import numpy as np
import pandas as pd
from goodjudge import plan as planning

from helpers.edits import load as edits
from helpers.evolvr import load as evolvr
from helpers.ttcw import load as ttcw

STUDIES = {  # the name after LIKE=: its ratings, and where they come from in words
    "ttcw": (
        lambda: ttcw.load(all_lengths=False),
        "variances of TTCW (Chakrabarty and others 2024)",
    ),
    "hanna": (evolvr.load, "variances of HANNA (Chhun and others 2022)"),
    "lamp": (lambda: edits.load("LAMP"), "variances of LAMP (Chakrabarty and others 2025)"),
}


def make_row(like):
    """Return the row of `planning.csv` of one study of `STUDIES`, a dictionary."""
    load, source = STUDIES[like]
    data = load()
    rng = np.random.default_rng(0)
    assumed = planning.borrow(data, planning.find_control(data), source, rng)
    return planning.to_row(like, assumed)


def main():
    """Write `planning.csv`."""
    table = pd.DataFrame([make_row(like) for like in STUDIES])
    table.to_csv(planning.BORROWED, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
