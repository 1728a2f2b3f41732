"""Measure the audit's teeth: plant one-digit typos in what a paper prints, see which it catches."""
import re
from multiprocessing import Pool

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from helpers.audit import evolvr, ledger, poetry, refbased, ttcw
from helpers.audit.checks import Paper
from helpers.evolvr.hanna import load_annotations
from helpers.measures import agreement
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.sources.published import NUMBER
from helpers.ttcw.data import load_verdicts

DEFINITION = "Fleiss' kappa, group 2 left out"  # of Table 5's agreement, as notebook 01 finds
KINDS = ["paper", "kind", "verdict", "digit"]
COLUMNS = [*KINDS, "estimate", "low", "high", "n", "numbers"]


def auditors(paper):
    """Return the function that audits a Paper, with the open data, as the notebooks do."""
    if paper == "ttcw":
        verdicts = load_verdicts()
        counts = agreement.count_passes(verdicts)
        fitting = counts[counts.index.get_level_values("group") != 2]
        kappas = pd.Series(agreement.fleiss_kappa(fitting), counts.columns)
        slots = agreement.spread_slots(agreement.score_stories(verdicts))
        pearson = agreement.mean_correlation(slots)
        return lambda one: ttcw.audit(one, verdicts, kappas, pearson, DEFINITION)
    if paper == "evolvr":
        ratings = load_annotations()[0]
        return lambda one: evolvr.audit(one, ratings)
    return poetry.audit if paper == "poetry" else refbased.audit


def typo(value, rng, last=False):
    """Return a printed value with one digit (or its last significant place) changed at random.

    An exponent's digits count as digits, but not as the last place.
    """
    digits = [match.start() for match in re.finditer(r"\d", value)]
    mantissa = [k for k in digits if k < len(re.split("[eE/]", value)[0])]
    while True:
        at = mantissa[-1] if last else rng.choice(digits)
        digit = rng.choice([digit for digit in "0123456789" if digit != value[at]])
        wrong = value[:at] + digit + value[at + 1:]
        if NUMBER.fullmatch(wrong):
            return wrong


def caught(audit, paper, key, value):
    """Return (whether the audit catches `value` at `key`, whether at this number itself).

    paper: audited. A typo is caught if the number, or one that held before, is contradicted.
    """
    found = audit(paper.changed(key, value)).found
    new = {other for other, line in paper.found.items() if contradicted(found.get(other))
           and not contradicted(line)}
    return bool(new), key in new


def contradicted(line):
    """Return whether a check of `Paper.found` failed."""
    return bool(line) and line["basis"] != "none" and not line["holds"]


def plant(paper, seed=0, plants=225, least=3):
    """Return one row a typo: paper, kind, verdict, digit (any, last), caught, itself, key, typo.

    plants: typos of any digit, and a third as many of the last place, spread over the kinds of
    check by their size, `least` a kind or more. Numbers that hold are taken.
    """
    audit, rng = auditors(paper), np.random.default_rng(seed)
    whole = audit(Paper(paper))
    lines = ledger.decide(whole, "")
    lines["kind"] = [ledger.kind(*pair) for pair in zip(lines["table"], lines["how"])]
    lines = lines[lines["verdict"].isin(["reproduced", "consistent", "not contradicted"])]
    rows = []
    for (kind, verdict), part in lines.groupby(["kind", "verdict"], sort=False):
        count = max(least, -(-plants * len(part) // len(lines)))
        order = np.concatenate([rng.permutation(len(part)) for _ in range(-(-count // len(part)))])
        for i, place in enumerate(order[:count]):
            key = tuple(part.iloc[place][["table", "row", "column"]])
            for digit in ("any", "last")[: 1 + (i % 3 == 0)]:
                wrong = typo(whole.values[key], rng, digit == "last")
                rows.append((paper, kind, verdict, digit, *caught(audit, whole, key, wrong), *key,
                             wrong))
    return pd.DataFrame(rows, columns=["paper", "kind", "verdict", "digit", "caught", "itself",
                                       "table", "row", "column", "typo"])


def summarise(planted, numbers):
    """Return the share of typos caught, by kind of check and, weighted by its size, in all.

    numbers: Series of printed numbers by (paper, kind, verdict). Columns: `COLUMNS`.
    """
    table = planted.groupby(KINDS)["caught"].agg(estimate="mean", n="size").reset_index()
    table = table.join(numbers.rename("numbers"), on=KINDS[:3])
    fixed = table["verdict"].ne("not contradicted")
    whole = table.assign(verdict=np.where(fixed, "reproduced or consistent", table["verdict"]),
                         kind="all", caught=table["estimate"] * table["numbers"])
    whole = whole.groupby(KINDS)[["caught", "numbers", "n"]].sum().reset_index()
    table = pd.concat([whole.assign(estimate=whole["caught"] / whole["numbers"]), table])
    low, high = proportion_confint(table["estimate"] * table["n"], table["n"], method="wilson")
    table = table.assign(low=low, high=high).round({"estimate": 3, "low": 3, "high": 3})
    return table.sort_values(KINDS, kind="stable")[COLUMNS]


def measure(paper):
    """Return (planted typos, numbers by kind) of one paper."""
    lines = ledger.decide(auditors(paper)(Paper(paper)), "")
    kinds = lines.assign(kind=list(map(ledger.kind, lines["table"], lines["how"])))
    return plant(paper), kinds.groupby(KINDS[:3]).size()


def main():
    """Measure all five papers on all processors; write outputs/strength.csv."""
    with Pool() as pool:
        planted, numbers = zip(*pool.map(measure, ledger.PAPERS, chunksize=1))
    table = summarise(pd.concat(planted), pd.concat(numbers))
    replace_file(ROOT / "outputs" / "strength.csv", table.to_csv(index=False))


if __name__ == "__main__":
    main()
