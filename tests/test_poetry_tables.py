"""The paper's tables for any run: its printed rows come out of them again, and what is no answer
counts for nothing."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from helpers.audit import checks
from helpers.papers.poetry import tables as of_print
from helpers.poetry import load, tables
from helpers.sources.published import agrees


@pytest.fixture(scope="module")
def paper():
    """Return the poetry paper's printed numbers."""
    return checks.Paper("poetry")


@pytest.fixture(scope="module")
def poems():
    """Return the project's own poems."""
    return load.load_poems()


def expand(table):
    """Return (verdicts, poems) that a 3 x 3 table counts, a poem each."""
    tier, given = np.indices((3, 3)).reshape(2, 9)
    of_poem = np.repeat(tier, table.ravel())
    poems = pd.DataFrame({"tier": pd.Categorical.from_codes(of_poem, list("ABC"), ordered=True)})
    return pd.Series(tables.VENUES).take(np.repeat(given, table.ravel())).reset_index(
        drop=True
    ), poems


@pytest.mark.parametrize("model", ["GPT-4o-2024-05-13", "Claude-3-Opus"])
def test_the_rows_of_table_2_come_out_of_their_confusion_tables(paper, rng, model):
    solved = of_print.solve_confusions(paper).drop_duplicates("model").set_index("model")
    confusion = solved.at[model, "table"]
    verdicts, poems = expand(confusion)
    assert (tables.cross_venues(verdicts, poems)[tables.VENUES].to_numpy() == confusion).all()
    row = tables.sort_row(verdicts, poems, rng)
    for venue in tables.VENUES:
        assert row[venue] == paper.number("Table 2", model, venue)
        assert row[f"{venue}, rightly"] == paper.number("Table 2", model, f"{venue} (correct)")
    assert 100 * row["accuracy"] == pytest.approx(
        paper.number("Table 2", model, "Accuracy"), abs=0.05
    )
    assert agrees(paper.text("Table 2", model, "SRC"), row["estimate"])
    assert agrees(paper.text("Table 2", model, "p-value"), row["p"])
    assert row["low"] < row["estimate"] < row["high"]
    assert row["n"] == 90


def test_a_poem_without_an_answer_is_sorted_neither_rightly_nor_wrongly(poems, rng):
    verdicts = poems["tier"].map(dict(zip("ABC", tables.VENUES))).astype(object)
    verdicts[:10] = None
    crossed = tables.cross_venues(verdicts, poems)
    assert crossed.loc["A"].tolist() == [20, 0, 0, 10]
    row = tables.sort_row(verdicts, poems, rng)
    assert (row["n"], row["accuracy"], row["estimate"]) == (80, 1, pytest.approx(1))
    nothing = tables.sort_row(verdicts[:10], poems, rng)
    assert nothing["n"] == nothing["Good"] == 0
    assert np.isnan(nothing["estimate"])


def test_one_answer_for_all_poems_is_right_in_a_third_and_follows_nothing(poems, rng):
    row = tables.sort_row(pd.Series("Medium", poems.index), poems, rng)
    assert row["accuracy"] == pytest.approx(1 / 3)
    assert np.isnan(row["estimate"]) and np.isnan(row["p"])
    of_one_tier = tables.sort_row(pd.Series(["Good", "Bad"]), poems, rng)
    assert of_one_tier["accuracy"] == 0.5
    assert np.isnan(of_one_tier["p"])


def test_sorting_into_three_venues_takes_three_tiers(poems):
    two = poems[poems["tier"] != "C"]
    two = two.assign(tier=two["tier"].cat.remove_unused_categories())
    with pytest.raises(ValueError, match="2 tiers; sorting into Good, Medium, Bad takes three"):
        tables.cross_venues(pd.Series("Good", two.index), two)


def test_tiers_are_compared_as_by_another_package(poems, rng):
    tier = poems["tier"].cat.codes.to_numpy()
    values = pd.DataFrame({"follows": -tier + rng.normal(size=90), "draws": rng.normal(size=90)})
    values.loc[0, "draws"] = np.nan
    table = tables.compare_tiers(values, poems)
    for name in values:
        other = anova_lm(ols("y ~ C(t)", pd.DataFrame({"y": values[name], "t": tier})).fit())
        assert table.loc[name, ["F", "p"]].tolist() == pytest.approx(
            other.loc["C(t)", ["F", "PR(>F)"]].tolist()
        )
    assert table["p Bonferroni"].tolist() == pytest.approx((2 * table["p"]).clip(upper=1).tolist())
    assert table["n"].tolist() == [90, 89]
    assert table.at["follows", "B"] == pytest.approx(values["follows"][30:60].mean())


def test_tiers_of_which_too_little_is_known_are_not_tested(poems):
    values = pd.DataFrame({"alike": np.ones(90), "rare": np.nan}, index=poems.index)
    values.loc[[0, 1, 30, 31, 60], "rare"] = [1.0, 2, 3, 4, 5]
    table = tables.compare_tiers(values, poems)
    assert table[["F", "p", "p Bonferroni"]].isna().all(axis=None)
    assert table["n"].tolist() == [90, 5]


def test_the_rows_of_table_8_come_out_of_the_answers_of_table_7(paper):
    parts = {}
    for method, column in {of_print.RANKED: "position", of_print.SCORED: "score"}.items():
        runs = of_print.runs(paper, method).set_axis(range(10), axis=1)
        parts[column] = runs.rename_axis("poem").rename_axis(columns="run").stack()
    again = pd.DataFrame(parts).reset_index().assign(criterion="Quality")
    table = tables.relate_runs(again).droplevel("criterion")
    for rating, row in {"place": "QUALITY / GPT-4o 15n", "score": "QUALITY / GPT-4o"}.items():
        for kind in tables.ICCS:
            values = table.loc[(rating, kind)]
            for name, value in {"ICC": "estimate", "F": "F", "p-value": "p"}.items():
                assert agrees(paper.text("Table 8", row, f"{kind} / {name}"), values[value])
            assert values["low"] < values["estimate"] < values["high"]
            assert (values["runs"], values["n"]) == (10, 15)


def test_places_leave_a_run_no_severity_and_scores_do():
    rng = np.random.default_rng(2)
    worth = rng.normal(size=15)
    rows = []
    for run in range(10):
        seen = worth + 0.5 * rng.normal(size=15)
        position = stats.rankdata(seen)
        score = np.clip(np.round(seen) + 3 + run % 3, 1, 9)  # some runs give more
        rows.append(
            pd.DataFrame({"poem": range(15), "position": position, "score": score, "run": run})
        )
    table = tables.relate_runs(pd.concat(rows).assign(criterion="Quality")).droplevel("criterion")
    of_places, of_scores = table.loc["place", "estimate"], table.loc["score", "estimate"]
    assert np.ptp(of_places) < 0.01
    assert of_scores["ICC3k"] > of_scores["ICC2k"] + 0.02


def test_a_single_run_relates_to_nothing():
    one = pd.DataFrame({"criterion": "Quality", "run": 1, "poem": [0, 1], "position": [2, 1]})
    assert tables.relate_runs(one.assign(score=3)).empty


def test_p_is_written_with_one_digit_and_only_p():
    table = pd.DataFrame({"F": [12.128], "p": [2.4e-6], "n": [90]})
    assert tables.write_p(table).iloc[0].tolist() == [12.128, "2e-06", 90]
