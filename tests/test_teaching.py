"""The class: exercises that no lazy answer passes, student copies, slides, a class's own votes.

The strict pass over the committed notebooks tries all solutions, known mistakes and lazy answers.
"""

import ast
import base64
import html
import json
import re
import subprocess
import sys
from functools import partial
from itertools import combinations

import nbformat
import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from solutions import lazy_answers, try_solutions
from statsmodels.stats.inter_rater import fleiss_kappa

from helpers import agreement, results
from helpers.audit import ledger
from helpers.sources import public
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.ttcw import load as ttcw
from helpers.workshop import run
from teaching import start
from teaching import votes as ballots
from tools import classroom, lesson

NOTEBOOKS = {run.number(path): path for path in sorted((ROOT / "notebooks").glob("0[1-6]*.ipynb"))}
TEACHING = ROOT / "teaching"


def test_every_study_has_exercises_with_solutions():
    for number, path in NOTEBOOKS.items():
        if number.endswith("b") and not (results.SOLUTIONS / f"{number}.py").is_file():
            continue  # a supplement may have none
        source = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        solutions = results.load_solutions(number)
        assert len(solutions) >= 2, f"{path.name} has fewer than two exercises"
        for k in solutions:
            alone = f'results.check("{number}", {k}, answer_{k}, globals())' in source
            looped = f'results.check("{number}", number, answer, globals())' in source
            assert alone or (looped and f"answer_{k}" in source), f"{path.name}: {k} has no check"


@pytest.fixture
def exercise(monkeypatch, tmp_path):
    """Return make(right), which makes an exercise '77' with that right answer."""
    # two solutions of one second and one length would be the same to it
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(results, "SOLUTIONS", tmp_path)
    monkeypatch.setattr(results, "ROOT", tmp_path)
    cells = [new_markdown_cell("Of 48 stories"), new_markdown_cell("## Try it\n\nSay 0.9 or 44.")]
    (tmp_path / "notebooks").mkdir()
    nbformat.write(new_notebook(cells=cells), tmp_path / "notebooks" / "77-made-up.ipynb")

    def make(right):
        (tmp_path / "77.py").write_text(
            "mistakes = [(0.42, 'That is a.'), (8.2, 'That is b.'), (9.5, 'That is c.')]\n"
            f"def exercise_1(ns):\n    'Weigh it.'\n    return {right}, mistakes, 'Learnt. ' * 9\n"
        )
        solve = results.load_solutions("77")[1]
        return lambda answer: results.judge_answer(1, answer, *solve({}), solve.__doc__)

    return make


@pytest.mark.parametrize(
    ("answer", "verdict", "said"),
    [
        (None, None, "not tried yet"),
        (0.37, True, "right. Learnt."),
        (np.float64(0.3749), True, "right."),
        (0.3751, False, "But near"),
        (0.33, False, "But near"),
        (0.5, False, "Far off. Weigh it."),
        (0.42, False, "That is a."),
        (-0.37, False, "sign is not"),
        (37, False, "per cent"),
        (-5, False, "Far off. Weigh it."),
        ("0.37", False, "without quotes; you gave "),
        (True, False, "one number"),
        (np.nan, False, "one number"),
        ([0.37], False, "one number"),
        (1j, False, "one number"),
        ("x" * 999, False, "one number"),
    ],
)
def test_the_check_says_what_is_wrong_and_what_was_learnt(exercise, answer, verdict, said):
    found, message = exercise(0.37)(answer)
    assert found is verdict and said in message and len(message) < 200


@pytest.mark.parametrize(
    ("right", "why"), [(3, "3"), (0.9, "0.9"), (44, "44.0"), (0.42, "0.42"), (0.5, "0.5")]
)
def test_an_exercise_that_a_lazy_answer_passes_is_found(exercise, right, why):
    assert exercise(1)(True)[0] is False and exercise(1)(np.int64(1))[0] is True
    exercise(0.37)
    assert try_solutions("77", {}) == [] and all(x in lazy_answers("77") for x in (0, True, ""))
    exercise(right)
    assert any(f"{why} is judged True" in problem for problem in try_solutions("77", {}))


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory):
    """The folder that `make class` makes."""
    folder = tmp_path_factory.mktemp("class")
    classroom.make(folder)
    return folder


def test_the_class_gets_copies_of_six_notebooks_and_its_own(handed_out):
    copies = sorted(handed_out.glob("*.ipynb"))
    assert [run.number(path) for path in copies] == ["01", "02", "03", "04", "05", "06", "class"]


