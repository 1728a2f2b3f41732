"""How far too weak a control that knows the author may be in a file, where the truth is known."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.card import cautions
from goodjudge.card.study import set_up
from goodjudge.comparison import compare
from goodjudge.diagnostics import shortfall as lacking
from goodjudge.stats import metrics
from studies import make


def draw(rng, prompts, writers=4, share=0.4, raters=3):
    """Return `Ratings` of a text by each writer on each prompt; of what raters share, `share` is
    the writer's."""
    items = prompts * writers
    writer = np.tile(np.arange(writers), prompts)
    level = (np.arange(writers) - (writers - 1) / 2) / np.std(np.arange(writers))
    shared = np.sqrt(share) * level[writer] + np.sqrt(1 - share) * rng.normal(size=items)
    score = shared[:, None] + rng.normal(size=(items, raters))
    return make(score, np.arange(items) // writers, writer=[f"w{one}" for one in writer])


def find(data):
    """Return (r of authorship, texts, shortfall) of a file."""
    nobody = pd.DataFrame(columns=["item", "judge", "score"])
    found = compare.compare(data, nobody, metrics.pearson, simulate=False)
    texts, shortfall = lacking.find_shortfall(data, metrics.pearson, "authorship")
    return found.at["authorship", "estimate"], texts, shortfall


def test_what_a_control_lacks_is_about_what_more_prompts_would_give_it():
    rng, prompts = np.random.default_rng(6), 6
    few = np.array([find(draw(rng, prompts)) for _ in range(20)])
    fully_learnt = np.mean([find(draw(rng, 100))[0] for _ in range(4)])
    value, texts, shortfall = few.mean(axis=0)
    assert texts == pytest.approx(3 * (prompts - 1))  # three raters of a text on each other prompt
    assert shortfall > 0.01
    assert value + shortfall == pytest.approx(fully_learnt, abs=0.04)
    assert abs(value + shortfall - fully_learnt) < abs(value - fully_learnt)


def test_a_card_says_that_a_control_that_knows_the_writer_learnt_from_few_texts():
    few, many = (draw(np.random.default_rng(0), prompts) for prompts in (6, 80))
    for data, is_told in ((few, True), (many, False)):
        study = set_up(data, None)
        caution = cautions.doubt_shortfall(study, study.compare(simulate=False))
        assert (caution is not None) == is_told
    study = set_up(few, None)
    told = cautions.doubt_shortfall(study, study.compare(simulate=False))
    assert "15 ratings" in told.why and "a lead over it is too large" in told.why
