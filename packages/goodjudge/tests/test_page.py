"""A card's shape and its page: whatever the numbers and whatever the names."""

import csv
import dataclasses
import html.parser
import io
import json
import os
import re

import cards
import pandas as pd
import pytest
from goodjudge import files
from goodjudge.card import Verdict, export, page, picture, shapes, texts, verdicts, wording
from goodjudge.stats import intervals

MOST_BYTES = 400_000
VOID = {"meta", "br", "img", "link", "hr", "input", "rect", "line", "circle", "path"}
LOADS = ("src", "srcset", "data", "poster", "action", "background", "style", "formaction")


class Reader(html.parser.HTMLParser):
    """Reads a page: its elements with their attributes, its text, and what is not closed."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.words = [], [], []
        self.feed(text)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    def find(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture(params=list(cards.ALL))
def card(request):
    return cards.ALL[request.param]()


def test_page_is_one_small_file_that_needs_nothing_else(card, tmp_path):
    path = card.to_html(tmp_path)
    assert path == tmp_path / "card.html" and path.stat().st_size <= MOST_BYTES
    read = Reader(path.read_text(encoding="utf8"))
    assert not read.open
    assert read.find("html") == [{"lang": "en"}]
    for tag, attributes in read.elements:
        assert tag not in ("script", "iframe", "object", "embed", "link", "img", "form", "base")
        assert not any(name in LOADS or name.startswith("on") for name in attributes), attributes
        address = attributes.get("href", "#")
        assert address.startswith(("#", "https://doi.org/10."))
    assert "url(" not in path.read_text(encoding="utf8")
    assert "default-src 'none'" in str(read.find("meta"))
    headings = read.find("th")  # on a phone each cell tells its column
    assert all(one.get("scope") == "col" or one.get("role") == "rowheader" for one in headings)
    assert read.find("td") and all(one["data-label"] for one in read.find("td"))
    [picture_in_words] = [one for _, one in read.elements if one.get("role") == "img"]
    assert picture_in_words["aria-label"] == card.alt


def test_page_and_picture_say_each_number_and_whether_it_is_simulated(card):
    text = Reader(page.render(card)).text
    for said in (card.title, card.source, card.date, card.advice, picture.make_title(card)):
        assert said in text
    assert all(page.ASKED[one.question] in text for one in card.verdicts)
    for name, row in card.comparison.dropna(subset=["estimate"]).iterrows():
        assert name in text and wording.show_row(row) in text.replace("\xa0", " ")
        assert f"{name} {wording.show_row(row)}" in card.alt
    assert ("Simulated data: no person rated" in text) == card.simulated
    assert ("simulated data" in picture.make_title(card)) == card.simulated
    assert ("simulated" in str(card)) == card.simulated == card.to_dict()["simulated"]


def test_json_follows_its_schema(card):
    jsonschema = pytest.importorskip("jsonschema")
    found = json.loads(card.to_json())
    jsonschema.Draft202012Validator(export.SCHEMA).validate(found)
    assert [row["who"] for row in found["rows"]] == list(card.comparison.index)


@pytest.mark.parametrize("name", cards.HOSTILE)
def test_hostile_names_are_text_and_nothing_else(name, tmp_path, recwarn):
    card = cards.make_hostile(name)
    paths = card.save(tmp_path)
    text = paths[0].read_text(encoding="utf8")
    hostile, plain = Reader(text), Reader(page.render(cards.make_good()))
    assert len(text) <= MOST_BYTES and not hostile.open
    assert {tag for tag, _ in hostile.elements} <= {tag for tag, _ in plain.elements}
    for _, attributes in hostile.elements:
        assert not any(one.startswith("on") for one in attributes)
        assert attributes.get("href", "#").startswith(("#", "https://doi.org/10."))
    assert texts.clean(name) in hostile.text or len(name) > 100
    assert not re.search(r"[\x00-\x08\x0e-\x1f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", text)
    assert json.loads(paths[1].read_text(encoding="utf8"))["judge"] == texts.clean(name)
    for row in csv.reader(io.StringIO(paths[2].read_text(encoding="utf8"))):
        assert not any(cell.startswith(("=", "+", "@", "\t")) for cell in row)
        assert not any(cell.startswith("-") and not is_number(cell) for cell in row)
    assert paths[3].read_bytes().startswith(b"\x89PNG")
    assert not [one for one in recwarn if "Glyph" in str(one.message)]
    assert len(str(card).splitlines()) <= 12
    str(card).encode("utf8")


def is_number(cell):
    return bool(re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell))


def test_card_says_the_same_bytes_twice():
    first, second = cards.make_good(), cards.make_good()
    assert page.render(first) == page.render(second) and first.to_json() == second.to_json()
    assert picture.make_png(first) == picture.make_png(second)
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.judge = "other"
    with pytest.raises(TypeError):
        first.sizes["items"] = 1


def test_long_tables_are_cut_on_the_page_and_whole_in_the_json():
    groups = pd.DataFrame({"level": [f"plot {number}" for number in range(749)], "estimate": 0.5})
    card = cards.make_good(diagnostics={"by group": groups})
    text = Reader(page.render(card)).text
    assert "729 more rows are in the JSON file" in text and "plot 20 " not in text
    assert len(card.to_dict()["diagnostics"]["by group"]) == 749


@pytest.mark.parametrize(
    "estimate, low, said",
    [
        (0.71, 0.6, "largely about who wrote it"),
        (0.26, 0.17, "about more than who wrote it"),
        (0.1, -0.1, "not clear that it gives anything"),
    ],
)
def test_writer_is_told_and_decides_nothing(estimate, low, said):
    card = cards.make_good()
    table = card.comparison.copy()
    table.loc["who wrote it", ["estimate", "low"]] = [estimate, low]
    changed = dataclasses.replace(card, comparison=table)
    assert said in wording.tell_writer(changed)
    assert changed.advice == card.advice and changed.answers == card.answers


@pytest.mark.parametrize(
    "answers, is_level, said",
    [
        ("no yes yes", True, wording.DO_NOT_USE),
        ("undecided no no", True, wording.DO_NOT_RELY),
        ("undecided yes yes", True, wording.NOT_YET),
        ("yes yes yes", True, wording.LIKE_A_RATER),
        ("yes yes yes", False, wording.ORDER),
        ("yes yes undecided", True, wording.BESIDE),
        ("yes yes no", True, wording.ORDER),
        ("yes undecided yes", True, wording.ORDER_BESIDE),
        ("yes no no", True, wording.ORDER_BESIDE),
    ],
)
def test_advice_follows_from_the_answers(answers, is_level, said):
    questions = (shapes.BETTER, shapes.AS_GOOD, shapes.REPLACE)
    verdicts = [Verdict(*pair, "") for pair in zip(questions, answers.split())]
    leniency = (0.1, -0.1, 0.3) if is_level else (2.2, 2.1, 2.3)
    card = cards.make_good(verdicts=verdicts, leniency=leniency, scales="")
    assert card.advice == said
    assert ("clearly too high" in card.evidence) == (not is_level)
    assert cards.make_no_groups().advice == wording.SAYS_THE_SAME


@pytest.mark.parametrize(
    "lead, above, answer",
    [
        ((0.20, 0.05, 0.35), (0.5, 0.4, 0.6), "yes"),
        ((0.02, -0.04, 0.08), (0.5, 0.4, 0.6), "no"),
        ((0.05, -0.10, 0.20), (0.5, 0.4, 0.6), "undecided"),
        ((0.30, 0.20, 0.40), (0.02, -0.04, 0.08), "no"),  # a control that is worse than guessing
        ((0.30, 0.20, 0.40), (0.05, -0.10, 0.20), "undecided"),
        ((0.05, cards.NAN, cards.NAN), (0.5, cards.NAN, cards.NAN), "undecided"),
        (cards.NO_LEAD, cards.NO_LEAD, "no"),
    ],
)
def test_better_than_not_reading(lead, above, answer):
    found = wording.decide_better(lead, above, "length", 0.1, needed="More.")
    assert found.answer == answer
    assert bool(found.needed) == (answer == "undecided")


@pytest.mark.parametrize(
    "lead, answer, said",
    [
        ((0.12, 0.08, 0.15), "yes", "clearly ahead"),
        ((0.02, -0.05, 0.09), "yes", "level"),
        ((-0.05, -0.09, -0.01), "yes", "behind, but by less than 0.1"),
        ((-0.30, -0.40, -0.20), "no", "behind by more than 0.1"),
        ((-0.10, -0.30, 0.10), "undecided", "may be level"),
    ],
)
def test_as_good_as_one_more_rater(lead, answer, said):
    found = wording.decide_as_good(lead, 0.1)
    assert found.answer == answer and said in found.why


ALIKE = [
    ((0.01, -0.05, 0.07), "alike"),
    ((0.01, 0.002, 0.018), "alike"),
    ((0.12, 0.05, 0.19), "different"),
    ((0.05, -0.08, 0.18), "these data cannot tell"),
    ((0.05, cards.NAN, cards.NAN), "these data cannot tell"),
]


@pytest.mark.parametrize(("row", "said"), ALIKE)
def test_alike_is_said_only_where_a_difference_of_the_margin_is_excluded(row, said):
    assert verdicts.are_alike(intervals.row(*row, 40), 0.1) == said


def test_doubt_takes_a_yes_and_never_a_no():
    doubt = "It agrees with R1 as a copy would."
    assert wording.decide_as_good((0.1, 0.05, 0.2), 0.1, doubt=doubt).answer == "undecided"
    assert wording.decide_as_good((-0.4, -0.5, -0.3), 0.1, doubt=doubt).answer == "no"
    assert wording.decide_replace(4, 0, 4, doubt=doubt).answer == "undecided"
    assert wording.decide_replace(0, 4, 4, doubt=doubt).answer == "no"


def test_pass_that_a_constant_has_too_is_no_yes():
    assert wording.decide_replace(3, 0, 4).answer == "yes"
    for passes, said in ((True, "so does"), (False, "so might")):
        found = wording.decide_replace(3, 0, 4, constants={"always 4": passes})
        assert found.answer == "undecided" and said in found.why
    assert wording.decide_replace(1, 1, 4).answer == "undecided"
    assert wording.decide_replace(0, 3, 4).answer == "no"


@pytest.mark.parametrize(
    "change, said",
    [
        ({"judge": "nobody"}, "no row 'nobody'"),
        ({"judge": "length"}, "no judge"),
        ({"control": "nothing"}, "no row 'nothing'"),
        ({"comparison": pd.DataFrame({"kind": ["judge"]})}, "lacks estimate"),
        ({"comparison": cards.make_rows(cards.OTHERS).assign(kind="stranger")}, "kind 'stranger'"),
        ({"comparison": pd.concat([cards.make_rows(cards.OTHERS)] * 2)}, "two rows 'one more"),
    ],
)
def test_wrong_card_is_refused(change, said):
    with pytest.raises(ValueError, match=said):
        cards.make_good(**change)
    with pytest.raises(ValueError, match="expected yes, no or undecided"):
        Verdict("Good?", "perhaps", "")


def test_old_page_stays_where_a_new_one_cannot_be_written(tmp_path, monkeypatch):
    path = cards.make_good().to_html(tmp_path)
    before = path.read_bytes()

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", refuse)
    with pytest.raises(OSError, match="No space left"):
        cards.make_bad().to_html(tmp_path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["card.html"]


def test_frame_and_csv_hold_the_comparison(tmp_path):
    card = cards.make_good()
    frame = card.to_frame()
    assert list(frame.columns[:6]) == ["who", "kind", "estimate", "low", "high", "n"]
    read = pd.read_csv(card.to_csv(tmp_path / f"{'x' * 300}.csv"))  # cut, as disks want it
    pd.testing.assert_frame_equal(read, frame, check_dtype=False)
    nothing = [None, pd.NA, pd.NaT, cards.NAN, float("inf")]
    assert export.plain([*nothing, True, 3, 1 / 3]) == [*[None] * 5, True, 3, 0.3333333333]
