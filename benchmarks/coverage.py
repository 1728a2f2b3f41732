"""How often do '95 %' intervals over twelve story groups hold the truth? A seeded simulation;
writes results/coverage.csv.

Statistics of notebooks 01 and 02 under three intervals: the percentile bootstrap over groups, the
grouped jackknife with Student's t (`intervals.over_groups`), and Student's t on the groups' own
values. "Few experts": a few experts read many groups, as in the release (which is read for who read
what). Then the leads of notebooks 03 and S2, and notebook 05's r over eleven writers, for new
prompts alone and for new writers too; last, `compare` itself. Run it: python benchmarks/coverage.py
"""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.data import ratings
from goodjudge.stats import intervals
from goodjudge.stats import metrics as statistics

from helpers import agreement
from helpers.ttcw import adds
from helpers.ttcw import load as ttcw

GROUPS, TRIALS, REPLICATES, SEED = 12, 400, 300, 20261121
HERE = Path(__file__).resolve().parent
WRITERS = np.array([-1.4, -0.6, -0.5, 1.0])[None, :, None, None]
TESTS = np.linspace(-0.6, 0.6, 14)


def draw_panel(rng, groups=GROUPS, panels=None):
    """Return passes (groups, 4 stories, 3 experts and a judge, 14 tests): writers, stories, tests
    and experts differ.

    panels: the numbers of each group's three experts; without it every group has three of its own.
    """
    story, own = rng.normal(size=(groups, 4, 1, 1)), rng.normal(size=(groups, 3))
    severity = 0.5 * own
    if panels is not None:
        severity = 0.42 * rng.normal(size=panels.max() + 1)[panels] + 0.27 * own
    experts = WRITERS + TESTS + 0.3 * story + severity[:, None, :, None]
    judge = 0.6 + 0.3 * (WRITERS + TESTS) + 0.3 * story
    return np.concatenate([experts, judge], axis=2) + rng.normal(size=(groups, 4, 4, 14)) > 0


def kappa(passes):
    """Return the mean Fleiss' kappa of 14 tests."""
    return float(np.nanmean(agreement.fleiss_kappa(passes[:, :, :3].sum(axis=2).reshape(-1, 14))))


def machine_kappa(passes):
    """Return the mean Fleiss' kappa of the three machines' stories."""
    return kappa(passes[:, :3])


def correlation(passes):
    """Return r between two experts' scores of a machine story, pooled."""
    return agreement.pair_correlation(passes[:, :3, :3].sum(axis=3).reshape(-1, 3))


def fair_correlation(passes):
    """Return the same r with each expert's severity in the group removed."""
    scores = passes[:, :3, :3].sum(axis=3)
    scores = scores - scores.mean(axis=1, keepdims=True)
    return agreement.pair_correlation(scores.reshape(-1, 3))


def difference(passes):
    """Return the difference of two paired shares: tests passed under the second and the third
    writer."""
    return float(passes[:, 2, :3].mean() - passes[:, 1, :3].mean())


def agreed(passes):
    """Return the cases on which two experts agree, as `ratings.find_cases` does, and the judge's
    answer: group, aspect, target, judge."""
    total = passes[:, :, :3].sum(axis=2, keepdims=True) - passes[:, :, :3]
    group, _, _, aspect = np.indices(total.shape)
    judge = np.broadcast_to(passes[:, :, 3:], total.shape)
    columns = {"group": group, "aspect": aspect, "target": total / 2, "judge": judge}
    table = pd.DataFrame({name: column.ravel() for name, column in columns.items()})
    return table[total.ravel() != 1]


def accuracy(passes):
    """Return the judge's balanced accuracy within tests."""
    columns = ("judge", "target", "aspect")
    return statistics.balanced_accuracy(*(agreed(passes)[name].to_numpy() for name in columns))


def find_intervals(passes, statistic, rng):
    """Return {method: estimate, low, high} for one data set."""
    if statistic == "gain":
        cases = agreed(passes)
        return {"jackknife-t": adds.find_gain(cases, cases["judge"])}
    groups = np.arange(len(passes))
    scale = "correlation" if statistic in (correlation, fair_correlation) else None
    found = {}
    if statistic not in (fair_correlation, accuracy):  # slow, and no notebook uses it
        many = [rng.integers(len(groups), size=len(groups)) for _ in range(REPLICATES)]
        ends = np.nanpercentile([statistic(passes[rows]) for rows in many], [2.5, 97.5])
        found["percentile bootstrap"] = intervals.row(statistic(passes), *ends, len(groups))
    found["jackknife-t"] = intervals.over_groups(
        groups, lambda rows: statistic(passes[rows]), scale=scale
    )
    if statistic is difference:
        own = [difference(passes[[group]]) for group in groups]
        found["t on the groups' values"] = intervals.of_mean(own)
    return found


