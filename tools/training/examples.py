"""Examples for each kind of evaluator: prompts and right answers as text."""

import pandas as pd

from helpers.evolvr import rationales
from helpers.sources.files import DataError
from tools.training import texts

NAMES = ["story", "story_a", "story_b"]  # columns of the stories that an explanation is about


def list_examples(kind, pairs, text_of, folder):
    """Return (prompt, pieces of the answer) per example of a kind of evaluator (`settings.KINDS`).

    pairs: of `stories.draw_pairs`; text_of: {story: text}; folder: where the explanations are.
    """
    if kind == "single":
        rows = pairs[["story_a", "score_a"]].itertuples(index=False)
        learnt = [((story,), (score,), None) for story, score in rows]
    elif kind == "pairs":
        rows = pairs.itertuples()
        learnt = [((row.story_a, row.story_b), (row.score_a, row.score_b), None) for row in rows]
    else:
        learnt = load_explanations(folder, kind)
    examples = []
    for names, scores, explanation in learnt:
        prompt = texts.ask([text_of[name] for name in names], explanation is not None)
        examples.append((prompt, texts.answer(scores, explanation)))
    return examples


def load_explanations(folder, kind):
    """Return [(stories, scores, sentence)] of the explanations that the judge wrote, with the
    scores that they end on: those that passed the filter (`explained`, `explained-single`), or all
    of them as they were written (`unfiltered`)."""
    path = folder / f"{kind}.jsonl"
    if not path.is_file():
        raise DataError(f"{path}: is missing; write explanations first (make train)")
    table = pd.read_json(path, lines=True, dtype=dict.fromkeys(NAMES, str))
    if table.empty:
        raise DataError(f"{path}: no explanation in it; give the judge more minutes")
    about = rationales.find_kind(table)
    explanations = []
    for rationale, *names in table[["rationale", *table.filter(NAMES)]].itertuples(index=False):
        scores = about.reader.parse(rationale)
        if scores is not None:
            scores = (scores,) if about is rationales.SINGLE else scores
            sentence = rationales.remove_scores(rationale, about.line)
            explanations.append((tuple(names), scores, sentence))
    return explanations
