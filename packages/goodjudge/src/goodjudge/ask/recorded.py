"""Count the tokens of recorded answers, to say what asking another judge the same would take."""

import pandas as pd

from goodjudge.ask.replay import read_export

CHARACTERS = 4  # a token, as `prices.count_tokens` takes them


def read_tokens(path):
    """Return the tokens of every answer in an export of recorded answers: item (what it is about),
    read (of the prompt), cached (of these, not read anew), written (of the answer), seconds."""
    rows = []
    for answer in read_export(path):
        tokens = answer.input_tokens, answer.cached_tokens, answer.output_tokens
        rows.append((answer.item, *tokens, answer.seconds))
    columns = ["item", "read", "cached", "written", "seconds"]
    return pd.DataFrame(rows, columns=columns)


def stand_in(requests, tokens):
    """Return requests without texts with stand-ins as long as what a recorded judge read, so that
    `plan` can say their price where the texts are not at hand.

    requests: a row per question; tokens: how many each has, in their order. Each stand-in is told
    apart by its number, for what is asked twice is paid once.
    """
    texts = []
    for row, number in enumerate(tokens):
        begin = f"{row} "
        texts.append(begin + "x" * (CHARACTERS * int(number) - len(begin)))
    return requests.assign(system="", shared="", prompt=texts)
