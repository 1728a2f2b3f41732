"""Read a ranked list that a judge wrote: its entries, best first, and None where in doubt.

A judge that is asked to rank poems answers with lines such as

    1. Ann - Snow: 5
    2. Bo - Ice: 3

which are read as [(1, 'Ann - Snow: 5'), (2, 'Bo - Ice: 3')]. Whether the names are those of the
poems, and each is there once, the study asks (`poetry.ask.read_list`).
"""

import re
from itertools import combinations

from goodjudge.ask.cleaning import to_plain_text, unwrap
from goodjudge.ask.phrases import AROUND_A_LIST, LIST_ENTRY, SCORED_BODY
from goodjudge.ask.structured import read_fields


def parse_list(text):
    """Return [(number, entry without it)] of an answer that is a scored list, best first; None for
    another answer: with two lists, other words around it, no scores, or scores that rise."""
    answer = unwrap(text)
    if answer.startswith("{"):
        return read_ranking(answer, analysis="")
    entries, other_lines = split_entries(answer)
    for line in other_lines:
        if not AROUND_A_LIST.fullmatch(to_plain_text(line).strip()):
            return None
    numbers = [number for number, _ in entries]
    if numbers.count(1) != 1:  # no list, or more than one
        return None
    rise = count_rise([entry for _, entry in entries])
    if rise is None:
        return None
    # words around a list may say "worst first", so beside words the scores must fall
    most = -1 if other_lines else 0
    return entries if rise <= most else None


def split_entries(answer):
    """Return the entries of a list, [(number, text)], and the other lines that say something."""
    entries = []
    other_lines = []
    for line in answer.splitlines():
        entry = LIST_ENTRY.match(re.sub("[*`]", "", line.strip()))
        if entry:
            entries.append((int(entry["number"]), entry["body"].strip()))
        elif re.search(r"\w", line):
            other_lines.append(line.strip())
    return entries, other_lines


def split_score(entry):
    """Return (name, score) of a list's entry, ('Ann - Snow', 5) of 'Ann - Snow: 5'; None for one
    without a score."""
    match = SCORED_BODY.match(entry)
    return (match["name"], int(match["score"])) if match else None


def count_rise(entries):
    """Return in how many more pairs of entries the score rises than falls; None if no entry has a
    score. Scores 5, 3, 4 fall in two pairs and rise in one: -1."""
    scores = []
    for entry in entries:
        scored = split_score(entry)
        if scored:
            scores.append(scored[1])
    if not scores:
        return None
    rise = 0
    for earlier, later in combinations(scores, 2):
        rise += (later > earlier) - (later < earlier)
    return rise


def read_ranking(text, **defaults):
    """Return [(rank, 'name: score')] of a JSON object in the form ranking whose scores do not rise,
    else None; defaults: as of `structured.read_fields`."""
    fields = read_fields(text, "ranking", **defaults)
    if fields is None or not fields["ranking"]:
        return None
    entries = [f"{entry['poem']}: {entry['score']}" for entry in fields["ranking"]]
    if count_rise(entries) > 0:
        return None
    return list(enumerate(entries, start=1))
