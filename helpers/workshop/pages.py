"""Make the pieces of the report's pages: coverage, findings, the ledger, judges, citation."""

import html
import json
import re
import shutil
from pathlib import Path

import nbformat
import yaml
from docutils.nodes import make_id

from helpers.audit.ledger import COLUMNS, CONTRADICTED, PAPERS, VERDICTS
from helpers.sources.names import display_name
from helpers.sources.public import ROOT
from helpers.ttcw.card import card_markdown
from helpers.workshop.run import number, read_json, title

# columns with many repeats, sent as numbers
CODED = ["paper", "table", "basis", "verdict", "strength", "cause", "how", "notebook"]
SOURCES = {
    "open": "from public data",
    "published": "from the papers' printed numbers",
    "simulated": "in part from printed numbers or simulation",
}


def section_link(path):
    """Return the site's address of a notebook's 'Against the paper' section, or of its page."""
    lines = [
        line
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
        if re.match("#+ Against the paper", line)
    ]
    return f"notebooks/{path.stem}.html" + "".join(
        f"#{make_id(line.lstrip('# '))}" for line in lines[:1]
    )


def ledger_script(ledger, notebooks, papers):
    """Return the ledger as a script for the browser: repeated words once, links to the notebooks.

    ledger: strings, columns of `helpers.audit.ledger.COLUMNS`; notebooks: {stem: path}; papers: as
    `read_papers` gives them.
    """
    words = sorted({word for name in CODED for word in ledger[name]})
    place = {word: i for i, word in enumerate(words)}
    rows = [
        [place[value] if name in CODED else value for name, value in zip(COLUMNS, row)]
        for row in ledger[COLUMNS].itertuples(index=False)
    ]
    links = {
        number(path): {"title": title(path), "href": section_link(path)}
        for path in notebooks.values()
    }
    record = {
        "columns": COLUMNS,
        "coded": CODED,
        "words": words,
        "verdicts": VERDICTS,
        "notebooks": links,
        "rows": rows,
        "contradicted": CONTRADICTED,
        "papers": {
            key: {
                "title": display_name(key),
                "href": next((one["href"] for one in papers if key in one["keys"]), "cite.html"),
            }
            for key in ledger["paper"].unique()
        },
    }
    return f"window.LEDGER = {json.dumps(record, ensure_ascii=False, separators=(',', ':'))};\n"


def coverage_html(ledger, up=""):
    """Return a table, paper by verdict, with a bar each and counts that open the ledger.

    up: the way from the page to the site's root ("../").
    """

    def line(part, paper):
        counts = part["verdict"].value_counts().reindex(VERDICTS, fill_value=0)
        where = f"paper={paper}&amp;" if paper else ""
        bar = "".join(
            f'<i class="{v}" style="width:{100 * n / len(part):.3f}%"></i>'
            for v, n in counts.items()
            if n
        )
        cells = "".join(
            f'<td data-label="{v}">'
            + (f'<a href="{up}ledger.html#{where}verdict={v}">{n:,}</a>' if n else "0")
            + "</td>"
            for v, n in counts.items()
        )
        title_ = html.escape(display_name(paper) if paper else "all five")
        return (
            f'<tr><th scope="row">{title_}<div class="bar" aria-hidden="true">{bar}</div></th>'
            f'{cells}<td data-label="all">{len(part):,}</td></tr>'
        )

    head = "".join(f'<th scope="col"><span class="verdict {v}">{v}</span></th>' for v in VERDICTS)
    rows = [line(part, paper) for paper, part in ledger.groupby("paper", sort=False)]
    return "\n".join(
        [
            '<div class="scroll"><table class="coverage">',
            (
                '<thead><tr><th scope="col">paper</th>'
                f'{head}<th scope="col">all</th></tr></thead><tbody>'
            ),
            *rows,
            line(ledger, ""),
            "</tbody></table></div>",
        ]
    )


def findings_pages(notebooks, folder):
    """Return two Markdown texts: a table of questions and main findings; all
    findings in sections."""
    rows, parts = ["| question | main finding |", "|---|---|"], []
    for stem, path in notebooks.items():
        if record := read_json(Path(folder) / f"{stem}.json"):
            first = record["findings"][0].replace("|", r"\|")
            rows.append(f"| [{title(path)}](notebooks/{stem}.ipynb) | {first} |")
            origin = SOURCES.get(record["source"], f"with {record['source']}")
            parts += [
                f"## {title(path)}",
                f"*Computed {origin}.* [Read the notebook](notebooks/{stem}.ipynb)",
                "\n".join(f"- {finding}" for finding in record["findings"]),
            ]
    return "\n".join(rows), "\n\n".join(parts)


