"""The command: what it prints, writes and how it ends."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import goodjudge
import pytest
from goodjudge.cli import commands, main, parser

SAMPLES = Path(goodjudge.__file__).parent / "samples"
RATINGS, SCORES = str(SAMPLES / "ratings.csv"), str(SAMPLES / "scores.csv")
RUN = [sys.executable, "-m", "goodjudge"]
MINUS = "reads well,-99\n"  # in place of a score
EVERY = ["demo", "card", "plan", "form", "form write", "form join", "drift", "ask", "probe"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Work in an empty folder; signals are as before afterwards."""
    monkeypatch.chdir(tmp_path)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield tmp_path
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def card(monkeypatch):
    """Return a list that takes what `make_card` is called with; the card is made at once."""
    import cards
    from goodjudge.card import make

    called = []

    def stand_in(data, scores=None, **settings):
        called.append(settings | {"data": data, "scores": scores})
        return stand_in.makes()

    stand_in.makes = cards.make_good
    monkeypatch.setattr(make, "make_card", stand_in)
    called.append(stand_in)
    return called


# help


@pytest.mark.parametrize("command", ["", *EVERY])
def test_every_command_has_help_with_an_example(command, capsys):
    assert main([*command.split(), "--help"]) == 0
    told = capsys.readouterr().out
    assert f"\n  goodjudge {command}" in told.partition("example:")[2]
    if command != "form":
        assert "exit codes" in told and "3    bad input" in told
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"goodjudge {goodjudge.__version__}"


