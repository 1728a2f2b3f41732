"""Find the public files (mirror, cache, upstream) and verify them: who asks a judge needs texts."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Overdue
from functools import cache
from pathlib import Path

import pooch
import yaml

from helpers.sources.files import DataError

ROOT = Path(__file__).resolve().parents[2]
UPSTREAM = "https://raw.githubusercontent.com"
# all network look-ups of one process together give up after the first that takes this long
SECONDS = 6
MISSING = "has the texts of a data set, is in no mirror and not in the cache,"
ADVICE = "run `make fetch` on a connected machine, or name a folder in JUDGING_CREATIVITY_MIRROR"


@cache
def registry():
    """Return {data set: {repository, commit, licence, citation, holds, files}} of the registry."""
    return yaml.safe_load((ROOT / "data" / "registry.yaml").read_text(encoding="utf8"))


def mirror():
    """Return the local mirror (`JUDGING_CREATIVITY_MIRROR`, or ../shared/mirror), or None."""
    named = os.environ.get("JUDGING_CREATIVITY_MIRROR")
    folder = Path(named) if named else ROOT.parent / "shared" / "mirror"
    if named and named.lower() != "none" and not folder.is_dir():
        what = f"JUDGING_CREATIVITY_MIRROR names {named}, which is not a folder"
        raise DataError(f"{what}; correct it, or say 'none'")
    return folder if folder.is_dir() else None


def cache_folder():
    """Return the folder that keeps downloads (`JUDGING_CREATIVITY_CACHE` moves it)."""
    return Path(os.environ.get("JUDGING_CREATIVITY_CACHE") or pooch.os_cache("judging-creativity"))


def verify(path, name, sha256):
    """Return `path` if the file has this SHA-256, else raise DataError naming it."""
    checksum = pooch.file_hash(path)
    if checksum != sha256:
        what = f"checksum {checksum[:12]}… found, {sha256[:12]}… expected"
        advice = f"delete {Path(path).name} from that folder and fetch again"
        raise DataError(f"{name}: {what}; the file is damaged or another version: {advice}")
    return Path(path)


pooch.get_logger().setLevel("WARNING")
_unreachable = []  # filled by the first download that fails, so that the others do not wait


def locate(name, download=True):
    """Return (path, 'mirror', 'cache' or 'download') of a registered file, verified;
    FileNotFoundError, which says what to do, if no place has it."""
    dataset = registry()[name.split("/")[0]]
    entry = dataset["files"].get(name)
    if entry is None:
        raise DataError(f"{name} is not in data/registry.yaml")
    for origin, folder in (("mirror", mirror()), ("cache", cache_folder())):
        if folder is not None and (folder / name).is_file():
            return verify(folder / name, name, entry["sha256"]), origin
    if not download or os.environ.get("JUDGING_CREATIVITY_OFFLINE") or _unreachable:
        raise FileNotFoundError(f"{name} {MISSING} and nothing was downloaded; {ADVICE}")
    url = f"{UPSTREAM}/{dataset['repository']}/{dataset['commit']}/{entry['path']}"
    return fetch(name, url, entry["sha256"], entry["bytes"]), "download"


def fetch(name, url, sha256, size):
    """Return the path of a file that was downloaded into the cache, verified; FileNotFoundError if
    it cannot be had or takes too long. name: in the registry; size: in bytes."""
    path = cache_folder() / name
    pool = ThreadPoolExecutor(1)
    task = pool.submit(
        pooch.retrieve,
        url,
        f"sha256:{sha256}",
        fname=path.name,
        path=path.parent,
        downloader=pooch.HTTPDownloader(timeout=SECONDS / 2),
    )
    try:
        return Path(task.result(timeout=max(SECONDS, size / 50_000)))
    except (Overdue, OSError) as fault:  # requests' exceptions are OSErrors
        _unreachable.append(url)
        why = f"could not be downloaded ({type(fault).__name__})"
        raise FileNotFoundError(f"{name} {MISSING} and {why}; {ADVICE}") from None
    except ValueError as fault:  # pooch: wrong hash
        what = "the download has a wrong checksum; try again later"
        raise DataError(f"{name}: {what} ({fault})") from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def available(dataset):
    """Return the origin (mirror, cache, download) if every file of a data set is here, else ''."""
    try:
        return max(locate(name)[1] for name in registry()[dataset]["files"])
    except FileNotFoundError:
        return ""


def read_json(name):
    """Return a registered .json file's content; of a .jsonl file, a list of records."""
    text = locate(name)[0].read_text(encoding="utf8")
    if name.endswith("l"):
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    return json.loads(text)
