"""Each picture of a committed notebook stands there once, and has words of its own."""

import nbformat
import pytest

from helpers.sources.public import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_picture_stands_once_and_has_an_alternative_text_of_its_own(path):
    """After a change of a figure: `make reproduce`, then `make refresh`."""
    outputs = [
        output
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    words = [output.metadata["image/png"]["alt"] for output in outputs]
    assert len(set(words)) == len(words)
    assert "described where it is drawn" not in " ".join(words)
