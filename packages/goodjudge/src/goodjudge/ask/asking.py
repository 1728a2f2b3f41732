"""Ask a judge: requests in, a table of answers out; nothing is paid for twice."""

import json
import os
import shlex
import warnings

from goodjudge.ask.addresses import name_server
from goodjudge.ask.calls import list_calls, split_judge
from goodjudge.ask.cost import find_answers, tell
from goodjudge.ask.errors import Incomplete, JudgeError, MissingAnswer
from goodjudge.ask.options import Options
from goodjudge.ask.replay import replay, simulate
from goodjudge.ask.store import Store, find_store
from goodjudge.ask.table import Outcome, tabulate


def ask(requests, judge, reader, options=None):
    """Return one row per request and repeat: what it was about, the judge's answer, its verdict and
    status, what it cost and when.

    requests: item (text), prompt, shared (long text that many prompts begin with, may be ''),
    perhaps system and request (a number; else the row's), and any other columns, say aspect,
    partner, order: they stay beside the answers. Without prompt and shared they are for judges that
    need no texts (`needs_texts`). judge: provider/model. reader: a
    `reader.Reader`. options: `Options`.

    Columns: request, item, the other columns of the request, `table.ANSWER`. judge is the one asked
    for, its name for readers stands only where it is shown. status is ok, refused, unparsed or
    error, and only ok has a verdict; score, mass and likeliest are missing without probabilities
    (see `probabilities`), tokens where the server gave no possible count. `.attrs`: calls and usd
    of this run, complete. Raises JudgeError, MissingAnswer, Incomplete, PriceError.
    """
    options = options or Options()
    provider, model = split_judge(judge)
    calls = list_calls(requests, judge, options, reader)
    if provider == "simulated":
        outcome = Outcome(simulate(calls, requests, model, options, reader.form))
    elif provider == "recorded":
        outcome = Outcome(replay(calls, model, options.recorded, options.recordings))
    else:
        outcome = ask_live(calls, judge, options, reader)
    answers = tabulate(requests, judge, calls, outcome, reader)
    if outcome.stop:
        raise Incomplete(outcome.stop, answers)
    return answers


def ask_live(calls, judge, options, reader):
    """Return the Outcome of calls: answers from the store, in whatever form they were asked for,
    the rest by live calls."""
    by_key = {call.key: call for call in calls}  # one answer is for all that ask the same
    forms = [reader.form] if reader.form else []
    with Store(find_store(options.transcripts)) as store:
        stored = find_answers(by_key.values(), forms, store)
        todo = [call for key, call in by_key.items() if key not in stored]
        if calls and calls[0].provider == "local" and not options.offline:
            refuse_other_server(stored, calls[0], asked=bool(todo))
        if not todo:
            if options.progress:
                tell(f"{judge}: {len(stored):,} answers from the store, 0 asked")
            warn_of_models(stored, judge)
            return Outcome(stored)
        if options.offline:
            raise MissingAnswer(
                f"offline: {len(todo)} of {len(by_key)} answers of {judge} are not in"
                f" {store.path.name}, the first for item {todo[0].about!r}, prompt"
                f" {todo[0].prompt_key[:12]}…; nothing was asked"
            )
        from goodjudge.ask import run  # the SDKs load slowly, and only calls need them

        with store.turn(todo[0].provider):
            stored = find_answers(by_key.values(), forms, store)  # another may have asked since
            outcome = run.run_calls(judge, [*by_key.values()], stored, store, options)
    warn_of_models(outcome.answers, judge)
    return outcome


def refuse_other_server(stored, call, asked):
    """Raise JudgeError if stored answers of a local/ judge come from another server than the one
    that is named now: two may serve two models under one name.

    call: one of those that are asked for; asked: whether any of them has no answer yet. A judge
    with a server's name of its own, local/x?server=…, is known by that.
    """
    named = os.environ.get("LOCAL_BASE_URL")
    if not (named or asked) or "server" in json.loads(call.params):
        return
    servers = [json.loads(answer.versions or "{}").get("server") for answer in stored.values()]
    others = {server for server in servers if server} - {name_server()}
    if not others:
        return
    other = sorted(others)[0]
    raise JudgeError(
        f"{servers.count(other):,} answers of local/{call.model} in the store come from the server"
        f" {other!r}, and now it is {name_server()!r}; nothing was asked. If the same model answers"
        f" there, set LOCAL_SERVER={shlex.quote(other)}, and they are used; if it is another, call"
        f" it local/{call.model}?server=<a name of yours>, and its answers are kept apart"
    )


def count_models(served):
    """Return {model: how many answers name it as theirs}; served: what each calls its model, "" or
    nothing (None, nan) where it says nothing.

    >>> count_models(["m", "m", None])
    {'m': 2}
    """
    # what follows a file's name and hash is of the machine
    names = [" ".join(name.split()[:2]) for name in served if isinstance(name, str)]
    return {name: names.count(name) for name in sorted(set(names)) if name}


def warn_of_models(answers, judge):
    """Warn if the answers of one judge name several models as theirs (column `served`)."""
    names = count_models(answer.served_model for answer in answers.values())
    if len(names) > 1:
        told = ", ".join(f"{name} ({count:,})" for name, count in names.items())
        warnings.warn(f"{judge}: more than one model answered: {told}", stacklevel=4)
