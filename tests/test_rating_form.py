"""The page in which people rate texts, in a browser; goodjudge's own tests hold the rest."""

import json
import re
import shutil
import time

import pandas as pd
import pytest
from browser_kit import chromium, find_chromium
from goodjudge import rating_form
from goodjudge.cli import main
from goodjudge.data.reading import read_ratings

from helpers.sources.public import ROOT

pytestmark = pytest.mark.ci
TEXTS = {"Plum": "It rained </script>.", "Shop": "A man has a week.", "Quince": "Nobody minded."}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Return the path of a page of three texts and the example's questions, on a scale."""
    folder = tmp_path_factory.mktemp("form")
    table = pd.DataFrame({"id": [*TEXTS], "text": [*TEXTS.values()]})
    table.to_csv(folder / "texts.csv", index=False)
    return rating_form.write_form(folder / "texts.csv", folder, scale="1-5")


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
    """Open a page, or open it again, and give a rater's code."""
    if tab.run("location.href") == page.as_uri():
        tab.reload()
    else:
        tab.open(page.as_uri())
    give_code(tab, code)


def give_code(tab, code):
    tab.run(f"document.getElementById('code').value = '{code}'")
    tab.run("document.getElementById('begin').requestSubmit()")


def click(tab, name):
    tab.run(f"document.getElementById('{name}').click()")


def read(tab, name):
    """Return the text of a part of the page."""
    return tab.run(f"document.getElementById('{name}').textContent")


def is_checked(tab):
    return tab.run("document.querySelector('input[type=radio]:checked') !== null")


def wait_for(path):
    """Return a path once the browser has written its file."""
    deadline = time.monotonic() + 30
    while not path.is_file() and time.monotonic() < deadline:
        time.sleep(0.1)
    return path


def test_a_rater_may_come_back_and_a_second_one_starts_empty(tab, page):
    begin(tab, page, "R7")
    assert read(tab, "introduction").startswith("You will read some very short stories")
    assert "1: not at all" in read(tab, "questions") and "5: very much" in read(tab, "questions")
    tab.run("document.querySelector('input[type=radio]').click()")
    begin(tab, page, "R8")
    assert not is_checked(tab)
    begin(tab, page, "r7")  # as R7: asked about
    assert read(tab, "known").startswith("1 of 9 answers under the code R7 are in this browser")
    assert tab.run("document.getElementById('work').hidden") is True
    click(tab, "resume")
    assert is_checked(tab)
    begin(tab, page, "R7")
    click(tab, "other")
    assert tab.run("document.getElementById('code').value") == ""
    give_code(tab, "R17")
    assert not is_checked(tab)
    assert tab.complaints() == []


def test_what_a_rater_saves_in_a_browser_is_read_by_the_card(tab, page):
    begin(tab, page, "R9")
    for step in ("next", "next", "save"):
        tab.run("document.querySelectorAll('input[value=\"5\"]').forEach(box => box.click())")
        click(tab, step)
    assert read(tab, "note").startswith("Saved as ratings-R9.csv")
    path = wait_for(tab.saved / "ratings-R9.csv")
    data = read_ratings(path)
    assert len(data.ratings) == 9
    assert data.ratings["score"].eq(5).all()
    asked = re.search('<script id="asked"[^>]*>(.*?)</script>', page.read_text("utf8"), re.DOTALL)
    assert set(pd.read_csv(path)["form"]) == {json.loads(asked[1])["form"]}
    click(tab, "leave")  # the next rater, without a reload
    give_code(tab, "R19")
    assert not is_checked(tab)


def fill_step(tab, verdict):
    """Answer what a page of a panel asks: tests with a reason, or places and guesses."""
    if tab.run("document.querySelector('details') === null"):
        tab.run(f"document.querySelectorAll('input[value={verdict}]').forEach(box => box.click())")
        tab.run(
            "document.querySelectorAll('textarea').forEach(field => {"
            "field.value = 'Because, so.'; field.dispatchEvent(new Event('input'))})"
        )
        return
    tab.run(
        "[1, 2, 3, 4].forEach(place => document.querySelectorAll("
        "`input[name$=rank][value='${place}']`)[place - 1].click());"
        "document.querySelectorAll(`input[name$=guess][value='A machine']`)"
        ".forEach(box => box.click())"
    )


def count_checked(tab, selector):
    return tab.run(f"document.querySelectorAll('{selector}:checked').length")


def test_a_panel_rates_four_texts_together_ranks_them_and_guesses(tab, tmp_path):
    for plot in range(5):
        (tmp_path / "texts" / f"plot {plot}").mkdir(parents=True)
        for text in "abcd":
            path = tmp_path / "texts" / f"plot {plot}" / f"{text}.txt"
            path.write_text(f"Telling {text} of plot {plot}.")
    rubric = ROOT / "data" / "rubrics" / "ttcw-panel.yaml"
    page = rating_form.write_form(tmp_path / "texts", tmp_path / "form", rubric=rubric)
    for code, verdict in (("P1", "Yes"), ("P2", "No")):
        begin(tab, page, code)
        for step in range(25):
            fill_step(tab, verdict)
            if step == 4:  # a place has one text: the last one that is given it
                tab.run("document.querySelectorAll('input[name$=rank][value=\"1\"]')[3].click()")
                assert count_checked(tab, "input[name$=rank]") == 3
                tab.run("document.querySelectorAll('input[name$=rank][value=\"4\"]')[0].click()")
            click(tab, "next")
        click(tab, "back")
        assert count_checked(tab, 'input[value="' + verdict + '"]') == 14
        click(tab, "save")
        assert tab.complaints() == []
        click(tab, "leave")
    (tmp_path / "saved").mkdir()
    for code in ("P1", "P2"):
        shutil.copy(wait_for(tab.saved / f"ratings-{code}.csv"), tmp_path / "saved")
    out = tmp_path / "ratings.csv"
    join = ["form", "join", str(tmp_path / "saved"), "--texts", str(tmp_path / "texts")]
    assert main([*join, "--out", str(out)]) == 0
    ratings = pd.read_csv(out)
    assert len(ratings) == 2 * 20 * 14 and ratings["reason"].eq("Because, so.").all()
    for name, rows in (("ratings-places", 40), ("ratings-guesses", 40)):
        assert len(read_ratings(tmp_path / f"{name}.csv").ratings) == rows
        assert main(["card", str(tmp_path / f"{name}.csv"), "--out", str(tmp_path / name)]) == 0
