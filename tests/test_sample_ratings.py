"""The simulated sample files of `goodjudge demo`, and what is known of them."""

import pytest
from goodjudge import find_sample
from goodjudge.comparison import compare
from goodjudge.data import orders
from goodjudge.data.reading import read_files, read_ratings
from goodjudge.stats import metrics as statistics
from goodjudge.stats import severity

from tools import simulate_ratings as sample

GOOD, LENGTH = "reads well", "likes length"


def test_the_sample_files_are_made_anew_to_the_same_bytes(tmp_path):
    for path in sample.write_tables(tmp_path):
        committed = sample.FOLDER / path.name
        assert committed.read_bytes() == path.read_bytes(), path.name
    there = {path.name for path in sample.FOLDER.glob("*.csv")}
    assert there == {path.name for path in tmp_path.iterdir()}


@pytest.fixture(scope="module")
def scores_compared():
    """Return the comparison of both judges on the sample ratings."""
    data, judged = read_files(find_sample("ratings.csv"), find_sample("scores.csv"))
    adjusted = severity.adjust_raters(data)
    return compare.compare(adjusted, judged, statistics.pearson, simulate=False)


def test_the_judge_that_reads_leads_the_controls_and_a_person(scores_compared):
    good = scores_compared.loc[GOOD]
    assert good["over control low"] > 0
    assert good["over person low"] > -0.1


def test_the_judge_that_likes_length_leads_neither(scores_compared):
    length = scores_compared.loc[LENGTH]
    assert length["over control low"] < 0
    assert length["over person high"] < 0
    assert length["low"] < 0 < length["high"]


@pytest.mark.parametrize("name", ["pairs.csv", "ranks.csv"])
def test_orders_find_the_better_judge_too(name):
    data, judged = read_files(find_sample(name), find_sample("scores.csv"))
    within = orders.choose_within(data)
    measure = statistics.pairwise_accuracy
    table = compare.compare(data, judged, measure, within=within, simulate=False)
    assert table.loc[GOOD, "low"] > 0.5
    assert table.loc[GOOD, "estimate"] > table.loc[LENGTH, "estimate"]
    assert table.loc[LENGTH, "low"] < 0.5


def test_wide_files_and_forms_hold_the_same_ratings():
    long = read_ratings(find_sample("ratings.csv")).ratings
    by_case = long.set_index(["item", "rater"])["score"].sort_index()
    for name in ("wide.csv", "form.csv"):
        table = read_ratings(find_sample(name)).ratings
        assert table.set_index(["item", "rater"])["score"].sort_index().equals(by_case), name


def test_in_the_sample_length_has_nothing_to_do_with_quality():
    texts = sample.draw_texts(sample.np.random.default_rng(sample.SEED))
    assert abs(texts["words"].corr(texts["quality"])) < 0.02
