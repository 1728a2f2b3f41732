"""The simulated sample files of `goodjudge demo`, and what is known of them."""

from tools import simulate_ratings as sample


def test_the_sample_files_are_made_anew_to_the_same_bytes(tmp_path):
    for path in sample.write_tables(tmp_path):
        committed = sample.FOLDER / path.name
        assert committed.read_bytes() == path.read_bytes(), path.name
    there = {path.name for path in sample.FOLDER.glob("*.csv")}
    assert there == {path.name for path in tmp_path.iterdir()}
