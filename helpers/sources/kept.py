"""Read the numbers of public data sets that the project keeps, in `data/ratings/`."""

import pandas as pd

from helpers.sources.files import DataError
from helpers.sources.public import ROOT, registry

FOLDER = ROOT / "data" / "ratings"


def read_kept(name):
    """Return the table `data/ratings/<name>.csv`, such as "hanna-items"; its card has the columns.

    An empty field is nan. DataError if there is no such file.
    """
    path = FOLDER / f"{name}.csv"
    if not path.is_file():
        known = ", ".join(sorted(path.stem for path in FOLDER.glob("*.csv")))
        advice = "restore the folder (git checkout data/ratings)"
        raise DataError(f"data/ratings/{name}.csv is missing; there are {known}; {advice}")
    return pd.read_csv(path)


def tell_source(dataset):
    """Return a sentence for the reader: whose numbers these are, at which commit, the licence."""
    entry = registry()[dataset]
    where = f"{entry['repository']} at {entry['commit'][:7]} ({entry['licence']})"
    return f"**Source:** open data, {where}; the numbers are kept in `data/ratings/`."
