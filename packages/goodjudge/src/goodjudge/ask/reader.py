"""How the answers of a judge are read."""

from collections.abc import Callable
from typing import NamedTuple


class Reader(NamedTuple):
    """From an answer's text to its label; what it says decides what a live judge is asked for.

    parse: text -> label, or None where there is none. form: name of a structured answer (see
    data/prompts/forms.yaml) that a live judge is asked for; only its label field is read. choices:
    {label: value} of answers that begin with a label; openai/ and local/ are asked for the
    probabilities of the first token, and an answer's score is its expected value. cut_ok: True if
    an answer that was cut off is read as well.
    """

    parse: Callable
    form: str | None = None
    choices: dict | None = None
    cut_ok: bool = False
