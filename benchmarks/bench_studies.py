"""The longest computations of the studies: a search over definitions, a fitted evaluator, simulated
studies, the audits."""

import statistics
import time
from functools import partial

from helpers.audit import poetry, refbased
from helpers.audit.checks import Paper
from helpers.evolvr import load as hanna
from helpers.evolvr import train as evolvr_train
from helpers.poetry import experiments as cat_experiments
from helpers.refbased import rebuild as refbased_figures
from helpers.sources.public import choose_source

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
    """Return the rows that need the open data."""
    cells = hanna.read_cells()
    arrays, _, stories = hanna.rating_array(hanna.load_annotations())
    features = hanna.features(cells, hanna.feature_groups(cells)["reference-free and LLM"])
    prompts = stories["prompt"].to_numpy()
    splits = evolvr_train.folds(prompts, stories["system"].to_numpy(), "prompt")
    size = f"{features.shape[0]:,} stories, {features.shape[1]} features, {len(splits)} folds"
    means, searched = arrays.mean(axis=2), "7 judges, 12 groups, 216 definitions"

    def fit():
        return evolvr_train.predict_out_of_fold(features, means, splits, prompts)

    search = partial(refbased_figures.search, "refbased_v1")
    audit = partial(refbased.audit, Paper("refbased_v1"))
    return [
        row("search over definitions, refbased_v1", search, searched),
        row("audit of refbased_v1", audit, "793 numbers", 1),
        row("ridge out of fold", fit, f"{size}, 6 aspects"),
    ]


def rows():
    """Return the rows of the studies' benchmark (contract: benchmarks/README.md)."""
    studies = partial(cat_experiments.repeat_study, 0.8, 0.3, 1.0, SEED, 20)
    fit = partial(cat_experiments.fit_judge, 0.9, 0.8, 0.6, SEED)
    found = [
        row("audit of poetry", partial(poetry.audit, Paper("poetry")), "990 numbers", 1),
        row("simulated studies of ranked poems", studies, "20 studies, two designs"),
        row("calibration of a simulated judge", fit, "the first call draws the studies", 1),
    ]
    ready = choose_source("ttcw")[0] == "open" and choose_source("hanna")[0] == "open"
    return found + (rows_open() if ready else [])
