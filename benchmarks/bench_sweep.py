"""What a cell of a sweep costs, and how planning grows with the number of cells."""

import shutil
import tempfile
import time
from pathlib import Path

import pandas as pd
import yaml

from helpers.sources.public import ROOT
from helpers.workshop import sweep

NOTEBOOK = ROOT / "sweeps" / "how-many-stories.ipynb"


def run_sweep(folder, cells, dry=False):
    """Run (or only plan) so many cells of the power analysis on two cores; return (seconds, the
    table or None)."""
    path = Path(folder) / f"bench-{cells}.yaml"
    grid = {"accuracy": [0.6], "seed": {"from": 1, "to": cells}}
    path.write_text(
        yaml.safe_dump({"notebook": str(NOTEBOOK), "grid": grid, "fixed": {"replicates": 20}})
    )
    out, start = ROOT / "outputs" / "sweeps" / path.stem, time.perf_counter()
    try:
        if sweep.run(path, dry=dry):
            raise RuntimeError(f"the sweep of {cells} cells failed; see above")
        seconds = time.perf_counter() - start
        return seconds, None if dry else pd.read_csv(out / "table.csv")
    finally:
        shutil.rmtree(out, ignore_errors=True)


def rows():
    """Return the rows of the sweep benchmark (contract: benchmarks/README.md)."""
    with tempfile.TemporaryDirectory() as folder:
        seconds, table = run_sweep(folder, 12)
        median = table["seconds"].median()
        found = [
            {
                "name": "one cell, a kernel of its own",
                "value": median,
                "unit": "s",
                "note": "median of 12",
            },
            {
                "name": "12 cells on two cores",
                "value": seconds,
                "unit": "s",
                "note": "planning, running, table",
            },
        ]
        for cells in (200, 2000):
            found.append(
                {
                    "name": f"plan {cells:,} cells",
                    "value": run_sweep(folder, cells, dry=True)[0],
                    "unit": "s",
                    "note": "dry run: expand, hash, Snakemake's graph",
                }
            )
    return found
