"""Solutions of notebook 06, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""


def exercise_1(ns):
    """Divide the contradicted numbers (differs or inconsistent) by those that data or print fix,
    paper by paper."""
    coverage = ns["coverage"].drop(index="all")
    bad, fixed = coverage[["differs", "inconsistent"]].sum(axis=1), coverage["fixed"]
    of_fixed, of_all = 100 * bad / fixed, 100 * bad / coverage["numbers"]
    of_checked = 100 * bad / (coverage["numbers"] - coverage["unverifiable"])
    most = bad.idxmax()
    mistakes = [
        (of_all.max(), "That is the share of all numbers; leave out those that nothing fixes."),
        (
            of_checked.max(),
            "That leaves out the unverifiable only; numbers that are bounded are not fixed either.",
        ),
        (
            of_fixed[most],
            f"{most} has the most contradicted numbers, but also many numbers: compare shares.",
        ),
        (
            of_all[most],
            f"{most} has the most contradicted numbers, but also many numbers: compare shares.",
        ),
        (100 * bad.sum() / fixed.sum(), "That is all papers together."),
        (
            bad[of_fixed.idxmax()],
            "That is a count; divide it by the numbers that data or print fix.",
        ),
        (of_fixed.max() / 100, "That is the share from 0 to 1; per cent is asked for."),
        (bad.max(), "That is the largest count; divide each by the numbers that are fixed."),
    ]
    # the paper with the most contradicted numbers may also have the largest share of them
    mistakes = [one for one in mistakes if abs(one[0] - of_fixed.max()) > 0.01]
    return (
        of_fixed.max(),
        mistakes,
        (
            f"It is {of_fixed.idxmax()}: {of_fixed.max():.1f} % of what data or print fix,"
            f" {of_all[of_fixed.idxmax()]:.1f} % of all. A share needs its denominator, and what"
            " nothing fixes is hardly ever found wrong, nor right."
        ),
    )


def exercise_2(ns):
    """Count the lines of ttcw, Table 5, that are reproduced from raw data."""
    whole = ns["whole"]
    part = whole[whole["paper"] == "ttcw"]
    table = part[part["table"] == "Table 5"]
    right = int((table["verdict"] == "reproduced").sum())
    mistakes = [
        (len(table), "That is all of its lines; not all of them come out."),
        (int((part["verdict"] == "reproduced").sum()), "That is the whole paper; take Table 5."),
        (len(table) - right, "That is how many do not come out."),
    ]
    return (
        right,
        mistakes,
        (
            f"{right} of {len(table)}. Most numbers of a careful paper do come out, and the few"
            " that do not are worth a look."
        ),
    )
