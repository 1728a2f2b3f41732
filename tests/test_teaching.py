"""The class: exercises that no lazy answer passes, student copies, slides, a class's own votes.

`make test` tries the solutions, the known mistakes and the lazy answers of every notebook in the
disguised run; here of one.
"""

import re
import subprocess
import sys

import nbformat
import numpy as np
import pandas as pd
import pytest
from solutions import lazy_answers, try_solutions
from statsmodels.stats.inter_rater import fleiss_kappa

from helpers import results
from helpers.measures import agreement
from helpers.sources.public import ROOT, DataError
from helpers.workshop import run
from teaching import votes as ballots
from tools import classroom

NOTEBOOKS = {run.number(path): path for path in sorted((ROOT / "notebooks").glob("0[1-6]*.ipynb"))}
VOTES = ROOT / "teaching" / "class-votes.ipynb"


def test_every_study_has_exercises_with_solutions():
    for number, path in NOTEBOOKS.items():
        if number.endswith("b") and not (results.SOLUTIONS / f"{number}.py").is_file():
            continue  # a further study may have none
        source = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells)
        solutions = results.load_solutions(number)
        assert len(solutions) >= 2, f"{path.name} has fewer than two exercises"
        for k in solutions:
            alone = f'results.check("{number}", {k}, answer_{k}, globals())' in source
            looped = (
                f'results.check("{number}", number, answer, globals())' in source
                and f"answer_{k}" in source
            )
            assert alone or looped, f"{path.name}: exercise {k} has no check"
        assert all(lazy in lazy_answers(number) for lazy in (0, 3, True, "", []))


@pytest.mark.parametrize(
    ("answer", "right", "verdict"),
    [
        (0.5, 0.5, True),
        (0.504, 0.5, True),
        (0.51, 0.5, False),
        (True, 1, False),
        ("0.5", 0.5, False),
        (7, 7, True),
        (1j, 1, False),
        (np.float64(0.5), 0.5, True),
        (np.int64(7), 7, True),
        (np.nan, 0.5, False),
        ([0.5], 0.5, False),
        (None, 0, False),
    ],
)
def test_what_counts_as_the_same_answer(answer, right, verdict):
    assert results.same(answer, right) is verdict


@pytest.fixture
def exercise(monkeypatch, tmp_path):
    """Return judge(answer) of a made-up exercise whose right answer is `right`; `judge.problems()`
    are those of the tests."""
    # two solutions of one second and one length would be the same to it
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def make(right):
        (tmp_path / "solutions").mkdir(exist_ok=True)
        (tmp_path / "solutions" / "77.py").write_text(
            "mistakes = [(0.42, 'That is a.'), (8.2, 'That is b.'), (9.5, 'That is c.')]\n"
            f"def exercise_1(ns):\n    return {right}, mistakes, 'Learnt. ' * 9\n"
        )
        (tmp_path / "notebooks").mkdir(exist_ok=True)
        cells = [
            nbformat.v4.new_markdown_cell("Of 48 stories"),
            nbformat.v4.new_markdown_cell("## Try it\n\nSay 0.9 or 44."),
        ]
        nbformat.write(
            nbformat.v4.new_notebook(cells=cells), tmp_path / "notebooks" / "77-made-up.ipynb"
        )
        monkeypatch.setattr(results, "SOLUTIONS", tmp_path / "solutions")
        monkeypatch.setattr(results, "ROOT", tmp_path)
        return lambda answer: results.judge_answer(1, answer, *results.load_solutions("77")[1]({}))

    return make


@pytest.mark.parametrize(
    ("answer", "verdict", "said"),
    [
        (None, None, "not tried yet"),
        (0.37, True, "right. Learnt."),
        (0.42, False, "That is a."),
        (-0.37, False, "sign is not"),
        (37, False, "per cent"),
        (0.8, False, "too large"),
        (-5, False, "too small"),
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
    ("right", "why"),
    [
        (3, "3 is judged True"),
        (0.9, "0.9 is judged True"),
        (44, "44.0 is judged True"),
        (0.42, "0.42 is judged True"),
        (0.5, "0.5 is judged True"),
    ],
)
def test_an_exercise_that_a_lazy_answer_passes_is_found(exercise, right, why):
    exercise(0.37)
    assert try_solutions("77", {}) == []
    exercise(right)
    assert any(why in problem for problem in try_solutions("77", {}))


@pytest.fixture(scope="module")
def handed_out(tmp_path_factory):
    """The folder that `make class` makes."""
    folder = tmp_path_factory.mktemp("class")
    assert all(path.is_file() for path in classroom.make(folder))
    return folder


def test_a_student_copy_is_short_and_gives_nothing_away(handed_out):
    copies = sorted(handed_out.glob("*.ipynb"))
    assert [run.number(path) for path in copies] == ["01", "02", "03", "04", "05", "06", "class"]
    for path in copies:
        cells = nbformat.read(path, as_version=4).cells
        code = [cell for cell in cells if cell.cell_type == "code"]
        assert 5 <= len(code) <= 25 and not any(
            cell.outputs or cell.execution_count for cell in code
        )
        text = "\n".join(cell.source for cell in cells)
        # indented: those on own texts
        saves = re.search(r"^\S*save_findings|ledger\.save", text, re.MULTILINE)
        assert "olutions" not in text and not saves
        assert ("## Your findings" in text) is ("## Try it" in text) is (path.stem != "class-votes")
        assert not any(line.startswith(classroom.LEFT_OUT) for line in text.splitlines())
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", *copies]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (
        f"a student copy uses a name that only a section left out defines:\n{done.stdout}"
    )


