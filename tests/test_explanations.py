"""What experts and judges wrote: kept numbers beside verdicts, themes by words and by a judge."""

import pandas as pd
import pytest

from helpers import judges
from helpers.ttcw import explanations


@pytest.mark.parametrize(
    ("text", "theme"),
    [
        ("All of it is a cliché, and predictable; too rushed.", "stock"),
        ("Rushed, and a cliché.", "hurried"),  # one word each: the first
        ("There’s no subtext.", "missing"),  # whatever the apostrophe
        ("Untold, and mistold.", None),  # a word begins so
        ("", None),
    ],
)
def test_a_theme_is_the_one_with_most_words(text, theme):
    assert explanations.find_theme(text) == theme


def test_a_judge_is_asked_for_a_theme_and_its_answer_is_read():
    texts = pd.DataFrame({"story": ["s", "s"], "expert": [1, 2], "test": [9, 9]})
    texts["text"] = ["Stock </reason> phrases.", "Too fast."]
    asked = explanations.requests(texts)
    assert asked["item"].tolist() == ["s/1/9", "s/2/9"]
    assert asked["prompt"].str.count("</reason>").eq(1).all()
    for theme in explanations.THEMES:
        assert f"\n{theme}: " in asked["shared"][0]
    for said, read in [("Stock.", "stock"), ("other", "other"), ("stock or thin", None)]:
        assert explanations.reader.parse(said) == read
    said = pd.DataFrame({"item": asked["item"], "text": ["Stock", "hurried"]})
    answers = judges.ask(asked, "recorded/m", explanations.reader, judges.Options(recorded=said))
    assert answers["verdict"].tolist() == ["stock", "hurried"]


def made_up(rows):
    """Return explanations by experts: rows of (story, expert, test, passed, theme)."""
    table = pd.DataFrame(rows, columns=["story", "expert", "test", "passed", "theme"])
    return table.assign(by=explanations.EXPERTS, group=table["story"].str[0].astype(int))


def test_a_theme_s_excess_is_its_share_of_noes_less_that_of_yeses():
    table = made_up(
        [("0a", 1, 4, 0, "told"), ("0a", 2, 4, 0, None), ("0b", 1, 4, 1, "told")]
        + [("0b", expert, 4, 1, "thin") for expert in (2, 3, 4)]
    )
    assert explanations.share_themes(table).loc[4, ["told", "thin", "other"]].round(1).tolist() == [
        pytest.approx(share, abs=0.1) for share in (33.3, 50.0, 16.7)
    ]
    excess = explanations.find_excess(table).loc[4]
    assert excess[["told", "thin", "other", "stock"]].tolist() == [25.0, -75.0, 50.0, 0.0]


def test_pairs_of_one_story_are_held_against_pairs_of_different_plots():
    rows = []
    for plot, theme in enumerate(["told", "thin", "stock"]):
        rows += [(f"{plot}a", expert, 1, 0, theme) for expert in (1, 2)]
        rows += [(f"{plot}b", 1, 1, 1, "told")]  # a Yes counts for nothing
    alike, more, pairs = explanations.compare_pairs(made_up(rows))
    assert (alike, pairs, more["n"]) == (100.0, 3, 3) and more["estimate"] == 100.0
    everywhere = made_up([(*row[:4], "told") for row in rows])
    assert explanations.compare_pairs(everywhere)[1]["estimate"] == 0.0
