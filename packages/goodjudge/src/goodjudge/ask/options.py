"""How judges are asked."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goodjudge.ask.budget import Budget
from goodjudge.ask.errors import JudgeError


@dataclass(frozen=True)
class Options:
    """How judges are asked; notebooks fill it from their parameters.

    max_usd: USD that nothing exceeds (0: no paid call), one `Budget` for all that is asked with
    these options. repeats: answers to each request. limit: the first so many requests (0: all).
    concurrency: live requests at a time. transcripts: path of the store ('' or None:
    transcripts.sqlite in the working folder). offline: True forbids every call. params: further
    parameters of the model; those in a judge's name (`read_params`) come before them.
    max_output_tokens: longest answer. structured: False asks in plain text where a form is known.
    seed, simulators ({name: f(row, rng) -> text}): of simulated/ judges. recorded: a table item,
    text for recorded/<name>; without it <name>.jsonl in the folder `recordings` is read.
    call_seconds, run_seconds: for one call with its retries (300, local/ 1800), for the run (a
    day).
    """

    max_usd: float | Budget = 0.0
    repeats: int = 1
    limit: int = 0
    concurrency: int = 8
    transcripts: str | Path | None = None
    offline: bool = False
    params: dict | None = None
    max_output_tokens: int | None = None
    structured: bool = True
    seed: int = 0
    simulators: dict | None = None
    recorded: Any = None
    recordings: str | Path = "recorded"
    progress: bool = True
    call_seconds: float | None = None
    run_seconds: float = 86_400.0

    def __post_init__(self):
        for name, least in {"repeats": 1, "limit": 0, "concurrency": 1}.items():
            if type(value := getattr(self, name)) is not int or value < least:
                raise JudgeError(f"{name}={value!r}: expected a whole number, {least} or more")
        for name in ("call_seconds", "run_seconds"):
            value = getattr(self, name)
            unset = name == "call_seconds" and value is None
            if not unset and not (type(value) in (int, float) and 1 <= value < math.inf):
                raise JudgeError(f"{name}={value!r}: expected a number of seconds, 1 or more")
        longest = self.max_output_tokens
        if longest is not None and not (type(longest) is int and longest > 0):
            raise JudgeError(f"max_output_tokens={longest!r}: expected a whole number above 0")
        if str(self.transcripts).startswith((":memory:", "file:")):
            what = f"transcripts={self.transcripts!r}"
            raise JudgeError(f"{what}: expected a file, so that answers are kept")
        if not isinstance(self.params, dict | None):
            raise JudgeError(f"params={self.params!r}: expected names and values, or None")
        if not isinstance(self.max_usd, Budget):
            object.__setattr__(self, "max_usd", Budget(self.max_usd))