def test_a_section_is_left_out_wherever_in_a_cell_it_begins(tmp_path):
    texts = [
        "Before.\n\n## Against the paper\n\nGone.",
        "Gone too.\n\n## Your own\n\nKept.",
        "## Try it\n\n1. Think.",
    ]
    cells = [
        cell
        for text in texts
        for cell in (nbformat.v4.new_markdown_cell(text), nbformat.v4.new_code_cell("x = 1"))
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "77-a.ipynb")
    kept = [cell.source for cell in classroom.student_copy(tmp_path / "77-a.ipynb").cells]
    assert kept[:3] == ["Before.", "## Your own\n\nKept.", "x = 1"]
    assert (
        kept[3].startswith("## Your findings")
        and kept[3].endswith("## Try it\n\n1. Think.")
        and len(kept) == 5
    )


def test_a_student_copy_runs_and_no_lazy_answer_passes_its_exercises(
    handed_out, execute, tmp_path, open_data
):
    path = handed_out / "01-ttcw-human-agreement.ipynb"
    notebook = nbformat.read(path, as_version=4)
    trial = f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r})\n"
    trial += "from solutions import try_solutions\nassert try_solutions('01', globals()) == []"
    notebook.cells.append(nbformat.v4.new_code_cell(trial))
    nbformat.write(notebook, tmp_path / path.name)
    record = execute(
        tmp_path / path.name, tmp_path / "done" / path.name, {"outputs": str(tmp_path)}
    )
    assert record["status"] == "ok", record["error"]


def test_slides_need_no_network_and_every_notebook_has_questions_with_answers(handed_out):
    page, discussion = (
        (handed_out / "slides.html").read_text(encoding="utf8"),
        classroom.read_discussion(),
    )
    assert sorted(discussion) == [run.number(path) for path in classroom.CLASS]
    assert all(
        len(pairs) >= 2 and all(q.endswith("?") and len(a) > 80 for q, a in pairs)
        for pairs in discussion.values()
    )
    assert (
        page.count("<section>") == page.count("<aside>") == 1 + 4 * len(classroom.CLASS)
        and "@@" not in page
    )
    # the notes have all, the slide the class's three
    assert page.count("Test 14.") == 1 and page.count("Test 12.") == 2
    assert re.findall(r'(?:src|data-src)="(?!data:)|@import|url\(|<link', page) == []
    assert len(
        re.findall(r'<img src="data:image/png;base64,[\w+/=]+" alt="[^"]{40,}"', page)
    ) == len(classroom.CLASS)


def test_the_paper_form_has_each_story_with_its_questions_and_does_not_tell_how_it_was_written(
    handed_out,
):
    page = (handed_out / "stories.html").read_text(encoding="utf8")
    assert (
        page.count("<section>") == 3 and page.count("☐") == 3 * 3 * 2 and page.count("Test 9.") == 3
    )
    assert not re.search("piano-|careful|told<|plain<", page)


def write(path, rows, header="pupil,story,test,vote"):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf8")
    return path


GOOD = [
    f"{pupil},{story},{test},{'yes' if (pupil + test) % 2 else 'No '}"
    for pupil in (1, 2, 3)
    for story in "ABC"
    for test in (9, 12, 13)
]


