"""Ask a judge: requests in, a table of answers out; nothing is paid for twice."""

import re

import pandas as pd

from helpers.judges.addresses import JudgeError
from helpers.judges.calls import Options, Outcome, find_store, list_calls, split_judge
from helpers.judges.labels import read_form
from helpers.judges.prompts import without_echo
from helpers.judges.replay import replay, simulate
from helpers.judges.replies import sampled, weigh
from helpers.judges.store import Store, answer_to
from helpers.judges.terminal import tell

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


class MissingAnswer(JudgeError):
    """In offline mode an answer is not in the store; nothing was called."""


class Incomplete(JudgeError):
    """A run stopped before its end (money or time); `.answers` holds what there is."""

    def __init__(self, message, answers):
        super().__init__(message)
        self.answers = answers


def ask(requests, judge, parse, options=None):
    """Return one row per (item, repeat): the answer of `judge`, its verdict and its status, what it
    cost and when.

    `requests`: item (unique), shared (long text that many prompts begin with, may be ''), prompt,
    perhaps system. `parse(text)` returns a verdict or None; an answer that is cut off reaches it
    only with `parse.cut_ok = True`. With `parse.form` a live judge is asked for a structured
    answer, whose label field alone is read; a model that takes no JSON schema is asked in plain
    text, and every note says so. With `parse.choices`, {label: value}, the answer is to begin with
    a label, and openai/ and local/ are asked for the probabilities of its first token (see
    `replies.weigh`). Columns: TABLE; status is ok, refused, unparsed or error; score and mass are
    missing without probabilities, tokens where the server gave no possible count. `.attrs`: calls
    and usd of this run, complete. Raises JudgeError, MissingAnswer, Incomplete, PriceError.
    """
    (provider, model), options = split_judge(judge), options or Options()
    choices, form = getattr(parse, "choices", None), getattr(parse, "form", None)
    held = form if options.structured and not choices else None
    calls = list_calls(requests, judge, options, held, choices)
    if provider == "simulated":
        return tabulate(calls, Outcome(simulate(calls, requests, model, options, form)), parse)
    if provider == "recorded":
        return tabulate(calls, Outcome(replay(calls, model, options.recorded)), parse)
    twins = dict(zip([call.key for call in calls], list_calls(requests, judge, options)))
    with Store(find_store(options.transcripts)) as store:
        plain = store.refused(twins) if held else set()
        if held and options.offline:  # an answer without the form serves as well
            plain |= twins.keys() - store.get(twins).keys()
        mixed = [twins[call.key] if call.key in plain else call for call in calls]
        done = answer_live(mixed, store, judge, options)
        if done.formless and not done.stop:
            rest = answer_live([twins[key] for key in done.formless], store, judge, options)
            both = done.answers | rest.answers, done.notes | rest.notes, rest.stop
            done = Outcome(*both, done.calls + rest.calls, done.usd + rest.usd, done.formless)
    plain |= done.formless
    calls = [twins[call.key] if call.key in plain else call for call in calls]
    answers = tabulate(calls, done, parse, {twins[key].key for key in plain})
    if done.stop:
        raise Incomplete(done.stop, answers)
    return answers


def answer_live(calls, store, judge, options):
    """Return the Outcome of calls: answers from the store, the rest by live calls."""
    calls = {call.key: call for call in calls}  # one answer is for all that ask the same
    found = store.get(calls)
    todo = [call for key, call in calls.items() if key not in found]
    if not todo:
        if options.progress:
            tell(f"{judge}: {len(found):,} answers from the store, 0 asked")
        return Outcome(found)
    if options.offline:
        raise MissingAnswer(
            f"offline: {len(todo)} of {len(calls)} answers of {judge} are not in {store.path.name},"
            f" the first for item {todo[0].item!r}, prompt {todo[0].prompt_key[:12]}…;"
            " nothing was asked"
        )
    from helpers.judges import live  # the SDKs load slowly, and only calls need them

    return live.run([*calls.values()], store, options)


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
