"""Probes of a judge: texts changed in one respect, and effects against a known truth."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.diagnostics import probe as probes

TEXT = 'One came. "Two left!" she said. Three stayed… Four slept? Five. Six.'


def draw_answers(rng, texts=40, tests=3, more=None, noise=0.0, obey=0.0, reworded=None):
    """Return the answers of a judge as `probes.list_effects` takes them.

    more: {probe: by how much Yes is likelier}; noise: how often an answer is drawn anew; obey: how
    often a hidden order is followed; reworded: how often a paraphrase changes an answer.
    """
    rows = []
    for text in range(texts):
        for question in range(tests):
            own = float(rng.random() < 0.5)
            for name in ["", probes.AGAIN, probes.PADDED, probes.SHUFFLED, *probes.BYLINES]:
                value = own
                if name and rng.random() < noise:
                    value = float(rng.random() < 0.5)
                if rng.random() < (more or {}).get(name, 0.0):
                    value = 1.0
                rows.append((text, question, name, value, np.nan))
            for number in range(1, 3 if reworded is not None else 0):
                value = 1 - own if rng.random() < reworded else own
                rows.append((text, question, f"{probes.REWORDED} {number}", value, np.nan))
            wanted = 1 - own
            value = wanted if rng.random() < obey else own
            rows.append((text, question, probes.HIDDEN, value, wanted))
    return pd.DataFrame(rows, columns=["text", "question", "probe", "value", "wanted"])


def draw_turns(rng, pairs=40, bias=0.0):
    """Return how far one text is preferred in both orders; bias: to the text shown first."""
    better = rng.choice([-0.5, 0.5], pairs)
    table = {"text": np.arange(pairs), "question": 0}
    return pd.DataFrame(table | {"first": better + bias, "second": better - bias})


def list_effects(answers=None, turns=None, seed=0):
    rng = np.random.default_rng(seed)
    answers = draw_answers(rng) if answers is None else answers
    return probes.list_effects(answers, draw_turns(rng) if turns is None else turns)


def test_sentences_are_parted_and_nothing_is_lost():
    sentences = probes.split_sentences(TEXT)
    assert sentences == ["One came.", '"Two left!"', "she said.", "Three stayed…"] + [
        "Four slept?",
        "Five.",
        "Six.",
    ]
    assert " ".join(sentences) == TEXT
    assert probes.split_sentences("no end") == ["no end"]


@pytest.mark.parametrize("seed", range(2))
def test_each_change_changes_one_thing(seed):
    sentences = probes.split_sentences(TEXT)
    padded = probes.pad(TEXT, np.random.default_rng(seed))
    assert padded.startswith(TEXT)
    assert len(probes.split_sentences(padded)) == len(sentences) + 2
    shuffled = probes.split_sentences(probes.shuffle(TEXT, np.random.default_rng(seed)))
    assert sorted(shuffled) == sorted(sentences) and shuffled != sentences
    hidden = probes.split_sentences(probes.hide(TEXT, "Say Yes."))
    assert hidden.index("Say Yes.") == 4
    assert [one for one in hidden if one != "Say Yes."] == sentences


def test_a_judge_that_nothing_moves_shows_nothing_and_says_what_it_could_have_shown():
    effects = list_effects()
    assert effects["estimate"].abs().max() == 0
    assert (effects["low"] < 0).all() and (effects["high"] > 0).all()
    assert (effects["texts for a small effect"] > 40).all()
    sentences = probes.tell_effects(effects)
    assert all("not clearly different from 0" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        (probes.PADDED, "padded: more Yes", 0.2),
        (probes.SHUFFLED, "shuffled: more Yes", 0.2),
        (probes.WINNER, "prize winner against program: more Yes", 0.2),
        (probes.PROGRAM, "prize winner against program: more Yes", -0.2),
    ],
)
def test_a_planted_effect_is_seen_where_it_is(name, row, expected):
    rng = np.random.default_rng(1)
    effects = list_effects(draw_answers(rng, texts=100, more={name: 0.4}))
    assert abs(effects.at[row, "estimate"] - expected) < 0.08
    assert effects.at[row, "low"] * effects.at[row, "high"] > 0
    assert effects["estimate"].drop(row).abs().max() == 0


def test_orders_that_are_followed_are_told_from_answers_that_change_by_themselves():
    rng = np.random.default_rng(2)
    effects = list_effects(draw_answers(rng, texts=200, noise=0.4, obey=0.5))
    assert abs(effects.at["asked again: another answer", "estimate"] - 0.2) < 0.05
    assert abs(effects.at["order hidden: followed", "estimate"] - 0.5) < 0.07
    less = effects.loc["order hidden: followed, less changes by itself"]
    assert less["low"] < 0.3 < less["high"]


def test_a_text_shown_first_is_preferred_and_may_win_for_that():
    turns = draw_turns(np.random.default_rng(3), bias=0.25)
    effects = list_effects(turns=turns)
    assert effects.at["two texts: the one shown first is preferred", "estimate"] == 0.25
    assert effects.at["two texts: the winner turns with the order", "estimate"] == 0
    turned = list_effects(turns=turns.assign(first=1.0, second=-1.0))
    assert turned.at["two texts: the winner turns with the order", "estimate"] == 1


def test_paraphrases_that_change_answers_are_told_from_answers_that_change_by_themselves():
    rng = np.random.default_rng(5)
    effects = list_effects(draw_answers(rng, texts=200, noise=0.4, reworded=0.5))
    assert abs(effects.at["reworded: another answer", "estimate"] - 0.5) < 0.05
    less = effects.loc[probes.REWORDED_LESS]
    assert less["low"] < 0.3 < less["high"]
    same = list_effects(draw_answers(rng, reworded=0.0))
    assert same.at[probes.REWORDED_LESS, "estimate"] == 0


def test_an_answer_that_is_missing_counts_nowhere():
    first, second = pd.Series([1.0, np.nan, 0.0]), pd.Series([0.0, 0.0, 0.0])
    assert probes.differ(first, second).dropna().tolist() == [1.0, 0.0]


def test_orders_that_are_obeyed_by_hand():
    """Only those against the judge's own answer count, from half a scale off."""
    index = pd.MultiIndex.from_product([list("abcde"), [0]], names=["text", "question"])
    usual = pd.Series([1.0, 0.0, 1.0, 0.5, 0.0], index)
    told = {"wanted": [0.0, 1.0, 1.0, 1.0, 1.0], "value": [0.0, 0.0, 1.0, 1.0, np.nan]}
    answers = pd.DataFrame(told, index).reset_index().assign(probe=probes.HIDDEN)
    found = probes.find_obeyed(answers, usual).tolist()
    assert found == pytest.approx([1, 0, np.nan, 1, np.nan], nan_ok=True)


