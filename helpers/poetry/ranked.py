"""Read a ranked list that a judge wrote: its entries, best first, and None where in doubt.

A judge that is asked to rank poems answers with lines such as

    1. Ann - Snow: 5
    2. Bo - Ice: 3

which are read as [(1, 'Ann - Snow: 5'), (2, 'Bo - Ice: 3')], or with a JSON object in the form of
`RANKING`. Whether the names are those of the poems, and each is there once, `ask.read_list` says.
"""

import re
from itertools import combinations

from goodjudge.ask.labels import has_only, read_object, spell, to_plain_text, unwrap
from goodjudge.ask.phrases import ANY_CASE
from goodjudge.ask.reader import Form, Reader

SCORES = [1, 2, 3, 4, 5]
ENTRY = re.compile(r"(?P<number> \d{1,3} ) [.)] \s+ (?P<body> \S.* )", re.VERBOSE)  # 1. Ann: 5
SCORED = re.compile(
    r"^ (?P<name> .*\S ) \s* [:=] \s* (?P<score> \d+ ) \W{0,4} $",  # Ann - Snow: 5
    re.VERBOSE,
)
# a line around a list that says no more than that it is one, the best first
AROUND = re.compile(
    r"""
    \W*
    (?:
        (?: here | is | are | my | the | all | of | final | rank(?:ing|ed)? | list | poems?
          | by | in | order | quality | creativity
          | (?: from[ ] | the[ ] )? (?: best | highest | strongest ) (?: [ ]scores? )?
            (?: [ ]first | [ ]to[ ] (?: the[ ] )? (?: worst | lowest ) )
        ) \b
        [\s\#:,.()]*
    ){1,14}                                     # Here is my final ranking, from best to worst:
  | thank[ ]you [.!]?
  | i[ ]hope[ ]this[ ]helps [.!]?
    """,
    ANY_CASE,
)


def parse_list(text):
    """Return [(number, entry without it)] of an answer that is a scored list, best first; None for
    another answer: with two lists, other words around it, no scores, or scores that rise."""
    answer = unwrap(text)
    fields = read_object(answer)
    if fields is not None:
        return read_ranking(fields)
    entries, other_lines = split_entries(answer)
    for line in other_lines:
        if not AROUND.fullmatch(to_plain_text(line).strip()):
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
        entry = ENTRY.match(re.sub("[*`]", "", line.strip()))
        if entry:
            entries.append((int(entry["number"]), entry["body"].strip()))
        elif re.search(r"\w", line):
            other_lines.append(line.strip())
    return entries, other_lines


def split_score(entry):
    """Return (name, score) of a list's entry, ('Ann - Snow', 5) of 'Ann - Snow: 5'; None for one
    without a score."""
    match = SCORED.match(entry)
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


def read_ranking(fields):
    """Return [(rank, 'name: score')] of the fields of a JSON object in the form of RANKING whose
    scores do not rise, else None."""
    rows = fields.get("ranking") if has_only(fields, ["ranking"]) else None
    if not isinstance(rows, list) or not rows or not all(map(is_row, rows)):
        return None
    entries = [f"{row['poem']}: {spell(row['score'])}" for row in rows]
    rise = count_rise(entries)
    return None if rise is None or rise > 0 else list(enumerate(entries, start=1))


def is_row(row):
    """Return whether an object of a ranking names a poem and its score, and nothing else."""
    if not isinstance(row, dict) or set(row) != {"poem", "score"}:
        return False
    return isinstance(row["poem"], str) and spell(row["score"]) in map(str, SCORES)


SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["analysis", "ranking"],
    "properties": {
        "analysis": {"type": "string"},
        "ranking": {
            "type": "array",
            "description": "all poems, the best first",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["poem", "score"],
                "properties": {
                    "poem": {"type": "string"},
                    "score": {"type": "integer", "enum": SCORES},
                },
            },
        },
    },
}
RANKING = Reader(parse_list, form=Form("ranking", SCHEMA))  # [(number, entry)], best first