@pytest.fixture(scope="module")
def copies(handed_out):
    """Return {name: cells} of the students' copies."""
    paths = sorted(handed_out.glob("*.ipynb"))
    return {path.stem: nbformat.read(path, as_version=4).cells for path in paths}


def join_sources(cells):
    """Return the sources of a notebook's cells as one text."""
    return "\n".join(cell.source for cell in cells)


def test_a_student_copy_has_code_and_shows_no_result(copies):
    for name, cells in copies.items():
        code = [cell for cell in cells if cell.cell_type == "code"]
        assert len(code) >= 5, name
        assert not any(cell.outputs or cell.execution_count for cell in code), name


@pytest.mark.parametrize("word", ["olutions", "in_short"])
def test_a_student_copy_names_no_solution_and_no_committed_finding(copies, word):
    assert [name for name, cells in copies.items() if word in join_sources(cells)] == []


def test_a_student_copy_writes_no_finding(copies):
    writes = re.compile(r"^\S*save_findings|ledger\.save", re.M)  # indented: those on own texts
    assert [name for name, cells in copies.items() if writes.search(join_sources(cells))] == []


def test_a_student_copy_asks_for_findings_and_leaves_out_what_is_not_for_the_class(copies):
    for name, cells in copies.items():
        text = join_sources(cells)
        asks = "## Your findings" in text
        assert asks is ("## Try it" in text) is (name != "class-votes"), name
        assert not any(line.startswith(classroom.LEFT_OUT) for line in text.splitlines()), name


def test_no_name_in_a_student_copy_was_defined_in_a_section_that_is_left_out(handed_out):
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821"]
    command += sorted(handed_out.glob("*.ipynb"))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", ["votes.py", "votes-template.csv"])
def test_what_the_class_notebook_reads_is_handed_out_as_it_is(handed_out, name):
    assert (handed_out / name).read_bytes() == (TEACHING / name).read_bytes()


def test_in_the_class_folder_06_finds_the_whole_ledger_and_every_link_leads_somewhere(handed_out):
    whole = ledger.join(handed_out / "project" / "outputs" / "executed")
    assert whole.to_csv(index=False) == (ROOT / "outputs" / "ledger.csv").read_text("utf8")
    for path in [*handed_out.glob("*.ipynb"), *handed_out.glob("*.html")]:
        linked = re.findall(r"\]\(([\w./-]+)\)|href=\\?\"([\w./-]+)\\?\"", path.read_text("utf8"))
        assert all((handed_out / (a or b)).exists() for a, b in linked), path.name


def test_what_was_changed_is_never_overwritten_and_what_was_not_is_renewed(tmp_path):
    first = {"a.ipynb": b"copy", "data/b.csv": b"1,2"}
    assert classroom.hand_out(tmp_path, first) == [] == classroom.hand_out(tmp_path, first)
    (tmp_path / "a.ipynb").write_bytes(b"my work")
    (tmp_path / "c.html").write_bytes(b"mine")  # was never handed out
    later = {"a.ipynb": b"new copy", "data/b.csv": b"1,3", "c.html": b"page"}
    for _ in range(2):
        assert classroom.hand_out(tmp_path, later) == ["a.ipynb", "c.html"]
        assert (tmp_path / "a.ipynb").read_bytes() == b"my work"
        assert (tmp_path / "data" / "b.csv").read_bytes() == b"1,3", "nobody works in it"


def test_the_folder_has_all_that_a_class_needs_and_no_data_that_may_not_be_passed_on(handed_out):
    names = {path.name for path in handed_out.iterdir()}
    assert {"START-HERE.txt", "start.py", "vote.html", "slides.html", "stories.html"} <= names
    listed = re.findall(r"^([\w-]+\.\w+|\w+/)  ", (handed_out / "START-HERE.txt").read_text(), re.M)
    assert len(listed) >= 7 and all((handed_out / name).exists() for name in listed)
    for needed in ("requirements.lock", "helpers/results.py", "teaching/solutions/01.py"):
        assert (handed_out / "project" / needed).read_bytes()
    found = {path.name for path in (handed_out / "data").iterdir()} - {"LICENCES.txt"}
    licences = (handed_out / "data" / "LICENCES.txt").read_text(encoding="utf8")
    assert found <= set(classroom.PASSED_ON) and "lamp" not in found
    for name in classroom.PASSED_ON:
        assert (
            f"--- {name}: https://github.com/{public.registry()[name]['repository']}\n" in licences
        )


