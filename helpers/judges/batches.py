"""Batches at half price: submit and leave, come back days later, collect, send again what failed."""

import json
import sqlite3
import uuid

from helpers.judges import prices
from helpers.judges.addresses import JudgeError, NoForm, endpoint, hide
from helpers.judges.batch_api import WAIT, BatchApi
from helpers.judges.providers import FORM, most_tokens
from helpers.judges.replies import Failed, usd_of
from helpers.judges.store import COLUMNS

LINES = 10_000  # requests a batch: below both providers' limits in number and, for stories, in size
TRIES = 3  # failed lines of one request after which it is given up


async def run(todo, calls, store, price, budget, facts):
    """Collect what is done, submit what is in no batch yet; return (notes, why it is not complete or None); fill `facts`.

    The most that `calls` can cost by batch, what earlier runs paid for them included, never exceeds what is left.
    """
    api = BatchApi(calls[0]["provider"])
    try:
        await recover(api, store)
        for tag, id, members in listed(store, api, "submitted"):
            if (lines := await api.lines(id, members)) is not None:
                facts["usd"] += keep(lines, members, tag, id, store, price, api)
        left, notes = still_open(todo, store)
        busy = {key: call for *_, members in listed(store, api) for key, call in members.items()}
        free = [call | {"most": prices.most(price, most_tokens(call), call["max_tokens"], batch=True)}
                for call in left if call["key"] not in busy]
        paid = earlier(store, calls) + sum(busy[call["key"]]["most"] for call in calls if call["key"] in busy)
        what = f"nothing was submitted: {len(free)} calls in a batch, with ${paid:.4f} for these calls before it,"
        if free and (stop := budget.refuse(what, paid + sum(call["most"] for call in free), price)):
            return notes | {call["key"]: "not submitted" for call in left}, stop
        for start in range(0, len(free), LINES):
            await submit(api, free[start : start + LINES], store, budget)
            facts["calls"] += len(free[start : start + LINES])
    except (Failed, ValueError, sqlite3.Error) as fault:
        if isinstance(fault, NoForm):
            raise
        raise JudgeError(hide(f"batch: {fault}; what was collected is kept; run again: whether the provider took the "
                              "batch is looked up before anything is sent")) from None
    finally:
        await api.close()
    facts["complete"] = not left and not notes
    later = f"{len(left)} answers are in a batch at the provider; run the same again later (minutes to a day) to collect them"
    return notes | {call["key"]: "in a batch" for call in left}, later if left else None


def listed(store, api, *states):
    """Return (tag, id, {key: call without its prompt, `most` it can cost}) of each batch in one of `states`.

    While a batch is being submitted, `id` is the JSON list of the provider's newest batches before it, or None.
    """
    sql = "SELECT tag, id, calls FROM batches WHERE provider=? AND endpoint=? AND state IN (SELECT value FROM json_each(?))"
    found = store.rows(sql, api.provider, endpoint(api.provider), json.dumps(states or ("submitted", "submitting")))
    return [(tag, id, json.loads(calls)) for tag, id, calls in found]


def earlier(store, calls):
    """Return the USD that batches of these calls have cost or may have cost."""
    keys, mine = json.dumps([call["key"] for call in calls]), "key IN (SELECT value FROM json_each(?))"
    paid = store.rows(f"SELECT total(usd) FROM answers WHERE versions LIKE '%\"batch\"%' AND {mine}", keys)
    return paid[0][0] + store.rows(f"SELECT total(usd) FROM failures WHERE note LIKE 'batch%' AND {mine}", keys)[0][0]


def still_open(todo, store):
    """Return (calls neither answered nor given up, in a batch or not; notes of those given up: failed too often)."""
    answered = store.get(call["key"] for call in todo)
    counted = store.rows("SELECT key, count(*), max(note) FROM failures WHERE note LIKE 'batch%' GROUP BY key")
    failed = {key: (count, note) for key, count, note in counted}
    left = [call for call in todo if call["key"] not in answered]
    if not answered and any(call["form"] and FORM.search(failed.get(call["key"], (0, ""))[1]) for call in left):
        raise NoForm("the model takes no JSON schema in a batch")
    notes = {call["key"]: failed[call["key"]][1] for call in left if failed.get(call["key"], (0, ""))[0] >= TRIES}
    return [call for call in left if call["key"] not in notes], notes


async def submit(api, calls, store, budget):
    """Submit calls; a row in the store says so before the provider hears of it."""
    kept = {call["key"]: {name: call[name] for name in (*COLUMNS[:7], "most")} for call in calls}
    before = json.dumps([batch["id"] for batch in await api.newest()])
    row = (tag := uuid.uuid4().hex, before, api.provider, endpoint(api.provider), "submitting", json.dumps(kept))
    store.write("INSERT INTO batches (tag, id, provider, endpoint, state, calls) VALUES (?,?,?,?,?,?)", row)
    budget.settle(0, sum(call["most"] for call in calls))
    try:
        mark(store, tag, await api.submit(calls, tag))
    except (Failed, JudgeError) as fault:
        if not getattr(fault, "billed", False):  # refused, for certain
            store.write("DELETE FROM batches WHERE tag=?", (tag,))
        raise


def mark(store, tag, id):
    """Note that the provider has the batch, and under which id."""
    store.write("UPDATE batches SET id=?, state='submitted' WHERE tag=?", (id, tag))


async def recover(api, store):
    """Settle submissions that were cut off: adopt the batch if the provider has it, else forget the row, so that it is sent."""
    for tag, before, calls in listed(store, api, "submitting"):
        known = {row[0] for row in store.rows("SELECT id FROM batches WHERE state != 'submitting'")}
        id = await api.find(tag, json.loads(before), known, calls) if before else None
        if id is None:
            store.write("DELETE FROM batches WHERE tag=?", (tag,))
        elif id is not WAIT:
            mark(store, tag, id)


def keep(lines, calls, tag, id, store, price, api):
    """Keep the answers of a finished batch and note its failed lines; return the USD that it cost, at most."""
    versions = json.dumps(json.loads(api.versions) | {"batch": id})
    answers, failed = [], {key: ("no line came back", call["most"]) for key, call in calls.items()}
    for line in lines:
        key = line.get("custom_id") if isinstance(line, dict) else None
        if not isinstance(key, str) or key not in calls:
            stray = json.dumps(line)[:300]
            store.fail("", hide(f"batch {id}: a line that belongs to no call: {stray}"))
            if isinstance(line, dict) and "failed" in line:
                failed = {key: (stray, 0.0) for key in calls}
            continue
        try:
            answer = api.read(line, calls[key])
            usd = usd_of(answer, price, calls[key]["most"], batch=True)
            answers.append(answer._replace(usd=usd, seconds=None, versions=versions))
            failed.pop(key, None)
        except Failed as fault:
            failed[key] = (str(fault), usd_of(fault.billed, price, calls[key]["most"], batch=True))
    store.put(answers)
    for key, (note, usd) in failed.items():
        store.fail(key, hide(f"batch: {note}"), usd)
    store.write("UPDATE batches SET state='collected' WHERE tag=?", (tag,))
    return sum(answer.usd for answer in answers) + sum(usd for _, usd in failed.values())
