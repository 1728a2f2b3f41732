"""EvolvR's filter on a slice of our own stories: with planted faults, or a judge replayed."""

import json

import numpy as np
import pandas as pd

from helpers import judges
from helpers.evolvr.filter import run_algorithm_1
from helpers.evolvr.load import ASPECTS, load_texts, rating_array
from helpers.evolvr.pairs import fill_requests, request_rationales, stratify_pairs
from helpers.evolvr.protocol import round_scores
from helpers.judges.requests.calls import digest
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT

# coherence as the stories were made, not as readers rated them
BY_DESIGN = {"careful": 5, "plain": 4, "told": 3, "broken": 1}
STRATA = ((1, 5), (1, 4), (5, 5))


def slice_texts(words=60):
    """Return {story: its first words} of the twelve stories written for this project."""
    files = sorted((ROOT / "data" / "stories").glob("*.txt"))
    return {file.stem: " ".join(file.read_text(encoding="utf8").split()[:words]) for file in files}


def slice_requests(texts, seed=0, per_stratum=1):
    """Return the slice's synthesis requests on coherence: pairs in both orders, five personas."""
    scores = {story: BY_DESIGN[story.split("-")[1]] for story in texts}
    rng = np.random.default_rng(seed)
    return request_rationales(stratify_pairs(scores, "coherence", per_stratum, rng, STRATA), texts)


def choose(per_stratum, data, seed):
    """Return (texts, synthesis requests) for a judge of a reader's: of the slice or, with that many
    pairs per aspect and two scores, of HANNA's stories, as `Ratings`, and their mean ratings."""
    if not per_stratum:
        return slice_texts(), slice_requests(slice_texts())
    texts, rng = load_texts().set_index("story")["text"].to_dict(), np.random.default_rng(seed)
    rounded = round_scores(rating_array(data)[0].mean(axis=2)).astype(int)
    given = ((dict(enumerate(scores)), name.lower()) for name, scores in zip(ASPECTS, rounded))
    drawn = pd.concat([stratify_pairs(*one, per_stratum, rng) for one in given])
    return texts, request_rationales(drawn.assign(pair=range(len(drawn))), texts)


def list_checks(requests, texts):
    """Return all that a judge is asked if each of its explanations passes each check."""
    perfect = FaultyJudge(dict.fromkeys(("score", "refine", "attack", "confidence"), 0), requests)
    run_algorithm_1(requests, perfect.ask, None, texts)
    return pd.concat(perfect.asked)


def save_pairs(passed, texts, judge, path):
    """Write the explanations that passed, a line of JSON each, for `tools/finetune.py`; those of
    an earlier run stay until there are new ones."""
    if passed.empty:
        raise judges.JudgeError(f"judge {judge}: no explanation passed; nothing to train on")
    columns = ["item", "system", "shared", "prompt", "rationale", "score_a", "score_b"]
    filled = fill_requests(passed, "evolvr-evaluate", texts)[columns]
    replace_file(path, filled.to_json(orient="records", lines=True, force_ascii=False))


def ask_of(judge, options=None):
    """Return ask(requests, reader) of a judge; it raises JudgeError where no answer is usable."""

    def ask(requests, reader):
        answers = judges.ask(requests, judge, reader, options)
        judges.check_usable(answers, judge)
        return answers

    return ask


def replay(name):
    """Return what a recorded judge, such as "smollm2-evolvr", left of the slice by Algorithm 1;
    KeyError if a frame's probabilities were never recorded."""
    path, texts = ROOT / "data" / "recorded" / f"{name}-confidence.json", slice_texts()
    kept, ask = json.loads(path.read_text(encoding="utf8")), ask_of(f"recorded/{name}")

    def probabilities(frames):
        return np.array([kept[frame_key(frame)] for frame in frames])

    return run_algorithm_1(slice_requests(texts), ask, probabilities, texts)


def frame_key(frame):
    """Return the SHA-256 of what determines the probabilities of a frame."""
    return digest([frame[part] for part in ("system", "shared", "prompt", "begun")])


class FaultyJudge:
    """A simulated judge whose faults are known: the control for the filter.

    faults: probabilities. score: it ends on other scores than given; refine: rewriting loses them;
    attack: it misses a contradiction; confidence: the true pair of scores is not the likeliest.
    """

    def __init__(self, faults, requests, seed=0):
        self.faults, self.truth = faults, requests.set_index("item")
        self.rng, self.asked = np.random.default_rng(seed), []
        self.options = judges.Options(simulators={"faulty": self.answer}, seed=seed)

    def ask(self, requests, reader):
        """Return the answers to requests, as `judges.ask` does, and keep them in `asked`."""
        self.asked.append(requests.assign(item=f"{len(self.asked)} " + requests["item"]))
        return judges.ask(requests, "simulated/faulty", reader, self.options)

    def answer(self, row, rng):
        """Return the text for one request; which stage asks is seen from the columns that it
        brings."""
        slip = rng.random()
        if "false_a" in row:
            return "Verdict: No" if slip < self.faults["attack"] else "Verdict: Yes"
        if "side" in row:
            true = row[f"score_{row['side'].lower()}"]
            return str(true % 5 + 1 if slip < self.faults["confidence"] else true)
        if row.get("rationale"):
            return "The label got lost." if slip < self.faults["refine"] else row["rationale"]
        a = row["score_a"] % 5 + 1 if slip < self.faults["score"] else row["score_a"]
        return f"{row['persona']} on {row['item']}: the reasons.\n[[A: {a}, B: {row['score_b']}]]"

    def probabilities(self, frames):
        """Return a peak at the true score, or beside it for a share of the first stories."""
        found = np.full((len(frames), 5), 0.1)
        for row, frame in zip(found, frames):
            true = self.truth.at[frame["item"], f"score_{frame['side']}"]
            missed = frame["side"] == "a" and self.rng.random() < self.faults["confidence"]
            row[true % 5 if missed else true - 1] = 0.6
        return found
