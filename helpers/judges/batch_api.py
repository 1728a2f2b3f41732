"""What a provider says of its batches: creation, list, state and result lines, believed only where
it is whole."""

import json

import httpx2

from helpers.judges.addresses import hide
from helpers.judges.providers import MOST, Client, most_bytes
from helpers.judges.replies import Failed, read_reply

SECONDS = 300  # for one step, with the SDK's repetitions
FINAL = ("ended", "completed", "failed", "expired", "cancelled")  # any other state may change


class BatchApi(Client):
    """The batches of an account. The SDK repeats what only looks or uploads; a second creation
    would buy a batch again."""

    def __init__(self, provider):
        super().__init__(provider)
        self.anthropic, self.patient = provider == "anthropic", self.api.with_options(max_retries=4)
        self.known, self.once = (
            (api.messages if self.anthropic else api).batches for api in (self.patient, self.api)
        )

    async def create(self, bodies, tag):
        """Return a new batch of requests, {key: body}."""
        if self.anthropic:
            return await self.once.create(
                requests=[{"custom_id": key, "params": body} for key, body in bodies.items()]
            )
        path = "/v1/chat/completions"
        lines = [
            json.dumps(
                {"custom_id": key, "method": "POST", "url": path, "body": body}, ensure_ascii=False
            )
            + "\n"
            for key, body in bodies.items()
        ]
        file = await self.patient.files.create(
            file=(f"{tag}.jsonl", "".join(lines).encode()), purpose="batch"
        )
        return await self.once.create(
            input_file_id=file.id, endpoint=path, completion_window="24h", metadata={"tag": tag}
        )

    async def listing(self, before):
        """Return the provider's batches that are newer than those `before`."""
        page, found = await self.known.list(limit=100), {}
        while new := {batch.id: batch for batch in page.data if batch.id not in found}:
            found |= new
            if not new.keys().isdisjoint(before) or not page.has_next_page():
                break
            page = await page.get_next_page()
        return [batch for id, batch in found.items() if id not in before]

    async def lines(self, id, calls):
        """Return None while the batch runs, else its result lines, parsed."""
        MOST.set(10_000_000 + sum(most_bytes(call) for call in calls.values()))
        async with self.within(SECONDS):
            batch = await self.known.retrieve(id)
            state = batch.processing_status if self.anthropic else batch.status
            if batch.id != id or state not in FINAL:
                return None
            names = (
                [f"/v1/messages/batches/{id}/results"]
                if self.anthropic
                else [
                    f"/files/{name}/content"
                    for name in (batch.output_file_id, batch.error_file_id)
                    if name
                ]
            )
            if not names and (
                state == "failed" or (state != "completed" and batch.request_counts.completed == 0)
            ):
                return [
                    {"custom_id": key, "error": batch.to_dict().get("errors") or state}
                    for key in calls
                ]
            found = await self.download(names)
            if calls.keys() - named(found):  # cut off on its way?
                found = max(
                    found,
                    await self.download(names),
                    key=lambda lines: len(named(lines) & calls.keys()),
                )
        return found

    async def download(self, names):
        """Return the lines of files of results."""
        replies = [await self.patient.get(name, cast_to=httpx2.Response) for name in names]
        return [parse(line) for reply in replies for line in reply.text.split("\n") if line.strip()]

    def read(self, line, call):
        """Return the Answer (usd not set) in a line; raise Failed for a line without one."""
        inner = line.get("result" if self.anthropic else "response")
        inner = inner if isinstance(inner, dict) else {}
        good = (
            inner.get("type") == "succeeded"
            if self.anthropic
            else inner.get("status_code") == 200 and not line.get("error")
        )
        if good:
            return read_reply(inner.get("message" if self.anthropic else "body") or {}, call)
        raise Failed(hide(json.dumps(line.get("error") or inner or line))[:500])


def named(lines):
    """Return the keys that lines name."""
    return {line["custom_id"] for line in lines} - {""}


def parse(line):
    """Return the object in a line, or one whose custom_id is '' for a line that names none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    return (
        found
        if isinstance(found, dict) and isinstance(found.get("custom_id"), str)
        else {"custom_id": "", "line": line}
    )
