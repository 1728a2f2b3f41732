"""Ask any judge in one way (`ask`), know the price before (`plan`), pay for nothing twice."""

from helpers.judges.addresses import JudgeError
from helpers.judges.ask import Incomplete, MissingAnswer, ask, check_usable
from helpers.judges.calls import LIVE, Options, plan
from helpers.judges.prices import Budget

__all__ = ["LIVE", "Budget", "Incomplete", "JudgeError", "MissingAnswer", "Options"]
__all__ += ["ask", "check_usable", "plan"]
