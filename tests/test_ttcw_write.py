"""Stories written as Art or Artifice? did: the loop by hand, and writers that never lengthen,
refuse, answer in another language, overshoot or are cut off. Each ends with one sentence, and
nothing that came is lost."""

import re

import pandas as pd
import pytest
from answering_server import GOOD, REFUSAL, serving

from helpers import judges
from helpers.ttcw import write

WRITER = f"local/{GOOD}?temperature=1"
WORDS = "She put the lamp on the sill and it was dark in the yard as he came to her".split()
GERMAN = "Sie stellte die Lampe auf das Fenster und es wurde dunkel im Hof während er kam".split()


def tell(many, words=WORDS):
    """Return a story of so many words."""
    return " ".join(words[place % len(words)] for place in range(many))


@pytest.fixture
def plots():
    plot = "A woman waits for a man in the yard and it is not clear to her that he is dead."
    return pd.DataFrame({"group": ["The Yard"], "plot": [plot], "words": [900]})


@pytest.fixture
def options(tmp_path):
    longest = write.LONGEST
    store = tmp_path / "answers.sqlite"
    return judges.Options(transcripts=store, max_output_tokens=longest, progress=False)


@pytest.fixture
def run(monkeypatch, plots, options):
    """Return a function that has one story written by a rule: (draft, rounds, prompts)."""

    def write_one(rule, stories=1):
        with serving(rule) as server:
            monkeypatch.setenv("LOCAL_BASE_URL", server.url)
            drafts, log = write.write_stories(plots, [WRITER], options, stories)
            before = len(server.asked)
            again, _ = write.write_stories(plots, [WRITER], options, stories)
            assert again == drafts and len(server.asked) == before, "nothing is asked twice"
        return drafts, log, server.asked

    return write_one


def lengthen_by(more, begin=400):
    """Return a writer that adds so many words in each round."""

    def rule(prompt):
        current = re.search(r"the story has only (\d+)", " ".join(prompt.split()))
        return tell(begin if not current else int(current[1]) + more)

    return rule


def test_a_story_is_lengthened_until_it_is_near_and_no_longer(run):
    (draft,), log, asked = run(lengthen_by(100))
    # 400, 500, 600, 700 (200 from 900, and not less), 800
    assert log["words"].tolist() == [400, 500, 600, 700, 800]
    assert draft.is_within and draft.rounds == 4 and draft.ended == "round 4: 800 words of 900"
    assert "at least 900 words" in " ".join(asked[0].split())
    assert draft.plot in asked[0] and draft.plot not in asked[1] and tell(400) in asked[1]


def alternate(prompt):
    """Answer with about as many words as before, other ones each time."""
    number = len(re.findall(r"again", prompt))
    return f"{tell(300)} {'again ' * (number + 1)}"


ENDS = {
    "comes back unchanged": (lambda prompt: tell(300), 2, "came back unchanged, with 300 words"),
    "never lengthens": (alternate, 21, "20 rounds brought it to 3"),
    "overshoots": (lengthen_by(900), 2, "round 1: 1300 words of 900, too long"),
    "says little": (lambda prompt: "Here it is.", 1, "an answer of 3 words, which is no story"),
    "writes German": (lambda prompt: tell(900, GERMAN), 1, "another language than the plot"),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_writer_that_does_otherwise_ends_with_one_sentence(run, name):
    rule, many, sentence = ENDS[name]
    (draft,), log, asked = run(rule)
    assert sentence in draft.ended and "\n" not in draft.ended and not draft.is_within
    assert len(asked) == len(log) == many


def test_what_came_before_a_refusal_is_kept(run):
    def rule(prompt):
        return REFUSAL if "the story has only" in " ".join(prompt.split()) else tell(500)

    (draft,), _, _ = run(rule)
    assert draft.ended == "round 1: refused, which is no story" and draft.best == tell(500)
    table = write.to_table([draft])
    assert table["text"].tolist() == [tell(500)] and not table["within"].any()


def test_a_run_without_money_ends_every_open_story_and_keeps_what_came(plots, options, monkeypatch):
    rounds = []

    def ask(requests, writer, reader, how):
        rounds.append(len(requests))
        text = tell(400) if len(rounds) == 1 else None
        note = "" if text else "not asked"
        rows = {"request": 0, "repeat": [1, 2], "status": "unparsed", "note": note}
        answers = pd.DataFrame(rows).assign(text=[text, f"{text} more" if text else None])
        if len(rounds) > 1:
            raise judges.Incomplete("raise max_usd and run again", answers.assign(request=[0, 1]))
        return answers

    monkeypatch.setattr(judges, "ask", ask)
    drafts, _ = write.write_stories(plots, [WRITER], options, stories=2)
    assert rounds == [1, 2]
    assert all(draft.ended == "round 1: raise max_usd and run again" for draft in drafts)
    assert [len(draft.best.split()) for draft in drafts] == [400, 401]


def test_the_command_plans_writes_and_says_where(monkeypatch, tmp_path, capsys):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "yard.txt").write_text(tell(700), encoding="utf8")
    seen = []

    def rule(prompt):
        seen.append(prompt)
        if "Sum up the plot" in prompt:
            return "A woman waits in the yard for a man who is not to come back to her."
        return f"{tell(650)} {len(seen)}"

    arguments = [str(tmp_path / "own"), "--writer", WRITER, "--out", str(tmp_path / "out")]
    with serving(rule) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.url)
        assert write.main([*arguments, "--plan"]) == 0 and not server.asked
        assert write.main(arguments) == 0
    out = capsys.readouterr().out
    assert "3 first stories" in out and out.count("words of 700") == 3
    table = pd.read_csv(tmp_path / "out" / "stories.csv")
    assert table["writer"].tolist()[0] == "reference" and len(table) == 4
    assert len(pd.read_csv(tmp_path / "out" / "rounds.csv")) == 3
    assert len(seen) == 4


def test_what_all_rounds_can_cost_is_told_before(plots, options, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key-0123456789")
    table = write.plan(plots, ["openai/gpt-4o"], options, stories=3)
    row = table.iloc[0]
    assert row["calls"] == 3 and row["about_usd"] < row["most_usd"] < row["most_usd_of_all"]
    assert row["most_usd_of_all"] > 63 * write.LONGEST * 10 / 1e6  # $10 for a million tokens
    (sentence,) = write.tell_plan(table)
    assert re.search(r"3 first stories for about \$\d.*at most \$\d", sentence)


def test_a_fault_is_one_sentence(capsys, tmp_path):
    assert write.main([str(tmp_path / "none"), "--writer", "local/m"]) == 3
    assert write.main(["--writer", "recorded/gpt4"]) == 3
    errors = capsys.readouterr().err.strip().splitlines()
    assert len(errors) == 2 and all(line.startswith("error: ") for line in errors)
