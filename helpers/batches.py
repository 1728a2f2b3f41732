"""The providers' batch APIs at half price: submit and leave, come back days later, collect, send again what failed."""

import io
import json
import uuid
from importlib.metadata import version

import anthropic
import openai
from openai.types.chat import ChatCompletion

from helpers import prices
from helpers.calls import JudgeError, endpoint, estimate
from helpers.providers import (
    RETRIES,
    TIMEOUT,
    Transient,
    anthropic_body,
    anthropic_reply,
    openai_body,
    openai_reply,
    require_key,
    same_model,
    scrub,
    sort_status,
)
from helpers.store import COLUMNS, now

LINES = 10_000  # requests a batch: below both providers' limits in number and, for stories, in size
TRIES = 3  # failed lines of one request after which it is given up


class OpenAIBatches:
    """Batches of the OpenAI API: a file of requests in, a file of answers and a file of errors out."""

    sdk = openai

    def __init__(self):
        self.api = openai.OpenAI(max_retries=RETRIES + 2, timeout=TIMEOUT)

    def submit(self, calls, tag):
        """Return the id of a new batch."""
        lines = [
            {"custom_id": call["key"], "method": "POST", "url": "/v1/chat/completions", "body": openai_body(call)}
            for call in calls
        ]
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        file = self.api.files.create(file=(f"{tag}.jsonl", io.BytesIO(data)), purpose="batch")
        return self.api.batches.create(
            input_file_id=file.id, endpoint="/v1/chat/completions", completion_window="24h", metadata={"tag": tag}
        ).id

    def find(self, tag, created, known, count):
        """Return the id of the batch that an interrupted submission left behind, or None."""
        return next((batch.id for batch in self.api.batches.list() if (batch.metadata or {}).get("tag") == tag), None)

    def collect(self, id):
        """Return None while the batch runs, else a list of (key, Reply or None, note)."""
        batch = self.api.batches.retrieve(id)
        if batch.status in ("validating", "in_progress", "finalizing", "cancelling"):
            return None
        lines = [
            json.loads(line)
            for name in (batch.output_file_id, batch.error_file_id)
            if name
            for line in self.api.files.content(name).content.decode("utf8").split("\n")
            if line.strip()
        ]
        return [(line["custom_id"], *self._read(line)) for line in lines]

    def _read(self, line):
        response = line.get("response") or {}
        if line.get("error") or response.get("status_code") != 200:
            return None, json.dumps(line.get("error") or response.get("body"))[:500]
        try:
            return openai_reply(ChatCompletion.model_validate(response["body"])), ""
        except (Transient, ValueError, KeyError) as fault:
            return None, f"unreadable line ({fault})"


class AnthropicBatches:
    """Message batches of the Anthropic API."""

    sdk = anthropic

    def __init__(self):
        self.api = anthropic.Anthropic(max_retries=RETRIES + 2, timeout=TIMEOUT)

    def submit(self, calls, tag):
        """Return the id of a new batch."""
        return self.api.messages.batches.create(
            requests=[{"custom_id": call["key"], "params": anthropic_body(call)} for call in calls]
        ).id

    def find(self, tag, created, known, count):
        """Return the id of an unknown batch of `count` requests made since the submission began, or None."""
        for batch in self.api.messages.batches.list():
            size = sum(batch.request_counts.model_dump().values())
            if batch.id not in known and size == count and batch.created_at.timestamp() >= created - 5:
                return batch.id
        return None

    def collect(self, id):
        """Return None while the batch runs, else a list of (key, Reply or None, note)."""
        if self.api.messages.batches.retrieve(id).processing_status != "ended":
            return None
        found = []
        for line in self.api.messages.batches.results(id):
            if line.result.type == "succeeded":
                found.append((line.custom_id, anthropic_reply(line.result.message), ""))
            else:
                found.append((line.custom_id, None, f"{line.result.type}: {getattr(line.result, 'error', '')}"[:500]))
        return found


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
        usd = estimate(left, price, store)["usd_batch"]
        if usd > max_usd:
            notes |= {call["key"]: "not submitted" for call in left}
            return (
                notes,
                (
                    f"nothing was submitted: a batch of {len(left)} calls would cost about ${usd:.4f} (prices of "
                    f"{price['date']}), max_usd={max_usd}; raise max_usd, or set limit"
                ),
                facts,
            )
        for start in range(0, len(left), LINES):
            facts["calls"] += submit(client, left[start : start + LINES], store)
    except client.sdk.APIStatusError as fault:
        raise JudgeError(f"batch: {sort_status(fault)}; what was collected is kept, run again") from None
    except client.sdk.APIError as fault:
        raise JudgeError(scrub(f"batch: {fault}; what was collected is kept, run again")) from None
    waiting = [call["key"] for call in left]
    facts["complete"] = not waiting and not notes
    stop = (
        (f"{len(waiting)} answers are in a batch at the provider; run the same again later (minutes to a day) to collect them")
        if waiting
        else None
    )
    return notes | dict.fromkeys(waiting, "in a batch"), stop, facts


