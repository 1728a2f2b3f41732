"""Ask any judge in one way, know the price before, pay for nothing twice.

Four parts, and `ask`, which leads through them:

- `requests`: how judges are asked (`Options`), from requests to calls, the prompts;
- `answers`: the store that keeps them, replay and simulation, what they say (labels), the table;
- `live`: one run of many calls, the providers, their addresses and keys, a local server;
- `price`: the price file, what a run will cost (`plan`), what it did cost, the budget.

What an answer says is its `verdict`; the study's own `ask.score` makes a score of it (item, judge,
score), and `measures.ratings.match_scores` sets it beside people's.
"""

from helpers.judges.answers.table import check_usable
from helpers.judges.ask import ask
from helpers.judges.errors import Incomplete, JudgeError, MissingAnswer
from helpers.judges.price.budget import Budget
from helpers.judges.price.plan import plan
from helpers.judges.requests.calls import LIVE, needs_texts
from helpers.judges.requests.options import Options

__all__ = ["LIVE", "Budget", "Incomplete", "JudgeError", "MissingAnswer", "Options"]
__all__ += ["ask", "check_usable", "needs_texts", "plan"]
