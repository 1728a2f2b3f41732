"""Does a claim hang on a choice? Tables of the same claim under other definitions."""

import numpy as np
import pandas as pd

from helpers.measures import intervals, sensitivity
from helpers.measures.ratings import Ratings

CLEAR, UNCLEAR = intervals.row(0.2, 0.1, 0.3, 12), intervals.row(0.2, -0.1, 0.5, 12)
AGAINST = intervals.row(-0.2, -0.3, -0.1, 12)


def test_each_definition_is_set_against_the_first():
    claims = {"first": CLEAR, "second": CLEAR, "third": UNCLEAR, "fourth": AGAINST}
    words = ["the same", "the same", "no longer clear", "turned round"]
    assert sensitivity.vary(claims)["against the first"].tolist() == words
    claims = {"first": UNCLEAR, "second": UNCLEAR, "third": CLEAR, "fourth": AGAINST}
    words = ["the same", "the same", "now clear", "now clear"]
    assert sensitivity.vary(claims)["against the first"].tolist() == words


def test_a_sentence_names_each_definition_that_says_otherwise():
    same = sensitivity.vary({"first": CLEAR, "second": CLEAR, "third": CLEAR})
    said = sensitivity.tell(same, "02b")
    assert said == "None of 2 other ways to compute it says otherwise (02b)."
    other = sensitivity.vary({"first": CLEAR, "second": CLEAR, "third": UNCLEAR, "fifth": AGAINST})
    said = sensitivity.tell(other, "02b")
    assert said.startswith("It hangs on a choice: 2 of 3 other ways to compute it say otherwise (")
    assert "third: no longer clear; fifth: turned round; 02b" in said and "second" not in said


def test_every_rater_is_left_out_once_and_the_extremes_are_named():
    items = pd.DataFrame({"item": [1, 2], "group": [1, 2]})
    table = pd.DataFrame({"item": [1, 1, 2, 2], "rater": list("abac"), "score": [0.0, 5, 3, 1]})

    def claim(data):
        return intervals.row(data.ratings["score"].mean(), 0, np.nan, 2)

    rows = sensitivity.leave_raters_out(Ratings(items, table, "simulated"), claim)
    assert [row["estimate"] for row in rows.values()] == [3, 4 / 3, 8 / 3]
    ends = sensitivity.find_extremes(rows, "without a rater")
    assert {name: row["estimate"] for name, row in ends.items()} == {
        "without a rater, smallest (without rater b)": 4 / 3,
        "without a rater, largest (without rater a)": 3,
    }
