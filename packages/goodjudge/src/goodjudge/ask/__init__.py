"""Ask any judge in one way, know the price before, pay for nothing twice.

Four parts, and `ask`, which leads through them:

- `requests`: how judges are asked (`Options`), from requests to calls, the prompts;
- `answers`: the store that keeps them, replay and simulation, what they say (labels), the table;
- `live`: one run of many calls, the providers, their addresses and keys, a local server;
- `price`: the price file, what a run will cost (`plan_cost`), what it did cost, the budget.

What an answer says is its `verdict`; the study's own `ask.score` makes a score of it (item, judge,
score), and `measures.ratings.match_scores` sets it beside people's.
"""

from goodjudge.ask.asking import ask
from goodjudge.ask.budget import Budget
from goodjudge.ask.calls import LIVE, needs_texts
from goodjudge.ask.errors import Incomplete, JudgeError, MissingAnswer
from goodjudge.ask.options import Options
from goodjudge.ask.plan import plan_cost
from goodjudge.ask.table import check_usable

__all__ = ["LIVE", "Budget", "Incomplete", "JudgeError", "MissingAnswer", "Options"]
__all__ += ["ask", "check_usable", "needs_texts", "plan_cost"]
