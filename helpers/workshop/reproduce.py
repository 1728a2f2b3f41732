"""What the Makefile calls: fetch public data, run all notebooks, publish what open data gave."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from importlib.metadata import version
from pathlib import Path

from helpers.sources import public as data
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.workshop import run as runs

EXECUTED = ROOT / "outputs" / "executed"


def fetch(folder=EXECUTED):
    """Find or download every registered file; write `sources.json`; return {data set: origin or
    ''}.

    The file says only whether a data set is open here, so that notebooks rerun when that changes.
    """
    origins = {name: data.available(name) for name in data.registry()}
    said = {name: "open" if origin else "absent" for name, origin in origins.items()}
    if runs.read_json(Path(folder) / "sources.json") != said:
        replace_file(Path(folder) / "sources.json", json.dumps(said, indent=1))
    return origins


def describe(origins):
    """Return one line a data set: where it was found, files, megabytes, licence."""
    words = {
        "mirror": "in the local mirror",
        "cache": "in the cache",
        "download": f"downloaded to {data.cache_folder()}",
        "": (
            "NOT available: no mirror, no cache, no network; published numbers and simulation"
            " stand in"
        ),
    }
    lines = []
    for name, origin in origins.items():
        entry = data.registry()[name]
        size = sum(file["bytes"] for file in entry["files"].values()) / 1e6
        lines.append(
            f"{name:12} {len(entry['files']):3} files  {size:5.1f} MB  {entry['licence']:13}"
            f" {words[origin]}"
        )
    return lines


def run_all(cores):
    """Run the workflow in the project's folder with this Python; return its exit status."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # longest
    first = [f"outputs/executed/{p.name}" for p in sorted(ROOT.glob("notebooks/05*.ipynb"))]
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--cores",
        str(cores),
        "--keep-going",
        "--nolock",
        "--rerun-incomplete",
        "--quiet",
        "all",
        *(["--prioritize", *first] if first else []),
    ]
    with subprocess.Popen(
        command, cwd=ROOT, env=os.environ | {"PATH": path, "JUDGING_CREATIVITY_OFFLINE": "1"}
    ) as process:
        watch(process)
    return process.returncode


def watch(process, folder=EXECUTED, notebooks=ROOT / "notebooks"):
    """Print a line when a notebook begins and one when it ends, until `process` ends."""
    names = sorted(path.stem for path in Path(notebooks).glob("[0-9]*.ipynb"))
    start, begun, ended, runs_on = time.time(), set(), set(), True
    while runs_on:
        runs_on = process.poll() is None
        for name in names:
            if name not in begun and list(Path(folder).glob(f"{name}.*partial.ipynb")):
                begun.add(name)
                print(f"  {time.time() - start:5.0f} s  {name} begins", flush=True)
            path = Path(folder) / f"{name}.run.json"
            if name not in ended and path.is_file() and path.stat().st_mtime > start:
                ended.add(name)
                found, left = runs.read_json(path), ", ".join(sorted(begun - ended))
                print(
                    f"  {time.time() - start:5.0f} s  {name} {found['status']} after"
                    f" {found['seconds']:.0f} s, {len(ended)} of {len(names)}"
                    f" done{left and f'; running: {left}'}",
                    flush=True,
                )
        time.sleep(0.2 if runs_on else 0)


def forget_overwritten(folder=EXECUTED):
    """Remove the executed notebooks whose findings or ledger another run has written since."""
    for run in sorted(Path(folder).glob("*.run.json")):
        name = run.name.removesuffix(".run.json")
        left = [run.with_name(f"{name}.json"), run.with_name(f"ledger-{runs.number(name)}.csv")]
        if any(path.is_file() and path.stat().st_mtime > run.stat().st_mtime for path in left):
            run.with_name(f"{name}.ipynb").unlink(missing_ok=True)


