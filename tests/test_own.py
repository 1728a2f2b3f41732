"""A reader's own stories, groups and poems: what loads, one clear error for each bad file,
and the way through each study's doors."""

import os
import re

import numpy as np
import pandas as pd
import pytest

from helpers import judges
from helpers.edits import ask as edits
from helpers.evolvr import beside
from helpers.poetry import ask as poetry
from helpers.poetry import lists
from helpers.poetry import load as poems
from helpers.poetry.load import load_poems
from helpers.refbased import ablation
from helpers.refbased import load as refbased
from helpers.refbased.load import load_groups
from helpers.sources import readers as own
from helpers.sources.public import ROOT, DataError
from helpers.ttcw import ask as ttcw

LONG = "word " * 40


def test_a_folder_a_file_and_a_csv_give_the_same_stories(tmp_path):
    (tmp_path / "one.txt").write_text(LONG + "one", encoding="utf8")
    (tmp_path / "two.md").write_text(LONG + "two", encoding="utf-8-sig")
    (tmp_path / "README.md").write_text(LONG)
    folder = own.load_stories(str(tmp_path))
    assert folder["story"].tolist() == ["one", "two"] and folder["words"].tolist() == [41, 41]
    assert own.load_stories(tmp_path / "one.txt").equals(folder.iloc[:1])
    csv = tmp_path / "stories.csv"
    folder[["title", "text"]].to_csv(csv, index=False)
    assert own.load_stories(csv).equals(folder.assign(group=0, writer="reader"))


def put(folder, group, **texts):
    (folder / group).mkdir(parents=True)
    for writer, text in texts.items():
        (folder / group / f"{writer}.txt").write_text(text, encoding="utf8")


def test_groups_come_from_a_folder_or_a_csv(tmp_path):
    put(tmp_path / "mine", "one", reference="the model", ada="a b c", bo="d e")
    candidates, references = load_groups(tmp_path / "mine")
    assert references == {"one": "the model"} and "human" not in candidates
    assert candidates.to_numpy().tolist() == [["one", "ada", "a b c", 3], ["one", "bo", "d e", 2]]
    path, rows = tmp_path / "mine.csv", "one,Reference,the model,\none,ada,a b c,2\none,bo,d e,3.5"
    path.write_text(f"group,writer,text,human\n{rows}\n")
    again, references = load_groups(path)
    assert again[list(candidates)].equals(candidates) and references == {"one": "the model"}
    assert again.query("group == 'one'")["human"].tolist() == [2.0, 3.5]


STORIES = "title,text\n"
GROUPS = "group,writer,text,human\none,reference,x,\none,bo,"
BAD_CSV = [
    (own.load_stories, "title,words\na,b\n", "column 'text' is missing; expected title, text"),
    (own.load_stories, f"{STORIES}a,short\n", "row 2: words is 1; expected at least 30"),
    (own.load_stories, f"{STORIES}a,{LONG}1\na,{LONG}2\n", "row 3: title is 'a'; expected a title"),
    (own.load_stories, f"{STORIES}a,{LONG}\nb,{LONG}\n", "row 3: text is 'word word"),
    (own.load_stories, f"{STORIES}é,{LONG}1\ne\u0301,{LONG}2\n", "row 3: title is 'é'; expected"),
    (own.load_stories, f"{STORIES}\n\na,{LONG}\nb\n", "row 5: fewer cells than the header"),
    (own.load_stories, f'{STORIES}a,"{LONG}', "row 2: a quotation mark stands alone"),
    (own.load_stories, STORIES, "no row below"),
    (load_poems, "title;author\na;b\n", "semicolons; expected a row with the columns' names"),
    (load_poems, "title,author\na,b\n", "column 'text' is missing; expected title, author, text"),
    (load_groups, "writer,text\na,b\n", "column 'group' is missing; expected group, writer, text"),
    (load_groups, f"{GROUPS}y,\none,bo,z,", "row 4: writer is 'bo'; expected one story by each"),
    (load_groups, f"{GROUPS}y,", "group one: expected one story by the writer 'reference' and two"),
    (load_groups, f"{GROUPS},\none,cy,z,", "row 3: text is ''"),
    (load_groups, f"{GROUPS}y,good\none,cy,z,1", "row 3: human"),
]


@pytest.mark.parametrize(("load", "content", "message"), BAD_CSV)
def test_a_bad_csv_is_one_clear_error(tmp_path, load, content, message):
    (tmp_path / "mine.csv").write_text(content)
    with pytest.raises(DataError, match=f"mine.csv.*{re.escape(message)}"):
        load(tmp_path / "mine.csv")


