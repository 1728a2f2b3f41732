"""The picture of Table 1 in notebook 03b.

Its title is a finding; the assert below it is its proof: on other data the drawing fails rather
than say what is not so.
"""

import numpy as np

from helpers.figures import COLOURS, head, panels, subtitle
from helpers.refbased import rebuild
from helpers.sources.names import display_name

TABLE1 = "Dot plot: in v1 most printed accuracies lie at those of 'above', in v2 of 'at least'."


def draw_table1(fitted):
    """Return one panel per version with three dots per row of Table 1: its accuracy as printed and
    under both rules; fitted: {version: judge, printed, fits, and (low, high) by rule}."""
    title = "Most of v1's Table 1 counts ties in another way than v1's Figure 3"
    only_above = fitted["refbased_v1"]["fits"].map(lambda rules: rules == [rebuild.ABOVE])
    assert only_above.mean() > 0.5
    lengths = [len(table) for table in fitted.values()]
    fig, axes = panels(2, 0.3 * sum(lengths) + 1, sharex=True, height_ratios=lengths)
    measure = "as printed and by two ways of counting ties; without a reference unless stated"
    head(fig, title, subtitle(measure, "12 plots", "open", ""))
    for ax, (paper, table) in zip(axes, fitted.items()):
        table = table.sort_values("printed", kind="stable")
        draw_accuracies(ax, table, "printed", "published", 0.25)
        draw_accuracies(ax, table, rebuild.ABOVE, "judge", 0)
        draw_accuracies(ax, table, rebuild.AT_LEAST, "baseline", -0.25)
        ax.set(yticks=range(len(table)), yticklabels=table["judge"], ylim=(-0.6, len(table) - 0.4))
        ax.set_title(display_name(paper), weight="normal")
    axes[0].legend(loc="lower right", frameon=True)  # a box: no dots of these rows
    axes[-1].set_xlabel("pairwise accuracy")
    return fig


def draw_accuracies(ax, table, column, key, up):
    """Draw a dot per row of Table 1: a number, or the middle of (low, high); key: of COLOURS; up:
    how far above its row's middle."""
    middles = table[column].map(np.mean)
    places = np.arange(len(table)) + up
    colour = COLOURS[key]
    inside = "white" if key == "published" else colour
    ax.plot(middles, places, "o", color=colour, mfc=inside, ms=5, label=column)
