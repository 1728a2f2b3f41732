"""Load the open data of *Art or Artifice?* (ttcw) as tidy, checked tables."""

from functools import cache

import pandas as pd

from helpers.judges import prompts
from helpers.sources.public import DataError, choose_source, locate, read_json
from helpers.sources.published import Printed
from helpers.ttcw import simulate

WRITERS = ["GPT3.5", "GPT4", "Claude", "NewYorker"]
EXPERTS = 3
JUDGES = ["cgpt", "gpt4", "claudev13", "claudev2", "claudev21", "claude3-opus", "gemini-pro"]
TEST_NAMES = {
    1: "Narrative Ending",
    2: "Understandability & Coherence",
    3: "Scene vs Exposition",
    4: "Narrative Pacing",
    5: "Literary Devices & Language Proficiency",
    6: "Emotional Flexibility",
    7: "Structural Flexibility",
    8: "Perspective & Voice Flexibility",
    9: "Originality in Thought",
    10: "Originality in Form",
    11: "Originality in Theme & Content",
    12: "Rhetorical Complexity",
    13: "World Building & Setting",
    14: "Character Development",
}
DIMENSIONS = {
    "Fluency": [2, 4, 3, 5, 1],
    "Flexibility": [6, 8, 7],
    "Originality": [10, 9, 11],
    "Elaboration": [13, 14, 12],
}
ROWS = {
    test: f"{dimension} / {TEST_NAMES[test]}"
    for dimension, tests in DIMENSIONS.items()
    for test in tests
}
PRINTED_WRITERS = {
    "GPT3.5": "GPT3.5",
    "GPT4": "GPT4",
    "Claude": "Claude v1.3",
    "NewYorker": "New Yorker",
}


def load(data, rng):
    """Return (source, sentence, verdicts, stories, tests): the open data, or a simulated panel of
    that shape.

    source: "open" or "simulated" (pass rates and kappas near the printed ones; stories without
    text).
    """
    source, sentence = choose_source("ttcw", data)
    if source == "open":
        return source, sentence, load_verdicts(), load_stories(), load_tests()
    rates, kappas = load_printed()
    verdicts = simulate.simulate_panel((rates.T / 100).clip(0.005, 0.995), kappas, rng)
    stories = verdicts.drop_duplicates("story")[["story", "group", "writer"]].assign(
        text="", words=0
    )
    tests = pd.DataFrame({"test": rates.index, "full_prompt": ""})
    tests["category"] = tests["test"].map(TEST_NAMES)
    tests["question"] = tests["test"].map(prompts.aspects("ttcw"))
    return "simulated", sentence, verdicts, stories, tests


def load_printed():
    """Return (pass rates in percent, tests x writers; kappas by test) as the paper's Table 5 prints
    them."""
    table = Printed("ttcw").grid("Table 5").rename(index={row: test for test, row in ROWS.items()})
    table = table.drop(index="Average").sort_index()
    return table[list(PRINTED_WRITERS.values())].set_axis(list(PRINTED_WRITERS), axis=1), table[
        "Expert Agreement"
    ]


def load_tests():
    """Return the 14 tests of ttcw: test (1-14), dimension, category, question, full_prompt (the
    verbatim instrument)."""
    table = pd.DataFrame(read_json("ttcw/ttcw_all_tests.json"))
    return table.rename(columns={"ttcw_idx": "test", "torrance_dimension": "dimension"})


def load_stories():
    """Return the 48 stories of ttcw: story, group (0-11), writer, title, plot, text ('' for 12 New
    Yorker links), words."""
    table = pd.DataFrame(read_json("ttcw/ttcw_short_stories.json"))
    table["writer"] = table["story_id"].str.split("_", n=1).str[1]
    text = table["content"].where(~table["content"].str.startswith("http"), "")
    return pd.DataFrame(
        {
            "story": table["story_id"],
            "group": table["story_idx"].astype(int),
            "writer": table["writer"],
            "title": table["story_name"],
            "plot": table["plot"],
            "text": text,
            "words": text.str.split().str.len(),
        }
    )


def load_verdicts():
    """Return the 2,016 expert verdicts, checked: story, group, writer, expert, test, category,
    passed (bool), rationale."""
    path, _ = locate("ttcw/ttcw_annotations.json")
    return _verdicts(path, path.stat().st_mtime_ns).copy()


