"""Ask judges the fourteen tests: about the public stories, other texts, or one with planted orders.

A test is asked in one of these wordings:

| wording       | the question | the verdict                                            |
|---------------|--------------|--------------------------------------------------------|
| "ours"        | once         | last, after an analysis                                |
| "paper"       | once         | last, after what the paper has a judge list            |
| "released"    | once         | first, then perhaps reasons (as of the seven judges)   |
| "asked twice" | twice        | last, after an analysis (our recording of SmolLM2)     |
| "graded"      | twice        | one word, for its probability (our other recordings)   |

The paper's and the released words are their authors' (BSD-3-Clause); they have to be fetched.
"""

import re
from dataclasses import replace

import pandas as pd
from goodjudge.ask import labels
from goodjudge.ask.reader import Reader

from helpers import judges, prompts
from helpers.sources.files import DataError
from helpers.ttcw import load as ttcw

YES = {"Yes": 1.0, "No": 0.0}
STATUSES = {  # of an answer, and how readers are told of it
    "ok": "Yes or No",
    "refused": "refused",
    "unparsed": "no readable verdict",
    "missing": "not recorded",
    "error": "failed",
}
PROMPTS = {
    "ours": "ttcw-yes-no",
    "paper": "ttcw-paper",
    "released": "ttcw-released",
    "asked twice": "ttcw-yes-no",
    "graded": "graded-test",
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
READERS = {"released": FIRST_WORD, "graded": graded_reader}  # others: `reader`


def requests(stories, tests, wording="ours"):
    """Return one request per story and test: item (the story), group, writer, aspect (the test);
    of stories with texts (a column text) also system, shared, prompt. All tests of one story are in
    a row, so that providers can cache it.

    tests: test and, where there are texts, question, full_prompt and perhaps context (of
    `load.load_wording`). A story with an empty text gets a stand-in that names it, so that its
    prompts stay its own; do not send those to a live judge. DataError for an unknown wording, or
    for authors' words that are not at hand.
    """
    known = stories[["story", "group", "writer"]]
    cases = known.merge(tests["test"], how="cross")
    cases = cases.rename(columns={"story": "item", "test": "aspect"})
    if "text" not in stories:
        return cases
    slots = word(tests, wording)
    template = prompts.load(PROMPTS[wording])
    texts = stories.set_index("story")["text"]
    filled = []
    for case in cases.itertuples():
        text = texts[case.item] or f"(The text of story {case.item} is not public.)"
        filled.append(template.fill(story=text, **slots[case.aspect]))
    return cases.join(pd.DataFrame(filled))


def word(tests, wording):
    """Return {test: what fills the slots of a wording's prompt, but for the story}."""
    if wording not in PROMPTS:
        raise DataError(f"wording {wording!r} is unknown; expected one of {', '.join(PROMPTS)}")
    background = tests["context"] if "context" in tests else tests["full_prompt"]
    theirs = {"paper": tests["full_prompt"], "released": background}
    if wording in theirs and (theirs[wording] == "").any():
        advice = "`make fetch` brings the authors' words; or take wording 'ours'"
        raise DataError(f"wording {wording!r}: a test has no background; {advice}")
    asked = {"ours": background + "\n\n" + tests["question"], "paper": tests["full_prompt"]}
    twice = tests["full_prompt"] + "\n\n" + tests["question"]
    slots = pd.DataFrame({"test": asked.get(wording, twice).str.strip()})
    if wording == "released":
        slots = pd.DataFrame({"background": background, "question": tests["question"]})
    return slots.set_axis(tests["test"]).to_dict("index")


def graded_requests(with_texts=False):
    """Return `requests` about the stories with public text, answered in one word; with_texts: what
    a judge is to read is fetched."""
    stories, tests = ttcw.load_stories().dropna(subset="words"), ttcw.load_tests()
    if with_texts:
        stories, tests = fetch_texts(stories)
    return requests(stories, tests, "graded")


def fetch_texts(stories):
    """Return (stories with a column text, '' for what is not public; tests with their wording)."""
    texts = stories["story"].map(ttcw.load_texts())
    tests, _ = ttcw.load_wording()
    return stories.assign(text=texts.fillna("")), tests


def score(answers, column="yes"):
    """Return what `compare` takes: item (a story), judge, aspect (a test) and score; yes counts
    where there is a verdict, another column (such as score) where it is known."""
    if column == "yes" and "yes" not in answers:
        answers = answers.assign(yes=answers["verdict"].eq("Yes"))
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


def list_panel(judge):
    """Return the judges to ask: those of `list_recorded` and `judge`, if it is another."""
    panel = list_recorded()
    return panel if judge in ("recorded/all", *panel) else [*panel, judge]


def ask_panel(panel, stories, tests, truth, options=None, wording="ours"):
    """Return the answers of every judge of `panel`, joined to `truth`: what `judges.ask` returns,
    and yes.

    For a judge that needs texts they are fetched. A live judge is asked about stories whose text is
    public alone; `limit` and `repeats` of the `judges.Options` and `wording` are for it.
    """
    options = options or judges.Options()
    answers = [ask_one(judge, stories, tests, options, wording) for judge in panel]
    answers = pd.concat(answers, ignore_index=True)
    case = ["item", "aspect"]
    further = truth.columns.difference(answers.columns, sort=False)
    answers = answers.merge(truth[[*case, *further]], on=case)
    missing = answers["note"].fillna("").str.startswith("missing")
    status = answers["status"].mask(missing, "missing")
    return answers.assign(yes=answers["verdict"].eq("Yes"), status=status)


def ask_one(judge, stories, tests, options, wording):
    """Return the answers of one judge of a panel; see `ask_panel`."""
    provider, _, model = judge.partition("/")
    if judges.needs_texts(judge):
        stories, tests = fetch_texts(stories) if "text" not in stories else (stories, tests)
    if provider in judges.LIVE:
        public = stories[stories["text"] != ""]
        asked = requests(public, tests, wording)
        return judges.ask(asked, judge, READERS.get(wording, reader), options)
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


def plan_panel(stories, tests, judge, options, wording="ours"):
    """Return `judges.plan_cost` of a live judge's `requests` about stories with texts, or about the
    public ones, whose texts are fetched."""
    if "text" not in stories:
        stories, tests = fetch_texts(stories)
    public = stories[stories["text"] != ""]
    return judges.plan_cost(requests(public, tests, wording), judge, options)


def count_statuses(answers):
    """Return the number of answers by what became of them: Yes or No, refused …"""
    counts = answers["status"].map(STATUSES).value_counts()
    counts = counts.reindex(list(STATUSES.values()), fill_value=0)
    counts = counts[counts > 0].rename("answers")
    return counts.rename_axis("what became of the answers").to_frame()


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
