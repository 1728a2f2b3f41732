"""The numbers of a card are those of the judge card before it was a package (the eight pins)."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from goodjudge.card.make import make_card, name_sizes
from goodjudge.card.shapes import AS_GOOD, BETTER, REPLACE
from goodjudge.card.tables import NAMES
from goodjudge.data.reading import read_ratings, read_scores, read_unrated

HERE = Path(__file__).parent
PINS = sorted((HERE / "pins").glob("*.json"))
QUESTIONS = {
    "Is it better than the best control that a user could have?": BETTER,
    "Is it as good as one more rater?": AS_GOOD,
    "May it replace a rater?": REPLACE,
}
# rows of the old table that have no number there are none on a card
NEAR = {"abs": 2e-6, "rel": 1e-6}


@pytest.fixture(scope="module", params=PINS, ids=lambda path: path.stem)
def both(request):
    name = request.param.stem
    pin = json.loads(request.param.read_text(encoding="utf8"))
    ratings, scores = HERE / "data" / f"{name}.csv", HERE / "data" / "scores.csv"
    if not ratings.exists():
        ratings, scores = (HERE / "data" / f"{name}-{what}.csv" for what in ("ratings", "scores"))
    data = read_ratings(ratings)
    judged = read_scores(scores, data)
    return pin, make_card(data, judged, unrated=read_unrated(scores, data), date="2026-11-28")


def is_near(value, other):
    return value is None and other is None or value == pytest.approx(other, **NEAR)


def test_the_numbers_of_a_card_are_the_same(both):
    pin, card = both
    rows = {row["who"]: row for row in card.to_dict()["rows"]}
    names = dict(NAMES)
    if NAMES["the best control"] not in rows:
        names["the best control"] = names["the best without the writer"]
    pinned = [row for row in pin["rows"] if row["estimate"] is not None]
    assert len(pinned) == len(rows)
    for row in pinned:
        there = rows[names.get(row["who"], row["who"])]
        for end in ("estimate", "low", "high", "n"):
            assert is_near(there[end], row[end]), (row["who"], end)
    assert {QUESTIONS[name]: answer for name, answer in pin["verdicts"].items()} == card.answers
    for name in ("judge", "smallest"):
        assert getattr(card, name) == pin[name]
    sizes, pinned = card.sizes, pin["sizes"]
    if "pairs" in sizes:  # each was two items and two ratings
        expected = {"texts": 40, "pairs": 20, "raters": 3, "ratings": 60, "groups": 20}
    else:
        expected = {name: pinned[name] for name in ("items", "raters", "ratings", "groups")}
    assert sizes == expected


def test_the_diagnostics_of_a_card_are_the_same(both):
    pin, card = both
    rows = pin.get("people", [])
    assert len(rows) == len(card.people)
    for row, (_, there) in zip(rows, card.people.iterrows()):
        for end in ("estimate", "low", "high"):
            name = "reliability of one rater" + ("" if end == "estimate" else f" {end}")
            assert is_near(there[name], row[end])
        assert there["raters for 0.8"] == row["raters for 0.8"]
        assert there["decision"] == row["decision"]
    rows = {row["who"]: row for row in pin.get("leniency", []) if row["quantity"] == "leniency"}
    assert bool(rows) == (card.leniency is not None)
    if rows:
        ends = ("estimate", "low", "high")
        assert all(is_near(one, rows[card.judge][end]) for one, end in zip(card.leniency, ends))
        assert len(card.diagnostics["leniency"]) == len(rows)
    means = {(row["of"], row["way"]): row for row in card.to_dict()["means"]}
    assert not pin["means"] or means
    names = {"mean": "estimate", "mean low": "low", "mean high": "high", "groups": "n"}
    for row in pin["means"]:
        there = means[row["of"], row["way"]]
        for ours, theirs in (names | {"saved": "saved"}).items():
            assert is_near(there[ours], row[theirs])


@pytest.mark.parametrize(("aspects", "said"), [(1, ["items"]), (2, ["items", "aspects"])])
def test_aspects_are_counted_where_there_are_several(aspects, said):
    study = SimpleNamespace(data=read_ratings(HERE / "data" / "ratings.csv"))
    assert list(name_sizes(study, {"items": 60, "aspects": aspects})) == said
