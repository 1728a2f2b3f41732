"""Solutions of notebook 01, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""

import numpy as np

from helpers import agreement
from helpers.sources.published import agrees


def exercise_1(ns):
    """Leave out the stories of group 4 and nothing else, and take the mean of the 14 kappas."""

    def kappas(*left_out):
        return agreement.fleiss_kappa(ns["counts"][~np.isin(ns["groups"], left_out)])

    def count(values):
        return sum(
            agrees(f"{printed:.2f}", value) for printed, value in zip(ns["kappas_printed"], values)
        )

    found = list(ns["left_out"])
    mistakes = [
        (kappas().mean(), "That is the mean with no group left out."),
        (
            kappas(*found).mean(),
            "That is with the search's group left out; leave out group 4 instead.",
        ),
        (
            kappas(4, *found).mean(),
            "That is with two groups left out; put the search's group back.",
        ),
        (count(kappas(4)), "That is how many printed kappas come out; the mean is asked for."),
    ]
    return (
        kappas(4).mean(),
        mistakes,
        (
            f"The mean moves little (no group left out: {kappas().mean():.2f}), but only"
            f" {count(kappas(4))} of the 14 printed kappas come out; with the search's group"
            f" {count(kappas(*found))} do. All 14 at once tell which stories the authors used; a"
            " mean cannot."
        ),
    )


def exercise_2(ns):
    """Keep the first two experts of each story (by number) and recompute the mean kappa with
    raters=2."""
    verdicts = ns["verdicts"]

    def counts(first=True):
        place = verdicts.groupby("story")["expert"].rank(method="dense", ascending=first)
        return agreement.count_passes(verdicts[place <= 2])

    right = np.nanmean(agreement.fleiss_kappa(counts(), raters=2))
    mistakes = [
        (
            np.nanmean(agreement.fleiss_kappa(counts())),
            "The counts now go from 0 to 2: pass raters=2.",
        ),
        (
            np.nanmean(agreement.fleiss_kappa(ns["counts"])),
            "That is the mean of all three experts.",
        ),
        (
            np.nanmean(agreement.fleiss_kappa(counts(False), raters=2)),
            "Those are the two with the highest numbers.",
        ),
    ]
    return (
        right,
        mistakes,
        (
            f"Two experts agree about as well as three ({ns['full'].mean():.2f}): kappa is about a"
            " pair of experts. A larger panel makes its mean steadier; it does not make two of its"
            " members agree more."
        ),
    )


def exercise_3(ns):
    """Take the counts of the machine stories: 0 and 3 of 3 are unanimous."""

    def unanimous(table, ends=(0, 3)):
        return float(np.isin(table, ends).mean())

    machine = ns["machine"]
    mistakes = [
        (unanimous(ns["counts"]), "That is over all 48 stories; leave out the New Yorker's."),
        (
            unanimous(machine, [0]),
            "Those are the cases that nobody passes; three times Yes is unanimous as well.",
        ),
        (
            unanimous(machine, [3]),
            "Those are the cases that all pass; three times No is unanimous as well.",
        ),
        (np.isin(machine, [0, 3]).sum(), "That is a number of cases; divide it by all cases."),
        (
            unanimous(machine) + np.isin(machine, [1, 2]).mean() / 3,
            "That is how often a pair agrees; count panels.",
        ),
        (
            ns["machine_kappa"].mean(),
            "That is the mean kappa, which takes agreement by chance off.",
        ),
    ]
    return (
        unanimous(machine),
        mistakes,
        (
            "Most panels are unanimous about machine stories, yet the mean kappa is"
            f" {ns['machine_kappa'].mean():.2f}: nearly all of that agreement is No"
            f" ({unanimous(machine, [0]):.2f} of all cases). If one answer is that common, people"
            " agree without having judged alike."
        ),
    )
