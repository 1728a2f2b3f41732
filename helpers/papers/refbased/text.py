"""The two reference-based papers, running text: what figures, tables and data say of it."""

import re

import numpy as np

from helpers.refbased import confederacy
from helpers.refbased import rebuild as rebuilt
from helpers.sources.public import available
from helpers.sources.published import Printed, Rounded, to_number
from helpers.ttcw import load as ttcw

DETROIT = "year in the title of the story that is set in Detroit"
METHOD = {
    "refbased_v1": {"hybrid": "claude35_ours_opt", "ours": "claude35_ours"},
    "refbased_v2": {"ours": "claude35_ours"},
}


def facts(paper, is_open):
    """Return {name: fact} for the rules of facts.csv; is_open: are the public data here?"""
    labels = sum(column.startswith("score for ") for _, _, column in paper.keys("text"))
    known = {f"label_{i}": (labels - 1) / 2 - i for i in range(labels)}
    if is_open:
        tests, stories = ttcw.load_tests(), ttcw.load_stories()
        known |= {"tests": len(tests), "dimensions": tests["dimension"].nunique()}
        known["human_stories"] = stories["writer"].eq("NewYorker").sum()
        if paper.paper == "refbased_v2":
            known |= ratings_of_references()
    known |= gains(paper)
    return known | (first(paper, known) if paper.paper == "refbased_v1" else second(paper, known))


def ratings_of_references():
    """Return on how many aspects of the second data set the writer of the references is rated
    highest, and the names of the others; {} without that data set."""
    if not available("confederacy"):
        return {}
    data = confederacy.load()
    ratings = data.ratings.merge(data.items[["item", "writer"]], on="item")
    means = ratings.groupby(["aspect", "writer"], sort=False)["score"].mean().unstack()
    best = means.idxmax(axis=1)
    others = best.index[best != confederacy.REFERENCE]
    return {
        "led_by_references": (best == confederacy.REFERENCE).sum(),
        "led_by_others": " and ".join(f"*{name}*" for name in others),
    }


def gains(paper):
    """Return accuracies by the figure and gains over its best baseline, in several readings."""
    figure = paper.grid(rebuilt.FIGURES[paper.paper]["accuracy"])[rebuilt.STORIES]
    exact = ((figure * 3).round() / 3).mean(axis=1)  # a multiple of 1/36
    base = exact[~exact.index.str.contains("ours")].max()
    found = {"baseline": base}
    for name, row in METHOD[paper.paper].items():
        best, points = exact[row], 100 * (exact[row] - base)
        rounded = 100 * (round(best, 2) / round(base, 2) - 1)
        readings = {"points": points, "per cent": 100 * (best / base - 1)}
        readings["per cent of the two averages as rounded"] = rounded
        found |= {name: best, f"{name}_gain": readings, f"{name}_points": points}
        found[f"{name}_percent_gain"] = rounded
    return found


def first(paper, known):
    """Return the facts of refbased_v1 alone."""
    kept = paper.number("text", "5", "creativity dimensions compared") - 1
    found = {"hybrid_percent": 100 * known["hybrid"], "dimensions_kept": kept}
    return found | originality(paper) | hybrid(paper) | improvements(paper)


def originality(paper):
    """Return the two changes in Originality that section 5 prints side by side as per cent, each by
    the reading (points, or per cent of the baseline) that gives the other; with words for it."""
    cells, readings = paper.table("Table 2"), {}
    for name in ("rho", "ACC"):
        change = 100 * cells.at("Increment (claude35)", f"Originality / {name}")
        share = change / cells.at("claude35", f"Originality / {name}")
        readings[name] = {"in points": change, "in per cent of the baseline": share}
    found = {}
    words = {"rho": "rho", "ACC": "pairwise accuracy"}
    for name, other in (("rho", "ACC"), ("ACC", "rho")):
        section = f"Claude 3.5 Originality change in {words[other]}"
        printed = paper.number("text", "5", section)
        off = {one: abs(fact.mid - printed) for one, fact in readings[other].items()}
        reading = min(off, key=off.get)
        found[f"originality_{name.lower()}"] = readings[name][reading]
        found[f"reading_{name.lower()}"] = reading
        both = (f"{fact.mid:.0f} {one}" for one, fact in readings[name].items())
        found[f"readings_{name.lower()}"] = ", ".join(both)
    return found


def hybrid(paper):
    """Return in how many averages of the figures the hybrid beats the method on all dimensions, and
    in how many it is as high."""
    won, tied = 0, 0
    for figure in figures_of(paper):
        averages = paper.grid(figure).iloc[:, -1]
        for row in averages.index[averages.index.str.endswith("_ours_opt")]:
            whole = averages[row.removesuffix("_opt")]
            won, tied = won + (averages[row] > whole), tied + (averages[row] == whole)
    return {"hybrid_above": won, "hybrid_as_high": tied}


def figures_of(paper):
    """Return the names of the paper's figures, in order."""
    return rebuilt.FIGURES[paper.paper].values()


def improvements(paper):
    """Return how many changes of Table 1, and of two dimensions in Table 2, are improvements."""
    changes = paper.grid("Table 1").filter(like="(change)").stack()
    increments = paper.grid("Table 2").filter(like="Increment (", axis=0)
    praised = increments.filter(regex="Fluency|Elaboration").stack()
    return {"improved": (changes > 0).sum(), "improved_dimensions": (praised > 0).sum()}


def second(paper, known):
    """Return the facts of refbased_v2 alone."""
    table5, changes = paper.grid("Table 5"), paper.grid("Table 2")["Ours (change)"]
    ours = [row for row in table5.index if row.endswith("-Ours")]
    best = [to_number(table5.loc[row].idxmax().split("= ")[1]) for row in ours]
    scales = {}
    for key in paper.keys("text"):
        for k in re.findall(r"Spearman with the (\d+)-point scale", key[2]):
            scales[int(k)] = paper.number(*key)
    one, two, three = sorted(scales)
    length = "New Yorker story length in words"
    return {
        # a share of the method's own accuracy, and so no gain over the baseline
        "ours_percent_of_own": known["ours_points"] / known["ours"],
        "metrics_improved": (changes > 0).sum(),
        "best_cutoffs": Rounded(best[0], np.min(best), np.max(best)),
        "smallest_scale": one,
        "middle_scale": two,
        "largest_scale": three,
        "first_scale": next(iter(scales)),
        "best_scale": max(scales, key=scales.get),
        "average_at_cutoff": best[0] / paper.number("text", "5.1", "trials averaged for one test"),
        "shortest_story": Printed("ttcw").number("text", "5.1", f"{length} (lower)") - 50,
        "longest_story": Printed("ttcw").number("text", "5.1", f"{length} (upper)") + 50,
        "year": Printed("ttcw").number("text", "Table 11", f"in words: {DETROIT}"),
        "data_sets": len({table for table, *labels in paper.values if "AVG Spearman" in labels}),
    }
