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
    texts = {}
    for file in sorted((ROOT / "data" / "stories").glob("*.txt")):
        first_words = file.read_text(encoding="utf8").split()[:words]
        texts[file.stem] = " ".join(first_words)
    return texts


def slice_requests(texts, seed=0, per_stratum=1):
    """Return the slice's synthesis requests on coherence: pairs in both orders, five personas."""
    rng = np.random.default_rng(seed)
    scores = {}
    for story in texts:
        writer = story.split("-")[1]
        scores[story] = BY_DESIGN[writer]
    pairs = stratify_pairs(scores, "coherence", per_stratum, rng, STRATA)
    return request_rationales(pairs, texts)


def choose(per_stratum, data, seed):
    """Return (texts, synthesis requests) for a judge of a reader's: of the slice or, with that many
    pairs per aspect and two scores, of HANNA's stories, as `Ratings`, and their mean ratings."""
    if not per_stratum:
        texts = slice_texts()
        return texts, slice_requests(texts)
    texts = load_texts().set_index("item")["text"].to_dict()
    rng = np.random.default_rng(seed)
    arrays, _ = rating_array(data)
    rounded = round_scores(arrays.mean(axis=2)).astype(int)  # aspects x stories
    drawn = []
    for aspect, scores in zip(ASPECTS, rounded):
        by_story = dict(zip(data.items["item"], scores))
        drawn.append(stratify_pairs(by_story, aspect.lower(), per_stratum, rng))
    pairs = pd.concat(drawn)
    pairs["pair"] = range(len(pairs))  # no number twice, whatever the aspect
    return texts, request_rationales(pairs, texts)


def list_checks(requests, texts):
    """Return all that a judge is asked if each of its explanations passes each check."""
    no_faults = {"score": 0, "refine": 0, "attack": 0, "confidence": 0}
    perfect = FaultyJudge(no_faults, requests)
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
    """Return (initial pool, final pool, attrition) of the slice by Algorithm 1 and a recorded
    judge, such as "smollm2-evolvr"; KeyError if a frame's probabilities were never recorded."""
    file = ROOT / "data" / "recorded" / f"{name}-confidence.json"
    recorded = json.loads(file.read_text(encoding="utf8"))

    def probabilities(frames):
        return np.array([recorded[frame_key(frame)] for frame in frames])

    texts = slice_texts()
    ask = ask_of(f"recorded/{name}")
    return run_algorithm_1(slice_requests(texts), ask, probabilities, texts)


def frame_key(frame):
    """Return the SHA-256 of what determines the probabilities of a frame."""
    return digest([frame["system"], frame["shared"], frame["prompt"], frame["begun"]])


class FaultyJudge:
    """A simulated judge whose faults are known: the control for the filter.

    faults: probabilities. score: it ends on other scores than given; refine: rewriting loses them;
    attack: it misses a contradiction; confidence: the true pair of scores is not the likeliest.
    """

    def __init__(self, faults, requests, seed=0):
        self.faults = faults
        self.truth = requests.set_index("item")
        self.rng = np.random.default_rng(seed)
        self.asked = []  # a table of requests for each stage
        self.options = judges.Options(simulators={"faulty": self.answer}, seed=seed)

    def ask(self, requests, reader):
        """Return the answers to requests, as `judges.ask` does, and keep them in `asked`."""
        stage = len(self.asked)
        self.asked.append(requests.assign(item=f"{stage} " + requests["item"]))
        return judges.ask(requests, "simulated/faulty", reader, self.options)

    def answer(self, row, rng):
        """Return the text for one request; which stage asks is seen from the columns that it
        brings."""
        slip = rng.random()
        if "false_a" in row:  # the attack
            return "Verdict: No" if slip < self.faults["attack"] else "Verdict: Yes"
        if "side" in row:  # confidence
            score = row[f"score_{row['side'].lower()}"]
            if slip < self.faults["confidence"]:
                score = take_next(score)
            return str(score)
        if row.get("rationale"):  # refinement
            return "The label got lost." if slip < self.faults["refine"] else row["rationale"]
        score_a = row["score_a"]
        if slip < self.faults["score"]:
            score_a = take_next(score_a)
        reasons = f"{row['persona']} on {row['item']}: the reasons."
        return f"{reasons}\n[[A: {score_a}, B: {row['score_b']}]]"

    def probabilities(self, frames):
        """Return frames x 5: a peak at the true score, or beside it for a share of the first
        stories."""
        table = np.full((len(frames), 5), 0.1)
        for row, frame in zip(table, frames):
            score = self.truth.at[frame["item"], f"score_{frame['side']}"]
            if frame["side"] == "a" and self.rng.random() < self.faults["confidence"]:
                score = take_next(score)
            row[score - 1] = 0.6
        return table


def take_next(score):
    """Return another score from 1 to 5: the next one, 1 after 5."""
    return score % 5 + 1
