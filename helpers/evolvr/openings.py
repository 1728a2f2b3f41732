"""EvolvR's filter of rationales, tried on the openings of our own stories.

The twelve stories written for this project are known by design: of one plot, a careful version was
meant to be more coherent than a broken one. Pairs of their openings are given the scores that we
intended, a judge writes a rationale (an explanation) of each pair of scores, and the four checks of
`rationales` drop those that fail. Notebook S3 does so with two kinds of judges: a simulated one
with planted faults (`FaultyJudge`), of which the right attrition is known, and recorded ones
(`replay`). `tools.training.pairs` does so with a reader's own.
"""

import json

import numpy as np
from goodjudge.ask.calls import digest

from helpers import judges
from helpers.evolvr.pairs import request_rationales, stratify_pairs
from helpers.evolvr.rationales import run_algorithm_1
from helpers.sources.public import ROOT

# coherence as the stories were made, not as readers rated them
BY_DESIGN = {"careful": 5, "plain": 4, "told": 3, "broken": 1}
STRATA = ((1, 5), (1, 4), (5, 5))  # the pairs of scores that are drawn


def load_openings(words=60):
    """Return {story: its first words}; a story is called "<plot>-<version>", as its file is."""
    texts = {}
    for file in sorted((ROOT / "data" / "stories").glob("*.txt")):
        first_words = file.read_text(encoding="utf8").split()[:words]
        texts[file.stem] = " ".join(first_words)
    return texts


def draw_requests(texts, seed=0, per_stratum=1):
    """Return the requests for rationales about the openings' coherence: `per_stratum` pairs of each
    of STRATA, in both orders, by five personas; texts: of `load_openings`."""
    rng = np.random.default_rng(seed)
    scores = {}
    for story in texts:
        _, version = story.split("-")
        scores[story] = BY_DESIGN[version]
    pairs = stratify_pairs(scores, "coherence", per_stratum, rng, STRATA)
    return request_rationales(pairs, texts)


def ask_of(judge, options=None):
    """Return ask(requests, reader) of a judge; it raises JudgeError where no answer is usable."""

    def ask(requests, reader):
        answers = judges.ask(requests, judge, reader, options)
        judges.check_usable(answers, judge)
        return answers

    return ask


def replay(name):
    """Return (initial pool, final pool, attrition) of Algorithm 1 on the openings with a recorded
    judge, such as "smollm2-evolvr"; KeyError if a frame's probabilities were never recorded."""
    file = ROOT / "data" / "recorded" / f"{name}-confidence.json"
    recorded = json.loads(file.read_text(encoding="utf8"))

    def probabilities(frames):
        return np.array([recorded[frame_key(frame)] for frame in frames])

    texts = load_openings()
    requests = draw_requests(texts)
    ask = ask_of(f"recorded/{name}")
    return run_algorithm_1(requests, ask, probabilities, texts)


def frame_key(frame):
    """Return the SHA-256 of what determines the probabilities of a frame."""
    return digest([frame["system"], frame["shared"], frame["prompt"], frame["begun"]])


class FaultyJudge:
    """A simulated judge whose faults are known: the control for the filter.

    faults: {stage: the probability of its fault}. score: the rationale ends on other scores than it
    was given; refine: rewriting loses the scores; attack: a contradiction is missed; confidence:
    the true pair of scores is not the likeliest. requests: of `draw_requests`.
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
        """Return the text for one request; the columns that it brings tell the stage that asks."""
        luck = rng.random()
        if "false_a" in row:
            return self.answer_attack(luck)
        if "side" in row:
            return self.name_score(row, luck)
        if row.get("rationale"):
            return self.rewrite(row, luck)
        return self.explain(row, luck)

    def explain(self, row, luck):
        """Return a first rationale, with its line of scores."""
        score_a = row["score_a"]
        if luck < self.faults["score"]:
            score_a = take_next(score_a)
        reasons = f"{row['persona']} on {row['item']}: the reasons."
        return f"{reasons}\n[[A: {score_a}, B: {row['score_b']}]]"

    def rewrite(self, row, luck):
        """Return the rationale as it was, or something without scores."""
        if luck < self.faults["refine"]:
            return "The label got lost."
        return row["rationale"]

    def answer_attack(self, luck):
        """Return whether the rationale contradicts false scores: Yes, unless that is missed."""
        if luck < self.faults["attack"]:
            return "Verdict: No"
        return "Verdict: Yes"

    def name_score(self, row, luck):
        """Return the score of one side that the rationale speaks for, or the next one."""
        score = row[f"score_{row['side'].lower()}"]
        if luck < self.faults["confidence"]:
            score = take_next(score)
        return str(score)

    def probabilities(self, frames):
        """Return frames x 5: a peak at the true score; for a share of the stories shown first, at
        the next score."""
        table = np.full((len(frames), 5), 0.1)
        for probability, frame in zip(table, frames):
            score = self.truth.at[frame["item"], f"score_{frame['side']}"]
            if frame["side"] == "a" and self.rng.random() < self.faults["confidence"]:
                score = take_next(score)
            probability[score - 1] = 0.6
        return table


def take_next(score):
    """Return another score from 1 to 5: the next one, 1 after 5."""
    return score % 5 + 1
