"""The loaders of ttcw: tidy tables from good data, one clear error for each kind of bad data."""

import json

import pandas as pd
import pytest

from helpers.judges.requests import prompts
from helpers.sources.files import DataError
from helpers.sources.public import ROOT, locate
from helpers.ttcw import load as ttcw

COLUMNS = ["story", "group", "writer", "expert", "test", "category", "passed", "rationale"]


def records():
    """Two stories, two tests, three experts, as the release writes them (all strings)."""
    return pd.DataFrame(
        [
            {
                "story_idx": story[0],
                "story_id": story,
                "expert_idx": str(expert),
                "ttcw_idx": str(test),
                "category": "Fluency",
                "binary_verdict": "Yes" if expert == test else "No",
                "explanation": "because",
            }
            for story in ("0_GPT4", "1_NewYorker")
            for test in (1, 2)
            for expert in (1, 2, 3)
        ]
    )


def test_good_records_become_a_tidy_table():
    table = ttcw.tidy_verdicts(records(), "file.json")
    assert list(table) == COLUMNS and len(table) == 12 and table["passed"].dtype == bool
    eighth = ["1_NewYorker", 1, "NewYorker", 2, 1, "Fluency", False, "because"]
    assert table.iloc[7].tolist() == eighth
    assert (
        table.loc[table["passed"], ["expert", "test"]].to_numpy().tolist() == [[1, 1], [2, 2]] * 2
    )


@pytest.mark.parametrize("column", list(records()))
def test_a_missing_column_is_named(column):
    with pytest.raises(DataError, match=rf"x.json: column '{column}' is missing; expected story_"):
        ttcw.tidy_verdicts(records().drop(columns=column), "x.json")


@pytest.mark.parametrize("row", [0, 7, 11])
@pytest.mark.parametrize("verdict", [None, "", "yes", "YES", "No ", "N/A"])
def test_a_verdict_that_is_neither_yes_nor_no_is_named_with_its_row(row, verdict):
    raw = records()
    raw.loc[row, "binary_verdict"] = verdict
    with pytest.raises(DataError, match=rf"x.json, row {row + 1}: passed is .* expected Yes or No"):
        ttcw.tidy_verdicts(raw, "x.json")


@pytest.mark.parametrize("row", [0, 5, 11])
@pytest.mark.parametrize("verdict", ["Yes", "No"])
def test_a_second_verdict_is_named_with_its_row(row, verdict):
    raw = records()
    raw.loc[12] = raw.loc[row]
    raw.loc[12, "binary_verdict"] = verdict  # twice is wrong whether or not the two agree
    with pytest.raises(DataError, match=r"x.json, row 13: expert is .* each expert once"):
        ttcw.tidy_verdicts(raw, "x.json")


@pytest.mark.parametrize("lost", [[0], [4, 5], [1, 6, 7], [0, 1, 2, 9]])
def test_a_story_without_three_experts_is_named(lost):
    with pytest.raises(DataError, match=r"x.json, row \d+: story is '\d_\w+'; expected 3 experts"):
        ttcw.tidy_verdicts(records().drop(index=lost), "x.json")


def test_a_fourth_expert_is_as_wrong_as_a_missing_one():
    more = pd.concat([records(), records().iloc[[3]].assign(expert_idx="9")])
    with pytest.raises(DataError, match="row 4: story is '0_GPT4'; expected 3 experts"):
        ttcw.tidy_verdicts(more, "x.json")


def test_the_open_data_have_the_shape_of_the_paper(open_data):
    verdicts, stories, tests = ttcw.load_verdicts(), ttcw.load_stories(), ttcw.load_tests()
    assert (len(verdicts), len(stories), len(tests)) == (2016, 48, 14)
    assert list(verdicts) == COLUMNS and set(verdicts["story"]) == set(stories["story"])
    raw = json.loads(locate("ttcw/ttcw_short_stories.json")[0].read_text(encoding="utf8"))
    for one, story in zip(raw, stories.itertuples()):
        public = not one["content"].startswith("http")
        assert (story.story, story.plot) == (one["story_id"], one["plot"])
        assert story.group == int(one["story_id"].split("_")[0])
        assert story.words == (len(one["content"].split()) if public else 0)
    assert (stories["text"] == "").sum() == 12
    assert stories.loc[stories["text"] == "", "writer"].eq("NewYorker").all()
    dimension = tests.set_index("test")["dimension"].to_dict()
    assert dimension == {test: row.partition(" / ")[0] for test, row in ttcw.ROWS.items()}


