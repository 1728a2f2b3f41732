# ruff: noqa: F811 (fixtures)
"""A live judge gets its own findings in the notebooks about verdicts (02, 03) and of a reader's own
texts (07). Sentences about such judges: `test_worth`; other notebooks: `test_live_preferences`."""

import json
import re

import goodjudge
import numpy as np
import pandas as pd
import pytest
import slice_kit
from answering_server import RANDOM, SHY
from goodjudge.data import ratings
from live_kit import committed, run, server  # noqa: F401 (fixtures)
from test_notebooks import compare_with_the_ledger, find

from helpers import judges
from helpers.sources import readers
from helpers.ttcw import ask


@pytest.fixture
def asked(open_data, run):
    """What 02 leaves when a judge that refuses half is asked, with another seed: (folder, what it
    shows, as many first findings as name this judge, the findings after them)."""
    folder, shown, findings = run("02", SHY, seed=7)
    count = sum(finding.startswith(f"local/{SHY} ") for finding in findings)
    return folder, shown, findings[:count], findings[count:]


@pytest.fixture
def page(asked):
    """The page that 02 writes about the judge."""
    return (asked[0] / "judges" / f"local-{SHY}.html").read_text(encoding="utf8")


def test_notebook_02_speaks_first_of_the_judge_that_was_asked(asked):
    _, shown, first, _ = asked
    assert len(first) >= 2
    assert all(finding.startswith(f"local/{SHY} ") for finding in first)
    assert f"The judge that was asked: local/{SHY}" in shown


def test_what_02_says_of_recorded_judges_does_not_depend_on_who_was_asked(asked):
    assert asked[3] == committed("02")


def test_the_ledger_does_not_depend_on_luck_or_on_a_live_judge(asked):
    compare_with_the_ledger(asked[0])


def test_the_ledger_does_not_depend_on_a_recorded_judge_or_on_public_files(
    no_data, execute, tmp_path
):
    given = {"seed": 7, "judge": "recorded/gpt4", "outputs": str(tmp_path)}
    notebook = slice_kit.keep("02", tmp_path, calls=["ledger.save("])
    record = execute(notebook, tmp_path / "run.ipynb", given)
    assert record["status"] == "ok", record["error"]
    compare_with_the_ledger(tmp_path)


def test_notebook_02_says_that_half_of_the_answers_are_refused(asked):
    assert re.search(r"gave no verdict in 2\d\d of 504 cases", asked[2][1])


def test_notebook_02_writes_a_page_about_the_judge_with_its_figure(asked, page):
    assert asked[2][0] in page
    assert "data:image/png;base64" in page
    assert "a perfect judge" in page


def test_a_page_gives_one_gain_with_one_widened_interval(page):
    assert set(re.findall(r"99\.\d+ %", page)) == {"99.7 %"}
    gain = re.search(r"AUC rises by (.*?\])", page)[1]
    assert page.count(gain) == 2, "the same in the sentence and in the table"


def test_the_practice_coin_of_02_is_not_announced_as_adding(no_data, execute, tmp_path):
    given = {"judge": "simulated/coin", "outputs": str(tmp_path)}
    notebook = slice_kit.keep("02", tmp_path, calls=["results.save_findings("])
    record = execute(notebook, tmp_path / "run.ipynb", given)
    assert record["status"] == "ok", record["error"]
    findings = json.loads((tmp_path / f"{find('02').stem}.json").read_text())["findings"]
    assert "is not clearly better than guessing" in findings[0]
    assert "made up" in findings[0]
    assert "The simulated judge (coin) does not clearly add" in findings[1]
    assert findings[2:] == committed("02")


def test_notebook_03_speaks_first_of_the_judge_that_was_asked(open_data, run):
    _, _, findings = run("03", SHY)
    assert findings[0].startswith(f"Local/{SHY} ")
    assert findings[1:] == committed("03")


def test_a_judge_asked_in_07_is_the_one_that_its_sentence_names(server, tmp_path):
    # the notebook itself keeps answers in the project's store, so its steps are taken here
    stories = readers.load_stories("data/stories")
    rubric = readers.load_rubric("data/rubrics/example.yaml")
    options = judges.Options(transcripts=tmp_path / "answers.sqlite")
    judge = f"local/{RANDOM}"
    answers = judges.ask(ask.requests(stories, rubric), judge, ask.reader, options)
    scores = ask.score(answers)
    rng = np.random.default_rng(5)
    given = scores[["item", "aspect"]]
    rated = pd.concat(
        given.assign(rater=rater, score=rng.integers(0, 2, len(given)).astype(float))
        for rater in ("R1", "R2", "R3")
    )
    items = stories.rename(columns={"story": "item"})[["item", "words"]]
    data = ratings.Ratings(items.assign(group=items["item"]), rated, "own")
    card = goodjudge.make_card(data, scores)
    assert card.judge == judge
    assert card.evidence.startswith(f"{judge} follows your raters")