def measure(statistic, trials, rng, panels=None):
    """Return one row per method: the share of intervals that hold the value of a panel of 3,000
    groups.

    A gain in AUC depends on how many groups one learns from; its truth is the mean over all trials.
    """
    truth = None if statistic == "gain" else statistic(draw_panel(rng, 3000))
    found = [find_intervals(draw_panel(rng, panels=panels), statistic, rng) for _ in range(trials)]
    rows = {}
    for method in found[0]:
        table = pd.DataFrame([one[method] for one in found])
        value = table["estimate"].mean() if truth is None else truth
        rows[method] = intervals.of_share(
            ((table["low"] <= value) & (value <= table["high"])).sum(), trials
        )
    return rows


def draw_ranked(rng, groups=GROUPS, stories=3, gain=0.5):
    """Return two judges' pairwise accuracy in each group (groups x 2): the second hears more of
    what people say."""
    people = rng.normal(size=(groups, stories))
    judges = [weight * people + rng.normal(size=(groups, stories)) for weight in (0.3, 0.3 + gain)]
    first, second = np.triu_indices(stories, 1)
    order = [np.sign(scores[:, first] - scores[:, second]) for scores in (people, *judges)]
    return np.stack([(one == order[0]).mean(axis=1) for one in order[1:]], axis=1)


def lead(accuracies):
    """Return {method: row} of the second judge's lead by Student's t over groups."""
    return {"Student's t": intervals.of_mean(accuracies[:, 1] - accuracies[:, 0])}


def draw_rated(rng, systems=11, prompts=96):
    """Return (predicted, target, prompts, systems) of stories: ten machines differ, and people are
    far better."""
    writer, prompt = rng.normal(size=(systems, 1)), 0.3 * rng.normal(size=(1, prompts))
    writer = np.where(np.arange(systems)[:, None] % 11 == 0, 3.0 + 0.3 * writer, 0.5 * writer)
    story = 0.7 * rng.normal(size=(systems, prompts))
    target = writer + prompt + story + 0.5 * rng.normal(size=story.shape)
    predicted = 0.8 * writer + 0.5 * story
    predicted = predicted + rng.normal(0, 0.5, size=(systems, 1))
    predicted = predicted + rng.normal(0, 0.6, size=story.shape)
    place = np.indices(story.shape).reshape(2, -1)
    return predicted.reshape(1, -1), target.reshape(1, -1), place[1], place[0]


def two_way(first, second, statistic, level=0.95, scale=None):
    """Return a row of an interval over both kinds of groups, such as systems and prompts."""
    cells = pd.factorize(pd.MultiIndex.from_arrays([first, second]))[0]
    parts = [intervals.leave_out(groups, statistic) for groups in (first, second, cells)]
    return intervals.combine(statistic(np.arange(len(first))), parts, level, scale)


def pooled(rated):
    """Return {method: row} of Pearson's r over stories: for new prompts alone, and for new prompts
    and new writers."""
    (predicted,), (target,), prompts, systems = rated

    def value(rows):
        return np.corrcoef(predicted[rows], target[rows])[0, 1]

    return {
        "prompts only": intervals.over_groups(prompts, value, scale="correlation"),
        "two-way jackknife": two_way(systems, prompts, value, scale="correlation"),
    }


def pooled_truth(rated):
    """Return Pearson's r over the stories of a very large study."""
    return float(np.corrcoef(rated[0][0], rated[1][0])[0, 1])


def measure_others(trials, rng):
    """Return {(statistic, method): row} for the intervals of notebooks 03, S2 and 05."""
    twelve = np.diff(draw_ranked(rng, 3000).mean(axis=0))[0]
    five = np.diff(draw_ranked(rng, 2000, 12).mean(axis=0))[0]
    rated = pooled_truth(draw_rated(rng, 2200, 200))
    cases = {
        "lead in pairwise accuracy, 12 groups": (draw_ranked, lead, twelve),
        "lead in pairwise accuracy, 5 groups of 12": (
            partial(draw_ranked, groups=5, stories=12),
            lead,
            five,
        ),
        "r with ratings, 11 writers": (draw_rated, pooled, rated),
    }
    rows = {}
    for name, (draw, interval, truth) in cases.items():
        found = [interval(draw(rng)) for _ in range(trials)]
        for method in found[0]:
            hits = sum(one[method]["low"] <= truth <= one[method]["high"] for one in found)
            rows[name, method] = intervals.of_share(hits, trials)
    return rows


