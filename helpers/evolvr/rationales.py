"""EvolvR's Algorithm 1: rationales are written, then checked in four ways.

A rationale explains the scores of two stories, and ends on them:

    Story B surprises, story A does not.
    [[A: 2, B: 4]]

Each check is an operator, a function from a pool of rationales to those that pass:

    rule check              the last line has the scores that were given
    refinement, rule check  the judge writes it more clearly; the scores are still there
    attack                  shown false scores, the judge sees that they contradict it
    confidence              without its scores, the judge finds the true ones the likeliest

`run_algorithm_1` writes a pool, applies the four in this order, and counts what each leaves. A pool
is a table with a row per rationale: item, the pair's columns (of `pairs.request_rationales`),
rationale (text, or None), status. A judge is a function `ask(requests, reader)` -> answers.
"""

import numpy as np
import pandas as pd
from goodjudge.ask.labels import YES_NO, to_plain_text
from goodjudge.ask.reader import Reader

from helpers.evolvr.ask import reader as DIGIT
from helpers.evolvr.pairs import BRACKETED, PAIR_OF_SCORES, SCORES, fill_requests


def whole_text(text):
    """Return the whole answer, a rationale read later, as its own verdict; None if empty."""
    return text.strip() or None


# a rationale that was cut off lacks its scores, so the rule check drops it, visibly
WHOLE_TEXT = Reader(whole_text, cut_ok=True)


def run_algorithm_1(requests, ask, probabilities, texts):
    """Return (initial pool, final pool, attrition) of requests for rationales.

    requests: of `pairs.request_rationales`; ask, probabilities, texts: of `algorithm_1`; attrition:
    of `run_pipeline`.
    """
    pool = synthesize(requests, ask)
    final, attrition = run_pipeline(pool, algorithm_1(ask, probabilities, texts))
    return pool, final, attrition


def algorithm_1(ask, probabilities, texts):
    """Return the paper's operators, [(name, function pool -> pool)], in their order.

    ask: the judge; probabilities: of `confident`, or None for a judge without: then `name_scores`
    is the last operator; texts: {story: text}.
    """

    def refine_and_check(pool):
        return check_rule(refine(pool, ask))

    def attack_by_judge(pool):
        return attack(pool, ask)

    def check_confidence(pool):
        if probabilities is None:
            return name_scores(pool, ask, texts)
        return confident(pool, probabilities, texts)

    return [
        ("rule check", check_rule),
        ("refinement, rule check", refine_and_check),
        ("attack", attack_by_judge),
        ("confidence", check_confidence),
    ]


def run_pipeline(pool, operators):
    """Return (final pool, attrition) after operators, [(name, function pool -> pool)], in order.

    attrition: stage, remaining (rationales), and their shares of the pool and of the stage before.
    Nobody is asked about an empty pool.
    """
    stages = [("initial pool", len(pool))]
    for name, operator in operators:
        if len(pool):
            pool = operator(pool)
        stages.append((name, len(pool)))
    attrition = pd.DataFrame(stages, columns=["stage", "remaining"])
    remaining = attrition["remaining"]
    attrition["of the pool"] = remaining / max(remaining.iloc[0], 1)
    before = remaining.shift().clip(lower=1)
    attrition["of the stage before"] = (remaining / before).fillna(1.0)
    return pool, attrition


def synthesize(requests, ask):
    """Return the initial pool: the pairs' columns of `requests`, rationale (or None), status."""
    answers = ask(requests, WHOLE_TEXT).set_index("item")
    written = answers[["verdict", "status"]].rename(columns={"verdict": "rationale"})
    pairs = requests.drop(columns=["system", "shared", "prompt"])
    return pairs.join(written, on="item")


def check_rule(pool):
    """Keep rationales that end on exactly the scores that were given (evolvr, Equation 3)."""
    is_exact = []
    for row in pool.itertuples():
        scores = None  # nothing was written
        if isinstance(row.rationale, str):
            scores = PAIR_OF_SCORES.parse(row.rationale)
        is_exact.append(scores == (row.score_a, row.score_b))
    return pool[np.array(is_exact, bool)]


def refine(pool, ask):
    """Replace each rationale by the judge's clearer version (Equation 4); a refusal leaves None,
    which no rule check passes."""
    requests = fill_requests(pool, "evolvr-refine")
    answers = ask(requests, WHOLE_TEXT).set_index("item")
    is_written = answers["status"].isin(["ok", "unparsed"])  # a rewriting may repeat its prompt
    rewritten = answers["text"].where(is_written)
    return pool.assign(rationale=pool["item"].map(rewritten))


def attack(pool, ask):
    """Keep rationales that the judge, shown false scores, calls contradicted by them (Equation 5).

    The false scores are the true two swapped, as in the paper. For equal scores, a fifth of
    stratified pairs, the paper has no rule; here they become 1 and 5.
    """
    are_equal = pool["score_a"] == pool["score_b"]
    table = pool.assign(
        rationale=pool["rationale"].map(remove_scores),
        false_a=pool["score_b"].mask(are_equal, 1),
        false_b=pool["score_a"].mask(are_equal, 5),
    )
    requests = fill_requests(table, "evolvr-attack", score_a="false_a", score_b="false_b")
    answers = ask(requests, YES_NO).set_index("item")
    is_contradicted = pool["item"].map(answers["verdict"]).eq("Yes")
    return pool[is_contradicted.to_numpy()]


def confident(pool, probabilities, texts):
    """Keep rationales after which the true score is the likeliest for both stories (Equations 6 and
    13).

    probabilities: function of `confidence_frames` -> array, frames x 5, for the scores 1 to 5.
    """
    is_right = np.ones(len(pool), bool)
    for side in ("a", "b"):
        frames = confidence_frames(pool, texts, side)
        places = np.argmax(probabilities(frames), axis=1)
        likeliest = np.array(SCORES)[places]
        is_right &= likeliest == pool[f"score_{side}"].to_numpy()
    return pool[is_right]


def confidence_frames(pool, texts, side):
    """Return a record per rationale: its evaluation prompt (system, shared, prompt), item, side
    ("a" or "b"), and `begun`: the answer up to the score of that side, such as "… [[A: 2, B: "."""
    begun = pool["rationale"].map(remove_scores) + "\n[[A: "
    if side == "b":
        begun += pool["score_a"].astype(str) + ", B: "
    frames = fill_requests(pool.assign(begun=begun, side=side), "evolvr-evaluate", texts)
    return frames[["system", "shared", "prompt", "begun", "item", "side"]].to_dict("records")


def name_scores(pool, ask, texts):
    """Keep rationales from which the judge, shown no scores, names the true ones: `confident` for
    a judge that gives no probabilities of what it would write next."""
    is_right = np.ones(len(pool), bool)
    reasons = pool["rationale"].map(remove_scores)
    for side in ("a", "b"):
        item = pool["item"] + f"/{side}"
        table = pool.assign(item=item, side=side.upper(), rationale=reasons)
        requests = fill_requests(table, "evolvr-confidence", texts)
        answers = ask(requests, DIGIT).set_index("item")
        named = item.map(answers["verdict"])
        true_score = pool[f"score_{side}"].astype(str)
        is_right &= named.eq(true_score).to_numpy()
    return pool[is_right]


def remove_scores(text):
    """Return a rationale without its lines of scores."""
    lines = [line for line in text.splitlines() if not BRACKETED.search(to_plain_text(line))]
    return "\n".join(lines).strip()
