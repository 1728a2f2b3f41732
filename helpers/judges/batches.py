"""Batches at half price: submit and leave, come back days later, collect, send again what failed."""

import json
import time
import uuid
from importlib.metadata import version

from helpers.judges import prices
from helpers.judges.addresses import JudgeError, NoForm, endpoint, scrub
from helpers.judges.batch_apis import WAIT, BatchApi
from helpers.judges.pacing import too_dear
from helpers.judges.providers import FORM, make_body, most_tokens, sort_status
from helpers.judges.replies import Failed, usd_of
from helpers.judges.store import COLUMNS

LINES = 10_000  # requests a batch: below both providers' limits in number and, for stories, in size
TRIES = 3  # failed lines of one request after which it is given up
OPEN = ("submitted", "submitting")


def run(todo, calls, store, price, budget):
    """Collect what is done, submit what is in no batch yet; return ({}, notes, why it is not complete or None, facts).

    The most that `calls` can cost by batch, what earlier runs paid for them included, never exceeds what is left.
    """
    provider = todo[0]["provider"]
    if provider not in ("openai", "anthropic"):
        raise JudgeError(f"batch=True: {provider}/ has no batch API; leave batch out")
    api, facts = BatchApi(provider), {"calls": 0, "usd": 0.0, "complete": False}
    store.beat()
    try:
        recover(api, store, provider)
        for tag, id, _, members in listed(store, provider, "submitted"):
            if (lines := api.lines(id)) is not None:
                facts["usd"] += keep(lines, members, tag, id, store, price, api)
        left, notes = still_open(todo, store)
        busy = {key: call for *_, members in listed(store, provider, *OPEN) for key, call in members.items()}
        most = {call["key"]: prices.most(price, most_tokens(call), call["max_tokens"], batch=True) for call in left}
        paid = earlier(store, calls) + sum(busy[call["key"]]["most"] for call in calls if call["key"] in busy)
        free = [call for call in left if call["key"] not in busy]
        what = f"nothing was submitted: {len(free)} calls in a batch, with ${paid:.4f} for these calls before it,"
        usd = sum(most[call["key"]] for call in free)
        if free and (stop := too_dear(what, paid + usd, price, budget)):
            return {}, notes | {call["key"]: "not submitted" for call in left}, stop, facts
        for start in range(0, len(free), LINES):
            facts["calls"] += submit(api, free[start : start + LINES], most, store, budget)
    except api.sdk.APIStatusError as fault:
        raise JudgeError(f"batch: {sort_status(fault, {})}; what was collected is kept, run again") from None
    except (api.sdk.APIError, ValueError) as fault:
        if isinstance(fault, JudgeError):
            raise
        raise JudgeError(scrub(f"batch: {fault}; what was collected is kept; run again: whether the provider took the "
                               "batch is looked up before anything is sent")) from None
    facts["complete"] = not left and not notes
    later = f"{len(left)} answers are in a batch at the provider; run the same again later (minutes to a day) to collect them"
    return {}, notes | {call["key"]: "in a batch" for call in left}, later if left else None, facts


def listed(store, provider, *states):
    """Return (tag, id, owner, {key: call without its prompt, `most` it can cost}) of each batch in one of `states`.

    While a batch is being submitted, `id` is the JSON list of the provider's newest batches before it, or None.
    """
    sql = "SELECT tag, id, owner, calls FROM batches WHERE provider=? AND endpoint=? AND state IN "
    rows = store.rows(sql + "(SELECT value FROM json_each(?))", provider, endpoint(provider), json.dumps(states))
    return [(tag, id, owner, json.loads(calls)) for tag, id, owner, calls in rows]


def earlier(store, calls):
    """Return the USD that batches of these calls have cost or may have cost."""
    keys = json.dumps([call["key"] for call in calls])
    mine = "key IN (SELECT value FROM json_each(?))"
    paid = store.rows(f"SELECT sum(usd) FROM answers WHERE versions LIKE '%\"batch\"%' AND {mine}", keys)[0][0]
    lost = store.rows(f"SELECT sum(usd) FROM failures WHERE note LIKE 'batch%' AND {mine}", keys)[0][0]
    return (paid or 0) + (lost or 0)


