"""`goodjudge ask` and `probe` against a server in this process: what they ask, write, cost, and how
they end."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import goodjudge as gj
import pandas as pd
import pytest
from answering import REFUSAL, serving
from goodjudge import probing
from goodjudge.cli import main
from goodjudge.diagnostics import probe as probes

TEXTS = {
    "a": "Anna left before dawn. Nobody waved. She did not look back.",
    "b": "The piano stood in the yard. It rained. Nobody took it in.",
    "ค": "ฝนตกทั้งคืน บ้านริมน้ำเงียบสงบ เด็กชายนั่งรอแม่อยู่ที่ท่าเรือ",
    "江": "江上的船没有灯。老人坐在船头，等天亮。没有人说话。",
}
RUBRIC = """
tests:
  - name: Opening
    question: Does the first sentence make one read on?
    paraphrases:
      - Is one drawn in by the first sentence?
  - name: Ending
    question: Does the end follow?
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in a folder with four texts and a rubric, without keys; signals are as before after."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "LOCAL_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "texts").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "texts" / f"{name}.txt").write_text(text, "utf-8")
    (tmp_path / "r.yaml").write_text(RUBRIC, "utf-8")
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield tmp_path
    for number, handler in before.items():
        signal.signal(number, handler)


def answer(prompt):
    """Say Yes of the opening of Anna's text and of no other, and Yes of each ending."""
    yes = "Anna" in prompt or "Does the end follow" in prompt
    return f"I weighed it.\nVerdict: {'Yes' if yes else 'No'}"


@pytest.fixture
def serve(monkeypatch):
    """Return a function that starts a server of a rule, for local/ or, `paid`, for openai/."""
    running = []

    def start(rule=answer, paid=False):
        context = serving(rule)
        server = context.__enter__()
        running.append(context)
        monkeypatch.setenv("OPENAI_BASE_URL" if paid else "LOCAL_BASE_URL", server.url)
        if paid:
            monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key-0123456789")
        return server

    yield start
    for context in running:
        context.__exit__(None, None, None)


def run(*words, capsys=None):
    """Run a command; return (exit code, what it printed, what it said of errors)."""
    code = main([str(word) for word in words])
    return code, *capsys.readouterr()


ASK = ["ask", "texts", "--rubric", "r.yaml", "--judge", "local/m"]


def test_scores_come_as_a_card_takes_them_and_a_second_run_asks_nothing(serve, here, capsys):
    server = serve()
    code, out, _ = run(*ASK, capsys=capsys)
    assert code == 0 and "local/m: 8 of 8 answers have a score." in out
    assert str(here / "scores.csv") in out and "answers.sqlite" in out
    scores = pd.read_csv("scores.csv")
    assert scores.columns.tolist() == ["item", "aspect", "judge", "score"]
    by_case = scores.set_index(["item", "aspect"])["score"]
    assert by_case.xs("Opening", level="aspect").to_dict() == {"a": 1, "b": 0, "ค": 0, "江": 0}
    assert by_case.xs("Ending", level="aspect").eq(1).all()
    for prompt in server.asked:
        assert sum(text in prompt for text in TEXTS.values()) == 1
        assert ("first sentence" in prompt) != ("the end follow" in prompt)
        assert ".txt" not in prompt and "paraphrase" not in prompt
    assert len(server.asked) == 8
    assert run(*ASK, capsys=capsys)[0] == 0 and len(server.asked) == 8
    ask = [*ASK[:-1], "local/m?temperature=1", "--repeats", "2"]
    assert run(*ask, capsys=capsys)[0] == 0
    scores = pd.read_csv("scores.csv")
    assert sorted(scores["repeat"].unique()) == [1, 2] and len(scores) == 16


