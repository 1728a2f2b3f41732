"""The benchmarks: their runner, planted faults, planted judges, planted typos."""

import importlib.util

import pandas as pd
import pytest
from audit_kit import one_row

from benchmarks import planted_faults, planted_typos, run
from helpers.sources.public import ROOT
from tools import report

ROWS = [
    {"name": "a", "value": 1.0, "unit": "s"},
    {"name": "b", "value": 4.0, "unit": "x", "better": "higher", "note": "n = 3"},
]


def test_results_are_kept_apart_and_a_failure_is_named(tmp_path, capsys):
    (tmp_path / "bench_good.py").write_text(f"def rows():\n    return {ROWS}\n")
    (tmp_path / "bench_bad.py").write_text("def rows():\n    raise OSError('no disk')\n")
    assert run.main([], tmp_path) == 1 and run.main(["good"], tmp_path) == 0
    said = capsys.readouterr()
    assert "error: bad: OSError in rows: no disk" in said.err and "x 1.00" in said.out
    files = sorted((tmp_path / "results").glob("*.csv"))
    table = pd.read_csv(files[0])
    assert len(files) == 2 and list(table["value"]) == [1.0, 4.0]
    other = run.describe_machine() | {"cores": 9999}
    assert run.read_earlier(tmp_path / "results", other) == ("", None)
    assert run.main(["goof"], tmp_path) == 2


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


def tally(paper):
    """Audit three numbers of a made-up table: a + b = sum, and a bound on the spare one."""
    cells = paper.table("T")
    paper.check("T", (cells["a"] + cells["b"]).to_frame("sum"), "sum")
    holds = (cells["spare"].mid < cells["sum"].mid).to_frame("spare")
    paper.claim("T", holds, "below", cells["sum"].mid.to_frame("spare"))
    return paper


@pytest.fixture
def paper():
    """An audited paper whose numbers hold."""
    return tally(one_row(a="2", b="3", sum="5", spare="4"))


@pytest.mark.parametrize(("column", "value"), [("sum", "8"), ("a", "9"), ("spare", "9")])
def test_a_typo_is_caught_at_itself_or_by_a_partner(paper, column, value):
    assert planted_typos.caught(tally, paper, {("T", "r", column): value})


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
