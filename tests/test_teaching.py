"""The class: exercises that no lazy answer passes, student copies, slides, a class's own votes.

The strict pass over the committed notebooks tries all solutions, known mistakes and lazy answers.
"""

import json
import re
import subprocess
import sys
from functools import partial

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from solutions import lazy_answers, try_solutions
from statsmodels.stats.inter_rater import fleiss_kappa

from helpers import agreement, results
from helpers.audit import ledger
from helpers.sources import public
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from teaching import start
from teaching import votes as ballots
from tools import classroom

TEACHING = ROOT / "teaching"


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
        (0.5, False, "Far off. Weigh it."),
        (0.42, False, "That is a."),
        (-0.37, False, "sign is not"),
        (37, False, "per cent"),
        ("0.37", False, "without quotes; you gave "),
        (True, False, "one number"),
        (np.nan, False, "one number"),
        ([0.37], False, "one number"),
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


@pytest.fixture(scope="module")
def copies(handed_out):
    """Return {name: cells} of the students' copies."""
    paths = sorted(handed_out.glob("*.ipynb"))
    return {path.stem: nbformat.read(path, as_version=4).cells for path in paths}


def test_a_student_copy_names_no_solution_and_no_committed_finding(copies):
    for name, cells in copies.items():
        code = [cell for cell in cells if cell.cell_type == "code"]
        assert len(code) >= 5 and not any(cell.outputs for cell in code), name
        sources = "\n".join(cell.source for cell in cells)
        assert "olutions" not in sources and "in_short" not in sources, name


def test_no_name_in_a_student_copy_was_defined_in_a_section_that_is_left_out(handed_out):
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821"]
    command += sorted(handed_out.glob("*.ipynb"))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


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
    slides = (handed_out / "slides-three-sessions.html").read_text(encoding="utf8")
    assert not re.search(r'(?:src|data-src)="(?!data:)|@import|url\(|<link', slides)


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


@pytest.mark.ci
def test_the_form_names_what_is_unanswered_and_keeps_votes_until_they_are_saved(form):
    form.run(SAVE)
    assert form.run("saved.length") == 0
    assert "1 of 9 questions have no answer" in form.texts("#said")[0]
    marked = "[...document.querySelectorAll('fieldset')].findIndex(x => x.className)"
    assert form.run(marked) == 4
    again = """({ student: document.querySelector("#student").value,
                  votes: document.querySelectorAll("input:checked").length })"""
    form.run("document.querySelector('#guess').dispatchEvent(new Event('input', {bubbles: true}))")
    form.reload()
    assert form.run(again) == {"student": "7", "votes": 8}
    form.run(SAVE)
    form.run(SAVE)  # and who has been told may save without the answer
    assert "Saved as votes-7.csv" in form.texts("#said")[0]
    form.reload()
    assert form.run(again) == {"student": "", "votes": 0}


def test_start_without_packages_and_network_says_what_it_needs(tmp_path, monkeypatch, capfd):
    (tmp_path / "nothing").mkdir()  # pip finds the packages of an empty folder, and no others
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nothing"))
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


def write(path, rows, header="student,story,test,vote"):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf8")
    return path


GOOD = [
    f"{student},{story},{test},{'yes' if (student + test) % 2 else 'No '}"
    for student in (1, 2, 3)
    for story in "ABC"
    for test in (9, 12, 13)
]


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
        ([*GOOD, "4,A,9,perhaps"], "row 29: vote is 'perhaps'; expected yes or no"),
        (["1,A,9,yes", "1,A,9 ,no"], "row 3: student is '1'; expected a number of its own"),
        (GOOD[:-1] + ["3,C,13,"], "test 13: 2; expected 3"),
        ([], "no row"),
    ],
)
def test_bad_votes_are_one_clear_error(tmp_path, rows, said):
    with pytest.raises(DataError, match=f"(?s)class.csv.*{re.escape(said)}"):
        ballots.load_votes(write(tmp_path / "class.csv", rows))


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


def test_the_interval_of_a_classs_kappa_holds_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(11)
    truth = np.mean(agreement.fleiss_kappa(*ballots.count_votes(ballots.simulate_votes(rng, 5000))))
    classes = (ballots.simulate_votes(rng, 8) for _ in range(200))
    rows = pd.DataFrame([ballots.mean_kappa(votes) for votes in classes])
    assert 0.90 <= ((rows["low"] <= truth) & (truth <= rows["high"])).mean() <= 0.99


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
