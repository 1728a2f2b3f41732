"""The instrument's passport: `compare` on studies whose truth is known, design by design.

Each design draws studies: items, raters, a judge. An oracle, a judge that is handed what all raters
share about each item, goes through `compare` like any judge. What is held against what:

- *judge*, *person*, *lead over the person*: against their values in studies many times as large,
  each rater's own value, the mean over raters;
- *control* (the best control's own row) and *lead over the control*: against their means over all
  studies of the design, since how good a control is depends on how many groups it learns from;
- *ceiling*: against the mean of the oracle, which passes through `compare` in each study;
- *power*: the share of clear leads over the control that the card promises a perfect judge against
  the oracle's own share.

Run it: python benchmarks/passport.py [STUDIES] [DESIGN ...]. results/passport.csv is written after
each design; a design that is run again replaces its line. Every study has a seed of its own, so
that a design gives the same line alone or among others.
"""

import sys
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
from goodjudge.comparison import compare
from goodjudge.comparison.cases import ALONE
from goodjudge.data import ratings
from goodjudge.stats import metrics as statistics
from goodjudge.stats.severity import ADJUST_FROM, adjust_raters
from scipy import stats

STUDIES, SEED = 200, 20261123
LARGE, PANELS_DRAWN = 10, 40  # a large study is so many times as large; how many of them
RESULTS = Path(__file__).resolve().parent / "results" / "passport.csv"
PANELS = [  # the experts of twelve plots in a released study, by number
    [9, 1, 7], [9, 4, 8], [4, 8, 6], [9, 3, 10], [9, 3, 2], [9, 3, 1],
    [4, 10, 3], [9, 1, 3], [9, 4, 6], [9, 10, 5], [10, 8, 0], [9, 3, 1],
]  # fmt: skip


class Study:
    """A drawn study: items, ratings, the oracle's knowledge and a judge's scores.

    true, judge: a score per item (and aspect); measure, how: what `compare` is told.
    """

    def __init__(self, items, rows, true, judge, measure=statistics.pearson, **how):
        self.data = ratings.Ratings(items, rows, "simulated")
        named = {"oracle": true, "judge": judge}
        self.scores = pd.concat([one.assign(judge=name) for name, one in named.items()])
        self.measure, self.how = measure, how


