"""EvolvR's training, as far as it goes without torch: splits, reward, settings, what is kept."""

import json
import re
import subprocess
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from helpers.evolvr.pairs import PAIR_OF_SCORES
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from tools.training import __main__ as entrance
from tools.training import (
    compare,
    examples,
    explain,
    keep,
    results,
    reward,
    scoring,
    stories,
    texts,
)
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


def write_pool(folder, sort, pool):
    """Keep a pool of explanations that all passed every check."""
    left = dict.fromkeys(("initial pool", "attack", "confidence"), pool.assign(status="ok"))
    explain.save_explanations(left, folder, sort)


SENTENCES = ["Nobody is afraid.", "The storm is felt.", "It is over at once."]


def test_what_was_explained_of_single_stories_is_learnt_with_its_score(tmp_path):
    pool = pd.DataFrame({"item": list("xyz"), "story": ["0001", "0002", "0003"]})
    pool["score_given"] = [2, 4, 3]
    pool["rationale"] = [f"{SENTENCES[0]}\n[[2]]", f"{SENTENCES[1]}\n[[4]]", SENTENCES[2]]
    write_pool(tmp_path, "-single", pool)
    text_of = {"0001": "He ran.", "0002": "She ran.", "0003": "It ran."}
    found = examples.list_examples("explained-single", None, text_of, tmp_path)
    assert len(found) == 2, "one has no score at its end"
    prompt, pieces = found[0]
    assert pieces == [SENTENCES[0], "\n", "[[", "2", "]]"]
    assert "He ran." in prompt and prompt.endswith("First say why in one sentence.\n")
    counts = pd.read_csv(tmp_path / "filter-single.csv")
    assert counts["remaining"].tolist() == [3, 3, 3]
    assert not (tmp_path / "explained.jsonl").exists()


# ── Reading and choosing ──────────────────────────────────────────────────────────────────────────


def test_a_score_is_the_mean_over_partners_and_orders():
    readings = pd.DataFrame({"first": ["a", "b"], "second": ["b", "a"]})
    expected = np.array([[4.0, 1.0], [2.0, 3.0]])
    scores = scoring.average(scoring.to_scores(readings, expected, expected))
    assert scores.set_index("item")["score"].to_dict() == {"a": 3.5, "b": 1.5}
    people = pd.DataFrame({"item": ["a", "b"], "score": [2.0, 1.0]})
    assert scoring.correlate_with_people(scores, people) == pytest.approx(1)


def test_a_trained_writer_is_compared_with_the_untrained_in_both_orders_and_not_with_itself():
    rows = [("untrained", 0, "x"), ("untrained", 1, "y"), ("sft", 0, "x y"), ("length", 0, "x")]
    written = pd.DataFrame(rows, columns=["writer", "number", "text"]).assign(group=7)
    pairs = compare.pair_stories(written)
    assert dict(zip(pairs["writer"], pairs["other"])) == {"sft": "x", "length": "x"}
    requests = compare.request_comparisons(pairs)
    assert requests["item"].tolist() == ["7/sft/first", "7/sft/second"]
    points = compare.to_points(requests.assign(verdict=[(4, 2), (4, 2)]))
    table = compare.tabulate(pairs, points).set_index("writer")
    assert table.loc["sft", ["first", "second"]].tolist() == [2, -2], "the order alone decided"
    assert table.loc["length", ["first", "second"]].tolist() == [0, 0], "the same story"


# ── The writer ────────────────────────────────────────────────────────────────────────────────────


def test_each_reward_is_paid_by_its_own_parts():
    writer = import_writer()
    settings = load_settings(SMALL / "writer.yaml")  # 100 to 150 characters
    scores, characters = np.array([[3.0, 2.0]]), [50]
    assert writer.pay("length", settings, None, characters)["reward"].item() == pytest.approx(0.5)
    alone = writer.pay("pointwise", settings, scores[:, :1], characters)["reward"].item()
    assert alone == pytest.approx(0.9 * 3 + 0.1 * 0.5)
    for kind in ("static", "dynamic"):
        beside = writer.pay(kind, settings, scores, characters)["reward"].item()
        assert beside == pytest.approx(0.8 * (3 - 2) + 0.1 * 3 + 0.1 * 0.5)


