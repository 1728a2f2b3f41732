"""From an answer's text to a row of the table: its status, its label, its score."""

import re
from typing import NamedTuple

import pandas as pd

from helpers.judges.answers.labels import read_form
from helpers.judges.answers.probabilities import sampled, weigh
from helpers.judges.answers.store import answer_to
from helpers.judges.errors import JudgeError
from helpers.judges.requests.prompts import without_echo

REFUSED = ("refusal", "content_filter")
SORRY = r"(?:(?:i['’]?m|i am) (?:very )?sorry|sorry|i apologi[sz]e|unfortunately)?"
CANNOT = r"(?:(?:can(?:no|['’])t|won['’]t|will not)\b|(?:am |['’]?m )(?:unable|not able) to\b|"
CANNOT += r"(?:must decline|decline to)\b)"
REFUSAL = re.compile(
    rf"^\W{{0,5}}{SORRY}[,.;:!]?\W{{0,3}}(?:but )?(?:as an ai[^.,]{{0,40}}, )?i\W{{0,2}}{CANNOT}",
    re.IGNORECASE,
)
TABLE = ["item", "repeat", "text", "verdict", "status", "score", "mass", "provider", "model"]
TABLE += ["input_tokens", "cached_tokens", "output_tokens", "usd", "seconds", "when", "key"]
TABLE += ["served", "note"]


class Outcome(NamedTuple):
    """What asking gave: Answers, notes by key, why it stopped, its cost, what took no form."""

    answers: dict
    notes: dict = {}
    stop: str = ""
    calls: int = 0
    usd: float = 0.0
    formless: frozenset = frozenset()


def check_usable(answers, judge):
    """Raise JudgeError, with the counts and the first reason, if not one answer has a verdict."""
    if not len(answers) or (answers["status"] == "ok").any():
        return
    counts = answers["status"].value_counts().items()
    counts = ", ".join(f"{count} {status}" for status, count in counts)
    noted = answers.loc[answers["note"] != "", "note"]
    why = noted.iloc[0] if len(noted) else "the answers do not have the form that was asked for"
    raise JudgeError(
        f"judge {judge}: not one usable answer ({counts}; the first: {why}); nothing can be said"
        " about the texts"
    )


def tabulate(calls, done, parse, plain=()):
    """Return the table of an Outcome's answers; plain: keys of what was asked without a form."""
    rows, choices = [], getattr(parse, "choices", None)
    for call in calls:
        answer = done.answers.get(call.key) or answer_to(call, None, finish="")
        status, verdict, note = read(answer, call, parse, done.notes)
        score, mass = weigh(answer.logprobs, choices)
        first = sampled(answer.logprobs, choices)
        if status == "ok" and first and verdict not in first:
            note = f"its first token was {first[0]!r}, its verdict is not"
        row = answer._asdict() | {"verdict": verdict, "status": status, "score": score}
        row |= {"mass": mass, "when": answer.at, "served": answer.served_model}
        # an answer may be stored for an item with this prompt
        row |= {"item": call.item, "repeat": call.repeat, "key": call.key}
        said = "asked in plain text: no JSON schema was taken" if call.key in plain else ""
        rows.append(row | {"note": "; ".join(part for part in (note, said) if part)})
    table = pd.DataFrame(rows, columns=TABLE)
    table.loc[table["key"].duplicated(), "usd"] = 0.0  # one answer to two items is paid once
    table["verdict"] = pd.Series([row["verdict"] for row in rows], dtype=object)
    complete = not done.stop and not done.notes
    table.attrs = {"calls": done.calls, "usd": done.usd, "complete": complete}
    return table


def read(answer, call, parse, notes):
    """Return (status, verdict, note) of an Answer; what it repeats of its prompt is not parsed."""
    if answer.text is None:
        return "error", None, notes.get(call.key, "missing: no recorded answer")
    if answer.finish in REFUSED:
        return "refused", None, f"finish reason {answer.finish}"
    # an answer that is cut off has no final label
    if answer.finish == "length" and not getattr(parse, "cut_ok", False):
        return "unparsed", None, "cut off at max_output_tokens"
    text, form = answer.text, call.form
    try:
        # some servers overlook the form that was asked for
        if form and text.lstrip().startswith("{"):
            verdict = read_form(text, form)
        else:
            verdict = parse(without_echo(text, call.shared, call.prompt))
    except Exception as fault:
        raise JudgeError(
            f"the parser failed on the answer to item {call.item!r} ({type(fault).__name__}:"
            f" {fault}); the answer is kept, fix the parser and run again"
        ) from fault
    if verdict is not None:
        return "ok", verdict, ""
    if not text.strip():
        return "unparsed", None, "empty answer"
    note = "neither the JSON that was asked for nor the line that its prompt names" if form else ""
    return ("refused" if REFUSAL.match(text) else "unparsed"), None, note
