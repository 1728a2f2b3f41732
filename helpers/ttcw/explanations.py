"""What experts and recorded judges wrote to explain their verdicts: how long it is, and what a No is
about.

A theme is one of `data/prompts/themes.yaml`. `find_theme` counts that file's words in a text; a
judge is asked for a theme by `requests`, and `reader` reads its answer. Kept are the numbers and
labels alone (`load`); the texts are fetched (`load_texts`).
"""

import re

import pandas as pd
from goodjudge.stats import intervals

from helpers.judges.answers import labels
from helpers.judges.requests import prompts
from helpers.sources.kept import read_kept
from helpers.ttcw import load as ttcw

EXPERTS = "experts"
THEMES = list(prompts.read("themes"))
OTHER = "other"
reader = labels.choice({name: place for place, name in enumerate([*THEMES, OTHER])})
CASE = ["story", "expert", "test"]


def load():
    """Return the explanations of experts and of the seven recorded judges, one row each: by
    (EXPERTS or a judge of `ttcw.JUDGES`), story, group (0-11), writer, expert (nan for a judge),
    test, passed (1 Yes, 0 No, nan where a judge's answer is neither), words (split at white space),
    theme (of `find_theme`, nan where it finds none)."""
    names = {"item": "story", "rater": "expert", "aspect": "test"}
    table = read_kept("ttcw-explanations").rename(columns=names)
    table["group"], table["writer"] = ttcw.split_story(table["story"])
    verdicts = ttcw.load_verdicts().assign(by=EXPERTS)
    answers = [ttcw.load_answers(judge).assign(by=judge) for judge in ttcw.JUDGES]
    answers = pd.concat(answers).dropna(subset="label")
    answers["passed"] = answers["label"].eq("Yes")
    known = pd.concat([verdicts, answers])[["by", *CASE, "passed"]].astype({"passed": float})
    return table.merge(known, on=["by", *CASE], how="left")


def load_texts():
    """Return the experts' explanations with their texts: story, expert, test, passed, text; fetched
    as `ttcw.load_texts`."""
    return ttcw.load_verdicts()[[*CASE, "passed"]].assign(text=ttcw.load_rationales())


def load_readings():
    """Return the sample of Noes that was read to check `find_theme`: story, expert, test, and a
    column of themes per reader."""
    names = {"item": "story", "rater": "expert", "aspect": "test"}
    return read_kept("ttcw-readings").rename(columns=names)


def find_theme(text):
    """Return the theme with most words in a text, of several the one that it names first; None
    where there is none.

    >>> find_theme("A trope, told in stock phrases.")
    'stock'
    """
    found = {}
    for theme, pattern in PATTERNS.items():
        places = [match.start() for match in pattern.finditer(text.lower().replace("’", "'"))]
        if places:
            found[theme] = (len(places), -places[0])
    return max(found, key=found.get) if found else None


def compile_theme(words):
    """Return the pattern of a theme: a word that begins with one of some beginnings."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})")


PATTERNS = {name: compile_theme(prompts.read("themes")[name]["words"]) for name in THEMES}


def requests(texts):
    """Return a request per explanation for its theme: item, system, shared, prompt.

    texts: of `load_texts`; item is "<story>/<expert>/<test>".
    """
    template = prompts.load("ttcw-theme")
    questions = prompts.aspects("ttcw")
    shown = "\n".join(f"{name}: {prompts.read('themes')[name]['about']}" for name in THEMES)
    filled = []
    for row in texts.itertuples():
        told = {"themes": shown, "names": ", ".join(THEMES)}
        parts = template.fill(test=questions[row.test], reason=row.text, **told)
        filled.append({"item": f"{row.story}/{row.expert}/{row.test}", **parts})
    return pd.DataFrame(filled)


def measure_words(table):
    """Return how long explanations are, a row per `by`: mean words (estimate, low, high, n: plots),
    the median, how much longer they are than the experts' (an interval over plots), and the mean
    words of a Yes and of a No. table: of `load`."""
    by_plot = table.pivot_table(index="group", columns="by", values="words")
    longer = by_plot.sub(by_plot[EXPERTS], axis=0)
    rows = {}
    for by, part in table.groupby("by", sort=False):
        told = intervals.of_mean(by_plot[by])
        verdict = part.groupby("passed")["words"].mean()
        rows[by] = told.to_dict() | {
            "median": part["words"].median(),
            "longer": intervals.of_mean(longer[by]) if by != EXPERTS else intervals.row(),
            "of a Yes": verdict.get(1.0),
            "of a No": verdict.get(0.0),
        }
    return pd.DataFrame(rows).T


def share_themes(table, by="test"):
    """Return what share of explanations has each theme, `by` x (THEMES and OTHER): rows sum to 1.
    table: of `load`, or a part of it."""
    themes = table["theme"].fillna(OTHER)
    shares = pd.crosstab(table[by], themes, normalize="index")
    return shares.reindex(columns=[*THEMES, OTHER], fill_value=0.0)
