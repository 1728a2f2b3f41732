"""Build the report (`make report`): executed notebooks, findings, ledger and data cards; Sphinx
makes a site of them in outputs/report/."""

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
from helpers.results import disarm
from helpers.sources.public import ROOT
from helpers.workshop.run import read_json
from tools import pages, recordings

SITE = ROOT / "tools" / "site"
OUTPUTS = ROOT / "outputs"
EXTRA_PAGES = "data/README data/ratings/README data/prompts/README data/recorded/README".split()
EXTRA_PAGES += "data/recorded/training/README tools/training/README".split()
EXTRA_PAGES += "teaching/README teaching/glossary CONTRIBUTING".split()
# a link to a file of settings, which the site does not have: its words stay
SETTINGS = re.compile(r"\[([^\]]+)\]\([\w./-]+\.yaml\)")


def tags(cell):
    """Return the tags of a notebook's cell (a list that can be added to)."""
    return cell.metadata.setdefault("tags", [])


def put_in_short(notebook, stem, findings, papers, folder):
    """Begin a notebook with its title, its papers, three findings and its key figure.

    papers: as `read_papers` gives them; those that the first cell names by title are shown. The
    picture is written to `folder`/`stem`.png. The rest of the first cell becomes "The question".
    """
    first = notebook.cells[0]
    heading, _, lesson = first.source.partition("\n")
    named = [paper for paper in papers if paper["short"] in " ".join(lesson.split())]
    sections = ["The question", *pages.headings(notebook)]
    links = [f'<a href="#{make_id(name)}">{html.escape(name)}</a>' for name in sections]
    parts = [heading, *(f"*The paper:* {paper['reference']}" for paper in named), "## In short"]
    parts.append("\n".join(f"- {disarm(finding)}" for finding in findings[:3]))
    if found := pages.key_figure(notebook.cells):
        _, picture, alt = found
        (folder / f"{stem}.png").write_bytes(base64.b64decode(picture))
        parts.append(f"```{{image}} {stem}.png\n:alt: {' '.join(alt.split())}\n```")
    parts.append(f'<nav class="sections" aria-label="Sections">{" ".join(links)}</nav>')
    first.source = "\n\n".join([*parts, "## The question", lesson.strip()])


def fold_code(notebook):
    """Fold all code but the parameters."""
    cells = []
    for cell in notebook.cells:
        if "results.in_short(" in cell.source:
            continue  # the page begins with it
        if cell.cell_type == "code" and "parameters" not in tags(cell):
            tags(cell).append("hide-input")
        cells.append(cell)
    notebook.cells = cells


def follow_links(notebook):
    """Let computed Markdown link to pages: Sphinx follows links in text cells, not in outputs."""
    for cell in notebook.cells:
        for data in (output.get("data", {}) for output in cell.get("outputs", [])):
            if text := data.get("text/markdown"):
                data["text/markdown"] = re.sub(r"\]\(([\w./-]+)\.(ipynb|md)\b", r"](\1.html", text)


def lighten_tables(notebook):
    """Take the spaces out with which the lines of tables begin, a fourth of what tables weigh."""
    for cell in notebook.cells:
        for data in (output.get("data", {}) for output in cell.get("outputs", [])):
            if table := data.get("text/html"):
                data["text/html"] = re.sub(r"\n +<", "\n<", table)


def collect(into, ledger, notebooks):
    """Write the site's sources to `into`, laid out as the repository; return the ledger's script.

    ledger: strings, columns of `helpers.audit.ledger.COLUMNS`; notebooks: {stem: path}.
    """
    for name in EXTRA_PAGES:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / f"{name}.md").read_text(encoding="utf8")
        text = SETTINGS.sub(r"\1", text)
        (into / f"{name}.md").write_text(text, encoding="utf8")
    (into / "notebooks").mkdir(parents=True)
    papers = pages.read_papers()
    for stem, path in notebooks.items():
        notebook = nbformat.read(path, as_version=4)
        if record := read_json(OUTPUTS / f"{stem}.json"):
            put_in_short(notebook, stem, record["findings"], papers, into / "notebooks")
        fold_code(notebook)
        follow_links(notebook)
        lighten_tables(notebook)
        nbformat.write(notebook, into / "notebooks" / path.name)
    headlines, findings = pages.findings_pages(notebooks, OUTPUTS)
    groups = {
        "Results": ["findings", "ledger", "judges/index", "judges/recorded"],
        "Notebooks": [f"notebooks/{stem}" for stem in notebooks],
        "Reference": [*EXTRA_PAGES, "cite"],
    }
    values = pages.citation() | {"judges": pages.judges_table(OUTPUTS)}
    values |= {
        "recordings": recordings.to_markdown(recordings.list_recordings()),
        "total": f"{(ledger['verdict'] != 'blank').sum():,}",
        "blank": f"{(ledger['verdict'] == 'blank').sum():,}",
        "first": min(notebooks),
        "notebooks": headlines,
        "coverage": pages.coverage_html(ledger),
        "findings": findings,
        "passport": passport_html(),
        "planted": planted_html(),
        "figure": pages.readme_figure(into),
        "blocks": pages.readme_blocks(),
        "toctree": "\n\n".join(pages.toctree(names, group) for group, names in groups.items()),
    }
    for page in (SITE / "texts").rglob("*.md"):
        text = page.read_text(encoding="utf8")
        text = re.sub("@@([a-z]+)@@", lambda mark: values[mark.group(1)], text)
        written = into / page.relative_to(SITE / "texts")
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(text, encoding="utf8")
    return pages.ledger_script(ledger, notebooks, papers)


