"""How large each effect is: variances from sums of squares of residuals.

In symbols: y are the scores (one per row), Z_k the table of 1 and 0 that says which level of effect
k a row has (rows x levels; for the residual, the identity), and M what makes residuals of scores
(rows x rows). What is added up for each effect, the squares of its levels' summed residuals, has a
known expectation:

    squares_k = |Z_k' M y|²
    its mean  = sum over effects l of expected[k, l] * variance_l
    expected[k, l] = |Z_k' M Z_l|²        (|.|²: the sum of squares of all entries)

So the variances come from as many linear equations as there are effects. They are unbiased,
whatever M is, as long as M takes off what is known unread. Two are used:

- `PlainResiduals`, M = I - Q Q', of least squares: the method of moments;
- `WeightedResiduals`, M = W - W Q (Q' W Q)^-1 Q' W, where W is the inverse of the covariance of the
  scores under earlier variances: one step of restricted maximum likelihood.

Q is an orthonormal basis of what is known unread (rows x rank).
"""

import numpy as np
from scipy import optimize, sparse

from goodjudge.comparison.random_effects.design import RESIDUAL, count_levels

FEW = 450  # ratings, up to which restricted maximum likelihood is quick
STEPS = 12  # of restricted maximum likelihood, at most


class PlainResiduals:
    """Residuals of least squares: M = I - Q Q'; basis: Q, rows x rank."""

    def __init__(self, basis):
        self.basis = basis

    def take(self, score):
        """Return M y, one per row."""
        return score - self.basis @ (self.basis.T @ score)

    def expect(self, first, second):
        """Return |Z_k' M Z_l|² of two effects, given by their levels; without a table of rows x
        rows.

        With N = Z_k' Z_l, how often a level of the one meets a level of the other, A and B the
        basis summed by the levels of the one and of the other: |N - A B'|² = |N|² - 2 N·(A B') +
        |A B'|². Here N·(A B') needs only the places where N is not 0, and |A B'|² is the sum of all
        entries of (A' A) times (B' B), which are rank x rank.
        """
        shape = count_levels(first), count_levels(second)
        ones = np.ones(len(first))
        meetings = sparse.csr_array((ones, (first, second)), shape=shape)  # levels x levels
        first_basis = add_rows(self.basis, first)  # levels x rank
        second_basis = add_rows(self.basis, second)
        i, j = meetings.nonzero()
        counts = meetings[i, j]
        products = (first_basis[i] * second_basis[j]).sum(axis=1)
        overlap = (counts * products).sum()
        removed = np.sum((first_basis.T @ first_basis) * (second_basis.T @ second_basis))
        return (counts**2).sum() - 2 * overlap + removed


class WeightedResiduals:
    """Residuals that weigh each row by what is known of it: M = W - W Q (Q' W Q)^-1 Q' W.

    basis: Q, rows x rank; levels: {effect: a number for each row}, the residual last; variances:
    {effect: number}, which make W.
    """

    def __init__(self, basis, levels, variances):
        rows = len(basis)
        covariance = np.diag(np.full(rows, variances[RESIDUAL]))
        for name, numbers in levels.items():
            if name != RESIDUAL:
                is_shared = numbers[:, None] == numbers  # rows x rows
                covariance += variances[name] * is_shared
        weights = np.linalg.inv(covariance)  # W
        weighted = weights @ basis  # W Q
        self.maker = weights - weighted @ np.linalg.solve(basis.T @ weighted, weighted.T)

    def take(self, score):
        """Return M y, one per row."""
        return self.maker @ score

    def expect(self, first, second):
        """Return |Z_k' M Z_l|² of two effects, given by their levels."""
        by_first = add_rows(self.maker, first)  # levels x rows
        by_both = add_rows(by_first.T, second)  # levels of the second x levels of the first
        return (by_both**2).sum()