def test_the_form_asks_all_questions_needs_no_network_and_saves_what_is_read(handed_out):
    form = (handed_out / "vote.html").read_text(encoding="utf8")
    asked = json.loads(re.search("const asked = (.*);", form).group(1))
    texts, questions = ballots.read_form()
    assert asked == {"texts": texts, "tests": [[*pair] for pair in questions.items()]}
    assert not re.search(r"https?:|src=|@import|fetch\(|<link|@@", form)
    assert f'"{",".join([*ballots.COLUMNS, "guess"])}"' in form


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A tab of a headless Chromium as wide as a projector's picture, if one is installed."""
    browser_kit = pytest.importorskip("browser_kit")
    path = browser_kit.find_chromium()
    if not path:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    with browser_kit.chromium(path, tmp_path_factory.mktemp("profile")) as tab:
        size = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}
        tab.call("Emulation.setDeviceMetricsOverride", **size)
        yield tab


SAVE = "document.querySelector('button').click()"  # as who has voted clicks


@pytest.fixture
def form(handed_out, browser):
    """The voting form of student 7, in which the fifth of nine questions has no answer; what it
    saves is kept in the page's `saved`."""
    browser.open((handed_out / "vote.html").as_uri())
    browser.run("""(() => {
        document.querySelector("#student").value = 7;
        document.querySelector("#guess").value = 0.4;
        const yes = [...document.querySelectorAll("input[value=yes]")];
        yes.forEach((box, place) => { box.checked = place != 4; });
        window.saved = [];
        URL.createObjectURL = file => { saved.push(file); return "#"; };
    })()""")
    yield browser
    assert browser.complaints() == []


def test_the_form_names_what_is_unanswered_and_saves_nothing_at_first(form):
    form.run(SAVE)
    assert form.run("saved.length") == 0
    assert "1 of 9 questions have no answer" in form.texts("#said")[0]
    marked = "[...document.querySelectorAll('fieldset')].findIndex(x => x.className)"
    assert form.run(marked) == 4


def test_asked_again_the_form_saves_what_is_unanswered_as_empty(form):
    form.run(SAVE)
    form.run(SAVE)
    assert form.run("saved.length") == 1
    assert "Saved as votes-7.csv" in form.texts("#said")[0]
    assert "7,B,12,,0.4\n" in form.run("saved[0].text()")


def test_a_reload_keeps_the_votes_until_they_are_saved(form):
    again = """({ student: document.querySelector("#student").value,
                  votes: document.querySelectorAll("input:checked").length })"""
    form.run("document.querySelector('#guess').dispatchEvent(new Event('input', {bubbles: true}))")
    form.reload()
    assert form.run(again) == {"student": "7", "votes": 8}
    form.run(SAVE)
    form.run(SAVE)
    assert "Saved as votes-7.csv" in form.texts("#said")[0]
    form.reload()
    assert form.run(again) == {"student": "", "votes": 0}


def test_each_slide_fits_the_screen_and_a_tall_picture_is_as_wide_as_it(handed_out, browser):
    shown = "[...document.querySelectorAll('section')].map(slide => slide.offsetHeight)"
    browser.open((handed_out / "slides.html").as_uri())
    assert set(browser.run(shown)) == {720}
    widths = "[...document.querySelectorAll('img')].map(picture => picture.clientWidth)"
    for name in ("slides.html", "slides-three-sessions.html"):
        browser.open((handed_out / name).as_uri())
        assert min(browser.run(widths)) > 1000


def test_the_deck_has_twelve_slides_and_its_sums_are_right(handed_out):
    page = (handed_out / "slides.html").read_text(encoding="utf8")
    assert page.count("<section>") == page.count("<aside>") == 12 and "@@" not in page
    assert page.count("<img ") == 2 and "from <strong>0</strong>" in page
    deck = (TEACHING / "deck.md").read_text(encoding="utf8")
    for p, shown, said in re.findall(
        r"^\| \d of 10 \| (0.\d) .*= (0.\d\d) .*\*\*(.+)\*\*", deck, re.M
    ):
        p, chance = float(p), float(p) ** 2 + (1 - float(p)) ** 2
        assert f"{chance:.2f}" == shown and f"{(0.8 - chance) / (1 - chance):.2f}" == said.replace(
            "−", "-"
        )
    assert deck.count("of 10 |") == 2


