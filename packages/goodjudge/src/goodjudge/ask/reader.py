"""How the answers of a judge are read: what a study hands in, beside its requests."""

from collections.abc import Callable
from typing import NamedTuple


class Form(NamedTuple):
    """The structured answer that a live judge is asked for, where its provider can hold it to one.

    name, schema: sent to the provider, and part of an answer's key. sides: two plain answers, for
    a simulated coin. closing, grammar: a judge local/<model>+<closing> is held to this grammar
    (GBNF, for llama.cpp) instead, which closes some characters of analysis with a label.
    """

    name: str
    schema: dict
    sides: tuple = ()
    closing: str = ""
    grammar: str = ""


class Reader(NamedTuple):
    """From an answer's text to its label; what it says decides what a live judge is asked for.

    parse: text, plain or in the form -> label, or None where there is none. form: of a structured
    answer that a live judge is asked for. choices: {label: value} of answers that begin with a
    label; openai/ and local/ are asked for the probabilities of the first token, and an answer's
    score is its expected value. cut_ok: True if an answer that was cut off is read as well.
    """

    parse: Callable
    form: Form | None = None
    choices: dict | None = None
    cut_ok: bool = False


def make_schema(**fields):
    """Return the JSON schema of an object with an analysis, then these fields, {name: values}."""
    properties = {"analysis": {"type": "string"}}
    for name, values in fields.items():
        kind = "string" if isinstance(values[0], str) else "integer"
        properties[name] = {"type": kind, "enum": list(values)}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }
