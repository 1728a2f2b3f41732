"""Judges as this project asks them: `goodjudge.ask` with the project's places.

Answers are kept in `outputs/transcripts.sqlite`; `recorded/<name>` is `data/recorded/<name>.jsonl`.
What an answer says is its `verdict`; the study's own `ask.score` makes a score of it (item, judge,
score), and `goodjudge.data.ratings.match_scores` sets it beside people's.
"""

from dataclasses import dataclass
from pathlib import Path

from goodjudge import ask as asking
from goodjudge.ask import (
    LIVE,
    Budget,
    Incomplete,
    JudgeError,
    MissingAnswer,
    check_usable,
    needs_texts,
)

from helpers.sources.public import ROOT

__all__ = ["LIVE", "Budget", "Incomplete", "JudgeError", "MissingAnswer", "Options"]
__all__ += ["ask", "check_usable", "needs_texts", "plan_cost"]


@dataclass(frozen=True)
class Options(asking.Options):
    """`goodjudge.ask.Options`; a relative path of the store is in the project's folder."""

    recordings: str | Path = ROOT / "data" / "recorded"

    def __post_init__(self):
        super().__post_init__()
        kept = self.transcripts or Path("outputs") / "transcripts.sqlite"
        object.__setattr__(self, "transcripts", ROOT / kept)


def ask(requests, judge, reader, options=None):
    """Return `goodjudge.ask.ask` of these requests, by default with this project's places."""
    return asking.ask(requests, judge, reader, options or Options())


def plan_cost(requests, judge, options=None, output_tokens=None):
    """Return `goodjudge.ask.plan_cost` of these requests, by default with this project's places."""
    return asking.plan_cost(requests, judge, options or Options(), output_tokens)
