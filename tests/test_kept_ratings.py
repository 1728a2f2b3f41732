"""The numbers in `data/ratings/`: pinned, made anew from the public files, and no text among
them."""

import csv
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from helpers.sources.files import DataError
from helpers.sources.kept import read_kept, tell_source
from helpers.sources.public import ROOT, available, locate, registry
from helpers.ttcw import load as ttcw
from tools import keep_ratings

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
AGC = "203510df6c733184c19f2235f6718a75a67cbe1fc42d385b56f98e9d52f4e181"  # of the extract


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


def read_beside(name):
    """Return a text that lies beside the kept numbers: their card, a licence."""
    return (FOLDER / name).read_text(encoding="utf8")


def test_every_file_stands_in_the_card():
    card = read_beside("README.md")
    assert [name for name in PINNED if f"`{name}`" not in card] == []


def test_nothing_is_kept_of_a_data_set_without_a_licence():
    unlicensed = set(registry()) - set(LICENSED)
    assert unlicensed == {"openmeva", "storyer"}
    assert [name for name in PINNED if name.startswith(tuple(unlicensed))] == []


@pytest.mark.parametrize("dataset", LICENSED)
def test_the_card_names_where_a_data_set_is_from_and_its_licence(dataset):
    entry = registry()[dataset]
    lines = read_beside("README.md").splitlines()
    (line,) = (line for line in lines if f"| `{dataset}-*.csv`" in line)
    assert entry["repository"] in line
    assert entry["commit"][:7] in line
    assert entry["licence"].replace("CC-BY-SA-4.0", "CC BY-SA 4.0") in line


def test_the_share_alike_licence_and_what_was_changed_lie_beside_its_numbers():
    notice = read_beside("confederacy-LICENCE.txt")
    assert "https://creativecommons.org/licenses/by-sa/4.0/" in notice
    assert "What was changed" in notice


def test_the_extract_that_was_copied_by_hand_is_the_one_that_was_looked_at():
    assert PINNED["agc-bench-ttcw.csv"] == AGC
    assert AGC in read_beside("README.md")


def test_the_card_of_the_extract_names_source_commit_and_licence():
    lines = read_beside("README.md").splitlines()
    (line,) = (line for line in lines if "| `agc-bench-*.csv`" in line)
    assert "rebeaty/agc-bench-public, d0317cb" in line
    assert "CC BY 4.0" in line
    assert "https://creativecommons.org/licenses/by/4.0/" in read_beside("LICENCES.txt")


HOLDERS = ["2023, Salesforce", "2022 lashoun", "2023 Vishakh P", "2025 Guillermo Marco"]


@pytest.mark.parametrize("holder", HOLDERS)
def test_copyright_lines_lie_beside_the_numbers(holder):
    assert f"Copyright (c) {holder}" in read_beside("LICENCES.txt")


def test_explanations_and_plots_by_other_code(open_data):
    kept = read_kept("ttcw-explanations").set_index("by")
    assert set(kept.index) == {"experts", *ttcw.JUDGES}
    reasons = json.loads(locate("ttcw/ttcw_annotations.json")[0].read_text(encoding="utf8"))
    texts = {"experts": [reason["explanation"] for reason in reasons]}
    texts["gpt4"] = read_lines("ttcw/annotations_gpt4.jsonl")["response"].tolist()
    for by, explanations in texts.items():
        assert kept.loc[by, "words"].tolist() == [len(text.split()) for text in explanations]
    first = [text.lstrip().lower().startswith(("yes", "no")) for text in texts["gpt4"]]
    assert kept.loc["gpt4", "verdict first"].tolist() == first
    assert kept.loc["experts", "verdict first"].isna().all()
    stories = json.loads(locate("ttcw/ttcw_short_stories.json")[0].read_text(encoding="utf8"))
    plots = {}
    for story in stories:
        plots.setdefault(int(story["story_idx"]), set()).add(story["plot"].strip())
    kept = read_kept("ttcw-plots").set_index("group")
    assert kept["summaries"].to_dict() == {group: len(some) for group, some in plots.items()}
    full_stops = {group: some.pop().count(".") for group, some in plots.items()}
    assert kept["sentences"].to_dict() == full_stops


