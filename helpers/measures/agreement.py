"""Agreement between raters on binary tests: chance-corrected coefficients, bootstrap over groups, definition search."""

import numpy as np
import pandas as pd


def count_passes(verdicts):
    """Return how many experts pass each story on each test: index (group, story), one column a test, values 0-3."""
    return verdicts.pivot_table(index=["group", "story"], columns="test", values="passed", aggfunc="sum").astype(int)


def _observed_and_share(counts, raters, weights=None):
    """Return (mean pairwise agreement, share of passes) over items (axis -2), items weighted by `weights` (..., items)."""
    counts = np.asarray(counts, float)
    pairs = (counts * (counts - 1) + (raters - counts) * (raters - counts - 1)) / (raters * (raters - 1))
    if weights is None:
        return pairs.mean(axis=-2), counts.mean(axis=-2) / raters
    total = np.asarray(weights, float).sum(axis=-1, keepdims=True)
    return weights @ pairs / total, weights @ counts / (raters * total)


def fleiss_kappa(counts, raters=3, weights=None):
    """Return Fleiss' kappa for each column of `counts` (items x tests, passes out of `raters`); nan where all agree on one label.

    `weights` (replicates x items) gives one row of kappas a replicate: 0/1 for subsets, multiplicities for a bootstrap.
    """
    observed, share = _observed_and_share(counts, raters, weights)
    chance = share**2 + (1 - share) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)


def gwet_ac1(counts, raters=3, weights=None):
    """Return Gwet's AC1, whose chance term 2 p (1 - p) shrinks, not grows, when one label dominates (Gwet 2008)."""
    observed, share = _observed_and_share(counts, raters, weights)
    chance = 2 * share * (1 - share)
    return (observed - chance) / (1 - chance)


def krippendorff_alpha(counts, raters=3, weights=None):
    """Return Krippendorff's nominal alpha for complete binary data: kappa with chance drawn without replacement."""
    observed, share = _observed_and_share(counts, raters, weights)
    items = np.asarray(counts).shape[-2] if weights is None else np.asarray(weights).sum(axis=-1, keepdims=True)
    chance = 1 - 2 * share * (1 - share) * (raters * items) / (raters * items - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)


def fleiss_kappa_unequal(passes, raters):
    """Return Fleiss' kappa for each column when items have different numbers of raters (items x tests, at least 2 raters).

    Items weigh alike in the observed agreement; the share of passes is over all verdicts.
    """
    passes, raters = np.asarray(passes, float), np.asarray(raters, float)
    observed = ((passes * (passes - 1) + (raters - passes) * (raters - passes - 1)) / (raters * (raters - 1))).mean(axis=0)
    share = passes.sum(axis=0) / raters.sum(axis=0)
    chance = share**2 + (1 - share) ** 2
    return (observed - chance) / (1 - chance)


def permute_within_writers(verdicts, permutations, rng):
    """Return Fleiss' kappas (permutations x tests) after shuffling each writer's and test's verdicts among stories and experts.

    What is left is the agreement that the writers' pass rates alone produce: the null for agreement within kinds of story.
    """
    wide = verdicts.sort_values(["writer", "story", "expert"]).pivot_table(
        index="writer", columns="test", values="passed", aggfunc=list)
    blocks = np.array([[wide.loc[writer, test] for test in wide.columns] for writer in wide.index], float)
    values = []
    for _ in range(permutations):
        counts = rng.permuted(blocks, axis=-1).reshape(*blocks.shape[:2], -1, 3).sum(axis=-1)
        values.append(fleiss_kappa(np.moveaxis(counts, 1, -1).reshape(-1, blocks.shape[1])))
    return np.array(values)


def draw_groups(groups, replicates, rng):
    """Return bootstrap weights (replicates x items): whole groups drawn with replacement, as many as there are."""
    names, code = np.unique(groups, return_inverse=True)
    times = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=replicates)
    return times[:, code]


def percentile_interval(replicates, level=0.95):
    """Return (low, high) percentile bounds along the first axis, ignoring undefined replicates."""
    tail = (1 - level) / 2 * 100
    return tuple(np.nanpercentile(replicates, [tail, 100 - tail], axis=0))


