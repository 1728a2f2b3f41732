"""The paper's tables for any run: its printed rows come out of them again, and what is no answer
counts for nothing."""

import numpy as np
import pandas as pd
import pytest

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
