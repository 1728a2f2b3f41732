"""Explanations by a judge of yours that passed EvolvR's filter, for `tools.training.finetune`.

    python -m tools.training.pairs simulated/faulty                         # for practice
    python -m tools.training.pairs openai/… --per-stratum 10 --max-usd 5    # HANNA's stories

The cost of all checks is shown first, and no paid call is made unless --max-usd is raised. What
passes goes to outputs/executed/evolvr-pairs.jsonl; with HANNA's texts, keep it private.
"""

import argparse
import sys

import numpy as np
import pandas as pd

from helpers import judges
from helpers.evolvr import openings
from helpers.evolvr.load import ASPECTS, load, load_texts, rating_array
from helpers.evolvr.pairs import fill_requests, request_rationales, stratify_pairs
from helpers.evolvr.protocol import round_scores
from helpers.evolvr.rationales import run_algorithm_1
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT

PAIRS = ROOT / "outputs" / "executed" / "evolvr-pairs.jsonl"
FAULTS = {"score": 0.07, "refine": 0.08, "attack": 0.12, "confidence": 0.11}  # as in notebook S3


def choose(per_stratum, data, seed):
    """Return (texts, requests for rationales) for a reader's own judge.

    per_stratum: 0 for our openings; else the number of pairs per aspect and pair of scores that are
    drawn from HANNA's stories, scored by their mean ratings. data: HANNA's `Ratings`.
    """
    if not per_stratum:
        texts = openings.load_openings()
        return texts, openings.draw_requests(texts)
    texts = load_texts().set_index("item")["text"].to_dict()
    rng = np.random.default_rng(seed)
    ratings, _ = rating_array(data)  # aspects x stories x raters
    rounded = round_scores(ratings.mean(axis=2)).astype(int)  # aspects x stories
    drawn = []
    for aspect, scores in zip(ASPECTS, rounded):
        by_story = dict(zip(data.items["item"], scores))
        drawn.append(stratify_pairs(by_story, aspect.lower(), per_stratum, rng))
    pairs = pd.concat(drawn)
    pairs["pair"] = range(len(pairs))  # no number twice, whatever the aspect
    return texts, request_rationales(pairs, texts)


def list_checks(requests, texts):
    """Return all that a judge is asked if each of its explanations passes each check."""
    perfect = openings.FaultyJudge(dict.fromkeys(FAULTS, 0), requests)
    run_algorithm_1(requests, perfect.ask, None, texts)
    return pd.concat(perfect.asked)


def save_pairs(passed, texts, judge, path):
    """Write the explanations that passed, a line of JSON each; those of
    an earlier run stay until there are new ones."""
    if passed.empty:
        raise judges.JudgeError(f"judge {judge}: no explanation passed; nothing to train on")
    columns = ["item", "system", "shared", "prompt", "rationale", "score_a", "score_b"]
    filled = fill_requests(passed, "evolvr-evaluate", texts)[columns]
    replace_file(path, filled.to_json(orient="records", lines=True, force_ascii=False))


def write(judge, per_stratum=0, limit=0, max_usd=0.0, path=PAIRS):
    """Let a judge write and check explanations, write those that pass; return what each check left.

    limit: the first so many explanations (0: all). Raises JudgeError where no answer is usable, or
    no explanation passes.
    """
    texts, requests = choose(per_stratum, load(), seed=0)
    requests = requests.head(limit or None)
    faulty = openings.FaultyJudge(FAULTS, requests)
    options = judges.Options(max_usd=max_usd, simulators={"faulty": faulty.answer})
    plan = judges.plan_cost(list_checks(requests, texts), judge, options)
    print(plan[["calls", "usd_live", "usd_most"]].to_string(index=False))
    ask = openings.ask_of(judge, options)
    _, passed, counts = run_algorithm_1(requests, ask, None, texts)
    save_pairs(passed, texts, judge, path)
    return counts


def main(arguments=None):
    """Write the pairs of a judge; return 0, or 1 with the reason."""
    parser = argparse.ArgumentParser(prog="python -m tools.training.pairs")
    parser.add_argument("judge")
    parser.add_argument("--per-stratum", type=int, default=0, help="HANNA's pairs; 0: ours")
    parser.add_argument("--limit", type=int, default=0, help="first n explanations; 0: all")
    parser.add_argument("--max-usd", type=float, default=0.0)
    asked = parser.parse_args(arguments)
    try:
        print(write(**vars(asked)).to_string(index=False))
    except judges.JudgeError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
