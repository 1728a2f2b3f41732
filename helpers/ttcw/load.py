"""Load the open data of *Art or Artifice?* (ttcw) as tidy, checked tables."""

import pandas as pd

from helpers.judges.requests import prompts
from helpers.measures import ratings
from helpers.sources.files import DataError, refuse, require_columns
from helpers.sources.public import choose_source, read_json
from helpers.sources.published import Printed
from helpers.ttcw import simulate

PRINTED_WRITERS = {  # as Tables 5 and 9 call them
    "GPT3.5": "GPT3.5",
    "GPT4": "GPT4",
    "Claude": "Claude v1.3",
    "NewYorker": "New Yorker",
}
WRITERS = list(PRINTED_WRITERS)
EXPERTS = 3
JUDGES = ["cgpt", "gpt4", "claudev13", "claudev2", "claudev21", "claude3-opus", "gemini-pro"]
TESTS = [2, 4, 3, 5, 1, 6, 8, 7, 10, 9, 11, 13, 14, 12]  # the numbers of the rows of Table 5
ROWS = dict(zip(TESTS, Printed("ttcw").grid("Table 5").index))
TEST_NAMES = {test: row.partition(" / ")[2] for test, row in ROWS.items()}


def load(data, rng):
    """Return (source, sentence, verdicts, stories, tests): the open data, or a simulated panel of
    that shape (pass rates and kappas near the printed ones; stories without text)."""
    source, sentence = choose_source("ttcw", data)
    if source == "open":
        return source, sentence, load_verdicts(), load_stories(), load_tests()
    rates, kappas = load_printed()
    verdicts = simulate.simulate_panel((rates.T / 100).clip(0.005, 0.995), kappas, rng)
    stories = verdicts.drop_duplicates("story")[["story", "group", "writer"]]
    stories = stories.assign(text="", words=0)
    tests = pd.DataFrame({"test": rates.index, "full_prompt": ""})
    tests["category"] = tests["test"].map(TEST_NAMES)
    tests["question"] = tests["test"].map(prompts.aspects("ttcw"))
    return "simulated", sentence, verdicts, stories, tests


def to_ratings(verdicts, stories, source="open"):
    """Return the verdicts as `Ratings`: items are stories, aspects tests, scores 1 (Yes) and 0;
    words where the text is at hand."""
    items = stories[["story", "group", "writer"]].rename(columns={"story": "item"})
    if stories["words"].any():
        items["words"] = stories["words"].where(stories["words"] > 0)
    names = {"story": "item", "expert": "rater", "test": "aspect", "passed": "score"}
    given = verdicts[[*names]].rename(columns=names).astype({"score": float})
    return ratings.Ratings(items.reset_index(drop=True), given, source)


def find_majority(verdicts):
    """Return one row per story and test: story, group, writer, test, votes (0-3), item, truth (two
    experts or more say Yes)."""
    cases = verdicts.groupby(["story", "group", "writer", "test"])["passed"]
    table = cases.sum().rename("votes").reset_index()
    items = table["story"] + "/" + table["test"].astype(str)
    return table.assign(item=items, truth=table["votes"] >= 2)


def load_printed():
    """Return (pass rates in percent, tests x writers; kappas by test) as the paper's Table 5 prints
    them."""
    table = Printed("ttcw").grid("Table 5").rename(index={row: test for test, row in ROWS.items()})
    table = table.drop(index="Average").sort_index()
    rates = table[list(PRINTED_WRITERS.values())].set_axis(WRITERS, axis=1)
    return rates, table["Expert Agreement"]


def load_tests():
    """Return the 14 tests of ttcw: test (1-14), dimension, category (the paper's name of the test,
    as in Table 5; the data set calls some otherwise), question, full_prompt (the verbatim
    instrument)."""
    table = pd.DataFrame(read_json("ttcw/ttcw_all_tests.json"))
    table = table.rename(columns={"ttcw_idx": "test", "torrance_dimension": "dimension"})
    return table.assign(category=table["test"].map(TEST_NAMES))


def load_stories():
    """Return the 48 stories of ttcw: story, group (0-11), writer, title, plot, text ('' for 12 New
    Yorker links), words."""
    names = {"story_id": "story", "story_idx": "group", "story_name": "title", "plot": "plot"}
    raw = pd.DataFrame(read_json("ttcw/ttcw_short_stories.json"))
    table = raw[list(names)].rename(columns=names).astype({"group": int})
    table.insert(2, "writer", table["story"].str.split("_", n=1).str[1])
    text = raw["content"].where(~raw["content"].str.startswith("http"), "")
    return table.assign(text=text, words=text.str.split().str.len())