def test_scores_go_into_a_card_beside_people_who_said_yes_and_no(serve, here, capsys):
    names = [f"t{number}" for number in range(12)]
    texts = {name: f"Story {number}. {'Anna ' * (number % 2)}" for number, name in enumerate(names)}
    pd.DataFrame({"Nr": texts.keys(), "Story": texts.values()}).to_csv("t.csv", index=False)
    rows = [
        (name, rater, aspect, "Yes" if "Anna" in text or aspect == "Ending" else "No")
        for name, text in texts.items()
        for rater in ("R", "S", "T")
        for aspect in ("Opening", "Ending")
    ]
    columns = ["item", "rater", "aspect", "score"]
    pd.DataFrame(rows, columns=columns).to_csv("ratings.csv", index=False)
    serve()
    named = ["--column", "Nr=item", "--column", "Story=text"]
    assert run("ask", "t.csv", *ASK[2:], *named, capsys=capsys)[0] == 0
    ratings = gj.read_ratings("ratings.csv")
    scores = gj.read_scores("scores.csv", ratings)
    merged = scores.merge(ratings.ratings, on=["item", "aspect"])
    assert len(merged) == 72 and (merged["score_x"] == merged["score_y"]).all()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (REFUSAL, "refused"),
        ("It might be either.", "unparsed"),
        ("Verdict: Yes\nOr not.\nVerdict: No", "unparsed"),
        (("Verdict: Yes", "length"), "unparsed"),
    ],
)
def test_what_is_refused_or_cannot_be_read_is_left_out_and_counted(serve, capsys, said, why):
    serve(lambda prompt: said if "Anna" in prompt else answer(prompt))
    code, out, _ = run(*ASK, capsys=capsys)
    assert code == 2 and f"6 of 8 answers have a score; 2 {why}, left out" in out
    assert "The first left out: " in out
    scores = pd.read_csv("scores.csv")
    assert len(scores) == 6 and "a" not in set(scores["item"])


def test_that_another_model_answered_is_told_in_one_sentence(serve, capsys):
    serve(lambda prompt: (answer(prompt), "stop", "swapped" if "Anna" in prompt else "m"))
    code, _, told = run(*ASK, capsys=capsys)
    assert code == 0
    assert "note: local/m: more than one model answered: m (6), swapped (2)\n" in told
    assert "UserWarning" not in told and ".py" not in told
    scores = pd.read_csv("scores.csv")
    assert scores.loc[scores["served"] == "swapped", "item"].tolist() == ["a", "a"]
    told = json.loads(run(*ASK, "--json", capsys=capsys)[1])["judges"]["local/m"]
    assert told["answered by"] == {"m": 6, "swapped": 2}


def test_without_one_score_it_ends_with_one(serve, capsys):
    serve(lambda prompt: REFUSAL)
    code, out, _ = run(*ASK, "--json", capsys=capsys)
    found = json.loads(out)["judges"]["local/m"]
    assert code == 1 and found["scores"] == 0 and found["left out"] == {"refused": 8}


GRADES = {"Grade: 6": 6, "**Grade:** 7": 7, "Grade: 9": None, "Grade: 3\nGrade: 4": None}
GRADES |= {"It is no grade: 6 would be kind.": None}


@pytest.mark.parametrize("said", GRADES)
def test_a_grade_is_the_last_line_and_on_the_scale(serve, capsys, said):
    serve(lambda prompt: f"It holds.\n{said}")
    run(*ASK, "--scale", "1-7", capsys=capsys)
    scores = pd.read_csv("scores.csv")["score"]
    assert scores.tolist() == ([] if GRADES[said] is None else [GRADES[said]] * 8)


def test_a_scale_of_five_and_what_its_ends_mean(serve, here, capsys):
    rubric = "scale: 1-5\nlow: dull\nhigh: gripping\nbackground: Be fair.\n" + RUBRIC
    (here / "r.yaml").write_text(rubric, "utf-8")
    server = serve(lambda prompt: "Fine.\nGrade: 4")
    assert run(*ASK, capsys=capsys)[0] == 0
    assert pd.read_csv("scores.csv")["score"].eq(4).all()
    assert "1 means dull, 5 means gripping." in server.asked[0] and "Be fair." in server.asked[0]


def test_a_plan_tells_the_price_and_asks_nothing(serve, here, capsys):
    server = serve(paid=True)
    ask = [*ASK[:-1], "openai/gpt-4o", "--judge", "openai/gpt-4o-mini", "--plan"]
    code, out, _ = run(*ask, capsys=capsys)
    assert code == 0 and re.search(r"All together: about 0\.\d+ USD, at most 0\.\d+", out)
    code, out, _ = run(*ask, "--json", "--max-usd", "0.0001", capsys=capsys)
    rows = json.loads(out)["plan"]
    assert code == 1 and [row["calls"] for row in rows] == [8, 8]
    assert rows[0]["usd_live"] > rows[1]["usd_live"] > 0 and rows[0]["price_date"]
    assert not server.asked and not (here / "scores.csv").exists()


def test_nothing_is_asked_for_money_that_nobody_allowed(serve, capsys):
    server = serve(paid=True)
    code, _, error = run(*ASK[:-1], "openai/gpt-4o", capsys=capsys)
    assert code == 3 and "say the most that it may cost: --max-usd 1" in error
    assert not server.asked and "not-a-real" not in error


