"""The two by two of the reference-based papers for any judge: asked with one budget, held against
people, by cutoffs and dimensions; the study's own references, which a reader has."""

import itertools

import numpy as np
import pandas as pd
import pytest

from helpers import judges
from helpers.refbased import ablation, load
from helpers.sources.public import DataError
from helpers.ttcw import load as ttcw

GROUPS, WRITERS, TESTS = range(6), "abc", {1: "Earned?", 9: "New?"}
WORTH = dict(zip(WRITERS, (2, 1, 0)))  # of every group


@pytest.fixture
def material():
    """Six groups of three stories, as people rank them: a, b, c."""
    both = itertools.product(GROUPS, WRITERS)
    stories = pd.DataFrame(both, columns=["group", "writer"]).assign(words=3)
    stories["text"] = stories["group"].astype(str) + stories["writer"] + " tells."
    data = load.rate(stories.assign(human=stories["writer"].map(WORTH)), "human", "own")
    references = {group: f"The reference of {group}." for group in GROUPS}
    return load.Material(stories, references, TESTS, "people", data)


def ask_all(material, says, **given):
    """Return the answers of a judge, says(row, rng) -> text, in all four cells."""
    given = {"simulators": {"made": says}, "progress": False} | given
    cells = ablation.list_all(material, "simulated/made", **given)
    return cells, ablation.ask_all(cells, "simulated/made")


def reads(row, rng):
    """Say what people say: a passes both tests, b the first, c none; beside a reference b is level
    with it, a better and c far worse."""
    worth = WORTH[row.writer]
    if row.order == "":
        return f"Verdict: {'Yes' if worth >= row.aspect**0.5 / 1.5 else 'No'}"
    label = {2: "A>B", 1: "A=B", 0: "B>>A"}[worth]
    return f"[[{label if row.order == '+' else label.translate(TURN)}]]"


TURN = str.maketrans("AB", "BA")  # the two stories exchanged


def people(material):
    return material.data.ratings.set_index("item")["score"]


def test_a_judge_that_reads_is_right_in_every_cell(material):
    _, answers = ask_all(material, reads)
    assert list(answers) == ablation.VARIANTS
    table = ablation.rate_all(answers, people(material))
    assert (table["n"] == 6).all()
    assert (table["estimate"] > 0.8).all()
    assert table["low"].notna().all()


def test_a_cutoff_is_scored_on_groups_that_did_not_choose_it(material):
    _, answers = ask_all(material, reads)
    table = ablation.rate_cutoffs(answers["full"], people(material))
    best = table["estimate"].drop("chosen on half").max()
    assert table.at["chosen on half", "estimate"] == pytest.approx(best)
    assert np.isnan(table.at["chosen on half", "low"])
    few = answers["full"][answers["full"]["group"].astype(int) < 4]
    assert "chosen on half" not in ablation.rate_cutoffs(few, people(material)).index


def test_the_four_cells_share_one_budget(material):
    cells = ablation.list_all(material, "openai/gpt-4o", max_usd=0.01)
    assert len({id(how.max_usd) for _, how, _ in cells.values()}) == 1
    assert isinstance(cells["full"][1].max_usd, judges.Budget)
    plan = ablation.plan_all(cells, "openai/gpt-4o")
    assert plan["calls"].to_dict() == dict(zip(ablation.VARIANTS, (72, 72, 36, 36)))


@pytest.fixture
def twelve(tmp_path):
    """A folder of twelve stand-ins for the New Yorker's stories, as long as these."""
    stories = ttcw.load_stories().query("writer == 'NewYorker'")
    for story, title in zip(stories["story"], stories["title"]):
        length = ttcw.read_lengths()[story]
        (tmp_path / f"{title.upper()}.txt").write_text(f"{story} " * length, encoding="utf8")
    return tmp_path


def test_missing_and_unknown_titles_and_a_short_text_are_named(twelve):
    path = twelve / "KEYS.txt"
    whole = path.read_text(encoding="utf8")
    path.rename(twelve / "Doors.txt")
    with pytest.raises(DataError, match="missing titles: Keys; unknown ones: Doors"):
        load.load_references(twelve)
    (twelve / "Doors.txt").unlink()
    path.write_text(whole[: len(whole) // 3], encoding="utf8")
    with pytest.raises(DataError, match="KEYS.txt: text is .*expected the whole story"):
        load.load_references(twelve)
