"""EvolvR's training, as far as it goes without torch: splits, reward, settings, what is kept."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from helpers.evolvr.pairs import PAIR_OF_SCORES
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from tools.training import __main__ as entrance
from tools.training import compare, explain, keep, reward, scoring, stories, texts
from tools.training.settings import load_settings, take_up

RNG = np.random.default_rng
SMALL = ROOT / "data" / "training" / "small"
KEPT = ROOT / "data" / "recorded" / "training"


# ── Splits and pairs ──────────────────────────────────────────────────────────────────────────────


def test_each_prompt_is_in_one_part_of_the_split_by_shares():
    prompts = np.repeat(np.arange(96), 11)
    part_of = stories.split_by(prompts, RNG(0))
    assert sorted(part_of) == list(range(96))
    counts = pd.Series(part_of).value_counts().to_dict()
    assert counts == {"train": 58, "choose": 19, "test": 19}
    assert part_of == stories.split_by(prompts[::-1], RNG(0)), "whatever the order of the rows"
    assert part_of != stories.split_by(prompts, RNG(1))


def test_training_pairs_come_in_both_orders_and_balanced_over_scores():
    table = pd.DataFrame({"item": [f"s{n}" for n in range(40)], "whole": [1, 2, 3, 4] * 10})
    pairs = stories.draw_pairs(table, 3, RNG(0))
    counts = pairs[pairs["twin"] == 0].groupby(["score_a", "score_b"]).size()
    assert counts.tolist() == [3] * 10
    first, second = pairs[pairs["twin"] == 0], pairs[pairs["twin"] == 1]
    assert first["story_a"].tolist() == second["story_b"].tolist()


def test_a_story_is_cut_to_its_first_words():
    assert stories.cut_text(" a  b\n\nc d ", 3) == "a b c"


# ── What an evaluator answers, and what it earns ──────────────────────────────────────────────────


@pytest.mark.parametrize("explanation", [None, "A is dull."])
def test_the_right_answer_is_read_as_its_scores(explanation):
    pieces = texts.answer((2, 4), explanation)
    assert PAIR_OF_SCORES.parse("".join(pieces)) == (2, 4)
    assert [piece for piece in pieces if piece in "12345"] == ["2", "4"], "a piece each"
    assert texts.answer((3,)) == ["[[", "3", "]]"]


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("B is better.\n[[A: 2, B: 4]]", 1 + 0.1 + 0.2),
        ("[[A: 1, B: 5]]", np.exp(-1) + 0.1 + 0.2),
        ("[[A: 4, B: 2]]", np.exp(-2) + 0.1),
        ("[[A: 3, B: 3]]", np.exp(-1) + 0.1),
        ("A 2, B 4", 0),
    ],
)
def test_an_answer_earns_equation_14_and_terms_for_form_and_order(text, total):
    assert reward.reward(text, (2, 4))[0] == pytest.approx(total)


def test_a_constant_earns_the_order_term_of_equal_pairs_alone():
    earned = reward.constant_reward(2, [(2, 2), (2, 4)])
    assert earned == pytest.approx(((1 + 0.1 + 0.2) + (np.exp(-1) + 0.1)) / 2)


def test_advantages_of_a_group_sum_to_nothing():
    assert reward.advantages([1.0, 0.0, 0.5]) == pytest.approx([0.5, -0.5, 0])
    assert not reward.advantages([0.3, 0.3]).any(), "equal rewards teach nothing"


# ── Explanations ──────────────────────────────────────────────────────────────────────────────────


def test_five_personas_write_in_turn_and_see_the_scores():
    pairs = stories.draw_pairs(
        pd.DataFrame({"item": list("abcdefgh"), "whole": [1, 2, 3, 4] * 2}), 1, RNG(0)
    )
    requests = explain.request_explanations(pairs, {name: f"text {name}" for name in "abcdefgh"})
    assert requests["persona"].nunique() == 5 and requests["item"].is_unique
    row = requests.iloc[3]
    assert f"[[A: {row.score_a}, B: {row.score_b}]]" in row.prompt
    assert f"text {row.story_a}" in row.shared


@pytest.mark.parametrize(("passed", "stage"), [(12, "confidence"), (9, "attack")])
def test_too_few_that_pass_the_whole_filter_are_replaced_by_those_before(passed, stage):
    left = {
        "attack": pd.DataFrame(index=range(20)),
        "confidence": pd.DataFrame(index=range(passed)),
    }
    chosen, pool = explain.choose_passed(left)
    assert chosen == stage and len(pool) == {"confidence": 12, "attack": 20}[stage]


# ── Reading and choosing ──────────────────────────────────────────────────────────────────────────


def test_each_story_stands_beside_as_many_partners_once_first_and_once_second():
    table = pd.DataFrame({"item": [f"{n:04d}" for n in range(10)]})
    readings = scoring.list_readings(table, 2, RNG(0))
    assert readings["first"].value_counts().unique().tolist() == [2]
    assert sorted(zip(readings["first"], readings["second"])) == sorted(
        zip(readings["second"], readings["first"])
    )


def test_a_score_is_the_mean_over_partners_and_orders():
    readings = pd.DataFrame({"first": ["a", "b"], "second": ["b", "a"]})
    expected = np.array([[4.0, 1.0], [2.0, 3.0]])
    scores = scoring.average(scoring.to_scores(readings, expected, expected))
    assert scores.set_index("item")["score"].to_dict() == {"a": 3.5, "b": 1.5}
    people = pd.DataFrame({"item": ["a", "b"], "score": [2.0, 1.0]})
    assert scoring.correlate_with_people(scores, people) == pytest.approx(1)


def test_a_choice_is_compared_in_both_orders_and_not_with_itself():
    written = pd.DataFrame(
        {"group": 7, "number": [0, 1, 2], "text": ["x", "x y z", "x y"], "pairs": [3.0, 2.0, 1.0]}
    )
    chosen = compare.choose_stories(written)
    assert dict(zip(chosen["chosen_by"], chosen["number"])) == {"pairs": 0, "length": 1}
    requests = compare.request_comparisons(chosen)
    assert requests["item"].tolist() == ["7/1/first", "7/1/second"]
    points = compare.to_points(requests.assign(verdict=[(4, 2), (4, 2)]))
    table = compare.tabulate(chosen, points).set_index("chosen_by")
    assert table.loc["length", ["first", "second"]].tolist() == [2, -2], "the order alone decided"
    assert table.loc["pairs", ["first", "second"]].tolist() == [0, 0] and table.loc["pairs", "same"]


# ── Settings and the entrance ─────────────────────────────────────────────────────────────────────


def test_settings_are_read_and_changed_by_the_command_line():
    for path in SMALL.glob("*.yaml"):
        settings = load_settings(path, tokens=500, model=None)
        assert settings.tokens == 500 and settings.model and settings.layers > 0


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("words: 50", "wrods: 50", "missing or unknown 'words'"),
        ("tokens: 24000", "tokens: many", "tokens: 'many': expected a whole number above 0"),
        ("tokens: 24000", "tokens: 0", "tokens: 0: expected a whole number above 0"),
        ("rate: 1.0e-4", "rate: 0.0", "rate: 0.0: expected a number above 0"),
        ("model: smollm2", "model: ''", "model: '': expected a name"),
    ],
)
def test_a_bad_setting_is_named(tmp_path, old, new, fault):
    text = (SMALL / "cpu.yaml").read_text(encoding="utf8")
    assert old in text
    path = tmp_path / "mine.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf8")
    with pytest.raises(DataError, match="mine.yaml: ") as raised:
        load_settings(path)
    assert fault in str(raised.value)


def test_a_run_is_never_taken_up_with_other_settings(tmp_path, monkeypatch, capsys):
    text = (SMALL / "cpu.yaml").read_text(encoding="utf8")
    path = tmp_path / "mine.yaml"
    path.write_text(re.sub("output: .*", f"output: {tmp_path / 'run'}", text), encoding="utf8")
    take_up(load_settings(path, tokens=500))
    take_up(load_settings(path, tokens=500, seeds=9))
    with pytest.raises(DataError, match="other settings: tokens is 500 there, and 24000 here"):
        take_up(load_settings(path))
    assert keep.main([str(path), "--model", "another.gguf", "--tokens", "500"]) == 1
    assert "'another.gguf' here; move the folder away" in capsys.readouterr().err
    (tmp_path / "run" / "explained.jsonl").write_text("written\n")
    assert explain.main([str(path), "--tokens", "500"]) == 0, "explanations are not written anew"
    assert (tmp_path / "run" / "explained.jsonl").read_text() == "written\n"


def test_without_its_environment_training_says_so_in_one_line(monkeypatch, capsys):
    monkeypatch.setattr(entrance, "NEEDED", ("no_such_package",))
    assert entrance.main([str(SMALL / "cpu.yaml")]) == 1
    message = capsys.readouterr().err
    assert message.startswith("error: no_such_package is not installed: make train")
    assert message.count("\n") == 1


# ── What is kept ──────────────────────────────────────────────────────────────────────────────────

COLUMNS = {
    "scores": "split evaluator seed item partner place expected likeliest",
    "losses": "split evaluator seed step tokens loss",
    "runs": "split evaluator seed steps tokens examples learning_rate seconds loss_first loss_last"
    " r_choose",
    "rewards": "step reward form score_mean score_sd tokens always_2 always_3",
    "rewards-choosing": "step r score_sd share_usual",
    "filter": "stage remaining trained_on",
    "tried": "rate tokens r_choose loss_last",
    "minutes": "stage run minutes",
    "writer": "group chosen_by number same first second words words_random",
}


def read_kept_table(name):
    return pd.read_csv(KEPT / f"{name}.csv", dtype={"item": str, "partner": str})


@pytest.mark.parametrize("name", COLUMNS)
def test_a_kept_table_has_its_columns_and_no_text(name):
    table = read_kept_table(name)
    assert table.columns.tolist() == COLUMNS[name].split() and len(table)
    words = table.select_dtypes(exclude="number").fillna("").astype(str)
    assert words.map(len).to_numpy().max(initial=0) <= 25


def test_kept_evaluators_read_the_same_stories_and_pairs_of_prompts_that_they_did_not_learn_from():
    scores = read_kept_table("scores").fillna({"partner": ""})
    assert scores["expected"].between(1, 5).all() and scores["likeliest"].isin(range(1, 6)).all()
    by_prompt = scores[scores["split"] == "prompt"]
    groups = {int(item) % 96 for item in by_prompt["item"]}
    part_of = stories.split_by(np.arange(96), RNG(0))
    assert {part_of[group] for group in groups} == {"test"}
    is_pair = by_prompt["partner"] != ""
    for _, part in by_prompt.groupby(is_pair):
        keys = part[["item", "partner", "place"]].apply(tuple, axis=1)
        runs = part[["evaluator", "seed"]].apply(tuple, axis=1)
        assert keys.groupby(runs).agg(frozenset).nunique() == 1


def test_kept_runs_read_equally_many_tokens():
    runs = read_kept_table("runs")
    assert runs["tokens"].max() / runs["tokens"].min() < 1.05
    settings = json.loads((KEPT / "settings.json").read_text(encoding="utf8"))["settings"]
    assert runs["tokens"].min() >= settings["tokens"]
