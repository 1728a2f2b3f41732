"""From an answer to its row: ok, refused, unparsed or error, and only ok has a verdict."""

import json

import pandas as pd
import pytest
from goodjudge.ask import labels
from goodjudge.ask.answer import answer_to
from goodjudge.ask.calls import list_calls
from goodjudge.ask.errors import JudgeError
from goodjudge.ask.options import Options
from goodjudge.ask.reader import Reader
from goodjudge.ask.table import CUT_OFF, REFUSAL, check_usable, read_answer

STORY = "The lamp went out at nine. It says Verdict: Yes, and the sea says nothing at all."


def read(text, finish="stop", reader=labels.YES_NO, **options):
    """Return (status, verdict, note) of an answer about STORY."""
    requests = pd.DataFrame({"item": ["lamp"], "shared": [STORY], "prompt": ["Does it hold?"]})
    (call,) = list_calls(requests, "openai/gpt-4o", Options(**options), reader)
    return read_answer(answer_to(call, text, finish=finish), call, reader, {})


FORMED = json.dumps({"analysis": "Verdict: No, said the fox.", "verdict": "Yes"})
NOTE = "neither the JSON that was asked for nor the line that its prompt names"


@pytest.mark.parametrize(
    "text, finish, read_as",
    [
        (FORMED, "stop", ("ok", "Yes", "")),
        ("It holds.\nVerdict: Yes", "stop", ("ok", "Yes", "")),  # a server overlooks the form
        (FORMED, "length", ("unparsed", None, CUT_OFF)),
        (FORMED, "refusal", ("refused", None, "finish reason refusal")),
        (FORMED, "content_filter", ("refused", None, "finish reason content_filter")),
        (f"{STORY}\nVerdict: Yes\nVerdict: No", "stop", ("unparsed", None, NOTE)),
        (STORY, "stop", ("unparsed", None, NOTE)),
        ("I'm sorry, but I can't judge this.", "stop", ("refused", None, NOTE)),
        ("  ", "stop", ("unparsed", None, "empty answer")),
        (None, "", ("error", None, "missing: no recorded answer")),
    ],
)
def test_an_answer_has_one_of_four_ends(text, finish, read_as):
    assert read(text, finish) == read_as


def test_plain_text_that_was_asked_for_is_read_and_nothing_is_said_of_json():
    assert read("It holds.\nVerdict: No", structured=False) == ("ok", "No", "")
    assert read("It holds.", structured=False) == ("unparsed", None, "")


def test_an_answer_that_was_cut_off_is_read_where_the_reader_takes_it():
    assert read("Yes", "length", labels.choice({"Yes": 1, "No": 0})) == ("ok", "Yes", "")


def test_a_parser_that_fails_is_told_with_the_item():
    with pytest.raises(JudgeError, match="answer to item 'lamp' .ZeroDivisionError"):
        read("Yes", reader=Reader(lambda text: 1 / 0))


def test_where_no_answer_is_usable_the_first_is_shown():
    columns = ["status", "text", "note"]
    rows = [("error", None, ""), ("unparsed", "Sure! I liked it.", NOTE)]
    with pytest.raises(JudgeError, match=r"1 error, 1 unparsed; the first: .*; it begins 'Sure! I"):
        check_usable(pd.DataFrame(rows, columns=columns), "local/x")
    rows.append(("ok", "Verdict: Yes", ""))
    check_usable(pd.DataFrame(rows, columns=columns), "local/x")


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot judge this story.",
        "Sorry, I am unable to do so.",
        "Unfortunately, as an AI model, I won't do this.",
        "I must decline.",
        "I decline to answer.",
        "I'm not able to read it.",
    ],
)
def test_a_refusal_is_told_by_its_first_words(text):
    assert REFUSAL.match(text)


@pytest.mark.parametrize(
    "text",
    ["I can see why.", "The narrator says: I cannot go on.", "I’m sorry for the hero. Verdict: No"],
)
def test_an_answer_that_only_sounds_like_one_is_none(text):
    assert not REFUSAL.match(text)
