"""Run every benchmark of this folder, compare with the latest earlier results,
keep the new ones."""

import argparse
import datetime
import importlib.util
import math
import os
import platform
import sys
import time
import traceback
from pathlib import Path

import pandas as pd

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
COLUMNS = ["benchmark", "name", "value", "unit", "better", "note"]
WORSE = 1.5  # times the earlier value; less is noise on a shared machine


def describe_machine():
    """Return {cores, python, system, load}: what a timing depends on, without the
    machine's name."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return {
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "load": load,
    }


def check_rows(name, rows):
    """Return a benchmark's rows as a table with COLUMNS; raise ValueError naming benchmark and row
    that break the contract."""
    if not isinstance(rows, list) or not rows:
        found = f"rows() returned {type(rows).__name__}"
        raise ValueError(f"{name}: {found}, expected a list of at least one dict")
    for number, row in enumerate(rows, 1):
        missing = {"name", "value", "unit"} - set(row)
        if missing or not isinstance(row["value"], (int, float)) or not math.isfinite(row["value"]):
            wanted = "name, value (a finite number) and unit"
            raise ValueError(f"{name}, row {number}: expected {wanted}, got {row}")
    usual = {"benchmark": name, "better": "lower", "note": ""}
    return pd.DataFrame([usual | row for row in rows])[COLUMNS]


def measure(path):
    """Import one bench_*.py and return its rows as a table; any fault is raised."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "rows"):
        raise ValueError(f"{path.name} has no function rows(); see benchmarks/README.md")
    return check_rows(path.stem.removeprefix("bench_"), module.rows())


def read_earlier(folder, machine):
    """Return (file name, table) of the latest results of a like machine, or ('', None)."""
    for path in sorted(Path(folder).glob("20*.csv"), reverse=True):
        table = pd.read_csv(path, dtype={"python": str})
        first = table.iloc[0]
        if (first["cores"], first["python"]) == (machine["cores"], machine["python"]):
            return path.name, table
    return "", None


def compare(table, earlier):
    """Return the table with `before` and `change` (times the earlier value, 'worse' or 'better'
    beyond WORSE, 'new')."""
    keys = ["benchmark", "name", "unit"]
    before = earlier[[*keys, "value"]].rename(columns={"value": "before"})
    joined = table.merge(before, on=keys, how="left")

    def change(row):
        if pd.isna(row["before"]) or row["before"] == 0 or row["better"] == "none":
            return "new" if pd.isna(row["before"]) else ""
        ratio = row["value"] / row["before"]
        cost = ratio if row["better"] == "lower" else 1 / max(ratio, 1e-9)
        word = " worse" if cost > WORSE else ""
        return f"x {ratio:.2f}{' better' if cost < 1 / WORSE else word}"

    return joined.assign(change=joined.apply(change, axis=1))


def keep(table, machine, folder):
    """Write the results to <date>.csv (or <date>-2.csv, …: never over an earlier file); return the
    path."""
    day, number = datetime.date.today().isoformat(), 1
    path = Path(folder) / f"{day}.csv"
    while path.exists():
        number += 1
        path = Path(folder) / f"{day}-{number}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = table.assign(date=day, **machine).to_csv(index=False, float_format="%.6g")
    path.write_text(text, encoding="utf8", newline="\n")
    return path


def main(arguments=None, here=HERE):
    """Command line: names of benchmarks (all if none), --dry. The status is 1 if one of them
    failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="judges for bench_judges.py, …")
    parser.add_argument("--dry", action="store_true", help="keep nothing")
    given = parser.parse_args(arguments)
    paths = sorted(Path(here).glob("bench_*.py"))
    found = {path.stem.removeprefix("bench_"): path for path in paths}
    for name in set(given.names) - set(found):
        there = f"there is no benchmark {name!r}; there are: {', '.join(found)}"
        print(f"error: {there}", file=sys.stderr)
        return 2
    machine, tables, failures = describe_machine(), [], []
    for name in given.names or found:
        start = time.monotonic()
        try:
            tables.append(measure(found[name]))
            seconds = time.monotonic() - start
            print(f"{name}: {len(tables[-1])} values in {seconds:.1f} s", flush=True)
        # one benchmark that fails must not hide the others; it is named and the status is 1
        except Exception as fault:
            where = traceback.extract_tb(fault.__traceback__)[-1].name
            failures.append(f"error: {name}: {type(fault).__name__} in {where}: {fault}")
    if tables:
        table = pd.concat(tables, ignore_index=True)
        before, earlier = read_earlier(Path(here) / "results", machine)
        shown = compare(table, earlier) if before else table
        about = ", ".join(f"{key} {value}" for key, value in machine.items())
        print(f"\n{about}" + (f"; before: {before}" if before else ""))
        shown = shown.drop(columns="better")
        print(shown.to_string(index=False, float_format=lambda value: f"{value:.4g}", na_rep=""))
        if not given.dry:
            print(f"\nkept in {keep(table, machine, Path(here) / 'results')}")
    print("".join(f"{line}\n" for line in failures), end="", file=sys.stderr)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
