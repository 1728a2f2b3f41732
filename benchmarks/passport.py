"""The instrument's passport: `compare` on studies whose truth is known, design by design.

Each design draws studies: items, raters, a judge. An oracle, a judge that is handed what all raters
share about each item, goes through `compare` like any judge. What is held against what:

- *judge*, *person*, *lead over the person*: their mean over all studies of the design is the truth
  for their intervals, since point estimates are means of what a study of this size shows;
- *ceiling*: its mean against the oracle's mean; its interval against the oracle's mean;
- *found*: the share of clear leads over the control that the card promises a perfect judge against
  the oracle's true share.

Run it: python benchmarks/passport.py [STUDIES] [DESIGN ...]; results/passport.csv is written after
each design, and a design that is run again replaces its line. Studies are seeded one by one.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from helpers.measures import agreement, compare, ratings, statistics

STUDIES, SEED = 200, 20261123
RESULTS = Path(__file__).resolve().parent / "results" / "passport.csv"
PANELS = [  # the experts of twelve plots in a released study, by number
    [9, 1, 7], [9, 4, 8], [4, 8, 6], [9, 3, 10], [9, 3, 2], [9, 3, 1],
    [4, 10, 3], [9, 1, 3], [9, 4, 6], [9, 10, 5], [10, 8, 0], [9, 3, 1],
]  # fmt: skip


class Study:
    """A drawn study: items, ratings, the oracle's knowledge and a judge's scores.

    data: `Ratings`; true, judge: a score per item (and aspect); how: what `compare` is told.
    """

    def __init__(self, items, rows, true, judge, measure=statistics.pearson, **how):
        self.data = ratings.Ratings(items, rows, "simulated")
        self.scores = pd.concat([name_judge(true, "oracle"), name_judge(judge, "judge")])
        self.measure, self.how = measure, how


def name_judge(scores, judge):
    """Return scores as `compare` takes them."""
    return scores.assign(judge=judge)


def rate(rng, true, panel, severity=0.0, error=1.0, scale=None):
    """Return rows item, rater, score: each item rated by the raters of its row of `panel`.

    true: one value per item; panel: items x raters, a rater's number; scale: of each rater.
    """
    item, place = np.indices(panel.shape).reshape(2, -1)
    rater = panel[item, place]
    own = severity * rng.normal(size=panel.max() + 1)
    said = true[item] + error * rng.normal(size=len(item))
    if scale is not None:
        said = said * scale[rater]
    return pd.DataFrame({"item": item, "rater": rater, "score": said + own[rater]})


def per_item(values):
    """Return one score per item as a table."""
    return pd.DataFrame({"item": np.arange(len(values)), "score": values})


def common(n, raters=3):
    """Return a panel in which the same raters rate all items."""
    return np.tile(np.arange(raters), (n, 1))


def deal(rng, n, raters, each):
    """Return a panel of n items x raters in which every rater has about `each` items."""
    many = max(n * raters // each, raters)
    while True:
        slots = np.repeat(np.arange(many), int(np.ceil(n * raters / many)))[: n * raters]
        panel = rng.permutation(slots).reshape(n, raters)
        for _ in range(200):
            twice = [i for i in range(n) if len(set(panel[i])) < raters]
            if not twice:
                return panel
            for i in twice:
                j, a, b = rng.integers(n), *rng.integers(raters, size=2)
                panel[i, a], panel[j, b] = panel[j, b], panel[i, a]


def make_items(n, per_group=1, **known):
    """Return a table of items; every `per_group` items are one group."""
    return pd.DataFrame({"item": np.arange(n), "group": np.arange(n) // per_group, **known})


def essays(rng, n=60, spread=1.0, noise_in_judge=1.0, raters=3, **known):
    """Return a study of independent items, the same raters for all."""
    true = spread * rng.normal(size=n)
    rows = rate(rng, true, common(n, raters), severity=0.5)
    return Study(make_items(n, **known), rows, per_item(true), guess(rng, true, noise_in_judge))


def guess(rng, true, noise):
    """Return the scores of a judge that hears the truth through noise."""
    return per_item(true + noise * rng.normal(size=len(true)))


def noise_with_writers(rng, writers):
    """Return a study without any true difference, whose items have writers."""
    return essays(rng, spread=0.0, writer=np.arange(60) % writers)


def noise_with_counts(rng):
    """Return a study without any true difference, with eleven random counts of its items."""
    counts = {f"count {k}": rng.normal(size=60) for k in range(11)}
    return essays(rng, spread=0.0, **counts)


def true_writers(rng, own=False):
    """Return a study of items by five writers who differ, or each by a writer of its own."""
    writer = np.arange(60) if own else np.arange(60) % 5
    level = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])[writer % 5]
    true = level + 0.7 * rng.normal(size=60)
    rows = rate(rng, true, common(60), severity=0.5)
    return Study(make_items(60, writer=writer), rows, per_item(true), guess(rng, true, 1.0))


def crowd(rng, each, spread):
    """Return a study rated by a crowd: six ratings an item, `each` items a rater, severity off."""
    true = spread * rng.normal(size=60)
    rows = rate(rng, true, deal(rng, 60, 3, each), severity=0.7)
    study = Study(make_items(60), rows, per_item(true), guess(rng, true, 1.0))
    study.data = agreement.remove_severity(study.data)
    return study


def disjoint(rng, severity):
    """Return a study whose groups have raters of their own: three writers, twelve groups."""
    writer = np.tile(np.arange(3), 12)
    true = 0.5 * np.array([-1, 0.2, 0.8])[writer] + 0.5 * rng.normal(size=36)
    true = true + 0.5 * np.repeat(rng.normal(size=12), 3)
    panel = np.arange(36).reshape(12, 3)[np.arange(36) // 3]
    rows = rate(rng, true, panel, severity)
    items = make_items(36, 3, writer=writer)
    return Study(items, rows, per_item(true), guess(rng, true, 0.7))


def scales(rng):
    """Return a study whose raters use the scale differently; the judge is as valid as a rater."""
    true = rng.normal(size=120)
    scale = np.array([0.3, 1.0, 3.0])
    rows = rate(rng, true, common(120), error=1.2, scale=scale)
    return Study(make_items(120), rows, per_item(true), guess(rng, true, 1.2))


def tastes(rng):
    """Return a study within writers whose raters like writers differently."""
    writer = np.arange(120) % 4
    true = rng.normal(size=120)
    taste = np.array([[1.0, -1.0, 0.5, -0.5], [-1.2, 0.3, 0.0, 0.9], [0.2, 0.8, -1.0, 0.0]])
    rows = rate(rng, true, common(120))
    rows["score"] += taste[rows["rater"], writer[rows["item"]]]
    items = make_items(120, 4, writer=writer)
    return Study(items, rows, per_item(true), guess(rng, true, 1.0), within=("writer",))


def few_levels(rng):
    """Return a study on a scale of five points."""
    study = essays(rng, 120)
    rows = study.data.ratings
    study.data = study.data._replace(
        ratings=rows.assign(score=np.clip(np.round(rows["score"] + 3), 1, 5))
    )
    return study


def five_groups(rng):
    """Return a study of five groups of twelve items."""
    true = rng.normal(size=60) + 0.3 * np.repeat(rng.normal(size=5), 12)
    rows = rate(rng, true, common(60), severity=0.5)
    return Study(make_items(60, 12), rows, per_item(true), guess(rng, true, 1.0))


def half_answered(rng):
    """Return a study in which the judge answered half of the items."""
    study = essays(rng, 120)
    mute = (study.scores["judge"] == "judge") & (study.scores["item"] % 2 == 0)
    study.scores = study.scores[~mute]
    return study


def rated_twice(rng, many):
    """Return a study of 200 items of which only some have a second rater, held against all."""
    true = rng.normal(size=200)
    rows = rate(rng, true, common(200, 2))
    rows = rows[(rows["rater"] == 0) | (rows["item"] < many)]
    judge = guess(rng, true, 1.0)
    return Study(make_items(200), rows, per_item(true), judge, target="all")


def two_traits(rng, own):
    """Return a study of 40 groups of four items whose three raters weigh a second trait."""
    taste, noise = np.array([0.9, -0.3, 0.1]), np.array([0.6, 1.0, 1.7])
    if own:
        taste, noise = 0.6 * rng.normal(size=120), np.exp(0.5 * rng.normal(size=120))
    true, other = rng.normal(size=(2, 160))
    panel = np.arange(120).reshape(40, 3)[np.arange(160) // 4] if own else common(160)
    item, place = np.indices(panel.shape).reshape(2, -1)
    rater = panel[item, place]
    said = true[item] + taste[rater] * other[item] + noise[rater] * rng.normal(size=len(item))
    rows = pd.DataFrame({"item": item, "rater": rater, "score": said})
    judge = per_item(0.6 * true + 0.8 * rng.normal(size=160))
    return Study(make_items(160, 4), rows, per_item(true), judge)


def real_panels(rng, writers=0.8, story=0.64):
    """Return a study of 36 stories by three machines, rated by panels as released, in points."""
    machine = np.tile(np.arange(3), 12)
    true = writers * np.array([-1, 0.0, 1.0])[machine] + story * rng.normal(size=36)
    panel = np.repeat(np.array(PANELS), 3, axis=0)
    rows = rate(rng, true, panel, severity=1.43, error=2.3)
    rows["score"] += 0.83 * rng.normal(size=(12, 11))[rows["item"] // 3, rows["rater"]]
    items = make_items(36, 3, writer=machine)
    return Study(items, rows, per_item(true), guess(rng, true, 1.0))


def tests(rng, level=0.0, halo=0.3, plot=0.3, groups=12, yes=0.5, writers=None):
    """Return a study like the Torrance tests: plots x 4 writers, 3 experts, 14 tests, Yes or No."""
    writers = np.array([-1.4, -0.6, -0.5, 1.0]) if writers is None else writers
    n = groups * 4
    writer, group = np.tile(np.arange(4), groups), np.repeat(np.arange(groups), 4)
    story = plot * rng.normal(size=groups)[group] + 0.3 * rng.normal(size=n)
    cell = story[:, None] + 0.3 * rng.normal(size=(n, 14))
    cell = cell + np.linspace(-0.6, 0.6, 14) + writers[writer][:, None] + level
    strict = 0.4 * rng.normal(size=(groups, 3))[group]
    feel = halo * rng.normal(size=(n, 3))
    latent = cell[:, None] + (strict + feel)[:, :, None] + rng.normal(size=(n, 3, 14))
    item, rater, aspect = np.indices(latent.shape).reshape(3, -1)
    rows = {"item": item, "rater": group[item] * 3 + rater, "aspect": aspect}
    rows = pd.DataFrame({**rows, "score": (latent > 0).ravel().astype(float)})
    item, aspect = np.indices(cell.shape).reshape(2, -1)
    heard = 0.3 * cell + rng.normal(size=cell.shape)
    says = heard > np.quantile(heard, 1 - yes)
    table = pd.DataFrame({"item": item, "aspect": aspect})
    usual = np.median(cell, axis=0)
    oracle = table.assign(score=(cell > usual).ravel().astype(float))
    judge = table.assign(score=says.ravel().astype(float))
    items = make_items(n, 4, writer=writer)
    study = Study(items, rows, oracle, judge, statistics.balanced_accuracy, within=("aspect",))
    own = 0.4**2 + halo**2 + 1
    study.scores = pd.concat(
        [name_judge(know_yes(table, cell, own), "oracle"), name_judge(judge, "judge")]
    )
    return study


def know_yes(table, cell, own):
    """Return what a perfect judge says: Yes where two raters' Yes is likelier than usual on the
    test, by the factor by which their No is less likely, or more."""
    from scipy import stats

    chance = stats.norm.cdf(cell / np.sqrt(own))
    passes, fails = chance**2, (1 - chance) ** 2
    yes = passes / passes.mean(axis=0) > fails / fails.mean(axis=0)
    return table.assign(score=yes.ravel().astype(float))


def rankings(rng, groups, agree, kinds):
    """Return a study of triples that three raters rank; kinds of version differ."""
    n = groups * 3
    kind = np.tile(np.arange(3), groups)
    true = np.array(kinds)[kind] + agree * rng.normal(size=n)
    said = true.reshape(groups, 1, 3) + rng.normal(size=(groups, 3, 3))
    place = said.argsort(axis=2).argsort(axis=2) + 1.0
    group, rater, third = np.indices(place.shape).reshape(3, -1)
    rows = pd.DataFrame({"item": group * 3 + third, "rater": rater, "score": place.ravel()})
    items = make_items(n, 3, kind=np.array(["a", "b", "c"])[kind])
    judge = guess(rng, true, 1.0)
    within = {"within": ("group", "rater")}
    return Study(items, rows, per_item(true), judge, statistics.pairwise_accuracy, **within)


def useless(rng):
    """Return a study of twelve groups in which judge and controls know nothing."""
    n = 48
    true = rng.normal(size=n)
    rows = rate(rng, true, common(n), severity=0.5)
    known = {"writer": rng.integers(0, 4, n), "words": rng.integers(50, 500, n).astype(float)}
    known |= {"commas": rng.normal(size=n), "lines": rng.normal(size=n)}
    judge = per_item(rng.normal(size=n))
    return Study(make_items(n, 4, **known), rows, per_item(true), judge)


def length_only(rng):
    """Return a study in which length has no meaning; it is the only control."""
    study = essays(rng, 48, words=rng.integers(50, 500, 48).astype(float))
    return study


DESIGNS = {
    "ordinary: 60 texts, 3 raters": essays,
    "ordinary: 200 texts, 5 raters": lambda rng: essays(rng, 200, raters=5),
    "weak agreement (r .2), 60 texts": lambda rng: essays(rng, spread=0.5),
    "two raters, 40 texts": lambda rng: essays(rng, 40, raters=2),
    "noise": lambda rng: essays(rng, spread=0.0),
    "noise, 5 writers": lambda rng: noise_with_writers(rng, 5),
    "noise, a writer per text": lambda rng: noise_with_writers(rng, 60),
    "noise, 11 random counts": noise_with_counts,
    "5 writers differ": true_writers,
    "a writer per text": lambda rng: true_writers(rng, own=True),
    "noise, 3 ratings a rater": lambda rng: crowd(rng, 3, 0.0),
    "noise, 12 ratings a rater": lambda rng: crowd(rng, 12, 0.0),
    "3 ratings a rater": lambda rng: crowd(rng, 3, 0.7),
    "12 ratings a rater": lambda rng: crowd(rng, 12, 0.7),
    "disjoint panels, severity .5": lambda rng: disjoint(rng, 0.5),
    "disjoint panels, severity 1.5": lambda rng: disjoint(rng, 1.5),
    "raters use the scale differently": scales,
    "raters' tastes in writers": tastes,
    "a scale of five points": few_levels,
    "five groups": five_groups,
    "judge answers half": half_answered,
    "30 of 200 texts rated twice": lambda rng: rated_twice(rng, 30),
    "100 of 200 texts rated twice": lambda rng: rated_twice(rng, 100),
    "three raters of two minds": lambda rng: two_traits(rng, False),
    "own raters per group, two minds": lambda rng: two_traits(rng, True),
    "36 stories, real panels": real_panels,
    "judge and controls useless": useless,
    "length means nothing": length_only,
    "Yes/No, 48 stories, 14 tests": tests,
    "Yes/No, plots differ": lambda rng: tests(rng, plot=0.6),
    "Yes/No, more halo": lambda rng: tests(rng, halo=0.8),
    "Yes/No, 24 plots, alike writers": lambda rng: tests(
        rng, groups=24, writers=np.array([-0.3, -0.1, 0.1, 0.3])
    ),
    "Yes/No, passes are rare": lambda rng: tests(rng, level=-1.0),
    "Yes/No, judge says Yes to 97 %": lambda rng: tests(rng, yes=0.97),
    "ranks, raters agree": lambda rng: rankings(rng, 100, 1.5, [0.0, 1.0, 2.0]),
    "ranks, raters hardly agree": lambda rng: rankings(rng, 100, 0.3, [0.0, 0.3, 0.1]),
    "ranks, 40 triples": lambda rng: rankings(rng, 40, 1.0, [0.0, 0.5, 0.5]),
}


def measure_study(study, seed):
    """Return what `compare` says of one drawn study: {name: number}."""
    found = compare.compare(study.data, study.scores, study.measure, seed=seed, **study.how)
    kept = {}
    for who, name in (
        ("judge", "judge"), ("oracle", "oracle"), (compare.PERSON, "person"),
        (compare.CEILING, "ceiling"), (found.attrs["control"], "control"),
    ):  # fmt: skip
        for end in ("estimate", "low", "high"):
            kept[f"{name} {end}"] = found.at[who, end]
    for rival in ("control", "person"):
        for column, end in zip(compare.lead_names(rival), ("estimate", "low", "high")):
            kept[f"over {rival} {end}"] = found.at["judge", column]
    kept["clear"] = found.at["oracle", compare.lead_names("control")[1]] > 0
    kept["found"] = found.attrs["found"]
    return kept


def cover(table, name, truth):
    """Return the share of intervals that hold the truth, of those that there are."""
    known = table[f"{name} low"].notna()
    held = (table[f"{name} low"] <= truth) & (truth <= table[f"{name} high"])
    return held[known].mean() if known.any() else np.nan


def summarise(table):
    """Return one line of the passport from the studies of a design."""
    oracle = table["oracle estimate"].fillna(0).mean()
    given = table["ceiling estimate"].notna()
    line = {"studies": len(table), "a perfect judge": oracle}
    line["ceiling given"] = given.mean()
    line["ceiling"] = table["ceiling estimate"].mean()
    line["ceiling's bias"] = line["ceiling"] - oracle
    line["ceiling's coverage"] = cover(table, "ceiling", oracle)
    for name in ("judge", "person", "over person", "over control"):
        truth = table[f"{name} estimate"].mean()
        line[name] = truth
        line[f"{name}, coverage"] = cover(table, name, truth)
    line["power"] = 100 * table["clear"].mean()
    line["power as told"] = table["found"].mean()
    return pd.Series(line)


def main(studies, wanted):
    for name in wanted or DESIGNS:
        number = list(DESIGNS).index(name)
        rows = []
        for k in range(studies):
            rng = np.random.default_rng([SEED, number, k])
            rows.append(measure_study(DESIGNS[name](rng), k))
        line = summarise(pd.DataFrame(rows).astype(float)).rename(name).round(4)
        write_line(line)
        print(line.to_frame().T.round(3).to_string(), flush=True)


def write_line(line):
    """Write or replace one line of the results, in the order of the designs."""
    table = pd.DataFrame()
    if RESULTS.exists():
        table = pd.read_csv(RESULTS, index_col="design").drop(index=line.name, errors="ignore")
    table = pd.concat([table, line.to_frame().T])
    table = table.reindex([name for name in DESIGNS if name in table.index])
    table.rename_axis("design").to_csv(RESULTS)


if __name__ == "__main__":
    given = sys.argv[1:]
    many = int(given.pop(0)) if given and given[0].isdigit() else STUDIES
    main(many, given)