def bootstrap_groups(groups, statistic, replicates, rng):
    """Return (low, high) of `statistic(rows)` when whole groups are drawn with replacement (n = number of groups).

    groups: the group of every row; `statistic` gets the positions of the drawn rows, repeated as drawn.
    """
    _, code = np.unique(groups, return_inverse=True)
    members = [np.flatnonzero(code == k) for k in range(code.max() + 1)]
    draws = rng.integers(len(members), size=(replicates, len(members)))
    return percentile_interval(np.array([statistic(np.concatenate([members[k] for k in drawn])) for drawn in draws], float))


def search_subsets(counts, groups, printed, coefficient=fleiss_kappa):
    """Score every non-empty subset of groups: how many printed values (two decimals) does the coefficient reproduce?

    Return a table, best first: left_out (tuple of groups), groups, matches, largest_difference.
    """
    names = np.unique(groups)
    masks = (np.arange(1, 2 ** len(names))[:, None] >> np.arange(len(names)) & 1).astype(float)
    values = coefficient(counts, weights=masks[:, np.searchsorted(names, groups)])
    away = np.abs(values - np.asarray(printed))
    found = pd.DataFrame(
        {
            "left_out": [tuple(names[mask == 0].tolist()) for mask in masks],
            "groups": masks.sum(1).astype(int),
            "matches": (away <= 0.005 + 1e-9).sum(1),
            "largest_difference": np.nanmax(away, axis=1),
        }
    )
    return found.sort_values(["matches", "largest_difference"], ascending=[False, True], ignore_index=True)


def score_stories(verdicts):
    """Return the aggregate score (tests passed, 0-14) of each story and expert: group, story, writer, expert, score."""
    return (
        verdicts.groupby(["group", "story", "writer", "expert"], as_index=False)["passed"]
        .sum()
        .rename(columns={"passed": "score"})
    )


def spread_slots(scores):
    """Return one row a story and one column an expert slot (experts sorted by number): index (group, story), values 0-14."""
    slot = scores.groupby("story")["expert"].rank().astype(int)
    return scores.assign(slot=slot).pivot(index=["group", "story"], columns="slot", values="score")


def mean_correlation(slots):
    """Return the mean Pearson r over all pairs of columns of an items x raters array."""
    return float(np.corrcoef(np.asarray(slots, float), rowvar=False)[np.triu_indices(np.shape(slots)[1], 1)].mean())


def add_others(verdicts):
    """Return the verdicts with a column `others`: how many of the other two experts pass that story on that test (0, 1, 2)."""
    total = verdicts.groupby(["story", "test"])["passed"].transform("sum")
    return verdicts.assign(others=total - verdicts["passed"].astype(int))


def balanced_accuracy(predicted, truth):
    """Return the mean of the hit rates on true and on false items; nan if one kind is missing."""
    predicted, truth = np.asarray(predicted, bool), np.asarray(truth, bool)
    if truth.all() or not truth.any():
        return float("nan")
    return float((predicted[truth].mean() + (~predicted[~truth]).mean()) / 2)


def cohen_kappa(predicted, truth):
    """Return Cohen's kappa of two binary vectors; nan if neither varies."""
    predicted, truth = np.asarray(predicted, bool), np.asarray(truth, bool)
    observed, p, q = (predicted == truth).mean(), predicted.mean(), truth.mean()
    chance = p * q + (1 - p) * (1 - q)
    return float((observed - chance) / (1 - chance)) if chance < 1 else float("nan")


def predict_two_from_one(table, rows=slice(None)):
    """Return (balanced accuracy, kappa, n) of one expert's verdict against the other two where those agree: the noise ceiling.

    table: verdicts with `others` (see `add_others`); rows: positions to use, for a bootstrap.
    """
    passed, others = table["passed"].to_numpy()[rows], table["others"].to_numpy()[rows]
    clear = others != 1
    return (
        balanced_accuracy(passed[clear], others[clear] == 2),
        cohen_kappa(passed[clear], others[clear] == 2),
        int(clear.sum()),
    )
