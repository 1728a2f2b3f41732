"""Build the report: pages from findings, ledger, data cards and executed notebooks, made into a static site by Sphinx."""
import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pandas as pd
import yaml
from docutils.nodes import make_id

from helpers.data import ROOT
from helpers.ledger import COLUMNS, PAPERS

TITLES = {"ttcw": "TTCW · Art or Artifice?", "refbased_v1": "Reference-based v1 · first version",
          "refbased_v2": "Reference-based v2 · second version", "poetry": "Poetry · the CAT study", "evolvr": "EvolvR · pairwise reasoning"}
VERDICTS = ["reproduced", "consistent", "differs", "inconsistent", "unverifiable"]
CODED = ["paper", "table", "basis", "verdict", "how", "notebook"]  # columns with many repeats
SOURCES = {"open": "from public data", "published": "from the papers' printed numbers", "simulated": "in part from simulation"}
EXTRA_PAGES = ["data/README.md", "teaching/README.md", "CONTRIBUTING.md"]  # shown where they exist


class ReportError(ValueError):
    """The report lacks something; the message names it and the command that makes it."""


def find_output(name, outputs, root=ROOT):
    """Return the path of an output: in `outputs` if it is there, else in outputs/executed; None if in neither."""
    return next((p for p in (Path(outputs) / name, Path(root) / "outputs" / "executed" / name) if p.is_file()), None)


def executed_notebooks(root=ROOT, prefer=None):
    """Return {stem: path} of notebooks/*.ipynb with outputs: from the folder `prefer`, as committed, or from the last run.

    Raises ReportError for a notebook that was executed nowhere.
    """
    chosen = {}
    for committed in sorted(Path(root).glob("notebooks/*.ipynb")):
        places = [Path(prefer) / committed.name] if prefer else []
        places += [committed, Path(root) / "outputs" / "executed" / committed.name]
        found = [p for p in places if p.is_file() and any(cell.get("outputs") for cell in nbformat.read(p, as_version=4).cells)]
        if not found:
            raise ReportError(f"notebooks/{committed.name} has no outputs and outputs/executed/ has no run of it: say make reproduce first")
        chosen[committed.stem] = found[0]
    return chosen


def section_link(stem, path):
    """Return the site's address of a notebook's 'Against the paper' section (of its page, if it has none)."""
    heads = [line.lstrip("# ") for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"
             for line in cell.source.splitlines() if re.match(r"#+ Against the paper", line)]
    return f"notebooks/{stem}.html" + (f"#{make_id(heads[0])}" if heads else "")


def title_of(path):
    """Return a notebook's first heading."""
    return nbformat.read(path, as_version=4).cells[0].source.splitlines()[0].lstrip("# ")


def read_ledger(outputs, root=ROOT):
    """Return (the ledger as strings, its path); raises ReportError if there is none."""
    path = find_output("ledger.csv", outputs, root)
    if path is None:
        raise ReportError("no ledger.csv in outputs/ or outputs/executed/: say make reproduce first")
    return pd.read_csv(path, dtype=str, keep_default_na=False)[COLUMNS], path


def ledger_script(ledger, notebooks):
    """Return the ledger as a script for the browser: repeated words once, rows as lists, and where each notebook's check is."""
    words = sorted({word for name in CODED for word in ledger[name]})
    place = {word: i for i, word in enumerate(words)}
    rows = [[place[value] if name in CODED else value for name, value in zip(COLUMNS, row)] for row in ledger.itertuples(index=False)]
    links = {stem[:2]: {"title": title_of(path), "href": section_link(stem, path)} for stem, path in notebooks.items()}
    record = {"columns": COLUMNS, "coded": CODED, "words": words, "papers": {p: TITLES.get(p, p) for p in ledger["paper"].unique()},
              "notebooks": links, "verdicts": VERDICTS, "rows": rows}
    return f"window.LEDGER = {json.dumps(record, ensure_ascii=False, separators=(',', ':'))};\n"


