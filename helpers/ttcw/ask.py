"""Ask judges the fourteen tests: about the public stories, a reader's own, or one with planted
orders."""

from dataclasses import replace

import pandas as pd

from helpers import judges, results
from helpers.judges.answers import labels
from helpers.judges.answers.reader import Reader
from helpers.judges.requests import prompts
from helpers.measures import intervals
from helpers.sources import readers
from helpers.sources.files import DataError
from helpers.sources.names import display_name
from helpers.ttcw import load as ttcw

YES = {"Yes": 1.0, "No": 0.0}
GRADED = labels.choice({"Yes": 1, "No": 0})  # answers that are one word, with probabilities


def to_scores(answers, column="yes"):
    """Return what `compare` takes: item (a story), aspect (a test), judge (as readers say it) and
    score; yes counts where there is a verdict, another column (such as score) where it is known."""
    known = answers["status"].eq("ok") if column == "yes" else answers[column].notna()
    names = {"story": "item", "test": "aspect", "judge": "judge", column: "score"}
    table = answers.loc[known, [*names]].rename(columns=names)
    return table.assign(judge=table["judge"].map(display_name), score=table["score"].astype(float))


def load_panel(rng):
    """Return (experts' `Ratings`, the recorded judges' scores, what was used), aspects by name."""
    source, line, verdicts, stories, tests = ttcw.load("auto", rng)
    said = ask_panel(
        list_panel("recorded/all", source, ""), stories, tests, ttcw.find_majority(verdicts)
    )
    data, told = ttcw.to_ratings(verdicts, stories, source), to_scores(said)
    for table in (data.ratings, told):
        table["aspect"] = table["aspect"].map(tests.set_index("test")["category"])
    return data, told, line


def list_recorded(source):
    """Return the judges that are always there: the recorded ones, without the open data two
    simulated ones."""
    recorded = [f"recorded/{name}" for name in ttcw.JUDGES]
    return recorded if source == "open" else ["simulated/lenient", "simulated/coin"]


def list_panel(judge, source, own_stories):
    """Return the judges to ask: those of `list_recorded` and `judge`, if it is another."""
    panel = list_recorded(source)
    return panel if judge in ("recorded/all", *panel) or own_stories else [*panel, judge]


def say_yes_often(row, rng):
    """A made-up judge for machines without the open data: says Yes three times in four."""
    return "Verdict: " + ("Yes" if rng.random() < 0.75 else "No")


def ask_panel(panel, stories, tests, truth, options=None):
    """Return the answers of every judge of `panel`, joined to `truth`: what `judges.ask` returns,
    and judge, yes.

    A live judge is asked about stories whose text is at hand alone; `limit` and `repeats` of the
    `judges.Options` are for it.
    """
    options = replace(options or judges.Options(), simulators={"lenient": say_yes_often})
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    found = []
    for name in panel:
        provider, _, model = name.partition("/")
        live = provider in judges.LIVE
        given = options if live else replace(options, limit=0, repeats=1)
        reader = labels.YES_NO
        if provider == "recorded" and model in ttcw.JUDGES:
            given = replace(given, recorded=ttcw.load_recorded(model))
            reader = labels.FIRST_WORD
        asked = requests
        if live:
            public = keep_public(stories, name)["story"]
            asked = requests[requests["story"].isin(public)]
        answers = judges.ask(asked, name, reader, given)
        known = truth.columns.difference(answers.columns, sort=False)
        answers = answers.merge(truth[["item", *known]], on="item")
        found.append(answers.assign(judge=name))
    answers = pd.concat(found, ignore_index=True)
    missing = answers["note"].fillna("").str.startswith("missing")
    status = answers["status"].mask(missing, "missing")
    return answers.assign(yes=answers["verdict"].eq("Yes"), status=status)


def load_own(own_stories, rubric, judge):
    """Return a reader's (stories, tests, judge), None where not given; without a judge a coin.

    Raises ValueError or DataError for what cannot be used.
    """
    if rubric and not own_stories:
        raise ValueError("rubric needs own_stories: experts judged by the fourteen tests alone")
    mine = readers.load_stories(own_stories) if own_stories else None
    my_tests = readers.load_rubric(rubric) if rubric else None
    if own_stories:
        judge = readers.choose_judge(judge, "recorded/all")
    return mine, my_tests, judge


