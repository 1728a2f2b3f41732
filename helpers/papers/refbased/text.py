"""The two reference-based papers, running text: what figures, tables and data say of it."""

import re

import numpy as np

from helpers.papers.refbased.table2 import PAIRS
from helpers.refbased import confederacy, rebuild
from helpers.sources.published import Printed, Rounded, to_number
from helpers.ttcw import load as ttcw

METHOD = {  # a name for facts: the row of the figures
    "refbased_v1": {"hybrid": "claude35_ours_opt", "ours": "claude35_ours"},
    "refbased_v2": {"ours": "claude35_ours"},
}


def facts(paper):
    """Return {name: fact} for the rules of facts.csv."""
    labels = sum(column.startswith("score for ") for _, _, column in paper.keys("text"))
    known = {f"label_{place}": (labels - 1) / 2 - place for place in range(labels)}
    known |= gains(paper)
    known |= counts_in_data()
    if paper.paper == "refbased_v1":
        known |= claims_on_dimensions(paper)
        known |= claims_on_hybrid(paper, known)
        return known | originality(paper)
    known |= ratings_of_references()
    known |= claims_on_procedure(paper, known)
    known |= claims_on_scales(paper)
    return known | copied_from_ttcw()


def counts_in_data():
    """Return what can be counted in the public tests and stories."""
    tests, stories = ttcw.load_tests(), ttcw.load_stories()
    return {
        "tests": len(tests),
        "dimensions": tests["dimension"].nunique(),
        "human_stories": stories["writer"].eq("NewYorker").sum(),
    }


def ratings_of_references():
    """Return on how many aspects of the second data set the writer of the references is rated
    highest, and the names of the others."""
    data = confederacy.load()
    ratings = data.ratings.merge(data.items[["item", "writer"]], on="item")
    means = ratings.groupby(["aspect", "writer"], sort=False)["score"].mean().unstack()
    best = means.idxmax(axis=1)
    is_led = best == confederacy.REFERENCE
    others = [f"*{aspect}*" for aspect in best.index[~is_led]]
    return {"led_by_references": is_led.sum(), "led_by_others": " and ".join(others)}


def gains(paper):
    """Return accuracies by the figure and gains over its best baseline, in several readings."""
    figure = paper.grid(rebuild.FIGURES[paper.paper]["accuracy"])[rebuild.STORIES]
    exact = ((figure * 3).round() / 3).mean(axis=1)  # a multiple of 1/36
    is_baseline = ~exact.index.str.contains("ours")
    baseline = exact[is_baseline].max()
    known = {"baseline": baseline}
    for name, row in METHOD[paper.paper].items():
        accuracy = exact[row]
        points = 100 * (accuracy - baseline)
        rounded = 100 * (round(accuracy, 2) / round(baseline, 2) - 1)
        known[name] = accuracy
        known[f"{name}_points"] = points
        known[f"{name}_percent_gain"] = rounded
        known[f"{name}_gain"] = {
            "points": points,
            "per cent": 100 * (accuracy / baseline - 1),
            "per cent of the two averages as rounded": rounded,
        }
    return known


def claims_on_dimensions(paper):
    """Return what Tables 1 and 2 of the first version say about improvements."""
    changes = paper.grid("Table 1").filter(like="(change)")
    increments = paper.grid("Table 2").filter(like="Increment (", axis=0)
    praised = increments.filter(regex="Fluency|Elaboration")
    return {
        "dimensions_kept": paper.stated("dimensions_compared") - 1,
        "improved": (changes > 0).to_numpy().sum(),
        "improved_dimensions": (praised > 0).to_numpy().sum(),
    }


def claims_on_hybrid(paper, known):
    """Return in how many averages of the figures the hybrid beats the method on all dimensions, in
    how many it is as high, and its accuracy in per cent. known: facts of `gains`."""
    above, as_high = 0, 0
    for figure in rebuild.FIGURES[paper.paper].values():
        averages = paper.grid(figure).iloc[:, -1]
        hybrids = averages.index[averages.index.str.endswith("_ours_opt")]
        for hybrid in hybrids:
            method = hybrid.removesuffix("_opt")
            above += averages[hybrid] > averages[method]
            as_high += averages[hybrid] == averages[method]
    return {
        "hybrid_percent": 100 * known["hybrid"],
        "hybrid_above": above,
        "hybrid_as_high": as_high,
    }


def originality(paper):
    """Return the two changes in Originality that section 5 prints side by side as per cent, each by
    the reading (points, or per cent of the baseline) that gives the other; with words for it."""
    cells = paper.table("Table 2")
    base, _ = PAIRS["claude35"]
    readings = {}
    for metric in ("rho", "ACC"):
        change = 100 * cells.at("Increment (claude35)", f"Originality / {metric}")
        share = change / cells.at(base, f"Originality / {metric}")
        readings[metric.lower()] = {"in points": change, "in per cent of the baseline": share}
    known = {}
    for metric, other in (("rho", "acc"), ("acc", "rho")):
        printed = paper.stated(f"originality_{other}")
        off = {name: abs(fact.mid - printed) for name, fact in readings[other].items()}
        reading = min(off, key=off.get)
        both = [f"{fact.mid:.0f} {name}" for name, fact in readings[metric].items()]
        known[f"originality_{metric}"] = readings[metric][reading]
        known[f"reading_{metric}"] = reading
        known[f"readings_{metric}"] = ", ".join(both)
    return known


def claims_on_procedure(paper, known):
    """Return what Tables 2 and 5 of the second version say about its procedure. known: facts of
    `gains`."""
    changes = paper.grid("Table 2")["Ours (change)"]
    table5 = paper.grid("Table 5")
    ours = table5[table5.index.str.endswith("-Ours")]
    cutoffs = [to_number(column.split("= ")[1]) for column in ours.idxmax(axis=1)]
    with_rho = {table for table, *labels in paper.values if "AVG Spearman" in labels}
    return {
        # a share of the method's own accuracy, and so no gain over the baseline
        "ours_percent_of_own": known["ours_points"] / known["ours"],
        "metrics_improved": (changes > 0).sum(),
        "best_cutoffs": Rounded(cutoffs[0], np.min(cutoffs), np.max(cutoffs)),
        "average_at_cutoff": cutoffs[0] / paper.stated("trials"),
        "data_sets": len(with_rho),
    }


def claims_on_scales(paper):
    """Return which scales section 5.2 gives correlations for, and which has the largest."""
    correlations = {}
    for key in paper.keys("text"):
        for points in re.findall(r"Spearman with the (\d+)-point scale", key[2]):
            correlations[int(points)] = paper.number(*key)
    smallest, middle, largest = sorted(correlations)
    return {
        "smallest_scale": smallest,
        "middle_scale": middle,
        "largest_scale": largest,
        "first_scale": next(iter(correlations)),
        "best_scale": max(correlations, key=correlations.get),
    }


def copied_from_ttcw():
    """Return what the second version says of the stories of ttcw, by what ttcw prints of them: the
    lengths to 50 words."""
    ttcw_printed = Printed("ttcw")
    return {
        "shortest_story": ttcw_printed.stated("shortest_story") - 50,
        "longest_story": ttcw_printed.stated("longest_story") + 50,
        "year": ttcw_printed.stated("year_in_detroit"),
    }