def rate(rng, true, panel, severity=0.5, error=1.0, scale=None):
    """Return rows item, rater, score: each item rated by the raters of its row of `panel`.

    true: one value per item; panel: items x raters, a rater's number; severity, error: standard
    deviations; scale: of each rater.
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


def guess(rng, true, noise):
    """Return the scores of a judge that hears the truth through noise."""
    return per_item(true + noise * rng.normal(size=len(true)))


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


# Designs. Each takes (rng, size) and returns a Study; size: how many times as large.


def essays(rng, size=1, n=60, spread=1.0, raters=3, writers=None, counts=0):
    """Return a study of independent texts, the same raters for all.

    writers: how many share the texts, without meaning; counts: numbers known of a text, without
    meaning.
    """
    n = n * size
    true = spread * rng.normal(size=n)
    rows = rate(rng, true, common(n, raters))
    known = {f"count {k}": rng.normal(size=n) for k in range(counts)}
    if writers is not None:
        known["writer"] = np.arange(n) % (writers * (size if writers == 60 else 1))
    return Study(make_items(n, **known), rows, per_item(true), guess(rng, true, 1.0))


def writers_differ(rng, size=1):
    """Return a study of 60 texts by five writers who differ."""
    writer = np.arange(60 * size) % 5
    true = np.linspace(-1, 1, 5)[writer] + 0.7 * rng.normal(size=60 * size)
    rows = rate(rng, true, common(60 * size))
    items = make_items(60 * size, writer=writer)
    return Study(items, rows, per_item(true), guess(rng, true, 1.0))


def judge_of_writers(rng, size=1, prompts=20, writers=2, gap=0.8):
    """Return a study in which each prompt has a text by each writer, and the judge says nothing but
    who wrote it: its true lead over authorship is 0."""
    prompts = prompts * size
    writer = np.tile(np.arange(writers), prompts)
    items = make_items(writers * prompts, writers, writer=writer)
    level = gap * writer / (writers - 1)
    of_prompt = 0.5 * np.repeat(rng.normal(size=prompts), writers)
    true = level + of_prompt + 0.7 * rng.normal(size=len(items))
    rows = rate(rng, true, common(len(items)), error=0.8)
    return Study(items, rows, per_item(true), per_item(6.0 + 2 * writer / (writers - 1)))


def writer_each(rng, size=1):
    """Return a study of 60 texts that differ, each by a writer of its own."""
    study = essays(rng, size)
    items = study.data.items
    study.data = study.data._replace(items=items.assign(writer=items["item"]))
    return study


def crowd(rng, size=1, each=3, spread=0.7):
    """Return a study rated by a crowd: three ratings a text, `each` texts a rater, severity off.

    A large study is one without severity where it is taken off (from twenty ratings on), one with
    as few but busier raters where each is taken alone (from ten on), else one whose ratings are
    each by somebody else.
    """
    n = 60 * size
    true = spread * rng.normal(size=n)
    if size == 1:
        rows = rate(rng, true, deal(rng, n, 3, each), severity=0.7)
    elif each >= ADJUST_FROM:
        rows = rate(rng, true, common(n), severity=0.0)
    elif each >= ALONE:
        rows = rate(rng, true, deal(rng, n, 3, each * size), severity=0.7)
    else:
        rows = rate(rng, true, np.arange(3 * n).reshape(n, 3), severity=0.7)
    study = Study(make_items(n), rows, per_item(true), guess(rng, true, 1.0))
    if size == 1:
        study.data = adjust_raters(study.data)
    return study


def disjoint(rng, size=1, severity=0.5):
    """Return a study whose groups have raters of their own: three writers, twelve groups."""
    groups = 12 * size
    writer = np.tile(np.arange(3), groups)
    true = 0.5 * np.array([-1, 0.2, 0.8])[writer] + 0.5 * rng.normal(size=3 * groups)
    true = true + 0.5 * np.repeat(rng.normal(size=groups), 3)
    panel = np.repeat(np.arange(3 * groups).reshape(groups, 3), 3, axis=0)
    rows = rate(rng, true, panel, severity)
    items = make_items(3 * groups, 3, writer=writer)
    return Study(items, rows, per_item(true), guess(rng, true, 0.7))


def scales(rng, size=1):
    """Return a study whose raters use the scale differently; the judge is as valid as a rater."""
    n = 120 * size
    true = rng.normal(size=n)
    rows = rate(rng, true, common(n), error=1.2, scale=np.array([0.3, 1.0, 3.0]))
    return Study(make_items(n), rows, per_item(true), guess(rng, true, 1.2))


def tastes(rng, size=1):
    """Return a study within writers whose raters like writers differently."""
    n = 120 * size
    writer = np.arange(n) % 4
    true = rng.normal(size=n)
    taste = np.array([[1.0, -1.0, 0.5, -0.5], [-1.2, 0.3, 0.0, 0.9], [0.2, 0.8, -1.0, 0.0]])
    rows = rate(rng, true, common(n))
    rows["score"] += taste[rows["rater"], writer[rows["item"]]]
    items = make_items(n, 4, writer=writer)
    return Study(items, rows, per_item(true), guess(rng, true, 1.0), within=("writer",))


def few_levels(rng, size=1):
    """Return a study on a scale of five points."""
    study = essays(rng, size, 120)
    rows = study.data.ratings
    points = np.clip(np.round(rows["score"] + 3), 1, 5)
    study.data = study.data._replace(ratings=rows.assign(score=points))
    return study


def five_groups(rng, size=1):
    """Return a study of five groups of twelve texts."""
    n = 60 * size
    true = rng.normal(size=n) + 0.3 * np.repeat(rng.normal(size=5 * size), 12)
    rows = rate(rng, true, common(n))
    return Study(make_items(n, 12), rows, per_item(true), guess(rng, true, 1.0))


def half_answered(rng, size=1):
    """Return a study in which the judge answered half of the texts."""
    study = essays(rng, size, 120)
    mute = (study.scores["judge"] == "judge") & (study.scores["item"] % 2 == 0)
    study.scores = study.scores[~mute]
    return study


def rated_twice(rng, size=1, many=30):
    """Return a study of 200 texts of which only some have a second rater, held against all."""
    n = 200 * size
    true = rng.normal(size=n)
    rows = rate(rng, true, common(n, 2))
    rows = rows[(rows["rater"] == 0) | (rows["item"] < many * size)]
    return Study(make_items(n), rows, per_item(true), guess(rng, true, 1.0), target="all")


def two_traits(rng, size=1, own=False, drawn=None):
    """Return a study of 40 groups of four texts whose three raters weigh a second trait.

    own: each group has raters of its own; drawn: so many common raters, drawn for each study, and
    intervals that speak of new raters.
    """
    groups = 40 * size
    n = 4 * groups
    taste, noise = np.array([0.9, -0.3, 0.1]), np.array([0.6, 1.0, 1.7])
    many = 3 * groups if own else drawn
    if many:
        taste, noise = 0.6 * rng.normal(size=many), np.exp(0.5 * rng.normal(size=many))
    true, other = rng.normal(size=(2, n))
    panel = common(n, drawn or 3)
    if own:
        panel = np.repeat(np.arange(3 * groups).reshape(groups, 3), 4, axis=0)
    item, place = np.indices(panel.shape).reshape(2, -1)
    rater = panel[item, place]
    said = true[item] + taste[rater] * other[item] + noise[rater] * rng.normal(size=len(item))
    rows = pd.DataFrame({"item": item, "rater": rater, "score": said})
    judge = per_item(0.6 * true + 0.8 * rng.normal(size=n))
    over = {"over": ("group", "rater"), "simulate": False} if drawn else {}  # `for_new_raters`
    return Study(make_items(n, 4), rows, per_item(true), judge, **over)


def real_panels(rng, size=1):
    """Return a study of 36 stories by three machines, rated by panels as released, in points."""
    groups = 12 * size
    machine = np.tile(np.arange(3), groups)
    true = 0.8 * np.array([-1, 0.0, 1.0])[machine] + 0.64 * rng.normal(size=3 * groups)
    panel = np.tile(np.repeat(np.array(PANELS), 3, axis=0), (size, 1))
    rows = rate(rng, true, panel, severity=1.43, error=2.3)
    rows["score"] += 0.83 * rng.normal(size=(groups, 11))[rows["item"] // 3, rows["rater"]]
    items = make_items(3 * groups, 3, writer=machine)
    return Study(items, rows, per_item(true), guess(rng, true, 1.0))


def tests(rng, size=1, level=0.0, halo=0.3, plot=0.3, groups=12, yes=0.5, writers=None, own=False):
    """Return a study like the Torrance tests: plots x 4 writers, 3 experts, 14 tests, Yes or No.

    The panels are as released, or each plot has experts of its own (own=True). A large study has
    eleven experts for each part of this size.
    """
    groups = groups * size
    writers = np.array([-1.4, -0.6, -0.5, 1.0]) if writers is None else writers
    n = groups * 4
    writer, group = np.tile(np.arange(4), groups), np.repeat(np.arange(groups), 4)
    story = plot * rng.normal(size=groups)[group] + 0.3 * rng.normal(size=n)
    cell = story[:, None] + 0.3 * rng.normal(size=(n, 14))
    cell = cell + np.linspace(-0.6, 0.6, 14) + writers[writer][:, None] + level
    raters = np.resize(PANELS, (groups, 3)) + 11 * (np.arange(groups) * size // groups)[:, None]
    if own:
        raters = np.arange(3 * groups).reshape(groups, 3)
    strict = 0.4 * rng.normal(size=raters.max() + 1)[raters][group]
    feel = halo * rng.normal(size=(n, 3))
    latent = cell[:, None] + (strict + feel)[:, :, None] + rng.normal(size=(n, 3, 14))
    item, place, aspect = np.indices(latent.shape).reshape(3, -1)
    rows = {"item": item, "rater": raters[group[item], place], "aspect": aspect}
    rows = pd.DataFrame({**rows, "score": (latent > 0).ravel().astype(float)})
    item, aspect = np.indices(cell.shape).reshape(2, -1)
    table = pd.DataFrame({"item": item, "aspect": aspect})
    heard = 0.3 * cell + rng.normal(size=cell.shape)
    judge = table.assign(score=(heard > np.quantile(heard, 1 - yes)).ravel().astype(float))
    oracle = table.assign(score=know_yes(cell, 0.4**2 + halo**2 + 1).ravel().astype(float))
    items = make_items(n, 4, writer=writer)
    return Study(items, rows, oracle, judge, statistics.balanced_accuracy, within=("aspect",))


def count_words(rng, size=1):
    """Return a study of 80 texts of which longer ones pass more often; the judge counts words."""
    n = 80 * size
    words = np.round(np.exp(5 + 0.4 * rng.normal(size=n)))
    true = np.log(words) - 5 + 0.4 * rng.normal(size=n)
    rows = rate(rng, true, common(n), severity=0.2, error=0.5)
    rows["score"] = (rows["score"] > 0).astype(float)
    share = rows["score"].mean()
    judge = per_item((words >= np.quantile(words, 1 - share)).astype(float))
    oracle = per_item((true >= np.quantile(true, 1 - share)).astype(float))
    items = make_items(n, words=words)
    return Study(items, rows, oracle, judge, statistics.balanced_accuracy)


def sliders(rng, size=1):
    """Return a study of 20 prompts with two texts each, on a slider from 1 to 100."""
    study = essays(rng, size, 40, raters=2)
    rows, items = study.data.ratings, study.data.items
    points = np.clip(np.round(50 + 15 * rows["score"]), 1, 100)
    rows, items = rows.assign(score=points), items.assign(group=items["item"] // 2)
    study.data = study.data._replace(ratings=rows, items=items)
    return study


def severe_by_aspect(rng, size=1):
    """Return a study of 40 texts on four aspects whose raters are severe aspect by aspect."""
    n = 40 * size
    true = rng.normal(size=(n, 1)) + 0.5 * rng.normal(size=(n, 4))
    severe = 0.8 * np.array([[1.0, -0.5, 0.3, -1.2], [-0.8, 1.1, 0.2, 0.6], [0.1, -0.9, 1.3, -0.4]])
    latent = true[:, None] + severe + rng.normal(size=(n, 3, 4))
    item, rater, aspect = np.indices(latent.shape).reshape(3, -1)
    rows = {"item": item, "rater": rater, "aspect": aspect}
    rows = pd.DataFrame({**rows, "score": (latent > 0).ravel().astype(float)})
    item, aspect = np.indices(true.shape).reshape(2, -1)
    table = pd.DataFrame({"item": item, "aspect": aspect})
    heard = true + rng.normal(size=true.shape)
    judge = table.assign(score=(heard > 0).ravel().astype(float))
    oracle = table.assign(score=know_yes(true, 1 + 0.8**2).ravel().astype(float))
    within = {"within": ("aspect",)}
    return Study(make_items(n), rows, oracle, judge, statistics.balanced_accuracy, **within)


def know_yes(cell, own):
    """Return what a perfect judge says (stories x tests): Yes where two raters' Yes is likelier
    than usual on the test, by the factor by which their No is less likely, or more.

    cell: what raters share; own: the variance of what is a rater's own.
    """
    chance = stats.norm.cdf(cell / np.sqrt(own))
    passes, fails = chance**2, (1 - chance) ** 2
    return passes / passes.mean(axis=0) > fails / fails.mean(axis=0)


def rankings(rng, size=1, groups=100, agree=1.0, kinds=(0.0, 0.5, 0.5), twos=False):
    """Return a study of triples that three raters rank; kinds of version differ.

    agree: the spread of what raters share, that of their own being 1; twos: every third triple has
    two raters.
    """
    groups = groups * size
    n = groups * 3
    kind = np.tile(np.arange(3), groups)
    true = np.array(kinds)[kind] + agree * rng.normal(size=n)
    said = true.reshape(groups, 1, 3) + rng.normal(size=(groups, 3, 3))
    order = said.argsort(axis=2, kind="stable")
    place = order.argsort(axis=2, kind="stable") + 1.0
    group, rater, third = np.indices(place.shape).reshape(3, -1)
    rows = pd.DataFrame({"item": group * 3 + third, "rater": rater, "score": place.ravel()})
    if twos:
        rows = rows[(rater < 2) | (group % 3 < 2)]
    items = make_items(n, 3, kind=np.array(["a", "b", "c"])[kind])
    judge = guess(rng, true, 1.0)
    within = {"within": ("group", "rater")}
    return Study(items, rows, per_item(true), judge, statistics.pairwise_accuracy, **within)


def useless(rng, size=1):
    """Return a study of twelve groups in which judge and controls know nothing."""
    n = 48 * size
    true = rng.normal(size=n)
    rows = rate(rng, true, common(n))
    known = {"writer": rng.integers(0, 4, n), "words": rng.integers(50, 500, n).astype(float)}
    known |= {"commas": rng.normal(size=n), "lines": rng.normal(size=n)}
    judge = per_item(rng.normal(size=n))
    return Study(make_items(n, 4, **known), rows, per_item(true), judge)


def length_only(rng, size=1):
    """Return a study of 48 texts in which length, the only control, has no meaning."""
    study = essays(rng, size, 48)
    items = study.data.items
    words = rng.integers(50, 500, len(items)).astype(float)
    study.data = study.data._replace(items=items.assign(words=words))
    return study


def equal_counts(rng, size=1):
    """Return a study of 60 texts of which two counts, equally good, are known."""
    n = 60 * size
    true = rng.normal(size=n)
    rows = rate(rng, true, common(n))
    known = {f"count {k}": true + rng.normal(size=n) for k in range(2)}
    return Study(make_items(n, **known), rows, per_item(true), guess(rng, true, 1.0))


def counts_of_groups(rng, size=1, each=150):
    """Return a study of twelve groups of many texts; six counts, without meaning, differ above all
    from group to group, as people's ratings do too."""
    groups = 12 * size
    n = groups * each
    group = np.repeat(np.arange(groups), each)
    true = 0.5 * rng.normal(size=groups)[group] + rng.normal(size=n)
    rows = rate(rng, true, common(n))
    known = {
        f"count {k}": rng.normal(size=groups)[group] + 0.5 * rng.normal(size=n) for k in range(6)
    }
    return Study(make_items(n, each, **known), rows, per_item(true), guess(rng, true, 1.0))