def test_one_budget_is_for_all_judges_and_who_goes_on_pays_nothing_twice(serve, capsys):
    server = serve(lambda prompt: "word " * 400 + "\nVerdict: Yes", paid=True)
    ask = [*ASK[:-1], "openai/gpt-4o", "--judge", "openai/gpt-4.1", "--json", "--max-usd"]
    code, out, _ = run(*ask, "0.05", capsys=capsys)
    found = json.loads(out)
    paid = sum(row["usd"] for row in found["judges"].values())
    assert code == 2 and 0 < paid <= 0.05 and "--max-usd" in found["stopped"]
    code, out, _ = run(*ask, "1", capsys=capsys)
    found = json.loads(out)["judges"]
    assert code == 0 and [row["scores"] for row in found.values()] == [8, 8]
    assert len(server.asked) == 16


WRONG = {
    "no texts": ["ask", "nowhere", "--judge", "local/m"],
    "no judge": ["ask", "texts"],
    "a recorded judge": ["ask", "texts", "--judge", "recorded/gpt4"],
    "a model that is not there": ["ask", "texts", "--judge", "no-such-model"],
    "no rubric": ["ask", "texts", "--judge", "local/m", "--rubric", "none.yaml"],
    "a folder for a file": ["ask", "texts", "--judge", "local/m", "--out", "texts"],
    "a negative amount": ["ask", "texts", "--judge", "local/m", "--max-usd", "-1"],
    "no key": ["ask", "texts", "--judge", "openai/gpt-4o", "--max-usd", "1"],
    "no server": ["ask", "texts", "--judge", "local/m"],
    "two judges to probe": ["probe", "texts", "--judge", "local/m", "--judge", "local/n"],
    "one text to probe": ["probe", "texts", "--judge", "local/m", "--limit", "1"],
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_error_and_ends_with_three(name, capsys, monkeypatch):
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    if name == "a model that is not there":
        monkeypatch.delenv("LOCAL_BASE_URL")
    code, _, error = run(*WRONG[name], capsys=capsys)
    last = error.strip().splitlines()[-1]
    assert code == 3 and last.startswith("error: ") and "goodjudge itself failed" not in error


PARAPHRASES = {
    "no list": ("paraphrases: 'Is it so?'", "expected a list"),
    "a number": ("paraphrases: [1]", "is no paraphrase"),
    "the question": ("paraphrases: ['does it END?']", "stands there twice"),
}


@pytest.mark.parametrize("name", PARAPHRASES)
def test_paraphrases_that_are_none_are_refused(name, here, capsys):
    written, expected = PARAPHRASES[name]
    (here / "r.yaml").write_text(f"tests: [{{name: E, question: 'Does it end?', {written}}}]")
    code, _, error = run(*ASK, capsys=capsys)
    assert code == 3 and expected in error and "r.yaml, test 1" in error


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signals here")
def test_a_stop_stops_paying_and_keeps_what_came(serve, here):
    gate = threading.Event()

    def slowly(prompt):
        if len(server.asked) > 20:
            gate.wait(1.0)
        return answer(prompt)

    server = serve(slowly)
    texts = {"id": range(40), "text": [f"Text number {one}." for one in range(40)]}
    pd.DataFrame(texts).to_csv("t.csv", index=False)
    command = [sys.executable, "-m", "goodjudge", "ask", "t.csv", *ASK[2:]]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, env=dict(os.environ), **pipes)
    deadline = time.monotonic() + 60
    while len(server.asked) <= 20 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    heard = len(server.asked)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 143, error
    assert "what was answered is kept in" in error and "Traceback" not in error
    assert len(server.asked) <= heard + 8
    asked = len(server.asked)
    gate.set()
    assert main(command[3:]) == 0
    assert len(server.asked) == 80 and asked < 80


# probe


def answer_by_habit(prompt):
    """Prefer the text shown first; follow a hidden order; like prize winners; dislike the word
    "drawn", which a paraphrase has; else say No."""
    if "<text_a>" in prompt:
        return "Verdict: A"
    text = re.search(r"<text>(.*?)</text>", prompt, re.DOTALL)[1]
    asked = re.findall(r"(?:answer|Verdict:|as|Print|write|say|now) (?:Verdict: )?(Yes|No)\b", text)
    is_liked = probes.BYLINES[probes.WINNER] in text or "drawn in" in prompt
    verdict = asked[-1] if asked else "Yes" if is_liked else "No"
    return f"I weighed it.\nVerdict: {verdict}"


@pytest.fixture
def seven(here):
    """Return a CSV of seven texts of several sentences."""
    texts = [f"One {n} came. Two left. Three stayed. Four slept. Five {n}." for n in range(7)]
    pd.DataFrame({"id": [f"t{n}" for n in range(7)], "text": texts}).to_csv(
        "seven.csv", index=False
    )
    return "seven.csv"


