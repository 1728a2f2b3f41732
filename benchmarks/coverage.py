"""How often do the notebooks' '95 %' intervals hold the truth? Seeded simulations; writes results/coverage.csv.

Each case draws made-up studies of the size of the real one, takes the interval that the notebook takes (beside a percentile
bootstrap or another one, where that is the usual choice) and counts how often it holds the value of a very large
study. Run it: python benchmarks/coverage.py (about five minutes).
"""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.evolvr import compare
from helpers.measures import agreement, baselines, intervals

GROUPS, TRIALS, REPLICATES, SEED = 12, 400, 300, 20261121
HERE = Path(__file__).resolve().parent
PANELS = [8, 6, 4, 4, 3, 2, 2, 1, 1, 1, 1]  # more or less in how many of twelve groups each of eleven experts read
JACKKNIFE, BOOTSTRAP = "jackknife-t", "percentile bootstrap"


def draw_panel(rng, groups=GROUPS, same=False):
    """Return passes (groups, 4 stories, 3 experts, 14 tests): writers, stories, tests and experts who differ.

    same: a few experts read most groups, as in the real study, instead of three new ones a group.
    """
    writer = np.array([-1.4, -0.6, -0.5, 1.0])[None, :, None, None]
    story, expert = rng.normal(size=(groups, 4, 1, 1)), rng.normal(size=(groups, 1, 3, 1))
    if same:
        left, seats = np.array(PANELS), np.empty((groups, 3), int)
        for group in range(groups):  # the three that have most groups left to read
            seats[group] = np.argsort(-left, kind="stable")[:3]
            left[seats[group]] -= 1
        expert = rng.normal(size=len(PANELS))[seats][:, None, :, None] * 0.8 + 0.6 * expert
    return writer + 0.3 * story + 0.5 * expert + rng.normal(size=(groups, 4, 3, 14)) > 0


def kappa(passes):
    """Return the mean Fleiss' kappa of 14 tests."""
    return float(np.nanmean(agreement.fleiss_kappa(passes.sum(axis=2).reshape(-1, passes.shape[-1]))))


def correlation(passes, severity=True):
    """Return r between two experts' scores of a story; severity=False takes each expert's mean in the group away."""
    scores = passes.sum(axis=3).astype(float)
    scores = scores if severity else scores - scores.mean(axis=1, keepdims=True)
    return agreement.pair_correlation(scores.reshape(-1, 3))


def difference(passes):
    """Return the difference of two paired shares: tests passed under the second and the third writer."""
    return float(passes[:, 2].mean() - passes[:, 1].mean())


