"""What all papers have in common: leads corrected together, intervals widened on their scale."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers import results
from helpers.audit import overview

ESTIMATES = ["estimate", "low", "high", "n"]


def test_only_studies_whose_notebooks_are_there_are_added_up(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "ROOT", tmp_path)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "out").mkdir()
    sources = {"01-a": "open", "02b-b": "published", "07-card": "open", "09-coin": "simulated"}
    for name in sources:
        (tmp_path / "notebooks" / f"{name}.ipynb").touch()
    for name, source in (sources | {"10-gone": "open"}).items():
        record = {"notebook": name, "source": source}
        (tmp_path / "out" / f"{name}.json").write_text(json.dumps(record))
    (tmp_path / "out" / "01-a.run.json").write_text("{}")
    assert [one["notebook"] for one in overview.read_studies("out")] == ["01-a", "02b-b"]


@pytest.fixture
def best():
    """The leads of four judges over a control that a user could have, of one over the author's."""
    taught = "EvolvR: one writer's stories, a regression with language models"
    rows = {
        ("A: one", overview.LEAD): (0.2, 0.1, 0.3, 11),
        ("A: one", f"the judge less {overview.KNOWING}"): (-0.2, -0.3, -0.1, 11),
        ("A: two", overview.LEAD): (0.1, -0.02, 0.22, 101),
        ("B (b): two", overview.LEAD): (-0.3, -0.4, -0.2, 11),
        ("Poetry: not rated", overview.LEAD): (-0.5, -0.6, -0.4, 11),
        (taught, overview.LEAD): (0.3, 0.2, 0.4, 11),
        ("C: one", "the judge less a person"): (0.3, 0.2, 0.4, 11),
    }
    return pd.DataFrame(rows, ESTIMATES).T.rename_axis(["task", "row"])


def test_a_lead_over_what_a_user_could_have_stands_beside_that_over_the_author(best):
    leads = overview.list_leads(best)
    assert leads[ESTIMATES[:3]].loc["A: one"].tolist() == [0.2, 0.1, 0.3], "not widened again"
    assert leads.at["A: one", overview.KNOWING] == -0.2
    assert np.isnan(leads.at["A: two", overview.KNOWING])
    assert "C: one" not in leads.index


def test_a_visible_lead_is_clear_in_80_of_100_studies(best):
    """Leads that are `visible` in truth, measured in studies of 101 groups; Student's t is
    noncentral there."""
    visible = overview.list_leads(best).at["A: two", "visible"]
    needed = stats.t.ppf(0.975, 100)
    error = 0.12 / needed  # of the second lead
    power = stats.nct.sf(needed, 100, visible / error)
    assert power == pytest.approx(0.8, abs=0.01)


def test_ready_made_judges_are_counted_by_what_their_leads_tell(best):
    found = overview.count_leads(overview.list_leads(best))
    assert found == {"ahead": ["A: one"], "behind": ["B (b): two"], "open": ["A: two"]}
    assert [overview.find_study(task) for task in found["behind"]] == ["B"]


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


def test_the_least_that_a_study_would_find_falls_with_its_size(widened):
    least = overview.find_smallest_visible(widened, 5)
    assert (least > 0).all()
    assert least["Reference-based: x"] > least["Poetry: x"]


def test_a_row_without_a_person_says_why_if_that_is_known():
    rows = {"the judge": 0.1, f"{overview.A_USERS}: length": 0.5}
    tasks = ["Art or Artifice?: stories", "Poetry: kind of venue", "EvolvR: some ratings"]
    index = pd.MultiIndex.from_product([tasks, rows], names=["task", "row"])
    values = list(rows.values()) * len(tasks)
    best = pd.DataFrame({"estimate": values, "low": values, "high": values, "n": 9.0}, index)
    fig = overview.forest(best, "a title")
    words = [text.get_text() for ax in fig.axes for text in ax.texts]
    assert words.count(overview.NO_PERSON["Poetry"]) == 1


def test_contradictions_are_counted_by_what_they_rest_on():
    cells = [("differs", "raw"), ("differs", "code"), ("inconsistent", "printed")]
    cells += [("consistent", "code"), ("unverifiable", "none"), ("blank", "none")]
    counts = overview.count_bases(pd.DataFrame(cells, columns=["verdict", "basis"]))
    assert list(counts) == ["raw", "code", "printed"]
    assert counts.loc["differs"].tolist() == [1, 1, 0]
    assert counts.loc["inconsistent"].tolist() == [0, 0, 1]
    assert counts.to_numpy().sum() == 4, "what nothing can check rests on nothing"
