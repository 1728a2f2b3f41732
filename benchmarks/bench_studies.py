"""The longest computations of the studies: a search over definitions, a fitted evaluator, simulated
studies, the audits."""

import statistics
import time
from functools import partial

from goodjudge.comparison import compare
from goodjudge.stats import metrics as measures

from helpers.audit.checks import Paper
from helpers.evolvr import load as hanna
from helpers.evolvr import train
from helpers.papers import poetry, refbased
from helpers.poetry import experiments as cat_experiments
from helpers.refbased import rebuild as refbased_figures

SEED, REPEATS = 20251121, 3


def row(name, function, note, repeats=REPEATS):
    """Return one row: the median time of the repeats."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    note = f"{note}; median of {repeats}"
    return {"name": name, "value": statistics.median(times), "unit": "s", "note": note}


def rows_open():
    """Return the rows of the public data."""
    data, models = hanna.load(), hanna.load_models()
    features = hanna.load_features(models)["reference-free and LLM"]
    splits = train.folds(data.items)
    size = f"{features.shape[0]:,} stories, {features.shape[1]} features, {len(splits)} folds"
    means = hanna.rating_array(data)[0].mean(axis=2).T

    def fit():
        return train.predict(features, means, splits, data.items["group"])

    search = partial(refbased_figures.search, "refbased_v1")
    audit = partial(refbased.audit, Paper("refbased_v1"))
    judge, both = models.query("judge == 'ChatGPT'"), ("writer", "group")
    compared = partial(compare.compare, data, judge, measures.pearson, over=both)
    return [
        row("comparison of one judge", compared, "HANNA, 6,336 cases, two-way, all controls"),
        row("search over definitions, refbased_v1", search, "7 judges, 12 groups, 216 definitions"),
        row("audit of refbased_v1", audit, "793 numbers", 1),
        row("ridge out of fold", fit, f"{size}, 6 aspects"),
    ]


def rows():
    """Return the rows of the studies' benchmark (contract: benchmarks/README.md)."""
    readings = {"15": 1500, "90": 900}
    studies = partial(cat_experiments.repeat_study, 0.8, 0.3, 1.0, SEED, 20, readings)
    fit = partial(cat_experiments.fit_judge, 0.9, 0.8, 0.6, SEED)
    found = [
        row("audit of poetry", partial(poetry.audit, Paper("poetry")), "990 numbers", 1),
        row("simulated studies of ranked poems", studies, "20 studies, two designs"),
        row("calibration of a simulated judge", fit, "the first call draws the studies", 1),
    ]
    return found + rows_open()
