"""Where data come from, in which order, and what is said when a file is wrong or nowhere."""

import hashlib

import pytest

from helpers.sources import public as data

CONTENT = b'{"id": "x"}\n'
FILE = {"path": "a.jsonl", "bytes": len(CONTENT), "sha256": hashlib.sha256(CONTENT).hexdigest()}


@pytest.fixture
def tiny(no_data, monkeypatch):
    """A registry with one small file, on a machine without data."""
    entry = {"repository": "owner/repo", "commit": "c" * 40, "files": {"tiny/a.jsonl": FILE}}
    entry |= {"licence": "MIT", "citation": "", "holds": ""}
    monkeypatch.setattr(data, "registry", lambda: {"tiny": entry})
    monkeypatch.setattr(data, "_unreachable", [])


@pytest.fixture
def online(tiny, monkeypatch, httpserver, tmp_path):
    """The same with an upstream; its cache folder and where the file is expected there."""
    monkeypatch.delenv("JUDGING_CREATIVITY_OFFLINE")
    monkeypatch.setattr(data, "UPSTREAM", httpserver.url_for("").rstrip("/"))
    return tmp_path / "cache", httpserver.expect_request(f"/owner/repo/{'c' * 40}/a.jsonl")


def plant(folder, content=CONTENT):
    (folder / "tiny").mkdir(parents=True)
    (folder / "tiny" / "a.jsonl").write_bytes(content)
    return folder


def test_the_mirror_comes_before_the_cache(tiny, monkeypatch, tmp_path):
    plant(tmp_path / "cache")
    assert data.locate("tiny/a.jsonl")[1] == "cache"
    monkeypatch.setenv("JUDGING_CREATIVITY_MIRROR", str(plant(tmp_path / "mirror")))
    assert data.locate("tiny/a.jsonl")[1] == "mirror" and data.available("tiny") == "mirror"
    assert data.read_json("tiny/a.jsonl") == [{"id": "x"}]


def test_a_download_is_verified_and_cached(online, httpserver):
    online[1].respond_with_data(CONTENT)
    assert data.locate("tiny/a.jsonl")[1] == "download"
    assert data.locate("tiny/a.jsonl")[1] == "cache" and len(httpserver.log) == 1


@pytest.mark.parametrize("place", ["mirror", "cache"])
def test_a_damaged_file_is_an_error_that_names_it_and_is_never_passed_over(
    tiny, tmp_path, monkeypatch, place
):
    if place == "mirror":
        monkeypatch.setenv("JUDGING_CREATIVITY_MIRROR", str(tmp_path / "mirror"))
        plant(tmp_path / "cache")  # a good copy further down the order must not hide the damage
    plant(tmp_path / place, CONTENT[:-3])
    with pytest.raises(data.DataError, match=r"tiny/a.jsonl: checksum .* found, .* expected"):
        data.locate("tiny/a.jsonl")
    with pytest.raises(data.DataError, match="checksum"):
        data.available("tiny")


def test_a_wrong_download_is_an_error_and_leaves_nothing_behind(online):
    online[1].respond_with_data(b"<html>sorry</html>")
    with pytest.raises(data.DataError, match="tiny/a.jsonl: the download has a wrong checksum"):
        data.locate("tiny/a.jsonl")
    assert not (online[0] / "tiny" / "a.jsonl").exists()


@pytest.mark.parametrize("upstream", ["refuses", "404"])
def test_what_cannot_be_downloaded_is_absent_and_not_asked_for_again(online, monkeypatch, upstream):
    if upstream == "refuses":
        monkeypatch.setattr(data, "UPSTREAM", "http://127.0.0.1:9")
    else:
        online[1].respond_with_data(b"", status=404)
    with pytest.raises(FileNotFoundError, match="could not be downloaded"):
        data.locate("tiny/a.jsonl")
    with pytest.raises(FileNotFoundError, match="nothing was downloaded"):
        data.locate("tiny/a.jsonl")
    assert data.available("tiny") == ""


def test_offline_nothing_is_asked_of_the_network(online, monkeypatch, httpserver):
    monkeypatch.setenv("JUDGING_CREATIVITY_OFFLINE", "1")
    with pytest.raises(FileNotFoundError, match="tiny/a.jsonl"):
        data.locate("tiny/a.jsonl")
    assert httpserver.log == []