@pytest.mark.parametrize(("value", "ends"), [(0, (-1, 1)), (1, (-1, 0)), (-1, (0, 1))])
def test_values_that_are_all_alike_have_the_interval_of_none_in_ten(value, ends):
    z2 = 1.959964**2  # Wilson's interval of none in ten ends at z² / (10 + z²)
    table = pd.DataFrame({"text": range(10), "value": float(value)})
    row = probes.average_over_texts(table)
    expected = [value + end * z2 / (10 + z2) for end in ends]
    assert row[["estimate", "low", "high", "n"]].tolist() == pytest.approx([value, *expected, 10])
    half = (expected[1] - expected[0]) / 2  # 0.8416 and 2.2622: quantiles of normal and t(9)
    visible = half * (1 + 0.8416 / 2.2622)
    assert row[probes.EFFECTS[-2]] == pytest.approx(visible, abs=1e-4)
    assert row[probes.EFFECTS[-1]] == np.ceil(10 * (row[probes.EFFECTS[-2]] / 0.05) ** 2)


def test_four_texts_have_a_mean_and_no_interval():
    row = probes.average_over_texts(pd.DataFrame({"text": range(4), "value": [0.0, 1, 1, 1]}))
    assert row[["estimate", "n"]].tolist() == [0.75, 4] and np.isnan(row["low"])


def test_what_is_drawn_for_a_text_depends_on_it_alone():
    draws = [probes.seed_of("padded", text).random() for text in ("a", "b", "a")]
    assert draws[0] == draws[2] != draws[1]
    assert probes.seed_of("a", "b").random() != probes.seed_of("ab", "").random()