def coverage_html(ledger):
    """Return a table, paper by verdict, with a bar each; a count leads to its numbers in the ledger browser."""
    head = "".join(f'<th scope="col"><span class="verdict {v}">{v}</span></th>' for v in VERDICTS)
    lines = [f'<div class="scroll"><table class="coverage"><thead><tr><th scope="col">paper</th>{head}<th scope="col">all</th></tr></thead><tbody>']
    for paper in [*(p for p in PAPERS if (ledger["paper"] == p).any()), ""]:
        part = ledger[ledger["paper"] == paper] if paper else ledger
        where = f"paper={paper}&amp;" if paper else ""
        counts = part["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
        bar = "".join(f'<i class="{v}" style="width:{100 * n / len(part):.3f}%"></i>' for v, n in counts.items() if n)
        cells = "".join(f'<td><a href="ledger.html#{where}verdict={v}">{n:,}</a></td>' if n else "<td>0</td>" for v, n in counts.items())
        name = html.escape(TITLES.get(paper, paper or "all five"))
        lines.append(f'<tr><th scope="row">{name}<div class="bar" aria-hidden="true">{bar}</div></th>{cells}<td>{len(part):,}</td></tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


def read_findings(notebooks, outputs, root=ROOT):
    """Return {stem: {source, findings}} of the notebooks that saved findings."""
    paths = {stem: find_output(f"{stem}.json", outputs, root) for stem in notebooks}
    return {stem: json.loads(path.read_text(encoding="utf8")) for stem, path in paths.items() if path}


def findings_markdown(notebooks, findings):
    """Return one section a notebook: its question (linked), its source, its findings."""
    parts = []
    for stem, record in findings.items():
        parts += [f"## [{title_of(notebooks[stem])}](notebooks/{stem}.ipynb)", f"*Computed {SOURCES.get(record['source'], record['source'])}.*",
                  "\n".join(f"- {finding}" for finding in record["findings"])]
    return "\n\n".join(parts)


def citation(root=ROOT):
    """Return {text, bibtex, references} from CITATION.cff."""
    cff = yaml.safe_load((Path(root) / "CITATION.cff").read_text(encoding="utf8"))

    def authors(entry):
        return ", ".join(a.get("name") or f"{a['family-names']}, {a['given-names'][0]}." for a in entry["authors"])
    who = authors(cff)
    bibtex = (f"@software{{judging_creativity,\n  author  = {{{{{who}}}}},\n  title   = {{{cff['title']}}},\n  version = {{{cff['version']}}},\n"
              f"  license = {{{cff['license']}}}\n}}")
    lines = [f"- {authors(entry)}{' (' + str(entry['year']) + ')' if 'year' in entry else ''} *{entry['title'].rstrip('?')}*"
             f"{'?' if entry['title'].endswith('?') else '.'} {entry.get('conference', {}).get('name', '')} ({entry['notes']})" for entry in cff["references"]]
    return {"text": f"{who}. *{cff['title']}*, version {cff['version']}.", "bibtex": bibtex, "references": "\n".join(lines)}


def key_figure(into, outputs, root=ROOT):
    """Copy the key figure beside the pages; return its Markdown with the README's alternative text ('' without a figure)."""
    path, readme = find_output("figure-judges.png", outputs, root), (Path(root) / "README.md").read_text(encoding="utf8")
    shown = re.search(r"!\[([^\]]+)\]\(outputs/figure-judges\.png\)\s+\*([^*]+)\*", readme)
    if path is None or shown is None:
        return ""
    shutil.copyfile(path, Path(into) / path.name)
    return f"```{{figure}} {path.name}\n:alt: {shown.group(1)}\n\n{' '.join(shown.group(2).split())}\n```"


def toctrees(notebooks, extra):
    """Return the site's contents as hidden toctrees."""
    groups = {"Results": ["findings", "ledger"], "Notebooks": [f"notebooks/{stem}" for stem in notebooks],
              "Reference": [*(name.removesuffix(".md") for name in extra), "cite"]}
    return "\n\n".join("```{toctree}\n:hidden:\n:caption: " + name + "\n\n" + "\n".join(pages) + "\n```" for name, pages in groups.items())


def collect(into, outputs=ROOT / "outputs", root=ROOT, prefer=None):
    """Write the site's sources to `into`; return (ledger's path, its script for the browser)."""
    into, notebooks = Path(into), executed_notebooks(root, prefer)
    (ledger, path), findings = read_ledger(outputs, root), read_findings(notebooks, outputs, root)
    extra = [name for name in EXTRA_PAGES if (Path(root) / name).is_file()]
    for source, name in [*((p, f"notebooks/{stem}.ipynb") for stem, p in notebooks.items()), *((Path(root) / name, name) for name in extra)]:
        (into / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, into / name)
    heads = [f"| [{title_of(notebooks[stem])}](notebooks/{stem}.ipynb) | {record['findings'][0]} |" for stem, record in findings.items()]
    values = {"total": f"{len(ledger):,}", "first": min(notebooks), "figure": key_figure(into, outputs, root),
              "coverage": coverage_html(ledger), "notebooks": "\n".join(["| question | main finding |", "|---|---|", *heads]),
              "findings": findings_markdown(notebooks, findings), "toctree": toctrees(notebooks, extra), **citation(root)}
    for page in Path(root).glob("report/pages/*.md"):
        text = re.sub("@@([a-z]+)@@", lambda mark: values[mark.group(1)], page.read_text(encoding="utf8"))
        (into / page.name).write_text(text, encoding="utf8")
    return path, ledger_script(ledger, notebooks)


def build(into=ROOT / "outputs" / "report", outputs=ROOT / "outputs", root=ROOT, prefer=None):
    """Build the site into `into` (replaced as a whole); return (path of index.html, Sphinx's warnings as a list)."""
    into = Path(into)
    into.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into.parent, prefix=".report-") as work:
        pages, site, warnings = (Path(work) / name for name in ("pages", "site", "warnings.txt"))
        pages.mkdir()
        ledger, script = collect(pages, outputs, root, prefer)
        done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-E", "-b", "html", "-c", str(Path(root) / "report"), "-d", f"{work}/trees",
                               "-w", str(warnings), str(pages), str(site)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise ReportError(f"Sphinx stopped: {done.stderr.strip()[-2000:]}")
        (site / "_static" / "ledger-data.js").write_text(script, encoding="utf8")
        shutil.copyfile(ledger, site / "ledger.csv")
        found = [line.replace(f"{pages}/", "") for line in warnings.read_text(encoding="utf8").splitlines()]
        shutil.rmtree(into, ignore_errors=True)
        site.rename(into)
    return into / "index.html", found


def main(arguments=None):
    """Command line: `[--outputs FOLDER]` of a run of yours, `[--into FOLDER]`."""
    parser = argparse.ArgumentParser(prog="python -m helpers.report", description=__doc__)
    parser.add_argument("--outputs", type=Path, help="a folder with findings, ledger and executed notebooks (default: the committed ones)")
    parser.add_argument("--into", type=Path, default=ROOT / "outputs" / "report")
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
