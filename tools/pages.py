"""Make the pieces of the report's pages: coverage, findings, the ledger, judges, citation."""

import json
import re
import shutil
from pathlib import Path

import nbformat
import pandas as pd
import yaml
from docutils.nodes import make_id
from goodjudge.comparison.compare import PERSON

from helpers.audit.explain import BASIS
from helpers.audit.ledger import COLUMNS, CONTRADICTED, PAPERS, VERDICTS
from helpers.results import disarm, format_interval
from helpers.sources.names import display_name
from helpers.sources.public import ROOT
from helpers.workshop.run import number, read_json, title

ORIGINS = {
    "open": "from public data",
    "published": "from the papers' printed numbers",
    "simulated": "in part from printed numbers or simulation",
}
MEASURES = [
    f"{name}, {stories}"
    for name in ("agreement", "lead")
    for stories in ("48 stories", "36 machine stories")
]
BEST_FIRST = "agreement, 36 machine stories"
JUDGES = ["judge", "verdicts", "says Yes, %", *MEASURES, "cost"]


def key_figure(cells):
    """Return (place of the cell tagged `key-figure`, PNG in base64, alternative text), else of the
    first picture; None without any.

    The tagged cell shows no picture where the same one stands at the top of the notebook, which
    then is the first.
    """
    found = [
        (place, output.data["image/png"], output.metadata["image/png"]["alt"])
        for place, cell in enumerate(cells)
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    tags = [cell.metadata.get("tags", []) for cell in cells]
    tagged = [place for place, names in enumerate(tags) if "key-figure" in names]
    if not found or not tagged:
        return next(iter(found), None)
    drawn = [one for one in found if one[0] == tagged[0]]
    _, picture, alt = (drawn or found)[0]
    return tagged[0], picture, alt


def headings(notebook):
    """Return the section headings (##) of a notebook."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return re.findall("^## (.+)$", "\n".join(texts), re.MULTILINE)


def section_link(path):
    """Return the site's address of a notebook's 'Against the paper' section, or of its page."""
    found = [one for one in headings(nbformat.read(path, 4)) if one.startswith("Against the paper")]
    return f"notebooks/{path.stem}.html" + "".join(f"#{make_id(one)}" for one in found[:1])


def ledger_script(ledger, notebooks, papers):
    """Return the ledger as a script for the browser: each word once, links to the notebooks.

    ledger: strings, columns of `helpers.audit.ledger.COLUMNS`; notebooks: {stem: path}; papers: as
    `read_papers` gives them.
    """
    words = ledger[COLUMNS].stack().value_counts().index.tolist()
    place = {word: i for i, word in enumerate(words)}  # the short numbers to the frequent words
    paths = notebooks.values()
    hrefs = {key: paper["href"] for paper in papers for key in paper["keys"]}
    record = {
        "columns": COLUMNS,
        "words": words,
        "verdicts": VERDICTS,
        "notebooks": {number(p): {"title": title(p), "href": section_link(p)} for p in paths},
        "rows": shorten(ledger[COLUMNS].map(place.get).to_numpy().tolist()),
        "contradicted": CONTRADICTED,
        "basis": BASIS,
        "papers": {key: {"title": display_name(key), "href": hrefs[key]} for key in hrefs},
    }
    return f"window.LEDGER = {json.dumps(record, ensure_ascii=False, separators=(',', ':'))};\n"


def shorten(rows):
    """Return rows of numbers as strings, with nothing where a number is that of the row above."""
    above, lines = [None] * len(rows[0]), []
    for row in rows:
        cells = ["" if cell == last else str(cell) for cell, last in zip(row, above)]
        lines.append(",".join(cells))
        above = row
    return lines


def coverage_html(ledger):
    """Return a table, paper by verdict: a bar per paper, and counts that open the ledger.

    A blank cell is no number.
    """
    ledger, verdicts = ledger[ledger["verdict"] != "blank"], VERDICTS[:-1]
    counts = pd.crosstab(ledger["paper"], ledger["verdict"], margins=True, margins_name="all")
    papers = [*ledger["paper"].unique(), "all"]
    counts = counts.reindex(papers).reindex(columns=[*verdicts, "all"], fill_value=0)

    def head(paper):
        shares = (100 * counts.loc[paper, verdicts] / counts.at[paper, "all"]).items()
        bars = [f'<i class="{v}" style="width:{share:.3f}%"></i>' for v, share in shares if share]
        label = "all five" if paper == "all" else display_name(paper)
        return f'{label}<div class="bar" aria-hidden="true">{"".join(bars)}</div>'

    def cell(paper, verdict):
        count = counts.at[paper, verdict]
        where = "" if paper == "all" else f"paper={paper}&amp;"
        link = f'<a href="ledger.html#{where}verdict={verdict}">{count:,}</a>'
        return link if count and verdict != "all" else f"{count:,}"

    table = pd.DataFrame(
        [[cell(paper, verdict) for verdict in counts] for paper in papers],
        index=[head(paper) for paper in papers],
        columns=[*(f'<span class="verdict {v}">{v}</span>' for v in verdicts), "all"],
    ).rename_axis(columns="paper")
    with pd.option_context("display.max_colwidth", None):
        shown = table.to_html(escape=False, classes="coverage", border=0)
    return f'<div class="scroll">{shown}</div>'


def findings_pages(notebooks, folder):
    """Return two Markdown texts: a table of questions and main findings; all findings."""
    rows, parts = ["| question | main finding |", "|---|---|"], []
    for stem, path in notebooks.items():
        if record := read_json(folder / f"{stem}.json"):
            findings = [disarm(finding) for finding in record["findings"]]
            first = findings[0].replace("|", r"\|")
            rows.append(f"| [{title(path)}](notebooks/{stem}.ipynb) | {first} |")
            origin = ORIGINS.get(record["source"], f"with {record['source']}")
            parts += [
                f"## {title(path)}",
                f"*Computed {origin}.* [Read the notebook](notebooks/{stem}.ipynb)",
                "\n".join(f"- {finding}" for finding in findings),
            ]
    return "\n".join(rows), "\n\n".join(parts)


def people(entry):
    """Return the authors of an entry of CITATION.cff: 'Li, R., Zhu, C.'."""
    return ", ".join(
        a.get("name") or f"{a['family-names']}, {a['given-names'][0]}." for a in entry["authors"]
    )


def read_papers():
    """Return CITATION.cff's references: dicts of keys (in the ledger), short title, href, notes,
    reference."""
    papers = []
    for entry in read_cff()["references"]:
        notes, full = entry.get("notes", ""), entry["title"]
        arxiv = re.search(r"arXiv:([\d.]+\d)", f"{entry.get('journal', '')} {notes}")
        href = f"https://arxiv.org/abs/{arxiv.group(1)}" if arxiv else ""
        href = f"https://doi.org/{entry['doi']}" if "doi" in entry else href
        shown = f"*{full}*" if full.endswith("?") else f"*{full}.*"
        shown = f"[{shown}]({href})" if href else shown
        year = f" ({entry['year']})." if "year" in entry else ""
        where = f" {entry['conference']['name']}." if "conference" in entry else ""
        paper = {"href": href, "short": re.split("[:?]", full)[0], "notes": notes}
        paper["keys"] = [key for key in PAPERS if key in notes]
        papers.append(paper | {"reference": f"{people(entry)}{year} {shown}{where}"})
    return papers


def read_cff():
    """Return what CITATION.cff holds."""
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))


def citation():
    """Return {text, bibtex, references} made from CITATION.cff."""
    cff = read_cff()
    fields = {"author": f"{{{people(cff)}}}"} | {k: cff[k] for k in ("title", "version", "license")}
    inside = ",\n".join(f"  {key:7} = {{{value}}}" for key, value in fields.items())
    return {
        "text": f"{people(cff)}. *{cff['title']}*, version {cff['version']}.",
        "bibtex": f"@software{{judging_creativity,\n{inside}\n}}",
        "references": "\n".join(f"- {p['reference']} ({p['notes']})" for p in read_papers()),
    }


def readme_figure(into):
    """Copy the README's figure beside the pages; return its Markdown, with the README's words."""
    readme = (ROOT / "README.md").read_text(encoding="utf8")
    alt, path, words = re.search(
        r"!\[([^\]]+)\]\((outputs/[\w-]+\.png)\)\s+\*([^*]+)\*", readme
    ).groups()
    copy = Path(shutil.copy(ROOT / path, into)).name
    return f"```{{figure}} {copy}\n:alt: {alt}\n\n{' '.join(words.split())}\n```"


def readme_blocks():
    """Return the README's sections from *What we found* to *What it does not mean*."""
    readme = (ROOT / "README.md").read_text(encoding="utf8")
    found = re.search(r"^## What we found\n.*?(?=^## Where to go)", readme, re.M | re.S)[0]
    return re.sub(r"!\[[^\]]+\]\([^)]+\)\s+\*[^*]+\*\s+", "", found).rstrip()  # has its own place


def judges_table(folder):
    """Return a Markdown table of the judges in `folder`/*-judges.csv (`ttcw.worth.list_judges`):
    the best on machine stories first; a person, where there is one, is last."""
    listed = pd.concat([pd.read_csv(path) for path in sorted(folder.glob("*-judges.csv"))])
    is_person = listed["judge"] == PERSON
    judges = listed[~is_person].sort_values(BEST_FIRST, ascending=False, kind="stable")
    lines = [f"| {' | '.join(JUDGES)} |", "|---" * len(JUDGES) + "|"]
    for row in [*judges.to_dict("records"), *listed[is_person].to_dict("records")]:
        lines.append(f"| {' | '.join(judge_cells(row))} |")
    return "\n".join(lines)


def judge_cells(row):
    """Return the cells of a judge's line, from a row of `ttcw.worth.list_judges`."""
    if row["judge"] == PERSON:
        name, verdicts, cost = "*a human expert*", "", ""
    else:
        name = disarm(display_name(row["judge"])).replace("|", "&#124;")
        verdicts = f"{row['ok']:.0f} of {row['answers']:.0f}"
        cost = "not known" if pd.isna(row["usd"]) else f"{row['usd']:.2f} USD"
    cells = [name, verdicts, f"{100 * row['share of Yes']:.0f}"]
    for label in MEASURES:
        three = [
            row.get(column, float("nan")) for column in (label, f"{label} low", f"{label} high")
        ]
        shown = format_interval(*three)
        # below an estimate its interval, unbroken
        cells.append(shown.replace(" [", " <br>[").replace(", ", ",\N{NO-BREAK SPACE}"))
    return [*cells, cost]


def toctree(names, *caption):
    """Return a hidden toctree of pages, under a caption if one is given."""
    options = [":hidden:", *(f":caption: {words}" for words in caption)]
    return "\n".join(["```{toctree}", *options, "", *names, "```"])
