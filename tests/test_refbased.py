"""The reference-based method from requests to scores: stories, controls, definitions, the two by
two for any judge."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from helpers import judges
from helpers.refbased import ablation, ask, controls, load, method
from helpers.sources.public import DataError
from helpers.ttcw import load as ttcw

TESTS = {1: "Is the end earned?", 2: "Is it original?"}
STORIES = pd.DataFrame(
    {"group": 1, "writer": ["a", "b"], "text": ["The cat sat on the mat.", "The dog ran away."]}
)
REFERENCES = {1: "A reference."}


def answers(label_by_request):
    """Return answers as `judges.ask` does, of {group/writer/test/order: label}; None: unparsed."""
    about = [name.split("/") for name in label_by_request]
    table = pd.DataFrame(about, columns=["group", "writer", "aspect", "order"])
    table["aspect"] = table["aspect"].astype(int)
    labels = list(label_by_request.values())
    table = table.assign(judge="x", verdict=labels, usd=0.25)
    table["status"] = ["unparsed" if label is None else "ok" for label in labels]
    table["score"] = pd.to_numeric(table["verdict"], errors="coerce")
    return table


# story a of group 1: differences 4, -2, and one label missing; b: no test with both labels
LABELS = {
    "1/a/1/+": 2,
    "1/a/1/-": -2,
    "1/a/2/+": -1,
    "1/a/2/-": 1,
    "1/a/3/+": 2,
    "1/a/3/-": None,
    "1/b/1/+": 1,
    "1/b/1/-": None,
    "1/b/2/+": None,
    "1/b/2/-": 0,
    "2/a/1/+": 1,
    "2/a/1/-": 1,
    "2/b/1/+": 0,
    "2/b/1/-": 1,
}


def test_each_test_is_asked_twice_with_the_order_swapped():
    table = ask.requests(STORIES, REFERENCES, TESTS)
    text_by_writer = STORIES.set_index("writer")["text"]
    assert len(table) == 8
    assert not table.duplicated(["item", "aspect", "order"]).any()
    for row in table.itertuples():
        candidate = row.shared.index(text_by_writer[row.writer])
        candidate_is_first = candidate < row.shared.index("A reference.")
        assert candidate_is_first == (row.order == "+")


@pytest.mark.parametrize("variant", ask.ALONE)
def test_without_a_reference_each_test_is_asked_once(variant):
    table = ask.requests(STORIES, REFERENCES, TESTS, variant)
    assert table["item"].tolist() == ["1/a", "1/a", "1/b", "1/b"]
    assert table["aspect"].tolist() == [1, 2, 1, 2]
    assert not (table["shared"] + table["prompt"]).str.contains("A reference.").any()


@pytest.mark.parametrize(
    ("references", "said"),
    [
        ({2: "x"}, "no reference for this group; there are some for 2"),
        ({1: "The  cat sat on the mat."}, "the reference is the candidate itself"),
    ],
)
def test_a_story_without_a_reference_or_its_own_is_refused(references, said):
    with pytest.raises(DataError, match=said):
        ask.requests(STORIES, references, TESTS)


@pytest.mark.parametrize(("limit", "requests"), [(0, 0), (1, 4), (7, 4), (8, 8)])
def test_a_limit_holds_whole_stories(limit, requests):
    options, _ = ask.options("any/x", "full", 5, TESTS, limit)
    assert options.limit == requests, "two tests in two orders a story"


def test_a_grammar_holds_every_label_of_the_scale():
    options, _ = ask.options("local/x", "no analysis", 5, TESTS, 0)
    allowed = re.findall(r'"([AB=<>]+)"', options.params["grammar"])
    assert allowed == ["A>>B", "A>B", "A=B", "B>A", "B>>A"]


def test_two_labels_become_one_difference():
    table = method.labels(answers(LABELS))
    difference = table["plus"] - table["minus"]
    assert len(table) == 7, "of each story and test"
    assert difference[[0, 1, 5, 6]].tolist() == [4, -2, 0, -1]
    assert difference[2:5].isna().all(), "a label is missing"


@pytest.mark.parametrize(("cutoff", "passed"), [(0, 1), (method.V2_CUTOFF, 2), (-3, 2), (5, 0)])
def test_a_test_is_passed_from_the_cutoff_on(cutoff, passed):
    table = method.labels(answers(LABELS))
    assert method.scores(method.passes(table, cutoff)).at["1", "a"] == passed


def test_a_story_without_answers_has_no_score():
    scores, _ = method.read(answers(LABELS))
    assert scores.loc["1", "a"] == 2
    assert np.isnan(scores.loc["1", "b"])
    assert scores.loc["2"].tolist() == [1, 1]


def test_position_bias_by_hand():
    _, bias = method.read(answers(LABELS))
    tests, both, first, tie, second, contradicted = bias
    assert tests == 7
    assert both == pytest.approx(4 / 7)
    assert (first, tie, second) == pytest.approx((7 / 11, 2 / 11, 2 / 11))
    assert contradicted == pytest.approx(1 / 4)


def test_without_a_reference_the_tests_with_a_yes_are_counted():
    said = {"1/a/1/": "Yes", "1/a/2/": "Yes", "1/b/1/": None, "1/b/2/": "No", "2/a/1/": None}
    scores, bias = method.read(answers(said))
    assert scores.loc["1"].tolist() == [2, 0]
    assert np.isnan(scores.loc["2", "a"]), "no answer is no score"
    assert bias.empty
    assert ask.score(answers(said), "baseline")["score"].tolist() == [2, 0]


@pytest.fixture
def leaning():
    """Return labels of five stories: each is preferred by half a step where it stands first, by
    one and a half where it stands second."""
    label_by_item = {"0/b/1/+": 1.0, "0/b/1/-": None}  # one order is missing
    for group in range(5):
        label_by_item[f"{group}/a/1/+"] = 0.5
        label_by_item[f"{group}/a/1/-"] = -1.5
    return answers(label_by_item)


def test_expected_labels_are_preferences_of_both_orders(leaning):
    scores = ask.score(leaning)
    assert len(scores) == 5
    assert (scores["score"] == 1).all()
    assert scores["item"][0] == "0/a"


def test_one_order_is_scored_on_groups_that_did_not_choose_it():
    first, last = [1.0, 1, 0, 0], [0.0, 0, 1, 1]
    scored = controls.score_halvings(np.array([first, last]).T)
    assert scored.shape == (6, 4)
    assert scored[0].tolist() == [0, 0, 0, 0], "each half chooses what the other dislikes"
    assert scored[1].tolist() == [0.5] * 4, "both are equally good on either half"
    assert scored.mean(axis=0).tolist() == [pytest.approx(1 / 3)] * 4


GAINS = np.array([0.4, -0.1, 0.2, 0.1, 0.3, -0.2])


def test_the_groups_needed_give_the_power_that_they_promise(rng):
    needed = controls.groups_needed(GAINS, sizes=(0.15,))
    groups = int(needed["estimate"].iloc[0])
    samples = 0.15 + GAINS.std(ddof=1) * rng.standard_normal((20000, groups))
    power = np.mean(stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05)
    assert power == pytest.approx(0.8, abs=0.02)


GROUPS, WRITERS, TWO_TESTS = range(6), "abc", {1: "Earned?", 9: "New?"}
WORTH = dict(zip(WRITERS, (2, 1, 0)))  # of every group


@pytest.fixture
def material():
    """Six groups of three stories, as people rank them: a, b, c."""
    both = itertools.product(GROUPS, WRITERS)
    stories = pd.DataFrame(both, columns=["group", "writer"]).assign(words=3)
    stories["text"] = stories["group"].astype(str) + stories["writer"] + " tells."
    data = load.rate(stories.assign(human=stories["writer"].map(WORTH)), "human", "own")
    references = {group: f"The reference of {group}." for group in GROUPS}
    return load.Material(stories, references, TWO_TESTS, "people", data)


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


def test_missing_and_unknown_titles_and_a_short_text_are_named(tmp_path):
    theirs = ttcw.load_stories().query("writer == 'NewYorker'")
    for story, title in zip(theirs["story"], theirs["title"]):
        text = f"{story} " * ttcw.read_lengths()[story]  # a stand-in, as long
        (tmp_path / f"{title.upper()}.txt").write_text(text, encoding="utf8")
    path = tmp_path / "KEYS.txt"
    whole = path.read_text(encoding="utf8")
    path.rename(tmp_path / "Doors.txt")
    with pytest.raises(DataError, match="missing titles: Keys; unknown ones: Doors"):
        load.load_references(tmp_path)
    (tmp_path / "Doors.txt").unlink()
    path.write_text(whole[: len(whole) // 3], encoding="utf8")
    with pytest.raises(DataError, match="KEYS.txt: text is .*expected the whole story"):
        load.load_references(tmp_path)
