"""Plans of studies that nobody has made, by the command and from Python."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from goodjudge import plan
from goodjudge.cli import main
from goodjudge.stats import metrics

SAMPLES = Path(plan.__file__).parent / "samples"
SMALL = ["plan", "--items", "60", "--raters", "3"]


@pytest.fixture(scope="module", autouse=True)
def fewer_studies():
    """Simulate fewer studies: chances are rougher, all else is the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "STUDIES", 600)
        yield


def test_the_answer_comes_first_then_the_table_and_a_line(tmp_path, capsys):
    assert main([*SMALL, "--lead", "0.2", "--out", str(tmp_path)]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert told.startswith("no: ") and "of 60 items, each rated by 3 raters (180 ratings)" in told
    order = ["The cheapest tried", "SIMULATED", "control is taken as known", "preregistration"]
    places = [told.index(words) for words in order]
    assert places == sorted(places)
    assert {path.name for path in tmp_path.iterdir()} == {"plan.csv", "plan.png"}


def test_groups_and_aspects_that_nobody_said_are_said(capsys):
    assert main([*SMALL, "--like", "hanna"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "60 items in 5 groups, each rated by 3 raters on 6 aspects (1,080 ratings)" in told
    assert "There 11 items are in a group; say how many groups yours make." in told
    assert main([*SMALL, "--like", "hanna", "--aspects", "1", "--groups", "60"]) in (0, 1)
    told = " ".join(capsys.readouterr().out.split())
    assert "60 items, each rated by 3 raters (180 ratings)" in told and "There 11" not in told


def test_eighty_of_a_hundred_is_yes(capsys):
    assert main(["plan", "--items", "2000", "--raters", "6", "--lead", "0.3", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["verdicts"][0]["answer"] == "yes" and content["simulated"] is True
    asked = [size for size in content["sizes"] if size["asked"]]
    assert len(asked) == 1 and asked[0]["chance"] >= plan.WANTED


@pytest.mark.parametrize(("name", "together"), [("pairs", 2), ("ranks", 3)])
def test_files_of_pairs_and_ranks_lend_theirs(name, together):
    assumed = plan.suppose(str(SAMPLES / f"{name}.csv"), {})
    assert (assumed.response, assumed.together) == ("orders", together)
    assert plan.choose_measure(assumed) is metrics.pairwise_accuracy
    table = plan.plan(assumed, 0.05, 60, 3)
    assert table["chance"].between(1, 100).all()


def test_a_file_of_ratings_lends_its_variances_and_may_have_columns_of_other_names(tmp_path):
    rng = np.random.default_rng(0)
    item = np.repeat(np.arange(40), 3)
    score = rng.normal(size=40)[item] + 0.7 * rng.normal(size=120)
    table = pd.DataFrame({"Which?": item, "rater": np.tile([*"abc"], 40), "score": score.round(2)})
    path = tmp_path / "mine.csv"
    table.assign(sure=np.tile([1, 2, 3], 40)).to_csv(path, index=False)
    assumed = plan.suppose(str(path), {"columns": ["Which?=item", "sure="]})
    assert assumed.source == "variances of mine.csv"
    assert assumed.aspects == 1, "how sure they were is left out"
    assert assumed.variances["item"] == pytest.approx(0.67, abs=0.15)
