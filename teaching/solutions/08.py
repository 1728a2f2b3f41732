"""Solutions of notebook 08, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""


def exercise_1(ns):
    """Count the rankings in which writer's edit, machine's edit and draft stand in this order."""
    wins = ns["wins"]["LAMP"]
    right, pairs = wins["won"].mean(), wins.groupby("pair")["won"].mean()
    whole = wins.groupby(["group", "rater"])["won"].sum().eq(3).mean()
    mistakes = [
        (whole, "That is the share of rankings that it gets wholly right; count pairs."),
        (2 * right - 1, "That is Kendall's tau; the share of pairs is asked for."),
        *[
            (share, f"That is for one pair, {pair}; take all three.")
            for pair, share in pairs.items()
        ],
    ]
    learnt = (
        f"Knowing the kind of text alone is right in {right:.0%} of the pairs, more than length can"
        " reach. So a judge that recognises an editor's hand looks good without weighing any text:"
        " the kind is the answer, and no control."
    )
    return right, mistakes, learnt


def exercise_2(ns):
    """Find the triples in which the writer's edit wins both its pairs with all three raters."""
    wins = ns["wins"]["LAMP"]
    mine = wins[wins["pair"].str.startswith("writer's")]
    right = mine.groupby("group")["won"].min().mean()
    first = mine.groupby(["group", "rater"])["won"].min()
    mistakes = [
        (first.mean(), "That is the share of rankings; ask for triples in which all three do so."),
        (first.mean() ** 3, "Raters are not independent: count the triples."),
        (
            (first.groupby("group").mean() > 0.5).mean(),
            "That is a majority of the raters; all three must do so.",
        ),
    ]
    learnt = (
        f"{right:.0%} of the triples; three raters who did not look at the same text would do so in"
        f" {first.mean() ** 3:.0%}. A clear case is clear to all, and a measure taken on such cases"
        " alone would flatter every judge."
    )
    return right, mistakes, learnt