def shown_on_slides(page):
    """Return what each slide of a page shows, without its speaker notes."""
    return re.findall(r"<section>(.*?)<aside>", page, re.DOTALL)


def test_a_slide_asks_without_its_answer_and_the_next_one_answers(handed_out):
    shown = shown_on_slides((handed_out / "slides.html").read_text(encoding="utf8"))
    for number, asked in {3: "Is that much?", 7: "near 0?", 10: "is it right?"}.items():
        question, answer = shown[number - 1], shown[number]
        assert asked in question and not re.search(r"0[.]\d|−0|\d+ \[", question)
        assert len(re.findall(r"<strong>−?0[.]\d\d</strong>", answer)) >= 2
    counted = (TEACHING / "README.md").read_text(encoding="utf8")
    assert f"| slide {len(shown)} |" in counted and f"slide {len(shown) + 1}" not in counted


def test_the_answers_on_slides_are_those_of_the_exercises():
    verdicts = ttcw.load_verdicts()
    counts = agreement.count_passes(verdicts)
    machine = counts[~counts.index.get_level_values("story").str.endswith("NewYorker")]
    kappas = pd.Series(agreement.fleiss_kappa(machine))
    names = {"counts": counts, "machine": machine, "machine_kappa": kappas}
    unanimous, *_ = results.load_solutions("01")[3](names)
    said = " ".join(lesson.answer_unanimous(verdicts))
    assert f"in **{unanimous:.2f}** of the cases" in said and f"**{kappas.mean():.2f}** is" in said
    no = float(re.search(r"No: \*\*(0.\d\d)", said).group(1))
    assert no > unanimous / 2, "the slide's heading: nearly always No"
    names = {"truth": ttcw.find_majority(verdicts), "verdicts": verdicts}
    right, *_ = results.load_solutions("02")[1](names)
    assert f"= **{right:.2f}** of them" in " ".join(lesson.answer_accuracy(verdicts))


def test_letters_on_a_slides_picture_are_read_from_the_last_row():
    for make in (
        lambda: lesson.picture_experts(ttcw.load_verdicts()),
        lambda: lesson.picture_judges(lesson.load_judges()),
    ):
        image, words = make()
        assert len(words) > 100 and html.escape(words) in image
        width = int.from_bytes(base64.b64decode(image.partition("base64,")[2][:60])[16:20], "big")
        shown = 1080  # pixels of a slide 1,280 wide
        letters = lesson.LETTERS / 72 * 200 * shown / width
        assert letters >= 20


def test_figures_of_slides_show_the_notebooks_numbers():
    _, words = lesson.picture_judges(lesson.load_judges())
    cells = nbformat.read(NOTEBOOKS["02"], as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    tables = [output["data"]["text/plain"] for output in outputs if "data" in output]
    (table,) = (text for text in tables if text.lstrip().startswith("balanced accuracy [95 %]"))
    for who in ("Claude 3 Opus", "a third expert", "control that knows the author"):
        (line,) = (line for line in table.splitlines() if line.lstrip().startswith(who))
        intervals = re.findall(r"\d\.\d\d \[.*?\]", line)
        assert len(intervals) == 2 and all(interval in words for interval in intervals)


def test_a_slide_says_whose_interval_is_widened_and_its_words_do_not_meet(monkeypatch):
    drawn = []
    monkeypatch.setattr(lesson, "to_img", lambda fig, alt: drawn.append(fig))
    _, words = lesson.picture_judges(lesson.load_judges())
    (fig,) = drawn
    fig.canvas.draw()
    shown = [text for text in fig.findobj(Text) if text.get_visible() and text.get_text().strip()]
    said = " ".join(text.get_text() for text in shown)
    assert "the best model's interval is widened" in said
    assert "95 % intervals" in words and "that of the best of seven models widened" in words
    boxes = [text.get_window_extent() for text in shown if "accuracy" in text.get_text()]
    page = fig.bbox
    for box in boxes:
        assert page.x0 <= box.x0 and box.x1 <= page.x1, "cut off by the slide's edge"
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_a_student_copy_asks_where_its_notebook_tells():
    path = NOTEBOOKS["01"]
    whole = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
    copy = "\n".join(cell.source for cell in classroom.student_copy(path).cells)
    questions = classroom.read_questions("01")
    assert len(questions) >= 3
    for heading, text in questions.items():
        assert f"### {heading}\n" in whole, "the notebook's heading has changed"
        assert f"### {heading}\n\n{text}" in copy and "?" in text
    for told in ("hardly any kappa", "most of kappa is gone", "Experts set professionals apart"):
        assert told not in copy


def test_a_title_that_tells_is_left_open_and_nothing_else_changes():
    code = """title = ("Größer "
         f"als {x:.0f}")
other = "A wins"
figures.show(fig, "Means:", title=title)"""
    assert (
        classroom.hide_titles(code)
        == """title = ("What do you see?")
other = "A wins"
figures.show(fig, "Means:", title=title)"""
    )


def test_an_exercise_before_its_cells_have_run_says_so(monkeypatch):
    said = []
    monkeypatch.setattr(results, "say", lambda text: said.append(text))
    results.check("01", 1, 0.3, {})
    assert "the cells above have not run" in said[0] and "Run All Above" in said[0]
    with pytest.raises(KeyError):
        results.check("01", 1, 0.3, Broken({"counts": 1}))


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("0*.ipynb")), ids=run.number)
def test_an_exercise_cell_alone_after_a_restart_says_what_to_run(path, monkeypatch):
    said = []
    monkeypatch.setattr(results, "say", said.append)
    cells = nbformat.read(path, as_version=4).cells
    checks = [cell.source for cell in cells if "results.check(" in cell.source]
    for source in checks:
        exec(source, {"__name__": "__main__"})  # as in a kernel that has run nothing else
    assert bool(said) is bool(checks)
    assert not [
        text for text in said if "not tried yet" not in text and "Run All Above" not in text
    ]


