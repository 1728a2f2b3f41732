"""promptfoo: the JSON of `promptfoo eval --output results.json`; a score per test and metric.

    {"results": {"results": [{"vars": {"id": "T01"}, "score": 0.8, "success": true,
        "namedScores": {"wit": 0.6}, "provider": {"id": "openai:gpt-4o"}, "error": null}]}}

Made up after promptfoo.dev/docs, Output formats and the node package's EvaluateResult.
"""

from goodjudge.data.importers.shapes import Imported, import_records
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "promptfoo", "promptfoo", False, True
SHAPE = "expected the JSON of promptfoo eval --output results.json"
IDS = ("item", "item_id", "text_id", "story_id", "id", "title", "name", "story")


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    return bool(list_results(source))


def list_results(source: Source) -> list[dict]:
    """Return the results of the tests, [] where the file is no such export."""
    if not source.records:
        return []
    first = source.records[0]
    results = first.get("results", source.records)
    if isinstance(results, dict):
        results = results.get("results") or results.get("outputs")
    if isinstance(results, list) and results and isinstance(results[0], dict):
        if "vars" in results[0] and ("score" in results[0] or "gradingResult" in results[0]):
            return results
    return []


def read(source: Source) -> Imported:
    """Return one row per test and metric; a test that failed with an error has no score."""
    rows, errors = [], 0
    for result in list_results(source):
        values = result.get("vars") or {}
        case = result.get("testCase") or {}
        item = next((values[name] for name in IDS if values.get(name) not in (None, "")), None)
        item = item or case.get("description") or result.get("description")
        item = item if item is not None else result.get("testIdx", "")
        provider = result.get("provider") or {}
        judge = (
            provider.get("label") or provider.get("id") if isinstance(provider, dict) else provider
        )
        prompt = result.get("prompt") or {}
        label = prompt.get("label", "") if isinstance(prompt, dict) else ""
        named = result.get("namedScores") or {}
        grading = result.get("gradingResult") or {}
        failed = bool(result.get("error")) and not grading
        errors += failed
        score = result.get("score", grading.get("score"))
        for aspect, value in (named or {"": score}).items():
            rows.append(
                {
                    "item": item,
                    "judge": judge or "the judge",
                    "aspect": aspect,
                    "prompt": label,
                    "score": "" if failed else value,
                }
            )
    found = import_records(rows, TITLE, form="rows", meaning={"prompt": ""})
    if found.cells["prompt"].nunique() > 1:
        found.cells["judge"] += ", " + found.cells["prompt"].str.slice(0, 40)
    del found.cells["prompt"]
    found.meaning = {}
    if (found.cells["aspect"] == "").all():
        del found.cells["aspect"]
    if errors:
        found.notes.append(f"{errors} tests ended with an error and have no score.")
    return found
