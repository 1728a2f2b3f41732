"""What a reader waits for: each notebook with its default parameters in a kernel of its own, one
after the other."""

import tempfile
from pathlib import Path

from helpers.sources.public import ROOT
from helpers.workshop import run as runs


def rows():
    """Return the seconds of each notebook and their sum (contract: benchmarks/README.md); a
    notebook that fails is an error."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
            record = runs.execute(path, Path(folder) / path.name, {"outputs": folder})
            if record["status"] != "ok":
                raise RuntimeError(f"{path.name}: {record['error']}")
            found.append(
                {
                    "name": path.stem,
                    "value": record["seconds"],
                    "unit": "s",
                    "note": "default parameters, one run",
                }
            )
    return found + [
        {
            "name": "all notebooks",
            "value": sum(row["value"] for row in found),
            "unit": "s",
            "note": "one after the other",
        }
    ]
