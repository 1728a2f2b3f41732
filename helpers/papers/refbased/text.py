"""The two reference-based papers, running text: what figures, tables and data say of it.

Each function returns {name: fact}, and a version's facts.csv says which phrase states the fact of a
name, and in which words the ledger explains it:

    row  column                            fact            how
    5    pairwise accuracy of the hybrid   hybrid_percent  the average in Figure 3, per cent

so the number printed there is checked by `hybrid_percent`, which `claims_on_hybrid` gives. A few
facts are only words, or numbers, for such an explanation: {hybrid_as_high} stands in one.
"""

import re

import numpy as np

from helpers.papers.refbased.tables_2_3 import PAIRS
from helpers.refbased import confederacy, rebuild
from helpers.sources.names import display_name
from helpers.sources.published import Printed, Rounded, to_number
from helpers.ttcw import load as ttcw

# figures print accuracies of a group rounded; each is a number of three pairs that agree, of three
PAIRS_OF_A_GROUP = 3
LENGTH_STEP = 50  # words: half of the hundred to which ttcw prints the length of a story
METHOD = {  # a name for facts: the row of the figures
    "refbased_v1": {"hybrid": "claude35_ours_opt", "ours": "claude35_ours"},
    "refbased_v2": {"ours": "claude35_ours"},
}


def facts(paper):
    """Return {name: fact} for the rules of facts.csv."""
    known = counts_in_data(paper) | gains(paper)
    if paper.paper == "refbased_v1":
        known |= claims_on_dimensions(paper) | claims_on_hybrid(paper, known)
        return known | originality(paper)
    known |= ratings_of_references() | claims_on_procedure(paper, known)
    return known | claims_on_scales(paper) | copied_from_ttcw()


def counts_in_data(paper):
    """Return what can be counted in the public tests and stories; and what the labels, from
    significantly better to significantly worse, count: label_0 …, in steps of one around 0 (of five
    labels 2, 1, 0, -1, -2)."""
    tests, stories = ttcw.load_tests(), ttcw.load_stories()
    labels = sum(column.startswith("score for ") for _, _, column in paper.keys("text"))
    known = {f"label_{place}": (labels - 1) / 2 - place for place in range(labels)}
    return known | {
        "tests": len(tests),
        "dimensions": tests["dimension"].nunique(),
        "human_stories": stories["writer"].eq("NewYorker").sum(),
    }


def ratings_of_references():
    """Return on how many aspects of the second data set, and in how many groups, the writer of the
    references is rated highest, the names of the other aspects, and the other groups' best."""
    data = confederacy.load()
    ratings = data.ratings.merge(data.items[["item", "group", "writer"]], on="item")
    best = {}
    for by in ("aspect", "group"):
        means = ratings.groupby([by, "writer"], sort=False)["score"].mean().unstack()
        best[by] = means.idxmax(axis=1)
    is_led = {by: writers == confederacy.REFERENCE for by, writers in best.items()}
    aspects = [f"*{aspect}*" for aspect in best["aspect"].index[~is_led["aspect"]]]
    rivals = best["group"][~is_led["group"]].map(display_name)
    return {
        "led_by_references": is_led["aspect"].sum(),
        "led_by_others": " and ".join(aspects),
        "groups_led_by_references": is_led["group"].sum(),
        "groups_led_by_others": ", ".join(rivals),
    }


def gains(paper):
    """Return accuracies by the figure and gains over its best baseline, in several readings.

    Say the best baseline has .50 and the method .75. Then `ours` is .75, `ours_points` 25,
    `ours_percent_gain` 50, and `ours_gain` has all readings of the printed gain: 25 points, or 50
    per cent.
    """
    figure = paper.grid(rebuild.FIGURES[paper.paper]["accuracy"])[rebuild.STORIES]
    agreeing_pairs = (figure * PAIRS_OF_A_GROUP).round()
    exact = (agreeing_pairs / PAIRS_OF_A_GROUP).mean(axis=1)  # by judge
    is_baseline = ~exact.index.str.contains("ours")
    baseline = exact[is_baseline].max()
    known = {"baseline": baseline}
    for name, row in METHOD[paper.paper].items():
        accuracy = exact[row]
        points = 100 * (accuracy - baseline)
        percent = 100 * (accuracy / baseline - 1)
        percent_of_rounded = 100 * (round(accuracy, 2) / round(baseline, 2) - 1)
        known[name] = accuracy
        known[f"{name}_points"] = points
        known[f"{name}_percent_gain"] = percent_of_rounded
        known[f"{name}_gain"] = {
            "points": points,
            "per cent": percent,
            "per cent of the two averages as rounded": percent_of_rounded,
        }
    return known


