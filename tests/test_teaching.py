"""The class: exercises that no lazy answer passes, student copies, slides, a class's own votes.

The strict pass over the committed notebooks tries all solutions, known mistakes and lazy answers.
"""

import re
import subprocess
import sys

import nbformat
import numpy as np
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from solutions import lazy_answers, try_solutions
from statsmodels.stats.inter_rater import fleiss_kappa

from helpers import results
from helpers.measures import agreement
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.workshop import run
from teaching import votes as ballots
from tools import classroom

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
            f"def exercise_1(ns):\n    return {right}, mistakes, 'Learnt. ' * 9\n"
        )
        return lambda answer: results.judge_answer(1, answer, *results.load_solutions("77")[1]({}))

    return make


@pytest.mark.parametrize(
    ("answer", "verdict", "said"),
    [
        (None, None, "not tried yet"),
        (0.37, True, "right. Learnt."),
        (np.float64(0.3749), True, "right."),
        (0.3751, False, "too large"),
        (0.3649, False, "too small"),
        (0.42, False, "That is a."),
        (-0.37, False, "sign is not"),
        (37, False, "per cent"),
        (-5, False, "too small"),
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


def test_a_student_copy_is_short_and_gives_nothing_away(handed_out):
    copies = sorted(handed_out.glob("*.ipynb"))
    assert [run.number(path) for path in copies] == ["01", "02", "03", "04", "05", "06", "class"]
    for path in copies:
        cells = nbformat.read(path, as_version=4).cells
        code = [cell for cell in cells if cell.cell_type == "code"]
        assert 5 <= len(code) <= 25
        assert not any(cell.outputs or cell.execution_count for cell in code)
        text = "\n".join(cell.source for cell in cells)
        # indented: those on own texts
        assert "olutions" not in text and not re.search(
            r"^\S*save_findings|ledger\.save", text, re.M
        )
        assert ("## Your findings" in text) is ("## Try it" in text) is (path.stem != "class-votes")
        assert not any(line.startswith(classroom.LEFT_OUT) for line in text.splitlines())
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", *copies]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"a name that only a section left out defines:\n{done.stdout}"
    for name in ("votes.py", "votes-template.csv"):
        assert (handed_out / name).read_bytes() == (TEACHING / name).read_bytes()


def test_a_students_work_is_never_overwritten(tmp_path, monkeypatch):
    monkeypatch.setattr(classroom, "CLASS", classroom.CLASS[:1])
    assert classroom.make(tmp_path) == [] == classroom.make(tmp_path)
    copy = tmp_path / classroom.CLASS[0].name
    copy.write_text(mine := copy.read_text().replace("## Your findings", "## Mine: 0.4"))
    (tmp_path / "slides.html").write_text("old")
    assert classroom.make(tmp_path) == [copy.name] and copy.read_text() == mine
    assert "<section>" in (tmp_path / "slides.html").read_text(), "what nobody works in is new"


def test_a_section_is_left_out_wherever_in_a_cell_it_begins(tmp_path):
    texts = ["Before.\n\n## Against the paper\n\nGone.", "Gone too.\n\n## Your own\n\nKept."]
    cells = []
    for text in [*texts, "## Try it\n\n1. Think."]:
        cells += [new_markdown_cell(text), new_code_cell("x = 1")]
    own = new_code_cell("own", metadata={"tags": ["own-result"]})
    nbformat.write(new_notebook(cells=[own, *cells]), tmp_path / "77-a.ipynb")
    kept = [cell.source for cell in classroom.student_copy(tmp_path / "77-a.ipynb").cells]
    assert kept[:3] == ["Before.", "## Your own\n\nKept.", "x = 1"] and len(kept) == 5
    assert kept[3].startswith("## Your findings") and kept[3].endswith("## Try it\n\n1. Think.")


def test_slides_need_no_network_and_every_notebook_has_questions_with_answers(handed_out):
    page = (handed_out / "slides.html").read_text(encoding="utf8")
    discussion, count = classroom.read_discussion(), len(classroom.CLASS)
    assert sorted(discussion) == [run.number(path) for path in classroom.CLASS]
    for pairs in discussion.values():
        assert len(pairs) >= 2 and all(q.endswith("?") and len(a) > 80 for q, a in pairs)
    assert page.count("<section>") == page.count("<aside>") == 1 + 4 * count and "@@" not in page
    # the notes have all, the slide the class's three
    assert page.count("Test 14.") == 1 and page.count("Test 12.") == 2
    assert not re.search(r'(?:src|data-src)="(?!data:)|@import|url\(|<link', page)
    pictures = re.findall(r'<img src="data:image/png;base64,[\w+/=]+" alt="[^"]{40,}"', page)
    assert len(pictures) == count


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


def write(path, rows, header="pupil,story,test,vote"):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf8")
    return path


GOOD = [
    f"{pupil},{story},{test},{'yes' if (pupil + test) % 2 else 'No '}"
    for pupil in (1, 2, 3)
    for story in "ABC"
    for test in (9, 12, 13)
]
SAME = [row.rpartition(",")[0] + ",yes" for row in GOOD]
ONE_TEST_SAME = [row if ",9," not in row else row.rpartition(",")[0] + ",yes" for row in GOOD]


def test_votes_of_a_class_come_from_one_file_or_one_per_pupil(tmp_path):
    whole = ballots.load_votes(write(tmp_path / "all.csv", [*GOOD, "4,A,9,", "4,A,12,1"]))
    assert len(whole) == 28 and whole.attrs["empty"] == 1 and whole["passed"].dtype == bool
    assert whole["passed"].tolist()[:3] == [False, True, False] and whole["passed"].iloc[-1]
    (tmp_path / "each").mkdir()
    for pupil in range(3):
        write(tmp_path / "each" / f"{pupil}.csv", GOOD[9 * pupil : 9 * pupil + 9])
    assert ballots.load_votes(tmp_path / "each").equals(whole.iloc[:27])
    write(tmp_path / "each" / "2.csv", [*GOOD[18:], "1,A,9,yes"])
    with pytest.raises(DataError, match="each, 2.csv, row 11: pupil is '1'.*this is the second"):
        ballots.load_votes(tmp_path / "each")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["1,D,9,yes"], "row 2: story is 'D'; expected one of A, B, C"),
        (["1,A,2,yes"], "test is '2'; expected one of 9, 12, 13"),
        ([*GOOD, "4,A,9,perhaps"], "row 29: vote is 'perhaps'; expected yes or no"),
        (["1,A,9,1.0"], "vote is '1.0'"),
        ([" ,A,9,yes"], "pupil is ''; expected a number for each pupil"),
        (["1,A,9,yes", "1,A,9 ,no"], "row 3: pupil is '1'"),
        (GOOD[:9], "votes on story A, test 9: 1; expected 3"),
        (GOOD[:-1] + ["3,C,13,"], "test 13: 2; expected 3"),
        ([], "no row"),
        (["1,A,9,"], "votes on story A, test 9: 0; expected 3"),
    ],
)
def test_bad_votes_are_one_clear_error(tmp_path, rows, said):
    with pytest.raises(DataError, match=f"(?s)class.csv.*{re.escape(said)}"):
        ballots.load_votes(write(tmp_path / "class.csv", rows))


def test_a_folder_without_votes_is_one_clear_error(tmp_path):
    with pytest.raises(DataError, match="no .csv file; expected one per pupil"):
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


@pytest.mark.parametrize("pupils", [8, 24])
def test_the_interval_of_a_classs_kappa_holds_the_truth_about_as_often_as_it_says(pupils):
    rng = np.random.default_rng(11)
    truth = np.mean(agreement.fleiss_kappa(*ballots.count_votes(ballots.simulate_votes(rng, 5000))))
    classes = (ballots.simulate_votes(rng, pupils) for _ in range(200))
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
        ([], "24 pupils, 216 votes"),
        (GOOD, "3 pupils, 27 votes"),
        (ONE_TEST_SAME, "3 pupils, 27 votes"),
    ],
)
def test_the_class_notebook_runs(rows, expected, tmp_path, monkeypatch):
    given = {"votes": str(write(tmp_path / "class.csv", rows))} if rows else {}
    said = run_cells(given, monkeypatch)
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
