"""The page of *EvolvR*: what whole ratings and four experts can give."""

import numpy as np
import pandas as pd
import pytest

from helpers.evolvr import benchmarks
from helpers.papers.evolvr import tables, text
from helpers.sources.public import available, read_json, registry
from helpers.sources.published import FOLDER

RATINGS = np.array([4] * 40 + [5] * 40)


def test_the_sd_that_whole_ratings_have_is_possible():
    mean, sd = RATINGS.mean(), RATINGS.std()
    assert tables.can_have(mean, sd - 5e-4, sd + 5e-4, divisor=80)


def test_an_sd_between_those_of_whole_ratings_is_impossible():
    mean, sd = RATINGS.mean(), RATINGS.std()
    assert not tables.can_have(mean, sd + 1e-3, sd + 1.5e-3, divisor=80)


def test_a_sum_of_squares_is_odd_just_where_the_sum_is():
    mean = RATINGS.mean()  # the sum is 360
    for squares, is_possible in ((1640, True), (1641, False)):
        sd = np.sqrt(squares / 80 - mean**2)
        assert tables.can_have(mean, sd, sd, divisor=80) is is_possible


def test_the_sd_of_a_sample_divides_by_one_less():
    mean, sd = RATINGS.mean(), RATINGS.std(ddof=1)
    assert tables.can_have(mean, sd, sd, divisor=79)


def test_averages_of_four_models_leave_a_singular_matrix():
    matrix = np.corrcoef(np.random.default_rng(0).normal(size=(4, 4)))
    upper = matrix[np.triu_indices(4, 1)]
    assert tables.smallest_eigenvalue(upper) == pytest.approx(0, abs=1e-9)


def test_correlations_that_no_four_raters_can_have_are_impossible():
    assert tables.smallest_eigenvalue([0.9, 0.9, 0, -0.9, 0, 0]) < -0.3


def at_hand(*datasets):
    """Skip where the files of data sets that nothing is kept of are not on this machine."""
    missing = [name for name in datasets if not available(name)]
    if missing:
        pytest.skip(f"the files of {', '.join(missing)} are not on this machine")


def test_what_is_said_of_openmeva_is_what_its_files_hold(rng):
    at_hand("openmeva")
    code = pd.read_csv(FOLDER / "evolvr" / "code.csv", index_col="id")
    noted = [int(code.at[f"openmeva_{name}", "code"]) for name in ("stories", "lowest", "highest")]
    for entry in registry()["openmeva"]["files"].values():
        assert entry["sha256"][:8] in code.at["openmeva_stories", "file"]
    parts = [benchmarks.load_openmeva(part, rng) for part in benchmarks.SETS]
    scores = pd.concat([part.ratings["score"] for part in parts])
    assert noted == [sum(len(part.items) for part in parts), scores.min(), scores.max()]
    assert len(scores) == 5 * noted[0], "five ratings of one quality"


def test_no_rater_of_openmeva_can_be_told_since_all_lists_are_sorted():
    at_hand("openmeva")
    for part in benchmarks.SETS:
        for prompt in read_json(f"openmeva/mans_{part}.json").values():
            assert all(one["score"] == sorted(one["score"]) for one in prompt["gen"].values())


def test_what_needs_no_reading_is_computed_from_the_files():
    at_hand("openmeva", "storyer")
    assert benchmarks.tabulate().to_csv(index=False) == benchmarks.FILE.read_text(encoding="utf8")


def test_the_kept_numbers_are_no_rows_of_the_data():
    table = pd.read_csv(benchmarks.FILE)
    assert len(table) < 40 and set(table["n"]) == {100, 200}
    assert not table["who"].str.contains("gpt|fusion|s2s", case=False).any()


def test_whoever_has_not_the_files_is_told_what_to_do(no_data, capsys):
    assert benchmarks.main() == 1
    assert "openmeva/mans_wp.json" in capsys.readouterr().err


def test_closed_models_are_beaten_only_where_there_are_some():
    rows = [f"{text.CLOSED}GPT", "Finetune / EvolvR"]
    table = pd.DataFrame({"Pearson": [0.5, 0.6], "Spearman": [0.4, 0.5]}, rows)
    assert text.beats_closed(table)
    assert not text.beats_closed(table.assign(Spearman=[0.6, 0.5]))
    assert not text.beats_closed(table.tail(1))