def claims_on_dimensions(paper):
    """Return what Tables 1 and 2 and Figure 1 of the first version say about improvements."""
    method = METHOD[paper.paper]["ours"]
    by_story = paper.grid(rebuild.FIGURES[paper.paper]["rho"])[rebuild.STORIES]
    steps = by_story.loc[method] - by_story.loc[method.removesuffix("_ours")]
    changes = paper.grid("Table 1").filter(like="(change)")
    increments = paper.grid("Table 2").filter(like="Increment (", axis=0)
    praised = increments.filter(regex="Fluency|Elaboration")
    return {
        "dimensions_kept": paper.stated("dimensions_compared") - 1,  # all but Originality
        "improved": (changes > 0).to_numpy().sum(),  # of all changes in Table 1
        "improved_dimensions": (praised > 0).to_numpy().sum(),  # of the praised ones in Table 2
        "stories_improved": (steps > 0).sum(),
        "stories_level": (steps == 0).sum(),
        "stories_worse": (steps < 0).sum(),
    }


def claims_on_hybrid(paper, known):
    """Return in how many averages of the figures the hybrid beats the method on all dimensions, in
    how many it is as high, of how many; whether its accuracy is above the method's, 1 or 0, and its
    accuracy in per cent. known: facts of `gains`."""
    above, as_high, compared = 0, 0, 0
    for figure in rebuild.FIGURES[paper.paper].values():
        averages = paper.grid(figure).iloc[:, -1]
        hybrids = averages.index[averages.index.str.endswith("_ours_opt")]
        for hybrid in hybrids:
            method = hybrid.removesuffix("_opt")
            above += averages[hybrid] > averages[method]
            as_high += averages[hybrid] == averages[method]
        compared += len(hybrids)
    return {
        "hybrid_improves": int(known["hybrid"] > known["ours"]),
        "hybrid_averages": compared,
        "hybrid_percent": 100 * known["hybrid"],
        "hybrid_above": above,
        "hybrid_as_high": as_high,
    }


def originality(paper):
    """Return the two changes in Originality that section 5 prints side by side as per cent, each by
    the reading (points, or per cent of the baseline) that gives the other; with words for it.
    Crosswise, so that no number chooses the reading that it is checked by.

    originality_rho, originality_acc: the changes; reading_rho, reading_acc: in which reading;
    readings_rho, readings_acc: both readings, as "12 in points, 40 in per cent of the baseline".
    """
    cells = paper.table("Table 2")
    base, _ = PAIRS["claude35"]
    readings, nearest = {}, {}
    for name, column in {"rho": "Originality / rho", "acc": "Originality / ACC"}.items():
        points = 100 * cells.at("Increment (claude35)", column)
        percent = points / cells.at(base, column)
        readings[name] = {"in points": points, "in per cent of the baseline": percent}
        printed = paper.stated(f"originality_{name}")
        off = {way: abs(change.mid - printed) for way, change in readings[name].items()}
        nearest[name] = min(off, key=off.get)
    known = {}
    for name, other in (("rho", "acc"), ("acc", "rho")):  # crosswise
        both = [f"{change.mid:.0f} {way}" for way, change in readings[name].items()]
        known[f"originality_{name}"] = readings[name][nearest[other]]
        known[f"reading_{name}"] = nearest[other]
        known[f"readings_{name}"] = ", ".join(both)
    return known


def claims_on_procedure(paper, known):
    """Return what Tables 2 and 5 of the second version say about its procedure. known: facts of
    `gains`."""
    changes = paper.grid("Table 2")["Ours (change)"]
    table5 = paper.grid("Table 5")
    ours = table5[table5.index.str.endswith("-Ours")]
    best_columns = ours.idxmax(axis=1)  # such as "cutoff = -2", by row
    cutoffs = [to_number(column.split("= ")[1]) for column in best_columns]
    tables_of_results = {table for table, *labels in paper.values if "AVG Spearman" in labels}
    return {
        # a share of the method's own accuracy, and so no gain over the baseline
        "ours_percent_of_own": known["ours_points"] / known["ours"],
        "metrics_improved": (changes > 0).sum(),
        "best_cutoffs": Rounded(cutoffs[0], np.min(cutoffs), np.max(cutoffs)),
        # the cutoff is of the sum of both trials' labels: over two it is that of their average
        "average_at_cutoff": cutoffs[0] / paper.stated("trials"),
        "data_sets": len(tables_of_results),
    }


def claims_on_scales(paper):
    """Return which scales section 5.2 gives correlations for, and which has the largest."""
    correlations = {}  # by the scale's points
    for key in paper.keys("text"):
        scale = re.search(r"Spearman with the (\d+)-point scale", key[2])
        if scale:
            points = int(scale[1])
            correlations[points] = paper.number(*key)
    smallest, middle, largest = sorted(correlations)
    return {
        "smallest_scale": smallest,
        "middle_scale": middle,
        "largest_scale": largest,
        "first_scale": next(iter(correlations)),  # in the order of the text
        "best_scale": max(correlations, key=correlations.get),
    }


def copied_from_ttcw():
    """Return what the second version says of the stories of ttcw, by what ttcw prints of them: the
    least and the most that lengths rounded to the hundred can be, and a year."""
    ttcw_printed = Printed("ttcw")
    return {
        "shortest_story": ttcw_printed.stated("shortest_story") - LENGTH_STEP,
        "longest_story": ttcw_printed.stated("longest_story") + LENGTH_STEP,
        "year": ttcw_printed.stated("year_in_detroit"),
    }
