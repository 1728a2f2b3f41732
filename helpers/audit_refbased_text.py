"""The ledger of the two reference-based papers: the claims in both texts, and all lines of a paper put together."""

from helpers import audit
from helpers import refbased_figures as rebuilt
from helpers.audit import Printed
from helpers.audit_refbased import average_column, average_line, best_baseline, exact, figure_lines
from helpers.audit_refbased_design import design_lines
from helpers.audit_refbased_table1 import METRIC, table1_lines
from helpers.audit_refbased_tables import FREE, increment_lines, table2_lines, table2_v2_lines, table3_lines, table56_lines
from helpers.ledger import line, to_number


def gain_lines(printed, best, base, claims):
    """Return the lines of claimed gains in accuracy, which may be points or per cent, of exact or of rounded averages.

    best, base: exact accuracies (shares of 36 pairs) of the method and of the best baseline in the figure;
    claims: (section, column) of each.
    """
    readings = {
        "points": 100 * (best - base),
        "per cent of the best baseline": 100 * (best / base - 1),
        "per cent of the best baseline, from two-digit averages": 100 * (round(best, 2) / round(base, 2) - 1),
    }
    lines = []
    for claim in claims:
        value = to_number(printed.text("text", *claim))
        name = min(readings, key=lambda reading: abs(readings[reading] - value))
        how = (
            f"{best:.3f} against {base:.3f}, the best baseline of the figure, as {name}; {readings['points']:.1f} points, "
            f"which are {100 * (1 - base / best):.1f} % of the method's own accuracy"
        )
        lines.append(line(printed.paper, "text", *claim, readings[name], "printed", how))
    return lines


def copy_lines(printed, other, how, claims):
    """Return the lines of numbers in the text, (section, column) of each, that repeat the cell `other`."""
    return [audit.check_same(printed, ("text", *claim), other, how) for claim in claims]


def text_v1_lines(raw=True):
    """Return the lines of v1's claims in running text."""
    printed = Printed("refbased_v1")
    hybrid, ours, base = exact(printed, "claude35_ours_opt"), exact(printed, "claude35_ours"), best_baseline(printed)
    same, text, figure = audit.check_same, "text", ("Figure 3", "claude35_ours_opt", average_column(printed, "Figure 3"))
    gains = [
        ("Abstract", "gain in pairwise accuracy over baseline"),
        ("1", "gain in pairwise accuracy over baseline"),
        ("6", "gain in pairwise accuracy of the hybrid"),
    ]
    best = [
        ("Abstract", "best pairwise accuracy"),
        ("1", "best pairwise accuracy"),
        ("6", "pairwise accuracy of the hybrid"),
    ]
    lines = gain_lines(printed, hybrid, base, gains)
    lines += gain_lines(printed, ours, base, [("6", "gain in pairwise accuracy, ours on all dimensions")])
    lines += copy_lines(printed, figure, "Figure 3's average of the hybrid", best)
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
    gains = [
        ("Abstract", "gain in pairwise accuracy over baseline"),
        ("1", "gain in pairwise accuracy over baseline"),
        ("4.3", "gain in pairwise accuracy on TTCW data"),
        ("6", "gain in pairwise accuracy over baseline"),
    ]
    best = [
        ("Abstract", "best pairwise accuracy"),
        ("1", "best pairwise accuracy"),
        ("4.3", "best pairwise accuracy on TTCW data"),
        ("6", "best pairwise accuracy"),
    ]
    figure = ("Figure 4", "claude35_ours", average_column(printed, "Figure 4"))
    lines = gain_lines(printed, ours, base, gains) + copy_lines(printed, figure, "Figure 4's average", best)
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
    cutoffs = [to_number(grid.loc[row].idxmax().split("= ")[1]) for row in grid.index if row.endswith("-Ours")]
    for column in ("cutoff found best by the search", "cutoff whose meaning is explained"):
        lines.append(
            audit.check_claim(
                printed,
                (text, "5.1", column),
                all(cutoff == printed.number(text, "5.1", column) for cutoff in cutoffs),
                cutoffs[0],
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
