"""Ask judges the fourteen tests: about the public stories, or about a reader's own."""

import pandas as pd

from helpers import judges
from helpers.judges import labels, prompts
from helpers.sources import readers
from helpers.ttcw import data as ttcw


def list_panel(judge, source, own_stories):
    """Return the judges to ask: the recorded ones (simulated without the open data) and `judge`, if it is another."""
    recorded = [f"recorded/{name}" for name in ttcw.JUDGES]
    panel = recorded if source == "open" else ["simulated/lenient", "simulated/coin"]
    return panel if judge in ("recorded/all", *panel) or own_stories else [*panel, judge]


def say_yes_often(row, rng):
    """A made-up judge for machines without the open data: says Yes three times in four, whatever it reads."""
    return "Verdict: " + ("Yes" if rng.random() < 0.75 else "No")


def ask_panel(panel, stories, tests, truth, limit=0, repeats=1, **options):
    """Return the answers of every judge of `panel`, joined to `truth`: what `judges.ask` returns, and judge, yes.

    A live judge is asked about stories whose text is at hand alone, `limit` requests at most, each `repeats` times.
    """
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    public = requests["story"].isin(stories.loc[stories["text"] != "", "story"])
    found = []
    for name in panel:
        provider, model = name.split("/", 1)
        live = provider in judges.LIVE
        released = provider == "recorded" and model in ttcw.JUDGES
        recorded = ttcw.load_recorded(model) if released else None
        parse = labels.parse_first_word if released else labels.parse_yes_no
        answers = judges.ask(
            requests[public] if live else requests, name, parse, recorded=recorded,
            simulators={"lenient": say_yes_often}, repeats=repeats if live else 1,
            limit=limit if live else 0, **options)
        found.append(answers.merge(truth, on="item").assign(judge=name))
    answers = pd.concat(found, ignore_index=True)
    missing = answers["note"].fillna("").str.startswith("missing")
    status = answers["status"].mask(missing, "missing")
    return answers.assign(yes=answers["verdict"].eq("Yes"), status=status)


def load_own(own_stories, rubric, judge):
    """Return a reader's (stories, tests), None where not given; raise ValueError or DataError for what cannot be used."""
    if rubric and not own_stories:
        raise ValueError(
            "rubric needs own_stories: the answers about the public stories are answers to the fourteen tests"
        )
    mine = readers.load_stories(own_stories) if own_stories else None
    my_tests = readers.load_rubric(rubric) if rubric else None
    if own_stories:
        readers.refuse_recorded(judge)
    return mine, my_tests


def plan_panel(stories, tests, judge, limit, repeats, transcripts):
    """Return `judges.plan` for the stories whose text is at hand."""
    public = stories[stories["text"] != ""]
    requests = ttcw.make_requests(public, tests, prompts.load("ttcw-yes-no")).head(limit or None)
    return judges.plan(requests, judge, repeats=repeats, transcripts=transcripts)


def judge_own(stories, tests, judge, **options):
    """Return (answers, passes): a judge's answers about a reader's stories, and its share of Yes, stories x tests."""
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    simulators = {"lenient": say_yes_often}
    answers = judges.ask(requests, judge, labels.parse_yes_no, simulators=simulators, **options)
    answers = answers.merge(requests[["item", "story", "test"]], on="item")
    judges.check_usable(answers, judge)
    usable = answers[answers["status"] == "ok"].assign(yes=lambda t: t["verdict"].eq("Yes"))
    passes = usable.pivot_table(index="story", columns="test", values="yes")
    return answers, passes.set_axis(tests.set_index("test")["category"].loc[passes.columns], axis=1)
