"""A loopback server that means harm: it counts what a provider could bill, and answers as no
provider should.

`with NastyServer(mode, share) as server:` `server.billed` is USD at gpt-4o's prices for every
request that was worked on, answered or not; `server.answered` the keys of whole, proper replies;
`server.batches` the batches that were bought.
"""

import asyncio
import gzip
import json
import math
import random
import threading
import time

IN, OUT = 2.5e-6, 10e-6  # USD a token
VERDICT = "Weighed.\nVerdict: Yes"
ODD_USAGE = {
    "usage-null": None,
    "usage-negative": {"prompt_tokens": -5, "completion_tokens": -(10**6), "total_tokens": -1},
    "usage-text": {"prompt_tokens": "many", "completion_tokens": [1]},
    "usage-missing": {},
    "usage-huge": {"prompt_tokens": 10**12, "completion_tokens": 10**30, "total_tokens": 0},
    "usage-list": [1, 2],
    "usage-bool": {"prompt_tokens": True, "completion_tokens": True},
    "usage-float": {"prompt_tokens": 1e3, "completion_tokens": float("nan")},
}
ODD_REPLY = {
    "surrogate": (
        lambda reply: reply["choices"][0]["message"].update(
            content="Half \ud83d a letter.\nVerdict: Yes"
        )
    ),
    "content-list": (
        lambda reply: reply["choices"][0]["message"].update(
            content=[{"type": "text", "text": VERDICT}]
        )
    ),
    "model-integer": lambda reply: reply.update(model=7),
    "choices-dict": lambda reply: reply.update(choices={"0": reply["choices"][0]}),
    "choices-empty": lambda reply: reply.update(choices=[]),
    "choice-null": lambda reply: reply.update(choices=[None]),
    "message-text": lambda reply: reply["choices"][0].update(message=VERDICT),
    "finish-list": lambda reply: reply["choices"][0].update(finish_reason=["stop"]),
    "finish-surrogate": lambda reply: reply["choices"][0].update(finish_reason="\udc00"),
}
ODD_MESSAGE = {
    "text-null": lambda reply: reply["content"].append({"type": "text", "text": None}),
    "blocks-text": lambda reply: reply.update(content=VERDICT),
    "block-null": lambda reply: reply.update(content=[None]),
    "stop-number": lambda reply: reply.update(stop_reason=3),
    "usage-none": lambda reply: reply.update(usage=None),
    "usage-floats": lambda reply: reply.update(usage={"input_tokens": 1.5, "output_tokens": "7"}),
}
BODIES = {
    "not-json": b"<html>",
    "json-list": b"[1]",
    "json-null": b"null",
    "deep": b"[" * 100_000,
    "bytes": b"\xff\xfe{",
    "long-number": b'{"usage": ' + b"9" * 9999 + b"}",
    "empty": b"",
}
TOP = [
    {"token": "Yes", "logprob": math.log(0.5), "bytes": None},
    {"token": " yes", "logprob": math.log(0.1)},
    {"token": "No", "logprob": math.log(0.2)},
    {"token": "The", "logprob": -9999.0},
]
LOGPROBS = {
    "logprobs": {"content": [{"token": "Yes", "logprob": math.log(0.5), "top_logprobs": TOP}]},
    "logprobs-null": None,
    "logprobs-empty": {"content": []},
    "logprobs-list": [TOP],
    "logprobs-nothing": {"content": [{}]},
    "logprobs-text": {"content": [{"top_logprobs": [{"token": "Yes", "logprob": "-0.1"}]}]},
    "logprobs-token": {"content": [{"top_logprobs": [{"token": None, "logprob": -0.1}]}]},
    "logprobs-no-token": {"content": [{"top_logprobs": [{"logprob": -0.1}]}]},
    "logprobs-nan": {"content": [{"top_logprobs": [{"token": "Yes", "logprob": float("nan")}]}]},
    "logprobs-above-0": {"content": [{"top_logprobs": [{"token": "Yes", "logprob": 10**400}]}]},
    "logprobs-above-1": {
        "content": [
            {"top_logprobs": [{"token": "Yes", "logprob": -0.1}, {"token": "No", "logprob": -0.1}]}
        ]
    },
    "logprobs-others": {"content": [{"top_logprobs": [{"token": "\ud83d", "logprob": -0.1}]}]},
}
# 100 MB in half a MB
BOMB = gzip.compress(b'{"choices": [{"message": {"content": "' + b"W" * 10**8, 1)


