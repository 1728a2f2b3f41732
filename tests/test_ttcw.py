"""The loaders of ttcw: tidy tables from good data, one clear error for each kind of bad data."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.judges import prompts
from helpers.sources.public import DataError
from helpers.ttcw import load as ttcw


def test_good_records_become_a_tidy_table(raw_verdicts):
    table = ttcw.tidy_verdicts(raw_verdicts, "file.json")
    assert list(table) == [
        "story",
        "group",
        "writer",
        "expert",
        "test",
        "category",
        "passed",
        "rationale",
    ]
    assert len(table) == 12 and table["passed"].dtype == bool and set(table["writer"]) == {"GPT4"}


def change(table, **cells):
    return table.assign(**{name: [value, *table[name].iloc[1:]] for name, value in cells.items()})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda t: t.drop(columns="expert_idx"), "column 'expert_idx' is missing"),
        (
            lambda t: change(t, binary_verdict="Maybe"),
            r"record 1: verdict 'Maybe', expected Yes or No",
        ),
        (
            lambda t: t.iloc[[*range(12), 3]].reset_index(drop=True),
            r"record 13: a second verdict of expert 1 on story 0_GPT4",
        ),
        (lambda t: t.drop(index=11), r"record 8: story 1_GPT4, test 2 has 2 experts, expected 3"),
    ],
)
def test_bad_records_are_one_clear_error(raw_verdicts, spoil, message):
    with pytest.raises(DataError, match=message) as error:
        ttcw.tidy_verdicts(spoil(raw_verdicts), "file.json")
    assert str(error.value).startswith("file.json")


def test_the_open_data_have_the_shape_of_the_paper(open_data):
    verdicts, stories, tests = ttcw.load_verdicts(), ttcw.load_stories(), ttcw.load_tests()
    assert (len(verdicts), len(stories), len(tests)) == (2016, 48, 14)
    assert (stories["text"] == "").sum() == 12 and set(verdicts["story"]) == set(stories["story"])


def test_recorded_judges(open_data):
    assert {name: len(ttcw.load_recorded(name)) for name in ttcw.JUDGES}["gemini-pro"] == 658
    assert (ttcw.load_recorded("gemini-pro")["finish"] == "content_filter").sum() == 50
    with pytest.raises(DataError, match="recorded judge 'gpt5' is unknown"):
        ttcw.load_recorded("gpt5")


def test_a_malformed_recorded_id_names_file_and_line(monkeypatch):
    monkeypatch.setattr(
        ttcw,
        "read_json",
        lambda name: [
            {"id": "story_0_GPT4_test1", "response": "Yes"},
            {"id": "story_zero", "response": "No"},
        ],
    )
    with pytest.raises(
        DataError, match="annotations_gpt4.jsonl, line 2: id 'story_zero' is malformed or repeated"
    ):
        ttcw.load_recorded("gpt4")


def test_every_request_has_a_prompt_of_its_own(open_data):
    requests = ttcw.make_requests(
        ttcw.load_stories(), ttcw.load_tests(), prompts.load("ttcw-yes-no")
    )
    assert len(requests) == 672 and requests["item"].is_unique
    assert not (requests["shared"] + requests["prompt"]).duplicated().any()
    assert requests["shared"].nunique() == 48


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


@pytest.mark.parametrize("column", list(records()))
def test_a_missing_column_is_named(column):
    with pytest.raises(
        DataError, match=rf"x.json: column '{column}' is missing; expected story_idx, "
    ):
        ttcw.tidy_verdicts(records().drop(columns=column), "x.json")


@given(
    row=st.integers(0, 11),
    verdict=st.one_of(
        st.none(), st.text(max_size=5), st.sampled_from(["yes", "YES", "No ", "N/A"])
    ),
)
def test_a_verdict_that_is_neither_yes_nor_no_is_named_with_its_record(row, verdict):
    raw = records()
    raw.loc[row, "binary_verdict"] = verdict
    if verdict in ("Yes", "No"):
        assert len(ttcw.tidy_verdicts(raw, "x.json")) == 12
        return
    with pytest.raises(DataError) as fault:
        ttcw.tidy_verdicts(raw, "x.json")
    assert f"x.json, record {row + 1}: verdict " in str(
        fault.value
    ) and "expected Yes or No" in str(fault.value)


@given(row=st.integers(0, 11))
def test_a_second_verdict_is_named_with_its_record(row):
    raw = records()
    raw.loc[12] = raw.loc[row]
    raw.loc[12, "binary_verdict"] = "Yes"  # twice is wrong whether or not the two agree
    with pytest.raises(DataError) as fault:
        ttcw.tidy_verdicts(raw, "x.json")
    parts = [
        f"expert {raw.at[row, 'expert_idx']} ",
        f"story {raw.at[row, 'story_id']},",
        f"test {raw.at[row, 'ttcw_idx']};",
    ]
    assert "x.json, record 13: a second verdict of" in str(fault.value) and all(
        part in str(fault.value) for part in parts
    )


@given(rows=st.sets(st.integers(0, 11), min_size=1, max_size=11), more=st.booleans())
def test_a_story_without_three_experts_is_named(rows, more):
    raw = records()
    if more:  # a fourth expert is as wrong as a missing one
        raw = pd.concat([raw, raw.loc[[min(rows)]].assign(expert_idx="9")], ignore_index=True)
        count = 4
    else:
        raw, count = raw.drop(index=list(rows)).reset_index(drop=True), None
        if raw.groupby(["story_id", "ttcw_idx"]).size().eq(3).all():
            return  # whole stories or tests were left out
    with pytest.raises(
        DataError, match=r"x.json, record \d+: story \w+, test \d has [124] experts, expected 3"
    ) as fault:
        ttcw.tidy_verdicts(raw, "x.json")
    assert count is None or f"has {count} experts" in str(fault.value)


@pytest.mark.parametrize("judge", ttcw.JUDGES)
def test_recorded_answers_belong_to_known_stories_and_tests(open_data, judge):
    answers = ttcw.load_recorded(judge)
    assert not answers["item"].duplicated().any() and set(answers["test"]) <= set(range(1, 15))
    assert set(answers["story"]) <= set(ttcw.load_stories()["story"])
    assert set(answers["finish"]) <= {"stop", "content_filter"}


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
def test_a_malformed_or_repeated_id_of_a_recorded_answer_is_named_with_its_line(
    monkeypatch, ids, line
):
    monkeypatch.setattr(
        ttcw, "read_json", lambda name: [{"id": word, "response": "Yes"} for word in ids]
    )
    with pytest.raises(
        DataError,
        match=rf"ttcw/annotations_gpt4.jsonl, line {line}: id '{ids[line - 1]}' is malformed",
    ):
        ttcw.load_recorded("gpt4")


def test_a_blocked_answer_is_told_from_an_answer(monkeypatch):
    answers = [
        {"id": "story_0_GPT4_test2", "response": " Content Blocked\n"},
        {"id": "story_0_GPT4_test1", "response": "No"},
    ]
    monkeypatch.setattr(ttcw, "read_json", lambda name: answers)
    assert ttcw.load_recorded("gpt4")["finish"].tolist() == ["stop", "content_filter"]


def test_a_damaged_file_of_answers_is_named(no_data, tmp_path):
    path = tmp_path / "cache" / "ttcw" / "annotations_gpt4.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text('{"id": "story_0_GPT4_test1", "response": "Yes"}\n')
    with pytest.raises(DataError, match="ttcw/annotations_gpt4.jsonl: checksum"):
        ttcw.load_recorded("gpt4")
