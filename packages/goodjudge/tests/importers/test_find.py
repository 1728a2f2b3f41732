"""Exports are known by their shape, or told."""

from made_files import rows, sizes


def test_a_tool_that_is_told(refuse, read):
    assert "is no export of Qualtrics" in str(refuse(rows(), form="qualtrics"))
    assert "expected one of auto, rows" in str(refuse(rows(), form="excel"))
    assert sizes(read(rows(), form="rows")) == (24, 4, 96)
