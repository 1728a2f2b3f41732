"""Try an exercise's solution, its known mistakes and lazy answers in a notebook's namespace."""

import json
import math
import re

from helpers import results

NO_WORK = [*range(-1, 16), 100, 0.5, -0.5, math.nan, True, False, "", "yes", [], {}]


def lazy_answers(notebook):
    """Return answers that need no work: NO_WORK and each number that the exercises' text prints."""
    path = next(results.ROOT.glob(f"notebooks/{notebook}-*.ipynb"))
    cells = json.loads(path.read_text(encoding="utf8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    first = next(place for place, text in enumerate(texts) if text.startswith("## Try it"))
    return [*NO_WORK, *map(float, re.findall(r"[-+]?\d*\.?\d+", " ".join(texts[first:])))]


def try_solutions(notebook, namespace):
    """Return the problems of all exercises: a right answer refused, a wrong one accepted, and
    fewer than three foreseen mistakes or no lesson."""
    problems = []
    for number, function in results.load_solutions(notebook).items():
        right, mistakes, learnt = function(namespace)
        wrong = [*(wrong for wrong, _ in mistakes), "no such answer", *lazy_answers(notebook)]
        for answer, wanted in [(right, True), (None, None), *((one, False) for one in wrong)]:
            verdict, _ = results.judge_answer(number, answer, right, mistakes, learnt)
            if verdict is not wanted:
                problems.append(f"exercise {number}: {answer!r} is judged {verdict}")
        if len({round(float(wrong), 2) for wrong, _ in mistakes}) < 3 or len(learnt) < 60:
            problems.append(f"exercise {number}: under three mistakes foreseen, or no lesson")
    return problems
