"""Where data come from, in which order, and what is said when a file is wrong or nowhere."""

import hashlib
import time

import pytest
from werkzeug import Response

from helpers.sources import public as data

CONTENT = b'{"id": "x"}\n'


@pytest.fixture
def tiny(monkeypatch):
    """A registry with one small file."""
    entry = {
        "repository": "owner/repo",
        "commit": "c" * 40,
        "licence": "MIT",
        "citation": "",
        "holds": "",
        "files": {
            "tiny/a.jsonl": {
                "path": "a.jsonl",
                "bytes": len(CONTENT),
                "sha256": hashlib.sha256(CONTENT).hexdigest(),
            }
        },
    }
    monkeypatch.setattr(data, "registry", lambda: {"tiny": entry})
    monkeypatch.setattr(data, "_unreachable", [])


def plant(folder, content=CONTENT):
    (folder / "tiny").mkdir(parents=True)
    (folder / "tiny" / "a.jsonl").write_bytes(content)
    return folder


def test_the_mirror_comes_before_the_cache(tiny, no_data, monkeypatch, tmp_path):
    plant(tmp_path / "cache")
    assert data.locate("tiny/a.jsonl")[1] == "cache"
    monkeypatch.setenv("JUDGING_CREATIVITY_MIRROR", str(plant(tmp_path / "mirror")))
    assert data.locate("tiny/a.jsonl")[1] == "mirror" and data.available("tiny") == "mirror"
    assert data.read_json("tiny/a.jsonl") == [{"id": "x"}]


def test_half_a_data_set_is_none_and_a_damaged_file_is_an_error(tiny, no_data, tmp_path):
    missing = {"path": "b.csv", "bytes": 1, "sha256": "0" * 64}
    data.registry()["tiny"]["files"]["tiny/b.csv"] = missing
    folder = plant(tmp_path / "cache")
    assert data.available("tiny") == "" and data.choose_source("tiny")[0] == "simulated"
    (folder / "tiny" / "b.csv").write_bytes(b"?")
    with pytest.raises(data.DataError, match="b.csv: checksum"):
        data.available("tiny")


def test_a_wrong_checksum_is_an_error_that_names_the_file(tiny, no_data, monkeypatch, tmp_path):
    monkeypatch.setenv("JUDGING_CREATIVITY_MIRROR", str(plant(tmp_path / "mirror", CONTENT + b" ")))
    with pytest.raises(data.DataError, match="tiny/a.jsonl: checksum .* found, .* expected"):
        data.locate("tiny/a.jsonl")


def test_a_download_is_verified_and_cached(tiny, no_data, monkeypatch, httpserver, tmp_path):
    monkeypatch.delenv("JUDGING_CREATIVITY_OFFLINE")
    monkeypatch.setattr(data, "UPSTREAM", httpserver.url_for("").rstrip("/"))
    httpserver.expect_request(f"/owner/repo/{'c' * 40}/a.jsonl").respond_with_data(CONTENT)
    assert data.locate("tiny/a.jsonl")[1] == "download"
    assert data.locate("tiny/a.jsonl")[1] == "cache" and len(httpserver.log) == 1


def test_a_download_with_a_wrong_checksum_is_an_error(tiny, no_data, monkeypatch, httpserver):
    monkeypatch.delenv("JUDGING_CREATIVITY_OFFLINE")
    monkeypatch.setattr(data, "UPSTREAM", httpserver.url_for("").rstrip("/"))
    httpserver.expect_request(f"/owner/repo/{'c' * 40}/a.jsonl").respond_with_data(b"other")
    with pytest.raises(data.DataError, match="wrong checksum"):
        data.locate("tiny/a.jsonl")


def test_a_dead_network_is_tried_once(tiny, no_data, monkeypatch):
    monkeypatch.delenv("JUDGING_CREATIVITY_OFFLINE")
    monkeypatch.setattr(data, "UPSTREAM", "http://127.0.0.1:9")
    with pytest.raises(FileNotFoundError, match="could not be downloaded"):
        data.locate("tiny/a.jsonl")
    with pytest.raises(FileNotFoundError, match="nothing was downloaded"):
        data.locate("tiny/a.jsonl")
    assert data._unreachable


def test_the_source_line_and_its_errors(no_data):
    assert (
        data.choose_source("ttcw")[0] == "simulated" and "imulated" in data.choose_source("ttcw")[1]
    )
    assert data.choose_source("ttcw", "published")[0] == "published"
    with pytest.raises(data.DataError, match="make fetch"):
        data.choose_source("ttcw", "open")
    with pytest.raises(data.DataError, match="expected one of auto, open"):
        data.choose_source("ttcw", "opne")


def test_a_mirror_that_does_not_exist_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("JUDGING_CREATIVITY_MIRROR", str(tmp_path / "gone"))
    with pytest.raises(data.DataError, match="not a folder"):
        data.mirror()


