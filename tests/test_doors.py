"""Every study is entered by the same doors."""

import importlib
import inspect

import pytest
from goodjudge.ask.reader import Reader
from test_rooms import STUDIES


def module(study, name):
    return importlib.import_module(f"helpers.{study}.{name}")


@pytest.mark.parametrize("study", sorted(STUDIES))
def test_ratings_are_loaded_and_their_items_are_texts(study):
    first = {"edits": ["LAMP"]}.get(study, [])
    data = module(study, "load").load(*first)
    assert data._fields == ("items", "ratings", "source")
    assert data.items["item"].map(type).eq(str).all()


@pytest.mark.parametrize("study", sorted(STUDIES))
def test_a_judge_is_asked_read_and_scored_by_functions_of_one_name(study):
    ask = module(study, "ask")
    assert inspect.isfunction(ask.requests)
    assert isinstance(ask.reader, Reader)
    assert next(iter(inspect.signature(ask.score).parameters)) == "answers"