class Estimator:
    """How variances and weights are estimated from the scores of a study of one design.

    levels: {effect: a number for each row}, the residual last; names: of the effects; basis: rows x
    rank; unfold: rank x fixed columns, from the basis back to them; residuals: `PlainResiduals`, or
    with earlier variances `WeightedResiduals`; expected: effects x effects.
    """

    def __init__(self, design, variances=None):
        self.levels = {**design.levels, RESIDUAL: np.arange(len(design.rows))}
        self.names = list(self.levels)
        basis, strength, unfold = np.linalg.svd(design.fixed, full_matrices=False)
        is_kept = strength > 1e-9 * strength[0]
        self.basis = basis[:, is_kept]
        self.unfold = unfold[is_kept] / strength[is_kept][:, None]
        self.residuals = PlainResiduals(self.basis)
        if variances is not None:
            self.residuals = WeightedResiduals(self.basis, self.levels, variances)
        self.expected = self.expect_squares()

    def expect_squares(self):
        """Return the mean squares that a variance of 1 of each effect brings, effects x effects."""
        levels = list(self.levels.values())
        expected = np.empty((len(levels), len(levels)))
        for k, first in enumerate(levels):
            for m, second in enumerate(levels[: k + 1]):
                expected[k, m] = self.residuals.expect(first, second)
                expected[m, k] = expected[k, m]
        return expected

    def sum_squares(self, score):
        """Return for each effect the sum of squares of its levels' summed residuals."""
        residuals = self.residuals.take(score)
        sums = [np.bincount(numbers, residuals) for numbers in self.levels.values()]
        return np.array([(of_levels**2).sum() for of_levels in sums])

    def regress(self, score):
        """Return the weights of the fixed columns by least squares."""
        return self.unfold.T @ (self.basis.T @ score)

    def estimate(self, score):
        """Return {effect: variance, 0 or more}; score: one per row."""
        return self.solve(score, solve_above_zero)

    def estimate_freely(self, score, among):
        """Return {effect: variance}, unbiased, so that some may be negative; score: one per row;
        among: the names of the effects that may differ from 0."""
        is_free = [name in among for name in self.names]
        return self.solve(score, lambda expected, squares: solve_among(expected, squares, is_free))

    def solve(self, score, method):
        """Return {effect: variance} by a method of solving expected @ variances = squares, once
        all effects are on one scale. An effect that this design cannot show, as that of raters
        where there is one, has 0."""
        shown = np.diag(self.expected)
        scale = np.sqrt(np.where(shown > 1e-9 * shown.max(), shown, np.inf))
        expected = self.expected / np.outer(scale, scale)
        squares = self.sum_squares(score) / scale
        variances = method(expected, squares) / scale
        return dict(zip(self.names, variances))


def add_rows(table, levels):
    """Return the sums of the rows of a table that have the same level: levels x columns."""
    rows = len(levels)
    picked = (np.ones(rows), (levels, np.arange(rows)))
    pick = sparse.csr_array(picked, shape=(count_levels(levels), rows))
    return pick @ table


def solve_above_zero(expected, squares):
    """Return the variances (one per effect, 0 or more) whose expected squares are nearest to the
    squares, differences being measured by expected^-1.

    In symbols: v minimises v' expected v - 2 v' squares. Where v may be negative that is the
    solution of expected @ v = squares; `solve_among` measures differences by themselves.
    """
    size, axes = np.linalg.eigh(expected)  # expected = axes @ diag(size) @ axes'
    is_kept = size > 1e-9
    size, axes = size[is_kept], axes[:, is_kept]
    # nnls finds v >= 0 with the smallest |root v - side|². As root' root = expected and
    # root' side = squares, that is v' expected v - 2 v' squares and a constant
    root = np.sqrt(size)[:, None] * axes.T
    side = (axes.T @ squares) / np.sqrt(size)
    variances, _ = optimize.nnls(root, side)
    return variances


def solve_among(expected, squares, is_free):
    """Return the variances (one per effect, 0 where it is not free) whose expected squares are
    nearest to the squares; is_free: True or False for each effect."""
    places = np.flatnonzero(is_free)
    variances = np.zeros(len(squares))
    solution, *_ = np.linalg.lstsq(expected[np.ix_(places, places)], squares[places])
    variances[places] = solution
    return variances


def maximise_likelihood(design, estimator, variances, score):
    """Return (estimator, variances) after steps of restricted maximum likelihood.

    design: a `Design`; estimator, variances: where to start; score: one per row. Each step weighs
    the residuals by the variances of the step before, until these hardly move.
    """
    for _ in range(STEPS):
        total = sum(variances.values())
        if total <= 0:
            break
        above_zero = {name: max(variance, 1e-4 * total) for name, variance in variances.items()}
        estimator = Estimator(design, above_zero)
        before = variances
        variances = estimator.estimate(score)
        moved = max(abs(variances[name] - before[name]) for name in variances)
        if moved < 1e-3 * total:
            break
    return estimator, variances


def round_off(variances):
    """Return variances to three digits of their sum, so that every machine simulates the same."""
    total = sum(variances.values())
    step = 10.0 ** (np.floor(np.log10(total)) - 3) if total > 0 else 1.0
    return {name: round(float(variance) / step) * step for name, variance in variances.items()}
