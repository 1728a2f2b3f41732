"""The ledger of the two reference-based papers, second half: v2's Tables 2, 3, 5, 6 and the numbers in both texts."""

import numpy as np

from helpers import audit, ttcw
from helpers import refbased_figures as rebuilt
from helpers.audit import Printed
from helpers.audit_refbased import (
    METRIC,
    average_column,
    average_line,
    figure_lines,
    table1_lines,
)
from helpers.audit_refbased_tables import FREE, increment_lines, table2_lines, table2_v2_lines, table3_lines, table56_lines
from helpers.ledger import line, to_number


def gain_line(printed, key, best, base):
    """Return the line of a claimed gain in accuracy, which may be points or per cent, of exact or of rounded averages.

    best, base: exact accuracies (shares of 36 pairs) of the method and of the best baseline in the figure.
    """
    readings = {
        "points": 100 * (best - base),
        "per cent of the best baseline": 100 * (best / base - 1),
        "per cent of the best baseline, from two-digit averages": 100 * (round(best, 2) / round(base, 2) - 1),
    }
    name = min(readings, key=lambda r: abs(readings[r] - to_number(printed.text(*key))))
    return line(
        printed.paper,
        *key,
        readings[name],
        "printed",
        f"{best:.3f} against {base:.3f}, the best baseline of the figure, as {name}; {readings['points']:.1f} points, "
        f"which are {100 * (1 - base / best):.1f} % of the method's own accuracy",
    )


def exact(printed, judge):
    """Return a judge's mean accuracy in the paper's figure as the exact multiple of 1/36 that its twelve cells add up to."""
    figure = rebuilt.FIGURES[printed.paper]["accuracy"]
    return float(np.mean([round(3 * printed.number(figure, judge, story)) / 3 for story in rebuilt.STORIES]))


def best_baseline(printed):
    """Return the highest exact accuracy among the figure's rows that are not the paper's own method."""
    rows = printed.grid(rebuilt.FIGURES[printed.paper]["accuracy"]).index
    return max(exact(printed, row) for row in rows if "ours" not in row)


def design_lines(printed):
    """Return the lines of the design numbers in the text: tests, dimensions, stories (raw), scale, runs, metrics (printed)."""
    tests, stories = ttcw.load_tests(), ttcw.load_stories()
    facts = [
        ("TTCW binary tests", len(tests), "raw"),
        ("maximum of the overall score", len(tests), "raw"),
        ("creativity dimensions", tests["dimension"].nunique(), "raw"),
        ("number of creativity dimensions", tests["dimension"].nunique(), "raw"),
        ("dimensions in the TTCW test", tests["dimension"].nunique(), "raw"),
        ("New Yorker original stories", int(stories["writer"].eq("NewYorker").sum()), "raw"),
        ("number of alignment metrics", len(METRIC), "printed"),
        ("number of ranking similarity", len(METRIC), "printed"),
        ("metrics reported", len(METRIC), "printed"),
        ("number of metrics averaged", len(METRIC), "printed"),
    ]
    scale = printed.lines["column"].str.startswith("score for ").sum()
    facts += [
        ("levels of the Likert scale", scale, "printed"),
        ("runs per test with swapped", 2, "printed"),
        ("assessments averaged", printed.number("text", "3.2", "runs per test with swapped story order"), "printed"),
    ]
    facts += [
        (f"score for {word}", value, "printed")
        for word, value in {
            "significantly better": 2,
            "slightly better": 1,
            "the same": 0,
            "slightly worse": -1,
            "significantly worse": -2,
        }.items()
    ]
    return [
        line(
            printed.paper,
            *key,
            float(value),
            basis,
            "counted in the public files"
            if basis == "raw"
            else "counted in the paper: labels, formula or table columns (an input of the method)",
        )
        for key in printed.keys("text")
        for start, value, basis in facts
        if key[2].startswith(start)
    ]


def text_v1_lines(raw=True):
    """Return the lines of v1's claims in running text."""
    printed = Printed("refbased_v1")
    hybrid, ours, base = exact(printed, "claude35_ours_opt"), exact(printed, "claude35_ours"), best_baseline(printed)
    same, text = audit.check_same, "text"
    lines = [
        gain_line(printed, (text, s, c), hybrid, base)
        for s, c in (
            ("Abstract", "gain in pairwise accuracy over baseline"),
            ("1", "gain in pairwise accuracy over baseline"),
            ("6", "gain in pairwise accuracy of the hybrid"),
        )
    ]
    lines.append(gain_line(printed, (text, "6", "gain in pairwise accuracy, ours on all dimensions"), ours, base))
    figure = ("Figure 3", "claude35_ours_opt", average_column(printed, "Figure 3"))
    lines += [
        same(printed, (text, s, c), figure, "Figure 3's average of the hybrid")
        for s, c in (
            ("Abstract", "best pairwise accuracy"),
            ("1", "best pairwise accuracy"),
            ("6", "pairwise accuracy of the hybrid"),
        )
    ]
    lines.append(
        audit.check_count(printed, (text, "5", "pairwise accuracy of the hybrid"), 100 * hybrid, "Figure 3's average, per cent")
    )
    lines.append(
        same(
            printed,
            (text, "6", "pairwise accuracy of ours on all dimensions"),
            ("Table 1", "Ours / Claude 3.5", METRIC["accuracy"]),
            "Table 1",
        )
    )
    for kind, row in (("baseline", "Baseline / Claude 3.5"), ("ours", "Ours / Claude 3.5")):
        for word, metric in (("Spearman", "rho"), ("Kendall tau", "tau"), ("pairwise accuracy", "accuracy")):
            lines.append(same(printed, (text, "4.3", f"Claude 3.5 {word}, {kind}"), ("Table 1", row, METRIC[metric]), "Table 1"))
    for word, column in (("rho", "rho"), ("pairwise accuracy", "ACC")):
        low, high = printed.bounds("Table 2", "Increment (claude35)", f"Originality / {column}")
        lines.append(
            audit.check_range(
                printed,
                (text, "5", f"Claude 3.5 Originality change in {word}"),
                50 * (low + high),
                100 * low,
                100 * high,
                "Table 2's increment, in points",
            )
        )
    baselines = sum(row.startswith("Baseline") for row in printed.grid("Table 1").index)
    lines.append(audit.check_count(printed, (text, "4.2", "baseline evaluator models"), baselines, "baseline rows of Table 1"))
    lines.append(
        audit.check_count(
            printed,
            (text, "5", "dimensions for which ours is kept (hybrid)"),
            printed.number(text, "5", "creativity dimensions compared") - 1,
            "all dimensions but Originality",
        )
    )
    return (design_lines(printed) if raw else []) + lines


