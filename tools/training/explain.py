"""The open judge writes explanations of scores, and filters them by Algorithm 1.

    python -m tools.training.explain data/training/small/cpu.yaml

There are two sorts, of training pairs and of single stories (`SORTS`), by the evaluators that are
wanted. One persona in turn writes about each pair and order, or story, so that a short run sees
many. Two pairs in both orders, or four stories, make a batch; when the time is up the batch is
finished and the rest is left. What was asked stays in a store, so a run that was stopped goes on.
Explanations are about a data set's texts: they stay in outputs/local/, and only their counts and
scores are kept.
"""

import sys
import time

import httpx2
import numpy as np
import pandas as pd
from goodjudge.ask import addresses, local
from goodjudge.ask.errors import JudgeError
from goodjudge.ask.labels import YES_NO
from tqdm import tqdm

from helpers import judges
from helpers.evolvr.pairs import SCORES, fill_requests, load_personas, request_single
from helpers.evolvr.rationales import algorithm_1, find_kind, synthesize
from helpers.sources.files import DataError, replace_file
from tools.training.examples import NAMES
from tools.training.minutes import noting_minutes
from tools.training.settings import make_parser, read_settings, take_up
from tools.training.stories import draw_pairs, split_stories

SENTENCE = r"root ::= [A-Z] [^\x00-\x1f\[\]]{30,170} "
PAIR = SENTENCE + r'"\n[[A: " [1-5] ", B: " [1-5] "]]"'
SINGLE = SENTENCE + r'"\n[[" [1-5] "]]"'
VERDICT = """root ::= "Verdict: " ("Yes" | "No")"""
PARAMS = {"temperature": 0.6}  # greedy decoding makes a small model repeat itself
LONGEST = 80  # tokens of an explanation with its scores
TOP = 50  # tokens whose probabilities are read
BATCH = 4  # explanations: two pairs in both orders, or four stories
LEAST = 10  # explanations that a training needs


def request_explanations(pairs, texts):
    """Return one request per pair and order, by five personas in turn; item: '<pair>/<twin>/
    <persona>'."""
    personas = load_personas()
    turn = np.arange(len(pairs)) % len(personas)
    table = pairs.reset_index(drop=True).join(personas.iloc[turn].reset_index(drop=True))
    pair = table["pair"].astype(str)
    twin = table["twin"].astype(str)
    table.insert(0, "item", pair + "/" + twin + "/" + table["persona"])
    return fill_requests(table, "evolvr-short-synthesis", texts)


def request_single_explanations(pairs, texts):
    """Return one request per story that stands first in `pairs`, in this order, by five personas in
    turn, none twice about a story; item: '<story>/<aspect>/<persona>'."""
    first = pairs[["story_a", "aspect", "score_a"]]
    first = first.set_axis(["story", "aspect", "score_given"], axis=1)
    requests = request_single(first.drop_duplicates(), texts)
    turn = first[["story"]].assign(persona=np.resize(load_personas()["persona"], len(first)))
    return turn.drop_duplicates().merge(requests, on=["story", "persona"])


# what the names of the files of a sort end with: (its requests, the form of an explanation)
SORTS = {"": (request_explanations, PAIR), "-single": (request_single_explanations, SINGLE)}


def list_sorts(kinds):
    """Return the sorts of explanations that evaluators of these kinds learn from."""
    return [sort for sort in SORTS if {f"explained{sort}", f"unfiltered{sort}"} & set(kinds)]


def ask_of(judge, transcripts, concurrency, form):
    """Return ask(requests, reader) of a judge on this machine, held to its form by a grammar; form:
    that of an explanation."""

    def ask(requests, reader):
        grammar = VERDICT if reader is YES_NO else form
        options = judges.Options(
            transcripts=transcripts,
            concurrency=concurrency,
            max_output_tokens=LONGEST,
            params=PARAMS | {"grammar": grammar},
            structured=False,
            progress=False,
        )
        return judges.ask(requests, judge, reader, options)

    return ask


