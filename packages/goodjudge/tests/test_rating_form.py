"""The page in which people rate texts: what stands in it, what its script does, what it saves."""

import io
import json
import re
import shutil
import subprocess

import pandas as pd
import pytest
from goodjudge import rating_form
from goodjudge.cli import main
from goodjudge.data.reading import read_ratings
from goodjudge.data.texts import code_text
from goodjudge.errors import DataError

NODE = shutil.which("node")
EVIL = 'He said: </script><script>alert(1)</script> & "<b>so</b>" <!-- \u2028 end.'
TEXTS = {
    "Plum, early": EVIL,
    'The "Shop"': "A man has a week.\n\nThen he has a day.",
    "Quince": "It rained; nobody minded.",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return a folder with three texts by two writers as texts.csv."""
    folder = tmp_path_factory.mktemp("form")
    table = pd.DataFrame({"title": [*TEXTS], "text": [*TEXTS.values()]})
    table["writer"] = ["Zoe Nobody", "model-x", "Zoe Nobody"]
    table["group"] = ["p", "p", "q"]
    table.to_csv(folder / "texts.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def page(place):
    """Return the path of a page made of these texts and the example's tests."""
    return rating_form.write_form(place / "texts.csv", place / "out")


def read_asked(page):
    """Return what a page's script is given."""
    html = page.read_text("utf8")
    return json.loads(re.search('<script id="asked"[^>]*>(.*?)</script>', html, re.DOTALL)[1])


def run_script(page, expression):
    """Return the value of a JavaScript expression beside the page's own script, by node."""
    script = re.search("<script>(.*?)</script>", page.read_text("utf8"), re.DOTALL)[1]
    asked = json.dumps(read_asked(page))
    code = f"{script}\nconst asked = {asked};\nconsole.log(JSON.stringify({expression}));"
    done = subprocess.run([NODE, "-e", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# what stands in the page


def test_a_text_cannot_break_out_and_no_writer_title_or_address_stands_in_the_page(page):
    html = page.read_text("utf8")
    assert html.count("<script") == html.count("</script>") == 2
    assert "alert(1)" in html and "<b>so" not in html
    shown = {text["item"]: text["text"] for text in read_asked(page)["texts"]}
    assert shown == {code_text(*text): text[1] for text in TEXTS.items()}
    for name in ("Zoe", "model-x", "Quince"):
        assert name not in html
    assert not re.search(r"https?:|src=|@import|url\(", html)
    assert "default-src 'none'" in html


def test_introduction_and_ends_of_the_scale_come_from_the_rubric(place, tmp_path):
    rubric = tmp_path / "r.yaml"
    rubric.write_text(
        "introduction: Read <alone>.\nscale: 1-5\nlow: bad\nhigh: good\ntests:\n"
        "  - {name: A, question: How}\n  - {name: B, question: Why, low: never}\n"
    )
    page = rating_form.write_form(place / "texts.csv", tmp_path / "out", rubric=rubric)
    asked = read_asked(page)
    assert asked["introduction"] == "Read <alone>." and "Read <alone>" not in page.read_text()
    assert [(test["low"], test["high"]) for test in asked["tests"]] == [
        ("bad", "good"),
        ("never", "good"),
    ]
    assert asked["scale"] == [*"12345"] and asked["form"].startswith("1-5 ")


RUBRICS = {
    "tests:\n- name: A": "test 1: has no question",
    "- {name: A, question: Q}\n- {name: a, question: R}": "test 2: is called 'a' as test 1 is",
    "- {name: =A, question: Q}": "begins with '=', which a spreadsheet takes for a formula",
    "tests: [": "line 1",
    "[" * 5000: "more than 10 levels",
    "a: &a [1]\ntests: [*a]": "an anchor or alias",
    "tests: [{name: A, question: Q}]\nreasons: sure": "reasons is 'sure'; expected true or false",
    "tests: [{name: (place), question: Q}]": "is called (place), as another answer is",
}


@pytest.mark.parametrize("content", RUBRICS)
def test_a_bad_rubric_is_one_sentence(place, tmp_path, content):
    (tmp_path / "bad.yaml").write_text(content)
    with pytest.raises(DataError, match="bad.yaml") as fault:
        rating_form.write_form(place / "texts.csv", tmp_path / "out", rubric=tmp_path / "bad.yaml")
    assert RUBRICS[content] in str(fault.value)


SCALES = {"": 2, "1-7": 7, "0-10": 11, "1,5": 5}


@pytest.mark.parametrize("scale", [*SCALES, "7", "7-1", "1-100", "a-b", "1-1"])
def test_a_scale_is_yes_and_no_or_whole_numbers(scale):
    if scale in SCALES:
        assert len(rating_form.read_scale(scale)) == SCALES[scale]
    else:
        with pytest.raises(DataError, match="is no scale; expected two whole numbers"):
            rating_form.read_scale(scale)


def test_nothing_is_written_over(place, page, tmp_path):
    again = rating_form.write_form(place / "texts.csv", place / "out")
    assert again == page, "the same texts and tests make the same page"
    with pytest.raises(DataError, match="another form is there"):
        rating_form.write_form(place / "texts.csv", place / "out", scale="1-5")
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="is a file; expected the name of a folder"):
        rating_form.write_form(place / "texts.csv", tmp_path / "file")


# the texts


def test_ids_stay_the_reader_s_own_and_columns_have_several_names(tmp_path):
    table = "id,title,text,author,prompt\ns 1,T,Rain.,Ada,p\n007,U,Sun.,Bo,q\n"
    (tmp_path / "texts.csv").write_text(table)
    texts = rating_form.read_texts(tmp_path / "texts.csv")
    assert texts["item"].tolist() == ["s 1", "007"]
    assert texts["writer"].tolist() == ["Ada", "Bo"] and texts["group"].tolist() == ["p", "q"]
    assert texts["words"].tolist() == [1, 1]


BAD_TEXTS = {
    "id,text\na,Rain.\nA,Sun.\n": "row 3: has the id 'A' as row 2 has",
    "id,text\na,Rain.\nb,Rain.\n": "row 3: has the same text as row 2 has",
    "id,text\na,\nb,Rain.\n": "row 2: has no text",
    "name of it,words in it\na,Rain.\n": "no column id and no column text",
}


@pytest.mark.parametrize("content", BAD_TEXTS)
def test_bad_texts_are_one_sentence(tmp_path, content):
    (tmp_path / "bad.csv").write_text(content)
    with pytest.raises(DataError, match="bad.csv") as fault:
        rating_form.read_texts(tmp_path / "bad.csv")
    assert BAD_TEXTS[content] in str(fault.value)


def test_what_is_no_text_is_refused(tmp_path):
    for path, said in ((tmp_path, "holds no .txt"), ("/dev/zero", "device"), ("no", "no such")):
        with pytest.raises(DataError, match=said):
            rating_form.read_texts(path)
    (tmp_path / "a.docx").write_text("PK")
    with pytest.raises(DataError, match="a.docx: is no plain text; save it as .txt"):
        rating_form.read_texts(tmp_path)


# what the script does


@pytest.mark.skipif(not NODE, reason="needs node")
def test_the_order_is_the_rater_s_own_and_always_the_same(page):
    drawn = run_script(page, '["R1", "R2", "Zoë"].map(code => orderFor("form", code, 6))')
    assert drawn == [[3, 4, 5, 0, 2, 1], [1, 3, 4, 0, 5, 2], [4, 5, 1, 3, 2, 0]]


@pytest.mark.skipif(not NODE, reason="needs node")
def test_cells_are_quoted_and_formulas_defused(page):
    cells = ["=1+1", "+1", "-1", "@x", 'a "b", c', "two\nlines", "plain", 4]
    saved = run_script(page, f"{json.dumps(cells)}.map(cellOf)")
    assert saved[:4] == ["'=1+1", "'+1", "'-1", "'@x"]
    assert saved[4:] == ['"a ""b"", c"', '"two\nlines"', "plain", "4"]


def save(page, code, answers, folder, name=None):
    """Write the file that the page saves for a rater, the texts in the order of the file; answers:
    {(text, test): answer}."""
    asked = read_asked(page)
    lines = [",".join(rating_form.COLUMNS)]
    for place, text in enumerate(asked["texts"]):
        for number, test in enumerate(asked["tests"]):
            score = answers.get((place, number), "")
            lines.append(
                f"{text['item']},{code},{test['name']},{score},{place + 1},{asked['form']}"
            )
    path = folder / f"ratings-{name or code}.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf8")
    return path


@pytest.mark.skipif(not NODE, reason="needs node")
def test_the_page_saves_such_a_file(page, tmp_path):
    path = save(page, "R1", {(0, 0): "Yes", (2, 1): "No"}, tmp_path)
    saved = run_script(page, 'toCsv(asked, "R1", {"0,0": "Yes", "2,1": "No"})')
    saved = pd.read_csv(io.StringIO(saved)).sort_values(["item", "aspect"], ignore_index=True)
    expected = pd.read_csv(path).sort_values(["item", "aspect"], ignore_index=True)
    places = saved.pop("position"), expected.pop("position")
    pd.testing.assert_frame_equal(saved, expected)
    assert sorted(places[0]) == sorted(places[1])


ALL = [(text, test) for text in range(3) for test in range(3)]


@pytest.fixture
def votes(page, tmp_path):
    """Return a folder with the saved files of two raters."""
    folder = tmp_path / "votes"
    folder.mkdir()
    save(page, "R1", dict.fromkeys(ALL, "Yes") | {(0, 0): "No"}, folder)
    save(page, "R2", dict.fromkeys(ALL[:-1], "No"), folder)
    return folder


def test_joined_files_have_what_raters_were_not_told(place, votes, tmp_path, capsys):
    out = tmp_path / "ratings.csv"
    command = ["form", "join", str(votes), "--texts", str(place / "texts.csv"), "--out", str(out)]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "17 ratings of 3 texts by 2 raters; 1 questions were left open." in told
    alone = read_ratings(votes / "ratings-R1.csv").ratings  # a card reads it as it is
    by_case = alone.set_index(["item", "aspect"])["score"]
    assert by_case[code_text("Plum, early", EVIL), "Opening"] == 0 and by_case.sum() == 8
    data = read_ratings(out)
    items = data.items.set_index("item")
    assert items.loc["Quince", ["group", "writer", "words"]].tolist() == ["q", "Zoe Nobody", 4]
    assert data.ratings["rater"].nunique() == 2 and len(data.ratings) == 17
    assert main(command) == 0, "a join may be made anew"
    out.write_text("mine")
    assert main(command) == 3 and out.read_text() == "mine"


def join(place, votes, tmp_path, **options):
    table, _ = rating_form.join_forms(votes, place / "texts.csv", tmp_path / "r.csv", **options)
    return table


def test_other_texts_forms_and_files_are_refused(place, votes, tmp_path):
    (place / "other.csv").write_text("title,text\nPlum,It rained elsewhere.\n")
    with pytest.raises(DataError, match="is none of the texts; expected those of which"):
        rating_form.join_forms(votes, place / "other.csv", tmp_path / "r.csv")
    (votes / "again.csv").write_bytes((votes / "ratings-R1.csv").read_bytes())
    with pytest.raises(DataError, match="both are of rater 'R1'; expected one file per rater"):
        join(place, votes, tmp_path)
    (votes / "again.csv").write_text("item,rater,score\na,x,1\n")
    with pytest.raises(DataError, match="again.csv: found item, rater, score; expected a saved"):
        join(place, votes, tmp_path)
    (votes / "again.csv").unlink()
    points = rating_form.write_form(place / "texts.csv", tmp_path / "points", scale="1-5")
    save(points, "R3", dict.fromkeys(ALL, "5"), votes)
    with pytest.raises(DataError, match="the files are of 2 forms"):
        join(place, votes, tmp_path)
    (tmp_path / "odd").mkdir()
    save(points, "R3", dict.fromkeys(ALL, "5") | {(1, 1): "6"}, tmp_path / "odd")
    with pytest.raises(DataError, match="score '6' is not on the form's scale"):
        join(place, tmp_path / "odd", tmp_path)


def test_codes_that_differ_in_capitals_are_asked_about(page, place, tmp_path):
    folder = tmp_path / "saved"
    folder.mkdir()
    save(page, "ann", dict.fromkeys(ALL, "No"), folder)
    save(page, "Ann", dict.fromkeys(ALL, "Yes"), folder, name="2")
    with pytest.raises(DataError, match="one person.*--names-differ"):
        join(place, folder, tmp_path)
    table = join(place, folder, tmp_path, names_differ=True)
    assert table["rater"].unique().tolist() == ["Ann", "ann (2)"]
    assert read_ratings(tmp_path / "r.csv").ratings["rater"].nunique() == 2


def test_cells_that_a_spreadsheet_would_run_are_disarmed(tmp_path):
    (tmp_path / "texts.csv").write_text("id,text,writer\n=1+1,Rain.,@sum\nb,Sun.,-x\n")
    page = rating_form.write_form(tmp_path / "texts.csv", tmp_path / "out")
    path = save(page, "R1", {}, tmp_path)
    path.write_text(path.read_text().replace(",R1,", ",=cmd|x,"))
    out = tmp_path / "ratings.csv"
    rating_form.join_forms(path, tmp_path / "texts.csv", out)
    cells = pd.read_csv(out, dtype=str, keep_default_na=False).to_numpy().ravel()
    assert not [cell for cell in cells if cell[:1] in "=+-@" and cell]


# a panel: texts of a group together, with reasons, places and guesses

WRITERS = ["An expert", "An amateur", "A machine"]
PANEL = {"together": True, "reasons": True, "rank": True, "guess": WRITERS}
TWO = [{"name": "Ending", "question": "Earned?"}, {"name": "Voice", "question": "Heard?"}]


@pytest.fixture(scope="module")
def panel(tmp_path_factory):
    """Return (the folder, the page) of six plots with four texts each."""
    folder = tmp_path_factory.mktemp("panel")
    for plot in range(6):
        (folder / "texts" / f"plot {plot}").mkdir(parents=True)
        for text in "abcd":
            path = folder / "texts" / f"plot {plot}" / f"{text}.txt"
            path.write_text(f"Story {text} on plot {plot}.")
    (folder / "r.json").write_text(json.dumps(PANEL | {"tests": TWO}))
    page = rating_form.write_form(folder / "texts", folder / "out", rubric=folder / "r.json")
    return folder, page


def save_panel(page, code, folder, rule="(place + number) % 2 ? 'Yes' : 'No'"):
    """Write what the page saves for a rater who answers everything, as its own script does."""
    answers = f"""(() => {{
        const answers = {{}};
        for (const step of stepsFor(asked, "{code}")) {{
            if (Array.isArray(step)) step.forEach((place, at) => {{
                answers[`${{place}},rank`] = String(at + 1);
                answers[`${{place}},guess`] = asked.guess[place % 3];
            }});
            else asked.tests.forEach((_, number) => {{
                const place = step;
                answers[`${{place}},${{number}}`] = {rule};
                answers[`${{place}},${{number}},reason`] = "Since,\\n- \\"so\\".";
            }});
        }}
        return answers;
    }})()"""
    path = folder / f"ratings-{code}.csv"
    path.write_text(run_script(page, f'toCsv(asked, "{code}", {answers})'), encoding="utf8")
    return path


@pytest.mark.skipif(not NODE, reason="needs node")
def test_the_texts_of_a_group_stand_together_in_an_order_of_the_rater_s_own(panel):
    _, page = panel
    orders = []
    for code in ("R1", "R2"):
        steps = run_script(page, f'stepsFor(asked, "{code}")')
        assert len(steps) == 6 * 5
        groups = [text["group"] for text in read_asked(page)["texts"]]
        for start in range(0, 30, 5):
            *four, together = steps[start : start + 5]
            assert together == four and len({groups[text] for text in four}) == 1
        assert sorted(text for text in steps if isinstance(text, int)) == [*range(24)]
        orders.append(steps)
    assert orders[0] != orders[1]


@pytest.mark.skipif(not NODE, reason="needs node")
def test_a_card_reads_the_verdicts_the_places_and_the_guesses_of_a_panel(panel, tmp_path, capsys):
    folder, page = panel
    saved = tmp_path / "saved"
    saved.mkdir()
    for code in ("R1", "R2", "R3"):
        save_panel(page, code, saved)
    out = tmp_path / "ratings.csv"
    command = ["form", "join", str(saved), "--texts", str(folder / "texts"), "--out", str(out)]
    assert main(command) == 0 and main(command) == 0
    told = capsys.readouterr().out
    assert "144 ratings of 24 texts by 3 raters. Beside it:" in told and "places.csv" in told
    data = read_ratings(out)
    assert len(data.ratings) == 3 * 24 * 2 and set(data.ratings["aspect"]) == {"Ending", "Voice"}
    assert pd.read_csv(out)["reason"].eq('Since, - "so".').all(), "on one line"
    places = read_ratings(tmp_path / "ratings-places.csv")
    assert len(places.ratings) == 3 * 24 and places.items["group"].nunique() == 6
    first = pd.read_csv(tmp_path / "ratings-places.csv").query("rank == 1 and rater == 'R1'")
    best = places.ratings[places.ratings["rater"] == "R1"].set_index("item")["score"]
    assert best[first["item"]].eq(4).all(), "1 is the best"
    guesses = read_ratings(tmp_path / "ratings-guesses.csv")
    assert set(guesses.ratings["aspect"]) == set(WRITERS)
    by_text = guesses.ratings.groupby(["item", "rater"])["score"].sum()
    assert len(by_text) == 72 and by_text.eq(1).all()


@pytest.mark.skipif(not NODE, reason="needs node")
def test_places_that_are_no_ranking_are_refused(panel, tmp_path):
    folder, page = panel
    path = save_panel(page, "R1", tmp_path)
    path.write_text(path.read_text().replace("(place),4,", "(place),1,"))
    with pytest.raises(DataError, match="'R1' gave the texts of 'plot .' the places .*expected"):
        rating_form.join_forms(path, folder / "texts", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_a_panel_needs_groups_of_two(place, tmp_path):
    rubric = tmp_path / "r.json"
    rubric.write_text(json.dumps(PANEL | {"tests": TWO}))
    with pytest.raises(DataError, match="the group 'q' has one text; expected two"):
        rating_form.write_form(place / "texts.csv", tmp_path / "out", rubric=rubric)
