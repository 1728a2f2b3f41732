"""Evaluate stories by their features: kernel ridge, tested out of fold; a safe file that rates new
stories."""

import zlib
from zipfile import BadZipFile

import numpy as np
from threadpoolctl import threadpool_limits

from helpers.evolvr import raters
from helpers.evolvr.hanna import ASPECTS
from helpers.evolvr.train import NormalScores
from helpers.sources.public import DataError

WIDTHS = (0.0, 0.1, 0.25)  # of the kernel: 0 is a straight line, the others bell curves
PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
LARGEST = 64  # a block with more features than this counts as this many
VERSION = 1


def block_weights(columns):
    """Return one weight a column, columns being (block, feature): 1, and less in blocks of more
    than LARGEST features."""
    blocks = columns.get_level_values(0)
    return np.array([min(1.0, np.sqrt(LARGEST / (blocks == block).sum())) for block in blocks])


def kernel(a, b, width):
    """Return how like each row of a is to each row of b: 1 for the same story of usual features."""
    product = a @ b.T
    if width == 0:
        return product
    distance = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * product
    return np.exp(-width * np.maximum(distance, 0))


class KernelRidge:
    """Kernel ridge regression on normal scores of weighted features.

    Width of the kernel and penalty are those of the least squared error when each group of training
    stories in turn is left out (18 choices; the error has an exact short form, so that nothing is
    fitted again).
    """

    def __init__(self, weights):
        self.weights = np.asarray(weights, float)

    def fit(self, features, target, groups):
        """Fit on stories x features and stories x aspects; groups: one a story, such as prompts."""
        self.scale = NormalScores().fit(features)
        self.stories, self.level = self.view(features), target.mean(axis=0)
        rest, best = target - self.level, np.inf
        members = [np.flatnonzero(groups == name) for name in np.unique(groups)]
        for width in WIDTHS:
            values, vectors = np.linalg.eigh(kernel(self.stories, self.stories, width))
            values, right = np.maximum(values, 0), vectors.T @ rest
            for penalty in PENALTIES:
                shrunk = vectors * (values / (values + penalty))
                missed = rest - shrunk @ right
                errors = [
                    np.linalg.solve(
                        np.eye(len(rows)) - shrunk[rows] @ vectors[rows].T, missed[rows]
                    )
                    for rows in members
                ]
                error = sum((part**2).sum() for part in errors)
                if error < best:
                    best, self.error, self.width, self.penalty = error, error, width, penalty
                    self.dual = vectors @ (right / (values + penalty)[:, None])
        return self

    def view(self, features):
        """Return weighted normal scores, scaled so that a usual story has length one."""
        return self.scale.transform(features) * (self.weights / np.sqrt((self.weights**2).sum()))

    def predict(self, features):
        """Return stories x aspects."""
        return self.level + kernel(self.view(features), self.stories, self.width) @ self.dual


def predict_out_of_fold(features, arrays, who, splits, groups):
    """Return predictions (aspects x stories), each made by a model that saw no test story and none
    of its raters' sheets on it.

    features: table from `texts.describe` or with further blocks; arrays, who: as from
    `hanna.rating_array`; groups: what is left out inside the training stories to choose kernel and
    penalty. The target is freed of the raters' severity, estimated on the training stories alone.
    ValueError for a missing value.
    """
    if features.isna().to_numpy().any():
        raise ValueError(
            f"features: {features.columns[features.isna().any()][0]} has a missing value; fill or"
            " drop it first"
        )
    x, weights, groups = (
        features.to_numpy(float),
        block_weights(features.columns),
        np.asarray(groups),
    )
    predicted = np.full(arrays.shape[:2], np.nan)
    with threadpool_limits(1):
        for train, test in splits:
            target = raters.without_severity(arrays[:, train], who[train]).mean(axis=2).T
            predicted[:, test] = (
                KernelRidge(weights).fit(x[train], target, groups[train]).predict(x[test]).T
            )
    return predicted


def half_widths(missed, level=0.9):
    """Return by aspect the half-width of an interval that holds `level` of the stories: a quantile
    of |error|, rounded up.

    missed: aspects x stories, target minus a prediction out of fold.
    """
    rank = min(int(np.ceil((missed.shape[1] + 1) * level)), missed.shape[1]) - 1
    return np.sort(np.abs(missed), axis=1)[:, rank]


def coverage(missed, groups, level=0.9):
    """Return the share of ratings within `half_widths` of the other groups' stories: each group is
    left out in turn."""
    within = [
        np.abs(missed[:, groups == name]) <= half_widths(missed[:, groups != name], level)[:, None]
        for name in np.unique(groups)
    ]
    return float(np.concatenate(within, axis=1).mean())


def save(path, model, features, missed, systems, words, checksum):
    """Write a fitted KernelRidge as plain arrays (npz, nothing that runs): with error quantiles,
    ranges, data's checksum."""
    np.savez_compressed(
        path,
        version=VERSION,
        aspects=list(ASPECTS),
        features=[": ".join(column) for column in features.columns],
        sorted=model.scale.sorted_,
        stories=model.stories,
        dual=model.dual,
        level=model.level,
        width=model.width,
        weights=model.weights,
        half=half_widths(missed),
        covered=coverage(missed, systems),
        words=[words.min(), words.max()],
        checksum=checksum,
    )


def load(path):
    """Return {name: array} of a file that `save` wrote, and its model under 'model'; DataError for
    any other file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            saved = {name: file[name] for name in file.files}
        if saved["version"] != VERSION:
            raise DataError(
                f"{path.name}: version {saved['version']}, expected {VERSION}; run `make evaluator`"
                " again"
            )
        model = KernelRidge(saved["weights"])
        model.scale = NormalScores().fit(saved["sorted"])
        model.stories, model.dual, model.level = saved["stories"], saved["dual"], saved["level"]
        model.width = float(saved["width"])
    except DataError:
        raise
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as fault:
        raise DataError(
            f"{path.name}: no evaluator's file ({type(fault).__name__}); run `make evaluator` again"
        ) from None
    return saved | {"model": model}
