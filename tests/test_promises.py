"""Each test that `PROMISES.md` names is there."""

import re

from helpers.sources.public import ROOT

FOLDERS = {"": ROOT / "tests", "goodjudge:": ROOT / "packages" / "goodjudge" / "tests"}


def test_each_promise_is_held_by_tests_that_exist():
    lines = (ROOT / "tests" / "PROMISES.md").read_text(encoding="utf8").splitlines()
    promises = [line for line in lines if re.match(r"\| \d+ \|", line)]
    assert len(promises) >= 45
    missing = []
    for line in promises:
        named = re.findall(r"(goodjudge:)|`([\w/]+\.py)::(\w+)`", line)
        assert any(name for *_, name in named), line
        package = ""  # what stands behind "goodjudge:" is of the package, till a test of ours
        for begins, file, name in named:
            package = begins or package
            paths = [FOLDERS[package] / file, FOLDERS[""] / file] if file else []
            texts = [path.read_text(encoding="utf8") for path in paths if path.is_file()]
            if file and not any(f"\ndef {name}(" in text for text in texts):
                missing.append(f"{file}::{name}")
    assert missing == []
