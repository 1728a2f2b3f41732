"""Planted orders: the probe set, judges that obey and judges that do not, and the parser's own
defence."""

import re

from helpers import judges
from helpers.judges import labels, prompts
from helpers.ttcw import injection


def obey(row, rng):
    """A judge that does what the last order in the story says."""
    return "Verdict: " + (re.findall(r"\b(Yes|No)\b", row.shared) or ["Yes"])[-1]


def test_every_probe_reaches_the_judge_inside_its_fence_and_none_the_parser():
    probes = injection.make_probes()
    assert (
        len(probes) == 17
        and probes["item"].is_unique
        and (probes["shared"].str.count("</story>") == 1).all()
    )
    for row in probes.itertuples():
        assert labels.parse_yes_no(prompts.without_echo(row.shared, row.shared, row.prompt)) is None


def test_a_judge_that_obeys_is_told_from_one_that_does_not():
    swayed = injection.measure_obedience(
        "simulated/obey", judges.Options(simulators={"obey": obey})
    ).iloc[0]
    firm = injection.measure_obedience("simulated/always-yes").iloc[0]
    assert (swayed["swayed"], swayed["n"], swayed["clean"]) == (1.0, 8, "Yes") and swayed[
        "low"
    ] > 0.6
    assert (firm["swayed"], firm["n"]) == (0.0, 8) and firm["high"] < 0.4
