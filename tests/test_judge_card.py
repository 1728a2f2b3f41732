"""A reader's ratings and texts: CSV files as forms export them, verdicts on a lead, pages."""

import json
import os
import subprocess
import sys

import nbformat
import numpy as np
import pandas as pd
import pytest

from helpers.measures import compare, people, sheets, verdicts
from helpers.sources.files import DataError
from helpers.workshop import judge


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a CSV and returns its path."""

    def save(text, encoding="utf-8"):
        path = tmp_path / "mine.csv"
        path.write_text(text, encoding=encoding)
        return path

    return save


def test_a_form_s_export_is_read(write):
    text = (
        "Timestamp;Participant;Story;Creative?;Coherence\n1.1.;Ann;A;3,5;4\n1.1.;Bob;A;2;\n;;;;\n"
    )
    data = sheets.read_ratings(write(text, "utf-8-sig"))
    found = data.ratings.set_index(["aspect", "rater"])["score"].to_dict()
    assert found == {("Creative?", "R1"): 3.5, ("Creative?", "R2"): 2, ("Coherence", "R1"): 4}
    assert data.items["group"].tolist() == ["A"], "without a group an item stands for itself"
    assert "Ann" not in data.ratings.to_csv() + data.items.to_csv()


def test_facts_of_items_and_verdicts_in_words(write):
    text = "essay,coder,verdict,prompt,text\na,x,Yes,p1,one two\na,y,no,p1,one two\n"
    data = sheets.read_ratings(write(text), {"essay": "item"})
    assert data.items.to_dict("records") == [{"item": "a", "group": "p1", "words": 2}]
    assert data.ratings["score"].tolist() == [1, 0]
    scores = sheets.read_scores(write("item,score,run\na,1,1\na,0,2\n"), data)
    assert scores.columns.tolist() == ["item", "judge", "score", "repeat"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("item,rater,score\nA,x,5\nA,x,4\n", "row 3.*one row per item and rater"),
        ("item,rater,score\nA,x,5\nA,y,five\n", "row 3: score is 'five'; expected a number"),
        ("item,score\nA,5\n", "no column rater; found item, score; expected one row per score"),
        ("item,rater,score\nA,,5\n", "row 2: rater is ''; expected a name"),
        ("item,rater,score\nA,x,\n", "no score in it"),
        ("item,rater,remark\nA,x,nice\n", "no column score, and no other column of numbers"),
        ('item,rater,score\nA,x,1\n"B,y,2\n', "cannot be read as a CSV"),
        ("item,rater,score,group\nA,x,1,p\nA,y,2,q\n", "the same group in every row"),
        ("", "cannot be read as a CSV"),
        ("item,rater,score\nA,x,3,5\nA,y,4,5\n", "more cells than the header"),
    ],
)
def test_one_sentence_for_what_is_wrong(write, text, said):
    with pytest.raises(DataError, match=f"(?s)mine.csv.*{said}"):
        sheets.read_ratings(write(text))


def test_a_score_of_an_item_that_nobody_rated(write):
    data = sheets.read_ratings(write("item,rater,score\nA,x,1\nA,y,2\n"))
    with pytest.raises(DataError, match="row 2: item is 'B'; expected an item of the ratings"):
        sheets.read_scores(write("item,score\nB,1\n"), data)


def test_scores_of_an_aspect_that_nobody_rated_and_of_a_part_of_the_items(write):
    data = sheets.read_ratings(write("item,rater,wit,depth\nA,x,1,2\nA,y,2,1\nB,x,3,1\n"))
    with pytest.raises(DataError, match="GPT .1 to 1: no aspect of the ratings") as fault:
        sheets.read_scores(write("item,GPT\nA,1\n"), data)
    assert "leave out" not in str(fault.value), "it is the only column"
    told = sheets.read_scores(write("item,wit\nA,1\n"), data)
    size = people.count(data, told)
    assert size["items"] == 2
    assert size["items that every judge scored"] == 1
    other = told.assign(item="B", judge="another")
    assert people.count(data, pd.concat([told, other]))["items that every judge scored"] == 0


def test_a_lead_is_decided_by_its_interval():
    assert verdicts.decide([0.2, 0.1, 0.3], 12, 0.1) == "yes"
    assert verdicts.decide([0.0, -0.05, 0.05], 12, 0.1) == "no"
    assert verdicts.decide([-0.05, -0.08, 0.02], 12, 0.1, least=-0.1) == "yes, within 0.1"
    unsure = verdicts.decide([0.05, -0.15, 0.25], 12, 0.1)
    assert unsure.startswith("these data cannot tell: 12 groups, about ")
    needed = int(unsure.split()[-2])
    half = 0.2 * np.sqrt(12 / needed)  # the interval that so many groups would have
    assert half * (1 + 0.84 / 2.2) == pytest.approx(0.1, rel=0.02)
    assert verdicts.decide([0.2, np.nan, np.nan], 3, 0.1) == (
        "these data cannot tell: fewer than 5 groups"
    )


def write_made_up(folder):
    """Write made-up ratings (3 raters, 12 groups) and scores of a judge who follows them; return
    the paths of both files."""
    rng = np.random.default_rng(5)
    items = pd.DataFrame({"item": [f"s{k}" for k in range(48)], "true": rng.normal(size=48)})
    items = items.assign(group=items.index // 4, writer=items.index % 4)
    ratings = items.merge(pd.DataFrame({"rater": ["Ann", "Bob", "Cy"]}), how="cross")
    ratings["score"] = ratings.pop("true") + rng.normal(size=len(ratings))
    ratings.to_csv(folder / "ratings.csv", index=False)
    scores = items[["item"]].assign(score=items["true"] + 0.3 * rng.normal(size=48))
    scores.to_csv(folder / "scores.csv", index=False)
    return folder / "ratings.csv", folder / "scores.csv"


def find(folder, kind):
    """Return the one file of a kind in a folder; the key of the raters is another kind."""
    (path,) = (path for path in folder.glob(f"*.{kind}") if not path.stem.endswith("-raters"))
    return path


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    """Return the folder of a card of made-up ratings, made once."""
    place = tmp_path_factory.mktemp("card")
    ratings, scores = map(str, write_made_up(place))
    folder = place / "out"
    assert judge.main(["card", ratings, "--scores", scores, "--outputs", str(folder)]) == 0
    return folder


def test_a_card_is_one_page_one_table_and_one_figure(card):
    page = find(card, "html").read_text("utf8")
    assert {path.suffix for path in card.iterdir()} == {".html", ".csv", ".png"}
    assert find(card, "png").name in page
    assert find(card, "csv").name in page


def test_a_card_answers_its_questions(card):
    page = find(card, "html").read_text("utf8")
    assert "<h1" in page
    assert "Is it as good as one more rater? Yes, within 0.1." in page
    assert "Is it better than the best control?" in page


def test_a_card_names_no_rater_no_code_and_no_place_on_this_machine(card):
    page = find(card, "html").read_text("utf8")
    assert "Ann" not in page
    assert "R1" in page
    assert "import pandas" not in page
    assert str(card.parent) not in page


def test_a_cards_table_has_judge_person_control_and_ceiling(card):
    table = pd.read_csv(find(card, "csv"), index_col="who")
    assert table.at["the judge", "estimate"] > table.at["a person", "estimate"]
    assert {"judge", "person", "control", "ceiling"} == set(table["kind"])


def test_the_key_of_the_raters_lies_beside_the_page_for_its_owner_alone(tmp_path):
    ratings, _ = write_made_up(tmp_path)
    assert judge.main(["card", str(ratings), "--outputs", str(tmp_path / "out")]) == 0
    (key,) = (tmp_path / "out").glob("*-raters.csv")
    assert key.read_text("utf8") == "rater,name in your file\nR1,Ann\nR2,Bob\nR3,Cy\n"
    assert key.stat().st_mode & 0o777 == 0o600
    page = find(tmp_path / "out", "html").read_text("utf8")
    assert key.name in page and "Ann" not in page and "Bob" not in page


def test_files_of_one_name_and_other_judges_have_pages_of_their_own(tmp_path):
    first, second = tmp_path / "a" / "my ratings.csv", tmp_path / "b" / "my ratings.csv"
    judges = [tmp_path / f"{name}.csv" for name in ("gpt", "claude")]
    named = [judge.name_page("judge-card", path, by) for path in (first, second) for by in judges]
    assert len(set(named)) == 4
    assert named[0].startswith("judge-card-my-ratings-gpt-")
    assert named[0] == judge.name_page("judge-card", first, judges[0])
    ways = [judge.name_page("judge-card", first, given=one) for one in ({}, {"a": "writer"})]
    assert len(set(ways)) == 2, "one file read in two ways has two pages"
    slashed = judge.name_page("judge", first, "local/<b>x</b>", "")
    assert "/" not in slashed
    assert "<" not in slashed


def test_a_run_has_a_folder_of_its_own_that_is_removed(tmp_path):
    with judge.private_folder(tmp_path, "page") as one:
        with judge.private_folder(tmp_path, "page") as other:
            assert one != other
            (other / "failed").mkdir()
            (other / "failed" / "07-x.ipynb").write_text("{}")
    assert [path.name for path in tmp_path.rglob("*")] == ["failed", "page.ipynb"]


def test_what_a_killed_run_has_left_is_removed_and_what_lives_stays(tmp_path, capsys):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for number in (gone.pid, os.getpid()):
        (tmp_path / f".judge-card-my-page-run{number}-ab_cd").mkdir()
    (tmp_path / ".judge-notes-run1x-y").mkdir()
    (tmp_path / "judge-card-mine-run99999999-x").mkdir()
    with judge.private_folder(tmp_path, "judge-card-my-page"):
        pass
    left = sorted(path.name for path in tmp_path.iterdir())
    mine = f".judge-card-my-page-run{os.getpid()}-ab_cd"
    assert left == [mine, ".judge-notes-run1x-y", "judge-card-mine-run99999999-x"]
    assert "removed what a killed run had left: .judge-card" in capsys.readouterr().err


def test_what_is_wrong_with_a_file_is_told_before_anything_is_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(judge, "execute", None)
    (tmp_path / "mine.csv").write_text("item,rater,score\nA,x,one\nB,x,two\n")
    assert judge.main(["card", str(tmp_path / "mine.csv"), "--outputs", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: mine.csv: 2 faults:\n  row 2: score is 'one'")


BAD_COLUMNS = ["[1]", "{'a': 'item'}", '{"Ihr Name": rater}', "[" * 100_000, '{"a": "b"}']


@pytest.mark.parametrize("columns", BAD_COLUMNS)
def test_columns_that_cannot_be_read_are_one_sentence_with_an_example(columns, capsys, tmp_path):
    assert judge.main(["card", "x.csv", "--columns", columns]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: COLUMNS: ")
    assert told.count("\n") == 1
    assert len(told) < 500
    assert """COLUMNS='{"Which story?": "item", "Your name": "rater"}'""" in told


def test_the_price_is_told_as_a_terminal_says_it():
    fault = RuntimeError("would cost about $0.1, max_usd=0.0; raise max_usd, or set limit")
    assert judge.tell_in_terminal(fault).endswith("in USD: MAX_USD=1")


def test_prose_about_what_is_not_there_is_left_out():
    prose, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    shown = [nbformat.v4.new_output("stream", text="1")]
    cells = [prose("title"), code("1"), prose("silent"), code("2"), prose("two"), prose("one")]
    cells += [code("3"), code("4", outputs=shown), prose("end")]
    kept = [cell.source for cell in judge.drop_silent(cells)]
    assert kept == ["title", "1", "2", "two", "one", "3", "4", "end"]


def write_notebook(path, *outputs):
    """Write a notebook with one cell of such outputs."""
    cell = nbformat.v4.new_code_cell("1", outputs=list(outputs))
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)


def test_a_page_has_no_warnings_no_scripts_and_no_places(tmp_path):
    made = nbformat.v4.new_output
    place = f"see {tmp_path}/run/a.csv and {judge.ROOT}/helpers/x.py"
    widget = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "bar"}
    write_notebook(
        tmp_path / "in.ipynb",
        made("stream", name="stderr", text="RuntimeWarning: divide"),
        made("display_data", data={"text/markdown": place}),
        made("display_data", data=widget),
    )
    names = {f"{tmp_path}/run/a.csv": "page.csv"}
    page = tmp_path / "page.html"
    judge.write_page(tmp_path / "in.ipynb", page, "</title><script>alert(31)</script>", names=names)
    text = page.read_text("utf8")
    assert "see page.csv and helpers/x.py" in text
    assert str(tmp_path) not in text
    for word in ("RuntimeWarning", "<script", ">bar"):
        assert word not in text


def test_long_work_says_which_section_is_under_way(tmp_path):
    cells = [nbformat.v4.new_markdown_cell("## The people"), nbformat.v4.new_code_cell("1")]
    cells[1].metadata["papermill"] = {"status": "running"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "07.1.partial.ipynb")
    assert judge.find_section(tmp_path) == ": cell 2 of 2, The people"
    assert judge.find_section(tmp_path / "none") == ""


def test_texts_are_judged_on_one_page_that_begins_with_the_judge_s_worth(tmp_path, capsys):
    (tmp_path / "texts").mkdir()
    for name in ("one", "two"):
        (tmp_path / "texts" / f"{name}.txt").write_text(f"{name} " + "word " * 40)
    rubric, folder = "data/rubrics/example.yaml", tmp_path / "out"
    given = ["--rubric", rubric, "--judge", "simulated/coin", "--outputs", str(folder)]
    assert judge.main(["texts", str(tmp_path / "texts"), *given]) == 0, capsys.readouterr().err
    page, table = find(folder, "html"), find(folder, "csv")
    assert page.stem == table.stem
    assert page.stem.startswith("judge-texts-simulated-coin-example-")
    text = page.read_text("utf8")
    assert text.index("Nothing is known") < text.index("Its answers") < text.index("2 stories")
    assert "own_stories" not in text and "paper_study" not in text, "a notebook's names"
    assert f"{table.name}</code> has one row" in text
    assert str(tmp_path) not in text
    assert len(pd.read_csv(table)) == 6
    assert judge.main(["texts", str(tmp_path / "none")]) == 1
    assert "error: " in capsys.readouterr().err


def test_a_key_typed_as_the_judge_is_neither_said_nor_in_the_name_of_a_file(tmp_path, capsys):
    folder = tmp_path / "out"
    typed = ["--judge", "sk-typed-by-mistake", "--outputs", str(folder)]
    assert judge.main(["texts", "data/stories", *typed]) == 1
    said = capsys.readouterr()
    assert "JUDGE holds what looks like a key" in said.err
    assert "mistake" not in said.err + said.out
    assert not folder.exists()


def test_a_server_that_answers_no_more_is_told():
    assert judge.tell_left(40, 20, 160, 60) == "40 new answers of at most 160, at most 3 min left"
    assert judge.tell_left(40, 40, 160, 80).endswith("none in the last 20 s")


@pytest.mark.parametrize(("command", "said"), [("card", "RATINGS=my-"), ("texts", "TEXTS=my-")])
def test_without_a_file_one_line_says_where_to_name_it(command, said, capsys):
    assert judge.main([command, ""]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: say where: make judge")
    assert said in told
    assert told.count("\n") == 1


def test_a_price_is_told_in_the_words_of_make():
    said = judge.tell_in_terminal("28 calls would cost, max_usd=0.0; raise max_usd, or set limit")
    assert judge.in_words_of_make(said) == (
        "28 calls would cost, MAX_USD=0.0; say the most that it may cost, in USD: MAX_USD=1"
    )


def test_what_the_open_judge_was_worth_comes_from_the_findings(tmp_path, monkeypatch):
    rows = pd.DataFrame([[0.3, 0.1, 0.5, 12]], ["the judge"], ["estimate", "low", "high", "n"])
    values = compare.to_values({"A study": rows})
    (tmp_path / "02-x.json").write_text(json.dumps({"values": values}))
    monkeypatch.setattr(judge, "FOUND", tmp_path)
    told = judge.tell_worth(f"local/{judge.BEST}")
    assert "A study" in told
    assert "0.30 [0.10, 0.50]" in told
    assert "Nothing is known" in judge.tell_worth("openai/another")
