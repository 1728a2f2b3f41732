"""*EvolvR*, Tables 14 and 15: correlations of four experts."""

import numpy as np

from helpers.papers.evolvr.tables_4_5_12 import DIMENSIONS


def check(paper):
    """Check Tables 14 and 15: averages, symmetry, and correlations that four experts can have."""
    table14, table15 = paper.table("Table 14"), paper.table("Table 15")
    cells, average = table14[DIMENSIONS], table14.mid.columns[0]
    paper.check("Table 14", cells.mean(axis=1).to_frame(average), "mean of printed cells")
    least = 0 * cells.mid + cells.mid.apply(smallest_eigenvalue)
    how = "claim: four experts can have these six correlations at once, as the smallest eigenvalue"
    how += " of their matrix is not below zero (input checked)"
    paper.check("Table 14", least, how, holds=least >= -1e-3, bound=True)
    for name in DIMENSIONS:
        rest = table14[average] * 6 - cells.drop(columns=name).each(lambda part: part.sum(axis=1))
        paper.check("Table 14", rest.to_frame(name), "six times the average less the other five")
    matrix, itself = table15.mid, np.eye(4) == 1
    paper.check("Table 15", (0 * matrix + 1).where(itself), "diagonal of a correlation matrix")
    least = smallest_eigenvalue(matrix.to_numpy()[np.triu_indices(4, 1)])
    how = "the same on both sides of the diagonal; averages of five models or more, for the four of"
    how += f" Table 5 alone would leave a smallest eigenvalue of 0, not {least:.3f}"
    paper.check("Table 15", matrix.T.where(~itself), how)


def smallest_eigenvalue(upper):
    """Return the smallest eigenvalue of four raters' correlations, six (negative: impossible)."""
    matrix = np.eye(4)
    matrix[np.triu_indices(4, 1)] = upper
    return float(np.linalg.eigvalsh(matrix, UPLO="U")[0])
