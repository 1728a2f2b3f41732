"""Rate judges of the fourteen tests beside the experts."""

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from helpers.measures import agreement, baselines, intervals
from helpers.ttcw import data as ttcw

SPOKEN = dict(
    zip(
        [f"recorded/{name}" for name in ttcw.JUDGES],
        ["GPT-3.5", "GPT-4", "Claude 1.3", "Claude 2", "Claude 2.1", "Claude 3 Opus", "Gemini Pro"],
    )
)


def speak(judge):
    """Return the name of a judge for readers: 'Claude 3 Opus' for recorded/claude3-opus; others keep their own."""
    return SPOKEN.get(judge, judge)


def find_majority(verdicts):
    """Return one row a story and test: story, group, writer, test, votes (0-3), item, truth (two experts or more say Yes)."""
    table = verdicts.groupby(["story", "group", "writer", "test"], as_index=False)["passed"].sum()
    table = table.rename(columns={"passed": "votes"})
    return table.assign(
        item=table["story"] + "/" + table["test"].astype(str), truth=table["votes"] >= 2
    )


def add_answers(target, answers):
    """Return `target` (a column item) with one column a judge, named as readers say it: True, False, or missing.

    A judge that was asked several times is taken at its first usable answer.
    """
    usable = answers[answers["status"] == "ok"].drop_duplicates(["judge", "item"])
    said = usable.assign(judge=usable["judge"].map(speak)).pivot(
        index="item", columns="judge", values="yes"
    )
    return target.join(said.astype(object), on="item")


def rate(table, names, measure=agreement.balanced_accuracy):
    """Return one row a name (estimate, low, high, n: groups): its column of answers against `truth`.

    table: group, test, truth and a column of True, False or missing a name; rows without an answer are left out.
    `measure` gets answers and truth and, if it is `balanced_accuracy_within`, the tests. One group has no interval.
    """
    rows = {}
    for name in names:
        part = table.dropna(subset=[name])
        columns = [part[name].to_numpy(bool), part["truth"].to_numpy(bool)]
        columns += (
            [part["test"].to_numpy()] if measure is agreement.balanced_accuracy_within else []
        )

        def value(chosen, columns=columns):
            return measure(*(column[chosen] for column in columns))

        if part["group"].nunique() > 1:
            rows[name] = intervals.over_groups(part["group"], value)
        else:
            point = value(np.arange(len(part))) if len(part) else np.nan
            rows[name] = intervals.row(point, np.nan, np.nan, part["group"].nunique())
    return pd.DataFrame(rows).T


def calibrate(table, names):
    """Return for each name what its threshold hides: as answered, at the experts' rate, AUC (all over all tests).

    At the experts' rate: the answer and the test rates make a probability (fitted on the other groups), and Yes is
    said as often as the experts say it. A last row has the test rates alone.
    """
    rows = {}
    for name in [*names, None]:
        part = table if name is None else table.dropna(subset=[name])
        if part["group"].nunique() < 2 or part["truth"].nunique() < 2:
            continue  # a short live run has nothing to learn from
        truth, guess = part["truth"].to_numpy(bool), baselines.predict_probability(part, name)
        often = guess >= np.quantile(guess, 1 - truth.mean(), method="higher")
        answered = (
            [np.nan, np.nan]
            if name is None
            else [100 * part[name].mean(), agreement.balanced_accuracy(part[name], truth)]
        )
        rows[name or "test rates alone"] = [
            *answered,
            agreement.balanced_accuracy(often, truth),
            roc_auc_score(truth, guess),
        ]
    return pd.DataFrame(rows, index=["Yes, %", "as answered", "at the experts' rate", "AUC"]).T


def estimate_rate(table, name, labelled, draws, rng):
    """Return (rows, saved): what a few labels and a judge say about the experts' rate of Yes.

    rows: estimate, low, high, n of one random draw of `labelled` labels, alone and with the judge's answers to all.
    saved: the share of labels that the judge spares, 1 - (ratio of mean squared errors) over all draws.
    """
    part = table.dropna(subset=[name])
    truth, said = part["truth"].to_numpy(float), part[name].to_numpy(float)
    labelled = min(labelled, len(truth) // 2)
    alone, helped = [], []
    for _ in range(draws):
        order = rng.permutation(len(truth))
        mine, rest = order[:labelled], order[labelled:]
        alone.append(intervals.of_mean(truth[mine]))
        helped.append(baselines.calibrate_rate(truth[mine], said[mine], said[rest]))
    error = [
        np.mean([(one["estimate"] - truth.mean()) ** 2 for one in found])
        for found in (helped, alone)
    ]
    rows = {f"{labelled} labels alone": alone[0], f"{labelled} labels and {name}": helped[0]}
    return pd.DataFrame(rows).T, 1 - error[0] / error[1]


def add_scores(verdicts, answered):
    """Return one row a story: story, group, writer, expert (mean tests passed), a column a judge, jury, who wrote.

    Judges' scores are shares of Yes times 14; "who wrote" is the mean score of the same writer's other stories.
    """
    table = (
        verdicts.groupby(["story", "group", "writer"])["passed"]
        .sum()
        .div(3)
        .rename("expert")
        .reset_index()
    )
    spoken = answered.assign(judge=answered["judge"].map(speak))
    said = 14 * spoken.pivot_table(index="story", columns="judge", values="yes")
    table = table.join(said, on="story").join(said.mean(axis=1).rename("jury"), on="story")
    total, count = (table.groupby("writer")["expert"].transform(name) for name in ("sum", "size"))
    return table.assign(**{"who wrote": (total - table["expert"]) / (count - 1)})


def list_values(table, name, row):
    """Return {name: number} of one judge for programs: balanced_accuracy, ba_low, ba_high, kappa, yes, n (answers)."""
    part = table.dropna(subset=[name])
    kappa = agreement.cohen_kappa(part[name].to_numpy(bool), part["truth"])
    return {
        "balanced_accuracy": row["estimate"],
        "ba_low": row["low"],
        "ba_high": row["high"],
        "kappa": kappa,
        "yes": float(part[name].mean()),
        "n": len(part),
    }
