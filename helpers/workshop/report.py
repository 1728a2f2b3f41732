"""Build the report: collect executed notebooks, findings, ledger and data cards; Sphinx makes a static site of them."""
import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pandas as pd

from helpers.audit.ledger import COLUMNS
from helpers.sources.public import ROOT
from helpers.workshop import pages

EXTRA_PAGES = ["data/README.md", "teaching/README.md", "CONTRIBUTING.md"]  # shown where they exist


class ReportError(ValueError):
    """The report lacks something; the message names it and the command that makes it."""


def find_output(name, outputs, root=ROOT):
    """Return the path of an output: in `outputs` if it is there, else in outputs/executed; None if in neither."""
    places = (Path(outputs) / name, Path(root) / "outputs" / "executed" / name)
    return next((path for path in places if path.is_file()), None)


def has_outputs(path):
    """Return whether a notebook exists and was executed."""
    return path.is_file() and any(cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells)


def executed_notebooks(root=ROOT, prefer=None):
    """Return ({stem: path} of notebooks/*.ipynb, names of those without outputs).

    Of each the first that has outputs is taken: from the folder `prefer`, as committed, or from the last run.
    """
    chosen, bare = {}, []
    for committed in sorted(Path(root).glob("notebooks/*.ipynb")):
        places = [*([Path(prefer)] if prefer else []), committed.parent, Path(root) / "outputs" / "executed"]
        found = [place / committed.name for place in places if has_outputs(place / committed.name)]
        chosen[committed.stem] = found[0] if found else committed
        bare += [] if found else [committed.name]
    return chosen, bare


def read_ledger(outputs, root=ROOT):
    """Return (the ledger as strings, its path); raises ReportError if there is none."""
    path = find_output("ledger.csv", outputs, root)
    if path is None:
        raise ReportError("there is no ledger.csv in outputs/ or outputs/executed/: say make reproduce first")
    return pd.read_csv(path, dtype=str, keep_default_na=False)[COLUMNS], path


def read_findings(notebooks, outputs, root=ROOT):
    """Return {stem: {source, findings}} of the notebooks that saved findings."""
    paths = {stem: find_output(f"{stem}.json", outputs, root) for stem in notebooks}
    return {stem: json.loads(path.read_text(encoding="utf8")) for stem, path in paths.items() if path}


def collect(into, outputs=ROOT / "outputs", root=ROOT, prefer=None):
    """Write the site's sources to `into`, laid out as the repository; return (ledger's path, its script, warnings)."""
    into, root, (notebooks, bare) = Path(into), Path(root), executed_notebooks(root, prefer)
    (ledger, found), findings = read_ledger(outputs, root), read_findings(notebooks, outputs, root)
    extra = [name for name in EXTRA_PAGES if (root / name).is_file()]
    for name in extra:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, into / name)
    (into / "notebooks").mkdir()
    for path in notebooks.values():
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata.setdefault("language_info", {"name": "python"})  # colours the code
        for data in (output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])):
            if "text/markdown" in data:  # Sphinx follows links in text cells, not in outputs
                data["text/markdown"] = re.sub(r"\]\(([\w./-]+)\.(ipynb|md)\b", r"](\1.html", data["text/markdown"])
        nbformat.write(notebook, into / "notebooks" / path.name)
    values = {"total": f"{len(ledger):,}", "first": min(notebooks), "coverage": pages.coverage_html(ledger),
              "figure": pages.key_figure(find_output("figure-judges.png", outputs, root), into, root),
              "notebooks": pages.headlines(notebooks, findings), "toctree": pages.toctrees(notebooks, extra),
              "findings": pages.findings_markdown(notebooks, findings), **pages.citation(root)}
    for page in root.glob("report/pages/*.md"):
        text = re.sub("@@([a-z]+)@@", lambda mark: values[mark.group(1)], page.read_text(encoding="utf8"))
        (into / page.name).write_text(text, encoding="utf8")
    said = [f"warning: notebooks/{name} was not executed and has no results: say make reproduce" for name in bare]
    return found, pages.ledger_script(ledger, notebooks), said


def build(into=ROOT / "outputs" / "report", outputs=ROOT / "outputs", root=ROOT, prefer=None):
    """Build the site into `into` (replaced as a whole); return (path of index.html, warnings as a list).

    Raises ReportError if something is missing or Sphinx stops; the earlier site then stays.
    """
    into = Path(into).resolve()
    into.parent.mkdir(parents=True, exist_ok=True)
    if into.is_dir() and any(into.iterdir()) and not (into / "ledger.csv").is_file():
        raise ReportError(f"{into} is not empty and holds no earlier report: choose another folder with --into")
    with tempfile.TemporaryDirectory(dir=into.parent, prefix=".report-") as work:
        sources, site, warnings = (Path(work) / name for name in ("sources", "site", "warnings.txt"))
        sources.mkdir()
        ledger, script, said = collect(sources, outputs, root, prefer)
        command = [sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html", "-c", Path(root) / "report",
                   "-d", Path(work) / "trees", "-w", warnings, sources, site]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise ReportError(f"Sphinx stopped: {done.stderr.strip()[-2000:]}")
        (site / "_static" / "ledger-data.js").write_text(script, encoding="utf8")
        shutil.copyfile(ledger, site / "ledger.csv")
        found = [line.replace(f"{sources}/", "") for line in warnings.read_text(encoding="utf8").splitlines() if line]
        shutil.rmtree(into, ignore_errors=True)
        site.rename(into)
    return into / "index.html", said + found


def main(arguments=None):
    """Command line: `[--outputs FOLDER]` of a run of yours, `[--into FOLDER]`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.report", description=__doc__)
    parser.add_argument("--outputs", type=Path, help="a run's folder (default: what is committed)")
    parser.add_argument("--into", type=Path, default=ROOT / "outputs" / "report", help="default: outputs/report")
    given = parser.parse_args(arguments)
    try:
        index, warnings = build(given.into, given.outputs or ROOT / "outputs", prefer=given.outputs)
    except ReportError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    print("\n".join([*warnings, f"report: {index}"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
