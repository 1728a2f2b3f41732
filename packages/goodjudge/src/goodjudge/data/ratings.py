"""The one shape of data: people rated items, one row per rating."""

from typing import NamedTuple

import pandas as pd


class Ratings(NamedTuple):
    """What people said about items, and what is known of the items without reading.

    items: item, group (what is independent: a plot, a prompt, a subject) and, where known, writer,
    kind (of version, which no control is told) and any numbers that can be had unread, such as
    words; one row per item. ratings: item, rater, score (higher is better) and perhaps aspect (a
    test, a criterion). source: open, simulated or own.
    """

    items: pd.DataFrame
    ratings: pd.DataFrame
    source: str

    @property
    def report(self):
        """The `CleaningReport` of the file that they were read from, None where there is none."""
        return self.ratings.attrs.get("report")

    @property
    def raters(self) -> dict[str, str]:
        """{R1: the rater's name in the file, …}; it stands in no report and on no page."""
        return self.ratings.attrs.get("raters", {})
