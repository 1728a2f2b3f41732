"""The batch APIs of the providers in one form: submit calls, find a batch again by its tag, collect its answers."""

import io
import json

import anthropic
import openai
from openai.types.chat import ChatCompletion

from helpers.judges.providers import RETRIES, TIMEOUT, anthropic_body, openai_body
from helpers.judges.replies import Transient, anthropic_reply, openai_reply

OPTIONS = {"max_retries": RETRIES + 2, "timeout": TIMEOUT}


class OpenAIBatches:
    """Batches of the OpenAI API: a file of requests in, a file of answers and a file of errors out."""

    sdk = openai

    def __init__(self):
        self.api = openai.OpenAI(**OPTIONS)

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
        self.api = anthropic.Anthropic(**OPTIONS)

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


CLIENTS = {"openai": OpenAIBatches, "anthropic": AnthropicBatches}