WRONG = {
    "nothing": [],
    "a misspelt command": ["crad"],
    "a short form of an option": ["card", RATINGS, "--score", SCORES],
    "a number that is none": ["card", RATINGS, "--smallest", "nan"],
    "no file": ["card", "nowhere.csv"],
    "a device": ["card", "/dev/zero"],
    "a scale of one end": ["card", RATINGS, "--scale", "7"],
    "a label without a number": ["card", RATINGS, "--label", "never"],
    "a file for a folder": ["card", RATINGS, "--out", RATINGS],
    "a judge that is not there": ["card", RATINGS, "--scores", SCORES, "--judge", "nobody"],
    "no file of a run": ["drift", RATINGS, "--before", "x.csv", "--now", "y.csv"],
    "too many raters": ["plan", "--items", "60", "--raters", "1000000"],
    "no study": ["plan", "--items", "60", "--raters", "3", "--like", "nothing"],
    "a reading of nothing": ["plan", "--items", "60", "--raters", "3", "--column", "a=item"],
    "no texts": ["form", "write", "nowhere"],
    "no save": ["form", "join", "nowhere", "--texts", "nowhere"],
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_error_and_ends_with_three(name, capsys):
    if name.startswith("a device") and not os.path.exists("/dev/zero"):
        pytest.skip("no such device here")
    assert main(WRONG[name]) == 3
    error = capsys.readouterr().err
    assert error.startswith("error: ") and "goodjudge itself failed" not in error


# card and demo


def test_a_card_is_read_said_made_and_written(here, card, capsys):
    command = ["card", RATINGS, "--scores", SCORES, "--judge", "reads well", "--smallest", "0.2"]
    assert main([*command, "--out", "mine/it's a card"]) == 0
    told = capsys.readouterr().out
    assert told.index("240 scores.") < told.index("120 scores") < told.index("gpt-x · ")
    assert told.index("gpt-x · ") < told.index((here / "mine/it's a card/card.html").as_uri())
    names = {path.name for path in (here / "mine/it's a card").iterdir()}
    assert names == {"card.html", "card.json", "card.csv", "card.png"}
    settings = card[1]
    assert settings["judge"] == "reads well" and settings["smallest"] == 0.2
    assert settings["scores"]["judge"].nunique() == 2


@pytest.mark.parametrize(
    ("makes", "code"),
    [("make_good", 0), ("make_bad", 1), ("make_undecided", 2), ("make_people", 0)],
)
def test_the_first_verdict_is_the_exit_code(card, makes, code, capsys):
    import cards

    card[0].makes = getattr(cards, makes)
    assert main(["card", RATINGS, "--scores", SCORES]) == code


def test_json_stands_alone(here, card, capsys):
    assert main(["card", RATINGS, "--scores", SCORES, "--json"]) == 0
    printed = capsys.readouterr()
    content = json.loads(printed.out)
    assert set(content["verdicts"][0]) == {"question", "answer", "why", "needed"}
    assert printed.err == "" and list(here.iterdir()) == []


def test_columns_may_stand_in_either_file_and_options_of_the_judge_begin_so(here, card, capsys):
    renamed = Path(RATINGS).read_text().replace("item,", "Which story?,").replace("rater,", "Who=,")
    (here / "r.csv").write_text(renamed)
    scores = Path(SCORES).read_text().replace("item,", "No,").replace("reads well,2\n", MINUS)
    (here / "s.csv").write_text(scores)
    columns = ["--column", "Which story?=item", "--column", "Who==rater", "--column", "No=item"]
    assert main(["card", "r.csv", "--scores", "s.csv", *columns]) == 3
    error = capsys.readouterr().err
    assert "--judge-missing=-99" in error
    assert main(["card", "r.csv", "--scores", "s.csv", *columns, "--judge-missing=-99"]) == 0
    assert "reads well" in set(card[-1]["scores"]["judge"])


def test_what_an_answer_proposes_is_understood_by_the_command():
    """Every option that an error may propose is one of `card`, for either file."""
    from goodjudge.data.columns import tell_options

    options = {
        "columns": {"a b": "item"}, "form": "rows", "missing": [-99.0], "scale": (1, 7),
        "labels": {"never": 1.5}, "only": {"turn": "1"}, "leave_out": ["x"], "doubles": "last",
        "encoding": "cp1252",
    }  # fmt: skip
    import shlex

    people = shlex.split(tell_options(options | {"aspects": {"a": "b"}}).partition(" (in Py")[0])
    judge = options | {"rescale": True, "unmatched": 0.5}
    judge = shlex.split(tell_options(judge, "judge-").partition(" (in Python")[0])
    given = parser.build_parser().parse_args(["card", "r.csv", *people, *judge])
    assert commands.list_options(given) == expect(options) | {"aspects": {"a": "b"}}
    expected = expect(options) | {"rescale": True, "unmatched": 0.5}
    assert commands.list_judge_options(given) == expected


def expect(options):
    """Return options as the command hands them on."""
    return options | {"columns": ["a b=item"], "labels": {"never": "1.5"}}


# endings


def test_a_crash_is_no_answer(card, capsys):
    def fail():
        raise KeyError("what")

    card[0].makes = fail
    assert main(["card", RATINGS]) == 3
    assert "goodjudge itself failed (KeyError: 'what'; test_cli.py, line" in capsys.readouterr().err


def test_a_full_disk_or_a_closed_folder_prints_the_numbers(here, card, capsys, monkeypatch):
    def refuse(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("goodjudge.card.export.replace_file", refuse)
    assert main(["card", RATINGS, "--out", "card"]) == 3
    printed = capsys.readouterr()
    assert "who,kind,estimate" in printed.out
    assert "No space left on device" in printed.err
    assert main(["card", RATINGS, "--out", "card", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["judge"] == "gpt-x", "JSON stays alone"


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
def test_a_closed_pipe_is_no_answer_and_no_fault():
    plan = f'"{sys.executable}" -m goodjudge plan --items 60 --raters 3'
    done = subprocess.run(
        f"{plan} | true; echo ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "3" and done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="signals end otherwise there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_it_at_once_and_leave_nothing_half_written(here, number, code):
    code_of_run = (
        "import sys, time\nfrom goodjudge import files\nfrom goodjudge.cli import endings\n"
        "endings.watch_signals()\npart = files.Path('.goodjudge-1.part')\npart.write_text('half')\n"
        "files.UNFINISHED.add(part)\nprint('ready', flush=True)\n"
        "try:\n    time.sleep(60)\nexcept BaseException:\n    time.sleep(60)\n"
    )
    run = subprocess.Popen([sys.executable, "-c", code_of_run], stdout=subprocess.PIPE, cwd=here)
    run.stdout.readline()
    run.send_signal(number)
    assert run.wait(timeout=10) == code
    assert list(here.iterdir()) == []


def test_any_terminal_shows_any_name(here):
    scores = Path(SCORES).read_text().replace("reads well", "模型 é =1+1")
    (here / "s.csv").write_text(scores, encoding="utf8")
    env = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    command = ["drift", RATINGS, "--before", "s.csv", "--now", "s.csv", "--judge", "模型 é =1+1"]
    for more in ([], ["--json"]):
        done = subprocess.run([*RUN, *command, *more], env=env, capture_output=True)
        assert done.returncode == 2, done.stderr
    assert json.loads(done.stdout)["judge"]["now"] == "模型 é =1+1"


def test_what_is_known_of_texts_may_stand_in_a_file_of_its_own(here, card, capsys):
    import pandas as pd

    table = pd.read_csv(RATINGS)
    table[["item", "rater", "score"]].to_csv("r.csv", index=False)
    texts = table[["item", "writer", "group", "words"]].drop_duplicates()
    names = {"item": "id", "writer": "author", "group": "prompt"}
    texts.rename(columns=names).to_csv("t.csv", index=False)
    assert main(["card", "r.csv", "--scores", SCORES, "--texts", "t.csv"]) == 0
    assert "t.csv says of each text: group, writer, words." in capsys.readouterr().out
    items = card[-1]["data"].items
    assert items["group"].nunique() == 20 and items["writer"].nunique() == 3
    assert items["words"].tolist() == texts["words"].tolist()
    wrong = {
        "id,words\nanother,3\n": "says nothing of 60 of 60 rated texts",
        "id,words\ntext 01,many\n": "row 2: words is 'many'; expected a number",
        "id,words\na,1\na,2\n": "row 3: 'a' stands twice",
    }
    for content, said in wrong.items():
        (here / "t.csv").write_text(content)
        assert main(["card", "r.csv", "--texts", "t.csv"]) == 3
        assert said in capsys.readouterr().err