def still_open(todo, store):
    """Return (calls neither answered nor given up, in a batch or not; notes of those given up: failed too often)."""
    answered = store.get(call["key"] for call in todo)
    failed = {
        key: (count, note)
        for key, count, note in store.rows("SELECT key, count(*), max(note) FROM failures WHERE note LIKE 'batch%' GROUP BY key")
    }
    open_calls = [call for call in todo if call["key"] not in answered]
    notes = {call["key"]: failed[call["key"]][1] for call in open_calls if failed.get(call["key"], (0,))[0] >= TRIES}
    return [call for call in open_calls if call["key"] not in notes], notes


def submit(client, calls, store):
    """Submit those calls that are in no batch; a row in the store says so before the provider hears of it. Return how many."""
    tag = uuid.uuid4().hex
    free = store.reserve_batch(tag, calls, endpoint(calls[0]["provider"]))
    if free:
        id = client.submit([call for call in calls if call["key"] in free], tag)
        store.run("UPDATE batches SET id=?, state='submitted' WHERE tag=?", id, tag)
    return len(free)


def recover(client, store, provider):
    """Settle submissions that were cut off: adopt the batch if the provider has it, else forget the row, so that it is sent."""
    for tag, _, calls in store.batches(provider, endpoint(provider), "submitting"):
        if store.is_alive(tag):
            continue
        created, known = (
            store.rows("SELECT created FROM batches WHERE tag=?", tag)[0][0],
            {row[0] for row in store.rows("SELECT id FROM batches WHERE id IS NOT NULL")},
        )
        if id := client.find(tag, created, known, len(calls)):
            store.run("UPDATE batches SET id=?, state='submitted' WHERE tag=?", id, tag)
        else:
            store.run("DELETE FROM batches WHERE tag=?", tag)


def keep(lines, calls, tag, id, store, price, client):
    """Keep the answers of a finished batch and note its failed lines; return the USD of the answers."""
    versions = json.dumps({client.sdk.__name__: version(client.sdk.__name__), "batch": id})
    rows, failed = [], {key: "batch: no line came back" for key in calls}
    for key, reply, note in lines:
        if key not in calls:
            continue
        if reply is None or not same_model(calls[key]["model"], reply.served_model):
            failed[key] = f"batch: {note or 'answered by ' + reply.served_model}"
            continue
        failed.pop(key, None)
        usd = prices.cost(price, reply.input_tokens, reply.output_tokens, reply.cached_tokens, reply.written_tokens, batch=True)
        values = calls[key] | reply._asdict() | {"usd": usd, "seconds": None, "at": now(), "versions": versions}
        rows.append(tuple(values[column] for column in COLUMNS))
    store.put(rows)
    for key, note in failed.items():
        store.fail(key, scrub(note))
    store.run("UPDATE batches SET state='collected' WHERE tag=?", tag)
    return sum(row[COLUMNS.index("usd")] for row in rows)


CLIENTS = {"openai": OpenAIBatches, "anthropic": AnthropicBatches}
