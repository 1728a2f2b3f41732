"""The batch APIs of both providers in one form: submit calls, find a submission that was cut off, collect its lines."""

import io
import json

import httpx2

from helpers.judges.addresses import scrub
from helpers.judges.providers import SDKS, make_api, make_body
from helpers.judges.replies import Failed, expect, read_reply

AGAIN = {"max_retries": 4}  # for what may be done twice: looking, uploading
UNFINISHED = ("validating", "in_progress", "finalizing", "cancelling", "canceling")
WAIT = object()  # it cannot be said yet whether a batch of the provider is the one that was sent


class BatchApi:
    """The batches of an account."""

    def __init__(self, provider):
        self.api, self.sdk, self.ours = make_api(provider, timeout=120), SDKS[provider], provider == "anthropic"
        self.root = "/v1/messages/batches" if self.ours else "/batches"

    def get(self, path, **params):
        """Return the bytes at a path below the base URL."""
        return self.api.get(path, cast_to=httpx2.Response, options=AGAIN | {"params": params}).content

    def look(self, path, **params):
        """Return the JSON object at a path."""
        return expect(json.loads(self.get(path, **params)), dict, f"the reply to {path}")

    def batches(self):
        """Yield the account's batches, newest first."""
        after, more = {}, True
        while more:
            page = self.look(self.root, limit=100, **after)
            found = [batch for batch in page.get("data") or [] if isinstance(batch, dict) and "id" in batch]
            yield from found
            more = bool(page.get("has_more") and found)
            after = {"after_id" if self.ours else "after": found[-1]["id"]} if found else {}

    def newest(self):
        """Return the ids of the newest batches, so that one that comes after them is known."""
        page = self.look(self.root, limit=100).get("data") or []
        return [batch["id"] for batch in page if isinstance(batch, dict) and "id" in batch]

    def submit(self, calls, tag):
        """Return the id of a new batch; asks for it once, since a second request would buy it again."""
        bodies = [(call["key"], make_body(call)) for call in calls]
        if self.ours:
            body = {"requests": [{"custom_id": key, "params": each} for key, each in bodies]}
        else:
            fixed = {"method": "POST", "url": "/v1/chat/completions"}
            lines = [json.dumps({"custom_id": key, **fixed, "body": each}, ensure_ascii=False) for key, each in bodies]
            data = "".join(line + "\n" for line in lines).encode()
            upload = self.api.with_options(**AGAIN).files.create
            file = upload(file=(f"{tag}.jsonl", io.BytesIO(data)), purpose="batch")
            body = {"input_file_id": file.id, "endpoint": "/v1/chat/completions", "completion_window": "24h",
                    "metadata": {"tag": tag}}
        reply = json.loads(self.api.post(self.root, cast_to=httpx2.Response, body=body).content)
        return expect(expect(reply, dict, "the reply").get("id"), str, "the batch's id")

    def find(self, tag, before, known, calls):
        """Return the id of the batch that an interrupted submission left behind, None if there is none, or WAIT.

        `before`: the newest batches before the submission; `known`: ids in the store. A batch without our tag is ours
        if its results are answers to our calls.
        """
        wait = None
        for batch in self.batches():
            if not self.ours:
                if (batch.get("metadata") or {}).get("tag") == tag:
                    return batch["id"]
            elif batch["id"] in before:
                break
            elif batch["id"] not in known and sum((batch.get("request_counts") or {}).values()) == len(calls):
                lines = self.lines(batch["id"])
                if lines is None:
                    wait = WAIT
                elif {line.get("custom_id") for line in lines if isinstance(line, dict)} & set(calls):
                    return batch["id"]
        return wait

    def lines(self, id):
        """Return None while the batch runs, else its result lines: parsed, or text where a line is not JSON."""
        batch = self.look(f"{self.root}/{id}")
        if (batch.get("processing_status") != "ended") if self.ours else (batch.get("status") in UNFINISHED):
            return None
        names = [batch.get("output_file_id"), batch.get("error_file_id")]
        paths = [f"{self.root}/{id}/results"] if self.ours else [f"/files/{name}/content" for name in names if name]
        found = [line for path in paths for line in self.get(path).decode("utf8", "replace").split("\n") if line.strip()]
        if not self.ours and batch.get("status") == "failed":
            found = [json.dumps({"failed": batch.get("errors")})]
        return [parse(line) for line in found]

    def read(self, line, call):
        """Return the Answer (usd not set) in a line; raise Failed for a line without one."""
        inner = line.get("result" if self.ours else "response")
        inner = inner if isinstance(inner, dict) else {}
        good = inner.get("type") == "succeeded" if self.ours else inner.get("status_code") == 200 and not line.get("error")
        if good:
            return read_reply(inner.get("message" if self.ours else "body") or {}, call)
        raise Failed(scrub(json.dumps(line.get("error") or inner or line))[:500])


def parse(line):
    """Return the JSON value of a line, or the line itself."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line
