"""*EvolvR*, Tables 14 and 15: correlations of four experts."""

import numpy as np

from helpers.papers.evolvr.tables_4_5_12 import DIMENSIONS

EXPERTS = 4
ABOVE_DIAGONAL = np.triu_indices(EXPERTS, 1)


def check(paper):
    """Check Tables 14 and 15: averages, symmetry, and correlations that four experts can have."""
    check_pairs(paper)
    check_matrix(paper)


def check_pairs(paper):
    """Check Table 14: six pairs of experts, by dimension."""
    table = paper.table("Table 14")
    cells, average = table[DIMENSIONS], table.mid.columns[0]
    paper.check("Table 14", cells.mean(axis=1).to_frame(average), "mean of printed cells")
    least = cells.mid.apply(smallest_eigenvalue)  # by dimension
    least = 0 * cells.mid + least
    what = "four experts can have these six correlations at once, as the smallest eigenvalue"
    what += " of their matrix is not below zero (input checked)"
    paper.claim("Table 14", least >= -1e-3, what, least)
    for name in DIMENSIONS:
        others = cells.drop(columns=name).sum(axis=1)
        rest = 6 * table[average] - others
        paper.check("Table 14", rest.to_frame(name), "six times the average less the other five")


def check_matrix(paper):
    """Check Table 15: the correlation matrix of four experts."""
    matrix = paper.grid("Table 15")
    is_diagonal = np.eye(EXPERTS) == 1
    ones = (0 * matrix + 1).where(is_diagonal)
    paper.check("Table 15", ones, "diagonal of a correlation matrix")
    least = smallest_eigenvalue(matrix.to_numpy()[ABOVE_DIAGONAL])
    how = "the same on both sides of the diagonal; averages of five models or more, for the four of"
    how += f" Table 5 alone would leave a smallest eigenvalue of 0, not {least:.3f}"
    paper.check("Table 15", matrix.T.where(~is_diagonal), how)


def smallest_eigenvalue(upper):
    """Return the smallest eigenvalue of four raters' correlations, the six above the diagonal
    (negative: impossible)."""
    matrix = np.eye(EXPERTS)
    matrix[ABOVE_DIAGONAL] = upper
    return float(np.linalg.eigvalsh(matrix, UPLO="U")[0])
