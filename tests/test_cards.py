"""The two commands about a judge: a card of a reader's ratings, a judge's answers about texts."""

import json

import numpy as np
import pandas as pd
import pytest
from jsonschema import validate

from helpers.measures import compare, sheets, take_away
from helpers.workshop import cards


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


@pytest.fixture(scope="module", autouse=True)
def one_kernel(execute):
    """Let all runs of notebook 07 share one kernel, so that packages load once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards.run, "execute", execute)
        yield


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    """Return the folder of a card of made-up ratings and scores, made once."""
    place = tmp_path_factory.mktemp("card")
    ratings, scores = map(str, write_made_up(place))
    folder = place / "out"
    assert cards.main(["card", ratings, "--scores", scores, "--outputs", str(folder)]) == 0
    return folder


def read_page(folder):
    """Return the HTML of the one page in a folder."""
    return find(folder, "html").read_text("utf8")


def test_a_card_is_one_page_one_table_one_figure_one_json_and_one_key(card):
    kinds = sorted(path.suffix for path in card.iterdir())
    assert kinds == [".csv", ".csv", ".html", ".json", ".png", ".svg"]


def test_a_cards_json_follows_its_schema_and_says_what_its_table_says(card):
    told = json.loads(find(card, "json").read_text("utf8"))
    validate(told, take_away.SCHEMA)
    table = pd.read_csv(find(card, "csv"), index_col="who")
    rows = {row["who"]: row["estimate"] for row in told["rows"]}
    assert rows["a person"] == pytest.approx(table.at["a person", "estimate"])
    assert told["sizes"]["ratings"] == 144


def test_a_page_begins_with_the_verdict_under_its_title(card):
    page = read_page(card)
    places = [page.index(words) for words in ("<h1", "Yes", "May it?")]
    assert places == sorted(places)
    assert page.count("What all this comes to") == 0


def test_a_figure_is_also_an_svg_whose_words_are_text(card):
    drawing = find(card, "svg").read_text("utf8")
    assert "a person" in drawing
    assert "<dc:date>" not in drawing


def test_a_page_names_the_files_beside_it(card):
    page = read_page(card)
    beside = [path.name for path in card.iterdir() if path.suffix != ".html"]
    assert [name for name in beside if name not in page] == []


def test_a_card_answers_its_questions(card):
    page = read_page(card)
    assert "<h1" in page
    assert "Is it as good as one more rater? Yes." in page
    assert "Is it better than the best control that a user could have? Yes." in page
    assert "What it adds: with" in page


def test_a_card_names_no_rater_no_code_and_no_place_on_this_machine(card):
    page = read_page(card)
    assert "R1" in page
    for word in ("Ann", "Bob", "import pandas", str(card.parent)):
        assert word not in page


def test_a_cards_table_has_judge_person_control_and_ceiling(card):
    table = pd.read_csv(find(card, "csv"), index_col="who")
    assert table.at["the judge", "estimate"] > table.at["a person", "estimate"]
    assert {"judge", "person", "control", "ceiling"} == set(table["kind"])


def test_the_key_of_the_raters_is_for_its_owner_alone(card):
    (key,) = card.glob("*-raters.csv")
    assert key.read_text("utf8") == "rater,name in your file\nR1,Ann\nR2,Bob\nR3,Cy\n"
    assert key.stat().st_mode & 0o777 == 0o600


def test_people_alone_have_a_card_too(tmp_path):
    ratings, _ = write_made_up(tmp_path)
    assert cards.main(["card", str(ratings), "--outputs", str(tmp_path / "out")]) == 0
    table = pd.read_csv(find(tmp_path / "out", "csv"), index_col="who")
    assert "a person" in table.index
    assert "judge" not in set(table["kind"])


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return (the folder of two texts, that of a judge's answers about them), asked once."""
    place = tmp_path_factory.mktemp("answers")
    texts = place / "texts"
    texts.mkdir()
    for name in ("one", "two"):
        (texts / f"{name}.txt").write_text(f"{name} " + "word " * 40)
    folder = place / "out"
    given = ["--rubric", "data/rubrics/example.yaml", "--judge", "simulated/coin"]
    assert cards.main(["texts", str(texts), *given, "--outputs", str(folder)]) == 0
    return texts, folder


def test_a_page_of_answers_is_named_by_texts_judge_and_rubric_as_is_its_table(answers):
    _, folder = answers
    name = find(folder, "html").stem
    assert name.startswith("judge-texts-simulated-coin-example-")
    assert find(folder, "csv").stem == name
    assert f"{name}.csv</code> has one row" in read_page(folder)


def test_a_page_of_answers_begins_with_the_judge_s_worth(answers):
    page = read_page(answers[1])
    assert page.index("Nothing is known") < page.index("Its answers") < page.index("2 stories")


def test_a_page_of_answers_names_no_parameter_and_no_place_on_this_machine(answers):
    texts, folder = answers
    page = read_page(folder)
    for word in ("own_stories", "paper_study", str(texts.parent)):
        assert word not in page


def test_a_table_of_answers_has_a_row_per_text_and_test(answers):
    assert len(pd.read_csv(find(answers[1], "csv"))) == 2 * 3


