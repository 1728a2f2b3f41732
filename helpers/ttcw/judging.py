"""Rate judges of the fourteen tests beside the experts."""

import numpy as np
import pandas as pd

from helpers.measures import agreement, baselines, intervals
from helpers.sources.names import display_name

STRICT = "at the experts' rate"


def find_majority(verdicts):
    """Return one row a story and test: story, group, writer, test, votes (0-3), item, truth (two
    experts or more say Yes)."""
    table = verdicts.groupby(["story", "group", "writer", "test"], as_index=False)["passed"].sum()
    table = table.rename(columns={"passed": "votes"})
    return table.assign(
        item=table["story"] + "/" + table["test"].astype(str), truth=table["votes"] >= 2
    )


def add_answers(target, answers):
    """Return `target` (a column item) with one column a judge, named as readers say it: True,
    False, or missing.

    A judge that was asked several times is taken at its first usable answer.
    """
    usable = answers[answers["status"] == "ok"].drop_duplicates(["judge", "item"])
    said = usable.assign(judge=usable["judge"].map(display_name)).pivot(
        index="item", columns="judge", values="yes"
    )
    return target.join(said.astype(object), on="item")


def rate(table, names, within=False):
    """Return balanced accuracy, one row a name (estimate, low, high, n: groups): its answers
    against `truth`.

    table: group, test, truth and a column of True, False or missing a name; rows without an answer
    are left out.
    within: the mean over the tests of the balanced accuracy on each. One group has no interval.
    """
    rows = {}
    for name in names:
        part = table.dropna(subset=[name])
        columns = [part[name].to_numpy(bool), part["truth"].to_numpy()]
        columns += [part["test"].to_numpy()] if within else []

        def value(chosen, columns=columns):
            return agreement.balanced_accuracy(*(column[chosen] for column in columns))

        rows[name] = intervals.over_groups(part["group"], value)
    return pd.DataFrame(rows).T


def calibrate(table, names):
    """Return what a judge gains if Yes is said as often as experts say it (balanced accuracy over
    all tests).

    Columns: Yes, %; as answered; at the experts' rate; test rates alone (for the same cases, at the
    same rate); and their difference estimate, low, high, n. The answer and the test rates make a
    probability, fitted on the other groups.
    """
    rows = {}
    for name in names:
        part = table.dropna(subset=[name])
        if part["group"].nunique() < 2 or part["truth"].nunique() < 2:
            continue  # a short live run has nothing to learn from
        truth, values = part["truth"].to_numpy(bool), []
        for extra in (name, None):
            guess = baselines.predict_probability(part, extra)
            values.append(guess >= np.quantile(guess, 1 - truth.mean(), method="higher"))
        score = [agreement.balanced_accuracy(said, truth) for said in (part[name], *values)]

        def lead(chosen, values=values, truth=truth):
            one, other = (
                agreement.balanced_accuracy(said[chosen], truth[chosen]) for said in values
            )
            return one - other

        columns = ["Yes, %", "as answered", STRICT, "test rates alone"]
        rows[name] = pd.concat(
            [
                pd.Series([100 * part[name].mean(), *score], columns),
                intervals.over_groups(part["group"], lead),
            ]
        )
    return pd.DataFrame(rows).T


def estimate_rate(table, name, labelled, rng):
    """Return what `labelled` labels, drawn at random, say about the experts' rate of Yes: alone,
    and with a judge.

    Rows estimate, low, high, n; with the judge's answers to all cases by
    `baselines.correct_rate`.
    """
    part = table.dropna(subset=[name])
    truth, said = part["truth"].to_numpy(float), part[name].to_numpy(float)
    labelled = min(labelled, len(truth) // 2)
    mine, rest = np.split(rng.permutation(len(truth)), [labelled])
    return pd.DataFrame(
        {
            f"{labelled} labels alone": intervals.of_mean(truth[mine]),
            f"{labelled} labels and {name}": baselines.correct_rate(
                truth[mine], said[mine], said[rest]
            ),
        }
    ).T


def count_saved(table, name, labelled):
    """Return how many of `labelled` labels a judge spares at best: r² (1 - labelled / cases) of
    them (estimate, low, high, n).

    r: of the judge's answers with the experts', 0 if negative. So much smaller is the variance of
    prediction-powered inference with the best weight (Angelopoulos, Duchi & Zrnic 2023).
    """
    part = table.dropna(subset=[name])
    r = baselines.correlate_scores(
        part[name].astype(float), part["truth"].astype(float), part["group"]
    )
    ends = (
        labelled
        * r[["estimate", "low", "high"]].clip(lower=0) ** 2
        * (1 - min(labelled / max(len(part), 1), 1))
    )
    return intervals.row(*ends, r["n"])


def add_scores(verdicts, answered):
    """Return one row a story: story, group, writer, expert (mean tests passed), a column a judge,
    jury, who wrote.

    Judges' scores are shares of Yes times 14; "who wrote" is the mean score of the same writer's
    other stories.
    """
    table = (
        verdicts.groupby(["story", "group", "writer"])["passed"]
        .sum()
        .div(3)
        .rename("expert")
        .reset_index()
    )
    spoken = answered.assign(judge=answered["judge"].map(display_name))
    said = 14 * spoken.pivot_table(index="story", columns="judge", values="yes")
    table = table.join(said, on="story").join(said.mean(axis=1).rename("jury"), on="story")
    others = table.groupby("writer")["expert"]
    return table.assign(
        **{
            "who wrote": (
                (others.transform("sum") - table["expert"]) / (others.transform("size") - 1)
            )
        }
    )


def list_values(table, name, row):
    """Return {name: number} of one judge for programs: balanced_accuracy, ba_low, ba_high, kappa,
    yes, n (answers)."""
    part = table.dropna(subset=[name])
    values = {"balanced_accuracy": row["estimate"], "ba_low": row["low"], "ba_high": row["high"]}
    kappa = agreement.cohen_kappa(part[name].to_numpy(bool), part["truth"])
    return {**values, "kappa": kappa, "yes": float(part[name].mean()), "n": len(part)}
