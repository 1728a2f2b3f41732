"""A reader's download of StoryER and OpenMEVA, in the published form and in others; the evaluator
on it."""

import json

import numpy as np
import pytest

from helpers.extras import others
from helpers.sources.public import ROOT, DataError


def storyer(comments, count=1):
    return [
        {"story": f"A story {n}.", "prompt": f"p{n}", "score": 120, "comments": comments}
        for n in range(count)
    ]


def openmeva(story, count=1):
    return {
        str(n): {
            "prompt": f"p{n}",
            "gold_response": "gold",
            "gen": {"gpt": story, "fusion": {"text": "unrated"}},
        }
        for n in range(count)
    }


def write(folder, name, content):
    (folder / name).write_text(json.dumps(content), encoding="utf8")
    return folder


def test_storyer_as_published_gives_a_row_a_rated_comment(tmp_path):
    comments = [
        [1, 4, "a fine start"],
        [10, 2, float("nan")],
        [-1, -1, "missing"],
        [3, -1, "not rated"],
    ]
    table = others.load_storyer(
        write(tmp_path, "train_rate_reason_data.json", storyer(comments, 2))
    )
    assert (
        table["aspect"].tolist() == ["opening", "new ideas"] * 2
        and table["rating"].tolist() == [4, 2] * 2
    )
    assert table["prompt"].nunique() == 2 and table["story"].iloc[0] == "A story 0."


@pytest.mark.parametrize("name", ["mans_wp.json", "mags_roc.json"])
def test_openmeva_as_published_gives_a_row_a_score(tmp_path, name):
    table = others.load_openmeva(
        write(tmp_path, name, openmeva({"text": "Once.", "score": [1, 5, "3", 2, 2]}, 3))
    )
    assert table["rating"].tolist() == [1, 5, 3, 2, 2] * 3 and set(table["aspect"]) == {"Overall"}


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        "text",
        [1],
        [{"story": "s"}],
        storyer("no triples"),
        storyer([[11, 3, "x"]]),
        storyer([["plot", 3, "x"]]),
        storyer([[1]]),
        storyer(None),
        [{"story": "s", "aspect": "style", "rating": 4}],
    ],
)
def test_another_form_than_storyers_is_one_clear_error(tmp_path, content):
    with pytest.raises(
        (DataError, FileNotFoundError), match="another form; expected a list of|no ratings in"
    ):
        others.load_storyer(write(tmp_path, "x.json", content))


@pytest.mark.parametrize(
    "content",
    [
        {},
        [],
        [1],
        {"0": []},
        {"0": {"gen": []}},
        {"0": {"gen": {"gpt": "text"}}},
        openmeva({"score": [1]}),
    ],
)
def test_another_form_than_openmevas_is_one_clear_error(tmp_path, content):
    with pytest.raises(
        (DataError, FileNotFoundError), match="another form; expected {id|no ratings in"
    ):
        others.load_openmeva(write(tmp_path, "mans_x.json", content))


@pytest.mark.parametrize("rating", [0, 6, "high", [], None, float("nan")])
def test_a_rating_off_the_scale_names_its_record(tmp_path, rating):
    with pytest.raises(DataError, match="mans_x.json, record '0', gpt: rating"):
        others.load_openmeva(
            write(tmp_path, "mans_x.json", openmeva({"text": "Once.", "score": [rating]}))
        )


def test_a_file_that_is_no_json_or_absent_is_an_error_too(tmp_path):
    with pytest.raises(FileNotFoundError, match="download the release there first"):
        others.load_storyer(tmp_path)
    (tmp_path / "x.json").write_text('{"story": 1}\n{"story": 2}')
    with pytest.raises(DataError, match="x.json has another form"):
        others.load_storyer(tmp_path)


def test_a_relative_folder_is_one_of_the_project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match="another form"):
        others.read_release(
            (ROOT / "tests").relative_to(ROOT),
            "published_checksums.json",
            lambda records: records["none"],
            "x",
        )


def test_a_readers_download_is_scored_out_of_fold(tmp_path):
    rng = np.random.default_rng(0)
    for signal in (True, False):
        records = [
            {
                "prompt": f"p{n}",
                "gen": {
                    "gpt": {
                        "text": f"tale {n} " + "word " * length,
                        "score": [1 + 4 * ((length - 20) / 180 if signal else rng.random())],
                    }
                },
            }
            for n, length in enumerate(rng.integers(20, 200, 80))
        ]
        found = others.evaluate(
            others.load_openmeva(write(tmp_path, "mans_x.json", dict(enumerate(records))))
        ).iloc[0]
        assert found["n"] == 80 and (found["low"] > 0.8 if signal else found["low"] < 0.2)


def test_few_prompts_are_refused(tmp_path):
    table = others.load_openmeva(
        write(tmp_path, "mans_x.json", openmeva({"text": "a story", "score": [1, 5]}, 6))
    )
    with pytest.raises(ValueError, match="6 different prompts; expected at least 20"):
        others.evaluate(table)
