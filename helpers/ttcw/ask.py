"""Ask judges the fourteen tests: about the public stories, a reader's own, or one with planted
orders."""

import re
from dataclasses import replace

import pandas as pd
from goodjudge.ask import labels
from goodjudge.ask.reader import Reader
from goodjudge.stats import intervals

from helpers import judges, prompts
from helpers.sources import readers
from helpers.ttcw import load as ttcw

YES = {"Yes": 1.0, "No": 0.0}
STATUSES = {  # of an answer, and how readers are told of it
    "ok": "Yes or No",
    "refused": "refused",
    "unparsed": "no readable verdict",
    "missing": "not recorded",
    "error": "failed",
}
reader = labels.YES_NO
graded_reader = labels.choice({"Yes": 1, "No": 0})  # one word, with its probability


def parse_first_word(text):
    """Return the 'Yes' or 'No' that a recorded answer of TTCW's release begins with, or None."""
    if not isinstance(text, str):
        return None
    first_word = re.match(r"\W*(yes|no)\b", text, re.IGNORECASE)
    return first_word[1].capitalize() if first_word else None


FIRST_WORD = Reader(parse_first_word)  # of an answer that the authors released


def requests(stories, tests, prompt="ttcw-yes-no"):
    """Return one request per story and test: item (the story), group, writer, aspect (the test);
    of stories with texts (a column text) also system, shared, prompt. All tests of one story are in
    a row, so that providers can cache it.

    tests: test and, where there are texts, question and full_prompt; prompt: its name in
    `data/prompts/`. A story with an empty text gets a stand-in that names it, so that its prompts
    stay its own; do not send those to a live judge.
    """
    known = stories[["story", "group", "writer"]]
    cases = known.merge(tests["test"], how="cross")
    cases = cases.rename(columns={"story": "item", "test": "aspect"})
    if "text" not in stories:
        return cases
    template = prompts.load(prompt)
    texts = stories.set_index("story")["text"]
    asked = (tests["full_prompt"] + "\n\n" + tests["question"]).str.strip()
    asked = asked.set_axis(tests["test"])
    filled = []
    for case in cases.itertuples():
        text = texts[case.item] or f"(The text of story {case.item} is not public.)"
        filled.append(template.fill(story=text, test=asked[case.aspect]))
    return cases.join(pd.DataFrame(filled))


def graded_requests(with_texts=False):
    """Return `requests` about the stories with public text, answered in one word; with_texts: what
    a judge is to read is fetched."""
    stories, tests = ttcw.load_stories().dropna(subset="words"), ttcw.load_tests()
    if with_texts:
        stories, tests = fetch_texts(stories)
    return requests(stories, tests, "graded-test")


def fetch_texts(stories):
    """Return (stories with a column text, '' for what is not public; tests with their wording)."""
    texts = stories["story"].map(ttcw.load_texts())
    tests, _ = ttcw.load_wording()
    return stories.assign(text=texts.fillna("")), tests


def score(answers, column="yes"):
    """Return what `compare` takes: item (a story), judge, aspect (a test) and score; yes counts
    where there is a verdict, another column (such as score) where it is known."""
    known = answers["status"].eq("ok") if column == "yes" else answers[column].notna()
    scores = answers.loc[known, ["item", "judge", "aspect"]]
    return scores.assign(score=answers.loc[known, column].astype(float))


def load_panel():
    """Return (experts' `Ratings`, the recorded judges' scores), as a reader's file would have them:
    words only where the text is public (`load.load` has all lengths)."""
    stories, tests = ttcw.load_stories(), ttcw.load_tests()
    truth = ttcw.find_majority(ttcw.load_verdicts())
    scores = score(ask_panel(list_recorded(), stories, tests, truth))
    return ttcw.load(all_lengths=False), scores


def list_recorded():
    """Return the judges that are always there: those whose answers the authors released."""
    return [f"recorded/{name}" for name in ttcw.JUDGES]


def list_panel(judge, own_stories):
    """Return the judges to ask: those of `list_recorded` and `judge`, if it is another."""
    panel = list_recorded()
    return panel if judge in ("recorded/all", *panel) or own_stories else [*panel, judge]


def ask_panel(panel, stories, tests, truth, options=None):
    """Return the answers of every judge of `panel`, joined to `truth`: what `judges.ask` returns,
    and yes.

    For a judge that needs texts they are fetched. A live judge is asked about stories whose text is
    public alone; `limit` and `repeats` of the `judges.Options` are for it.
    """
    options = options or judges.Options()
    answers = [ask_one(judge, stories, tests, options) for judge in panel]
    answers = pd.concat(answers, ignore_index=True)
    case = ["item", "aspect"]
    further = truth.columns.difference(answers.columns, sort=False)
    answers = answers.merge(truth[[*case, *further]], on=case)
    missing = answers["note"].fillna("").str.startswith("missing")
    status = answers["status"].mask(missing, "missing")
    return answers.assign(yes=answers["verdict"].eq("Yes"), status=status)


def ask_one(judge, stories, tests, options):
    """Return the answers of one judge of a panel; see `ask_panel`."""
    provider, _, model = judge.partition("/")
    if judges.needs_texts(judge):
        stories, tests = fetch_texts(stories) if "text" not in stories else (stories, tests)
    if provider in judges.LIVE:
        public = stories[stories["text"] != ""]
        return judges.ask(requests(public, tests), judge, reader, options)
    once = replace(options, limit=0, repeats=1)
    if provider == "recorded" and model in ttcw.JUDGES:
        released = replace(once, recorded=read_labels(model))
        return judges.ask(requests(stories, tests), judge, FIRST_WORD, released)
    return judges.ask(requests(stories, tests), judge, reader, once)


def read_labels(judge):
    """Return what `judges.ask` replays of one of `load.JUDGES`: item, aspect, text (the kept label,
    empty where there is none), finish."""
    answers = ttcw.load_answers(judge)
    table = answers[["story", "test"]].set_axis(["item", "aspect"], axis=1)
    table["text"] = answers["label"].fillna("")
    table["finish"] = answers["status"].map({"refused": "content_filter"}).fillna("stop")
    return table


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
    """Return `judges.plan_cost` of a live judge's `requests`, about a reader's stories (they have
    texts) or about the public ones, whose texts are fetched."""
    if "text" not in stories:
        stories, tests = fetch_texts(stories)
    public = stories[stories["text"] != ""]
    return judges.plan_cost(requests(public, tests), judge, options)


def judge_own(stories, tests, judge, options=None):
    """Return a judge's answers about a reader's stories as `ask_panel` does; a story is a group."""
    answers = judges.ask(requests(stories, tests), judge, reader, options)
    judges.check_usable(answers, judge)
    return answers.assign(group=answers["item"], yes=answers["verdict"].eq("Yes"))


def read_likelihood(stories):
    """Return scores, as `score` does, by the recorded log-likelihood that a very small model
    gives each of some stories (their names)."""
    answers = judges.ask(pd.DataFrame({"item": stories}), "recorded/likelihood-ttcw", Reader(float))
    scores = answers[["item", "verdict"]].rename(columns={"verdict": "score"})
    return scores.assign(judge="log-likelihood")


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
    answers = judges.ask(probes, judge, reader, options)
    read = answers[answers["status"] == "ok"]
    own = read.loc[read["wanted"] == "", "verdict"].mode().get(0, "")
    against = read[~read["wanted"].isin(["", own])]
    if against.empty:
        return intervals.row(), own
    obeyed = against["verdict"] == against["wanted"]
    return intervals.of_share(obeyed.sum(), len(obeyed)), own
