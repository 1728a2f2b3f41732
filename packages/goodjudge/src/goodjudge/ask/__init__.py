"""Ask any judge in one way, know the price before, pay for nothing twice.

A question walks from its request to its row of the table through these modules:

| module | what it does |
|---|---|
| `asking` | leads through all the others |
| `calls`, `options` | how judges are asked; the key of each answer |
| `store`, `answer` | one file that keeps every answer; one process at a time asks for it |
| `plan`, `prices`, `budget` | what it will cost, what it did cost, the cap |
| `run` | one run of many calls, and how it ends |
| `providers`, `addresses` | one request by a provider's SDK; where a judge is, keys |
| `replies` | an answer and its charge, or one of four ends |
| `replay` | recorded and simulated judges |
| `table`, `labels` | what an answer says: its status and its label |

Four promises, each held by tests that try to break it (tests/ask): what is billed never exceeds
`max_usd`; nothing is paid twice and nothing lost; a label is the one an answer ends with, or none;
keys are written nowhere.

What an answer says is its `verdict`; a study makes a score of it (item, judge, score), and
`goodjudge.data.ratings.match_scores` sets it beside people's.
"""

from goodjudge.ask.asking import ask, count_models
from goodjudge.ask.budget import Budget
from goodjudge.ask.calls import LIVE, needs_texts
from goodjudge.ask.cost import plan_cost
from goodjudge.ask.errors import Incomplete, JudgeError, MissingAnswer
from goodjudge.ask.labels import GRADE, YES_NO, choice, likert, one_of, scale
from goodjudge.ask.options import Options
from goodjudge.ask.reader import Reader
from goodjudge.ask.table import check_usable

__all__ = ["LIVE", "Budget", "Incomplete", "JudgeError", "MissingAnswer", "Options"]
__all__ += ["ask", "check_usable", "count_models", "needs_texts", "plan_cost"]
__all__ += ["GRADE", "YES_NO", "Reader", "choice", "likert", "one_of", "scale"]
