"""DeepEval: the JSON of a test run: test cases with a score per metric.

    {"testCases": [{"name": "T01", "metricsData": [{"name": "Creativity [GEval]", "score": 0.8,
        "evaluationModel": "gpt-4o"}]}]}

Made up after deepeval.com/docs, Saving test runs, and EvaluationResult (test_results).
Its scores run from 0 to 1.
"""

from goodjudge.data.importers.shapes import Imported, import_records
from goodjudge.data.tables import Source

NAME, TITLE, PEOPLE, JUDGES = "deepeval", "DeepEval", False, True
SHAPE = "expected the JSON of a test run, with testCases and metricsData"


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    return any("metricsData" in case or "metrics_data" in case for case in list_cases(source)[:3])


def list_cases(source: Source) -> list[dict]:
    """Return the test cases, [] where the file is no such export."""
    if not source.records:
        return []
    first = source.records[0]
    cases = first.get("testCases") or first.get("test_cases") or first.get("test_results")
    cases = cases or source.records
    return [case for case in cases if isinstance(case, dict)]


def read(source: Source) -> Imported:
    """Return one row per test case and metric."""
    rows, errors = [], 0
    for number, case in enumerate(list_cases(source), 1):
        more = case.get("additionalMetadata") or case.get("additional_metadata") or {}
        item = next(
            (more[name] for name in ("item", "id", "story_id", "text_id") if name in more), None
        )
        item = item or case.get("name") or case.get("input") or number
        for metric in case.get("metricsData") or case.get("metrics_data") or []:
            errors += bool(metric.get("error"))
            rows.append(
                {
                    "item": item,
                    "judge": metric.get("evaluationModel")
                    or metric.get("evaluation_model")
                    or "the judge",
                    "aspect": str(metric.get("name", "score"))
                    .removesuffix(" [GEval]")
                    .removesuffix(" (GEval)"),
                    "score": "" if metric.get("error") else metric.get("score"),
                }
            )
    found = import_records(rows, TITLE, form="rows")
    if "aspect" in found.cells and found.cells["aspect"].nunique() == 1:
        del found.cells["aspect"]
    if errors:
        found.notes.append(f"{errors} metrics ended with an error and have no score.")
    return found
