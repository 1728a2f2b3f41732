"""The readers that studies hand in: what they ask for, and what they read of hostile answers. How a
label is told from the prose around it is tested with `goodjudge.ask`."""

import itertools
import json

import jsonschema
import pytest
from goodjudge.ask import labels
from goodjudge.ask.calls import digest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.evolvr.pairs import PAIR_OF_SCORES
from helpers.poetry.graded import TIER
from helpers.poetry.ranked import RANKING, parse_list

FALLING = "1. Ann - Snow: 5\n2. Bo - Ice: 3\n3. Cy - Fog: 3"
RISING = "1. Ann - Snow: 1\n2. Bo - Ice: 3\n3. Cy - Fog: 5"
EQUAL = "1. Ann - Snow: 4\n2. Bo - Ice: 4\n3. Cy - Fog: 4"
LISTS = [  # (answer, whether it is read)
    (FALLING, True),
    (EQUAL, True),
    (RISING, False),
    (f"```\n{FALLING}\n```", True),
    (f"**Here is my list:**\n\n{FALLING}\n\nThank you.", True),
    (f"Strongest first:\n{FALLING}", True),
    (f"<think>\n{RISING}\n</think>\n{FALLING}", True),
    (f"From worst to best:\n{FALLING}", False),
    (f"Here is my list:\n{EQUAL}", False),
    (f"{FALLING}\n\nRead it from the bottom up.", False),
    (f"{RISING}\n\n{FALLING}", False),
    (f"No one speaks on the quay.\n\n{FALLING}", False),
    (f"In the order in which you showed them:\n{FALLING}", False),
    (f"1. First I read them all.\n2. Then again.\n\nFinal list:\n{FALLING}", False),
    ("1. First, the imagery.\n2. Then, the sound.", False),
]


@pytest.mark.parametrize("text, is_read", LISTS)
def test_attacks_on_lists(text, is_read):
    assert (parse_list(text) is not None) == is_read


@settings(max_examples=60)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=15))
def test_a_list_is_never_read_against_its_scores(scores):
    lines = [f"{number}. A{number} - T: {score}" for number, score in enumerate(scores, 1)]
    rows = [{"poem": f"A{number}", "score": score} for number, score in enumerate(scores, 1)]
    pairs = [*itertools.combinations(scores, 2)]
    rising = sum(later > earlier for earlier, later in pairs)
    falling = sum(later < earlier for earlier, later in pairs)
    structured = {"analysis": "a", "ranking": rows}
    jsonschema.validate(structured, RANKING.form.schema)
    for text in ("\n".join(lines), json.dumps(structured)):
        assert (parse_list(text) is not None) == (rising <= falling)


SNOW = {"poem": "Ann - Snow", "score": 5}


@pytest.mark.parametrize(
    "rows, entries",
    [
        ([SNOW, {"poem": "Bo", "score": 1.0}], [(1, "Ann - Snow: 5"), (2, "Bo: 1")]),
        ([SNOW | {"poem": "Ann\nSnow"}], None),
        ([SNOW | {"score": 6}], None),
        ([SNOW | {"rank": 1}], None),
        ([], None),
        ("Ann - Snow: 5", None),
    ],
)
def test_a_list_in_json_holds_poems_and_scores_and_nothing_else(rows, entries):
    assert parse_list(json.dumps({"ranking": rows})) == entries


READERS = [labels.YES_NO, *(labels.likert(points) for points in (3, 5, 7)), labels.GRADE]
READERS += [TIER, PAIR_OF_SCORES, RANKING]
FORMS = {  # name of a form: the begin of its digest, which is in the keys of paid answers
    "yes_no": "7e3378d2e72e",
    "likert3": "a6901be73237",
    "likert5": "e274daa6d6e3",
    "likert7": "b94469b82da0",
    "grade": "4357c93f8605",
    "tier": "79986f1f4e6d",
    "evolvr": "9d299cb45db4",
    "ranking": "a1e6b799ad08",
}


def test_forms_stay_as_they_are_or_every_paid_answer_is_lost():
    forms = [{"name": reader.form.name, "schema": reader.form.schema} for reader in READERS]
    assert {form["name"]: digest(form)[:12] for form in forms} == FORMS


@pytest.mark.parametrize(
    "text, scores",
    [
        ("It holds.\n[[A: 4, B: 2]]", (4, 2)),
        ('{"analysis": "[[A: 1, B: 1]]", "score_a": 4, "score_b": 2}', (4, 2)),
        ("It holds.\n[[A: 4, A: 2]]", None),
        ("It holds.\nA: 4, B: 2", None),
        ("It holds.\n[[A: 6, B: 2]]", None),
    ],
)
def test_a_pair_of_scores(text, scores):
    assert PAIR_OF_SCORES.parse(text) == scores
