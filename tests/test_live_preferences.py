# ruff: noqa: F811 (fixtures)
"""A live judge gets its own findings in the notebooks about orders and preferences (04, 05, 08)."""

import re

import slice_kit
from answering_server import RANDOM, SHY
from live_kit import committed, run, server  # noqa: F401 (fixtures)


def test_notebook_04_speaks_first_of_the_judge_that_was_asked(run):
    few = {"subsets": 4, "shuffles": 2, "repeats": 2}
    _, said, findings = run("04", RANDOM, **few)
    assert findings[0].startswith(f"Asked about Quality, local/{RANDOM} orders our poems")
    assert "It clearly beats that control in none of these." in findings[0]
    others = "\n".join(findings[1:])
    assert RANDOM not in others
    assert "Qwen2.5-Coder" not in findings[0]
    assert not re.search(r"\bnan\b", said), "no undefined number"


def test_notebook_05_shows_the_judge_and_says_of_the_paper_what_it_always_says(open_data, run):
    few = {"limit": 24}
    _, said, _ = run("05", RANDOM, **few)
    assert f"local/{RANDOM}" in said
    # so the findings are those of the committed run, whatever judge is asked
    assert not slice_kit.reaches("05", {"judge", *few}, "findings = ")


def test_notebook_05_leads_a_judge_through_the_papers_protocol_on_hanna(open_data, run):
    _, said, _ = run("05", RANDOM, hanna_prompts=2, partners=1)
    assert "132 requests: 22 stories, each beside 1 others" in said
    assert "264 of 264 scores could be read." in said
    rows = ["one list", "averaged", "partners: 1", "shown first", "shown second"]
    assert all(re.search(rf"^ *{row} ", said, re.M) for row in rows)
    assert "partners: 2" not in said
    given = {"judge", "hanna_prompts", "partners"}
    assert not slice_kit.reaches("05", given, "findings = "), "nor what was found depends on it"


def test_notebook_08_speaks_first_of_the_judge_and_names_it(open_data, run):
    _, said, findings = run("08", RANDOM, limit=120)
    assert f"local/{RANDOM} changes the winner" in findings[0]
    first, second, _, *others, _ = committed("08")  # of the recorded judge: the third and the last
    assert findings[1:-1] == [first, second, *others]
    assert findings[-1].startswith(f"local/{RANDOM} sides with writers in ")
    assert f"The tables and the figure below are about local/{RANDOM}" in said
    longer = re.search(r"prefers the longer text in (\d\.\d\d) \[", findings[0])[1]
    assert 0.3 < float(longer) < 0.7, "a judge that draws prefers neither"


def test_notebook_08_says_of_a_judge_that_refuses_half_that_it_cannot_be_rated(open_data, run):
    _, said, findings = run("08", SHY, limit=120)
    assert findings[0].startswith(f"local/{SHY} answered every question about ")
    assert "too few to say how well it judges" in findings[0]
    assert "nan" not in findings[0]
