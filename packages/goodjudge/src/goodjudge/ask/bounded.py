"""The HTTP client under the SDKs: it reads no more of a reply than it may, and hides secrets in it
before anybody else sees it.

A hostile or broken server may send without end, or pack gigabytes into kilobytes (a "gzip bomb").
Whoever sends a request sets `LIMIT` before; a longer reply is a failure of that request alone.
"""

import gzip
import io
import json
import zlib
from contextvars import ContextVar

import httpx2

from goodjudge.ask.redaction import redact_secrets
from goodjudge.ask.replies import Failed

LIMIT = ContextVar("most bytes of a reply", default=10_000_000)
FRAME_BYTES = 100_000  # of a reply besides its tokens
TOKEN_BYTES = 100  # of a token
LOGPROBS_BYTES = 5_000  # of a token with the log-probabilities of twenty others
# headers of the body as it came, packed
FRAMING = (b"content-encoding", b"content-length", b"transfer-encoding")


def most_bytes(call):
    """Return how long the reply to a call may be."""
    has_logprobs = "logprobs" in json.loads(call.params)
    return FRAME_BYTES + call.max_tokens * (LOGPROBS_BYTES if has_logprobs else TOKEN_BYTES)


class Bounded(httpx2.AsyncClient):
    """An HTTP client that reads no more of a reply than `LIMIT`, packed or not."""

    async def send(self, request, **options):
        """Return the whole reply, without secrets; raise Failed for one beyond the limit."""
        limit = LIMIT.get()
        reply = await super().send(request, **options | {"stream": True})
        body = await read_up_to(reply, limit)
        if reply.headers.get("content-encoding", "").lower() == "gzip":
            body = unpack(body, limit)
        if len(body) > limit:
            note = f"the reply is longer than {limit:,} bytes"
            raise Failed(note, again=False, billed=True, useless=True)
        body = hide_secrets(body, reply.is_success)
        headers = [pair for pair in reply.headers.raw if pair[0].lower() not in FRAMING]
        return httpx2.Response(reply.status_code, headers=headers, content=body, request=request)


async def read_up_to(reply, limit):
    """Return the bytes of a reply as they came, little more than `limit` of them; it is closed."""
    body = bytearray()
    try:
        async for chunk in reply.aiter_raw():
            body += chunk
            if len(body) > limit:
                break
    finally:
        await reply.aclose()
    return bytes(body)


def unpack(packed, limit):
    """Return what gzip has packed, one byte more than `limit` at most; Failed if it cannot be."""
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(packed)).read(limit + 1)
    except (OSError, EOFError, zlib.error) as fault:
        note = f"the reply cannot be unpacked ({fault})"
        raise Failed(note, billed=True, useless=True) from None


def hide_secrets(body, is_success):
    """Return the bytes of a reply without secrets, before anything of it is read or cut."""
    text = body.decode("utf8", "surrogateescape")
    if is_success:  # a short part of a secret may be a word of the answer
        text = redact_secrets(text, shortest=16, run=8)
    else:
        text = redact_secrets(text)
    return text.encode("utf8", "surrogateescape")
