"""The poetry-ranking paper, Table 7: ten runs of two methods on the same 15 poems."""

import numpy as np
import pandas as pd

RANKED, SCORED = "Claude-3-Opus 15n", "Claude-3-Opus 15"


def runs(paper, method):
    """Return one matrix of Table 7, 15 poems x 10 runs; method: RANKED or SCORED."""
    grid = paper.grid("Table 7").drop(columns="Average Score")
    matrix = grid[grid.index.str.startswith(f"{method} / ")]
    return matrix.rename(index=lambda row: row.partition(" / ")[2])


def check(paper):
    """Check Table 7: each cell from its row's average; a run has each position once, and its scores
    follow its positions."""
    places, scores = runs(paper, RANKED), runs(paper, SCORED)
    each_once = np.arange(1, len(places) + 1)[:, None]
    is_ranking = (np.sort(places, axis=0) == each_once).all(axis=0)  # by run
    phrase = "each run ranks every poem once"
    check_cells(
        paper, RANKED, pd.DataFrame(True, places.index, places.columns) & is_ranking, phrase
    )
    phrase = "within a run no score rises as places fall, and both 1 and 5 are used"
    check_cells(paper, SCORED, in_step(places, scores), phrase)


def check_cells(paper, method, fits, phrase):
    """Check the runs of one method by the averages beside them, and by `fits`.

    fits: poems x runs, whether the cell fits the others of its run; phrase: what that means.
    """
    matrix = runs(paper, method)
    fits = fits.loc[matrix.index].add_prefix(f"{method} / ", axis=0)
    matrix = matrix.add_prefix(f"{method} / ", axis=0)
    average = paper.grid("Table 7").loc[matrix.index, "Average Score"]
    mean = matrix.mean(axis=1).to_frame("Average Score")
    paper.check("Table 7", mean, "mean of the ten runs")
    missing = 10 * average - matrix.sum(axis=1)
    rest = matrix.add(missing, axis=0)
    holds = fits & np.isclose(rest, matrix)
    what = f"ten times the average, less the other nine runs; {phrase} (input checked)"
    paper.claim("Table 7", holds, what, rest, bound=False)


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
        is_off = above_but_worse.any(axis=0) | above_but_worse.any(axis=1)
        uses_both_ends = score.min() == 1 and score.max() == 5
        fits[run] = ~is_off & uses_both_ends
    return fits