def test_votes_of_a_class_come_from_one_file_or_one_a_pupil(tmp_path):
    whole = ballots.load_votes(write(tmp_path / "all.csv", [*GOOD, "4,A,9,", "4,A,12,1"]))
    assert len(whole) == 28 and whole.attrs["empty"] == 1 and whole["passed"].dtype == bool
    (tmp_path / "each").mkdir()
    for pupil in range(3):
        write(tmp_path / "each" / f"{pupil}.csv", GOOD[9 * pupil : 9 * pupil + 9])
    assert ballots.load_votes(tmp_path / "each").equals(whole.iloc[:27])


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
    path = write(tmp_path / "class.csv", rows)
    with pytest.raises(DataError) as fault:
        ballots.load_votes(path)
    assert "class.csv" in str(fault.value) and said in str(fault.value)


def test_other_files_than_votes_are_one_clear_error(tmp_path):
    (tmp_path / "empty").mkdir()
    for path, said in [
        (tmp_path / "empty", "votes-template.csv"),
        (tmp_path / "none.csv", "expected a CSV with the columns"),
        (write(tmp_path / "a.csv", ["1;A;9;yes"], "pupil;story;test;vote"), "semicolons"),
        (write(tmp_path / "b.csv", ["1,A,yes"], "pupil,story,vote"), "column 'test' is missing"),
    ]:
        with pytest.raises(DataError, match=re.escape(said)):
            ballots.load_votes(path)


def test_the_form_is_as_committed_and_its_stories_do_not_tell_how_they_were_written():
    committed = (ROOT / "teaching" / "votes-template.csv").read_text(encoding="utf8")
    assert committed == ballots.make_template().to_csv(index=False, lineterminator="\n")
    texts, questions = ballots.read_form()
    assert (
        list(texts) == list("ABC")
        and all(200 < len(text.split()) < 400 for text in texts.values())
        and len(questions) == 3
    )


def test_a_classs_kappa_is_that_of_the_reference_implementation(rng):
    votes = ballots.simulate_votes(rng, 9)
    yes, voted = ballots.count_votes(votes)
    theirs = np.mean(
        [fleiss_kappa(np.column_stack([yes[test], voted[test] - yes[test]])) for test in yes]
    )
    assert (
        ballots.mean_kappa(votes)["estimate"] == pytest.approx(theirs)
        and ballots.mean_kappa(votes)["n"] == 9
    )


def test_votes_that_are_missing_or_all_alike(rng):
    votes = ballots.simulate_votes(rng)
    fewer = votes.drop(index=rng.choice(len(votes), 40, replace=False))
    assert abs(ballots.mean_kappa(fewer)["estimate"] - ballots.mean_kappa(votes)["estimate"]) < 0.15
    assert np.isnan(ballots.mean_kappa(votes.assign(passed=True))["estimate"])


@pytest.mark.parametrize("pupils", [8, 24])
def test_the_interval_of_a_classs_kappa_holds_the_truth_about_as_often_as_it_says(pupils):
    rng = np.random.default_rng(11)
    truth = np.mean(agreement.fleiss_kappa(*ballots.count_votes(ballots.simulate_votes(rng, 5000))))
    rows = pd.DataFrame(
        [ballots.mean_kappa(ballots.simulate_votes(rng, pupils)) for _ in range(200)]
    )
    assert 0.90 <= ((rows["low"] <= truth) & (truth <= rows["high"])).mean() <= 0.99


def test_the_experts_on_few_stories_are_a_range_around_their_kappa(rng):
    counts = rng.binomial(3, np.repeat([0.2, 0.8], 24)[:, None], (48, 3))
    few, many = (ballots.draw_stories(counts, stories, 400, rng) for stories in (3, 40))
    assert few["high"] - few["low"] > 3 * (many["high"] - many["low"]) and few["n"] == 3


SAME = [row.rpartition(",")[0] + ",yes" for row in GOOD]
ONE_TEST_SAME = [row if ",9," not in row else row.rpartition(",")[0] + ",yes" for row in GOOD]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "24 pupils, 216 votes"),
        (GOOD, "3 pupils, 27 votes"),
        (ONE_TEST_SAME, "3 pupils, 27 votes"),
        (SAME, "everybody said the same"),
    ],
)
def test_the_class_notebook_runs_headless(rows, said, execute, tmp_path, open_data):
    given = {"votes": str(write(tmp_path / "class.csv", rows))} if rows else {}
    record = execute(VOTES, tmp_path / VOTES.name, given)
    if rows is SAME:
        assert record["status"] == "failed" and said in record["error"]
        return
    assert record["status"] == "ok", record["error"]
    outputs = [
        cell.get("outputs", []) for cell in nbformat.read(tmp_path / VOTES.name, as_version=4).cells
    ]
    assert (
        said in str(outputs)
        and ("SIMULATED" in str(outputs)) is (not rows)
        and "stderr" not in str(outputs)
    )
