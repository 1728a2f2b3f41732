"""Make a folder for a class (`make class`), say for a USB stick: student copies, slides with
speaker notes, voting forms, the public data, the project, and the pinned packages if asked for."""

import argparse
import ast
import hashlib
import html
import io
import itertools
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import nbformat
import pandas as pd
from nbconvert.filters import markdown2html
from packaging.markers import default_environment
from packaging.requirements import Requirement

from helpers import prompts
from helpers.results import disarm
from helpers.sources.public import ROOT, available, locate, registry
from helpers.workshop.run import number, read_json
from teaching import start, votes
from tools import lesson
from tools.pages import key_figure

TEACHING = ROOT / "teaching"
CLASS = [
    path for path in sorted(ROOT.glob("notebooks/*.ipynb")) if re.fullmatch("0[1-6]", number(path))
]
# one of the pinned packages is built where it is installed, which takes this one
WHEEL = (
    "wheel==0.45.1 --hash=sha256:708e7481cc80179af0e556bbf0cc00b8444c7321e2700b8d8580231d13017248"
)
PASSED_ON = ("ttcw", "hanna", "confederacy")  # their licences allow it; lamp holds others' texts
AS_THEY_ARE = ("START-HERE.txt", "start.py", "votes.py", "votes-template.csv")
# a student copy ends with findings of its own
LEFT_OUT = ("## Against the paper", "## Findings and limits")
FINDINGS = """## Your findings

Write three sentences that answer the title's question: one number each, with its interval, and
one limit. Then compare them with *Findings and limits* in `project/notebooks/{name}`, which
has all outputs too.

"""


def read_questions(name):
    """Return {heading: text} that a student copy has instead of a notebook's own text."""
    part = read_parts("student-copies.md").get(name, "")
    headings, texts = re.split(r"^### (.+)\n", part, flags=re.MULTILINE)[1:], {}
    for heading, text in zip(headings[::2], headings[1::2]):
        texts[heading] = text.strip()
    return texts


def ask_instead(source, questions):
    """Return a text cell whose text below the headings that `questions` names is replaced."""
    parts = re.split("^(#{2,3} .+)\n", source, flags=re.MULTILINE)
    for place in range(1, len(parts), 2):
        heading = parts[place].lstrip("# ")
        if heading in questions:
            parts[place + 1] = f"\n{questions[heading]}\n\n"
        parts[place] += "\n"
    return "".join(parts).rstrip()


def hide_titles(code):
    """Return a cell's code whose figures' titles, which tell what comes out, are left open."""
    ends = [0, *itertools.accumulate(len(line) for line in code.encode().splitlines(True))]
    spans = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "title":
            text = node.value
            if isinstance(text, ast.JoinedStr | ast.Constant):
                begin = ends[text.lineno - 1] + text.col_offset
                spans.append((begin, ends[text.end_lineno - 1] + text.end_col_offset))
    whole = code.encode()
    for begin, end in sorted(spans, reverse=True):
        whole = whole[:begin] + b'"What do you see?"' + whole[end:]
    return whole.decode()


def student_copy(path):
    """Return a notebook as a student gets it: without outputs, findings, the sections LEFT_OUT and
    the titles of figures, which would give it away, and the cell for own texts; with questions of
    student-copies.md instead of answers, and with skeletons for its exercises."""
    skeletons = read_parts("skeletons.md").get(number(path), "")
    questions = read_questions(number(path))
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
            cell.source = "".join(sections).rstrip().replace("](0", "](project/notebooks/0")
            cell.source = ask_instead(cell.source, questions)
            kept += [cell] if cell.source else []
            if skeletons and "## Try it" in cell.source:
                kept.append(nbformat.v4.new_markdown_cell(skeletons))
        elif "results.in_short(" in cell.source:
            continue
        elif not left_out:
            cell.source = hide_titles(cell.source)
            cell.outputs, cell.execution_count = [], None
            kept.append(cell)
    kept[0].source += "\n\nTerms are in the [glossary](project/teaching/glossary.md)."
    notebook.cells = kept
    return notebook


