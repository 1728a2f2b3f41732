"""The batch APIs of both providers in one form: submit calls, find a submission that was cut off, collect its lines."""

import asyncio
import json

from helpers.judges.addresses import hide
from helpers.judges.providers import Client, make_body, most_bytes
from helpers.judges.replies import Failed, read_reply

UNFINISHED = ("validating", "in_progress", "finalizing", "cancelling", "canceling")
WAIT = object()  # it cannot be said yet whether a batch of the provider is the one that was sent


class BatchApi(Client):
    """The batches of an account."""

    def __init__(self, provider):
        super().__init__(provider)
        self.ours = provider == "anthropic"
        self.root = "/v1/messages/batches" if self.ours else "/batches"

    async def again(self, method, path, **options):
        """Return the body at a path, for what may be done twice: looking, uploading."""
        for pause in (0.5, 1, 2, 4):
            try:
                return await self.fetch(method, path, **options)
            except Failed as fault:
                if not fault.again:
                    raise
                await asyncio.sleep(max(pause, min(fault.wait, 60)))
        return await self.fetch(method, path, **options)

    async def look(self, path, **params):
        """Return the JSON object at a path."""
        found = json.loads(await self.again("GET", path, params=params))
        return found if isinstance(found, dict) else {}

    async def newest(self, **after):
        """Return up to a hundred batches of the account, newest first."""
        page = await self.look(self.root, limit=100, **after)
        return [batch for batch in page.get("data") or [] if isinstance(batch, dict) and "id" in batch]

    async def submit(self, calls, tag):
        """Return the id of a new batch; asks for it once, since a second request would buy it again."""
        bodies = [(call["key"], make_body(call)) for call in calls]
        if self.ours:
            body = {"requests": [{"custom_id": key, "params": each} for key, each in bodies]}
        else:
            fixed = {"method": "POST", "url": "/v1/chat/completions"}
            lines = [json.dumps({"custom_id": key, **fixed, "body": each}, ensure_ascii=False) for key, each in bodies]
            file = (f"{tag}.jsonl", "".join(line + "\n" for line in lines).encode())
            upload = await self.again("POST", "/files", files={"file": file}, data={"purpose": "batch"})
            body = {"input_file_id": read_id(upload), "endpoint": "/v1/chat/completions",
                    "completion_window": "24h", "metadata": {"tag": tag}}
        return read_id(await self.fetch("POST", self.root, json=body))

    async def find(self, tag, before, known, calls):
        """Return the id of the batch that an interrupted submission left behind, None if there is none, or WAIT.

        `before`: the newest batches before the submission; `known`: ids in the store. A batch without our tag is ours
        if its results are answers to our calls.
        """
        wait, after = None, {}
        while page := await self.newest(**after):
            for batch in page:
                if batch["id"] in before:
                    return wait
                if (batch.get("metadata") or {}).get("tag") == tag:
                    return batch["id"]
                if self.ours and batch["id"] not in known and sum((batch.get("request_counts") or {}).values()) == len(calls):
                    lines = await self.lines(batch["id"], calls)
                    if lines is None:
                        wait = WAIT
                    elif {line.get("custom_id") for line in lines if isinstance(line, dict)} & set(calls):
                        return batch["id"]
            if len(page) < 100:
                break
            after = {"after_id" if self.ours else "after": page[-1]["id"]}
        return wait

    async def lines(self, id, calls):
        """Return None while the batch runs, else its result lines: parsed, or text where a line is not JSON."""
        batch = await self.look(f"{self.root}/{id}")
        if (batch.get("processing_status") != "ended") if self.ours else (batch.get("status") in UNFINISHED):
            return None
        if batch.get("status") == "failed":
            return [{"failed": batch.get("errors")}]
        names = [name for name in (batch.get("output_file_id"), batch.get("error_file_id")) if name]
        found, most = [], sum(most_bytes(call) for call in calls.values())
        for path in [f"{self.root}/{id}/results"] if self.ours else [f"/files/{name}/content" for name in names]:
            text = (await self.again("GET", path, seconds=600, most=most)).decode("utf8", "replace")
            found += [parse(line) for line in text.split("\n") if line.strip()]
        return found

    def read(self, line, call):
        """Return the Answer (usd not set) in a line; raise Failed for a line without one."""
        inner = line.get("result" if self.ours else "response")
        inner = inner if isinstance(inner, dict) else {}
        good = inner.get("type") == "succeeded" if self.ours else inner.get("status_code") == 200 and not line.get("error")
        if good:
            return read_reply(inner.get("message" if self.ours else "body") or {}, call)
        raise Failed(hide(json.dumps(line.get("error") or inner or line))[:500])


def read_id(data):
    """Return the id in a reply; raise ValueError without one."""
    found = json.loads(data)
    if not (isinstance(found, dict) and isinstance(found.get("id"), str)):
        raise ValueError("the reply has no id")
    return found["id"]


def parse(line):
    """Return the JSON value of a line, or the line itself."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line
