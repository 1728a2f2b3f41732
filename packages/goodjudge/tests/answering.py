"""A server in this process that speaks OpenAI's form and answers by a rule.

    with serving(lambda prompt: "Verdict: Yes") as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.url)  # local/m answers Yes to everything

`.asked`: the prompts that came, in order. A rule may be slow; it is called in a thread per request.
"""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REFUSAL = "I'm sorry, but I can't judge this text."


class Handler(BaseHTTPRequestHandler):
    """Answers chat completions by the server's rule: prompt -> text, or (text, why it ended), or
    (text, why it ended, the model that it names)."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):  # noqa: N802 (the name that the standard library wants)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = "\n".join(message["content"] for message in body["messages"])
        self.server.asked.append(prompt)
        said = self.server.rule(prompt)
        said = said if isinstance(said, tuple) else (said, "stop")
        text, finish, model = (*said, body["model"])[:3]
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(text) // 4 + 1}
        reply = {"id": "1", "object": "chat.completion", "created": 1, "model": model}
        reply = json.dumps(reply | {"choices": [choice], "usage": usage}).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)
        except OSError:  # whoever asked is gone
            pass

    def log_message(self, *words):
        """Say nothing."""


@contextmanager
def serving(rule):
    """Yield a running server (`.url`, `.asked`); rule: of `Handler`."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.rule = rule
        server.asked = []
        server.url = f"http://127.0.0.1:{server.server_port}/v1"
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield server
        server.shutdown()
