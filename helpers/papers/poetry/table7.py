"""The poetry-ranking paper, Table 7: ten runs of two methods on the same 15 poems."""

import numpy as np
import pandas as pd

RANKED, SCORED = "Claude-3-Opus 15n", "Claude-3-Opus 15"


def runs(paper, method):
    """Return one matrix of Table 7, 15 poems x 10 runs; method: RANKED or SCORED."""
    grid = paper.grid("Table 7").drop(columns="Average Score")
    part = grid[grid.index.str.startswith(f"{method} / ")]
    return part.rename(index=lambda row: row.partition(" / ")[2])


def in_step(places, scores):
    """Return for each score of Table 7 whether its run holds together: no poem with a lower place
    has a higher score, none with a higher place a lower one, and the run uses 1 and 5.

    places, scores: poems x runs; a higher place (15 is the first) is better, as a score is.
    """
    places = places.loc[scores.index]
    fits = pd.DataFrame(True, scores.index, scores.columns)
    for run in scores.columns:
        place, score = places[run].to_numpy(), scores[run].to_numpy()
        below = place[:, None] < place  # poems x poems: the row's poem stands below the column's
        above_but_worse = below & (score[:, None] > score)
        pairs_off = above_but_worse.any(axis=0) | above_but_worse.any(axis=1)
        fits[run] = ~pairs_off & (score.min() == 1) & (score.max() == 5)
    return fits


def check(paper):
    """Check Table 7: each cell from its row's average; a run has each position once, and its scores
    follow its positions."""
    both = runs(paper, RANKED), runs(paper, SCORED)
    for method in (RANKED, SCORED):
        matrix = runs(paper, method).add_prefix(f"{method} / ", axis=0)
        average = paper.grid("Table 7").loc[matrix.index, "Average Score"]
        mean = matrix.mean(axis=1).to_frame("Average Score")
        paper.check("Table 7", mean, "mean of the ten runs")
        rest = matrix.add(10 * average - matrix.sum(axis=1), axis=0)
        holds, how = np.isclose(rest, matrix), "ten times the average, less the other nine runs"
        if method == RANKED:
            holds = holds & (np.sort(matrix, axis=0) == np.arange(1, 16)[:, None]).all(axis=0)
            how += "; each run ranks every poem once"
        else:
            holds = holds & in_step(*both).to_numpy()
            how += "; within a run no score rises as places fall, and both 1 and 5 are used"
        holds = pd.DataFrame(holds, rest.index, rest.columns)
        paper.check("Table 7", rest, f"claim: {how} (input checked)", holds=holds)