def test_a_folder_that_is_not_there_is_one_error(tmp_path, capsys):
    assert cards.main(["texts", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.startswith("error: ")


def test_what_is_wrong_with_a_file_is_told_before_anything_is_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cards, "execute", None)
    (tmp_path / "mine.csv").write_text("item,rater,score\nA,x,one\nB,x,two\n")
    assert cards.main(["card", str(tmp_path / "mine.csv"), "--outputs", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: mine.csv: 2 faults:\n  row 2: score is 'one'")


BAD_COLUMNS = ["[1]", "{'a': 'item'}", '{"Ihr Name": rater}', "[" * 100_000, '{"a": "b"}']


@pytest.mark.parametrize("columns", BAD_COLUMNS)
def test_columns_that_cannot_be_read_are_one_sentence_with_an_example(columns, capsys, tmp_path):
    assert cards.main(["card", "x.csv", "--columns", columns]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: COLUMNS: ")
    assert told.count("\n") == 1
    assert len(told) < 500
    assert """COLUMNS='{"Which story?": "item", "Your name": "rater"}'""" in told


@pytest.mark.parametrize(("command", "said"), [("texts", "TEXTS=my-")])
def test_without_a_file_one_line_says_where_to_name_it(command, said, capsys):
    assert cards.main([command, ""]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: say where: make judge")
    assert said in told
    assert told.count("\n") == 1


def test_a_key_typed_as_the_judge_is_neither_said_nor_in_the_name_of_a_file(tmp_path, capsys):
    folder = tmp_path / "out"
    typed = ["--judge", "sk-typed-by-mistake", "--outputs", str(folder)]
    assert cards.main(["texts", "data/stories", *typed]) == 1
    said = capsys.readouterr()
    assert "JUDGE holds what looks like a key" in said.err
    assert "mistake" not in said.err + said.out
    assert not folder.exists()


def test_a_price_is_told_in_the_words_of_make():
    fault = RuntimeError("28 calls would cost, max_usd=0.0; raise max_usd, or set limit")
    assert cards.tell_in_terminal(fault) == (
        "28 calls would cost, MAX_USD=0.0; say the most that it may cost, in USD: MAX_USD=1"
    )


@pytest.fixture
def findings(tmp_path, monkeypatch):
    """Committed findings of one study, in which the open judge was held against people."""
    rows = pd.DataFrame([[0.3, 0.1, 0.5, 12]], ["the judge"], ["estimate", "low", "high", "n"])
    values = compare.to_values({"A study": rows})
    (tmp_path / "02-x.json").write_text(json.dumps({"values": values}))
    monkeypatch.setattr(cards, "FINDINGS", tmp_path)


def test_what_the_open_judge_was_worth_comes_from_the_findings(findings):
    told = cards.tell_worth(f"local/{cards.BEST}")
    assert "A study" in told
    assert "0.30 [0.10, 0.50]" in told


def test_of_a_judge_that_nobody_held_against_people_nothing_is_known(findings):
    assert "Nothing is known" in cards.tell_worth("openai/another")


def hide_ratings(folder):
    """Write a reader's files in which a quarter of the items that a judge scored have no ratings,
    and the judge's file has group and writer; return their paths."""
    ratings, scores = write_made_up(folder)
    items = pd.read_csv(ratings)
    facts = items[["item", "group", "writer"]].drop_duplicates("item")
    pd.read_csv(scores).merge(facts, on="item").to_csv(scores, index=False)
    items[items["group"] < 9].to_csv(ratings, index=False)
    return str(ratings), str(scores)


def test_items_that_nobody_rated_are_corrected_for(tmp_path):
    ratings, scores = hide_ratings(tmp_path)
    folder = tmp_path / "out"
    assert cards.main(["card", ratings, "--scores", scores, "--outputs", str(folder)]) == 0
    told = json.loads(find(folder, "json").read_text("utf8"))
    assert {row["way"] for row in told["means"]} == {"people alone", "the judge alone", "both"}
    assert "prediction-powered inference" in told["methods"]


@pytest.mark.parametrize(("sample", "measure"), [("pairs", "pairwise accuracy"), ("wide", "r")])
def test_other_forms_of_files_have_a_card_with_verdicts(sample, measure, tmp_path):
    samples = sheets.SAMPLES
    given = [str(samples / f"{sample}.csv"), "--scores", str(samples / "scores.csv")]
    assert cards.main(["card", *given, "--outputs", str(tmp_path)]) == 0
    told = json.loads(find(tmp_path, "json").read_text("utf8"))
    assert told["settings"]["measure"].endswith(measure)
    assert len(told["verdicts"]) == 3


def test_without_files_a_card_is_made_of_simulated_samples_and_says_so(tmp_path):
    assert cards.main(["card", "--outputs", str(tmp_path)]) == 0
    page = read_page(tmp_path)
    assert "<title>SIMULATED: Is my judge good enough?" in page
    assert "No person rated these texts." in page
    assert "Simulated ratings, read as one row per score." in page
    assert "make judge-card RATINGS=my-ratings.csv" in page.split("Findings and limits")[1]


def test_scores_without_ratings_are_no_sample(capsys):
    assert cards.main(["card", "--scores", "my-scores.csv"]) == 2
    assert "error: say where: make judge-card RATINGS=" in capsys.readouterr().err
