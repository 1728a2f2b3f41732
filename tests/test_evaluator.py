"""The story evaluator: features of texts, kernel ridge, its safe file, ratings of a reader's own
stories, the table kept."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.evolvr import evaluator, hanna, rate, texts
from helpers.extras import evaluators
from helpers.sources.public import ROOT, DataError, available

PLAIN = (
    "The old man walked to the sea. He said nothing. Because the boat was gone, he waited there"
    " until the evening came."
)
NEEDS = pytest.mark.skipif(not available("hanna"), reason="the open data are not on this machine")


def test_features_say_what_they_are_named_for():
    again, shout = PLAIN + " " + PLAIN, PLAIN.replace(".", "!").upper()
    x = texts.describe([PLAIN, again, shout])
    assert x["repetition", "sentences again"].tolist() == pytest.approx([0, 0.5, 0])
    assert x["repetition", "second half's runs of 4 in the first"].tolist() == [0, 1, 0]
    assert x["form", "capital letters"].is_monotonic_increasing and x["form", "exclamation marks"][
        2
    ] == pytest.approx(3 / 22)
    assert x["style", "words of cause"][0] == pytest.approx(1 / 22)
    told = texts.describe([PLAIN] * 2, ["An old man and his boat.", "A dragon learns to knit."])[
        "prompt"
    ]
    assert (told["prompt's words taken up"] == [1, 0]).all() and told[
        "words from the prompt, first third"
    ][0] > 0


def test_line_breaks_and_blanks_do_not_matter():
    pd.testing.assert_frame_equal(
        texts.describe([PLAIN]), texts.describe([f"\n{PLAIN}  ".replace(". ", ".\n\n")])
    )


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.text(max_size=50))
def test_any_text_gives_finite_numbers_or_one_error(text, prompt):
    try:
        x = texts.describe([text], [prompt])
    except ValueError as fault:
        assert "text 1 has no word" in str(fault)
    else:
        assert np.isfinite(x.to_numpy()).all() and 0 <= texts.english(text) <= 1


@pytest.fixture
def world():
    """120 stories of 12 prompts: two aspects follow three of six features, one of
    them in a curve."""
    rng = np.random.default_rng(3)
    columns = pd.MultiIndex.from_product([["a", "b"], ["1", "2", "3"]])
    x = pd.DataFrame(rng.normal(size=(120, 6)), columns=columns)
    y = np.column_stack([x["a", "1"] + x["b", "2"], x["a", "1"] - 1.5 * np.abs(x["a", "3"])])
    return x, y + 0.3 * rng.normal(size=y.shape), np.repeat(np.arange(12), 10)


def test_short_form_of_the_error_is_that_of_fitting_again(world):
    x, y, groups = world
    model = evaluator.KernelRidge(evaluator.block_weights(x.columns)).fit(x.to_numpy(), y, groups)
    z, y = model.stories, y - model.level
    slow = {}
    for width in evaluator.WIDTHS:
        for penalty in evaluator.PENALTIES:
            slow[width, penalty] = sum(
                (
                    (
                        y[out]
                        - evaluator.kernel(z[out], z[~out], width)
                        @ np.linalg.solve(
                            evaluator.kernel(z[~out], z[~out], width)
                            + penalty * np.eye((~out).sum()),
                            y[~out],
                        )
                    )
                    ** 2
                ).sum()
                for out in (groups == name for name in np.unique(groups))
            )
    # it finds the curve
    assert min(slow, key=slow.get) == (model.width, model.penalty) and model.width > 0
    assert min(slow.values()) == pytest.approx(model.error)


def test_out_of_fold_predictions_never_see_the_test_sheets(world):
    x, y, groups = world
    arrays, who = (
        np.clip(np.round(y.T[:, :, None] + np.zeros(3) + 3), 1, 5),
        np.array([["r1", "r2", "r3"]] * 120),
    )
    splits = [
        (np.flatnonzero(groups != name), np.flatnonzero(groups == name)) for name in range(12)
    ]
    guess = partial(evaluator.predict_out_of_fold, x, who=who, splits=splits, groups=groups)
    first, spoilt = guess(arrays), arrays.copy()
    spoilt[:, splits[4][1]] = 1
    assert np.allclose(guess(spoilt)[:, splits[4][1]], first[:, splits[4][1]], atol=1e-9)
    assert np.corrcoef(first.ravel(), arrays.mean(2).ravel())[0, 1] > 0.7
    with pytest.raises(ValueError, match="missing value"):
        evaluator.predict_out_of_fold(x.where(x < 2), arrays, who, splits, groups)


def test_intervals_hold_as_many_as_they_say():
    missed = np.random.default_rng(0).normal(size=(6, 1000)) * np.arange(1, 7)[:, None]
    assert evaluator.half_widths(missed)[3] == pytest.approx(4 * 1.645, abs=0.6)
    assert evaluator.coverage(missed, np.repeat(np.arange(10), 100)) == pytest.approx(0.9, abs=0.02)


@pytest.fixture
def saved(tmp_path):
    stories = [
        f"{PLAIN} {word} came {number} times, and {word} went home."
        for number, word in enumerate("abcdefghijkl" * 4)
    ]
    x, rng = texts.describe(stories), np.random.default_rng(0)
    y = 1 + 4 * rng.random((len(x), 6))
    model = evaluator.KernelRidge(evaluator.block_weights(x.columns)).fit(
        x.to_numpy(float), y, np.arange(len(x)) % 8
    )
    words, path = pd.Series([28, 29]), tmp_path / "evaluator-v1.npz"
    evaluator.save(
        path,
        model,
        x,
        (y - model.predict(x.to_numpy(float))).T,
        np.arange(len(x)) % 8,
        words,
        "abc",
    )
    return path, model, x


def test_the_file_rates_as_the_model_did_and_holds_no_code(saved):
    path, model, x = saved
    found = evaluator.load(path)
    assert np.allclose(found["model"].predict(x.to_numpy(float)), model.predict(x.to_numpy(float)))
    assert found["checksum"] == "abc" and list(found["aspects"]) == list(hanna.ASPECTS)
    with np.load(path, allow_pickle=False) as file:
        assert all(file[name].dtype != object for name in file.files)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(DataError, match="make evaluator"):
        evaluator.load(path)


def test_own_stories_get_ratings_and_warnings(saved, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(rate, "SAVED", saved[0])
    own = tmp_path / "own.csv"
    strange = "Der Hund läuft schnell über eine grüne Wiese und bellt. " * 8
    pd.DataFrame(
        {"title": ["a", "b"], "text": [f"{PLAIN} k came 10 times, and k went home again.", strange]}
    ).to_csv(own)
    written = tmp_path / "new folder" / "ratings.csv"
    assert rate.main([str(own), "--into", str(written)]) == 0
    shown, table = capsys.readouterr(), pd.read_csv(written, keep_default_na=False)
    assert (
        list(table) == ["story", "aspect", "rating", "low", "high", "warning"] and len(table) == 12
    )
    assert (
        (table["low"] <= table["rating"]).all()
        and (table["rating"] <= table["high"]).all()
        and table["high"].max() <= 5
    )
    assert (
        "English" in table["warning"].iloc[-1]
        and "words, trained on 28 to 29" in table["warning"].iloc[-1]
    )
    assert [line.split()[0] for line in shown.out.splitlines()] == [
        "Relevance",
        "a",
        "b",
        "mean",
        "±",
        "a:",
        "b:",
        "ratings:",
    ]
    assert shown.out.splitlines()[1].split()[1:] == [
        f"{rating:.1f}" for rating in table["rating"][:6]
    ]
    assert "HANNA" in shown.err and "Mechanical Turk" in shown.err


@pytest.mark.parametrize(
    "rows, words", [("title\nx\n", "text"), ("title,text\na,one two\n", "fewer than 30 words")]
)
def test_bad_input_is_one_clear_error(saved, tmp_path, monkeypatch, capsys, rows, words):
    monkeypatch.setattr(rate, "SAVED", saved[0])
    (tmp_path / "own.csv").write_text(rows)
    assert rate.main([str(tmp_path / "own.csv")]) == 1
    shown = capsys.readouterr()
    assert words in shown.err and shown.err.count("\n") == 1 and not shown.out


def test_no_evaluator_yet(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(rate, "SAVED", tmp_path / "none.npz")
    assert (
        rate.main([str(ROOT / "data" / "stories")]) == 1
        and "make evaluator" in capsys.readouterr().err
    )


def test_a_model_reads_the_prompt_and_only_the_story_counts(monkeypatch):
    monkeypatch.setattr(
        evaluators.likelihood, "tokenize", lambda text: [len(word) for word in text.split()]
    )
    monkeypatch.setattr(
        evaluators.likelihood,
        "forward",
        lambda ids: (-np.array(ids[1:], float), np.array(ids)[:, None]),
    )
    found = evaluators.read_along("aaaaaaaaa aaaaaaaaa", "a bb ccc", tokens=2)
    # words of the story of 1 and 2 letters, not the prompt's
    assert found[0] == -1.5 and found[-1] == 1.5 and len(found) == 12


@NEEDS
def test_the_kept_table_is_what_the_text_evaluator_reaches():
    kept = pd.read_csv(evaluators.TABLE).query("features == 'text' and folds == 'prompt'")
    fresh = evaluators.study(["prompt"], light=True)
    both = fresh.merge(
        kept, on=["study", "folds", "target", "measure", "features"], suffixes=("", " kept")
    )
    assert (
        len(both) == len(fresh) == 8
        and (both["data"] == both["data kept"]).all()
        and (both["n"] == both["n kept"]).all()
    )
    assert np.allclose(
        both[["estimate", "low", "high"]],
        both[["estimate kept", "low kept", "high kept"]],
        atol=2e-3,
    )
