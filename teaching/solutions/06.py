"""Solutions of notebook 06, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""

from scipy import stats


def exercise_1(ns):
    """Divide the contradicted numbers (differs or inconsistent) by those that data or print fix,
    paper by paper."""
    coverage = ns["coverage"].drop(index="all")
    bad = coverage[["differs", "inconsistent"]].sum(axis=1)
    checkable = coverage["checkable"]
    of_checkable, of_all = 100 * bad / checkable, 100 * bad / coverage["numbers"]
    of_checked = 100 * bad / (coverage["numbers"] - coverage["unverifiable"])
    most = bad.idxmax()
    mistakes = [
        (of_all.max(), "That is the share of all numbers; leave out those that nothing fixes."),
        (
            of_checked.max(),
            "That leaves out the unverifiable only; those that are only bounded must go too.",
        ),
        (
            of_checkable[most],
            f"{most} has the most contradicted numbers, but also many numbers: compare shares.",
        ),
        (
            of_all[most],
            f"{most} has the most contradicted numbers, but also many numbers: compare shares.",
        ),
        (100 * bad.sum() / checkable.sum(), "That is all papers together."),
        (
            bad[of_checkable.idxmax()],
            "That is a count; divide it by the numbers that data or print fix.",
        ),
        (of_checkable.max() / 100, "That is the share from 0 to 1; per cent is asked for."),
        (bad.max(), "That is the largest count; divide each by the numbers that are checkable."),
    ]
    # the paper with the most contradicted numbers may also have the largest share of them
    mistakes = [one for one in mistakes if abs(one[0] - of_checkable.max()) > 0.01]
    return (
        of_checkable.max(),
        mistakes,
        (
            f"It is {of_checkable.idxmax()}: {of_checkable.max():.1f} % of the checkable,"
            f" {of_all[of_checkable.idxmax()]:.1f} % of all. A share needs its denominator, and"
            " what nothing fixes is hardly ever found wrong, nor right."
        ),
    )


def exercise_2(_ns):
    """Add half of the last printed digit to 3.1."""
    right = 3.15
    mistakes = [
        (3.1, "Smaller and larger means are printed as 3.1, too."),
        (3.14, "Close: take half of the last digit, to the end."),
        (3.2, "That would be printed as 3.2."),
        (3.19, "That would be rounded up to 3.2, if nobody cuts digits off."),
        (3.05, "That is the smallest; the largest is asked for."),
    ]
    learnt = (
        "A printed number stands for all that lie within half of its last digit. Two papers can"
        " print 3.1 and 3.2 for nearly the same mean."
    )
    return right, mistakes, learnt


def exercise_3(_ns):
    """Take the sign test of nine of ten, and of what is more extreme, on both sides."""
    right = 100 * stats.binomtest(9, 10).pvalue
    mistakes = [
        (right / 2, "That is one direction; nine of ten could as well go the other way."),
        (100 * 2 * 10 / 2**10, "That is nine exactly; ten of ten is even rarer, and counts, too."),
        (100 * 2 / 2**10, "That is ten of ten."),
        (right / 100, "That is the share from 0 to 1; per cent is asked for."),
    ]
    learnt = (
        f"{right:.2f} %: nine of ten is clear by custom, five of five is not. A count of cases says"
        " little until chance has been asked how often it would do the same."
    )
    return right, mistakes, learnt
