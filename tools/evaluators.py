"""Tested evaluators of HANNA's stories that read two small models' states: the rows of
data/recorded/evaluators.csv, which notebook 05 shows beside its own.

The committed rows are older (2026-11-22): a kernel ridge on normal scores of the features, trained
on means without severity, with more counts of the text (this file and tools/texts.py at commit
1c99af3). `python -m tools.evaluators` makes them anew with the notebook's ridge, on the notebook's
folds: about two hours of one core, nearly all for SmolLM2's reading. It needs HANNA's open files
and the extras `embed` and `local`. No notebook and no helper imports it.
"""

import hashlib
from functools import partial

import numpy as np
import pandas as pd

from helpers.evolvr import load, train
from helpers.measures.compare import compare
from helpers.measures.statistics import pearson
from helpers.sources.public import ROOT, cache_folder, registry
from tools import embeddings, likelihood

TABLE = ROOT / "data" / "recorded" / "evaluators.csv"
TESTS = {"new prompts": (False, 8, ("group",))}  # new writers, parts of the prompts, intervals over
TESTS["new prompts and writers"] = True, 3, ("writer", "group")


def kept(name, table, make):
    """Return make(), stories x features, kept in the user's cache folder under the checksum of the
    table's texts."""
    text = "\n".join([*table["text"], *table["prompt_text"]])
    path = cache_folder() / f"hanna-{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.npy"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, make())
    return np.load(path)


def embed(table):
    """Return stories x 385: sentence embeddings, and last the cosine of story and prompt."""
    asked = table["prompt_text"].drop_duplicates()
    prompt, story = dict(zip(asked, embeddings.embed(asked))), embeddings.embed(table["text"])
    prompts = np.array([prompt[text] for text in table["prompt_text"]])
    return np.column_stack([story, (story * prompts).sum(axis=1)])


def read_along(prompt, text, tokens=320):
    """Return 11 statistics of SmolLM2's log-likelihoods of a story's first tokens after its prompt,
    and its mean state there."""
    head = [1, *likelihood.tokenize(prompt.strip() + "\n\n")]  # 1: the model's first token
    logs, states = likelihood.forward(head + likelihood.tokenize(text.strip())[:tokens])
    logs = logs[len(head) - 1 :]
    third = max(len(logs) // 3, 1)
    first, last = logs[:third].mean(), logs[-third:].mean()
    whole = [logs.mean(), logs.std(), np.median(logs), first, last, last - first]
    ends = [(logs < -8).mean(), (logs > -0.1).mean(), np.percentile(logs, 10)]
    steps = [np.abs(np.diff(logs)).mean(), logs[:40].mean()]
    return np.r_[whole, ends, steps, states[len(head) :].mean(axis=0)]


def feature_sets(data, cells, table):
    """Return {name: stories x features}: counts of words with what two small models (MiniLM's
    embeddings, SmolLM2's reading) make of the text, and both with the open numbers."""
    counts = data.items.drop(columns=["item", "group", "writer"]).to_numpy(float)
    pairs = list(zip(table["prompt_text"], table["text"]))
    read = kept("smollm2", table, lambda: np.array([read_along(*pair) for pair in pairs]))
    text = np.hstack([counts, kept("embeddings", table, partial(embed, table)), read])
    return {
        "recorded: counts of words and two small models": text,
        "recorded: all three and two small models": np.hstack(
            [text, load.features(cells)["reference-free and LLM"]]
        ),
    }


def study(data, sets):
    """Return the table: features, tested on, estimate (Pearson's r with mean ratings), low, high, n
    and data (checksum of the ratings); sets: {name: stories x features}."""
    parts, target = [], load.rating_array(data)[0].mean(axis=2).T
    for test, (new, count, over) in TESTS.items():
        folds, prompts = train.folds(data.items, new, count), data.items["group"]
        said = {name: train.predict(x, target, folds, prompts) for name, x in sets.items()}
        found = compare(data, load.to_scores(said), pearson, target="all", over=over)
        rows = found.loc[list(sets), ["estimate", "low", "high", "n"]].astype({"n": int})
        parts.append(rows.rename_axis("features").reset_index().assign(**{"tested on": test}))
    sheets = registry()["hanna"]["files"][load.SHEETS]
    table = pd.concat(parts)[["features", "tested on", "estimate", "low", "high", "n"]]
    return table.assign(data=sheets["sha256"][:12])


if __name__ == "__main__":
    hanna, numbers, _ = load.load("open", None)
    table = study(hanna, feature_sets(hanna, numbers, load.load_texts()))
    table.to_csv(TABLE, index=False, float_format="%.4f", lineterminator="\n")
