"""The project's prompts are filled whole, an echo of them is no verdict, and our own texts pass as
they stand. How a text is kept in its fence is tested with `goodjudge.ask`."""

import pytest
from goodjudge.ask import labels

from helpers import prompts
from helpers.evolvr.pairs import PAIR_OF_SCORES
from helpers.poetry.graded import TIER
from helpers.poetry.ranked import RANKING

FILLED = {
    "ttcw-yes-no": dict(story="S", test="T"),
    "refbased-likert": dict(story_a="S", story_b="R", test="T", scale=prompts.scale(5)),
    "refbased-likert-no-analysis": dict(story_a="S", story_b="R", test="T", scale=prompts.scale(7)),
    "refbased-binary": dict(story="S", test="T"),
    "refbased-binary-no-analysis": dict(story="S", test="T"),
    "ttcw-paper": dict(story="S", test="T"),
    "ttcw-released": dict(story="S", background="B", question="Q"),
}
READERS = (labels.YES_NO, labels.likert(5), labels.GRADE, PAIR_OF_SCORES, TIER, RANKING)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.form.name)
@pytest.mark.parametrize("name", FILLED)
def test_an_echo_of_the_prompt_is_no_verdict(name, reader):
    parts = prompts.load(name).fill(**FILLED[name])
    assert reader.parse("\n".join(parts.values())) is None
    assert reader.parse(parts["prompt"]) is None


def test_an_unknown_prompt_names_those_there_are():
    with pytest.raises(prompts.PromptError, match="ttcw-yes-no"):
        prompts.load("nothing-like-it")
