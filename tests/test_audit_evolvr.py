"""The audit of evolvr: every printed number gets a line, and a changed number is caught."""

import numpy as np
import pytest

from helpers.audit import evolvr, evolvr_human, ledger
from helpers.audit.checks import Paper
from helpers.evolvr.load import load_annotations
from helpers.sources.public import available

OPEN = pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")


def refuted(paper):
    return [
        key
        for key, line in evolvr.audit(paper).found.items()
        if line["basis"] != "none" and not line["holds"]
    ]


def test_every_printed_number_has_one_line():
    paper = Paper("evolvr")
    decided = ledger.decide(evolvr.audit(paper), "05")
    assert len(decided) == len(paper.lines)
    assert not (decided["basis"] == "raw").any()


@OPEN
def test_open_ratings_reproduce_counts_and_agreement_about_pairs():
    sheets = load_annotations()
    decided = ledger.decide(evolvr.audit(Paper("evolvr"), sheets), "05")
    raw = decided[decided["basis"] == "raw"]
    assert (raw["verdict"] == "reproduced").all()
    assert (raw["table"] == "Table 8").sum() == 12
    assert (decided["verdict"] != "unverifiable").mean() > 0.9


def test_a_data_set_that_is_not_here_keeps_its_own_scale():
    found = evolvr.audit(Paper("evolvr")).found
    for key in [
        ("text", "A / StoryER Dataset", "Likert scale of the ratings (upper)"),
        ("text", "4 / Evaluation Metrics", "rating scale of the human evaluation (lower)"),
    ]:
        assert found[key]["holds"] and found[key]["bound"]
    assert not found["text", "B / Self-Confidence Agent", "score tokens compared (upper)"]["bound"]


@pytest.mark.parametrize(
    "key, value",
    [
        (("Table 4", "EvolvR GRPO", "Relevance"), "4.5880"),
        (("Table 12", "EvolvR GRPO", "Surprise (SD)"), "0.771"),
        (("Table 9", "4 / Self-Counter", "Survival Rate"), "75.50%"),
        (("Table 8", "Empathy", "Diff"), "+0.018"),
        (("Table 14", "A / B", "Avg. Corr. (Pearson's r)"), "0.556"),
        (("Table 15", "B", "A"), "0.984"),
        (("Table 6", "EvolvR", "Pearson"), "0.6175"),
        (("Table 2", "NLG Evaluation Open-Source Models / AutoJ-13B", "Pearson"), "0.3871"),
        (("text", "B / Multi-Persona CoT Synthesis", "personas guiding the synthesis"), "6"),
    ],
)
def test_a_changed_number_is_caught(key, value):
    paper = Paper("evolvr")
    assert paper.text(*key) != value
    assert len(refuted(paper.changed(key, value))) > len(refuted(paper))


def test_sds_of_whole_numbers():
    ratings = np.array([4] * 40 + [5] * 40)
    sd = ratings.std()
    assert evolvr_human.variances(ratings.mean(), (sd - 5e-4, sd + 5e-4))["population"]
    assert not evolvr_human.variances(ratings.mean(), (sd + 1e-3, sd + 1.5e-3))["population"]


def test_four_averages_make_a_singular_matrix():
    experts = np.random.default_rng(0).normal(size=(4, 4))
    matrix = np.corrcoef(experts)
    assert evolvr_human.smallest_eigenvalue(matrix[np.triu_indices(4, 1)]) == pytest.approx(
        0, abs=1e-9
    )
