"""The README: its example of Python runs, its output is the demo's, its commands are understood."""

import re
import shlex
import shutil
from pathlib import Path

import goodjudge
import pytest
from goodjudge.cli import main, parser

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf8")
SAMPLES = Path(goodjudge.__file__).parent / "samples"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLES / "ratings.csv", "ratings.csv")
    shutil.copy(SAMPLES / "scores.csv", "judge.csv")
    return tmp_path


def test_its_python_runs_and_has_about_twenty_lines(here, capsys):
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]
    assert 15 <= len(code.splitlines()) <= 25
    exec(compile(code, "README.md", "exec"), {})
    assert "Is it better than what you could have without reading? yes" in capsys.readouterr().out
    assert (here / "card" / "card.html").is_file() and (here / "judge.pdf").is_file()


def test_the_output_that_it_shows_is_the_demo_s(here, capsys):
    assert main(["demo"]) == 0
    printed = capsys.readouterr().out.strip()
    printed = printed.replace(here.as_uri(), "file:///home/you")
    shown = next(one for one in re.findall(r"```\n(.*?)\n```", README, re.DOTALL) if "yes  " in one)

    def without_date(text):
        return re.sub(r"\d{4}-\d\d-\d\d", "DATE", text)

    assert without_date(printed) == without_date(shown)
    assert "simulated" in (here / "goodjudge-demo" / "card.html").read_text("utf8").lower()


def test_its_commands_are_understood():
    commands = set(re.findall(r"^goodjudge [^\n#]+|`goodjudge ([^`]+)`", README, re.MULTILINE))
    commands = [one for one in commands if "--" in one]
    assert len(commands) >= 5
    for one in commands:
        parser.build_parser().parse_args(shlex.split(one))
