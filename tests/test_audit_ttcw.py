"""The audit of *Art or Artifice?*: the printed value decides, and a changed number is caught."""

import pandas as pd
import pytest

from helpers.audit import ledger
from helpers.audit.checks import Paper
from helpers.audit.ttcw import audit
from helpers.measures import agreement
from helpers.sources.public import ROOT, available
from helpers.ttcw import load as ttcw

OPEN = pytest.mark.skipif(not available("ttcw"), reason="needs the open data")


def with_data(paper):
    """The audit as notebook 01 calls it, with the story group left out that its search finds."""
    verdicts = ttcw.load_verdicts()
    counts = agreement.count_passes(verdicts)
    without = counts[counts.index.get_level_values("group") != 2]
    kappas = pd.Series(agreement.fleiss_kappa(without), counts.columns)
    slots = agreement.spread_slots(verdicts)
    return audit(
        paper,
        verdicts,
        kappas,
        agreement.mean_correlation(slots),
        "Fleiss' kappa, group 2 left out",
    )


@OPEN
def test_the_ledger_of_notebook_01_is_what_is_committed():
    found = ledger.decide(with_data(Paper("ttcw")), "01").assign(
        computed=lambda t: [ledger.ten_digits(*pair) for pair in zip(t["computed"], t["value"])]
    )
    committed = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    committed = committed[(committed["paper"] == "ttcw") & (committed["notebook"] == "01")]
    assert found.to_csv(index=False) == committed[list(found)].to_csv(index=False)


@OPEN
@pytest.mark.parametrize(
    ("key", "value"),
    [
        (("text", "5.1", "New Yorker story length in words (upper)"), "7,207"),
        (("text", "5.1", "New Yorker story length in words (lower)"), "1900"),
        (("text", "1", "mean words per story"), "1600"),
        (
            (
                "text",
                "5.1",
                "word-count difference to paired human story below which expansion stops",
            ),
            "900",
        ),
        (("text", "5.4.1", "approximate pass rate of GPT4 and Claude v1.3"), "97.0%"),
        (("text", "5.4.1", "pass rate that no test reaches"), "90%"),
        (("text", "5.4.1", "bound below which the GPT3.5 pass rate lies"), "5%"),
        (("text", "5.4.1", "LLM pass rate as a fraction of the New Yorker one (upper)"), "1/4"),
        (("text", "6.1", "correlation that only GPT4 exceeds"), "0.1"),
        (("text", "6.1", "level that mean LLM-expert correlations are near"), "1"),
        (("Table 5", "Fluency / Narrative Ending", "GPT4"), "58.3"),
        (("Table 9", "Average", "GPT4"), "0.099"),
    ],
)
def test_the_printed_value_decides(key, value):
    before, after = with_data(Paper("ttcw")), with_data(Paper("ttcw").changed(key, value))
    assert after.found[key]["holds"] is not before.found[key]["holds"]
