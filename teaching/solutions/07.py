"""Solutions of notebook 07, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""


def exercise_1(ns):
    """Keep the readings whose writer is Claude or GPT4, and call the function with them and the
    column expert."""
    readings, correlate = ns["readings"], ns["correlate_by_rater"]
    two_writers = readings[readings["writer"].isin(["Claude", "GPT4"])]
    machines = readings[readings["writer"] != "NewYorker"]
    right = correlate(two_writers, "expert")
    judge = correlate(two_writers, "judge")
    mistakes = [
        (correlate(readings, "expert"), "That is over all stories; keep two writers' only."),
        (correlate(machines, "expert"), "That is over three machines; leave GPT-3.5 out too."),
        (judge, "That is the judge on the same stories; a person is asked for."),
        (
            two_writers["expert"].corr(two_writers["others"]),
            "That is one correlation over all experts; take it rater by rater.",
        ),
    ]
    learnt = (
        f"A person falls from {correlate(machines, 'expert'):.2f} among all machines to"
        f" {right:.2f}; the judge has {judge:.2f}. *As good as one more person* is no praise where"
        " people, as scored, do not follow each other: always ask that first."
    )
    return right, mistakes, learnt


def exercise_2(ns):
    """Call the function with the noise of the nearest world and others=1, and take the mean of the
    perfect judge."""
    simulate, noise = ns["simulate_studies"], ns["nearest"]
    means = simulate(noise, others=1).mean()
    right = means["a perfect judge"]
    against_two = ns["ceiling_by_hand"]
    mistakes = [
        (against_two, "That is against two others; set others=1."),
        (means["a person"], "That is a person in these studies; take the perfect judge."),
        (
            simulate(noise, others=3)["a perfect judge"].mean(),
            "That is against three others; one is asked for.",
        ),
    ]
    learnt = (
        f"The ceiling falls from {against_two:.2f} to {right:.2f}, and the judge is as perfect as"
        " before. A ceiling belongs to a panel: with more raters in the target it rises, so r's of"
        " two studies cannot be compared before the number of raters is."
    )
    return right, mistakes, learnt


def exercise_3(ns):
    """Add the two columns in a column of its own, and call `correlate_by_rater` with it."""
    readings, correlate = ns["readings"], ns["correlate_by_rater"]
    both = readings.assign(both=readings["name"] + readings["judge"])
    machines = both[both["writer"] != "NewYorker"]
    right, name = correlate(both, "both"), correlate(readings, "name")
    mistakes = [
        (name, "That is the name alone; add the judge's score to it."),
        (correlate(readings, "judge"), "That is the judge alone; add the name's guess to it."),
        (
            both["both"].corr(both["others"]),
            "That is one correlation over all experts; take it rater by rater.",
        ),
        (correlate(machines, "both"), "That is among machine stories; take all."),
    ]
    learnt = (
        f"The sum has {right:.2f}, the name alone {name:.2f}: added like this, the judge takes"
        " something away, though it follows the experts by itself. What a judge is worth depends on"
        " what is known already."
    )
    return right, mistakes, learnt
