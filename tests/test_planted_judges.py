"""The benchmark of planted judges, in a tiny version, and its committed results."""

import importlib.util

import numpy as np
import pandas as pd

from helpers.sources.public import ROOT
from tools import report


def load_benchmark():
    path = ROOT / "benchmarks" / "planted_judges.py"
    spec = importlib.util.spec_from_file_location("planted_judges", path)
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    return benchmark


PLANTED = load_benchmark()
RIGHT = pd.read_csv(PLANTED.RIGHT, index_col="judge")


def test_a_tiny_run_is_kept_and_goes_on_where_it_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(
        PLANTED, "plant", lambda world, rng: {"constant": np.full(16, 5.0), "noise": rng.random(16)}
    )
    kinds = {"four prompts": PLANTED.STUDIES["four prompts"]._replace(studies=2)}
    table = PLANTED.run_all(kinds, tmp_path)
    monkeypatch.setattr(PLANTED, "judge_study", None)  # nothing is asked again
    again = PLANTED.run_all(kinds, tmp_path)
    pd.testing.assert_frame_equal(table, again)
    noise = table[(table["judge"] == "noise") & (table["question"] != "replace")]
    assert set(noise["verdict"]) == {"undecided"}
    results = PLANTED.rate(PLANTED.add_right(table, kinds))
    line = results[(results["judge"] == "noise") & (results["question"] == "reads")].iloc[0]
    assert (line["what"], line["share"], line["undecided"]) == ("right: undecided", 1.0, 2)


def test_the_committed_results_are_of_these_judges_and_stand_in_the_report():
    results = pd.read_csv(PLANTED.RESULTS)
    assert set(results["study"]) == set(PLANTED.STUDIES)
    assert set(results["judge"]) - {"all"} <= set(RIGHT.index)
    of_judges = results[(results["judge"] != "all") & (results["study"] == "simulated, 240 texts")]
    for _, line in of_judges.iterrows():
        assert line["what"] == f"right: {RIGHT.at[line['judge'], line['question']]}"
    page = report.planted_html()
    assert "wrong yes" in page and "HANNA" in page
