"""Solutions of notebook 08, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""


def exercise_1(ns):
    """Find the triples in which the writer's edit wins both its pairs with all three raters."""
    wins = ns["wins"]["LAMP"]
    of_edit = wins[wins["pair"].str.startswith("writer's")]
    right = of_edit.groupby("group")["won"].min().mean()
    by_ranking = of_edit.groupby(["group", "rater"])["won"].min()
    majority = (by_ranking.groupby("group").mean() > 0.5).mean()
    mistakes = [
        (by_ranking.mean(), "That is the share of rankings; ask for triples where all three do."),
        (by_ranking.mean() ** 3, "Raters are not independent: count the triples."),
        (majority, "That is a majority of the raters; all three must do so."),
    ]
    learnt = (
        f"{right:.0%} of the triples; three raters who did not look at the same text would do so in"
        f" {by_ranking.mean() ** 3:.0%}. A clear case is clear to all, and a measure taken on such"
        " cases alone would flatter every judge. Was your guess higher or lower?"
    )
    return right, mistakes, learnt


def exercise_2(ns):
    """Call the function with at_least=50, for LAMP's cases and the column ruler."""
    cases, share_right = ns["lamp_cases"], ns["share_right"]
    right = share_right(cases, "ruler", at_least=50)
    everywhere = share_right(cases, "ruler")
    of_person = share_right(cases, "score", at_least=50)
    mistakes = [
        (everywhere, "That is the ruler over all pairs; set at_least."),
        (share_right(cases, "ruler", at_least=5), "That is with five words; fifty are asked for."),
        (of_person, "That is a person on the same pairs; take the column ruler."),
    ]
    learnt = (
        f"The ruler rises from {everywhere:.2f} to {right:.2f}; a person has {of_person:.2f} on the"
        " same pairs. Whoever tests a judge on clearly different versions makes it easy for those"
        " who count words."
    )
    return right, mistakes, learnt


def exercise_3(ns):
    """Count how often the order writer's edit, machine's edit, draft is right, pair by pair."""
    wins = ns["wins"]["LAMP"]
    right, by_pair = wins["won"].mean(), wins.groupby("pair")["won"].mean()
    whole = wins.groupby(["group", "rater"])["won"].sum().eq(3).mean()
    mistakes = [
        (whole, "That is the share of rankings that it gets wholly right; count pairs."),
        (2 * right - 1, "That is Kendall's tau; the share of pairs is asked for."),
        *[
            (share, f"That is for one pair, {pair}; take all three.")
            for pair, share in by_pair.items()
        ],
    ]
    learnt = (
        f"Knowing the kind of text alone is right in {right:.0%} of the pairs, more than length can"
        " reach, and in still more where the mean of two raters decides (section 3). So a judge"
        " that recognises an editor's hand looks good without weighing one text against another."
    )
    return right, mistakes, learnt