class NastyServer:
    """One server in a thread of its own; `mode` is what it does to a `share` of its requests."""

    def __init__(self, mode, share=1.0, latency=0.02, drip=0.4, seed=0):
        self.mode, self.share, self.latency, self.drip = mode, share, latency, drip
        self.random, self.billed, self.requests, self.asked, self.answered = (
            random.Random(seed),
            0.0,
            0,
            [],
            [],
        )
        self.batches, self.files, self.last = {}, {}, {}

    def __enter__(self):
        started = threading.Event()

        async def main():
            self.stopped = asyncio.Event()
            listener = await asyncio.start_server(
                self.serve, "127.0.0.1", 0, limit=2**24, backlog=1024
            )
            self.port, self.loop = listener.sockets[0].getsockname()[1], asyncio.get_running_loop()
            started.set()
            await self.stopped.wait()
            listener.close()

        self.thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
        self.thread.start()
        started.wait(10)
        return self

    def __exit__(self, *fault):
        self.loop.call_soon_threadsafe(self.stopped.set)
        self.thread.join(10)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode("latin1").split("\r\n")
                headers = {
                    k.lower(): v.strip()
                    for k, _, v in (line.partition(":") for line in lines if line)
                }
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                method, path, _ = first.split(" ")
                if not await self.answer(method, path, headers, body, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def send(self, writer, status, value, *extra):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        lines = "".join(f"{line}\r\n" for line in extra)
        writer.write(
            f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{lines}content-length:"
            f" {len(data)}\r\n\r\n".encode()
            + data
        )
        await writer.drain()
        return True

    async def answer(self, method, path, headers, body, writer):
        path = path.partition("?")[0]
        if "/batches" in path or "/files" in path:
            return await self.batch(method, path, headers, body, writer)
        kind, request, key = (
            "anthropic" if path.endswith("/messages") else "openai",
            json.loads(body),
            headers["idempotency-key"],
        )
        self.requests += 1
        self.asked.append(key)
        self.last, self.headers = request, headers
        mode = self.mode if self.random.random() < self.share else "good"
        await asyncio.sleep(self.latency)
        if mode == "busy":
            return await self.send(writer, 429, {"error": {"message": "busy"}}, "retry-after: 3600")
        if mode == "busy-now":
            return await self.send(writer, 429, {"error": {"message": "busy"}})
        if mode == "no-form" and ("response_format" in request or "output_config" in request):
            text = (
                "response_format: unknown"
                if kind == "openai"
                else "output_config: Extra inputs are not permitted"
            )
            return await self.send(
                writer,
                400,
                {"type": "error", "error": {"type": "invalid_request_error", "message": text}},
            )
        asked = request.get("max_completion_tokens") or request.get("max_tokens") or 12
        text = json.dumps(request["messages"], ensure_ascii=False)
        tokens = len(text.encode()) // 2 if mode == "chinese" else len(text) // 4
        out = (
            asked
            if mode in ("chinese", "full", "lost", "reset", "choices-empty")
            or mode.startswith("usage")
            else 12
        )
        self.billed += tokens * IN + out * OUT
        if mode in ("lost", "error-500", "gateway-504"):
            if mode != "lost":
                return await self.send(writer, int(mode[-3:]), {"error": {"message": "oops"}})
            return False
        reply = self.reply(kind, request, tokens, out)
        if mode in ODD_USAGE:
            reply["usage"] = ODD_USAGE[mode]
        if mode in BODIES:
            return await self.send(writer, 200, BODIES[mode])
        if mode == "long":
            reply["choices"][0]["message"]["content"] = VERDICT.replace("W", "W" * 2_000_000)
        if mode in ("gzip", "bomb"):
            packed = BOMB if mode == "bomb" else gzip.compress(json.dumps(reply).encode())
            return await self.send(writer, 200, packed, "content-encoding: gzip")
        if mode in LOGPROBS:
            reply["choices"][0]["logprobs"] = LOGPROBS[mode]
        if mode == "echo":
            reply["choices"][0]["message"]["content"] = headers["authorization"]
        odd = ODD_REPLY if kind == "openai" else ODD_MESSAGE
        if mode in odd:
            odd[mode](reply)
        data = json.dumps(reply).encode()
        if mode == "reset":
            writer.write(
                f"HTTP/1.1 200 X\r\ncontent-length: {len(data)}\r\n\r\n".encode()
                + data[: len(data) // 2]
            )
            await writer.drain()
            writer.transport.abort()
            return False
        if mode == "drip":
            writer.write(f"HTTP/1.1 200 X\r\ncontent-length: {len(data)}\r\n\r\n".encode())
            for byte in data:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(self.drip)
            return True
        await self.send(writer, 200, data)
        if mode not in odd:
            self.answered.append(key)
        return True

    def reply(self, kind, request, tokens, out):
        text = VERDICT
        if "response_format" in request or "output_config" in request:
            text = json.dumps({"analysis": "Verdict: No, said the fox.", "verdict": "Yes"})
        if kind == "anthropic":
            return {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "model": request["model"],
                "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}],
                "usage": {"input_tokens": tokens, "output_tokens": out},
            }
        message = {"role": "assistant", "content": text, "refusal": None}
        return {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {
                "prompt_tokens": tokens,
                "completion_tokens": out,
                "total_tokens": tokens + out,
            },
        }

    async def batch(self, method, path, headers, body, writer):
        """Batches of both providers: bought at creation, ended at the first look; `mode` says what
        goes wrong."""
        anthropic = "/messages/" in path
        if path.endswith("/files") and method == "POST":
            boundary = headers["content-type"].split("boundary=")[1].encode()
            part = next(p for p in body.split(b"--" + boundary) if b'name="file"' in p)
            name = f"file-{len(self.files)}"
            self.files[name] = part.partition(b"\r\n\r\n")[2].rstrip(b"\r\n")
            fixed = {
                "object": "file",
                "bytes": 1,
                "created_at": 1,
                "filename": "x",
                "purpose": "batch",
                "status": "processed",
            }
            return await self.send(writer, 200, {"id": name, **fixed})
        if path.endswith("/content"):
            return await self.send(
                writer, 200, self.results(path.split("/")[-2].removesuffix("-out"), False)
            )
        if path.endswith("/results"):
            return await self.send(writer, 200, self.results(path.split("/")[-2], True))
        if path.endswith("/batches") and method == "POST":
            request, name = json.loads(body), f"batch_{len(self.batches)}"
            file = None if anthropic else self.files[request["input_file_id"]]
            lines = (
                request["requests"]
                if anthropic
                else [json.loads(line) for line in file.splitlines()]
            )
            self.batches[name] = {"lines": lines, "metadata": request.get("metadata"), "polls": 0}
            self.billed += sum(self.cost(line, anthropic) for line in lines) / 2
            # it has the batch, and nobody hears of it
            if self.mode == "create-lost" and len(self.batches) <= 4:
                return False
            if self.mode == "create-500" and len(self.batches) <= 4:
                return await self.send(writer, 500, {"error": {"message": "oops"}})
            return await self.send(writer, 200, self.state(name, anthropic))
        if path.endswith("/batches"):
            data = [self.state(name, anthropic) for name in reversed(self.batches)]
            return await self.send(writer, 200, {"object": "list", "data": data, "has_more": False})
        name = path.split("/")[-1]
        self.batches[name]["polls"] += 1
        return await self.send(writer, 200, self.state(name, anthropic))

    def cost(self, line, anthropic):
        request = line["params"] if anthropic else line["body"]
        out = request.get("max_completion_tokens") or request["max_tokens"]
        return (
            len(json.dumps(request["messages"])) // 4 * IN
            + (out if self.mode == "batch-full" else 12) * OUT
        )

    def state(self, name, anthropic):
        batch = self.batches[name]
        # another clock
        stamp, count = (
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 30)),
            len(batch["lines"]),
        )
        if anthropic:
            counts = {
                "processing": 0,
                "succeeded": count,
                "errored": 0,
                "canceled": 0,
                "expired": 0,
            }
            return {
                "id": name,
                "type": "message_batch",
                "processing_status": "ended",
                "request_counts": counts,
                "created_at": stamp,
                "expires_at": stamp,
                "results_url": f"{self.url}/messages/batches/{name}/results",
            }
        if self.mode == "batch-failed" and name == "batch_0":
            return {
                "id": name,
                "status": "failed",
                "errors": {"data": [{"message": "invalid file"}]},
            }
        return {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "input_file_id": "f",
            "created_at": 1,
            "status": "completed",
            "metadata": batch["metadata"],
            "output_file_id": f"{name}-out",
        }

    def results(self, name, anthropic):
        found = []
        for line in self.batches[name]["lines"]:
            request = line["params"] if anthropic else line["body"]
            out = request.get("max_completion_tokens") or request["max_tokens"]
            out = out if self.mode == "batch-full" else 12
            reply = self.reply(
                "anthropic" if anthropic else "openai",
                request,
                len(json.dumps(request["messages"])) // 4,
                out,
            )
            inner = (
                {"result": {"type": "succeeded", "message": reply}}
                if anthropic
                else {"error": None, "response": {"status_code": 200, "body": reply}}
            )
            if self.mode == "batch-no-form" and "response_format" in request:
                message = {"error": {"message": "Unknown parameter: 'response_format'."}}
                inner = {"error": None, "response": {"status_code": 400, "body": message}}
            found.append(json.dumps({"custom_id": line["custom_id"], **inner}))
        if self.mode == "bad-line":
            first = json.loads(found[0])
            found[0] = json.dumps({k: v for k, v in first.items() if k != "custom_id"})
            found[1:1] = ["{not json", "[]", "null", '{"custom_id": 7}', '{"custom_id": "another"}']
        return "".join(line + "\n" for line in found).encode()
