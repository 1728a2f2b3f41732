"""The audit of *Art or Artifice?* (ttcw): ledger lines for its printed numbers, from raw data and from each other."""

import re

import numpy as np

from helpers import agreement, audit
from helpers.ledger import line

TEST_NAMES = {
    1: "Narrative Ending",
    2: "Understandability & Coherence",
    3: "Scene vs Exposition",
    4: "Narrative Pacing",
    5: "Literary Devices & Language Proficiency",
    6: "Emotional Flexibility",
    7: "Structural Flexibility",
    8: "Perspective & Voice Flexibility",
    9: "Originality in Thought",
    10: "Originality in Form",
    11: "Originality in Theme & Content",
    12: "Rhetorical Complexity",
    13: "World Building & Setting",
    14: "Character Development",
}
DIMENSIONS = {"Fluency": [2, 4, 3, 5, 1], "Flexibility": [6, 8, 7], "Originality": [10, 9, 11], "Elaboration": [13, 14, 12]}
ROWS = {test: f"{dimension} / {TEST_NAMES[test]}" for dimension, tests in DIMENSIONS.items() for test in tests}
SOURCES = {"GPT3.5": "GPT3.5", "GPT4": "GPT4", "Claude": "Claude v1.3", "NewYorker": "New Yorker"}


CLOSED = [  # why a number has no check, by a pattern over "table | row | column"
    (r"^Table [14] \|", "a personal fact of a participant; needs unreleased data"),
    (r"payment|cost of|minutes|hours", "a cost or a duration; needs unreleased data"),
    (r"5\.4\.3", "rankings and attributions; needs unreleased data"),
    (r"temperature|parameter count|LLMs behind", "a fact about an API model's generation; needs the API model"),
    (r"fall short|iterations", "drafts before the final stories; needs unreleased data"),
    (r"Vaezi", "a comparison with another paper's design"),
    (r"cost estimate", "an assumption of an estimate, not a result"),
]


def lines_closed(printed, decided):
    """Return lines, with reasons, for the numbers that no line of `decided` checks; Table 9 is left to notebook 02."""
    known = {tuple(item[name] for name in ("table", "row", "column")) for item in decided}
    lines = []
    for table in printed.lines["table"].unique():
        for key in printed.keys(table):
            if key not in known and table != "Table 9":
                reason = next(
                    (why for pattern, why in CLOSED if re.search(pattern, " | ".join(key))),
                    "a choice in the design of the study; needs unreleased data",
                )
                lines.append(line(printed.paper, *key, None, "none", reason))
    return lines


def pass_rates(verdicts):
    """Return percentages of Yes, tests x writers (n = 36 verdicts a cell: 12 stories, 3 experts)."""
    return 100 * verdicts.pivot_table(index="test", columns="writer", values="passed")


def lines_table5(printed, verdicts, kappas, kappa_how):
    """Return lines for Table 5: pass rates on all groups, `kappas` (by test) under the definition that `kappa_how` names."""
    rates, lines = pass_rates(verdicts), []
    for test, row in ROWS.items():
        lines += [
            audit.check_raw(printed, ("Table 5", row, column), rates.loc[test, writer], "share of Yes, all 12 groups")
            for writer, column in SOURCES.items()
        ]
        lines.append(audit.check_raw(printed, ("Table 5", row, "Expert Agreement"), kappas[test], kappa_how))
    lines += [
        audit.check_raw(printed, ("Table 5", "Average", column), rates[writer].mean(), "mean of the 14 pass rates")
        for writer, column in SOURCES.items()
    ]
    lines.append(
        audit.check_raw(
            printed,
            ("Table 5", "Average", "Expert Agreement"),
            float(np.mean(list(kappas.values()))),
            "mean of the 14 kappas; " + kappa_how,
        )
    )
    return lines


def lines_printed(printed):
    """Return lines that need no raw data: lattices, averages and repeats within the paper."""
    lines = []
    for row in ROWS.values():
        lines += [
            audit.check_share(printed, ("Table 5", row, column), 36, "attainable: k of 36 verdicts (input checked)")
            for column in SOURCES.values()
        ]
    columns = [*SOURCES.values(), "Expert Agreement"]
    lines += [
        audit.check_mean(
            printed,
            ("Table 5", "Average", column),
            [("Table 5", row, column) for row in ROWS.values()],
            "mean of the 14 printed cells",
        )
        for column in columns
    ]
    lines += [
        audit.check_mean(
            printed,
            ("Table 9", "Average", column),
            [("Table 9", row, column) for row in ROWS.values()],
            "mean of the 14 printed cells",
        )
        for column in ("GPT3.5", "GPT4", "Claude")
    ]
    return lines


def lines_lengths(printed, lengths, machine):
    """Return lines for the length claims of section 5.1 from `lengths` (refbased_v2, Table 3: stories x writers, words).

    machine: names of its three machine columns.
    """
    human, gap = lengths["New Yorker"], lengths[machine].sub(lengths["New Yorker"], axis=0).abs()
    far, how = int((gap >= 200).to_numpy().sum()), "word counts of the twelve stories in refbased_v2, Table 3"
    rows = {
        "New Yorker story length in words (lower)": (human.min(), abs(human.min() - 1000) <= 50, how + ", to the hundred"),
        "New Yorker story length in words (upper)": (human.max(), abs(human.max() - 2400) <= 50, how + ", to the hundred"),
        "word-count difference to paired human story below which expansion stops": (
            gap.max().max(),
            far == 0,
            f"claim: largest final difference ({how}); {far} of {gap.size} machine stories differ by 200 words or more",
        ),
    }
    mean = float(lengths.to_numpy().mean())
    lines = [
        line(printed.paper, "text", "5.1", column, float(value), "printed", reason, holds)
        for column, (value, holds, reason) in rows.items()
    ]
    reason = f"mean of all 48 {how}, to the hundred"
    return [*lines, line(printed.paper, "text", "1", "mean words per story", mean, "printed", reason, abs(mean - 1400) <= 50)]


def kappas_without(counts, groups, left_out):
    """Return {test: Fleiss' kappa} with the groups in `left_out` removed."""
    keep = ~np.isin(groups, left_out)
    return dict(zip(counts.columns, agreement.fleiss_kappa(counts.to_numpy()[keep]).tolist()))
