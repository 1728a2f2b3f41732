"""Judges are asked with the extra [live]; without it these tests are skipped."""

import importlib.util

LACKS = [name for name in ("openai", "anthropic", "filelock") if not importlib.util.find_spec(name)]
if LACKS:
    collect_ignore_glob = ["test_*.py"]
else:
    from judges_kit import provide  # noqa: F401 (a fixture)
