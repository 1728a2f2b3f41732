"""EvolvR's Algorithm 1: a list of operators over a pool of rationales, and what each leaves.

The judge is given as ask(requests, parse), `judges.ask` of one judge with its options.
"""

import numpy as np
import pandas as pd

from helpers.evolvr.pairs import SCORES, fill_requests
from helpers.judges.labels import SCORES as SCORED
from helpers.judges.labels import parse_scores, parse_yes_no, plain
from helpers.judges.prompts import load


def whole_text(text):
    """Return the whole answer as its own verdict (for rationales, which are read later); None if it
    is empty."""
    return text.strip() or None


# a rationale that was cut off lacks its scores, so the rule check drops it, visibly
whole_text.cut_ok = True


def synthesize(requests, ask):
    """Return the initial pool: the pairs' columns of `requests`, rationale (text or None) and
    status of each answer."""
    answers = ask(requests, whole_text).set_index("item")
    pool = requests.drop(columns=["system", "shared", "prompt"])
    said, status = (pool["item"].map(answers[column]) for column in ("verdict", "status"))
    return pool.assign(rationale=said, status=status)


def check_rule(pool):
    """Keep rationales whose parsed scores equal the true ones exactly (evolvr, Equation 3)."""
    parsed = [parse_scores(text) if isinstance(text, str) else None for text in pool["rationale"]]
    return pool[[found == (a, b) for found, a, b in zip(parsed, pool["score_a"], pool["score_b"])]]


def refine(pool, ask):
    """Replace each rationale by the judge's clearer version (Equation 4); a refusal leaves None,
    which no rule check passes."""
    answers = ask(fill_requests(pool, "evolvr-refine"), whole_text).set_index("item")
    # whole: a rewriting may repeat its prompt
    there = answers["text"].where(answers["status"].isin(["ok", "unparsed"]))
    return pool.assign(rationale=pool["item"].map(there))


def invert_scores(score_a, score_b):
    """Return scores that contradict a rationale: the two swapped; equal scores, which swapping
    leaves alone, become 1 and 5.

    The paper describes the swap only; with stratified pairs a fifth of its pool is ties, so a rule
    for them is needed.
    """
    return (score_b, score_a) if score_a != score_b else (1, 5)


def attack(pool, ask):
    """Keep rationales of which the judge, shown contradicting scores, says that they contradict
    (Equation 5)."""
    table = pool.assign(rationale=[_without_label(text) for text in pool["rationale"]])
    wrong = [invert_scores(a, b) for a, b in zip(pool["score_a"], pool["score_b"])]
    table[["false_a", "false_b"]] = wrong
    requests = fill_requests(table, "evolvr-attack", score_a="false_a", score_b="false_b")
    answers = ask(requests, parse_yes_no).set_index("item")
    return pool[pool["item"].map(answers["verdict"]).eq("Yes").to_numpy()]


def confident(pool, probabilities, texts):
    """Keep rationales after which the true score is the likeliest for both stories (Equations 6 and
    13).

    probabilities(list of {system, shared, prompt, begun}) -> array n x 5 for the scores 1 to 5;
    `begun` is the answer so far.
    """
    right = np.ones(len(pool), bool)
    for side in ("a", "b"):
        frames = confidence_frames(pool, texts, side)
        likely = np.asarray(SCORES)[np.argmax(probabilities(frames), axis=1)]
        right &= likely == pool[f"score_{side}"].to_numpy()
    return pool[right]


def confidence_frames(pool, texts, side):
    """Return the evaluation prompt of each row and the answer up to the score token of story `side`
    ('a' or 'b')."""
    template, frames = load("evolvr-evaluate"), []
    for row in pool.to_dict("records"):
        shown = {name: texts[row[name]] for name in ("story_a", "story_b")}
        begun = _without_label(row["rationale"]) + "\n[[A: "
        if side == "b":
            begun += f"{row['score_a']}, B: "
        frame = {"begun": begun, "item": row["item"], "side": side}
        frames.append(template.fill(**shown, aspect=row["aspect"]) | frame)
    return frames


def _without_label(text):
    """Return a rationale without its lines of scores."""
    return "\n".join(line for line in text.splitlines() if not SCORED.search(plain(line))).strip()


def run_pipeline(pool, operators):
    """Apply (name, function pool -> pool) in order; return the final pool and its attrition, a
    table.

    Columns: stage, remaining, of the pool, of the stage before. An operator that only rewrites is
    reported with the count that it leaves, so that the next check shows what it cost. Nobody is
    asked about an empty pool.
    """
    rows = [("initial pool", len(pool))]
    for name, operator in operators:
        pool = operator(pool) if len(pool) else pool
        rows.append((name, len(pool)))
    table = pd.DataFrame(rows, columns=["stage", "remaining"])
    table["of the pool"] = table["remaining"] / max(table["remaining"].iloc[0], 1)
    before = table["remaining"].shift().clip(lower=1)
    table["of the stage before"] = (table["remaining"] / before).fillna(1.0)
    return pool, table


def algorithm_1(ask, probabilities, texts):
    """Return the paper's list of operators: rule, refinement and rule again, attack, confidence."""
    return [
        ("rule check", check_rule),
        ("refinement, rule check", lambda pool: check_rule(refine(pool, ask))),
        ("attack", lambda pool: attack(pool, ask)),
        ("confidence", lambda pool: confident(pool, probabilities, texts)),
    ]
