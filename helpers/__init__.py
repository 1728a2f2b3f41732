"""The functions that the notebooks share."""

import importlib.util
import sys
from pathlib import Path

# jsonschema compiles this package's grammar when notebooks are first read (0.8 s each run), for a
# format no notebook uses
sys.modules.setdefault("rfc3987_syntax", None)


def need(*packages):
    """End with one sentence where a package is missing: this is not the project's own Python."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        raise SystemExit(
            f"error: this Python ({sys.executable}) has no {missing[0]}; say `make setup` once,"
            " then `source .venv/bin/activate`, or begin the command with .venv/bin/python"
        )


need("numpy")

if not (Path(__file__).resolve().parents[1] / "data" / "registry.yaml").is_file():
    raise ImportError(
        "helpers runs from a clone of the project, whose data it reads: say `make setup`, or"
        f" `pip install -e .`, in the clone, and remove {__path__[0]}"
    )
