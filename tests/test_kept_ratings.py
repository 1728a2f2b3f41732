"""The numbers in `data/ratings/`: pinned, made anew from the public files, and no text among
them."""

import csv
import hashlib
import json
import re
from pathlib import Path

import pandas as pd
import pytest

from helpers.sources.files import DataError
from helpers.sources.kept import read_kept
from helpers.sources.public import ROOT, available, locate, registry
from tools import keep_ratings, simulate_ratings

FOLDER = ROOT / "data" / "ratings"
PINNED = json.loads(Path(__file__).with_name("kept_ratings_checksums.json").read_text("utf8"))
LONGEST = 40  # characters: a title, a name, a label; a sentence is longer
RATERS = {
    "ttcw-ratings.csv": r"\d{1,2}",
    "ttcw-explanations.csv": r"\d{0,2}",
    "ttcw-readings.csv": r"\d{1,2}",
    "hanna-ratings.csv": r"r\d\d",
    "confederacy-ratings.csv": r"[1-5]/[12]",
    "lamp-ratings.csv": r"R\d+",
    "wqrm-ratings.csv": r"r\d",
    "copoet-ratings.csv": r"R\d+",
    "pron-ratings.csv": r"R[1-6]",
}
LICENSED = sorted(name for name, entry in registry().items() if entry["licence"] != "none")


def read(name):
    """Return a kept file, every field as it is written."""
    return pd.read_csv(FOLDER / name, dtype=str, keep_default_na=False)


def test_no_kept_number_has_changed():
    found = {path.name: path.read_bytes() for path in FOLDER.glob("*.csv")}
    checksums = {name: hashlib.sha256(content).hexdigest() for name, content in found.items()}
    assert checksums == PINNED


def test_the_public_files_give_the_same_bytes():
    missing = [name for name in LICENSED if not available(name)]
    if missing:
        pytest.skip(f"the public files of {', '.join(missing)} are not on this machine")
    made = keep_ratings.make_files()
    assert sorted([*made, *keep_ratings.COPIED]) == sorted(PINNED)
    for name, text in made.items():
        assert text == (FOLDER / name).read_text(encoding="utf8"), name


@pytest.mark.parametrize("name", PINNED)
def test_no_field_is_longer_than_a_title(name):
    table = read(name)
    lengths = table.apply(lambda column: column.str.len().max())
    assert lengths.max() <= LONGEST, lengths.idxmax()


@pytest.mark.parametrize("name", RATERS)
def test_raters_have_codes(name):
    codes = read(name)["rater"].unique()
    strange = [code for code in codes if not re.fullmatch(RATERS[name], code)]
    assert strange == []


def test_nothing_is_kept_of_a_data_set_without_a_licence():
    unlicensed = set(registry()) - set(LICENSED)
    assert unlicensed == {"openmeva", "storyer"}
    assert [name for name in PINNED if name.startswith(tuple(unlicensed))] == []


def test_no_worker_of_the_votes_is_known_by_the_public_id(open_data):
    with locate("copoet/batch_results.csv")[0].open(encoding="utf8", newline="") as file:
        workers = {sheet["WorkerId"] for sheet in csv.DictReader(file)}
    kept = (FOLDER / "copoet-ratings.csv").read_text(encoding="utf8")
    assert [worker for worker in workers if worker in kept] == []


def test_a_file_that_is_not_there_is_one_sentence():
    with pytest.raises(DataError, match="ratings/hana.csv is missing; there are .*hanna-items"):
        read_kept("hana")


def test_the_sample_files_are_made_anew_to_the_same_bytes(tmp_path):
    for path in simulate_ratings.write_tables(tmp_path):
        committed = simulate_ratings.FOLDER / path.name
        assert committed.read_bytes() == path.read_bytes(), path.name
    there = {path.name for path in simulate_ratings.FOLDER.glob("*.csv")}
    assert there == {path.name for path in tmp_path.iterdir()}
