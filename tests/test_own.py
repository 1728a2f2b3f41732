"""A reader's own stories and rubric: what loads, and one clear error for each bad file."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.poetry.poems import load_poems
from helpers.poetry.study import load_criteria
from helpers.refbased.load import load_groups
from helpers.sources import readers as own
from helpers.sources.public import ROOT, DataError

LONG = "word " * 40


def test_a_folder_and_a_csv_give_the_same_stories(tmp_path):
    (tmp_path / "one.txt").write_text(LONG + "one", encoding="utf8")
    (tmp_path / "two.md").write_text(LONG + "two", encoding="utf8")
    (tmp_path / "notes.pdf").write_bytes(b"\xff")
    folder = own.load_stories(tmp_path)
    csv = tmp_path / "stories.csv"
    folder[["title", "text"]].to_csv(csv, index=False)
    assert folder["title"].tolist() == ["one", "two"] and folder["words"].tolist() == [41, 41]
    assert own.load_stories(csv)[["title", "text"]].equals(folder[["title", "text"]])


def test_one_text_file_is_one_story_and_a_readme_is_none(tmp_path):
    (tmp_path / "mine.txt").write_text("word " * 40, encoding="utf8")
    (tmp_path / "README.md").write_text("about " * 40, encoding="utf8")
    one, folder = (own.load_stories(str(path)) for path in (tmp_path / "mine.txt", tmp_path))
    assert one["title"].tolist() == folder["title"].tolist() == ["mine"] and one[
        "words"
    ].tolist() == [40]
    (tmp_path / "mine.txt").write_text("too short", encoding="utf8")
    with pytest.raises(DataError, match="mine.txt has fewer than 30 words"):
        own.load_stories(str(tmp_path / "mine.txt"))


def test_texts_pasted_into_the_cell_are_stories_too():
    pasted = own.load_stories({"One": LONG + "one", 2: f"\n  {LONG}two\n"})
    assert pasted["story"].tolist() == ["One", "2"] and pasted["words"].tolist() == [41, 41]
    assert own.load_stories([LONG + "one", LONG])["story"].tolist() == ["Text 1", "Text 2"]
    assert own.load_stories(LONG)["text"].tolist() == [LONG.strip()], (
        "one text in quotes is a text, no path"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"One": LONG, "Two": "too short"},
            "own_stories: the story in 'Two' has fewer than 30 words",
        ),
        ([LONG, LONG], "own_stories: the story in 'Text 2' has the same text"),
        ({" ": LONG}, "in ' ' has no title"),
        ([LONG, 3], "own_stories, 'Text 2': '3' is no text; put it between quotes"),
        ({"One": None}, "'One': 'None' is no text"),
        ({"1": LONG + "a", 1: LONG + "b"}, "a title that another one has too"),
        ("word " * 12, "'Text 1' has fewer than 30 words"),
        ({}, "own_stories={}: expected a folder"),
        (7, "own_stories=7: expected a folder"),
        (True, "own_stories=True"),
    ],
)
def test_a_bad_pasted_text_is_one_clear_error(given, message):
    with pytest.raises(DataError, match=re.escape(message)):
        own.load_stories(given)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"title,words\na,b\n", "column 'text' is missing"),
        (b"title,text\na,short\n", "row 2 has fewer than 30 words"),
        (
            f"title,text\na,{LONG}1\na,{LONG}2\n".encode(),
            "row 3 has a title that another one has too",
        ),
        (f"title,text\na,{LONG}\nb,{LONG}\n".encode(), "row 3 has the same text"),
        (f"title,text\n,{LONG}\n".encode(), "row 2 has no title"),
        ("title,text\nä,".encode("latin-1"), "cannot be read as a UTF-8 CSV"),
        (b"", "cannot be read"),
    ],
)
def test_a_bad_csv_is_one_clear_error(tmp_path, content, message):
    path = tmp_path / "mine.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as error:
        own.load_stories(path)
    assert "mine.csv" in str(error.value)


def test_an_empty_folder_a_missing_path_and_a_broken_text_are_named(tmp_path):
    with pytest.raises(DataError, match="no .txt or .md"):
        own.load_stories(tmp_path)
    with pytest.raises(DataError, match="nowhere"):
        own.load_stories(tmp_path / "nowhere")
    (tmp_path / "bad.txt").write_bytes(b"caf\xe9 " * 50)
    with pytest.raises(DataError, match="bad.txt: not UTF-8"):
        own.load_stories(tmp_path)


def test_the_example_rubric_loads():
    tests = own.load_rubric(ROOT / "data" / "rubrics" / "example.yaml")
    assert tests["test"].tolist() == [1, 2, 3] and tests["question"].str.endswith("?").all()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("tests: []", "expected a list"),
        ("- 1", "expected a list"),
        ("tests: [{name: a}]", "test 1: 'question' is missing"),
        ('tests: [{name: a, question: "b?", weight: 2}]', "unknown field 'weight'"),
        ("tests: [null]", "test 1: 'None' is no entry"),
        (
            'tests: [{name: a, question: "b?"}, {name: a, question: "c?"}]',
            "two tests are named 'a'",
        ),
        ("tests: [", "cannot be read as YAML"),
        ("tests: [Is it good]", "test 1: 'Is it good' is no entry; expected the fields name"),
        ("tests: [3]", "test 1: '3' is no entry"),
        ("tests: [[a, b]]", "test 1: .*is no entry"),
        ("tests: {a: b}", "expected a list"),
        ('tests: [{name: a, question: "b?", background: 3}]', "'background' is missing or no text"),
        ('tests: [{name: a, question: "b?", 1: c, d: e}]', "unknown field '1'"),
        ("tests: " + "[" * 5000, "line 1: more than 10 levels"),
        ("a: &a [1]\ntests: [*a]", "line 1: an anchor or alias"),
        ("tests: &t [*t]", "an anchor or alias"),
        ("tests: !!python/name:os.system", "YAML"),
        (
            "a: &a [x]\n" + "\n".join(f"k{i}: &k{i} [*a, *a]" for i in range(40)),
            "an anchor or alias",
        ),
        ("tests: 2026-99-99", "cannot be read"),
        ("tests: " + "9" * 9999, "cannot be read as YAML"),
        ("#" * 100_001, "has 100,001 bytes; expected at most 100,000"),
    ],
)
def test_a_bad_rubric_is_one_clear_error(tmp_path, content, message):
    path = tmp_path / "rubric.yaml"
    path.write_text(content)
    with pytest.raises(DataError, match=message) as error:
        own.load_rubric(path)
    assert "rubric.yaml" in str(error.value)


def put(folder, group, **texts):
    (folder / group).mkdir(parents=True)
    for writer, text in texts.items():
        (folder / group / f"{writer}.txt").write_text(text, encoding="utf8")


def test_groups_come_from_a_folder_or_a_csv(tmp_path):
    put(tmp_path / "mine", "one", reference="the model", ada="a b c", bo="d e")
    candidates, references, human = load_groups(tmp_path / "mine")
    assert references == {"one": "the model"} and human is None
    assert candidates.to_numpy().tolist() == [["one", "ada", "a b c", 3], ["one", "bo", "d e", 2]]
    path = tmp_path / "mine.csv"
    path.write_text(
        "group,writer,text,human\none,Reference,the model,\none,ada,a b c,2\none,bo,d e,3.5\n"
    )
    again, references, human = load_groups(path)
    assert again.equals(candidates) and references == {"one": "the model"}
    assert human.loc["one"].to_dict() == {"ada": 2.0, "bo": 3.5}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "one,ada,x,\none,bo,y,\none,cy,z,",
            "group one: expected one story by the writer 'reference'",
        ),
        ("one,reference,x,\none,bo,y,", "two candidates or more, found reference, bo"),
        (
            "one,reference,x,\none,bo,y,\none,bo,z,",
            "row 4 is the second story of its group by this writer",
        ),
        ("one,reference,x,\none,bo,,\none,cy,z,", "row 3 is empty"),
        ("one,reference,x,\none,,y,\none,cy,z,", "row 3 has no group or no writer"),
        ("one,reference,x,\none,bo,y,good\none,cy,z,1", "row 3: human score 'good' is no number"),
        ("one,reference,x,\none,bo,y,1\none,cy,z,", "row 4: human score '' is no number"),
    ],
)
def test_bad_groups_are_one_clear_error(tmp_path, rows, message):
    path = tmp_path / "mine.csv"
    path.write_text(f"group,writer,text,human\n{rows}\n")
    with pytest.raises(DataError, match=message) as error:
        load_groups(path)
    assert "mine.csv" in str(error.value)


def test_missing_columns_and_empty_folders_of_groups_are_named(tmp_path):
    with pytest.raises(DataError, match="expected a folder with a subfolder a group"):
        load_groups(tmp_path)
    (tmp_path / "x.csv").write_text("writer,text\na,b\n")
    with pytest.raises(
        DataError, match="column 'group' is missing; expected group, writer, text and perhaps human"
    ):
        load_groups(tmp_path / "x.csv")


def test_a_rubric_becomes_criteria_for_ranking():
    criteria = load_criteria(ROOT / "data" / "rubrics" / "example.yaml")
    assert list(criteria) == ["Opening", "Concrete detail", "Earned ending"]
    assert (
        criteria["Opening"][0].startswith("Does the first paragraph")
        and "tension" in criteria["Opening"][0]
    )
    assert not any(asked.endswith(("?", ".")) for asked, _, _ in criteria.values())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"title;text\na;b\n", "separated by semicolons; save it as CSV with commas"),
        (b"title,text\n", "no row below"),
        ('title,text\n"é",b\n'.encode("utf-16"), "cannot be read as a UTF-8 CSV .*Excel"),
    ],
)
def test_what_office_programs_save_is_named_with_the_way_out(tmp_path, content, message):
    (tmp_path / "mine.csv").write_bytes(content)
    for load in (own.load_stories, load_groups, load_poems):
        with pytest.raises(DataError, match=message) as error:
            load(tmp_path / "mine.csv")
        assert "mine.csv" in str(error.value)


def test_a_rubric_that_yaml_misreads_says_where(tmp_path):
    path = tmp_path / "rubric.yaml"
    path.write_text("tests:\n  - name: Pace\n    question: Does it hurry: or rest?\n")
    with pytest.raises(DataError, match="rubric.yaml: cannot be read as YAML .line 3.*in quotes"):
        own.load_rubric(path)
    path.write_text("tests:\n  - name: Yes\n    question: Does it rest?\n")
    with pytest.raises(DataError, match="test 1: 'name' is missing or no text .put it in quotes"):
        own.load_rubric(path)
    with pytest.raises(DataError, match="no such file"):
        own.load_rubric(tmp_path / "none.yaml")


def test_what_is_no_text_file_is_named(tmp_path):
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(DataError, match="a.txt: a folder; expected a text file: rename"):
        own.load_stories(tmp_path)
    (tmp_path / "a.txt").rmdir()
    (tmp_path / "b.txt").symlink_to(tmp_path / "gone.txt")
    with pytest.raises(DataError, match="b.txt: no file, or a link to one that is not there"):
        own.load_stories(tmp_path)
    put(tmp_path / "groups", "one", reference="x", ada="y")
    (tmp_path / "groups" / "one" / "bo.txt").mkdir()
    with pytest.raises(DataError, match="bo.txt: a folder"):
        load_groups(tmp_path / "groups")
    (tmp_path / "c.yaml").mkdir()
    with pytest.raises(DataError, match="c.yaml: a folder"):
        own.load_rubric(tmp_path / "c.yaml")
    (tmp_path / "d.txt").write_text("word " * 200_001)
    with pytest.raises(DataError, match="d.txt: has 1,000,005 bytes"):
        own.read_text(tmp_path / "d.txt")


def test_a_file_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text(LONG)

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_text", refuse)
    with pytest.raises(
        DataError, match="a.txt: cannot be read .Permission denied.; check who may read it"
    ):
        own.load_stories(tmp_path)


@given(
    st.text(max_size=200)
    | st.lists(
        st.sampled_from(
            [
                "tests:",
                "- ",
                "name: a",
                "question: ",
                "&a ",
                "*a",
                "<<: ",
                "[",
                "{",
                "? ",
                "!!set ",
                "|",
                "\n",
                "  ",
                "'",
                "1e999",
                "\t",
                ": ",
            ]
        )
    ).map("".join)
)
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_rubric_loads_or_is_one_clear_error(tmp_path, text):
    path = tmp_path / "r.yaml"
    path.write_text(text, encoding="utf8", errors="ignore")
    try:
        assert {"test", "category", "question"} <= set(own.load_rubric(path))
    except DataError as fault:
        assert "r.yaml" in str(fault)


def test_a_relative_path_starts_at_the_projects_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert (
        len(own.load_stories("data/stories")) == 12
        and len(load_poems("data/poems/poems.csv")) == 90
    )
    assert own.load_rubric("data/rubrics/example.yaml")["test"].tolist() == [1, 2, 3]
    with pytest.raises(
        DataError,
        match="data/nowhere: no such file or folder; expected a folder of .txt files or a CSV file",
    ):
        own.load_stories("data/nowhere")