class Broken(dict):
    """Names of which one is there and yet raises KeyError, as a column that is missing does."""

    def __getitem__(self, name):
        raise KeyError("counts")


def start_with(folder, monkeypatch, made_for, version=(3, 11, 7, "final", 0)):
    """Return what start.py ends with in a class folder whose packages were made for that."""
    (folder / "packages").mkdir(exist_ok=True)
    (folder / "packages" / "made-for.json").write_text(json.dumps(made_for))
    monkeypatch.setattr(start, "HERE", folder)
    monkeypatch.setattr(sys, "version_info", version)
    try:
        start.check_version()
    except SystemExit as end:
        return str(end)
    return ""


def test_start_compares_versions_before_it_makes_anything(tmp_path, monkeypatch):
    monkeypatch.setattr(start.platform, "system", lambda: "Linux")
    monkeypatch.setattr(start.platform, "machine", lambda: "x86_64")
    here = {"Python": "3.11", "system": "Linux", "processor": "x86_64"}
    assert start_with(tmp_path, monkeypatch, here) == ""
    assert start_with(tmp_path, monkeypatch, here, (3, 11, 2, "final", 0)) == ""
    said = start_with(tmp_path, monkeypatch, here, (3, 13, 1, "final", 0))
    assert "for Python 3.11 on Linux on x86_64; this is Python 3.13 on Linux" in said
    assert "Darwin" in start_with(tmp_path, monkeypatch, here | {"system": "Darwin"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["packages"]


@pytest.fixture
def no_network(monkeypatch, tmp_path):
    """pip finds the packages of an empty folder, and no others."""
    (tmp_path / "nothing").mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nothing"))


def test_packages_that_cannot_be_had_leave_no_folder_and_the_true_reason(no_network, tmp_path):
    with pytest.raises(SystemExit) as end:
        classroom.fetch_packages(tmp_path / "packages")
    assert "could not be downloaded: No matching distribution found for " in str(end.value)
    assert [path.name for path in tmp_path.iterdir()] == ["nothing"]


@pytest.mark.parametrize("left", ["nothing", "an empty folder"])
def test_start_without_packages_and_network_says_what_it_needs(
    no_network, tmp_path, monkeypatch, capfd, left
):
    if left == "an empty folder":  # of a stick that was filled by an older version
        (tmp_path / "packages").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "requirements.lock").write_text("soup==1.0 --hash=sha256:" + 64 * "a")
    monkeypatch.setattr(start, "HERE", tmp_path)
    monkeypatch.setattr(start, "PYTHON", sys.executable)
    monkeypatch.setattr(start, "READY", tmp_path / "ready")
    monkeypatch.setattr(start.subprocess, "run", partial(skip_venv, subprocess.run))
    with pytest.raises(SystemExit, match="needs a network or the folder packages; the reason"):
        start.install()
    assert "No matching distribution found for soup==1.0" in capfd.readouterr().err
    assert not start.READY.exists()


def skip_venv(run, command, **options):
    """Run a command of start.py, but make no environment."""
    return None if "venv" in command else run(command, **options)


def test_a_pip_of_any_age_is_told_to_look_for_no_more_than_the_lock_names(tmp_path, monkeypatch):
    asked = []
    done = subprocess.CompletedProcess([], 0, stderr="")
    monkeypatch.setattr(subprocess, "run", lambda command, **_: asked.append(command) or done)
    classroom.fetch_packages(tmp_path / "packages")
    monkeypatch.setattr(start, "HERE", tmp_path)
    monkeypatch.setattr(start, "READY", tmp_path / "ready")
    start.install()
    (installed,) = [command for command in asked if "install" in command]
    assert {"--no-index", tmp_path / "packages"} < set(installed)
    for command in asked:
        assert "venv" in command or {"--no-deps", "--require-hashes"} < set(command)
    assert (tmp_path / "packages" / "made-for.json").is_file()


def test_packages_of_every_patch_of_this_python_are_fetched():
    lock = """soup==1.0 ; python_full_version < '3.11.5' \\
    --hash=sha256:aa \\
    --hash=sha256:bb
soup==2.0 ; python_full_version >= '3.11.5' \\
    --hash=sha256:cc
tea==1.0 ; sys_platform == 'none' \\
    --hash=sha256:dd
old==1.0 ; python_full_version < '3.9' \\
    --hash=sha256:ee
"""
    lines = classroom.other_patches(lock)
    if sys.version_info[:2] == (3, 11):
        assert len(lines) == 1 and lines[0].startswith("soup==") and "--hash" in lines[0]
    assert not any(name in "".join(lines) for name in ("tea", "old", "python_full_version"))


def test_a_skeleton_asks_for_something_and_names_what_its_notebook_has():
    skeletons = classroom.read_parts("skeletons.md")
    assert set(skeletons) <= set(NOTEBOOKS)
    for number, text in skeletons.items():
        (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        notebook = nbformat.read(NOTEBOOKS[number], as_version=4)
        code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        assert all("..." in part for part in block.split("\n\n") if "import" not in part)
        known = set(re.findall(r"\w+", code))
        nodes = [*ast.walk(ast.parse(block))]
        names = [node for node in nodes if isinstance(node, ast.Name)]
        made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        made |= {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}
        assert {node.id for node in names} - made <= known, number


def test_a_section_is_left_out_wherever_in_a_cell_it_begins(tmp_path):
    texts = ["Before.\n\n## Against the paper\n\nGone.", "Gone too.\n\n## Your own\n\nKept."]
    cells = []
    for text in [*texts, "## Try it\n\n1. Think."]:
        cells += [new_markdown_cell(text), new_code_cell("x = 1")]
    nbformat.write(new_notebook(cells=cells), tmp_path / "77-a.ipynb")
    kept = [cell.source for cell in classroom.student_copy(tmp_path / "77-a.ipynb").cells]
    assert kept[0].startswith("Before.\n\nTerms are in the [glossary]") and len(kept) == 5
    assert kept[1:3] == ["## Your own\n\nKept.", "x = 1"]
    assert kept[3].startswith("## Your findings") and kept[3].endswith("## Try it\n\n1. Think.")


@pytest.fixture(scope="module")
def three_sessions(handed_out):
    """Return the HTML of the slides of three sessions."""
    return (handed_out / "slides-three-sessions.html").read_text(encoding="utf8")


def test_every_notebook_of_the_class_has_questions_with_answers():
    discussion = classroom.read_discussion()
    assert sorted(discussion) == [run.number(path) for path in classroom.CLASS]
    for pairs in discussion.values():
        assert len(pairs) >= 2
        assert all(question.endswith("?") and len(answer) > 80 for question, answer in pairs)


def test_each_notebook_has_four_slides_with_notes(three_sessions):
    count = 4 * len(classroom.CLASS)
    assert three_sessions.count("<section>") == three_sessions.count("<aside>") == count
    assert "@@" not in three_sessions


def test_the_notes_of_a_slide_have_all_tests_and_the_slide_the_class_s_three(handed_out):
    deck = (handed_out / "slides.html").read_text(encoding="utf8")
    assert deck.count("Test 14.") == 1
    assert deck.count("Test 12.") == 2


def test_slides_need_no_network(three_sessions):
    loads = r'(?:src|data-src)="(?!data:)|@import|url\(|<link'
    assert not re.search(loads, three_sessions)


def test_each_notebook_s_slides_hold_a_picture_with_words(three_sessions):
    picture = r'<img src="data:image/png;base64,[\w+/=]+" alt="[^"]{40,}"'
    assert len(re.findall(picture, three_sessions)) == len(classroom.CLASS)


def test_words_of_a_picture_are_escaped(monkeypatch):
    monkeypatch.setattr(classroom, "key_figure", lambda cells: (9, "png", 'a "b" <c>'))
    ((content, _),) = classroom.slides_of(classroom.CLASS[0], [("Why?", "So.")])[1:2]
    assert content == '<img src="data:image/png;base64,png" alt="a &quot;b&quot; &lt;c&gt;">'


def test_the_paper_form_has_each_story_with_its_questions_and_does_not_tell_how_it_was_written(
    handed_out,
):
    page = (handed_out / "stories.html").read_text(encoding="utf8")
    assert page.count("<section>") == 3 and page.count("☐") == 18 and page.count("Test 9.") == 3
    assert not re.search("piano-|careful|told<|plain<", page)
    template = pd.read_csv(TEACHING / "votes-template.csv", keep_default_na=False)
    asked = [(story, test) for story in ballots.STORIES for test in ballots.TESTS]
    assert list(zip(template["story"], template["test"])) == asked
    assert list(template) == ballots.COLUMNS and set(template["vote"]) == {""}


def write(path, rows, header="student,story,test,vote"):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf8")
    return path


GOOD = [
    f"{student},{story},{test},{'yes' if (student + test) % 2 else 'No '}"
    for student in (1, 2, 3)
    for story in "ABC"
    for test in (9, 12, 13)
]
SAME = [row.rpartition(",")[0] + ",yes" for row in GOOD]
ONE_TEST_SAME = [row if ",9," not in row else row.rpartition(",")[0] + ",yes" for row in GOOD]


def test_votes_of_a_class_come_from_one_file_or_one_per_student(tmp_path):
    whole = ballots.load_votes(write(tmp_path / "all.csv", [*GOOD, "4,A,9,", "4,A,12,1"]))
    assert len(whole) == 28 and whole.attrs["empty"] == 1 and whole["passed"].dtype == bool
    assert whole["passed"].tolist()[:3] == [False, True, False] and whole["passed"].iloc[-1]
    (tmp_path / "each").mkdir()
    for student in range(3):
        write(tmp_path / "each" / f"{student}.csv", GOOD[9 * student : 9 * student + 9])
    assert ballots.load_votes(tmp_path / "each").equals(whole.iloc[:27])
    write(tmp_path / "each" / "2.csv", [*GOOD[18:], "1,A,9,yes"])
    with pytest.raises(
        DataError, match="each, 2.csv, row 11: student is '1'.*; 0.csv, row 2 has vot"
    ):
        ballots.load_votes(tmp_path / "each")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["1,D,9,yes"], "row 2: story is 'D'; expected one of A, B, C"),
        (["1,A,2,yes"], "test is '2'; expected one of 9, 12, 13"),
        ([*GOOD, "4,A,9,perhaps"], "row 29: vote is 'perhaps'; expected yes or no"),
        (["1,A,9,1.0"], "vote is '1.0'"),
        ([" ,A,9,yes"], "student is ''; expected a number for each student"),
        (["1,A,9,yes", "1,A,9 ,no"], "row 3: student is '1'; expected a number of its own"),
        (GOOD[:9], "votes on story A, test 9: 1; expected 3"),
        (GOOD[:-1] + ["3,C,13,"], "test 13: 2; expected 3"),
        ([], "no row"),
        (["1,A,9,"], "votes on story A, test 9: 0; expected 3"),
    ],
)
def test_bad_votes_are_one_clear_error(tmp_path, rows, said):
    with pytest.raises(DataError, match=f"(?s)class.csv.*{re.escape(said)}"):
        ballots.load_votes(write(tmp_path / "class.csv", rows))


