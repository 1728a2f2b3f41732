"""Answers without a call: recorded, with a data set or by us, and simulated by a rule."""

import json
from pathlib import Path

import numpy as np

from helpers.judges.answers.probabilities import likely
from helpers.judges.answers.store import COLUMNS, Answer, StoreError, answer_to
from helpers.sources.public import ROOT

# of the coin, by the form of the answer; a slight preference passes every test by v2's cutoff
SIDES = {"yes_no": ("Verdict: No", "Verdict: Yes"), "grade": ("[[2]]", "[[4]]")}
SIDES["evolvr"] = ("[[A: 2, B: 4]]", "[[A: 4, B: 2]]")
PROFILES = {
    "always-yes": lambda row, rng: "Verdict: Yes",
    "always-no": lambda row, rng: "Verdict: No",
    "first": lambda row, rng: "[[A>B]]",
    "coin": lambda row, rng: SIDES.get(row["form"], ("[[B>>A]]", "[[A>>B]]"))[int(rng.integers(2))],
}
LATER = "logprobs"  # a field that only recorded lines with probabilities have


class Row(dict):
    """One request for a simulator: row["item"] or row.item, and any other column."""

    __getattr__ = dict.__getitem__


def simulate(calls, requests, profile, options, form=None):
    """Return {key: Answer} by a profile, f(row, rng) -> text; rng by seed, prompt and repeat."""
    known = PROFILES | (options.simulators or {})
    if profile not in known:
        raise KeyError(
            f"no simulated judge {profile!r}: there are {', '.join(sorted(known))}; others come by"
            " `simulators`"
        )
    rows = {record["item"]: Row(record, form=form) for record in requests.to_dict("records")}
    found = {}
    for call in calls:
        rng = np.random.default_rng([options.seed, int(call.prompt_key[:15], 16), call.repeat])
        found[call.key] = answer_to(call, str(known[profile](rows[call.item], rng)))
    return found


def replay(calls, name, recorded=None):
    """Return {key: Answer} of a table, or of `data/recorded/<name>.jsonl`; ValueError for none."""
    found = from_file(calls, name) if recorded is None else from_table(calls, recorded, name)
    if calls and not found:
        raise ValueError(
            f"recorded/{name}: none of the {len(calls)} answers asked for is recorded (the first"
            f" item: {calls[0].item!r}); the items, prompts or texts have changed since they were"
            " recorded: record again, or restore them"
        )
    return found


def from_table(calls, recorded, name):
    """Return {key: Answer} for answers that came with a data set; a text may be missing."""
    if not {"item", "text"} <= set(recorded.columns) or recorded["item"].duplicated().any():
        raise ValueError(f"recorded/{name}: expected the columns item (unique) and text")
    lines = {line["item"]: line for line in recorded.to_dict("records")}
    texts, found = {}, {}
    for call in calls:
        line = lines.get(call.item, {})
        text = line["text"] if isinstance(line.get("text"), str) and call.repeat == 1 else None
        if texts.setdefault(call.key, text) != text:
            raise ValueError(
                f"recorded/{name}: item {call.item!r} has the same prompt as an item with"
                " another recorded answer; give every item a prompt of its own (a missing text"
                " needs a stand-in that names it)"
            )
        if text is not None:
            finish = line.get("finish", "stop")
            found[call.key] = answer_to(call, text, finish=finish)._replace(model=name)
    return found


def from_file(calls, name):
    """Return {key: Answer} from `data/recorded/<name>.jsonl`."""
    folder = ROOT / "data" / "recorded"
    path = folder / f"{name}.jsonl"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in folder.glob("*.jsonl"))) or "none"
        raise FileNotFoundError(
            f"no recorded judge {name!r}: data/recorded/ has {known}; or give `recorded` a table"
        )
    lines = {(answer.prompt_key, answer.repeat): answer for answer in read_export(path)}
    found = {call.key: lines.get((call.prompt_key, call.repeat)) for call in calls}
    return {key: answer for key, answer in found.items() if answer}


def read_export(path):
    """Return the lines of an export as Answers; StoreError for another file."""
    found = {}
    # what is no UTF-8 is no line either
    lines = Path(path).read_text("utf8", "surrogateescape").rstrip("\n").split("\n")
    for number, text in enumerate(lines, 1):
        try:
            line = {LATER: None} | json.loads(text)
            answer = Answer(*[line[column] for column in COLUMNS])
            names = answer.key, answer.prompt_key, answer.item, answer.text
            if answer.key in found or not all(isinstance(name, str) for name in names):
                raise ValueError("a key twice, or a key, an item or a text that is none")
            if not isinstance(answer.repeat, int):
                raise ValueError("a repeat that is no whole number")
            if answer.logprobs is not None and not likely(json.loads(answer.logprobs)):
                raise ValueError("log-probabilities that are none")
            found[answer.key] = answer
        except (ValueError, TypeError, KeyError, RecursionError) as fault:
            raise StoreError(
                f"{Path(path).name}, line {number}: expected a line of an export"
                f" ({type(fault).__name__}: {fault})"
            ) from None
    return [*found.values()]
