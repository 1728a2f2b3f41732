"""The project's poems, and the check of a reader's poems."""

import pandas as pd
import pytest

from helpers.poetry import baselines as poem_baselines
from helpers.poetry.load import load_poems, normalise
from helpers.sources.public import ROOT, DataError

GOOD = [
    ("One", "Ann", "A", "a line"),
    ("Two", "Ann", "A", "b line"),
    ("One", "Bob", "B", "c line"),
    ("Two", "Bob", "B", "d line"),
]


def write(folder, rows, columns=("title", "author", "tier", "text")):
    path = folder / "mine.csv"
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
    return path


def test_own_poems_are_complete():
    poems = load_poems()
    assert poems.attrs["found"] == "30 A / 30 B / 30 C"
    lines = poems["text"].map(lambda text: sum(bool(row.strip()) for row in text.splitlines()))
    assert (
        lines.between(6, 16).all()
        and lines.groupby(poems["tier"], observed=True).mean().std() < 0.3
    )
    assert poems["recipe"].str.len().min() > 10 and poems["name"].is_unique


def test_review_covers_every_poem():
    review = pd.read_csv(ROOT / "data" / "poems" / "review.csv")
    assert set(review["name"]) == set(load_poems()["name"]) and set(review["judged"]) <= set("ABC")


@pytest.mark.parametrize(
    "row,expected",
    [
        (("One", "Ann", "B", "e line"), "row 6: name .*no other poem has"),
        (("ONE", " ann", "B", "e line"), "row 6: name .*no other poem has"),
        (("Three", "Cy", "B", "a  LINE"), "text that no other poem"),
        (("Three", "Cy", "B", "   "), "row 6: text is .*fill it"),
        (("", "Cy", "B", "e"), "title is ''"),
        (("Three", "Cy", "C", "e"), r"C \(1\)"),
        (("Th\nree", "Cy", "B", "e"), "without a line break"),
    ],
)
def test_bad_sets_are_refused_by_name(tmp_path, row, expected):
    with pytest.raises(DataError, match=expected):
        load_poems(write(tmp_path, [*GOOD, row]))


def test_missing_file_column_and_name(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        load_poems(tmp_path / "none.csv")
    with pytest.raises(DataError, match="column 'text' is missing"):
        load_poems(write(tmp_path, [row[:3] for row in GOOD], ("title", "author", "tier")))
    (tmp_path / "set" / "A").mkdir(parents=True)
    with pytest.raises(DataError, match="no poems; expected a folder per tier"):
        load_poems(tmp_path / "set")
    (tmp_path / "set" / "A" / "title.txt").write_text("x")
    with pytest.raises(DataError, match="Author - Title"):
        load_poems(tmp_path / "set")


def test_folder_and_order_of_tiers(tmp_path):
    for tier in ("Bad", "Good", "Medium"):
        (tmp_path / tier).mkdir()
        for i in range(2):
            (tmp_path / tier / f"Ann - {tier} {i}.txt").write_text(f"{tier} {i}", encoding="utf8")
    poems = load_poems(tmp_path)
    assert poems["tier"].cat.categories.tolist() == ["Good", "Medium", "Bad"] and len(poems) == 6


def test_normalise():
    assert normalise("“Snow” — A\u00a0Day") == normalise('"snow"  -  a day') == 'snow" - a day'
    assert normalise("北国 - 雪") != normalise("北国 - 雨")


def test_rhyme_density():
    rhymed = "The cat sat on the mat\nand wore a hat\nand far away\nit was a day"
    assert poem_baselines.rhyme_density(rhymed) == 1.0
    assert poem_baselines.rhyme_density("one dog\ntwo cups\nfar moon\nold shed") == 0.0
    assert poem_baselines.rhyme_density("") == 0.0
