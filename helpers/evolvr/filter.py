"""EvolvR's Algorithm 1 over a pool of rationales; a judge is `ask(requests, reader)`."""

import numpy as np
import pandas as pd

from helpers.evolvr.ask import reader as DIGIT
from helpers.evolvr.pairs import SCORES, fill_requests
from helpers.judges.answers.labels import PAIR_OF_SCORES, YES_NO, plain
from helpers.judges.answers.labels import SCORES as SCORED
from helpers.judges.answers.reader import Reader


def whole_text(text):
    """Return the whole answer, a rationale read later, as its own verdict; None if empty."""
    return text.strip() or None


# a rationale that was cut off lacks its scores, so the rule check drops it, visibly
WHOLE_TEXT = Reader(whole_text, cut_ok=True)


def synthesize(requests, ask):
    """Return the initial pool: the pairs' columns of `requests`, rationale (or None), status."""
    answers = ask(requests, WHOLE_TEXT).set_index("item")[["verdict", "status"]]
    pool = requests.drop(columns=["system", "shared", "prompt"])
    return pool.join(answers.rename(columns={"verdict": "rationale"}), on="item")


def check_rule(pool):
    """Keep rationales whose parsed scores equal the true ones exactly (evolvr, Equation 3)."""
    parsed = [
        PAIR_OF_SCORES.parse(text) if isinstance(text, str) else None for text in pool["rationale"]
    ]
    return pool[[found == (a, b) for found, a, b in zip(parsed, pool["score_a"], pool["score_b"])]]


def refine(pool, ask):
    """Replace each rationale by the judge's clearer version (Equation 4); a refusal leaves None,
    which no rule check passes."""
    answers = ask(fill_requests(pool, "evolvr-refine"), WHOLE_TEXT).set_index("item")
    # whole: a rewriting may repeat its prompt
    there = answers["text"].where(answers["status"].isin(["ok", "unparsed"]))
    return pool.assign(rationale=pool["item"].map(there))


def attack(pool, ask):
    """Keep rationales of which the judge, shown contradicting scores, says that they contradict
    (Equation 5): the two swapped, as in the paper; equal ones, a fifth of stratified pairs, for
    which it has no rule, become 1 and 5."""
    table = pool.assign(rationale=[_without_label(text) for text in pool["rationale"]])
    wrong = [(b, a) if a != b else (1, 5) for a, b in zip(pool["score_a"], pool["score_b"])]
    table[["false_a", "false_b"]] = wrong
    requests = fill_requests(table, "evolvr-attack", score_a="false_a", score_b="false_b")
    answers = ask(requests, YES_NO).set_index("item")
    return pool[pool["item"].map(answers["verdict"]).eq("Yes").to_numpy()]


def confident(pool, probabilities, texts):
    """Keep rationales after which the true score is the likeliest for both stories (Equations 6 and
    13). probabilities(`confidence_frames`) -> array n x 5 for the scores 1 to 5."""
    right = np.ones(len(pool), bool)
    for side in ("a", "b"):
        frames = confidence_frames(pool, texts, side)
        likely = np.asarray(SCORES)[np.argmax(probabilities(frames), axis=1)]
        right &= likely == pool[f"score_{side}"].to_numpy()
    return pool[right]


def confidence_frames(pool, texts, side):
    """Return each row's evaluation prompt, and `begun`: the answer up to the score of `side`."""
    begun = pool["rationale"].map(_without_label) + "\n[[A: "
    begun += pool["score_a"].astype(str) + ", B: " if side == "b" else ""
    frames = fill_requests(pool.assign(begun=begun, side=side), "evolvr-evaluate", texts)
    return frames[["system", "shared", "prompt", "begun", "item", "side"]].to_dict("records")


def name_scores(pool, ask, texts):
    """Keep rationales from which the judge, shown no scores, names the true ones: `confident` for
    a judge that gives no probabilities of what it would write next."""
    right, reasons = np.ones(len(pool), bool), pool["rationale"].map(_without_label)
    for side in ("a", "b"):
        table = pool.assign(item=pool["item"] + f"/{side}", side=side.upper(), rationale=reasons)
        answers = ask(fill_requests(table, "evolvr-confidence", texts), DIGIT)
        said = table["item"].map(answers.set_index("item")["verdict"])
        right &= said.eq(pool[f"score_{side}"].astype(str)).to_numpy()
    return pool[right]


def _without_label(text):
    """Return a rationale without its lines of scores."""
    return "\n".join(line for line in text.splitlines() if not SCORED.search(plain(line))).strip()


def run_pipeline(pool, operators):
    """Apply (name, function pool -> pool) in order; return the final pool and its attrition: stage,
    remaining, of the pool, of the stage before. Nobody is asked about an empty pool."""
    rows = [("initial pool", len(pool))]
    for name, operator in operators:
        pool = operator(pool) if len(pool) else pool
        rows.append((name, len(pool)))
    table = pd.DataFrame(rows, columns=["stage", "remaining"])
    table["of the pool"] = table["remaining"] / max(table["remaining"].iloc[0], 1)
    before = table["remaining"].shift().clip(lower=1)
    table["of the stage before"] = (table["remaining"] / before).fillna(1.0)
    return pool, table


def run_algorithm_1(requests, ask, probabilities, texts):
    """Return (initial pool, final pool, attrition) of synthesis requests; else as `algorithm_1`."""
    pool = synthesize(requests, ask)
    return pool, *run_pipeline(pool, algorithm_1(ask, probabilities, texts))


def algorithm_1(ask, probabilities, texts):
    """Return the paper's list of operators; `probabilities` None: `name_scores` is the last."""
    check, source = (confident, probabilities) if probabilities else (name_scores, ask)
    return [
        ("rule check", check_rule),
        ("refinement, rule check", lambda pool: check_rule(refine(pool, ask))),
        ("attack", lambda pool: attack(pool, ask)),
        ("confidence", lambda pool: check(pool, source, texts)),
    ]