@cache
def _verdicts(path, changed):
    return tidy_verdicts(
        pd.DataFrame(read_json("ttcw/ttcw_annotations.json")), "ttcw/ttcw_annotations.json"
    )


def tidy_verdicts(raw, name):
    """Check raw verdict records (ttcw columns, all strings) and return the table of
    `load_verdicts`.

    Raises DataError naming file, row and expectation: missing column, verdict neither Yes nor No,
    duplicate verdict, a story and test without exactly three experts.
    """
    columns = [
        "story_idx",
        "story_id",
        "expert_idx",
        "ttcw_idx",
        "category",
        "binary_verdict",
        "explanation",
    ]
    missing = [column for column in columns if column not in raw]
    if missing:
        raise DataError(f"{name}: column {missing[0]!r} is missing; expected {', '.join(columns)}")
    odd = raw.index[~raw["binary_verdict"].isin(["Yes", "No"])]
    if len(odd):
        raise DataError(
            f"{name}, record {odd[0] + 1}: verdict {raw.at[odd[0], 'binary_verdict']!r}, expected"
            " Yes or No"
        )
    twice = raw.index[raw.duplicated(["story_id", "ttcw_idx", "expert_idx"])]
    if len(twice):
        raise DataError(
            f"{name}, record {twice[0] + 1}: a second verdict of expert"
            f" {raw.at[twice[0], 'expert_idx']} on story {raw.at[twice[0], 'story_id']}, test"
            f" {raw.at[twice[0], 'ttcw_idx']}; expected one"
        )
    count = raw.groupby(["story_id", "ttcw_idx"])["expert_idx"].transform("nunique")
    short = raw.index[count != EXPERTS]
    if len(short):
        raise DataError(
            f"{name}, record {short[0] + 1}: story {raw.at[short[0], 'story_id']}, test "
            f"{raw.at[short[0], 'ttcw_idx']} has {count[short[0]]} experts, expected {EXPERTS}"
        )
    return pd.DataFrame(
        {
            "story": raw["story_id"],
            "group": raw["story_idx"].astype(int),
            "writer": raw["story_id"].str.split("_", n=1).str[1],
            "expert": raw["expert_idx"].astype(int),
            "test": raw["ttcw_idx"].astype(int),
            "category": raw["category"],
            "passed": raw["binary_verdict"].eq("Yes"),
            "rationale": raw["explanation"],
        }
    )


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
    parts = raw["id"].str.extract(r"^story_(\d+_[^_]+)_test(\d+)$")
    odd = parts.index[parts.isna().any(axis=1) | raw["id"].duplicated()]
    if len(odd):
        raise DataError(
            f"{name}, line {odd[0] + 1}: id {raw.at[odd[0], 'id']!r} is malformed or repeated; "
            "expected story_<group>_<writer>_test<n>, once each"
        )
    table = pd.DataFrame({"story": parts[0], "test": parts[1].astype(int), "text": raw["response"]})
    table.insert(0, "item", table["story"] + "/" + table["test"].astype(str))
    table["finish"] = (
        table["text"].str.strip().eq("Content Blocked").map({True: "content_filter", False: "stop"})
    )
    return table.sort_values(["story", "test"], ignore_index=True)


def make_requests(stories, tests, prompt):
    """Return one request a story and test for the judges: item, story, group, writer, test, system,
    shared, prompt.

    stories: columns story, group, writer, text; tests: test, question, full_prompt; prompt:
    `prompts.load("ttcw-yes-no")`. All tests of one story follow each other, so that providers can
    cache the story. A story without public text gets a stand-in that names it, so that its prompts
    stay its own; do not send those to a live judge.
    """
    rows = []
    for story in stories.itertuples():
        for test in tests.itertuples():
            wording = f"{test.full_prompt}\n\n{test.question}".strip() or f"Test {test.test}."
            text = story.text or f"(The text of story {story.story} is not public.)"
            rows.append(
                {
                    "item": f"{story.story}/{test.test}",
                    "story": story.story,
                    "group": story.group,
                    "writer": story.writer,
                    "test": test.test,
                    **prompt.fill(story=text, test=wording),
                }
            )
    return pd.DataFrame(rows)


def pass_rates(verdicts):
    """Return percentages of Yes, tests x writers (n = 36 verdicts a cell: 12
    stories, 3 experts)."""
    return 100 * verdicts.pivot_table(index="test", columns="writer", values="passed")
