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
from helpers.sources.names import display_name
from helpers.ttcw import load as ttcw

YES = {"Yes": 1.0, "No": 0.0}
GRADED = labels.choice({"Yes": 1, "No": 0})  # answers that are one word, with probabilities


def to_scores(answers, column="yes"):
    """Return what `compare` takes: item (a story), aspect (a test), judge (as readers say it) and
    score; yes counts where there is a verdict, another column (such as score) where it is known."""
    known = answers["status"].eq("ok") if column == "yes" else answers[column].notna()
    answers = answers[known]
    judge, score = answers["judge"].map(display_name), answers[column].astype(float)
    return answers[["item", "aspect"]].assign(judge=judge, score=score)


def load_panel():
    """Return (experts' `Ratings`, the recorded judges' scores), aspects by name."""
    verdicts, stories, tests = ttcw.load()
    said = ask_panel(list_recorded(), stories, tests, ttcw.find_majority(verdicts))
    data, told = ttcw.to_ratings(verdicts, stories), to_scores(said)
    for table in (data.ratings, told):
        table["aspect"] = table["aspect"].map(tests.set_index("test")["category"])
    return data, told


def list_recorded():
    """Return the judges that are always there: those whose answers the authors released."""
    return [f"recorded/{name}" for name in ttcw.JUDGES]


def list_panel(judge, own_stories):
    """Return the judges to ask: those of `list_recorded` and `judge`, if it is another."""
    panel = list_recorded()
    return panel if judge in ("recorded/all", *panel) or own_stories else [*panel, judge]


def ask_panel(panel, stories, tests, truth, options=None):
    """Return the answers of every judge of `panel`, joined to `truth`: what `judges.ask` returns,
    and judge, yes.

    For a judge that needs texts they are fetched. A live judge is asked about stories whose text is
    public alone; `limit` and `repeats` of the `judges.Options` are for it.
    """
    options = options or judges.Options()
    found = []
    for name in panel:
        provider, _, model = name.partition("/")
        live = provider in judges.LIVE
        given = options if live else replace(options, limit=0, repeats=1)
        reader = labels.YES_NO
        if judges.needs_texts(name):
            requests = list_requests(stories, tests, everything=not live)
        else:
            requests = ttcw.make_requests(stories, tests)
        if provider == "recorded" and model in ttcw.JUDGES:
            given = replace(given, recorded=read_labels(model))
            reader = labels.FIRST_WORD
        answers = judges.ask(requests, name, reader, given)
        case = ["item", "aspect"]
        known = truth.columns.difference(answers.columns, sort=False)
        answers = answers.merge(truth[[*case, *known]], on=case)
        found.append(answers.assign(judge=name))
    answers = pd.concat(found, ignore_index=True)
    missing = answers["note"].fillna("").str.startswith("missing")
    status = answers["status"].mask(missing, "missing")
    return answers.assign(yes=answers["verdict"].eq("Yes"), status=status)


def read_labels(judge):
    """Return what `judges.ask` replays of one of `load.JUDGES`: item, aspect, text (the kept label,
    empty where there is none), finish."""
    answers = ttcw.load_answers(judge)
    table = answers[["story", "test"]].set_axis(["item", "aspect"], axis=1)
    table["text"] = answers["label"].fillna("")
    table["finish"] = answers["status"].map({"refused": "content_filter"}).fillna("stop")
    return table


def list_requests(stories, tests, everything=False):
    """Return what a judge that reads is asked about a reader's stories (they have texts), or about
    the public ones, whose texts and wording are fetched: `load.make_requests`.

    everything: with stand-ins for the stories that have no text.
    """
    if "text" not in stories:
        texts = stories["story"].map(ttcw.load_texts())
        stories = stories.assign(text=texts.fillna(""))
        tests, _ = ttcw.load_wording()
    if not everything:
        stories = stories[stories["text"] != ""]
    return ttcw.make_requests(stories, tests, prompts.load("ttcw-yes-no"))


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
    """Return `judges.plan` of what `list_requests` gives."""
    return judges.plan(list_requests(stories, tests), judge, options)


def judge_own(stories, tests, judge, options=None):
    """Return a judge's answers about a reader's stories as `ask_panel` does; a story is a group."""
    requests = list_requests(stories, tests, everything=True)
    answers = judges.ask(requests, judge, labels.YES_NO, options)
    judges.check_usable(answers, judge)
    return answers.assign(group=answers["item"], yes=answers["verdict"].eq("Yes"))


def write_own(answers, tests, judge, outputs):
    """Write a reader's result, a row per story, test and repeat; return (its table, sentences about
    it, a figure's title)."""
    table = answers.rename(columns={"item": "story", "aspect": "test"})
    table["test"] = table["test"].map(tests.set_index("test")["category"])
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


def graded_requests(with_texts=False):
    """Return one request per story with public text and test, answered in one word; items as in
    `load.make_requests`. with_texts: what a judge is to read is fetched."""
    stories = ttcw.load_stories().dropna(subset="words")
    if not with_texts:
        return ttcw.make_requests(stories, ttcw.load_tests())
    stories["text"] = stories["story"].map(ttcw.load_texts())
    tests, _ = ttcw.load_wording()
    return ttcw.make_requests(stories, tests, prompts.load("graded-test"))


def read_likelihood(stories):
    """Return scores, as `to_scores` does, by the recorded log-likelihood that a very small model
    gives each of some stories (their names)."""
    asked = pd.DataFrame({"item": stories})
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
