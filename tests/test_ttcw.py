"""The loaders of ttcw: tidy tables from good data, one clear error for each kind of bad data."""

import pytest

from helpers import prompts, ttcw
from helpers.data import DataError


def test_good_records_become_a_tidy_table(raw_verdicts):
    table = ttcw.tidy_verdicts(raw_verdicts, "file.json")
    assert list(table) == ["story", "group", "writer", "expert", "test", "category", "passed", "rationale"]
    assert len(table) == 12 and table["passed"].dtype == bool and set(table["writer"]) == {"GPT4"}


def change(table, **cells):
    return table.assign(**{name: [value, *table[name].iloc[1:]] for name, value in cells.items()})


@pytest.mark.parametrize(("spoil", "message"), [
    (lambda t: t.drop(columns="expert_idx"), "column 'expert_idx' is missing"),
    (lambda t: change(t, binary_verdict="Maybe"), r"record 1: verdict 'Maybe', expected Yes or No"),
    (lambda t: t.iloc[[*range(12), 3]].reset_index(drop=True), r"record 13: a second verdict of expert 1 on story 0_GPT4, test 2"),
    (lambda t: t.drop(index=11), r"record 8: story 1_GPT4, test 2 has 2 experts, expected 3")])
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
    monkeypatch.setattr(ttcw, "read_json", lambda name: [{"id": "story_0_GPT4_test1", "response": "Yes"},
                                                         {"id": "story_zero", "response": "No"}])
    with pytest.raises(DataError, match="annotations_gpt4.jsonl, line 2: id 'story_zero' is malformed or repeated"):
        ttcw.load_recorded("gpt4")


def test_every_request_has_a_prompt_of_its_own(open_data):
    requests = ttcw.make_requests(ttcw.load_stories(), ttcw.load_tests(), prompts.load("ttcw-yes-no"))
    assert len(requests) == 672 and requests["item"].is_unique
    assert not (requests["shared"] + requests["prompt"]).duplicated().any()
    assert requests["shared"].nunique() == 48
