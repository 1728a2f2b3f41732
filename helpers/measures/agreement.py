"""Agreement between raters: chance-corrected coefficients, correlations, controls, a search over
subsets."""

import numpy as np
import pandas as pd


def count_passes(verdicts):
    """Return how many experts pass each story on each test: index (group, story), one column a
    test, values 0-3."""
    return verdicts.pivot_table(
        index=["group", "story"], columns="test", values="passed", aggfunc="sum"
    ).astype(int)


def _observed_and_share(counts, raters, weights=None):
    """Return (mean pairwise agreement, share of passes) over items (axis -2), items weighted by
    `weights` (..., items)."""
    counts = np.asarray(counts, float)
    raters = np.broadcast_to(np.asarray(raters, float), counts.shape)
    pairs = (counts * (counts - 1) + (raters - counts) * (raters - counts - 1)) / (
        raters * (raters - 1)
    )
    if weights is None:
        return pairs.mean(axis=-2), counts.sum(axis=-2) / raters.sum(axis=-2)
    weights = np.asarray(weights, float)
    return weights @ pairs / weights.sum(axis=-1, keepdims=True), weights @ counts / (
        weights @ raters
    )


def fleiss_kappa(counts, raters=3, weights=None):
    """Return Fleiss' kappa for each column of `counts` (items x tests, passes out of `raters`); nan
    where all agree on one label.

    raters: a number, or one for every count (2 at least): items weigh alike in the observed
    agreement, verdicts in the share. `weights` (replicates x items) gives one row of kappas a
    replicate: 0/1 for subsets, multiplicities for a bootstrap.
    """
    observed, share = _observed_and_share(counts, raters, weights)
    chance = share**2 + (1 - share) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)


def gwet_ac1(counts, raters=3, weights=None):
    """Return Gwet's AC1, whose chance term 2 p (1 - p) shrinks, not grows, when one label dominates
    (Gwet 2008)."""
    observed, share = _observed_and_share(counts, raters, weights)
    chance = 2 * share * (1 - share)
    return (observed - chance) / (1 - chance)


def krippendorff_alpha(counts, raters=3, weights=None):
    """Return Krippendorff's nominal alpha for complete binary data: kappa with chance drawn without
    replacement."""
    observed, share = _observed_and_share(counts, raters, weights)
    items = (
        np.asarray(counts).shape[-2]
        if weights is None
        else np.asarray(weights).sum(axis=-1, keepdims=True)
    )
    chance = 1 - 2 * share * (1 - share) * (raters * items) / (raters * items - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(chance < 1, (observed - chance) / (1 - chance), np.nan)


def shuffle_assessments(verdicts, by, permutations, rng):
    """Return mean Fleiss' kappas after shuffling whole assessments among those alike in `by`.

    An assessment is all that one expert says about one story; its verdicts stay together, since
    they are not independent. by=["writer"] keeps how often each writer passes and destroys
    agreement about single stories; by=["expert", "group", …] keeps how strict each expert is.
    """
    keys = list(dict.fromkeys(["story", "expert", *by]))
    wide = verdicts.pivot(index=keys, columns="test", values="passed")
    labels = wide.index.to_frame(index=False)
    kind, story = (labels.groupby(names).ngroup().to_numpy() for names in (by, ["story"]))
    grid, place, values = wide.to_numpy(int), np.argsort(kind, kind="stable"), []
    for _ in range(permutations):
        shuffled = np.empty_like(grid)
        shuffled[place] = grid[np.lexsort((rng.random(len(kind)), kind))]
        counts = np.zeros((story.max() + 1, grid.shape[1]), int)
        np.add.at(counts, story, shuffled)
        values.append(np.nanmean(fleiss_kappa(counts)))
    return np.array(values)


def search_subsets(counts, groups, printed, coefficient=fleiss_kappa):
    """Score every non-empty subset of groups: how many printed values (two decimals) does the
    coefficient reproduce?

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
    return found.sort_values(
        ["matches", "largest_difference"], ascending=[False, True], ignore_index=True
    )


def score_stories(verdicts):
    """Return the aggregate score (tests passed, 0-14) of each story and expert: group, story,
    writer, expert, score."""
    return (
        verdicts.groupby(["group", "story", "writer", "expert"], as_index=False)["passed"]
        .sum()
        .rename(columns={"passed": "score"})
    )


def spread_slots(scores):
    """Return one row a story and one column an expert slot (experts sorted by number): index
    (group, story), values 0-14."""
    slot = scores.groupby("story")["expert"].rank().astype(int)
    return scores.assign(slot=slot).pivot(index=["group", "story"], columns="slot", values="score")


def pair_correlation(slots):
    """Return Pearson r over all ordered pairs of columns of an items x raters array, pooled.

    Raters are exchangeable here: no rater has a role of their own, and no pairing is chosen.
    """
    slots = np.asarray(slots, float)
    pairs = [(a, b) for a in range(slots.shape[1]) for b in range(slots.shape[1]) if a != b]
    return float(
        np.corrcoef(*(np.concatenate([slots[:, p[k]] for p in pairs]) for k in (0, 1)))[0, 1]
    )


def mean_correlation(slots):
    """Return the mean Pearson r over all pairs of columns of an items x raters array."""
    return float(
        np.corrcoef(np.asarray(slots, float), rowvar=False)[
            np.triu_indices(np.shape(slots)[1], 1)
        ].mean()
    )


def find_agreed(verdicts):
    """Return the verdicts whose other two experts agree; column `truth`: what those two say."""
    total = verdicts.groupby(["story", "test"])["passed"].transform("sum")
    others = total - verdicts["passed"].astype(int)
    clear = others != 1
    return verdicts[clear].assign(truth=others[clear] == 2).reset_index(drop=True)


def balanced_accuracy(predicted, truth, within=None):
    """Return the mean of the hit rates on true and on false items; nan if one kind is missing.

    within: a label an item, such as its test; then it is the mean over the labels of the balanced
    accuracy on each (those with one kind left out): a judge that only knows how often each test is
    passed has .50 by construction.
    """
    predicted, truth = np.asarray(predicted, bool), np.asarray(truth, bool)
    if within is not None:
        parts = [np.asarray(within) == label for label in np.unique(within)]
        values = [balanced_accuracy(predicted[part], truth[part]) for part in parts]
        return float(np.nanmean(values)) if not np.isnan(values).all() else float("nan")
    if truth.all() or not truth.any():
        return float("nan")
    return float((predicted[truth].mean() + (~predicted[~truth]).mean()) / 2)


def cohen_kappa(predicted, truth):
    """Return Cohen's kappa of two binary vectors; nan if neither varies."""
    predicted, truth = np.asarray(predicted, bool), np.asarray(truth, bool)
    observed, p, q = (predicted == truth).mean(), predicted.mean(), truth.mean()
    chance = p * q + (1 - p) * (1 - q)
    return float((observed - chance) / (1 - chance)) if chance < 1 else float("nan")