def over_groups(statistic, passes, rng, scale=None):
    """Return {method: row} of a statistic of whole groups."""
    drawn = [statistic(passes[rng.integers(len(passes), size=len(passes))]) for _ in range(REPLICATES)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    found = intervals.over_groups(np.arange(len(passes)), lambda rows: statistic(passes[rows]), scale=scale)
    return {BOOTSTRAP: intervals.row(found["estimate"], low, high, GROUPS), JACKKNIFE: found}


def draw_judged(rng, groups=GROUPS):
    """Return cases (group, test, truth, said): the majority of three experts and a judge that sees a little of the story."""
    test, story = rng.normal(0, 0.7, size=14), rng.normal(size=(groups, 4, 1))
    writer = np.array([-1.0, -0.5, -0.5, 1.0])[None, :, None]
    expert = rng.normal(0, 0.5, size=(groups, 1, 3))
    votes = (writer + 0.4 * story + test)[..., None] + expert[:, :, None] + rng.normal(size=(groups, 4, 14, 3)) > 0
    said = 0.8 + 0.25 * (writer + story) + 0.5 * test + rng.normal(size=(groups, 4, 14)) > 0
    place = np.indices(said.shape)
    return pd.DataFrame({"group": place[0].ravel(), "test": place[2].ravel(), "truth": (votes.sum(axis=3) >= 2).ravel(),
                         "said": said.ravel()})


def within_tests(cases, rng=None):
    """Return {method: row} of the judge's balanced accuracy within tests."""
    said, truth, test = (cases[name].to_numpy() for name in ("said", "truth", "test"))

    def value(rows):
        return agreement.balanced_accuracy_within(said[rows], truth[rows], test[rows])

    return {JACKKNIFE: intervals.over_groups(cases["group"], value)}


def gain_in_auc(cases, rng):
    """Return {method: row} of what the judge adds to knowing the tests, fitted on other groups."""
    return {JACKKNIFE: baselines.gain_in_auc(cases, "said")}


def draw_ranked(rng, groups=GROUPS, stories=3, gain=0.5):
    """Return two judges' pairwise accuracy in each group (groups x 2): the second hears more of what people say."""
    people = rng.normal(size=(groups, stories))
    judges = [weight * people + rng.normal(size=(groups, stories)) for weight in (0.3, 0.3 + gain)]
    first, second = np.triu_indices(stories, 1)
    order = [np.sign(scores[:, first] - scores[:, second]) for scores in (people, *judges)]
    return np.stack([(one == order[0]).mean(axis=1) for one in order[1:]], axis=1)


def lead(accuracies, rng=None):
    """Return {method: row} of the second judge's lead by Student's t over groups."""
    return {"Student's t": intervals.of_mean(accuracies[:, 1] - accuracies[:, 0])}


def draw_rated(rng, systems=11, prompts=96):
    """Return (predicted, target, prompts, systems) of stories: ten machines differ, and people are far better."""
    writer, prompt = rng.normal(size=(systems, 1)), 0.3 * rng.normal(size=(1, prompts))
    writer = np.where(np.arange(systems)[:, None] % 11 == 0, 3.0 + 0.3 * writer, 0.5 * writer)
    story = 0.7 * rng.normal(size=(systems, prompts))
    target = writer + prompt + story + 0.5 * rng.normal(size=story.shape)
    predicted = 0.8 * writer + 0.5 * story + rng.normal(0, 0.5, size=(systems, 1)) + rng.normal(0, 0.6, size=story.shape)
    place = np.indices(story.shape).reshape(2, -1)
    return predicted.reshape(1, -1), target.reshape(1, -1), place[1], place[0]


def pooled(rated, rng):
    """Return {method: row} of Pearson's r over stories: for new prompts alone, and for new prompts and new writers."""
    predicted, target, prompts, systems = rated
    value = compare.correlate(predicted, target)
    return {"prompts only": intervals.over_groups(prompts, value, scale="correlation"),
            "two-way jackknife": intervals.two_way(systems, prompts, value, scale="correlation")}


def count(draw, interval, truth, trials, rng):
    """Return {method: row} of the share of intervals that hold `truth` (None: the mean estimate of all studies)."""
    found = [interval(draw(rng), rng) for _ in range(trials)]
    truth = np.mean([next(iter(one.values()))["estimate"] for one in found]) if truth is None else truth
    return {method: intervals.of_share(sum(one[method]["low"] <= truth <= one[method]["high"] for one in found), trials)
            for method in found[0]}


def cases():
    """Return {(statistic, notebooks): (draw, interval, truth from a generator, or None)}."""
    def study(statistic, scale=None, same=False):
        return (partial(draw_panel, same=same), lambda passes, rng: over_groups(statistic, passes, rng, scale),
                lambda rng: statistic(draw_panel(rng, 3000)))

    inside = partial(correlation, severity=False)
    return {
        ("mean kappa, all stories", "01"): study(kappa),
        ("mean kappa, machine stories", "01"): study(lambda passes: kappa(passes[:, :3])),
        ("r between experts, new experts a group", "01"): study(correlation, "correlation"),
        ("r between experts, as few experts as there are", "01"): study(correlation, "correlation", same=True),
        ("r between experts, severity removed, as few experts", "01"): study(inside, "correlation", same=True),
        ("difference of two writers", "01"): study(difference),
        ("balanced accuracy within tests", "02"):
            (draw_judged, within_tests, lambda rng: within_tests(draw_judged(rng, 1000))[JACKKNIFE]["estimate"]),
        ("gain in AUC over knowing the tests", "02"): (draw_judged, gain_in_auc, None),
        ("lead in pairwise accuracy, 12 groups", "03"):
            (draw_ranked, lead, lambda rng: np.diff(draw_ranked(rng, 3000).mean(axis=0))[0]),
        ("lead in pairwise accuracy, 5 groups of 12", "03b"):
            (partial(draw_ranked, groups=5, stories=12), lead,
             lambda rng: np.diff(draw_ranked(rng, 2000, 12).mean(axis=0))[0]),
        ("r with ratings, 11 writers and 96 prompts", "05"):
            (draw_rated, pooled, lambda rng: pooled_truth(draw_rated(rng, 2200, 200))),
    }


def pooled_truth(rated):
    """Return Pearson's r over the stories of a very large study."""
    return float(np.corrcoef(rated[0][0], rated[1][0])[0, 1])


def simulate(trials=TRIALS, only=None):
    """Return the table: statistic, notebook, method, estimate, low, high (coverage with its own interval), n (trials)."""
    rows = []
    for number, ((name, notebook), (draw, interval, truth)) in enumerate(cases().items()):
        rng = np.random.default_rng([SEED, number])
        if only is None or name == only:
            found = count(draw, interval, truth and truth(rng), trials, rng)
            rows += [{"statistic": name, "notebook": notebook, "method": method, **row.round(3)} for method, row in found.items()]
    return pd.DataFrame(rows).astype({"n": int})


if __name__ == "__main__":
    simulate().to_csv(HERE / "results" / "coverage.csv", index=False)
