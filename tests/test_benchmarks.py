"""The benchmark runner: contract checked, slower versions marked, a failure named, nothing
overwritten."""

import importlib.util

import pandas as pd
import pytest

from helpers.sources.public import ROOT

spec = importlib.util.spec_from_file_location("bench_runner", ROOT / "benchmarks" / "run.py")
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)
ROWS = [
    {"name": "a", "value": 1.0, "unit": "s"},
    {"name": "b", "value": 4.0, "unit": "x", "better": "higher", "note": "n = 3"},
]


@pytest.mark.parametrize(
    "rows",
    [
        None,
        [],
        [{"name": "a", "value": 1.0}],
        [{"name": "a", "value": float("nan"), "unit": "s"}],
        [{"name": "a", "value": "1", "unit": "s"}],
    ],
)
def test_rows_that_break_the_contract_are_named(rows):
    with pytest.raises(ValueError, match="^speed"):
        run.check_rows("speed", rows)


def test_slower_and_faster_are_marked_in_the_right_direction():
    before = run.check_rows("speed", ROWS)
    after = before.assign(value=[2.0, 1.0])
    assert list(run.compare(after, before)["change"]) == ["x 2.00 worse", "x 0.25 worse"]
    assert list(run.compare(before, after)["change"]) == ["x 0.50 better", "x 4.00 better"]
    assert list(run.compare(before, before.assign(name=["a", "c"]))["change"]) == ["x 1.00", "new"]


def test_results_are_kept_apart_compared_with_a_like_machine_and_a_failure_is_named(
    tmp_path, capsys
):
    (tmp_path / "bench_good.py").write_text(f"def rows():\n    return {ROWS}\n")
    (tmp_path / "bench_bad.py").write_text("def rows():\n    raise OSError('no disk')\n")
    (tmp_path / "bench_none.py").write_text("")
    assert run.main([], tmp_path) == 1
    assert run.main(["good"], tmp_path) == 0
    said = capsys.readouterr()
    assert (
        "error: bad: OSError in rows: no disk" in said.err
        and "bench_none.py has no function rows()" in said.err
    )
    files = sorted((tmp_path / "results").glob("*.csv"))
    assert len(files) == 2 and "x 1.00" in said.out
    table = pd.read_csv(files[0])
    assert list(table["value"]) == [1.0, 4.0] and {
        "date",
        "cores",
        "python",
        "system",
        "load",
    } < set(table)
    assert run.read_earlier(tmp_path / "results", run.describe_machine() | {"cores": 9999}) == (
        "",
        None,
    )
    assert run.main(["goof"], tmp_path) == 2
