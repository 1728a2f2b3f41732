"""A machine without mirror, cache and network: every study loads and replays its judges from what
the project keeps; where the texts are at hand, they are those that the judges read."""

import pytest
from goodjudge.ask.calls import list_calls, name_requests
from goodjudge.ask.replay import read_export

from helpers import judges
from helpers.edits import ask as edits
from helpers.edits import load as edits_load
from helpers.evolvr import ask as evolvr
from helpers.evolvr import load as evolvr_load
from helpers.poetry import titles, votes
from helpers.refbased import ask as refbased
from helpers.refbased import confederacy
from helpers.refbased import load as refbased_load
from helpers.sources.public import ROOT, available, registry
from helpers.ttcw import ask as ttcw
from helpers.ttcw import load as ttcw_load

RECORDED = {  # a recorded judge on public texts: its requests, and the reader of its answers
    "qwen2.5-coder-1.5b-ttcw": (ttcw.graded_requests, ttcw.graded_reader),
    "qwen2.5-coder-1.5b-confederacy": (refbased.confederacy_requests, refbased.reader),
    "qwen2.5-coder-1.5b-confederacy-alone": (refbased.alone_requests, refbased.graded_reader),
    "qwen2.5-coder-1.5b-hanna": (evolvr.hanna_requests, evolvr.reader),
    "qwen2.5-coder-1.5b-edits": (edits.lamp_requests, edits.reader),
    "qwen2.5-coder-1.5b-poem-votes": (votes.vote_requests, votes.reader),
    "qwen2.5-coder-1.5b-titles": (titles.title_requests, titles.reader),
}


def read_recorded(name):
    """Return the recorded answers of a judge."""
    return read_export(ROOT / "data" / "recorded" / f"{name}.jsonl")


def test_every_study_loads(no_data):
    assert len(ttcw_load.load_verdicts()) == 2016
    assert len(evolvr_load.load().ratings) == 19_008
    assert len(evolvr_load.load_models()) == 126_720
    assert len(confederacy.load().ratings) == 1300
    assert len(refbased_load.load().ratings) == 108
    assert [len(votes.load().items), len(votes.load().ratings)] == [102, 306]
    assert [len(edits_load.load(name).items) for name in edits_load.KINDS] == [603, 303]


def test_the_released_judges_are_replayed(no_data):
    stories, tests = ttcw_load.load_stories(), ttcw_load.load_tests()
    truth = ttcw_load.find_majority(ttcw_load.load_verdicts())
    answers = ttcw.ask_panel(ttcw.list_recorded(), stories, tests, truth)
    assert len(answers) == 7 * 672
    statuses = answers["status"].value_counts().to_dict()
    assert statuses == {"ok": 4639, "refused": 50, "unparsed": 1, "missing": 14}
    assert answers["yes"].sum() == 3615


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_judge_is_replayed_without_texts(no_data, name):
    requests, reader = RECORDED[name]
    answers = judges.ask(requests(), f"recorded/{name}", reader)
    assert (answers["text"].notna()).sum() == len(read_recorded(name))


@pytest.mark.parametrize("name", RECORDED)
def test_the_texts_are_those_that_the_recorded_judge_read(name):
    kept = [name for name, entry in registry().items() if entry["licence"] != "none"]
    missing = [dataset for dataset in kept if not available(dataset)]
    if missing:
        pytest.skip(f"the texts of {', '.join(missing)} are not on this machine")
    requests, reader = RECORDED[name]
    asked = requests(with_texts=True)
    assert name_requests(asked) == name_requests(requests())
    calls = list_calls(asked, f"recorded/{name}", judges.Options(), reader)
    prompts = {call.about: call.prompt_key for call in calls}
    for line in read_recorded(name):
        assert line.prompt_key == prompts[line.item], line.item


def test_a_judge_that_reads_is_not_asked_without_texts(no_data):
    with pytest.raises(judges.JudgeError, match="requests lack the column 'shared'"):
        judges.ask(edits.lamp_requests(), "local/x", edits.reader)
