"""Write notebooks as HTML pages for readers who want the result and no code.

`write_page` takes an executed notebook: a reader's judge card, a judge's answers (`cards`).
`write_judge_page` takes what notebook 02 found about one judge. A page is one file: no code, no
warnings, no scripts, no names of folders on this machine.
"""

import base64
import html
import itertools
import re
from pathlib import Path

import nbformat

from helpers import results
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT

LOOK = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "img{max-width:100%;height:auto}"
    "table{border-collapse:collapse;font-size:.9rem;display:block;overflow-x:auto;max-width:100%}"
    "td,th{padding:.2rem .6rem;text-align:left;border-bottom:1px solid #ddd}"
    "@media print{body{font-size:10pt;max-width:none;margin:0}a{color:inherit}"
    "h1,h2,h3{break-after:avoid;break-inside:avoid}img,tr,li{break-inside:avoid}"
    "table{display:table;overflow:visible;width:100%}}"
)
HEAD = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
NO_CODE = {
    "template_name": "basic",
    "anchor_link_text": "",
    "exclude_input": True,
    "exclude_input_prompt": True,
    "exclude_output_prompt": True,
}
# what a page cannot show without the scripts of a notebook server
SCRIPTS = ("application/javascript", "application/vnd.jupyter.widget-view+json")
TEXTS = ("text", "text/plain", "text/html", "text/markdown")  # kinds of output that hold words


def write_page(notebook, page, title, first="", last="", names=None, trim=False, prose=True):
    """Write an executed notebook as an HTML page without code, warnings and places on this machine.

    notebook, page: paths; first, last: Markdown at its top and its end; names: {a file's path as
    the notebook says it: its name beside the page}; trim: whether prose about what is not there is
    left out (`drop_silent`), and the verdict stands under the title (`lift_verdict`); prose:
    whether the notebook's own stays.
    """
    nb = nbformat.read(notebook, as_version=4)
    cells = [cell for cell in nb.cells if "results.in_short(" not in cell.source]
    for cell in cells:
        if is_code(cell):
            cell.outputs = [output for output in cell.outputs if not is_noise(output)]
    if trim:
        cells = lift_verdict(drop_silent(cells))
    if not prose:
        cells = [cell for cell in cells if is_code(cell)]
    files = {str(path): name for path, name in (names or {}).items()}
    folders = {f"{place}/": "" for place in (notebook.parent, page.parent, ROOT, Path.home())}
    rename(cells, files | folders)
    top = [markdown(first)] if first else []
    end = [markdown(last)] if last else []
    nb.cells = [*top, *cells, *end]
    write_cells(nb, page, title)


def is_noise(output):
    """Return whether a notebook's output is a warning, or needs a notebook server's scripts."""
    is_warning = output.get("name") == "stderr"
    needs_scripts = any(kind in output.get("data", {}) for kind in SCRIPTS)
    return is_warning or needs_scripts


def drop_silent(cells):
    """Return the cells of a notebook without the prose above code that shows nothing; the first
    cell, its title, stays, and so does prose at the end."""
    by_kind = itertools.groupby(cells[1:], key=is_code)
    blocks = [list(block) for _, block in by_kind]  # prose and code take turns
    kept = cells[:1]
    for block, below in zip(blocks, [*blocks[1:], []]):
        is_above_code = bool(below) and is_code(below[0])
        if is_above_code and not any(cell.outputs for cell in below):
            continue
        kept += block
    return kept


def lift_verdict(cells):
    """Return the cells of a notebook with those tagged `verdict` right under the title, without the
    prose right above them; as they are where none is tagged.

    The first cell begins with the title, a line of its own.
    """
    is_verdict = ["verdict" in cell.metadata.get("tags", []) for cell in cells]
    lifted = [cell for cell, is_lifted in zip(cells, is_verdict) if is_lifted]
    if not lifted:
        return cells
    left = []
    for place, cell in enumerate(cells[1:], 1):
        is_prose_above = not is_code(cell) and any(is_verdict[place + 1 : place + 2])
        if not is_verdict[place] and not is_prose_above:
            left.append(cell)
    title, _, rest = cells[0].source.partition("\n\n")
    return [
        nbformat.v4.new_markdown_cell(title),
        *lifted,
        nbformat.v4.new_markdown_cell(rest),
        *left,
    ]


def is_code(cell):
    """Return whether a notebook's cell holds code."""
    return cell.cell_type == "code"


def rename(cells, names):
    """Replace places on this machine by names in all texts that cells show; names: {place: name},
    in the order in which they are replaced."""
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    for output in outputs:
        texts = output.get("data", output)
        for kind in TEXTS:
            if kind not in texts:
                continue
            for place, name in names.items():
                texts[kind] = texts[kind].replace(place, name)


def markdown(text):
    """Return a notebook's cell of Markdown, in which a reader's names bring no HTML."""
    return nbformat.v4.new_markdown_cell(results.disarm(text))


def write_cells(nb, page, title):
    """Write a notebook's cells as an HTML page without code."""
    from nbconvert import HTMLExporter  # takes half a second to import

    body, _ = HTMLExporter(**NO_CODE).from_notebook_node(nb)
    head = f"{HEAD}<title>{html.escape(title)}</title><style>{LOOK}</style>"
    replace_file(page, f"{head}{body}\n")


def write_judge_page(asked, findings, tables, picture, outputs):
    """Write what notebook 02 found about one judge as <outputs>/judges/<judge>.html, and say where
    it is.

    asked: a `ttcw.worth.Asked`; findings: sentences; tables: for readers, in their order (an empty
    one is left out); picture: the path of the figure, a PNG, which the page holds.
    """
    folder = ROOT / outputs
    stem = re.sub("[^a-z0-9]+", "-", asked.judge.lower()).strip("-")
    page = folder / "judges" / f"{stem}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    title = f"What is {asked.name} worth?"
    list_of_findings = "\n".join(f"- {finding}" for finding in findings)
    first, *others = [table.to_html(index=False, border=0) for table in tables if len(table)]
    cells = [
        markdown(f"# {title}\n\n{list_of_findings}"),
        markdown(first),
        embed(picture, f"The judge beside others: {findings[0]}"),
        *map(markdown, others),
    ]
    write_cells(nbformat.v4.new_notebook(cells=cells), page, title)
    results.say(f"A page about {asked.name}: `{page.relative_to(folder)}` in `{outputs}`.")


def embed(picture, label):
    """Return a cell that holds a picture; picture: the path of a PNG; label: what it shows.

    It is not disarmed: that would take the picture's address for a foreign link.
    """
    image = base64.b64encode(picture.read_bytes()).decode()
    return nbformat.v4.new_markdown_cell(f"![{label}](data:image/png;base64,{image})")
