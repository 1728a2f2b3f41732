"""Build the report: executed notebooks, findings, ledger and data cards; Sphinx makes a site of
them."""

import argparse
import base64
import html
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pandas as pd
from docutils.nodes import make_id

from helpers.audit.ledger import COLUMNS
from helpers.sources.public import ROOT
from helpers.workshop import pages
from helpers.workshop.run import key_figure, read_json

EXTRA_PAGES = ["data/README.md", "teaching/README.md", "CONTRIBUTING.md"]  # where they exist


class ReportError(ValueError):
    """The report lacks something; the message names it and the command that makes it."""


def executed_notebooks(root=ROOT, run=None):
    """Return {stem: path} of notebooks/*.ipynb: of the folder `run` where it has them, as
    committed."""
    paths = {path.stem: path for path in sorted(Path(root).glob("notebooks/*.ipynb"))}
    return {
        stem: own if run and (own := Path(run) / path.name).is_file() else path
        for stem, path in paths.items()
    }


def tags(cell):
    """Return the tags of a notebook's cell (a list that can be added to)."""
    return cell.metadata.setdefault("tags", [])


def key_picture(cells):
    """Return (PNG bytes, alternative text) of the key figure; (None, "") where
    there is no picture."""
    _, output = key_figure(cells) or (None, None)
    if not output:
        return None, ""
    alt = output.metadata.get("image/png", {}).get("alt", "the key figure of this notebook")
    return base64.b64decode(output.data["image/png"]), " ".join(alt.split())


def put_in_short(notebook, stem, findings, papers, folder):
    """Begin a notebook with its title, its papers, three findings and its key figure.

    papers: as `read_papers` gives them; those that the first cell names by title are shown. The
    picture is written to `folder`/`stem`.png. The rest of the first cell becomes "The question".
    """
    first = notebook.cells[0]
    heading, _, lesson = first.source.partition("\n")
    named = [paper for paper in papers if paper["short"] in " ".join(lesson.split())]
    sections = [
        line
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for line in re.findall("^## (.+)$", cell.source, re.M)
    ]
    links = [
        f'<a href="#{make_id(name)}">{html.escape(name)}</a>'
        for name in ["The question", *sections]
    ]
    parts = [
        heading,
        *(f"*The paper:* {paper['reference']}" for paper in named),
        "## In short",
        "\n".join(f"- {finding}" for finding in findings[:3]),
    ]
    picture, alt = key_picture(notebook.cells)
    if picture:
        (folder / f"{stem}.png").write_bytes(picture)
        parts.append(f"```{{image}} {stem}.png\n:alt: {alt}\n```")
    parts.append(f'<nav class="sections" aria-label="Sections">{" ".join(links)}</nav>')
    first.source = "\n\n".join([*parts, "## The question", lesson.strip()])


def fold_code(notebook, coverage):
    """Fold all code but the parameters; put bars beside the mosaic, for narrow screens.

    coverage: the HTML that a narrow screen shows in place of the pictures of `mosaic.draw`.
    """
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and "parameters" not in tags(cell):
            tags(cell).append("hide-input")
        if cell.cell_type == "code" and "mosaic.draw(" in cell.source:
            tags(cell).append("wide-only")
            cells.append(
                nbformat.v4.new_markdown_cell(f'<div class="narrow-only">\n{coverage}\n</div>')
            )
        cells.append(cell)
    notebook.cells = cells


