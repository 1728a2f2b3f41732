"""The transcription is pinned: two independent transcriptions agreed on every cell of every table and figure."""

import hashlib
import json
from pathlib import Path

import pytest

from helpers import ledger

PINNED = Path(__file__).with_name("published_checksums.json")


def checksums(paper):
    """SHA-256 of row, column and value of each table, in printed order."""
    table = ledger.read_published(paper)
    return {name: hashlib.sha256(part[["row", "column", "value"]].to_csv(index=False, lineterminator="\n").encode()).hexdigest()
            for name, part in table.groupby("table", sort=False)}


@pytest.mark.parametrize("paper", ledger.PAPERS)
def test_no_printed_number_has_changed_since_the_two_transcriptions_agreed(paper):
    assert checksums(paper) == json.loads(PINNED.read_text())["tables"][paper]
