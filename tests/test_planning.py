"""Plans: what is simulated has the values that were asked for, power is that of real comparisons,
and what is borrowed is what the kept ratings give."""

import numpy as np
import pandas as pd
import pytest

from helpers.measures import planning, sheets, statistics
from helpers.measures.ratings import Ratings, find_cases
from helpers.measures.trial import Trial
from helpers.sources.files import DataError
from helpers.workshop import plan_study
from tools import keep_variances

AGREEING = planning.TEXTBOOK._replace(  # people who agree well, so that few items tell
    variances=dict(zip(planning.EFFECTS, [0.2, 0.5, 0, 0.1, 0, 0, 0, 0.2])), together=2
)


def to_ratings(assumed, study, drawn):
    """Return one simulated study as `Ratings` (points; the answers are made anew from the targets
    of two raters: each is what the other is held against)."""
    target = drawn.target[study, ::-1, :, 0]  # raters x items
    raters, items = target.shape
    item = np.tile(np.arange(items), raters)
    table = pd.DataFrame({"item": item, "rater": np.repeat(np.arange(raters), items)})
    facts = pd.DataFrame({"item": np.arange(items), "group": np.arange(items) // assumed.together})
    return Ratings(facts, table.assign(score=target.ravel()), "simulated")


def test_the_judge_has_the_lead_that_was_asked_for(rng):
    scorers = planning.set_scorers(AGREEING, 3, 0.1)
    lead, _ = planning.find_lead(AGREEING, scorers, 3, 2, rng)
    assert lead == pytest.approx(0.1, abs=0.01)
    assert scorers.control < scorers.judge < 1


def test_pairs_are_planned_in_the_share_that_is_ordered_rightly(rng):
    """In a set of two, places have r = tau = 2 x share - 1; the judge has the lead that was asked
    for, and pairs in which both raters left differ ask nothing."""
    assumed = AGREEING._replace(response="orders", control=0.6)
    scorers = planning.set_scorers(assumed, 3, 0.1)
    drawn = planning.draw_usual(assumed, 3, rng, studies=200)
    values = [
        planning.measure_share(assumed, drawn, share, stranger).mean()
        for stranger, share in enumerate(scorers)
    ]
    assert values == pytest.approx([0.7, 0.6], abs=0.01)
    first, second = (drawn.answers[:, 0, side::2, 0] for side in (0, 1))
    by_hand = []
    for study in range(200):
        target = drawn.target[study, 0, 0::2, 0] - drawn.target[study, 0, 1::2, 0]
        is_asked = target != 0
        is_right = ((first[study] > second[study]) == (target > 0))[is_asked]
        by_hand.append(is_right.mean())
    own, held = drawn.answers[:, :1], drawn.target[:, :1]
    assert planning.order_sets(own, held, drawn.group) == pytest.approx(by_hand)


def test_a_control_that_guesses_is_a_constant():
    at_guess = AGREEING._replace(control=0.0)
    assert planning.set_scorers(at_guess, 3, 0.1).control == 0.0


@pytest.mark.parametrize("like", ["", "lamp", "ttcw"])
def test_the_spread_of_a_lead_shrinks_with_the_root_of_the_groups(like):
    assumed = planning.load_assumed(like)
    scorers = planning.set_scorers(assumed, 3, 0.05)
    _, usual = planning.find_lead(assumed, scorers, 3, assumed.together, np.random.default_rng(1))
    for groups in (20, 90):
        items = groups * assumed.together
        rng = np.random.default_rng(2)
        leads = planning.simulate_leads(assumed, scorers, items, 3, groups, rng)
        assert leads.std(ddof=1) * np.sqrt(groups) == pytest.approx(usual, rel=0.12)


def test_the_chance_is_the_share_of_comparisons_whose_interval_lies_above_the_guess(rng):
    plain = AGREEING._replace(control=0.0)
    scorers = planning.set_scorers(plain, 2, 0.3)
    drawn = planning.draw_studies(plain, 40, 2, 20, rng, studies=200)
    known = np.sqrt(scorers.judge) * drawn.true + np.sqrt(1 - scorers.judge) * drawn.strange[0]
    clear = []
    for study in range(200):
        cases = find_cases(to_ratings(plain, study, drawn))
        compared = Trial(cases, statistics.pearson, (), ("group",), 0.95)
        judge = compared.apply(known[study, cases["item"], 0])
        constant = compared.apply(np.ones(len(cases)))
        clear.append(compared.lead("control", judge, constant)["over control low"] > 0)
    lead, spread = planning.find_lead(plain, scorers, 2, 2, np.random.default_rng(1))
    assert planning.find_chance(lead, spread, 20) == pytest.approx(100 * np.mean(clear), abs=10)


def test_more_items_and_more_raters_never_make_a_plan_worse_by_more_than_luck():
    table = planning.plan(AGREEING, 0.1, 60, 3)
    wide = table.pivot(index="items", columns="raters", values="chance")
    assert (wide.diff().dropna() >= 0).all().all()
    assert (wide.diff(axis=1).dropna(axis=1) >= -6).all().all()


def test_the_cheapest_size_is_the_one_with_the_fewest_ratings():
    table = pd.DataFrame(
        {"items": [60, 40, 90], "raters": [2, 3, 2], "ratings": [120, 120, 180]}
    ).assign(chance=[81, 85, 90], asked=False)
    assert planning.find_cheapest(table)["raters"] == 2
    assert planning.find_cheapest(table.assign(chance=79)) is None


def test_fewer_than_five_groups_have_no_interval_and_no_chance():
    assert planning.find_chance(0.5, 0.1, 4) == 0.0


def test_what_is_borrowed_is_what_was_simulated(rng):
    many = AGREEING._replace(raters=4)
    group = np.arange(300) // 2
    true = planning.draw_shared(many, group, rng, 1)
    answers = true[:, None] + planning.draw_own(many, group, 4, rng, 1)
    rater, item = (numbers.ravel() for numbers in np.indices((4, 300)))
    table = pd.DataFrame({"item": item, "rater": rater, "score": answers.ravel()})
    facts = pd.DataFrame({"item": np.arange(300), "group": group})
    borrowed = planning.borrow(Ratings(facts, table, "simulated"), 0.3, "simulated", rng)
    shared = borrowed.variances["group"] + borrowed.variances["item"]
    assert (borrowed.raters, borrowed.together, borrowed.response) == (4, 2, "points")
    assert shared == pytest.approx(0.7, abs=0.08)


@pytest.mark.parametrize("like", keep_variances.STUDIES)
def test_the_kept_variances_are_those_of_the_kept_ratings(like):
    row = pd.read_csv(planning.BORROWED, index_col="like").loc[like]
    anew = keep_variances.make_row(like)
    numbers = [*planning.EFFECTS, "control", "aspects", "items a group", "raters"]
    assert row[numbers].tolist() == pytest.approx([anew[name] for name in numbers], abs=0.002)
    assert row["response"] == anew["response"]


@pytest.mark.parametrize(
    ("items", "raters", "groups", "lead", "named"),
    [
        (1, 3, None, 0.1, "ITEMS"),
        (60, 0, None, 0.1, "RATERS"),
        (60, 3, 61, 0.1, "GROUPS"),
        (60, 3, None, 1.5, "LEAD"),
        (60, 3, None, 0.69, "LEAD: not even a perfect judge"),
    ],
)
def test_what_cannot_be_is_one_clear_sentence(items, raters, groups, lead, named):
    with pytest.raises(DataError, match=named):
        planning.plan(planning.TEXTBOOK, lead, items, raters, groups)


def test_the_command_writes_a_table_a_picture_and_a_line(tmp_path, capsys):
    status = plan_study.main(["60", "3", "--lead", "0.2", "--outputs", str(tmp_path)])
    told = capsys.readouterr().out
    assert status == 0
    assert "60 items in 60 groups, each rated by 3 raters (180 ratings)" in told
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".png"}


@pytest.mark.parametrize(
    ("arguments", "status", "named"),
    [(["", "3"], 2, "make judge-plan"), (["sixty", "3"], 1, "ITEMS"), (["9", "3.5"], 1, "RATERS")],
)
def test_the_command_names_what_is_wrong(arguments, status, named, capsys):
    assert plan_study.main(arguments) == status
    assert named in capsys.readouterr().err


@pytest.mark.parametrize(("name", "together"), [("pairs", 2), ("ranks", 3)])
def test_files_of_pairs_and_ranks_lend_theirs(name, together):
    assumed = plan_study.read_assumed(str(sheets.SAMPLES / f"{name}.csv"))
    assert (assumed.response, assumed.together) == ("orders", together)
    assert planning.choose_measure(assumed) is statistics.pairwise_accuracy
    table = planning.plan(assumed, 0.05, 60, 3)
    assert table["chance"].between(1, 100).all()


def test_too_few_pairs_to_learn_from_are_one_clear_error(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("item_a,item_b,rater,preferred\nx,y,Ann,a\nx,y,Bob,b\nz,y,Ann,a\n")
    with pytest.raises(DataError, match="few.csv: too few pairs or rankings"):
        plan_study.read_assumed(str(path))


def test_a_file_of_ratings_lends_its_variances(tmp_path, rng):
    item = np.repeat(np.arange(40), 3)
    score = rng.normal(size=40)[item] + 0.7 * rng.normal(size=120)
    table = pd.DataFrame({"item": item, "rater": np.tile([*"abc"], 40), "score": score.round(2)})
    path = tmp_path / "mine.csv"
    table.to_csv(path, index=False)
    assumed = plan_study.read_assumed(str(path))
    assert assumed.source == "variances of mine.csv"
    assert assumed.variances["item"] == pytest.approx(0.67, abs=0.15)
