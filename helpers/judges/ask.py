"""Ask a judge: requests in, a table of answers out; nothing is paid for twice."""

from helpers.judges.answers.replay import replay, simulate
from helpers.judges.answers.store import Store, find_store
from helpers.judges.answers.table import Outcome, tabulate
from helpers.judges.errors import Incomplete, MissingAnswer
from helpers.judges.live.terminal import tell
from helpers.judges.requests.calls import list_calls, split_judge
from helpers.judges.requests.options import Options


def ask(requests, judge, parse, options=None):
    """Return one row per (item, repeat): the answer of `judge`, its verdict and its status, what it
    cost and when.

    `requests`: item (unique), shared (long text that many prompts begin with, may be ''), prompt,
    perhaps system. `parse(text)` returns a verdict or None; an answer that is cut off reaches it
    only with `parse.cut_ok = True`. With `parse.form` a live judge is asked for a structured
    answer, whose label field alone is read; a model that takes no JSON schema is asked in plain
    text, and every note says so. With `parse.choices`, {label: value}, the answer is to begin with
    a label, and openai/ and local/ are asked for the probabilities of its first token (see
    `probabilities.weigh`). Columns: `table.TABLE`; status is ok, refused, unparsed or error;
    score and mass are missing without probabilities, tokens where the server gave no possible
    count. `.attrs`: calls and usd of this run, complete. Raises JudgeError, MissingAnswer,
    Incomplete, PriceError.
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
    from helpers.judges.live import run  # the SDKs load slowly, and only calls need them

    return run.run_calls([*calls.values()], store, options)
