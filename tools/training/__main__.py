"""EvolvR's training, small: plan, explanations, training, comparison, and what is kept of it.

    .venv/bin/python -m tools.training data/training/small/writer.yaml [--dry-run]

A run that was stopped goes on where it was; another setting is another folder. PyTorch and what
else trains go into an environment of their own, .venv/train, which is made where it is missing.
"""

import os
import subprocess
import sys

from helpers.sources.files import DataError
from helpers.sources.public import ROOT
from tools.environment import install_local, ready_training
from tools.training import compare, explain, keep, plan
from tools.training.settings import CHANGES, make_parser


def train(arguments):
    """Do one stage after the other with what the command line asks for; return the exit status of
    the first that fails, or 0. DataError where something cannot be installed."""
    if not os.environ.get("LOCAL_BASE_URL"):
        install_local()
    python = ready_training()
    run = [python, "-m", "tools.training.run", *arguments]
    return (
        explain.main(arguments)
        or subprocess.run(run, cwd=ROOT, check=False).returncode
        or compare.main(arguments)
        or keep.main(arguments)
    )


def main(arguments=None):
    """Print the plan and train; return the exit status, 1 with the reason."""
    parser = make_parser(description=__doc__.splitlines()[0])
    parser.add_argument("--dry-run", action="store_true", help="print the plan alone")
    asked = parser.parse_args(arguments)
    given = [f"--{name}={value}" for name in CHANGES if (value := getattr(asked, name)) is not None]
    given = [*given, "--", asked.settings]
    if status := plan.main(given):
        return status
    if asked.dry_run:
        return 0
    try:
        return train(given)
    except (DataError, OSError, subprocess.CalledProcessError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
