"""A rubric: whatever is in the file, it is read or refused in one sentence."""

import os
import re

import pytest
from goodjudge.errors import DataError
from goodjudge.rubric import read_rubric
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

BAD_RUBRIC = [
    ("tests: [{name: Yes, question: b}]", "test 1: name is True; expected a text in quotes"),
    ("tests: [{name: a, question: ' '}]", "test 1: has no question"),
    ("tests: [{name: a, question: b}, {name: a, question: c}]", "test 2: is called 'a' as test 1"),
    ("tests:\n- name: a\n  question: Does it hurry: or rest?", "YAML: line 3:"),
    ("tests: !!python/name:os.system", "cannot be read (as YAML"),
]


@pytest.mark.parametrize(("content", "message"), BAD_RUBRIC)
def test_a_bad_rubric_is_one_clear_error(tmp_path, content, message):
    (tmp_path / "rubric.yaml").write_text(content)
    with pytest.raises(DataError, match=f"rubric.yaml.*{re.escape(message)}"):
        read_rubric(tmp_path / "rubric.yaml")


def test_a_pipe_is_refused_before_it_is_read(tmp_path):
    os.mkfifo(tmp_path / "rubric.yaml")
    with pytest.raises(DataError, match="rubric.yaml: (is no regular file|cannot be read)"):
        read_rubric(tmp_path / "rubric.yaml")


WORDS = ["tests:", "- ", "name: a", "question: ", "&a ", "*a", "<<: ", "[", "{", "? ", "!!set "]
WORDS += ["|", "\n", "  ", "'", "1e999", "\t", ": "]


@given(st.text(max_size=200) | st.lists(st.sampled_from(WORDS)).map("".join))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_rubric_loads_or_is_one_clear_error(tmp_path, text):
    path = tmp_path / "r.yaml"
    path.write_text(text, encoding="utf8", errors="ignore")
    try:
        assert read_rubric(path)["tests"]
    except DataError as fault:
        assert "r.yaml" in str(fault)
