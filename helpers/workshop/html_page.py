"""A page for readers who want a judge's result and no code: what notebook 02 found about one judge
(`write_judge_page`).

A page is one file: no code, no scripts, no names of folders on this machine.
"""

import base64
import html
import re

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


def write_judge_page(asked, findings, tables, picture, outputs):
    """Write what notebook 02 found about one judge as judges/<judge>.html in `outputs`, a folder;
    return where it is in there.

    asked: a `ttcw.worth.Asked`; findings: sentences; tables: for readers, in their order (an empty
    one is left out); picture: the path of the figure, a PNG, which the page holds.
    """
    from nbconvert import HTMLExporter  # takes half a second to import

    folder = ROOT / outputs
    stem = re.sub("[^a-z0-9]+", "-", asked.judge.lower()).strip("-")
    page = folder / "judges" / f"{stem}.html"
    title = f"What is {asked.name} worth?"
    list_of_findings = "\n".join(f"- {finding}" for finding in findings)
    first, *others = [table.to_html(index=False, border=0) for table in tables if len(table)]
    # the picture is not disarmed: that would take its address for a foreign link
    image = base64.b64encode(picture.read_bytes()).decode()
    figure = f"![The judge beside others: {findings[0]}](data:image/png;base64,{image})"
    texts = [results.disarm(text) for text in (f"# {title}\n\n{list_of_findings}", first, *others)]
    cells = [nbformat.v4.new_markdown_cell(text) for text in (*texts[:2], figure, *texts[2:])]
    body, _ = HTMLExporter(**NO_CODE).from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    head = f"{HEAD}<title>{html.escape(title)}</title><style>{LOOK}</style>"
    replace_file(page, f"{head}{body}\n")
    return page.relative_to(folder)