def read_lines(name):
    """Return the records of a public .jsonl file."""
    lines = locate(name)[0].read_text(encoding="utf8").splitlines()
    return pd.DataFrame([json.loads(line) for line in lines if line])


def test_labels_and_counts_by_other_code(open_data):
    kept = read("ttcw-judges.csv").set_index(["judge", "item", "aspect"])["label"]
    for judge in ("cgpt", "gemini-pro"):
        answers = read_lines(f"ttcw/annotations_{judge}.jsonl")
        labels = answers["response"].str.extract(r"^\W*(Yes|No)\b", flags=re.IGNORECASE)[0]
        for name, label in zip(answers["id"], labels.fillna("").str.title()):
            item, aspect = name.removeprefix("story_").split("_test")
            assert kept[judge, item, aspect] == label
    stories = json.loads(locate("ttcw/ttcw_short_stories.json")[0].read_text(encoding="utf8"))
    items = read_kept("ttcw-items").set_index("item")
    for story in stories[1:4]:
        text = story["content"]
        counts = Counter(re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.lower()))
        once = sum(count == 1 for count in counts.values()) / counts.total()
        assert items.at[story["story_id"], "words used once"] == pytest.approx(once)
        assert items.at[story["story_id"], "words"] == len(text.split())


def test_votes_by_other_code(open_data):
    with locate("copoet/batch_results.csv")[0].open(encoding="utf8", newline="") as file:
        sheets = list(csv.DictReader(file))
    pairs = {}
    for sheet in sheets:
        pairs.setdefault(sheet["Input.title"], []).append(sheet["Answer.creative1.creative1"])
    for_help = [votes.count("TRUE") for votes in pairs.values()]
    kept = read_kept("copoet-ratings")
    kept = kept[kept["item"].str.endswith("/with help")]
    counted = kept.groupby("item")["score"].sum()
    assert counted.tolist() == for_help  # the file's pairs are in the order of the poems
    workers = Counter(sheet["WorkerId"] for sheet in sheets)
    assert sorted(kept["rater"].value_counts()) == sorted(workers.values())


def test_no_worker_of_the_votes_is_known_by_the_public_id(open_data):
    with locate("copoet/batch_results.csv")[0].open(encoding="utf8", newline="") as file:
        workers = {sheet["WorkerId"] for sheet in csv.DictReader(file)}
    kept = (FOLDER / "copoet-ratings.csv").read_text(encoding="utf8")
    assert [worker for worker in workers if worker in kept] == []


def test_experts_scores_by_other_code(open_data):
    with locate("pron/expert_assessment.csv")[0].open(encoding="utf8", newline="") as file:
        sheets = list(csv.DictReader(file))
    machine = [sheet for sheet in sheets if sheet["title_writer"] == "machine"]
    total = sum(int(sheet["2_originality_title"]) for sheet in machine)
    titles = read_kept("pron-titles").set_index("item")["writer"]
    kept = read_kept("pron-ratings")
    writer = kept["item"].str[:2].astype(int).map(titles)
    assert kept.loc[writer == "GPT-4", "title original"].sum() == total
    by_rater = kept.groupby("rater")["own voice"].sum()
    for rater, score in by_rater.items():
        mine = [sheet for sheet in sheets if sheet["username"] == rater.replace("R", "Expert")]
        assert score == sum(int(sheet["6_own_voice"]) for sheet in mine)


def test_a_file_that_is_not_there_is_one_sentence():
    with pytest.raises(DataError, match="ratings/hana.csv is missing; there are .*hanna-items"):
        read_kept("hana")


def test_the_source_is_told_with_commit_and_licence():
    said = tell_source("lamp")
    assert "salesforce/creativity_eval at fced0ab (BSD-3-Clause)" in said
