"""The providers' batch APIs at half price: submit and leave, come back days later, collect, send again what failed."""

import json
import uuid
from importlib.metadata import version

from helpers.judges.batch_apis import CLIENTS
from helpers.judges.pacing import too_dear
from helpers.judges.providers import require_key, scrub, sort_status
from helpers.judges.replies import answer_row, same_model, usd_of
from helpers.judges.requests import JudgeError, endpoint, estimate

LINES = 10_000  # requests a batch: below both providers' limits in number and, for stories, in size
TRIES = 3  # failed lines of one request after which it is given up


def run(todo, store, price, max_usd):
    """Collect what is done, submit what is in no batch yet; return (notes, why it is not complete or None, facts)."""
    provider = todo[0]["provider"]
    if provider not in CLIENTS:
        raise JudgeError(f"batch=True: {provider}/ has no batch API; leave batch out")
    require_key(provider)
    client, facts = CLIENTS[provider](), {"calls": 0, "usd": 0.0, "complete": False}
    store.beat()
    try:
        recover(client, store, provider)
        for tag, id, calls in store.batches(provider, endpoint(provider), "submitted"):
            if (lines := client.collect(id)) is not None:
                facts["usd"] += keep(lines, calls, tag, id, store, price, client)
        left, notes = still_open(todo, store)
        what = f"nothing was submitted: a batch of {len(left)} calls"
        if stop := too_dear(what, estimate(left, price, store)["usd_batch"], price, max_usd):
            return notes | {call["key"]: "not submitted" for call in left}, stop, facts
        for start in range(0, len(left), LINES):
            facts["calls"] += submit(client, left[start : start + LINES], store)
    except client.sdk.APIStatusError as fault:
        raise JudgeError(f"batch: {sort_status(fault)}; what was collected is kept, run again") from None
    except client.sdk.APIError as fault:
        raise JudgeError(scrub(f"batch: {fault}; what was collected is kept, run again")) from None
    waiting = [call["key"] for call in left]
    facts["complete"] = not waiting and not notes
    later = f"{len(waiting)} answers are in a batch at the provider; run the same again later (minutes to a day) to collect them"
    return notes | dict.fromkeys(waiting, "in a batch"), later if waiting else None, facts


def still_open(todo, store):
    """Return (calls neither answered nor given up, in a batch or not; notes of those given up: failed too often)."""
    answered = store.get(call["key"] for call in todo)
    counted = store.rows("SELECT key, count(*), max(note) FROM failures WHERE note LIKE 'batch%' GROUP BY key")
    failed = {key: note for key, count, note in counted if count >= TRIES}
    open_calls = [call for call in todo if call["key"] not in answered]
    notes = {call["key"]: failed[call["key"]] for call in open_calls if call["key"] in failed}
    return [call for call in open_calls if call["key"] not in notes], notes


def submit(client, calls, store):
    """Submit those calls that are in no batch; a row in the store says so before the provider hears of it. Return how many."""
    tag = uuid.uuid4().hex
    free = store.reserve_batch(tag, calls, endpoint(calls[0]["provider"]))
    if free:
        mark_submitted(store, tag, client.submit([call for call in calls if call["key"] in free], tag))
    return len(free)


def mark_submitted(store, tag, id):
    """Note that the provider has the batch, and under which id."""
    store.run("UPDATE batches SET id=?, state='submitted' WHERE tag=?", id, tag)


def recover(client, store, provider):
    """Settle submissions that were cut off: adopt the batch if the provider has it, else forget the row, so that it is sent."""
    for tag, _, calls in store.batches(provider, endpoint(provider), "submitting"):
        if store.is_alive(tag):
            continue
        created = store.rows("SELECT created FROM batches WHERE tag=?", tag)[0][0]
        known = {row[0] for row in store.rows("SELECT id FROM batches WHERE id IS NOT NULL")}
        if id := client.find(tag, created, known, len(calls)):
            mark_submitted(store, tag, id)
        else:
            store.run("DELETE FROM batches WHERE tag=?", tag)


def keep(lines, calls, tag, id, store, price, client):
    """Keep the answers of a finished batch and note its failed lines; return the USD of the answers."""
    versions = json.dumps({client.sdk.__name__: version(client.sdk.__name__), "batch": id})
    rows, failed, paid = [], {key: "batch: no line came back" for key in calls}, []
    for key, reply, note in lines:
        if key not in calls:
            continue
        if reply is None or not same_model(calls[key]["model"], reply.served_model):
            failed[key] = f"batch: {note or 'answered by ' + reply.served_model}"
            continue
        failed.pop(key, None)
        paid.append(usd_of(reply, price, batch=True))
        rows.append(answer_row(calls[key], reply, usd=paid[-1], seconds=None, versions=versions))
    store.put(rows)
    for key, note in failed.items():
        store.fail(key, scrub(note))
    store.run("UPDATE batches SET state='collected' WHERE tag=?", tag)
    return sum(paid)
