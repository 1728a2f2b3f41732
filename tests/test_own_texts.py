# ruff: noqa: F811 (fixtures)
"""What is said of a reader's own texts: counted by hand, and nothing that cannot be known."""

import numpy as np
import pandas as pd
import pytest
from goodjudge.comparison.compare import compare
from goodjudge.stats import metrics as statistics
from test_judging import TESTS, answer, truth, verdicts  # noqa: F401 (fixtures)

from helpers.ttcw import ask, own, worth
from helpers.ttcw import load as ttcw

NAMES = pd.DataFrame({"test": TESTS, "category": [f"Test {test}" for test in TESTS]})


@pytest.fixture
def stories(truth):
    """Return twelve texts, each a word longer than the one before."""
    items = truth.loc[truth["writer"] == "GPT4", "item"].unique()
    return pd.DataFrame({"story": items, "words": range(100, 112)})


def run(truth, stories, says, judge="simulated/coin", **columns):
    """Return the answers of `ask.judge_own`; says: story -> whether the answer is Yes."""
    mine = truth[truth["item"].isin(stories["story"])]
    nothing = {"score": np.nan, "input_tokens": 0, "output_tokens": 0, "usd": 0.0, "seconds": 0.0}
    table = answer(mine, judge, mine["item"].map(says)).assign(repeat=1, **nothing | columns)
    verdict = table["yes"].map({True: "Yes", False: "No"})
    return table.assign(verdict=verdict.where(table["status"] == "ok"), group=table["item"])


def describe(answers, stories):
    """Return (sentences as one text, tables by the names of their rows) of own texts."""
    told = own.describe_own(answers, NAMES, stories)
    return " ".join(told.sentences), {table.index.name: table for table, _ in told.tables}


def is_long(stories):
    return dict(zip(stories["story"], stories["words"] > 105))


def test_without_experts_nothing_is_said_of_agreement(truth, stories):
    said, _ = describe(run(truth, stories, is_long(stories)), stories)
    assert "No expert judged these texts" in said
    assert "balanced accuracy" not in said


def test_more_yes_to_longer_texts_is_said_with_its_correlation(truth, stories):
    said, _ = describe(run(truth, stories, is_long(stories)), stories)
    r = np.corrcoef(stories["words"] > 105, stories["words"])[0, 1]
    assert f"Yes more often to longer texts (r = {r:.2f} [" in said
    short = {story: not yes for story, yes in is_long(stories).items()}
    assert "Yes less often to longer texts" in describe(run(truth, stories, short), stories)[0]


def test_texts_and_tests_are_counted(truth, stories):
    _, tables = describe(run(truth, stories, is_long(stories)), stories)
    assert tables["text"]["Yes, %"].tolist() == [100] * 6 + [0] * 6
    assert tables["text"]["verdicts"].eq(14).all()
    assert tables["test"]["Yes, %"].eq(50).all()
    assert len(tables["test"]) == 14


def test_what_is_refused_is_counted_apart(truth, stories):
    answers = run(truth, stories, is_long(stories), status="ok")
    answers.loc[answers.index[:3], ["status", "verdict"]] = ["refused", None]
    said, tables = describe(answers, stories)
    counts = tables["what became of the answers"]["answers"].to_dict()
    assert counts == {"Yes or No": 165, "refused": 3}
    assert "165 of 168 answers have a verdict" in said


def test_an_answer_that_is_given_again_is_counted(truth, stories):
    once = run(truth, stories, is_long(stories))
    twice = pd.concat([once, once.assign(repeat=2)])
    assert "says the same in 100 % of 168 cases" in describe(twice, stories)[0]
    assert "Asked again" not in describe(once, stories)[0]


def test_one_text_has_no_interval_and_no_length(truth, stories):
    said, _ = describe(run(truth, stories[:1], {stories["story"][0]: True}), stories)
    assert "Fewer than 5 texts give the share of Yes no interval" in said
    assert "Nearly every text gets the same answer" in said
    assert "too few texts to say whether longer ones" in said


@pytest.mark.parametrize(
    ("judge", "usd", "said"),
    [
        ("simulated/coin", 0.0, "costs nothing"),
        ("local/x", 0.0, "No price is known"),
        ("openai/x", 0.01, "The answers cost 1.68 USD"),
    ],
)
def test_a_cost_of_which_no_price_is_known_is_not_called_0(truth, stories, judge, usd, said):
    paid = {"usd": usd, "output_tokens": 2, "seconds": 0.5}
    told, tables = describe(run(truth, stories, is_long(stories), judge, **paid), stories)
    assert said in told
    assert tables["answers"].loc[168].tolist() == [0, 336, 0.5]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("texts", [1, 2, 6, 12])
@pytest.mark.parametrize("chance", [0, 0.02, 0.5, 1])
def test_any_number_of_texts_and_any_share_of_yes_bring_no_warning(
    truth, stories, rng, texts, chance
):
    some = stories[:texts]
    says = dict(zip(some["story"], rng.random(texts) < chance))
    said, _ = describe(run(truth, some, says, "openai/x"), some)
    assert f"{texts} stories × 14 tests" in said
    assert "nan" not in said


def test_the_page_of_judges_has_what_the_comparison_has(truth, verdicts, rng):
    wrong = rng.random(len(truth)) < 0.2
    answers = answer(truth, "recorded/gpt4", truth["truth"] ^ wrong)
    answers = answers.assign(usd=0.0, output_tokens=0)
    answers.loc[:9, "status"] = "refused"
    facts = verdicts.drop_duplicates("story")[["story", "group", "writer"]].assign(words=100)
    people = ttcw.to_ratings(verdicts, facts)
    given = ask.score(answers)
    table = compare(people, given, statistics.balanced_accuracy, within=("aspect",))
    judge, person = worth.list_judges(answers, {"all": table}, people).to_dict("records")
    assert (judge["answers"], judge["ok"], judge["refused"]) == (504, 494, 10)
    assert judge["share of Yes"] == given["score"].mean()
    assert np.isnan(judge["usd"]), "nobody knows what released answers cost"
    assert judge["agreement, all"] == table.at["recorded/gpt4", "estimate"]
    assert person["lead, all"] == table.at["a person", "over stranger"]
