"""Make the pieces of the report's pages: coverage, findings, ledger for the browser, key figure, citation, contents."""
import html
import json
import re
import shutil
from pathlib import Path

import nbformat
import yaml
from docutils.nodes import make_id

from helpers.audit.ledger import COLUMNS, PAPERS, VERDICTS
from helpers.sources.public import ROOT

TITLES = {"ttcw": "TTCW · Art or Artifice?", "refbased_v1": "Reference-based v1 · first version",
          "refbased_v2": "Reference-based v2 · second version", "poetry": "Poetry · the CAT study",
          "evolvr": "EvolvR · pairwise reasoning"}
# columns with many repeats, sent as numbers
CODED = ["paper", "table", "basis", "verdict", "strength", "cause", "how", "notebook"]
SOURCES = {"open": "from public data", "published": "from the papers' printed numbers",
           "simulated": "in part from printed numbers or simulation"}


def title_of(path):
    """Return a notebook's first heading."""
    return nbformat.read(path, as_version=4).cells[0].source.splitlines()[0].lstrip("# ")


def section_link(stem, path):
    """Return the site's address of a notebook's 'Against the paper' section (of its page, if it has none)."""
    heads = [line.lstrip("# ") for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"
             for line in cell.source.splitlines() if re.match(r"#+ Against the paper", line)]
    return f"notebooks/{stem}.html" + (f"#{make_id(heads[0])}" if heads else "")


def ledger_script(ledger, notebooks):
    """Return the ledger as a script for the browser: repeated words once, rows as lists, links to the notebooks.

    ledger: strings, columns of `helpers.audit.ledger.COLUMNS`; notebooks: {stem: path}.
    """
    words = sorted({word for name in CODED for word in ledger[name]})
    place = {word: i for i, word in enumerate(words)}
    rows = [[place[value] if name in CODED else value for name, value in zip(COLUMNS, row)]
            for row in ledger[COLUMNS].itertuples(index=False)]
    links = {stem[:2]: {"title": title_of(path), "href": section_link(stem, path)} for stem, path in notebooks.items()}
    record = {"columns": COLUMNS, "coded": CODED, "words": words, "verdicts": VERDICTS, "notebooks": links,
              "papers": {paper: TITLES.get(paper, paper) for paper in ledger["paper"].unique()}, "rows": rows}
    return f"window.LEDGER = {json.dumps(record, ensure_ascii=False, separators=(',', ':'))};\n"


def coverage_row(part, paper):
    """Return one line of the coverage table: a paper ('' for all), its bar, its counts linked to the ledger browser."""
    where = f"paper={paper}&amp;" if paper else ""
    counts = part["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
    bar = "".join(f'<i class="{v}" style="width:{100 * n / len(part):.3f}%"></i>' for v, n in counts.items() if n)
    links = {v: f'<a href="ledger.html#{where}verdict={v}">{n:,}</a>' if n else "0" for v, n in counts.items()}
    cells = "".join(f'<td data-label="{v}">{link}</td>' for v, link in links.items())
    name = html.escape(TITLES.get(paper, paper or "all five"))
    return (f'<tr><th scope="row">{name}<div class="bar" aria-hidden="true">{bar}</div></th>{cells}'
            f'<td data-label="all">{len(part):,}</td></tr>')


def coverage_html(ledger):
    """Return a table, paper by verdict, with a bar each."""
    head = "".join(f'<th scope="col"><span class="verdict {v}">{v}</span></th>' for v in VERDICTS)
    papers = [paper for paper in PAPERS if (ledger["paper"] == paper).any()]
    rows = [coverage_row(ledger[ledger["paper"] == paper] if paper else ledger, paper) for paper in [*papers, ""]]
    return "\n".join(['<div class="scroll"><table class="coverage">', f'<thead><tr><th scope="col">paper</th>{head}',
                      '<th scope="col">all</th></tr></thead><tbody>', *rows, "</tbody></table></div>"])


def headlines(notebooks, findings):
    """Return a Markdown table: each notebook's question (linked) and its first finding."""
    rows = []
    for stem, record in findings.items():
        first = record["findings"][0].replace("|", r"\|")
        rows.append(f"| [{title_of(notebooks[stem])}](notebooks/{stem}.ipynb) | {first} |")
    return "\n".join(["| question | main finding |", "|---|---|", *rows])


def findings_markdown(notebooks, findings):
    """Return one section a notebook: its question, where its numbers come from, its findings, and the way to it."""
    parts = []
    for stem, record in findings.items():
        origin = SOURCES.get(record["source"], f"with {record['source']}")
        parts += [f"## {title_of(notebooks[stem])}",
                  f"*Computed {origin}.* [Read the notebook](notebooks/{stem}.ipynb)",
                  "\n".join(f"- {finding}" for finding in record["findings"])]
    return "\n\n".join(parts)


def authors(entry):
    """Return the authors of an entry of CITATION.cff as text."""
    return ", ".join(a.get("name") or f"{a['family-names']}, {a['given-names'][0]}." for a in entry["authors"])


def reference(entry):
    """Return one entry of CITATION.cff's references as a Markdown list item."""
    year = f" ({entry['year']})" if "year" in entry else ""
    stop = "" if entry["title"].endswith("?") else "."
    where = f" {entry['conference']['name']}." if "conference" in entry else ""
    return f"- {f'{authors(entry)}{year}'.rstrip('.')}. *{entry['title']}{stop}*{where} ({entry['notes']})"


def citation(root=ROOT):
    """Return {text, bibtex, references} made from CITATION.cff."""
    cff = yaml.safe_load((Path(root) / "CITATION.cff").read_text(encoding="utf8"))
    fields = {"author": f"{{{authors(cff)}}}", **{name: cff[name] for name in ("title", "version", "license")}}
    inside = ",\n".join(f"  {name:7} = {{{value}}}" for name, value in fields.items())
    return {"text": f"{authors(cff)}. *{cff['title']}*, version {cff['version']}.",
            "bibtex": f"@software{{judging_creativity,\n{inside}\n}}",
            "references": "\n".join(map(reference, cff["references"]))}


def key_figure(path, into, root=ROOT):
    """Copy the key figure at `path` beside the pages; return its Markdown, with the README's words."""
    readme = (Path(root) / "README.md").read_text(encoding="utf8")
    shown = re.search(r"!\[([^\]]+)\]\(outputs/figure-judges\.png\)\s+\*([^*]+)\*", readme)
    if path is None or shown is None:
        return ""
    shutil.copyfile(path, Path(into) / path.name)
    return f"```{{figure}} {path.name}\n:alt: {shown.group(1)}\n\n{' '.join(shown.group(2).split())}\n```"


def toctrees(notebooks, extra):
    """Return the site's contents as hidden toctrees."""
    groups = {"Results": ["findings", "ledger"], "Notebooks": [f"notebooks/{stem}" for stem in notebooks],
              "Reference": [*(name.removesuffix(".md") for name in extra), "cite"]}
    return "\n\n".join("\n".join(["```{toctree}", ":hidden:", f":caption: {name}", "", *pages, "```"])
                       for name, pages in groups.items())
