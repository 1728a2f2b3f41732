"""An answer that is one JSON object in the schema of its form (data/prompts/forms.yaml)."""

import json

from goodjudge.ask.prompts import form


def read_fields(text, name, **defaults):
    """Return the fields of an answer, {name: value}, if it is one JSON object in the schema of the
    form `name`, each field once; else None.

    defaults: values of fields that may be missing, such as analysis="".
    """
    from jsonschema import Draft202012Validator  # loads slowly, and only live judges need it

    try:
        # a number with a point becomes a text, so 4.0 is not taken for the grade 4
        written = json.loads(text, object_pairs_hook=refuse_twins, parse_float=str)
        fields = defaults | written
    except (TypeError, ValueError, RecursionError):  # no text, no JSON, no object
        return None
    is_valid = Draft202012Validator(form(name)["schema"]).is_valid(fields)
    return fields if is_valid else None


def refuse_twins(pairs):
    """Return the object of JSON pairs; raise ValueError for a field that stands there twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field stands there twice")
    return fields