def test_a_test_has_the_same_name_in_every_table(open_data):
    tests = ttcw.load_tests()
    assert tests.set_index("test")["category"].to_dict() == ttcw.TEST_NAMES
    assert "Scene vs Exposition" in set(tests["category"])


def test_pass_rates_are_shares_of_yes_in_per_cent():
    rates = ttcw.pass_rates(ttcw.tidy_verdicts(records(), "x.json"))
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


def test_recorded_answers_belong_to_known_stories_and_tests(open_data):
    stories = set(ttcw.load_stories()["story"])
    for judge in ttcw.JUDGES:
        answers = ttcw.load_recorded(judge)
        assert answers["item"].is_unique and set(answers["test"]) <= set(range(1, 15))
        assert set(answers["story"]) <= stories
    assert answers["finish"].value_counts().to_dict() == {"stop": 608, "content_filter": 50}
    with pytest.raises(DataError, match="recorded judge 'gpt5' is unknown"):
        ttcw.load_recorded("gpt5")


def test_a_blocked_answer_is_told_from_an_answer(monkeypatch):
    answers = [
        {"id": "story_0_GPT4_test2", "response": " Content Blocked\n"},
        {"id": "story_0_GPT4_test1", "response": "No"},
    ]
    monkeypatch.setattr(ttcw, "read_json", lambda name: answers)
    found = ttcw.load_recorded("gpt4")
    assert found["finish"].tolist() == ["stop", "content_filter"]
    assert found["item"].tolist() == ["0_GPT4/1", "0_GPT4/2"]


@pytest.mark.parametrize(
    "ids, line",
    [
        (["story_0_GPT4_test1", "story_0_GPT4_test1"], 2),
        (["story_0_GPT4_test1", "0_GPT4_1"], 2),
        (["story_GPT4_test1"], 1),
        (["story_0_GPT4_testA"], 1),
        (["story_0_GPT4_test1 "], 1),
    ],
)
def test_a_malformed_or_repeated_id_is_named_with_its_row(monkeypatch, ids, line):
    given = [{"id": word, "response": "Yes"} for word in ids]
    monkeypatch.setattr(ttcw, "read_json", lambda name: given)
    message = rf"ttcw/annotations_gpt4.jsonl, row {line}: id is '{ids[line - 1]}'; expected story_"
    with pytest.raises(DataError, match=message):
        ttcw.load_recorded("gpt4")


def test_a_damaged_file_of_answers_is_named(no_data, tmp_path):
    path = tmp_path / "cache" / "ttcw" / "annotations_gpt4.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text('{"id": "story_0_GPT4_test1", "response": "Yes"}\n')
    with pytest.raises(DataError, match="ttcw/annotations_gpt4.jsonl: checksum"):
        ttcw.load_recorded("gpt4")


def test_every_request_has_a_prompt_of_its_own(open_data):
    stories, tests = ttcw.load_stories(), ttcw.load_tests()
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    assert len(requests) == 672 and requests["item"].is_unique
    assert not (requests["shared"] + requests["prompt"]).duplicated().any()
    assert requests["shared"].nunique() == 48
    for case in requests.iloc[[0, 100, 671]].itertuples():
        story = stories.set_index("story").loc[case.story]
        test = tests.set_index("test").loc[case.test]
        assert case.item == f"{case.story}/{case.test}" and case.writer == story["writer"]
        assert (story["text"] or f"story {case.story} is not public") in case.shared
        assert f"{test['full_prompt']}\n\n{test['question']}" in case.prompt
