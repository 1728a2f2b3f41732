"""Does a judge say the same again: in the other order, and when asked again?"""

from functools import partial

import numpy as np
import pandas as pd

from goodjudge.stats import intervals


def count_turned(first, second, groups=None):
    """Return how often a preference turns when two texts change places (n: comparisons or groups).

    first, second: how much the same text is preferred in the two orders; a tie in either counts as
    no preference. groups: what belongs together, such as the questions about one story; without it
    every comparison stands for itself.
    """
    first = np.sign(np.asarray(first, float))
    second = np.sign(np.asarray(second, float))
    decided = (first != 0) & (second != 0)
    turned = (first != second)[decided]
    if groups is None:
        return intervals.of_share(turned.sum(), decided.sum())
    groups = np.asarray(groups)[decided]
    return intervals.over_groups(groups, lambda rows: turned[rows].mean())


def count_repeated(data, scores, level=0.95):
    """Return how often two answers to the same question are the same: one row per judge (estimate,
    low, high, n: groups), the mean over the questions asked more than once.

    data: `Ratings`; scores: item, judge, score and perhaps aspect, order, partner, status (only
    "ok" counts). A judge that was never asked twice has no row.
    """
    if "status" in scores:
        scores = scores[scores["status"] == "ok"]
    names = ["judge", "item", "aspect", "order", "partner"]
    question = [name for name in names if name in scores]
    answers = scores.groupby([*question, "score"]).size().rename("times").reset_index()
    answers["pairs"] = answers["times"] * (answers["times"] - 1)  # of the same answer
    asked = answers.groupby(question)[["times", "pairs"]].sum().reset_index()
    repeated = asked[asked["times"] > 1]
    share = repeated["pairs"] / (repeated["times"] * (repeated["times"] - 1))
    group = repeated["item"].map(data.items.set_index("item")["group"])
    repeated = repeated.assign(same=share, group=group)
    rows = {}
    for judge, own in repeated.groupby("judge", sort=False):
        groups = own["group"].to_numpy()
        if own["group"].nunique() < 2:
            groups = np.arange(len(own))
        average = partial(average_of, own["same"].to_numpy())
        rows[judge] = intervals.over_groups(groups, average, level)
    return pd.DataFrame(rows).T


def average_of(values, places):
    """Return the mean of the values at some places."""
    return values[places].mean()


def find_kappas(given, pairs, beside):
    """Return how far answers to the same question agree beyond chance: a row (estimate, low, high,
    n: groups) for each of {name: pairs of judges}, the mean of Cohen's kappa over its pairs, and
    the paired difference from the row `beside`: less, less low, less high.

    given: a column per judge of 1, 0 or nothing, a row per question, with a level `group`.
    """
    groups = given.index.get_level_values("group")
    kappa, without = {}, {}  # by name: over all questions, and without each group
    for name in pairs:
        average = partial(average_kappa, list_answers(given, pairs[name]))
        kappa[name] = average(np.arange(len(given)))
        without[name] = intervals.leave_out(groups, average)
    rows = {}
    for name in pairs:
        row = intervals.combine(kappa[name], [without[name]], scale="correlation")
        if name != beside:
            less_without = without[name] - without[beside]
            less = intervals.combine(kappa[name] - kappa[beside], [less_without]).drop("n")
            row = pd.concat([row, less.set_axis(["less", "less low", "less high"])])
        rows[name] = row
    return pd.DataFrame(rows).T


def list_answers(given, pairs):
    """Return the answers of each pair of judges, questions x 2; given: of `find_kappas`; pairs: two
    columns of it each."""
    return [given[[first, second]].to_numpy(float) for first, second in pairs]


def average_kappa(answers, chosen):
    """Return the mean of Cohen's kappa over pairs of judges, on some of the questions.

    answers: of `list_answers`; chosen: positions of rows.
    """
    kappas = [find_kappa(*of_pair[chosen].T) for of_pair in answers]
    return np.nanmean(kappas)


def find_kappa(first, second):
    """Return Cohen's kappa of two judges' answers (1, 0, nan), where both answered; nan where both
    always say the same."""
    both = ~np.isnan(first + second)
    first, second = first[both], second[both]
    same = (first == second).mean()
    first_yes, second_yes = first.mean(), second.mean()
    chance = first_yes * second_yes + (1 - first_yes) * (1 - second_yes)
    return (same - chance) / (1 - chance) if chance < 1 else np.nan
