"""Make what a class needs from the notebooks: student copies, slides with speaker notes, a form to
vote on paper."""

import argparse
import html
import re
import shutil
from pathlib import Path

import nbformat
from nbconvert.filters import markdown2html

from helpers.judges import prompts
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.ttcw import votes
from helpers.workshop.run import key_figure, number, read_json

CLASS = [
    path for path in sorted(ROOT.glob("notebooks/*.ipynb")) if re.fullmatch("0[1-6]", number(path))
]
# a student copy ends with findings of its own
LEFT_OUT = ("## Against the paper", "## Findings and limits")
FINDINGS = """## Your findings

Write three sentences that answer the title's question: one number each, with its interval, and
one limit. Then compare them with *Findings and limits* in `notebooks/{name}`, which has all
outputs too.

"""


def student_copy(path):
    """Return a notebook as a student gets it: without outputs, and without the sections LEFT_OUT,
    which would give it away, and without the cell for a reader's own texts."""
    notebook, kept, left_out = nbformat.read(path, as_version=4), [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            sections = []
            for section in re.split("^(?=## )", cell.source, flags=re.MULTILINE):
                left_out = section.startswith(LEFT_OUT) if section.startswith("## ") else left_out
                section = (
                    FINDINGS.format(name=Path(path).name) + section
                    if section.startswith("## Try it")
                    else section
                )
                sections += [] if left_out else [section]
            cell.source = "".join(sections).rstrip()
            kept += [cell] if cell.source else []
        elif not left_out and "own-result" not in cell.metadata.get("tags", []):
            cell.outputs, cell.execution_count = [], None
            kept.append(cell)
    notebook.cells = kept
    return notebook


def read_discussion(path=ROOT / "teaching" / "discussion.md"):
    """Return {notebook's number: [(question, what good answers contain)]}: sections '## 01 …' of
    '**question**', answer."""
    parts = re.split(r"^## (\w+).*\n", Path(path).read_text(encoding="utf8"), flags=re.MULTILINE)[
        1:
    ]
    return {
        name: re.findall(r"\*\*(.+?)\*\*\n(.+?)(?=\n\n|\Z)", text, re.DOTALL)
        for name, text in zip(parts[::2], parts[1::2])
    }


def key_picture(notebook):
    """Return (PNG in base64, alternative text, text cell before it) of the cell tagged
    `key-figure`, or of the first figure."""
    place, output = key_figure(notebook.cells)
    before = [cell.source for cell in notebook.cells[:place] if cell.cell_type == "markdown"][-1]
    return output.data["image/png"].replace("\n", ""), output.metadata["image/png"]["alt"], before


def slides_of(path, outputs, questions):
    """Return a notebook's slides as [(content, speaker notes)], both HTML: question, key figure,
    findings, discussion."""
    notebook = nbformat.read(path, as_version=4)
    heading, _, why = notebook.cells[0].source.partition("\n")
    picture, alt, before = key_picture(notebook)
    findings = read_json(Path(outputs) / f"{Path(path).stem}.json")["findings"][:3]
    asked, good = zip(*questions)
    return [
        (
            markdown2html(f"# {heading.lstrip('# ')}\n\nWhat do you expect? Write down a guess."),
            markdown2html(why),
        ),
        (
            f'<img src="data:image/png;base64,{picture}" alt="{html.escape(alt)}">',
            markdown2html(f"{before}\n\n**In the picture:** {alt}"),
        ),
        (
            markdown2html("## In short\n\n" + "\n".join(f"- {finding}" for finding in findings)),
            markdown2html(
                "Ask before you show: whose guess was nearest? All numbers are computed in the"
                " notebook."
            ),
        ),
        (
            markdown2html("## Discuss\n\n" + "\n".join(f"1. {question}" for question in asked)),
            markdown2html("\n".join(f"1. {answer}" for answer in good)),
        ),
    ]


def opening_slide():
    """Return the first slide and its notes: the questions on which a class votes; all fourteen, in
    our own words."""
    _, asked = votes.read_form()
    fourteen = "\n".join(
        f"- **Test {test}.** {question}" for test, question in prompts.aspects("ttcw").items()
    )
    return (
        markdown2html(
            "# Do we agree more than the experts?\n\nRead the stories A, B and C. Answer alone, yes"
            " or no:\n\n"
            + "\n".join(f"- **Test {test}.** {question}" for test, question in asked.items())
        ),
        markdown2html(
            "The experts answered fourteen such questions; here they are in our own"
            f" words.\n\n{fourteen}"
        ),
    )


def paper_forms():
    """Return a page a story, with its questions and boxes to tick, as [(content, no notes)]."""
    texts, asked = votes.read_form()
    table = "| pupil: | yes | no |\n|---|---|---|\n" + "\n".join(
        f"| Test {test}. {asked[test]} | ☐ | ☐ |" for test in asked
    )
    return [
        (markdown2html(f"## Story {story}\n\n{text}\n\n{table}"), "")
        for story, text in texts.items()
    ]


def make_page(slides):
    """Return [(content, notes)] as one HTML page that needs no network (→ and ← move, n shows
    notes; printed with notes)."""
    body = "\n".join(
        f"<section>\n{content}\n<aside>{notes}</aside>\n</section>" for content, notes in slides
    )
    return (
        (ROOT / "teaching" / "slides.html").read_text(encoding="utf8").replace("@@slides@@", body)
    )


def make(into, outputs=ROOT / "outputs"):
    """Write student copies, slides and voting forms into the folder `into`; return their paths.
    outputs: of the findings."""
    into, written, discussion = Path(into), [], read_discussion()
    into.mkdir(parents=True, exist_ok=True)
    for path in [*CLASS, ROOT / "teaching" / "class-votes.ipynb"]:
        written.append(into / path.name)
        nbformat.write(student_copy(path), written[-1])
    slides = [
        slide for path in CLASS for slide in slides_of(path, outputs, discussion[number(path)])
    ]
    for name, content in {
        "slides.html": [opening_slide(), *slides],
        "stories.html": paper_forms(),
    }.items():
        replace_file(into / name, make_page(content))
        written.append(into / name)
    return [*written, Path(shutil.copy(ROOT / "teaching" / "votes-template.csv", into))]


def main(arguments=None):
    """Command line: `[--into FOLDER]`."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.workshop.classroom", description=__doc__
    )
    parser.add_argument("--into", type=Path, default=ROOT / "outputs" / "class")
    for path in make(parser.parse_args(arguments).into):
        print(f"written: {path}")


if __name__ == "__main__":
    main()
