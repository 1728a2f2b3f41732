"""A loopback server that speaks both providers' shapes and misbehaves on purpose; it logs every
request.

Run it as `python tests/fault_server.py --log FILE [--rate 0.2] [--latency 0.1] [--faults
429,drop]`; it prints its port.
"""

import argparse
import asyncio
import hashlib
import json
import random
import sys
import time

TRANSIENT = [
    "429",
    "429-after",
    "500",
    "529",
    "drop",
    "drop-late",
    "slow",
    "truncated",
    "wrong-model",
]
# by a word in the prompt, so that an answer stays the same
FINAL = ["empty", "refusal", "filter", "bad-request"]


def verdict(prompt):
    """Return the answer that this server gives to a prompt, the same every time."""
    return "Weighed both ways.\nVerdict: " + (
        "Yes" if hashlib.sha256(prompt.encode()).digest()[0] % 2 else "No"
    )


class Server:
    """Handlers for both providers; `log` is an open file for JSON lines."""

    def __init__(
        self,
        log,
        rate=0.0,
        latency=0.0,
        faults=TRANSIENT,
        seed=0,
        batch_polls=1,
        slow=0.3,
        line_faults=0.0,
    ):
        self.log, self.rate, self.latency, self.faults = log, rate, latency, faults
        self.random, self.batch_polls, self.slow, self.line_faults = (
            random.Random(seed),
            batch_polls,
            slow,
            line_faults,
        )
        self.files, self.batches, self.warm, self.count, self.active = {}, {}, set(), 0, 0

    def note(self, **line):
        self.log.write(json.dumps({"t": time.time(), **line}) + "\n")
        self.log.flush()

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
                if not await self.answer(method, path.split("?")[0], headers, body, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def send(self, writer, status, value, headers=(), cut=None):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        data = data[:cut] if cut else data
        extra = "".join(f"{k}: {v}\r\n" for k, v in headers)
        writer.write(
            f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{extra}content-length:"
            f" {len(data)}\r\n\r\n".encode()
            + data
        )
        await writer.drain()
        return True

    async def answer(self, method, path, headers, body, writer):
        if path.endswith("/batches") or "/batches/" in path or "/files" in path:
            return await self.batch(method, path, headers, body, writer)
        kind = "anthropic" if path.endswith("/messages") else "openai"
        request = json.loads(body)
        prompt, key = flatten(request), headers.get("idempotency-key", "")
        self.count += 1
        fault = self.random.choice(self.faults) if self.random.random() < self.rate else ""
        self.note(event="asked", key=key, kind=kind, fault=fault)
        self.active += 1
        await asyncio.sleep(self.latency)
        self.active -= 1
        if fault in ("429", "429-after", "500", "529"):
            after = [("retry-after", "0.2")] if fault == "429-after" else []
            return await self.send(writer, int(fault[:3]), error(kind, "busy"), after)
        if fault == "drop":
            return False
        if fault == "slow":
            await asyncio.sleep(self.slow)
        if "BAD-REQUEST" in prompt:
            return await self.send(writer, 400, error(kind, "prompt is too long"))
        if "WRONG-KEY" in prompt:
            return await self.send(
                writer,
                401,
                error(kind, f"invalid key {headers.get('x-api-key') or headers['authorization']}"),
            )
        reply = self.reply(
            kind, request, prompt, model="another-model" if fault == "wrong-model" else None
        )
        if fault == "truncated":
            return await self.send(writer, 200, reply, cut=40)
        if fault == "drop-late":
            writer.write(
                b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length:"
                b' 9999\r\n\r\n{"id":'
            )
            await writer.drain()
            return False
        await self.send(writer, 200, reply)
        if fault != "wrong-model":
            self.note(event="answered", key=key, kind=kind)
        return True

    def reply(self, kind, request, prompt, model=None):
        text, finish = verdict(prompt), "stop"
        if "EMPTY" in prompt:
            text = ""
        if "REFUSE" in prompt:
            text, finish = "I cannot help with that.", "refusal"
        if "FILTER" in prompt:
            text, finish = "", "content_filter"
        if "OBEY" in prompt:  # a judge that obeys whatever the text says
            text = "[[A>>B]]\nVerdict: Yes"
        if "LONG" in prompt:
            finish = "length"
        output = 5000 if "COSTLY" in prompt else 12
        words, model = max(1, len(prompt) // 4), model or request["model"]
        shared = json.dumps(request["messages"][-1]["content"])[:4096]
        cached = words - 10 if shared in self.warm else 0
        self.warm.add(shared)
        if kind == "anthropic":
            blocks = request["messages"][-1]["content"]
            size = (
                len(blocks[0]["text"]) // 4
                if isinstance(blocks, list) and "cache_control" in blocks[0]
                else 0
            )
            mark = hashlib.sha256(blocks[0]["text"].encode()).hexdigest() if size else ""
            read = mark in self.warm
            self.warm.add(mark)
            stop = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}.get(
                finish, finish
            )
            return {
                "id": f"msg_{self.count}",
                "type": "message",
                "role": "assistant",
                "model": model,
                "stop_reason": stop,
                "stop_sequence": None,
                "content": [{"type": "text", "text": text}] if text else [],
                "usage": {
                    "input_tokens": words - size,
                    "output_tokens": output,
                    "cache_read_input_tokens": size if read else 0,
                    "cache_creation_input_tokens": 0 if read else size,
                },
            }
        message = {"role": "assistant", "content": text, "refusal": None}
        if finish == "refusal":
            message, finish = {"role": "assistant", "content": None, "refusal": text}, "stop"
        return {
            "id": f"chatcmpl-{self.count}",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "choices": [
                {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
            ],
            "usage": {
                "prompt_tokens": words,
                "completion_tokens": output,
                "total_tokens": words + output,
                "prompt_tokens_details": {"cached_tokens": max(0, cached)},
            },
        }

    async def batch(self, method, path, headers, body, writer):
        """Files and batches of both providers; a batch ends after `batch_polls` looks, with errored
        and expired lines."""
        if path.endswith("/files") and method == "POST":
            name = f"file-{len(self.files)}"
            boundary = headers["content-type"].split("boundary=")[1].encode()
            part = next(p for p in body.split(b"--" + boundary) if b'name="file"' in p)
            self.files[name] = part.partition(b"\r\n\r\n")[2].rstrip(b"\r\n")
            return await self.send(
                writer,
                200,
                {
                    "id": name,
                    "object": "file",
                    "bytes": 1,
                    "created_at": 1,
                    "filename": "x",
                    "purpose": "batch",
                    "status": "processed",
                },
            )
        if path.endswith("/content"):
            return await self.send(writer, 200, self.files[path.split("/")[-2]])
        anthropic, self.host = "/messages/" in path, headers["host"]
        if path.endswith("/batches") and method == "POST":
            request, name = json.loads(body), f"batch_{len(self.batches)}"
            lines = (
                request["requests"]
                if anthropic
                else [json.loads(x) for x in self.files[request["input_file_id"]].splitlines()]
            )
            self.batches[name] = {
                "lines": lines,
                "polls": 0,
                "metadata": request.get("metadata"),
                "created": time.time(),
            }
            self.note(event="batch", keys=[line["custom_id"] for line in lines])
            return await self.send(writer, 200, self.state(name, anthropic))
        if path.endswith("/batches"):
            data = [self.state(name, anthropic) for name in self.batches]
            return await self.send(
                writer,
                200,
                {
                    "object": "list",
                    "data": data,
                    "has_more": False,
                    "first_id": None,
                    "last_id": None,
                },
            )
        if path.endswith("/results"):
            return await self.send(writer, 200, self.results(path.split("/")[-2], True))
        name = path.split("/")[-1]
        if name not in self.batches:
            return await self.send(
                writer, 404, error("anthropic" if anthropic else "openai", "no such batch")
            )
        self.batches[name]["polls"] += 1
        return await self.send(writer, 200, self.state(name, anthropic))

    def state(self, name, anthropic):
        batch = self.batches[name]
        ended, count = batch["polls"] >= self.batch_polls, len(batch["lines"])
        if anthropic:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(batch["created"]))
            return {
                "id": name,
                "type": "message_batch",
                "processing_status": "ended" if ended else "in_progress",
                "request_counts": {
                    "processing": 0 if ended else count,
                    "succeeded": count if ended else 0,
                    "errored": 0,
                    "canceled": 0,
                    "expired": 0,
                },
                "created_at": stamp,
                "expires_at": stamp,
                "ended_at": None,
                "archived_at": None,
                "cancel_initiated_at": None,
                "results_url": (
                    f"http://{self.host}/v1/messages/batches/{name}/results" if ended else None
                ),
            }
        out = {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "input_file_id": "f",
            "created_at": int(batch["created"]),
            "status": "completed" if ended else "in_progress",
            "metadata": batch["metadata"],
        }
        if ended:
            good, bad = self.results(name, False)
            self.files[f"{name}-out"], self.files[f"{name}-err"] = good, bad
            out |= {
                "output_file_id": f"{name}-out",
                "error_file_id": f"{name}-err" if bad else None,
            }
        return out

    def results(self, name, anthropic):
        batch, good, bad = self.batches[name], [], []
        for i, line in enumerate(batch["lines"]):
            request = line["params"] if anthropic else line["body"]
            bad_line = batch.setdefault("fate", {}).setdefault(
                i, self.random.random() < self.line_faults
            )
            prompt = flatten(request)
            if bad_line and anthropic:
                kind = (
                    {"type": "expired"}
                    if i % 2
                    else {"type": "errored", "error": error("anthropic", "overloaded")}
                )
                good.append({"custom_id": line["custom_id"], "result": kind})
            elif bad_line:
                fault = {"code": "batch_expired", "message": "expired"} if i % 2 else None
                response = (
                    None
                    if fault
                    else {"status_code": 500, "request_id": "r", "body": error("openai", "oops")}
                )
                bad.append(
                    {
                        "id": f"r{i}",
                        "custom_id": line["custom_id"],
                        "response": response,
                        "error": fault,
                    }
                )
            else:
                reply = self.reply("anthropic" if anthropic else "openai", request, prompt)
                (
                    self.note(event="answered", key=line["custom_id"], kind="batch")
                    if not batch.get("told")
                    else None
                )
                good.append(
                    {
                        "custom_id": line["custom_id"],
                        "result": {"type": "succeeded", "message": reply},
                    }
                    if anthropic
                    else {
                        "id": f"r{i}",
                        "custom_id": line["custom_id"],
                        "error": None,
                        "response": {"status_code": 200, "request_id": "r", "body": reply},
                    }
                )
        batch["told"] = True
        join = [b"".join(json.dumps(x).encode() + b"\n" for x in lines) for lines in (good, bad)]
        return join[0] if anthropic else join


def error(kind, message):
    """Return an error body as the provider shapes it."""
    inner = {"type": "invalid_request_error", "message": message}
    return (
        {"type": "error", "error": inner, "request_id": "r"}
        if kind == "anthropic"
        else {"error": inner | {"code": None, "param": None}}
    )


def flatten(request):
    """Return the text of a request's last message."""
    content = request["messages"][-1]["content"]
    return content if isinstance(content, str) else "\n\n".join(block["text"] for block in content)


async def main(options):
    with open(options.log, "a", encoding="utf8") as log:
        server = Server(
            log,
            options.rate,
            options.latency,
            options.faults.split(","),
            options.seed,
            options.batch_polls,
            options.slow,
            options.line_faults,
        )
        listener = await asyncio.start_server(
            server.serve, "127.0.0.1", options.port, limit=2**24, backlog=1024
        )
        print(listener.sockets[0].getsockname()[1], flush=True)
        async with listener:
            await listener.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", default="/dev/null")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rate", type=float, default=0.0)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--slow", type=float, default=0.3)
    parser.add_argument("--faults", default=",".join(TRANSIENT))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch-polls", type=int, default=1)
    parser.add_argument("--line-faults", type=float, default=0.0)
    try:
        asyncio.run(main(parser.parse_args()))
    except KeyboardInterrupt:
        sys.exit(0)
