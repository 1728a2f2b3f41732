"""Ask a judge: requests in, a table of answers out; nothing is paid for twice."""

from helpers.judges.answers.replay import replay, simulate
from helpers.judges.answers.store import Store, find_store
from helpers.judges.answers.table import Outcome, tabulate
from helpers.judges.errors import Incomplete, MissingAnswer
from helpers.judges.live.terminal import tell
from helpers.judges.requests.calls import list_calls, split_judge
from helpers.judges.requests.options import Options


def ask(requests, judge, reader, options=None):
    """Return one row per request and repeat: what it was about, the judge's answer, its verdict and
    status, what it cost and when.

    requests: item (text), prompt, shared (long text that many prompts begin with, may be ''),
    perhaps system and request (a number; else the row's), and any other columns, say aspect,
    partner, order: they stay beside the answers. Without prompt and shared they are for judges that
    need no texts (`needs_texts`). judge: provider/model. reader: a
    `answers.reader.Reader`. options: `Options`.

    Columns: request, item, the other columns of the request, `table.ANSWER`. judge is the one asked
    for, its name for readers stands only where it is shown. status is ok, refused, unparsed or
    error, and only ok has a verdict; score and mass are missing without probabilities (see
    `probabilities.weigh`), tokens where the server gave no possible count. `.attrs`: calls and usd
    of this run, complete. Raises JudgeError, MissingAnswer, Incomplete, PriceError.
    """
    options = options or Options()
    provider, model = split_judge(judge)
    calls = list_calls(requests, judge, options, reader)
    if provider == "simulated":
        outcome = Outcome(simulate(calls, requests, model, options, reader.form))
    elif provider == "recorded":
        outcome = Outcome(replay(calls, model, options.recorded))
    else:
        outcome = ask_live(calls, judge, options)
    answers = tabulate(requests, judge, calls, outcome, reader)
    if outcome.stop:
        raise Incomplete(outcome.stop, answers)
    return answers


def ask_live(calls, judge, options):
    """Return the Outcome of calls: answers from the store, the rest by live calls."""
    by_key = {call.key: call for call in calls}  # one answer is for all that ask the same
    with Store(find_store(options.transcripts)) as store:
        stored = store.get(by_key)
        todo = [call for key, call in by_key.items() if key not in stored]
        if not todo:
            if options.progress:
                tell(f"{judge}: {len(stored):,} answers from the store, 0 asked")
            return Outcome(stored)
        if options.offline:
            raise MissingAnswer(
                f"offline: {len(todo)} of {len(by_key)} answers of {judge} are not in"
                f" {store.path.name}, the first for item {todo[0].about!r}, prompt"
                f" {todo[0].prompt_key[:12]}…; nothing was asked"
            )
        from helpers.judges.live import run  # the SDKs load slowly, and only calls need them

        return run.run_calls([*by_key.values()], store, options)
