"""What the Makefile calls: run all notebooks and publish what they found; fetch public texts."""

import argparse
import os
import re
import shutil
import sys
import time
from pathlib import Path

from helpers.results import list_notebooks
from helpers.sources import public as data
from helpers.sources.public import ROOT
from helpers.workshop.run import call_group, number, read_json, stop_when_killed, title

EXECUTED = ROOT / "outputs" / "executed"
TABLE = ROOT / "notebooks" / "README.md"
PUBLISHED = ("[0-9S]*.json", "ledger.csv", "[0-9S]*.png", "*-judges.csv")
PLACES = {
    "mirror": "in the local mirror",
    "cache": "in the cache",
    "download": f"downloaded to {data.cache_folder()}",
    "": "NOT available: no mirror, no cache, no network; no new judge can read these texts",
}


def fetch():
    """Find or download all files; return {data set: mirror, cache or download, or ''}."""
    return {name: data.available(name) for name in data.registry()}


def describe(origins):
    """Return one line per data set: files, megabytes, licence, where it was found."""
    lines = []
    for name, origin in origins.items():
        sizes = [file["bytes"] / 1e6 for file in data.registry()[name]["files"].values()]
        counted = f"{name:12} {len(sizes):3} files  {sum(sizes):5.1f} MB"
        lines.append(f"{counted}  {data.registry()[name]['licence']:13} {PLACES[origin]}")
    return lines


def run_all(cores):
    """Run the workflow in the project's folder with this Python; return its exit status."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # notebooks run side by side: threads of one would wait for the other's
    env = os.environ | {"PATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), "--quiet", "all"]
    command += ["--keep-going", "--nolock", "--rerun-incomplete"]
    return call_group(command, cwd=ROOT, env=env)


def forget_overwritten(folder=EXECUTED):
    """Remove the executed notebooks whose findings or ledger another run has written since."""
    for run in sorted(Path(folder).glob("*.run.json")):
        name = run.name.removesuffix(".run.json")
        for left in (f"{name}.json", f"ledger-{number(name)}.csv"):
            path = run.with_name(left)
            if path.is_file() and path.stat().st_mtime > run.stat().st_mtime:
                run.with_name(f"{name}.ipynb").unlink(missing_ok=True)


def list_left(folder, pattern):
    """Return what notebooks have left in a folder, without what is of a notebook that is no longer
    there."""
    paths, known = sorted(Path(folder).glob(pattern)), list_notebooks()
    return [path for path in paths if not path.name[0].isdigit() or number(path.name) in known]


def summary(folder=EXECUTED, since=0.0):
    """Return (lines, failures): notebook, source, seconds, findings, status; older: 'unchanged'."""
    rows, failures = [["notebook", "source", "seconds", "findings", "status"]], 0
    for path in list_left(folder, "*.run.json"):
        record = read_json(path)
        result = read_json(path.with_name(f"{record['notebook']}.json"))
        failures += record["status"] != "ok"
        status = ": ".join(filter(None, [record["status"], record["error"]]))
        if path.stat().st_mtime < since:
            status += ", unchanged"
        found = str(len(result.get("findings", [])))
        seconds = f"{record['seconds']:.1f}"
        rows.append([record["notebook"], result.get("source", ""), seconds, found, status])
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows], failures


def publish(folder=EXECUTED, outputs=ROOT / "outputs", readme=TABLE):
    """Copy findings, ledger and figures to outputs/, fill the table of notebooks."""
    made = [path for pattern in PUBLISHED for path in list_left(folder, pattern)]
    for path in (path for path in made if not path.name.endswith(".run.json")):
        target = Path(outputs) / path.relative_to(folder)
        target.parent.mkdir(exist_ok=True)
        if not target.is_file() or target.read_bytes() != path.read_bytes():
            shutil.copyfile(path, target)
    fill_table(readme, outputs)


def findings_table(outputs=ROOT / "outputs", notebooks=ROOT / "notebooks"):
    """Return the rows of the table: notebook (linked), question, its first finding's first
    sentence."""
    rows = []
    for path in sorted(Path(notebooks).glob("[0-9S]*.ipynb")):
        if number(path) != "00":  # asks nothing
            record = read_json(Path(outputs) / f"{path.stem}.json")
            finding = record.get("findings", ["(not run yet)"])[0]
            first, *rest = re.split(r"(?<=[.)\]]) (?=[A-Z])", finding)
            if rest and len(first) < 40:  # "Hardly." is no finding
                first = f"{first} {rest[0]}"
            link = f"[{path.stem}]({path.name})"
            question = title(path).split("· ")[-1]
            rows.append(f"| {link} | {question} | {first} |")
    return rows


def fill_table(path=TABLE, outputs=ROOT / "outputs"):
    """Put the table of notebooks between two comments in `notebooks/README.md`; return the new
    text.

    The comments stand outside the table, with a blank line between: within it they would end it.
    """
    text = Path(path).read_text(encoding="utf8")
    head = ["| notebook | question | finding |", "|---|---|---|"]
    table = "\n".join([*head, *findings_table(outputs)])
    filled = f"do not edit -->\n\n{table}\n\n<!-- /findings -->"
    text = re.sub("do not edit -->.*?<!-- /findings -->", lambda _: filled, text, flags=re.S)
    Path(path).write_text(text, encoding="utf8")
    return text


def reproduce(cores):
    """Execute every notebook, publish, print the table; return the exit status."""
    started = time.time()
    stop_when_killed()
    forget_overwritten()
    try:
        status = run_all(cores)
    except KeyboardInterrupt:
        print("stopped; what is done is kept, the same command goes on", file=sys.stderr)
        return 130
    lines, failures = summary(EXECUTED, started)
    print("\n".join(["", *lines, ""]))
    if status or failures:
        return 1
    publish()
    print("written: outputs/ledger.csv and the findings")
    return 0


def main(arguments=None):
    """Command line: `reproduce [--cores N]`, `fetch`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.reproduce")
    parser.add_argument("command", choices=["reproduce", "fetch"])
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args(arguments)
    if given.command == "reproduce":
        return reproduce(given.cores)
    origins = fetch()
    print("\n".join(describe(origins)))
    return int(not all(origins.values()))


if __name__ == "__main__":
    sys.exit(main())