PLANTED = {  # the card's questions in the results of `benchmarks/planted_judges.py`
    "reads": "Does it read?",
    "person": "Is it as good as one more rater?",
    "replace": "May it replace a rater?",
}


def passport_html(path=ROOT / "benchmarks" / "results" / "passport.csv"):
    """Return the passport of the comparison as a table: a design a row, and in a sentence what came
    out; path: written by `benchmarks/passport.py`."""
    table = pd.read_csv(path)
    told = [tell_design(row) for _, row in table.iterrows()]
    columns = {"Simulated studies": table["design"], "How many": table["studies"]}
    return pd.DataFrame({**columns, "What came out": told}).to_html(index=False, border=0)


def planted_html(path=ROOT / "benchmarks" / "results" / "planted-judges.csv"):
    """Return how often the verdicts on planted judges were right as a table: a kind of studies and
    a question a row; path: written by `benchmarks/planted_judges.py`."""
    table = pd.read_csv(path)
    together = table[table["judge"] == "all"]
    rows = []
    for (study, question), part in together.groupby(["study", "question"], sort=False):
        shares = []
        for _, row in part.iterrows():
            span = f"{row['low']:.0%} to {row['high']:.0%}"
            shares.append(f"{row['what']} {row['share']:.1%} ({span})")
        rows.append((study, part["studies"].max(), PLANTED[question], "; ".join(shares)))
    columns = ["Studies", "How many", "Question", "Of the verdicts"]
    return pd.DataFrame(rows, columns=columns).to_html(index=False, border=0)


def tell_design(row):
    """Return in a sentence or two what a design of the passport (a row) shows."""
    judge = f"A judge's interval holds its true value in {row['judge, coverage']:.0%} of studies"
    if pd.notna(row["person, coverage"]):
        judge += f", a person's in {row['person, coverage']:.0%}"
    if pd.notna(row["over control, coverage"]):
        judge += f", that of the lead over the control in {row['over control, coverage']:.0%}"
    given = row["ceiling given"]
    if not given:
        return f"{judge}. No study gives a ceiling."
    held = row["ceiling's coverage"]
    top = f"{given:.0%} of studies give a ceiling: on average {row['ceiling']:.2f}"
    top += f", where a perfect judge has {row['a perfect judge']:.2f}"
    top += f"; its interval holds that in {held:.0%}"
    power = f"the power told is {row['power as told']:.0f} %, the true one {row['power']:.0f} %"
    return f"{judge}. {top}; {power}."


# names, punctuation and operators in code need no colour of their own: a page is a third lighter
# without their tags
PLAIN = re.compile(r'<span class="(?:n|p|o|w|si|sa)">([^<]*)</span>')


def build(into=OUTPUTS / "report"):
    """Build the site into `into` (replaced as a whole); return (path of index.html, warnings).

    Where Sphinx stops, the earlier site stays, and its message ends the program.
    """
    notebooks = {path.stem: path for path in sorted(ROOT.glob("notebooks/*.ipynb"))}
    ledger = pd.read_csv(OUTPUTS / "ledger.csv", dtype=str, keep_default_na=False)[COLUMNS]
    with tempfile.TemporaryDirectory(dir=into.parent, prefix=".report-") as work:
        sources, site, said = (Path(work) / name for name in ("sources", "site", "warnings.txt"))
        script = collect(sources, ledger, notebooks)
        command = [sys.executable, "-m", "sphinx", "-q", "-E", "-c", SITE, "-w", said]
        command += ["-d", Path(work) / "trees", sources, site]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"error: Sphinx stopped: {done.stderr.strip()[-2000:]}")
        (site / "_static" / "ledger-data.js").write_text(script, encoding="utf8")
        shutil.copyfile(OUTPUTS / "ledger.csv", site / "ledger.csv")
        for path in notebooks.values():  # a download gives the notebook as it is
            shutil.copyfile(path, site / "_sources" / "notebooks" / path.name)
        for path in site.glob("notebooks/*.html"):
            page = path.read_text(encoding="utf8")
            path.write_text(PLAIN.sub(r"\1", page), encoding="utf8")
        warnings = said.read_text(encoding="utf8").replace(f"{sources}/", "").splitlines()
        shutil.rmtree(into, ignore_errors=True)
        site.rename(into)
    return into / "index.html", [line for line in warnings if line]


if __name__ == "__main__":
    index, warnings = build()
    print("\n".join([*warnings, f"report: {index}"]))
