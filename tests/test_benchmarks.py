"""The benchmarks: their runner, planted faults, planted judges, planted typos."""

import importlib.util

import pandas as pd

from benchmarks import planted_faults, planted_typos
from helpers.sources.public import ROOT
from tools import report


def test_a_planted_fault_changes_one_token_of_a_module_that_still_compiles():
    module = """def first(table, most=2):
    \"\"\"Return what is < most.\"\"\"
    if not len(table) or most == 0:
        return table["left"] - table["right"]
"""
    sites = planted_faults.find_sites(module)
    planted = [planted_faults.plant(module, *site) for site in sites]
    assert [site[3:] for site in sites] == [
        ("2", "3"), ("not", ""), ("or", "and"), ("==", "!="), ("0", "1"),
        ('"left"', '"right"'), ("-", "+"), ('"right"', '"left"'),
    ]  # fmt: skip
    assert len(set(planted)) == len(sites) and module not in planted


def load_benchmark():
    path = ROOT / "benchmarks" / "planted_judges.py"
    spec = importlib.util.spec_from_file_location("planted_judges", path)
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    return benchmark


PLANTED = load_benchmark()
RIGHT = pd.read_csv(PLANTED.RIGHT, index_col="judge")


def test_the_committed_results_are_of_these_judges_and_stand_in_the_report():
    results = pd.read_csv(PLANTED.RESULTS)
    assert set(results["study"]) == set(PLANTED.STUDIES)
    assert set(results["judge"]) - {"all"} <= set(RIGHT.index)
    of_judges = results[(results["judge"] != "all") & (results["study"] == "simulated, 240 texts")]
    for _, line in of_judges.iterrows():
        assert line["what"] == f"right: {RIGHT.at[line['judge'], line['question']]}"
    page = report.planted_html()
    assert "wrong yes" in page and "HANNA" in page


def test_shares_of_typos_in_all_are_weighted_by_the_size_of_each_kind():
    planted = pd.DataFrame({"kind": list("xxxxyyyy"), "caught": [True] * 4 + [False] * 4})
    planted = planted.assign(paper="p", verdict="consistent", digit="any")
    sizes = pd.Series({("p", "x", "consistent"): 90, ("p", "y", "consistent"): 10})
    shares = planted_typos.summarise(planted, sizes.rename_axis(["paper", "kind", "verdict"]))
    whole = shares[shares["kind"] == "all"].iloc[0]
    assert whole["verdict"] == "reproduced or consistent"
    assert whole["estimate"] == 0.9
    assert (whole["low"], whole["high"]) == (0.556, 0.985)
    assert (whole["numbers"], whole["n"]) == (100, 8)
