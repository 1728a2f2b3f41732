"""Measure how sharp the audit is: plant one-digit typos in what a paper prints, and swap two cells
of a row or a column; see which it catches (`make strength`)."""

import re
from multiprocessing import Pool

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from helpers.audit import ledger
from helpers.audit.checks import Paper
from helpers.evolvr import load as hanna
from helpers.papers import evolvr, poetry, refbased, ttcw
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.sources.published import KEY, NUMBER
from helpers.ttcw.load import load_verdicts

LEFT_OUT = [2]  # the group without which Table 5's kappas were computed, as notebook 01 finds
BOUNDED = "not contradicted"
KINDS = ["paper", "kind", "verdict", "digit"]
COLUMNS = [*KINDS, "estimate", "low", "high", "n", "numbers"]


def auditors(paper):
    """Return the function that audits a Paper as the notebooks do."""
    if paper == "ttcw":
        verdicts = load_verdicts()
        return lambda one: ttcw.audit(one, verdicts, LEFT_OUT)
    if paper == "evolvr":
        ratings = hanna.load()
        return lambda one: evolvr.audit(one, ratings)
    return poetry.audit if paper == "poetry" else refbased.audit


def typos(value, last=False):
    """Return each printed value that differs in one digit (last: in the last place alone).

    An exponent's digits count as digits, but not as the last place.
    """
    places = [match.start() for match in re.finditer(r"\d", value)]
    if last:
        places = [k for k in places if k < len(re.split("[eE/]", value)[0])][-1:]
    wrong = [value[:k] + digit + value[k + 1 :] for k in places for digit in "0123456789"]
    return [typo for typo in wrong if typo != value and NUMBER.fullmatch(typo)]


def refuted(paper):
    """Return the keys of an audited paper whose check failed."""
    lines = paper.checked.items()
    return {key for key, line in lines if line.basis != "none" and not line.holds}


def swaps(paper, keys):
    """Return {key: value} of each pair of cells, the first of `keys`, that can change places: of
    one row or one column of a table, with different values."""
    pairs = []
    for key in keys:
        others = [one for one in paper.keys(key[0]) if (one[1] == key[1]) != (one[2] == key[2])]
        values = {one: paper.text(*one) for one in others if key[0] != "text"}
        mine = paper.text(*key)
        pairs += [{key: it, one: mine} for one, it in values.items() if it not in ("", mine)]
    return pairs


def caught(audit, paper, changes):
    """Return whether the audit catches `changes`, {key: value}, to an audited paper: whether one of
    these numbers, or another that held before, is contradicted."""
    changed = paper
    for key, value in changes.items():
        changed = changed.changed(key, value)
    return not refuted(audit(changed)) <= refuted(paper)


def plant(paper, seed=0, plants=200, least=6):
    """Return (typos, numbers by kind): one row per typo, with the columns of `KINDS` and caught.

    plants: typos of any digit in confirmed numbers, and half as many of the last place and swaps,
    drawn without repetition from all that are possible; spread over the kinds of check by their
    size, `least` or more per kind, or all there are. Numbers only bounded get as many for their
    size.
    """
    audit, rng = auditors(paper), np.random.default_rng(seed)
    whole = audit(Paper(paper))
    lines = ledger.decide(whole, "")
    lines["kind"] = list(map(ledger.kind, lines["table"], lines["how"]))
    lines = lines[lines["verdict"].isin(["reproduced", "consistent", BOUNDED])]
    confirmed, rows = lines["verdict"].ne(BOUNDED).sum(), []
    for about, part in lines.groupby(KINDS[:3], sort=False):
        count = max(least, plants * len(part) / confirmed)
        keys = list(part[KEY[1:]].itertuples(index=False, name=None))
        for digit, many in {"any": count, "last": count / 2, "swap": count / 2}.items():
            last = digit == "last"
            every = [{key: typo} for key in keys for typo in typos(whole.text(*key), last)]
            every = swaps(whole, keys) if digit == "swap" else every
            for k in rng.permutation(len(every))[: int(np.ceil(many))]:
                rows.append((*about, digit, caught(audit, whole, every[k])))
    return pd.DataFrame(rows, columns=[*KINDS, "caught"]), lines.groupby(KINDS[:3]).size()


def summarise(planted, numbers):
    """Return the share of typos caught, by kind of check and, weighted by its size, in all.

    numbers: Series of printed numbers by (paper, kind, verdict). Columns: `COLUMNS`.
    """
    table = planted.groupby(KINDS)["caught"].agg(estimate="mean", n="size").reset_index()
    table = table.join(numbers.rename("numbers"), on=KINDS[:3])
    verdict = table["verdict"].where(table["verdict"] == BOUNDED, "reproduced or consistent")
    caught = table["estimate"] * table["numbers"]
    whole = table.assign(kind="all", verdict=verdict, caught=caught).groupby(KINDS)
    whole = whole[["caught", "numbers", "n"]].sum().reset_index()
    table = pd.concat([whole.assign(estimate=whole["caught"] / whole["numbers"]), table])
    low, high = proportion_confint(table["estimate"] * table["n"], table["n"], method="wilson")
    table = table.assign(low=low, high=high).round({"estimate": 3, "low": 3, "high": 3})
    return table.sort_values(KINDS, kind="stable")[COLUMNS]


def main():
    """Measure all five papers on all processors; write outputs/strength.csv."""
    with Pool() as pool:
        planted, numbers = zip(*pool.map(plant, ledger.PAPERS, chunksize=1))
    table = summarise(pd.concat(planted), pd.concat(numbers))
    replace_file(ROOT / "outputs" / "strength.csv", table.to_csv(index=False))


if __name__ == "__main__":
    main()
