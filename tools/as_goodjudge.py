"""What `make judge`, `judge-card`, `judge-plan`, `judge-drift`, `judge-probe` and `rating-form` are
called now.

    python -m tools.as_goodjudge judge-card          # with RATINGS=…, SCORES=… in the environment

prints the command of goodjudge that replaces a target, and runs it. The targets go with the next
version.
"""

import json
import os
import re
import shlex
import sys
from pathlib import Path

from goodjudge.cli import main as goodjudge

from helpers.sources.files import DataError
from tools.environment import install_local

OPTIONS = {  # of a target: its variables, and the options that they are now
    "judge-card": {"SCORES": "--scores"},
    "judge-plan": {
        "ITEMS": "--items",
        "RATERS": "--raters",
        "GROUPS": "--groups",
        "LEAD": "--lead",
        "LIKE": "--like",
    },
    "judge-drift": {"BEFORE": "--before", "NOW": "--now", "JUDGE": "--judge"},
    "rating-form": {"RUBRIC": "--rubric", "SCALE": "--scale"},
    "judge": {"RUBRIC": "--rubric", "SCALE": "--scale", "JUDGE": "--judge", "MAX_USD": "--max-usd"},
}
OPTIONS["judge-probe"] = OPTIONS["judge"] | {"LIMIT": "--limit"}
USUAL = {"RUBRIC": "ttcw", "JUDGE": "qwen2.5-coder-1.5b"}  # where a judge is asked
MEANT = {"practice": "smollm2"}  # an old name of a judge
NAMED = {  # besides those
    "judge-card": ["RATINGS", "COLUMNS"],
    "judge-plan": [],
    "judge-drift": ["RATINGS", "COLUMNS"],
    "rating-form": ["TEXTS", "RATINGS"],
    "judge": ["TEXTS", "LOCAL_BASE_URL"],
    "judge-probe": ["TEXTS", "LOCAL_BASE_URL"],
}
ALWAYS = ["PYTHON", "CORES"]


def translate(target, given):
    """Return the arguments of goodjudge for a target; given: {variable: value}."""
    asks = target in ("judge", "judge-probe")
    if asks and not given.get("TEXTS"):
        sys.exit(f"error: say where the texts are: make {target} TEXTS=my-folder")
    options = []
    for name, option in OPTIONS[target].items():
        value = given.get(name) or (asks and USUAL.get(name))
        if value:
            options += [option, MEANT.get(value, value) if name == "JUDGE" else value]
    if asks:
        command = "ask" if target == "judge" else "probe"
        out = f"outputs/local/{target}-{Path(given['TEXTS']).stem}.csv"
        return [command, given["TEXTS"], *options, "--out", out]
    path = [given["RATINGS"]] if given.get("RATINGS") else []
    if target == "judge-plan":
        return ["plan", *options]
    if target == "rating-form":
        texts = given.get("TEXTS", "")
        if path:
            return ["form", "join", *path, "--texts", texts]
        return ["form", "write", texts, *options]
    columns = read_columns(given.get("COLUMNS", ""))
    if target == "judge-drift":
        return ["drift", *path, *options, *columns]
    return ["card", *path, *options, *columns] if path or options else ["demo"]


def read_columns(text):
    """Return COLUMNS='{"Which story?": "item"}' as options; a terminal's width is none."""
    if not re.search(r"[\[{\"]", text):
        return []
    try:
        columns = json.loads(text)
        pairs = [f"{theirs}={ours}" for theirs, ours in columns.items()]
    except (ValueError, AttributeError, RecursionError):
        sys.exit(f'error: COLUMNS: {text:.60} is not to be read; say --column "Which story?=item"')
    return [part for pair in pairs for part in ("--column", pair)]


def list_unknown(target, flags):
    """Return variables on make's command line that the target does not have; flags: MAKEFLAGS."""
    _, _, said = f" {flags}".partition(" -- ")
    names = re.findall(r"(?:^|(?<!\\) )([A-Za-z_]\w*)=", said)
    return [name for name in names if name not in [*OPTIONS[target], *NAMED[target], *ALWAYS]]


def main(target):
    """Print the command and run it; return its exit code."""
    unknown = list_unknown(target, os.environ.get("MAKEFLAGS", ""))
    if unknown:
        known = ", ".join([*NAMED[target], *OPTIONS[target]])
        print(f"error: make {target} has no {unknown[0]}; it has {known}", file=sys.stderr)
        return 3
    arguments = translate(target, os.environ)
    shown = f".venv/bin/goodjudge {shlex.join(arguments)}"
    print(f"make {target} is called now (see .venv/bin/goodjudge --help):\n  {shown}\n", flush=True)
    is_remote = os.environ.get("LOCAL_BASE_URL") or "/" in os.environ.get("JUDGE", "")
    if target in ("judge", "judge-probe") and not is_remote:
        try:
            install_local()
        except DataError as fault:
            sys.exit(f"error: {fault}")
    return goodjudge(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