def import_writer():
    """Return the module of the writer, which needs torch (.venv/train has it)."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tools.training import writer

    return writer


def test_equation_12_by_hand():
    writer = import_writer()
    import torch

    old = torch.log(torch.tensor([[0.5, 0.5], [0.5, 1.0]]))
    new = torch.log(torch.tensor([[0.7, 0.5], [0.25, 1.0]]))  # ratios 1.4 and 1; 0.5 (one token)
    reference = torch.log(torch.tensor([[0.7, 0.25], [0.25, 1.0]]))
    mask = torch.tensor([[1, 1], [1, 0]])
    advantage = torch.tensor([1.0, -1.0])
    total, kl, clipped = writer.objective(new, old, reference, mask, advantage, 0.2, 0.5)
    away = 0.5 - np.log(0.5) - 1  # of the second token: reference / writer = 0.5
    first = (1.2 + 1 - 0.5 * away) / 2  # a gain is clipped at 1.2
    second = -0.8  # a loss is clipped at 0.8 where the writer has moved further
    assert total.item() == pytest.approx((first + second) / 2)
    assert kl == pytest.approx(away / 4)
    assert clipped == pytest.approx(2 / 3)


# ── Settings and the entrance ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("words: 50", "wrods: 50", "missing or unknown 'words'"),
        ("tokens: 24000", "tokens: many", "tokens: 'many': expected a whole number above 0"),
        ("form: paper", "form: linear", "form: 'linear': expected one of paper, code"),
        ("untrained single, ", "nobody, ", "expected some of untrained single, untrained pairs"),
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


def copy_settings(name, folder):
    """Return the path of a copy of settings whose output is in a folder."""
    text = (SMALL / f"{name}.yaml").read_text(encoding="utf8")
    path = folder / "mine.yaml"
    path.write_text(re.sub("output: .*", f"output: {folder / 'run'}", text), encoding="utf8")
    return path


def test_another_setting_is_another_folder_and_more_seeds_are_not(tmp_path):
    path = copy_settings("cpu", tmp_path)
    one = load_settings(path, tokens=500)
    take_up(one)
    assert load_settings(path, tokens=500, seeds=9).folder == one.folder
    others = [load_settings(path), load_settings(path, tokens=500, model="another.gguf")]
    others.append(load_settings(path, tokens=500, writer_steps=3))
    folders = {settings.folder for settings in [one, *others]}
    assert len(folders) == 4 and all(folder.name.startswith("run-") for folder in folders)
    written = json.loads((one.folder / "settings.json").read_text(encoding="utf8"))
    assert written["tokens"] == 500
    written = [one.folder / f"explained{sort}.jsonl" for sort in explain.SORTS]
    for file in written:
        file.write_text("written\n")
    assert explain.main([str(path), "--tokens", "500"]) == 0, "explanations are not written anew"
    assert all(file.read_text() == "written\n" for file in written)


def test_numbers_of_other_settings_are_not_kept_as_one_s_own(tmp_path, capsys):
    path = copy_settings("explained", tmp_path)
    trained = load_settings(path, tokens=500)
    take_up(trained)
    (trained.folder / "prompt-single-0-test.csv").write_text("item\n0001\n")
    kept = tmp_path / "kept"
    assert keep.main([str(path), "--tokens", "600", "--to", str(kept)]) == 1
    assert "no evaluator has read its test yet" in capsys.readouterr().err
    assert not kept.exists()


@pytest.fixture
def stages(monkeypatch):
    """Return what the command has done, stage by stage, as `done`; nothing is installed or trained.
    The stage that `fails` names ends with 1."""
    seen = SimpleNamespace(done=[], fails="")

    def note(name):
        def stage(*arguments):
            seen.done.append((name, *arguments))
            return int(name == seen.fails)

        return stage

    def run(command, **_):
        return subprocess.CompletedProcess(command, note("run")(command))

    monkeypatch.delenv("LOCAL_BASE_URL", raising=False)
    monkeypatch.setattr(entrance, "install_local", note("install"))
    monkeypatch.setattr(entrance, "ready_training", lambda: "python")
    monkeypatch.setattr(entrance.subprocess, "run", run)
    for name, module in {"explain": explain, "compare": compare, "keep": keep}.items():
        monkeypatch.setattr(module, "main", note(name))
    return seen


def test_one_command_does_all_stages_with_what_it_was_given(stages):
    path = str(SMALL / "writer.yaml")
    assert entrance.main([path, "--tokens", "9"]) == 0
    given = ["--tokens=9", "--", path]
    assert stages.done == [
        ("install",),
        ("explain", given),
        ("run", ["python", "-m", "tools.training.run", *given]),
        ("compare", given),
        ("keep", given),
    ]
    stages.done, stages.fails = [], "run"
    assert entrance.main([]) == 1
    assert [name for name, *_ in stages.done] == ["install", "explain", "run"]


def test_a_dry_run_and_settings_that_are_wrong_install_nothing(stages, capsys):
    assert entrance.main(["--dry-run"]) == 0 and "evaluators: " in capsys.readouterr().out
    assert entrance.main(["nowhere.yaml"]) == 1
    assert capsys.readouterr().err.startswith("error: nowhere.yaml: ")
    assert stages.done == []


# ── What is kept ──────────────────────────────────────────────────────────────────────────────────


def test_what_is_kept_of_a_writer_s_story_is_no_text(tmp_path):
    row = {"group": 1, "number": 0, "writer": "sft", "text": "He ran.", "ended": True}
    row |= {"counts": 2.5, "single": 3.0}
    (tmp_path / "stories.jsonl").write_text(json.dumps(row) + "\n", encoding="utf8")
    (kept,) = keep.describe_stories(tmp_path).to_dict("records")
    assert "text" not in kept and (kept["characters"], kept["words"]) == (7, 2)


@pytest.mark.parametrize("path", sorted(KEPT.rglob("*.csv")), ids=lambda path: path.stem)
def test_a_kept_table_has_no_text(path):
    words = pd.read_csv(path).select_dtypes(exclude="number").fillna("").astype(str)
    assert words.map(len).to_numpy().max(initial=0) <= 25


def read_kept_table(name):
    return pd.read_csv(KEPT / f"{name}.csv", dtype={"item": str, "partner": str})


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


def test_kept_writers_were_trained_and_tested_alike_by_the_settings_of_the_run():
    kept = json.loads((KEPT / "writer" / "settings.json").read_text(encoding="utf8"))["settings"]
    now = load_settings(SMALL / "writer.yaml")._asdict()
    assert kept == now, "the page and the run have the same settings"
    steps = read_kept_table("writer/writer-steps")
    assert (steps.groupby("writer").size() == now["writer_steps"]).all()
    assert steps.groupby("step")["group"].nunique().eq(1).all(), "the same prompts for all"
    test = read_kept_table("writer/writer-test")
    stories_each = now["test_prompts"] * now["stories"]
    assert (test.groupby("writer").size() == stories_each).all() and test["writer"].nunique() == 6
    part_of = stories.split_by(np.arange(96), RNG(0))
    assert {part_of[group] for group in test["group"]} == {"test"}
    assert {part_of[group] for group in steps["group"]} == {"train"}


def test_a_change_of_the_writers_is_the_mean_over_prompts_less_the_untrained_one():
    stories_of = pd.read_csv(KEPT / "writer" / "writer-test.csv")
    means = stories_of.groupby("writer")["characters"].mean()  # as many stories on each prompt
    row = results.change_of_writers().loc["characters", "sft"]
    assert row["estimate"] == pytest.approx(means["sft"] - means["untrained"])
    assert row["high"] < 0 and row["seen from"] < abs(row["estimate"])
