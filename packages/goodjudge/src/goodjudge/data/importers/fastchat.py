"""FastChat (MT-Bench): judgments of single answers, or of pairs, as JSON lines.

    {"question_id": 81, "model": "m", "judge": ["gpt-4", "single-v1"], "score": 6, "turn": 1}
    {"question_id": 81, "model_1": "m", "model_2": "n", "g1_winner": "model_1", "g2_winner": …}
    {"question_id": 81, "model_a": "m", "model_b": "n", "winner": "model_a", "judge": "expert_4"}

Made up after lm-sys/FastChat, fastchat/llm_judge. A score of -1 means that none could be read; an
answer is the item, its question the group, its model the writer.
"""

from goodjudge.data.importers.shapes import Imported, has_fields, import_records
from goodjudge.data.tables import Source, flatten

NAME, TITLE, PEOPLE, JUDGES = "fastchat", "FastChat", True, True
SHAPE = "expected its judgments as JSON lines, with question_id and model or model_1 and model_2"


def matches(source: Source) -> bool:
    """Return whether a file is such an export."""
    if not has_fields(source, "question_id"):
        return False
    return (
        has_fields(source, "model", "score", "judge")
        or has_fields(source, "model_1", "model_2", "g1_winner")
        or has_fields(source, "model_a", "model_b", "winner")
    )


def read(source: Source) -> Imported:
    """Return one row per judgment; of a pair that was judged in both orders two."""
    if has_fields(source, "g1_winner"):
        return read_both_orders(source.records)
    found = Imported(flatten(source).cells, tool=TITLE)
    if has_fields(source, "model_a"):
        found.meaning = {
            "question_id": "group",
            "model_a": "writer_a",
            "model_b": "writer_b",
            "winner": "preferred",
        }
        return found
    cells = found.cells
    if "judge" in cells:
        cells["judge"] = cells["judge"].map(lambda names: names.split(", ")[0])
    found.missing = (-1.0,)
    found.meaning = {"question_id": "item", "model": "", "score": "score", "judge": "judge"}
    if cells["model"].nunique() > 1:
        cells["answer"] = cells["model"] + " on " + cells["question_id"]
        found.meaning |= {"question_id": "group", "model": "writer", "answer": "item"}
    found.meaning |= {name: "" for name in ("user_prompt", "judgment", "tstamp") if name in cells}
    return found


def read_both_orders(records: list[dict]) -> Imported:
    """Return two rows per judgment of a pair: one for each order in which it was shown."""
    rows = []
    for record in records:
        judge = record.get("judge")
        for one, two, winner in (
            ("model_1", "model_2", "g1_winner"),
            ("model_2", "model_1", "g2_winner"),
        ):
            won = record.get(winner, "")
            rows.append(
                {
                    "group": record["question_id"],
                    "writer_a": record[one],
                    "writer_b": record[two],
                    "judge": judge[0] if isinstance(judge, list) else judge,
                    "turn": record.get("turn", ""),
                    "preferred": {one: "a", two: "b"}.get(won, "" if won == "error" else won),
                }
            )
    return import_records(rows, TITLE, form="auto")
