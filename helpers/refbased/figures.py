"""Pictures of the reference-based notebook: rows of a results table, scores by cutoff."""

import matplotlib.pyplot as plt

from helpers.figures import COLOURS
from helpers.refbased import method as refbased

KINDS = {
    "judge": ("reference-based judge", "o"),
    "baseline": ("judge without a reference", "s"),
    "ours": ("does not read, or chance", "D"),
    "ceiling": ("human", "^"),
}


def draw_rows(rows, xlabel, title):
    """Return a dot plot of rows (row, accuracy, low, high, kind), highest first; an interval where low and high are given."""
    rows = rows.sort_values("accuracy", kind="stable", ignore_index=True)
    fig, ax = plt.subplots(figsize=(8.5, 0.28 * len(rows) + 1.2))
    ax.hlines(rows.index, rows["low"], rows["high"], color="0.6", lw=1.2)
    for kind, (label, marker) in KINDS.items():
        part = rows[rows["kind"] == kind]
        ax.plot(part["accuracy"], part.index, marker, color=COLOURS[kind], label=label, ls="", zorder=3)
    ax.axvline(0.5, color="0.3", lw=0.8, ls=":")
    ax.set(yticks=rows.index, yticklabels=rows["row"], xlabel=xlabel, title=title, ylim=(-0.7, len(rows) - 0.3))
    ax.title.set_x(-0.45)
    ax.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.25, -0.12), fontsize=9)
    return fig


def share_passed(table, cutoff, points=5):
    """Return the share of tests that each writer's stories pass at a cutoff, mean over groups (simulated: five points)."""
    return refbased.scores(refbased.passes(table, cutoff, max(points, 5))).mean() / table["test"].nunique()


def draw_cutoffs(label_sets, points=5, mark=(refbased.V2_CUTOFF, refbased.V1_CUTOFF)):
    """Return small multiples, one a judge: share of tests passed against the cutoff, a line a writer (mean over groups)."""
    cutoffs = range(1 - points, points)
    fig, axes = plt.subplots(
        1, len(label_sets), figsize=(4 * len(label_sets), 3.4), sharey=True, squeeze=False, layout="constrained"
    )
    for ax, (name, table) in zip(axes[0], label_sets.items()):
        curves = {c: share_passed(table, c, points) for c in cutoffs}
        for k, writer in enumerate(curves[cutoffs[0]].index):
            passed = [curves[c][writer] for c in cutoffs]
            ax.plot(cutoffs, passed, marker="osD^v"[k % 5], ls=["-", "--", ":"][k % 3], label=writer)
        for cutoff in mark:
            ax.axvline(cutoff, color="0.6", lw=0.8, zorder=0)
        ax.set(title=name, xlabel="cutoff on L+ − L−")
    axes[0, 0].set_ylabel("share of tests passed")
    axes[0, -1].legend()
    if set(axes[0, 0].get_legend_handles_labels()[1]) != set(axes[0, -1].get_legend_handles_labels()[1]):
        axes[0, 0].legend()  # a reader's writers are not those of the simulated judges
    return fig
