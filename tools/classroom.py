"""Make what a class needs from the notebooks (`make class`): student copies, slides with speaker
notes, a form to vote on paper."""

import html
import re
import shutil

import nbformat
from nbconvert.filters import markdown2html

from helpers.judges import prompts
from helpers.results import disarm
from helpers.sources.public import ROOT
from helpers.workshop.run import number, read_json
from teaching import votes
from tools.pages import key_figure

TEACHING = ROOT / "teaching"
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
    """Return a notebook as a student gets it: without outputs, without the sections LEFT_OUT, which
    would give it away, and without the cell for a reader's own texts."""
    notebook = nbformat.read(path, as_version=4)
    kept, left_out = [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            sections = []
            for section in re.split("^(?=## )", cell.source, flags=re.MULTILINE):
                if section.startswith("## "):
                    left_out = section.startswith(LEFT_OUT)
                if section.startswith("## Try it"):
                    section = FINDINGS.format(name=path.name) + section
                sections += [] if left_out else [section]
            cell.source = "".join(sections).rstrip()
            kept += [cell] if cell.source else []
        elif not left_out and "own-result" not in cell.metadata.get("tags", []):
            cell.outputs, cell.execution_count = [], None
            kept.append(cell)
    notebook.cells = kept
    return notebook


def read_discussion():
    """Return {notebook's number: [(question, what good answers contain)]} of discussion.md."""
    text = (TEACHING / "discussion.md").read_text(encoding="utf8")
    parts = re.split(r"^## (\w+).*\n", text, flags=re.MULTILINE)[1:]
    return {
        name: re.findall(r"\*\*(.+?)\*\*\n(.+?)(?=\n\n|\Z)", part, re.DOTALL)
        for name, part in zip(parts[::2], parts[1::2])
    }


def bullets(texts, mark="-"):
    """Return texts as a Markdown list."""
    return "\n".join(f"{mark} {text}" for text in texts)


def slides_of(path, questions):
    """Return a notebook's slides as [(content, speaker notes)], Markdown: question, key figure,
    findings, discussion."""
    notebook = nbformat.read(path, as_version=4)
    heading, _, why = notebook.cells[0].source.partition("\n")
    place, picture, alt = key_figure(notebook.cells)
    before = [cell.source for cell in notebook.cells[:place] if cell.cell_type == "markdown"][-1]
    source = f"data:image/png;base64,{picture.replace(chr(10), '')}"
    findings = read_json(ROOT / "outputs" / f"{path.stem}.json")["findings"][:3]
    asked, good = zip(*questions)
    return [
        (f"# {heading.lstrip('# ')}\n\nWhat do you expect? Write down a guess.", why),
        (
            f'<img src="{source}" alt="{html.escape(alt)}">',
            f"{before}\n\n**In the picture:** {alt}",
        ),
        (
            f"## In short\n\n{disarm(bullets(findings))}",
            "Ask before you show: whose guess was nearest? All numbers are computed in the"
            " notebook.",
        ),
        (f"## Discuss\n\n{bullets(asked, '1.')}", bullets(good, "1.")),
    ]


def opening_slide():
    """Return the first slide and its notes: the questions on which a class votes; all fourteen, in
    our own words."""
    _, asked = votes.read_form()
    three, fourteen = (
        bullets(f"**Test {test}.** {question}" for test, question in tests.items())
        for tests in (asked, prompts.aspects("ttcw"))
    )
    return (
        "# Do we agree more than the experts?\n\nRead the stories A, B and C. Answer alone, yes or"
        f" no:\n\n{three}",
        "The experts answered fourteen such questions; here they are in our own"
        f" words.\n\n{fourteen}",
    )


def paper_forms():
    """Return a page per story, with its questions and boxes to tick, as [(content, no notes)]."""
    texts, asked = votes.read_form()
    rows = [f"| Test {test}. {question} | ☐ | ☐ |" for test, question in asked.items()]
    table = "\n".join(["| pupil: | yes | no |", "|---|---|---|", *rows])
    return [(f"## Story {story}\n\n{text}\n\n{table}", "") for story, text in texts.items()]


def write_page(path, slides):
    """Write [(content, notes)] as one HTML page that needs no network (→ and ← move, n shows
    notes; printed with notes)."""
    body = "\n".join(
        f"<section>\n{markdown2html(content)}\n<aside>{markdown2html(notes)}</aside>\n</section>"
        for content, notes in slides
    )
    frame = (TEACHING / "slides.html").read_text(encoding="utf8")
    path.write_text(frame.replace("@@slides@@", body), encoding="utf8")


def hand_out(path, text):
    """Write a file that a class works in, unless it is there and differs; return whether it was
    kept."""
    kept = path.exists() and path.read_text(encoding="utf8") != text
    if not kept:
        path.write_text(text, encoding="utf8")
    return kept


def make(into=ROOT / "outputs" / "class"):
    """Write student copies, slides, voting forms and what these need into a folder; return the
    names of the files that were kept, since they differ from a new copy."""
    into.mkdir(parents=True, exist_ok=True)
    template = TEACHING / "votes-template.csv"
    files = {template.name: template.read_text(encoding="utf8")}
    for path in [*CLASS, TEACHING / "class-votes.ipynb"]:
        files[path.name] = nbformat.writes(student_copy(path)) + "\n"
    kept = [name for name, text in files.items() if hand_out(into / name, text)]
    discussion = read_discussion()
    slides = [slide for path in CLASS for slide in slides_of(path, discussion[number(path)])]
    write_page(into / "slides.html", [opening_slide(), *slides])
    write_page(into / "stories.html", paper_forms())
    shutil.copy(TEACHING / "votes.py", into)
    return kept


if __name__ == "__main__":
    for name in make():
        print(f"kept: outputs/class/{name} was changed; move or delete it to get a new copy")
    print("written: student copies, slides.html, stories.html, votes-template.csv: outputs/class/")
