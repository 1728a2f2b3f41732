"""Count the tokens of recorded answers, to say what asking another judge the same would take."""

import pandas as pd

from goodjudge.ask.replay import read_export


def read_tokens(path):
    """Return the tokens of every answer in an export of recorded answers: item (what it is about),
    read (of the prompt), cached (of these, not read anew), written (of the answer), seconds."""
    rows = []
    for answer in read_export(path):
        tokens = answer.input_tokens, answer.cached_tokens, answer.output_tokens
        rows.append((answer.item, *tokens, answer.seconds))
    columns = ["item", "read", "cached", "written", "seconds"]
    return pd.DataFrame(rows, columns=columns)
