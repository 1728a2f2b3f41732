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

A pool of `pairs.request_single` is about single stories, one score each ("[[4]]"): the paper's
pointwise explanations (Appendix B), which it compares with those of pairs. All checks are the same.
"""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd
from goodjudge.ask.labels import GRADE, YES_NO, to_plain_text
from goodjudge.ask.reader import Reader

from helpers.evolvr.ask import reader as DIGIT
from helpers.evolvr.pairs import BRACKETED, PAIR_OF_SCORES, SCORES, fill_requests


def whole_text(text):
    """Return the whole answer, a rationale read later, as its own verdict; None if empty."""
    return text.strip() or None


# a rationale that was cut off lacks its scores, so the rule check drops it, visibly
WHOLE_TEXT = Reader(whole_text, cut_ok=True)


class Kind(NamedTuple):
    """What rationales are about. prompts: what the names of their prompts begin with; sides: a and
    b, or one without a name; begins: what stands before the score of each side; reader: of the
    scores at the end; line: the pattern of the line with the scores."""

    prompts: str
    sides: tuple
    begins: tuple
    reader: Reader
    line: re.Pattern

    @property
    def scores(self):
        """The columns of a pool that hold the true scores."""
        return [name_column("score", side) for side in self.sides]


def name_column(what, side):
    """Return the column of a side: "score_a", or "score_given" where the side has no name."""
    return f"{what}_{side}" if side else f"{what}_given"


PAIRS = Kind("evolvr", ("a", "b"), ("[[A: ", ", B: "), PAIR_OF_SCORES, BRACKETED)
SINGLE = Kind("evolvr-single", ("",), ("[[",), GRADE, re.compile(r"\[\[ ?[1-5] ?\]\]"))


def find_kind(pool):
    """Return the `Kind` of a pool, by its columns."""
    return SINGLE if "score_given" in pool else PAIRS


def run_algorithm_1(requests, ask, probabilities, texts):
    """Return (initial pool, final pool, attrition) of requests for rationales.

    requests: of `pairs.request_rationales` or `pairs.request_single`; ask, probabilities, texts: of
    `algorithm_1`; attrition: of `run_pipeline`.
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
    kind = find_kind(pool)
    is_exact = []
    for rationale, *true in pool[["rationale", *kind.scores]].itertuples(index=False):
        scores = None  # nothing was written
        if isinstance(rationale, str):
            scores = kind.reader.parse(rationale)
        is_exact.append(scores == (true[0] if kind is SINGLE else tuple(true)))
    return pool[np.array(is_exact, bool)]


def refine(pool, ask):
    """Replace each rationale by the judge's clearer version (Equation 4); a refusal leaves None,
    which no rule check passes."""
    requests = fill_requests(pool, f"{find_kind(pool).prompts}-refine")
    answers = ask(requests, WHOLE_TEXT).set_index("item")
    is_written = answers["status"].isin(["ok", "unparsed"])  # a rewriting may repeat its prompt
    rewritten = answers["text"].where(is_written)
    return pool.assign(rationale=pool["item"].map(rewritten))


def attack(pool, ask):
    """Keep rationales that the judge, shown false scores, calls contradicted by them (Equation 5).

    The false scores are the true two swapped, as in the paper. For equal scores, a fifth of
    stratified pairs, the paper has no rule; here they become 1 and 5. Nor has it one for a single
    score; here it becomes the farther end of the scale, 5 for a 3.
    """
    kind = find_kind(pool)
    table = pool.assign(rationale=remove_all_scores(pool), **falsify(pool))
    false_columns = {name_column("score", side): name_column("false", side) for side in kind.sides}
    requests = fill_requests(table, f"{kind.prompts}-attack", **false_columns)
    answers = ask(requests, YES_NO).set_index("item")
    is_contradicted = pool["item"].map(answers["verdict"]).eq("Yes")
    return pool[is_contradicted.to_numpy()]


def falsify(pool):
    """Return {column: false scores} of `attack`."""
    if find_kind(pool) is SINGLE:
        return {"false_given": np.where(pool["score_given"] <= 3, 5, 1)}
    are_equal = pool["score_a"] == pool["score_b"]
    return {
        "false_a": pool["score_b"].mask(are_equal, 1),
        "false_b": pool["score_a"].mask(are_equal, 5),
    }


def confident(pool, probabilities, texts):
    """Keep rationales after which the true score is the likeliest for both stories (Equations 6 and
    13), or for the one.

    probabilities: function of `confidence_frames` -> array, frames x 5, for the scores 1 to 5.
    """
    is_right = np.ones(len(pool), bool)
    for side in find_kind(pool).sides:
        frames = confidence_frames(pool, texts, side)
        places = np.argmax(probabilities(frames), axis=1)
        likeliest = np.array(SCORES)[places]
        is_right &= likeliest == pool[name_column("score", side)].to_numpy()
    return pool[is_right]


def confidence_frames(pool, texts, side):
    """Return a record per rationale: its evaluation prompt (system, shared, prompt), item, side
    ("a", "b"; "" of single stories), and `begun`: the answer up to the score of that side, such as
    "… [[A: 2, B: ". side: of the `Kind`."""
    kind = find_kind(pool)
    begun = remove_all_scores(pool) + "\n"
    for earlier, begin in zip(kind.sides, kind.begins):
        begun += begin
        if earlier == side:
            break
        begun += pool[name_column("score", earlier)].astype(str)
    table = pool.assign(begun=begun, side=side)
    frames = fill_requests(table, f"{kind.prompts}-evaluate", texts)
    return frames[["system", "shared", "prompt", "begun", "item", "side"]].to_dict("records")


def name_scores(pool, ask, texts):
    """Keep rationales from which the judge, shown no scores, names the true ones: `confident` for
    a judge that cannot be made to go on with a begun answer. Where its server gives probabilities
    of the digit, the likeliest counts, as in Equation 13; else the one that it wrote."""
    kind = find_kind(pool)
    is_right = np.ones(len(pool), bool)
    reasons = remove_all_scores(pool)
    for side in kind.sides:
        item = pool["item"] + f"/{side}"
        table = pool.assign(item=item, side=side.upper(), rationale=reasons)
        requests = fill_requests(table, f"{kind.prompts}-confidence", texts)
        answers = ask(requests, DIGIT).set_index("item")
        named = item.map(answers["likeliest"].fillna(answers["verdict"]))
        true_score = pool[name_column("score", side)].astype(str)
        is_right &= named.eq(true_score).to_numpy()
    return pool[is_right]


def remove_all_scores(pool):
    """Return the rationales of a pool without their lines of scores."""
    line = find_kind(pool).line
    return pool["rationale"].map(lambda text: remove_scores(text, line))


def remove_scores(text, line):
    """Return a rationale without its lines of scores; line: their pattern."""
    lines = [one for one in text.splitlines() if not line.search(to_plain_text(one))]
    return "\n".join(lines).strip()