def load_verdicts():
    """Return the 2,016 expert verdicts, checked: story, group, writer, expert, test, category,
    passed (bool), rationale."""
    name = "ttcw/ttcw_annotations.json"
    return tidy_verdicts(pd.DataFrame(read_json(name)), name)


def tidy_verdicts(raw, name):
    """Check raw verdict records (ttcw columns, all strings) and return the table of
    `load_verdicts`.

    Raises DataError naming file, row and expectation: missing column, verdict neither Yes nor No,
    duplicate verdict, a story and test without exactly three experts.
    """
    known = {
        "story_id": "story",
        "story_idx": "group",
        "expert_idx": "expert",
        "ttcw_idx": "test",
        "category": "category",
        "binary_verdict": "passed",
        "explanation": "rationale",
    }
    require_columns(raw, name, list(known))
    table = raw[list(known)].rename(columns=known)
    case = ["story", "test"]
    experts = table.groupby(case)["expert"].transform("nunique")
    checks = [
        ("passed", ~table["passed"].isin(["Yes", "No"]), "Yes or No (binary_verdict)"),
        ("expert", table.duplicated([*case, "expert"]), "each expert once per story and test"),
        ("story", experts != EXPERTS, f"{EXPERTS} experts on each of its tests"),
    ]
    refuse(table, name, checks)
    table = table.astype({"group": int, "expert": int, "test": int})
    table.insert(2, "writer", table["story"].str.split("_", n=1).str[1])
    return table.assign(passed=table["passed"].eq("Yes"))


def load_recorded(judge):
    """Return the shipped answers of one recorded judge: item ('<story>/<test>'), story, test, text,
    finish.

    `finish` is 'content_filter' where the provider blocked the answer (the file says so), else
    'stop'.

    Raises DataError for an unknown judge, an id that is not of the form
    story_<group>_<writer>_test<n>, or a repeated id.
    """
    if judge not in JUDGES:
        raise DataError(f"recorded judge {judge!r} is unknown; expected one of {', '.join(JUDGES)}")
    name = f"ttcw/annotations_{judge}.jsonl"
    raw = pd.DataFrame(read_json(name))
    parts = raw["id"].str.extract(r"^story_(?P<story>\d+_[^_]+)_test(?P<test>\d+)$")
    odd = parts.isna().any(axis=1) | raw["id"].duplicated()
    refuse(raw, name, [("id", odd, "story_<group>_<writer>_test<n>, once each")])
    table = parts.astype({"test": int}).assign(text=raw["response"])
    table.insert(0, "item", parts["story"] + "/" + parts["test"])
    blocked = table["text"].str.strip().eq("Content Blocked")
    table["finish"] = blocked.map({True: "content_filter", False: "stop"})
    return table.sort_values(["story", "test"], ignore_index=True)


def make_requests(stories, tests, prompt):
    """Return one request per story and test: item, story, group, writer, test and the filled parts
    of the Prompt; all tests of one story in a row, so that providers can cache it.

    A story without public text gets a stand-in that names it, so that its prompts stay its own; do
    not send those to a live judge.
    """
    known = stories[["story", "group", "writer", "text"]]
    cases = known.merge(tests[["test", "question", "full_prompt"]], how="cross")
    filled = []
    for case in cases.itertuples():
        text = case.text or f"(The text of story {case.story} is not public.)"
        test = f"{case.full_prompt}\n\n{case.question}".strip()
        filled.append(prompt.fill(story=text, test=test))
    cases.insert(0, "item", cases["story"] + "/" + cases["test"].astype(str))
    return cases[["item", "story", "group", "writer", "test"]].join(pd.DataFrame(filled))


def pass_rates(verdicts, by="test"):
    """Return percentages of Yes, tests (or groups) x writers."""
    return 100 * verdicts.pivot_table(index=by, columns="writer", values="passed")


def split(people):
    """Return {label: Ratings}: of all 48 stories, and of the 36 by machines."""
    machines = ratings.keep(people, people.items["writer"] != "NewYorker")
    return {"48 stories": people, "36 machine stories": machines}