def draw(design, **options):
    """Return a design with its options."""
    return lambda rng, size=1: design(rng, size, **options)


CLOSE = np.array([-0.3, -0.1, 0.1, 0.3])
DESIGNS = {  # name: how a study is drawn
    "ordinary: 60 texts, 3 raters": essays,
    "ordinary: 200 texts, 5 raters": draw(essays, n=200, raters=5),
    "weak agreement (r .2), 60 texts": draw(essays, spread=0.5),
    "two raters, 40 texts": draw(essays, n=40, raters=2),
    "noise": draw(essays, spread=0.0),
    "noise, 5 writers": draw(essays, spread=0.0, writers=5),
    "noise, 20 writers": draw(essays, spread=0.0, writers=20),
    "noise, a writer per text": draw(essays, spread=0.0, writers=60),
    "noise, 11 random counts": draw(essays, spread=0.0, counts=11),
    "11 random counts": draw(essays, counts=11),
    "5 writers differ": writers_differ,
    "a writer per text": writer_each,
    "a judge that knows the writer, 20 x 2": judge_of_writers,
    "a judge that knows the writer, 12 x 4": draw(judge_of_writers, prompts=12, writers=4),
    **{
        f"noise, {each} ratings a rater": draw(crowd, each=each, spread=0.0)
        for each in (2, 3, 4, 6, 10, 12, 20, 30)
    },
    **{f"{each} ratings a rater": draw(crowd, each=each) for each in (2, 3, 4, 6, 10, 12, 20, 30)},
    "disjoint panels, severity .5": disjoint,
    "disjoint panels, severity 1.5": draw(disjoint, severity=1.5),
    "raters use the scale differently": scales,
    "raters' tastes in writers": tastes,
    "a scale of five points": few_levels,
    "five groups": five_groups,
    "judge answers half": half_answered,
    "12 of 200 texts rated twice": draw(rated_twice, many=12),
    "30 of 200 texts rated twice": draw(rated_twice, many=30),
    "100 of 200 texts rated twice": draw(rated_twice, many=100),
    "three raters of two minds": two_traits,
    "own raters per group, two minds": draw(two_traits, own=True),
    "new raters, from 8 of two minds": draw(two_traits, drawn=8),
    "36 stories, real panels": real_panels,
    "judge and controls useless": useless,
    "length means nothing": length_only,
    "two equally good counts": equal_counts,
    "12 groups of 150 texts, 6 counts of groups": counts_of_groups,
    "Yes/No, 48 stories, 14 tests": tests,
    "Yes/No, a judge that counts words": count_words,
    "Yes/No, severe aspect by aspect": severe_by_aspect,
    "sliders, two texts a prompt": sliders,
    "Yes/No, own experts per plot": draw(tests, own=True),
    "Yes/No, plots differ": draw(tests, plot=0.6),
    "Yes/No, more halo": draw(tests, halo=0.8),
    "Yes/No, 24 plots, alike writers": draw(tests, groups=24, writers=CLOSE),
    "Yes/No, passes are rare": draw(tests, level=-1.3),
    "Yes/No, judge says Yes to 97 %": draw(tests, yes=0.97),
    "ranks, 100 triples, raters agree": draw(rankings, agree=1.67, kinds=(2.0, 0.83, 0.0)),
    "ranks, 100 triples, hardly agree": draw(
        rankings, agree=0.42, kinds=(0.33, 0.17, 0.0), twos=True
    ),
    "ranks, 40 triples": draw(rankings, groups=40),
}


