"""Answers without a call: recorded, with a data set or by us, and simulated by a rule."""

import json
from pathlib import Path

import numpy as np

from goodjudge.ask.answer import COLUMNS, LATER, Answer, answer_to
from goodjudge.ask.calls import name_requests, number_requests
from goodjudge.ask.errors import StoreError
from goodjudge.ask.probabilities import are_probabilities

SIDES = ("Verdict: No", "Verdict: Yes")  # of a coin, where the form of an answer names none


def flip_coin(row, rng):
    """Return one of the two sides of the answer's form, at random."""
    sides = (row["form"] and row["form"].sides) or SIDES
    return sides[int(rng.integers(2))]


PROFILES = {
    "always-yes": lambda row, rng: "Verdict: Yes",
    "always-no": lambda row, rng: "Verdict: No",
    "first": lambda row, rng: "[[A>B]]",
    "coin": flip_coin,
}


class Row(dict):
    """One request for a simulator: row["item"] or row.item, and any other column."""

    __getattr__ = dict.__getitem__


def simulate(calls, requests, profile, options, form=None):
    """Return {key: Answer} by a profile, f(row, rng) -> text; rng by seed, prompt and repeat."""
    profiles = PROFILES | (options.simulators or {})
    if profile not in profiles:
        raise KeyError(
            f"no simulated judge {profile!r}: there are {', '.join(sorted(profiles))}; others come"
            " by `simulators`"
        )
    table = number_requests(requests, texts=False)
    rows = {record["request"]: Row(record, form=form) for record in table.to_dict("records")}
    answers = {}
    for call in calls:
        rng = np.random.default_rng([options.seed, int(call.prompt_key[:15], 16), call.repeat])
        text = profiles[profile](rows[call.request], rng)
        answers[call.key] = answer_to(call, str(text))
    return answers


def replay(calls, name, recorded=None, folder="recorded"):
    """Return {key: Answer} of a table, or of `<name>.jsonl` in a folder; ValueError for none."""
    if recorded is None:
        answers = replay_file(calls, name, Path(folder))
    else:
        answers = replay_table(calls, recorded, name)
    if calls and not answers:
        raise ValueError(
            f"recorded/{name}: none of the {len(calls)} answers asked for is recorded (the first"
            f" item: {calls[0].about!r}); the items, prompts or texts have changed since they were"
            " recorded: record again, or restore them"
        )
    return answers


def replay_table(calls, recorded, name):
    """Return {key: Answer} for answers that came with a data set; a text may be missing.

    recorded: item (and aspect, partner, order, where its requests have them), text, perhaps
    finish. ValueError for a line that is there twice, and for one prompt with two answers.
    """
    if not {"item", "text"} <= set(recorded):
        raise ValueError(f"recorded/{name}: expected the columns item and text")
    names = name_requests(recorded)
    lines = dict(zip(names, recorded.to_dict("records")))
    if len(lines) < len(names):
        raise ValueError(f"recorded/{name}: expected each item once (with aspect, partner, order)")
    texts = {}
    answers = {}
    for call in calls:
        line = lines.get(call.about, {})
        text = line.get("text")
        if not isinstance(text, str) or call.repeat > 1:
            text = None
        if texts.setdefault(call.key, text) != text:
            raise ValueError(
                f"recorded/{name}: item {call.about!r} has the same prompt as an item with"
                " another recorded answer; give every item a prompt of its own (a missing text"
                " needs a stand-in that names it)"
            )
        if text is not None:
            answer = answer_to(call, text, finish=line.get("finish", "stop"))
            answers[call.key] = answer._replace(model=name)
    return answers


def replay_file(calls, name, folder):
    """Return {key: Answer} from `<name>.jsonl` in a folder: by prompt, or, for requests
    without texts, by what they are about."""
    path = folder / f"{name}.jsonl"
    if not path.is_file():
        known = ", ".join(sorted(path.stem for path in folder.glob("*.jsonl"))) or "none"
        raise FileNotFoundError(
            f"no recorded judge {name!r}: {folder.name}/ has {known}; or give `recorded` a table"
        )
    recorded = read_export(path)
    by_prompt = {(answer.prompt_key, answer.repeat): answer for answer in recorded}
    by_item = {(answer.item, answer.repeat): answer for answer in recorded}
    answers = {}
    for call in calls:
        if call.prompt or call.shared:
            answer = by_prompt.get((call.prompt_key, call.repeat))
        else:
            answer = by_item.get((call.about, call.repeat))
        if answer:
            answers[call.key] = answer
    return answers


def read_export(path):
    """Return the lines of an export as Answers; StoreError for another file."""
    answers = {}
    # what is no UTF-8 is no line either
    lines = Path(path).read_text("utf8", "surrogateescape").rstrip("\n").split("\n")
    for number, text in enumerate(lines, 1):
        try:
            answer = read_line(text)
            if answer.key in answers:
                raise ValueError("a key twice")
            answers[answer.key] = answer
        except (ValueError, TypeError, KeyError, RecursionError) as fault:
            raise StoreError(
                f"{Path(path).name}, line {number}: expected a line of an export"
                f" ({type(fault).__name__}: {fault})"
            ) from None
    return [*answers.values()]


def read_line(text):
    """Return the Answer in a line of an export; ValueError, TypeError or KeyError for another."""
    line = {LATER: None} | json.loads(text)
    answer = Answer(**{column: line[column] for column in COLUMNS})
    words = answer.key, answer.prompt_key, answer.item, answer.text
    if not all(isinstance(word, str) for word in words):
        raise ValueError("a key, an item or a text that is none")
    if not isinstance(answer.repeat, int):
        raise ValueError("a repeat that is no whole number")
    if answer.logprobs is not None and not are_probabilities(json.loads(answer.logprobs)):
        raise ValueError("log-probabilities that are none")
    return answer
