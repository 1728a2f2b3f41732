"""The benchmark runner: contract checked, slower versions marked, a failure named, nothing
overwritten."""

import pandas as pd
import pytest

from benchmarks import planted_faults, run

ROWS = [
    {"name": "a", "value": 1.0, "unit": "s"},
    {"name": "b", "value": 4.0, "unit": "x", "better": "higher", "note": "n = 3"},
]


@pytest.mark.parametrize("value", [None, float("nan"), "1"])
def test_rows_that_break_the_contract_are_named(value):
    with pytest.raises(ValueError, match="^speed, row 1"):
        run.check_rows("speed", [{"name": "a", "value": value, "unit": "s"}])
    with pytest.raises(ValueError, match="^speed"):
        run.check_rows("speed", [])


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
