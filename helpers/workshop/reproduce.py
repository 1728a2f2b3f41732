"""What the Makefile calls: fetch the public data, run all notebooks with Snakemake, publish what open data gave."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from helpers.sources import public as data
from helpers.sources.public import ROOT
from helpers.workshop import run as runs

EXECUTED = ROOT / "outputs" / "executed"
LONGEST = "05-evolvr"


def fetch(folder=EXECUTED):
    """Find or download every registered file; write `sources.json`; return {data set: origin or ''}.

    The file says only whether a data set is open here, so that it changes, and notebooks rerun, when that changes.
    """
    origins = {name: data.available(name) for name in data.registry()}
    text = json.dumps({name: "open" if origin else "absent" for name, origin in origins.items()}, indent=1)
    path = Path(folder) / "sources.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text() != text:
        path.write_text(text)
    return origins


def describe(origins):
    """Return one line a data set: where it was found, files, megabytes, licence."""
    words = {"mirror": "in the local mirror", "cache": "in the cache", "download": f"downloaded to {data.cache_folder()}",
             "": "NOT available: no mirror, no cache, no network; published numbers and simulation stand in"}
    lines = []
    for name, origin in origins.items():
        entry = data.registry()[name]
        size = sum(file["bytes"] for file in entry["files"].values()) / 1e6
        lines.append(f"{name:12} {len(entry['files']):3} files  {size:5.1f} MB  {entry['licence']:13} {words[origin]}")
    return lines


def snakemake(cores):
    """Run the workflow in the repository root with this interpreter first on the path; return its exit status.

    The notebook that takes longest starts first, lest it begins when all others are done.
    """
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                        "JUDGING_CREATIVITY_OFFLINE": "1"}
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), "--keep-going", "--nolock", "--rerun-incomplete",
               "--quiet", "all", "--prioritize", f"outputs/executed/{LONGEST}.ipynb"]
    with subprocess.Popen(command, cwd=ROOT, env=env) as process:
        watch(process)
    return process.returncode


def watch(process, folder=EXECUTED, notebooks=ROOT / "notebooks"):
    """Print a line when a notebook starts and one when it ends, until `process` ends."""
    names = sorted(path.stem for path in Path(notebooks).glob("*.ipynb"))
    began, started, ended, running = time.time(), set(), set(), True
    while running:
        running = process.poll() is None
        for name in names:
            if name not in started and (Path(folder) / f"{name}.partial.ipynb").is_file():
                started.add(name)
                print(f"  {time.time() - began:5.0f} s  {name} begins", flush=True)
            record = Path(folder) / f"{name}.run.json"
            if name not in ended and record.is_file() and record.stat().st_mtime > began:
                ended.add(name)
                found, left = json.loads(record.read_text()), sorted(started - ended)
                print(f"  {time.time() - began:5.0f} s  {name} {found['status']} after {found['seconds']:.0f} s, {len(ended)} of "
                      f"{len(names)} done" + (f"; running: {', '.join(left)}" if left else ""), flush=True)
        time.sleep(0.2 if running else 0)


def forget_overwritten(folder=EXECUTED):
    """Remove the executed notebooks whose findings or ledger another run has overwritten since, so that they run again."""
    for path in sorted(Path(folder).glob("*.run.json")):
        name = path.name.removesuffix(".run.json")
        if json.loads(path.read_text()).get("made") != runs.made(name, folder):
            (Path(folder) / f"{name}.ipynb").unlink(missing_ok=True)


def publish(folder=EXECUTED, outputs=ROOT / "outputs", readme=ROOT / "README.md"):
    """Copy findings, ledger and key figure to the committed outputs, and findings to the README; only for open data."""
    sources = json.loads((Path(folder) / "sources.json").read_text())
    if set(sources.values()) != {"open"}:
        return False
    for path in [*Path(folder).glob("0?-*.json"), Path(folder) / "ledger.csv", *Path(folder).glob("figure-*.png")]:
        target = Path(outputs) / path.name
        if path.is_file() and not path.name.endswith(".run.json"):
            if not target.is_file() or target.read_bytes() != path.read_bytes():
                shutil.copyfile(path, target)
    fill_readme(readme, outputs)
    return True


def findings_table(outputs=ROOT / "outputs", notebooks=ROOT / "notebooks"):
    """Return the README's table rows: notebook (linked), its question, its first finding."""
    rows = []
    for path in sorted(Path(notebooks).glob("0[1-9]-*.ipynb")):
        title = "".join(json.loads(path.read_text(encoding="utf8"))["cells"][0]["source"]).splitlines()[0]
        found = Path(outputs) / f"{path.stem}.json"
        finding = json.loads(found.read_text(encoding="utf8"))["findings"][0] if found.is_file() else "(not run yet)"
        rows.append(f"| [{path.stem}](notebooks/{path.name}) | {title.split('· ')[-1]} | {finding} |")
    return rows


def fill_readme(path=ROOT / "README.md", outputs=ROOT / "outputs"):
    """Put the findings table between its two markers in the README; return the new text."""
    text = Path(path).read_text(encoding="utf8")
    head, rest = text.split("do not edit -->\n")
    tail = rest.split("<!-- /findings -->")[1]
    text = head + "do not edit -->\n" + "\n".join(findings_table(outputs)) + "\n<!-- /findings -->" + tail
    Path(path).write_text(text, encoding="utf8")
    return text


def reproduce(cores):
    """Fetch, execute every notebook, publish, print the table; return the exit status."""
    started = time.time()
    print("\n".join(describe(fetch())), flush=True)
    forget_overwritten()
    status = snakemake(cores)
    lines, failures = runs.summary(EXECUTED, started)
    print("\n".join(["", *lines]))
    if not status and not failures:
        print("\nwritten: outputs/ledger.csv and the findings" if publish() else
              "\nwithout all open data: ledger and findings of this run are in outputs/executed/; the committed ones stay")
    return int(bool(status or failures))


def environment():
    """Return environment.yml for conda and Binder: Python and the direct dependencies at the locked versions."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf8")
    wanted = re.findall(r'"([A-Za-z][\w-]*)', project.split("dependencies = [")[1].split("]")[0])
    pins = [match.group(1) for name in [*wanted, "pytest", "hypothesis", "pytest-httpserver", "pytest-xdist", "ruff"]
            if (match := re.search(rf"^({re.escape(name)}==[^\s;]+)", lock, re.MULTILINE | re.IGNORECASE))]
    lines = ["# For conda and Binder users; the same versions as requirements.lock (made by `make environment`).",
             "name: judging-creativity", "channels: [conda-forge]", "dependencies:", "  - python=3.11", "  - pip", "  - pip:",
             *(f"      - {pin}" for pin in pins), "      - -e ."]
    return "\n".join(lines)


def main(arguments=None):
    """Command line: `reproduce [--cores N]`, `fetch`, `environment`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.reproduce", description=__doc__)
    parser.add_argument("command", choices=["reproduce", "fetch", "environment"])
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args(arguments)
    if given.command == "reproduce":
        return reproduce(given.cores)
    if given.command == "environment":
        print(environment())
        return 0
    origins = fetch()
    print("\n".join(describe(origins)))
    return int(not all(origins.values()))


if __name__ == "__main__":
    sys.exit(main())