def read_parts(name):
    """Return {notebook's number: its section} of a page of `teaching/`."""
    text = (TEACHING / name).read_text(encoding="utf8")
    parts = re.split(r"^## (\w+).*\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2]))


def read_discussion():
    """Return {notebook's number: [(question, what good answers contain)]} of discussion.md."""
    pairs = re.compile(r"\*\*(.+?)\*\*\n(.+?)(?=\n\n|\Z)", re.DOTALL)
    return {name: pairs.findall(part) for name, part in read_parts("discussion.md").items()}


def bullets(texts, mark="-"):
    """Return texts as a Markdown list."""
    return "\n".join(f"{mark} {text}" for text in texts)


def picture(notebook):
    """Return a notebook's key figure as HTML, its words, and the text before it; '' without one."""
    cells = notebook.cells
    if not (found := key_figure(cells)):
        return "", "", ""
    place, png, alt = found
    before = [cell.source for cell in cells[:place] if cell.cell_type == "markdown"][-1]
    source = f"data:image/png;base64,{png.replace(chr(10), '')}"
    return f'<img src="{source}" alt="{html.escape(alt)}">', alt, before


def first_findings(path):
    """Return a notebook's first three findings as a list in Markdown."""
    return disarm(bullets(read_json(ROOT / "outputs" / f"{path.stem}.json")["findings"][:3]))


def slides_of(path, questions):
    """Return a notebook's slides as [(content, speaker notes)], Markdown: question, key figure,
    findings, discussion."""
    notebook = nbformat.read(path, as_version=4)
    heading, _, why = notebook.cells[0].source.partition("\n")
    shown, alt, before = picture(notebook)
    asked, good = zip(*questions)
    why, before = (re.sub(r"\[([^]]+)\]\(0[^)]+\)", r"\1", text) for text in (why, before))
    return [
        (f"# {heading.lstrip('# ')}\n\nWhat do you expect? Write down a guess.", why),
        (shown, f"{before}\n\n**In the picture:** {alt}"),
        (
            f"## In short\n\n{first_findings(path)}",
            "Ask before you show: whose guess was nearest? All numbers are computed in the"
            " notebook.",
        ),
        (f"## Discuss\n\n{bullets(asked, '1.')}", bullets(good, "1.")),
    ]


def deck():
    """Return the slides of teaching/deck.md and their notes, its marks @@…@@ filled."""
    _, asked = votes.read_form()
    tests = {"questions": asked, "fourteen": prompts.aspects("ttcw")}
    fill = {
        name: bullets(f"**Test {test}.** {question}" for test, question in some.items())
        for name, some in tests.items()
    }
    fill |= lesson.fill()
    pairs = read_discussion()
    first, second = zip(*(pairs[study][0] for study in ("01", "02")))
    fill |= {"discuss": bullets(first, "1."), "good answers": bullets(second, "1.")}
    text = (TEACHING / "deck.md").read_text(encoding="utf8")
    slides = re.sub("@@([a-z0-9 ]+)@@", lambda mark: fill[mark.group(1)], text).split("\n---\n")
    return [slide.partition("\nNotes:\n")[::2] for slide in slides]


def paper_forms():
    """Return a page per story, with its questions and boxes to tick, as [(content, no notes)]."""
    texts, asked = votes.read_form()
    rows = [f"| Test {test}. {question} | ☐ | ☐ |" for test, question in asked.items()]
    table = "\n".join(["| student: … guess: … | yes | no |", "|---|---|---|", *rows])
    return [(f"## Story {story}\n\n{text}\n\n{table}", "") for story, text in texts.items()]


def page(slides):
    """Return [(content, notes)] as one HTML page that needs no network (→ and ← move, n opens
    notes in a window of their own; printed with notes)."""
    body = "\n".join(
        f"<section>\n{markdown2html(content)}\n<aside>{markdown2html(notes)}</aside>\n</section>"
        for content, notes in slides
    )
    return (TEACHING / "slides.html").read_text(encoding="utf8").replace("@@slides@@", body)


def vote_form():
    """Return the voting form, one HTML page that needs no network and saves one CSV file."""
    texts, asked = votes.read_form()
    form = json.dumps({"texts": texts, "tests": [*asked.items()]}, ensure_ascii=False)
    text = (TEACHING / "vote.html").read_text(encoding="utf8")
    return text.replace("@@form@@", form.replace("</", "<\\/"))


def public_data():
    """Return {name: bytes} of the data sets that are at hand and may be passed on."""
    files = {"data/LICENCES.txt": (TEACHING / "data-licences.txt").read_bytes()}
    for name in PASSED_ON:
        if available(name):
            files |= {
                f"data/{one}": locate(one)[0].read_bytes() for one in registry()[name]["files"]
            }
    return files


def committed_project():
    """Return {name: bytes} of the project as it was last committed."""
    command = ["git", "archive", "--format=tar", "--prefix=project/", "HEAD"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        sys.exit("error: this folder is no git clone, and the committed project cannot be packed")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as packed:
        return {one.name: packed.extractfile(one).read() for one in packed if one.isfile()}


def found_before():
    """Return {name: bytes} of what notebooks 01 to 05 and 08 leave for 06: students' copies of
    them do not."""
    lines = pd.read_csv(ROOT / "outputs" / "ledger.csv", dtype=str, keep_default_na=False)
    parts = {f"ledger-{name}.csv": part for name, part in lines.groupby("notebook")}
    files = {name: part.to_csv(index=False).encode() for name, part in parts.items()}
    files |= {path.name: path.read_bytes() for path in (ROOT / "outputs").glob("0[1-58]*.json")}
    return {f"project/outputs/executed/{name}": content for name, content in files.items()}


def hand_out(into, files):
    """Write {name: bytes} into a folder, but over no file that was changed since it was handed
    out; return the names of these."""
    record, kept = into / ".handed-out.json", []
    before = read_json(record) or {}
    for name, content in files.items():
        path, new = into / name, hashlib.sha256(content).hexdigest()
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else new
        if found not in (new, before.get(name)):
            kept.append(name)
            continue
        before[name] = new
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    record.write_text(json.dumps(before), encoding="utf8")
    return kept


def make(into=ROOT / "outputs" / "class"):
    """Write all that a class needs into a folder, say for a USB stick; return the names of the
    files that were kept, since they were changed after they had been handed out."""
    discussion = read_discussion()
    studies = [slide for path in CLASS for slide in slides_of(path, discussion[number(path)])]
    texts = {
        "slides.html": page(deck()),
        "slides-three-sessions.html": page(studies),
        "stories.html": page(paper_forms()),
        "vote.html": vote_form(),
    }
    for path in [*CLASS, TEACHING / "class-votes.ipynb"]:
        texts[path.name] = nbformat.writes(student_copy(path)) + "\n"
    files = {name: text.encode() for name, text in texts.items()}
    files |= {name: (TEACHING / name).read_bytes() for name in AS_THEY_ARE}
    return hand_out(into, files | public_data() | committed_project() | found_before())


def other_patches(lock):
    """Return the lines of a lock that only other patch versions of this Python need, without their
    markers: 3.11.7 does not ask for what 3.11.2 does."""
    here = default_environment()
    patches = [here | {"python_full_version": f"{here['python_version']}.{n}"} for n in (0, 99)]
    lines = []
    for pin in re.findall(r"^\S+==.*(?:\n +--hash.*)*", lock, re.MULTILINE):
        requirement = Requirement(pin.partition("\\")[0])
        marker = requirement.marker
        if marker and not marker.evaluate(here) and any(map(marker.evaluate, patches)):
            lines.append(re.sub(" ; [^\\\\]*", " ", pin, count=1).rstrip(" \\"))
    return lines


def download(lines, into):
    """Download the packages of such lines, pinned by their hashes, into a folder; end with pip's
    own reason if one is not to be had. The lines are all that is needed, so pip need not look for
    more: before 23.3 it stumbled at that, with hashes."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(lines + "\n", encoding="utf8")
        command += ["-d", into, "-r", wanted]
        done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    sys.stderr.write(done.stderr)
    if done.returncode:
        why = re.findall(r"^ERROR: (.+)", done.stderr, re.MULTILINE)
        reason = why[-1] if why else f"pip ended with {done.returncode}"
        sys.exit(f"error: the packages could not be downloaded: {reason}")


def fetch_packages(into):
    """Download the pinned packages for computers like this one into a folder; none is left, or the
    older one, if they are not to be had."""
    pins = (ROOT / "requirements.lock").read_text(encoding="utf8")
    unfinished = into.with_name(f"{into.name}-unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    try:
        for lines in (pins, WHEEL, *other_patches(pins)):
            download(lines, unfinished)
        made_for = json.dumps(start.describe_computer())
        (unfinished / "made-for.json").write_text(made_for + "\n", encoding="utf8")
        shutil.rmtree(into, ignore_errors=True)
        unfinished.rename(into)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tools.classroom")
    parser.add_argument("--wheels", action="store_true", help="with the pinned packages (220 MB)")
    asked = parser.parse_args()
    folder = ROOT / "outputs" / "class"
    for name in make(folder):
        print(f"kept: outputs/class/{name} was changed; move or delete it to get a new copy")
    if asked.wheels:
        fetch_packages(folder / "packages")
    print("written: outputs/class/; begin with START-HERE.txt, and copy the folder to a USB stick")
