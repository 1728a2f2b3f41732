"""Rate judges of the fourteen tests beside the experts."""

import numpy as np
import pandas as pd

from helpers.measures import agreement, baselines, intervals
from helpers.sources.names import display_name

STRICT = "at the experts' rate"
UNREAD = ["which test", "who wrote"]


def find_majority(verdicts):
    """Return one row per story and test: story, group, writer, test, votes (0-3), item, truth (two
    experts or more say Yes)."""
    cases = verdicts.groupby(["story", "group", "writer", "test"])["passed"]
    table = cases.sum().rename("votes").reset_index()
    items = table["story"] + "/" + table["test"].astype(str)
    return table.assign(item=items, truth=table["votes"] >= 2)


def add_answers(target, answers):
    """Return `target` (a column item) with one column per judge, named as readers say it: True,
    False, or missing.

    A judge that was asked several times is taken at its first usable answer.
    """
    usable = answers[answers["status"] == "ok"].drop_duplicates(["judge", "item"])
    usable = usable.assign(judge=usable["judge"].map(display_name))
    said = usable.pivot(index="item", columns="judge", values="yes")
    return target.join(said.astype(object), on="item")


def rate(table, names, within=False):
    """Return balanced accuracy, one row per name (estimate, low, high, n: groups): its answers
    against `truth`.

    table: group, test, truth and a column of True, False or missing per name; rows without an
    answer are left out. within: the mean over the tests of the balanced accuracy on each. One group
    has no interval.
    """
    rows = {}
    for name in names:
        part = table.dropna(subset=[name])
        columns = [name, "truth", "test"] if within else [name, "truth"]
        cells = part[columns].to_numpy(object)

        def accuracy(chosen, cells=cells):
            return agreement.balanced_accuracy(*cells[chosen].T)

        rows[name] = intervals.over_groups(part["group"], accuracy)
    return pd.DataFrame(rows).T


def rank_within(table):
    """Return the mean over tests of the AUC of `score` (estimate, low, high, n: groups).

    table: group, test, truth, score; a test whose cases all passed or all failed is left out.
    """
    from sklearn.metrics import roc_auc_score

    def auc(chosen):
        tests = [part for _, part in table.iloc[chosen].groupby("test")]
        mixed = [part for part in tests if part["truth"].nunique() == 2]
        values = [roc_auc_score(part["truth"].astype(bool), part["score"]) for part in mixed]
        return np.mean(values or [np.nan])

    return intervals.over_groups(table["group"], auc)


def compare_threshold(table, names):
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
        truth, said = part["truth"].to_numpy(bool), [part[name].to_numpy(bool)]
        for extra in (name, None):
            guess = baselines.predict_probability(part, extra)
            said.append(guess >= np.quantile(guess, 1 - truth.mean(), method="higher"))

        def accuracy(chosen, truth=truth, said=said):
            return [agreement.balanced_accuracy(one[chosen], truth[chosen]) for one in said]

        def lead(chosen, accuracy=accuracy):
            _, judge, alone = accuracy(chosen)
            return judge - alone

        levels = [100 * part[name].mean(), *accuracy(slice(None))]
        levels = pd.Series(levels, ["Yes, %", "as answered", STRICT, "test rates alone"])
        rows[name] = pd.concat([levels, intervals.over_groups(part["group"], lead)])
    return pd.DataFrame(rows).T


def estimate_rate(table, name, labelled, rng):
    """Return what `labelled` labels, drawn at random, say about the experts' rate of Yes: alone,
    and with a judge.

    Rows estimate, low, high, n; with the judge's answers to all cases by `baselines.correct_rate`.
    """
    part = table.dropna(subset=[name])
    truth, said = part["truth"].to_numpy(float), part[name].to_numpy(float)
    labelled = min(labelled, len(truth) // 2)
    mine, rest = np.split(rng.permutation(len(truth)), [labelled])
    alone = intervals.of_mean(truth[mine])
    helped = baselines.correct_rate(truth[mine], said[mine], said[rest])
    rows = {f"{labelled} labels alone": alone, f"{labelled} labels and {name}": helped}
    return pd.DataFrame(rows).T


def add_unread(table):
    """Return `table` with columns of UNREAD: the chance of a pass that the test, or the writer,
    gives in the other groups.

    table: test, writer, truth, group.
    """
    who = table.assign(test=table["writer"])
    guesses = map(baselines.predict_probability, (table, who))
    return table.assign(**dict(zip(UNREAD, guesses)))


def count_saved(table, name, labelled, level=0.95):
    """Return how many of `labelled` labels a judge spares at best: r² (1 - labelled / cases) of
    them (estimate, low, high, n).

    r: of the judge's answers with the experts', 0 if negative. So much smaller is the variance of
    prediction-powered inference with the best weight (Angelopoulos, Duchi & Zrnic 2023).
    """
    part = table.dropna(subset=[name])
    said, truth = part[name].astype(float), part["truth"].astype(float)
    r = baselines.correlate_scores(said, truth, part["group"], level)
    rest = 1 - min(labelled / max(len(part), 1), 1)
    ends = labelled * r[["estimate", "low", "high"]].clip(lower=0) ** 2 * rest
    return intervals.row(*ends, r["n"])


def add_scores(verdicts, answered):
    """Return one row per story: story, group, writer, expert (mean tests passed), a column per
    judge, jury, who wrote.

    Judges' scores are shares of Yes times 14; "who wrote" is the mean score of the same writer's
    other stories.
    """
    people = verdicts.groupby(["story", "group", "writer"])["passed"].sum().div(3)
    spoken = answered.assign(judge=answered["judge"].map(display_name))
    said = 14 * spoken.pivot_table(index="story", columns="judge", values="yes")
    said["jury"] = said.mean(axis=1)
    table = people.rename("expert").reset_index().join(said, on="story")
    alike = table.groupby("writer")["expert"]
    others = alike.transform("size") - 1
    return table.assign(**{"who wrote": (alike.transform("sum") - table["expert"]) / others})


def against_others(verdicts, scores):
    """Return one row per story and expert: what `add_scores` returns, "a third expert" (tests
    passed by this expert) and `expert`, now the mean of the two others."""
    people = verdicts.groupby(["story", "expert"])["passed"].sum().rename("a third expert")
    table = scores.drop(columns="expert").merge(people.reset_index().drop(columns="expert"))
    given = table["a third expert"]
    return table.assign(expert=(given.groupby(table["story"]).transform("sum") - given) / 2)


def list_values(table, name, row):
    """Return {name: number} of one judge for programs: balanced_accuracy, ba_low, ba_high, kappa,
    yes, n (answers)."""
    part = table.dropna(subset=[name])
    values = {"balanced_accuracy": row["estimate"], "ba_low": row["low"], "ba_high": row["high"]}
    kappa = agreement.cohen_kappa(part[name].to_numpy(bool), part["truth"])
    return {**values, "kappa": kappa, "yes": float(part[name].mean()), "n": len(part)}
