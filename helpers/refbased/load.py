"""Load what the reference-based notebooks need: the study's data, and stories with references for a judge."""

from types import SimpleNamespace

import pandas as pd

from helpers.judges import prompts
from helpers.refbased import rebuild, stories
from helpers.sources import readers
from helpers.sources.public import choose_source
from helpers.sources.published import Printed
from helpers.ttcw import data as ttcw
from helpers.ttcw import simulate


def simulated_verdicts(rng):
    """Return simulated expert verdicts calibrated to ttcw's Table 5, for machines without the open data."""
    table = Printed("ttcw").grid("Table 5").drop(index="Average")
    table = table.rename(index={row: test for test, row in ttcw.ROWS.items()}).sort_index()
    rates = table[list(ttcw.SOURCES.values())].set_axis(list(ttcw.SOURCES), axis=1).T / 100
    return simulate.simulate_panel(rates.clip(0.005, 0.995), table["Expert Agreement"], rng)


def load_study(data, rng):
    """Return the study: source, sentence, raw (open data?), verdicts, stories (None without), human (group x writer)."""
    source, sentence = choose_source("ttcw", data)
    raw = source == "open"
    verdicts = ttcw.load_verdicts() if raw else simulated_verdicts(rng)
    return SimpleNamespace(source=source, sentence=sentence, raw=raw, verdicts=verdicts,
                           stories=ttcw.load_stories() if raw else None,
                           human=rebuild.expert_scores(verdicts=verdicts))


def load_candidates(study, judge, tests, own_stories="", rubric="", references_folder=""):
    """Return what a judge compares: candidates, references ({group: text}), target (group x writer or None), tests, of.

    From a reader's groups (`own_stories`), the study with a reader's copies of its references (`references_folder`), or the
    stories written for this project; `of` says what the target is. Raises ValueError for both at once or a
    recorded judge with own stories or tests; DataError or StoryError for a bad file.
    """
    if own_stories and references_folder:
        raise ValueError("own_stories and references_folder are both given; choose one of the two sets of stories")
    if own_stories or rubric:
        readers.refuse_recorded(judge)
    wanted = {test: prompts.aspects("ttcw")[test] for test in tests}
    if own_stories:
        candidates, references, target = readers.load_groups(own_stories)
        of = "your human scores"
    elif references_folder:
        titles = study.stories.drop_duplicates("group").set_index("group")["title"].to_dict()
        references = stories.load_references(references_folder, titles)
        part = study.stories["writer"].isin(rebuild.LISTED) & study.stories["group"].isin(references)
        candidates, target, of = study.stories[part], study.human, "the experts"
    else:
        project = stories.load_own_stories()
        references = project[project["writer"] == "careful"].set_index("group")["text"].to_dict()
        candidates = project[project["writer"] != "careful"]
        target = candidates.pivot(index="group", columns="writer", values="craft")
        of = "the order in which the stories were made"
    return SimpleNamespace(candidates=candidates, references=references, target=target, of=of,
                           tests=readers.ask_of(readers.load_rubric(rubric)) if rubric else wanted)


def count_words(chosen):
    """Return group x writer: words of every candidate, and of the reference in the last column."""
    words = chosen.candidates.pivot(index="group", columns="writer", values="words")
    return words.assign(reference=pd.Series({group: len(text.split()) for group, text in chosen.references.items()}))
