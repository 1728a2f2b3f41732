"""The rooms of helpers/: imports run one way, from the workshop down to the sources, and every
study has the same doors."""

import ast
import importlib
import inspect

import pytest
from goodjudge.ask.reader import Reader

from helpers.sources.public import ROOT

STUDIES = {"ttcw", "refbased", "poetry", "evolvr", "edits"}
# a module imports from its own room and from lower floors
FLOORS = [
    {"workshop"},
    {"papers"},
    {"audit"},
    STUDIES,
    {"choices", "agreement"},
    {"judges", "prompts"},
    {"results"},
    {"figures"},
    {"sources"},
]
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
# the one arrow between studies: the reference-based papers judge the stories of TTCW
ALLOWED = {("refbased", "ttcw.load")}


def imports(path):
    """Return the modules of `helpers` that a file imports, also within functions: 'judges.store',
    'figures', …"""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.removeprefix("helpers.") for name in found if name.startswith("helpers.")}


def wrong(module, name):
    """Return whether the import of `name` in `module` (both without 'helpers.') runs against the
    floors."""
    room, other = module.split(".")[0], name.split(".")[0]
    if room == other or any(module.startswith(a) and name.startswith(b) for a, b in ALLOWED):
        return False
    return FLOOR[other] <= FLOOR[room]


def modules():
    for path in sorted((ROOT / "helpers").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT / "helpers").with_suffix("").parts).removesuffix(
            ".__init__"
        )
        if name != "__init__":
            yield name, path


def test_every_room_has_its_floor():
    assert {name.split(".")[0] for name, _ in modules()} == set(FLOOR)


def test_imports_run_one_way():
    assert [
        (module, name)
        for module, path in modules()
        for name in sorted(imports(path))
        if wrong(module, name)
    ] == []


def test_nothing_in_the_house_imports_what_only_builds_or_measures():
    outside = ("tools", "teaching", "benchmarks", "tests")
    for _, path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] in outside for name in names), path


def test_goodjudge_knows_nothing_of_the_compendium():
    source = ROOT / "packages" / "goodjudge" / "src"
    for path in sorted(source.rglob("*.py")):
        assert not imports(path), path.name
        tree = ast.parse(path.read_text(encoding="utf8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import)
                 for alias in node.names}  # fmt: skip
        names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        roots = {name.partition(".")[0] for name in names}
        foreign = {"helpers", "tools", "IPython", "papermill", "nbformat", "seaborn", "snakemake"}
        assert not roots & foreign, path.name


def module(study, name):
    return importlib.import_module(f"helpers.{study}.{name}")


@pytest.mark.parametrize("study", sorted(STUDIES))
def test_ratings_are_loaded_and_their_items_are_texts(study):
    first = {"edits": ["LAMP"]}.get(study, [])
    data = module(study, "load").load(*first)
    assert data._fields == ("items", "ratings", "source")
    assert data.items["item"].map(type).eq(str).all()


@pytest.mark.parametrize("study", sorted(STUDIES))
def test_a_judge_is_asked_read_and_scored_by_functions_of_one_name(study):
    ask = module(study, "ask")
    assert inspect.isfunction(ask.requests)
    assert isinstance(ask.reader, Reader)
    assert next(iter(inspect.signature(ask.score).parameters)) == "answers"
