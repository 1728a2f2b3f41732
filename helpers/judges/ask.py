"""Ask a judge: requests in, a table of answers out; nothing is paid for twice."""

import re
from operator import itemgetter

import pandas as pd

from helpers.judges.offline import from_file, from_table, simulate
from helpers.judges.requests import LIVE, TRANSCRIPTS, JudgeError, list_calls, plan, split_judge
from helpers.judges.store import COLUMNS, Store
from helpers.prompts import without_echo

__all__ = ["ask", "plan", "JudgeError", "MissingAnswer", "Incomplete", "LIVE"]
REFUSED = ("refusal", "content_filter")
SORRY = r"(?:(?:i['’]?m|i am) (?:very )?sorry|sorry|i apologi[sz]e|unfortunately)?"
CANNOT = (
    r"(?:can(?:no|['’])t|am unable to|['’]?m unable to|am not able to|['’]?m not able to|won['’]t|will not|must decline|"
    r"decline to)\b"
)
REFUSAL = re.compile(rf"^\W{{0,5}}{SORRY}[,.;:!]?\W{{0,3}}(?:but )?(?:as an ai[^.,]{{0,40}}, )?i\W{{0,2}}{CANNOT}", re.IGNORECASE)
NAMES = ["item", "repeat", "text", "verdict", "status", "provider", "model", "input_tokens", "cached_tokens", "output_tokens",
         "usd", "seconds", "when", "key", "served", "note"]
get_facts = itemgetter("provider", "model", "input_tokens", "cached_tokens", "output_tokens", "usd", "seconds", "at")
NO_REPLY = {"text": None, "input_tokens": 0, "cached_tokens": 0, "output_tokens": 0, "usd": 0.0, "seconds": 0.0, "at": None,
            "served_model": None}


class MissingAnswer(JudgeError):
    """In offline mode an answer is not in the store; nothing was called."""


class Incomplete(JudgeError):
    """A run stopped before its end (money, or a batch that is not done); `.answers` holds what there is."""

    def __init__(self, message, answers=None):
        super().__init__(message)
        self.answers = answers


def ask(
    requests,
    judge,
    parse,
    *,
    transcripts=None,
    repeats=1,
    concurrency=8,
    max_usd=0.0,
    limit=0,
    offline=False,
    params=None,
    seed=0,
    simulators=None,
    recorded=None,
    progress=False,
    batch=False,
    max_output_tokens=None,
):
    """Return one row an (item, repeat): the answer of `judge`, its verdict and its status, what it cost and when.

    `requests`: item (unique), shared (long text that many prompts begin with, may be ''), prompt, perhaps system.
    `parse(text)` returns a verdict or None. `max_usd=0.0` allows no paid call. `offline` forbids every call.
    `recorded`: a table item, text for judge='recorded/<name>'; without it data/recorded/<name>.jsonl is read.
    Columns: item, repeat, text, verdict, status (ok, refused, unparsed, error), provider, model, input_tokens,
    cached_tokens, output_tokens, usd, seconds, when, key, served, note. `.attrs`: calls and usd of this run, complete.
    Raises JudgeError, MissingAnswer (offline), Incomplete (money or batch; `.answers` holds the answers), PriceError.
    """
    provider, model = split_judge(judge)
    calls = list_calls(requests, judge, repeats, limit, params, max_output_tokens, seed)
    facts, notes, stop = {"calls": 0, "usd": 0.0, "complete": True}, {}, None
    if provider == "simulated":
        replies = simulate(calls, requests, model, seed, simulators)
    elif provider == "recorded":
        replies = from_table(calls, recorded, model) if recorded is not None else from_file(calls, model)
    else:
        with Store(transcripts or TRANSCRIPTS) as store:
            found = store.get(call["key"] for call in calls)
            todo = [call for call in calls if call["key"] not in found]
            if todo and offline:
                raise MissingAnswer(
                    f"offline: {len(todo)} of {len(calls)} answers of {judge} are not in {store.path.name}, the "
                    f"first for item {todo[0]['item']!r}, prompt {todo[0]['prompt_key'][:12]}…; nothing was asked"
                )
            if todo:
                from helpers.judges import live  # the SDKs load only when a call is made

                notes, stop, facts = live.run(
                    todo, store, concurrency=concurrency, max_usd=max_usd, progress=progress, batch=batch
                )
                found |= store.get(call["key"] for call in todo)
        replies = {key: dict(zip(COLUMNS, row)) for key, row in found.items()}
    answers = tabulate(calls, replies, notes, parse)
    answers.attrs = facts
    if stop:
        raise Incomplete(stop, answers)
    return answers


def check_usable(answers, judge):
    """Raise JudgeError, with the counts and the first reason, if not one answer has a verdict."""
    if not len(answers) or (answers["status"] == "ok").any():
        return
    counts = ", ".join(f"{count} {status}" for status, count in answers["status"].value_counts().items())
    why = next((note for note in answers["note"] if note), "the answers do not have the form that was asked for")
    raise JudgeError(f"judge {judge}: not one usable answer ({counts}; the first: {why}); nothing can be said about the texts")


def tabulate(calls, replies, notes, parse):
    """Return the table of answers for calls, replies by key, and notes by key (why there is no reply)."""
    rows = []
    for call in calls:
        reply = replies.get(call["key"])
        if reply is None:
            reply = NO_REPLY | {"provider": call["provider"], "model": call["model"]}
            status, verdict, note = "error", None, notes.get(call["key"], "missing: no recorded answer")
        else:
            status, verdict, note = read(reply, call, parse)
        rows.append((call["item"], call["repeat"], reply["text"], verdict, status, *get_facts(reply), call["key"],
                     reply["served_model"], note))
    columns = list(zip(*rows)) if rows else [[]] * len(NAMES)
    return pd.DataFrame(
        {name: pd.Series(list(column), dtype=object if name == "verdict" else None) for name, column in zip(NAMES, columns)}
    )


def read(reply, call, parse):
    """Return (status, verdict, note) of a reply: what it repeats of its prompt never reaches the parser.

    An answer cut off at its length limit has no final label, unless the parser says `parse.cut_ok = True`.
    """
    text, finish = reply["text"] or "", reply["finish"]
    if finish in REFUSED:
        return "refused", None, f"finish reason {finish}"
    if finish == "length" and not getattr(parse, "cut_ok", False):
        return "unparsed", None, "cut off at max_output_tokens"
    try:
        verdict = parse(without_echo(text, call["shared"], call["prompt"]))
    except Exception as fault:
        raise JudgeError(
            f"the parser failed on the answer to item {call['item']!r} ({type(fault).__name__}: {fault}); the answer "
            "is kept, mend the parser and run again"
        ) from fault
    if verdict is not None:
        return "ok", verdict, ""
    return ("refused" if REFUSAL.match(text) else "unparsed"), None, "" if text.strip() else "empty answer"
