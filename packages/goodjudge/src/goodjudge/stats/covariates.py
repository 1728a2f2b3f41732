"""What is known of cases without reading, as numbers: controls are learnt on them many times over.

`lay_out` makes arrays of a table of cases, and `keep` takes some of the cases: pandas would take
several times as long, once for each of the dozens of parts on which `compare` learns controls anew.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import is_any_real_numeric_dtype

FOLDS = 5  # of groups that have one writer each


class Unread(NamedTuple):
    """What is known of cases without reading, and what people say.

    target: one per case, nan where it is not known; groups, aspects, writers: of each case a whole
    number, in the names' order; groups from 0 without gaps; writers: -1 where one is not known,
    None where there is no such column; counts: cases x names, such as words; names: of the counts.
    """

    target: np.ndarray
    groups: np.ndarray
    aspects: np.ndarray
    writers: np.ndarray | None
    counts: np.ndarray
    names: list

    def keep(self, kept):
        """Return the same of some cases; kept: True for each."""
        return Unread(
            self.target[kept],
            renumber(self.groups[kept]),
            self.aspects[kept],
            None if self.writers is None else self.writers[kept],
            self.counts[kept],
            self.names,
        )

    def number_kinds(self, by):
        """Return for each case the number of its kind, 0, 1, …: cases are of one kind if they are
        alike in "writer", "aspect" or both (`by`)."""
        columns = {"aspect": self.aspects, "writer": self.writers}
        return join_codes([columns[name] for name in by], len(self.target))


def lay_out(cases):
    """Return the `Unread` of a table: target, group and perhaps aspect, writer and counts."""
    names = list_counts(cases)
    nothing = np.zeros(len(cases), int)
    return Unread(
        cases["target"].to_numpy(float),
        number_names(cases["group"]),
        number_names(cases["aspect"]) if "aspect" in cases else nothing,
        number_names(cases["writer"]) if "writer" in cases else None,
        cases[names].to_numpy(float),
        names,
    )


def list_counts(cases):
    """Return the columns of numbers that are known of an item unread, such as words."""
    ours = ["item", "aspect", "rater", "person", "target", "raters", "group", "writer"]
    known = [name for name in cases if name not in ours]
    return [name for name in known if is_any_real_numeric_dtype(cases[name])]


def number_names(names):
    """Return for each of some names its number in their order, -1 where there is none."""
    return pd.factorize(names, sort=True)[0]


def renumber(codes):
    """Return whole numbers as 0, 1, … without gaps, in the same order."""
    return find_distinct(codes)[1]


def find_distinct(codes):
    """Return (which whole numbers there are, in order; of each entry, the place of its number among
    them), as `numpy.unique` does, without sorting."""
    if not len(codes):
        return codes, codes
    least = codes.min()
    size = codes.max() - least + 1
    if size > 100 * len(codes):  # too long a list of numbers that might be there
        return np.unique(codes, return_inverse=True)
    is_there = np.bincount(codes - least, minlength=size) > 0
    place = np.cumsum(is_there) - 1
    return np.flatnonzero(is_there) + least, place[codes - least]


def join_codes(columns, size):
    """Return for each case a number, 0, 1, …, the same for cases alike in all columns; 0 for all
    where there are none.

    columns: of whole numbers, one per case, in whose order the numbers are; size: how many cases.
    """
    joined = np.zeros(size, int)
    for column in columns:
        joined = joined * (column.max(initial=-1) + 1) + column
    return renumber(joined)


def deal_folds(known):
    """Return (the fold of each case, whether folds were dealt): its group where most groups have
    items of several writers, else one of five folds of groups.

    known: `Unread`. Where each item is a group of its own, its guess would lie the lower the higher
    it is itself, as only its own rating is missing from its writer's mean: authorship would seem to
    run against people.
    """
    groups = known.groups
    if known.writers is not None and len(groups):
        has_writer = known.writers >= 0
        number = known.writers.max() + 1
        pairs, _ = find_distinct(groups[has_writer] * number + known.writers[has_writer])
        writers = np.bincount(pairs // number, minlength=groups.max() + 1)  # of each group
        if len(writers) >= 2 * FOLDS and (writers == 1).mean() > 0.5:
            return deal_groups(groups, known.writers), True
    return groups, False


def deal_groups(groups, writers=None):
    """Return the fold of each case, one of five, a group's all the same.

    groups: a number from 0 for each case; writers: the same, or None. Groups are dealt out writer
    by writer, each writer being that of the group's first case: dealt in their own order, five
    systems that stand in turn would be a fold each, and nothing could be learnt about a system
    elsewhere.
    """
    names, first_cases = np.unique(groups, return_index=True)
    in_turn = names if writers is None else names[np.lexsort([names, writers[first_cases]])]
    fold_of_group = np.zeros(groups.max(initial=-1) + 1, int)
    fold_of_group[in_turn] = np.arange(len(in_turn)) % FOLDS
    return fold_of_group[groups]