def test_the_registry_pins_every_file():
    for dataset, entry in data.registry().items():
        assert len(entry["commit"]) == 40 and entry["licence"] and entry["citation"]
        for name, file in entry["files"].items():
            assert (
                name.startswith(dataset + "/") and len(file["sha256"]) == 64 and file["bytes"] > 0
            )
    assert {name: len(entry["files"]) for name, entry in data.registry().items()} == {
        "ttcw": 10,
        "hanna": 2,
        "confederacy": 66,
    }


@pytest.fixture
def online(tiny, no_data, monkeypatch, tmp_path):
    """The tiny registry with neither mirror nor cache, and an upstream where nothing listens yet;
    the cache folder."""
    monkeypatch.delenv("JUDGING_CREATIVITY_OFFLINE")
    monkeypatch.setattr(data, "UPSTREAM", "http://127.0.0.1:9")
    return tmp_path / "cache"


@pytest.mark.parametrize("place", ["mirror", "cache"])
def test_a_damaged_file_is_an_error_that_names_it_and_is_never_passed_over(
    online, tmp_path, monkeypatch, place
):
    if place == "mirror":
        monkeypatch.setenv("JUDGING_CREATIVITY_MIRROR", str(tmp_path / "mirror"))
        plant(online)  # a good copy further down the order must not hide the damage
    plant(tmp_path / place, CONTENT[:-3])
    with pytest.raises(data.DataError, match=r"tiny/a.jsonl: checksum .* found, .* expected"):
        data.locate("tiny/a.jsonl")
    with pytest.raises(data.DataError, match="checksum"):
        data.choose_source("tiny")


def test_a_wrong_download_is_an_error_and_leaves_nothing_behind(online, monkeypatch, httpserver):
    httpserver.expect_request(f"/owner/repo/{'c' * 40}/a.jsonl").respond_with_data(
        b"<html>sorry</html>"
    )
    monkeypatch.setattr(data, "UPSTREAM", httpserver.url_for("").rstrip("/"))
    with pytest.raises(data.DataError, match="tiny/a.jsonl: the download has a wrong checksum"):
        data.locate("tiny/a.jsonl")
    assert not (online / "tiny" / "a.jsonl").exists()


@pytest.mark.parametrize("upstream", ["refuses", "404"])
def test_what_cannot_be_downloaded_is_absent_and_not_asked_for_again(
    online, monkeypatch, httpserver, upstream
):
    if upstream == "404":
        httpserver.expect_request("/").respond_with_data(b"")
        monkeypatch.setattr(data, "UPSTREAM", httpserver.url_for("").rstrip("/"))
    with pytest.raises(FileNotFoundError, match="could not be downloaded"):
        data.locate("tiny/a.jsonl")
    with pytest.raises(FileNotFoundError, match="nothing was downloaded"):
        data.locate("tiny/a.jsonl")
    assert data.available("tiny") == ""


def test_a_server_that_drips_is_given_up_within_seconds(online, monkeypatch, httpserver):
    def drip(request):
        def parts():
            for byte in CONTENT:
                time.sleep(0.2)
                yield bytes([byte])

        return Response(parts())

    httpserver.expect_request(f"/owner/repo/{'c' * 40}/a.jsonl").respond_with_handler(drip)
    monkeypatch.setattr(data, "UPSTREAM", httpserver.url_for("").rstrip("/"))
    monkeypatch.setattr(data, "SECONDS", 1)
    start = time.monotonic()
    assert data.available("tiny") == ""
    assert time.monotonic() - start < 3


def test_offline_nothing_is_asked_of_the_network(online, monkeypatch, httpserver):
    monkeypatch.setenv("JUDGING_CREATIVITY_OFFLINE", "1")
    monkeypatch.setattr(data, "UPSTREAM", httpserver.url_for("").rstrip("/"))
    with pytest.raises(FileNotFoundError, match="tiny/a.jsonl"):
        data.locate("tiny/a.jsonl")
    assert httpserver.log == []


def test_an_unregistered_file_is_an_error(no_data):
    with pytest.raises(data.DataError, match="ttcw/none.json is not in data/registry.yaml"):
        data.locate("ttcw/none.json")


def test_the_registry_agrees_with_the_checksums_of_the_mirror():
    folder = data.mirror()
    if folder is None or not (folder / "SHA256SUMS").is_file():
        pytest.skip("no mirror beside this checkout")
    listed = dict(
        reversed(line.split(maxsplit=1))
        for line in (folder / "SHA256SUMS").read_text().splitlines()
    )
    listed = {name.lstrip("./*"): checksum for name, checksum in listed.items()}
    ours = {
        name: about["sha256"]
        for entry in data.registry().values()
        for name, about in entry["files"].items()
    }
    assert {name: listed.get(name) for name in ours} == ours