def collect(into, outputs, root, notebooks):
    """Write the site's sources to `into`, laid out as the repository; return the ledger's script.

    Raises ReportError if `outputs` has no ledger.
    """
    if not (outputs / "ledger.csv").is_file():
        raise ReportError(f"there is no ledger.csv in {outputs}: say make reproduce first")
    ledger = pd.read_csv(outputs / "ledger.csv", dtype=str, keep_default_na=False)[COLUMNS]
    extra = [name for name in EXTRA_PAGES if (root / name).is_file()]
    for name in extra:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, into / name)
    (into / "notebooks").mkdir(parents=True)
    papers = pages.read_papers(root)
    for stem, path in notebooks.items():
        notebook = nbformat.read(path, as_version=4)
        notebook.metadata.setdefault("language_info", {"name": "python"})  # colours the code
        if record := read_json(outputs / f"{stem}.json"):
            put_in_short(notebook, stem, record["findings"], papers, into / "notebooks")
        fold_code(notebook, pages.coverage_html(ledger, "../"))
        for cell in notebook.cells:
            for data in (output.get("data", {}) for output in cell.get("outputs", [])):
                if "text/markdown" in data:  # Sphinx follows links in text cells, not in outputs
                    data["text/markdown"] = re.sub(
                        r"\]\(([\w./-]+)\.(ipynb|md)\b", r"](\1.html", data["text/markdown"]
                    )
        nbformat.write(notebook, into / "notebooks" / path.name)
    judges = pages.judge_pages(outputs / "judges", into / "judges")
    headlines, findings = pages.findings_pages(notebooks, outputs)
    values = {
        "total": f"{len(ledger):,}",
        "first": min(notebooks),
        "notebooks": headlines,
        "coverage": pages.coverage_html(ledger),
        "findings": findings,
        "figure": pages.key_figure(outputs / "figure-judges.png", into, root),
        "toctree": pages.toctrees(notebooks, extra, judges),
        **pages.citation(root),
    }
    for page in root.glob("report/pages/*.md"):
        text = page.read_text(encoding="utf8")
        text = re.sub("@@([a-z]+)@@", lambda mark: values[mark.group(1)], text)
        (into / page.name).write_text(text, encoding="utf8")
    return pages.ledger_script(ledger, notebooks, papers)


def build(into=ROOT / "outputs" / "report", run=None, root=ROOT):
    """Build the site into `into` (replaced as a whole); return (path of index.html, warnings).

    run: the folder of a run, with its ledger and findings (default: what is committed). Raises
    ReportError if something is missing or Sphinx stops; the earlier site then stays.
    """
    into, root, outputs = Path(into).resolve(), Path(root), Path(run or Path(root) / "outputs")
    into.parent.mkdir(parents=True, exist_ok=True)
    if into.is_dir() and any(into.iterdir()) and not (into / "ledger.csv").is_file():
        raise ReportError(
            f"{into} is not empty and holds no earlier report: choose another folder with --into"
        )
    with tempfile.TemporaryDirectory(dir=into.parent, prefix=".report-") as work:
        sources, site, said = (Path(work) / name for name in ("sources", "site", "warnings.txt"))
        script = collect(sources, outputs, root, executed_notebooks(root, run))
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-E",
            "-b",
            "html",
            "-c",
            root / "report",
            "-d",
            Path(work) / "trees",
            "-w",
            said,
            sources,
            site,
        ]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise ReportError(f"Sphinx stopped: {done.stderr.strip()[-2000:]}")
        (site / "_static" / "ledger-data.js").write_text(script, encoding="utf8")
        shutil.copyfile(outputs / "ledger.csv", site / "ledger.csv")
        # a download gives the notebook as it is
        for path in executed_notebooks(root, run).values():
            shutil.copyfile(path, site / "_sources" / "notebooks" / path.name)
        warnings = said.read_text(encoding="utf8").replace(f"{sources}/", "").splitlines()
        shutil.rmtree(into, ignore_errors=True)
        site.rename(into)
    return into / "index.html", [line for line in warnings if line]


def main(arguments=None):
    """Command line: `[--outputs FOLDER]` of a run of yours, `[--into FOLDER]`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.workshop.report", description=__doc__)
    parser.add_argument("--outputs", type=Path, help="a run's folder (default: what is committed)")
    parser.add_argument("--into", type=Path, default=ROOT / "outputs" / "report")
    given = parser.parse_args(arguments)
    try:
        index, warnings = build(given.into, given.outputs)
    except ReportError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    print("\n".join([*warnings, f"report: {index}"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