def still_open(todo, store):
    """Return (calls neither answered nor given up, in a batch or not; notes of those given up: failed too often)."""
    answered = store.get(call["key"] for call in todo)
    counted = store.rows("SELECT key, count(*), max(note) FROM failures WHERE note LIKE 'batch%' GROUP BY key")
    failed = {key: (count, note) for key, count, note in counted}
    open_calls = [call for call in todo if call["key"] not in answered]
    if not answered and any(call["form"] and FORM.search(failed.get(call["key"], "  ")[1]) for call in open_calls):
        raise NoForm("the model takes no JSON schema in a batch")
    notes = {key: note for key, (count, note) in failed.items() if count >= TRIES}
    notes = {call["key"]: notes[call["key"]] for call in open_calls if call["key"] in notes}
    return [call for call in open_calls if call["key"] not in notes], notes


def submit(api, calls, most, store, budget):
    """Submit those calls that are in no batch; a row in the store says so before the provider hears of it. Return how many."""
    tag, provider = uuid.uuid4().hex, calls[0]["provider"]
    for call in calls:
        json.dumps(make_body(call), ensure_ascii=False).encode()  # a text that cannot be sent: before anything is noted
    with store.transaction() as db:  # no other process can put one of these calls into a batch at the same time
        busy = {key for *_, members in listed(store, provider, *OPEN) for key in members} | set(store.get(most))
        free = [call for call in calls if call["key"] not in busy]
        if not free:
            return 0
        kept = {call["key"]: {name: call[name] for name in COLUMNS[:7]} | {"most": most[call["key"]]} for call in free}
        db.execute("INSERT INTO batches VALUES (?,?,?,?,?,?,?,?)", (tag, None, provider, endpoint(provider), "submitting",
                                                                   time.time(), store.owner, json.dumps(kept)))
    store.rows("UPDATE batches SET id=? WHERE tag=?", json.dumps(api.newest()), tag)
    budget.settle(0, sum(call["most"] for call in kept.values()))
    try:
        mark_submitted(store, tag, api.submit(free, tag))
    except api.sdk.APIStatusError as fault:
        if 400 <= fault.status_code < 500 and fault.status_code != 408:  # refused, for certain
            store.rows("DELETE FROM batches WHERE tag=?", tag)
        raise
    return len(free)


def mark_submitted(store, tag, id):
    """Note that the provider has the batch, and under which id."""
    store.rows("UPDATE batches SET id=?, state='submitted' WHERE tag=?", id, tag)


def recover(api, store, provider):
    """Settle submissions that were cut off: adopt the batch if the provider has it, else forget the row, so that it is sent."""
    for tag, before, owner, calls in listed(store, provider, "submitting"):
        if store.is_alive(owner):
            continue
        known = {row[0] for row in store.rows("SELECT id FROM batches WHERE state != 'submitting'")}
        id = api.find(tag, json.loads(before), known, calls) if before else None
        if id is None:
            store.rows("DELETE FROM batches WHERE tag=?", tag)
        elif id is not WAIT:
            mark_submitted(store, tag, id)


def keep(lines, calls, tag, id, store, price, api):
    """Keep the answers of a finished batch and note its failed lines; return the USD that it cost, at most."""
    versions = json.dumps({api.sdk.__name__: version(api.sdk.__name__), "batch": id})
    answers, failed = [], {key: ("no line came back", call["most"]) for key, call in calls.items()}
    for line in lines:
        key = line.get("custom_id") if isinstance(line, dict) else None
        if not isinstance(key, str) or key not in calls:
            stray = json.dumps(line)[:300]
            store.fail("", scrub(f"batch {id}: a line that belongs to no call: {stray}"))
            if isinstance(line, dict) and "failed" in line:
                failed = {key: (stray, 0.0) for key in calls}
            continue
        most = calls[key]["most"]
        try:
            answer = api.read(line, calls[key])
            usd = usd_of(answer, price, most, batch=True)
            answers.append(answer._replace(usd=usd, seconds=None, versions=versions))
            failed.pop(key, None)
        except Failed as fault:
            failed[key] = (str(fault), usd_of(fault.billed, price, most, batch=True))
    store.put(answers)
    for key, (note, usd) in failed.items():
        store.fail(key, scrub(f"batch: {note}"), usd)
    store.rows("UPDATE batches SET state='collected' WHERE tag=?", tag)
    return sum(answer.usd for answer in answers) + sum(usd for _, usd in failed.values())
