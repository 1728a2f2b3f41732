"""What a reader waits for: each notebook with its default parameters in a kernel of its own, one
after the other."""

import tempfile
from pathlib import Path

from helpers.sources.public import ROOT
from helpers.workshop import run as runs


def rows():
    """Return the seconds of each notebook and their sum (contract: benchmarks/README.md); a
    notebook that fails is an error."""
    found, note = [], "default parameters, one run"
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
            given = {"outputs": folder} if "outputs" in runs.read_parameters(path) else {}
            record = runs.execute(path, Path(folder) / path.name, given)
            if record["status"] != "ok":
                raise RuntimeError(f"{path.name}: {record['error']}")
            found.append({"name": path.stem, "value": record["seconds"], "unit": "s", "note": note})
    total = sum(row["value"] for row in found)
    return [*found, {"name": "all notebooks", "value": total, "unit": "s", "note": "in turn"}]