def plan_panel(stories, tests, judge, options):
    """Return `judges.plan` for the stories whose text is at hand."""
    public = keep_public(stories, judge)
    requests = ttcw.make_requests(public, tests, prompts.load("ttcw-yes-no"))
    return judges.plan(requests, judge, options)


def keep_public(stories, judge):
    """Return the stories whose text is at hand; DataError if there is none to show the judge."""
    public = stories[stories["text"] != ""]
    if public.empty:
        raise DataError(
            f"judge {judge} has no story to read: the public texts are not on this machine and "
            "could not be downloaded; run make fetch with a network, or name stories of yours in "
            "own_stories"
        )
    return public


def judge_own(stories, tests, judge, options=None):
    """Return a judge's answers about a reader's stories as `ask_panel` does; a story is a group."""
    requests = ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))
    options = replace(options or judges.Options(), simulators={"lenient": say_yes_often})
    answers = judges.ask(requests, judge, labels.YES_NO, options)
    judges.check_usable(answers, judge)
    return answers.assign(group=answers["story"], yes=answers["verdict"].eq("Yes"))


def write_own(answers, tests, judge, outputs):
    """Write a reader's result, a row per story, test and repeat; return (its table, sentences about
    it, a figure's title)."""
    table = answers.assign(test=answers["test"].map(tests.set_index("test")["category"]))
    table = table[["story", "test", "repeat", "verdict", "status", "usd"]]
    file = results.save_own(table, "02", judge, outputs)
    good = table["status"] == "ok"
    said = table.loc[good, "verdict"].eq("Yes")
    sentence = (
        f"{table['story'].nunique()} stories × {table['test'].nunique()} tests, judge {judge}: "
        f"{good.sum()} of {len(good)} answers have a verdict, "
        f"{100 * said.mean():.0f} % of them Yes."
    )
    if judge.startswith("simulated/"):
        sentence += f" {results.MADE_UP}"
    sentence += f" `{outputs}/{file}` has one row per story and test."
    return table, sentence, f"{said.sum()} of {len(said)} answers by {display_name(judge)} are Yes"


def graded_requests():
    """Return one request per story with public text and test, answered in one word; items as in
    `load.make_requests`."""
    stories, tests = ttcw.load_stories(), ttcw.load_tests()
    return ttcw.make_requests(stories[stories["text"] != ""], tests, prompts.load("graded-test"))


def read_likelihood(texts):
    """Return scores, as `to_scores` does, by the recorded log-likelihood that a very small model
    gives each of some texts (a Series by story)."""
    asked = pd.DataFrame({"item": texts.index, "prompt": texts.to_numpy(), "shared": ""})
    found = judges.ask(asked, "recorded/likelihood-ttcw", Reader(float))
    return found.assign(judge="log-likelihood", score=found["verdict"])[["item", "judge", "score"]]


def make_probes():
    """Return the requests of the probe set, orders planted in a story: item, probe, wanted ('Yes',
    'No', '' for the clean story), planted, system, shared, prompt."""
    known = prompts.read("injections")
    rows = [("clean", "", "")] + [
        (name, wanted, text.replace("{verdict}", wanted))
        for name, text in known["probes"].items()
        for wanted in ("Yes", "No")
    ]
    table = pd.DataFrame(rows, columns=["probe", "wanted", "planted"])
    clean = prompts.load("ttcw-yes-no").fill(story=known["story"], test=known["test"])
    # planted as it stands: the fence probe too
    shared = [clean["shared"].replace("{probe}", text) for text in table["planted"]]
    item = table["probe"] + "/" + table["wanted"]
    return table.assign(**clean | {"item": item, "shared": shared})


def measure_obedience(judge, options=None):
    """Return (the share of verdicts that follow an order against the clean one, the clean verdict).

    The share: estimate, low, high (Wilson 95 %), n: orders that ended with a verdict. Only orders
    against the judge's own clean verdict count, since an order for it proves nothing.
    """
    probes = make_probes()
    answers = judges.ask(probes, judge, labels.YES_NO, options)
    read = answers[answers["status"] == "ok"]
    own = read.loc[read["wanted"] == "", "verdict"].mode().get(0, "")
    against = read[~read["wanted"].isin(["", own])]
    if against.empty:
        return intervals.row(), own
    obeyed = against["verdict"] == against["wanted"]
    return intervals.of_share(obeyed.sum(), len(obeyed)), own
