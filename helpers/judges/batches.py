"""Batches at half price: submit and leave, come back days later, collect, send
again what failed."""

import asyncio
import json
import sqlite3
import time
import uuid

from helpers.judges import prices
from helpers.judges.addresses import JudgeError, NoForm, endpoint, hide
from helpers.judges.batch_api import SECONDS, BatchApi, named
from helpers.judges.providers import FORM, make_body, most_tokens
from helpers.judges.replies import Failed, usd_of
from helpers.judges.store import COLUMNS

LINES = 10_000  # requests a batch: below both providers' limits in number and, for stories, in size
TRIES = 3  # failed lines of one request after which it is given up
# seconds after a submission in which a provider may not list yet the batch that it has
UNLISTED = 900
WAIT = object()  # it cannot be said yet whether a batch of the provider is the one that was sent
LATER = (
    "answers are in a batch at the provider; run the same again later (minutes to a day) to collect"
    " them"
)
STOPPED = (
    "what was collected is kept; run again: whether the provider took the batch is looked up before"
    " anything is sent"
)


class Batches(BatchApi):
    """The batches of one run of calls; what becomes of each is in the store before and after the
    provider hears of it."""

    def __init__(self, provider, store, price):
        super().__init__(provider)
        self.store, self.price = store, price
        self.stop, self.task, self.sending = "", None, False

    def halt(self, why):
        """End the run, from any thread: what only looks is cut off, a submission under way is
        finished."""
        self.stop = self.stop or f"stopped: {why}; what was collected is kept, run again"
        if task := self.task:
            task.get_loop().call_soon_threadsafe(
                lambda: self.sending or not self.task or task.cancel()
            )

    async def run(self, todo, calls, budget, facts, run_seconds):
        """Collect what is done, submit what is in no batch yet; return (notes, why it is not
        complete or None); fill `facts`."""
        self.task, left, notes = asyncio.current_task(), todo, {}
        asyncio.get_running_loop().call_later(
            run_seconds, self.halt, f"it took longer than {run_seconds:g} s (run_seconds)"
        )
        try:
            await self.recover()
            for tag, id, members in self.listed("submitted"):
                if (lines := await self.lines(id, members)) is not None:
                    facts["usd"] += self.keep(lines, members, tag, id)
            left, notes = self.still_open(todo)
            busy = {
                key: call
                for *_, members in self.listed("submitted", "submitting")
                for key, call in members.items()
            }
            free = [
                call
                | {
                    "most": prices.most(
                        self.price, most_tokens(call), call["max_tokens"], batch=True
                    )
                }
                for call in left
                if call["key"] not in busy
            ]
            # the most that these calls can cost by batch, what earlier runs paid for them included,
            # never exceeds what is left
            paid = self.earlier(calls) + sum(
                busy[call["key"]]["most"] for call in calls if call["key"] in busy
            )
            what = (
                f"nothing was submitted: {len(free)} calls in a batch, with ${paid:.4f} for these"
                " calls before it,"
            )
            if free and (
                stop := budget.refuse(what, paid + sum(call["most"] for call in free), self.price)
            ):
                return notes | {call["key"]: "not submitted" for call in left}, stop
            while free and not self.stop:
                await self.submit(free[:LINES], budget)
                facts["calls"] += len(free[:LINES])
                del free[:LINES]
        except asyncio.CancelledError:
            return notes | {call["key"]: "not looked up" for call in left}, self.stop
        except NoForm:
            raise
        except (Failed, ValueError, sqlite3.Error) as fault:
            raise JudgeError(hide(f"batch: {fault}; {STOPPED}")) from None
        except (AttributeError, TypeError) as fault:  # the SDK checks no reply's shape
            raise JudgeError(
                hide(f"batch: a reply has not the documented shape ({fault}); {STOPPED}")
            ) from None
        finally:
            self.task = None
            await self.close()
        notes |= {call["key"]: "in a batch" for call in left} | {
            call["key"]: "not submitted" for call in free
        }
        return notes, (self.stop or f"{len(left)} {LATER}") if left else None

    def listed(self, *states):
        """Return (tag, id or, while one is submitted, the time and ids before it, {key: call,
        `most` it costs}) of batches."""
        sql = (
            "SELECT tag, id, calls FROM batches WHERE provider=? AND endpoint=? AND state IN"
            " (SELECT value FROM json_each(?))"
        )
        found = self.store.rows(sql, self.provider, endpoint(self.provider), json.dumps(states))
        return [(tag, id, json.loads(calls)) for tag, id, calls in found]

    def earlier(self, calls):
        """Return the USD that batches of these calls have cost or may have cost."""
        keys, mine = (
            json.dumps([call["key"] for call in calls]),
            "key IN (SELECT value FROM json_each(?))",
        )
        kept = self.store.rows(
            f"SELECT total(usd) FROM answers WHERE versions LIKE '%\"batch\"%' AND {mine}", keys
        )
        return (
            kept[0][0]
            + self.store.rows(
                f"SELECT total(usd) FROM failures WHERE note LIKE 'batch%' AND {mine}", keys
            )[0][0]
        )

    def still_open(self, todo):
        """Return (calls neither answered nor given up, in a batch or not; notes of those given up:
        failed too often)."""
        answered = self.store.get(call["key"] for call in todo)
        counted = self.store.rows(
            "SELECT key, count(*), max(note) FROM failures WHERE note LIKE 'batch%' GROUP BY key"
        )
        failed = {key: (count, note) for key, count, note in counted}
        left = [call for call in todo if call["key"] not in answered]
        said = {call["key"]: failed.get(call["key"], (0, "")) for call in left}
        if not answered and any(
            call["form"] and FORM.search(said[call["key"]][1]) for call in left
        ):
            raise NoForm("the model takes no JSON schema in a batch")
        notes = {key: note for key, (count, note) in said.items() if count >= TRIES}
        return [call for call in left if call["key"] not in notes], notes

    async def submit(self, calls, budget):
        """Submit calls; a row in the store says so before the provider hears of it."""
        kept, tag = (
            {call["key"]: {name: call[name] for name in (*COLUMNS[:7], "most")} for call in calls},
            uuid.uuid4().hex,
        )
        async with self.within(SECONDS):
            before = json.dumps(
                [time.time(), *(batch.id for batch in (await self.known.list(limit=100)).data)]
            )
        row = (tag, before, self.provider, endpoint(self.provider), "submitting", json.dumps(kept))
        self.store.write(
            "INSERT INTO batches (tag, id, provider, endpoint, state, calls) VALUES (?,?,?,?,?,?)",
            row,
        )
        budget.settle(0, sum(call["most"] for call in calls))
        self.sending = True
        try:
            async with self.within(SECONDS):
                self.mark(
                    tag,
                    (await self.create({call["key"]: make_body(call) for call in calls}, tag)).id,
                )
        except (Failed, JudgeError) as fault:
            if not getattr(fault, "billed", False):  # refused, for certain
                self.store.write("DELETE FROM batches WHERE tag=?", (tag,))
            raise
        finally:
            self.sending = False

    def mark(self, tag, id):
        """Note that the provider has the batch, and under which id; raise Failed
        for what is no id."""
        if not isinstance(id, str):
            raise Failed("the provider's reply names no batch", billed=True)
        self.store.write("UPDATE batches SET id=?, state='submitted' WHERE tag=?", (id, tag))

    async def recover(self):
        """Settle submissions that were cut off: adopt the batch if the provider has it, else forget
        the row."""
        for tag, before, calls in self.listed("submitting"):
            async with self.within(SECONDS):
                id = await self.find(tag, json.loads(before or "[]"), calls)
            if id is None:
                self.store.write("DELETE FROM batches WHERE tag=?", (tag,))
            elif id is not WAIT:
                self.mark(tag, id)

    async def find(self, tag, before, calls):
        """Return the id of the batch that a submission left behind after those `before` it, None if
        there is none, or WAIT."""
        sent = max(value for value in [0.0, *before] if isinstance(value, float))
        found = WAIT if time.time() < sent + UNLISTED else None
        taken = {
            row[0] for row in self.store.rows("SELECT id FROM batches WHERE state != 'submitting'")
        }
        for batch in await self.listing(before):
            if not self.anthropic and (batch.metadata or {}).get("tag") == tag:
                return batch.id
            # a batch of Anthropic's has no tag: it is ours if it answers our calls
            if (
                self.anthropic
                and batch.id not in taken
                and sum(batch.request_counts.to_dict().values()) == len(calls)
            ):
                lines = await self.lines(batch.id, calls)
                if lines is None or not named(lines):
                    found = WAIT
                elif named(lines) & calls.keys():
                    return batch.id
        return found

    def keep(self, lines, calls, tag, id):
        """Keep the answers of a finished batch and note its failed lines; return the USD that it
        cost, at most."""
        if not named(lines) & calls.keys():  # they are paid: asked for again, not bought again
            raise Failed(f"{id} has ended, and none of its answers can be read")
        versions = json.dumps(json.loads(self.versions) | {"batch": id})
        answers, failed = (
            {},
            {key: ("no line came back", call["most"]) for key, call in calls.items()},
        )
        for line in lines:
            if (key := line["custom_id"]) not in calls:
                self.store.fail(
                    "",
                    hide(f"batch {id}: a line that belongs to no call: {json.dumps(line)}")[:400],
                )
                continue
            try:
                answer = self.read(line, calls[key])
                usd = usd_of(answer, self.price, calls[key]["most"], batch=True)
                answers[key] = answer._replace(usd=usd, seconds=None, versions=versions)
            except Failed as fault:
                failed[key] = (
                    str(fault),
                    usd_of(fault.billed, self.price, calls[key]["most"], batch=True),
                )
        self.store.put(answers.values())
        failed = {key: fault for key, fault in failed.items() if key not in answers}
        for key, (note, usd) in failed.items():
            self.store.fail(key, hide(f"batch: {note}"), usd)
        self.store.write("UPDATE batches SET state='collected' WHERE tag=?", (tag,))
        return sum(answer.usd for answer in answers.values()) + sum(
            usd for _, usd in failed.values()
        )