def summary(folder=EXECUTED, since=0.0):
    """Return (lines, failures): notebook, source, seconds, findings, status; older: 'unchanged'."""
    rows, failures = [("notebook", "source", "seconds", "findings", "status")], 0
    for path in sorted(Path(folder).glob("*.run.json")):
        record = runs.read_json(path)
        result = {"source": "", "findings": []} | runs.read_json(
            path.with_name(f"{record['notebook']}.json")
        )
        failures += record["status"] != "ok"
        status = record["status"] + (f": {record['error']}" if record["error"] else "")
        rows.append(
            (
                record["notebook"],
                result["source"],
                f"{record['seconds']:.1f}",
                str(len(result["findings"])),
                status + (", unchanged" if path.stat().st_mtime < since else ""),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows], failures


def publish(folder=EXECUTED, outputs=ROOT / "outputs", readme=ROOT / "README.md"):
    """Copy findings, ledger, key figure and recorded judges' cards to the committed outputs, if all
    data are open."""
    if set(runs.read_json(Path(folder) / "sources.json").values()) != {"open"}:
        return False
    for pattern in ("[0-9]*.json", "ledger.csv", "figure-*.png", "judges/recorded-*.json"):
        for path in Path(folder).glob(pattern):
            target = Path(outputs) / path.relative_to(folder)
            target.parent.mkdir(exist_ok=True)
            same = target.is_file() and target.read_bytes() == path.read_bytes()
            if not same and not path.name.endswith(".run.json"):
                shutil.copyfile(path, target)
    fill_readme(readme, outputs)
    return True


def findings_table(outputs=ROOT / "outputs", notebooks=ROOT / "notebooks"):
    """Return the README's table rows: notebook (linked), its question, its first finding."""
    rows = []
    for path in sorted(Path(notebooks).glob("[0-9]*.ipynb")):
        if runs.number(path) != "00":  # asks nothing
            question = runs.title(path).split("· ")[-1]
            found = runs.read_json(Path(outputs) / f"{path.stem}.json").get(
                "findings", ["(not run yet)"]
            )
            rows.append(f"| [{path.stem}](notebooks/{path.name}) | {question} | {found[0]} |")
    return rows


def fill_readme(path=ROOT / "README.md", outputs=ROOT / "outputs"):
    """Put the findings table between its two markers in the README; return the new text."""
    head, rest = Path(path).read_text(encoding="utf8").split("do not edit -->\n")
    tail = rest.split("<!-- /findings -->")[1]
    text = "\n".join(
        [f"{head}do not edit -->", *findings_table(outputs), f"<!-- /findings -->{tail}"]
    )
    Path(path).write_text(text, encoding="utf8")
    return text


def reproduce(cores):
    """Fetch, execute every notebook, publish, print the table; return the exit status."""
    started = time.time()
    print("\n".join(describe(fetch())), flush=True)
    forget_overwritten()
    status = run_all(cores)
    lines, failures = summary(EXECUTED, started)
    print("\n".join(["", *lines]))
    if not status and not failures:
        print(
            "\nwritten: outputs/ledger.csv and the findings"
            if publish()
            else (
                "\nwithout all open data: ledger and findings of this run are in outputs/executed/;"
                " the committed ones stay"
            )
        )
    return int(bool(status or failures))


def environment():
    """Return environment.yml for conda and Binder: Python and what pyproject.toml names, as
    installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    wanted = [
        re.match(r"[\w-]+", name).group()
        for name in project["dependencies"] + project["optional-dependencies"]["test"]
    ]
    return "\n".join(
        [
            (
                "# For conda and Binder users; the same versions as requirements.lock (made by"
                " `make environment`)."
            ),
            "name: judging-creativity",
            "channels: [conda-forge]",
            "dependencies:",
            "  - python=3.11",
            "  - pip",
            "  - pip:",
            *(f"      - {name}=={version(name)}" for name in wanted),
            "      - -e .",
        ]
    )


def main(arguments=None):
    """Command line: `reproduce [--cores N]`, `fetch`, `environment`."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.reproduce", description=__doc__
    )
    parser.add_argument("command", choices=["reproduce", "fetch", "environment"])
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args(arguments)
    if given.command == "reproduce":
        return reproduce(given.cores)
    if given.command == "environment":
        print(environment())
        return 0
    print("\n".join(describe(origins := fetch())))
    return int(not all(origins.values()))


if __name__ == "__main__":
    sys.exit(main())