@pytest.mark.parametrize("guess", ["1.2", "-0.1", "half", "nan"])
def test_a_guess_is_a_number_from_0_to_1_or_nothing(tmp_path, guess):
    rows = [f"{row},0.4" if row[0] == "1" else f"{row}," for row in GOOD]
    header = "student,story,test,vote,guess"
    votes = ballots.load_votes(write(tmp_path / "class.csv", rows, header))
    assert votes.attrs["guesses"] == {"1": 0.4} and list(votes)[-1] == "passed"
    with pytest.raises(DataError, match=f"row 28: guess is '{guess}'; expected a number from 0"):
        ballots.load_votes(write(tmp_path / "class.csv", [*rows[:-1], rows[-1] + guess], header))


def test_a_folder_without_votes_is_one_clear_error(tmp_path):
    with pytest.raises(DataError, match="no .csv file; expected one per student"):
        ballots.load_votes(tmp_path)


def test_a_classs_kappa_is_that_of_the_reference_implementation(rng):
    votes = ballots.simulate_votes(rng, 9)
    yes, voted = ballots.count_votes(votes)
    tables = [np.column_stack([yes[test], voted[test] - yes[test]]) for test in yes]
    kappa = ballots.mean_kappa(votes)
    assert kappa["estimate"] == pytest.approx(np.mean([fleiss_kappa(table) for table in tables]))
    assert kappa["n"] == 9 and voted.to_numpy().tolist() == [[9] * 3] * 3
    fewer = votes.drop(index=rng.choice(len(votes), 8, replace=False))
    assert abs(ballots.mean_kappa(fewer)["estimate"] - kappa["estimate"]) < 0.15
    assert np.isnan(ballots.mean_kappa(votes.assign(passed=True))["estimate"])
    assert all(ballots.mean_kappa(ballots.simulate_votes(rng, 3))["high"] <= 1 for _ in range(20))


