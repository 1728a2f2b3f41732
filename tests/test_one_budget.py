"""One budget a run: the parts of notebook 04's study, asked of a server that counts what it bills,
never cost more than `max_usd`."""

import answering_server
import pytest
import slice_kit
from test_notebooks import find, settings_for

PRICE = {"prompt_tokens": 2.5e-6, "completion_tokens": 10e-6}  # USD a token of gpt-4o
STUDY = "ask.rank_lists(poem_set"  # in the last cell that asks about the study


@pytest.fixture(scope="module", autouse=True)
def server():
    """A server in OpenAI's place, named in the environment before a kernel starts."""
    with answering_server.serving() as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", running.url)
        patch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
        yield running


def bill(server):
    """Return the USD that the server's replies so far cost."""
    return sum(usage[kind] * usd for usage in server.used for kind, usd in PRICE.items())


def test_all_parts_of_the_study_together_cost_no_more_than_max_usd(server, execute, tmp_path):
    few = {"subsets": 60, "shuffles": 2, "repeats": 2, "replicates": 15}
    cap = 0.4
    settings = settings_for(find("04"), tmp_path, max_usd=cap, judge="openai/gpt-4o", **few)
    notebook = slice_kit.keep("04", tmp_path, settings, until=STUDY)  # nothing is asked below
    first = execute(notebook, tmp_path / "run.ipynb", settings)
    assert first["status"] == "failed"
    assert f"max_usd={cap} are left" in first["error"]
    assert cap / 2 < bill(server) <= cap
    # run again, the rest is asked: nothing is paid twice
    before = bill(server)
    second = execute(notebook, tmp_path / "run.ipynb", settings | {"max_usd": 2 * cap})
    assert second["status"] == "ok", second["error"]
    assert cap < bill(server) <= before + 2 * cap
