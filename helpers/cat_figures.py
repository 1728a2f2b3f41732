"""Draw orderings of poems as strips, and consistency beside validity."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from helpers.figures import COLOURS

TIER_COLOURS = [COLOURS["good"], COLOURS["medium"], COLOURS["bad"]]


def draw_strips(orderings, names=("A, best", "B", "C")):
    """Return a figure of orderings, one strip each: {label: tier codes from highest to lowest rated}, colours by tier."""
    figure, axis = plt.subplots(figsize=(9, 0.36 * len(orderings) + 1.1))
    axis.imshow(np.array(list(orderings.values())), aspect="auto", cmap=ListedColormap(TIER_COLOURS[: len(names)]),
                interpolation="nearest")
    axis.set_yticks(range(len(orderings)), list(orderings))
    axis.set_yticks(np.arange(len(orderings) - 1) + 0.5, minor=True)
    axis.grid(False)
    axis.grid(which="minor", axis="y", color="white", linewidth=5)
    axis.tick_params(which="both", length=0)
    axis.set_xticks([])
    axis.set_xlabel("highest rated  →  lowest rated")
    for side in axis.spines.values():
        side.set_visible(False)
    axis.legend(handles=[Patch(color=colour, label=name) for colour, name in zip(TIER_COLOURS, names)], ncols=len(names),
                loc="lower right", bbox_to_anchor=(1, 1))
    return figure