def read_probabilities(base_url, frame):
    """Return the probabilities (of the scores 1 to 5, sum 1) of what a server would write next
    (evolvr, Equation 13); even, where no score is among the likeliest tokens."""
    head = [frame[part] for part in ("system", "shared", "prompt") if frame[part]]
    prompt = "\n\n".join([*head, frame["begun"]]).rstrip()
    body = {"prompt": prompt, "max_tokens": 1, "temperature": 0, "logprobs": TOP}
    url, with_proxy = f"{base_url}/completions", not addresses.is_here(base_url)
    reply = httpx2.post(url, json=body, timeout=600, trust_env=with_proxy).raise_for_status()
    likeliest = reply.json()["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    logs = {entry["token"].strip(): entry["logprob"] for entry in likeliest}
    of_scores = np.array([logs.get(str(score), -np.inf) for score in SCORES])
    if np.isinf(of_scores).all():
        return np.full(len(SCORES), 1 / len(SCORES))
    weights = np.exp(of_scores - of_scores.max())
    return weights / weights.sum()


def filter_batch(requests, ask, base_url, texts):
    """Return {stage: pool} of a batch: what is left after each step of Algorithm 1."""

    def probabilities(frames):
        return np.array([read_probabilities(base_url, frame) for frame in frames])

    pool = synthesize(requests, ask)
    left = {"initial pool": pool}
    for stage, operator in algorithm_1(ask, probabilities, texts):
        if len(pool):
            pool = operator(pool)
        left[stage] = pool
    return left


def write_explanations(requests, texts, ask, base_url, seconds, bar):
    """Write and filter explanations until the time is up; return {stage: pool} of all batches.

    requests: of a sort, in the order in which they are taken; texts: {story: text}; ask: of
    `ask_of`; base_url: the server's, for its probabilities; bar: of tqdm, or None.
    """
    end = time.monotonic() + seconds
    batches = []
    for start in range(0, len(requests), BATCH):
        if time.monotonic() > end:
            break
        batches.append(filter_batch(requests.iloc[start : start + BATCH], ask, base_url, texts))
        if bar is not None:
            bar.update(BATCH)
    stages = batches[0]
    return {stage: pd.concat([left[stage] for left in batches]) for stage in stages}


def choose_passed(left, least=LEAST):
    """Return (stage, pool): what passed the whole filter or, if that is less than `least`
    explanations, what passed the attack, the check before the last."""
    for stage in ("confidence", "attack"):
        if len(left[stage]) >= least:
            break
    return stage, left[stage]


def shuffle_pairs(pairs, rng):
    """Return pairs in random order, each followed by its twin, so that any first part of them is
    balanced over scores as far as chance has it."""
    order = rng.permutation(pairs["pair"].unique())
    return pairs.set_index("pair").loc[order].reset_index()


def save_explanations(left, folder, sort):
    """Write explained.jsonl, for training, unfiltered.jsonl, all that were written, and filter.csv,
    counts; of the other sort explained-single.jsonl, unfiltered-single.jsonl, filter-single.csv."""
    stage, passed = choose_passed(left)
    tables = {"explained": passed, "unfiltered": left["initial pool"]}
    for name, pool in tables.items():
        columns = ["item", *NAMES, *find_kind(pool).scores, "rationale"]
        lines = pool.filter(columns).to_json(orient="records", lines=True, force_ascii=False)
        replace_file(folder / f"{name}{sort}.jsonl", lines)
    counts = pd.DataFrame({"stage": list(left), "remaining": [len(pool) for pool in left.values()]})
    counts["trained_on"] = counts["stage"] == stage
    replace_file(folder / f"filter{sort}.csv", counts.to_csv(index=False))


def main(arguments=None):
    """Write and filter explanations with one settings file; return 0, or 1 with the reason."""
    asked = make_parser("explain").parse_args(arguments)
    try:
        settings = read_settings(asked)
        folder = settings.folder
        take_up(settings)
        sorts = list_sorts(settings.kinds)
        # what is written stays: evaluators may have been trained on it
        sorts = [sort for sort in sorts if not (folder / f"explained{sort}.jsonl").is_file()]
        if not sorts:
            return 0
        table = split_stories(settings.words, "prompt")
        learnt_from = table[table["part"] == "train"]
        pairs = draw_pairs(learnt_from, settings.per_stratum, np.random.default_rng(0))
        pairs = shuffle_pairs(pairs, np.random.default_rng(1))
        texts = dict(zip(table["item"], table["text"]))
        judge = local.name_judge(settings.judge, settings.judge)
        seconds = 60 * settings.explain_minutes
        for sort in sorts:
            request, form = SORTS[sort]
            ask = ask_of(judge, folder / "explanations.sqlite", concurrency=4, form=form)
            noting = noting_minutes(folder, "explain", f"explained{sort}")
            serving = local.serving(settings.judge)
            with noting, serving as base_url, tqdm(desc=f"explained{sort}") as bar:
                how = (texts, ask, base_url, seconds, bar)
                left = write_explanations(request(pairs, texts), *how)
            save_explanations(left, folder, sort)
    except (DataError, JudgeError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
