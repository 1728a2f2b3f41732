"""The ledger of the two reference-based papers, further tables: dimensions, Confederacy, word counts, cutoffs, ablations."""

import numpy as np

from helpers import audit, ttcw
from helpers import refbased_figures as rebuilt
from helpers.audit import Printed
from helpers.audit_refbased_table1 import METRIC
from helpers.ledger import line

ROWS2 = ["claude35", "claude35_ours", "qwen2-72b-chat", "qwen2-72b-chat_ours"]
NO_ANSWERS = "needs the answers of an API model, which were not released; "
FREE = NO_ANSWERS + "every two-digit mean of twelve such correlations is attainable, so a lattice check cannot fail"
COLUMNS3 = {"Claude": "Claude", "GPT-3.5": "GPT3.5", "GPT-4": "GPT4", "New Yorker": "NewYorker"}


def table2_lines(paper="refbased_v1"):
    """Return the lines of v1's Table 2: the cells of one judge and dimension must be jointly attainable, increments add up."""
    printed, tests, lines = Printed(paper), ttcw.load_tests(), []
    how = "three means over twelve groups that some judge can reach against the experts' scores in this dimension, rule >"
    for dimension in tests["dimension"].unique():
        human = rebuilt.expert_scores(tests=list(tests.loc[tests["dimension"] == dimension, "test"]))
        states = rebuilt.attainable(human, rebuilt.ABOVE)
        for row in ROWS2:
            keys = [("Table 2", row, f"{dimension} / {metric}") for metric in ("rho", "tau", "ACC")]
            numbers = [printed.number(*key) for key in keys]
            fits, culprits = rebuilt.nearest_triple(states, numbers)
            best = states[np.argmin(np.abs(states - numbers).max(axis=1))]
            lines += [
                line(paper, *key, best[k], "printed", how, bool(fits or (culprits and k not in culprits)))
                for k, key in enumerate(keys)
            ]
    return lines + increment_lines(paper)


def increment_lines(paper="refbased_v1"):
    """Return the lines of v1's increments by dimension: differences of printed cells and their means."""
    printed, lines = Printed(paper), []
    for name in printed.grid("Table 2").columns:
        for judge, (base, ours) in {"claude35": ROWS2[:2], "qwen2": ROWS2[2:]}.items():
            key = ("Table 2", f"Increment ({judge})", name)
            lines.append(audit.check_difference(printed, key, ("Table 2", ours, name), ("Table 2", base, name)))
        lines.append(mean_increment(printed, name, ROWS2))
    return lines


def mean_increment(printed, name, rows):
    """Return the line of an average increment: the mean of two differences of printed cells."""
    b = [printed.bounds("Table 2", row, name) for row in rows]
    low, high = (b[1][0] - b[0][1] + b[3][0] - b[2][1]) / 2, (b[1][1] - b[0][0] + b[3][1] - b[2][0]) / 2
    return audit.check_range(
        printed, ("Table 2", "AVG Increment", name), (low + high) / 2, low, high, "mean of the two increments"
    )


def table2_v2_lines():
    """Return the lines of v2's Table 2 (Confederacy data): changes, and accuracy against tau, which agree without ties."""
    printed, lines = Printed("refbased_v2"), []
    for metric in METRIC.values():
        lines.append(
            audit.check_difference(
                printed,
                ("Table 2", metric, "Ours (change)"),
                ("Table 2", metric, "Ours"),
                ("Table 2", metric, "Baseline"),
            )
        )
    for column in ("Baseline", "Ours"):
        rho, tau, accuracy = (printed.bounds("Table 2", metric, column) for metric in METRIC.values())
        note = "over one set of pairs without ties, accuracy = (1 + tau) / 2"
        lines.append(
            audit.check_range(
                printed,
                ("Table 2", "Pairwise Accuracy", column),
                (1 + np.mean(tau)) / 2,
                (1 + tau[0]) / 2,
                (1 + tau[1]) / 2,
                note,
            )
        )
        lines.append(
            audit.check_range(
                printed,
                ("Table 2", "AVG Kendall's Tau", column),
                2 * np.mean(accuracy) - 1,
                2 * accuracy[0] - 1,
                2 * accuracy[1] - 1,
                note,
            )
        )
        low, high = (3 * tau[0] - 1) / 2, (1 + 2 * tau[1] - tau[0] ** 2) / 2
        lines.append(
            audit.check_range(
                printed,
                ("Table 2", "AVG Spearman", column),
                (low + high) / 2,
                low,
                high,
                "bounds of rho given tau (Daniels; Durbin and Stuart)",
            )
        )
    return lines


def table3_lines():
    """Return the lines of v2's Table 3: word counts of the public stories, split at white space."""
    printed, stories, lines = Printed("refbased_v2"), ttcw.load_stories(), []
    plain = stories["title"].str.replace(r"[\W_]", "", regex=True).str.lower()
    for table, row, column in printed.keys("Table 3"):
        wanted = "".join(c for c in row if c.isalnum()).lower()
        story = stories[(plain == wanted) & (stories["writer"] == COLUMNS3[column])].iloc[0]
        if story["text"]:
            lines.append(
                line("refbased_v2", table, row, column, story["words"], "raw", "words split at white space, public text")
            )
        else:
            lines.append(
                line(
                    "refbased_v2",
                    table,
                    row,
                    column,
                    None,
                    "none",
                    "needs the New Yorker text, which is not public (the notebook checks a reader's own copies)",
                )
            )
    return lines


def table56_lines():
    """Return the lines of v2's Tables 5 (cutoffs) and 6 (ablations): copies of Table 1, the rest needs unreleased answers."""
    printed, lines = Printed("refbased_v2"), []
    rows = {"Qwen": "qwen2-72b-chat", "GPT-4o": "gpt-4o", "Claude 3.5": "claude35"}
    for table, row, column in printed.keys("Table 5"):
        name = rows[row.removesuffix("-Ours")]
        if not row.endswith("-Ours") or column == "Cutoff = -2":
            source = f"Ours / {name}(ours)" if row.endswith("-Ours") else f"Baseline / {name}"
            lines.append(audit.check_same(printed, (table, row, column), ("Table 1", source, METRIC["rho"]), "Table 1's average"))
        else:
            lines.append(line(printed.paper, table, row, column, None, "none", FREE))
    for table, row, column in printed.keys("Table 6"):
        name = "qwen2-72b-chat" if column.startswith("Qwen") else "claude35"
        source = {"Ours": f"Ours / {name}(ours)", "Baseline": f"Baseline / {name}"}.get(row)
        lines.append(
            audit.check_same(printed, (table, row, column), ("Table 1", source, METRIC["rho"]), "Table 1's average")
            if source
            else line(printed.paper, table, row, column, None, "none", FREE)
        )
    return lines
