"""The rooms of `helpers/`: imports run one way, from the workshop down to the sources."""

import ast

import pytest

from helpers.sources.public import ROOT

STUDIES = {"ttcw", "refbased", "poetry", "evolvr"}
FLOORS = [
    {"workshop"},
    {"audit"},
    {"extras"},
    STUDIES,
    {"judges", "measures"},
    # a module imports from its own room and from lower floors
    {"figures", "results"},
    {"sources"},
]
HIGHEST = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
ALLOWED = {  # the few arrows that run otherwise, and why
    ("refbased", "ttcw.load"): "the reference-based papers judge the stories of TTCW",
    (
        "judges.live",
        "extras.likelihood",
    ): "a local model's likelihood, loaded only when it is asked for",
}
ONLY_FOR = {"extras": {"extras", "workshop"}}  # what few install: nobody else may need it


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
    return HIGHEST[other] <= HIGHEST[room] or room not in ONLY_FOR.get(other, {room})


def modules():
    for path in sorted((ROOT / "helpers").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT / "helpers").with_suffix("").parts).removesuffix(
            ".__init__"
        )
        if name != "__init__":
            yield name, path


def test_every_room_has_its_floor():
    assert {name.split(".")[0] for name, _ in modules()} == set(HIGHEST)


def test_imports_run_one_way():
    assert [
        (module, name)
        for module, path in modules()
        for name in sorted(imports(path))
        if wrong(module, name)
    ] == []


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("measures.words", "ttcw.load"),
        ("judges.ask", "measures.words"),
        ("poetry.lists", "ttcw.load"),
        ("sources.files", "results"),
        ("poetry.lists", "extras.embeddings"),
        ("audit.ledger", "extras.features"),
        ("judges.ask", "extras.likelihood"),
    ],
)
def test_an_arrow_that_runs_up_is_seen(module, name):
    assert wrong(module, name)
