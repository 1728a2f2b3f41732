"""What all papers have in common: leads corrected together, intervals widened on their scale."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers import results
from helpers.audit import overview
from helpers.sources.files import DataError

ESTIMATES = ["estimate", "low", "high", "n"]


def test_only_studies_whose_notebooks_are_there_are_added_up(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "ROOT", tmp_path)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "out").mkdir()
    sources = {"01-a": "open", "S2-b": "published", "07-card": "open", "09-coin": "simulated"}
    for name in sources:
        (tmp_path / "notebooks" / f"{name}.ipynb").touch()
    with pytest.raises(DataError, match="no study has left a number of 'one judge'; run notebooks"):
        overview.read_rows("out", "one judge")
    for name, source in (sources | {"10-gone": "open"}).items():
        values = {f"one judge / {name} / the judge / {column}": 0.5 for column in ESTIMATES}
        record = {"notebook": name, "source": source, "values": values}
        (tmp_path / "out" / f"{name}.json").write_text(json.dumps(record))
    (tmp_path / "out" / "01-a.run.json").write_text("{}")
    found = overview.read_rows("out", "one judge")
    assert list(found.index) == [("01-a", "the judge"), ("S2-b", "the judge")]
    assert list(found) == ESTIMATES


def test_only_ready_made_judges_of_texts_that_people_rated_count():
    tasks = {
        "Art or Artifice?: 48 stories": ["Art or Artifice?", "balanced accuracy", True],
        "EvolvR: one writer's stories, the best language model": ["HANNA", "Pearson's r", True],
        "EvolvR: one writer's stories, a regression with language models": [
            "HANNA",
            "Pearson's r",
            False,
        ],
        "Poetry: kind of venue": ["our poems", "Spearman's ρ", False],
        "A study of yours: tides": ["A study of yours", "accuracy", True],
    }
    rows = overview.describe_rows(tasks)
    assert rows[["texts", "measure", "counts"]].T.to_dict("list") == tasks


def test_every_row_of_the_committed_run_is_described():
    best = overview.read_rows("outputs", "best judge")
    rows = overview.describe_rows(best.index.unique("task"))
    assert len(rows) >= 7 and "best judge" not in set(rows["judge"])
    assert rows["counts"].sum() == 5 and rows.loc[rows["counts"], "texts"].nunique() == 3


@pytest.fixture
def widened():
    """A mean of ρ and a correlation, each widened as one of five."""
    rows = {"Reference-based: x": (0.81, 0.68, 0.94, 5), "Poetry: x": (0.6, 0.42, 0.7339, 30)}
    return overview.widen_all(pd.DataFrame(rows, ESTIMATES).T, 5)


def test_a_mean_of_rho_is_widened_as_a_mean_and_stays_below_one(widened):
    half = 0.13 * stats.t.ppf(0.995, 4) / stats.t.ppf(0.975, 4)
    ends = widened.loc["Reference-based: x", ["low", "high"]].tolist()
    assert ends == pytest.approx([0.81 - half, 1])


def test_a_correlation_is_widened_on_fishers_z(widened):
    low, high = np.arctanh(widened.loc["Poetry: x", ["low", "high"]].astype(float))
    middle = np.arctanh(0.6)
    assert middle - low == pytest.approx(high - middle)
