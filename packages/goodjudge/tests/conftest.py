"""Files written and read: fixtures of the tests of reading."""

from importlib.util import find_spec

import numpy as np
import pytest
from goodjudge.data.reading import read_ratings, read_scores
from goodjudge.errors import DataError

NEEDS = {  # beside the core
    "test_model.py": "statsmodels",
    "test_rankings.py": "hypothesis",
    "test_ask_cli.py": "openai",
}
collect_ignore = [name for name, needed in NEEDS.items() if find_spec(needed) is None]
if find_spec("hypothesis"):
    from hypothesis import settings

    settings.register_profile("any machine", deadline=None)  # a busy one is no fault
    settings.load_profile("any machine")


@pytest.fixture
def read(tmp_path):
    """Return a function that reads people's ratings from a text (or bytes), and with `scores` a
    judge's too: then it returns (ratings, scores)."""

    def load(content, scores=None, ending="csv", judge_ending="csv", judge_options=None, **options):
        path = tmp_path / f"mine.{ending}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        data = read_ratings(path, **options)
        if scores is None:
            return data
        other = tmp_path / f"judge.{judge_ending}"
        other.write_bytes(scores if isinstance(scores, bytes) else scores.encode())
        return data, read_scores(other, data, **judge_options or {})

    return load


@pytest.fixture
def refuse(read):
    """Return a function that reads files and returns the `DataError` with which they are refused;
    each answer that it offers is given, and reads the file."""

    def fail(*given, **options):
        with pytest.raises(DataError) as fault:
            read(*given, **options)
        whose = "judge_options" if len(given) > 1 or "scores" in options else None
        for answer in fault.value.answers:
            if whose and str(fault.value).startswith("judge."):
                said = (options.get(whose) or {}) | answer.options
                read(*given, **options | {whose: said})
            else:
                said = dict(answer.options)
                if "columns" in said:
                    said["columns"] = (options.get("columns") or {}) | said["columns"]
                read(*given[:1], **{k: v for k, v in options.items() if k != whose} | said)
        return fault.value

    return fail


@pytest.fixture
def rng():
    """A generator with a fixed seed."""
    return np.random.default_rng(7)