def seed_of(name, *numbers):
    """Return the generator of one study of a design."""
    return np.random.default_rng([SEED, zlib.crc32(name.encode()), *numbers])


def measure_study(study, seed):
    """Return what `compare` says of one drawn study: {name: number}."""
    found = compare.compare(study.data, study.scores, study.measure, seed=seed, **study.how)
    kept = {}
    rows = {"judge": "judge", "oracle": "oracle"}
    rows |= {"person": compare.PERSON, "ceiling": compare.CEILING}
    rows |= {"control": found.attrs["control"]}
    for name, who in rows.items():
        for end in ("estimate", "low", "high"):
            kept[f"{name} {end}"] = found.at[who, end]
    for rival in ("control", "person"):
        for column, end in zip(compare.lead_names(rival), ("estimate", "low", "high")):
            kept[f"over {rival} {end}"] = found.at["judge", column]
    kept["clear"] = found.at["oracle", compare.lead_names("control")[1]] > 0
    kept |= {name: found.attrs[name] for name in ("found", "found low", "found high")}
    return kept


def find_truth(name):
    """Return {judge, person: value} in large studies of a design, rater by rater."""
    values = []
    for k in range(PANELS_DRAWN):
        study = DESIGNS[name](seed_of(name, 10**6 + k), LARGE)
        cases = ratings.find_cases(study.data, study.how.get("target", "others"))
        if study.measure in statistics.OF_TWO_KINDS:
            cases["target"] = cases["target"].where(cases["target"] != 0.5)
        trial = compare.Trial(cases, study.measure, study.how.get("within", ()), ("group",), 0.95)
        scores = ratings.match_scores(cases, study.scores)["judge"], cases["person"].to_numpy()
        values.append([value_of(trial, one) for one in scores])
    judge, person = np.mean(values, axis=0)
    return {"judge": judge, "person": person, "over person": judge - person}


