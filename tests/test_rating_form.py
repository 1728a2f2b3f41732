"""The page in which people rate texts: what stands in it, what its script does, what it saves."""

import json
import re
import shutil
import subprocess
import time

import pandas as pd
import pytest
from browser_kit import chromium, find_chromium

from helpers.measures import sheets
from helpers.sources.files import DataError
from helpers.workshop import rating_form

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
    return rating_form.write_form(place / "texts.csv", "", "", place / "out")


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


def order_for(form, code, count):
    """Return the order of texts for a rater, as the page's script makes it: its twin in Python."""
    seed = 2166136261
    for byte in f"{form} {code}".encode():
        seed = (seed ^ byte) * 16777619 % 2**32

    def draw():
        nonlocal seed
        seed = (seed + 0x6D2B79F5) % 2**32
        mixed = (seed ^ seed >> 15) * (seed | 1) % 2**32
        mixed ^= (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) % 2**32
        return (mixed ^ mixed >> 14) / 2**32

    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = int(draw() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order


# what stands in the page


def test_a_text_cannot_break_out_of_the_page(page):
    html = page.read_text("utf8")
    assert html.count("<script") == 2
    assert html.count("</script>") == 2
    assert "alert(1)" in html and "<b>so" not in html
    shown = {text["item"]: text["text"] for text in read_asked(page)["texts"]}
    assert shown == {rating_form.code_text(*text): text[1] for text in TEXTS.items()}


def test_no_writer_s_name_and_no_address_stands_in_the_page(page):
    html = page.read_text("utf8")
    assert "Zoe" not in html
    assert "model-x" not in html
    assert "Quince" not in html, "a title may tell who wrote the text"
    assert not re.search(r"https?:|src=|@import|url\(", html)
    assert "default-src 'none'" in html


def test_a_title_that_names_its_writer_is_refused(place):
    (place / "told.csv").write_text("title,text,writer\nPlum by Ada,It rained.,Ada\n")
    with pytest.raises(DataError, match="title 'Plum by Ada' names its writer, 'Ada'"):
        rating_form.write_form(place / "told.csv", "", "", place / "out")


@pytest.mark.parametrize("title", ["=1+1", "+a", "-b", "@c"])
def test_a_title_that_is_a_formula_is_refused(place, title):
    (place / "formula.csv").write_text(f"title,text\n{title},It rained.\n")
    with pytest.raises(DataError, match="which a spreadsheet takes for a formula"):
        rating_form.write_form(place / "formula.csv", "", "", place / "out")


@pytest.mark.parametrize(("scale", "size"), [("", 2), ("1-7", 7), ("0-10", 11)])
def test_a_scale_is_yes_and_no_or_whole_numbers(scale, size):
    assert len(rating_form.read_scale(scale)) == size


@pytest.mark.parametrize("scale", ["7", "7-1", "1-100", "a-b", "1-1"])
def test_what_is_no_scale_is_one_sentence(scale):
    with pytest.raises(DataError, match="is no scale; expected two whole numbers"):
        rating_form.read_scale(scale)


def test_nothing_is_written_over(place, page):
    again = rating_form.write_form(place / "texts.csv", "", "", place / "out")
    assert again == page, "the same texts and tests make the same page"
    page_of_points = rating_form.write_form(place / "texts.csv", "", "1-5", place / "out")
    assert page_of_points != page
    page_of_points.write_text("a reader's own")
    with pytest.raises(DataError, match="is there with other content"):
        rating_form.write_form(place / "texts.csv", "", "1-5", place / "out")


# what the script does


@pytest.mark.skipif(not NODE, reason="needs node")
def test_the_order_is_the_rater_s_own_and_always_the_same(page):
    asked = read_asked(page)
    for code in ("R1", "R2", "Zoë"):
        expected = order_for(asked["form"], code, 20)
        assert run_script(page, f"orderFor(asked.form, {json.dumps(code)}, 20)") == expected
    assert order_for("f", "R1", 20) != order_for("f", "R2", 20)


def test_every_order_is_about_as_frequent():
    orders = pd.Series([tuple(order_for("form", f"R{code}", 3)) for code in range(3000)])
    counts = orders.value_counts()
    assert len(counts) == 6
    assert counts.between(400, 600).all(), "500 of each are expected, give or take 20"


@pytest.mark.skipif(not NODE, reason="needs node")
def test_cells_are_quoted_and_formulas_defused(page):
    cells = ["=1+1", "+1", "-1", "@x", 'a "b", c', "two\nlines", "plain", 4]
    saved = run_script(page, f"{json.dumps(cells)}.map(cellOf)")
    assert saved[:4] == ["'=1+1", "'+1", "'-1", "'@x"]
    assert saved[4:] == ['"a ""b"", c"', '"two\nlines"', "plain", "4"]


def save_with_node(page, code, answers, folder):
    """Write the file that the page saves for a rater; answers: {"text,test": answer}."""
    text = run_script(page, f"toCsv(asked, {json.dumps(code)}, {json.dumps(answers)})")
    path = folder / f"ratings-{code}.csv"
    path.write_text(text, encoding="utf8")
    return path


@pytest.fixture
def votes(page, tmp_path):
    """Return a folder with the saved files of two raters."""
    folder = tmp_path / "votes"
    folder.mkdir()
    keys = [f"{text},{test}" for text in range(3) for test in range(3)]
    save_with_node(page, "R1", dict.fromkeys(keys, "Yes") | {"0,0": "No"}, folder)
    save_with_node(page, "R2", dict.fromkeys(keys[:-1], "No"), folder)
    return folder


@pytest.mark.skipif(not NODE, reason="needs node")
def test_the_card_reads_a_saved_file_as_it_is(votes):
    data = sheets.read_ratings(votes / "ratings-R1.csv")
    case = ["item", "aspect"]
    by_case = data.ratings.set_index(case)["score"]
    assert set(data.items["item"]) == {rating_form.code_text(*text) for text in TEXTS.items()}
    assert by_case[rating_form.code_text("Plum, early", EVIL), "Opening"] == 0
    assert by_case.sum() == 8


@pytest.mark.skipif(not NODE, reason="needs node")
def test_joined_files_have_what_raters_were_not_told(place, votes, tmp_path):
    path = rating_form.join_files(votes, place / "texts.csv", tmp_path / "joined")
    data = sheets.read_ratings(path)
    items = data.items.set_index("item")
    assert items.loc["Quince", ["group", "writer", "words"]].tolist() == ["q", "Zoe Nobody", 4]
    assert data.ratings["rater"].nunique() == 2
    assert "1 of 18 ratings are missing." in sheets.tell_columns_read(data)


@pytest.mark.skipif(not NODE, reason="needs node")
def test_joined_files_have_titles_and_other_texts_are_refused(place, votes, tmp_path):
    joined = pd.read_csv(rating_form.join_files(votes, place / "texts.csv", tmp_path / "joined"))
    assert set(joined["item"]) == set(TEXTS)
    (place / "other.csv").write_text("title,text\nPlum,It rained elsewhere.\n")
    with pytest.raises(DataError, match="is none of the texts; expected the texts of which"):
        rating_form.join_files(votes, place / "other.csv", tmp_path)


def test_what_an_older_page_saved_by_title_is_joined_too(place):
    saved = pd.DataFrame({"item": ["Quince"], "rater": "R1", "score": "Yes"})
    joined = rating_form.add_facts(saved, rating_form.load_texts(place / "texts.csv"))
    assert joined[["item", "group"]].to_numpy().tolist() == [["Quince", "q"]]


@pytest.mark.skipif(not NODE, reason="needs node")
def test_two_files_of_one_rater_and_strange_files_are_refused(place, votes, tmp_path):
    (votes / "again.csv").write_bytes((votes / "ratings-R1.csv").read_bytes())
    with pytest.raises(DataError, match="both are of rater 'R1'; expected one file per rater"):
        rating_form.join_files(votes, "", tmp_path)
    (votes / "again.csv").write_text("item,rater,score\na,x,1\n")
    with pytest.raises(DataError, match="again.csv: found item, rater, score; expected a saved"):
        rating_form.join_files(votes, "", tmp_path)


@pytest.fixture(scope="module")
def tab(page, tmp_path_factory):
    """Return a browser's tab; what it saves goes into the folder `tab.saved`."""
    if not find_chromium():
        pytest.skip("needs Chromium")
    folder = tmp_path_factory.mktemp("browser")
    with chromium(find_chromium(), folder / "profile") as opened:
        opened.saved = folder / "saved"
        opened.saved.mkdir()
        where = {"behavior": "allow", "downloadPath": str(opened.saved)}
        opened.call("Page.setDownloadBehavior", **where)
        yield opened


def begin(tab, page, code):
    """Open a page and give a rater's code."""
    tab.open(page.as_uri())
    tab.run(f"document.getElementById('code').value = '{code}'")
    tab.run("document.getElementById('begin').requestSubmit()")


def read_note(tab):
    """Return what the page tells the rater."""
    return tab.run("document.getElementById('note').textContent")


def test_a_rater_may_come_back_to_what_was_answered(tab, page):
    begin(tab, page, "R7")
    first = tab.run("document.getElementById('text').textContent")
    assert first == [*TEXTS.values()][order_for(read_asked(page)["form"], "R7", 3)[0]]
    tab.run("document.querySelector('input[type=radio]').click()")
    begin(tab, page, "R7")
    assert tab.run("document.querySelector('input[type=radio]').checked") is True
    begin(tab, page, "R8")
    assert tab.run("document.querySelector('input[type=radio]').checked") is False
    assert tab.complaints() == []


def test_what_a_rater_saves_in_a_browser_is_read_by_the_card(tab, page):
    begin(tab, page, "R9")
    answer = "document.querySelectorAll('input[value=Yes]').forEach(box => box.click())"
    for step in ("next", "next", "save"):
        tab.run(answer)
        tab.run(f"document.getElementById('{step}').click()")
    assert read_note(tab).startswith("Saved as ratings-R9.csv")
    deadline = time.monotonic() + 30
    while not (tab.saved / "ratings-R9.csv").is_file() and time.monotonic() < deadline:
        time.sleep(0.1)
    data = sheets.read_ratings(tab.saved / "ratings-R9.csv")
    assert len(data.ratings) == 9
    assert data.ratings["score"].eq(1).all()


def test_open_questions_are_told_before_anything_is_saved(tab, page):
    begin(tab, page, "R10")
    tab.run("document.getElementById('save').click()")
    assert read_note(tab).startswith("Not saved yet: there are questions without an answer")
    assert tab.run("document.querySelectorAll('.open').length") == 3
    assert not (tab.saved / "ratings-R10.csv").exists()