def people(entry):
    """Return the authors of an entry of CITATION.cff: 'Li, R., Zhu, C.'."""
    return ", ".join(
        a.get("name") or f"{a['family-names']}, {a['given-names'][0]}." for a in entry["authors"]
    )


def read_papers(root=ROOT):
    """Return CITATION.cff's references: dicts of keys (in the ledger), short title, href,
    reference."""
    papers = []
    for entry in read_cff(root)["references"]:
        notes, title_ = entry.get("notes", ""), entry["title"]
        arxiv = re.search(r"arXiv:([\d.]+\d)", f"{entry.get('journal', '')} {notes}")
        href = (
            f"https://doi.org/{entry['doi']}"
            if "doi" in entry
            else (f"https://arxiv.org/abs/{arxiv.group(1)}" if arxiv else "")
        )
        name = f"*{title_}*" if title_.endswith("?") else f"*{title_}.*"
        year = f" ({entry['year']})." if "year" in entry else ""
        where = f" {entry['conference']['name']}." if "conference" in entry else ""
        papers.append(
            {
                "keys": [key for key in PAPERS if key in notes],
                "href": href,
                "short": re.split("[:?]", title_)[0],
                "notes": notes,
                "reference": (
                    f"{people(entry)}{year} {f'[{name}]({href})' if href else name}{where}"
                ),
            }
        )
    return papers


def read_cff(root=ROOT):
    """Return what CITATION.cff holds."""
    return yaml.safe_load((Path(root) / "CITATION.cff").read_text(encoding="utf8"))


def citation(root=ROOT):
    """Return {text, bibtex, references} made from CITATION.cff."""
    cff = read_cff(root)
    fields = {"author": f"{{{people(cff)}}}"} | {k: cff[k] for k in ("title", "version", "license")}
    inside = ",\n".join(f"  {name:7} = {{{value}}}" for name, value in fields.items())
    return {
        "text": f"{people(cff)}. *{cff['title']}*, version {cff['version']}.",
        "bibtex": f"@software{{judging_creativity,\n{inside}\n}}",
        "references": "\n".join(f"- {p['reference']} ({p['notes']})" for p in read_papers(root)),
    }


def key_figure(path, into, root=ROOT):
    """Copy the key figure at `path` beside the pages; return its Markdown, with
    the README's words."""
    readme = (Path(root) / "README.md").read_text(encoding="utf8")
    shown = re.search(r"!\[([^\]]+)\]\(outputs/figure-judges\.png\)\s+\*([^*]+)\*", readme)
    if not path.is_file() or shown is None:
        return ""
    shutil.copyfile(path, Path(into) / path.name)
    alt, words = shown.group(1), " ".join(shown.group(2).split())
    return f"```{{figure}} {path.name}\n:alt: {alt}\n\n{words}\n```"


def judge_pages(folder, into):
    """Write a page for each judge card in `folder`, and their index, to `into`; return if there are
    any."""
    cards = {path.stem: read_json(path) for path in sorted(Path(folder).glob("*.json"))}
    if not cards:
        return False
    Path(into).mkdir()
    rows = ["| judge | what it answered | agreement with experts |", "|---|---|---|"]
    for stem, card in cards.items():
        said = {section["title"]: section["says"] for section in card["sections"]}
        cells = [
            said.get(name, "").replace("|", r"\|")
            for name in ("What it answered", "Agreement with experts")
        ]
        rows.append(f"| [{card['name']}]({stem}.md) | {' | '.join(cells)} |")
        text = card_markdown(card).replace("<table", '<div class="scroll"><table')
        text = text.replace("</table>", "</table></div>")
        text = f"# {card['name']}\n\n*Judge card of* `{card['judge']}`.\n\n{text}\n"
        (Path(into) / f"{stem}.md").write_text(text, encoding="utf8")
    tree = "\n".join(["```{toctree}", ":hidden:", "", *cards, "```"])
    (Path(into) / "index.md").write_text(
        "\n\n".join(
            [
                "# Judges",
                (
                    "A card for each judge, computed by notebook 02: what it answered, how it"
                    " agrees with experts, what it adds to guesses that read nothing, and what it"
                    " cost."
                ),
                "\n".join(rows),
                tree,
            ]
        ),
        encoding="utf8",
    )
    return True


def toctrees(notebooks, extra, judges):
    """Return the site's contents as hidden toctrees; judges: whether there are judge cards."""
    groups = {
        "Results": ["findings", "ledger", *["judges/index"] * judges],
        "Notebooks": [f"notebooks/{s}" for s in notebooks],
        "Reference": [*(name.removesuffix(".md") for name in extra), "cite"],
    }
    return "\n\n".join(
        "\n".join(["```{toctree}", ":hidden:", f":caption: {name}", "", *pages, "```"])
        for name, pages in groups.items()
    )