@pytest.mark.parametrize("students", [8, 24])
def test_the_interval_of_a_classs_kappa_holds_the_truth_about_as_often_as_it_says(students):
    rng = np.random.default_rng(11)
    truth = np.mean(agreement.fleiss_kappa(*ballots.count_votes(ballots.simulate_votes(rng, 5000))))
    classes = (ballots.simulate_votes(rng, students) for _ in range(200))
    rows = pd.DataFrame([ballots.mean_kappa(votes) for votes in classes])
    assert 0.90 <= ((rows["low"] <= truth) & (truth <= rows["high"])).mean() <= 0.99


def test_the_experts_on_few_stories_are_a_range_around_their_kappa(rng):
    counts = rng.binomial(3, np.repeat([0.2, 0.8], 24)[:, None], (48, 3))
    few, many = (ballots.draw_stories(counts, stories, 400, rng) for stories in (3, 40))
    whole = agreement.fleiss_kappa(counts).mean()
    assert few["high"] - few["low"] > 3 * (many["high"] - many["low"]) and few["n"] == 3
    assert few["low"] < -0.2 and few["high"] > 0.6, "the middle 95 %"
    assert many["low"] < whole < many["high"] and many["high"] - many["low"] < 0.2


def run_cells(parameters, monkeypatch):
    """Execute the code cells of the class's notebook here; return all that they say."""
    said = []
    monkeypatch.setattr(
        results, "display", lambda what, **_: said.append(getattr(what, "data", what))
    )
    monkeypatch.setattr("helpers.figures.display", lambda *what, **_: said.append("figure"))
    monkeypatch.syspath_prepend(str(TEACHING))
    names = {"__name__": "class"}
    for cell in nbformat.read(TEACHING / "class-votes.ipynb", as_version=4).cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, "class-votes.ipynb", "exec"), names)
            if "parameters" in cell.metadata.get("tags", []):
                names |= parameters
    return str(said)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], "24 students, 216 votes"),
        (GOOD, "3 students, 27 votes"),
        (ONE_TEST_SAME, "3 students, 27 votes"),
        (
            ["student,story,test,vote,guess", *(f"{row},0.{row[0]}" for row in GOOD)],
            "**3 guesses**, the middle one 0.20",
        ),
    ],
)
def test_the_class_notebook_runs(rows, expected, tmp_path, monkeypatch):
    header = rows[:1] if "guess" in str(rows[:1]) else []
    given = {"votes": str(write(tmp_path / "class.csv", rows[len(header) :], *header))}
    said = run_cells(given if rows else {}, monkeypatch)
    assert expected in said and ("SIMULATED" in said) is (not rows)
    if not rows:
        outputs = [
            output.get("data", {}).get("text/markdown", "")
            for cell in nbformat.read(TEACHING / "class-votes.ipynb", as_version=4).cells
            for output in cell.get("outputs", [])
        ]
        assert all(repr(text)[1:-1] in said for text in outputs), "as committed"


def test_a_class_that_says_one_thing_is_told_so(tmp_path, monkeypatch):
    with pytest.raises(AssertionError, match="everybody said the same"):
        run_cells({"votes": str(write(tmp_path / "class.csv", SAME))}, monkeypatch)