def text_v2_lines(raw=True):
    """Return the lines of v2's claims in running text."""
    printed = Printed("refbased_v2")
    ours, base, text = exact(printed, "claude35_ours"), best_baseline(printed), "text"
    lines = [
        gain_line(printed, (text, s, c), ours, base)
        for s, c in (
            ("Abstract", "gain in pairwise accuracy over baseline"),
            ("1", "gain in pairwise accuracy over baseline"),
            ("4.3", "gain in pairwise accuracy on TTCW data"),
            ("6", "gain in pairwise accuracy over baseline"),
        )
    ]
    figure = ("Figure 4", "claude35_ours", average_column(printed, "Figure 4"))
    lines += [
        audit.check_same(printed, (text, s, c), figure, "Figure 4's average")
        for s, c in (
            ("Abstract", "best pairwise accuracy"),
            ("1", "best pairwise accuracy"),
            ("4.3", "best pairwise accuracy on TTCW data"),
            ("6", "best pairwise accuracy"),
        )
    ]
    changes = [printed.number("Table 2", metric, "Ours (change)") for metric in METRIC.values()]
    lines.append(
        audit.check_count(
            printed,
            (text, "4.3", "metrics improved on the additional data"),
            sum(c > 0 for c in changes),
            "positive changes in Table 2",
        )
    )
    lines.append(
        audit.check_same(
            printed,
            (text, "4.3", "pairwise accuracy on the additional data"),
            ("Table 2", METRIC["accuracy"], "Ours"),
            "Table 2",
        )
    )
    grid = printed.grid("Table 5")
    best = [to_number(grid.loc[row].idxmax().split("= ")[1]) for row in grid.index if row.endswith("-Ours")]
    for column in ("cutoff found best by the search", "cutoff whose meaning is explained"):
        lines.append(
            audit.check_claim(
                printed,
                (text, "5.1", column),
                all(b == printed.number(text, "5.1", column) for b in best),
                best[0],
                "best cutoff of every row of Table 5",
            )
        )
    points = {
        "smallest Likert scale tried": 3,
        "middle Likert scale tried": 5,
        "largest Likert scale tried": 7,
        "points of the first scale": 3,
        "points of the second scale": 7,
    }
    rho = {k: printed.number(text, "5.2", f"Spearman with the {k}-point scale") for k in (3, 5, 7)}
    points |= {"points of the scale reported first": 5, "points of the scale recommended": max(rho, key=rho.get)}
    lines += [
        audit.check_count(printed, key, float(value), "the scales whose Spearman section 5.2 gives")
        for key in printed.keys(text)
        for start, value in points.items()
        if key[2].startswith(start)
    ]
    lines.append(
        audit.check_same(
            printed,
            (text, "5.2", "Spearman with the 5-point scale"),
            ("Table 1", "Ours / qwen2-72b-chat(ours)", METRIC["rho"]),
            "Table 1",
        )
    )
    lines += [line(printed.paper, text, "5.2", f"Spearman with the {k}-point scale", None, "none", FREE) for k in (3, 7)]
    lines.append(audit.check_count(printed, (text, "5.1", "trials averaged for one test"), 2.0, "the formula has two labels"))
    lines.append(audit.check_count(printed, (text, "4.1", "datasets used for evaluation"), 2.0, "tables of results: 1 and 2"))
    return (design_lines(printed) if raw else []) + lines


def lines_of(paper, raw=True):
    """Return every ledger line of refbased_v1 or refbased_v2; with raw=False only those that need no public raw data."""
    printed, first = Printed(paper), paper == "refbased_v1"
    if not raw:
        averages = [
            average_line(printed, figure, judge, metric, {})
            for metric, figure in rebuilt.FIGURES[paper].items()
            for judge in printed.grid(figure).index
        ]
        rest = increment_lines() + text_v1_lines(False) if first else table2_v2_lines() + table56_lines() + text_v2_lines(False)
        return [one for one in averages + rest if one["basis"] != "raw"]
    if first:
        return figure_lines(paper) + table1_lines(paper) + table2_lines() + text_v1_lines()
    rest = table2_v2_lines() + table3_lines() + table56_lines() + text_v2_lines()
    return figure_lines(paper) + table1_lines(paper) + rest
