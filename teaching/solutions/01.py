"""Solutions of notebook 01, each a function of the notebook's namespace: (right answer, known mistakes)."""

import numpy as np

from helpers.measures import agreement
from helpers.sources.published import agrees


def exercise_1(ns):
    """Leave out group 5 instead of the group that the search found, and count the printed kappas that come out."""
    def count(left_out):
        kappas = agreement.fleiss_kappa(ns["counts"][~np.isin(ns["groups"], left_out)])
        return sum(agrees(f"{printed:.2f}", kappa) for printed, kappa in zip(ns["kappas_printed"], kappas))
    mistakes = {count([]): "That is the count with nothing left out.", count(ns["left_out"]): "That is the group of the search."}
    return count([5]), [(wrong, why) for wrong, why in mistakes.items() if wrong != count([5])]


def exercise_2(ns):
    """Keep the first two experts of each story (by number) and recompute the mean kappa with raters=2."""
    verdicts = ns["verdicts"]
    two = verdicts[verdicts.groupby("story")["expert"].rank(method="dense") <= 2]
    counts = agreement.count_passes(two).to_numpy()
    right = float(np.nanmean(agreement.fleiss_kappa(counts, raters=2)))
    wrong = float(np.nanmean(agreement.fleiss_kappa(counts)))
    return right, [(wrong, "The counts now go from 0 to 2: pass raters=2 to the coefficient.")]


def exercise_3(ns):
    """Find the test (its number) on which experts agree best about the machine stories."""
    kappas = ns["machine_kappa"]
    best_all = int(ns["full"].idxmax())
    right = int(kappas.idxmax())
    return right, [(best_all, "That is the best test on all stories, human ones included.")] if best_all != right else []
