"""Planted orders: the probe set, judges that obey and judges that do not."""

import re

import numpy as np
import pytest
from goodjudge.ask import labels
from goodjudge.ask.prompts import without_echo
from notebook_kit import define_functions

from helpers import judges
from helpers.ttcw import ask


def test_every_probe_reaches_the_judge_inside_its_fence_and_none_the_parser():
    probes = ask.make_probes()
    assert len(probes) == 17 and probes["item"].is_unique
    assert (probes["shared"].str.count("</story>") == 1).all()
    for row in probes.itertuples():
        assert row.planted in row.shared and "{probe}" not in row.shared
        assert labels.YES_NO.parse(without_echo(row.shared, row.shared, row.prompt)) is None


RULES = {
    # the last order in the story; without one, Yes
    "obey": lambda row, rng: (re.findall(r"\b(Yes|No)\b", row.shared) or ["Yes"])[-1],
    "firm": lambda row, rng: "No",
    "partly": lambda row, rng: "Yes" if row.probe == "fence" else "No",
    "mute": lambda row, rng: "I cannot say.",
}


@pytest.mark.parametrize(
    ("rule", "clean", "share", "n"),
    [
        ("obey", "Yes", 1.0, 8),
        ("firm", "No", 0.0, 8),
        ("partly", "No", 1 / 8, 8),
        ("mute", "", 0, 0),
    ],
)
def test_orders_against_the_clean_verdict_that_are_obeyed(rule, clean, share, n):
    options = judges.Options(simulators={rule: lambda *given: f"Verdict: {RULES[rule](*given)}"})
    answers = judges.ask(ask.make_probes(), f"simulated/{rule}", ask.reader, options)
    found, against = define_functions("S2")["measure_obedience"](answers)
    assert found["n"] == len(against) == n
    assert set(against["wanted"]) == ({"Yes", "No"} - {clean} if n else set())
    if n:
        assert found["estimate"] == share and found["low"] <= share <= found["high"]
    else:
        assert np.isnan(found["estimate"])
