"""What a cell of a sweep costs, and how planning grows with the number of cells."""

import statistics
import tempfile
import time
from pathlib import Path

import yaml

from helpers.sources.public import ROOT
from helpers.workshop import sweep, sweep_table
from helpers.workshop.sweep_config import read_config

NOTEBOOK = ROOT / "sweeps" / "how-many-stories.ipynb"


def make_sweep(folder, cells, **more):
    """Write a sweep file of so many cells of the power analysis and return its checked form, with outputs in `folder`."""
    grid = {"accuracy": [0.6], "seed": {"from": 1, "to": cells}}
    path = Path(folder) / f"grid-{cells}.yaml"
    path.write_text(yaml.safe_dump({"notebook": str(NOTEBOOK), "grid": grid, "fixed": {"replicates": 20}} | more))
    return read_config(path) | {"folder": Path(folder) / f"sweep-{cells}-{more.get('kernel', 'fresh')}"}


def run_cells(folder, cells, kernel):
    """Return the seconds of each cell of a batch, run in this process."""
    config = make_sweep(folder, cells, kernel=kernel)
    all_cells, _ = sweep.plan(config, {})
    sweep.run_batch(next(config["folder"].glob("batches/*.json")))
    return list(sweep_table.gather(config["folder"], all_cells)["seconds"])


def rows():
    """Return the rows of the sweep benchmark (contract: benchmarks/README.md)."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        fresh = statistics.median(run_cells(folder, 3, "fresh"))
        shared = run_cells(folder, 10, "shared")
        warm = statistics.median(shared[1:])
        found += [
            {"name": "one cell, a kernel of its own", "value": fresh, "unit": "s", "note": "median of 3"},
            {"name": "one cell, shared kernel", "value": warm, "unit": "s", "note": "median of 9, the first left out"},
            {
                "name": "own kernel against shared kernel",
                "value": fresh / max(warm, 0.1),
                "unit": "x",
                "better": "none",
                "note": "ratio of the two lines above",
            },
        ]
        for cells in (200, 2000, 20000):
            config, start = make_sweep(folder, cells), time.perf_counter()
            sweep.plan(config, {})
            found.append(
                {
                    "name": f"plan {cells:,} cells",
                    "value": time.perf_counter() - start,
                    "unit": "s",
                    "note": "expand, hash, look for finished cells, write batches of 20",
                }
            )
    return found
