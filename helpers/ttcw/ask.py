"""Ask judges the fourteen tests: about the public stories, or about a reader's own."""

from dataclasses import replace

import pandas as pd

from helpers import judges, results
from helpers.judges import labels, prompts
from helpers.sources import readers
from helpers.sources.names import display_name
from helpers.ttcw import load as ttcw

COIN = "simulated/coin"


def list_panel(judge, source, own_stories):
    """Return the judges to ask: the recorded ones (simulated without the open data) and `judge`, if
    it is another."""
    recorded = [f"recorded/{name}" for name in ttcw.JUDGES]
    panel = recorded if source == "open" else ["simulated/lenient", "simulated/coin"]
    return panel if judge in ("recorded/all", *panel) or own_stories else [*panel, judge]


def say_yes_often(row, rng):
    """A made-up judge for machines without the open data: says Yes three times in four, whatever it
    reads."""
    return "Verdict: " + ("Yes" if rng.random() < 0.75 else "No")


def ask_panel(panel, stories, tests, truth, options=None):
    """Return the answers of every judge of `panel`, joined to `truth`: what `judges.ask` returns,
    and judge, yes.

    A live judge is asked about stories whose text is at hand alone; `limit` and `repeats` of the
    `judges.Options` are for it.
    """
    options = replace(options or judges.Options(), simulators={"lenient": say_yes_often})
    once = replace(options, limit=0, repeats=1)
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    public = requests["story"].isin(stories.loc[stories["text"] != "", "story"])
    found = []
    for name in panel:
        provider, model = name.split("/", 1)
        live = provider in judges.LIVE
        released = provider == "recorded" and model in ttcw.JUDGES
        if live:
            answers = judges.ask(requests[public], name, labels.parse_yes_no, options)
        elif released:
            recorded = replace(once, recorded=ttcw.load_recorded(model))
            answers = judges.ask(requests, name, labels.parse_first_word, recorded)
        else:
            answers = judges.ask(requests, name, labels.parse_yes_no, once)
        found.append(answers.merge(truth, on="item").assign(judge=name))
    answers = pd.concat(found, ignore_index=True)
    missing = answers["note"].fillna("").str.startswith("missing")
    status = answers["status"].mask(missing, "missing")
    return answers.assign(yes=answers["verdict"].eq("Yes"), status=status)


def load_own(own_stories, rubric, judge):
    """Return a reader's (stories, tests, judge); None where not given.

    Who names no judge gets a coin, so that two texts are enough to see what a result looks like.
    Raises ValueError or DataError for what cannot be used.
    """
    if rubric and not own_stories:
        raise ValueError(
            "rubric needs own_stories: the answers about the public stories are answers to the"
            " fourteen tests"
        )
    mine = readers.load_stories(own_stories) if own_stories else None
    my_tests = readers.load_rubric(rubric) if rubric else None
    if own_stories:
        judge = COIN if judge == "recorded/all" else judge
        readers.refuse_recorded(judge)
    return mine, my_tests, judge


def plan_panel(stories, tests, judge, options):
    """Return `judges.plan` for the stories whose text is at hand."""
    public = stories[stories["text"] != ""]
    requests = ttcw.make_requests(public, tests, prompts.load("ttcw-yes-no"))
    return judges.plan(requests, judge, options)


def judge_own(stories, tests, judge, options=None):
    """Return a judge's answers about a reader's stories, as `ask_panel` does: every story is a
    group of its own."""
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    options = replace(options or judges.Options(), simulators={"lenient": say_yes_often})
    answers = judges.ask(requests, judge, labels.parse_yes_no, options)
    judges.check_usable(answers, judge)
    answers = answers.merge(requests[["item", "story", "writer", "test"]], on="item")
    return answers.assign(group=answers["story"], yes=answers["verdict"].eq("Yes"))


def write_own(answers, tests, judge, outputs):
    """Write `<outputs>/own-results.csv`; return (its table, what it says in a sentence, a figure's
    title).

    One row a story and test (and repeat): story, test, repeat, verdict (Yes or No, empty without
    one), status, usd.
    """
    table = answers.assign(test=answers["test"].map(tests.set_index("test")["category"]))
    table = table[["story", "test", "repeat", "verdict", "status", "usd"]]
    results.save_own(table, outputs)
    good = table["status"] == "ok"
    said = table.loc[good, "verdict"].eq("Yes")
    sentence = (
        f"{table['story'].nunique()} stories × {table['test'].nunique()} tests, judge {judge}:"
        f" {good.sum()} of {len(good)} answers have a verdict, {100 * said.mean():.0f} % of them"
        " Yes."
    )
    if judge.startswith("simulated/"):
        sentence += " This judge is made up and read nothing: name one that can read (`judge`)."
    return table, sentence, f"{said.sum()} of {len(said)} answers by {display_name(judge)} are Yes"
