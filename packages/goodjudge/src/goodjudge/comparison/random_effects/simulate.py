"""A new study of the same design: effects are drawn anew, raters' as well as items'."""

import numpy as np

from goodjudge.comparison.random_effects.design import RESIDUAL, SHARED, count_levels


def draw_effects(design, rng):
    """Return {effect: a standard normal number for each row, the same where rows share it}."""
    draw = {}
    for name, levels in design.levels.items():
        draw[name] = rng.standard_normal(count_levels(levels))[levels]
    draw[RESIDUAL] = rng.standard_normal(len(design.rows))
    return draw


def add_up(location, variances, draw):
    """Return (true, latent) of a simulated study, a number for each row: what all raters share
    about the item, and what this rater feels.

    location: what is known unread, for each row; variances: {effect: number}; draw: of
    `draw_effects`.
    """
    true = location
    own = np.zeros(len(location))
    for name, normal in draw.items():
        effect = np.sqrt(variances[name]) * normal
        if name in SHARED:
            true = true + effect
        else:
            own = own + effect
    return true, true + own


def answer(design, latent):
    """Return the answers that raters of a design would give to latent values, one per row."""
    return design.response.answer(latent, design.sets)
