"""From an answer's text to a row of the table: its status, its label (`verdict`), and the score
that probabilities of tokens give, if any. Labels become scores in each study's `ask.score`."""

import re
from typing import NamedTuple

import pandas as pd

from goodjudge.ask.answer import answer_to
from goodjudge.ask.calls import PARTS, number_requests
from goodjudge.ask.errors import JudgeError
from goodjudge.ask.probabilities import find_likeliest, sampled, weigh
from goodjudge.ask.prompts import without_echo

REFUSED = ("refusal", "content_filter")
SORRY = r"(?:(?:i['’]?m|i am) (?:very )?sorry|sorry|i apologi[sz]e|unfortunately)?"
CANNOT = r"(?:(?:can(?:no|['’])t|won['’]t|will not)\b|(?:am |['’]?m )(?:unable|not able) to\b|"
CANNOT += r"(?:must decline|decline to)\b)"
REFUSAL = re.compile(
    rf"^\W{{0,5}}{SORRY}[,.;:!]?\W{{0,3}}(?:but )?(?:as an ai[^.,]{{0,40}}, )?i\W{{0,2}}{CANNOT}",
    re.IGNORECASE,
)
CUT_OFF = "cut off at max_output_tokens; thoughts count too: raise it, or ?max_tokens=2000"
EMPTY = (
    "empty answer; if the model thinks, its server may have sent all of it as thoughts"
    " (reasoning_content): switch its thinking off there, and ask it under another name,"
    " local/<model>?server=<a name of yours>, since what came is kept"
)
# what follows the columns of the request
ANSWER = ["judge", "repeat", "text", "verdict", "status", "score", "mass", "likeliest"]
ANSWER += ["provider", "model", "input_tokens", "cached_tokens", "output_tokens", "usd", "seconds"]
ANSWER += ["when", "key", "served", "note"]


class Outcome(NamedTuple):
    """What asking gave: Answers and notes by key, why it stopped ('': it did not), the calls that
    were made and their USD."""

    answers: dict
    notes: dict = {}
    stop: str = ""
    calls: int = 0
    usd: float = 0.0


def check_usable(answers, judge):
    """Raise JudgeError, with the counts and the first reason, if not one answer has a verdict."""
    if answers.empty or (answers["status"] == "ok").any():
        return
    counts = answers["status"].value_counts()
    told_counts = ", ".join(f"{count} {status}" for status, count in counts.items())
    first = answers.sort_values("note", key=lambda note: note == "", kind="stable").iloc[0]
    reason = first["note"] or "the answers do not have the form that was asked for"
    if first["status"] == "unparsed" and first["text"]:
        reason += f"; it begins {first['text'][:60]!r}"
    raise JudgeError(
        f"judge {judge}: not one usable answer ({told_counts}; the first: {reason}); nothing can be"
        " said about the texts"
    )


def tabulate(requests, judge, calls, outcome, reader):
    """Return the table of `judges.ask`: a row per call, its request's columns beside its answer.

    judge: as it was asked for, provider/model. JudgeError for a column of requests that has the
    name of one of ANSWER.
    """
    about = number_requests(requests, texts=False).drop(columns=[*PARTS], errors="ignore")
    clash = about.columns.intersection(ANSWER)
    if len(clash):
        raise JudgeError(
            f"requests: the column {clash[0]!r} would be taken for one of the answers; rename it"
        )
    rows = [{"judge": judge, **make_row(call, outcome, reader)} for call in calls]
    answers = pd.DataFrame(rows, columns=ANSWER)
    answers["verdict"] = pd.Series([row["verdict"] for row in rows], dtype=object)
    # one answer to two requests is paid once
    answers.loc[answers["key"].duplicated(), "usd"] = 0.0
    numbers = [call.request for call in calls]
    about = about.set_index("request").loc[numbers].reset_index()
    first = about[["request", "item"]]
    further = about.drop(columns=["request", "item"])
    table = pd.concat([first, further, answers], axis=1)
    complete = not outcome.stop and not outcome.notes
    table.attrs = {"calls": outcome.calls, "usd": outcome.usd, "complete": complete}
    return table


def make_row(call, outcome, reader):
    """Return a row of ANSWER but for its judge, as a dict: the answer to a call, read."""
    answer = outcome.answers.get(call.key) or answer_to(call, None, finish="")
    status, verdict, note = read_answer(answer, call, reader, outcome.notes)
    score, mass = weigh(answer.logprobs, reader.choices)
    first_token = sampled(answer.logprobs, reader.choices)
    if status == "ok" and first_token:
        label, value = first_token
        if verdict not in (label, value):  # a reader may give either
            note = f"its first token was {label!r}, its verdict is not"
    return answer._asdict() | {
        "key": call.key,
        "repeat": call.repeat,
        "verdict": verdict,
        "status": status,
        "score": score,
        "mass": mass,
        "likeliest": find_likeliest(answer.logprobs, reader.choices),
        "when": answer.at,
        "served": answer.served_model,
        "note": note,
    }


def read_answer(answer, call, reader, notes):
    """Return (status, verdict, note) of an Answer; what it repeats of its prompt is not parsed."""
    if answer.text is None:
        return "error", None, notes.get(call.key, "missing: no recorded answer")
    if answer.finish in REFUSED:
        return "refused", None, f"finish reason {answer.finish}"
    # an answer that is cut off has no final label
    if answer.finish == "length" and not reader.cut_ok:
        return "unparsed", None, CUT_OFF
    text, form = answer.text, call.form
    try:  # in the form that was asked for or in plain text: some servers overlook it
        verdict = reader.parse(without_echo(text, call.shared, call.prompt))
    except Exception as fault:
        raise JudgeError(
            f"the parser failed on the answer to item {call.about!r} ({type(fault).__name__}:"
            f" {fault}); the answer is kept, fix the parser and run again"
        ) from fault
    if verdict is not None:
        return "ok", verdict, ""
    if not text.strip():
        return "unparsed", None, EMPTY if call.provider == "local" else "empty answer"
    status = "refused" if REFUSAL.match(text) else "unparsed"
    note = "neither the JSON that was asked for nor the line that its prompt names" if form else ""
    return status, None, note
