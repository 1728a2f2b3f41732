"""What tables, figures and public files say about the text of the two reference-based papers."""
import re

import numpy as np

from helpers.refbased import rebuild as rebuilt
from helpers.sources.published import Rounded, to_number
from helpers.ttcw import data as ttcw

METHOD = {"refbased_v1": {"hybrid": "claude35_ours_opt", "ours": "claude35_ours"},
          "refbased_v2": {"ours": "claude35_ours"}}


def facts(paper, is_open):
    """Return {name: fact} for the rules of data/checks; is_open: are the public data here?"""
    labels = sum(column.startswith("score for ") for _, _, column in paper.keys("text"))
    known = {f"label {i}": (labels - 1) / 2 - i for i in range(labels)}
    if is_open:
        tests, stories = ttcw.load_tests(), ttcw.load_stories()
        known |= {"tests": len(tests), "dimensions": tests["dimension"].nunique(),
                  "human stories": stories["writer"].eq("NewYorker").sum()}
    known |= gains(paper)
    return known | (first(paper, known) if paper.paper == "refbased_v1" else second(paper))


def gains(paper):
    """Return accuracies by the figure and gains over its best baseline, in several readings."""
    figure = paper.grid(rebuilt.FIGURES[paper.paper]["accuracy"])[rebuilt.STORIES]
    exact = ((figure * 3).round() / 3).mean(axis=1)  # a multiple of 1/36
    base = exact[~exact.index.str.contains("ours")].max()
    found = {"baseline": base}
    for name, row in METHOD[paper.paper].items():
        best, points = exact[row], 100 * (exact[row] - base)
        relative, rounded = (100 * (best / base - 1), 100 * (round(best, 2) / round(base, 2) - 1))
        readings = {"points": points, "per cent of the best baseline": relative,
                    "per cent of the best baseline, from two-digit averages": rounded}
        found |= {name: best, f"{name}, gain": readings, f"{name}, gain in points": points,
                  f"{name}, gain of its own": 100 * (1 - base / best)}
    return found


def first(paper, known):
    """Return the facts of refbased_v1 alone."""
    cells = paper.table("Table 2")
    changes = {name: 100 * cells.at("Increment (claude35)", f"Originality / {name}")
               for name in ("rho", "ACC")}
    relative = {name: changes[name] / cells.at("claude35", f"Originality / {name}")
                for name in changes}
    return {
        "hybrid, per cent": 100 * known["hybrid"],
        "dimensions kept": paper.number("text", "5", "creativity dimensions compared") - 1,
        **{f"Originality, {name}": {"points": changes[name], "per cent of the baseline's": share}
           for name, share in relative.items()},
        "in points": f"{changes['ACC'].mid:.0f}",
    }


def second(paper):
    """Return the facts of refbased_v2 alone."""
    table5, changes = paper.grid("Table 5"), paper.grid("Table 2")["Ours (change)"]
    best = [to_number(table5.loc[row].idxmax().split("= ")[1]) for row in table5.index
            if row.endswith("-Ours")]
    scales = {int(k): paper.number(*key) for key in paper.keys("text")
              for k in re.findall(r"Spearman with the (\d+)-point scale", key[2])}
    one, two, three = sorted(scales)
    return {
        "metrics improved": (changes > 0).sum(),
        "best cutoffs": Rounded(best[0], np.min(best), np.max(best)),
        "smallest scale": one,
        "middle scale": two,
        "largest scale": three,
        "first scale": next(iter(scales)),
        "best scale": max(scales, key=scales.get),
        "data sets": len({table for table, *labels in paper.values if "AVG Spearman" in labels}),
    }
