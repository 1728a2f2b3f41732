"""A server in this process that speaks OpenAI's form, as a reader's own would: each of its models
answers by a rule, so that a test knows what a notebook must find.

    with serving(rule) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.url)
        # local/sage-1-2026 says what rule(prompt) says, local/nova-3-2026 guesses

Three models: GOOD says what it knows, RANDOM draws an answer by a hash of the prompt, SHY does so
too and refuses half of what it is asked. Any other name draws as RANDOM does.
"""

import hashlib
import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RANDOM, GOOD, SHY = "nova-3-2026", "sage-1-2026", "shy-2-2026"
REFUSAL = "I'm sorry, but I can't judge this text."


def draw(text, sides):
    """Return one of `sides`, the same for the same text, each equally often."""
    return sides[hashlib.sha256(text.encode()).digest()[0] % len(sides)]


def answer_by_chance(prompt):
    """Return an answer in the form that a prompt of the project asks for, drawn by its text."""
    if "numbered list" in prompt:
        return rank_by_chance(prompt)
    if "[[A: X, B: Y]]" in prompt:
        return f"[[A: {draw(prompt, '12345')}, B: {draw(prompt + 'b', '12345')}]]"
    if "one label in double square brackets" in prompt or "[[A" in prompt:
        return draw(prompt, ["[[A>>B]]", "[[A>B]]", "[[A=B]]", "[[B>A]]", "[[B>>A]]"])
    if "one letter, A or B" in " ".join(prompt.split()):
        return draw(prompt, "AB")
    if "Good, Medium or Bad" in prompt or "Category" in prompt:
        return f"Category: {draw(prompt, ['Good', 'Medium', 'Bad'])}"
    return f"Verdict: {draw(prompt, ['Yes', 'No'])}"


def rank_by_chance(prompt):
    """Return a numbered list of the poems between tags, in an order drawn by the prompt."""
    names = re.findall(r"<poem>\n(.*)\n", prompt)
    order = sorted(names, key=lambda name: hashlib.sha256((prompt + name).encode()).hexdigest())
    last = max(len(order) - 1, 1)
    lines = []
    for place, name in enumerate(order):
        score = 5 - round(4 * place / last)  # from 5 for the first down to 1
        lines.append(f"{place + 1}. {name} : {score}")
    return "\n".join(lines)


class Handler(BaseHTTPRequestHandler):
    """Answers chat completions: a model knows what `server.known` says, and else draws."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):  # noqa: N802 (the name that the standard library wants)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model = body["model"]
        prompt = "\n".join(message["content"] for message in body["messages"])
        self.server.asked.append(prompt)
        text = self.answer(model, prompt)
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(text) // 4 + 1}
        reply = json.dumps({"model": model, "choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def answer(self, model, prompt):
        """Return what a model says to a prompt."""
        text = answer_by_chance(prompt)
        if model == GOOD:
            return self.server.known(prompt) or text
        if model == SHY and draw(f"refuse {prompt}", "01") == "1":
            return REFUSAL
        return text

    def log_message(self, *words):
        """Say nothing."""


@contextmanager
def serving(known=lambda prompt: None):
    """Yield a running server (`.url`, `.asked`); known: what the good model says to a prompt."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.known = known
        server.asked = []
        server.url = f"http://127.0.0.1:{server.server_port}/v1"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
