"""A rubric: the questions that people and judges answer about each text, and which answers there
are."""

import json
import re
from importlib import resources
from pathlib import Path

from goodjudge.card.texts import RUN
from goodjudge.data.names import list_some, make_key, tidy_name
from goodjudge.data.texts import read_text
from goodjudge.errors import DataError

SAMPLES = resources.files("goodjudge") / "samples"
BUILT_IN = {"": "rubric.yaml", "ttcw": "ttcw.yaml"}
VERDICTS = ["Yes", "No"]
MOST = 11  # answers of a scale, as from 0 to 10
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
TEST = ["name", "question", "background", "dimension", "low", "high", "paraphrases"]
PANEL = ["together", "reasons", "rank", "guess"]  # how a panel is asked
RUBRIC = ["title", "introduction", "background", "scale", "low", "high", *PANEL, "tests"]
PLACE, GUESS = "(place)", "(guess)"  # what stands for the aspect of these answers


def read_scale(scale):
    """Return the answers of a scale: Yes and No for "", for "1-5" the whole numbers 1 to 5.

    >>> read_scale("1-3")
    ['1', '2', '3']
    """
    if not scale:
        return VERDICTS
    ends = re.fullmatch(r"\s*(\d{1,3})\s*(?:-|–|,|to)\s*(\d{1,3})\s*", scale)
    low, high = map(int, ends.groups()) if ends else (0, 0)
    if not 1 <= high - low < MOST:
        raise DataError(
            f"scale: {scale!r:.60} is no scale; expected two whole numbers such as 1-7 (at most "
            f"{MOST} answers)"
        )
    return [str(number) for number in range(low, high + 1)]


def find_rubric(rubric):
    """Return the file of a rubric: of "" three questions about a story, of "ttcw" the fourteen
    tests of creative writing in our words, else the reader's own path."""
    if str(rubric) in BUILT_IN:
        return SAMPLES / BUILT_IN[str(rubric)]
    return Path(rubric).expanduser()


def read_rubric(path):
    """Return a rubric: tests (name, question, perhaps background, dimension, low, high,
    paraphrases, a list), and perhaps title, introduction, background, scale, low, high. Raises
    DataError naming the entry and what is wrong with it."""
    path = path if hasattr(path, "read_bytes") and not isinstance(path, str) else Path(path)
    text = read_text(path, "a YAML or JSON file like goodjudge/samples/rubric.yaml")
    try:
        content = json.loads(text) if text.lstrip().startswith("{") else load_yaml(text)
    except RecursionError:
        raise DataError(f"{path.name}: is nested too deeply") from None
    except ValueError as fault:
        advice = "put a question with a colon or a hash in quotes, indent with spaces"
        raise DataError(f"{path.name}: cannot be read ({fault}); {advice}") from None
    content = content if isinstance(content, dict) else {"tests": content}
    tests = content.get("tests")
    said = [name for name in RUBRIC if name not in (*PANEL, "tests")]
    refuse_fields(path.name, content, RUBRIC, texts=said)
    refuse_panel(path.name, content)
    if not isinstance(tests, list) or not tests:
        raise DataError(f"{path.name}: expected a list under 'tests', each with name and question")
    names = {}
    for number, test in enumerate(tests, 1):
        where = f"{path.name}, test {number}"
        if not isinstance(test, dict):
            raise DataError(f"{where}: expected name and question; found {test!r:.60}")
        refuse_fields(where, test, TEST, texts=TEST[:-1])
        refuse_paraphrases(where, test)
        for field in ("name", "question"):
            if not test.get(field, "").strip():
                raise DataError(f"{where}: has no {field}")
        name = test["name"] = tidy_name(test["name"])
        if make_key(name) in names:
            raise DataError(f"{where}: is called {name!r:.60} as test {names[make_key(name)]} is")
        if name in (PLACE, GUESS):
            raise DataError(f"{where}: is called {name}, as another answer is; use another name")
        names[make_key(name)] = number
        if name.startswith(RUN):
            raise DataError(
                f"{where}: its name begins with {name[0]!r}, which a spreadsheet takes for a "
                "formula; begin with a letter"
            )
    return content


def refuse_panel(where, content):
    """Raise DataError for a rubric that asks a panel in a way that the page does not know."""
    for name in PANEL[:-1]:
        if not isinstance(content.get(name, False), bool):
            raise DataError(f"{where}: {name} is {content[name]!r:.60}; expected true or false")
    guess = content.get("guess") or []
    is_list = isinstance(guess, list) and all(isinstance(one, str) for one in guess)
    if not is_list or len(guess) == 1 or len({make_key(one) for one in guess}) < len(guess):
        raise DataError(
            f"{where}: guess is {guess!r:.80}; expected a list of those who may have written, such "
            "as [An experienced writer, An amateur, A machine]"
        )
    for name in ("rank", "guess"):
        if content.get(name) and not content.get("together"):
            raise DataError(f"{where}: {name} is about the texts of a group; add together: true")


def refuse_paraphrases(where, test):
    """Raise DataError for paraphrases that are no list of texts, or that are the question again."""
    paraphrases = test.setdefault("paraphrases", [])
    if not isinstance(paraphrases, list):
        raise DataError(
            f"{where}: paraphrases is {paraphrases!r:.60}; expected a list of questions"
        )
    asked = [test.get("question", "")]
    for one in paraphrases:
        if not isinstance(one, str) or not one.strip() or CONTROL.search(one):
            raise DataError(f"{where}: {one!r:.60} is no paraphrase; expected a question in quotes")
        if make_key(one) in map(make_key, asked):
            raise DataError(f"{where}: the paraphrase {one!r:.60} stands there twice; reword it")
        asked.append(one)


def load_yaml(text, depth=10):
    """Return what a YAML text holds; ValueError in one line where it is none, has anchors (a small
    text can stand for a huge one by them) or more levels than a rubric needs."""
    import yaml

    level = 0
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            level += isinstance(event, yaml.CollectionStartEvent)
            level -= isinstance(event, yaml.CollectionEndEvent)
            if getattr(event, "anchor", None) or level > depth:
                what = f"an anchor or alias (& or *), or more than {depth} levels"
                raise yaml.MarkedYAMLError(problem=what, problem_mark=event.start_mark)
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as fault:
        mark = getattr(fault, "problem_mark", None)
        place = f"line {mark.line + 1}: " if mark else ""
        said = str(getattr(fault, "problem", None) or fault).splitlines()[0]
        raise ValueError(f"as YAML: {place}{said}") from None


def refuse_fields(where, entry, known, texts):
    """Raise DataError for a field that nobody knows, or that is no text; turn numbers to texts."""
    for name in list(entry):
        if name not in known:
            raise DataError(
                f"{where}: has a field {name!r:.60}; expected some of {list_some(known)}"
            )
        if name in texts:
            if isinstance(entry[name], (int, float)) and not isinstance(entry[name], bool):
                entry[name] = str(entry[name])
            if not isinstance(entry[name], str) or CONTROL.search(entry[name]):
                raise DataError(
                    f"{where}: {name} is {entry[name]!r:.60}; expected a text in quotes"
                )
