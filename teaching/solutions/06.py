"""Solutions of notebook 06, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""


def exercise_1(ns):
    """Divide the contradicted numbers (differs or inconsistent) by those that are not unverifiable,
    paper by paper."""
    coverage = ns["coverage"].drop(index="all")
    bad, numbers = coverage[["differs", "inconsistent"]].sum(axis=1), coverage["numbers"]
    of_checked, of_all = 100 * bad / (numbers - coverage["unverifiable"]), 100 * bad / numbers
    most = bad.idxmax()
    mistakes = [
        (
            of_all.max(),
            "That is the share of all numbers; leave out those that nobody could check.",
        ),
        (
            of_checked[most],
            f"{most} has the most contradicted numbers, but also many numbers: compare shares.",
        ),
        (
            of_all[most],
            f"{most} has the most contradicted numbers, but also many numbers: compare shares.",
        ),
        (
            100 * bad.sum() / (numbers - coverage["unverifiable"]).sum(),
            "That is all papers together.",
        ),
        (
            bad[of_checked.idxmax()],
            "That is a count; divide it by the numbers that could be checked.",
        ),
        (of_checked.max() / 100, "That is the share from 0 to 1; per cent is asked for."),
        (bad.max(), "That is the largest count; divide each by the numbers that could be checked."),
    ]
    return (
        of_checked.max(),
        mistakes,
        (
            f"It is {of_checked.idxmax()}: {of_checked.max():.1f} % of what could be checked,"
            f" {of_all.max():.1f} % of all. A share needs its denominator, and what cannot be"
            " checked is neither right nor wrong."
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
