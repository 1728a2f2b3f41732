"""Solutions of notebook 06, each a function of the notebook's namespace: (right answer, known mistakes)."""


def exercise_1(ns):
    """Find the paper with the largest share of contradicted numbers (differs or inconsistent)."""
    coverage = ns["coverage"].drop(index="all")
    bad = coverage[["differs", "inconsistent"]].sum(axis=1)
    right, closed = (bad / coverage["numbers"]).idxmax(), (coverage["unverifiable"] / coverage["numbers"]).idxmax()
    return right, [(closed, "That paper has the largest share that cannot be checked.")] if closed != right else []


def exercise_2(ns):
    """Count the lines of ttcw, Table 5, that are reproduced from raw data."""
    whole = ns["whole"]
    part = whole[(whole["paper"] == "ttcw") & (whole["table"] == "Table 5")]
    right = int((part["verdict"] == "reproduced").sum())
    return right, [(len(part), "That is all of its lines; not all of them come out.")] if right < len(part) else []
