"""What experts and recorded judges wrote to explain their verdicts: its length, and its theme.

A theme is one of `data/prompts/themes.yaml`. `find_theme` counts that file's words in a text; a
judge is asked for a theme by `requests`, and `reader` reads its answer. Kept are the numbers and
labels alone (`load`); the texts are fetched (`load_texts`).
"""

import re

import numpy as np
import pandas as pd
from goodjudge.ask import labels
from goodjudge.stats import intervals

from helpers import prompts
from helpers.sources.kept import read_kept
from helpers.ttcw import load as ttcw

EXPERTS = "experts"
THEMES = list(prompts.read("themes"))
OTHER = "other"
reader = labels.choice({name: place for place, name in enumerate([*THEMES, OTHER])})
CASE = ["story", "expert", "test"]
NAMES = {"item": "story", "rater": "expert", "aspect": "test"}


def load():
    """Return the explanations of experts and of the seven recorded judges, one row each: by
    (EXPERTS or a judge of `ttcw.JUDGES`), story, group (0-11), writer, expert (nan for a judge),
    test, passed (1 Yes, 0 No, nan where a judge's answer is neither), words (split at white space),
    theme (of `find_theme`, nan where it finds none)."""
    table = read_kept("ttcw-explanations").rename(columns=NAMES)
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


def load_noes():
    """Return the experts' explanations of a No, of `load_texts`."""
    texts = load_texts()
    return texts[~texts["passed"]]


def draw_sample(size=60, seed=20261128):
    """Return Noes of experts to be read, drawn from the plots of which the words of the themes were
    not chosen (those with an odd number): rows of `ttcw.load_verdicts`."""
    verdicts = ttcw.load_verdicts()
    noes = verdicts[~verdicts["passed"] & verdicts["group"].mod(2).eq(1)]
    return noes.sample(size, random_state=np.random.default_rng(seed))


def load_readings():
    """Return 60 Noes of experts that were read to check `find_theme`: story, expert, test, and the
    theme that each reader found, a column per reader; none of them is a person."""
    return read_kept("ttcw-readings").rename(columns=NAMES)


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


def share_themes(table):
    """Return per cent of explanations with each theme, tests x (THEMES and OTHER); table: of
    `load`, or a part of it."""
    themes = table["theme"].fillna(OTHER)
    shares = 100 * pd.crosstab(table["test"], themes, normalize="index")
    return shares.reindex(columns=[*THEMES, OTHER], fill_value=0.0)


def find_excess(table):
    """Return how much more frequent each theme is in a No than in a Yes, in points, tests x
    themes."""
    is_no = table["passed"] == 0
    return share_themes(table[is_no]) - share_themes(table[table["passed"] == 1])


def compare_pairs(table):
    """Return (in how many of 100 pairs two experts who say No to the same story on the same test
    have one theme; by how many that is more than for stories on different plots, on the same test,
    with its interval over plots; the number of pairs). table: of `load`."""
    noes = table[(table["by"] == EXPERTS) & (table["passed"] == 0)].fillna({"theme": OTHER})
    pairs = noes.merge(noes, on=["story", "group", "test"], suffixes=("", " 2"))
    pairs = pairs[pairs["expert"] < pairs["expert 2"]]
    apart = noes.merge(noes, on="test", suffixes=("", " 2"))
    apart = apart[apart["group"] != apart["group 2"]]
    by_test = 100 * (apart["theme"] == apart["theme 2"]).groupby(apart["test"]).mean()
    alike = 100.0 * (pairs["theme"] == pairs["theme 2"])
    more = (alike - pairs["test"].map(by_test)).to_numpy()
    return (
        alike.mean(),
        intervals.over_groups(pairs["group"], lambda rows: more[rows].mean()),
        len(pairs),
    )