def draw_study(rng, groups=GROUPS, writers=4, binary=False):
    """Return (Ratings, scores of a judge): three raters of each group rate a text of every writer,
    on six aspects where they say Yes or No; the judge has tastes of its own in writers."""
    group, writer = np.indices((groups, writers)).reshape(2, -1)
    items = pd.DataFrame({"item": range(len(group)), "group": group, "writer": writer})
    level, taste = 0.7 * rng.normal(size=writers), 0.3 * rng.normal(size=writers)
    level, taste = (level, taste) if writers > 4 else (WRITERS.ravel(), 0 * taste)
    true = level[writer] + 0.3 * rng.normal(size=groups)[group] + 0.7 * rng.normal(size=len(group))
    aspects = TESTS[:6] if binary else [0.0]
    item, rater, aspect = np.indices((len(group), 3, len(aspects))).reshape(3, -1)
    severity, own = 0.5 * rng.normal(size=(groups, 3)), rng.normal(size=len(item))
    said = true[item] + np.asarray(aspects)[aspect] + severity[group[item], rater] + own
    score = (said > 0) * 1.0 if binary else said
    rater = 3 * group[item] + rater
    table = pd.DataFrame({"item": item, "rater": rater, "aspect": aspect, "score": score})
    one = table.drop_duplicates(["item", "aspect"])[["item", "aspect"]]
    guess = 0.5 * true[one["item"]] + taste[writer[one["item"]]] + 0.7 * rng.normal(size=len(one))
    score = (guess > 0) * 1.0 if binary else guess
    return ratings.Ratings(items, table, "simulated"), one.assign(judge="judge", score=score)


DESIGNS = {  # name: (what is drawn, the comparison, the large study whose values are the truth)
    "r, 12 groups": ({}, (statistics.pearson, {}), {"groups": 600}),
    "balanced accuracy, 12 groups": (
        {"binary": True},
        (statistics.balanced_accuracy, {"within": ("aspect",)}),
        {"groups": 600},
    ),
    "r, 40 groups x 11 writers": (
        {"groups": 40, "writers": 11},
        (statistics.pearson, {"over": ("writer", "group")}),
        {"groups": 200, "writers": 200},
    ),
}


def measure_compare(trials, rng):
    """Return {(statistic, method): row} for the intervals of `compare`: of a judge, and of its
    leads.

    How good a control is depends on how many groups it learns from, so the truth of the lead over
    it is the mean over all trials.
    """
    compare.STUDIES, rows = 2, {}  # the ceiling is not asked for
    for name, (drawn, (one, options), large) in DESIGNS.items():
        method = "two-way jackknife" if "over" in options else "jackknife-t"
        true = compare.compare(*draw_study(rng, **drawn | large), one, **options).loc["judge"]
        studies = [draw_study(rng, **drawn) for _ in range(trials)]
        found = pd.DataFrame([compare.compare(*s, one, **options).loc["judge"] for s in studies])
        for which in ("estimate", "over control", "over person"):
            value = found[which].mean() if which == "over control" else true[which]
            ends = ("low", "high") if which == "estimate" else (f"{which} low", f"{which} high")
            hits = (found[ends[0]] <= value) & (value <= found[ends[1]])
            label = f"judge {which}" if which != "estimate" else "judge"
            rows[f"compare: {name}, {label}", method] = intervals.of_share(hits.sum(), trials)
    return rows


def simulate(trials=TRIALS):
    """Return the table: statistic, method, estimate, low, high (coverage with its own interval), n
    (trials)."""
    verdicts = ttcw.load_verdicts().drop_duplicates(["group", "expert"])
    verdicts = verdicts.sort_values(["group", "expert"])
    panels = pd.factorize(verdicts["expert"], sort=True)[0].reshape(GROUPS, 3)
    cases = {
        "mean kappa, all stories": (kappa, None),
        "mean kappa, machine stories": (machine_kappa, None),
        "r between experts": (correlation, None),
        "r between experts, few experts": (correlation, panels),
        "r within a group, few experts": (fair_correlation, panels),
        "difference of two writers": (difference, None),
        "balanced accuracy within tests": (accuracy, None),
        "gain in AUC": ("gain", None),
    }
    rows = []
    for number, (name, (statistic, layout)) in enumerate(cases.items()):
        rng = np.random.default_rng([SEED, number])
        for method, row in measure(statistic, trials, rng, layout).items():
            rows.append({"statistic": name, "method": method, **row.round(3)})
    others = measure_others(trials, np.random.default_rng([SEED, len(cases)]))
    others |= measure_compare(trials, np.random.default_rng([SEED, len(cases) + 1]))
    for (name, method), row in others.items():
        rows.append({"statistic": name, "method": method, **row.round(3)})
    return pd.DataFrame(rows).astype({"n": int})


if __name__ == "__main__":
    simulate().to_csv(HERE / "results" / "coverage.csv", index=False)
