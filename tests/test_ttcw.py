"""TTCW as it is loaded: kept numbers in the shape of the paper, and requests with and without
texts."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison.added import HELD, find_added
from goodjudge.data import ratings

from helpers import prompts
from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from helpers.ttcw import ask, worth
from helpers.ttcw import load as ttcw
from tools.public_numbers import read_ttcw_answers


def test_the_kept_numbers_have_the_shape_of_the_paper():
    verdicts, stories = ttcw.load_verdicts(), ttcw.load_stories()
    tests = ttcw.load_tests()
    assert (len(verdicts), len(stories), len(tests)) == (2016, 48, 14)
    assert list(verdicts) == ["story", "group", "writer", "expert", "test", "passed"]
    assert verdicts["passed"].dtype == bool
    assert set(verdicts["story"]) == set(stories["story"])
    both = verdicts.merge(stories, on="story", suffixes=("", " of the story"))
    for column in ("group", "writer"):
        assert (both[column] == both[f"{column} of the story"]).all()
    unknown = stories["words"].isna()
    assert unknown.sum() == 12
    assert stories.loc[unknown, "writer"].eq("NewYorker").all()
    dimension = tests.set_index("test")["dimension"].to_dict()
    assert dimension == {test: row.partition(" / ")[0] for test, row in ttcw.ROWS.items()}


def test_the_texts_have_the_words_that_are_kept(open_data):
    words = ttcw.load_stories().set_index("story")["words"].dropna()
    texts = ttcw.load_texts()
    assert texts.str.split().str.len()[words.index].equals(words.astype(int).rename("content"))


def test_every_verdict_has_its_reason(open_data):
    assert len(ttcw.load_rationales()) == len(ttcw.load_verdicts())


def test_a_test_has_the_same_name_in_every_table(open_data):
    for tests in (ttcw.load_tests(), ttcw.load_wording()[0]):
        assert tests.set_index("test")["category"].to_dict() == ttcw.TEST_NAMES
        assert "Scene vs Exposition" in set(tests["category"])


def test_without_the_authors_words_ours_stand_in_and_that_is_said(no_data):
    tests, whose = ttcw.load_wording()
    assert "our words" in whose
    assert tests["question"].tolist() == list(prompts.aspects("ttcw").values())
    assert tests["full_prompt"].eq("").all()


def test_pass_rates_are_shares_of_yes_in_per_cent():
    cases = pd.MultiIndex.from_product([["GPT4", "NewYorker"], [1, 2], [1, 2, 3]])
    table = cases.to_frame(index=False).set_axis(["writer", "test", "expert"], axis=1)
    rates = ttcw.pass_rates(table.assign(passed=table["expert"] == table["test"]))
    assert rates.to_numpy().ravel() == pytest.approx([100 / 3] * 4)
    assert (list(rates.index), list(rates)) == ([1, 2], ["GPT4", "NewYorker"])


def test_the_printed_table_is_read_by_test_and_writer():
    lines = pd.read_csv(ROOT / "data" / "papers" / "ttcw" / "printed.csv", dtype=str)
    rates, kappas = ttcw.load_printed()
    assert rates.shape == (14, 4) and list(rates.index) == list(kappas.index) == [*range(1, 15)]
    for line in lines[lines["table"] == "Table 5"].itertuples():
        tests = [test for test, row in ttcw.ROWS.items() if row == line.row]
        column = {label: writer for writer, label in ttcw.PRINTED_WRITERS.items()}.get(line.column)
        for test in tests:
            ours = kappas[test] if line.column == "Expert Agreement" else rates.at[test, column]
            assert ours == float(line.value)


def test_released_answers_belong_to_known_stories_and_tests():
    stories = set(ttcw.load_stories()["story"])
    for judge in ttcw.JUDGES:
        answers = ttcw.load_answers(judge)
        assert not answers.duplicated(["story", "test"]).any()
        assert set(answers["test"]) <= set(range(1, 15))
        assert set(answers["story"]) <= stories
        assert answers["label"].isna().equals(answers["status"] != "ok")
    assert answers["status"].value_counts().to_dict() == {"ok": 608, "refused": 50}
    with pytest.raises(DataError, match="recorded judge 'gpt5' is unknown"):
        ttcw.load_answers("gpt5")


def test_requests_without_texts_say_only_what_they_are_about():
    stories, tests = ttcw.load_stories(), ttcw.load_tests()
    requests = ask.requests(stories, tests)
    assert list(requests) == ["item", "group", "writer", "aspect"]
    assert len(requests) == 672
    assert not requests.duplicated(["item", "aspect"]).any()


def test_every_request_has_a_prompt_of_its_own(open_data):
    stories, (tests, _) = ttcw.load_stories(), ttcw.load_wording()
    stories["text"] = stories["story"].map(ttcw.load_texts()).fillna("")
    requests = ask.requests(stories, tests)
    assert len(requests) == 672 and not requests.duplicated(["item", "aspect"]).any()
    assert not (requests["shared"] + requests["prompt"]).duplicated().any()
    assert requests["shared"].nunique() == 48
    for case in requests.iloc[[0, 100, 671]].itertuples():
        story = stories.set_index("story").loc[case.item]
        test = tests.set_index("test").loc[case.aspect]
        assert case.writer == story["writer"]
        assert (story["text"] or f"story {case.item} is not public") in case.shared
        assert f"{test['context']}\n\n{test['question']}" in case.prompt


def test_the_lengths_that_a_paper_prints_are_those_of_the_public_texts():
    counted = ttcw.load_stories().set_index("story")["words"]
    printed, all_lengths = ttcw.read_lengths(), ttcw.load_lengths()
    public = counted.dropna().index
    assert len(printed) == 48 and len(public) == 36
    assert (printed[public] == counted[public]).all()
    assert all_lengths.equals(printed.rename("words"))
    assert all_lengths["0_NewYorker"] == 2066  # Maintenance, Hvidovre
    assert all_lengths["6_NewYorker"] == 1432  # Barbara, Detroit, 1996: spaced in another way


def test_the_lengths_of_all_stories_or_of_the_public_ones_go_with_the_ratings():
    assert ttcw.load().items["words"].notna().all()
    public = ttcw.load(all_lengths=False).items
    assert public.loc[public["words"].isna(), "writer"].eq("NewYorker").all()
    assert public["words"].isna().sum() == 12


def test_the_released_answers_begin_with_their_verdict(open_data):
    counted = {}
    for judge in ("cgpt", "gpt4", "claudev13"):  # those of the paper's Table 9
        texts = read_ttcw_answers(judge)["text"]
        counted[judge] = texts.str.match(r"(yes|no)\b", case=False).sum(), len(texts)
    assert counted == dict.fromkeys(counted, (672, 672))
    # Gemini Pro refused
    answers = read_ttcw_answers("gemini-pro")
    begins = answers["text"].str.strip().str.match(r"\W*(yes|no)\b", case=False)
    assert begins.sum() == (ttcw.load_answers("gemini-pro")["status"] == "ok").sum() == 608


def find_added_by_gpt4(people, scores):
    """Return what GPT-4 adds with writer, expert, plot and words held, as notebook 02 asks it."""
    held = (*HELD, ("rater", "group"))
    return find_added(people, scores, held=held).loc["recorded/gpt4"]


@pytest.mark.parametrize("stories", ["48 stories", "36 machine stories"])
def test_what_gpt4_adds_is_gone_where_stories_are_swapped_within_each_writer(stories):
    people, scores = ask.load_panel()
    people = ttcw.split(ttcw.load())[stories]
    own = scores[scores["judge"] == "recorded/gpt4"]
    found = find_added_by_gpt4(people, own)
    assert found["low"] > 0.01
    items = ttcw.load_stories().set_index("story")["writer"]
    rng = np.random.default_rng(11)
    swapped = []
    for _ in range(30):
        place = {}
        for _, names in items.groupby(items):
            place |= dict(zip(names.index, rng.permutation(names.index)))
        swapped.append(find_added_by_gpt4(people, own.assign(item=own["item"].map(place))))
    swapped = pd.DataFrame(swapped)
    assert swapped["estimate"].max() < found["estimate"]
    assert abs(swapped["estimate"].mean()) < 0.005
    assert (swapped["low"] > 0).sum() + (swapped["high"] < 0).sum() <= 5  # of 30; 1.5 expected


def test_over_all_stories_the_best_model_leads_a_constant_and_length_but_not_length_by_test():
    _, scores = ask.load_panel()
    clear = {}
    for stories, people in ttcw.split(ttcw.load()).items():
        unread, leads = worth.find_leads_over_each(people, scores)
        assert list(unread.index) == ["always the same", "length", worth.LENGTH_BY_TEST]
        opus = leads.xs("recorded/claude3-opus", level="judge")
        clear[stories] = list(opus["low"] > 0)
        alone = scores[scores["judge"] == "recorded/claude3-opus"]
        _, lead = worth.find_leads_over_each(people, alone)
        of_one = lead.xs("recorded/claude3-opus", level="judge")
        narrower = of_one["low"].to_numpy() > opus["low"].to_numpy()
        assert narrower.all(), "an interval for seven judges is wider"
    assert clear == {"48 stories": [True, True, False], "36 machine stories": [True, False, False]}


def test_length_by_test_learns_on_other_plots_in_which_direction_a_test_goes():
    items = pd.DataFrame({"item": range(24), "group": np.repeat(range(6), 4)})
    items["words"] = np.tile([400.0, 300.0, 200.0, 100.0], 6)
    longer = (items["words"] > 250).astype(float)
    rows = [(1, longer), (2, 1 - longer)]  # test 1 likes the longer ones, test 2 the shorter
    given = pd.concat(
        [
            items[["item"]].assign(aspect=aspect, score=score, rater=rater)
            for aspect, score in rows
            for rater in "abc"
        ]
    )
    data = ratings.Ratings(items, given, "simulated")
    nobody = pd.DataFrame({"item": [0], "aspect": [1], "judge": "j", "score": 1.0})
    unread, _ = worth.find_leads_over_each(data, nobody)
    assert unread.at[worth.LENGTH_BY_TEST, "estimate"] == 1
    assert unread.at["length", "estimate"] == 0.5


def test_the_glossary_has_the_perfect_judges_that_the_notebooks_show():
    glossary = (ROOT / "teaching" / "glossary.md").read_text(encoding="utf8")
    section = glossary.partition("## Perfect judge, by study\n")[2].partition("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:2] == "| "]
    assert len(lines) > 10
    for *_, value, number in lines[1:]:
        (path,) = (ROOT / "notebooks").glob(f"{number}-*.ipynb")
        cells = json.loads(path.read_text(encoding="utf8"))["cells"]
        shown = json.dumps([cell.get("outputs", []) for cell in cells])
        assert re.sub(r":.*", "", value) in shown, f"{value} is not in notebook {number}"


ONE_STORY = pd.DataFrame({"story": ["s"], "group": [0], "writer": ["x"], "text": ["A fox ran."]})


@pytest.mark.parametrize(
    ("wording", "times"),
    {"ours": 1, "paper": 1, "released": 1, "asked twice": 2, "graded": 2}.items(),
)
def test_a_question_is_asked_once_but_in_the_wordings_of_our_recordings(open_data, wording, times):
    tests, _ = ttcw.load_wording()
    asked = ask.requests(ONE_STORY, tests, wording)
    questions = tests.set_index("test")["question"].str.strip()
    counted = [case.prompt.count(questions[case.aspect]) for case in asked.itertuples()]
    assert counted == [times] * 14


def test_the_background_ends_before_the_authors_instruction(open_data):
    tests, _ = ttcw.load_wording()
    for context, whole in zip(tests["context"], tests["full_prompt"]):
        assert whole.startswith(context) and len(context) > 200
        rest = [line for line in whole[len(context) :].split("\n") if line.strip()]
        assert len(rest) == 2 and rest[0].startswith("Given the story")
        assert "Q)" in rest[1]


def test_the_released_prompt_wants_the_verdict_first_and_is_read_so():
    parse = ask.READERS["released"].parse
    assert parse("Yes, it ends well.") == "Yes" and parse("no") == "No"
    assert parse("It ends well. Yes.") is None
    case = ask.requests(ONE_STORY, TWO_TESTS, "released").iloc[0]
    assert "Start your answer with Yes or No." in case.shared
    assert case.prompt.endswith(
        "You can optionally then provide a short explanation for your answer."
    )


TWO_TESTS = pd.DataFrame({"test": [1, 2], "question": ["Does it end?", "Is it new?"]})
TWO_TESTS["full_prompt"] = ["A background.", "Another."]


def test_a_rubrics_background_stands_before_its_question_once():
    asked = ask.requests(ONE_STORY, TWO_TESTS)
    assert "<test>\nA background.\n\nDoes it end?\n</test>" in asked["prompt"].iloc[0]


@pytest.mark.parametrize("wording", ["paper", "released"])
def test_authors_words_that_are_not_at_hand_are_asked_for(wording):
    with pytest.raises(DataError, match="`make fetch` brings the authors' words; or take wording"):
        ask.requests(ONE_STORY, TWO_TESTS.assign(full_prompt=""), wording)
    with pytest.raises(DataError, match="wording 'mine' is unknown; expected one of ours, paper"):
        ask.requests(ONE_STORY, TWO_TESTS, "mine")
