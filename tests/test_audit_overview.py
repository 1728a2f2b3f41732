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
    """The leads of three judges over a control, and of one over a person."""
    rows = {
        ("A: one", "the judge less length"): (0.2, 0.1, 0.3, 11),
        ("A: two", "the judge less length"): (0.1, 0.02, 0.18, 11),  # clear alone, not of three
        ("B (b): two", "the judge less length"): (-0.3, -0.4, -0.2, 11),
        ("C: one", "the judge less a person"): (0.3, 0.2, 0.4, 11),
    }
    return pd.DataFrame(rows, ESTIMATES).T.rename_axis(["task", "row"])


def test_leads_over_controls_are_widened_together(best):
    leads = overview.widen_leads(best)
    wider = stats.t.ppf(1 - 0.025 / 3, 10) / stats.t.ppf(0.975, 10)
    expected = [0.2 + 0.1 * wider, 0.1 + 0.08 * wider, -0.3 + 0.1 * wider]
    assert leads["high"].tolist() == pytest.approx(expected)
    assert leads["low"].iloc[1] < 0, "clear alone, not as one of three"
    assert leads["visible"].iloc[0] > 0.1


def test_a_visible_lead_is_clear_in_80_of_100_studies_by_the_corrected_interval(best):
    """Leads that are `visible` in truth, measured in studies of 101 groups; Student's t is
    noncentral there."""
    visible = overview.widen_leads(best.assign(n=101))["visible"].iloc[0]
    error = 0.1 / stats.t.ppf(0.975, 100)  # of the first lead
    needed = stats.t.ppf(1 - 0.025 / 3, 100)  # for an interval of three without 0
    power = stats.nct.sf(needed, 100, visible / error)
    assert power == pytest.approx(0.8, abs=0.01)


def test_clear_leads_are_told_by_study(best):
    leads = overview.widen_leads(best)
    sentence, where = overview.tell_leads(leads)
    assert sentence == "In 1 of 2 studies a ready-made judge clearly leads the best control"
    assert where == "A: one"
    sentence, where = overview.tell_leads(leads.iloc[1:])
    assert sentence.startswith("In none of 2 studies does a ready-made judge clearly lead")
    assert where == "none"
    assert overview.tell_taught(leads) == ""


def test_a_judge_that_was_trained_on_the_same_raters_is_told_apart(best):
    taught = "EvolvR: one writer's stories, a regression with language models"
    leads = overview.widen_leads(best).rename({"A: one": taught})
    sentence, where = overview.tell_leads(leads)
    assert sentence.startswith("In none of 2 studies")
    assert where == "none"
    assert overview.tell_taught(leads).endswith("(HANNA, within one writer) leads it clearly.")
    unclear = leads.assign(low=-0.1)
    assert overview.tell_taught(unclear).endswith("does not lead it clearly.")


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
    rows = {"the judge": 0.1, "control: length": 0.5}
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