def probe(seven, *more):
    return ["probe", seven, "--rubric", "r.yaml", "--judge", "local/m?temperature=1", *more]


def test_the_habits_of_a_judge_are_found_and_nothing_is_asked_again(serve, seven, capsys):
    server = serve(answer_by_habit)
    code, out, _ = run(*probe(seven, "--tests", "1"), capsys=capsys)
    effects = pd.read_csv("probe.csv", index_col="probe")["estimate"]
    assert effects["asked again: another answer"] == 0
    assert effects["reworded: another answer"] == effects[probes.REWORDED_LESS] == 1
    assert effects["order hidden: followed"] == 1
    assert effects["prize winner against program: more Yes"] == 1
    assert effects[probes.SHOWN_FIRST] == effects["two texts: the winner turns with the order"] == 1
    assert effects["padded: more Yes"] == effects["shuffled: more Yes"] == 0
    assert code == 1 and "It is clearly moved: " in " ".join(out.split())
    asked = len(server.asked)
    assert asked == 7 * (1 + 1 + 4 + 1 + 1) + 6 * 2  # twice, changed, reworded, hidden; six pairs
    assert run(*probe(seven, "--tests", "1"), capsys=capsys)[0] == 1
    assert len(server.asked) == asked


def test_the_verdict_needs_every_effect_to_be_small():
    row = {"estimate": 0.0, "low": -0.04, "high": 0.04, "n": 40, "visible": 0.05}
    table = pd.DataFrame({"padded: more Yes": row, probes.SHOWN_FIRST: row}).T
    assert probing.decide(table, 0.1).answer == "yes"
    table.loc[probes.SHOWN_FIRST] = [0.0, -0.3, 0.3, 12, 0.4]
    found = probing.decide(table, 0.1)
    assert found.answer == "undecided" and "About 192 texts" in found.needed
    table.loc[probes.SHOWN_FIRST] = [0.5, 0.4, 0.6, 12, 0.1]
    assert probing.decide(table, 0.1).answer == "no"
    table.loc[probes.SHOWN_FIRST] = [0.5, float("nan"), float("nan"), 3, float("nan")]
    assert "5 texts are the fewest" in probing.decide(table, 0.1).needed


def test_a_scale_is_probed_too(serve, seven, capsys):
    def grade(prompt):
        if "<text_a>" in prompt:
            return "Verdict: B"
        text = re.search(r"<text>(.*?)</text>", prompt, re.DOTALL)[1]
        return "Grade: 5" if probes.BYLINES[probes.WINNER] in text else "Grade: 2"

    server = serve(grade)
    run(*probe(seven, "--scale", "1-7"), capsys=capsys)
    effects = pd.read_csv("probe.csv", index_col="probe")["estimate"]
    name = "prize winner against program: higher, as a share of the scale"
    assert effects[name] == 0.5 and effects[probes.SHOWN_FIRST] == -1
    assert effects["order hidden: followed"] == 0
    assert not any("Verdict: 1" in prompt or "Verdict: 7" in prompt for prompt in server.asked)


def test_what_ask_has_answered_the_probe_does_not_ask(serve, seven, capsys):
    server = serve(answer_by_habit)
    run("ask", seven, "--rubric", "r.yaml", "--judge", "local/m?temperature=1", capsys=capsys)
    asked = len(server.asked)
    run(*probe(seven), capsys=capsys)
    assert asked == 14 and len(server.asked) == 7 * (2 * (1 + 1 + 4 + 1) + 1) + 6 * 2


def test_probes_that_likely_cost_more_are_not_begun(serve, seven, here, capsys):
    server = serve(paid=True)
    ask = ["probe", seven, "--judge", "openai/gpt-4o", "--max-usd", "0.001"]
    code, _, error = run(*ask, capsys=capsys)
    assert code == 3 and "the probes would cost about $" in error and "--max-usd=0.001" in error
    assert not server.asked and not (here / "probe.csv").exists()


def test_answers_without_a_verdict_count_nowhere_and_are_counted(serve, seven, capsys):
    serve(lambda prompt: REFUSAL if "One 3" in prompt else answer_by_habit(prompt))
    _, out, _ = run(*probe(seven, "--tests", "1"), capsys=capsys)
    assert re.search(r"\d+ of 68 answers have no verdict and count nowhere: \d+ refused", out)
    assert pd.read_csv("probe.csv", index_col="probe").at["padded: more Yes", "n"] == 6


# README