def test_a_pipe_or_a_device_is_refused_before_it_is_read(tmp_path):
    (tmp_path / "mine").mkdir()
    pipe = tmp_path / "mine" / "a.txt"
    os.mkfifo(pipe)
    for load in (own.load_stories, load_poems, load_groups):
        with pytest.raises(DataError, match=r"a\.txt: (is no regular file|cannot be read)"):
            load(pipe)
    with pytest.raises(DataError, match="a.txt: is no regular file"):
        own.load_stories(tmp_path / "mine")


def test_a_document_is_named_as_one_with_what_to_save_it_as(tmp_path):
    (tmp_path / "good.txt").write_text(LONG)
    (tmp_path / "My Story.docx").write_bytes(b"PK\x03\x04\xf1")
    with pytest.raises(DataError, match="My Story.docx: is no plain text; save it as .txt"):
        own.load_stories(tmp_path)
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(DataError, match="a.xlsx: is an Excel .* save it as CSV"):
        load_poems(tmp_path / "a.xlsx")


def test_a_link_out_of_the_folder_is_refused_and_hidden_files_are_skipped(tmp_path):
    (tmp_path / "secret.txt").write_text(LONG)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "._one.txt").write_bytes(b"\0\5\x16\7")
    (tmp_path / "mine" / "one.txt").write_text(LONG)
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    assert own.load_stories(tmp_path / "link")["title"].tolist() == ["one"]
    (tmp_path / "mine" / "two.txt").symlink_to("../secret.txt")
    with pytest.raises(DataError, match="^two.txt: is a link that leads out of the folder; copy"):
        own.load_stories(tmp_path / "link")


COIN = "simulated/coin"
TWO_TESTS = pd.DataFrame({"test": [1, 2], "question": ["Does it end?", "Is it new?"]})
TWO_TESTS["full_prompt"] = ""


@pytest.fixture
def folder(tmp_path):
    """A folder of three stories of a reader's."""
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("word " * 40 + name, encoding="utf8")
    return tmp_path


def test_stories_are_asked_about_by_the_tests(folder):
    requests = ttcw.requests(own.load_stories(folder), TWO_TESTS)
    scores = ttcw.score(judges.ask(requests, COIN, ttcw.reader))
    assert list(scores["item"]) == ["a", "a", "b", "b", "c", "c"]
    assert set(scores["score"]) <= {0.0, 1.0}


def test_groups_go_through_the_two_by_two():
    material = refbased.load_candidates([1, 7], groups="data/examples/groups")
    answers = ablation.ask_all(ablation.list_all(material, COIN), COIN)
    table = ablation.tabulate(answers)
    assert list(table) == ablation.VARIANTS and len(table) == 4
    assert table.isin(range(3)).all(axis=None)


def test_stories_are_compared_with_each_other(folder):
    stories = own.load_stories(folder)
    texts = stories.set_index("story")["text"].to_dict()
    requests = beside.requests(texts, {"style": "style"}, 2, np.random.default_rng(0))
    answers = judges.ask(requests, COIN, beside.reader)
    assert len(requests) == 3 * 2
    assert beside.rate_stories(beside.score(answers), stories["story"])["n"].tolist() == [2] * 3


def test_poems_are_ranked(tmp_path):
    poems.load_poems().to_csv(tmp_path / "mine.csv", index=False)
    mine, criteria, _ = poems.load_study(str(tmp_path / "mine.csv"), ["Quality"])
    drawn = lists.plan_designs(mine["tier"].cat.codes, 2, 1, np.random.default_rng(0))
    means, valid, _ = poetry.rank_designs(mine, drawn, COIN, criteria, poetry.options(COIN, mine))
    assert valid["n"].tolist() == [2, 1] and means["Quality", "90"]["position"].sum() == 90 * 91 / 2


def test_edits_are_compared_with_their_drafts():
    table = own.read_csv(ROOT / "data/examples/edits.csv", ("before", "after"))
    table["group"] = [f"pair {row}" for row in range(1, len(table) + 1)]
    requests = edits.requests(table.melt("group", ["before", "after"], "kind", "text"))
    options = judges.Options(simulators=edits.SIMULATORS)
    scores = edits.score(judges.ask(requests, COIN, edits.reader, options))
    assert len(scores) == 8 and scores["score"].sum() == 4
