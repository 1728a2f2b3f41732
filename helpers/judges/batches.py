"""Batches at half price: submit and leave, come back days later, collect, send again what failed."""

import json
import sqlite3
import uuid

import httpx2

from helpers.judges import prices
from helpers.judges.addresses import JudgeError, NoForm, endpoint, hide
from helpers.judges.providers import FORM, MOST, Client, make_body, most_bytes, most_tokens
from helpers.judges.replies import Failed, read_reply, usd_of
from helpers.judges.store import COLUMNS

LINES = 10_000  # requests a batch: below both providers' limits in number and, for stories, in size
TRIES = 3  # failed lines of one request after which it is given up
SECONDS = 300  # for one step, with the SDK's repetitions
UNFINISHED = ("validating", "in_progress", "finalizing", "cancelling", "canceling")
WAIT = object()  # it cannot be said yet whether a batch of the provider is the one that was sent
LATER = "answers are in a batch at the provider; run the same again later (minutes to a day) to collect them"
STOPPED = "what was collected is kept; run again: whether the provider took the batch is looked up before anything is sent"


class Batches(Client):
    """The batches of an account. The SDK repeats what only looks or uploads; a second creation would buy a batch again."""

    def __init__(self, provider, store, price):
        super().__init__(provider)
        self.store, self.price, self.anthropic = store, price, provider == "anthropic"
        self.patient = self.api.with_options(max_retries=4)
        self.known, self.once = ((api.messages if self.anthropic else api).batches for api in (self.patient, self.api))

    async def run(self, todo, calls, budget, facts):
        """Collect what is done, submit what is in no batch yet; return (notes, why it is not complete or None); fill `facts`."""
        try:
            await self.recover()
            for tag, id, members in self.listed("submitted"):
                if (lines := await self.lines(id, members)) is not None:
                    facts["usd"] += self.keep(lines, members, tag, id)
            left, notes = self.still_open(todo)
            busy = {key: call for *_, members in self.listed("submitted", "submitting") for key, call in members.items()}
            free = [call | {"most": prices.most(self.price, most_tokens(call), call["max_tokens"], batch=True)}
                    for call in left if call["key"] not in busy]
            # the most that these calls can cost by batch, what earlier runs paid for them included, never exceeds what is left
            paid = self.earlier(calls) + sum(busy[call["key"]]["most"] for call in calls if call["key"] in busy)
            what = f"nothing was submitted: {len(free)} calls in a batch, with ${paid:.4f} for these calls before it,"
            if free and (stop := budget.refuse(what, paid + sum(call["most"] for call in free), self.price)):
                return notes | {call["key"]: "not submitted" for call in left}, stop
            for start in range(0, len(free), LINES):
                await self.submit(free[start : start + LINES], budget)
                facts["calls"] += len(free[start : start + LINES])
        except NoForm:
            raise
        except (Failed, ValueError, AttributeError, TypeError, sqlite3.Error) as fault:  # the SDK checks no reply's shape
            raise JudgeError(hide(f"batch: {fault}; {STOPPED}")) from None
        finally:
            await self.close()
        return notes | {call["key"]: "in a batch" for call in left}, f"{len(left)} {LATER}" if left else None

    def listed(self, *states):
        """Return (tag, id or, while one is submitted, JSON list of ids before it, {key: call, `most` it costs}) of batches."""
        sql = "SELECT tag, id, calls FROM batches WHERE provider=? AND endpoint=? AND state IN (SELECT value FROM json_each(?))"
        found = self.store.rows(sql, self.provider, endpoint(self.provider), json.dumps(states))
        return [(tag, id, json.loads(calls)) for tag, id, calls in found]

    def earlier(self, calls):
        """Return the USD that batches of these calls have cost or may have cost."""
        keys, mine = json.dumps([call["key"] for call in calls]), "key IN (SELECT value FROM json_each(?))"
        kept = self.store.rows(f"SELECT total(usd) FROM answers WHERE versions LIKE '%\"batch\"%' AND {mine}", keys)
        return kept[0][0] + self.store.rows(f"SELECT total(usd) FROM failures WHERE note LIKE 'batch%' AND {mine}", keys)[0][0]

    def still_open(self, todo):
        """Return (calls neither answered nor given up, in a batch or not; notes of those given up: failed too often)."""
        answered = self.store.get(call["key"] for call in todo)
        counted = self.store.rows("SELECT key, count(*), max(note) FROM failures WHERE note LIKE 'batch%' GROUP BY key")
        failed = {key: (count, note) for key, count, note in counted}
        left = [call for call in todo if call["key"] not in answered]
        said = {call["key"]: failed.get(call["key"], (0, "")) for call in left}
        if not answered and any(call["form"] and FORM.search(said[call["key"]][1]) for call in left):
            raise NoForm("the model takes no JSON schema in a batch")
        notes = {key: note for key, (count, note) in said.items() if count >= TRIES}
        return [call for call in left if call["key"] not in notes], notes

    async def submit(self, calls, budget):
        """Submit calls; a row in the store says so before the provider hears of it."""
        kept, tag = {call["key"]: {name: call[name] for name in (*COLUMNS[:7], "most")} for call in calls}, uuid.uuid4().hex
        async with self.within(SECONDS):
            before = json.dumps([batch.id for batch in (await self.known.list(limit=100)).data])
        row = (tag, before, self.provider, endpoint(self.provider), "submitting", json.dumps(kept))
        self.store.write("INSERT INTO batches (tag, id, provider, endpoint, state, calls) VALUES (?,?,?,?,?,?)", row)
        budget.settle(0, sum(call["most"] for call in calls))
        try:
            async with self.within(SECONDS):
                self.mark(tag, (await self.create({call["key"]: make_body(call) for call in calls}, tag)).id)
        except (Failed, JudgeError) as fault:
            if not getattr(fault, "billed", False):  # refused, for certain
                self.store.write("DELETE FROM batches WHERE tag=?", (tag,))
            raise

    async def create(self, bodies, tag):
        """Return a new batch of requests, {key: body}."""
        if self.anthropic:
            return await self.once.create(requests=[{"custom_id": key, "params": body} for key, body in bodies.items()])
        path = "/v1/chat/completions"
        lines = [json.dumps({"custom_id": key, "method": "POST", "url": path, "body": body}, ensure_ascii=False) + "\n"
                 for key, body in bodies.items()]
        file = await self.patient.files.create(file=(f"{tag}.jsonl", "".join(lines).encode()), purpose="batch")
        return await self.once.create(input_file_id=file.id, endpoint=path, completion_window="24h", metadata={"tag": tag})

    def mark(self, tag, id):
        """Note that the provider has the batch, and under which id."""
        self.store.write("UPDATE batches SET id=?, state='submitted' WHERE tag=?", (id, tag))

    async def recover(self):
        """Settle submissions that were cut off: adopt the batch if the provider has it, else forget the row."""
        for tag, before, calls in self.listed("submitting"):
            async with self.within(SECONDS):
                id = await self.find(tag, json.loads(before or "[]"), calls)
            if id is None:
                self.store.write("DELETE FROM batches WHERE tag=?", (tag,))
            elif id is not WAIT:
                self.mark(tag, id)

    async def find(self, tag, before, calls):
        """Return the id of the batch that a submission left behind after those `before` it, None if there is none, or WAIT."""
        found, taken = None, {row[0] for row in self.store.rows("SELECT id FROM batches WHERE state != 'submitting'")}
        async for batch in self.known.list(limit=100):
            if batch.id in before:
                break
            if not self.anthropic and (batch.metadata or {}).get("tag") == tag:
                return batch.id
            # a batch of Anthropic's has no tag: it is ours if it answers our calls
            if self.anthropic and batch.id not in taken and sum(batch.request_counts.to_dict().values()) == len(calls):
                lines = await self.lines(batch.id, calls)
                if lines is None:
                    found = WAIT
                elif {line.get("custom_id") for line in lines if isinstance(line, dict)} & set(calls):
                    return batch.id
        return found

    async def lines(self, id, calls):
        """Return None while the batch runs, else its result lines: parsed, or text where a line is not JSON."""
        MOST.set(10_000_000 + sum(most_bytes(call) for call in calls.values()))
        async with self.within(SECONDS):
            batch = await self.known.retrieve(id)
            if batch.processing_status != "ended" if self.anthropic else batch.status in UNFINISHED:
                return None
            if self.anthropic:
                replies = [await self.patient.get(f"/v1/messages/batches/{id}/results", cast_to=httpx2.Response)]
            elif batch.status == "failed":
                return [{"custom_id": key, "error": batch.to_dict().get("errors")} for key in calls]
            else:
                names = [name for name in (batch.output_file_id, batch.error_file_id) if name]
                replies = [await self.patient.files.content(name) for name in names]
        return [parse(line) for reply in replies for line in reply.text.split("\n") if line.strip()]

    def keep(self, lines, calls, tag, id):
        """Keep the answers of a finished batch and note its failed lines; return the USD that it cost, at most."""
        versions = json.dumps(json.loads(self.versions) | {"batch": id})
        answers, failed = [], {key: ("no line came back", call["most"]) for key, call in calls.items()}
        for line in lines:
            key = line.get("custom_id") if isinstance(line, dict) else None
            if not isinstance(key, str) or key not in calls:
                self.store.fail("", hide(f"batch {id}: a line that belongs to no call: {json.dumps(line)[:300]}"))
                continue
            try:
                answer = self.read(line, calls[key])
                usd = usd_of(answer, self.price, calls[key]["most"], batch=True)
                answers.append(answer._replace(usd=usd, seconds=None, versions=versions))
                failed.pop(key, None)
            except Failed as fault:
                failed[key] = (str(fault), usd_of(fault.billed, self.price, calls[key]["most"], batch=True))
        self.store.put(answers)
        for key, (note, usd) in failed.items():
            self.store.fail(key, hide(f"batch: {note}"), usd)
        self.store.write("UPDATE batches SET state='collected' WHERE tag=?", (tag,))
        return sum(answer.usd for answer in answers) + sum(usd for _, usd in failed.values())

    def read(self, line, call):
        """Return the Answer (usd not set) in a line; raise Failed for a line without one."""
        inner = line.get("result" if self.anthropic else "response")
        inner = inner if isinstance(inner, dict) else {}
        good = inner.get("type") == "succeeded" if self.anthropic else inner.get("status_code") == 200 and not line.get("error")
        if good:
            return read_reply(inner.get("message" if self.anthropic else "body") or {}, call)
        raise Failed(hide(json.dumps(line.get("error") or inner or line))[:500])


def parse(line):
    """Return the JSON value of a line, or the line itself."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line
