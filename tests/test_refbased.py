"""The reference-based method: labels to scores, bad input, position bias, tuning, story files."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import judges
from helpers.judges import labels as parsers
from helpers.refbased import ask, load
from helpers.refbased import method as refbased
from helpers.refbased import tuning as refbased_tuning
from helpers.sources.public import DataError

STORIES = pd.DataFrame(
    [(1, "a", "The cat sat on the mat."), (1, "b", "The dog ran away.")],
    columns=["group", "writer", "text"],
)
TESTS = {1: "Is the end earned?", 2: "Is it original?"}


def table(plus, minus):
    """Labels of one story with as many tests as there are labels."""
    n = len(plus)
    return pd.DataFrame(
        {
            "group": [1] * n,
            "writer": ["a"] * n,
            "test": range(1, n + 1),
            "plus": plus,
            "minus": minus,
        }
    ).astype({"plus": float, "minus": float})


def test_each_test_is_asked_twice_with_the_order_swapped():
    made = ask.requests(STORIES, {1: "A reference."}, TESTS)
    assert len(made) == 8 and made["item"].is_unique
    first, second = made.set_index("item")["shared"][["1/a/1/+", "1/a/1/-"]]
    assert first.index("The cat sat") < first.index("A reference.") and second.index(
        "A reference."
    ) < second.index("The cat sat")


def test_v1_and_v2_are_two_cutoffs_of_one_rule():
    labels = table([1, 0, -1, -2, 2], [-1, 0, 1, 2, 2])  # differences 2, 0, -2, -4, 0
    assert refbased.passes(labels, refbased.V1_CUTOFF)["passed"].tolist() == [
        True,
        True,
        False,
        False,
        True,
    ]
    assert refbased.passes(labels, refbased.V2_CUTOFF)["passed"].tolist() == [
        True,
        True,
        True,
        False,
        True,
    ]


def test_a_judge_that_always_likes_the_first_story_is_found_out_and_ranks_nothing():
    made = ask.requests(STORIES, {1: "A reference."}, TESTS)
    labels = refbased.labels(judges.ask(made, "simulated/first", parsers.parse_likert))
    bias = refbased.position_bias(labels)
    assert bias["contradicted by the swap"] == 1 and bias["tie"] == 0
    assert refbased.scores(refbased.passes(labels)).to_numpy().tolist() == [[2.0, 2.0]]


def test_a_fair_judge_is_recovered_whichever_order_it_sees():
    def fair(row, rng):
        a = row["shared"].split("<story_a>")[1].split("</story_a>")[0]
        if "cat" not in row["shared"]:
            return "Both are alike.\n[[A=B]]"
        return "The first has a cat.\n[[A>>B]]" if "cat" in a else "[[B>>A]]"

    made = ask.requests(STORIES, {1: "A reference."}, TESTS)
    labels = refbased.labels(
        judges.ask(
            made, "simulated/fair", parsers.parse_likert, judges.Options(simulators={"fair": fair})
        )
    )
    score = refbased.scores(refbased.passes(labels, cutoff=2))
    assert score.loc["1", "a"] == 2 and score.loc["1", "b"] == 0


def test_an_unanswered_test_is_not_passed_and_a_story_without_answers_has_no_score():
    assert refbased.passes(table([2, np.nan], [-2, 0]))["passed"].tolist() == [True, False]
    made = ask.requests(STORIES, {1: "A reference."}, TESTS)
    half = {"half": lambda row, rng: "[[A>B]]" if "/a/" in row["item"] else "No label."}
    answers = judges.ask(
        made, "simulated/half", parsers.parse_likert, judges.Options(simulators=half)
    )
    _, scores, bias = refbased.read(answers, "full")
    assert (
        scores.at["1", "a"] == 2
        and np.isnan(scores.at["1", "b"])
        and bias["with both labels"] == 0.5
    )


def test_a_readers_table_has_one_row_a_story_and_test_and_no_verdict_without_both_labels():
    made = ask.requests(STORIES, {1: "A reference."}, TESTS)
    half = {"half": lambda row, rng: "No label." if row["item"] == "1/b/2/-" else "[[A>B]]"}
    answers = judges.ask(
        made, "simulated/half", parsers.parse_likert, judges.Options(simulators=half)
    ).assign(usd=0.25)
    found = refbased.by_test(answers, "full", TESTS)
    found = found.set_index(["writer", "test"])
    assert found["status"].to_dict() == {
        ("a", 1): "ok",
        ("a", 2): "ok",
        ("b", 1): "ok",
        ("b", 2): "unparsed",
    }
    assert found["verdict"].fillna("").to_dict() == {
        ("a", 1): "passed",
        ("a", 2): "passed",
        ("b", 1): "passed",
        ("b", 2): "",
    }
    assert (
        (found["usd"] == 0.5).all()
        and found.at[("a", 2), "asked"] == TESTS[2]
        and np.isnan(found.at[("b", 2), "minus"])
    )


def test_a_readers_table_holds_grades_where_there_is_no_reference():
    made = ask.requests(STORIES, {1: "A reference."}, TESTS, "no reference")
    graded = {"graded": lambda row, rng: "[[4]]" if "/a/" in row["item"] else "None."}
    answers = judges.ask(
        made, "simulated/graded", parsers.parse_grade, judges.Options(simulators=graded)
    )
    found = refbased.by_test(answers, "no reference", TESTS)
    assert found.set_index(["writer", "test"])["verdict"].fillna(0).tolist() == [4, 4, 0, 0]


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda s, r: (s, {2: "x"}), "no reference for this group"),
        (lambda s, r: (s.assign(text="A  reference."), r), "the reference is the candidate itself"),
    ],
)
def test_bad_stories_are_named(change, message):
    stories, reference = change(STORIES, {1: "A reference."})
    with pytest.raises(DataError, match=message):
        ask.requests(stories, reference, TESTS)


@given(
    st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=14),
    st.integers(-4, 4),
)
def test_a_lower_cutoff_never_passes_fewer_tests(pairs, cutoff):
    labels = table(*zip(*pairs))
    assert (
        refbased.passes(labels, cutoff - 1)["passed"].sum()
        >= refbased.passes(labels, cutoff)["passed"].sum()
    )


def test_tuning_on_pure_noise_pays_in_sample_only():
    rng = np.random.default_rng(1)
    found = pd.DataFrame(
        [refbased_tuning.tuning(pd.DataFrame(rng.standard_normal((12, 4)))) for _ in range(200)]
    )
    assert found["in sample"].mean() > 0.2 > abs(found["leave one group out"].mean()) + 0.05


def test_choosing_a_cutoff_in_sample_does_at_least_as_well_as_each_cutoff():
    worth, means = refbased_tuning.worth_of_tuning(
        np.random.default_rng(0), spreads=(0.6,), noises=(0.7, 1.4), draws=5
    )
    in_sample = worth["estimate"].xs("fixed at -2") + means["cutoff -2"]
    assert means.columns.tolist() == ["cutoff -3", "cutoff -2", "cutoff -1", "cutoff 0"]
    assert (in_sample.to_numpy() >= means.max(axis=1).to_numpy() - 1e-12).all() and (
        worth["n"] == 5
    ).all()


@pytest.mark.parametrize(
    "name, words, message",
    [
        ("Keyz.txt", 40, "Keyz: title is .*expected one of the titles"),
        ("Keys.txt", 500, "Keys: words is 500; expected about as many as are printed"),
        ("Keys.txt", 0, "Keys.txt: words is"),
        ("Keys.pdf", 1000, "no .txt or .md file; expected a folder"),
    ],
)
def test_a_readers_reference_is_checked(tmp_path, name, words, message):
    (tmp_path / name).write_text("word " * words)
    with pytest.raises(DataError, match=message):
        load.load_references(tmp_path, {4: "Keys"}, {"Keys": 1000})


def test_readers_references_are_found_by_title(tmp_path):
    (tmp_path / "barbara, detroit 1996.md").write_text("word " * 1400)
    found = load.load_references(tmp_path, {0: "Keys", 1: "Barbara,Detroit,1996"})
    assert list(found) == [1]
    (tmp_path / "Barbara Detroit 1996.txt").write_text("words " * 1400)
    with pytest.raises(DataError, match="one copy of each story"):
        load.load_references(tmp_path, {0: "Keys", 1: "Barbara,Detroit,1996"})


def test_own_stories_are_complete():
    own, references = load.load_own_stories()
    assert (
        own.groupby("group").size().eq(3).all()
        and own["text"].is_unique
        and set(own["group"]) == set(references)
    )
    lengths = pd.concat([own["words"], pd.Series(references).str.split().str.len()])
    assert lengths.between(250, 400).all()
    means = [*own.groupby("writer")["words"].mean(), lengths.loc[list(references)].mean()]
    assert max(means) / min(means) < 1.05, "length must not give craft away"
