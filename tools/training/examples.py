"""Examples for each kind of evaluator: prompts and right answers as text."""

import pandas as pd

from helpers.evolvr.pairs import PAIR_OF_SCORES
from helpers.evolvr.rationales import remove_scores
from helpers.sources.files import DataError
from tools.training import texts


def list_examples(kind, pairs, text_of, folder):
    """Return (prompt, pieces of the answer) per example of a kind of evaluator (`settings.KINDS`).

    pairs: of `stories.draw_pairs`; text_of: {story: text}; folder: where the explanations are.
    """
    if kind == "single":
        rows = pairs[["story_a", "score_a"]].itertuples(index=False)
        return [(texts.ask_single(text_of[item]), texts.answer((score,))) for item, score in rows]
    if kind == "pairs":
        explained = [(row, None) for row in pairs.itertuples()]
    else:
        explained = load_explanations(folder, kind)
    examples = []
    for row, explanation in explained:
        a, b = text_of[row.story_a], text_of[row.story_b]
        prompt = texts.ask_pair(a, b, explanation is not None)
        examples.append((prompt, texts.answer((row.score_a, row.score_b), explanation)))
    return examples


def load_explanations(folder, kind):
    """Return [(row with story_a, story_b, score_a, score_b; sentence)] of the explanations that
    the judge wrote: those that passed the filter (`explained`), or all of them as they were
    written, with the scores that they ended on (`unfiltered`)."""
    path = folder / f"{kind}.jsonl"
    if not path.is_file():
        raise DataError(f"{path}: is missing; write explanations first (python -m tools.training)")
    table = pd.read_json(path, lines=True, dtype={"story_a": str, "story_b": str})
    if table.empty:
        raise DataError(f"{path}: no explanation in it; give the judge more minutes")
    explanations = []
    for row in table.itertuples():
        scores = PAIR_OF_SCORES.parse(row.rationale)
        if scores is not None:
            as_written = row._replace(score_a=scores[0], score_b=scores[1])
            explanations.append((as_written, remove_scores(row.rationale)))
    return explanations
