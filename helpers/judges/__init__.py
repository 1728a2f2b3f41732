"""Judges: ask any of them in one way (`ask`), know the price before (`plan`), pay for nothing twice."""

from helpers.judges.ask import Incomplete, MissingAnswer, ask, check_usable
from helpers.judges.requests import LIVE, JudgeError, plan

__all__ = ["ask", "plan", "check_usable", "JudgeError", "Incomplete", "MissingAnswer", "LIVE"]
