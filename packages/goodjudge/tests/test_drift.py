"""Has a judge changed? Against runs whose truth is known, and as a command that a CI calls."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from goodjudge import drift
from goodjudge.cli import main
from goodjudge.data import ratings
from goodjudge.stats import metrics as statistics

SAMPLES = Path(drift.__file__).parent / "samples"


def draw_study(rng, items=60):
    """Return (`Ratings` of three raters, what they share about each item)."""
    shared = rng.normal(size=items)
    names = [f"text {number}" for number in range(items)]
    item, rater = np.indices((items, 3)).reshape(2, -1)
    rows = pd.DataFrame({"item": np.array(names)[item], "rater": np.char.mod("R%d", rater)})
    rows["score"] = shared[item] + rng.normal(size=len(item))
    return ratings.Ratings(pd.DataFrame({"item": names, "group": names}), rows, "simulated"), shared


def draw_run(rng, data, shared, noise=0.4, shift=0.0, repeats=2):
    """Return a run of a judge that hears what raters share through noise, in points of 1 to 9."""
    runs = []
    for repeat in range(repeats):
        heard = shared + shift + noise * rng.normal(size=len(shared))
        points = np.clip(np.round(5 + 2 * heard), 1, 9)
        rows = {"item": data.items["item"], "judge": "j", "repeat": repeat, "score": points}
        runs.append(pd.DataFrame(rows))
    return pd.concat(runs, ignore_index=True)


def compare(data, before, now, **margins):
    chosen = drift.choose_margins(before, statistics.pearson, points=0.5)._replace(**margins)
    return drift.find_drift(data, before, now, statistics.pearson, chosen)


def test_the_same_judge_is_as_before():
    rng = np.random.default_rng(1)
    data, shared = draw_study(rng, 400)
    table = compare(data, draw_run(rng, data, shared), draw_run(rng, data, shared))
    assert table.attrs["verdict"] == drift.AS_BEFORE
    first, *_ = drift.tell_drift(table, "r")
    assert first.startswith("The judge is as before in agreement with people (by less than 0.1)")
    assert "leniency (by less than" in first and "its answers (fewer than 10%" in first


def test_the_same_judge_is_rarely_called_changed():
    verdicts = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        data, shared = draw_study(rng, 40)
        table = compare(data, draw_run(rng, data, shared), draw_run(rng, data, shared))
        verdicts.append(table.attrs["verdict"])
    assert verdicts.count(drift.CHANGED) <= 2  # four changes at 5 % in all: 1 of 20 expected


def test_a_judge_made_lenient_is_seen():
    rng = np.random.default_rng(2)
    data, shared = draw_study(rng)
    table = compare(data, draw_run(rng, data, shared), draw_run(rng, data, shared, shift=0.5))
    assert table.attrs["verdict"] == drift.CHANGED
    assert table.at[drift.LENIENCY, "verdict"] == drift.CHANGED
    assert 0.5 < table.at[drift.LENIENCY, "estimate"] < 1.5  # twice half a point
    assert table.at[drift.AGREEMENT, "verdict"] != drift.CHANGED
    assert "The judge has changed." in drift.tell_drift(table, "r")[0]


def test_a_judge_made_noisier_is_seen_in_agreement_and_in_its_repeats():
    rng = np.random.default_rng(3)
    data, shared = draw_study(rng, 100)
    table = compare(data, draw_run(rng, data, shared), draw_run(rng, data, shared, noise=2.0))
    assert table.at[drift.AGREEMENT, "verdict"] == drift.CHANGED
    assert table.at[drift.AGREEMENT, "estimate"] < 0
    assert table.at[drift.STEADINESS, "verdict"] == drift.CHANGED
    assert table.at[drift.LENIENCY, "low"] < 0 < table.at[drift.LENIENCY, "high"]
    run = draw_run(rng, data, shared, noise=2.0, repeats=5)
    table = compare(data, run[run["repeat"] == 0], run)
    assert table.at[drift.AGREEMENT, "estimate"] == 0, "more repeats make no better judge"
    table = compare(data, draw_run(rng, data, shared), run.assign(score=7.0))
    assert table.at[drift.AGREEMENT, "now"] == 0, "it has become constant"
    assert table.at[drift.AGREEMENT, "verdict"] == drift.CHANGED


def test_too_few_items_are_undecided_and_say_how_many_would_do():
    rng = np.random.default_rng(4)
    data, shared = draw_study(rng, 8)
    table = compare(data, draw_run(rng, data, shared), draw_run(rng, data, shared))
    assert table.attrs["verdict"] == drift.UNDECIDED
    assert "(29 groups) instead of 8 " in " ".join(drift.tell_drift(table, "r"))


@pytest.mark.parametrize(("items", "verdict"), [(29, drift.AS_BEFORE), (28, drift.UNDECIDED)])
def test_the_same_answers_are_as_before_where_there_are_enough_of_them(items, verdict):
    rng = np.random.default_rng(5)
    data, shared = draw_study(rng, items)
    run = draw_run(rng, data, shared, repeats=1)
    table = compare(data, run, run)
    assert table.attrs["verdict"] == verdict
    assert table.at[drift.ANSWERS, "estimate"] == 0
    assert table.at[drift.ANSWERS, "high"] > 0


def test_without_repeats_changed_answers_alone_change_nothing():
    rng = np.random.default_rng(6)
    data, shared = draw_study(rng, 400)
    first, second = (draw_run(rng, data, shared, repeats=1) for _ in range(2))
    table = compare(data, first, second)
    assert table.at[drift.ANSWERS, "low"] > 0.5
    assert table.at[drift.ANSWERS, "verdict"] == drift.UNDECIDED
    assert table.attrs["verdict"] == drift.AS_BEFORE
    assert "column repeat" in drift.tell_drift(table, "r")[-1]


def test_failed_answers_are_no_answers():
    rng = np.random.default_rng(9)
    data, shared = draw_study(rng)
    run = draw_run(rng, data, shared, repeats=1).assign(status="ok")
    failed = run.copy()
    failed.loc[:9, ["status", "score"]] = ["refused", 1.0]
    table = compare(data, run, failed)
    assert table.attrs["questions"] == 50
    assert table.at[drift.LENIENCY, "estimate"] == 0


def make_files(folder):
    """Write ratings.csv and the runs before and lenient, as JSONL and CSV, to a folder."""
    rng = np.random.default_rng(10)
    data, shared = draw_study(rng, 120)
    data.ratings.assign(score=data.ratings["score"].round(3) + 5).to_csv(
        folder / "ratings.csv", index=False
    )
    runs = {"before": {}, "lenient": {"shift": 0.6}}
    for name, how in runs.items():
        run = draw_run(rng, data, shared, **how)
        run.to_csv(folder / f"{name}.csv", index=False)
        lines = run.drop(columns="judge").to_dict("records")
        text = "\n".join(json.dumps(line) for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf8")
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return make_files(tmp_path_factory.mktemp("drift"))


def run_command(files, before, now, *more):
    paths = ["drift", files / "ratings.csv", "--before", files / before, "--now", files / now]
    return main([str(one) for one in [*paths, *more]])


def test_the_command_ends_as_a_ci_needs_it(files, capsys):
    assert run_command(files, "before.jsonl", "before.jsonl") == 0
    assert run_command(files, "before.jsonl", "lenient.jsonl") == 1
    assert "no         Is the judge as it was before?" in capsys.readouterr().out
    short = files / "short.jsonl"
    short.write_text("\n".join((files / "before.jsonl").read_text().splitlines()[:8]))
    assert run_command(files, "before.jsonl", "short.jsonl") == 2
    assert "Undecided" in capsys.readouterr().out


def test_csv_and_jsonl_give_the_same_result_and_it_follows_the_schema(files, capsys):
    jsonschema = pytest.importorskip("jsonschema")
    results = []
    for ending in ("csv", "jsonl"):
        run_command(files, f"before.{ending}", f"lenient.{ending}", "--json")
        results.append(json.loads(capsys.readouterr().out))
    assert results[0]["changes"] == results[1]["changes"]
    for result in results:
        jsonschema.validate(result, drift.SCHEMA)


BAD = {
    "no JSON": '{"item": "text 1", "score": 2\n',
    "nothing": "",
    "strangers": '{"item": "another", "score": 2}\n',
    "aspects": '{"item": "text 1", "score": 2, "aspect": "wit"}\n',
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_ends_with_three_and_says_where(files, capsys, name):
    (files / "bad.jsonl").write_text(BAD[name])
    assert run_command(files, "before.jsonl", "bad.jsonl") == 3
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert "goodjudge itself failed" not in error
    assert "bad.jsonl" in error or "aspects" in error
    assert run_command(files, "before.jsonl", "before.jsonl", "--points", "0") == 3
    assert "expected a number above 0" in capsys.readouterr().err


def test_pairs_and_ranks_are_compared_within_their_sets(capsys):
    for ratings_file in ("pairs.csv", "ranks.csv"):  # of twenty groups: too few to be sure
        runs = ["--before", SAMPLES / "scores.csv", "--now", SAMPLES / "scores.csv"]
        arguments = ["drift", SAMPLES / ratings_file, *runs, "--judge", "reads well"]
        assert main([str(one) for one in arguments]) == 2
        out = capsys.readouterr().out
        assert "pairwise accuracy" in out and "Leniency" not in out
        assert "(29 groups) instead of" in out


def test_the_smallest_change_of_leniency_is_on_the_judge_s_own_scale():
    scores = pd.DataFrame({"score": [0.0, 100.0]})
    assert drift.choose_margins(scores, statistics.pearson).leniency > 10
    verdicts = pd.DataFrame({"score": [0.0, 1.0]})
    assert drift.choose_margins(verdicts, statistics.pearson).leniency == drift.YES_MARGIN
    constant = pd.DataFrame({"score": [7.0, 7.0]})
    assert drift.choose_margins(constant, statistics.pearson).leniency == 0.2


@pytest.mark.parametrize(("has_repeats", "verdict"), [(False, "changed"), (True, "undecided")])
def test_an_interval_is_widened_for_as_many_changes_as_are_asked_about(has_repeats, verdict):
    row = {"before": 0.0, "now": 1.2, "estimate": 1.2, "low": 0.2, "high": 2.2, "n": 12}
    names = [drift.AGREEMENT, drift.LENIENCY, drift.ANSWERS]
    table = pd.DataFrame([row | {"margin": 0.1}] * 3, index=names)
    # Student's t with 11 degrees of freedom is 1.18 times as large at 1 - .05 / 2 as at .95, and
    # 1.28 times at 1 - .05 / 3: without repeats one of the three changes is not decided
    found = drift.decide_all(table, has_repeats)
    assert found.at[drift.LENIENCY, "verdict"] == getattr(drift, verdict.upper())
