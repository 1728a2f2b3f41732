"""`make train`: check the settings and the environment, then train (`tools.training.run`)."""

import importlib.util
import sys

NEEDED = ("torch", "transformers", "gguf")
INSTALL = "make train installs requirements-train.lock into .venv/train and runs there"


def main(arguments):
    """Train with a settings file; return the exit status, 1 with the reason."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"error: {missing[0]} is not installed: {INSTALL}", file=sys.stderr)
        return 1
    from tools.training import run

    return run.main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