def value_of(trial, score):
    """Return the measure of a score over the cases that it answered."""
    rows = trial.answered(score)
    return trial.value(score, rows) if len(rows) else np.nan


def cover(table, name, truth):
    """Return the share of intervals that hold the truth, of those that there are."""
    known = table[f"{name} low"].notna()
    held = (table[f"{name} low"] <= truth) & (truth <= table[f"{name} high"])
    return held[known].mean() if known.any() and not np.isnan(truth) else np.nan


def summarise(table, truth):
    """Return one line of the passport from the studies of a design.

    truth: of `find_truth`. Only studies that have a ceiling tell a power.
    """
    oracle = table["oracle estimate"].fillna(0).mean()
    given = table["ceiling estimate"].notna()
    line = {"studies": len(table), "a perfect judge": oracle}
    line["ceiling given"] = given.mean()
    line["ceiling"] = table["ceiling estimate"].mean()
    line["ceiling's bias"] = line["ceiling"] - oracle
    line["ceiling's coverage"] = cover(table, "ceiling", oracle)
    known = list(truth)
    means = {name: table[f"{name} estimate"].mean() for name in ("control", "over control")}
    for name, value in (truth | means).items():
        line[f"{name}, truth"] = value
        if name in known:
            line[f"{name}'s bias"] = table[f"{name} estimate"].mean() - value
        line[f"{name}, coverage"] = cover(table, name, value)
    for rival in ("control", "person"):
        line[f"clearly over {rival}"] = (table[f"over {rival} low"] > 0).mean()
    power = 100 * table["clear"].mean()
    line["power"] = power
    line["power as told"] = table["found"].mean()
    line["power, coverage"] = cover(table, "found", power)
    return pd.Series(line)


def main(studies, wanted):
    for name in wanted or DESIGNS:
        rows = [measure_study(DESIGNS[name](seed_of(name, k)), k) for k in range(studies)]
        line = summarise(pd.DataFrame(rows).astype(float), find_truth(name))
        write_line(line.rename(name).round(3))
        print(name, line.round(3).to_dict(), flush=True)


def write_line(line):
    """Write or replace one line of the results, in the order of the designs."""
    table = pd.DataFrame()
    if RESULTS.exists():
        table = pd.read_csv(RESULTS, index_col="design").drop(index=line.name, errors="ignore")
    table = pd.concat([table, line.to_frame().T])
    table = table.reindex([name for name in DESIGNS if name in table.index])
    table = table[line.index].astype({"studies": int})
    table.rename_axis("design").to_csv(RESULTS)


if __name__ == "__main__":
    given = sys.argv[1:]
    many = int(given.pop(0)) if given and given[0].isdigit() else STUDIES
    main(many, given)
